//! A series of releases judged from what was published and who was where, by brute force.

use std::collections::{BTreeMap, BTreeSet};

/// One release as a judge sees it who knows where everybody is.
#[derive(Clone, Debug, Default)]
pub struct Release {
    /// The published rows: class label and sensitive value, counterfeits among them.
    pub published: Vec<(String, String)>,
    /// The people: name, sensitive value and class label.
    pub people: Vec<(String, String, String)>,
}

/// A release that holds a tuple, with the values of its class there.
type Stay<'a> = (usize, BTreeSet<&'a str>);

/// Whether a series keeps m-invariance, or with `tau` tau-safety (Tobar 2023, Definitions II.1 and II.2): every class has
/// at least `m` rows of different values, and a tuple (name and value) is always in classes of one set of values: through
/// consecutive releases, with `tau` through all of them.
///
/// # Errors
/// The first violation, in words.
pub fn judge_series(releases: &[Release], m: usize, tau: bool) -> Result<(), String> {
    // For each tuple the releases that hold it, with the values of its class.
    let mut tuples: BTreeMap<(&str, &str), Vec<Stay>> = BTreeMap::new();
    for (number, release) in releases.iter().enumerate() {
        let mut classes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (class, value) in &release.published {
            classes.entry(class).or_default().push(value);
        }
        for (class, values) in &classes {
            let different: BTreeSet<&&str> = values.iter().collect();
            if different.len() != values.len() || values.len() < m {
                return Err(format!("release {number}, class {class}: {values:?}"));
            }
        }
        let mut within: BTreeSet<(&str, &str)> = BTreeSet::new();
        let mut names: BTreeSet<&str> = BTreeSet::new();
        for (name, value, class) in &release.people {
            let Some(values) = classes.get(class.as_str()) else {
                return Err(format!("release {number}: {name} is in class {class}, which is not there"));
            };
            if !values.contains(&value.as_str()) || !within.insert((class, value)) || !names.insert(name) {
                return Err(format!("release {number}: {name} with {value} is not in class {class}"));
            }
            tuples.entry((name, value)).or_default().push((number, values.iter().copied().collect()));
        }
        if let Some(class) = classes.keys().find(|class| !within.iter().any(|(other, _)| other == *class)) {
            return Err(format!("release {number}: nobody is in class {class}"));
        }
    }
    for (tuple, held) in tuples {
        for pair in held.windows(2) {
            if (tau || pair[0].0 + 1 == pair[1].0) && pair[0].1 != pair[1].1 {
                return Err(format!(
                    "{tuple:?}: {:?} in release {}, {:?} in {}",
                    pair[0].1, pair[0].0, pair[1].1, pair[1].0
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `published` as "class value ...", people as "name value class".
    fn release(classes: &[(&str, &[&str])], people: &[(&str, &str, &str)]) -> Release {
        let own = |text: &str| text.to_owned();
        Release {
            published: classes
                .iter()
                .flat_map(|(class, values)| values.iter().map(move |value| (own(class), own(value))))
                .collect(),
            people: people.iter().map(|(name, value, class)| (own(name), own(value), own(class))).collect(),
        }
    }

    /// Tobar 2024, Figure 1: (a), then (b) or (c).
    #[test]
    fn figure_1() {
        let a = release(&[("1", &["HIV", "FLU"])], &[("1", "HIV", "1"), ("2", "FLU", "1")]);
        let b = release(
            &[("1", &["HIV", "ACNE"]), ("2", &["FLU", "COUGH"])],
            &[("1", "HIV", "1"), ("3", "ACNE", "1"), ("2", "FLU", "2"), ("4", "COUGH", "2")],
        );
        let c = release(
            &[("1", &["HIV", "FLU"]), ("2", &["ACNE", "COUGH"])],
            &[("1", "HIV", "1"), ("2", "FLU", "1"), ("3", "ACNE", "2"), ("4", "COUGH", "2")],
        );
        assert!(judge_series(&[a.clone(), b], 2, false).is_err());
        assert_eq!(judge_series(&[a.clone(), c.clone()], 2, true), Ok(()));
        assert!(judge_series(&[a, c], 3, false).is_err(), "only two values");
    }

    #[test]
    fn tau_looks_across_gaps() {
        let first = release(&[("1", &["a", "b"])], &[("p", "a", "1"), ("q", "b", "1")]);
        let gap = release(&[("1", &["b", "a"])], &[("q", "b", "1")]);
        let back = release(
            &[("1", &["a", "c"]), ("2", &["a", "b"])],
            &[("p", "a", "1"), ("r", "c", "1"), ("q", "b", "2")],
        );
        let series = [first, gap, back];
        assert_eq!(judge_series(&series, 2, false), Ok(()));
        assert!(judge_series(&series, 2, true).is_err());
        let lost = release(&[("1", &["a", "b"]), ("2", &["a", "b"])], &[("p", "a", "1")]);
        assert!(judge_series(&[lost], 2, false).unwrap_err().contains("nobody"));
    }
}
