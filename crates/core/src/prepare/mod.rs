//! From a table and its settings to the numeric job: roles, missing values, eligibility, encoding.

mod changed;
pub(crate) mod domain;
mod encode;
mod encode_hierarchy;
mod encode_ncp;
mod ends;
mod fate;
mod interval_labels;
mod kinds;
mod leaves;
mod levels;
mod limits;
pub(crate) mod linked;
mod misfit;
mod missing;
mod outlier;
pub(crate) mod persons;
mod pinned;
mod pseudonymise;
mod ranks;
pub(crate) mod recoding;
mod repair;
pub(crate) mod roles;
mod seeds;
mod spared;
mod value_order;
mod whole;
mod wishes;

use std::sync::Arc;

use lookalike_model::{
    Ctx,
    job::Job,
    report::{Changes, Fate},
    settings::{Loss, Model, Scheme, Settings},
};
use lookalike_table::{Schema, Table};
use lookalike_words::Said;

use crate::{
    Error, Impossible,
    pipeline::combinations::{self, Made},
    republish::part::Part,
};

pub use changed::RepairWarning;
pub(crate) use encode::{Encoded, encode as encode_sse};
pub(crate) use encode_ncp::encode as encode_ncp;
pub use fate::FateReason;
pub(crate) use kinds::{kind, long_number, stops};
pub(crate) use leaves::penalised;
pub(crate) use levels::{LevelCosts, quasi};
pub(crate) use limits::LARGEST;
pub(crate) use misfit::shown;
pub use misfit::{CodingMisfit, DomainMisfit, Misfit, RoleWord};
pub(crate) use missing::{Kept, NAMED, keep};
pub use outlier::{OutlierCell, OutlierWarning};
pub(crate) use outlier::{Outliers, outliers};
pub(crate) use persons::Persons;
pub use pinned::pinned_before;
pub(crate) use pinned::{pinned, says};
use pseudonymise::Coloured;
pub(crate) use pseudonymise::{canonical_rows, rows_without_sensitive};
use recoding::Recoding;
pub(crate) use recoding::{gap, recodings, refuse_gap, statements};
pub(crate) use repair::{Repaired, alike, codes, deleted, repair};
pub(crate) use roles::{CLASS, known, no_column, published, recoded, renamed, schema, unchanged};
pub(crate) use seeds::{Use, queries as query_seed, stream};
use spared::spared;
pub(crate) use whole::Whole;
pub(crate) use wishes::wanted;

/// A table made ready: roles checked, missing values treated, m-eligible, encoded, pseudonymised.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub(crate) settings: Settings,
    pub(crate) schema: Schema,
    /// How each column of the table is published.
    pub(crate) recodings: Vec<Recoding>,
    pub(crate) job: Job,
    /// Input row of each real record, in the job's order; where a record is a person with several rows, all of them, person by
    /// person.
    pub(crate) rows: Vec<u32>,
    /// Whose rows are whose, where a record is a person with several rows.
    pub(crate) persons: Option<Persons>,
    /// Sensitive value of each counterfeit, in the job's order.
    pub(crate) counterfeits: Vec<String>,
    /// Record (by its place in the job) that lends each counterfeit its quasi-identifiers; empty if they have none.
    pub(crate) drawn_from: Vec<u32>,
    pub(crate) fates: Vec<Fate>,
    pub(crate) changes: Changes,
    /// Deleted records of each sensitive value.
    pub(crate) deleted: Vec<u64>,
    pub(crate) lp_backend: Option<String>,
    /// What a reader of the report should know.
    pub(crate) warnings: Vec<Said>,
    pub(crate) seconds: f64,
    /// What the next ledger needs, in a series of releases.
    pub(crate) series: Option<Part>,
}

impl Prepared {
    /// The numeric job: all that a worker needs and may see.
    #[must_use]
    pub fn job(&self) -> &Job {
        &self.job
    }
}

/// A table whose settings fit it: roles, forms of publication, the rows that are not dropped.
pub(crate) struct Begun {
    pub(crate) seed: u64,
    pub(crate) schema: Schema,
    pub(crate) recodings: Vec<Recoding>,
    pub(crate) kept: Kept,
}

/// The first step to every release, of a series or not.
pub(crate) fn begin(table: &Table, settings: &Settings) -> Result<Begun, Error> {
    let seed = settings.seed.ok_or(Misfit::NoSeed)?;
    let schema = schema(table, settings)?;
    let recodings = recodings(table, &schema, settings)?;
    crate::release::sample::check(table, &settings.sample, &schema.markers)?;
    let kept = keep(table, &schema)?;
    Ok(Begun { seed, schema, recodings, kept })
}

/// From the table to the numeric job. `settings.seed` must be set.
///
/// # Errors
/// [`Error::Asked`] if it is not clear whether rows are people; [`Error::Conflict`] and
/// [`Error::Misfit`] for settings that do not fit;
/// [`Error::NotEligible`] or [`Error::Impossible`] if the guarantee cannot be given; [`Error::Lp`] if changes for eligibility are not confirmed.
pub fn prepare(table: &Table, settings: &Settings, ctx: &Ctx) -> Result<Prepared, Error> {
    prepare_of(table, settings, &[], ctx)
}

/// The same, where the user says that these columns name persons.
pub(crate) fn prepare_of(
    table: &Table,
    settings: &Settings,
    identifiers: &[String],
    ctx: &Ctx,
) -> Result<Prepared, Error> {
    let began = (ctx.clock)();
    combinations::fit(settings, Made::Once)?;
    let Begun { seed, schema, recodings, kept } = begin(table, settings)?;
    let Kept { rows, mut fates, suppressed } = kept;
    crate::persons::check(table, &rows, settings, identifiers)?;
    let (Model::MInvariance { m: least } | Model::KAnonymity { k: least }) = settings.model;
    if rows.is_empty() {
        return Err(Impossible::NoRow { rows: table.rows as u64 }.into());
    }
    let rows = pseudonymise::canonical_rows(table, &schema, rows, None);
    let (repaired, persons) = if let Some(mut persons) = Persons::of(table, &schema, settings, &rows)? {
        let colours = linked::colours(table, &schema, settings, &mut persons, &rows)?;
        (repair::unchanged(table, &schema, rows), Some((persons, colours)))
    } else {
        let (rows, spared) = spared(table, &schema, settings, rows, &mut fates);
        let mut repaired = repair(table, &schema, &recodings, settings, rows, &mut fates)?;
        if spared > 0 {
            repaired.changes.deletions = spared;
            repaired.warnings.push(RepairWarning::DeletedAtRandom { deletions: spared }.into());
        }
        (repaired, None)
    };
    if matches!(settings.model, Model::KAnonymity { .. }) {
        let (k, rows) = (least, repaired.rows.len() as u64);
        match persons.as_ref().map(|(persons, _)| persons.count() as u64) {
            Some(persons) if persons < k as u64 => {
                return Err(Impossible::TooFewPersons { k, persons, rows }.into());
            }
            None if rows < k as u64 => return Err(Impossible::TooFew { k, records: rows }.into()),
            _ => {}
        }
    }
    combinations::with_counterfeits(settings, repaired.counterfeits.len())?;
    combinations::with_records(settings, repaired.rows.len())?;
    let chosen = Chosen { schema, recodings, repaired, persons, fates, suppressed, series: None };
    ready(table, settings, seed, chosen, (began, ctx))
}

/// The records that are to be published, before they become numbers.
pub(crate) struct Chosen {
    pub(crate) schema: Schema,
    pub(crate) recodings: Vec<Recoding>,
    pub(crate) repaired: Repaired,
    /// Whose rows are whose, by their places among the repaired ones, and the colour of each person.
    pub(crate) persons: Option<(Persons, Vec<u32>)>,
    pub(crate) fates: Vec<Fate>,
    pub(crate) suppressed: usize,
    /// In a series of releases, what the job and the ledger need.
    pub(crate) series: Option<(lookalike_model::job::Series, Part)>,
}

/// Encodes and pseudonymises.
pub(crate) fn ready(
    table: &Table,
    settings: &Settings,
    seed: u64,
    chosen: Chosen,
    (began, ctx): (f64, &Ctx),
) -> Result<Prepared, Error> {
    let Chosen { schema, recodings, repaired, persons, mut fates, suppressed, series } = chosen;
    let (series, part) = series.unzip();
    let encoded = match settings.loss {
        Loss::Sse => encode_sse(table, &schema, &recodings, &repaired.rows, persons.is_some())?,
        Loss::Ncp | Loss::NcpBinary => {
            refuse_gap(gap(table, &schema, &recodings, &repaired.rows), settings.loss)?;
            encode_ncp(table, &schema, &recodings, &repaired.rows)?
        }
    };
    let mut warnings = roles::renamed(table, &schema);
    warnings.extend(encoded.warnings.iter().cloned());
    warnings.extend(repaired.warnings);
    warnings.extend(recoding::statements(&schema, &recodings, settings));
    if settings.loss != Loss::Sse && !repaired.drawn_from.is_empty() {
        warnings.push(RepairWarning::PenaltyOfReal.into());
    }
    let (persons, of_persons) = persons.unzip();
    let means = persons.as_ref().map(|persons| persons.means(&encoded)).transpose()?;
    let points = means.as_ref().unwrap_or(&encoded);
    let colours = of_persons.as_ref().unwrap_or(&repaired.colours);
    let ranks = value_order::ranks(settings, &repaired.values)?;
    let further = value_order::further(table, &schema, settings, &repaired.rows)?;
    let of_values = Coloured { colours, ranks: ranks.as_ref(), further: &further };
    let (mut job, order) =
        pseudonymise::job(settings, seed, points, of_values, &repaired.counterfeits, series.as_ref());
    if settings.scheme == Scheme::FullDomain {
        let rows: Vec<u32> = order.iter().map(|&i| repaired.rows[i as usize]).collect();
        job.lattice = Some(Arc::new(levels::lattice(table, &schema, &recodings, &rows, settings)?));
    }
    let persons = persons.map(|persons| persons.placed(&order, &repaired.rows));
    let mut place = vec![0; order.len()];
    for (at, &i) in (0..).zip(&order) {
        place[i as usize] = at;
    }
    fates.sort_by_key(|f| f.row);
    Ok(Prepared {
        settings: settings.clone(),
        schema,
        recodings,
        rows: persons
            .as_ref()
            .map_or_else(|| order.iter().map(|&i| repaired.rows[i as usize]).collect(), Persons::flat),
        persons,
        counterfeits: repaired.counterfeits.iter().map(|&c| repaired.values[c as usize].clone()).collect(),
        drawn_from: repaired.drawn_from.iter().map(|&i| place[i as usize]).collect(),
        job,
        fates,
        changes: Changes { suppressed, ..repaired.changes },
        deleted: repaired.deleted,
        lp_backend: repaired.backend.map(str::to_owned),
        warnings,
        series: part,
        seconds: (ctx.clock)() - began,
    })
}
