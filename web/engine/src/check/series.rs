//! A series of releases, judged together: files come one after the other, then the question.

use std::io::Cursor;

use lookalike_core::{
    audit::{
        measure::Reading,
        series::{Evidence, Invariance, Ledger, Published, Question, WORST, fingerprint},
    },
    check::{check_series, tell_series},
    table::{HeaderRow, OpenOptions, ReadOptions, Table, plain, read_from},
};
use lookalike_model::{ledger::Mode, settings::Model};
use lookalike_wire::{
    ledger,
    series::{SeriesCheck, SeriesFile, SeriesJudged, SeriesQuestion},
};
use lookalike_words::{Message as _, Said};

use super::refused::CheckRefused;

/// The files of a series.
#[derive(Default)]
pub(crate) struct Files {
    releases: Vec<File>,
    sources: Vec<File>,
    ledger: Option<Vec<u8>>,
    /// What went wrong with one of them, the first one.
    wrong: Option<Said>,
}

struct File {
    name: String,
    table: Table,
    hash: String,
}

impl Files {
    /// Takes what is asked, with the bytes of its file; what was found once it is judged.
    pub(crate) fn answer(
        &mut self,
        ask: SeriesCheck,
        bytes: Result<Vec<u8>, Said>,
    ) -> Option<Result<SeriesJudged, Said>> {
        match ask {
            SeriesCheck::Begin => *self = Self::default(),
            SeriesCheck::Take { file, name } => {
                if let Err(why) = bytes.and_then(|bytes| self.take(file, &name, bytes)) {
                    let wrong = CheckRefused::File { name: name.clone(), why };
                    self.wrong.get_or_insert(wrong.into());
                }
            }
            SeriesCheck::Judge { question, individuals } => {
                let files = std::mem::take(self);
                return Some(files.judge(question.map(|question| *question), individuals));
            }
        }
        None
    }

    fn take(&mut self, file: SeriesFile, name: &str, bytes: Vec<u8>) -> Result<(), Said> {
        if file == SeriesFile::Ledger {
            self.ledger = Some(bytes);
            return Ok(());
        }
        let table = foreign(&bytes)?;
        let file_of = File { name: name.to_owned(), table, hash: fingerprint(&bytes) };
        match file {
            SeriesFile::Release => self.releases.push(file_of),
            SeriesFile::Source | SeriesFile::Ledger => self.sources.push(file_of),
        }
        Ok(())
    }

    fn judge(
        mut self,
        question: Option<SeriesQuestion>,
        individuals: Vec<String>,
    ) -> Result<SeriesJudged, Said> {
        if let Some(wrong) = self.wrong {
            return Err(wrong);
        }
        let (question, ledger, id) = match (&self.ledger, question) {
            (Some(bytes), _) => {
                let ledger = Ledger::read(bytes).map_err(|error| error.said())?;
                self.releases = in_order(self.releases, bytes)?;
                (of_ledger(bytes, &ledger)?, Some(ledger), String::new())
            }
            (None, Some(SeriesQuestion { mode, m, quasi, sensitive, id })) => {
                (asked(mode, m, quasi, sensitive), None, id)
            }
            (None, None) => return Err(CheckRefused::NoEvidence.into()),
        };
        let question = Question { individuals, ..question };
        let published: Vec<Published> = (self.releases.iter())
            .map(|file| Published { table: &file.table, hash: ledger.as_ref().map(|_| file.hash.as_str()) })
            .collect();
        let (reading, names) = (Reading::default(), self.releases.iter().map(|file| file.name.clone()));
        let releases = names.collect();
        let sources: Vec<Table> = self.sources.into_iter().map(|file| file.table).collect();
        let evidence = match &ledger {
            Some(ledger) => Evidence::Ledger(ledger),
            None if sources.is_empty() => Evidence::Alone,
            None => Evidence::Sources { tables: &sources, id: &id, reading: &reading },
        };
        let verdict = check_series(&published, &question, evidence).map_err(|error| error.said())?;
        Ok(SeriesJudged { passed: verdict.passed, releases, lines: tell_series(&verdict) })
    }
}

/// A table that somebody else has made: its first row may be a record, and the file no table at all.
fn foreign(bytes: &[u8]) -> Result<Table, Said> {
    let read = ReadOptions { header: HeaderRow::Ask, ..ReadOptions::default() };
    let options = OpenOptions { read, ..OpenOptions::default() };
    let found = plain(&mut Cursor::new(bytes), &options, &mut |form, text| {
        read_from(text, &form.read_options(&options.read))
    });
    match found.map_err(|error| error.said())? {
        Some((table, _)) => Ok(table),
        None => Err(CheckRefused::NotUtf8.into()),
    }
}

/// What a ledger says of its series.
fn of_ledger(bytes: &[u8], audited: &Ledger) -> Result<Question, Said> {
    let known = ledger::read(bytes)?;
    let Model::MInvariance { m } = known.settings.model else {
        return Err(CheckRefused::NoM.into());
    };
    let sensitive = audited.sensitive().ok_or(CheckRefused::NoSensitive)?.to_owned();
    Ok(asked(known.mode, m, audited.quasi(), sensitive))
}

fn asked(mode: Mode, m: usize, quasi: Vec<String>, sensitive: String) -> Question {
    let model = match mode {
        Mode::TauSafety => Invariance::TauSafety,
        Mode::Incremental | Mode::MInvariance => Invariance::MInvariance,
    };
    let suppressed = Reading::default().suppressed;
    Question { model, m, quasi, sensitive, class: None, suppressed, individuals: Vec::new(), worst: WORST }
}

/// The releases in the order of the ledger, which knows their bytes; files may be chosen in any order.
fn in_order(mut files: Vec<File>, bytes: &[u8]) -> Result<Vec<File>, Said> {
    let known = ledger::read(bytes)?;
    let place = |file: &File| known.releases.iter().position(|release| release.hash == file.hash);
    for file in &files {
        if place(file).is_none() {
            let releases = known.number();
            return Err(CheckRefused::NoRelease { name: file.name.clone(), releases }.into());
        }
    }
    files.sort_by_key(place);
    files.dedup_by(|a, b| a.hash == b.hash);
    if files.len() < known.releases.len() {
        let there: Vec<Option<usize>> = files.iter().map(place).collect();
        let missing = (0..known.releases.len()).filter(|at| !there.contains(&Some(*at)));
        let (missing, releases) = (missing.map(|at| at + 1).collect(), known.number());
        return Err(CheckRefused::Missing { missing, releases }.into());
    }
    Ok(files)
}
