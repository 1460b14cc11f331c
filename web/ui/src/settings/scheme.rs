//! Sets of quasi-identifiers, where each column is published at one level.

use lookalike_model::settings::{QuasiSet, Scheme};

use super::{Field, Wrong};
use crate::form::SchemeForm;

/// The sets; none in classes, whose form does not show them.
pub(super) fn sets(form: &SchemeForm, quasi: &[&str], wrong: &mut Wrong) -> Vec<QuasiSet> {
    if form.scheme == Scheme::Classes {
        return Vec::new();
    }
    let mut sets = Vec::new();
    for line in form.sets.split('\n').map(str::trim).filter(|line| !line.is_empty()) {
        let pair = line.split_once('=').and_then(|(k, columns)| Some((k.trim().parse().ok()?, columns)));
        let Some((k, columns)) = pair else {
            wrong.add(Field::Sets, t!(WRONG_NO_SET, line = line));
            continue;
        };
        let columns: Vec<&str> = columns.split(',').map(str::trim).collect();
        if let Some(other) = columns.iter().find(|column| !quasi.contains(column)) {
            wrong.add(Field::Sets, t!(WRONG_SET_OF_OTHER, name = other));
            continue;
        }
        sets.push(QuasiSet { columns: super::owned(&columns), k });
    }
    sets
}

/// The sets as they are typed.
pub(super) fn typed(sets: &[QuasiSet]) -> String {
    let lines = sets.iter().map(|set| format!("{} = {}", set.k, set.columns.join(", ")));
    lines.collect::<Vec<_>>().join("\n")
}
