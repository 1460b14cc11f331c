//! Settings as the flags of the command line: `--rows-are people`, `--kind "date of birth=date"`.

use crate::Settings;

/// Flags whose value is a list of names.
const LISTS: [&str; 6] = ["quasi", "sensitive", "keep", "unchanged", "missing", "prefer"];

/// The command line: words are written so that a shell hands them over as they are.
#[derive(Clone, Copy, Debug)]
pub struct Flags;

impl Settings for Flags {
    fn words(&self, setting: &str, value: Option<&str>) -> String {
        match value {
            None => format!("--{setting}"),
            Some(value) => format!("--{setting} {value}"),
        }
    }

    /// In a list or a pair, a name that holds their signs stands in double quotes, and a quote is doubled.
    fn item(&self, setting: &str, pair: bool, text: &str) -> String {
        let listed = pair || LISTS.contains(&setting);
        if listed && (text.contains([',', '"', '=', '<']) || text.trim() != text) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.to_owned()
        }
    }

    fn word(&self, filled: String, literal: &str) -> String {
        // A bar of the catalogue stands between alternatives.
        let bars = |text: &str| text.matches('|').count();
        if bars(&filled) == bars(literal) && filled.chars().all(|c| c == '|' || is_plain(c)) {
            return filled;
        }
        // Between double quotes these signs would still mean something to a shell.
        if filled.contains(['"', '$', '`', '\\', '!']) {
            format!("'{}'", filled.replace('\'', "'\\''"))
        } else {
            format!("\"{filled}\"")
        }
    }
}

/// Whether shells take a character as it is.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || "-_./=,:+@%".contains(c)
}
