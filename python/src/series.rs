//! Releases over time: what a release of a series is told beside its settings.

use lookalike_core::republish::{pseudonyms::Key, series::Options, ways::Way};
use lookalike_model::{
    ledger::{Between, Ledger},
    settings::{Fake, Model, Repair},
};
use lookalike_wire::ledger;
use pyo3::prelude::*;
use serde::de::{DeserializeOwned, IntoDeserializer as _, value::StrDeserializer};
use serde_json::json;

use crate::{arguments::Given, failure::Failure, stream::Frame, together::Together};

/// The state before the first release, as the command line names it.
const NONE: &str = "none";

/// What the series is told; from the second release on the ledger knows it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Told {
    id: Option<String>,
    mode: Option<String>,
    signatures: String,
    exact_names: bool,
    counterfeit_price: Option<f64>,
    vacancies: Option<String>,
    /// The file of the key of the ledger's pseudonyms.
    pseudonym_key: Option<Vec<u8>>,
    /// The ledger's bytes; `None` begins a series.
    ledger: Option<Vec<u8>>,
    /// The bytes of all earlier releases, with which the new one is judged; `None` judges it alone.
    earlier: Option<Vec<Vec<u8>>>,
    /// The frames that these were made of.
    sources: Vec<Py<PyAny>>,
}

impl Told {
    /// What the new release is judged with beside itself.
    ///
    /// # Errors
    /// If a source has no Arrow stream.
    pub(crate) fn together(&self, py: Python<'_>) -> PyResult<Option<Together>> {
        let Some(earlier) = &self.earlier else { return Ok(None) };
        let sources = self.sources.iter().map(|source| Frame::of(source.bind(py)));
        Ok(Some(Together { earlier: earlier.clone(), sources: sources.collect::<Result<_, _>>()? }))
    }

    /// The options of the next release, and what a counterfeit costs.
    ///
    /// # Errors
    /// If the ledger is none, or something is missing that only the first release is told.
    pub(crate) fn options(self) -> Result<(Options, Option<f64>), Failure> {
        let ledger = self.ledger.as_deref().map(ledger::read).transpose();
        let ledger = ledger.map_err(|why| Failure::series(why.to_string()))?;
        let mode = self.mode.as_deref().map(|mode| named("mode", mode)).transpose()?;
        let missing = |what| {
            Failure::series(format!("a series begins with {what}, which says so for all its releases"))
        };
        let id = self.id.or_else(|| ledger.as_ref().map(|ledger| ledger.id.clone()));
        let mode = mode.or_else(|| ledger.as_ref().map(|ledger| ledger.mode));
        let vacancies = self.vacancies.as_deref().map(|name| named("vacancies", name)).transpose()?;
        let options = Options {
            id: id.ok_or_else(|| missing("id=, the column that names individuals"))?,
            mode: mode
                .ok_or_else(|| missing("mode=, \"incremental\", \"m-invariance\" or \"tau-safety\""))?,
            signatures: named("signatures", &self.signatures)?,
            ledger,
            exact_names: self.exact_names,
            key: (self.pseudonym_key.as_deref().map(Key::read).transpose())
                .map_err(|why| Failure::series(format!("pseudonym_key: {why}")))?,
            vacancies,
            way: Way::Fewest,
            more: 0,
        };
        Ok((options, self.counterfeit_price))
    }

    /// The settings of the releases before, as the ledger has them.
    ///
    /// # Errors
    /// If it is no ledger.
    pub(crate) fn before(&self) -> Result<Option<lookalike_wire::config::Draft>, Failure> {
        let Some(bytes) = &self.ledger else { return Ok(None) };
        let ledger = ledger::read(bytes).map_err(|why| Failure::series(why.to_string()))?;
        Ok(Some(lookalike_wire::config::Draft::of(&ledger.settings)?))
    }
}

fn named<T: DeserializeOwned>(argument: &str, name: &str) -> Result<T, Failure> {
    let name: StrDeserializer<'_, serde::de::value::Error> = name.into_deserializer();
    T::deserialize(name).map_err(|why| Failure::settings(format!("{argument}: {why}")))
}

/// The names of a series' state in the list of used ones, of a ledger's bytes or of none: the fingerprint of what is read first, then
/// that which the file names, where it is another.
///
/// # Errors
/// If it is no ledger.
#[pyfunction]
#[pyo3(signature = (bytes=None))]
pub(crate) fn states(bytes: Option<&[u8]>) -> Result<Vec<String>, Failure> {
    let fault = |why: ledger::LedgerError| Failure::series(why.to_string());
    let read = bytes.map(ledger::read).transpose().map_err(fault)?.filter(|ledger| ledger.number() > 0);
    let Some(read) = read else { return Ok(vec![String::from(NONE)]) };
    let named = bytes.and_then(ledger::checksum);
    let mut names: Vec<String> =
        [ledger::fingerprint(&read).map_err(fault)?].into_iter().chain(named).collect();
    names.dedup();
    Ok(names)
}

/// Who came, left and changed since the state before, as JSON: numbers, and names where they are asked for.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn between(before: Option<&Ledger>, next: &Ledger, people: bool) -> Result<String, Failure> {
    let begins = Ledger::new(next.series.clone(), next.id.clone(), next.mode, &next.settings);
    let Between { to, came, back, left, changed, stayed, .. } = before.unwrap_or(&begins).until(next);
    let counted = json!({
        "release": to, "came": came.len(), "back": back, "left": left.len(), "changed": changed.len(), "stayed": stayed,
        "people": people.then(|| json!({ "came": came, "left": left, "changed": changed })),
    });
    Ok(serde_json::to_string(&counted)?)
}

/// Counterfeits are what a series lives on: they are added unless something else is said, and the frequent values are faked, which
/// later releases fill up.
pub(crate) fn defaults(given: &mut Given) -> Result<(), Failure> {
    let told = &mut given.draft.settings;
    if let Some(Model::KAnonymity { .. }) = told.model {
        return Err(
            lookalike_core::Error::from(lookalike_core::pipeline::Conflict::SeriesNeedsMInvariance).into()
        );
    }
    let way = *told.eligibility.get_or_insert(Repair::Add);
    if matches!(way, Repair::Add | Repair::Hybrid) {
        told.changes.fake.get_or_insert(Fake::Frequent);
    }
    Ok(())
}
