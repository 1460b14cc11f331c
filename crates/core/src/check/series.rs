//! A series of releases: the question as it is asked, and the findings for people.

use std::collections::BTreeMap;

use lookalike_audit::{
    Error, Subject, ValueSet,
    series::{Evidence, Published, Question, Step, Trace, Verdict, judge},
};
use lookalike_model::lines::Line;
use lookalike_words::{Cell, Message, Said};

use super::{
    CheckName, LeftTo, SeriesLine,
    text::{check as tell_check, note as tell_note, read_by, witnesses},
};
use crate::prepare::CLASS;

/// Judges a series. Without a class column, that of tables of ours is taken, unless it has another role.
///
/// # Errors
/// As [`judge`].
pub fn check_series(
    releases: &[Published],
    question: &Question,
    evidence: Evidence,
) -> Result<Verdict, Error> {
    let free = question.sensitive != CLASS && !question.quasi.iter().any(|name| name == CLASS);
    let ours = free.then(|| CLASS.to_owned());
    let class = question.class.clone().or(ours);
    judge(releases, &Question { class, ..question.clone() }, evidence)
}

/// All that was found, for people.
#[must_use]
pub fn tell_series(verdict: &Verdict) -> Vec<Line> {
    let (releases, model, m) = (verdict.releases.len(), verdict.model, verdict.m);
    let mut lines = vec![Line::new(SeriesLine::Judged { releases, model, m })];
    lines.extend(verdict.releases.first().map(|release| read_by(release.reader)));
    lines.push(Line::blank());
    for (of_one, release) in verdict.releases.iter().zip(1..) {
        let of = |check: Said| CheckName::InRelease { release, check }.said();
        for finding in &of_one.findings {
            tell_check(&mut lines, of(CheckName::of(finding).said()), &finding.check);
        }
        for note in &of_one.notes {
            let what = of(note.name.said());
            if !note.passed {
                tell_check(&mut lines, what, note);
            } else if [Subject::Suppressed, Subject::NoClass].contains(&note.name) {
                lines.push(tell_note(what, note));
            }
        }
    }
    for check in &verdict.checks {
        if check.passed && NOTES.contains(&check.name) {
            lines.push(tell_note(check.name.said(), check));
            witnesses(&mut lines, check);
        } else {
            tell_check(&mut lines, check.name.said(), check);
        }
    }
    let Some(attack) = &verdict.attack else { return lines };
    lines.push(Line::blank());
    lines.push(Line::new(SeriesLine::Individuals {
        individuals: attack.individuals,
        changed: attack.changed,
        returned: attack.returned,
    }));
    lines.push(Line::new(SeriesLine::Left { left: left(&attack.left) }));
    lines.push(Line::new(SeriesLine::BelieverLeft { left: left(&attack.believer.left) }));
    attack.traces.iter().for_each(|trace| traced(&mut lines, trace));
    lines
}

/// Checks that hold whatever they say.
const NOTES: [Subject; 6] = [
    Subject::Open,
    Subject::Believer,
    Subject::OneTable,
    Subject::Unpublished,
    Subject::Unassigned,
    Subject::NearValues,
];

/// How many have each number of values.
fn left(left: &BTreeMap<usize, usize>) -> Vec<LeftTo> {
    left.iter().map(|(&values, &of)| LeftTo::Values { values, of }).collect()
}

fn traced(lines: &mut Vec<Line>, trace: &Trace) {
    lines.push(Line::blank());
    lines.push(Line::new(SeriesLine::Individual { individual: Cell::from(trace.individual.as_str()) }));
    for step in &trace.steps {
        lines.push(Line::indented(2, shown(step)));
        lines.push(Line::indented(
            4,
            SeriesLine::StillLeft {
                left: ValueSet::of(&step.left),
                at_least: (step.at_least < step.left.len()).then_some(step.at_least),
                believer: (step.left_to_believer != step.left).then(|| ValueSet::of(&step.left_to_believer)),
            },
        ));
    }
}

fn shown(step: &Step) -> SeriesLine {
    let (release, value) = (step.release, Cell::from(step.value.as_str()));
    let published = ValueSet::of(&step.published);
    match step.classes.as_slice() {
        [] => SeriesLine::Shown { release, value, published },
        [class] => SeriesLine::ShownIn { release, value, class: class.clone(), published },
        several => SeriesLine::ShownAmong { release, value, classes: several.len(), published },
    }
}
