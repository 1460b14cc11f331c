//! Attacks on the published table: what is asked of them, beside its original, and what they reached.

use lookalike_model::statement::{Attempt, Attempts, Criterion, Success};
use lookalike_wire::check::CheckedTable;
use yew::{Html, html};

use super::{
    asked::{around, text},
    edit, files,
};
use crate::{
    components::{PageProps, field, fields::more},
    form::CheckForm,
    format::{count, fixed},
    state::CheckState,
    texts::told,
};

/// Whether they are tried, on whom besides, and how.
pub(super) fn asked(props: &PageProps, view: &CheckState) -> Html {
    let form = &view.form.attacks;
    let ticked = edit(props, |form: &mut CheckForm, tried: bool| form.attacks.tried = tried);
    html! {
        <>
            <h3>{ t!(CHECK_ATTACKS) }</h3>
            <p>{ field::tick("check-attacks", t!(CHECK_ATTACKS_TRY), form.tried, move |tried| ticked.emit(tried)) }</p>
            <p class="hint">{ t!(CHECK_ATTACKS_HINT) }</p>
            if form.tried {
                { files::part(props, CheckedTable::Control, "check-control", t!(CHECK_ATTACKS_HELD_BACK)) }
                <p class="hint">{ t!(CHECK_ATTACKS_HELD_BACK_HINT) }</p>
                { more("more-attacks", t!(CHECK_ATTACKS_SETTINGS), settings(props, view)) }
            }
        </>
    }
}

fn settings(props: &PageProps, view: &CheckState) -> Html {
    let form = &view.form.attacks;
    let columns = view.published.read().map_or(&[][..], |table| &table.columns);
    let names = columns.iter().map(|column| column.name.clone().into()).collect();
    let secret = around("check-attacks-secret", t!(CHECK_ATTACKS_SECRET), t!(CHECK_ATTACKS_SECRET_HINT));
    let number = around("check-attacks-number", t!(CHECK_ATTACKS_NUMBER), t!(CHECK_ATTACKS_NUMBER_HINT));
    let seed = around("check-attacks-seed", t!(CHECK_ATTACKS_SEED), t!(CHECK_ATTACKS_SEED_HINT));
    html! {
        <>
            { field::names(&secret, Some(t!(CHECK_ATTACKS_SECRET_USUAL)), names, form.secret.clone(),
                edit(props, |form, secret| form.attacks.secret = secret)) }
            { text(props, &number, &form.number, |form, number| form.attacks.number = number) }
            { text(props, &seed, &form.seed, |form, seed| form.attacks.seed = seed) }
        </>
    }
}

/// What they reached: a table for each, then all messages, as the command line has them.
pub(super) fn reached(tried: &Attempts) -> Html {
    html! {
        <section id="attacks" aria-labelledby="attacks-title">
            <h3 id="attacks-title">{ t!(CHECK_ATTACKS) }</h3>
            <p id="attacks-meaning" class="hint">{ t!(ATTACKS_MEANING) }</p>
            { for tried.results.iter().map(|result| table(tried, result)) }
            <ul id="attacks-words">{ for tried.words.iter().map(|said| html! { <li>{ told(said) }</li> }) }</ul>
        </section>
    }
}

/// What one attack reached.
fn table(tried: &Attempts, result: &Attempt) -> Html {
    let control = result.control.as_ref();
    html! {
        <table class="attack" data-attack={id(result)}>
            <caption>{ name(tried, result) }</caption>
            <thead>
                <tr>
                    <th scope="col">{ t!(ATTACKS_ON) }</th>
                    <th scope="col">{ t!(ATTACKS_RATE) }</th>
                    <th scope="col">{ t!(ATTACKS_INTERVAL, confidence = fixed(100.0 * tried.confidence, 0)) }</th>
                    <th scope="col">{ t!(ATTACKS_TRIES) }</th>
                </tr>
            </thead>
            <tbody>
                { rate("main", t!(ATTACKS_MAIN), &result.main) }
                if let Some(control) = control { { rate("control", t!(ATTACKS_CONTROL), control) } }
                { rate("naive", t!(ATTACKS_NAIVE), &result.naive) }
                if let Some(residual) = &result.residual_risk {
                    <tr data-rate="residual">
                        <th scope="row">{ t!(ATTACKS_RESIDUAL) }</th>
                        <td>{ fixed(residual.value, 3) }</td>
                        <td>{ t!(ATTACKS_FROM_TO, low = fixed(residual.low, 3), high = fixed(residual.high, 3)) }</td>
                        <td></td>
                    </tr>
                }
            </tbody>
        </table>
    }
}

fn rate(of: &'static str, label: &'static str, success: &Success) -> Html {
    let percent = |share: f64| fixed(100.0 * share, 1);
    let (rate, interval) = match success.rate {
        Some(rate) => {
            let (low, high) = (percent(success.low), percent(success.high));
            (format!("{} %", percent(rate)), format!("{} %", t!(ATTACKS_FROM_TO, low = low, high = high)))
        }
        None => (String::from(t!(ATTACKS_UNTRIED)), String::new()),
    };
    html! {
        <tr data-rate={of}>
            <th scope="row">{ label }</th>
            <td>{ rate }</td>
            <td>{ interval }</td>
            <td>{ count(success.attacks) }</td>
        </tr>
    }
}

/// Its name, for people.
fn name(tried: &Attempts, result: &Attempt) -> String {
    match (result.criterion, result.columns) {
        (Criterion::SinglingOut, Some(columns)) if columns > 1 => t!(ATTACKS_SINGLE_BY, columns = columns),
        (Criterion::SinglingOut, _) => String::from(t!(ATTACKS_SINGLE)),
        (Criterion::Linkability, _) => String::from(t!(ATTACKS_LINK)),
        (Criterion::Inference, _) => {
            t!(ATTACKS_INFER, secret = tried.secret.as_deref().unwrap_or_default())
        }
    }
}

/// Its name in the document.
fn id(result: &Attempt) -> &'static str {
    match (result.criterion, result.columns) {
        (Criterion::SinglingOut, Some(columns)) if columns > 1 => "multivariate",
        (Criterion::SinglingOut, _) => "univariate",
        (Criterion::Linkability, _) => "linkability",
        (Criterion::Inference, _) => "inference",
    }
}
