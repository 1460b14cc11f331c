//! Messages between the page and the desk, which is loaded on demand: configuration files, and published tables that are
//! checked. They travel as those of [`crate::page`] do; a file stands beside its question.

use lookalike_model::{info::TableInfo, settings::Settings};
use serde::{Deserialize, Serialize};

use crate::{
    check::{CheckSettings, Checked},
    opening::{Form, Opening},
    series::{SeriesCheck, SeriesJudged},
};

/// What the page asks of the desk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ask {
    /// Settings as a configuration file: answered by [`Told::File`].
    SaveConfig {
        /// The settings; their seed is not saved.
        settings: Box<Settings>,
        /// Columns that are identifiers.
        identifiers: Vec<String>,
        /// Name of the file.
        file: String,
    },
    /// Reads a configuration file for a table. Answered by [`Told::Configured`].
    LoadConfig {
        /// The table's columns.
        columns: Vec<String>,
    },
    /// Reads a table of a check: answered by [`Told::Found`], perhaps more than once, and [`Told::Opened`]. A published
    /// table forgets all that belonged to the one before.
    Open {
        /// Which.
        part: Part,
        /// How.
        how: Opening,
    },
    /// Reads the generalisation hierarchy of a column of the published table; without a file it is forgotten. Answered by
    /// [`Told::Hierarchy`].
    Hierarchy {
        /// The column.
        column: String,
    },
    /// Checks the published table, with all that was opened beside it. Answered by [`Told::Checked`].
    Check {
        /// What is asked.
        asked: Box<CheckSettings>,
    },
    /// Takes files of a series of releases, and judges them together.
    Series {
        /// What.
        ask: SeriesCheck,
    },
}

/// What the desk answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Told {
    /// A file; its bytes are transferred beside the message.
    Written {
        /// Its name.
        name: String,
    },
    /// What a configuration file says.
    Configured {
        /// Settings, or what is wrong with the file.
        configured: Result<Box<Configured>, String>,
    },
    /// What a table of a check is taken for; now its rows are read.
    Found {
        /// Which.
        part: Part,
        /// What.
        form: Form,
    },
    /// A table of a check was read.
    Opened {
        /// Which.
        part: Part,
        /// What is known of it, or why it cannot be read.
        table: Result<TableInfo, String>,
    },
    /// The hierarchy of a column was read, or forgotten.
    Hierarchy {
        /// The column.
        column: String,
        /// Number of its values, 0 if it was forgotten; or what is wrong.
        values: Result<usize, String>,
    },
    /// A published table was checked.
    Checked {
        /// What was found, or why nothing was.
        checked: Result<Box<Checked>, String>,
    },
    /// A series of releases was judged.
    Series {
        /// What was found, or why nothing was.
        judged: Result<SeriesJudged, String>,
    },
    /// There is no answer.
    Failed {
        /// Why, and what to do.
        message: String,
    },
}

/// A table of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The published table.
    Published,
    /// What it was made of.
    Original,
    /// classes.csv: which original row is in which class.
    Classes,
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Published, Self::Original, Self::Classes];
}

/// A configuration file as the page takes it over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Configured {
    /// What it says; what it leaves out has its default.
    pub settings: Settings,
    /// Columns that it names as identifiers.
    pub identifiers: Vec<String>,
    /// What of it was passed over, or is still to be done.
    pub notes: Vec<String>,
}
