//! The first kernel: settings, and the first rows, which say what kinds of columns there are.

use std::{path::PathBuf, sync::Arc};

use arrow_array::RecordBatchReader as _;
use lookalike_core::{
    out_of_core::{Routing, Survey},
    reading_warnings,
    table::Table,
};
use lookalike_model::settings::{Model, Repair, Settings};
use pyo3::{prelude::*, types::PyBytes};

use super::plan::Plan;
use crate::{
    arguments::{Given, spoken},
    failure::Failure,
    source::Wanted,
    stream::{Frame, broken},
};

/// What it is made of.
#[derive(Clone, FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Told {
    /// Settings by their names, as JSON, with a seed.
    settings: String,
    /// A configuration's text, over which the settings stand, and its folder.
    configuration: Option<String>,
    folder: Option<PathBuf>,
}

/// Settings and first rows.
#[pyclass(frozen, module = "lookalike._core")]
pub(crate) struct Opening {
    /// The first rows as they were handed over, and what was told: what this is made of.
    source: Py<PyAny>,
    told: Told,
    pub(super) inner: Arc<Inner>,
}

/// What is known from these.
pub(super) struct Inner {
    pub(super) given: Given,
    pub(super) settings: Settings,
    /// The first rows without their cells.
    pub(super) read: Table,
    begun: Survey,
    warnings: Vec<String>,
}

impl Inner {
    /// The table of some rows, read as the first ones were.
    pub(super) fn table(&self, frame: &Frame) -> Result<Table, Failure> {
        frame.table(self.wanted())
    }

    fn wanted(&self) -> Wanted {
        wanted(&self.given, &self.settings)
    }

    /// A survey that has seen these.
    pub(super) fn surveyed<'a>(
        &self,
        sketches: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<Survey, Failure> {
        let mut survey = self.begun.clone();
        for sketch in sketches {
            survey.absorb(sketch)?;
        }
        Ok(survey)
    }

    /// Calls `each` with the rows of each batch of a stream, and with their number before it.
    pub(super) fn parts(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        each: &mut (dyn FnMut(usize, &Table) -> Result<(), Failure> + Send),
    ) -> PyResult<()> {
        let reader = Frame::reader(source)?;
        let schema = reader.schema();
        // A producer in Python takes the lock by itself.
        py.detach(|| {
            let mut before = 0;
            for batch in reader {
                let batch = batch.map_err(|error| broken(&error))?;
                if batch.num_rows() == 0 {
                    continue;
                }
                let frame = Frame { schema: Arc::clone(&schema), batches: vec![batch] };
                let part = self.table(&frame)?;
                each(before, &part)?;
                before += part.rows;
            }
            Ok(())
        })
    }
}

fn wanted(given: &Given, settings: &Settings) -> Wanted {
    let keys = settings.rows_are.iter().filter_map(|what| what.key().cloned());
    let columns = given.draft.columns().into_iter().chain(keys).collect();
    Wanted { columns: Some(columns), keys: true, typed: true, edits: given.edits() }
}

#[pymethods]
#[allow(clippy::needless_pass_by_value, reason = "pyo3 makes lists of bytes for the call")]
impl Opening {
    #[new]
    fn new(py: Python<'_>, source: Bound<'_, PyAny>, told: Told) -> PyResult<Self> {
        let mut given = Given::read(&told.settings, told.configuration.as_deref())?;
        given.hierarchies_from(&told.folder.clone().unwrap_or_default())?;
        let frame = Frame::of(&source)?;
        given.declare(frame.kinds());
        if told.configuration.is_some() {
            let names: Vec<String> =
                frame.schema.fields().iter().map(|f| f.name().trim().to_owned()).collect();
            given.draft.check(&names).map_err(Failure::from)?;
        }
        let inner = py.detach(|| -> Result<Inner, Failure> {
            let settings = given.settings()?;
            if matches!(settings.model, Model::KAnonymity { .. }) && settings.eligibility != Repair::Error {
                return Err(Failure::settings(
                    "eligibility is for m-invariance: under k-anonymity there is nothing to repair",
                ));
            }
            let first = frame.table(wanted(&given, &settings))?;
            let begun = Survey::new(&first, &settings, &given.draft.identifiers)?;
            let warnings = reading_warnings(&first, &settings).iter().map(spoken).collect();
            Ok(Inner { begun, warnings, settings, given, read: Table { columns: Vec::new(), ..first } })
        })?;
        Ok(Self { source: source.unbind(), told, inner: Arc::new(inner) })
    }

    #[allow(clippy::type_complexity, reason = "the shape of __reduce__")]
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (Py<PyAny>, Told)) {
        let class = py.get_type::<Self>().into_any();
        (class, (self.source.clone_ref(py), self.told.clone()))
    }

    /// What is odd in the first rows.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.inner.warnings.clone()
    }

    /// What is seen in some rows: counts, sums, ranges, a sample.
    fn survey<'py>(&self, py: Python<'py>, source: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let mut survey = self.inner.surveyed([])?;
        self.inner.parts(py, source, &mut |before, part| Ok(survey.add(before, part)?))?;
        Ok(PyBytes::new(py, &py.detach(|| survey.sketch())))
    }

    /// Several of these as one: the same bytes in any order.
    fn merge<'py>(&self, py: Python<'py>, sketches: Vec<Vec<u8>>) -> Result<Bound<'py, PyBytes>, Failure> {
        let survey = py.detach(|| self.inner.surveyed(sketches.iter().map(Vec::as_slice)))?;
        Ok(PyBytes::new(py, &survey.sketch()))
    }

    /// The cuts, by what was seen of all rows, for leaves of about so many rows.
    fn plan(slf: &Bound<'_, Self>, sketch: &[u8], block_rows: usize) -> Result<Plan, Failure> {
        let routing = Routing::of(slf.get().inner.surveyed([sketch])?, block_rows)?;
        let (sketch, cuts) = (routing.surveyed(), routing.cuts());
        Plan::of(slf.clone().unbind(), (sketch, cuts, block_rows))
    }
}
