//! What was added and left out, and what that tells an attacker.

use lookalike_model::report::Report;
use yew::{Html, html};

/// What was added and left out.
pub(super) fn changes(report: &Report) -> Html {
    let changes = &report.changes;
    html! {
        <div id="changes" data-counterfeits={changes.counterfeits.to_string()} data-deletions={changes.deletions.to_string()}>
            <ul>{ for sentences(report).into_iter().map(|text| html! { <li>{ text }</li> }) }</ul>
        </div>
    }
}

fn sentences(report: &Report) -> Vec<String> {
    let changes = &report.changes;
    let mut all = Vec::new();
    if changes.counterfeits > 0 {
        all.push(n!(CHANGE_ADDED, changes.counterfeits));
        all.push(match report.classes.single_real {
            None | Some(0) => n!(CHANGE_LEAST_REAL, report.classes.min_real.unwrap_or(1)),
            Some(n) => n!(CHANGE_SINGLE_REAL, n),
        });
        all.push(String::from(t!(CHANGE_REPORT_ROUNDS)));
    }
    if changes.deletions > 0 {
        all.push(n!(CHANGE_DELETED, changes.deletions));
    }
    if changes.suppressed > 0 {
        all.push(n!(CHANGE_LEFT_OUT, changes.suppressed));
    }
    if changes.suppressed_for_loss > 0 {
        all.push(n!(CHANGE_LEFT_OUT_FOR_LOSS, changes.suppressed_for_loss));
    }
    if all.is_empty() {
        all.push(String::from(t!(CHANGE_NO_RECORD_WAS_ADDED)));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::finished;

    #[test]
    fn each_change_says_what_it_discloses() {
        let mut report = finished(true).report;
        assert_eq!(sentences(&report), ["No record was added, deleted or left out."]);
        report.changes.counterfeits = 1;
        report.changes.deletions = 1200;
        report.changes.suppressed = 2;
        report.changes.suppressed_for_loss = 3;
        report.classes.single_real = Some(4);
        let all = sentences(&report);
        assert_eq!(all.len(), 6);
        assert!(all[0].starts_with("1 made-up record was added."));
        assert!(all[1].starts_with("In 4 groups only one record is real"));
        assert!(all[2].contains("exact and for you alone") && all[2].contains("two digits"));
        assert!(all[3].starts_with("1,200 records were deleted."));
        assert!(all[4].starts_with("2 rows were left out"));
        assert!(all[5].starts_with("3 rows were left out: "));
    }
}
