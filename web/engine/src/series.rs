//! The series that the open table belongs to: the ledger comes in, the next one goes out.

use std::sync::Arc;

use lookalike_core::{
    audit::series::fingerprint,
    pipeline::{Outcome, Run},
    republish::{
        counts::by_class,
        pseudonyms::Key,
        series::{Options, changes},
        ways::Way,
    },
    table::Table,
};
use lookalike_file::Source;
use lookalike_model::{
    ledger::{Ledger, Mode, Signatures},
    settings::Settings,
};
use lookalike_wire::{
    ledger,
    page::{Configured, FileKind},
    series::{Exposure, LedgerInfo, SeriesAsk, SeriesOptions, SeriesTold},
};

use lookalike_words::Said;

use crate::{
    columns,
    edits::{self, Edited},
    timeline::timeline,
};

lookalike_words::messages! {
    in "engine";

    /// What cannot be done without a ledger.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum SeriesRefused {
        /// The next release.
        NoLedger,
        /// Holding a table against it. A sentence without its subject, which is the name of the table's file.
        NotCompared,
    }

    /// Why the next release cannot go on from a ledger.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum LedgerRefused {
        /// It is sealed.
        Sealed,
        /// It knows no release.
        NoRelease,
        /// People were erased from it since its last release, which is to be made again.
        ErasedSince,
        /// It knows one release only, and that one is to be made again.
        OneRelease,
    }
}

/// How a sealed file begins, as bytes and as text.
const SEALED: [&[u8]; 2] = [b"age-encryption.org/", b"-----BEGIN AGE ENCRYPTED FILE"];

/// What is known of a series.
#[derive(Default)]
pub(crate) struct Series {
    /// The ledger that was read last.
    ledger: Option<Ledger>,
    /// The key of pseudonyms that was read last.
    key: Option<Key>,
}

/// What is told, with files beside it.
type WithFiles = (SeriesTold, Vec<(FileKind, Vec<u8>)>);

impl Series {
    /// Answers a question about the open table, with its file.
    pub(crate) fn ask(
        &mut self,
        ask: &SeriesAsk,
        table: (&mut Arc<Table>, &mut Edited),
        file: &mut dyn Source,
    ) -> SeriesTold {
        match ask {
            &SeriesAsk::Ledger { again } => {
                self.ledger = None;
                let read = read(file, again);
                let key = self.key.as_ref();
                let ledger = read.and_then(|ledger| info(self.ledger.insert(ledger), again, (table, key)));
                SeriesTold::Ledger { ledger: ledger.map(Box::new) }
            }
            SeriesAsk::Key { .. } => {
                self.key = None;
                let read = columns::loaded(file).and_then(|bytes| Ok(Key::read(&bytes)?));
                SeriesTold::Key { refused: read.map(|key| self.key = Some(key)).err() }
            }
            SeriesAsk::Previous => {
                // A file that cannot be read is an answer, too: the page waits for one.
                let refused = match (&self.ledger, columns::loaded(file)) {
                    (None, _) => Some(SeriesRefused::NotCompared.into()),
                    (_, Err(why)) => Some(why),
                    (Some(ledger), Ok(bytes)) => ledger.not_last(&fingerprint(&bytes)).map(Into::into),
                };
                SeriesTold::Previous { refused }
            }
        }
    }

    /// Forgets the key of pseudonyms.
    pub(crate) fn forget_key(&mut self) -> SeriesTold {
        self.key = None;
        SeriesTold::Key { refused: None }
    }

    /// The next release of the series, as a run on this table.
    ///
    /// # Errors
    /// If the series has no ledger, or a price that makes no sense.
    pub(crate) fn run(
        &self,
        table: Arc<Table>,
        settings: Settings,
        options: &SeriesOptions,
    ) -> Result<Run, Said> {
        let ledger = if options.first { None } else { self.ledger.clone() };
        if ledger.is_none() && !options.first {
            return Err(SeriesRefused::NoLedger.into());
        }
        let (price, vacancies) = (options.price, options.vacancies);
        let key = match &ledger {
            None => self.key.as_ref().filter(|_| options.pseudonyms),
            Some(ledger) => key_of(ledger, self.key.as_ref()),
        };
        let key = key.cloned();
        let options = Options { ledger, vacancies, key, ..of(&options.id, options.mode, options.signatures) };
        Run::of_series(table, settings, options, price).map_err(|error| error.said())
    }

    /// What the page is told of a finished release, with the next ledger and the numbers of counterfeits; `None` if the
    /// table is for itself.
    ///
    /// # Errors
    /// If the ledger cannot be written.
    pub(crate) fn released(outcome: &Outcome) -> Result<Option<WithFiles>, Said> {
        let (Some(next), Some(updates)) = (&outcome.ledger, outcome.private.series) else { return Ok(None) };
        let bytes = ledger::write(next)?;
        let informed = outcome.private.informed.filter(|_| outcome.report.changes.counterfeits > 0);
        let exposure = informed.map(|informed| Exposure { with: informed.present_with_class_counts });
        let told = SeriesTold::Released { updates, timeline: timeline(next), exposure };
        Ok(Some((told, vec![(FileKind::Ledger, bytes), (FileKind::Counterfeits, by_class(next))])))
    }
}

fn of(id: &str, mode: Mode, signatures: Signatures) -> Options {
    Options {
        id: id.to_owned(),
        mode,
        ledger: None,
        signatures,
        exact_names: false,
        key: None,
        vacancies: None,
        way: Way::Fewest,
        more: 0,
    }
}

/// The key that was read, for a ledger with pseudonyms.
fn key_of<'a>(ledger: &Ledger, key: Option<&'a Key>) -> Option<&'a Key> {
    key.filter(|_| ledger.pseudonyms.is_some())
}

/// The ledger in a file; `again`: as it was before its last release.
fn read(file: &mut dyn Source, again: bool) -> Result<Ledger, Said> {
    let bytes = columns::loaded(file)?;
    if SEALED.iter().any(|mark| bytes.starts_with(mark)) {
        return Err(LedgerRefused::Sealed.into());
    }
    let ledger = ledger::read(&bytes)?;
    match (ledger.number(), again) {
        (0, _) => Err(LedgerRefused::NoRelease.into()),
        (_, false) => Ok(ledger),
        (1, true) => Err(LedgerRefused::OneRelease.into()),
        (_, true) if ledger.is_erased_since() => Err(LedgerRefused::ErasedSince.into()),
        (_, true) => Ok(ledger.before_last()),
    }
}

/// What a ledger says, and how the table differs from its last release: its cells are read as they were for that.
fn info(
    ledger: &Ledger,
    again: bool,
    ((table, edited), key): ((&mut Arc<Table>, &mut Edited), Option<&Key>),
) -> Result<LedgerInfo, Said> {
    let key = key_of(ledger, key).cloned();
    let options =
        Options { ledger: Some(ledger.clone()), key, ..of(&ledger.id, ledger.mode, Signatures::Free) };
    Ok(LedgerInfo {
        id: ledger.id.clone(),
        mode: ledger.mode,
        state: ledger::fingerprint(ledger)?,
        releases: ledger.number() + u32::from(again),
        individuals: ledger.individuals.len(),
        pseudonyms: ledger.pseudonyms.is_some(),
        timeline: timeline(ledger),
        configured: Configured {
            settings: ledger.settings.clone(),
            identifiers: vec![ledger.id.clone()],
            notes: Vec::new(),
        },
        changes: (edited.apply(table, edits::of(&ledger.settings)).map_err(Said::from))
            .and_then(|()| changes(table, &ledger.settings, &options).map_err(|error| error.said())),
    })
}
