//! Encodings: those of the WHATWG Encoding Standard, and code page 850, in which DOS programs write Western European text to this
//! day. The standard has none of DOS but the Cyrillic one.

use encoding_rs::{DecoderResult, Encoding, UTF_8, WINDOWS_1252};

/// An encoding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Charset {
    /// One of the standard.
    Standard(&'static Encoding),
    /// Code page 850.
    Cp850,
}

/// Names that code page 850 has.
const NAMES: [&str; 6] = ["cp850", "cp-850", "ibm850", "850", "dos-850", "cspc850multilingual"];

/// The characters of its upper half.
const UPPER: &str = "\
    ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ\
    áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
    └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀\
    ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";

/// Decodes a stream piece by piece.
pub(crate) enum Decoder {
    Standard(encoding_rs::Decoder),
    Cp850(Box<[char; 128]>),
}

impl Charset {
    pub(crate) const UTF_8: Self = Self::Standard(UTF_8);
    pub(crate) const WINDOWS_1252: Self = Self::Standard(WINDOWS_1252);

    /// The encoding of this name.
    pub(crate) fn named(label: &str) -> Option<Self> {
        let is_cp850 = NAMES.iter().any(|name| name.eq_ignore_ascii_case(label.trim()));
        if is_cp850 { Some(Self::Cp850) } else { Encoding::for_label(label.as_bytes()).map(Self::Standard) }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Standard(encoding) => encoding.name(),
            Self::Cp850 => NAMES[0],
        }
    }

    pub(crate) fn decoder(self) -> Decoder {
        match self {
            Self::Standard(encoding) => Decoder::Standard(encoding.new_decoder_with_bom_removal()),
            Self::Cp850 => Decoder::Cp850(Box::new(upper())),
        }
    }

    /// A few bytes as text; what is malformed becomes a sign of its own.
    pub(crate) fn text(self, bytes: &[u8]) -> String {
        match self {
            Self::Standard(encoding) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
            Self::Cp850 => {
                let upper = upper();
                bytes.iter().map(|&byte| cp850(&upper, byte)).collect()
            }
        }
    }
}

impl Decoder {
    /// Decodes `raw` into `text` from its beginning; false if it is malformed. `last` is whether nothing more comes.
    pub(crate) fn decode(&mut self, raw: &[u8], text: &mut Vec<u8>, last: bool) -> bool {
        match self {
            Self::Standard(decoder) => {
                let room = decoder.max_utf8_buffer_length_without_replacement(raw.len());
                text.resize(room.unwrap_or(4 * raw.len() + 16), 0);
                let (result, _, written) = decoder.decode_to_utf8_without_replacement(raw, text, last);
                text.truncate(written);
                matches!(result, DecoderResult::InputEmpty)
            }
            Self::Cp850(upper) => {
                text.clear();
                for &byte in raw {
                    let mut buffer = [0; 4];
                    text.extend_from_slice(cp850(upper, byte).encode_utf8(&mut buffer).as_bytes());
                }
                true
            }
        }
    }
}

fn cp850(upper: &[char; 128], byte: u8) -> char {
    match byte {
        0x80.. => upper[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

fn upper() -> [char; 128] {
    let mut all = ['\u{fffd}'; 128];
    all.iter_mut().zip(UPPER.chars()).for_each(|(at, c)| *at = c);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_upper_half_is_whole() {
        assert_eq!(UPPER.chars().count(), 128);
        let mut all: Vec<char> = UPPER.chars().collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 128, "no character twice");
        assert!(all.iter().all(|c| !c.is_ascii()));
    }

    /// By the table of IBM.
    #[test]
    fn known_places() {
        let places =
            [(0x81, 'ü'), (0x84, 'ä'), (0x94, 'ö'), (0x82, 'é'), (0x87, 'ç'), (0xa4, 'ñ'), (0xe1, 'ß')];
        for (byte, letter) in
            places.into_iter().chain([(0x9a, 'Ü'), (0xd5, 'ı'), (0xf8, '°'), (0xff, '\u{a0}'), (0xb3, '│')])
        {
            assert_eq!(Charset::Cp850.text(&[b'a', byte]), format!("a{letter}"), "{byte:x}");
        }
        assert_eq!(Charset::named("IBM850"), Some(Charset::Cp850));
        assert_eq!(Charset::named("latin1"), Some(Charset::WINDOWS_1252));
        assert_eq!(Charset::named("klingon"), None);
    }
}
