//! Columns of one name.

use std::collections::BTreeSet;

use lookalike_words::Name;

use crate::{DuplicateName, Error, Oddity, Warning};

/// Signs that nobody sees and that no column has on purpose: of zero width, marks of direction and of byte order, soft hyphen.
const INVISIBLE: [char; 8] =
    ['\u{ad}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{200e}', '\u{200f}', '\u{2060}', '\u{feff}'];

/// What happens to columns that have the name of an earlier one. Roles go by names, so every column needs its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DuplicateNames {
    /// An error that names them and their places.
    #[default]
    Error,
    /// They get a number: the third `age` is `age_3`, or the next number that is free. Each is warned about, and
    /// [`crate::Table::renamed`] has them.
    Number,
}

/// A column that got another name than it has in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// Its place, from 1.
    pub column: usize,
    /// Its name in the file, trimmed.
    pub from: String,
    /// Its name in the table.
    pub to: String,
}

/// A name without the white space and the invisible signs around it.
#[must_use]
pub fn trimmed(name: &str) -> &str {
    name.trim_matches(|sign: char| sign.is_whitespace() || INVISIBLE.contains(&sign))
}

/// Sees to it that no two names are equal; blank ones are none.
///
/// # Errors
/// The names that occur more than once, if that is to be an error.
pub(crate) fn distinct(names: &mut [String], policy: DuplicateNames) -> Result<Vec<Renamed>, Error> {
    let groups = equal(names);
    if groups.is_empty() {
        return Ok(Vec::new());
    }
    if policy == DuplicateNames::Error {
        let names = groups.iter().map(|group| DuplicateName {
            name: Name(names[group[0]].clone()),
            columns: group.iter().map(|at| at + 1).collect(),
        });
        return Err(Error::DuplicateNames { names: names.collect() });
    }
    let mut taken: BTreeSet<String> = names.iter().cloned().collect();
    let mut renamed = Vec::new();
    for group in groups {
        let from = names[group[0]].clone();
        let mut number = 1_usize;
        for &at in &group[1..] {
            let to = loop {
                number += 1;
                let name = format!("{from}_{number}");
                if taken.insert(name.clone()) {
                    break name;
                }
            };
            renamed.push(Renamed { column: at + 1, from: from.clone(), to: to.clone() });
            names[at] = to;
        }
    }
    renamed.sort_by_key(|one| one.column);
    Ok(renamed)
}

/// The places, from 0, of each name that occurs more than once, in the order of their first place.
fn equal(names: &[String]) -> Vec<Vec<usize>> {
    let mut sorted: Vec<usize> = (0..names.len()).filter(|&at| !names[at].is_empty()).collect();
    sorted.sort_by_key(|&at| (&names[at], at));
    let mut groups: Vec<Vec<usize>> = sorted
        .chunk_by(|&a, &b| names[a] == names[b])
        .filter(|same| same.len() > 1)
        .map(<[usize]>::to_vec)
        .collect();
    groups.sort_by_key(|group| group[0]);
    groups
}

impl Renamed {
    pub(crate) fn warning(&self) -> Warning {
        let Self { column, from, to } = self.clone();
        Warning::of(Oddity::Renamed { column, to: Name(to), from: Name(from) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(names: &str) -> String {
        let mut names: Vec<String> = names.split(' ').map(str::to_owned).collect();
        let renamed = distinct(&mut names, DuplicateNames::Number).unwrap();
        for one in renamed {
            assert_eq!(names[one.column - 1], one.to);
        }
        names.join(" ")
    }

    #[test]
    fn later_ones_get_a_number() {
        assert_eq!(numbered("age sex age age sex"), "age sex age_2 age_3 sex_2");
        assert_eq!(numbered("age sex"), "age sex");
    }

    #[test]
    fn a_number_that_another_column_has_is_passed_over() {
        assert_eq!(numbered("age age age_2 age"), "age age_3 age_2 age_4");
        assert_eq!(numbered("a a a_2 a_2"), "a a_3 a_2 a_2_2");
    }

    #[test]
    fn blank_names_are_not_equal() {
        let mut names = vec![String::new(), String::new(), String::from("a")];
        assert_eq!(distinct(&mut names, DuplicateNames::Error), Ok(Vec::new()));
    }

    #[test]
    fn the_places_are_named_in_order() {
        let mut names: Vec<String> = ["b", "a", "b", "a", "b"].map(String::from).to_vec();
        let error = distinct(&mut names, DuplicateNames::Error).unwrap_err();
        let wanted = [("b", vec![1, 3, 5]), ("a", vec![2, 4])];
        let names = wanted.map(|(name, columns)| DuplicateName { name: name.into(), columns }).into();
        assert_eq!(error, Error::DuplicateNames { names });
    }
}
