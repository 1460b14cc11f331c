//! Cells of Arrow's columns as the texts that a CSV has of them, which is what everything else here reads.
//!
//! Whole numbers are digits ("34"), numbers of a column with fractions have their decimal sign ("34.0", "0.5"), dates and times of day
//! have the form of ISO 8601, truth is "true" or "false"; nulls, and numbers that are none (NaN), are empty cells. A moment is as fine
//! as a second.

use std::fmt::Write as _;

use arrow_array::{
    Array, ArrowPrimitiveType, PrimitiveArray,
    cast::AsArray as _,
    types::{
        ArrowDictionaryKeyType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type,
        Decimal256Type, DecimalType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
        Int64Type, Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType,
        TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
        UInt8Type, UInt16Type, UInt32Type, UInt64Type,
    },
};
use arrow_schema::{DataType, TimeUnit};
use jiff::{SignedDuration, civil};
use lookalike_model::settings::Kind;

/// Appends the text of a row's cell; nothing if it is missing.
pub type Put<'a> = Box<dyn Fn(usize, &mut String) + Send + Sync + 'a>;

/// What a column of this type is, whatever its cells look like; `None` for labels.
#[must_use]
pub fn kind(of: &DataType) -> Option<Kind> {
    match of {
        DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::UInt8
        | DataType::UInt16
        | DataType::UInt32
        | DataType::UInt64 => Some(Kind::Integer),
        DataType::Float16
        | DataType::Float32
        | DataType::Float64
        | DataType::Decimal32(..)
        | DataType::Decimal64(..)
        | DataType::Decimal128(..)
        | DataType::Decimal256(..) => Some(Kind::Number),
        DataType::Date32 | DataType::Date64 | DataType::Timestamp(..) => Some(Kind::Date),
        _ => None,
    }
}

/// Whether cells of this type are texts, of which nobody guesses that they are numbers.
#[must_use]
pub fn is_text(of: &DataType) -> bool {
    match of {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Boolean => true,
        DataType::Dictionary(_, of) => is_text(of),
        _ => false,
    }
}

/// How a column's cells become texts; `None` for a type that has no text. `short` leaves out what no
/// cell of the column needs ([`are_short`]).
#[must_use]
pub fn texts(column: &dyn Array, short: bool) -> Option<Put<'_>> {
    Some(match column.data_type() {
        DataType::Null => Box::new(|_, _| {}),
        DataType::Utf8 => {
            let cells = column.as_string::<i32>();
            known(cells, |row, text| text.push_str(cells.value(row)))
        }
        DataType::LargeUtf8 => {
            let cells = column.as_string::<i64>();
            known(cells, |row, text| text.push_str(cells.value(row)))
        }
        DataType::Utf8View => {
            let cells = column.as_string_view();
            known(cells, |row, text| text.push_str(cells.value(row)))
        }
        DataType::Boolean => {
            let cells = column.as_boolean();
            known(cells, |row, text| text.push_str(if cells.value(row) { "true" } else { "false" }))
        }
        DataType::Int8 => whole::<Int8Type>(column),
        DataType::Int16 => whole::<Int16Type>(column),
        DataType::Int32 => whole::<Int32Type>(column),
        DataType::Int64 => whole::<Int64Type>(column),
        DataType::UInt8 => whole::<UInt8Type>(column),
        DataType::UInt16 => whole::<UInt16Type>(column),
        DataType::UInt32 => whole::<UInt32Type>(column),
        DataType::UInt64 => whole::<UInt64Type>(column),
        DataType::Float16 => numbers::<Float16Type>(column, short),
        DataType::Float32 => numbers::<Float32Type>(column, short),
        DataType::Float64 => numbers::<Float64Type>(column, short),
        DataType::Decimal32(..) => decimals::<Decimal32Type>(column),
        DataType::Decimal64(..) => decimals::<Decimal64Type>(column),
        DataType::Decimal128(..) => decimals::<Decimal128Type>(column),
        DataType::Decimal256(..) => decimals::<Decimal256Type>(column),
        DataType::Date32 => moments::<Date32Type>(column, 1, true),
        DataType::Date64 => moments::<Date64Type>(column, PER_DAY * 1_000, short),
        DataType::Time32(TimeUnit::Second) => clocks::<Time32SecondType>(column, PER_DAY),
        DataType::Time32(_) => clocks::<Time32MillisecondType>(column, PER_DAY * 1_000),
        DataType::Time64(TimeUnit::Microsecond) => {
            clocks::<Time64MicrosecondType>(column, PER_DAY * 1_000_000)
        }
        DataType::Time64(_) => clocks::<Time64NanosecondType>(column, PER_DAY * 1_000_000_000),
        DataType::Timestamp(unit, _) => match unit {
            TimeUnit::Second => moments::<TimestampSecondType>(column, PER_DAY, short),
            TimeUnit::Millisecond => moments::<TimestampMillisecondType>(column, PER_DAY * 1_000, short),
            TimeUnit::Microsecond => moments::<TimestampMicrosecondType>(column, PER_DAY * 1_000_000, short),
            TimeUnit::Nanosecond => {
                moments::<TimestampNanosecondType>(column, PER_DAY * 1_000_000_000, short)
            }
        },
        DataType::Dictionary(key, _) => by_key(column, key)?,
        _ => return None,
    })
}

/// The labels of a column whose keys have this type.
fn by_key<'a>(column: &'a dyn Array, key: &DataType) -> Option<Put<'a>> {
    match key {
        DataType::Int8 => labels::<Int8Type>(column),
        DataType::Int16 => labels::<Int16Type>(column),
        DataType::Int32 => labels::<Int32Type>(column),
        DataType::Int64 => labels::<Int64Type>(column),
        DataType::UInt8 => labels::<UInt8Type>(column),
        DataType::UInt16 => labels::<UInt16Type>(column),
        DataType::UInt32 => labels::<UInt32Type>(column),
        DataType::UInt64 => labels::<UInt64Type>(column),
        _ => None,
    }
}

/// Seconds in a day.
const PER_DAY: i64 = 86_400;

fn known<'a>(cells: &'a dyn Array, put: impl Fn(usize, &mut String) + Send + Sync + 'a) -> Put<'a> {
    if cells.null_count() == 0 {
        return Box::new(put);
    }
    Box::new(move |row, text| {
        if cells.is_valid(row) {
            put(row, text);
        }
    })
}

fn whole<T>(column: &dyn Array) -> Put<'_>
where
    T: ArrowPrimitiveType,
    T::Native: itoa::Integer,
{
    let cells = column.as_primitive::<T>();
    known(cells, move |row, text| text.push_str(itoa::Buffer::new().format(cells.value(row))))
}

/// Numbers of 32 bits have the digits that tell them from others of 32 bits: 0.1 stays 0.1.
fn numbers<T>(column: &dyn Array, short: bool) -> Put<'_>
where
    T: ArrowPrimitiveType,
    T::Native: std::fmt::Display + std::fmt::Debug + Into<f64>,
{
    let cells = column.as_primitive::<T>();
    known(cells, move |row, text| {
        let number = cells.value(row);
        if number.into().is_nan() {
            return;
        }
        let _ = if short { write!(text, "{number}") } else { write!(text, "{number:?}") };
    })
}

fn decimals<T: DecimalType>(column: &dyn Array) -> Put<'_> {
    let cells = column.as_primitive::<T>();
    known(cells, |row, text| text.push_str(&cells.value_as_string(row)))
}

fn labels<K: ArrowDictionaryKeyType>(column: &dyn Array) -> Option<Put<'_>> {
    let cells = column.as_dictionary::<K>();
    let put = texts(cells.values().as_ref(), false)?;
    Some(known(cells, move |row, text| {
        let value = cells.key(row);
        // The label itself may be null, too.
        if let Some(value) = value.filter(|&value| cells.values().is_valid(value)) {
            put(value, text);
        }
    }))
}

/// Moments of so many units a day since 1970-01-01.
fn moments<T>(column: &dyn Array, per_day: i64, days: bool) -> Put<'_>
where
    T: ArrowPrimitiveType,
    T::Native: Into<i64>,
{
    let cells: &PrimitiveArray<T> = column.as_primitive();
    known(cells, move |row, text| put_moment(cells.value(row).into(), per_day, days, text))
}

/// Times of day, of so many units a day.
fn clocks<T>(column: &dyn Array, per_day: i64) -> Put<'_>
where
    T: ArrowPrimitiveType,
    T::Native: Into<i64>,
{
    let cells: &PrimitiveArray<T> = column.as_primitive();
    known(cells, move |row, text| put_clock(cells.value(row).into(), per_day, text))
}

/// A time of day.
fn put_clock(of_day: i64, per_day: i64, text: &mut String) {
    let seconds = i128::from(of_day) * i128::from(PER_DAY) / i128::from(per_day);
    let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    // Writing to a String cannot fail.
    let _ = write!(text, "{hour:02}:{minute:02}:{second:02}");
}

fn put_moment(moment: i64, per_day: i64, days: bool, text: &mut String) {
    let (day, of_day) = (moment.div_euclid(per_day), moment.rem_euclid(per_day));
    let date = civil::date(1970, 1, 1).checked_add(SignedDuration::from_hours(day.saturating_mul(24)));
    let Ok(date) = date else {
        // Beyond the years that calendars have: no date, and it is said so where the column is read.
        let _ = write!(text, "{moment}");
        return;
    };
    let _ = write!(text, "{date}");
    if !days {
        text.push('T');
        put_clock(of_day, per_day, text);
    }
}

/// Whether [`are_short`] can say no of a column of this type.
#[must_use]
pub fn may_be_long(of: &DataType) -> bool {
    use DataType::{Date64, Float16, Float32, Float64, Timestamp};
    matches!(of, Float16 | Float32 | Float64 | Date64 | Timestamp(..))
}

/// Whether no cell of a column needs the long form of its type: all moments are midnights, all numbers are whole, as those of a
/// pandas column with gaps.
#[must_use]
pub fn are_short(column: &dyn Array) -> bool {
    fn midnights<T: ArrowPrimitiveType>(column: &dyn Array, per_day: i64) -> bool
    where
        T::Native: Into<i64>,
    {
        column.as_primitive::<T>().iter().flatten().all(|moment| moment.into().rem_euclid(per_day) == 0)
    }
    fn whole<T: ArrowPrimitiveType>(column: &dyn Array) -> bool
    where
        T::Native: Into<f64>,
    {
        let mut numbers = column.as_primitive::<T>().iter().flatten().map(Into::into);
        numbers.all(|number: f64| number.is_nan() || number.fract() == 0.0)
    }
    match column.data_type() {
        DataType::Float16 => whole::<Float16Type>(column),
        DataType::Float32 => whole::<Float32Type>(column),
        DataType::Float64 => whole::<Float64Type>(column),
        DataType::Date64 => midnights::<Date64Type>(column, PER_DAY * 1_000),
        DataType::Timestamp(unit, _) => match unit {
            TimeUnit::Second => midnights::<TimestampSecondType>(column, PER_DAY),
            TimeUnit::Millisecond => midnights::<TimestampMillisecondType>(column, PER_DAY * 1_000),
            TimeUnit::Microsecond => midnights::<TimestampMicrosecondType>(column, PER_DAY * 1_000_000),
            TimeUnit::Nanosecond => midnights::<TimestampNanosecondType>(column, PER_DAY * 1_000_000_000),
        },
        _ => true,
    }
}
