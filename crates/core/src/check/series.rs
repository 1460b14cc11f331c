//! A series of releases: the question as it is asked, and the findings for people.

use std::collections::BTreeMap;

use lookalike_audit::{
    Error, Finding, Grouping, name,
    series::{Evidence, Published, Question, Trace, Verdict, judge},
};
use lookalike_table::text::{counted, quoted};

use super::text::{check as tell_check, line, read_by};
use crate::prepare::CLASS;

/// How many values of a set are shown.
const SHOWN: usize = 12;

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
pub fn tell_series(verdict: &Verdict) -> String {
    let releases = counted(verdict.releases.len(), "release", "releases");
    let mut text = format!("{releases}, judged for {} with m = {}\n", verdict.model.name(), verdict.m);
    let reader = verdict.releases.first().map(|release| read_by(release.reader));
    text.extend(reader.map(|words| words + "\n"));
    text.push('\n');
    for (release, number) in verdict.releases.iter().zip(1..) {
        for finding in &release.findings {
            tell_check(&mut text, &format!("release {number}, {}", of_one(finding)), &finding.check);
        }
        for note in &release.notes {
            let what = format!("release {number}, {}", note.name);
            if !note.passed {
                tell_check(&mut text, &what, note);
            } else if [name::SUPPRESSED, name::NO_CLASS].contains(&note.name.as_str()) {
                line(&mut text, &format!("note   {what}: {}", note.finding));
            }
        }
    }
    for check in &verdict.checks {
        if check.passed && NOTES.contains(&check.name.as_str()) {
            line(&mut text, &format!("note   {}: {}", check.name, check.finding));
            check.witnesses.iter().for_each(|witness| line(&mut text, &format!("       {witness}")));
        } else {
            tell_check(&mut text, &check.name, check);
        }
    }
    let Some(attack) = &verdict.attack else { return text };
    line(
        &mut text,
        &format!(
            "\n{}; the value of {} changes, {} left and came back",
            counted(attack.individuals, "individual", "individuals"),
            counted(attack.changed, "individual", "individuals"),
            counted(attack.returned, "individual", "individuals"),
        ),
    );
    line(&mut text, &format!("values left, by tuples: {}", numbers(&attack.left)));
    line(
        &mut text,
        &format!(
            "values left to who believes that none ever changes, by individuals: {}",
            numbers(&attack.believer.left)
        ),
    );
    attack.traces.iter().for_each(|trace| traced(&mut text, trace));
    text
}

/// Checks that hold whatever they say.
const NOTES: [&str; 5] = [name::OPEN, name::BELIEVER, name::ONE_TABLE, name::UNPUBLISHED, name::UNASSIGNED];

fn of_one(finding: &Finding) -> String {
    let by = match finding.grouping {
        Grouping::Class => "by class",
        Grouping::Group => "by equal quasi-identifiers",
    };
    format!("{}, {by}", finding.model)
}

/// How many have each number of values: "1 value for 3, 4 values for 20".
fn numbers(left: &BTreeMap<usize, usize>) -> String {
    let told: Vec<String> =
        left.iter().map(|(values, of)| format!("{} for {of}", counted(*values, "value", "values"))).collect();
    if told.is_empty() { String::from("nobody") } else { told.join(", ") }
}

fn traced(text: &mut String, trace: &Trace) {
    line(text, &format!("\nindividual {}", quoted(&trace.individual)));
    for step in &trace.steps {
        let classes = match step.classes.as_slice() {
            [] => String::from("its class shows"),
            [one] => format!("class {} shows", quoted(one)),
            several => format!("{} classes match, with", several.len()),
        };
        line(
            text,
            &format!(
                "  release {}: has {}; {classes} {}",
                step.release,
                quoted(&step.value),
                set(&step.published)
            ),
        );
        let mut left = format!("    left {}", set(&step.left));
        if step.at_least < step.left.len() {
            left = format!("{left}, {} of them at least if the class were known", step.at_least);
        }
        if step.left_to_believer != step.left {
            left = format!("{left}; if values never changed {}", set(&step.left_to_believer));
        }
        line(text, &left);
    }
}

/// Some values: {'FLU', 'HIV'}.
fn set(values: &[String]) -> String {
    let mut told: Vec<String> = values.iter().take(SHOWN).map(|value| quoted(value)).collect();
    if values.len() > SHOWN {
        told.push(format!("and {} more", values.len() - SHOWN));
    }
    format!("{{{}}}", told.join(", "))
}
