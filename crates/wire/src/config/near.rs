//! Names that may have been meant.

/// At most this many names are near.
const MOST: usize = 3;

/// The names that differ from one only by case, white space or a few letters, the nearest first, at most three.
#[must_use]
pub fn near<'a, S: AsRef<str>>(name: &str, among: &'a [S]) -> Vec<&'a str> {
    let plain = |text: &str| -> Vec<char> {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let wanted = plain(name);
    let allowed = (wanted.len() / 3).max(1);
    let mut near: Vec<(usize, &str)> = among
        .iter()
        .map(AsRef::as_ref)
        .filter_map(|other| {
            let letters = plain(other);
            // The lengths bound the distance from below, and spare most of the work.
            let bound = wanted.len().abs_diff(letters.len());
            (bound <= allowed).then(|| (distance(&wanted, &letters), other))
        })
        .filter(|(distance, _)| *distance <= allowed)
        .collect();
    near.sort_by_key(|(distance, _)| *distance);
    near.into_iter().take(MOST).map(|(_, name)| name).collect()
}

/// Fewest letters to insert, delete or replace (Levenshtein).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names() {
        let names = ["age", "Age at visit", "zip", "diagnosis", "Geschlecht"];
        assert_eq!(near("agee", &names), ["age"]);
        assert_eq!(near("ZIP ", &names), ["zip"]);
        assert_eq!(near("diagnoses", &names), ["diagnosis"]);
        assert_eq!(near("geschlect", &names), ["Geschlecht"]);
        assert!(near("income", &names).is_empty());
        let letters = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(distance(&letters("kitten"), &letters("sitting")), 3);
        assert_eq!(distance(&letters(""), &letters("ab")), 2);
    }
}
