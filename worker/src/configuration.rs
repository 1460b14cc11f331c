//! `--config` and `--save-config`: a file and flags become one draft of the settings; flags overrule the file.

mod fault;

use std::path::{Path, PathBuf};

use lookalike_core::table::Table;
use lookalike_model::settings::{Method, Missing, Model, Role, RowsAre, Settings, Suppress};
use lookalike_wire::config::{self, Draft, Reading};

use self::fault::{ConfigFault, RoleInFile};
use crate::{exit::Failure, files, progress::say, recoding::hierarchy};

/// The flags.
#[derive(Debug, clap::Args)]
pub(crate) struct ConfigArgs {
    /// Configuration: a Frictionless Table Schema with the property "lookalike"; flags overrule it
    #[arg(long, value_name = "FILE", help_heading = "Configuration")]
    config: Option<PathBuf>,
    /// Write the configuration of this run, without its seed
    #[arg(long, value_name = "FILE", help_heading = "Configuration")]
    save_config: Option<PathBuf>,
}

/// A configuration file as it was read.
#[derive(Debug)]
pub(crate) struct File {
    path: String,
    draft: Draft,
}

impl File {
    /// One that was read already.
    pub(crate) fn new(path: String, draft: Draft) -> Self {
        Self { path, draft }
    }

    /// Its name, for messages.
    pub(crate) fn name(&self) -> &str {
        &self.path
    }

    /// How it says that a table's file is read.
    pub(crate) fn reading(&self) -> Reading {
        self.draft.reading.clone()
    }

    /// The model that it says.
    pub(crate) fn model(&self) -> Option<Model> {
        self.draft.settings.model
    }

    /// What it says of suppressed records.
    pub(crate) fn suppress(&self) -> Option<Suppress> {
        self.draft.settings.suppress
    }

    /// The method that it says.
    pub(crate) fn method(&self) -> Option<Method> {
        self.draft.settings.method
    }
}

impl File {
    /// The settings of a series of releases, which later releases take over.
    pub(crate) fn of_series(path: &Path, settings: &Settings) -> Result<Self, Failure> {
        let mut draft = Draft::of(settings).map_err(Failure::input)?;
        // Those of one run.
        (draft.settings.budget, draft.settings.method) = (None, None);
        Ok(Self { path: path.display().to_string(), draft })
    }
}

impl ConfigArgs {
    /// Where to save, if anywhere.
    pub(crate) fn save(&self) -> Option<&Path> {
        self.save_config.as_deref()
    }

    /// The file, if there is one; says what of it was passed over.
    pub(crate) fn read(&self) -> Result<Option<File>, Failure> {
        self.config.as_deref().map(read).transpose()
    }
}

/// Reads a configuration; says what of it was passed over.
pub(crate) fn read(path: &Path) -> Result<File, Failure> {
    let bytes = files::read_small(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let shown = path.display().to_string();
    let text =
        String::from_utf8(bytes).map_err(|_| Failure::input(ConfigFault::NotUtf8 { path: shown.clone() }))?;
    let mut loaded = config::read(&text).map_err(|error| Failure::in_file(path, error))?;
    for (column, file) in loaded.draft.linked() {
        let rows = hierarchy(&folder.join(file))?.rows();
        loaded.draft.put_hierarchy(&column, &rows);
    }
    for note in loaded.notes {
        say(&format!("{shown}: {note}"));
    }
    Ok(File { path: shown, draft: loaded.draft })
}

/// Flags before the file.
///
/// # Errors
/// If a flag gives a column a role that the file gives otherwise, unless a flag replaces that role's columns too.
pub(crate) fn merge(flags: Draft, file: Option<&File>) -> Result<Draft, Failure> {
    let Some(file) = file else { return Ok(flags) };
    let replaced = |role: Role| match role {
        Role::QuasiIdentifier => flags.settings.quasi.is_some(),
        Role::Sensitive => flags.settings.sensitive.is_some(),
        Role::Keep => flags.settings.keep.is_some(),
        Role::Unchanged => flags.settings.unchanged.is_some(),
        Role::Identifier => false,
    };
    let told = file.draft.roles();
    for (name, role) in flags.roles() {
        let conflict = told.iter().find(|(of, other)| *of == name && *other != role && !replaced(*other));
        if let Some((_, other)) = conflict {
            let given = flag(role).unwrap_or_default();
            return Err(Failure::input(ConfigFault::OtherRole {
                flag: given,
                column: name.into(),
                path: file.path.clone(),
                role: words(*other),
                instead: flag(*other).map(str::to_owned),
            }));
        }
    }
    Ok(flags.over(file.draft.clone()))
}

/// The flag of a role.
fn flag(role: Role) -> Option<&'static str> {
    match role {
        Role::QuasiIdentifier => Some("--quasi"),
        Role::Sensitive => Some("--sensitive"),
        Role::Keep => Some("--keep"),
        Role::Unchanged => Some("--unchanged"),
        Role::Identifier => None,
    }
}

fn words(role: Role) -> RoleInFile {
    match role {
        Role::QuasiIdentifier => RoleInFile::Quasi,
        Role::Sensitive => RoleInFile::Sensitive,
        Role::Keep => RoleInFile::Keep,
        Role::Unchanged => RoleInFile::Unchanged,
        Role::Identifier => RoleInFile::Identifier,
    }
}

/// Whether the file is for this table.
pub(crate) fn check(file: Option<&File>, table: &Table) -> Result<(), Failure> {
    let Some(file) = file else { return Ok(()) };
    let names: Vec<&str> = table.columns.iter().map(|c| c.name.as_str()).collect();
    file.draft.check(&names).map_err(|error| Failure::in_file(Path::new(&file.path), error))
}

/// The text to save: the settings of a run, and the identifiers that a file named.
pub(crate) fn saved(settings: &Settings, draft: &Draft) -> Result<Vec<u8>, Failure> {
    // Whether there was a certificate says nothing about the next run.
    let settings = &Settings { method: settings.method.without_duals(), duals: false, ..settings.clone() };
    let whole = Draft::of(settings).map_err(Failure::input)?;
    Ok(config::write(&Draft {
        identifiers: draft.identifiers.clone(),
        reading: draft.reading.clone(),
        ..whole
    })
    .into_bytes())
}

/// What a draft says of missing cells.
pub(crate) fn missing(draft: &Draft) -> Missing {
    draft.settings.missing.clone().into()
}

/// The columns that the settings name: no other is needed.
pub(crate) fn columns(settings: &Settings) -> Vec<String> {
    let Settings {
        quasi,
        sensitive,
        keep,
        unchanged,
        kinds,
        orders,
        pad,
        labels,
        weights,
        missing,
        hierarchies,
        publish_columns,
        coding,
        domains,
        rows_are,
        sample,
        ..
    } = settings;
    let person = rows_are.as_ref().and_then(RowsAre::key);
    let spoken_of =
        (kinds.keys().chain(orders.keys()).chain(pad.keys()).chain(labels.keys()).chain(weights.keys()))
            .chain(missing.columns.keys())
            .chain(hierarchies.keys())
            .chain(publish_columns.keys())
            .chain(coding.keys())
            .chain(domains.keys());
    quasi
        .iter()
        .chain(sensitive)
        .chain(keep)
        .chain(unchanged)
        .chain(person)
        .chain(&sample.household)
        .chain(spoken_of)
        .cloned()
        .collect()
}
