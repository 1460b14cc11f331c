//! Messages between the page and the desk, which is loaded on demand: configuration files, and published tables that are
//! checked. They travel as those of [`crate::page`] do.

use serde::{Deserialize, Serialize};

use crate::{
    check::{CheckSettings, Checked},
    page::TableInfo,
    settings::Settings,
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
    /// Reads a configuration file for a table; its bytes are transferred beside the message. Answered by
    /// [`Told::Configured`].
    LoadConfig {
        /// The table's columns.
        columns: Vec<String>,
    },
    /// Reads a published table; its bytes are transferred beside the message. Answered by [`Told::Opened`].
    OpenPublished,
    /// Checks the published table. Its original, and after it classes.csv, may be transferred beside the message.
    /// Answered by [`Told::Checked`].
    Check {
        /// What is asked.
        asked: Box<CheckSettings>,
    },
}

/// What the desk answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Told {
    /// A file; its bytes are transferred beside the message.
    File {
        /// Its name.
        name: String,
    },
    /// What a configuration file says.
    Configured {
        /// Settings, or what is wrong with the file.
        configured: Result<Box<Configured>, String>,
    },
    /// A published table was read.
    Opened {
        /// What is known of it, or why it cannot be read.
        table: Result<TableInfo, String>,
    },
    /// A published table was checked.
    Checked {
        /// What was found, or why nothing was.
        checked: Result<Box<Checked>, String>,
    },
    /// There is no answer.
    Failed {
        /// Why, and what to do.
        message: String,
    },
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
