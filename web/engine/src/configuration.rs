//! Settings from a configuration file, and back.

use lookalike_model::settings::{Model, Settings};
use lookalike_wire::{
    config::{self, Draft},
    page::Configured,
};

/// The guarantee of a file that names none.
const USUAL: Model = Model::MInvariance { m: 3 };

/// What a file says, checked against the columns of a table.
pub(crate) fn load(columns: &[String], bytes: &[u8]) -> Result<Configured, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| String::from("the file is not UTF-8"))?;
    let loaded = config::read(text).map_err(|error| error.to_string())?;
    let (mut draft, mut notes) = (loaded.draft, loaded.notes);
    draft.check(columns).map_err(|error| error.to_string())?;
    // A page reads no file that nobody gave it.
    for (column, file) in draft.linked() {
        notes.push(format!(
            "the hierarchy of \"{column}\" stands in {file}: load it under \"More\" of the column"
        ));
        draft.settings.hierarchies.remove(&column);
    }
    if draft.settings.model.is_none() {
        notes.push(String::from("it names no guarantee: check the one below"));
        draft.settings.model = Some(USUAL);
    }
    let settings = draft.complete(None).map_err(|error| error.to_string())?;
    Ok(Configured { settings, identifiers: draft.identifiers, notes })
}

/// The bytes that the command line saves for the same settings.
pub(crate) fn save(settings: &Settings, identifiers: Vec<String>) -> Result<Vec<u8>, String> {
    let whole = Draft::of(settings).map_err(|error| error.to_string())?;
    Ok(config::write(&Draft { identifiers, ..whole }).into_bytes())
}
