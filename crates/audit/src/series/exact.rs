//! With the ledger: everybody's signature is known. First it must be the ledger of these releases.

use std::collections::BTreeMap;

use lookalike_table::text::{counted, quoted};

use super::{
    Ledger, Published,
    history::{Histories, Person, Place, Sight},
    lexicon::Lexicon,
    release::Release,
};
use crate::{Check, name};

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
    if ledger.releases.len() != published.len() {
        odd.push(format!(
            "the ledger has {}, {} given",
            counted(ledger.releases.len(), "release", "releases"),
            counted(published.len(), "table is", "tables are")
        ));
    }
    let mut people: Vec<Filled> = releases.iter().map(|_| Filled::new()).collect();
    for person in &histories.people {
        for &sight in &person.sights {
            let signature = histories.place(sight).signatures[0];
            if !lexicon.holds(signature, sight.value) {
                odd.push(format!(
                    "release {}: individual {} has {}, but a class with the values {}",
                    sight.release + 1,
                    quoted(&person.name),
                    quoted(lexicon.text(sight.value)),
                    lexicon.shown(lexicon.of(signature))
                ));
            }
            let of_value = people[sight.release as usize].entry(signature).or_default();
            *of_value.entry(sight.value).or_insert(0) += 1;
        }
    }
    for (at, (entry, table)) in ledger.releases.iter().zip(published).enumerate() {
        let number = at + 1;
        if table.hash.is_some_and(|hash| hash != entry.hash) {
            odd.push(format!(
                "release {number}: the table given is another one than the ledger tells of (the bytes differ)"
            ));
        }
        if table.table.rows != entry.rows {
            let rows = counted(entry.rows, "row", "rows");
            odd.push(format!("release {number}: {rows} in the ledger, {} in the table", table.table.rows));
        }
        odd.extend(rooms(&entry.counterfeits, &releases[at], &people[at], lexicon).into_iter().map(
            |(what, signature)| {
                let values = signature.map(|s| format!(" {}", lexicon.shown(lexicon.of(s))));
                format!("release {number}: {what}{}", values.unwrap_or_default())
            },
        ));
    }
    let finding = match odd.len() {
        0 => format!(
            "{} and {} of the ledger are found in the tables",
            counted(ledger.releases.len(), "release", "releases"),
            counted(histories.people.len(), "individual", "individuals")
        ),
        odd => format!("{} with the tables", counted(odd, "thing does not agree", "things do not agree")),
    };
    Check::new(name::LEDGER, finding, odd)
}

/// How many individuals of a release have each value, by signature.
type Filled = BTreeMap<u32, BTreeMap<u32, usize>>;

/// What does not agree between the classes of one release and who is said to be in them, with the signature.
fn rooms(
    counterfeits: &[u32],
    release: &Release,
    people: &Filled,
    lexicon: &Lexicon,
) -> Vec<(String, Option<u32>)> {
    let mut odd = Vec::new();
    let classes: Vec<_> = release.classes.iter().filter(|class| !class.suppressed).collect();
    if counterfeits.len() != classes.len() {
        let told = counted(counterfeits.len(), "class", "classes");
        odd.push((format!("{told} in the ledger, {} in the table", classes.len()), None));
        return odd;
    }
    // Per signature its classes and the real rows in them.
    let mut published: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for (class, &fakes) in classes.iter().zip(counterfeits) {
        let fakes = fakes as usize;
        if fakes >= class.rows {
            odd.push((format!("class {} holds nobody but counterfeits", quoted(&class.name)), None));
        }
        let entry = published.entry(class.signature).or_default();
        entry.0 += 1;
        entry.1 += class.rows.saturating_sub(fakes);
    }
    for (&signature, of_value) in people {
        let Some(&(classes, real)) = published.get(&signature) else {
            let people: usize = of_value.values().sum();
            let told = counted(people, "individual is", "individuals are");
            odd.push((
                format!("{told} said to be in a class that is not there, with the values"),
                Some(signature),
            ));
            continue;
        };
        let told: usize = of_value.values().sum();
        if told != real {
            let people = counted(told, "individual", "individuals");
            let what = format!("{people} for {real} real rows in the classes with the values");
            odd.push((what, Some(signature)));
        }
        for (&value, &count) in of_value.iter().filter(|(_, count)| **count > classes) {
            let what = format!(
                "{} with {} in {} with the values",
                counted(count, "individual", "individuals"),
                quoted(lexicon.text(value)),
                counted(classes, "class", "classes")
            );
            odd.push((what, Some(signature)));
        }
    }
    for (&signature, &(_, real)) in published.iter().filter(|(signature, _)| !people.contains_key(signature))
    {
        if real > 0 {
            odd.push((
                format!("nobody for {real} real rows in the classes with the values"),
                Some(signature),
            ));
        }
    }
    odd
}
