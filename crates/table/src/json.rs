//! JSON taken for a table: its first object would become column names.

use crate::Error;

/// Refuses a text that begins as JSON does: with an object, an array of objects, or an array alone on its line.
///
/// # Errors
/// [`Error::Json`].
pub(crate) fn refuse(text: &[u8]) -> Result<(), Error> {
    let text = text.trim_ascii_start();
    let Some((&first, rest)) = text.split_first() else { return Ok(()) };
    let rest = rest.trim_ascii_start();
    let next = rest.first().copied().unwrap_or_default();
    match (first, next) {
        // One object a line, or one object.
        (b'{', b'"' | b'}') if is_member(rest) => Err(Error::Json("one object a line, or one object")),
        (b'[', b'{' | b'[') if starts_inner(rest) => Err(Error::Json("an array")),
        (b'[', _) if is_array(line(text)) => Err(Error::Json("one array a line")),
        _ => Ok(()),
    }
}

fn line(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(text.len());
    text[..end].trim_ascii_end()
}

/// Whether what follows a brace is `"name":`, or the closing brace.
fn is_member(text: &[u8]) -> bool {
    if text.starts_with(b"}") {
        return true;
    }
    string(text).is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"))
}

/// Whether what follows a bracket is an object with a member, or an array of values.
fn starts_inner(text: &[u8]) -> bool {
    match text.split_first() {
        Some((b'{', rest)) => is_member(rest.trim_ascii_start()),
        Some((_, rest)) => value(rest.trim_ascii_start()).is_some(),
        None => false,
    }
}

/// Whether a line is an array of texts, numbers and words of JSON.
fn is_array(line: &[u8]) -> bool {
    let Some(mut rest) = line.strip_prefix(b"[") else { return false };
    loop {
        let Some(after) = value(rest.trim_ascii_start()) else { return false };
        match after.trim_ascii_start().split_first() {
            Some((b',', next)) => rest = next,
            // A comma may follow an array within a larger one.
            Some((b']', end)) => return matches!(end.trim_ascii(), b"" | b","),
            _ => return false,
        }
    }
}

/// What follows a text, a number or a word of JSON.
fn value(text: &[u8]) -> Option<&[u8]> {
    if text.starts_with(b"\"") {
        return string(text);
    }
    for word in [&b"true"[..], b"false", b"null"] {
        if let Some(rest) = text.strip_prefix(word) {
            return Some(rest);
        }
    }
    let of_number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E');
    let end = text.iter().position(|byte| !of_number(byte)).unwrap_or(text.len());
    let number = std::str::from_utf8(&text[..end]).ok()?;
    number.parse::<f64>().ok().map(|_| &text[end..])
}

/// What follows a text in quotes.
fn string(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text.strip_prefix(b"\"")?;
    loop {
        match rest.split_first()? {
            (b'"', after) => return Some(after),
            (b'\\', after) => rest = after.get(1..)?,
            (b'\n' | b'\r', _) => return None,
            (_, after) => rest = after,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_no_table() {
        for text in [
            "{\"age\": 17, \"sex\": \"m\"}\n{\"age\": 18, \"sex\": \"f\"}\n",
            "\n  { \"a\" :1}",
            "{}",
            "{\n  \"data\": []\n}",
            "{\"a \\\" b\":1}",
            "[{\"age\":17},{\"age\":18}]",
            "[\n  {\n    \"age\": 17\n  }\n]",
            "[[1,2],[3,4]]",
            "[\n [\"a\", 1],\n [\"b\", 2]\n]",
            "[\"age\", \"sex\"]\n[17, null]\n",
            "[1, 2.5e3, true]\n",
        ] {
            assert!(matches!(refuse(text.as_bytes()), Err(Error::Json(_))), "{text:?}");
        }
    }

    #[test]
    fn a_table_is_no_json() {
        for text in [
            "age,sex\n17,m\n",
            "[18-20],{a}\n[21-30],{b}\n",
            "[18-20]\n[21-30]\n",
            "{FLU, HIV},1\n",
            "{\"FLU\", \"HIV\"},1\n",
            "\"{\"\"a\"\":1}\",x\n",
            "[1,2],[3,4]\n",
            "{id},name\n",
            "[id],[name]\n",
            "",
            "[",
            "{",
        ] {
            assert_eq!(refuse(text.as_bytes()), Ok(()), "{text:?}");
        }
    }
}
