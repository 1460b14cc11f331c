//! Numbers of SAS: those of this machine, cut off behind, in one order of bytes or the other; and those of IBM's mainframes.

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    /// IEEE 754, of whose 8 bytes the least may be left out.
    Ieee { is_little: bool },
    /// A sign, an exponent of 16 and a fraction.
    Ibm,
}

/// A cell that is no text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Known(f64),
    /// Missing; by a letter or `_` where it is a special one.
    Missing(Option<char>),
}

impl Numbers {
    /// The number of 1 to 8 bytes; of more, the first 8 count.
    pub(super) fn read(self, bytes: &[u8]) -> Number {
        let bytes = &bytes[..bytes.len().min(8)];
        let mut first = [0; 8];
        match self {
            Self::Ieee { is_little } => {
                for (to, from) in first.iter_mut().zip(0..bytes.len()) {
                    *to = bytes[if is_little { bytes.len() - 1 - from } else { from }];
                }
                let number = f64::from_be_bytes(first);
                if number.is_nan() { Number::Missing(special(!first[2])) } else { Number::Known(number) }
            }
            Self::Ibm => {
                first[..bytes.len()].copy_from_slice(bytes);
                let is_missing = first[1..].iter().all(|byte| *byte == 0);
                match first[0] {
                    b'.' if is_missing => Number::Missing(None),
                    b'_' | b'A'..=b'Z' if is_missing => Number::Missing(Some(char::from(first[0]))),
                    _ => Number::Known(ibm(u64::from_be_bytes(first))),
                }
            }
        }
    }
}

/// The letter of a special missing value, which stands in the third byte: as itself, or counted from `_` on with one left out.
fn special(tag: u8) -> Option<char> {
    match tag {
        0 | b'_' => Some('_'),
        2..=27 => Some(char::from(b'A' + tag - 2)),
        b'A'..=b'Z' => Some(char::from(tag)),
        _ => None,
    }
}

/// Sign, 7 bits of the exponent of 16 counted from 64, 56 bits of the fraction.
fn ibm(bits: u64) -> f64 {
    const FRACTION: u64 = (1 << 56) - 1;
    let exponent = ((bits >> 56 & 0x7f) as i32 - 64) * 4 - 56;
    // Both factors and the product are in range, so that only the fraction is rounded.
    let number = (bits & FRACTION) as f64 * power_of_two(exponent);
    if bits >> 63 == 0 { number } else { -number }
}

/// 2 to the power of a number between -1022 and 1023.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1_023 + i64::from(exponent)) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_ibm() {
        let of = |bits: u64| Numbers::Ibm.read(&bits.to_be_bytes());
        for (bits, number) in [
            (0x4110_0000_0000_0000, 1.0),
            (0xc276_a000_0000_0000, -118.625),
            (0x4019_9999_9999_9999_u64, 0.099_999_999_999_999_99),
            (0x0000_0000_0000_0000, 0.0),
            (0x4264_0000_0000_0000, 100.0),
            (0x7fff_ffff_ffff_ffff, 7.237_005_577_332_262e75),
        ] {
            assert_eq!(of(bits), Number::Known(number), "{bits:x}");
        }
        assert_eq!(of(0x2e00_0000_0000_0000), Number::Missing(None));
        assert_eq!(of(0x4100_0000_0000_0000), Number::Missing(Some('A')));
        assert_eq!(Numbers::Ibm.read(&[0x41, 0x10, 0]), Number::Known(1.0));
    }

    #[test]
    fn numbers_that_are_cut_off_and_missing_ones() {
        let (big, little) = (Numbers::Ieee { is_little: false }, Numbers::Ieee { is_little: true });
        assert_eq!(big.read(&[0x40, 0x5e, 0xc0]), Number::Known(123.0));
        assert_eq!(little.read(&[0xc0, 0x5e, 0x40]), Number::Known(123.0));
        let missing = |tag: u8| big.read(&[0xff, 0xff, !tag, 0, 0, 0, 0, 0]);
        assert_eq!(missing(b'.'), Number::Missing(None));
        assert_eq!(missing(1), Number::Missing(None));
        assert_eq!(missing(b'Z'), Number::Missing(Some('Z')));
        assert_eq!(missing(2), Number::Missing(Some('A')));
        assert_eq!(missing(0), Number::Missing(Some('_')));
    }
}
