//! Undo and redo over what is asked of a published table. Its files are no part of it: they are opened again by choosing them.

use crate::form::{CheckForm, ConditionField};

/// Fields for text beside those of conditions.
const TEXTS: usize = 12;

/// Steps that can be undone.
const KEPT: usize = 100;

/// What can be undone and redone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckEdits {
    done: Vec<CheckForm>,
    undone: Vec<CheckForm>,
    /// The field that is being typed in, by its place: what is typed there in one go is one step.
    typed: Option<usize>,
}

impl CheckEdits {
    /// Whether there is anything to undo.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    /// Whether there is anything to redo.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Notes a step.
    pub(super) fn note(&mut self, before: &CheckForm, now: &CheckForm) {
        if before == now {
            return;
        }
        let typed = typed(before, now);
        if typed.is_none() || typed != self.typed {
            self.done.push(before.clone());
            if self.done.len() > KEPT {
                self.done.remove(0);
            }
        }
        self.typed = typed;
        self.undone.clear();
    }

    /// Takes the last step back; whether there was one.
    pub(super) fn undo(&mut self, form: &mut CheckForm) -> bool {
        self.typed = None;
        let Some(before) = self.done.pop() else { return false };
        self.undone.push(std::mem::replace(form, before));
        true
    }

    /// Takes the last undoing back; whether there was one.
    pub(super) fn redo(&mut self, form: &mut CheckForm) -> bool {
        self.typed = None;
        let Some(after) = self.undone.pop() else { return false };
        self.done.push(std::mem::replace(form, after));
        true
    }
}

/// The only field for text that differs, if nothing else does.
fn typed(before: &CheckForm, now: &CheckForm) -> Option<usize> {
    let (mut patched, mut new) = (before.clone(), now.clone());
    let mut found = Vec::new();
    for (at, (old, new)) in texts(&mut patched).into_iter().zip(texts(&mut new)).enumerate() {
        if old != new {
            found.push(at);
            old.clone_from(new);
        }
    }
    match found[..] {
        [at] if patched == *now => Some(at),
        _ => condition(before, now),
    }
}

/// The only condition that differs, if nothing else does, by its place after the other fields.
fn condition(before: &CheckForm, now: &CheckForm) -> Option<usize> {
    let of = Some(now.conditions_of.as_str()).filter(|name| !name.is_empty());
    let differs =
        |field: &ConditionField| before.conditions.typed(of, *field) != now.conditions.typed(of, *field);
    let at = ConditionField::ALL.iter().position(differs)?;
    let mut patched = before.clone();
    let field = ConditionField::ALL[at];
    patched.conditions.set(of, field, now.conditions.typed(of, field).to_owned());
    (patched == *now).then_some(TEXTS + at)
}

fn texts(form: &mut CheckForm) -> [&mut String; TEXTS] {
    [
        &mut form.k,
        &mut form.m,
        &mut form.l,
        &mut form.c,
        &mut form.t,
        &mut form.order,
        &mut form.sets,
        &mut form.population,
        &mut form.counterfeits,
        &mut form.deletions,
        &mut form.attacks.number,
        &mut form.attacks.seed,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::CheckRole;

    #[test]
    fn a_condition_that_is_typed_is_one_step() {
        let (mut edits, mut form) = (CheckEdits::default(), CheckForm::of(2));
        let begun = form.clone();
        for typed in ["0", "0.", "0.4"] {
            let mut next = form.clone();
            next.conditions.set(None, ConditionField::Alpha, String::from(typed));
            edits.note(&form, &next);
            form = next;
        }
        assert!(edits.undo(&mut form));
        assert_eq!(form, begun);
    }

    #[test]
    fn what_is_typed_is_one_step_and_a_role_another() {
        let (mut edits, mut form) = (CheckEdits::default(), CheckForm::of(2));
        let begun = form.clone();
        let step = |edits: &mut CheckEdits, form: &mut CheckForm, set: &dyn Fn(&mut CheckForm)| {
            let mut next = form.clone();
            set(&mut next);
            edits.note(form, &next);
            *form = next;
        };
        assert!(!edits.undo(&mut form) && !edits.can_redo());
        for k in ["", "1", "12"] {
            step(&mut edits, &mut form, &|form| form.k = k.to_owned());
        }
        step(&mut edits, &mut form, &|form| form.roles[0] = CheckRole::Quasi);
        step(&mut edits, &mut form, &|form| form.roles[0] = CheckRole::Quasi);
        assert!(edits.undo(&mut form));
        assert_eq!((form.k.as_str(), form.roles[0]), ("12", CheckRole::Other));
        assert!(edits.undo(&mut form) && form == begun && !edits.can_undo());
        assert!(edits.redo(&mut form) && edits.redo(&mut form) && !edits.redo(&mut form));
        assert_eq!((form.k.as_str(), form.roles[0]), ("12", CheckRole::Quasi));
        // Typing again after an undo is a new step, and nothing is left to redo.
        assert!(edits.undo(&mut form));
        step(&mut edits, &mut form, &|form| form.k = String::from("3"));
        assert!(!edits.can_redo() && edits.undo(&mut form) && form.k == "12");
    }
}
