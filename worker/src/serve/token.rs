//! Bearer tokens: several, each with a name, each perhaps with an end.

use std::{env::VarError, fs, path::Path, time::SystemTime};

use axum::http::HeaderMap;
use lookalike_words::Name;
use subtle::ConstantTimeEq as _;

use crate::{
    exit::{Attempt, Failure},
    files,
};

lookalike_words::messages! {
    in "worker";

    /// What is wrong with tokens.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum TokenFault {
        /// The variable is not UTF-8.
        NotUtf8 {
            /// The variable.
            variable: &'static str,
        },
        /// A line that is no token.
        Line {
            /// The line, from 1.
            line: usize,
            /// Where.
            place: String,
            /// Why.
            why: TokenLine,
        },
        /// No token at all.
        None {
            /// Where.
            place: String,
        },
        /// More tokens than one.
        Several {
            /// The file.
            path: String,
        },
    }

    /// What is wrong with the line of a token.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum TokenLine {
        /// It is empty.
        Empty,
        /// It has no usable name.
        Name,
        /// It is too short.
        Short {
            /// Characters, at least.
            least: usize,
        },
        /// It holds other characters.
        Characters,
        /// Its last day is not a day.
        Day {
            /// What stands there.
            day: Name,
        },
        /// Its name or text is another's.
        Known,
    }
}

/// Fewer characters than this are guessed.
const SHORTEST: usize = 16;

/// Environment variable with the tokens, as an alternative to a file; lines may also be separated by `;`.
pub(crate) const VARIABLE: &str = "LOOKALIKE_TOKENS";

/// Who may ask.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tokens(Vec<Token>);

#[derive(Clone, Debug)]
struct Token {
    name: String,
    secret: String,
    /// Not accepted from this moment on.
    end: Option<SystemTime>,
}

impl Tokens {
    /// Reads tokens from a file: one a line, `token`, `name:token` or `name:token:2027-12-31`; lines that begin with #
    /// do not count. The last day is the last on which the token is accepted (UTC).
    ///
    /// # Errors
    /// If the file cannot be read, or a line is no token.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let text = fs::read_to_string(path).map_err(|e| Failure::io(Attempt::ReadTokens, path, &e))?;
        warn_of_readers(path);
        Self::parse(&text, &path.display().to_string())
    }

    /// Tokens from the environment variable, if it is set.
    ///
    /// # Errors
    /// If it is set, but holds no tokens: whoever sets it does not want a worker that is open to everybody.
    pub(crate) fn from_environment() -> Result<Option<Self>, Failure> {
        match std::env::var(VARIABLE) {
            Ok(text) => Self::parse(&text.replace(';', "\n"), VARIABLE).map(Some),
            Err(VarError::NotPresent) => Ok(None),
            Err(VarError::NotUnicode(_)) => Err(Failure::input(TokenFault::NotUtf8 { variable: VARIABLE })),
        }
    }

    /// Names of the tokens.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|token| token.name.as_str())
    }

    /// The name of the token that the request carries, if it is one of these and its time is not up. The comparison
    /// takes the same time wherever two tokens differ, and every token is compared.
    pub(crate) fn owner(&self, headers: &HeaderMap, now: SystemTime) -> Option<&str> {
        let (scheme, given) = headers.get("authorization")?.to_str().ok()?.split_once(' ')?;
        if !scheme.eq_ignore_ascii_case("bearer") {
            return None;
        }
        let given = given.trim().as_bytes();
        let mut found = None;
        for token in &self.0 {
            if bool::from(given.ct_eq(token.secret.as_bytes())) {
                found = Some(token);
            }
        }
        found.filter(|token| token.end.is_none_or(|end| now < end)).map(|token| token.name.as_str())
    }

    fn parse(text: &str, place: &str) -> Result<Self, Failure> {
        let mut tokens: Vec<Token> = Vec::new();
        let lines = text.lines().map(str::trim).enumerate();
        for (index, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let wrong =
                |why| Failure::input(TokenFault::Line { line: index + 1, place: place.to_owned(), why });
            let token = parse_line(line).map_err(wrong)?;
            if tokens.iter().any(|known| known.name == token.name || known.secret == token.secret) {
                return Err(wrong(TokenLine::Known));
            }
            tokens.push(token);
        }
        if tokens.is_empty() {
            return Err(Failure::input(TokenFault::None { place: place.to_owned() }));
        }
        Ok(Self(tokens))
    }
}

/// Says so in the log if everybody on this machine may read a file that holds a secret.
pub(crate) fn warn_of_readers(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // A group may be meant: that of a service's credentials.
        if fs::metadata(path).is_ok_and(|about| about.permissions().mode() & 0o007 != 0) {
            tracing::warn!(file = %path.display(), "everybody on this machine may read it: chmod 600");
        }
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// Reads the one token that a client sends.
///
/// # Errors
/// If the file cannot be read, or does not hold a single token.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    files::reads(path);
    let mut tokens = Tokens::read(path)?.0;
    match (tokens.pop(), tokens.is_empty()) {
        (Some(token), true) => Ok(token.secret),
        _ => Err(Failure::input(TokenFault::Several { path: path.display().to_string() })),
    }
}

fn parse_line(line: &str) -> Result<Token, TokenLine> {
    let mut parts = line.splitn(3, ':').map(str::trim);
    let (name, secret, end) = match (parts.next(), parts.next(), parts.next()) {
        (Some(secret), None, _) => ("default", secret, None),
        (Some(name), Some(secret), end) => (name, secret, end),
        (None, ..) => return Err(TokenLine::Empty),
    };
    if name.is_empty()
        || name.len() > 64
        || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.@".contains(&b))
    {
        return Err(TokenLine::Name);
    }
    if secret.len() < SHORTEST {
        return Err(TokenLine::Short { least: SHORTEST });
    }
    if !secret.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~+/=".contains(&b)) {
        return Err(TokenLine::Characters);
    }
    let end = end.map(end_of_day).transpose()?;
    Ok(Token { name: name.to_owned(), secret: secret.to_owned(), end })
}

/// The moment after the last one of a day such as 2027-12-31, UTC.
fn end_of_day(day: &str) -> Result<SystemTime, TokenLine> {
    let next = day.parse::<jiff::civil::Date>().and_then(jiff::civil::Date::tomorrow);
    let moment = next.and_then(|next| next.to_zoned_datetime(jiff::tz::TimeZone::UTC));
    let moment = moment.and_then(|moment| SystemTime::try_from(moment.timestamp()));
    moment.map_err(|_| TokenLine::Day { day: day.into() })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn owner(tokens: &str, header: &str) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert("authorization", header.parse().unwrap());
        Tokens::parse(tokens, "a test").unwrap().owner(&headers, SystemTime::now()).map(str::to_owned)
    }

    #[test]
    fn only_the_very_token_matches() {
        let owner = |header: &str| owner("0123456789abcdef", header);
        for right in ["Bearer 0123456789abcdef", "bearer  0123456789abcdef"] {
            assert_eq!(owner(right).as_deref(), Some("default"));
        }
        for wrong in [
            "",
            "Bearer",
            "Bearer ",
            "0123456789abcdef",
            "Basic 0123456789abcdef",
            "Bearer 0123456789abcdeF",
            "Bearer 0123456789abcdef0",
        ] {
            assert_eq!(owner(wrong), None, "{wrong:?}");
        }
        assert_eq!(Tokens::default().owner(&HeaderMap::new(), SystemTime::now()), None);
    }

    #[test]
    fn each_token_has_its_name_and_perhaps_its_end() {
        let tokens = "# of the lab\nlab:0123456789abcdef\n\noffice: fedcba9876543210 :2999-12-31\nold:aaaaaaaaaaaaaaaa:2020-02-29\n";
        assert_eq!(owner(tokens, "Bearer 0123456789abcdef").as_deref(), Some("lab"));
        assert_eq!(owner(tokens, "Bearer fedcba9876543210").as_deref(), Some("office"));
        assert_eq!(owner(tokens, "Bearer aaaaaaaaaaaaaaaa"), None, "its time is up");
        let names: Vec<String> =
            Tokens::parse(tokens, "a test").unwrap().names().map(str::to_owned).collect();
        assert_eq!(names, ["lab", "office", "old"]);
    }

    #[test]
    fn the_last_day_counts() {
        let token = parse_line("a:0123456789abcdef:2027-12-31").unwrap();
        // 2028-01-01T00:00:00Z.
        assert_eq!(token.end, Some(SystemTime::UNIX_EPOCH + Duration::from_secs(1_830_297_600)));
    }

    #[test]
    fn what_is_no_token_is_refused_with_its_line() {
        let refused = |text: &str| Tokens::parse(text, "tokens.txt").err().map(|e| e.to_string()).unwrap();
        assert!(refused("short").contains("line 1 of tokens.txt is shorter"));
        assert!(refused("\n0123456789 abcdef").contains("line 2"));
        assert!(refused("a:0123456789abcdef:tomorrow").contains("not a day"));
        assert!(refused("a b:0123456789abcdef").contains("no usable name"));
        assert!(refused("a:0123456789abcdef\na:fedcba9876543210").contains("line 2"));
        assert!(refused("a:0123456789abcdef\nb:0123456789abcdef").contains("another one has"));
        assert!(refused("# nothing\n").contains("no token"));
        // What is secret is in no message.
        assert!(!refused("a:verysecret").contains("verysecret"));
    }

    #[test]
    fn a_client_has_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("token");
        let token = |text: &str| {
            fs::write(&path, text).unwrap();
            read(&path)
        };
        assert_eq!(token(" 0123456789abcdef\n").unwrap(), "0123456789abcdef");
        assert_eq!(token("lab:0123456789abcdef\n").unwrap(), "0123456789abcdef");
        assert_eq!(token("a:0123456789abcdef\nb:fedcba9876543210").unwrap_err().code(), 2);
        assert_eq!(read(&dir.path().join("none")).unwrap_err().code(), 4);
    }
}
