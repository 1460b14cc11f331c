//! A kind that the user declares, and the format that the cells then have.

use crate::{
    Affixes, Column, DateFormat, DateOrder, Kind, LongNumbers, Noun, NumberFormat, Question, Reading, date,
    infer, infer::Values, is_missing, misfits, number::Spelling, reading::cells_where,
};

/// What the user says of a column that is to be compared by value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Declared {
    /// Numbers, whole or not, as the cells have it.
    Number,
    /// Whole numbers; a comma or point stands between thousands.
    Integer,
    /// Numbers; a single kind of mark, comma or point, is the decimal sign.
    Real,
    /// Dates, in this order if one is said.
    Date(Option<DateOrder>),
    /// Dates of this format; the names of months in the language of the cells.
    DateAs(DateFormat),
}

impl Declared {
    /// What to declare so that the next table of its kind is read as this column was; `None` for labels and ranks.
    #[must_use]
    pub fn again(kind: Kind, reading: &Reading) -> Option<Self> {
        match (kind, reading) {
            (Kind::Integer, Reading::Numbers(_)) => Some(Self::Integer),
            // A mark between thousands was told from a decimal sign by this table's cells; others may leave it open.
            (_, Reading::Numbers(format)) if format.is_grouped() => Some(Self::Number),
            (_, Reading::Numbers(_)) => Some(Self::Real),
            (_, Reading::Dates(format)) => {
                Some(Self::Date(format.order().filter(|order| *order != DateOrder::Ymd)))
            }
            (_, Reading::Labels | Reading::Ranks(_)) => None,
        }
    }
}

/// Why a column cannot be read as declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undeclarable {
    /// A cell does not fit.
    Cell {
        /// 0-based row.
        row: usize,
        /// Its text.
        cell: String,
        /// What it is not.
        noun: Noun,
    },
    /// A number has too many digits to be told from others: more than 15 that count, where a 64-bit floating-point number is another one
    /// or stands for another number of the column, too.
    LongNumber {
        /// 0-based row.
        row: usize,
        /// Its text.
        cell: String,
    },
    /// The cells can be read in two ways; what to say instead.
    Question(Question),
}

/// The kind and the reading of a column whose cells are of a declared kind.
///
/// # Errors
/// If a cell does not fit, or the format stays open.
pub fn declare(
    column: &Column,
    markers: &[String],
    declared: &Declared,
) -> Result<(Kind, Reading), Undeclarable> {
    let (kind, reading) = read_as(column, markers, declared)?;
    if let Reading::Numbers(format) = reading
        && let Some(merged) = LongNumbers::in_column(&Values::of(column, markers).cells(), format)
        && let Some((row, cell)) = cells_where(column, |cell| cell == merged).into_iter().next()
    {
        return Err(Undeclarable::LongNumber { row, cell });
    }
    Ok((kind, reading))
}

/// The same, of numbers that may be taken for one another.
fn read_as(
    column: &Column,
    markers: &[String],
    declared: &Declared,
) -> Result<(Kind, Reading), Undeclarable> {
    let values = Values::of(column, markers);
    let fits = |reading: &Reading| values.cells().all(|cell| reading.value(cell).is_some());
    match declared {
        Declared::Number => numbers(column, markers, &values),
        Declared::Integer => integers(column, markers, &values),
        Declared::Real => {
            let order = [
                NumberFormat::PLAIN,
                NumberFormat::COMMA,
                NumberFormat::COMMA_GROUPED,
                NumberFormat::POINT_GROUPED,
            ];
            let affixes = Affixes::of(&values.cells()).into_iter();
            let dressed = affixes.flat_map(|affixes| order.map(|format| format.with_affixes(affixes)));
            let mut formats = order.into_iter().chain(dressed).chain(NumberFormat::of(&values.cells()));
            let reading = formats.find(|f| fits(&Reading::Numbers(*f))).map(Reading::Numbers);
            let reading = reading.unwrap_or_else(|| nearest(infer(column, markers).nearly, &values));
            misfit(column, markers, &reading).map(|(_, reading)| (Kind::Real, reading))
        }
        Declared::Date(order) => dates(column, markers, &values, *order),
        Declared::DateAs(format) => {
            let reading = Reading::Dates(date::declared(format, &values.cells()));
            misfit(column, markers, &reading).map(|(_, reading)| (Kind::Date, reading))
        }
    }
}

fn numbers(column: &Column, markers: &[String], values: &Values) -> Result<(Kind, Reading), Undeclarable> {
    let fits = |reading: &Reading| values.cells().all(|cell| reading.value(cell).is_some());
    let inferred = infer(column, markers);
    if let Some(question) = inferred.question
        && [Affixes::NONE]
            .into_iter()
            .chain(Affixes::of(&values.cells()))
            .any(|affixes| fits(&Reading::Numbers(NumberFormat::COMMA.with_affixes(affixes))))
    {
        return Err(Undeclarable::Question(question));
    }
    if let Reading::Numbers(_) = inferred.reading {
        return Ok((inferred.kind, inferred.reading));
    }
    // Codes with leading zeros are numbers if the user says so; an empty column is no obstacle.
    let (_, reading) = misfit(column, markers, &nearest(inferred.nearly, values))?;
    let Reading::Numbers(format) = reading else { return Ok((Kind::Real, reading)) };
    let whole = values.cells().all(|cell| format.spelling(cell) == Some(Spelling::Whole));
    Ok((if whole { Kind::Integer } else { Kind::Real }, reading))
}

fn integers(column: &Column, markers: &[String], values: &Values) -> Result<(Kind, Reading), Undeclarable> {
    let whole = |format: NumberFormat, cell: &str| format.spelling(cell) == Some(Spelling::Whole);
    let all = NumberFormat::of(&values.cells());
    if let Some(format) = all.iter().copied().find(|f| values.cells().all(|cell| whole(*f, cell))) {
        return Ok((Kind::Integer, Reading::Numbers(format)));
    }
    let odd = cells_where(column, |cell| {
        !is_missing(cell, markers) && !all.iter().any(|format| whole(*format, cell))
    });
    // If each cell fits some format, but no two the same, the first that is not plain tells.
    let plain = || misfits(column, markers, &Reading::Numbers(NumberFormat::PLAIN));
    let first = odd.into_iter().next().or_else(|| plain().into_iter().next());
    match first {
        Some((row, cell)) if all.iter().any(|format| format.is_long(&cell)) => {
            Err(Undeclarable::LongNumber { row, cell })
        }
        first => cell_error(first, Noun::WholeNumber),
    }
}

fn dates(
    column: &Column,
    markers: &[String],
    values: &Values,
    order: Option<DateOrder>,
) -> Result<(Kind, Reading), Undeclarable> {
    let compact = DateFormat::days(DateOrder::Ymd, None, true);
    if order.is_none_or(|order| order == DateOrder::Ymd)
        && values.cells().next().is_some()
        && values.cells().all(|cell| compact.parse(cell).is_some())
    {
        return Ok((Kind::Date, Reading::Dates(compact)));
    }
    let format = match (order, date::fit(&values.cells())) {
        (None, date::Fit::Only(format, _)) => format,
        (None, date::Fit::EitherWay(format, cell)) => {
            return Err(Undeclarable::Question(format.question(&cell, &column.name)));
        }
        (_, date::Fit::Century(format, cell)) => {
            return Err(Undeclarable::Question(format.century(&cell, &column.name)));
        }
        (order, _) => {
            let usual = DateFormat::days(order.unwrap_or(DateOrder::Ymd), Some('-'), true);
            let mut found = date::candidate(values.cells()).into_iter();
            found.find(|format| order.is_none() || format.order() == order).unwrap_or(usual)
        }
    };
    misfit(column, markers, &Reading::Dates(format)).map(|(_, reading)| (Kind::Date, reading))
}

/// The reading that nearly all cells have, else the one in which all are numbers of any length, else plain numbers.
fn nearest(nearly: Option<Reading>, values: &Values) -> Reading {
    let plain = Reading::Numbers(NumberFormat::PLAIN);
    if values.cells().all(|cell| plain.value(cell).is_some()) {
        return plain;
    }
    let numbers = nearly.filter(|reading| matches!(reading, Reading::Numbers(_)));
    numbers.or_else(|| values.number_format().map(Reading::Numbers)).unwrap_or(plain)
}

/// The reading, unless a cell does not fit it.
fn misfit(column: &Column, markers: &[String], reading: &Reading) -> Result<(Kind, Reading), Undeclarable> {
    match misfits(column, markers, reading).into_iter().next() {
        None => {
            Ok((if matches!(reading, Reading::Dates(_)) { Kind::Date } else { Kind::Real }, reading.clone()))
        }
        Some((row, cell)) if reading.is_too_long(&cell) => Err(Undeclarable::LongNumber { row, cell }),
        first => cell_error(first, reading.noun()),
    }
}

fn cell_error<T>(first: Option<(usize, String)>, noun: Noun) -> Result<T, Undeclarable> {
    let (row, cell) = first.unwrap_or_default();
    Err(Undeclarable::Cell { row, cell, noun })
}
