//! What the user has said about one column.

use std::rc::Rc;

use lookalike_model::settings::{Kind, MissingPolicy, Publish};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Role;

/// Rows of a generalisation hierarchy: a value and its generalisations, from fine to coarse.
pub type Rows = Rc<Vec<Vec<String>>>;

/// Who decided what a column is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decided {
    /// Nobody yet: it is not published.
    #[default]
    Nobody,
    /// The user, by accepting the suggestions as a whole.
    AsSuggested,
    /// The user, for this column.
    User,
}

/// What the user has said about one column. Numbers are kept as they were typed; empty is not said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// What it is for.
    pub role: Role,
    /// Who decided that.
    pub decided: Decided,
    /// What its cells are, if not what they look like.
    pub kind: Option<Kind>,
    /// Its values from least to greatest, if its kind is ordinal.
    pub order: Vec<String>,
    /// What happens to rows without it, if not what happens to others.
    pub missing: Option<MissingPolicy>,
    /// How it is published, if not like the others.
    pub publish: Option<Publish>,
    /// Numbers of at most this are published as one.
    pub bottom: String,
    /// Numbers of at least this are published as one.
    pub top: String,
    /// What it counts in the loss.
    pub weight: String,
    /// The values that it may have.
    pub domain: String,
    /// Digits to which its cells are filled up on the left with zeros.
    pub width: String,
    /// Labels in place of its codes.
    pub labels: String,
    /// Its generalisation hierarchy.
    #[serde(serialize_with = "put_rows", deserialize_with = "take_rows")]
    pub hierarchy: Option<Rows>,
}

#[expect(clippy::ref_option, reason = "serde hands over the field as it is")]
fn put_rows<S: Serializer>(rows: &Option<Rows>, to: S) -> Result<S::Ok, S::Error> {
    rows.as_deref().serialize(to)
}

fn take_rows<'a, D: Deserializer<'a>>(from: D) -> Result<Option<Rows>, D::Error> {
    Ok(Option::deserialize(from)?.map(Rc::new))
}

impl Choice {
    /// What its cells are: said, or found. Codes with a width are labels.
    #[must_use]
    pub fn kind_of<'a>(&self, found: &'a str) -> &'a str {
        match &self.kind {
            None if self.width.trim().is_empty() => found,
            None | Some(Kind::Category) => "category",
            Some(Kind::Ordinal) => "ordinal",
            Some(Kind::Integer) => "integer",
            Some(Kind::Real | Kind::Number) => "real",
            Some(Kind::Date | Kind::DateDmy | Kind::DateMdy | Kind::DateAs(_)) => "date",
        }
    }

    /// With other cells than it had: an order or hierarchy of the values before says nothing of them.
    #[must_use]
    pub fn with_other_cells(mut self) -> Self {
        self.order = Vec::new();
        self.kind = self.kind.filter(|kind| *kind != Kind::Ordinal);
        self.hierarchy = None;
        self.publish = self.publish.filter(|form| *form != Publish::Hierarchy);
        self
    }
}

/// How a hierarchy is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HierarchyKind {
    /// Numbers in intervals.
    #[default]
    Interval,
    /// Fewer and fewer leading characters.
    Prefix,
    /// The same of codes that are meant to have different lengths.
    PrefixAnyLength,
    /// Day, month, quarter, year.
    Date,
    /// Neighbours in an order.
    Order,
}

/// The fields from which a hierarchy is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Making {
    /// How.
    pub way: HierarchyKind,
    /// Width of the finest intervals.
    pub width: String,
    /// How many make one of the next level: `2, 2`.
    pub groups: String,
    /// Where the intervals begin; below it one interval.
    pub from: String,
    /// Where they end; from it on one interval.
    pub to: String,
}

impl Default for Making {
    fn default() -> Self {
        Self {
            way: HierarchyKind::default(),
            width: String::from("5"),
            groups: String::from("2, 2"),
            from: String::new(),
            to: String::new(),
        }
    }
}

impl Making {
    /// The usual way for a kind of cells.
    #[must_use]
    pub fn of(kind: &str) -> Self {
        let way = match kind {
            "integer" | "real" => HierarchyKind::Interval,
            "date" => HierarchyKind::Date,
            "ordinal" => HierarchyKind::Order,
            _ => HierarchyKind::Prefix,
        };
        Self { way, ..Self::default() }
    }

    /// The generator's name, as the command line has it: `interval:5,2,2:from=20,to=90`.
    #[must_use]
    pub fn generator(&self) -> String {
        let groups: String = self.groups.split_whitespace().collect();
        match self.way {
            HierarchyKind::Prefix => String::from("prefix"),
            HierarchyKind::PrefixAnyLength => String::from("prefix:any-length"),
            HierarchyKind::Date => String::from("date"),
            HierarchyKind::Order => format!("order:{groups}"),
            HierarchyKind::Interval => {
                let ends = [("from", &self.from), ("to", &self.to)];
                let ends = ends.iter().filter(|(_, end)| !end.trim().is_empty());
                let ends: Vec<String> = ends.map(|(name, end)| format!("{name}={}", end.trim())).collect();
                let sizes = [self.width.trim(), &groups].into_iter().filter(|part| !part.is_empty());
                let sizes = sizes.collect::<Vec<_>>().join(",");
                if ends.is_empty() {
                    format!("interval:{sizes}")
                } else {
                    format!("interval:{sizes}:{}", ends.join(","))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generators_are_named_as_on_the_command_line() {
        let mut making = Making { from: String::from(" 20"), ..Making::of("integer") };
        assert_eq!(making.generator(), "interval:5,2,2:from=20");
        making.to = String::from("90");
        assert_eq!(making.generator(), "interval:5,2,2:from=20,to=90");
        (making.from, making.to, making.groups) = (String::new(), String::new(), String::new());
        assert_eq!(making.generator(), "interval:5");
        let named = ["category", "date", "ordinal"].map(|kind| Making::of(kind).generator());
        assert_eq!(named, ["prefix", "date", "order:2,2"]);
    }
}
