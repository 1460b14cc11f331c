//! What the audit found in the ranges of a published table, as bytes, and all of it together.

use std::collections::BTreeMap;

use lookalike_audit::{
    Before, Judged, JudgedPart, PartOf, judge_parts,
    measure::{CellsPart, ColumnPart, penalties_of_parts},
};
use lookalike_model::dialect::Dialect;

use super::{
    block::Blocks,
    bytes::{In, Out, no_result},
    publish::AuditedPart,
    stated::Penalties,
};
use crate::{Error, FormulaCells, release::of_published};

/// What the bytes of a part begin with.
const PART: u32 = 6;

impl AuditedPart {
    /// As bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Out::new(PART);
        let JudgedPart { before, rows, labels, ends, groups, classes, values } = &self.judged;
        for x in [before.rows, before.classes, *rows, *labels] {
            out.size(x);
        }
        for end in ends {
            out.each(end.iter(), |out, cell| out.text(cell));
        }
        for of in [groups, classes] {
            counts(&mut out, &of.sizes);
            pair(&mut out, of.worst);
            out.real(of.worst_known);
            out.size(of.usual);
            out.size(of.single);
            pair(&mut out, of.different);
        }
        out.each(values.iter(), |out, (text, rows)| {
            out.text(text);
            out.size(*rows);
        });
        out.each(self.columns.iter(), column);
        let (cells, columns) = self.formulas.counts();
        out.number(cells);
        out.each(columns.into_iter(), Out::size);
        out.end()
    }

    /// From such bytes.
    ///
    /// # Errors
    /// [`Error::Large`] if they are none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut read = In::new(bytes, PART)?;
        let before = Before { rows: read.size()?, classes: read.size()? };
        let (rows, labels) = (read.size()?, read.size()?);
        let mut texts = || read.each(|read| Ok(read.text()?.to_owned()));
        let ends = [texts()?, texts()?];
        let (groups, classes) = (read_of(&mut read)?, read_of(&mut read)?);
        let values = read.each(|read| Ok((read.text()?.to_owned(), read.size()?)))?;
        let columns = read.each(read_column)?;
        let formulas = FormulaCells::of(read.number()?, read.each(In::size)?);
        read.end()?;
        Ok(Self {
            judged: JudgedPart { before, rows, labels, ends, groups, classes, values },
            columns,
            formulas,
        })
    }

    /// Rows of the part.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.judged.rows
    }
}

impl Blocks {
    /// The verdict on all ranges together, in any order, of a table of this form, and what a spreadsheet would run of them.
    ///
    /// # Errors
    /// If there is no row.
    pub fn audited(
        &self,
        mut parts: Vec<AuditedPart>,
        dialect: Dialect,
    ) -> Result<(Judged, Penalties, FormulaCells), Error> {
        parts.sort_by_key(|part| part.judged.before.rows);
        let mut formulas = FormulaCells::default();
        let (mut judged, mut columns) = (Vec::new(), Vec::new());
        for part in parts {
            formulas.join(&part.formulas);
            judged.push(part.judged);
            columns.push(part.columns);
        }
        let rows = self.class_rows(0);
        let judged = judge_parts(rows.header(), &self.question(dialect), judged)?;
        let reading = of_published(&self.schema, &self.recodings);
        Ok((judged, Penalties::of(penalties_of_parts(&columns, &self.measured(), &reading)), formulas))
    }
}

fn counts(out: &mut Out, of: &BTreeMap<usize, usize>) {
    out.each(of.iter(), |out, (&size, &count)| {
        out.size(size);
        out.size(count);
    });
}

fn pair(out: &mut Out, of: Option<(usize, usize)>) {
    out.each(of.into_iter(), |out, (a, b)| {
        out.size(a);
        out.size(b);
    });
}

fn bits(out: &mut Out, of: &BTreeMap<u64, usize>) {
    out.each(of.iter(), |out, (&bits, &count)| {
        out.number(bits);
        out.size(count);
    });
}

fn column(out: &mut Out, of: &ColumnPart) {
    out.size(of.records);
    out.size(of.outside);
    out.each(of.wrong.iter(), |out, cell| out.text(cell));
    match &of.cells {
        CellsPart::Numbers { saying_nothing, sum, open, said } => {
            out.size(0);
            pair(out, Some(*saying_nothing));
            out.real(*sum);
            for of in open {
                bits(out, of);
            }
            out.each(said.iter(), |out, &(low, high)| {
                out.real(low);
                out.real(high);
            });
        }
        CellsPart::Labels { suppressed, sizes, said } => {
            out.size(1);
            out.size(*suppressed);
            counts(out, sizes);
            out.each(said.iter(), |out, label| out.text(label));
        }
        CellsPart::Leaves { suppressed, values, widths, missing } => {
            out.size(2);
            out.size(*suppressed);
            counts(out, values);
            bits(out, widths);
            out.size(usize::from(*missing));
        }
    }
}

fn read_pairs(read: &mut In) -> Result<Vec<(usize, usize)>, Error> {
    read.each(|read| Ok((read.size()?, read.size()?)))
}

fn read_bits(read: &mut In) -> Result<BTreeMap<u64, usize>, Error> {
    Ok(read.each(|read| Ok((read.number()?, read.size()?)))?.into_iter().collect())
}

fn read_of(read: &mut In) -> Result<PartOf, Error> {
    Ok(PartOf {
        sizes: read_pairs(read)?.into_iter().collect(),
        worst: read_pairs(read)?.first().copied(),
        worst_known: read.real()?,
        usual: read.size()?,
        single: read.size()?,
        different: read_pairs(read)?.first().copied(),
    })
}

fn read_column(read: &mut In) -> Result<ColumnPart, Error> {
    let (records, outside) = (read.size()?, read.size()?);
    let wrong = read.each(In::text)?.first().map(|cell| (*cell).to_owned());
    let cells = match read.size()? {
        0 => CellsPart::Numbers {
            saying_nothing: read_pairs(read)?.first().copied().unwrap_or_default(),
            sum: read.real()?,
            open: [read_bits(read)?, read_bits(read)?],
            said: read.each(|read| Ok((read.real()?, read.real()?)))?.first().copied(),
        },
        1 => CellsPart::Labels {
            suppressed: read.size()?,
            sizes: read_pairs(read)?.into_iter().collect(),
            said: read.each(|read| Ok(read.text()?.to_owned()))?.into_iter().collect(),
        },
        2 => CellsPart::Leaves {
            suppressed: read.size()?,
            values: read_pairs(read)?.into_iter().collect(),
            widths: read_bits(read)?,
            missing: read.size()? > 0,
        },
        _ => return Err(no_result()),
    };
    Ok(ColumnPart { records, outside, wrong, cells })
}
