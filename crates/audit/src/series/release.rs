//! One published table of a series: its classes and their signatures.

use lookalike_table::Table;

use super::{Question, lexicon::Lexicon};
use crate::{
    ClassName, Error,
    groups::{Groups, NO_GROUP},
    published::Published,
    suppressed::kept_rows,
};

/// What is published together of one release.
pub(super) struct Release {
    /// In published order; suppressed rows, if there are any, are the last one.
    pub(super) classes: Vec<Class>,
    /// Class of each row.
    pub(super) of_row: Vec<u32>,
    /// Whether there is a class column; otherwise a class is what is published alike.
    pub(super) labelled: bool,
}

/// Rows that an attacker finds together.
pub(super) struct Class {
    /// The label, or the published quasi-identifiers where there are no labels.
    pub(super) name: ClassName,
    /// Number of its set of sensitive values.
    pub(super) signature: u32,
    /// Its rows.
    pub(super) rows: usize,
    /// These rows were suppressed: they may be anybody's.
    pub(super) suppressed: bool,
}

impl Release {
    pub(super) fn new(table: &Table, question: &Question, lexicon: &mut Lexicon) -> Result<Self, Error> {
        let published = Published::new(table, &question.of_one())?;
        let keep = kept_rows(table.rows, &published.quasi, published.class, &question.suppressed);
        let groups = match published.class {
            Some(class) => Groups::among(&keep, vec![class]),
            None => Groups::among(&keep, published.quasi.clone()),
        };
        let rest = groups.sizes.len() as u32;
        let of_row: Vec<u32> = groups.of.iter().map(|&of| if of == NO_GROUP { rest } else { of }).collect();
        let suppressed = keep.iter().filter(|kept| !**kept).count();

        let sensitive = published.sensitive.ok_or(Error::NoSensitive)?;
        let code_of: Vec<u32> = sensitive.values.iter().map(|text| lexicon.value(text)).collect();
        let mut values: Vec<Vec<u32>> = vec![Vec::new(); rest as usize + usize::from(suppressed > 0)];
        for (&class, &cell) in of_row.iter().zip(&sensitive.cells) {
            values[class as usize].push(code_of[cell as usize]);
        }
        let class = |(at, values): (usize, Vec<u32>)| Class {
            name: match published.class {
                _ if at as u32 == rest => ClassName::Suppressed,
                Some(label) => ClassName::Label(label.cell(groups.first[at]).to_owned()),
                None => ClassName::Alike(groups.describe(at)),
            },
            rows: values.len(),
            signature: lexicon.signature(values),
            suppressed: at as u32 == rest,
        };
        let classes = values.into_iter().enumerate().map(class).collect();
        Ok(Self { classes, of_row, labelled: published.class.is_some() })
    }
}
