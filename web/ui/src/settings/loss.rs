//! What the search minimises where nobody chose it: what the published table loses, so that loss, bound and estimates are one
//! number. Where that is not defined, squared errors.

use std::collections::BTreeMap;

use lookalike_model::{
    info::{ColumnInfo, TableInfo},
    settings::{Loss, MissingPolicy, Publish, RowsAre, Scheme},
};

use super::weight;
use crate::form::{Choice, Form, LossChoice, Role, RowsChoice};

/// Why the search cannot minimise what the published table loses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unpriced {
    /// A person may have several rows: a person is then the mean of them.
    Persons,
    /// The column is published as means, which have no width.
    Means(String),
    /// Cells of the column are not known: a range beside "not known" has no width.
    Unknown(String),
    /// A label of the column's hierarchy does not say what it stands for.
    Label(String),
}

/// What the search minimises.
pub(super) fn loss(table: &TableInfo, choices: &[Choice], form: &Form, rows_are: Option<&RowsAre>) -> Loss {
    let persons = matches!(rows_are, Some(RowsAre::EventsOf(_)));
    match form.search.loss {
        LossChoice::Of(loss) => loss,
        // Levels are chosen by what the labels lose.
        LossChoice::Published if form.scheme.scheme == Scheme::FullDomain => Loss::Ncp,
        LossChoice::Published if persons || column(table, choices, form).is_some() => Loss::Sse,
        LossChoice::Published => Loss::Ncp,
    }
}

/// Why the search minimises squared errors although nobody chose them; nothing if it does not.
#[must_use]
pub fn unpriced(table: &TableInfo, choices: &[Choice], form: &Form) -> Option<Unpriced> {
    if form.scheme.scheme == Scheme::FullDomain {
        return None;
    }
    let persons = form.rows_are == RowsChoice::OfPersons;
    persons.then_some(Unpriced::Persons).or_else(|| column(table, choices, form))
}

/// The first column of which the published form has no penalty.
fn column(table: &TableInfo, choices: &[Choice], form: &Form) -> Option<Unpriced> {
    let counts = |choice: &Choice| choice.role == Role::Quasi && weight(choice) != Some(0.0);
    (table.columns.iter().zip(choices)).filter(|(_, choice)| counts(choice)).find_map(|(c, x)| of(c, x, form))
}

fn of(column: &ColumnInfo, choice: &Choice, form: &Form) -> Option<Unpriced> {
    let name = || column.name.clone();
    let labels = matches!(choice.kind_of(&column.kind), "category" | "identifier");
    let hierarchy = choice.hierarchy.as_deref();
    let published = match (choice.publish.unwrap_or(form.publish), hierarchy) {
        (Publish::Hierarchy, None) => Publish::Range,
        (form, _) => form,
    };
    let stays = choice.missing.unwrap_or(form.missing_quasi) != MissingPolicy::Drop;
    match published {
        Publish::Centroid if !labels => return Some(Unpriced::Means(name())),
        Publish::Hierarchy if hierarchy.is_some_and(|rows| !is_clear(rows)) => {
            return Some(Unpriced::Label(name()));
        }
        _ => {}
    }
    let gaps = column.missing > 0 && stays && (!labels || published == Publish::Hierarchy);
    gaps.then(|| Unpriced::Unknown(name()))
}

/// Whether each label of a hierarchy, a row a value, stands for one set of values, the last one for all.
fn is_clear(rows: &[Vec<String>]) -> bool {
    let height = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut of: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for level in 0..height {
        let mut here: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, row) in rows.iter().enumerate() {
            let Some(label) = row.get(level).map(|label| label.trim()) else { return false };
            here.entry(label).or_default().push(at);
        }
        for (label, values) in here {
            let braces = label.starts_with('{') && label.ends_with('}');
            let less = (label == "*" || level + 1 == height) && values.len() < rows.len();
            if braces || less || *of.entry(label).or_insert_with(|| values.clone()) != values {
                return false;
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use lookalike_model::settings::Kind;

    use super::*;
    use crate::settings::{
        settings,
        tests::{dropping, table, usual},
    };

    fn keeping() -> Form {
        Form { missing_quasi: MissingPolicy::Value, ..dropping() }
    }

    /// Loss and why, which the settings' loss agrees with.
    fn found(choices: &[Choice], form: &Form) -> (Loss, Option<Unpriced>) {
        (settings(&table(), choices, form).unwrap().loss, unpriced(&table(), choices, form))
    }

    #[test]
    fn what_is_minimised_is_what_is_published() {
        assert_eq!(found(&usual(), &dropping()), (Loss::Ncp, None));
        for publish in [Publish::Range, Publish::MinMax, Publish::MinMaxMid, Publish::Set] {
            assert_eq!(found(&usual(), &Form { publish, ..dropping() }), (Loss::Ncp, None), "{publish:?}");
        }
        let mut chosen = dropping();
        chosen.search.loss = LossChoice::Of(Loss::NcpBinary);
        assert_eq!(found(&usual(), &chosen).0, Loss::NcpBinary);
    }

    #[test]
    fn what_has_no_penalty_is_found_by_squared_errors() {
        let age = || String::from("age");
        // Two ages are missing: a range beside "not known" has no width, labels have "not known" among them.
        assert_eq!(found(&usual(), &keeping()), (Loss::Sse, Some(Unpriced::Unknown(age()))));
        let mut labels = usual();
        labels[1].kind = Some(Kind::Category);
        assert_eq!(found(&labels, &keeping()), (Loss::Ncp, None));
        let means = Form { publish: Publish::Centroid, ..dropping() };
        assert_eq!(found(&usual(), &means), (Loss::Sse, Some(Unpriced::Means(age()))));
        let mut uncounted = usual();
        (uncounted[1].weight, uncounted[2].weight) = (String::from("0"), String::from("1"));
        assert_eq!(found(&uncounted, &keeping()), (Loss::Ncp, None));
        let persons = Form { rows_are: RowsChoice::OfPersons, person: String::from("name"), ..dropping() };
        assert_eq!(found(&usual(), &persons), (Loss::Sse, Some(Unpriced::Persons)));
    }

    #[test]
    fn a_label_of_a_hierarchy_stands_for_one_set() {
        let rows =
            |rows: &[[&str; 3]]| rows.iter().map(|row| row.map(str::to_owned).to_vec()).collect::<Vec<_>>();
        let clear = rows(&[["a", "x", "*"], ["b", "x", "*"], ["c", "c", "*"]]);
        assert!(is_clear(&clear));
        // One name for two sets; no label for all; the label of all for some; read as a set.
        for wrong in [
            [["a", "x", "*"], ["b", "x", "*"], ["x", "y", "*"]],
            [["a", "x", "x"], ["b", "x", "x"], ["c", "y", "y"]],
            [["a", "*", "all"], ["b", "*", "all"], ["c", "y", "all"]],
            [["a", "{x}", "*"], ["b", "{x}", "*"], ["c", "y", "*"]],
        ] {
            assert!(!is_clear(&rows(&wrong)), "{wrong:?}");
            let mut choices = usual();
            (choices[2].hierarchy, choices[2].publish) =
                (Some(Rc::new(rows(&wrong))), Some(Publish::Hierarchy));
            let zip = String::from("zip");
            assert_eq!(found(&choices, &dropping()), (Loss::Sse, Some(Unpriced::Label(zip))));
        }
    }
}
