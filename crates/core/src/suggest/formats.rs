//! Formats of cells that name a person or a way to a person.

use lookalike_model::info::Confidence;

use super::{message::FormatName, national};

/// A format.
pub(crate) struct Format {
    pub(crate) name: FormatName,
    pub(crate) confidence: Confidence,
    /// Whether a trimmed cell has it.
    pub(crate) fits: fn(&str) -> bool,
}

/// The formats, those with check digits and unmistakable signs first.
pub(crate) const ALL: &[Format] = &[
    Format { name: FormatName::Email, confidence: Confidence::High, fits: email },
    Format { name: FormatName::Iban, confidence: Confidence::High, fits: iban },
    Format { name: FormatName::FrenchNir, confidence: Confidence::High, fits: national::french_nir },
    Format { name: FormatName::SpanishDni, confidence: Confidence::High, fits: national::spanish_dni },
    Format { name: FormatName::GermanTaxId, confidence: Confidence::High, fits: national::german_tax_id },
    Format { name: FormatName::UsSsn, confidence: Confidence::High, fits: national::us_ssn },
    Format { name: FormatName::IpAddress, confidence: Confidence::Medium, fits: ip_address },
    Format { name: FormatName::Uuid, confidence: Confidence::High, fits: uuid },
    Format { name: FormatName::Phone, confidence: Confidence::Medium, fits: phone },
];

/// `local@domain.tld`, without white space; quoted local parts are not known.
fn email(cell: &str) -> bool {
    let Some((local, domain)) = cell.rsplit_once('@') else { return false };
    let label = |l: &str| !l.is_empty() && l.chars().all(|c| c.is_alphanumeric() || c == '-');
    let plain = |c: char| c.is_alphanumeric() || "!#$%&'*+/=?^_`{|}~.-".contains(c);
    !local.is_empty() && local.chars().all(plain) && domain.contains('.') && domain.split('.').all(label)
}

/// ISO 13616: two letters, two check digits, up to 30 letters and digits, spaces anywhere; remainder 1 modulo 97.
fn iban(cell: &str) -> bool {
    let text: Vec<u8> = cell.bytes().filter(|&b| b != b' ').collect();
    let shape = (15..=34).contains(&text.len())
        && text[..2].iter().all(u8::is_ascii_uppercase)
        && text[2..4].iter().all(u8::is_ascii_digit)
        && text.iter().all(u8::is_ascii_alphanumeric);
    let moved = || text[4..].iter().chain(&text[..4]);
    shape
        && moved().fold(0, |rest: u32, b| match b {
            b'0'..=b'9' => (rest * 10 + u32::from(b - b'0')) % 97,
            letter => (rest * 100 + u32::from(letter.to_ascii_uppercase() - b'A') + 10) % 97,
        }) == 1
}

/// Four numbers up to 255 with points, or eight groups of hexadecimal digits with colons (or fewer, with `::`).
fn ip_address(cell: &str) -> bool {
    cell.parse::<std::net::IpAddr>().is_ok()
}

/// 8-4-4-4-12 hexadecimal digits.
fn uuid(cell: &str) -> bool {
    let lengths = [8, 4, 4, 4, 12];
    let parts: Vec<&str> = cell.split('-').collect();
    parts.len() == lengths.len()
        && parts.iter().zip(lengths).all(|(p, n)| p.len() == n && p.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Nine to fifteen digits (E.164) with marks between groups (spaces, hyphens, slashes, points, brackets) that begin with
/// `+` or `0`, or are grouped as in North America. Fewer digits may be dates.
fn phone(cell: &str) -> bool {
    let groups: Vec<usize> =
        cell.split(|c: char| !c.is_ascii_digit()).filter(|g| !g.is_empty()).map(str::len).collect();
    let digits: usize = groups.iter().sum();
    let begins = cell.trim_start_matches('(').starts_with(['+', '0']);
    let american = matches!(groups.as_slice(), [3, 3, 4] | [1, 3, 3, 4]);
    (9..=15).contains(&digits)
        && digits < cell.len()
        && cell.chars().all(|c| c.is_ascii_digit() || "+ -/.()\u{a0}".contains(c))
        && (begins || american)
}
