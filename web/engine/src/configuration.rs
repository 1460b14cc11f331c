//! Settings from a configuration file, and back.

use lookalike_core::{pinned_before, pipeline::only_here, table::Table};
use lookalike_model::settings::{Model, Settings, ValueCondition};
use lookalike_wire::{
    config::{self, Draft, Note, Reading},
    page::Configured,
};
use lookalike_words::Said;

lookalike_words::messages! {
    in "engine";

    /// Why a file cannot be a configuration.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum ConfigRefused {
        /// Its bytes are not UTF-8.
        NotUtf8,
        /// It has two conditions of a kind, for which the page has one field: without one of them less would hold than it says.
        Conditions,
    }
}

/// The guarantee of a file that names none.
const USUAL: Model = Model::MInvariance { m: 3 };

/// Whether two conditions differ in nothing but a number.
fn has_two_of_a_kind(conditions: &[ValueCondition]) -> bool {
    let kind = |condition: &ValueCondition| {
        let distance = match condition {
            ValueCondition::TCloseness { distance, .. } => Some(*distance),
            _ => None,
        };
        (std::mem::discriminant(condition), distance)
    };
    let among =
        |place: usize| conditions[..place].iter().any(|other| kind(other) == kind(&conditions[place]));
    (0..conditions.len()).any(among)
}

/// What a file says, checked against the columns of a table.
pub(crate) fn load(columns: &[String], bytes: &[u8]) -> Result<Configured, Said> {
    let text = std::str::from_utf8(bytes).map_err(|_| ConfigRefused::NotUtf8)?;
    let loaded = config::read(text)?;
    let (mut draft, mut notes) = (loaded.draft, loaded.notes);
    draft.check(columns)?;
    let mut conditions = draft.settings.conditions.iter().chain(draft.settings.conditions_of.values());
    if conditions.any(|of| has_two_of_a_kind(of)) {
        return Err(ConfigRefused::Conditions.into());
    }
    // A page reads no file that nobody gave it.
    for (column, file) in draft.linked() {
        notes.push(Note::HierarchyInFile { column: column.as_str().into(), file: file.into() });
        draft.settings.hierarchies.remove(&column);
    }
    let Reading { skip_rows, skip_last_rows, .. } = draft.reading.clone().said();
    if skip_rows.is_some() || skip_last_rows.is_some() {
        let lines = |of: Option<u16>| of.map_or(0, usize::from);
        notes.push(Note::Skipped { first: lines(skip_rows), last: lines(skip_last_rows) });
    }
    if draft.settings.model.is_none() {
        notes.push(Note::NoGuarantee);
        draft.settings.model = Some(USUAL);
    }
    let settings = draft.complete(None)?;
    only_here(&settings)?;
    Ok(Configured {
        settings,
        identifiers: draft.identifiers,
        notes: notes.into_iter().map(Said::from).collect(),
    })
}

/// The configuration of a finished run.
pub(crate) fn of_run(pinned: &Settings, reading: Reading) -> Result<Vec<u8>, Said> {
    let settings = Settings { method: pinned.method.without_duals(), duals: false, ..pinned.clone() };
    Ok(config::write(&Draft { reading, ..Draft::of(&settings)? }).into_bytes())
}

/// The bytes that the command line saves for the same settings of a table.
pub(crate) fn save(
    settings: &Settings,
    table: Option<&Table>,
    identifiers: Vec<String>,
    reading: Reading,
) -> Result<Vec<u8>, Said> {
    let pinned = table.map(|table| pinned_before(settings, table));
    let whole = Draft::of(pinned.as_ref().unwrap_or(settings))?;
    Ok(config::write(&Draft { identifiers, reading, ..whole }).into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the page has no field for is not lost on the way into its form.
    #[test]
    fn what_no_field_shows_is_refused() {
        let columns = [String::from("age")];
        let with = |properties: &str| {
            let text = format!(
                r#"{{ "fields": [{{ "name": "age", "lookalike": {{ "role": "quasi-identifier" }} }}],
                "lookalike": {{ "version": 1, "model": {{ "name": "k-anonymity", "k": 5 }}{properties} }} }}"#
            );
            load(&columns, text.as_bytes())
                .map(|loaded| loaded.settings.model)
                .map_err(|said| said.to_string())
        };
        assert_eq!(with(""), Ok(Model::KAnonymity { k: 5 }));
        assert_eq!(with(r#", "scheme": "classes""#), Ok(Model::KAnonymity { k: 5 }));
        assert_eq!(with(r#", "scheme": "full-domain""#), Ok(Model::KAnonymity { k: 5 }));
        assert_eq!(with(r#", "sample": { "weight": "age" }"#), Ok(Model::KAnonymity { k: 5 }));
        assert_eq!(with(r#", "suppress": { "share": 0.05 }"#), Ok(Model::KAnonymity { k: 5 }));
        let both = with(r#", "suppress": { "limit": 9, "share": 0.05 }"#).unwrap_err();
        assert!(both.contains("the page has one field"), "{both}");
    }
}
