//! What was found of a published table: the verdict on what was asked, then the checks and all that the command line prints, folded.

use lookalike_wire::check::Checked;
use yew::{Html, html};

use super::{
    attacks,
    told::{Told, told},
};
use crate::{
    components::{checks::table, fields::more, verdict::form},
    state::CheckState,
    texts::{self, told_lines},
};

/// Verdict before figures.
pub(super) fn found(view: &CheckState) -> Html {
    match view.found.as_deref() {
        None if view.busy => html! { <p role="status">{ t!(CHECK_CHECKING) }</p> },
        None => html! {},
        Some(Err(why)) => html! {
            <div id="checked" class="notice brick" role="alert" tabindex="-1">
                <p class="notice-title">{ t!(CHECK_CANNOT_BE_CHECKED) }</p>
                <p>{ why.html() }</p>
            </div>
        },
        Some(Ok(found)) => findings(view, found),
    }
}

fn findings(view: &CheckState, found: &Checked) -> Html {
    let Told { holds, sentence, answers, count, counted, misfits } = told(view, found);
    // What does not hold is said in the verdict; what holds all the same is said below it.
    let others: Vec<String> =
        answers.into_iter().filter(|answer| answer.0 && !holds).map(|answer| answer.1).collect();
    let (class, mark) = if holds { ("verdict good", "✓") } else { ("verdict brick", "✗") };
    html! {
        <div id="checked" tabindex="-1">
            <p id="verdict" {class} role="status" data-passed={holds.to_string()}>
                <span aria-hidden="true">{ mark }</span>{ " " }{ sentence }
            </p>
            if !others.is_empty() {
                <ul id="answers" class="answers">{ for others.into_iter().map(|text| html! {
                    <li><span class="good" aria-hidden="true">{ "✓" }</span>{ " " }{ text }</li>
                }) }</ul>
            }
            <p id="verdict-counts" class="hint">{ count }{ " " }{ counted }</p>
            if let Some(column) = view.uncounted() {
                <p id="check-uncounted" class="wrong amber" role="status">{ t!(CHECKED_UNCOUNTED, column = column) }</p>
            }
            if let Some(near) = &found.near {
                <p id="check-near" class="wrong amber">{ texts::told(near) }</p>
            }
            if let Some(misfits) = misfits { <p id="check-misfits" class="wrong amber">{ misfits }</p> }
            if let Some(tried) = &found.attacks { { attacks::reached(tried) } }
            { more("checked-checks", t!(VERDICT_CHECKS), html! {
                <>
                    <p class="hint">{ t!(CHECK_ROWS_WERE_READ_AS) }</p>
                    { form(&found.audit) }
                    { table(&found.audit) }
                </>
            }) }
            { more("checked-figures", t!(CHECK_ALL_FIGURES), html! {
                <div class="frame" tabindex="0" role="region" aria-label={t!(CHECK_ALL_FIGURES)}>
                    <pre id="check-text">{ told_lines(&found.lines) }</pre>
                </div>
            }) }
        </div>
    }
}
