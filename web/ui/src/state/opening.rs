//! Files that come in: where from, what they were taken for.

use std::rc::Rc;

use lookalike_wire::opening::{Form, Opening};

/// Where a table came from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// File name.
    pub name: String,
    /// Size in bytes.
    pub bytes: f64,
    /// How it is to be read.
    pub how: Opening,
}

/// A file that was opened, or that somebody tried to open.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// Which.
    pub source: Source,
    /// What it was taken for, once that is known.
    pub form: Option<Rc<Form>>,
    /// If it is the same file as the last time: id of the field that was changed.
    pub changed: Option<&'static str>,
}

/// Ids of the fields that say how a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenIds {
    /// All of it.
    pub form: &'static str,
    /// How it shows.
    pub notes: &'static str,
    /// The first lines as they stand.
    pub beginning: &'static str,
    /// Encoding.
    pub encoding: &'static str,
    /// What separates fields.
    pub delimiter: &'static str,
    /// What quotes them.
    pub quote: &'static str,
    /// Where the columns of a text of fixed width stand.
    pub layout: &'static str,
    /// Sheet of a workbook.
    pub sheet: &'static str,
    /// File of an archive.
    pub member: &'static str,
    /// What chooses its columns.
    pub columns: &'static str,
    /// Lines that are skipped at the beginning.
    pub skip_first: &'static str,
    /// Lines that are skipped at the end.
    pub skip_last: &'static str,
    /// What the first row is.
    pub first: &'static str,
    /// What the columns of a file without a header are called.
    pub called: &'static str,
    /// Rows with too few fields.
    pub short: &'static str,
    /// Columns of one name.
    pub names: &'static str,
}

macro_rules! ids {
    ($prefix:literal) => {
        OpenIds {
            form: concat!($prefix, "-form"),
            notes: concat!($prefix, "-notes"),
            beginning: concat!($prefix, "-beginning"),
            encoding: concat!($prefix, "-encoding"),
            delimiter: concat!($prefix, "-delimiter"),
            quote: concat!($prefix, "-quote"),
            layout: concat!($prefix, "-layout"),
            sheet: concat!($prefix, "-sheet"),
            member: concat!($prefix, "-member"),
            columns: concat!($prefix, "-columns"),
            skip_first: concat!($prefix, "-skip-first"),
            skip_last: concat!($prefix, "-skip-last"),
            first: concat!($prefix, "-first"),
            called: concat!($prefix, "-called"),
            short: concat!($prefix, "-short"),
            names: concat!($prefix, "-names"),
        }
    };
}

impl OpenIds {
    /// Of the table that is to be anonymized.
    pub const OPEN: Self = ids!("open");
    /// Of a published table that is checked.
    pub const PUBLISHED: Self = ids!("published");
    /// Of its original.
    pub const ORIGINAL: Self = ids!("original");
    /// Of its classes.csv.
    pub const CLASSES: Self = ids!("classes-file");
    /// Of rows that were held back, for attacks.
    pub const CONTROL: Self = ids!("control-file");
}

impl Attempt {
    /// The next attempt. The same file in another way keeps what it was taken for until that is known anew.
    #[must_use]
    pub fn after(before: Option<Self>, source: Source, ids: &OpenIds) -> Self {
        let same = before.filter(|b| b.source.name == source.name && b.source.bytes == source.bytes);
        let (how, form) = match same {
            Some(before) if before.form.is_some() => (before.source.how, before.form),
            _ => return Self { source, form: None, changed: None },
        };
        let fields = [
            (how.encoding != source.how.encoding, ids.encoding),
            (how.delimiter != source.how.delimiter, ids.delimiter),
            (how.quote != source.how.quote, ids.quote),
            (how.layout != source.how.layout, ids.layout),
            (how.sheet != source.how.sheet, ids.sheet),
            (how.member != source.how.member, ids.member),
            (how.columns != source.how.columns, ids.columns),
            (how.skip_rows != source.how.skip_rows, ids.skip_first),
            (how.skip_last_rows != source.how.skip_last_rows, ids.skip_last),
            (how.header != source.how.header, ids.first),
            (how.names != source.how.names, ids.called),
            (how.pad != source.how.pad, ids.short),
            (how.number_duplicates != source.how.number_duplicates, ids.names),
        ];
        let changed = fields.into_iter().find_map(|(differs, id)| differs.then_some(id));
        Self { source, form, changed }
    }
}
