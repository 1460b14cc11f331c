//! Between wire types and the table's.

use lookalike_table::{
    DuplicateNames, Edits, Error, Form, HeaderRow, Layout, OpenOptions, Quote, Ragged, ReadOptions, Skip,
};
use lookalike_wire::opening::{self, Opening, QuoteMark};
use lookalike_words::Message;

/// What the page asks for. A character that cannot be a delimiter becomes one that the reader refuses.
///
/// # Errors
/// What is wrong with the layout.
pub fn options(how: &Opening) -> Result<OpenOptions, Error> {
    let layout = Some(how.layout.as_str()).filter(|layout| !layout.trim().is_empty());
    Ok(OpenOptions {
        encoding: how.encoding.clone(),
        sheet: how.sheet.clone(),
        member: how.member.clone(),
        skip: Skip { first: how.skip_rows as usize, last: how.skip_last_rows as usize },
        json_lines: false,
        layout: layout.map(Layout::parse).transpose()?,
        unpacked: None,
        in_parts: false,
        read: ReadOptions {
            all: None,
            delimiter: how.delimiter.map(|c| u8::try_from(c).unwrap_or_default()),
            quote: how.quote.map(quote),
            header: match how.header {
                None => HeaderRow::Ask,
                Some(true) => HeaderRow::Present,
                Some(false) => HeaderRow::Absent,
            },
            // Those of a file that has some are its own.
            names: Some(how.names.clone()).filter(|names| !names.is_empty() && how.header == Some(false)),
            columns: how.columns.clone(),
            also: None,
            ragged: if how.pad { Ragged::Pad } else { Ragged::Error },
            duplicates: if how.number_duplicates { DuplicateNames::Number } else { DuplicateNames::Error },
            separator_line: false,
            texts: Vec::new(),
            cut: Skip::default(),
            edits: Edits::default(),
        },
    })
}

/// What quotes fields.
pub(crate) fn quote(mark: QuoteMark) -> Quote {
    match mark {
        QuoteMark::Double => Quote::Mark(b'"'),
        QuoteMark::Single => Quote::Mark(b'\''),
        QuoteMark::Off => Quote::Off,
    }
}

/// What was found.
#[must_use]
pub fn form(form: &Form) -> opening::Form {
    opening::Form {
        packing: form.packing.as_ref().map(Message::said),
        members: form.members.clone(),
        encoding: form.encoding.map(str::to_owned),
        delimiter: char::from(form.delimiter),
        quote: match form.quote {
            Quote::Mark(b'\'') => QuoteMark::Single,
            Quote::Mark(_) => QuoteMark::Double,
            Quote::Off => QuoteMark::Off,
        },
        separator_line: form.separator_line,
        named: form.named,
        json_lines: form.json_lines,
        texts: form.texts.clone(),
        sheet: form.sheet.clone(),
        sheets: form.sheets.clone(),
        dialect: form.dialect,
        notes: form.notes.iter().map(Message::said).collect(),
        beginning: form.beginning.clone(),
        columns: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use lookalike_table::plain;

    use super::*;

    /// What was found, asked for, is found again.
    #[test]
    fn what_was_found_can_be_asked_for() {
        for text in ["a;b\n1;2\n", "a\tb\n1\t2\n", "'a','b'\n'1','2'\n", "a|b\n1|2\n", "sep=;\na;b\n1;2\n"] {
            let find = |how: &Opening| {
                let found =
                    plain(&mut std::io::Cursor::new(text), &options(how).unwrap(), &mut |found, _| {
                        Ok(form(found))
                    });
                found.unwrap().unwrap().0
            };
            let found = find(&Opening::default());
            let asked = Opening {
                encoding: found.encoding.clone(),
                delimiter: Some(found.delimiter),
                quote: Some(found.quote),
                ..Opening::default()
            };
            let again = find(&asked);
            assert!(again.notes[1].to_string().contains("as chosen"), "{:?}", again.notes);
            assert_eq!(opening::Form { notes: found.notes.clone(), ..again }, found);
        }
        assert_eq!(
            options(&Opening { delimiter: Some('é'), ..Opening::default() }).unwrap().read.delimiter,
            Some(0xe9)
        );
        assert_eq!(
            options(&Opening { delimiter: Some('→'), ..Opening::default() }).unwrap().read.delimiter,
            Some(0)
        );
    }

    #[test]
    fn a_layout_says_where_columns_stand_and_a_wrong_one_is_told() {
        let how = |layout: &str| Opening { layout: layout.to_owned(), ..Opening::default() };
        assert_eq!(options(&how(" \n")).unwrap().layout, None);
        let asked = options(&how("age 1 3\nzip 5 5 text\n")).unwrap();
        let mut source = std::io::Cursor::new(" 34 01067\n  7 10115\n");
        let read = plain(&mut source, &asked, &mut |found, text| {
            let table = lookalike_table::read_from(text, &found.read_options(&asked.read))?;
            Ok((form(found).named, table))
        });
        let (named, table) = read.unwrap().unwrap().0;
        assert!(named);
        assert_eq!((table.columns[0].cell(1), table.columns[1].cell(0)), ("7", "01067"));
        assert!(matches!(options(&how("age 1\n")), Err(Error::Layout { .. })));
    }
}
