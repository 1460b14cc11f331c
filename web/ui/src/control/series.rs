//! What may be asked for about a series of releases.

use lookalike_model::dialect::Dialect;
use lookalike_wire::{
    page::{OtherForm, Request, names},
    series::{SeriesAsk, SeriesCheck, SeriesFile, SeriesQuestion},
};

use super::Control;
use crate::{
    platform::{Buffer, files::FileHandle},
    state::{Action, SeriesAction, SeriesKind, Spent, Workbook},
    transport::Asked,
};

/// What the lists of files of an audit hold, in their order.
const LISTS: [SeriesFile; 3] = [SeriesFile::Release, SeriesFile::Ledger, SeriesFile::Source];

/// Files of a series.
#[derive(Default)]
pub(super) struct Files {
    /// The ledger that the next release goes on from, and whether its last release is made again.
    ledger: Option<(FileHandle, bool)>,
    /// For an audit: releases, ledger, sources.
    audit: [Vec<FileHandle>; 3],
    /// The last release and its ledger.
    made: [Option<FileHandle>; 2],
}

impl Control {
    /// Says what the open table is.
    pub fn series(&self, kind: SeriesKind) {
        if kind != SeriesKind::Later {
            self.0.series.borrow_mut().ledger = None;
        }
        self.dispatch(Action::Series(SeriesAction::Kind(kind)));
    }

    /// Reads the ledger that the next release goes on from; `again` if its last release is made again.
    pub fn load_ledger(&self, file: FileHandle, again: bool) {
        self.dispatch(Action::Series(SeriesAction::Reading(file.name.clone(), again)));
        self.0.link.post_file(&Request::Series { ask: SeriesAsk::Ledger { again } }, &file);
        self.0.series.borrow_mut().ledger = Some((file, again));
    }

    /// Takes the key of pseudonyms, or forgets it; the ledger is read anew with it.
    pub fn pseudonym_key(&self, file: Option<&FileHandle>) {
        self.dispatch(Action::Series(SeriesAction::Key(file.map(|file| file.name.clone()))));
        let request = Request::Series { ask: SeriesAsk::Key { given: file.is_some() } };
        match file {
            Some(file) => self.0.link.post_file(&request, file),
            None => self.0.link.post(&request),
        }
        self.reload_ledger();
    }

    /// The ledger of the last release was saved: other tabs must not go on from the state before it.
    pub fn ledger_saved(&self, spent: Option<&Spent>) {
        self.dispatch(Action::Series(SeriesAction::Saved));
        if let Some(spent) = spent {
            self.0.tabs.tell(spent);
        }
    }

    /// Reads the ledger once more, for another table.
    pub(super) fn reload_ledger(&self) {
        let ledger = self.0.series.borrow().ledger.clone();
        if let Some((file, again)) = ledger {
            self.load_ledger(file, again);
        }
    }

    /// Says whether the last release of the ledger is made again.
    pub fn release_again(&self, again: bool) {
        let ledger = self.0.series.borrow().ledger.clone();
        if let Some((file, _)) = ledger {
            self.load_ledger(file, again);
        }
    }

    /// Holds a published table against the ledger.
    pub fn compare_previous(&self, file: &FileHandle) {
        self.dispatch(Action::Series(SeriesAction::Comparing(file.name.clone())));
        self.0.link.post_file(&Request::Series { ask: SeriesAsk::Previous }, file);
    }

    /// Keeps the bytes of the last release (0) or of its ledger (1) for the audit.
    pub(super) fn made(&self, at: usize, bytes: &Buffer) {
        let names = [t!(SERIES_NEW_RELEASE), t!(SERIES_NEW_LEDGER)];
        self.0.series.borrow_mut().made[at] = FileHandle::from_bytes(names[at], bytes).ok();
    }

    /// The table of the run that ended last.
    pub(super) fn released_table(&self) -> Option<FileHandle> {
        self.0.series.borrow().made[0].clone()
    }

    /// Saves the published table, whose bytes have this dialect, in another form, or what says what its columns are, by the name of the
    /// opened file.
    pub fn save_other(&self, dialect: Dialect, form: OtherForm, opened: &str) {
        let Some(table) = self.0.made.borrow_mut().shown().and_then(|run| run.table.clone()) else {
            let why = page!(FAILED_ENGINE_SENT_NO_FILES);
            self.dispatch(Action::Workbook(Workbook::Refused(why)));
            return;
        };
        self.dispatch(Action::Workbook(Workbook::Writing));
        let asked = Asked::Workbook(names::other(opened, form), self.0.link.run());
        let request = Request::Workbook { dialect, form, table: names::table(opened) };
        self.0.link.ask(&request, Some(&table), asked);
    }

    /// Takes files for an audit: releases (0), the ledger (1), or sources (2).
    pub fn audit_files(&self, at: usize, files: Vec<FileHandle>) {
        let names = files.iter().map(|file| file.name.clone()).collect();
        self.0.series.borrow_mut().audit[at] = files;
        self.dispatch(Action::Series(SeriesAction::Files(at, names)));
    }

    /// Judges the releases that were chosen, with their ledger or by a question.
    pub fn audit(&self, question: Option<SeriesQuestion>, individuals: Vec<String>) {
        let lists = self.0.series.borrow().audit.clone();
        self.judge(&lists, question, individuals);
    }

    /// Judges the releases that were chosen with the one that was made last, by its ledger.
    pub fn audit_released(&self) {
        let series = self.0.series.borrow();
        let [mut releases, ..] = series.audit.clone();
        let [release, ledger] = series.made.clone();
        releases.extend(release);
        drop(series);
        self.judge(&[releases, ledger.into_iter().collect(), Vec::new()], None, Vec::new());
    }

    fn judge(
        &self,
        lists: &[Vec<FileHandle>; 3],
        question: Option<SeriesQuestion>,
        individuals: Vec<String>,
    ) {
        self.dispatch(Action::Series(SeriesAction::Judging));
        let ask = |ask, file| self.0.link.ask(&Request::CheckSeries { ask }, file, Asked::Judge);
        ask(SeriesCheck::Begin, None);
        for (file, list) in LISTS.into_iter().zip(lists) {
            for handle in list {
                ask(SeriesCheck::Take { file, name: handle.name.clone() }, Some(handle));
            }
        }
        ask(SeriesCheck::Judge { question: question.map(Box::new), individuals }, None);
    }
}
