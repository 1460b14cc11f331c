//! National numbers of persons, with the checks that they carry.

/// All of them.
pub(crate) const ALL: [fn(&str) -> bool; 4] = [us_ssn, spanish_dni, german_tax_id, french_nir];

/// US social security number, `123-45-6789`: area not 000, 666 or 9xx, group not 00, serial not 0000 (Social Security
/// Administration, randomised numbers since 2011). It has no check digit, so the hyphens are required.
pub(crate) fn us_ssn(cell: &str) -> bool {
    let parts: Vec<&str> = cell.split('-').collect();
    let [area, group, serial] = parts.as_slice() else { return false };
    let digits = |text: &str, n: usize| text.len() == n && text.bytes().all(|b| b.is_ascii_digit());
    digits(area, 3)
        && digits(group, 2)
        && digits(serial, 4)
        && *area != "000"
        && *area != "666"
        && !area.starts_with('9')
        && *group != "00"
        && *serial != "0000"
}

/// Spanish DNI (eight digits) or NIE (X, Y or Z and seven digits) with its check letter: the letter at place `number
/// modulo 23`, X, Y and Z standing for 0, 1 and 2.
pub(crate) fn spanish_dni(cell: &str) -> bool {
    const LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";
    let text: Vec<u8> =
        cell.bytes().filter(|b| !matches!(b, b'-' | b' ' | b'.')).map(|b| b.to_ascii_uppercase()).collect();
    let [first, middle @ .., letter] = text.as_slice() else { return false };
    let first = match first {
        b'X' => b'0',
        b'Y' => b'1',
        b'Z' => b'2',
        digit => *digit,
    };
    if middle.len() != 7 || !first.is_ascii_digit() || !middle.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let digits = std::iter::once(&first).chain(middle);
    let number = digits.fold(0_usize, |number, d| number * 10 + usize::from(d - b'0'));
    LETTERS[number % 23] == *letter
}

/// German tax id: eleven digits, not beginning with 0; among the first ten, one digit occurs two or three times and one
/// or two do not occur; check digit by ISO 7064, MOD 11,10.
pub(crate) fn german_tax_id(cell: &str) -> bool {
    let Some(digits) = digits(cell, 11) else { return false };
    let mut counts = [0; 10];
    for &d in &digits[..10] {
        counts[d as usize] += 1;
    }
    let repeated = counts.iter().filter(|&&c| c > 1).count();
    if digits[0] == 0 || repeated != 1 || counts.iter().any(|&c| c > 3) {
        return false;
    }
    let product = digits[..10].iter().fold(10, |product, d| {
        let sum = (d + product) % 10;
        (if sum == 0 { 10 } else { sum }) * 2 % 11
    });
    (11 - product) % 10 == digits[10]
}

/// French NIR with its key: thirteen characters (2A and 2B for Corsica, counted as 19 and 18) and two digits, key = 97 -
/// number modulo 97. The first digit tells the sex: 1 or 2, 3, 4, 7 or 8 for provisional numbers.
pub(crate) fn french_nir(cell: &str) -> bool {
    let text: String = cell.chars().filter(|c| !matches!(c, ' ' | '.' | '-')).collect();
    if text.len() != 15 || !text.is_ascii() {
        return false;
    }
    let department = text[5..7].to_ascii_uppercase();
    let plain = match department.as_str() {
        "2A" => format!("{}19{}", &text[..5], &text[7..]),
        "2B" => format!("{}18{}", &text[..5], &text[7..]),
        _ => text,
    };
    let Some(digits) = digits(&plain, 15) else { return false };
    let number = digits[..13].iter().fold(0_u64, |number, d| number * 10 + u64::from(*d));
    let key = u64::from(digits[13] * 10 + digits[14]);
    matches!(digits[0], 1..=4 | 7 | 8) && 97 - number % 97 == key
}

/// The digits of a text of `n` digits; spaces do not count.
fn digits(text: &str, n: usize) -> Option<Vec<u32>> {
    let digits: Option<Vec<u32>> = text.chars().filter(|&c| c != ' ').map(|c| c.to_digit(10)).collect();
    digits.filter(|digits| digits.len() == n)
}
