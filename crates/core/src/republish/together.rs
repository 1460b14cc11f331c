//! All releases of a series judged together before the newest one is written: those before it from the bytes of their files, and itself
//! from the bytes that would be published, by the audit that anybody's tables are judged by.

use std::io::Cursor;

use lookalike_audit::{
    Check,
    series::{Evidence, Invariance, Ledger, Published, Question, Verdict, fingerprint},
};
use lookalike_model::{
    ledger::{Mode, SeriesAudit},
    settings::Model,
};
use lookalike_table::{OpenOptions, Table, open};

use crate::{
    Error,
    check::{check_series, reading_of},
    pipeline::Outcome,
};

/// What was found in all releases of a series.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Held against the ledger, and against the sources where there are.
    verdicts: Vec<Verdict>,
    /// Releases that were judged, the newest among them.
    pub releases: usize,
    /// Whether they were judged against their sources, too.
    pub sources: bool,
}

impl Judged {
    /// Judges the releases `before`, in their order, with the one of `outcome`. `ledger` is the file of the ledger as it would be then;
    /// `sources` are the tables that all of them were made of, that of `outcome` the last, or none.
    ///
    /// # Errors
    /// If one of them cannot be read, or they do not fit together.
    pub fn of(
        outcome: &Outcome,
        ledger: &[u8],
        before: &[&[u8]],
        sources: &[Table],
    ) -> Result<Option<Self>, Error> {
        let Some(next) = &outcome.ledger else { return Ok(None) };
        let all: Vec<&[u8]> = before.iter().copied().chain([outcome.published.as_slice()]).collect();
        let read = |bytes: &&[u8]| open(Cursor::new(bytes.to_vec()), &OpenOptions::default());
        let tables = all.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let hashes: Vec<String> = all.iter().map(|bytes| fingerprint(bytes)).collect();
        let published: Vec<Published> =
            tables.iter().zip(&hashes).map(|(table, hash)| Published { table, hash: Some(hash) }).collect();
        let settings = &outcome.pinned;
        let (reading, _) = reading_of(settings)?;
        let (Model::MInvariance { m } | Model::KAnonymity { k: m }) = settings.model;
        let question = Question {
            model: match next.mode {
                Mode::TauSafety => Invariance::TauSafety,
                Mode::Incremental | Mode::MInvariance => Invariance::MInvariance,
            },
            m,
            quasi: settings.quasi.iter().chain(&settings.keep).cloned().collect(),
            sensitive: settings.sensitive.clone().unwrap_or_default(),
            class: settings.class_column.name().map(String::from),
            suppressed: reading.suppressed.clone(),
            individuals: Vec::new(),
            worst: 0,
        };
        let ledger = Ledger::read(ledger)?;
        let mut verdicts = vec![check_series(&published, &question, Evidence::Ledger(&ledger))?];
        if !sources.is_empty() {
            let evidence = Evidence::Sources { tables: sources, id: &next.id, reading: &reading };
            verdicts.push(check_series(&published, &question, evidence)?);
        }
        Ok(Some(Self { verdicts, releases: all.len(), sources: !sources.is_empty() }))
    }

    /// The checks that do not hold.
    pub fn broken(&self) -> impl Iterator<Item = &Check> {
        self.checks().filter(|check| !check.passed)
    }

    /// What ledger and records say of it; `None` if something does not hold.
    #[must_use]
    pub fn audit(&self) -> Option<SeriesAudit> {
        let holds = self.verdicts.iter().all(|verdict| verdict.passed) && self.broken().next().is_none();
        let (releases, sources) = (self.releases, self.sources);
        holds.then(|| SeriesAudit { passed: true, releases, checks: self.checks().count(), sources })
    }

    fn checks(&self) -> impl Iterator<Item = &Check> {
        self.verdicts.iter().flat_map(|verdict| {
            let of_one = verdict.releases.iter().flat_map(|release| {
                release.findings.iter().map(|finding| &finding.check).chain(&release.notes)
            });
            of_one.chain(&verdict.checks)
        })
    }
}
