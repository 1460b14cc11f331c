//! Settings that read the next delivery of a table as this one was read.
//!
//! A kind that is found in the cells may be found otherwise in the next delivery: one decimal makes numbers of whole numbers,
//! a single slip makes labels of dates. What is saved therefore says the kinds that were found, and a delivery that does not
//! fit them is refused with the cell, instead of being published otherwise without a word.

use lookalike_model::settings::{Kind as Said, Settings};
use lookalike_table::{DateOrder, Declared, Kind, Reading, Role, Schema, Table};

use super::kinds::kind;

/// The settings of a run, and the kind of each quasi-identifier as it was read.
pub(crate) fn pinned(settings: &Settings, schema: &Schema) -> Settings {
    let read = schema.columns.iter().filter(|column| column.role == Role::QuasiIdentifier);
    with(settings, read.map(|column| (column.name.as_str(), column.kind, &column.reading)))
}

/// The same before a run. Columns that cannot be read yet, or that the table does not have, stay as they are.
#[must_use]
pub fn pinned_before(settings: &Settings, table: &Table) -> Settings {
    let columns = settings.quasi.iter().filter_map(|name| table.column(name));
    let read: Vec<_> = columns
        .filter_map(|column| kind(column, settings).ok().map(|(kind, reading)| (&column.name, kind, reading)))
        .collect();
    with(settings, read.iter().map(|(name, kind, reading)| (name.as_str(), *kind, reading)))
}

fn with<'a>(settings: &Settings, read: impl Iterator<Item = (&'a str, Kind, &'a Reading)>) -> Settings {
    let mut pinned = settings.clone();
    for (name, kind, reading) in read {
        if !says(settings, name) {
            pinned.kinds.entry(name.to_owned()).or_insert_with(|| said(kind, reading));
        }
    }
    pinned
}

/// Whether an order, a width or labels say already how a column is read.
pub(crate) fn says(settings: &Settings, name: &str) -> bool {
    settings.orders.contains_key(name)
        || settings.pad.contains_key(name)
        || settings.labels.contains_key(name)
}

/// What a setting calls a kind that was found.
fn said(kind: Kind, reading: &Reading) -> Said {
    match Declared::again(kind, reading) {
        None => Said::Category,
        Some(Declared::Integer) => Said::Integer,
        Some(Declared::Real) => Said::Real,
        Some(Declared::Number) => Said::Number,
        Some(Declared::Date(Some(DateOrder::Dmy))) => Said::DateDmy,
        Some(Declared::Date(Some(DateOrder::Mdy))) => Said::DateMdy,
        Some(Declared::Date(_) | Declared::DateAs(_)) => Said::Date,
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::settings::Model;
    use lookalike_table::{ReadOptions, read};

    use super::*;

    /// A column is read the same with the kind that it pins, whatever its cells look like.
    #[test]
    fn what_is_pinned_reads_the_same() {
        let columns: [(&str, &[&str]); 15] = [
            ("integer", &["1", "20", "-3"]),
            ("integer", &["1,234,567", "2,000,000", "12,345,678"]),
            ("integer", &["1200 €", "35 €", "7 €"]),
            ("real", &["1.5", "2", "30.25"]),
            ("real", &["1,5", "2", "30,25"]),
            ("real", &["12.5 %", "2.25 %", "30 %"]),
            ("number", &["1,234.5", "2,000.25", "3"]),
            ("number", &["1.234,5", "2.000,25", "3"]),
            ("date", &["2024-01-31", "2023-12-01", "2024-02-29"]),
            ("date", &["2024-01-31T08:30", "2023-12-01T23:59", "2024-02-29T00:00"]),
            ("date-dmy", &["31.01.2024", "01.12.2023", "29.02.2024"]),
            ("date-mdy", &["01/31/2024", "12/01/2023", "02/29/2024"]),
            ("date-dmy", &["31 Jan 2024", "1 Dec 2023", "29 Feb 2024"]),
            ("date", &["2024-01", "2023-12", "2024-02"]),
            ("category", &["f", "m", "d"]),
        ];
        for (kind_said, cells) in columns {
            let rows: String = cells.iter().map(|cell| String::from("\"") + cell + "\"\n").collect();
            let table = read(("x\n".to_owned() + &rows).as_bytes(), &ReadOptions::default()).unwrap();
            let found = Settings { quasi: vec!["x".into()], ..Settings::of(Model::KAnonymity { k: 2 }) };
            let pinned = pinned_before(&found, &table);
            assert_eq!(pinned.kinds["x"].to_string(), kind_said, "{cells:?}");
            let column = &table.columns[0];
            assert_eq!(kind(column, &pinned).unwrap(), kind(column, &found).unwrap(), "{cells:?}");
        }
    }

    #[test]
    fn what_was_said_stays() {
        let table = read(b"x,y,z\n1,a,01\n2,b,02\n", &ReadOptions::default()).unwrap();
        let mut settings = Settings {
            quasi: vec!["x".into(), "y".into(), "z".into()],
            ..Settings::of(Model::KAnonymity { k: 2 })
        };
        settings.kinds.insert("x".into(), Said::Category);
        settings.orders.insert("y".into(), vec!["a".into(), "b".into()]);
        settings.pad.insert("z".into(), 2);
        assert_eq!(pinned_before(&settings, &table), settings);
    }
}
