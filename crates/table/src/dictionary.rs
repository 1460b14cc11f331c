//! Dictionary coding of cells.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// The different strings seen so far, each owned once, and an open-addressing index into them (linear probing, at
/// most half full). A std map would need every string twice, as key and as value.
#[derive(Debug, Default)]
pub(crate) struct Dictionary {
    values: Vec<String>,
    /// Key and code + 1; code + 1 = 0 marks a free slot. The length is 0 or a power of two.
    slots: Vec<(u128, u32)>,
}

/// Why a cell cannot be a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    NotUtf8,
    Nul,
}

impl Dictionary {
    /// The code of `cell`: its place in the order of first appearance. Allocates only for a new value, and only a new
    /// value is checked: what equals a known value is as good as that.
    pub(crate) fn code(&mut self, cell: &[u8]) -> Result<u32, Fault> {
        if self.values.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let key = key(cell);
        let mask = self.slots.len() - 1;
        let mut at = place(key) & mask;
        loop {
            match self.slots[at] {
                (_, 0) => {
                    self.values.push(text(cell)?);
                    let next = self.values.len() as u32;
                    self.slots[at] = (key, next);
                    return Ok(next - 1);
                }
                (other, next)
                    if other == key
                        && (cell.len() <= SHORT || self.values[next as usize - 1].as_bytes() == cell) =>
                {
                    return Ok(next - 1);
                }
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// The different strings in order of first appearance.
    pub(crate) fn into_values(self) -> Vec<String> {
        self.values
    }

    fn grow(&mut self) {
        let mut slots = vec![(0_u128, 0); (self.slots.len() * 2).max(16)];
        let mask = slots.len() - 1;
        for &(key, next) in self.slots.iter().filter(|slot| slot.1 > 0) {
            let mut at = place(key) & mask;
            while slots[at].1 > 0 {
                at = (at + 1) & mask;
            }
            slots[at] = (key, next);
        }
        self.slots = slots;
    }
}

fn text(cell: &[u8]) -> Result<String, Fault> {
    if cell.contains(&0) {
        return Err(Fault::Nul);
    }
    std::str::from_utf8(cell).map(str::to_owned).map_err(|_| Fault::NotUtf8)
}

/// Longest cell that is its own key.
const SHORT: usize = 15;

/// A short cell's bytes and its length, so that equal keys are equal cells and no string need be fetched to compare;
/// a longer one's hash.
fn key(cell: &[u8]) -> u128 {
    let mut bytes = [0; 16];
    if cell.len() <= SHORT {
        bytes[..cell.len()].copy_from_slice(cell);
        bytes[SHORT] = cell.len() as u8;
    } else {
        let mut hasher = FxHasher::default();
        hasher.write(cell);
        bytes[..8].copy_from_slice(&hasher.finish().to_le_bytes());
        bytes[SHORT] = u8::MAX;
    }
    u128::from_le_bytes(bytes)
}

/// Where the search for a key begins.
fn place(key: u128) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write_u128(key);
    hasher.finish() as usize
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Codes are those of a std map that counts up.
        #[test]
        fn agrees_with_a_map(cells in prop::collection::vec("[a-d]{0,3}|[0-9]{1,4}", 0..400)) {
            let mut dictionary = Dictionary::default();
            let mut map: HashMap<&str, u32> = HashMap::new();
            for cell in &cells {
                let next = map.len() as u32;
                prop_assert_eq!(dictionary.code(cell.as_bytes()), Ok(*map.entry(cell).or_insert(next)));
            }
            let values = dictionary.into_values();
            prop_assert_eq!(values.len(), map.len());
            prop_assert!(values.iter().enumerate().all(|(at, v)| map[v.as_str()] as usize == at));
        }
    }

    #[test]
    fn takes_text_only() {
        let mut dictionary = Dictionary::default();
        assert_eq!(dictionary.code(b"a\0"), Err(Fault::Nul));
        assert_eq!(dictionary.code(b"\xe9"), Err(Fault::NotUtf8));
        assert_eq!(dictionary.code("é".as_bytes()), Ok(0));
        assert_eq!(dictionary.into_values(), ["é"]);
    }
}
