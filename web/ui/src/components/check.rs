//! The view that checks a published table, ours or anybody's: file, question, findings.

use lookalike_wire::{
    check::{Checked, Fakes},
    page::TableInfo,
    settings::Repair,
};
use yew::{Callback, Event, Html, html};

use super::{
    PageProps,
    field::{self, Around, Select, wrong},
    fields::{Entries, choose, more},
    rows::rows,
    verdict::verdict,
};
use crate::{
    form::{CheckForm, CheckRole, VariantChoice},
    format::counted,
    platform::files::FileHandle,
    settings::check as question,
    state::{Action, CheckAction, CheckState},
};

const ROLES: Entries<CheckRole> = &[
    ("other", "Nothing", CheckRole::Other),
    ("quasi", "Others may know it", CheckRole::Quasi),
    ("codes", "The same; its digits are codes", CheckRole::QuasiCodes),
    ("sensitive", "Sensitive", CheckRole::Sensitive),
];
const VARIANTS: Entries<VariantChoice> = &[
    ("distinct", "Different values", VariantChoice::Distinct),
    ("entropy", "Entropy", VariantChoice::Entropy),
    ("recursive", "Recursive (c, l)", VariantChoice::Recursive),
];
const DISTANCES: Entries<bool> = &[("equal", "All equally far", false), ("ordered", "By their order", true)];
const MISSING: Entries<bool> = &[("none", "No value", false), ("value", "One value", true)];
const REPAIRS: Entries<Repair> = &[
    ("error", "Not said", Repair::Error),
    ("add", "By counterfeits", Repair::Add),
    ("delete", "By deletions", Repair::Delete),
    ("hybrid", "By both", Repair::Hybrid),
];

const FAKES: Entries<Fakes> = &[
    ("rarest", "The rarest", Fakes::Rarest),
    ("frequent", "The most frequent", Fakes::Frequent),
    ("cheapest", "Those that cost least", Fakes::Cheapest),
];

/// Rows of the table that are shown.
const SHOWN_ROWS: usize = 6;

/// The view.
pub(crate) fn check(props: &PageProps) -> Html {
    let view = &props.state.check;
    let content = match view.table.as_deref() {
        None => html! {},
        Some(Err(why)) => html! {
            <div class="notice brick" role="alert">
                <p class="notice-title">{ "This was not opened" }</p>
                <p>{ why }</p>
            </div>
        },
        Some(Ok(table)) => opened(props, view, table),
    };
    html! {
        <section class="step" aria-labelledby="check">
            <h2 id="check" tabindex="-1">{ "Check a published table" }</h2>
            <p>
                { "Any table, made here or elsewhere: what its rows promise, what an attacker reaches, what was lost. It is \
                   read in this page only." }
            </p>
            <p><a href="#open">{ "Back to anonymizing" }</a></p>
            { file(props, "check-input", "The published table (CSV)", Part::Published) }
            { content }
        </section>
    }
}

/// Which file.
#[derive(Clone, Copy)]
enum Part {
    Published,
    Original,
    Classes,
}

fn file(props: &PageProps, id: &'static str, label: &'static str, part: Part) -> Html {
    let control = props.control.clone();
    let onchange = Callback::from(move |event: Event| {
        if let Some(file) = FileHandle::picked(&event) {
            match part {
                Part::Published => control.open_published(file),
                Part::Original => control.name_original(file),
                Part::Classes => control.name_classes(file),
            }
        }
    });
    html! {
        <div class="field">
            <label for={id}>{ label }</label>
            <input {id} type="file" accept=".csv,text/csv" disabled={props.state.check.busy} {onchange} />
        </div>
    }
}

fn opened(props: &PageProps, view: &CheckState, table: &TableInfo) -> Html {
    let asked = question(table, &view.form);
    let faults = asked.as_ref().err().map(|wrong| wrong.join(" "));
    let disabled = view.busy || asked.is_err();
    let control = props.control.clone();
    let onclick = Callback::from(move |_| {
        if let Ok(asked) = &asked {
            control.check(asked.clone());
        }
    });
    let names = table.columns.iter().map(|column| column.name.as_str());
    html! {
        <>
            <p id="check-opened" role="status">
                <strong>{ &view.file }</strong>
                { format!(": {}, {}.", counted(table.rows, "row", "rows"), counted(table.columns.len(), "column", "columns")) }
            </p>
            { rows("check-preview", "The first rows", names, &table.preview[..table.preview.len().min(SHOWN_ROWS)]) }
            <fieldset class="plain" disabled={view.busy}>
                <legend class="unseen">{ "What to check" }</legend>
                <h3>{ "Its columns" }</h3>
                { columns(props, table, &view.form) }
                <h3>{ "What it is to promise" }</h3>
                { models(props, &view.form) }
                { more("more-check", "More: original, population, repair", further(props, view)) }
            </fieldset>
            { wrong("check", faults.as_deref(), false) }
            <p><button id="check-start" type="button" class="primary" {disabled} {onclick}>{ "Check" }</button></p>
            { found(view) }
        </>
    }
}

/// Says something else in the form.
fn edit<T: 'static>(props: &PageProps, set: impl Fn(&mut CheckForm, T) + 'static) -> Callback<T> {
    let (state, form) = (props.state.clone(), props.state.check.form.clone());
    Callback::from(move |value| {
        let mut form = form.clone();
        set(&mut form, value);
        state.dispatch(Action::Check(CheckAction::Edit(Box::new(form))));
    })
}

fn columns(props: &PageProps, table: &TableInfo, form: &CheckForm) -> Html {
    let row = |at: usize, name: &String| {
        let role = form.roles.get(at).copied().unwrap_or_default();
        let value = ROLES.iter().find(|(_, _, r)| *r == role).map_or("other", |(value, _, _)| *value);
        let options = ROLES.iter().map(|(value, text, _)| (*value, *text)).collect::<Vec<_>>();
        let onchange = edit(props, move |form, value: String| {
            let role = ROLES.iter().find(|(name, _, _)| *name == value).map(|(_, _, role)| *role);
            if let (Some(known), Some(role)) = (form.roles.get_mut(at), role) {
                *known = role;
            }
        });
        html! {
            <tr key={at} data-check-column={name.clone()}>
                <th scope="row">{ name }</th>
                <td><Select name={format!("What {name} is")} {options} {value} {onchange} /></td>
            </tr>
        }
    };
    html! {
        <table class="columns check-columns">
            <thead><tr><th scope="col">{ "Column" }</th><th scope="col">{ "What it is" }</th></tr></thead>
            <tbody>{ for table.columns.iter().enumerate().map(|(at, column)| row(at, &column.name)) }</tbody>
        </table>
    }
}

fn around(id: &'static str, label: &'static str, hint: &'static str) -> Around {
    Around { id, label, hint, wrong: None, marked: false }
}

fn text(
    props: &PageProps,
    around: &Around,
    value: &str,
    set: impl Fn(&mut CheckForm, String) + 'static,
) -> Html {
    field::text(around, "decimal", value, &edit(props, set))
}

fn menu<T: Copy + PartialEq + 'static>(
    props: &PageProps,
    around: &Around,
    entries: Entries<T>,
    chosen: T,
    set: impl Fn(&mut CheckForm, T) + 'static,
) -> Html {
    let edit = edit(props, set);
    choose(around, entries, chosen, move |entry| edit.emit(entry))
}

/// A model is asked for by its number.
fn models(props: &PageProps, form: &CheckForm) -> Html {
    let k = around("check-k", "k-anonymity: k", "At least k rows share each combination. Empty: not asked.");
    let m = around("check-m", "m-uniqueness: m", "Each class has at least m rows, all of different values.");
    let l = around("check-l", "l-diversity: l", "Each group has l well-represented sensitive values.");
    let t = around(
        "check-t",
        "t-closeness: t",
        "Each group's values are spread like the table's, up to t (0 to 1).",
    );
    html! {
        <div class="fields">
            { text(props, &k, &form.k, |form, k| form.k = k) }
            { text(props, &m, &form.m, |form, m| form.m = m) }
            { text(props, &l, &form.l, |form, l| form.l = l) }
            if !form.l.trim().is_empty() {
                { menu(props, &around("check-variant", "Well-represented is", "Entropy and recursive also look at shares."),
                    VARIANTS, form.variant, |form, variant| form.variant = variant) }
                if form.variant == VariantChoice::Recursive {
                    { text(props, &around("check-c", "c", "The most frequent value occurs less than c times as often as the l-th \
                        and all rarer ones."), &form.c, |form, c| form.c = c) }
                }
            }
            { text(props, &t, &form.t, |form, t| form.t = t) }
            if !form.t.trim().is_empty() {
                { menu(props, &around("check-distance", "Sensitive values are", "How far one is from another."), DISTANCES,
                    form.ordered, |form, ordered| form.ordered = ordered) }
                if form.ordered {
                    { field::lines(&around("check-order", "Their order", "From least to greatest, one a line. Empty for numbers."),
                        &form.order, &edit(props, |form, order| form.order = order)) }
                }
            }
        </div>
    }
}

fn further(props: &PageProps, view: &CheckState) -> Html {
    let form = &view.form;
    let named = match (&view.original, &view.classes) {
        (None, None) => String::from("With both files the check also says what was lost."),
        (Some(name), None) => format!("Original: {name}. Choose classes.csv, too."),
        (None, Some(name)) => format!("Classes: {name}. Choose the original, too."),
        (Some(original), Some(classes)) => format!("Original: {original}. Classes: {classes}."),
    };
    let repair = "Says what that discloses. It needs m.";
    html! {
        <>
            <div class="fields">
                { file(props, "check-original", "Its original (CSV)", Part::Original) }
                { file(props, "check-classes", "classes.csv: which row is in which class", Part::Classes) }
            </div>
            <p class="hint" id="check-files" role="status">{ named }</p>
            <div class="fields">
                { text(props, &around("check-population", "People in the population", "If the table is a random sample of them."),
                    &form.population, |form, people| form.population = people) }
                { menu(props, &around("check-missing", "Missing sensitive values are", "For diversity."), MISSING,
                    form.missing_as_value, |form, value| form.missing_as_value = value) }
                { menu(props, &around("check-repair", "It was made m-eligible", repair), REPAIRS, form.repair,
                    |form, repair| form.repair = repair) }
                if matches!(form.repair, Repair::Add | Repair::Hybrid) {
                    { menu(props, &around("check-fakes", "Faked values", "As the repair was asked for."), FAKES, form.fakes,
                        |form, fakes| form.fakes = fakes) }
                }
                if form.repair != Repair::Error {
                    { text(props, &around("check-counterfeits", "Counterfeits", "If their number is published."),
                        &form.counterfeits, |form, number| form.counterfeits = number) }
                    { text(props, &around("check-deletions", "Deleted records", "If their number is published."), &form.deletions,
                        |form, number| form.deletions = number) }
                }
            </div>
        </>
    }
}

/// Verdict before figures: what holds and what does not, then all that the command line prints.
fn found(view: &CheckState) -> Html {
    match view.found.as_deref() {
        None if view.busy => html! { <p role="status">{ "Checking ..." }</p> },
        None => html! {},
        Some(Err(why)) => html! {
            <div id="checked" class="notice brick" role="alert" tabindex="-1">
                <p class="notice-title">{ "This cannot be checked" }</p>
                <p>{ why }</p>
            </div>
        },
        Some(Ok(Checked { audit, text })) => html! {
            <div id="checked" tabindex="-1">
                { verdict(audit, "this table", "The rows were read as anybody finds them. The figures below are not judged.") }
                <h3>{ "All figures" }</h3>
                <div class="frame" tabindex="0" role="region" aria-label="All figures">
                    <pre id="check-text">{ text }</pre>
                </div>
            </div>
        },
    }
}
