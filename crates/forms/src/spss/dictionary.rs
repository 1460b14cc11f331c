//! What stands before the data: columns, their labels, and what is missing.

use std::{
    collections::HashMap,
    io::{BufRead, Read, Seek},
};

use arrow_schema::DataType;
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use lookalike_table::Error;
use lookalike_words::Name;

use super::{broken, moments::Time, short};
use crate::{
    FormFault,
    labelled::{Cells, Tally},
};

/// Columns of a file, at most, in pieces of 8 bytes.
const PIECES: usize = 1 << 22;

/// Bytes of a record of the dictionary, at most.
const RECORD: usize = 1 << 28;

/// Bytes of a segment of a very long text that are used, and that are counted.
const SEGMENT: usize = 255;
const COUNTED: usize = 252;

/// How the data are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    No,
    Bytes,
    Zlib,
}

/// What stands before the data.
#[derive(Debug)]
pub(super) struct Dictionary {
    pub(super) is_little: bool,
    pub(super) packing: Packing,
    /// What small numbers are packed with.
    pub(super) bias: f64,
    /// The number that stands for a missing one.
    pub(super) missing: f64,
    /// The piece of 8 bytes of a row that holds its weight.
    weight: Option<usize>,
    /// Rows, if the file says it.
    pub(super) cases: Option<u64>,
    /// Pieces of 8 bytes of a row.
    pub(super) pieces: usize,
    /// Where the data begin.
    pub(super) data: u64,
    pub(super) encoding: &'static Encoding,
    pub(super) variables: Vec<Variable>,
}

/// A column.
#[derive(Debug, Default)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) label: String,
    /// Bytes of a text; 0 for numbers.
    pub(super) width: usize,
    /// Its first piece of 8 bytes in a row.
    at: usize,
    time: Option<Time>,
    /// Labels by the bits of numbers, and by texts.
    numbers: HashMap<u64, String>,
    texts: HashMap<String, String>,
    declared: Vec<Declared>,
}

/// What is declared missing.
#[derive(Debug)]
enum Declared {
    Number(f64),
    Range(f64, f64),
    Text(String),
}

/// The dictionary as it is read, its texts not decoded yet.
#[derive(Default)]
struct Raw {
    variables: Vec<RawVariable>,
    /// Labels, and the pieces of the columns that have them.
    sets: Vec<(Vec<RawLabel>, Vec<usize>)>,
    /// Records with more, by their number.
    more: HashMap<u32, Vec<u8>>,
    pieces: usize,
}

/// A value with its label.
type RawLabel = ([u8; 8], Vec<u8>);

struct RawVariable {
    name: Vec<u8>,
    label: Vec<u8>,
    width: usize,
    at: usize,
    format: u8,
    /// Values that are declared missing, and what their number says.
    declared: (i32, Vec<[u8; 8]>),
}

/// Reads the bytes of a file in its order.
struct Bytes<'a, R> {
    source: &'a mut R,
    is_little: bool,
}

impl<R: Read> Bytes<'_, R> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut bytes = [0; N];
        self.source.read_exact(&mut bytes).map_err(|error| short(&error))?;
        Ok(bytes)
    }

    fn many(&mut self, length: usize) -> Result<Vec<u8>, Error> {
        if length > RECORD {
            return Err(broken("a record is too long"));
        }
        let mut bytes = Vec::new();
        let read = self.source.by_ref().take(length as u64).read_to_end(&mut bytes);
        if read.map_err(|error| short(&error))? < length {
            return Err(broken("it ends within a record"));
        }
        Ok(bytes)
    }

    fn i32(&mut self) -> Result<i32, Error> {
        let bytes = self.take::<4>()?;
        Ok(if self.is_little { i32::from_le_bytes(bytes) } else { i32::from_be_bytes(bytes) })
    }

    fn count(&mut self) -> Result<usize, Error> {
        usize::try_from(self.i32()?).map_err(|_| broken("a number of records is below 0"))
    }

    fn f64(&mut self) -> Result<f64, Error> {
        let bytes = self.take::<8>()?;
        Ok(if self.is_little { f64::from_le_bytes(bytes) } else { f64::from_be_bytes(bytes) })
    }
}

impl Dictionary {
    /// Reads all that stands before the data.
    pub(super) fn read<R: BufRead + Seek>(
        source: &mut R,
        chosen: Option<&'static Encoding>,
    ) -> Result<Self, Error> {
        let mut bytes = Bytes { source, is_little: true };
        // Mark and name of the product.
        let mark = bytes.take::<64>()?;
        let layout = bytes.take::<4>()?;
        bytes.is_little = match (i32::from_le_bytes(layout), i32::from_be_bytes(layout)) {
            (2 | 3, _) => true,
            (_, 2 | 3) => false,
            _ => return Err(broken("its header has no order of bytes")),
        };
        let _size = bytes.i32()?;
        let packing = match (bytes.i32()?, mark.starts_with(b"$FL3")) {
            (0, false) => Packing::No,
            (1, false) => Packing::Bytes,
            (2, true) => Packing::Zlib,
            _ => return Err(broken("its data are packed in an unknown way")),
        };
        let weight = bytes.count().ok().and_then(|weight| weight.checked_sub(1));
        let cases = u64::try_from(bytes.i32()?).ok();
        let bias = bytes.f64()?;
        // Day, time, label of the file, padding.
        bytes.many(9 + 8 + 64 + 3)?;
        let raw = Raw::read(&mut bytes)?;
        let is_little = bytes.is_little;
        let data = source.stream_position().map_err(|error| short(&error))?;
        let encoding = match chosen {
            Some(encoding) => encoding,
            None => raw.encoding(is_little)?,
        };
        let mut dictionary = Self {
            is_little,
            packing,
            bias,
            missing: -f64::MAX,
            weight,
            cases,
            pieces: raw.pieces,
            data,
            encoding,
            variables: Vec::new(),
        };
        if dictionary.pieces == 0 {
            return Err(broken("it has no columns"));
        }
        if let Some(floats) = raw.more.get(&4).and_then(|floats| floats.first_chunk()) {
            dictionary.missing = dictionary.f64(*floats);
        }
        dictionary.complete(raw)?;
        Ok(dictionary)
    }

    pub(super) fn f64(&self, bytes: [u8; 8]) -> f64 {
        if self.is_little { f64::from_le_bytes(bytes) } else { f64::from_be_bytes(bytes) }
    }

    /// A number of 8 bytes; 0 of fewer.
    pub(super) fn u64(&self, bytes: &[u8]) -> u64 {
        let bytes = bytes.first_chunk().copied().unwrap_or_default();
        if self.is_little { u64::from_le_bytes(bytes) } else { u64::from_be_bytes(bytes) }
    }

    /// The column of weights, if rows have some.
    pub(super) fn weight(&self) -> Option<&str> {
        let found = self.variables.iter().find(|variable| Some(variable.at) == self.weight);
        found.map(|variable| variable.name.as_str())
    }

    /// A text without the blanks behind it.
    fn text(&self, bytes: &[u8]) -> String {
        let end = bytes.iter().rposition(|byte| !matches!(byte, b' ' | 0)).map_or(0, |last| last + 1);
        self.encoding.decode_without_bom_handling(&bytes[..end]).0.into_owned()
    }

    fn complete(&mut self, mut raw: Raw) -> Result<(), Error> {
        let (names, widths) = (self.pairs(&raw, 13), self.pairs(&raw, 14));
        let variables = std::mem::take(&mut raw.variables);
        let mut left = variables.as_slice();
        while let [variable, after @ ..] = left {
            left = after;
            let short = self.text(&variable.name);
            let long = widths.get(&short).and_then(|width| width.parse::<usize>().ok());
            let width = match long.filter(|&width| width > SEGMENT && variable.width > 0) {
                Some(width) => {
                    // The other pieces of a very long text are variables of texts, too.
                    let (segments, others) = after
                        .split_at_checked(width.div_ceil(COUNTED) - 1)
                        .filter(|(segments, _)| segments.iter().all(|segment| segment.width > 0))
                        .ok_or_else(|| broken(format!("{short} is longer than its pieces")))?;
                    left = others;
                    width.min(SEGMENT * (segments.len() + 1))
                }
                None => variable.width,
            };
            let mut made = Variable {
                label: self.text(&variable.label),
                width,
                at: variable.at,
                time: Time::of(variable.format).filter(|_| width == 0),
                name: names.get(&short).cloned().unwrap_or(short),
                ..Variable::default()
            };
            made.declared = self.declared(&made, &variable.declared);
            self.variables.push(made);
        }
        for (labels, places) in &raw.sets {
            for variable in self
                .variables
                .iter()
                .enumerate()
                .filter(|(_, variable)| places.contains(&variable.at))
                .map(|(at, _)| at)
                .collect::<Vec<_>>()
            {
                for (value, label) in labels {
                    let label = self.text(label);
                    if self.variables[variable].width == 0 {
                        let bits = (self.f64(*value) + 0.0).to_bits();
                        self.variables[variable].numbers.insert(bits, label);
                    } else {
                        let value = self.text(value);
                        self.variables[variable].texts.insert(value, label);
                    }
                }
            }
        }
        self.long_texts(&raw, &names);
        // A file that counts in more than 32 bits.
        if let Some(counts) = raw.more.get(&16)
            && let Some(cases) = counts.get(8..16)
        {
            self.cases = Some(self.u64(cases)).filter(|&cases| cases < u64::MAX / 2);
        }
        Ok(())
    }

    /// `NAME=value` for each name, from a record.
    fn pairs(&self, raw: &Raw, record: u32) -> HashMap<String, String> {
        let bytes = raw.more.get(&record).map(Vec::as_slice).unwrap_or_default();
        let text = self.encoding.decode_without_bom_handling(bytes).0;
        let pairs = text.split(['\t', '\0']).filter_map(|pair| pair.split_once('='));
        pairs.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect()
    }

    fn declared(&self, variable: &Variable, (count, values): &(i32, Vec<[u8; 8]>)) -> Vec<Declared> {
        if variable.width > 0 {
            return values.iter().map(|value| Declared::Text(self.text(value))).collect();
        }
        let mut numbers = values.iter().map(|value| self.f64(*value));
        let mut declared = Vec::new();
        if *count < 0
            && let (Some(low), Some(high)) = (numbers.next(), numbers.next())
        {
            declared.push(Declared::Range(low, high));
        }
        declared.extend(numbers.map(Declared::Number));
        declared
    }

    /// Labels and missing values of texts of more than 8 bytes, which stand in records of their own.
    fn long_texts(&mut self, raw: &Raw, names: &HashMap<String, String>) {
        for (record, is_labels) in [(21, true), (22, false)] {
            let mut rest = raw.more.get(&record).map(Vec::as_slice).unwrap_or_default();
            while let Some((name, after)) = self.counted(rest) {
                let short = self.text(name);
                let name = names.get(&short).cloned().unwrap_or(short);
                let found = self.variables.iter().position(|variable| variable.name == name);
                let after =
                    if is_labels { self.labels_of(after, found) } else { self.missing_of(after, found) };
                let Some(after) = after else { break };
                rest = after;
            }
        }
    }

    /// Bytes with their number before them, and what follows.
    fn counted<'b>(&self, bytes: &'b [u8]) -> Option<(&'b [u8], &'b [u8])> {
        let (count, rest) = self.u32(bytes)?;
        rest.split_at_checked(count as usize)
    }

    fn u32<'b>(&self, bytes: &'b [u8]) -> Option<(u32, &'b [u8])> {
        let (count, rest) = bytes.split_first_chunk::<4>()?;
        Some((if self.is_little { u32::from_le_bytes(*count) } else { u32::from_be_bytes(*count) }, rest))
    }

    fn labels_of<'b>(&mut self, bytes: &'b [u8], column: Option<usize>) -> Option<&'b [u8]> {
        let (_width, rest) = self.u32(bytes)?;
        let (count, mut rest) = self.u32(rest)?;
        for _ in 0..count {
            let (value, after) = self.counted(rest)?;
            let (label, after) = self.counted(after)?;
            let (value, label) = (self.text(value), self.text(label));
            if let Some(column) = column {
                self.variables[column].texts.insert(value, label);
            }
            rest = after;
        }
        Some(rest)
    }

    fn missing_of<'b>(&mut self, bytes: &'b [u8], column: Option<usize>) -> Option<&'b [u8]> {
        let (&count, rest) = bytes.split_first()?;
        let (width, mut rest) = self.u32(rest)?;
        for _ in 0..count {
            let (value, after) = rest.split_at_checked(width as usize)?;
            let value = self.text(value);
            if let Some(column) = column {
                self.variables[column].declared.push(Declared::Text(value));
            }
            rest = after;
        }
        Some(rest)
    }
}

impl Raw {
    fn read<R: Read>(bytes: &mut Bytes<'_, R>) -> Result<Self, Error> {
        let mut raw = Self::default();
        loop {
            match bytes.i32()? {
                2 => raw.variable(bytes)?,
                3 => raw.labels(bytes)?,
                // Remarks.
                6 => {
                    let lines = bytes.count()?;
                    bytes.many(lines.saturating_mul(80))?;
                }
                7 => {
                    let kind = bytes.i32()?;
                    let (size, count) = (bytes.count()?, bytes.count()?);
                    let more = bytes.many(size.saturating_mul(count))?;
                    raw.more.insert(kind.unsigned_abs(), more);
                }
                999 => {
                    bytes.i32()?;
                    return Ok(raw);
                }
                other => return Err(broken(format!("a record is of the unknown kind {other}"))),
            }
        }
    }

    fn variable<R: Read>(&mut self, bytes: &mut Bytes<'_, R>) -> Result<(), Error> {
        let (kind, has_label, missing) = (bytes.i32()?, bytes.i32()?, bytes.i32()?);
        let format = bytes.i32()?;
        bytes.i32()?;
        let name = bytes.take::<8>()?.to_vec();
        let mut label = Vec::new();
        if has_label == 1 {
            let length = bytes.count()?;
            label = bytes.many(length.next_multiple_of(4))?;
            label.truncate(length);
        }
        if !(-3..=3).contains(&missing) {
            return Err(broken("a column has an unknown number of missing values"));
        }
        let declared = (0..missing.abs()).map(|_| bytes.take()).collect::<Result<_, _>>()?;
        let at = self.pieces;
        self.pieces += 1;
        if self.pieces > PIECES {
            return Err(broken("it has too many columns"));
        }
        // A further piece of a text is no column.
        if kind >= 0 {
            let width = usize::try_from(kind).unwrap_or_default();
            let format = (format.unsigned_abs() >> 16 & 0xff) as u8;
            self.variables.push(RawVariable {
                name,
                label,
                width,
                at,
                format,
                declared: (missing, declared),
            });
        }
        Ok(())
    }

    fn labels<R: Read>(&mut self, bytes: &mut Bytes<'_, R>) -> Result<(), Error> {
        let mut labels = Vec::new();
        for _ in 0..bytes.count()? {
            let value = bytes.take()?;
            let [length] = bytes.take::<1>()?;
            let length = usize::from(length);
            let mut label = bytes.many((length + 1).next_multiple_of(8) - 1)?;
            label.truncate(length);
            labels.push((value, label));
        }
        if bytes.i32()? != 4 {
            return Err(broken("labels of values belong to no column"));
        }
        let mut places = Vec::new();
        for _ in 0..bytes.count()? {
            places.push(bytes.count()?.wrapping_sub(1));
        }
        self.sets.push((labels, places));
        Ok(())
    }

    /// The encoding that the file says it has.
    fn encoding(&self, is_little: bool) -> Result<&'static Encoding, Error> {
        if let Some(label) = self.more.get(&20) {
            let name = String::from_utf8_lossy(label);
            let found = Encoding::for_label(name.trim().as_bytes());
            return found.ok_or_else(|| FormFault::Encoding { label: Name::from(name.trim()) }.into());
        }
        let page = self.more.get(&3).and_then(|numbers| numbers.get(28..32)).map(|bytes| {
            let bytes = bytes.first_chunk().copied().unwrap_or_default();
            if is_little { i32::from_le_bytes(bytes) } else { i32::from_be_bytes(bytes) }
        });
        let label = match page {
            Some(65001) => return Ok(UTF_8),
            // Not said, or characters of 7 or 8 bits.
            None | Some(0..=4) => return Ok(WINDOWS_1252),
            Some(page @ 1250..=1258) => format!("windows-{page}"),
            Some(page @ 28591..=28606) => format!("iso-8859-{}", page - 28_590),
            Some(932) => String::from("shift_jis"),
            Some(936) => String::from("gbk"),
            Some(949) => String::from("euc-kr"),
            Some(950) => String::from("big5"),
            Some(page) => page.to_string(),
        };
        let found = Encoding::for_label(label.as_bytes());
        found.ok_or_else(|| FormFault::Encoding { label: Name::from(label.as_str()) }.into())
    }
}

impl Variable {
    /// The type of its cells here.
    pub(super) fn data_type(&self) -> DataType {
        match self.time {
            _ if self.width > 0 || !self.numbers.is_empty() => DataType::Utf8,
            Some(time) => time.data_type(),
            None => DataType::Float64,
        }
    }

    /// Whether its codes have labels.
    pub(super) fn has_labels(&self) -> bool {
        !self.numbers.is_empty() || !self.texts.is_empty()
    }

    /// Appends its cell of a row.
    pub(super) fn put(&self, case: &[u8], dictionary: &Dictionary, cells: &mut Cells, tally: &mut Tally) {
        let bytes = case.get(8 * self.at..).unwrap_or_default();
        if self.width > 0 {
            return self.put_text(&dictionary.text(&self.joined(bytes)), cells, tally);
        }
        let number = dictionary.f64(bytes.first_chunk().copied().unwrap_or_default());
        if number == dictionary.missing || number.is_nan() {
            return cells.missing();
        }
        let label = self.numbers.get(&(number + 0.0).to_bits());
        let is_declared = self.declared.iter().any(|declared| match declared {
            Declared::Number(missing) => *missing == number,
            Declared::Range(low, high) => (*low..=*high).contains(&number),
            Declared::Text(_) => false,
        });
        if is_declared {
            tally.declared(&number.to_string(), label.map(String::as_str));
            return cells.missing();
        }
        match (label, cells, self.time) {
            (Some(label), cells @ Cells::Text(_), _) => {
                tally.labelled += 1;
                cells.text(label.clone());
            }
            (_, Cells::Real(cells), _) => cells.push(Some(number)),
            (_, cells, Some(time)) => time.put(number, cells),
            (_, cells, None) => cells.text((number + 0.0).to_string()),
        }
    }

    fn put_text(&self, text: &str, cells: &mut Cells, tally: &mut Tally) {
        let label = self.texts.get(text);
        if self.declared.iter().any(|declared| matches!(declared, Declared::Text(missing) if missing == text))
        {
            tally.declared(text, label.map(String::as_str));
            return cells.missing();
        }
        tally.labelled += usize::from(label.is_some());
        cells.text(label.map_or_else(|| text.to_owned(), String::clone));
    }

    /// The bytes of a text, whose segments stand in pieces of their own.
    fn joined<'b>(&self, bytes: &'b [u8]) -> std::borrow::Cow<'b, [u8]> {
        if self.width <= SEGMENT {
            return bytes.get(..self.width).unwrap_or(bytes).into();
        }
        let mut text = Vec::with_capacity(self.width);
        for segment in bytes.chunks(SEGMENT + 1) {
            let length = SEGMENT.min(self.width - text.len()).min(segment.len());
            text.extend_from_slice(&segment[..length]);
            if text.len() == self.width {
                break;
            }
        }
        text.into()
    }
}
