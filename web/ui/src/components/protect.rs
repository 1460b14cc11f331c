//! Step 3: the guarantee, and what it may cost.

use lookalike_wire::settings::{MissingPolicy, Publish, Repair};
use yew::{Callback, Html, html};

use super::{
    PageProps,
    eligibility::eligibility,
    field::{self, Around},
    step, waiting,
};
use crate::{
    form::{BudgetChoice, Form, ModelChoice},
    settings::{Field, Invalid},
    state::Action,
};

const MODELS: [(&str, &str, ModelChoice); 2] = [
    ("m-invariance", "m-invariance, first release", ModelChoice::MInvariance),
    ("k-anonymity", "k-anonymity", ModelChoice::KAnonymity),
];
const REPAIRS: [(&str, &str, Repair); 4] = [
    ("error", "Stop and say so", Repair::Error),
    ("add", "Add counterfeit records", Repair::Add),
    ("delete", "Delete records", Repair::Delete),
    ("hybrid", "Add and delete, fewest changes", Repair::Hybrid),
];
const POLICIES: [(&str, &str, MissingPolicy); 3] = [
    ("error", "Stop and say so", MissingPolicy::Error),
    ("drop", "Drop the row", MissingPolicy::Drop),
    ("value", "Treat as a value of its own", MissingPolicy::Value),
];
const FORMS: [(&str, &str, Publish); 3] = [
    ("range", "Ranges: [18-20]", Publish::Range),
    ("set", "Sets of values: {18, 20}", Publish::Set),
    ("centroid", "Means: 19", Publish::Centroid),
];
const BUDGETS: [(&str, &str, BudgetChoice); 2] = [
    ("effort", "Effort (reproducible)", BudgetChoice::Effort),
    ("seconds", "Seconds (not reproducible)", BudgetChoice::Seconds),
];

/// Step 3: the guarantee, and what it may cost.
pub(crate) fn protect(props: &PageProps) -> Html {
    let state = &*props.state;
    if state.table.is_none() {
        return step(
            3,
            "protect",
            "Choose the protection",
            waiting("Here you choose the guarantee, and what it may cost."),
        );
    }
    let fields = Fields { props, form: &state.form, invalid: state.invalid() };
    step(
        3,
        "protect",
        "Choose the protection",
        html! {
            <fieldset class="plain" disabled={state.is_busy()}>
                <legend class="unseen">{ "Protection" }</legend>
                <div class="fields">{ guarantee(&fields) }</div>
                if state.form.model == ModelChoice::MInvariance { { eligibility(props) } }
                <h3>{ "Missing cells" }</h3>
                <div class="fields">{ missing(&fields) }</div>
                <h3>{ "Output and search" }</h3>
                <div class="fields">{ search(&fields) }</div>
            </fieldset>
        },
    )
}

struct Fields<'a> {
    props: &'a PageProps,
    form: &'a Form,
    invalid: Vec<Invalid>,
}

impl Fields<'_> {
    fn around(&self, id: &'static str, label: &'static str, hint: &'static str) -> Around {
        let wrong = self.invalid.iter().find(|w| w.field != Field::Roles && w.field.id() == id);
        Around { id, label, hint, wrong: wrong.map(|w| w.message.clone()), marked: self.props.state.tried }
    }

    /// Sets something in the form to what was typed or chosen.
    fn edit(&self, set: impl Fn(&mut Form, String) + 'static) -> Callback<String> {
        let state = self.props.state.clone();
        Callback::from(move |value| {
            let mut form = state.form.clone();
            set(&mut form, value);
            state.dispatch(Action::Edit(form));
        })
    }

    fn menu<T: Copy + PartialEq + 'static>(
        &self,
        around: &Around,
        entries: &'static [(&'static str, &'static str, T)],
        chosen: T,
        set: impl Fn(&mut Form, T) + 'static,
    ) -> Html {
        let value = entries.iter().find(|(_, _, entry)| *entry == chosen).map_or("", |(value, _, _)| value);
        let options: Vec<_> = entries.iter().map(|(value, text, _)| (*value, *text)).collect();
        let onchange = self.edit(move |form, value| {
            if let Some((_, _, entry)) = entries.iter().find(|(v, _, _)| *v == value) {
                set(form, *entry);
            }
        });
        field::menu(around, options, value, onchange)
    }
}

fn guarantee(fields: &Fields) -> Html {
    let form = fields.form;
    let model = fields.menu(
        &fields.around("model", "Guarantee", "What every published record gets."),
        &MODELS,
        form.model,
        |form, model| form.model = model,
    );
    match form.model {
        ModelChoice::MInvariance => html! {
                    <>
                        { model }
                        { field::text(
        &fields.around("m", "m", "Each class holds at least m records, all with different sensitive \
                                values: whoever knows somebody's quasi-identifiers has m equally possible answers."),
        "numeric", &form.m, &fields.edit(|form, m| form.m = m),
        ) }
                        { fields.menu(
                            &fields.around("eligibility", "If one value is too frequent",
                                "A value held by more than 1 in m records makes the guarantee impossible. Each repair tells an \
                                 attacker something; the result says what."),
                            &REPAIRS, form.eligibility, |form, repair| form.eligibility = repair,
                        ) }
                    </>
                },
        ModelChoice::KAnonymity => html! {
                    <>
                        { model }
                        { field::text(
        &fields.around("k", "k", "Each record shares its published quasi-identifiers with at least k - 1 \
                                others. Nothing is promised about the sensitive values within a class."),
        "numeric", &form.k, &fields.edit(|form, k| form.k = k),
        ) }
                    </>
                },
    }
}

fn missing(fields: &Fields) -> Html {
    let form = fields.form;
    html! {
        <>
            { fields.menu(
                &fields.around("missing-sensitive", "In the sensitive column",
                    "Empty cells, ?, NA, N/A and null count as missing."),
                &POLICIES, form.missing_sensitive, |form, policy| form.missing_sensitive = policy,
            ) }
            { fields.menu(
                &fields.around("missing-quasi", "In quasi-identifiers", "Missing values are never guessed."),
                &POLICIES, form.missing_quasi, |form, policy| form.missing_quasi = policy,
            ) }
        </>
    }
}

fn search(fields: &Fields) -> Html {
    let form = fields.form;
    let limit = match form.budget {
        BudgetChoice::Effort => html! {
                    { field::text(
        &fields.around("effort", "Effort", "5 is usual; 0 takes the first partition as it is; twice the \
                            effort takes twice as long."),
        "decimal", &form.effort, &fields.edit(|form, effort| form.effort = effort),
        ) }
                },
        BudgetChoice::Seconds => html! {
                    { field::text(
        &fields.around("seconds", "Seconds", "The search ends after this time."),
        "decimal", &form.seconds, &fields.edit(|form, seconds| form.seconds = seconds),
        ) }
                },
    };
    html! {
            <>
                { fields.menu(
                    &fields.around("publish", "Publish quasi-identifiers as",
                        "How a class is written. Means are for a single release only."),
                    &FORMS, form.publish, |form, publish| form.publish = publish,
                ) }
                { fields.menu(
                    &fields.around("budget", "Limit the search by", "The same effort and seed give the same table anywhere."),
                    &BUDGETS, form.budget, |form, budget| form.budget = budget,
                ) }
                { limit }
                { field::text(
    &fields.around("seed", "Seed (optional)", "Empty: random. A seed makes the run repeatable; keep it \
                        private."),
    "numeric", &form.seed, &fields.edit(|form, seed| form.seed = seed),
    ) }
            </>
        }
}
