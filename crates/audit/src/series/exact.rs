//! With the ledger: everybody's signature is known. First it must be the ledger of these releases.

use std::collections::BTreeMap;

use lookalike_words::Cell;

use super::{
    Ledger, Published,
    history::{Histories, Person, Place, Sight},
    lexicon::Lexicon,
    release::Release,
};
use crate::{Check, Observation, SeriesObservation, SeriesWitness, Subject, Witness};

/// What the ledger says, in the numbers of the lexicon.
pub(super) fn histories(ledger: &Ledger, releases: usize, lexicon: &mut Lexicon) -> Histories {
    let values: Vec<u32> = ledger.values.iter().map(|text| lexicon.value(text)).collect();
    let signature = |set: &Vec<u32>| set.iter().map(|&value| values[value as usize]).collect();
    let signatures: Vec<u32> =
        ledger.signatures.iter().map(|set| lexicon.signature(signature(set))).collect();
    let place = |&signature: &u32| Place::new(Vec::new(), vec![signature], lexicon);
    let places = signatures.iter().map(place).collect();
    let mut people: Vec<Person> = ledger
        .individuals
        .iter()
        .map(|(name, stays)| {
            let of_stay = |&[first, last, value, place]: &[u32; 4]| {
                let until = last.min(releases as u32);
                let value = values[value as usize];
                (first..=until).map(move |number| Sight { release: number - 1, value, place })
            };
            Person { name: name.clone(), sights: stays.iter().flat_map(of_stay).collect() }
        })
        .filter(|person| !person.sights.is_empty())
        .collect();
    people.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Histories { people, places }
}

/// Whether what the ledger says can be true of these tables: number, bytes and rows of the releases; for each signature
/// as many classes as its individuals and counterfeits fill, and no value more often than there are classes.
pub(super) fn fits(
    ledger: &Ledger,
    published: &[Published],
    releases: &[Release],
    histories: &Histories,
    lexicon: &Lexicon,
) -> Check {
    let mut odd = Vec::new();
    let (told, given) = (ledger.releases.len(), published.len());
    if told != given {
        odd.push(SeriesWitness::Releases { ledger: told, given });
    }
    let mut people: Vec<Filled> = releases.iter().map(|_| Filled::new()).collect();
    for person in &histories.people {
        for &sight in &person.sights {
            let signature = histories.place(sight).signatures[0];
            if !lexicon.holds(signature, sight.value) {
                odd.push(SeriesWitness::NotItsValue {
                    release: sight.release as usize + 1,
                    individual: Cell::from(person.name.as_str()),
                    value: lexicon.cell(sight.value),
                    values: lexicon.set(lexicon.of(signature)),
                });
            }
            let of_value = people[sight.release as usize].entry(signature).or_default();
            *of_value.entry(sight.value).or_insert(0) += 1;
        }
    }
    for (at, (entry, table)) in ledger.releases.iter().zip(published).enumerate() {
        let release = at + 1;
        if table.hash.is_some_and(|hash| hash != entry.hash) {
            odd.push(SeriesWitness::OtherBytes { release });
        }
        if table.table.rows != entry.rows {
            odd.push(SeriesWitness::Rows { release, ledger: entry.rows, table: table.table.rows });
        }
        odd.extend(rooms(release, &entry.counterfeits, &releases[at], &people[at], lexicon));
    }
    let finding = match odd.len() {
        0 => SeriesObservation::LedgerFits { releases: told, individuals: histories.people.len() },
        things => SeriesObservation::LedgerDiffers { things },
    };
    Check::new(Subject::Ledger, Observation::Series(finding), odd.into_iter().map(Witness::Series))
}

/// How many individuals of a release have each value, by signature.
type Filled = BTreeMap<u32, BTreeMap<u32, usize>>;

/// What does not agree between the classes of one release and who is said to be in them.
fn rooms(
    release: usize,
    counterfeits: &[u32],
    published: &Release,
    people: &Filled,
    lexicon: &Lexicon,
) -> Vec<SeriesWitness> {
    let mut odd = Vec::new();
    let set = |signature: u32| lexicon.set(lexicon.of(signature));
    let classes: Vec<_> = published.classes.iter().filter(|class| !class.suppressed).collect();
    if counterfeits.len() != classes.len() {
        let (ledger, table) = (counterfeits.len(), classes.len());
        odd.push(SeriesWitness::Classes { release, ledger, table });
        return odd;
    }
    // Per signature its classes and the real rows in them.
    let mut rooms: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for (class, &fakes) in classes.iter().zip(counterfeits) {
        let fakes = fakes as usize;
        if fakes >= class.rows {
            odd.push(SeriesWitness::NobodyIn { release, class: class.name.clone() });
        }
        let entry = rooms.entry(class.signature).or_default();
        entry.0 += 1;
        entry.1 += class.rows.saturating_sub(fakes);
    }
    for (&signature, of_value) in people {
        let individuals: usize = of_value.values().sum();
        let Some(&(classes, real)) = rooms.get(&signature) else {
            odd.push(SeriesWitness::NoSuchClass { release, individuals, values: set(signature) });
            continue;
        };
        if individuals != real {
            odd.push(SeriesWitness::Individuals { release, individuals, real, values: set(signature) });
        }
        for (&value, &individuals) in of_value.iter().filter(|(_, count)| **count > classes) {
            odd.push(SeriesWitness::Crowded {
                release,
                individuals,
                value: lexicon.cell(value),
                classes,
                values: set(signature),
            });
        }
    }
    for (&signature, &(_, real)) in rooms.iter().filter(|(signature, _)| !people.contains_key(signature)) {
        if real > 0 {
            let values = set(signature);
            odd.push(SeriesWitness::Individuals { release, individuals: 0, real, values });
        }
    }
    odd
}
