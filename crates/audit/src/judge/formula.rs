//! Cells that a spreadsheet runs, and the apostrophes that keep it from that.

use super::{fault::Breach, row::Row};

/// Takes away the apostrophe before each cell that has one; the cell must need it. A cell that needs one and has none is a
/// breach, as its column from 1.
pub(super) fn pass_apostrophes(row: &mut Row) -> Result<(), (usize, Breach)> {
    for (at, (start, end)) in row.spans.iter_mut().enumerate() {
        let cell = &row.text[*start..*end];
        match cell.strip_prefix('\'') {
            Some(own) if own.starts_with('\'') || runs(own) => *start += 1,
            Some(_) => return Err((at + 1, Breach::NeedlessApostrophe)),
            None if runs(cell) => return Err((at + 1, Breach::Formula)),
            None => {}
        }
    }
    Ok(())
}

/// What makes a cell a formula at its start.
const STARTS: &str = "=@\t\r\u{ff1d}\u{ff20}";

/// What makes one unless a number follows, or nothing.
const SIGNS: &str = "+-\u{ff0b}\u{ff0d}";

/// Whether a spreadsheet would run a cell.
fn runs(cell: &str) -> bool {
    let Some(first) = cell.chars().next() else { return false };
    if STARTS.contains(first) {
        return true;
    }
    let rest = &cell[first.len_utf8()..];
    SIGNS.contains(first) && !rest.is_empty() && !is_number(rest.as_bytes())
}

/// Digits with what may stand between and behind them, and perhaps an exponent of digits.
fn is_number(mut text: &[u8]) -> bool {
    // No-break space, its narrow form, and the apostrophe of typesetters.
    const LONG: [&[u8]; 3] = [b"\xc2\xa0", b"\xe2\x80\xaf", b"\xe2\x80\x99"];
    let mut digits = 0;
    while let Some((byte, rest)) = text.split_first() {
        let long = LONG.iter().find_map(|mark| text.strip_prefix(*mark));
        text = match (byte, long) {
            (b'0'..=b'9', _) => {
                digits += 1;
                rest
            }
            (b'.' | b',' | b'\'' | b' ' | b'%', _) => rest,
            (b'e' | b'E', _) => return digits > 0 && is_exponent(rest),
            (_, Some(after)) => after,
            _ => return false,
        };
    }
    digits > 0
}

fn is_exponent(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"+").or_else(|| text.strip_prefix(b"-")).unwrap_or(text);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}
