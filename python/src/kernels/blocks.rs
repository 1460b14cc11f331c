//! The other kernels: rows to their blocks, blocks to classes, classes to ranges of published rows, and the verdict.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use arrow_array::{
    ArrayRef, BinaryArray, Int8Array, Int32Array, RecordBatch, RecordBatchReader as _, StringArray,
};
use arrow_schema::{DataType, Field, Schema};
use lookalike_core::{
    audit::{Before, Verdict},
    out_of_core::{AuditedPart, BlockClass, BlockTotals, Blocks as Cut, Ranges, Routing, Totals},
    pipeline::Outcome,
    table::{Edits, Table},
};
use lookalike_model::{Ctx, dialect::Dialect, report::Seconds};
use lookalike_optimize::solve::solve;
use lookalike_words::{Message as _, Said};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyCapsule},
};
use rayon::ThreadPoolBuilder;

use super::{Plan, held};
use crate::{
    arguments::spoken,
    failure::Failure,
    run::entropy,
    source::Wanted,
    stream::{Frame, broken, streamed},
};

/// Classes of the whole table of which one stands for the others when ranges are cut: about so many are looked at.
const LOOKED_AT: u64 = 1 << 20;

/// What a solved block hands on: what is added up of it, and its classes.
const TOTALS: i8 = 0;
const CLASS: i8 = 1;

/// The blocks.
#[pyclass(frozen, module = "lookalike._core")]
pub(crate) struct Blocks {
    plan: Py<Plan>,
    counts: Vec<u8>,
    cut: Cut,
    of_leaves: BTreeMap<u32, usize>,
    placing: Mutex<Routing>,
    names: Vec<String>,
}

impl Blocks {
    pub(super) fn of(plan: Py<Plan>, counts: Vec<u8>) -> Result<Self, Failure> {
        let routing = plan.get().counted(&counts)?;
        let placing = plan.get().counted(&counts)?;
        let (names, cut) = (routing.names(), routing.merge()?);
        Ok(Self { of_leaves: cut.of_leaves(), plan, counts, cut, placing: Mutex::new(placing), names })
    }
}

#[pymethods]
#[allow(clippy::needless_pass_by_value, reason = "pyo3 makes lists of bytes for the call")]
impl Blocks {
    #[new]
    fn new(plan: Py<Plan>, counts: Vec<u8>) -> Result<Self, Failure> {
        Self::of(plan, counts)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (Py<Plan>, Bound<'py, PyBytes>)) {
        (py.get_type::<Self>().into_any(), (self.plan.clone_ref(py), PyBytes::new(py, &self.counts)))
    }

    fn __len__(&self) -> usize {
        self.cut.len()
    }

    /// Records of all blocks.
    #[getter]
    fn records(&self) -> u64 {
        self.cut.all_rows()
    }

    /// Records of the largest block.
    #[getter]
    fn largest(&self) -> u64 {
        (0..self.cut.len()).map(|block| self.cut.rows(block)).max().unwrap_or(0)
    }

    /// The published columns.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// Rows with the block of each: a batch of `block` and the published columns, all texts. Rows that are dropped are not there.
    fn place<'py>(&self, py: Python<'py>, source: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyCapsule>> {
        let (mut of_rows, mut cells) = (Vec::new(), vec![Vec::new(); self.names.len()]);
        let columns = held(&self.placing).published();
        let plan = self.plan.get();
        plan.inner.parts(py, source, &mut |_, part| {
            for (row, leaf) in held(&self.placing).place(part)? {
                let block = self.of_leaves.get(&leaf);
                of_rows.push(number(*block.ok_or_else(changed)?)?);
                for (cells, &column) in cells.iter_mut().zip(&columns) {
                    cells.push(part.columns[column].cell(row as usize).to_owned());
                }
            }
            Ok(())
        })?;
        let mut fields = vec![Field::new("block", DataType::Int32, false)];
        fields.extend((0..self.names.len()).map(|at| Field::new(format!("c{at}"), DataType::Utf8, false)));
        let mut arrays: Vec<ArrayRef> = vec![Arc::new(Int32Array::from(of_rows))];
        arrays.extend(cells.into_iter().map(|cells| Arc::new(StringArray::from(cells)) as ArrayRef));
        batch(py, fields, arrays)
    }

    /// Solves a block by its rows, which come in any order: a batch of its classes, and of what is added up of it.
    fn solve<'py>(
        &self,
        py: Python<'py>,
        block: usize,
        source: &Bound<'py, PyAny>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        if block >= self.cut.len() {
            return Err(changed().into());
        }
        let frame = Frame::of(source)?;
        let solved = py.detach(|| -> Result<_, Failure> {
            let pool = ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
            let pool = pool.map_err(|why| Failure::system(format!("the system gives no threads: {why}")))?;
            pool.install(|| {
                let wanted = Wanted { columns: None, keys: false, typed: false, edits: Edits::default() };
                let mut table = frame.table(wanted)?;
                for (column, name) in table.columns.iter_mut().zip(&self.names) {
                    column.name.clone_from(name);
                }
                let ctx = Ctx::silent();
                let prepared = self.cut.prepare(block, &mut table, &ctx)?;
                let answer = solve(prepared.job(), &ctx).map_err(lookalike_core::Error::from)?;
                let rows: Vec<u64> = (0..table.rows as u64).collect();
                Ok(self.cut.finish(block, &table, &prepared, answer, &rows)?)
            })
        })?;
        let stride = 1 + self.cut.all_rows() / LOOKED_AT;
        let totals = solved.totals(stride as usize).to_bytes();
        let records: Vec<Vec<u8>> =
            std::iter::once(totals).chain(solved.classes.iter().map(BlockClass::to_bytes)).collect();
        let kinds = std::iter::once(TOTALS).chain(solved.classes.iter().map(|_| CLASS));
        let fields = vec![
            Field::new("kind", DataType::Int8, false),
            Field::new("block", DataType::Int32, false),
            Field::new("record", DataType::Binary, false),
        ];
        let arrays: Vec<ArrayRef> = vec![
            Arc::new(kinds.collect::<Int8Array>()),
            Arc::new(Int32Array::from(vec![number(block)?; records.len()])),
            Arc::new(BinaryArray::from_iter_values(records.iter())),
        ];
        batch(py, fields, arrays)
    }

    /// Where all classes are cut into ranges of about so many rows, by what was added up of the blocks: the least class of each
    /// range but the first.
    fn cut_ranges(
        &self,
        py: Python<'_>,
        totals: Vec<Vec<u8>>,
        part_rows: u64,
    ) -> Result<Vec<Vec<String>>, Failure> {
        py.detach(|| {
            let number = self.cut.all_rows().div_ceil(part_rows.max(1)).max(1);
            Ok(Ranges::of(&self.totals(&totals)?, number as usize).bounds().to_vec())
        })
    }

    /// The range of each class of a batch of records, whose column `record` is read.
    #[staticmethod]
    fn ranged(
        py: Python<'_>,
        bounds: Vec<Vec<String>>,
        source: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<(usize, usize)>> {
        let classes = classes(source)?;
        let ranges = Ranges::from_bounds(bounds);
        Ok(py.detach(|| classes.iter().map(|class| (ranges.range(class), class.values.len())).collect()))
    }

    /// Publishes the classes of a range, which come in any order, after so many rows and classes, and judges them: the bytes
    /// that were judged, and what the audit found.
    fn publish<'py>(
        &self,
        py: Python<'py>,
        before: (usize, usize),
        source: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let all = classes(source)?;
        let (bytes, audited) = py.detach(|| -> Result<_, Failure> {
            let part = self
                .cut
                .publish(all, Before { rows: before.0, classes: before.1 })?
                .map_err(|verdict| refused(&verdict))?;
            Ok((part.bytes, part.audited.to_bytes()))
        })?;
        Ok((PyBytes::new(py, &bytes), PyBytes::new(py, &audited)))
    }

    /// The verdict on all ranges together, in any order: the report and the private record as JSON, if it is passed.
    fn verdict(
        &self,
        py: Python<'_>,
        totals: Vec<Vec<u8>>,
        parts: Vec<Vec<u8>>,
        ran: (usize, f64),
    ) -> Result<(String, String), Failure> {
        py.detach(|| self.judged(&totals, &parts, ran))
    }
}

impl Blocks {
    fn totals(&self, bytes: &[Vec<u8>]) -> Result<Vec<BlockTotals>, Failure> {
        let mut totals =
            bytes.iter().map(|of| Ok(BlockTotals::from_bytes(of)?)).collect::<Result<Vec<_>, Failure>>()?;
        totals.sort_by_key(BlockTotals::block);
        if totals.len() != self.cut.len() || totals.iter().enumerate().any(|(at, of)| of.block() != at) {
            return Err(changed());
        }
        Ok(totals)
    }

    fn judged(
        &self,
        bytes: &[Vec<u8>],
        parts: &[Vec<u8>],
        (threads, all): (usize, f64),
    ) -> Result<(String, String), Failure> {
        let mut totals = Totals::default();
        self.totals(bytes)?.iter().for_each(|block| totals.add_block(block));
        let parts = parts
            .iter()
            .map(|part| Ok(AuditedPart::from_bytes(part)?))
            .collect::<Result<Vec<_>, Failure>>()?;
        let (mut judged, penalties, formulas) = self.cut.audited(parts, Dialect::PLAIN)?;
        if judged.rows as u64 != self.cut.all_rows() {
            return Err(changed());
        }
        self.cut.judge_loss(&penalties, &totals, &mut judged);
        if !judged.verdict.passed {
            return Err(refused(&judged.verdict));
        }
        let plan = self.plan.get();
        // In place of a file's digest that of what was seen of all rows, which does not depend on their order either.
        let read = Table { digest: plan.digest(), ..plan.inner.read.clone() };
        let seconds = Seconds { solve: all, ..Seconds::default() };
        let (mut report, mut private) =
            totals.reports(&self.cut, &read, (&judged, &penalties), (threads, seconds))?;
        report.warnings.extend(formulas.warning(self.cut.class_rows(0).header(), Dialect::PLAIN));
        private
            .warnings
            .push(Said::verbatim(format!("solved out of core, with block_rows {}", plan.block_rows())));
        let mut outcome = Outcome {
            published: Vec::new(),
            classes: Vec::new(),
            report,
            private,
            header: Vec::new(),
            preview: Vec::new(),
            before: Vec::new(),
            class_sizes: totals.sizes(),
            ledger: None,
            pinned: self.cut.pinned(),
            described: Vec::new(),
        };
        outcome.salt([entropy()?, entropy()?]);
        let written =
            |record: serde_json::Result<String>| record.map(|text| text + "\n").map_err(Failure::from);
        Ok((
            written(serde_json::to_string_pretty(&outcome.report))?,
            written(serde_json::to_string_pretty(&outcome.private))?,
        ))
    }
}

/// The classes of records.
fn classes(source: &Bound<'_, PyAny>) -> PyResult<Vec<BlockClass>> {
    let reader = Frame::reader(source)?;
    let at = reader.schema().index_of("record").map_err(|error| broken(&error))?;
    let batches = reader.collect::<Result<Vec<_>, _>>().map_err(|error| broken(&error))?;
    let mut classes = Vec::new();
    for batch in &batches {
        let records = batch.column(at).as_any().downcast_ref::<BinaryArray>().ok_or_else(changed)?;
        for record in records.iter().flatten() {
            classes.push(BlockClass::from_bytes(record).map_err(Failure::from)?);
        }
    }
    Ok(classes)
}

/// The number of a block as a column has it.
fn number(block: usize) -> Result<i32, Failure> {
    i32::try_from(block).map_err(|_| changed())
}

fn batch(py: Python<'_>, fields: Vec<Field>, arrays: Vec<ArrayRef>) -> PyResult<Bound<'_, PyCapsule>> {
    let batch =
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map_err(|error| broken(&error))?;
    streamed(py, batch)
}

/// The rows are not those that were counted.
fn changed() -> Failure {
    Failure::from(lookalike_core::Error::from(lookalike_core::out_of_core::LargeMisfit::Changed))
}

/// Nothing leaves without a passed audit.
fn refused(verdict: &Verdict) -> Failure {
    let failed = verdict.checks.iter().filter(|check| !check.passed);
    let failed: Vec<String> = failed
        .map(|check| format!("{}: {}", spoken(&check.name.said()), spoken(&check.finding.said())))
        .collect();
    Failure::audit(format!("the audit refuses the table, which is not published: {}", failed.join("; ")))
}
