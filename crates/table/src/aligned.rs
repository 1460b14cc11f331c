//! Tables whose columns stand below each other, separated by spaces: they have no delimiter.

/// Lines that are looked at.
const LINES: usize = 1000;

/// How many columns the lines of a text seem to have, if they stand below each other: two or more words of the header begin where
/// a word of every line begins or nothing stands, always after a space and at least once after two of them, by which
/// shorter cells were filled up. `None` if it is text in one column.
pub(crate) fn columns(text: &[u8], whole: bool) -> Option<usize> {
    let text = String::from_utf8_lossy(text);
    let mut lines: Vec<Vec<char>> = text
        .split(['\n', '\r'])
        .filter(|line| !line.trim().is_empty())
        .take(LINES)
        .map(|line| line.chars().collect())
        .collect();
    if !whole {
        // Cut off in the middle.
        lines.pop();
    }
    let (header, rows) = lines.split_first()?;
    if rows.len() < 2 {
        return None;
    }
    let begins = |line: &[char], at: usize| {
        line.get(at).is_none_or(|sign| *sign != ' ') && line.get(at - 1).is_none_or(|before| *before == ' ')
    };
    let padded =
        |line: &[char], at: usize| at >= 2 && line.len() > at && line[at - 2] == ' ' && line[at - 1] == ' ';
    let begun = |at: &usize| {
        header[*at] != ' '
            && begins(header, *at)
            && rows.iter().all(|line| begins(line, *at))
            && rows.iter().any(|line| line.len() > *at)
            && lines.iter().any(|line| padded(line, *at))
    };
    let columns = 1 + (1..header.len()).filter(begun).count();
    (columns > 1).then_some(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_below_each_other_are_seen() {
        let text = "age sex zip   illness\n34  f   50667 flu\n45  m   10115 HIV\n101 f   01067 flu\n";
        assert_eq!(columns(text.as_bytes(), true), Some(4));
        assert_eq!(columns("Größe  Ort\n170    Köln\n65\n".as_bytes(), true), Some(2));
    }

    #[test]
    fn text_in_one_column_is_none_of_them() {
        for text in [
            "full name\nAnna Berg\nOtto Berg\nEva Maria Kunz\n",
            "note here\nfour five\nfive four\n",
            "city\nBad Orb\nUlm\n",
            "age  zip\n1    2\n",
            "",
        ] {
            assert_eq!(columns(text.as_bytes(), true), None, "{text:?}");
        }
    }
}
