//! What an attacker sees of everybody, release by release.

use super::lexicon::{Lexicon, common, union};

/// Everybody who is in a release.
#[derive(Default)]
pub(super) struct Histories {
    /// By name, ascending.
    pub(super) people: Vec<Person>,
    /// What sights refer to.
    pub(super) places: Vec<Place>,
}

/// One individual.
pub(super) struct Person {
    pub(super) name: String,
    /// The releases that hold it, the earliest first.
    pub(super) sights: Vec<Sight>,
}

/// An individual in a release.
#[derive(Clone, Copy)]
pub(super) struct Sight {
    /// Which release, from 0.
    pub(super) release: u32,
    /// Its sensitive value.
    pub(super) value: u32,
    /// Where it may be.
    pub(super) place: u32,
}

/// Where somebody may be in a release. Never empty.
pub(super) struct Place {
    /// The classes, if they are known; else the signature alone is.
    pub(super) classes: Vec<u32>,
    /// Their different signatures, ascending.
    pub(super) signatures: Vec<u32>,
    /// The values of all of them: an attacker who cannot tell the classes apart can rule out no other.
    pub(super) values: Vec<u32>,
}

impl Place {
    pub(super) fn new(classes: Vec<u32>, mut signatures: Vec<u32>, lexicon: &Lexicon) -> Self {
        signatures.sort_unstable();
        signatures.dedup();
        let values = union(signatures.iter().map(|&signature| lexicon.of(signature)));
        Self { classes, signatures, values }
    }

    /// The signatures that somebody with this value may have.
    pub(super) fn own(&self, value: u32, lexicon: &Lexicon) -> Vec<u32> {
        self.signatures.iter().copied().filter(|&signature| lexicon.holds(signature, value)).collect()
    }

    /// The values that every class with this value holds: an attacker who knows which class it is has these at least.
    pub(super) fn surely(&self, value: u32, lexicon: &Lexicon) -> Vec<u32> {
        let own = self.own(value, lexicon);
        let mut sets = own.iter().map(|&signature| lexicon.of(signature).to_vec());
        let first = sets.next().unwrap_or_default();
        sets.fold(first, |all, set| common(&all, &set))
    }
}

impl Histories {
    pub(super) fn place(&self, sight: Sight) -> &Place {
        &self.places[sight.place as usize]
    }
}

impl Person {
    /// Its tuples: for each of its values, in order of appearance, the sights with that value.
    pub(super) fn tuples(&self) -> Vec<Vec<Sight>> {
        let mut tuples: Vec<Vec<Sight>> = Vec::new();
        for &sight in &self.sights {
            match tuples.iter_mut().find(|tuple| tuple[0].value == sight.value) {
                Some(tuple) => tuple.push(sight),
                None => tuples.push(vec![sight]),
            }
        }
        tuples
    }

    /// Whether its value changes.
    pub(super) fn changes(&self) -> bool {
        self.sights.windows(2).any(|pair| pair[0].value != pair[1].value)
    }

    /// Whether a tuple of it leaves and comes back.
    pub(super) fn returns(&self) -> bool {
        self.tuples().iter().any(|tuple| lifespans(tuple).len() > 1)
    }
}

/// The lifespans of a tuple: runs of consecutive releases.
pub(super) fn lifespans(tuple: &[Sight]) -> Vec<&[Sight]> {
    tuple.chunk_by(|a, b| a.release + 1 == b.release).collect()
}
