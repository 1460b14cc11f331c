//! The bearer token.

use std::{fs, path::Path};

use axum::http::HeaderMap;
use subtle::ConstantTimeEq as _;

use crate::exit::Failure;

/// Fewer characters than this are guessed.
const SHORTEST: usize = 16;

/// Reads a token from a file; white space around it does not count.
///
/// # Errors
/// If the file cannot be read, or what it holds is no token.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    let text = fs::read_to_string(path).map_err(|e| Failure::io("read the token from", path, &e))?;
    let token = text.trim();
    let wrong = |why: &str| Err(Failure::Input(format!("the token in {} {why}", path.display())));
    if token.len() < SHORTEST {
        return wrong(&format!(
            "is shorter than {SHORTEST} characters: `openssl rand -hex 32` makes a good one"
        ));
    }
    if !token.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~+/=".contains(&b)) {
        return wrong("holds other characters than letters, digits and -._~+/=");
    }
    Ok(token.to_owned())
}

/// Whether the request carries the token. The comparison takes the same time wherever the two differ.
pub(crate) fn matches(headers: &HeaderMap, token: &str) -> bool {
    let given = headers.get("authorization").and_then(|v| v.to_str().ok()).and_then(|v| v.split_once(' '));
    match given {
        Some((scheme, given)) if scheme.eq_ignore_ascii_case("bearer") => {
            given.trim().as_bytes().ct_eq(token.as_bytes()).into()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_very_token_matches() {
        let matches = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("authorization", value.parse().unwrap());
            matches(&headers, "0123456789abcdef")
        };
        assert!(matches("Bearer 0123456789abcdef") && matches("bearer  0123456789abcdef"));
        for wrong in [
            "",
            "Bearer",
            "Bearer ",
            "0123456789abcdef",
            "Basic 0123456789abcdef",
            "Bearer 0123456789abcdeF",
            "Bearer 0123456789abcdef0",
        ] {
            assert!(!matches(wrong), "{wrong:?}");
        }
        assert!(!super::matches(&HeaderMap::new(), "0123456789abcdef"));
    }

    #[test]
    fn weak_tokens_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("token");
        let token = |text: &str| {
            fs::write(&path, text).unwrap();
            read(&path)
        };
        assert_eq!(token(" 0123456789abcdef\n").unwrap(), "0123456789abcdef");
        assert_eq!(token("short").unwrap_err().code(), 2);
        assert_eq!(token("0123456789 abcdef").unwrap_err().code(), 2);
        assert_eq!(read(&dir.path().join("none")).unwrap_err().code(), 4);
    }
}
