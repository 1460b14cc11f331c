//! By what the settings of a result differ from those that the page shows.

use std::collections::BTreeSet;

use lookalike_model::settings::Settings;

use crate::{
    form::{Role, guarantee},
    format::list,
};

/// What was otherwise: the guarantee, roles of columns, other settings. The guarantee alone where the settings are not complete now, or
/// do not differ.
pub(super) fn differing(was: &Settings, now: Option<&Settings>) -> String {
    let Some(now) = now else { return guarantee(&was.model) };
    let columns: BTreeSet<&str> = [was, now].into_iter().flat_map(named).collect();
    let moved: Vec<String> = columns
        .into_iter()
        .filter(|name| role(was, name) != role(now, name))
        .map(|name| t!(LOOK_ROLE_WAS, name = name, role = role(was, name).label()))
        .collect();
    let mut all: Vec<String> = Vec::new();
    if was.model != now.model {
        all.push(guarantee(&was.model));
    }
    // Where roles differ, settings of these columns do, too.
    let others = Settings { model: was.model, ..now.clone() };
    if moved.is_empty() && others != *was {
        all.push(String::from(t!(LOOK_OTHER_SETTINGS)));
    }
    all.extend(moved);
    if all.is_empty() {
        return guarantee(&was.model);
    }
    list(&all.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The columns that have a role.
fn named(of: &Settings) -> impl Iterator<Item = &str> {
    let lists = of.quasi.iter().chain(&of.sensitive).chain(&of.keep).chain(&of.unchanged);
    lists.chain(of.conditions_of.keys()).map(String::as_str)
}

fn role(of: &Settings, name: &str) -> Role {
    let is = |names: &[String]| names.iter().any(|other| other == name);
    match () {
        () if is(&of.quasi) => Role::Quasi,
        () if of.sensitive.as_deref() == Some(name) || of.conditions_of.contains_key(name) => Role::Sensitive,
        () if is(&of.keep) => Role::Keep,
        () if is(&of.unchanged) => Role::Unchanged,
        () => Role::NotPublished,
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::settings::{Budget, Model};

    use super::*;

    #[test]
    fn earlier_settings_are_named_by_what_differs() {
        let now = Settings {
            quasi: vec![String::from("age"), String::from("sex")],
            sensitive: Some(String::from("disease")),
            ..Settings::of(Model::MInvariance { m: 3 })
        };
        let of = |was: &Settings| differing(was, Some(&now));
        assert_eq!(
            of(&Settings { model: Model::MInvariance { m: 5 }, ..now.clone() }),
            "m-invariance, m = 5"
        );
        let roles =
            Settings { quasi: vec![String::from("age")], keep: vec![String::from("sex")], ..now.clone() };
        assert_eq!(of(&roles), "sex “Grouped”");
        let search = Settings { budget: Budget::Seconds(7.0), ..now.clone() };
        assert_eq!(of(&search), "other answers or expert settings");
        let both = Settings { model: Model::KAnonymity { k: 4 }, ..roles };
        assert_eq!(of(&both), "k-anonymity, k = 4 and sex “Grouped”");
        assert_eq!((of(&now), differing(&now, None)), (guarantee(&now.model), guarantee(&now.model)));
    }
}
