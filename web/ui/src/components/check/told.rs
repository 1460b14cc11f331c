//! The verdict on a published table, in words: a pure function of what was asked and what was found.
//!
//! **Invariant.** It says what the table is and never what to do with it: the table may have been out for years. Only what was asked
//! counts; of what was not asked it says just that.

use lookalike_wire::check::{Answer, Checked, Notion, PersonsCounted, Promised, Variant};

use crate::{
    form::CheckRole,
    format::{count as shown, list, odds},
    state::CheckState,
    texts::words,
};

/// The verdict.
pub(super) struct Told {
    /// Whether all that was asked about holds.
    pub(super) holds: bool,
    /// What does not hold, or what holds; and about what nothing was asked.
    pub(super) sentence: String,
    /// Each promise that was asked about, whether it holds, and in words.
    pub(super) answers: Vec<(bool, String)>,
    /// How many of them hold.
    pub(super) count: String,
    /// What was counted, rows or people.
    pub(super) counted: String,
    /// What does not fit beside them, if anything.
    pub(super) misfits: Option<String>,
}

/// What was found, in words.
pub(super) fn told(view: &CheckState, found: &Checked) -> Told {
    let secret = secret(view).unwrap_or_default();
    let sentence = |answer: &Answer| in_words(answer, &secret, found.persons.as_ref());
    let answers: Vec<(bool, String)> =
        found.answers.iter().map(|answer| (answer.holds, sentence(answer))).collect();
    let holds = answers.iter().all(|(holds, _)| *holds);
    let mut said: Vec<String> =
        answers.iter().filter(|answer| answer.0 == holds).map(|answer| answer.1.clone()).collect();
    if found.suppressed > 0 {
        said.push(n!(CHECKED_SUPPRESSED, found.suppressed));
    }
    said.extend(not_asked(view, found));
    let held = answers.iter().filter(|answer| answer.0).count();
    let counted = match (&found.persons, view.person()) {
        (Some(persons), Some(column)) => {
            t!(CHECKED_BY_PERSON, people = n!(SERIES_PEOPLE, persons.count), column = column)
        }
        _ => String::from(t!(CHECKED_BY_ROW)),
    };
    Told {
        holds,
        sentence: said.join(" "),
        count: n!(CHECKED_COUNT, answers.len(), held = shown(held)),
        answers,
        counted,
        misfits: (found.misfits > 0).then(|| n!(CHECKED_MISFITS, found.misfits)),
    }
}

/// The column that is to be protected.
fn secret(view: &CheckState) -> Option<String> {
    let table = view.published.read()?;
    let mut columns = table.columns.iter().zip(&view.form.roles);
    columns.find(|(_, role)| **role == CheckRole::Sensitive).map(|(column, _)| column.name.clone())
}

/// The columns about whose values nothing was asked.
fn not_asked(view: &CheckState, found: &Checked) -> Option<String> {
    let table = view.published.read()?;
    let of_secret = |answer: &Answer| {
        matches!(answer.promise, Promised::MUniqueness(_) | Promised::Diversity(_) | Promised::Closeness(_))
    };
    let asked = found.answers.iter().any(of_secret);
    let conditioned = |name: &str| {
        let of =
            |answer: &Answer| matches!(&answer.promise, Promised::Condition { column, .. } if column == name);
        found.answers.iter().any(of)
    };
    let columns = table.columns.iter().zip(&view.form.roles);
    let open: Vec<&str> = columns
        .filter(|(column, role)| match role {
            CheckRole::Sensitive => !asked && !conditioned(&column.name),
            CheckRole::Other => true,
            CheckRole::Quasi | CheckRole::QuasiCodes => false,
        })
        .map(|(column, _)| column.name.as_str())
        .filter(|name| *name != CLASS)
        .collect();
    (!open.is_empty()).then(|| t!(CHECKED_NOT_ASKED, names = list(&open)))
}

/// The column that names the classes of a table made here: no value of anybody.
const CLASS: &str = "class";

fn in_words(answer: &Answer, secret: &str, persons: Option<&PersonsCounted>) -> String {
    let Answer { promise, holds, broken, known } = answer;
    match (promise, holds, broken) {
        (Promised::KAnonymity(k), true, _) => match persons {
            Some(persons) => {
                t!(CHECKED_K_PERSONS, k = shown(*k), least = shown(persons.least))
            }
            None => t!(CHECKED_K, k = shown(*k)),
        },
        (Promised::KAnonymity(k), false, 0) => {
            let least = persons.map_or(0, |persons| persons.least);
            t!(CHECKED_NOT_K_PERSONS, k = shown(*k), people = n!(SERIES_PEOPLE, least))
        }
        (Promised::KAnonymity(k), false, groups) => n!(CHECKED_NOT_K, *groups, k = shown(*k)),
        (Promised::MUniqueness(m), true, _) => match known {
            Some(share) if *share >= 1.0 => t!(CHECKED_M_CERTAIN, m = shown(*m), secret = secret),
            Some(share) => t!(CHECKED_M_KNOWN, m = shown(*m), secret = secret, odds = odds(*share)),
            None => t!(CHECKED_M, m = shown(*m), secret = secret),
        },
        (Promised::MUniqueness(m), false, 0) => t!(CHECKED_NOT_M_PERSONS, m = shown(*m), secret = secret),
        (Promised::MUniqueness(m), false, groups) => {
            n!(CHECKED_NOT_M, *groups, m = shown(*m), secret = secret)
        }
        (Promised::Diversity(asked), holds, groups) => {
            let (l, kind) = (shown(asked.l), kind(asked.variant));
            if *holds {
                t!(CHECKED_L, l = l, kind = kind, secret = secret)
            } else {
                n!(CHECKED_NOT_L, *groups, l = l, kind = kind, secret = secret)
            }
        }
        (Promised::Closeness(t), true, _) => t!(CHECKED_T, t = t, secret = secret),
        (Promised::Closeness(t), false, groups) => n!(CHECKED_NOT_T, *groups, t = t, secret = secret),
        (Promised::Condition { column, wanted }, true, _) => {
            t!(CHECKED_CONDITION, column = column, wanted = words(wanted))
        }
        (Promised::Condition { column, wanted }, false, groups) => {
            n!(CHECKED_NOT_CONDITION, *groups, column = column, wanted = words(wanted))
        }
        (Promised::Set { wanted }, true, _) => t!(CHECKED_SET, wanted = words(wanted)),
        (Promised::Set { wanted }, false, groups) => {
            n!(CHECKED_NOT_SET, *groups, wanted = words(wanted))
        }
        (Promised::Against(notion, k), true, _) => t!(CHECKED_AGAINST, notion = name(*notion, *k)),
        (Promised::Against(notion, k), false, _) => t!(CHECKED_NOT_AGAINST, notion = name(*notion, *k)),
    }
}

/// What diversity is, where it is not the number of values.
fn kind(variant: Variant) -> String {
    match variant {
        Variant::Distinct => String::new(),
        Variant::Entropy => format!(" ({})", t!(CHECK_ENTROPY)),
        Variant::Recursive(c) => format!(" (c = {c})"),
    }
}

fn name(notion: Notion, k: usize) -> String {
    let k = shown(k);
    let of = |a: &str, b: &str| t!(CHECKED_ANONYMITY, a = a, b = b);
    match notion {
        Notion::OneK => of("1", &k),
        Notion::KOne => of(&k, "1"),
        Notion::KK => of(&k, &k),
        Notion::Concealment => t!(CHECKED_CONCEALMENT, k = k),
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::report::{Audit, Dialect, Reader};
    use lookalike_words::Said;

    use super::*;
    use crate::{
        form::CheckForm,
        state::{
            Action, CheckAction, PartState, reduce,
            tests::{described, table},
        },
    };

    fn view(secret: bool) -> CheckState {
        let roles = vec![CheckRole::Quasi, if secret { CheckRole::Sensitive } else { CheckRole::Other }];
        CheckState {
            published: PartState { table: Some(std::rc::Rc::new(Ok(table()))), ..PartState::default() },
            form: CheckForm { roles, ..CheckForm::of(2) },
            ..CheckState::default()
        }
    }

    fn found(answers: &[(Promised, bool, usize)]) -> Checked {
        let answers = answers.iter().cloned();
        Checked {
            audit: Audit {
                passed: true,
                checks: Vec::new(),
                reader: Reader::General,
                dialect: Dialect::PLAIN,
            },
            answers: answers
                .map(|(promise, holds, broken)| Answer { promise, holds, broken, known: None })
                .collect(),
            persons: None,
            misfits: 0,
            suppressed: 0,
            near: None,
            attacks: None,
            lines: Vec::new(),
        }
    }

    #[test]
    fn the_verdict_says_what_the_table_is() {
        let good = told(&view(true), &found(&[(Promised::KAnonymity(5), true, 0)]));
        assert!(good.holds && good.answers.len() == 1);
        assert_eq!(good.sentence, "This table is 5-anonymous. Nothing was asked about disease.");
        assert_eq!(good.count, "Promises that hold: 1 of 1.");
        let bad = told(&view(false), &found(&[(Promised::KAnonymity(5), false, 31)]));
        assert!(!bad.holds);
        assert_eq!(
            bad.sentence,
            "This table is not 5-anonymous: 31 groups are smaller. Nothing was asked about disease."
        );
        let one = told(&view(false), &found(&[(Promised::KAnonymity(5), false, 1)]));
        assert!(
            one.sentence.starts_with("This table is not 5-anonymous: 1 group is smaller."),
            "{}",
            one.sentence
        );
    }

    #[test]
    fn what_does_not_hold_is_said_first_and_only_what_was_asked_counts() {
        let mut checked = found(&[(Promised::KAnonymity(3), true, 0), (Promised::MUniqueness(3), false, 2)]);
        checked.misfits = 1;
        let told = told(&view(true), &checked);
        assert!(!told.holds);
        assert!(
            told.sentence.starts_with("This table is not 3-unique for disease: 2 groups"),
            "{}",
            told.sentence
        );
        assert!(!told.sentence.contains("Nothing was asked"), "{}", told.sentence);
        assert_eq!((told.answers.len(), told.count.as_str()), (2, "Promises that hold: 1 of 2."));
        assert!(told.misfits.is_some_and(|told| told.contains("1 thing")));
    }

    #[test]
    fn what_is_not_known_hides_nobody_from_who_rules_it_out() {
        let mut checked = found(&[(Promised::MUniqueness(3), true, 0)]);
        let said = |checked: &Checked| told(&view(true), checked).sentence;
        assert!(said(&checked).starts_with("This table is 3-unique for disease."), "{}", said(&checked));
        checked.answers[0].known = Some(0.5);
        assert!(
            said(&checked).contains("3-unique for disease only as long as “not known” counts as a value")
                && said(&checked).contains("1 in 2 guesses"),
            "{}",
            said(&checked)
        );
        checked.answers[0].known = Some(1.0);
        assert!(said(&checked).contains("can be told for certain"), "{}", said(&checked));
    }

    #[test]
    fn conditions_and_sets_are_told_in_the_audits_words() {
        let wanted = || Said::verbatim("no value with a share above 0.4");
        let of = |column: &str| Promised::Condition { column: column.into(), wanted: wanted() };
        let good = told(&view(true), &found(&[(of("disease"), true, 0)]));
        assert_eq!(good.sentence, "This table keeps for disease: no value with a share above 0.4.");
        let bad = told(&view(true), &found(&[(of("disease"), false, 1)]));
        assert!(bad.sentence.contains("1 group breaks it"), "{}", bad.sentence);
        let set = Promised::Set { wanted: Said::verbatim("9-anonymity of age alone") };
        let set = told(&view(true), &found(&[(set, false, 4)]));
        assert!(set.sentence.contains("9-anonymity of age alone; 4 groups are smaller"), "{}", set.sentence);
    }

    #[test]
    fn people_are_counted_where_they_are_known() {
        let persons = |least| Some(PersonsCounted { count: 40, least, split: 0 });
        let few = Checked { persons: persons(2), ..found(&[(Promised::KAnonymity(5), false, 0)]) };
        let few = told(&view(true), &few);
        assert!(
            few.sentence.starts_with("This table is not 5-anonymous: a group has rows of only 2 people."),
            "{}",
            few.sentence
        );
        let enough = Checked { persons: persons(6), ..found(&[(Promised::KAnonymity(5), true, 0)]) };
        let enough = told(&view(true), &enough);
        assert!(enough.sentence.contains("everybody is among at least 6"), "{}", enough.sentence);
    }

    #[test]
    fn no_verdict_says_what_to_do() {
        let everything = [
            Promised::KAnonymity(2),
            Promised::MUniqueness(2),
            Promised::Diversity(lookalike_wire::check::Diversity { l: 2, variant: Variant::Recursive(2.0) }),
            Promised::Closeness(0.2),
            Promised::Condition {
                column: String::from("disease"),
                wanted: Said::verbatim("at least 2 different values"),
            },
            Promised::Set { wanted: Said::verbatim("9-anonymity of age alone") },
            Promised::Against(Notion::KK, 2),
        ];
        for holds in [true, false] {
            let answers: Vec<_> = everything.iter().map(|promise| (promise.clone(), holds, 3)).collect();
            let told = told(&view(true), &found(&answers));
            assert!(
                told.answers
                    .iter()
                    .all(|(_, text)| text.starts_with("This table") || text.contains("original"))
            );
            assert!(!told.sentence.to_lowercase().contains("publish"), "{}", told.sentence);
        }
        // Nor does the page, after an edit, keep a verdict on another question.
        let state = reduce(described(), Action::Check(CheckAction::Done(Box::new(Ok(found(&[]))))));
        let form = CheckForm { k: String::from("9"), ..state.check.form.clone() };
        assert_eq!(reduce(state, Action::Check(CheckAction::Edit(Box::new(form)))).check.found, None);
    }
}
