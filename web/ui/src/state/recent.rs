//! The settings of the last tables, for those who want them remembered: what the browser stores, and in which order.

use lookalike_model::settings::{Model, Settings};

/// How many are offered.
const KEPT: usize = 5;

/// How many are stored: the settings that somebody works on are one more, since they may be those of before for a while.
pub const STORED: usize = KEPT + 1;

/// Columns that settings are named by, at most.
const NAMED: usize = 6;

/// Settings that were used, as the browser stores them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recent {
    /// What they are called, for people; empty for what older versions stored.
    pub name: String,
    /// The configuration.
    pub text: String,
}

impl Recent {
    /// From what is stored: a line with the name, then the configuration. Older versions had the configuration alone.
    /// `None` if it is neither.
    #[must_use]
    pub fn parse(stored: &str) -> Option<Self> {
        if stored.starts_with('{') {
            return Some(Self { name: String::new(), text: stored.to_owned() });
        }
        let (name, text) = stored.split_once('\n')?;
        text.starts_with('{').then(|| Self { name: name.trim_start().to_owned(), text: text.to_owned() })
    }

    /// What is to be stored.
    #[must_use]
    pub fn stored(&self) -> String {
        // A name of a column may hold an end of line, and may begin like a configuration.
        let name = self.name.split_whitespace().collect::<Vec<_>>().join(" ");
        format!(" {name}\n{}", self.text)
    }
}

/// What settings are called: the columns that they protect, and how. Never a value.
#[must_use]
pub fn name(settings: &Settings) -> String {
    let mut columns: Vec<&str> =
        settings.quasi.iter().chain(&settings.sensitive).map(String::as_str).collect();
    if columns.len() > NAMED {
        columns.truncate(NAMED);
        columns.push("…");
    }
    let guarantee = match settings.model {
        Model::MInvariance { m } => format!("m = {m}"),
        Model::KAnonymity { k } => format!("k = {k}"),
    };
    format!("{} ({guarantee})", columns.join(", "))
}

/// Puts settings in front of the others. They take the place of the first if that is `previous`: what was stored last of
/// the same table. The oldest go.
#[must_use]
pub fn put(list: Vec<Recent>, recent: Recent, previous: Option<&str>) -> Vec<Recent> {
    let same = list.first().is_some_and(|first| previous == Some(&*first.text));
    // What they pass on their way must not be lost: only settings that nobody works on any more are compared.
    let mut rest = different(list.into_iter().skip(usize::from(same)));
    rest.truncate(STORED - 1);
    rest.insert(0, recent);
    rest
}

/// Those to be offered: none twice.
#[must_use]
pub fn offered(list: Vec<Recent>) -> Vec<Recent> {
    let mut list = different(list);
    list.truncate(KEPT);
    list
}

/// The first of any that are the same.
fn different(list: impl IntoIterator<Item = Recent>) -> Vec<Recent> {
    let mut kept: Vec<Recent> = Vec::new();
    for recent in list {
        if kept.iter().all(|other| other.text != recent.text) {
            kept.push(recent);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::described;

    fn recent(at: usize) -> Recent {
        Recent { name: format!("column {at} (k = 5)"), text: format!("{{\"k\": {at}}}") }
    }

    fn names(list: &[Recent]) -> Vec<usize> {
        let number =
            |recent: &Recent| recent.text.trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap();
        list.iter().map(number).collect()
    }

    #[test]
    fn what_is_stored_is_read_again() {
        let text = "{\n  \"fields\": []\n}";
        for name in ["age, sex (m = 3)", "", "{age", "first\nsecond"] {
            let read =
                Recent::parse(&Recent { name: name.to_owned(), text: text.to_owned() }.stored()).unwrap();
            assert_eq!((&*read.name, &*read.text), (&*name.replace('\n', " "), text));
        }
        // What older versions stored, and what others did.
        assert_eq!(Recent::parse(text), Some(Recent { name: String::new(), text: text.to_owned() }));
        for strange in ["", "age", " age\n", " age\nsex\n{}", "[1]"] {
            assert_eq!(Recent::parse(strange), None, "{strange}");
        }
    }

    #[test]
    fn the_latest_come_first_and_the_oldest_go() {
        let mut list = Vec::new();
        for at in 0..8 {
            list = put(list, recent(at), None);
        }
        assert_eq!(names(&list), [7, 6, 5, 4, 3, 2]);
        assert_eq!(names(&offered(list.clone())), [7, 6, 5, 4, 3]);
        // A change of the same settings pushes nothing out.
        let list = put(list, recent(8), Some(&recent(7).text));
        assert_eq!(names(&list), [8, 6, 5, 4, 3, 2]);
        // What another window put in front stays.
        let list = put(list, recent(9), Some(&recent(7).text));
        assert_eq!(names(&list), [9, 8, 6, 5, 4, 3]);
    }

    #[test]
    fn the_same_settings_are_offered_once_and_passing_them_loses_nothing() {
        let list = vec![recent(1), recent(2)];
        let passing = put(list, recent(2), None);
        assert_eq!(names(&passing), [2, 1, 2]);
        assert_eq!(names(&offered(passing.clone())), [2, 1]);
        assert_eq!(names(&put(passing.clone(), recent(3), Some(&recent(2).text))), [3, 1, 2]);
        assert_eq!(names(&put(passing, recent(3), None)), [3, 2, 1]);
    }

    #[test]
    fn settings_are_named_by_columns_and_guarantee() {
        let mut settings = described().settings().unwrap().unwrap();
        assert_eq!(name(&settings), "age, disease (m = 3)");
        settings.model = Model::KAnonymity { k: 5 };
        settings.quasi = (1..=9).map(|at| at.to_string()).collect();
        assert_eq!(name(&settings), "1, 2, 3, 4, 5, 6, … (k = 5)");
    }
}
