//! Sensitive values and signatures of all releases, as numbers.

use lookalike_words::Cell;
use rustc_hash::FxHashMap;

use crate::ValueSet;

/// Numbers for texts and for sets of them, the same through all releases.
#[derive(Default)]
pub(super) struct Lexicon {
    values: Vec<String>,
    value_of: FxHashMap<String, u32>,
    signatures: Vec<Vec<u32>>,
    signature_of: FxHashMap<Vec<u32>, u32>,
}

impl Lexicon {
    /// The number of a value.
    pub(super) fn value(&mut self, text: &str) -> u32 {
        if let Some(&value) = self.value_of.get(text) {
            return value;
        }
        let value = self.values.len() as u32;
        self.values.push(text.to_owned());
        self.value_of.insert(text.to_owned(), value);
        value
    }

    /// The number of a signature; values in any order, and repeated ones, make no difference.
    pub(super) fn signature(&mut self, mut values: Vec<u32>) -> u32 {
        values.sort_unstable();
        values.dedup();
        if let Some(&signature) = self.signature_of.get(&values) {
            return signature;
        }
        let signature = self.signatures.len() as u32;
        self.signatures.push(values.clone());
        self.signature_of.insert(values, signature);
        signature
    }

    /// The values of a signature, ascending.
    pub(super) fn of(&self, signature: u32) -> &[u32] {
        &self.signatures[signature as usize]
    }

    /// Whether a signature holds a value.
    pub(super) fn holds(&self, signature: u32, value: u32) -> bool {
        self.of(signature).binary_search(&value).is_ok()
    }

    pub(super) fn text(&self, value: u32) -> &str {
        &self.values[value as usize]
    }

    /// The texts of some values, sorted.
    pub(super) fn texts(&self, values: &[u32]) -> Vec<String> {
        let mut texts: Vec<String> = values.iter().map(|&value| self.text(value).to_owned()).collect();
        texts.sort_unstable();
        texts
    }

    /// A value as a message shows it.
    pub(super) fn cell(&self, value: u32) -> Cell {
        Cell::from(self.text(value))
    }

    /// Some values as a message shows them.
    pub(super) fn set(&self, values: &[u32]) -> ValueSet {
        ValueSet::of(&self.texts(values))
    }
}

/// What two ascending lists have in common.
pub(super) fn common(a: &[u32], b: &[u32]) -> Vec<u32> {
    a.iter().copied().filter(|value| b.binary_search(value).is_ok()).collect()
}

/// What ascending lists hold together, ascending.
pub(super) fn union<'a>(lists: impl Iterator<Item = &'a [u32]>) -> Vec<u32> {
    let mut all: Vec<u32> = lists.flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}
