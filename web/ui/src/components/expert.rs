//! All other settings, in a sheet over the table.

use lookalike_model::settings::{MissingPolicy, Publish, Repair};
use yew::{Callback, Html, MouseEvent, html};

use super::{
    PageProps, certificate,
    conditions::conditions,
    configuration::{self, save_settings},
    eligibility::eligibility,
    field,
    fields::{Entries, Fields, more},
    keeping::keeping,
    output::output,
    repair::repair,
    sample::sample,
    scheme::scheme,
    search::search,
    solve, threshold,
};
use crate::{
    form::{Form, ModelChoice, RowsChoice},
    settings::key,
    state::{Action, State, ViewAction},
    texts::k,
};

const REPAIRS: Entries<Repair> = &[
    ("error", k::PROTECT_CHANGE_NOTHING, Repair::Error),
    ("add", k::PROTECT_ADD_COUNTERFEIT_RECORDS, Repair::Add),
    ("delete", k::PROTECT_DELETE_RECORDS, Repair::Delete),
    ("hybrid", k::PROTECT_ADD_DELETE_FEWEST_CHANGES, Repair::Hybrid),
];
const POLICIES: Entries<MissingPolicy> = &[
    ("error", k::PROTECT_STOP_SAY_SO, MissingPolicy::Error),
    ("drop", k::PROTECT_DROP_ROW, MissingPolicy::Drop),
    ("value", k::PROTECT_TREAT_AS_VALUE_ITS, MissingPolicy::Value),
];
const ROWS: Entries<RowsChoice> = &[
    ("unsaid", k::PROTECT_ROWS_UNSAID, RowsChoice::Unsaid),
    ("people", k::PROTECT_ROWS_PEOPLE, RowsChoice::People),
    ("keyed", k::PROTECT_ROWS_KEYED, RowsChoice::Keyed),
    ("of-persons", k::PROTECT_ROWS_OF_PERSONS, RowsChoice::OfPersons),
];
const FORMS: Entries<Publish> = &[
    ("range", k::PROTECT_RANGES_18_20, Publish::Range),
    ("min-max", k::PROTECT_MIN_MAX, Publish::MinMax),
    ("min-max-mid", k::PROTECT_MIN_MAX_MID, Publish::MinMaxMid),
    ("set", k::PROTECT_SETS_VALUES_18_20, Publish::Set),
    ("centroid", k::PROTECT_MEANS_19, Publish::Centroid),
    ("hierarchy", k::PROTECT_HIERARCHIES_ELSE_RANGES, Publish::Hierarchy),
];

/// The sheet. It is there while it is not shown, so that a field can be led to.
pub(crate) fn expert(props: &PageProps) -> Html {
    let state = &*props.state;
    let fields = Fields::of(props);
    let dispatcher = props.state.dispatcher();
    let close =
        Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::View(ViewAction::Expert(false))));
    html! {
        <section id="expert" class="sheet" hidden={!state.view.expert} tabindex="-1" aria-labelledby="expert-title">
            <header>
                <h2 id="expert-title">{ t!(EXPERT_TITLE) }</h2>
                <button id="expert-close" type="button" class="quiet-button" onclick={close}>{ t!(SHEET_CLOSE) }</button>
            </header>
            <fieldset class="plain" disabled={state.is_busy()}>
                <legend class="unseen">{ t!(EXPERT_TITLE) }</legend>
                { section("expert-guarantee", t!(PROTECT_GUARANTEE), of_guarantee(&state.form), html! {
                    <>{ rows_are(&fields) }{ threshold::field(&fields) }{ sample(&fields) }{ changes(props, &fields) }</>
                }) }
                { section("expert-conditions", t!(EXPERT_CONDITIONS), !state.form.conditions.is_empty(), conditions(props, &fields)) }
                { section("expert-missing", t!(PROTECT_MISSING_CELLS), of_missing(&state.form), missing(&fields)) }
                { section("expert-form", t!(EXPERT_FORM), of_form(&state.form), html! { <>
                <div class="fields">
                    { fields.menu(
                        &fields.around("publish", t!(PROTECT_PUBLISH_QUASI_IDENTIFIERS_AS),
                            t!(PROTECT_HOW_CLASS_WRITTEN_COLUMN)),
                        FORMS, state.form.publish, |form, publish| form.publish = publish,
                    ) }
                </div>
                { scheme(&fields) }
                { output(&fields) }
                </> }) }
                { section("expert-search", t!(LOOK_SEARCH), of_search(state), search(&fields)) }
            </fieldset>
            { solve::threads(state) }
            { solve::on_worker(props) }
            { section("expert-settings", t!(EXPERT_SETTINGS), false, html! {
                <>{ configuration::load(props) }{ certificate::check(props) }{ save_settings(props) }{ keeping(props, "keep-work") }</>
            }) }
        </section>
    }
}

/// A part of the sheet, folded; a dot where something in it is not as usual.
fn section(id: &'static str, title: &'static str, changed: bool, content: Html) -> Html {
    html! {
        <details class="more section" {id} data-changed={changed.to_string()}>
            <summary>
                <h3>{ title }</h3>
                if changed { <span class="dot" aria-hidden="true">{ "●" }</span><span class="unseen">{ t!(EXPERT_CHANGED) }</span> }
            </summary>
            { content }
        </details>
    }
}

fn of_guarantee(form: &Form) -> bool {
    let usual = Form::default();
    (form.eligibility, form.rows_are, &form.person, &form.changes, form.threshold, &form.sample)
        != (usual.eligibility, usual.rows_are, &usual.person, &usual.changes, usual.threshold, &usual.sample)
}

fn of_missing(form: &Form) -> bool {
    let usual = Form::default();
    (form.missing_sensitive, form.missing_quasi, &form.markers)
        != (usual.missing_sensitive, usual.missing_quasi, &usual.markers)
}

fn of_form(form: &Form) -> bool {
    let usual = Form::default();
    (form.publish, form.output, &form.class_column, &form.scheme)
        != (usual.publish, usual.output, &usual.class_column, &usual.scheme)
}

fn of_search(state: &State) -> bool {
    let (form, usual) = (&state.form, Form::default());
    (&form.search, &form.seed) != (&usual.search, &usual.seed)
        || state.choices.iter().any(|choice| !choice.weight.trim().is_empty())
}

/// What is changed where a value is too frequent, and what every m would cost.
fn changes(props: &PageProps, fields: &Fields) -> Html {
    let form = fields.form;
    // Where persons have several rows nothing is changed, and values are not counted by rows.
    if form.model != ModelChoice::MInvariance || form.rows_are == RowsChoice::OfPersons {
        return html! {};
    }
    html! {
        <>
            <div class="fields">
                { fields.menu(&fields.around("eligibility", t!(PROTECT_IF_ONE_VALUE_TOO), t!(PROTECT_VALUE_HELD_BY_MORE)), REPAIRS,
                    form.eligibility, |form, repair| form.eligibility = repair) }
            </div>
            { repair(fields) }
            { eligibility(props) }
        </>
    }
}

/// What each row is, where a column tells that a person may have several, or where it was said.
fn rows_are(fields: &Fields) -> Html {
    let state = &*fields.props.state;
    let key = state.table.as_ref().and_then(|table| key(table, &state.choices));
    let asked = key.is_some() && state.series.options().is_none();
    if !asked && fields.form.rows_are == RowsChoice::Unsaid {
        return html! {};
    }
    let rows = fields.menu(
        &fields.around("rows-are", t!(PROTECT_EACH_ROW_IS), t!(PROTECT_CLASSES_COUNT_ROWS)),
        ROWS,
        fields.form.rows_are,
        |form, rows| form.rows_are = rows,
    );
    let Some(table) = state
        .table
        .as_ref()
        .filter(|_| matches!(fields.form.rows_are, RowsChoice::Keyed | RowsChoice::OfPersons))
    else {
        return html! { <div class="fields">{ rows }</div> };
    };
    // A menu always has a choice: the column that looks like a key, or else none yet.
    let chosen = table.columns.iter().find(|column| column.name == fields.form.person);
    let chosen = chosen.or(key).map_or("", |column| column.name.as_str()).to_owned();
    let around = fields.around("person", t!(PROTECT_KEY_OF_PERSON), t!(PROTECT_KEY_OF_PERSON_HINT));
    let names = table.columns.iter().map(|column| column.name.clone().into()).collect();
    let person = field::names(&around, None, names, chosen, fields.edit(|form, person| form.person = person));
    html! { <div class="fields">{ rows }{ person }</div> }
}

fn missing(fields: &Fields) -> Html {
    let form = fields.form;
    let markers = t!(PROTECT_ONE_LINE_EMPTY_LINE);
    html! {
        <>
            <div class="fields">
                { fields.menu(
                    &fields.around("missing-sensitive", t!(PROTECT_SENSITIVE_COLUMN),
                        t!(PROTECT_EMPTY_CELLS_NA_N)),
                    POLICIES, form.missing_sensitive, |form, policy| form.missing_sensitive = policy,
                ) }
                { fields.menu(
                    &fields.around("missing-quasi", t!(PROTECT_QUASI_IDENTIFIERS),
                        t!(PROTECT_MISSING_VALUES_NEVER_GUESSED)),
                    POLICIES, form.missing_quasi, |form, policy| form.missing_quasi = policy,
                ) }
            </div>
            { more("more-missing", t!(PROTECT_MORE_WHAT_COUNTS_AS), html! {
                <div class="fields">
                    { fields.lines(&fields.around("markers", t!(PROTECT_CELLS_COUNT_AS_MISSING), markers), &form.markers,
                        |form, markers| form.markers = markers) }
                </div>
            }) }
        </>
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::settings::{BoundWork, Scheme};

    use super::*;
    use crate::{form::ThresholdChoice, state::tests::described};

    #[test]
    fn a_section_shows_what_is_not_as_usual() {
        type Change = fn(&mut State);
        let dots = |state: &State| {
            [of_guarantee(&state.form), of_missing(&state.form), of_form(&state.form), of_search(state)]
        };
        let usual = described();
        assert_eq!(dots(&usual), [false; 4]);
        let changes: [(Change, usize); 9] = [
            (|state| state.form.sample.weight = String::from("w"), 0),
            (|state| state.form.threshold = ThresholdChoice::OfTwenty, 0),
            (|state| state.form.eligibility = Repair::Add, 0),
            (|state| state.form.missing_quasi = MissingPolicy::Drop, 1),
            (|state| state.form.publish = Publish::Set, 2),
            (|state| state.form.scheme.scheme = Scheme::FullDomain, 2),
            (|state| state.form.seed = String::from("3"), 3),
            (|state| state.form.search.bound = BoundWork::Full, 3),
            (|state| state.choices[0].weight = String::from("1"), 3),
        ];
        for (change, at) in changes {
            let mut state = usual.clone();
            change(&mut state);
            let mut expected = [false; 4];
            expected[at] = true;
            assert_eq!(dots(&state), expected);
        }
    }
}
