//! The six steps and where each stands: the rail on the left, and what each step needs.

use crate::{
    form::{Role, guarantee, with_role},
    format::{counted, percent},
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
        ("Open", "open", open, open_note(state)),
        ("Describe", "describe", open && described, describe_note(state)),
        ("Protect", "protect", open && protected, protect_note(state, protected)),
        ("Solve", "solve", current, solve_note(state)),
        ("Look", "look", passed, look_note(state)),
        // There is always another copy to save.
        ("Save", "save", false, String::from(if passed { "ready" } else { "nothing to save yet" })),
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
        (Work::Opening(_), _) => String::from("reading"),
        (_, Some(table)) => counted(table.rows, "row", "rows"),
        (_, None) => String::from("no table yet"),
    }
}

fn describe_note(state: &State) -> String {
    let Some(table) = &state.table else { return String::from("needs a table") };
    let of = |role| with_role(table, &state.choices, role).len();
    let (quasi, sensitive) = (of(Role::Quasi), of(Role::Sensitive));
    if quasi + sensitive == 0 {
        return String::from("no roles yet");
    }
    format!("{}, {sensitive} sensitive", counted(quasi, "quasi-identifier", "quasi-identifiers"))
}

fn protect_note(state: &State, protected: bool) -> String {
    match state.settings() {
        None => String::from("needs a table"),
        Some(Ok(settings)) => guarantee(&settings.model),
        Some(Err(_)) if protected => String::from("set"),
        Some(Err(wrong)) => {
            let fields = wrong.iter().filter(|w| !w.field.describes()).count();
            format!("{} to settle", counted(fields, "field", "fields"))
        }
    }
}

fn solve_note(state: &State) -> String {
    match (&state.work, &state.results) {
        (Work::Solving(run), _) => match run.progress.fraction {
            Some(done) => format!("running, {}", percent((100.0 * done).floor())),
            None => String::from("running"),
        },
        (_, Some(_)) if state.results_are_current() => String::from("done"),
        (_, Some(_)) => String::from("settings have changed"),
        (_, None) => String::from("not started"),
    }
}

fn look_note(state: &State) -> String {
    match &state.results {
        None => String::from("nothing to see yet"),
        Some(_) if !state.results_are_current() => String::from("made with other settings"),
        Some(results) if results.finished.report.audit.passed => String::from("audit passed"),
        Some(_) => String::from("audit failed"),
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
                "m-invariance, first release, m = 3",
                "not started",
                "nothing to see yet",
                "nothing to save yet"
            ]
        );
        assert_eq!(notes(&solving())[3], "running");
    }
}
