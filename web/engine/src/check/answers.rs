//! What was asked of a published table, and whether it holds: what else was looked at is no part of it.

use lookalike_core::{
    audit::{Assessment, Finding, Grouping, Model, Observation, Sizes, Subject, Values, consistency},
    check::{Findings, condition},
};
use lookalike_wire::check::{Answer, CheckSettings, Notion, PersonsCounted, Promised};
use lookalike_words::{Message, Said};

/// One answer for each promise that was asked about, in the order of the fields. `known`: the largest share of a value among the known
/// ones of a group, if some are not known.
pub(super) fn answers(found: &Findings, asked: &CheckSettings, known: Option<f64>) -> Vec<Answer> {
    let mut answers: Vec<Answer> = Vec::new();
    if let Some(k) = asked.k {
        let few = found.persons.as_ref().is_some_and(|persons| persons.least_in_class < k);
        answers.push(answer(found, Promised::KAnonymity(k), few, |model| {
            matches!(model, Model::KAnonymity { .. })
        }));
    }
    if let Some(m) = asked.m {
        // Where persons are counted, their values are compared, not those of their rows.
        let owners = found.persons.as_ref().and_then(|persons| Some((persons, persons.owners.as_ref()?)));
        let wrong = owners.is_some_and(|(persons, owners)| !owners.holds() || persons.least_in_class < m);
        let told = answer(found, Promised::MUniqueness(m), wrong, |model| {
            matches!(model, Model::MUniqueness { .. })
        });
        let known = known.filter(|share| share * m as f64 > 1.0 + 1e-9 && owners.is_none());
        answers.push(Answer { known, ..told });
    }
    if let Some(diversity) = asked.diversity {
        answers.push(answer(found, Promised::Diversity(diversity), false, |model| {
            matches!(model, Model::Diversity { .. })
        }));
    }
    if let Some(closeness) = &asked.closeness {
        answers.push(answer(found, Promised::Closeness(closeness.t), false, |model| {
            matches!(model, Model::TCloseness { .. })
        }));
    }
    answers.extend(asked.sets.iter().filter_map(|set| {
        let is_it = |model: &Model| {
            matches!(model, Model::Set { columns, k } if *columns == set.columns && *k == set.k)
        };
        named(found, |wanted| Promised::Set { wanted }, is_it)
    }));
    for of in &asked.conditions {
        let further = Some(&of.column).filter(|name| asked.sensitive.as_ref() != Some(*name));
        answers.extend(of.conditions.iter().filter_map(|wanted| {
            let wanted = condition(wanted);
            let is_it = |model: &Model| match model {
                Model::Condition { column, condition, .. } => {
                    *condition == wanted && column.as_ref() == further
                }
                _ => false,
            };
            let promise = |wanted| Promised::Condition { column: of.column.clone(), wanted };
            named(found, promise, is_it)
        }));
    }
    answers.extend(found.notions.iter().map(|noted| Answer {
        promise: Promised::Against(notion(noted.notion), asked.k.unwrap_or_default()),
        holds: noted.check.passed,
        broken: 0,
        known: None,
    }));
    answers
}

/// The answer about a model that the audit names; nothing if it was not judged.
fn named(
    found: &Findings,
    promise: impl FnOnce(Said) -> Promised,
    is_it: impl Fn(&Model) -> bool,
) -> Option<Answer> {
    let finding = found.assessment.findings.iter().find(|finding| is_it(&finding.model))?;
    let promise = promise(finding.model.name().said());
    Some(answer(found, promise, false, is_it))
}

/// The answer about a model, by all of its findings; `wrong` if it does not hold for another reason.
fn answer(found: &Findings, promise: Promised, wrong: bool, is_it: impl Fn(&Model) -> bool) -> Answer {
    let of = || found.assessment.findings.iter().filter(|finding| is_it(&finding.model));
    let against = |grouping| {
        let failed = of().find(|finding| finding.grouping == grouping && !finding.check.passed);
        failed.map(broken).filter(|&groups| groups > 0)
    };
    Answer {
        promise,
        holds: !wrong && of().all(|finding| finding.check.passed),
        broken: against(Grouping::Group).or_else(|| against(Grouping::Class)).unwrap_or(0),
        known: None,
    }
}

/// Groups or classes against a model. Of groups that are too small or hold a value too often, the more numerous kind: some may be
/// both.
fn broken(finding: &Finding) -> usize {
    let short = |sizes: &Sizes| match sizes {
        Sizes::Enough { .. } => 0,
        Sizes::TooSmall { short, .. } => *short,
    };
    match &finding.check.finding {
        Observation::Sizes(sizes) => short(sizes),
        Observation::Both { sizes, values } => short(sizes).max(match values {
            Values::Repeated { broken, .. } | Values::Above { broken, .. } => *broken,
            Values::Differ { .. } | Values::Within { .. } => 0,
        }),
        Observation::NotDiverse { broken, .. }
        | Observation::NotClose { broken, .. }
        | Observation::Broken { broken, .. } => *broken,
        _ => 0,
    }
}

fn notion(notion: consistency::Notion) -> Notion {
    match notion {
        consistency::Notion::OneK => Notion::OneK,
        consistency::Notion::KOne => Notion::KOne,
        consistency::Notion::KK => Notion::KK,
        consistency::Notion::Concealment => Notion::Concealment,
    }
}

/// Persons, where they were counted.
pub(super) fn persons(found: &Findings) -> Option<PersonsCounted> {
    let persons = found.persons.as_ref()?;
    Some(PersonsCounted { count: persons.count, least: persons.least_in_class, split: persons.split })
}

/// Sensitive values that people read as one, so that a promise about different values may hold in spelling only.
pub(super) fn near(found: &Findings) -> Option<Said> {
    let note = found.assessment.notes.iter().find(|note| note.name == Subject::NearValues);
    note.map(|note| note.finding.said())
}

/// Rows that are no group, since all they say of a person is suppressed.
pub(super) fn suppressed(found: &Findings) -> usize {
    let of = |check: &lookalike_core::audit::Check| match check.finding {
        Observation::Suppressed { suppressed, .. } => Some(suppressed),
        _ => None,
    };
    found.assessment.notes.iter().find_map(of).unwrap_or(0)
}

/// What nobody asked about and does not fit.
pub(super) fn misfits(found: &Findings) -> usize {
    let Assessment { notes, .. } = &found.assessment;
    let owners = found.persons.as_ref().and_then(|persons| persons.owners.as_ref());
    // Where values of persons are compared, theirs are part of the answer.
    let values = found.values.as_ref().filter(|_| owners.is_none());
    let checks = notes.iter().chain(&found.figures.domains).chain(&found.key).chain(values);
    let split = found.persons.as_ref().is_some_and(|persons| !persons.are_whole());
    checks.filter(|check| !check.passed).count() + usize::from(split)
}
