//! A run from a frame to a published table, and what is kept of it.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use lookalike_core::{
    comparison::Look,
    pipeline::{Need, Outcome, Run},
    reading_warnings,
    republish::series::Options,
    statement::{self, Made, NamedFile},
    table::{ReadOptions, Table, read},
};
use lookalike_forms::{SchemaForm, schema};
use lookalike_model::{
    comparison::{Beside, Bin},
    ledger::Ledger,
    settings::{Model, Repair},
};
use lookalike_optimize::solve::solve;
use lookalike_wire::{config, ledger};
use lookalike_words::Message as _;
use pyo3::{
    prelude::*,
    types::{PyBytes, PyCapsule},
};

use crate::{
    arguments::{Given, spoken},
    failure::Failure,
    run::{Surroundings, beside, entropy},
    source::Wanted,
    stream::{Frame, handed_out},
    together::Together,
};

/// What a run is told beside its settings.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Told {
    /// Settings by their names, as JSON.
    settings: String,
    /// A configuration's text, over which the settings stand, and its folder.
    configuration: Option<String>,
    folder: Option<PathBuf>,
    threads: Option<usize>,
}

/// A finished run. Only one whose audit passed comes to Python.
#[pyclass(frozen, module = "lookalike._core")]
pub(crate) struct Release {
    outcome: Outcome,
    /// The run and its source, for whoever compares the release with it.
    run: Run,
    source: Arc<Table>,
    draft: config::Draft,
    seed: Option<u64>,
    warnings: Vec<String>,
    interrupted: bool,
    /// The ledger that the release goes on from, if it is a later one of a series.
    before: Option<Ledger>,
}

#[pymethods]
impl Release {
    /// Bytes of the published table.
    #[getter]
    fn published<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.outcome.published)
    }

    /// Bytes of classes.csv, the linking key.
    #[getter]
    fn classes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.outcome.classes)
    }

    /// The published table as an Arrow stream of texts.
    fn stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        handed_out(py, &texts(&self.outcome.published)?)
    }

    /// report.json, as `lookalike anonymize --report` writes it.
    fn report(&self) -> Result<String, Failure> {
        written(&self.outcome.report)
    }

    /// The report with all figures, for the data holder.
    fn exact(&self) -> Result<String, Failure> {
        written(self.outcome.exact())
    }

    /// private.json, as `--private` writes it.
    fn private(&self) -> Result<String, Failure> {
        written(&self.outcome.private)
    }

    /// Settings that read the next delivery as this table, as `--save-config` writes them.
    fn configuration(&self) -> Result<String, Failure> {
        let pinned = config::Draft::of(&self.outcome.pinned)?;
        Ok(config::write(&config::Draft {
            identifiers: self.draft.identifiers.clone(),
            reading: self.draft.reading.clone(),
            ..pinned
        }))
    }

    /// The statement as HTML, as `--statement` writes it; the names are those of the files that are written.
    #[pyo3(signature = (source=None, table=None, report=None))]
    fn statement(
        &self,
        source: Option<String>,
        table: Option<String>,
        report: Option<String>,
    ) -> Result<String, Failure> {
        let made = self.made(source, table, report)?;
        Ok(statement::html(self.outcome.exact(), &self.outcome.private, &made))
    }

    /// The statement as data, as `--statement-json` writes it.
    #[pyo3(signature = (source=None, table=None, report=None))]
    fn statement_json(
        &self,
        source: Option<String>,
        table: Option<String>,
        report: Option<String>,
    ) -> Result<String, Failure> {
        let made = self.made(source, table, report)?;
        written(&statement::record(self.outcome.exact(), &self.outcome.private, &made))
    }

    /// What the columns of the published CSV are, as `--schema` writes it: `form` is the ending of its file, `table` the name of
    /// the CSV.
    fn schema(&self, form: &str, table: &str) -> Result<String, Failure> {
        let Some(form) = SchemaForm::of_ending(form) else {
            return Err(Failure::settings(format!("a schema is of the form json, sps or do, not {form:?}")));
        };
        let dialect = self.outcome.report.audit.dialect.into();
        let published = (table, self.outcome.published.as_slice(), dialect);
        let bytes = schema(form, published, &self.outcome.described)
            .map_err(|why| Failure::said("TableError", &why.said()))?;
        String::from_utf8(bytes).map_err(|why| Failure::system(why.to_string()))
    }

    /// The release beside its source, as JSON.
    fn comparison(&self) -> Result<String, Failure> {
        let prepared = self.run.prepared().ok_or_else(|| Failure::system("the run has no job"))?;
        let look = Look::new(&self.source, prepared, &self.outcome)?;
        let beside = look.beside(&self.source, prepared, &self.outcome)?;
        let named = self.outcome.header.iter().filter(|name| self.source.column(name).is_some());
        // A column whose published cells cannot be measured has no picture, and what else is told of it stands in the report.
        let spread = |name: &String| Some((name.clone(), look.spread(&self.source, name).ok()?));
        let columns = named.filter_map(spread).collect();
        written(&Comparison { beside, columns, classes: self.outcome.class_sizes.clone() })
    }

    /// The ledger of the series after this release.
    fn ledger<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let Some(next) = &self.outcome.ledger else { return Ok(None) };
        let bytes = ledger::write(next).map_err(|why| Failure::system(why.to_string()))?;
        Ok(Some(PyBytes::new(py, &bytes)))
    }

    /// Who came, left and changed since the release before, as JSON; `None` if it is not of a series.
    fn between(&self, people: bool) -> Result<Option<String>, Failure> {
        let next = self.outcome.ledger.as_ref();
        next.map(|next| crate::series::between(self.before.as_ref(), next, people)).transpose()
    }

    /// What is odd in the table that was read.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// Whether Ctrl-C stopped the search.
    #[getter]
    fn interrupted(&self) -> bool {
        self.interrupted
    }

    /// The seed of the random choices.
    #[getter]
    fn seed(&self) -> Option<u64> {
        self.seed
    }
}

impl Release {
    /// What a statement says of its date and of files by these names.
    fn made(
        &self,
        source: Option<String>,
        table: Option<String>,
        report: Option<String>,
    ) -> Result<Made, Failure> {
        let report = match report {
            Some(name) => Some(NamedFile::of(Some(name), self.report()?.as_bytes())),
            None => None,
        };
        let release = NamedFile::of(table, &self.outcome.published);
        Ok(Made { at: now(), source, release, report, ..Made::default() })
    }
}

/// A release beside its source, for the data holder.
#[derive(serde::Serialize)]
struct Comparison {
    #[serde(flatten)]
    beside: Beside,
    /// How often the values of each published column occur, before and after.
    columns: BTreeMap<String, Vec<Bin>>,
    /// Sizes of classes, and how many have each.
    classes: Vec<(usize, usize)>,
}

/// A CSV of ours as a table of texts.
///
/// # Errors
/// If it is none.
pub(crate) fn texts(csv: &[u8]) -> Result<Table, Failure> {
    Ok(read(csv, &ReadOptions::default()).map_err(lookalike_core::Error::from)?)
}

fn written(record: &impl serde::Serialize) -> Result<String, Failure> {
    Ok(serde_json::to_string_pretty(record)? + "\n")
}

/// The system's clock: UTC, to the second.
fn now() -> String {
    let now = jiff::Timestamp::now();
    jiff::Timestamp::from_second(now.as_second()).unwrap_or(now).to_string()
}

/// A CSV of ours as an Arrow stream of texts.
#[pyfunction]
pub(crate) fn stream_of<'py>(py: Python<'py>, csv: &[u8]) -> PyResult<Bound<'py, PyCapsule>> {
    handed_out(py, &texts(csv)?)
}

/// A table of texts as a CSV of ours.
#[pyfunction]
pub(crate) fn csv_of<'py>(py: Python<'py>, source: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let wanted =
        Wanted { columns: None, keys: false, typed: false, edits: lookalike_core::table::Edits::default() };
    let table = Frame::of(source)?.table(wanted)?;
    let header: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
    let rows = (0..table.rows).map(|row| table.columns.iter().map(move |column| column.cell(row)));
    Ok(PyBytes::new(py, &lookalike_core::table::write(&header, rows)))
}

/// Carries out a run on a frame. `series` makes it the next release of one.
#[pyfunction]
#[pyo3(signature = (source, told, progress=None, series=None))]
pub(crate) fn anonymize(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    told: Told,
    progress: Option<&Bound<'_, PyAny>>,
    series: Option<crate::series::Told>,
) -> PyResult<Release> {
    let mut given = Given::read(&told.settings, told.configuration.as_deref())?;
    given.hierarchies_from(&told.folder.unwrap_or_default())?;
    if let Some(series) = &series {
        if let Some(before) = series.before()? {
            given.draft = given.draft.over(before);
        }
        crate::series::defaults(&mut given)?;
    }
    let frame = Frame::of(source)?;
    given.declare(frame.kinds());
    let together = series.as_ref().map(|series| series.together(py)).transpose()?.flatten();
    let options = series.map(crate::series::Told::options).transpose()?;
    let before = options.as_ref().and_then(|(options, _)| options.ledger.clone());
    let draft = given.draft.clone();
    let configured = told.configuration.is_some();
    let work = move |around: &Surroundings<_>| {
        release(&frame, (&given, configured), (options, together.as_ref()), around)
    };
    let ended = beside(py, told.threads, progress, work)?;
    let done = ended.result?;
    let Done { mut outcome, run, source, seed, warnings } = done;
    outcome.salt([entropy()?, entropy()?]);
    Ok(Release { outcome, run, source, draft, seed, warnings, interrupted: ended.interrupted, before })
}

/// What a run leaves.
struct Done {
    outcome: Outcome,
    run: Run,
    source: Arc<Table>,
    seed: Option<u64>,
    /// What is odd in the source.
    warnings: Vec<String>,
}

fn release(
    frame: &Frame,
    (given, configured): (&Given, bool),
    (series, together): (Option<(Options, Option<f64>)>, Option<&Together>),
    around: &Surroundings<Result<Done, Failure>>,
) -> Result<Done, Failure> {
    let settings = given.settings()?;
    if matches!(settings.model, Model::KAnonymity { .. }) && settings.eligibility != Repair::Error {
        return Err(Failure::settings(
            "eligibility is for m-invariance: under k-anonymity there is nothing to repair",
        ));
    }
    let sample = [&settings.sample.weight, &settings.sample.household].into_iter().flatten().cloned();
    let also = series.iter().map(|(options, _)| options.id.clone()).chain(sample);
    let columns = given
        .draft
        .columns()
        .into_iter()
        .chain(settings.rows_are.iter().filter_map(|what| what.key().cloned()));
    let wanted = Wanted {
        columns: Some(columns.chain(also).collect()),
        keys: true,
        typed: true,
        edits: given.edits(),
    };
    let names: Vec<String> =
        frame.schema.fields().iter().map(|field| field.name().trim().to_owned()).collect();
    if configured {
        // It may be for another table: that is said of all its columns at once.
        given.draft.check(&names)?;
    }
    let table = around.with(|_| frame.table(wanted))?;
    let warnings = reading_warnings(&table, &settings).iter().map(spoken).collect();
    let seed = settings.seed;
    let source = Arc::new(table);
    let mut run = match series {
        None => Run::new(Arc::clone(&source), settings, given.draft.identifiers.clone()),
        Some((options, price)) => Run::of_series(Arc::clone(&source), settings, options, price)?,
    };
    let mut outcome = loop {
        match around.with(|ctx| run.next(ctx))? {
            Need::Ask(question) => return Err(Failure::asked(&question.said())),
            Need::Done(outcome) => break *outcome,
            Need::Solve { job, .. } => {
                let answer = around.with(|ctx| solve(job, ctx)).map_err(lookalike_core::Error::from)?;
                run.solved(answer);
            }
        }
    };
    judge(&outcome)?;
    if let Some(together) = together {
        around.with(|_| together.judge(&mut outcome, frame, &given.edits()))?;
    }
    Ok(Done { outcome, run, source, seed, warnings })
}

/// Nothing leaves without a passed audit.
fn judge(outcome: &Outcome) -> Result<(), Failure> {
    let audit = &outcome.report.audit;
    if audit.passed {
        return Ok(());
    }
    let failed = audit.checks.iter().filter(|check| !check.passed);
    let failed: Vec<String> =
        failed.map(|check| format!("{}: {}", spoken(&check.name), spoken(&check.finding))).collect();
    Err(Failure::audit(format!("the audit refuses the table, which is not published: {}", failed.join("; "))))
}
