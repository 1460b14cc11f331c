//! Properties of reading and writing.
#![cfg(test)]

use lookalike_table::{
    DateFormat, DateOrder, Kind, NumberFormat, ReadOptions, Reading, infer, misfits, read, resolution, write,
};
use proptest::prelude::*;

/// Cells that try to break out: delimiters, quotes, line breaks, white space, marks, letters beyond ASCII.
fn cell() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>().prop_map(|cell| cell.replace('\0', "")), "[,;\"\r\n \tab\u{feff}é0-9.=]{0,6}"]
}

/// A header of different names (which `read` would not trim) and rows of as many cells.
fn table() -> impl Strategy<Value = (Vec<String>, Vec<Vec<String>>)> {
    (1..6_usize).prop_flat_map(|width| {
        let names = prop::collection::vec("[a-z,\"\n\u{feff}é]{0,5}", width);
        let names = names
            .prop_map(|names| names.iter().enumerate().map(|(at, name)| format!("x{at}{name}y")).collect());
        (names, prop::collection::vec(prop::collection::vec(cell(), width), 1..12))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn reading_undoes_writing((header, rows) in table(), marked in any::<bool>()) {
        let mut written = header.clone();
        if marked {
            // A second mark of byte order, say: no part of the name.
            written[0].insert(0, '\u{feff}');
        }
        let bytes = write(&written, rows.iter().map(|row| row.iter().map(String::as_str)));
        let table = read(&bytes, &ReadOptions::default()).unwrap();
        prop_assert_eq!(table.rows, rows.len());
        prop_assert_eq!(table.columns.iter().map(|c| c.name.clone()).collect::<Vec<_>>(), header.clone());
        for (at, row) in rows.iter().enumerate() {
            prop_assert_eq!(&table.columns.iter().map(|c| c.cell(at).to_owned()).collect::<Vec<_>>(), row);
        }
        // Of a mark, and in tables of one column of a delimiter in their only name.
        prop_assert!(table.warnings.is_empty() || marked || header.len() == 1, "{:?}", table.warnings);
    }

    /// Whatever the bytes: a table whose columns are consistent, or an error with a message.
    #[test]
    fn never_panics(bytes in any::<Vec<u8>>(), delimiter in prop::option::of(any::<u8>())) {
        check(&bytes, delimiter)?;
    }

    #[test]
    fn never_panics_on_what_looks_like_csv(text in "[a,\"\r\n 01é\u{feff};]{0,40}", delimiter in prop::option::of(any::<u8>())) {
        check(text.as_bytes(), delimiter)?;
    }

    /// The reader's rows are those of the plainest reader imaginable, where no cell needs quoting.
    #[test]
    fn agrees_with_splitting(rows in prop::collection::vec(prop::collection::vec("[a-z0-9 é]{0,3}", 3), 2..20), crlf in any::<bool>()) {
        let end = if crlf { "\r\n" } else { "\n" };
        let lines: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
        let text = format!("a,b,c{end}{}{end}", lines.join(end));
        let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
        for (at, line) in text.lines().skip(1).enumerate() {
            let cells: Vec<&str> = table.columns.iter().map(|c| c.cell(at)).collect();
            prop_assert_eq!(cells, line.split(',').collect::<Vec<_>>());
        }
        prop_assert_eq!(table.rows, rows.len());
    }
}

fn check(bytes: &[u8], delimiter: Option<u8>) -> Result<(), TestCaseError> {
    match read(bytes, &ReadOptions { delimiter, ..ReadOptions::default() }) {
        Ok(table) => {
            prop_assert!(table.rows > 0 && !table.columns.is_empty());
            for column in &table.columns {
                prop_assert_eq!(column.cells.len(), table.rows);
                prop_assert!(column.cells.iter().all(|&code| (code as usize) < column.values.len()));
                let found = infer(column, &[String::new()]);
                prop_assert!(found.missing <= table.rows && !found.evidence.to_string().is_empty());
                let plain = NumberFormat::PLAIN;
                let _ = (misfits(column, &[], &Reading::Numbers(plain)), resolution(column, plain));
            }
        }
        Err(error) => prop_assert!(!error.to_string().is_empty()),
    }
    Ok(())
}

proptest! {
    /// The kind of a generated column is found, in any order of its rows; what is read is what was written.
    #[test]
    fn generated_columns_are_recognised(
        values in prop::collection::vec(-200_000..200_000_i32, 1..40),
        which in 0..7_usize,
        turn in 0..40_usize,
    ) {
        let number = |decimal, group| NumberFormat::new(decimal, group);
        let date = |order, separator| DateFormat::days(order, Some(separator), true);
        // Numbers with two decimals and dates beyond the twelfth leave no doubt.
        let (kind, cells): (Kind, Vec<String>) = match which {
            0 => (Kind::Integer, values.iter().map(ToString::to_string).collect()),
            1..=3 => {
                let format = [number('.', None), number(',', None), number(',', Some('.'))][which - 1];
                (Kind::Real, values.iter().map(|v| format.write(f64::from(*v), 2)).collect())
            }
            _ => {
                let format =
                    &[date(DateOrder::Ymd, '-'), date(DateOrder::Dmy, '/'), date(DateOrder::Mdy, '/')][which - 4];
                let days = values.iter().map(|v| f64::from(*v)).chain([30.0]);
                (Kind::Date, days.map(|day| format.write(day).unwrap()).collect())
            }
        };
        let column = |cells: &[String]| {
            let quoted: Vec<String> = cells.iter().map(|cell| format!("\"{cell}\"\n")).collect();
            read(format!("x\n{}", quoted.concat()).as_bytes(), &ReadOptions::default()).unwrap()
        };
        let found = infer(&column(&cells).columns[0], &[]);
        prop_assert_eq!(found.kind, kind, "{}", found.evidence);
        for (cell, value) in cells.iter().zip(&values) {
            prop_assert_eq!(found.reading.value(cell), Some(f64::from(*value)));
        }
        let mut turned = cells;
        let by = turn % turned.len();
        turned.rotate_left(by);
        let again = infer(&column(&turned).columns[0], &[]);
        prop_assert_eq!((again.kind, again.reading), (found.kind, found.reading));
    }
}
