//! The kind of a quasi-identifier: as declared, else as inferred; never guessed where two readings are possible.

use std::collections::BTreeSet;

use lookalike_model::settings::{self as wire, Settings};
use lookalike_table::{
    Column, DateFormat, DateOrder, Declared, Kind, Noun, NumberFormat, Reading, Undeclarable, declare, infer,
    is_missing, is_nonfinite, misfits,
};
use lookalike_words::Said;

use super::misfit::{Misfit, shown};
use crate::Error;

/// Kind of a quasi-identifier, and how its cells are compared. A column that is nearly but not wholly numeric is an
/// error, since either reading could be wrong.
pub(crate) fn kind(column: &Column, settings: &Settings) -> Result<(Kind, Reading), Error> {
    let markers = &settings.missing.markers;
    let name = &column.name;
    let declared = settings.kinds.get(name);
    let pad = settings.pad.get(name);
    if let Some(&width) = pad {
        padded(column, width, markers)?;
    }
    if let Some(order) = settings.orders.get(name) {
        return match declared {
            None | Some(wire::Kind::Ordinal) => ordinal(column, order, markers),
            Some(other) => {
                Err(Misfit::OrderOfKind { name: name.as_str().into(), kind: other.to_string() }.into())
            }
        };
    }
    let declared = match declared {
        None | Some(wire::Kind::Category) if pad.is_some() => return Ok((Kind::Category, Reading::Labels)),
        Some(other) if pad.is_some() && *other != wire::Kind::Ordinal => {
            return Err(Misfit::PadOfKind { name: name.as_str().into(), kind: other.to_string() }.into());
        }
        None => return inferred(column, markers),
        Some(wire::Kind::Category) => return Ok((Kind::Category, Reading::Labels)),
        Some(wire::Kind::Ordinal) => {
            return Err(Misfit::NoOrder { name: name.as_str().into() }.into());
        }
        Some(wire::Kind::Number) => Declared::Number,
        Some(wire::Kind::Integer) => Declared::Integer,
        Some(wire::Kind::Real) => Declared::Real,
        Some(wire::Kind::Date) => Declared::Date(None),
        Some(wire::Kind::DateDmy) => Declared::Date(Some(DateOrder::Dmy)),
        Some(wire::Kind::DateMdy) => Declared::Date(Some(DateOrder::Mdy)),
        Some(wire::Kind::DateAs(format)) => Declared::DateAs(date_format(name, format)?),
    };
    declare(column, markers, &declared).map_err(|why| match why {
        Undeclarable::Question(question) => {
            Misfit::TwoReadings { name: name.as_str().into(), question }.into()
        }
        Undeclarable::LongNumber { row, cell } => long_number(name, row, &cell).into(),
        Undeclarable::Cell { row, cell, noun } => {
            Misfit::NotAsDeclared { name: name.as_str().into(), row: row + 1, cell: shown(&cell), kind: noun }
                .into()
        }
    })
}

/// Whether the cells of a column have the digits that they are filled up to while the table is read.
fn padded(column: &Column, width: u8, markers: &[String]) -> Result<(), Error> {
    let fits = |cell: &str| {
        let digits = cell.trim();
        digits.is_empty()
            || is_missing(cell, markers)
            || digits.len() == usize::from(width) && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let odd: Vec<bool> = column.values.iter().map(|value| !fits(value)).collect();
    match column.cells.iter().position(|&code| odd[code as usize]) {
        None => Ok(()),
        Some(row) => {
            let (name, cell) = (column.name.as_str().into(), shown(column.cell(row)));
            Err(Misfit::NotPadded { name, row: row + 1, cell, width: width.into() }.into())
        }
    }
}

/// Why a run stops at a column whose kind nobody says, if it does.
pub(crate) fn stops(column: &Column, markers: &[String]) -> Option<Said> {
    inferred(column, markers).err().map(|error| error.said())
}

/// The format of the dates of a column, as it is declared.
fn date_format(name: &str, format: &str) -> Result<DateFormat, Error> {
    format.parse().map_err(|why| Misfit::DateFormat { name: name.into(), format: format.into(), why }.into())
}

fn inferred(column: &Column, markers: &[String]) -> Result<(Kind, Reading), Error> {
    let inferred = infer(column, markers);
    let name = &column.name;
    if let Some(question) = inferred.question {
        return Err(Misfit::TwoReadingsOrLabels { name: name.as_str().into(), question }.into());
    }
    // Nine in ten numbers: a column of numbers with slips, not a column of labels. NaN and infinity among numbers are
    // slips in any share.
    if let Some(reading) = inferred.nearly
        && let Some((row, cell)) = misfits(column, markers, &reading).first()
    {
        // A number that is too long is no slip, but if the column is not one of labels, nothing else is left to say.
        return Err(if reading.is_too_long(cell) {
            long_number(name, *row, cell).into()
        } else {
            slip(name, *row, cell, reading.noun())
        });
    }
    let plain = Reading::Numbers(NumberFormat::PLAIN);
    if inferred.reading == Reading::Labels
        && let Some((row, cell)) = misfits(column, markers, &plain).first()
        && is_nonfinite(cell)
        && column.values.iter().any(|value| plain.value(value).is_some())
    {
        return Err(slip(name, *row, cell, plain.noun()));
    }
    Ok((inferred.kind, inferred.reading))
}

/// What is said of a number, in its 0-based row, with more digits than are told apart.
pub(crate) fn long_number(name: &str, row: usize, cell: &str) -> Misfit {
    Misfit::LongNumber { name: name.into(), row: row + 1, cell: shown(cell) }
}

fn slip(name: &str, row: usize, cell: &str, kind: Noun) -> Error {
    Misfit::NotAsOthers { name: name.into(), row: row + 1, cell: shown(cell), kind }.into()
}

/// Ranks by the order that the user gives, which must hold every value of the column.
fn ordinal(column: &Column, order: &[String], markers: &[String]) -> Result<(Kind, Reading), Error> {
    let name = &column.name;
    let order: Vec<String> = order.iter().map(|value| value.trim().to_owned()).collect();
    let mut seen = BTreeSet::new();
    for value in &order {
        if !seen.insert(value) {
            return Err(
                Misfit::OrderTwice { name: name.as_str().into(), value: value.as_str().into() }.into()
            );
        }
        if is_missing(value, markers) {
            return Err(
                Misfit::OrderMissing { name: name.as_str().into(), value: value.as_str().into() }.into()
            );
        }
    }
    let reading = Reading::Ranks(order);
    if let Some((row, cell)) = misfits(column, markers, &reading).first() {
        let (name, row, value) = (name.as_str().into(), row + 1, shown(cell));
        return Err(Misfit::NotInOrder { name, row, value }.into());
    }
    Ok((Kind::Ordinal, reading))
}

#[cfg(test)]
mod tests {
    use lookalike_table::{ReadOptions, read};

    use super::*;

    /// A number that is too long is called one, whether the column is declared or not.
    #[test]
    fn long_numbers_are_refused_as_what_they_are() {
        let decimals: String = (0..20).map(|row| format!("{row}.5\n")).collect::<Vec<_>>().concat();
        let said = |cells: &str, declared: Option<wire::Kind>| {
            let table = read(format!("x\n{cells}").as_bytes(), &ReadOptions::default()).unwrap();
            let mut settings = Settings::of(wire::Model::KAnonymity { k: 2 });
            settings.kinds.extend(declared.map(|kind| (String::from("x"), kind)));
            kind(&table.columns[0], &settings).unwrap_err().to_string()
        };
        let long = format!("{decimals}12345678901234567\n");
        let twins = format!("{decimals}0.12345678901234567891\n0.12345678901234567892\n");
        for (cells, declared, row) in [
            (&long, None, 21),
            (&long, Some(wire::Kind::Number), 21),
            (&long, Some(wire::Kind::Real), 21),
            (&String::from("1\n12345678901234567\n"), Some(wire::Kind::Integer), 2),
            (&twins, Some(wire::Kind::Real), 22),
        ] {
            let said = said(cells, declared);
            assert!(said.starts_with(&format!("column \"x\", row {row}: the number ")), "{said}");
            assert!(
                said.contains("too many digits to be distinguished from others (15 are always safe)"),
                "{said}"
            );
        }
    }
}
