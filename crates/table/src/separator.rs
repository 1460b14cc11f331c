//! Excel's first line that names the delimiter: `sep=;`.

/// The line's first letters, in either case.
const KEY: &[u8] = b"sep=";

/// The delimiter that the first line names, if it does; then that line is no row. A comma, a semicolon, a tab, or
/// another sign that is no letter, digit or quote.
#[must_use]
pub(crate) fn named(text: &[u8]) -> Option<u8> {
    let (key, rest) = text.split_at_checked(KEY.len())?;
    let (&delimiter, after) = rest.split_first()?;
    let ends = after.first().is_none_or(|byte| matches!(byte, b'\r' | b'\n'));
    let sign = delimiter.is_ascii_punctuation() && !matches!(delimiter, b'"' | b'\'');
    (key.eq_ignore_ascii_case(KEY) && ends && (sign || matches!(delimiter, b'\t' | b' ')))
        .then_some(delimiter)
}

/// The text after its first line.
#[must_use]
pub(crate) fn after_line(text: &[u8]) -> &[u8] {
    let Some(end) = text.iter().position(|byte| matches!(byte, b'\r' | b'\n')) else { return &[] };
    let end = if text[end..].starts_with(b"\r\n") { end + 2 } else { end + 1 };
    &text[end..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_its_own_names_a_sign() {
        for (text, delimiter) in [
            (&b"sep=;\na;b\n"[..], Some(b';')),
            (b"SEP=,\r\na,b\r\n", Some(b',')),
            (b"sep=\t\ra\tb", Some(b'\t')),
            (b"sep=|", Some(b'|')),
            (b"sep=\na\n", None),
            (b"sep=;x\n", None),
            (b"sep=a\n", None),
            (b"sep=\"\n", None),
            (b"\"sep=;\"\n", None),
            (b"separator\n", None),
            (b"se", None),
        ] {
            assert_eq!(named(text), delimiter, "{:?}", String::from_utf8_lossy(text));
        }
        assert_eq!(after_line(b"sep=;\r\na;b\n"), b"a;b\n");
        assert_eq!(after_line(b"sep=;\r\ra"), b"\ra");
        assert_eq!(after_line(b"sep=;"), b"");
    }
}
