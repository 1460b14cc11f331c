//! Who was in each release of a series, by its ledger.

use std::collections::BTreeMap;

use lookalike_model::ledger::{Ledger, Stay};
use lookalike_wire::series::ReleasePeople;

/// One entry a release, the first one first. Linear in the stays and the releases that they last.
pub(crate) fn timeline(ledger: &Ledger) -> Vec<ReleasePeople> {
    let mut releases: BTreeMap<u32, ReleasePeople> =
        (1..=ledger.number()).map(|release| (release, empty(release))).collect();
    for stays in ledger.individuals.values() {
        let mut before: Option<&Stay> = None;
        for stay in stays {
            count(&mut releases, stay.first, |people| match before {
                None => &mut people.new,
                Some(before) if before.value != stay.value => &mut people.changed,
                Some(before) if before.last + 1 == stay.first => &mut people.stayed,
                Some(_) => &mut people.back,
            });
            for release in stay.first + 1..=stay.last {
                count(&mut releases, release, |people| &mut people.stayed);
            }
            if let Some(before) = before.filter(|before| before.last + 1 < stay.first) {
                count(&mut releases, before.last + 1, |people| &mut people.gone);
            }
            before = Some(stay);
        }
        if let Some(last) = before {
            count(&mut releases, last.last + 1, |people| &mut people.gone);
        }
    }
    releases.into_values().collect()
}

const fn empty(release: u32) -> ReleasePeople {
    ReleasePeople { release, new: 0, stayed: 0, back: 0, changed: 0, gone: 0 }
}

/// Counts somebody. Who is in the last release is gone in no release that there is.
fn count(
    releases: &mut BTreeMap<u32, ReleasePeople>,
    release: u32,
    what: impl Fn(&mut ReleasePeople) -> &mut usize,
) {
    if let Some(people) = releases.get_mut(&release) {
        *what(people) += 1;
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::{
        ledger::{Mode, Release},
        settings::{Model, Settings},
    };

    use super::*;

    /// A ledger of people, each with its value release by release; `None` where it is not in it.
    fn ledger(releases: usize, people: &[Vec<Option<&'static str>>]) -> Ledger {
        let settings = Settings::of(Model::MInvariance { m: 2 });
        let mut ledger = Ledger::new(String::from("s"), String::from("id"), Mode::TauSafety, &settings);
        let names: Vec<String> = (0..people.len()).map(|at| format!("P{at}")).collect();
        let signature = ["flu", "gout", "angina"].map(String::from);
        for at in 0..releases {
            let release = Release {
                hash: at.to_string(),
                rows: 0,
                counterfeits: Vec::new(),
                version: String::new(),
                ..Release::default()
            };
            let there = names.iter().zip(people).filter_map(|(name, person)| {
                Some((name.as_str(), person.get(at).copied().flatten()?, &signature[..]))
            });
            ledger.add(release, there);
        }
        ledger
    }

    #[test]
    fn everybody_is_counted_once_a_release() {
        let (flu, gout) = (Some("flu"), Some("gout"));
        let people = [
            vec![flu, flu, flu, flu],
            vec![flu, None, flu, None],
            vec![gout, None, None, flu],
            vec![gout, flu, None, None],
            vec![None, None, gout, gout],
        ];
        let told = timeline(&ledger(4, &people));
        let numbers: Vec<_> =
            told.iter().map(|r| (r.release, [r.new, r.stayed, r.back, r.changed, r.gone])).collect();
        assert_eq!(
            numbers,
            [(1, [4, 0, 0, 0, 0]), (2, [0, 1, 0, 1, 2]), (3, [1, 1, 1, 0, 1]), (4, [0, 2, 0, 1, 1])]
        );
        // As it was before its last release.
        assert_eq!(timeline(&ledger(4, &people).before_last()), told[..3]);
        assert_eq!(timeline(&ledger(0, &people)), []);
    }

    #[test]
    fn another_signature_is_not_another_value() {
        let mut ledger = ledger(1, &[vec![Some("flu")]]);
        let release = Release {
            hash: String::from("2"),
            rows: 1,
            counterfeits: Vec::new(),
            version: String::new(),
            ..Release::default()
        };
        let other = ["flu", "gout"].map(String::from);
        ledger.add(release, [("P0", "flu", &other[..])].into_iter());
        assert_eq!(timeline(&ledger)[1], ReleasePeople { stayed: 1, ..empty(2) });
    }
}
