//! Several releases judged together, in the view that checks published tables.

use lookalike_wire::series::SeriesQuestion;
use yew::{Callback, Html, html};

use super::{
    choice::MODES,
    files::{around, files, refused},
};
use crate::{
    components::{
        PageProps, field,
        fields::{choose, more},
    },
    state::{Action, AuditForm, AuditState, SeriesAction},
    texts::told_lines,
};

const TABLES: (&str, bool) = (".csv,text/csv", true);

/// Files and question.
pub(in crate::components) fn audit(props: &PageProps) -> Html {
    let state = &props.state.series.audit;
    let chosen = |at: usize| {
        let control = props.control.clone();
        move |list| control.audit_files(at, list)
    };
    let [releases, ledger, sources] = &state.files;
    let exact = !ledger.is_empty();
    let asked = question(&state.asked, exact);
    let disabled = state.busy || releases.is_empty() || (asked.is_none() && !exact);
    let control = props.control.clone();
    let followed = names(&state.asked.individuals);
    let onclick = Callback::from(move |_| control.audit(asked.clone(), followed.clone()));
    more(
        "more-series",
        t!(SERIES_SEVERAL),
        html! {
            <>
                <p class="hint">{ t!(SERIES_SEVERAL_HINT) }</p>
                <div class="fields">
                    { files(props, "series-releases", t!(SERIES_RELEASES), "", TABLES, releases, chosen(0)) }
                    { files(props, "series-audit-ledger", t!(SERIES_LEDGER), "", (".json,application/json", false), ledger, chosen(1)) }
                    { files(props, "series-sources", t!(SERIES_SOURCES), "", TABLES, sources, chosen(2)) }
                </div>
                if !exact { { fields(props, &state.asked) } }
                { text(props, "series-individuals", t!(SERIES_INDIVIDUALS), t!(SERIES_INDIVIDUALS_HINT), &state.asked.individuals,
                    |asked, names| asked.individuals = names) }
                <p><button id="series-judge" type="button" {disabled} {onclick}>{ t!(SERIES_JUDGE) }</button></p>
                { judged(state) }
            </>
        },
    )
}

/// Names separated by commas.
fn names(typed: &str) -> Vec<String> {
    let names = typed.split(',').map(|name| name.trim().to_owned());
    names.filter(|name| !name.is_empty()).collect()
}

/// What is asked, without a ledger that says it.
fn question(asked: &AuditForm, exact: bool) -> Option<SeriesQuestion> {
    let quasi = names(&asked.quasi);
    let (sensitive, id) = (asked.sensitive.trim().to_owned(), asked.id.trim().to_owned());
    let m: usize = asked.m.trim().parse().ok()?;
    let whole = !exact && !quasi.is_empty() && !sensitive.is_empty() && m >= 2;
    whole.then_some(SeriesQuestion { mode: asked.mode, m, quasi, sensitive, id })
}

fn text(
    props: &PageProps,
    id: &'static str,
    label: &'static str,
    hint: &'static str,
    value: &str,
    set: fn(&mut AuditForm, String),
) -> Html {
    field::text(&around(id, label, hint), "text", value, &edit(props, set))
}

fn fields(props: &PageProps, asked: &AuditForm) -> Html {
    let text = |id, label, hint, value: &str, set| text(props, id, label, hint, value, set);
    let mode = edit(props, |asked, mode| asked.mode = mode);
    html! {
        <div class="fields">
            { text("series-quasi", t!(SERIES_QUASI), t!(SERIES_FIELDS_HINT), &asked.quasi, |asked, names| asked.quasi = names) }
            { text("series-sensitive", t!(SERIES_SENSITIVE), t!(SERIES_NAME_HINT), &asked.sensitive, |asked, name| asked.sensitive = name) }
            { text("series-who", t!(SERIES_ID), t!(SERIES_NAME_HINT), &asked.id, |asked, name| asked.id = name) }
            { text("series-m", t!(SERIES_M), t!(SERIES_M_HINT), &asked.m, |asked, m| asked.m = m) }
            { choose(&around("series-audit-mode", t!(SERIES_MODE), t!(SERIES_MODE_HINT)), MODES, asked.mode, move |entry| mode.emit(entry)) }
        </div>
    }
}

fn edit<T: 'static>(props: &PageProps, set: impl Fn(&mut AuditForm, T) + 'static) -> Callback<T> {
    let (state, asked) = (props.state.clone(), props.state.series.audit.asked.clone());
    Callback::from(move |value| {
        let mut asked = asked.clone();
        set(&mut asked, value);
        state.dispatch(Action::Series(SeriesAction::Ask(Box::new(asked))));
    })
}

/// Verdict, then all that the command line prints.
pub(super) fn judged(state: &AuditState) -> Html {
    match state.found.as_deref() {
        None if state.busy => html! { <p role="status">{ t!(SERIES_CHECKING) }</p> },
        None => html! {},
        Some(Err(why)) => refused("series-judged", t!(SERIES_NOT_JUDGED), why.html()),
        Some(Ok(judged)) => {
            let (class, text) = if judged.passed {
                ("verdict good", t!(SERIES_HOLDS))
            } else {
                ("verdict brick", t!(SERIES_BROKEN))
            };
            html! {
                <div id="series-judged" tabindex="-1" data-passed={judged.passed.to_string()}>
                    <p {class} role="status">
                        <span aria-hidden="true">{ if judged.passed { "✓" } else { "✗" } }</span>{ " " }{ text }
                    </p>
                    <p class="hint">{ judged.releases.join(", ") }</p>
                    <div class="frame" tabindex="0" role="region" aria-label={t!(SERIES_TOGETHER)}>
                        <pre id="series-text">{ told_lines(&judged.lines) }</pre>
                    </div>
                </div>
            }
        }
    }
}
