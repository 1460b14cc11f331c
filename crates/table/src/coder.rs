//! Dictionary coding of cells.

use std::{hash::Hasher, ops::Range};

use rustc_hash::FxHasher;

use crate::Dictionary;

/// A dictionary that grows, and an open-addressing index into it: buckets of four, linear probing, at most three
/// quarters full, 16 bytes a slot.
#[derive(Debug, Default)]
pub(crate) struct Coder {
    values: Dictionary,
    /// The length is 0 or a power of two. Buckets are in the order of the places that their keys ask for but for what
    /// probing moved, so that growing reads and writes in order.
    buckets: Vec<Bucket>,
    /// Values that the buckets have room for.
    room: usize,
    /// The newest cells.
    probes: Vec<Probe>,
}

/// Slots that the memory cache holds together: a value's key in the lower 96 bits, its code + 1 in the upper 32; 0 is a
/// free slot, and all behind it are.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Bucket([u128; 4]);

/// What is known of a cell before it is looked for.
#[derive(Debug)]
struct Probe {
    key: u128,
    /// The first slot of the bucket where the search begins.
    slot: u128,
    /// For a long cell, where the value of that slot stands in the dictionary.
    value: Range<usize>,
}

/// Why a cell cannot be a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    NotUtf8,
    Nul,
}

impl Coder {
    /// Appends the codes of cells of `text`: their places in the order of first appearance. Only a new value is
    /// checked: what equals a known value is as good as that. At the first fault: which cell it is; codes of the ones
    /// before it are appended.
    ///
    /// The buckets of all cells are fetched first, then what long cells are to be compared with, with nothing in between
    /// that depends on what comes: so the fetches do not wait for each other.
    pub(crate) fn append(
        &mut self,
        text: &[u8],
        cells: impl Iterator<Item = (u32, u32)> + Clone,
        codes: &mut Vec<u32>,
    ) -> Result<(), (usize, Fault)> {
        if self.buckets.is_empty() {
            self.grow();
        }
        let mut probes = std::mem::take(&mut self.probes);
        probes.clear();
        probes.extend(cells.clone().map(|(start, end)| {
            let key = key(text, start as usize, end as usize);
            Probe { key, slot: self.buckets[self.place(key)].0[0], value: 0..0 }
        }));
        for probe in probes.iter_mut().filter(|probe| is_long(probe.key) && probe.slot > 0) {
            probe.value = self.values.range(code(probe.slot));
        }
        codes.reserve(probes.len());
        for (at, ((start, end), Probe { key, slot, value })) in cells.zip(&probes).enumerate() {
            let cell = &text[start as usize..end as usize];
            let found = *slot > 0 && slot & KEY == *key && (!is_long(*key) || self.values.at(value) == cell);
            codes.push(if found {
                code(*slot) as u32
            } else {
                self.code(*key, cell).map_err(|fault| (at, fault))?
            });
        }
        self.probes = probes;
        Ok(())
    }

    /// The different strings in order of first appearance.
    pub(crate) fn into_values(mut self) -> Dictionary {
        drop(std::mem::take(&mut self.buckets));
        self.values.shrink();
        self.values
    }

    /// The code of one cell.
    fn code(&mut self, key: u128, cell: &[u8]) -> Result<u32, Fault> {
        let mask = self.buckets.len() - 1;
        let mut at = self.place(key);
        loop {
            for slot in &mut self.buckets[at].0 {
                if *slot == 0 {
                    self.values.push(text(cell)?);
                    let next = self.values.len() as u32;
                    *slot = (u128::from(next) << KEY_BITS) | key;
                    if self.values.len() >= self.room {
                        self.grow();
                    }
                    return Ok(next - 1);
                }
                let known = code(*slot);
                let same = || self.values.at(&self.values.range(known)) == cell;
                if *slot & KEY == key && (!is_long(key) || same()) {
                    return Ok(known as u32);
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// The bucket where the search for a key begins: the upper bits of a hash.
    fn place(&self, key: u128) -> usize {
        // Factors: digits of pi and e. The product's halves together depend on all bits of the key.
        let (low, high) = (key as u64 ^ 0x243f_6a88_85a3_08d3, (key >> 64) as u64 ^ 0xb7e1_5162_8aed_2a6b);
        let product = u128::from(low) * u128::from(high);
        let hash = (product >> 64) as u64 ^ product as u64;
        (hash >> (64 - self.buckets.len().trailing_zeros())) as usize
    }

    fn grow(&mut self) {
        let size = (self.buckets.len() * 2).max(4);
        let before = std::mem::replace(&mut self.buckets, vec![Bucket::default(); size]);
        self.room = size * 3;
        for slot in before.into_iter().flat_map(|bucket| bucket.0).filter(|&slot| slot > 0) {
            let mut at = self.place(slot & KEY);
            loop {
                if let Some(free) = self.buckets[at].0.iter_mut().find(|slot| **slot == 0) {
                    *free = slot;
                    break;
                }
                at = (at + 1) & (size - 1);
            }
        }
    }
}

/// The code in a slot that is not free.
fn code(slot: u128) -> usize {
    (slot >> KEY_BITS) as usize - 1
}

fn text(cell: &[u8]) -> Result<&str, Fault> {
    if cell.contains(&0) {
        return Err(Fault::Nul);
    }
    std::str::from_utf8(cell).map_err(|_| Fault::NotUtf8)
}

const KEY_BITS: u32 = 96;
const KEY: u128 = (1 << KEY_BITS) - 1;

/// Longest cell that is its own key: its bytes, and above them its length. Nothing need be fetched to compare it.
const SHORT: usize = 11;

/// Stands for the length of a longer cell, whose key is a hash.
const LONG: u128 = 0xff << (8 * SHORT);

fn is_long(key: u128) -> bool {
    key >= LONG
}

/// A key of 96 bits for the cell `text[start..end]`.
#[inline]
fn key(text: &[u8], start: usize, end: usize) -> u128 {
    let length = end - start;
    if length > SHORT {
        let mut hasher = FxHasher::default();
        hasher.write(&text[start..end]);
        return LONG | u128::from(hasher.finish());
    }
    let bytes = if let Some(bytes) = text[start..].first_chunk() {
        u128::from_le_bytes(*bytes) & ((1 << (8 * length)) - 1)
    } else {
        let mut bytes = [0; 16];
        bytes[..length].copy_from_slice(&text[start..end]);
        u128::from_le_bytes(bytes)
    };
    bytes | ((length as u128) << (8 * SHORT))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Codes are those of a std map that counts up, however the cells are cut into pieces.
        #[test]
        fn agrees_with_a_map(cells in prop::collection::vec("[a-d\0]{0,3}|[0-9]{1,4}|[ab]{10,18}", 0..400), piece in 1..50_usize) {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('\0', "é")).collect();
            let mut coder = Coder::default();
            let mut map: HashMap<&str, u32> = HashMap::new();
            let (mut codes, mut expected) = (Vec::new(), Vec::new());
            for part in cells.chunks(piece) {
                let part: Vec<&[u8]> = part.iter().map(String::as_bytes).collect();
                append(&mut coder, &part, &mut codes).unwrap();
            }
            for cell in &cells {
                let next = map.len() as u32;
                expected.push(*map.entry(cell).or_insert(next));
            }
            prop_assert_eq!(codes, expected);
            let values = coder.into_values();
            prop_assert_eq!(values.len(), map.len());
            prop_assert!(values.iter().enumerate().all(|(at, v)| map[v] as usize == at));
        }

        /// Equal hashes do not make equal cells.
        #[test]
        fn compares_long_cells_themselves(cells in prop::collection::vec("[a-c]{0,2}", 1..60)) {
            let mut coder = Coder::default();
            coder.grow();
            for cell in &cells {
                let code = coder.code(LONG, cell.as_bytes()).unwrap();
                prop_assert_eq!(&coder.values[code as usize], cell.as_str());
            }
        }

        /// Short cells have a key each, wherever they stand.
        #[test]
        fn short_keys_are_injective(a in prop::collection::vec(0..3_u8, 0..=SHORT), b in prop::collection::vec(0..3_u8, 0..=SHORT)) {
            let text = [a.as_slice(), &b].concat();
            let (first, second) = (key(&text, 0, a.len()), key(&text, a.len(), text.len()));
            prop_assert_eq!(first == second, a == b);
            prop_assert!(!is_long(first) && first <= KEY);
        }
    }

    fn append(coder: &mut Coder, cells: &[&[u8]], codes: &mut Vec<u32>) -> Result<(), (usize, Fault)> {
        let text = cells.concat();
        let mut end = 0;
        let spans: Vec<(u32, u32)> = cells
            .iter()
            .map(|cell| {
                let start = end;
                end += cell.len() as u32;
                (start, end)
            })
            .collect();
        coder.append(&text, spans.into_iter(), codes)
    }

    #[test]
    fn takes_text_only() {
        let (mut coder, mut codes) = (Coder::default(), Vec::new());
        let mut append = |cells: &[&[u8]]| append(&mut coder, cells, &mut codes);
        assert_eq!(append(&[b"a", b"a\0", b"\xe9"]), Err((1, Fault::Nul)));
        assert_eq!(append(&["é".as_bytes(), b"a", b"\xe9"]), Err((2, Fault::NotUtf8)));
        assert_eq!(codes, [0, 1, 0]);
        assert!(coder.into_values() == ["a", "é"]);
    }
}
