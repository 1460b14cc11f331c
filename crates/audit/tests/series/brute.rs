//! Small random histories against everything that is possible, enumerated.

use std::{collections::BTreeSet, fmt::Write as _};

use lookalike_audit::{
    Subject,
    measure::Reading,
    series::{Evidence, Invariance, Verdict},
};
use lookalike_table::Table;
use proptest::prelude::*;

use crate::common::{ask, check, ledger_text, question, table};

type Values = BTreeSet<String>;

/// Somebody in a release: number, age, value, class.
type Entry = (usize, u8, char, usize);

/// One release: who is in which class, and the counterfeits of each class.
#[derive(Clone, Debug)]
struct Release {
    people: Vec<Entry>,
    fakes: Vec<Vec<char>>,
}

impl Release {
    /// The same without those who would be the second of their class with a value.
    fn distinct(mut self) -> Self {
        let mut seen = BTreeSet::new();
        self.people.retain(|&(_, _, value, class)| seen.insert((class, value)));
        for (class, fakes) in self.fakes.iter_mut().enumerate() {
            fakes.retain(|&value| seen.insert((class, value)));
        }
        self
    }

    /// The classes that hold somebody: youngest and oldest member, all values.
    fn classes(&self) -> Vec<(usize, u8, u8, Vec<char>)> {
        let classes = (0..self.fakes.len()).filter_map(|class| {
            let members: Vec<&Entry> = self.people.iter().filter(|entry| entry.3 == class).collect();
            let ages = || members.iter().map(|entry| entry.1);
            let values = members.iter().map(|entry| entry.2).chain(self.fakes[class].iter().copied());
            Some((class, ages().min()?, ages().max()?, values.collect()))
        });
        classes.collect()
    }

    fn published(&self) -> Table {
        let mut text = String::from("age disease class");
        for (class, young, old, values) in self.classes() {
            for value in values {
                write!(text, "\n[{young}-{old}] {value} c{class}").unwrap();
            }
        }
        table(&text)
    }

    fn source(&self) -> Table {
        let rows = self.people.iter().map(|(who, age, value, _)| format!("\n{who} {age} {value}"));
        table(&format!("id age disease{}", rows.collect::<String>()))
    }

    fn signature(&self, class: usize) -> Values {
        let found = self.classes().into_iter().find(|other| other.0 == class).unwrap();
        found.3.iter().map(ToString::to_string).collect()
    }

    /// For each individual the classes that it has in some assignment of all individuals to rows that cover them.
    fn possible(&self) -> Vec<BTreeSet<usize>> {
        let classes = self.classes();
        let mut found = vec![BTreeSet::new(); self.people.len()];
        let mut room: Vec<usize> = classes.iter().map(|class| class.3.len()).collect();
        self.assign(&classes, &mut Vec::new(), &mut room, &mut found);
        found
    }

    fn assign(
        &self,
        classes: &[(usize, u8, u8, Vec<char>)],
        chosen: &mut Vec<usize>,
        room: &mut [usize],
        found: &mut [BTreeSet<usize>],
    ) {
        let Some(&(_, age, ..)) = self.people.get(chosen.len()) else {
            found.iter_mut().zip(chosen).for_each(|(all, at)| {
                all.insert(classes[*at].0);
            });
            return;
        };
        for at in 0..classes.len() {
            if (classes[at].1..=classes[at].2).contains(&age) && room[at] > 0 {
                room[at] -= 1;
                chosen.push(at);
                self.assign(classes, chosen, room, found);
                chosen.pop();
                room[at] += 1;
            }
        }
    }
}

/// What somebody is in one release: number of the release, value, signatures of the classes it may be in.
type Sight = (usize, char, Vec<Values>);

fn intersection(sets: impl Iterator<Item = Values>) -> Values {
    sets.reduce(|a, b| &a & &b).unwrap_or_default()
}

/// The sights of everybody, by number; `truth` takes the class that it is in, else all possible ones.
fn sights(series: &[Release], truth: bool) -> Vec<(usize, Vec<Sight>)> {
    let mut all: Vec<(usize, Vec<Sight>)> = Vec::new();
    for (number, release) in series.iter().enumerate() {
        for (entry, possible) in release.people.iter().zip(release.possible()) {
            let classes = if truth { BTreeSet::from([entry.3]) } else { possible };
            let sets = classes.iter().map(|&class| release.signature(class)).collect();
            match all.iter_mut().find(|(who, _)| *who == entry.0) {
                Some((_, sights)) => sights.push((number, entry.2, sets)),
                None => all.push((entry.0, vec![(number, entry.2, sets)])),
            }
        }
    }
    all
}

/// Whether the signature of a span is surely one, surely not, or neither: all choices of own classes.
fn choices(span: &[&Sight]) -> (bool, bool, usize) {
    let mut chosen: Vec<Vec<Values>> = vec![Vec::new()];
    for (_, value, sets) in span {
        let own = sets.iter().filter(|set| set.contains(&value.to_string()));
        let longer = |c: &Vec<Values>, set: &Values| c.iter().chain([set]).cloned().collect();
        chosen = own.flat_map(|set| chosen.iter().map(move |c| longer(c, set))).collect();
    }
    let same = |c: &Vec<Values>| c.iter().all(|set| *set == c[0]);
    let least = chosen.iter().map(|c| intersection(c.iter().cloned()).len()).min().unwrap();
    (chosen.iter().any(same), chosen.iter().all(same), least)
}

/// Everything that the audit says, against the enumeration.
fn agree(found: &Verdict, people: &[(usize, Vec<Sight>)], model: Invariance, m: usize) {
    let attack = found.attack.as_ref().unwrap();
    assert_eq!(attack.individuals, people.len());
    let (mut changed, mut open, mut below) = (0, 0, 0);
    for (who, sights) in people {
        let trace = attack.traces.iter().find(|trace| trace.individual == who.to_string()).unwrap();
        assert_eq!(trace.steps.len(), sights.len());
        let union = |sight: &Sight| sight.2.iter().flatten().cloned().collect::<Values>();
        for (at, (step, sight)) in trace.steps.iter().zip(sights).enumerate() {
            let before = || sights[..=at].iter();
            let of_tuple = || before().filter(|other| other.1 == sight.1);
            assert_eq!((step.release, &step.value), (sight.0 + 1, &sight.1.to_string()));
            assert_eq!(step.published, Vec::from_iter(union(sight)));
            assert_eq!(step.left, Vec::from_iter(intersection(of_tuple().map(union))));
            assert_eq!(step.left_to_believer, Vec::from_iter(intersection(before().map(union))));
            let (.., least) = choices(&of_tuple().collect::<Vec<_>>());
            assert!((1..=least).contains(&step.at_least) && least <= step.left.len());
        }
        let values: BTreeSet<char> = sights.iter().map(|sight| sight.1).collect();
        for value in values {
            let tuple: Vec<&Sight> = sights.iter().filter(|sight| sight.1 == value).collect();
            below += usize::from(intersection(tuple.iter().map(|sight| union(sight))).len() < m);
            let spans: Vec<&[&Sight]> = match model {
                Invariance::TauSafety => vec![&tuple[..]],
                Invariance::MInvariance => tuple.chunk_by(|a, b| a.0 + 1 == b.0).collect(),
            };
            // A single release changes nothing, whichever class it is.
            let judged: Vec<(bool, bool)> = spans
                .iter()
                .filter(|span| span.len() > 1)
                .map(|span| choices(span))
                .map(|(some, all, _)| (some, all))
                .collect();
            let broken = judged.iter().any(|(some, _)| !some);
            changed += usize::from(broken);
            open += usize::from(!broken && judged.iter().any(|(_, all)| !all));
        }
    }
    let count = |name: Subject| {
        let check = found.checks.iter().find(|check| check.name == name);
        check.map_or(0, |check| check.witnesses.len())
    };
    // Witnesses are at most ten.
    assert_eq!(count(Subject::Signatures), changed.min(10), "{:?}", found.checks);
    assert_eq!(count(Subject::Open), open.min(10), "{:?}", found.checks);
    assert_eq!(count(Subject::Intersection), below.min(10), "{:?}", found.checks);
    assert_eq!(attack.left.range(..m).map(|(_, tuples)| tuples).sum::<usize>(), below);
}

/// Ledger of a series in which everybody is where it is.
fn ledger(series: &[Release]) -> String {
    let values = ["a", "b", "c", "d"];
    let place = |value: &str| values.iter().position(|v| *v == value).unwrap() as u32;
    let mut signatures: Vec<Vec<u32>> = Vec::new();
    let mut people: Vec<(String, Vec<[u32; 4]>)> = Vec::new();
    for (who, sights) in sights(series, true) {
        let mut stays: Vec<[u32; 4]> = Vec::new();
        for (number, value, sets) in sights {
            let set: Vec<u32> = sets[0].iter().map(|value| place(value)).collect();
            let at = signatures.iter().position(|other| *other == set).unwrap_or_else(|| {
                signatures.push(set);
                signatures.len() - 1
            });
            let (now, of) = (number as u32 + 1, [place(&value.to_string()), at as u32]);
            match stays.last_mut() {
                Some(stay) if stay[1] + 1 == now && stay[2..] == of => stay[1] = now,
                _ => stays.push([now, now, of[0], of[1]]),
            }
        }
        people.push((who.to_string(), stays));
    }
    let counts: Vec<(usize, Vec<u32>)> = series
        .iter()
        .map(|release| {
            let classes = release.classes();
            let fakes = classes.iter().map(|class| release.fakes[class.0].len() as u32).collect();
            (classes.iter().map(|class| class.3.len()).sum(), fakes)
        })
        .collect();
    let counts: Vec<(usize, &[u32])> = counts.iter().map(|(rows, fakes)| (*rows, &fakes[..])).collect();
    let signatures: Vec<&[u32]> = signatures.iter().map(Vec::as_slice).collect();
    ledger_text(&values, &signatures, &counts, &people)
}

/// Up to five people with ages 0 to 4 and values a to d, in up to three classes with up to two counterfeits each.
fn release() -> impl Strategy<Value = Release> {
    let person = prop::option::of((0..5_u8, 0..4_u8, 0..3_usize));
    let value = |v: u8| char::from(b'a' + v);
    let fakes = prop::collection::vec(prop::collection::vec((0..4_u8).prop_map(value), 0..3), 3);
    (prop::collection::vec(person, 5), fakes).prop_map(move |(people, fakes)| {
        let entry = |(who, person): (usize, Option<(u8, u8, usize)>)| {
            person.map(|(age, v, class)| (who, age, value(v), class))
        };
        let mut people: Vec<Entry> = people.into_iter().enumerate().filter_map(entry).collect();
        if people.is_empty() {
            people.push((0, 0, 'a', 0));
        }
        Release { people, fakes }
    })
}

/// Series whose people mostly stay as they are.
fn series() -> impl Strategy<Value = Vec<Release>> {
    (prop::collection::vec(release(), 1..4), prop::collection::vec(any::<bool>(), 5)).prop_map(
        |(mut series, steady)| {
            let first = series[0].clone();
            for entry in series.iter_mut().skip(1).flat_map(|release| &mut release.people) {
                let before = first.people.iter().find(|other| other.0 == entry.0);
                if let Some(before) = before.filter(|_| steady[entry.0]) {
                    *entry = *before;
                }
            }
            series
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// The attacker with sources, against all assignments of individuals to rows.
    #[test]
    fn sources_agree_with_all_assignments(series in series(), tau: bool, m in 2..4_usize) {
        let model = if tau { Invariance::TauSafety } else { Invariance::MInvariance };
        let releases: Vec<Table> = series.iter().map(Release::published).collect();
        let sources: Vec<Table> = series.iter().map(Release::source).collect();
        let evidence = Evidence::Sources { tables: &sources, id: "id", reading: &Reading::default() };
        let found = ask(&releases, &question(model, m), evidence).unwrap();
        prop_assert!(check(&found, &Subject::Covered).passed);
        agree(&found, &sights(&series, false), model, m);
    }

    /// The ledger, against the truth; and never more than the attacker without it is left with.
    #[test]
    fn the_ledger_agrees_with_the_truth(series in series(), tau: bool, m in 2..4_usize) {
        let model = if tau { Invariance::TauSafety } else { Invariance::MInvariance };
        let series: Vec<Release> = series.into_iter().map(Release::distinct).collect();
        let releases: Vec<Table> = series.iter().map(Release::published).collect();
        let ledger = lookalike_audit::series::Ledger::read(ledger(&series).as_bytes()).unwrap();
        let found = ask(&releases, &question(model, m), Evidence::Ledger(&ledger)).unwrap();
        prop_assert!(check(&found, &Subject::Ledger).passed, "{:?}", found.checks);
        agree(&found, &sights(&series, true), model, m);
        let sources: Vec<Table> = series.iter().map(Release::source).collect();
        let evidence = Evidence::Sources { tables: &sources, id: "id", reading: &Reading::default() };
        let blurred = ask(&releases, &question(model, m), evidence).unwrap();
        let kept = |passed: &Verdict| check(passed, &Subject::Signatures).passed;
        prop_assert!(kept(&blurred) || !kept(&found), "what the sources prove is true");
        let (exact, blurred) = (found.attack.unwrap(), blurred.attack.unwrap());
        for trace in &exact.traces {
            let other = blurred.traces.iter().find(|other| other.individual == trace.individual).unwrap();
            for (known, guessed) in trace.steps.iter().zip(&other.steps) {
                prop_assert!(known.left.iter().all(|value| guessed.left.contains(value)));
                prop_assert!(guessed.at_least <= known.left.len());
            }
        }
    }
}
