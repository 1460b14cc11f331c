//! Classes of all blocks as published rows: one after another, or in ranges that are published each by itself.

use std::{convert::Infallible, io::Read};

use lookalike_audit::{
    Before, Conditions, Guarantee, JudgedPart, Question, Verdict, judge_part,
    measure::{ColumnPart, penalties_part},
};
use lookalike_model::{dialect::Dialect, settings::Model};
use lookalike_table::{Role, Writer, usual_and};

use super::{
    block::{BlockClass, Blocks},
    solved::BlockTotals,
};
use crate::{
    Error, FormulaCells, audit_dialect,
    release::{compare_all, of_published},
};

/// Classes in published order become rows.
pub struct ClassRows {
    header: Vec<String>,
    width: usize,
    sensitive: Option<usize>,
    /// Whether classes have a column, and how many there were.
    labelled: bool,
    label: u64,
    /// Where they have none, those that are published alike are one: their rows wait for the last of them.
    alike: Option<BlockClass>,
    formulas: FormulaCells,
}

impl ClassRows {
    /// The names of the published columns.
    #[must_use]
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// How many classes there were.
    #[must_use]
    pub fn label(&self) -> u64 {
        self.label
    }

    /// What a spreadsheet would run of the rows.
    #[must_use]
    pub fn formulas(&self) -> &FormulaCells {
        &self.formulas
    }

    /// Hands over the rows of the next class.
    ///
    /// # Errors
    /// What `each` says.
    pub fn class<E>(
        &mut self,
        class: BlockClass,
        each: &mut dyn FnMut(&[&str]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.label += 1;
        if self.labelled {
            let label = self.label.to_string();
            return self.rows(&class, Some(&label), each);
        }
        match &mut self.alike {
            Some(group) if group.cells == class.cells => group.absorb(class.values),
            _ => {
                if let Some(group) = self.alike.replace(class) {
                    self.rows(&group, None, each)?;
                }
            }
        }
        Ok(())
    }

    /// Hands over the rows that wait.
    ///
    /// # Errors
    /// What `each` says.
    pub fn end<E>(&mut self, each: &mut dyn FnMut(&[&str]) -> Result<(), E>) -> Result<(), E> {
        match self.alike.take() {
            Some(group) => self.rows(&group, None, each),
            None => Ok(()),
        }
    }

    fn rows<E>(
        &mut self,
        class: &BlockClass,
        label: Option<&str>,
        each: &mut dyn FnMut(&[&str]) -> Result<(), E>,
    ) -> Result<(), E> {
        for value in &class.values {
            let mut recoded = class.cells.iter();
            let cells = (0..self.width).map(|at| match self.sensitive {
                Some(place) if place == at => value.as_str(),
                _ => recoded.next().map_or("", String::as_str),
            });
            let cells: Vec<&str> = cells.chain(label).collect();
            self.formulas.row(cells.iter().copied());
            each(&cells)?;
        }
        Ok(())
    }
}

/// Where the classes of all blocks are cut into ranges: equal cells are never in two.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    /// The least cells of each range but the first.
    pub(super) bounds: Vec<Vec<String>>,
}

impl Ranges {
    /// About so many ranges of about as many rows, by the classes that were sampled.
    #[must_use]
    pub fn of(totals: &[BlockTotals], number: usize) -> Self {
        let mut sampled: Vec<&Vec<String>> = totals.iter().flat_map(|totals| &totals.sampled).collect();
        sampled.sort_by(|a, b| compare_all(a, b));
        let places = (1..number).map(|range| range * sampled.len() / number.max(1));
        let mut bounds: Vec<Vec<String>> =
            places.filter_map(|at| sampled.get(at).map(|c| (*c).clone())).collect();
        bounds.dedup();
        Self { bounds }
    }

    /// The same from its bounds.
    #[must_use]
    pub fn from_bounds(bounds: Vec<Vec<String>>) -> Self {
        Self { bounds }
    }

    /// The least cells of each range but the first.
    #[must_use]
    pub fn bounds(&self) -> &[Vec<String>] {
        &self.bounds
    }

    /// Number of ranges.
    #[must_use]
    pub fn number(&self) -> usize {
        self.bounds.len() + 1
    }

    /// The range of a class.
    #[must_use]
    pub fn range(&self, class: &BlockClass) -> usize {
        self.bounds.partition_point(|bound| compare_all(bound, &class.cells).is_le())
    }
}

/// A range as it is published and judged.
pub struct PublishedPart {
    /// The bytes that were judged, with the header.
    pub bytes: Vec<u8>,
    /// What was found.
    pub audited: AuditedPart,
}

/// A range as text.
pub struct RangeText {
    /// The header and the rows.
    pub bytes: Vec<u8>,
    /// Bytes of the header.
    pub header: usize,
    /// What a spreadsheet would run of the rows, and, in the first range, of the header.
    pub formulas: FormulaCells,
}

/// What the audit found in a range.
#[derive(Clone, Debug)]
pub struct AuditedPart {
    pub(super) judged: JudgedPart,
    pub(super) columns: Vec<ColumnPart>,
    pub(super) formulas: FormulaCells,
}

impl Blocks {
    /// Begins to make rows, after so many classes.
    #[must_use]
    pub fn class_rows(&self, label: u64) -> ClassRows {
        let (mut header, sensitive) = self.header();
        let width = header.len();
        let class = self.survey.settings.class_column.name();
        header.extend(class.map(String::from));
        let mut formulas = FormulaCells::default();
        // Of several ranges the first one counts the header.
        if label == 0 {
            formulas.row(header.iter().map(String::as_str));
        }
        let (labelled, alike) = (class.is_some(), None);
        ClassRows { header, width, sensitive, labelled, label, alike, formulas }
    }

    /// What is asked of the published table, which has this form.
    #[must_use]
    pub fn question(&self, dialect: Dialect) -> Question {
        let (names, sensitive) = self.header();
        let settings = &self.survey.settings;
        let quasi = names.iter().enumerate().filter(|(at, _)| Some(*at) != sensitive);
        Question {
            quasi: quasi.map(|(_, name)| name.clone()).collect(),
            sensitive: sensitive.map(|at| names[at].clone()),
            conditions: Conditions::default(),
            guarantee: match settings.model {
                Model::MInvariance { m } => Guarantee::MUnique { m },
                Model::KAnonymity { k } => Guarantee::KAnonymity { k },
            },
            class: settings.class_column.name().map(String::from),
            markers: usual_and(&settings.missing.markers),
            dialect: audit_dialect(dialect),
        }
    }

    /// Publishes the classes of a range, which come in any order, and judges the bytes; the verdict if a check fails.
    ///
    /// # Errors
    /// If the bytes do not have the form of a release.
    pub fn publish(
        &self,
        mut classes: Vec<BlockClass>,
        before: Before,
    ) -> Result<Result<PublishedPart, Verdict>, Error> {
        classes.sort_by(BlockClass::published_order);
        let RangeText { bytes, formulas, .. } = self.text(classes, before, Dialect::PLAIN);
        let audited = self.audit([bytes.as_slice(), bytes.as_slice()], Dialect::PLAIN, before)?;
        Ok(audited.map(|part| PublishedPart { audited: AuditedPart { formulas, ..part }, bytes }))
    }

    /// The text of the classes of a range, in published order.
    #[must_use]
    pub fn text(&self, classes: Vec<BlockClass>, before: Before, dialect: Dialect) -> RangeText {
        let mut rows = self.class_rows(before.classes as u64);
        let (mut bytes, mut writer) = (Vec::new(), Writer::new(dialect));
        writer.row(&mut bytes, rows.header().iter().map(String::as_str));
        let header = bytes.len();
        let mut each = |cells: &[&str]| -> Result<(), Infallible> {
            writer.row(&mut bytes, cells.iter().copied());
            Ok(())
        };
        for class in classes {
            let Ok(()) = rows.class(class, &mut each);
        }
        let Ok(()) = rows.end(&mut each);
        RangeText { header, formulas: rows.formulas().clone(), bytes }
    }

    /// Judges a range, header and all, which is read twice from its beginning: by the judge, and for what its cells cost. What a
    /// spreadsheet would run of it is not counted. The verdict if a check fails.
    ///
    /// # Errors
    /// If the bytes do not have the form of a release.
    pub fn audit<R: Read>(
        &self,
        [judged, measured]: [R; 2],
        dialect: Dialect,
        before: Before,
    ) -> Result<Result<AuditedPart, Verdict>, Error> {
        let question = self.question(dialect);
        let judged = match judge_part(judged, &question, before)? {
            Ok(judged) => judged,
            Err(verdict) => return Ok(Err(verdict)),
        };
        let reading = of_published(&self.schema, &self.recodings);
        let columns = penalties_part(measured, question.dialect, &self.measured(), &reading)?;
        Ok(Ok(AuditedPart { judged, columns, formulas: FormulaCells::default() }))
    }

    /// The columns whose cells cost something.
    pub(super) fn measured(&self) -> Vec<String> {
        let columns = self.schema.columns.iter().filter(|spec| spec.role != Role::Sensitive);
        columns.map(|spec| spec.name.clone()).collect()
    }
}
