//! Messages about releases over time, inside those of [`crate::page`].

use lookalike_model::{
    ledger::{Mode, Signatures, Vacancies},
    lines::Line,
    report::SeriesUpdates,
};
use lookalike_words::Said;
use serde::{Deserialize, Serialize};

use crate::page::Configured;

/// What a release of a series is told beside the settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeriesOptions {
    /// The column that names individuals.
    pub id: String,
    /// Which updates are expected.
    pub mode: Mode,
    /// Which signatures the classes of new records get.
    pub signatures: Signatures,
    /// It begins a series; otherwise it goes on from the ledger that was read last.
    pub first: bool,
    /// What takes the places of people who left; without, the ledger's, and that of its mode for a series that begins.
    #[serde(default)]
    pub vacancies: Option<Vacancies>,
    /// For a series that begins: its ledger has pseudonyms, made with the key that was read last. A later release goes on as it began.
    #[serde(default)]
    pub pseudonyms: bool,
    /// Price of a counterfeit in the unit of the loss; without, there are as few as need be.
    #[serde(default)]
    pub price: Option<f64>,
}

/// What the page asks about the series that the open table belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeriesAsk {
    /// Reads a ledger, whose file is sent beside the message: answered by [`SeriesTold::Ledger`].
    Ledger {
        /// Its last release is made again, which nobody has seen: the next runs go on from the state before it.
        again: bool,
    },
    /// Reads the key of pseudonyms, whose file is sent beside the message, or forgets it where none is to be taken: answered by
    /// [`SeriesTold::Key`].
    Key {
        /// Whether there is one.
        given: bool,
    },
    /// Holds a published table, sent beside the message, against the ledger: answered by [`SeriesTold::Previous`].
    Previous,
}

/// What it answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeriesTold {
    /// A ledger was read.
    Ledger {
        /// What is known of the series, or why the ledger is refused.
        ledger: Result<Box<LedgerInfo>, Said>,
    },
    /// A key was read, or forgotten.
    Key {
        /// Why it is refused, if it is.
        refused: Option<Said>,
    },
    /// A published table was held against the ledger.
    Previous {
        /// Why it is not the last release, if it is not.
        refused: Option<Said>,
    },
    /// A release was made; the next ledger and the numbers of counterfeits (CSV: class, counterfeits) are transferred
    /// beside the message. The release itself comes after it.
    Released {
        /// What changed since the release before.
        updates: SeriesUpdates,
        /// Who is in each release, this one included.
        timeline: Vec<ReleasePeople>,
        /// What these numbers would tell; `None` without counterfeits.
        exposure: Option<Exposure>,
    },
}

/// Who was published in a release, and who was no more, against the release before. A ledger knows it of every release; of
/// those who waited for a later one it knows nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleasePeople {
    /// Number of the release, from 1.
    pub release: u32,
    /// Individuals that were never published before.
    pub new: usize,
    /// Individuals of the release before with the same value.
    pub stayed: usize,
    /// Individuals that are back with the value they had last.
    pub back: usize,
    /// Individuals with another value than before.
    pub changed: usize,
    /// Individuals of the release before that are not in this one.
    pub gone: usize,
}

/// How surely a value could be told: for the data holder alone. There is no figure for as long as the number of counterfeits of
/// each class stays private: an attacker who knows who left, and how counterfeits are placed, may find these numbers out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exposure {
    /// Probability if the number of counterfeits of each class is published.
    pub with: f64,
}

/// What is known of a series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LedgerInfo {
    /// The column that names individuals.
    pub id: String,
    /// Which updates are expected.
    pub mode: Mode,
    /// [`crate::ledger::fingerprint`] of the state that the next release goes on from.
    pub state: String,
    /// Number of releases so far, the one that is made again included.
    pub releases: u32,
    /// Individuals that were ever published.
    pub individuals: usize,
    /// Whether it has pseudonyms in place of names, and needs their key.
    pub pseudonyms: bool,
    /// Who was in each release so far, the first one first.
    pub timeline: Vec<ReleasePeople>,
    /// Its settings, as a configuration file would give them.
    pub configured: Configured,
    /// What changed in the open table, or why it cannot be the next one.
    pub changes: Result<SeriesUpdates, Said>,
}

/// What the page asks about a series that was published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeriesCheck {
    /// Forgets the files of a series.
    Begin,
    /// Takes a file, which is sent beside the message.
    Take {
        /// What it is.
        file: SeriesFile,
        /// Its name.
        name: String,
    },
    /// Judges the files: answered by [`crate::page::Response::Judged`].
    Judge {
        /// What is asked; a ledger says it by itself.
        question: Option<Box<SeriesQuestion>>,
        /// Individuals to follow; without any, those that are worst off.
        individuals: Vec<String>,
    },
}

/// A file of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeriesFile {
    /// A published table.
    Release,
    /// The table that it was made of.
    Source,
    /// The ledger.
    Ledger,
}

/// What is asked of a series without a ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesQuestion {
    /// For which updates.
    pub mode: Mode,
    /// Least number of values that must be left.
    pub m: usize,
    /// Columns that others may know.
    pub quasi: Vec<String>,
    /// The protected column.
    pub sensitive: String,
    /// The column that names individuals, in the sources.
    pub id: String,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeriesJudged {
    /// Whether all holds.
    pub passed: bool,
    /// The releases, by the names of their files, in the order in which they were judged.
    pub releases: Vec<String>,
    /// All that was found, as the command line prints it.
    pub lines: Vec<Line>,
}
