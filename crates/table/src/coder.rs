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
    /// For each long one of them whose key was found, where that value stands in the dictionary.
    long: Vec<Range<usize>>,
}

/// Slots that the memory cache holds together: the keys in two parts, and the codes + 1; code 0 is a free slot, and all
/// behind it are.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Bucket {
    low: [u64; SLOTS],
    high: [u32; SLOTS],
    codes: [u32; SLOTS],
}

const SLOTS: usize = 4;

/// What stands for a cell: the text itself if it is short, otherwise a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    low: u64,
    high: u32,
}

/// What is known of a cell before it is looked for.
#[derive(Debug)]
struct Probe {
    key: Key,
    /// The code + 1 of a slot with this key in the bucket where the search begins; 0 if there is none.
    code: u32,
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
        let (mut probes, mut long) = (std::mem::take(&mut self.probes), std::mem::take(&mut self.long));
        probes.clear();
        probes.extend(cells.clone().map(|(start, end)| {
            let key = key(text, start as usize, end as usize);
            Probe { key, code: self.buckets[self.place(key)].find(key) }
        }));
        long.clear();
        long.extend(
            probes
                .iter()
                .filter(|probe| probe.is_long())
                .map(|probe| self.values.range(probe.code as usize - 1)),
        );
        codes.reserve(probes.len());
        let mut values = long.iter();
        for (at, ((start, end), probe)) in cells.zip(&probes).enumerate() {
            let cell = &text[start as usize..end as usize];
            let found = if probe.is_long() {
                values.next().is_some_and(|value| self.values.at(value) == cell)
            } else {
                probe.code > 0
            };
            codes.push(if found {
                probe.code - 1
            } else {
                self.code(probe.key, cell).map_err(|fault| (at, fault))?
            });
        }
        (self.probes, self.long) = (probes, long);
        Ok(())
    }

    /// The different strings so far.
    pub(crate) fn values(&self) -> &Dictionary {
        &self.values
    }

    /// The different strings in order of first appearance.
    pub(crate) fn into_values(mut self) -> Dictionary {
        drop(std::mem::take(&mut self.buckets));
        self.values.shrink();
        self.values
    }

    /// The code of one cell.
    fn code(&mut self, key: Key, cell: &[u8]) -> Result<u32, Fault> {
        let mask = self.buckets.len() - 1;
        let mut at = self.place(key);
        loop {
            let bucket = &mut self.buckets[at];
            for slot in 0..SLOTS {
                if bucket.codes[slot] == 0 {
                    self.values.push(text(cell)?);
                    let next = self.values.len() as u32;
                    bucket.set(slot, key, next);
                    if self.values.len() >= self.room {
                        self.grow();
                    }
                    return Ok(next - 1);
                }
                let known = bucket.codes[slot] - 1;
                let same = || self.values.at(&self.values.range(known as usize)) == cell;
                if bucket.key(slot) == key && (!key.is_long() || same()) {
                    return Ok(known);
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// The bucket where the search for a key begins: the upper bits of a hash.
    #[inline]
    fn place(&self, key: Key) -> usize {
        // Factors: digits of pi and e. The product's halves together depend on all bits of the key.
        let (low, high) = (key.low ^ 0x243f_6a88_85a3_08d3, u64::from(key.high) ^ 0xb7e1_5162_8aed_2a6b);
        let product = u128::from(low) * u128::from(high);
        let hash = (product >> 64) as u64 ^ product as u64;
        (hash >> (64 - self.buckets.len().trailing_zeros())) as usize
    }

    fn grow(&mut self) {
        let size = (self.buckets.len() * 2).max(4);
        let before = std::mem::replace(&mut self.buckets, vec![Bucket::default(); size]);
        self.room = size * 3;
        let taken = |bucket: &Bucket, slot: usize| (bucket.key(slot), bucket.codes[slot]);
        let slots = before.iter().flat_map(|bucket| (0..SLOTS).map(move |slot| taken(bucket, slot)));
        for (key, code) in slots.filter(|(_, code)| *code > 0) {
            let mut at = self.place(key);
            while !self.buckets[at].put(key, code) {
                at = (at + 1) & (size - 1);
            }
        }
    }
}

impl Bucket {
    /// The last code + 1 with this key, 0 without one. All slots are looked at without a branch: which of them holds a key
    /// cannot be predicted, and a wrong guess waits for memory.
    #[inline]
    fn find(&self, key: Key) -> u32 {
        let mut found = 0;
        for slot in 0..SLOTS {
            let same = (self.low[slot] ^ key.low) | u64::from(self.high[slot] ^ key.high) == 0;
            found = std::hint::select_unpredictable(same, self.codes[slot], found);
        }
        found
    }

    fn key(&self, slot: usize) -> Key {
        Key { low: self.low[slot], high: self.high[slot] }
    }

    fn set(&mut self, slot: usize, key: Key, code: u32) {
        (self.low[slot], self.high[slot], self.codes[slot]) = (key.low, key.high, code);
    }

    /// Takes the first free slot; false if there is none.
    fn put(&mut self, key: Key, code: u32) -> bool {
        let free = self.codes.iter().position(|&code| code == 0);
        free.inspect(|&slot| self.set(slot, key, code)).is_some()
    }
}

fn text(cell: &[u8]) -> Result<&str, Fault> {
    if cell.contains(&0) {
        return Err(Fault::Nul);
    }
    std::str::from_utf8(cell).map_err(|_| Fault::NotUtf8)
}

/// Longest cell that is its own key: its bytes, and above them its length. Nothing need be fetched to compare it.
const SHORT: usize = 11;

/// Stands for the length of a longer cell, whose key is a hash.
const LONG: u32 = 0xff << 24;

impl Key {
    #[inline]
    fn is_long(self) -> bool {
        self.high >= LONG
    }
}

impl Probe {
    /// Whether a key was found that has to be confirmed.
    fn is_long(&self) -> bool {
        self.code > 0 && self.key.is_long()
    }
}

/// The key of the cell `text[start..end]`.
#[inline]
fn key(text: &[u8], start: usize, end: usize) -> Key {
    let length = end - start;
    if length > SHORT {
        let mut hasher = FxHasher::default();
        hasher.write(&text[start..end]);
        return Key { low: hasher.finish(), high: LONG };
    }
    let bytes = if let Some(bytes) = text[start..].first_chunk() {
        u128::from_le_bytes(*bytes) & ((1 << (8 * length)) - 1)
    } else {
        let mut bytes = [0; 16];
        bytes[..length].copy_from_slice(&text[start..end]);
        u128::from_le_bytes(bytes)
    };
    Key { low: bytes as u64, high: (bytes >> 64) as u32 | (length as u32) << 24 }
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
                let code = coder.code(Key { low: 0, high: LONG }, cell.as_bytes()).unwrap();
                prop_assert_eq!(&coder.values[code as usize], cell.as_str());
            }
        }

        /// Short cells have a key each, wherever they stand.
        #[test]
        fn short_keys_are_injective(a in prop::collection::vec(0..3_u8, 0..=SHORT), b in prop::collection::vec(0..3_u8, 0..=SHORT)) {
            let text = [a.as_slice(), &b].concat();
            let (first, second) = (key(&text, 0, a.len()), key(&text, a.len(), text.len()));
            prop_assert_eq!(first == second, a == b);
            prop_assert!(!first.is_long());
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
