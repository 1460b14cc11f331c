//! What was added and left out, and what that tells an attacker.

use lookalike_wire::report::Report;
use yew::{Html, Properties, function_component, html};

use crate::format::counted;

/// What is shown.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The report.
    pub report: Report,
}

/// What was added and left out.
#[function_component]
pub fn Changes(props: &Props) -> Html {
    let changes = &props.report.changes;
    html! {
        <div id="changes" data-counterfeits={changes.counterfeits.to_string()} data-deletions={changes.deletions.to_string()}>
            <ul>{ for sentences(&props.report).into_iter().map(|text| html! { <li>{ text }</li> }) }</ul>
        </div>
    }
}

fn sentences(report: &Report) -> Vec<String> {
    let changes = &report.changes;
    let mut all = Vec::new();
    if changes.counterfeits > 0 {
        let (records, verb) = (
            counted(changes.counterfeits, "counterfeit record", "counterfeit records"),
            were(changes.counterfeits),
        );
        all.push(format!(
            "{records} {verb} added. They belong to nobody. Only rare values are faked, and an attacker may know that: in a \
             class with a counterfeit a frequent value is a better guess than the figures above say."
        ));
        all.push(match report.classes.single_real {
            0 => format!(
                "Each class holds at least {}.",
                counted(report.classes.min_real, "real record", "real records")
            ),
            n => format!(
                "In {} only one record is real: its quasi-identifiers are published as they are.",
                counted(n, "class", "classes")
            ),
        });
    }
    if changes.deletions > 0 {
        let (records, verb) = (counted(changes.deletions, "record", "records"), were(changes.deletions));
        all.push(format!(
            "{records} {verb} deleted. Only records with frequent values are: of a person who is known to be in the file and \
             is not in the table, that tells the value."
        ));
    }
    if changes.suppressed > 0 {
        let (rows, verb) = (counted(changes.suppressed, "row", "rows"), were(changes.suppressed));
        all.push(format!("{rows} {verb} left out for missing cells; private.json says which and why."));
    }
    if all.is_empty() {
        all.push(String::from("No record was added, deleted or left out."));
    }
    all
}

fn were(n: usize) -> &'static str {
    if n == 1 { "was" } else { "were" }
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
        report.classes.single_real = 4;
        let all = sentences(&report);
        assert_eq!(all.len(), 4);
        assert!(all[0].starts_with("1 counterfeit record was added."));
        assert!(all[1].starts_with("In 4 classes only one record is real"));
        assert!(all[2].starts_with("1,200 records were deleted."));
        assert!(all[3].starts_with("2 rows were left out"));
    }
}
