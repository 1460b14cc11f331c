//! Counting lines.

use memchr::memchr_iter;

/// Number of line ends (LF, CRLF or CR) in a part of a file; `before` is the byte before it. A CRLF counts where its
/// CR is, so that parts add up.
pub(crate) fn line_ends(bytes: &[u8], before: u8) -> usize {
    let feeds = memchr_iter(b'\n', bytes).count();
    let pairs = memchr_iter(b'\r', bytes).filter(|&at| bytes.get(at + 1) == Some(&b'\n')).count();
    let returns = memchr_iter(b'\r', bytes).count();
    let split = usize::from(before == b'\r' && bytes.first() == Some(&b'\n'));
    feeds + returns - pairs - split
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parts_add_up(text in "[a\r\n]{0,30}", cut in 0..31_usize) {
            let bytes = text.as_bytes();
            let (left, right) = bytes.split_at(cut.min(bytes.len()));
            let before = left.last().copied().unwrap_or(0);
            let plain = text.replace("\r\n", "\n").replace('\r', "\n").matches('\n').count();
            prop_assert_eq!(line_ends(bytes, 0), plain);
            prop_assert_eq!(line_ends(left, 0) + line_ends(right, before), plain);
        }
    }
}
