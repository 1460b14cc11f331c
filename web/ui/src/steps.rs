//! The six steps and where each stands: the rail on the left, and what each step needs.

use crate::{
    form::{Role, guarantee, with_role},
    format::percent,
    settings::Invalid,
    state::{State, Work},
};

/// Where a step stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing is left to do in it.
    Done,
    /// It is the next to look at.
    Current,
    /// It needs something before.
    Waiting,
}

/// A step as the rail shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its name.
    pub title: &'static str,
    /// Id of its heading.
    pub id: &'static str,
    /// Where it stands.
    pub standing: Standing,
    /// What is there, or what is missing.
    pub note: String,
}

/// The six steps.
#[must_use]
pub fn steps(state: &State) -> [Step; 6] {
    let invalid = state.invalid();
    let (described, protected) = (!has_roles_wrong(&invalid), invalid.iter().all(|w| w.field.describes()));
    let open = state.table.is_some();
    let current = state.results_are_current();
    let passed = current && state.results.as_ref().is_some_and(|r| r.finished.report.audit.passed);
    let facts = [
        (t!(STEP_OPEN), "open", open, open_note(state)),
        (t!(STEP_DESCRIBE), "describe", open && described, describe_note(state)),
        (t!(STEP_PROTECT), "protect", open && protected, protect_note(state, protected)),
        (t!(STEP_SOLVE), "solve", current, solve_note(state)),
        (t!(STEP_LOOK), "look", passed, look_note(state)),
        // There is always another copy to save.
        (
            t!(STEP_SAVE),
            "save",
            false,
            String::from(if passed { t!(STEP_READY) } else { t!(STEP_NOTHING_SAVE_YET) }),
        ),
    ];
    let next = facts.iter().position(|(_, _, done, _)| !done);
    let mut index = 0;
    facts.map(|(title, id, done, note)| {
        let standing = match (Some(index) == next, done) {
            (true, _) => Standing::Current,
            (false, true) => Standing::Done,
            (false, false) => Standing::Waiting,
        };
        index += 1;
        Step { title, id, standing, note }
    })
}

fn has_roles_wrong(invalid: &[Invalid]) -> bool {
    invalid.iter().any(|w| w.field.describes())
}

fn open_note(state: &State) -> String {
    match (&state.work, &state.table) {
        (Work::Opening(_), _) => String::from(t!(STEP_READING)),
        (_, Some(table)) => n!(N_ROW, table.rows),
        (_, None) => String::from(t!(STEP_NO_TABLE_YET)),
    }
}

fn describe_note(state: &State) -> String {
    let Some(table) = &state.table else { return String::from(t!(STEP_NEEDS_TABLE)) };
    let of = |role| with_role(table, &state.choices, role).len();
    let (quasi, sensitive) = (of(Role::Quasi), of(Role::Sensitive));
    if quasi + sensitive == 0 {
        return String::from(t!(STEP_NO_ROLES_YET));
    }
    n!(STEP_SENSITIVE, quasi, sensitive = sensitive)
}

fn protect_note(state: &State, protected: bool) -> String {
    match state.settings() {
        None => String::from(t!(STEP_NEEDS_TABLE)),
        Some(Ok(settings)) => guarantee(&settings.model),
        Some(Err(_)) if protected => String::from(t!(STEP_SET)),
        Some(Err(wrong)) => {
            let fields = wrong.iter().filter(|w| !w.field.describes()).count();
            n!(STEP_SETTLE, fields)
        }
    }
}

fn solve_note(state: &State) -> String {
    match (&state.work, &state.results) {
        (Work::Solving(run), _) => match run.progress.fraction {
            Some(done) => t!(STEP_RUNNING_DONE, done = percent((100.0 * done).floor())),
            None => String::from(t!(STEP_RUNNING)),
        },
        (_, Some(_)) if state.results_are_current() => String::from(t!(STEP_DONE)),
        (_, Some(_)) => String::from(t!(STEP_SETTINGS_HAVE_CHANGED)),
        (_, None) => String::from(t!(STEP_NOT_STARTED)),
    }
}

fn look_note(state: &State) -> String {
    match &state.results {
        None => String::from(t!(STEP_NOTHING_SEE_YET)),
        Some(_) if matches!(state.work, Work::Solving(_)) => String::from(t!(STEP_RUNNING)),
        Some(_) if !state.results_are_current() => String::from(t!(STEP_MADE_WITH_OTHER_SETTINGS)),
        Some(results) if results.finished.report.audit.passed => String::from(t!(STEP_AUDIT_PASSED)),
        Some(_) => String::from(t!(STEP_AUDIT_FAILED)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        form::Form,
        state::{
            Action, Downloads, State, reduce,
            tests::{described, finished, solved, solving},
        },
    };

    fn standings(state: &State) -> String {
        steps(state)
            .iter()
            .map(|step| match step.standing {
                Standing::Done => 'd',
                Standing::Current => 'c',
                Standing::Waiting => '-',
            })
            .collect()
    }

    fn notes(state: &State) -> Vec<String> {
        steps(state).into_iter().map(|step| step.note).collect()
    }

    #[test]
    fn one_step_after_the_other() {
        assert_eq!(standings(&State::default()), "c-----");
        assert_eq!(standings(&described()), "dddc--");
        assert_eq!(standings(&solving()), "dddc--");
        assert_eq!(standings(&solved()), "dddddc");
    }

    #[test]
    fn a_missing_role_or_a_faulty_field_is_the_next_thing_to_do() {
        let state = reduce(described(), Action::SetRole(0, Role::NotPublished));
        assert_eq!(standings(&state), "dcd---");
        assert_eq!(notes(&state)[1], "0 quasi-identifiers, 1 sensitive");
        let state =
            reduce(described(), Action::Edit(Box::new(Form { m: String::from("x"), ..Form::default() })));
        assert_eq!(standings(&state), "ddc---");
        assert_eq!(notes(&state)[2], "1 field to settle");
    }

    #[test]
    fn a_failed_audit_is_looked_at_and_not_saved() {
        let failed = Action::Finished(Box::new(finished(false)), Downloads::default());
        let state = reduce(solving(), failed);
        assert_eq!(standings(&state), "ddddc-");
        assert_eq!(notes(&state)[4..], ["audit failed", "nothing to save yet"]);
    }

    #[test]
    fn results_of_other_settings_are_no_results() {
        let state =
            reduce(solved(), Action::Edit(Box::new(Form { m: String::from("4"), ..Form::default() })));
        assert_eq!(standings(&state), "dddc--");
        assert_eq!(notes(&state)[3..5], ["settings have changed", "made with other settings"]);
    }

    #[test]
    fn notes_say_what_is_there() {
        assert_eq!(
            notes(&described()),
            [
                "10 rows",
                "1 quasi-identifier, 1 sensitive",
                "m-invariance, m = 3",
                "not started",
                "nothing to see yet",
                "nothing to save yet"
            ]
        );
        assert_eq!(notes(&solving())[3], "running");
    }
}
