//! The verdict and the checks behind it.

use lookalike_wire::report::{Audit, Check};
use yew::{Html, html};

use crate::format::counted;

/// The verdict on a guarantee, before all figures.
pub(super) fn verdict(audit: &Audit, guarantee: &str, hint: &'static str) -> Html {
    let failed = audit.checks.iter().filter(|check| !check.passed).count();
    let (class, mark, text) = if audit.passed {
        let checks = counted(audit.checks.len(), "check", "checks");
        ("verdict good", "✓", format!("Audit passed: {checks} for {guarantee}"))
    } else {
        let text = format!("Audit failed: {} of {}. Do not publish this table.", failed, audit.checks.len());
        ("verdict brick", "✗", text)
    };
    html! {
        <>
            <p id="verdict" {class} tabindex="-1" role="status" data-passed={audit.passed.to_string()}>
                <span aria-hidden="true">{ mark }</span>{ " " }{ text }
            </p>
            <p class="hint">{ hint }</p>
            <table id="checks" class="checks">
                <caption class="unseen">{ "Checks" }</caption>
                <thead>
                    <tr>
                        <th scope="col">{ "Check" }</th><th scope="col">{ "Holds" }</th><th scope="col">{ "Finding" }</th>
                    </tr>
                </thead>
                <tbody>{ for audit.checks.iter().map(row) }</tbody>
            </table>
        </>
    }
}

fn row(check: &Check) -> Html {
    let (class, word) = if check.passed { ("good", "✓ yes") } else { ("brick", "✗ no") };
    html! {
        <tr data-check-passed={check.passed.to_string()}>
            <th scope="row">{ &check.name }</th>
            <td {class}>{ word }</td>
            <td>{ &check.finding }</td>
        </tr>
    }
}
