//! JSON: lines of objects are a table (`json_lines`); what else would become column names is refused.

use crate::{Error, JsonForm};

/// Stands before each text of a JSON text sequence (RFC 7464).
const RECORD: u8 = 0x1e;

/// Values within values that are followed.
const DEPTH: usize = 32;

/// Whether a text begins as JSON lines do, with an object. One that begins as other JSON is refused: a text sequence, an array of
/// objects, or an array alone on its lines.
///
/// # Errors
/// [`Error::Json`].
pub(crate) fn is_lines(text: &[u8]) -> Result<bool, Error> {
    let text = text.trim_ascii_start();
    if text.first() == Some(&RECORD) {
        return Err(Error::Json { form: JsonForm::TextSequence });
    }
    let Some((&first, rest)) = text.split_first() else { return Ok(false) };
    let rest = rest.trim_ascii_start();
    let next = rest.first().copied().unwrap_or_default();
    let form = match (first, next) {
        (b'{', b'"' | b'}') if is_member(rest) => return Ok(true),
        (b'[', b'{' | b'[') if starts_inner(rest) => JsonForm::Array,
        (b'[', _) if is_array(text) => JsonForm::Arrays,
        _ => return Ok(false),
    };
    Err(Error::Json { form })
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
        Some((_, rest)) => value(rest.trim_ascii_start(), DEPTH).is_some(),
        None => false,
    }
}

/// Whether an array of JSON stands alone on its lines, as far as they are there.
fn is_array(text: &[u8]) -> bool {
    let Some(mut rest) = text.strip_prefix(b"[") else { return false };
    loop {
        let Some(after) = value(rest.trim_ascii_start(), DEPTH) else { return false };
        match after.trim_ascii_start().split_first() {
            Some((b',', next)) => rest = next,
            // A comma may follow an array within a larger one.
            Some((b']', next)) => {
                let end = next.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(next.len());
                return matches!(next[..end].trim_ascii(), b"" | b",");
            }
            _ => return false,
        }
    }
}

/// What follows a text, a number, a word, an array or an object of JSON.
fn value(text: &[u8], depth: usize) -> Option<&[u8]> {
    let depth = depth.checked_sub(1)?;
    match text.first()? {
        b'"' => return string(text),
        b'[' => return items(&text[1..], b']', |item| value(item, depth)),
        b'{' => {
            return items(&text[1..], b'}', |item| {
                let after = string(item)?.trim_ascii_start().strip_prefix(b":")?;
                value(after.trim_ascii_start(), depth)
            });
        }
        _ => {}
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

/// What follows items with commas between them and their closing bracket.
fn items<'a>(text: &'a [u8], close: u8, item: impl Fn(&'a [u8]) -> Option<&'a [u8]>) -> Option<&'a [u8]> {
    let mut rest = text.trim_ascii_start();
    if let Some((&first, after)) = rest.split_first()
        && first == close
    {
        return Some(after);
    }
    loop {
        let (&next, after) = item(rest)?.trim_ascii_start().split_first()?;
        match next {
            b',' => rest = after.trim_ascii_start(),
            _ if next == close => return Some(after),
            _ => return None,
        }
    }
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
    fn objects_are_lines() {
        for text in [
            "{\"age\": 17, \"sex\": \"m\"}\n{\"age\": 18, \"sex\": \"f\"}\n",
            "\n  { \"a\" :1}",
            "{}",
            "{\n  \"data\": []\n}",
            "{\"a \\\" b\":1}",
        ] {
            assert_eq!(is_lines(text.as_bytes()), Ok(true), "{text:?}");
        }
    }

    #[test]
    fn other_json_is_no_table() {
        for text in [
            "[{\"age\":17},{\"age\":18}]",
            "[\n  {\n    \"age\": 17\n  }\n]",
            "[[1,2],[3,4]]",
            "[\n [\"a\", 1],\n [\"b\", 2]\n]",
            "[\"age\", \"sex\"]\n[17, null]\n",
            "[1, 2.5e3, true]\n",
            "[\"Anna\", {\"d\":\"hiv\"}]\n[\"Bert\", {\"d\":\"flu\"}]\n",
            "[17, [\"hiv\", {}], null]\n",
            "\u{1e}{\"age\":17}\n\u{1e}{\"age\":18}\n",
            "[\n 17,\n 18\n]\n",
            "[\"age\",\n\"sex\"]\n",
        ] {
            assert!(matches!(is_lines(text.as_bytes()), Err(Error::Json { .. })), "{text:?}");
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
            "[1,\n2],x\n",
            "[17,{a}]\n",
            "{id},name\n",
            "[id],[name]\n",
            "",
            "[",
            "{",
        ] {
            assert_eq!(is_lines(text.as_bytes()), Ok(false), "{text:?}");
        }
    }
}
