//! Sets of quasi-identifiers with a larger k.

use lookalike_model::settings::{QuasiSet, Scheme};

use super::{Field, Wrong};
use crate::form::{ModelChoice, SchemeForm};

/// The sets; none where the form does not show them.
pub(super) fn sets(
    form: &SchemeForm,
    model: ModelChoice,
    quasi: &[&str],
    wrong: &mut Wrong,
) -> Vec<QuasiSet> {
    if !form.takes_sets(model) {
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
        // Levels of columns may be shared by sets; a column of classes has one partition.
        let before =
            |column: &&&str| sets.iter().any(|set: &QuasiSet| set.columns.iter().any(|of| of == **column));
        if let Some(shared) = columns.iter().find(before).filter(|_| form.scheme == Scheme::Classes) {
            wrong.add(Field::Sets, t!(WRONG_SETS_SHARE, name = shared));
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
