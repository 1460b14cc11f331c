//! A column of a file of SAS, and its cells.

use arrow_schema::{DataType, Field};
use encoding_rs::Encoding;

use super::{
    moments::Time,
    numbers::{Number, Numbers},
};
use crate::labelled::{Cells, Tally};

/// A column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) is_text: bool,
    /// Its first byte in a row, and its bytes.
    pub(super) at: usize,
    pub(super) width: usize,
    pub(super) time: Option<Time>,
}

impl Variable {
    pub(super) fn field(&self) -> Field {
        let of = match self.time {
            _ if self.is_text => DataType::Utf8,
            Some(time) => time.data_type(),
            None => DataType::Float64,
        };
        Field::new(&self.name, of, true)
    }

    /// Appends its cell of a row, and answers how many bytes of text that are.
    pub(super) fn put(
        &self,
        row: &[u8],
        (numbers, encoding): (Numbers, &'static Encoding),
        cells: &mut Cells,
        tally: &mut Tally,
    ) -> usize {
        let bytes = row.get(self.at..).unwrap_or_default();
        let bytes = bytes.get(..self.width).unwrap_or(bytes);
        if self.is_text {
            let text = text(bytes, encoding);
            let length = text.len();
            cells.text(text);
            return length;
        }
        match (numbers.read(bytes), self.time, cells) {
            (Number::Missing(special), _, cells) => {
                if let Some(letter) = special {
                    tally.declared(&format!(".{letter}"), None);
                }
                cells.missing();
            }
            // As the reader of numbers has it: negative zero is zero.
            (Number::Known(number), None, Cells::Real(cells)) => cells.push(Some(number + 0.0)),
            (Number::Known(number), Some(time), cells) => time.put(number, cells),
            (Number::Known(_), None, cells) => cells.missing(),
        }
        8
    }
}

/// A text without the blanks behind it.
pub(super) fn text(bytes: &[u8], encoding: &'static Encoding) -> String {
    let end = bytes.iter().rposition(|byte| !matches!(byte, b' ' | 0)).map_or(0, |last| last + 1);
    encoding.decode_without_bom_handling(&bytes[..end]).0.into_owned()
}
