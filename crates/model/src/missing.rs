//! Which cells mean "not known": the one list that preparation, audit, command line and page go by unless told otherwise.
//!
//! "None" and "unknown" are not among them: they are answers as often as they are gaps. Nor are the errors of a spreadsheet but for
//! `#N/A`, by which it says "not available": `#DIV/0!` or `#REF!` is a formula that went wrong, and its cell had a value.

/// Contents of a cell, trimmed and in any case, that mean "not known" unless the user names others.
pub const USUAL: [&str; 10] = ["", "?", "NA", "N/A", "#N/A", "#NA", "null", "-", "NaN", "."];

/// The same, as settings hold them.
#[must_use]
pub fn usual() -> Vec<String> {
    USUAL.map(String::from).to_vec()
}

/// The usual markers and `more`: what an audit takes for "not known". A list of the user's own must not make a gap that is
/// usual elsewhere a value.
#[must_use]
pub fn usual_and(more: &[String]) -> Vec<String> {
    let mut all = usual();
    all.extend(more.iter().filter(|marker| !is_usually_missing(marker)).cloned());
    all
}

/// Whether a cell, trimmed, is one of the markers of a missing value. Case does not matter.
#[must_use]
pub fn is_missing(cell: &str, markers: &[String]) -> bool {
    let cell = cell.trim();
    markers.iter().any(|marker| alike(cell, marker))
}

/// Whether a cell is missing by the usual markers.
#[must_use]
pub fn is_usually_missing(cell: &str) -> bool {
    let cell = cell.trim();
    USUAL.iter().any(|marker| cell.eq_ignore_ascii_case(marker))
}

/// Whether two texts are the same but for case.
fn alike(a: &str, b: &str) -> bool {
    let lower = |text: &'_ str| text.chars().flat_map(char::to_lowercase).collect::<String>();
    a.eq_ignore_ascii_case(b) || (!a.is_ascii() && !b.is_ascii() && lower(a) == lower(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_white_space_do_not_matter() {
        for cell in [
            "", " ", "?", "na", "NA", "n/a", "#N/A", "#n/a", "#NA", "NaN", "nan", "NULL", "Null", "-", ".",
            " . ",
        ] {
            assert!(is_usually_missing(cell) && is_missing(cell, &usual()), "{cell:?}");
        }
        for cell in ["none", "0", "unknown", "nano", "--", "..", "n a", "#", "#NAME?", "#REF!", "#DIV/0!"] {
            assert!(!is_usually_missing(cell) && !is_missing(cell, &usual()), "{cell:?}");
        }
    }

    #[test]
    fn markers_of_the_user_are_compared_alike() {
        let markers = ["k.A.", "ÜBRIG"].map(String::from);
        assert!(is_missing("K.a.", &markers) && is_missing("übrig", &markers));
        assert!(!is_missing("", &markers) && !is_missing("NA", &markers));
    }
}
