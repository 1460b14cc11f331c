//! A series of ours judged from bytes in memory, as `lookalike check` judges files: before a release is written.

use std::io::Cursor;

use lookalike_core::{
    audit::series::{Evidence, Invariance, Ledger, Published, Question, Verdict, fingerprint},
    check::check_series,
    table::{OpenOptions, Table},
};
use lookalike_forms::open;
use lookalike_model::{
    ledger::{Ledger as Settled, Mode},
    settings::Model,
};

use super::super::config::FromConfiguration;
use crate::{configuration::File, exit::Failure};

/// What the releases of a series are judged with.
pub(crate) enum Beside<'a> {
    /// The file of the ledger after the last of them.
    Ledger(&'a [u8]),
    /// The tables that they were made of, one for each.
    Sources(&'a [Table]),
}

/// Judges releases together, in their order; `file` is what the ledger settles, as a configuration says it.
///
/// # Errors
/// If one of them cannot be read, or what it is judged with does not fit.
pub(crate) fn judge(
    releases: &[&[u8]],
    (settled, file): (&Settled, &File),
    beside: &Beside<'_>,
) -> Result<Verdict, Failure> {
    let read =
        |bytes: &&[u8]| open(Cursor::new(bytes.to_vec()), &OpenOptions::default()).map_err(Failure::input);
    let tables = releases.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let hashes: Vec<String> = releases.iter().map(|bytes| fingerprint(bytes)).collect();
    let published: Vec<Published> =
        tables.iter().zip(&hashes).map(|(table, hash)| Published { table, hash: Some(hash) }).collect();
    let told = FromConfiguration::of(Some(file))?;
    let settings = &settled.settings;
    let (Model::MInvariance { m } | Model::KAnonymity { k: m }) = settings.model;
    let question = Question {
        model: match settled.mode {
            Mode::TauSafety => Invariance::TauSafety,
            Mode::Incremental | Mode::MInvariance => Invariance::MInvariance,
        },
        m,
        quasi: told.quasi,
        sensitive: told.sensitive.unwrap_or_default(),
        class: settings.class_column.name().map(String::from),
        suppressed: told.reading.suppressed.clone(),
        individuals: Vec::new(),
        worst: 0,
    };
    let evidence = |ledger: Option<&Ledger>, sources: Option<&[Table]>| {
        let evidence = match (ledger, sources) {
            (Some(ledger), _) => Evidence::Ledger(ledger),
            (None, Some(tables)) => Evidence::Sources { tables, id: &settled.id, reading: &told.reading },
            (None, None) => Evidence::Alone,
        };
        check_series(&published, &question, evidence).map_err(Failure::input)
    };
    match beside {
        Beside::Ledger(bytes) => {
            let ledger = Ledger::read(bytes).map_err(Failure::input)?;
            evidence(Some(&ledger), None)
        }
        Beside::Sources(tables) => evidence(None, Some(tables)),
    }
}
