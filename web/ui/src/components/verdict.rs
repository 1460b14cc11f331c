//! The verdict and the checks behind it.

use lookalike_model::report::{Audit, Check};
use lookalike_words::Message as _;
use yew::{Html, html};

use crate::texts::{told, words};

/// The verdict on a guarantee, before all figures.
pub(super) fn verdict(audit: &Audit, guarantee: &str, hint: &'static str) -> Html {
    let failed = audit.checks.iter().filter(|check| !check.passed).count();
    let (class, mark, text) = if audit.passed {
        let checks = n!(N_CHECK, audit.checks.len());
        ("verdict good", "✓", t!(VERDICT_AUDIT_PASSED_FOR, checks = checks, guarantee = guarantee))
    } else {
        let text = t!(VERDICT_AUDIT_FAILED_DO_NOT, failed = failed, checks = audit.checks.len());
        ("verdict brick", "✗", text)
    };
    html! {
        <>
            <p id="verdict" {class} tabindex="-1" role="status" data-passed={audit.passed.to_string()}>
                <span aria-hidden="true">{ mark }</span>{ " " }{ text }
            </p>
            <p class="hint">{ hint }</p>
            if !audit.dialect.is_plain() {
                <p id="published-form" class="hint">
                    { t!(VERDICT_FORM, form = words(&audit.dialect.words().said())) }
                </p>
            }
            <table id="checks" class="checks">
                <caption class="unseen">{ t!(VERDICT_CHECKS) }</caption>
                <thead>
                    <tr>
                        <th scope="col">{ t!(VERDICT_CHECK) }</th><th scope="col">{ t!(VERDICT_HOLDS) }</th><th scope="col">{ t!(VERDICT_FINDING) }</th>
                    </tr>
                </thead>
                <tbody>{ for audit.checks.iter().map(row) }</tbody>
            </table>
        </>
    }
}

fn row(check: &Check) -> Html {
    let (class, word) = if check.passed { ("good", t!(VERDICT_YES)) } else { ("brick", t!(VERDICT_NO)) };
    html! {
        <tr data-check-passed={check.passed.to_string()}>
            <th scope="row">{ told(&check.name) }</th>
            <td {class}>{ word }</td>
            <td>{ told(&check.finding) }</td>
        </tr>
    }
}
