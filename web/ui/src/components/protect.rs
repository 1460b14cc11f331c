//! Step 3: the guarantee, and what it may cost.

use lookalike_wire::settings::{MissingPolicy, Publish, Repair};
use yew::{Html, html};

use super::{
    PageProps,
    configuration::save_settings,
    eligibility::eligibility,
    fields::{Entries, Fields, more},
    look::raw,
    repair::repair,
    search::search,
    step, waiting,
};
use crate::form::ModelChoice;

const MODELS: Entries<ModelChoice> = &[
    ("m-invariance", "m-invariance, first release", ModelChoice::MInvariance),
    ("k-anonymity", "k-anonymity", ModelChoice::KAnonymity),
];
const REPAIRS: Entries<Repair> = &[
    ("error", "Stop and say so", Repair::Error),
    ("add", "Add counterfeit records", Repair::Add),
    ("delete", "Delete records", Repair::Delete),
    ("hybrid", "Add and delete, fewest changes", Repair::Hybrid),
];
const POLICIES: Entries<MissingPolicy> = &[
    ("error", "Stop and say so", MissingPolicy::Error),
    ("drop", "Drop the row", MissingPolicy::Drop),
    ("value", "Treat as a value of its own", MissingPolicy::Value),
];
const FORMS: Entries<Publish> = &[
    ("range", "Ranges: [18-20]", Publish::Range),
    ("set", "Sets of values: {18, 20}", Publish::Set),
    ("centroid", "Means: 19", Publish::Centroid),
    ("hierarchy", "Hierarchies, else ranges", Publish::Hierarchy),
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
    let fields = Fields::of(props);
    let invariance = state.form.model == ModelChoice::MInvariance;
    step(
        3,
        "protect",
        "Choose the protection",
        html! {
            <fieldset class="plain" disabled={state.is_busy()}>
                <legend class="unseen">{ "Protection" }</legend>
                <h3>{ "What the file exposes as it is" }</h3>
                { raw(props) }
                <h3>{ "The guarantee" }</h3>
                <div class="fields">{ guarantee(&fields) }</div>
                if invariance { { repair(&fields) }{ eligibility(props) } }
                <h3>{ "Missing cells" }</h3>
                { missing(&fields) }
                <h3>{ "Output and search" }</h3>
                <div class="fields">
                    { fields.menu(
                        &fields.around("publish", "Publish quasi-identifiers as",
                            "How a class is written; a column may have a form of its own. Means are for a single release only."),
                        FORMS, state.form.publish, |form, publish| form.publish = publish,
                    ) }
                </div>
                { search(&fields) }
                { save_settings(props) }
            </fieldset>
        },
    )
}

fn guarantee(fields: &Fields) -> Html {
    let form = fields.form;
    let model = fields.menu(
        &fields.around("model", "Guarantee", "What every published record gets."),
        MODELS,
        form.model,
        |form, model| form.model = model,
    );
    match form.model {
        ModelChoice::MInvariance => {
            let m = "Each class holds at least m records, all with different sensitive values: whoever knows somebody's \
                     quasi-identifiers has m equally possible answers.";
            let repair = "A value held by more than 1 in m records makes the guarantee impossible. Each repair tells an \
                          attacker something; the result says what.";
            html! {
                <>
                    { model }
                    { fields.text(&fields.around("m", "m", m), "numeric", &form.m, |form, m| form.m = m) }
                    { fields.menu(&fields.around("eligibility", "If one value is too frequent", repair), REPAIRS,
                        form.eligibility, |form, repair| form.eligibility = repair) }
                </>
            }
        }
        ModelChoice::KAnonymity => {
            let k = "Each record shares its published quasi-identifiers with at least k - 1 others. Nothing is promised \
                     about the sensitive values within a class.";
            html! {
                <>
                    { model }
                    { fields.text(&fields.around("k", "k", k), "numeric", &form.k, |form, k| form.k = k) }
                </>
            }
        }
    }
}

fn missing(fields: &Fields) -> Html {
    let form = fields.form;
    let markers = "One a line; an empty line stands for the empty cell. They count from the next run on; the counts of \
                   missing cells above are those of the usual ones.";
    html! {
        <>
            <div class="fields">
                { fields.menu(
                    &fields.around("missing-sensitive", "In the sensitive column",
                        "Empty cells, ?, NA, N/A, null and - count as missing."),
                    POLICIES, form.missing_sensitive, |form, policy| form.missing_sensitive = policy,
                ) }
                { fields.menu(
                    &fields.around("missing-quasi", "In quasi-identifiers",
                        "Missing values are never guessed. A column may have a policy of its own."),
                    POLICIES, form.missing_quasi, |form, policy| form.missing_quasi = policy,
                ) }
            </div>
            { more("more-missing", "More: what counts as missing", html! {
                <div class="fields">
                    { fields.lines(&fields.around("markers", "Cells that count as missing", markers), &form.markers,
                        |form, markers| form.markers = markers) }
                </div>
            }) }
        </>
    }
}
