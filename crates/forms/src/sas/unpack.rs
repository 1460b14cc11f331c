//! Rows that SAS has packed: by runs of one byte (`COMPRESS=CHAR`, `SASYZCRL`), or by runs and copies of what stood before
//! (`COMPRESS=BINARY`, `SASYZCR2`). What is unpacked never gets longer than a row.

/// How rows are packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Packing {
    /// By runs; what is not packed at all has no row that this is asked of.
    #[default]
    Runs,
    /// By runs and copies.
    Copies,
}

impl Packing {
    /// Unpacks a row of so many bytes; false if these bytes are no such row.
    pub(super) fn unpack(self, packed: &[u8], length: usize, row: &mut Vec<u8>) -> bool {
        row.clear();
        let mut packed = Bytes(packed);
        let done = match self {
            Self::Runs => runs(&mut packed, length, row),
            Self::Copies => copies(&mut packed, length, row),
        };
        done.is_some() && row.len() == length
    }
}

/// Bytes that are read one after the other.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn one(&mut self) -> Option<usize> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(usize::from(*first))
    }

    fn many(&mut self, count: usize) -> Option<&'a [u8]> {
        let (these, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(these)
    }
}

/// Appends so many of a byte, if the row has place for them.
fn repeat(row: &mut Vec<u8>, byte: usize, count: usize, length: usize) -> Option<()> {
    let filled = row.len().checked_add(count).filter(|filled| *filled <= length)?;
    row.resize(filled, byte as u8);
    Some(())
}

fn runs(packed: &mut Bytes<'_>, length: usize, row: &mut Vec<u8>) -> Option<()> {
    while let Some(control) = packed.one() {
        let (command, low) = (control >> 4, control & 15);
        let mut long = |least: usize| Some(least + 256 * low + packed.one()?);
        let copied = match command {
            0 => long(64)?,
            1 => long(64 + 4_096)?,
            2 => low + 96,
            8 => low + 1,
            9 => low + 17,
            10 => low + 33,
            11 => low + 49,
            _ => 0,
        };
        if copied > 0 {
            let bytes = packed.many(copied)?;
            if row.len() + copied > length {
                return None;
            }
            row.extend_from_slice(bytes);
            continue;
        }
        let (count, byte) = match command {
            4 => {
                let count = long(18)?;
                (count, packed.one()?)
            }
            5 => (long(17)?, usize::from(b'@')),
            6 => (long(17)?, usize::from(b' ')),
            7 => (long(17)?, 0),
            12 => (low + 3, packed.one()?),
            13 => (low + 2, usize::from(b'@')),
            14 => (low + 2, usize::from(b' ')),
            15 => (low + 2, 0),
            _ => return None,
        };
        repeat(row, byte, count, length)?;
    }
    Some(())
}

fn copies(packed: &mut Bytes<'_>, length: usize, row: &mut Vec<u8>) -> Option<()> {
    while packed.0.len() >= 2 {
        // 16 bits, of which each says whether a byte follows or a command.
        let flags = packed.one()? << 8 | packed.one()?;
        for bit in (0..16).rev() {
            if packed.0.is_empty() {
                break;
            }
            let first = packed.one()?;
            if flags >> bit & 1 == 0 {
                repeat(row, first, 1, length)?;
                continue;
            }
            let (command, low) = (first >> 4, first & 15);
            let second = packed.one()?;
            let (count, back) = match command {
                0 => {
                    repeat(row, second, low + 3, length)?;
                    continue;
                }
                1 => {
                    let byte = packed.one()?;
                    repeat(row, byte, 19 + low + 16 * second, length)?;
                    continue;
                }
                2 => (packed.one()? + 16, 3 + low + 16 * second),
                count => (count, 3 + low + 16 * second),
            };
            let from = row.len().checked_sub(back)?;
            if count > back || row.len() + count > length {
                return None;
            }
            row.extend_from_within(from..from + count);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(packing: Packing, packed: &[u8], length: usize) -> Option<Vec<u8>> {
        let mut row = Vec::new();
        packing.unpack(packed, length, &mut row).then_some(row)
    }

    #[test]
    fn runs_and_copies() {
        let runs = |packed: &[u8], length| unpacked(Packing::Runs, packed, length);
        assert_eq!(runs(&[0x81, b'a', b'b', 0xe0, 0xc0, b'x', 0xf1], 10).unwrap(), b"ab  xxx\0\0\0");
        assert_eq!(runs(&[0x40, 0, b'z'], 18).unwrap(), [b'z'; 18]);
        assert_eq!(runs(&[0x60, 3], 20).unwrap(), [b' '; 20]);
        let copies = |packed: &[u8], length| unpacked(Packing::Copies, packed, length);
        // Three bytes as they are, a copy of them, a run.
        let packed = [0b0001_1000, 0, b'a', b'b', b'c', 0x30, 0, 0x01, b'-'];
        assert_eq!(copies(&packed, 10).unwrap(), b"abcabc----");
        // Another length, a copy from before the row, a command that is cut off.
        assert_eq!(copies(&packed, 9), None);
        assert_eq!(copies(&packed, 11), None);
        assert_eq!(copies(&[0x80, 0, 0x30, 0], 3), None);
        assert_eq!(runs(&[0x81, b'a'], 2), None);
        assert_eq!(runs(&[0x4f], 18), None);
        assert_eq!(runs(&[0x30], 18), None);
    }
}
