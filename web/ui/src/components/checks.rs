//! The checks of a published table: what holds, what does not, and what is only a remark.

use lookalike_model::report::{Audit, Check, Reader};
use yew::{Html, html};

use crate::texts::told;

/// Remarks, which hold whatever they say, by their names.
const NOTES: [&str; 14] = [
    "audit.Subject.NoClass",
    "audit.Subject.NotGroups",
    "audit.Subject.KnownValues",
    "audit.Subject.RareValues",
    "audit.Subject.NearValues",
    "audit.Subject.Suppressed",
    "audit.Subject.Open",
    "audit.Subject.Believer",
    "audit.Subject.OneTable",
    "audit.Subject.Unpublished",
    "audit.Subject.Unassigned",
    "audit.Subject.Unjudged",
    "audit.Subject.KnownPersons",
    "audit.Subject.RareOwners",
];

/// Demanded of a table of ours; of anybody's it is worth a word.
const SORTED: &str = "audit.Subject.Sorted";

/// A stated loss that could not be measured again.
const LOSS_NOT_RECOMPUTED: &str = "audit.Observation.LossNotRecomputed";

/// All checks, one a line.
pub(super) fn table(audit: &Audit) -> Html {
    html! {
        <table id="checks" class="checks">
            <caption class="unseen">{ t!(VERDICT_CHECKS) }</caption>
            <thead>
                <tr>
                    <th scope="col">{ t!(VERDICT_CHECK) }</th><th scope="col">{ t!(VERDICT_HOLDS) }</th><th scope="col">{ t!(VERDICT_FINDING) }</th>
                </tr>
            </thead>
            <tbody>{ for audit.checks.iter().map(|check| row(check, audit.reader)) }</tbody>
        </table>
    }
}

fn row(check: &Check, reader: Reader) -> Html {
    let (class, word) = match (check.passed, is_note(check, reader)) {
        (true, true) => ("quiet", t!(VERDICT_NOTE)),
        (true, false) => ("good", t!(VERDICT_YES)),
        (false, _) => ("brick", t!(VERDICT_NO)),
    };
    html! {
        <tr data-check-passed={check.passed.to_string()}>
            <th scope="row">{ told(&check.name) }</th>
            <td {class}>{ word }</td>
            <td>{ told(&check.finding) }</td>
        </tr>
    }
}

/// Whether it is a remark, and no promise that is kept.
fn is_note(check: &Check, reader: Reader) -> bool {
    let name = check.name.id();
    NOTES.contains(&name)
        || name == SORTED && reader == Reader::General
        || check.finding.id() == LOSS_NOT_RECOMPUTED
}

#[cfg(test)]
mod tests {
    use lookalike_words::Said;

    use super::*;

    #[test]
    fn a_remark_is_no_promise_that_is_kept() {
        let of = |name: &'static str, reader| {
            let finding = Said::new("audit.Observation.Order", []);
            is_note(&Check { name: Said::new(name, []), passed: true, finding }, reader)
        };
        assert!(of(SORTED, Reader::General) && !of(SORTED, Reader::Strict));
        assert!(of("audit.Subject.RareValues", Reader::Strict));
        assert!(!of("audit.Subject.ClassSize", Reader::General));
        let loss = Said::new(LOSS_NOT_RECOMPUTED, []);
        assert!(is_note(
            &Check { name: Said::new("audit.Subject.StatedLoss", []), passed: true, finding: loss },
            Reader::Strict
        ));
        // The engine says it by these names.
        let texts = lookalike_words::TEXTS[0].1;
        for full in NOTES.into_iter().chain([SORTED, LOSS_NOT_RECOMPUTED]) {
            let (section, name) = full.rsplit_once('.').unwrap();
            let of = texts.split_once(&format!("\n[{section}]\n")).unwrap().1;
            let of = of.split("\n[").next().unwrap();
            assert!(of.lines().any(|line| line.starts_with(&format!("{name} = "))), "{full}");
        }
    }
}
