//! What is asked of a published table: models, and what else is known.

use lookalike_model::{info::TableInfo, settings::Repair};
use lookalike_wire::check::{CheckedTable, Fakes, Notion};
use yew::{AttrValue, Html, html};

use super::{attacks, edit, files};
use crate::{
    components::{
        PageProps,
        conditions::FIELDS,
        field::{self, Around},
        fields::{Entries, choose, more},
    },
    form::{CheckForm, CheckRole, ConditionField, VariantChoice},
    state::CheckState,
    texts::{self, k},
};

const VARIANTS: Entries<VariantChoice> = &[
    ("distinct", k::CHECK_DIFFERENT_VALUES, VariantChoice::Distinct),
    ("entropy", k::CHECK_ENTROPY, VariantChoice::Entropy),
    ("recursive", k::CHECK_RECURSIVE_C_L, VariantChoice::Recursive),
];
const DISTANCES: Entries<bool> =
    &[("equal", k::CHECK_ALL_EQUALLY_FAR, false), ("ordered", k::CHECK_BY_THEIR_ORDER, true)];
const MISSING: Entries<bool> = &[("none", k::CHECK_NO_VALUE, false), ("value", k::CHECK_ONE_VALUE, true)];
const REPAIRS: Entries<Repair> = &[
    ("error", k::CHECK_NOT_SAID, Repair::Error),
    ("add", k::CHECK_BY_COUNTERFEITS, Repair::Add),
    ("delete", k::CHECK_BY_DELETIONS, Repair::Delete),
    ("hybrid", k::CHECK_BY_BOTH, Repair::Hybrid),
];

const FAKES: Entries<Fakes> = &[
    ("rarest", k::CHECK_RAREST, Fakes::Rarest),
    ("frequent", k::CHECK_MOST_FREQUENT, Fakes::Frequent),
    ("cheapest", k::CHECK_THOSE_COST_LEAST, Fakes::Cheapest),
];

/// What of [`Notion`] is asked for.
#[derive(Clone, Copy, PartialEq)]
enum NotionChoice {
    None,
    One(Notion),
    All,
}

const NOTIONS: Entries<NotionChoice> = &[
    ("none", k::CHECK_NOTHING, NotionChoice::None),
    ("1-k-anonymity", k::CHECK_1_K_EACH_ORIGINAL, NotionChoice::One(Notion::OneK)),
    ("k-1-anonymity", k::CHECK_K_1_EACH_PUBLISHED, NotionChoice::One(Notion::KOne)),
    ("k-k-anonymity", k::CHECK_K_K_BOTH, NotionChoice::One(Notion::KK)),
    ("k-concealment", k::CHECK_K_CONCEALMENT_K_AFTER, NotionChoice::One(Notion::Concealment)),
    ("all", k::CHECK_ALL_THESE, NotionChoice::All),
];

fn notions(choice: NotionChoice) -> Vec<Notion> {
    match choice {
        NotionChoice::None => Vec::new(),
        NotionChoice::One(notion) => vec![notion],
        NotionChoice::All => Notion::ALL.to_vec(),
    }
}

fn asked(notions: &[Notion]) -> NotionChoice {
    match notions {
        [] => NotionChoice::None,
        [notion] => NotionChoice::One(*notion),
        _ => NotionChoice::All,
    }
}

/// What is asked first: in groups of how many, and with how many different values.
pub(super) fn first(props: &PageProps, form: &CheckForm) -> Html {
    let k = around("check-k", t!(CHECK_K_ANONYMITY_K), t!(CHECK_AT_LEAST_K_ROWS));
    let m = around("check-m", t!(CHECK_M_UNIQUENESS_M), t!(CHECK_EACH_CLASS_HAS_AT));
    html! {
        <>
            { text(props, &k, &form.k, |form, k| form.k = k) }
            { text(props, &m, &form.m, |form, m| form.m = m) }
        </>
    }
}

/// What a table is compared with: its original, and the people of whom it is a sample.
pub(super) fn beside(props: &PageProps, view: &CheckState) -> Html {
    let named = match (view.original.read(), view.classes.read()) {
        (None, None) => t!(CHECK_WITH_BOTH_FILES_CHECK),
        (Some(_), None) => t!(CHECK_CHOOSE_CLASSES_CSV_TOO),
        (None, Some(_)) => t!(CHECK_CLASSES_CSV_SAYS_NOTHING),
        (Some(_), Some(_)) => t!(CHECK_CHECK_ALSO_SAYS_WHAT),
    };
    html! {
        <>
            <h3>{ t!(CHECK_WHAT_WAS_MADE) }</h3>
            { files::part(props, CheckedTable::Original, "check-original", t!(CHECK_ITS_ORIGINAL)) }
            { files::part(props, CheckedTable::Classes, "check-classes", t!(CHECK_CLASSES_CSV_WHICH_ROW)) }
            <p class="hint" id="check-files" role="status">{ named }</p>
            if view.original.read().is_some() {
                { persons(props, view) }
                { attacks::asked(props, view) }
            }
            { text(props, &around("check-population", t!(CHECK_PEOPLE_POPULATION), t!(CHECK_IF_TABLE_RANDOM_SAMPLE)),
                &view.form.population, |form, people| form.population = people) }
        </>
    }
}

/// What few ask for.
pub(super) fn expert(props: &PageProps, view: &CheckState, table: &TableInfo) -> Html {
    let form = &view.form;
    let known = form.roles.iter().any(|role| matches!(role, CheckRole::Quasi | CheckRole::QuasiCodes));
    html! {
        <>
            { diversity(props, form) }
            { closeness(props, form) }
            { more("more-check-conditions", t!(EXPERT_CONDITIONS), conditions(props, form, table)) }
            if known {
                { field::lines(&around("check-sets", t!(SCHEME_SETS), t!(CHECK_SETS_HINT)), &form.sets,
                    &edit(props, |form, sets| form.sets = sets)) }
            }
            { more("more-check-sample", t!(SAMPLE_MORE), sample(props, form, table)) }
            if view.original.read().is_some() {
                { menu(props, &around("check-notion", t!(CHECK_AGAINST_ORIGINAL), t!(CHECK_WITH_K_WEAKER_NOTIONS)), NOTIONS, asked(&form.notions),
                    |form, notion| form.notions = notions(notion)) }
            }
            if known || form.conditions.asks(ConditionField::Hierarchical) {
                <h3>{ t!(CHECK_HIERARCHIES) }</h3>
                <p class="hint">{ t!(CHECK_WHERE_LABELS_HIERARCHY_STAND) }</p>
                { files::trees(props, table, form) }
            }
            { repair(props, form) }
        </>
    }
}

/// Conditions on the secret columns: a field for each, of all of these columns or of one.
fn conditions(props: &PageProps, form: &CheckForm, table: &TableInfo) -> Html {
    let secret = table.columns.iter().zip(&form.roles).filter(|(_, role)| **role == CheckRole::Sensitive);
    let secret: Vec<&str> = secret.map(|(column, _)| column.name.as_str()).collect();
    let of = Some(form.conditions_of.as_str()).filter(|name| secret.contains(name));
    let fields = FIELDS.into_iter().map(|(kind, label, hint)| {
        // Here hierarchies have no sheet of a column.
        let hint = if kind == ConditionField::Hierarchical { k::CHECK_BY_HIERARCHY } else { hint };
        let around = around(kind.id(), texts::text(label), texts::text(hint));
        let column = of.map(str::to_owned);
        text(props, &around, form.conditions.typed(of, kind), move |form, typed| {
            form.conditions.set(column.as_deref(), kind, typed);
        })
    });
    let fields: Vec<Html> = fields.collect();
    let ordered = [ConditionField::Ordered, ConditionField::Spread];
    let ordered = ordered.into_iter().any(|kind| form.conditions.asks(kind));
    // The distance above may ask for it already.
    let asked = form.ordered && !form.t.trim().is_empty();
    let names: Vec<AttrValue> = secret.iter().map(|name| AttrValue::from((*name).to_owned())).collect();
    html! {
        <>
            <p class="hint">{ t!(CONDITIONS_WHAT) }</p>
            if secret.len() > 1 {
                { field::names(&around("check-conditions-of", t!(CONDITIONS_OF), t!(CONDITIONS_OF_HINT)), Some(t!(CONDITIONS_OF_ALL)),
                    names, of.unwrap_or_default().to_owned(), edit(props, |form, column| form.conditions_of = column)) }
            }
            <div class="fields">{ for fields }</div>
            if ordered && !asked && secret.len() < 2 {
                { field::lines(&around("check-order", t!(CHECK_THEIR_ORDER), t!(CHECK_FROM_LEAST_GREATEST_ONE)),
                    &form.order, &edit(props, |form, order| form.order = order)) }
            }
        </>
    }
}

/// What a row stands for in the population.
fn sample(props: &PageProps, form: &CheckForm, table: &TableInfo) -> Html {
    let names =
        || -> Vec<AttrValue> { table.columns.iter().map(|column| column.name.clone().into()).collect() };
    let menu = |around: &Around, chosen: &str, set: fn(&mut CheckForm, String)| {
        field::names(around, Some(t!(SAMPLE_NONE)), names(), chosen.to_owned(), edit(props, set))
    };
    let weight = around("check-sampling-weight", t!(SAMPLE_WEIGHT), t!(CHECK_WEIGHT_HINT));
    let household = around("check-household", t!(SAMPLE_HOUSEHOLD), t!(CHECK_HOUSEHOLD_HINT));
    html! {
        <div class="fields">
            { menu(&weight, &form.sample.weight, |form, weight| form.sample.weight = weight) }
            { menu(&household, &form.sample.household, |form, household| form.sample.household = household) }
        </div>
    }
}

fn diversity(props: &PageProps, form: &CheckForm) -> Html {
    let l = around("check-l", t!(CHECK_L_DIVERSITY_L), t!(CHECK_EACH_GROUP_HAS_L));
    html! {
        <>
            { text(props, &l, &form.l, |form, l| form.l = l) }
            if !form.l.trim().is_empty() {
                { menu(props, &around("check-variant", t!(CHECK_WELL_REPRESENTED), t!(CHECK_ENTROPY_RECURSIVE_ALSO_LOOK)),
                    VARIANTS, form.variant, |form, variant| form.variant = variant) }
                if form.variant == VariantChoice::Recursive {
                    { text(props, &around("check-c", "c", t!(CHECK_MOST_FREQUENT_VALUE_OCCURS)), &form.c, |form, c| form.c = c) }
                }
            }
        </>
    }
}

fn closeness(props: &PageProps, form: &CheckForm) -> Html {
    let t = around("check-t", t!(CHECK_T_CLOSENESS_T), t!(CHECK_EACH_GROUPS_VALUES_SPREAD));
    html! {
        <>
            { text(props, &t, &form.t, |form, t| form.t = t) }
            if !form.t.trim().is_empty() {
                { menu(props, &around("check-distance", t!(CHECK_SENSITIVE_VALUES), t!(CHECK_HOW_FAR_ONE_FROM)), DISTANCES,
                    form.ordered, |form, ordered| form.ordered = ordered) }
                if form.ordered {
                    { field::lines(&around("check-order", t!(CHECK_THEIR_ORDER), t!(CHECK_FROM_LEAST_GREATEST_ONE)),
                        &form.order, &edit(props, |form, order| form.order = order)) }
                }
            }
        </>
    }
}

/// What is known of missing values and of a repair.
fn repair(props: &PageProps, form: &CheckForm) -> Html {
    let hint = t!(CHECK_SAYS_WHAT_DISCLOSES_NEEDS);
    html! {
        <>
            { menu(props, &around("check-missing", t!(CHECK_MISSING_SENSITIVE_VALUES), t!(CHECK_FOR_DIVERSITY)), MISSING,
                form.missing_as_value, |form, value| form.missing_as_value = value) }
            { menu(props, &around("check-repair", t!(CHECK_WAS_MADE_M_ELIGIBLE), hint), REPAIRS, form.repair,
                |form, repair| form.repair = repair) }
            if matches!(form.repair, Repair::Add | Repair::Hybrid) {
                { menu(props, &around("check-fakes", t!(CHECK_FAKED_VALUES), t!(CHECK_AS_REPAIR_WAS_ASKED)), FAKES, form.fakes,
                    |form, fakes| form.fakes = fakes) }
            }
            if form.repair != Repair::Error {
                { text(props, &around("check-counterfeits", t!(CHECK_COUNTERFEITS), t!(CHECK_IF_THEIR_NUMBER_PUBLISHED)),
                    &form.counterfeits, |form, number| form.counterfeits = number) }
                { text(props, &around("check-deletions", t!(CHECK_DELETED_RECORDS), t!(CHECK_IF_THEIR_NUMBER_PUBLISHED)), &form.deletions,
                    |form, number| form.deletions = number) }
            }
        </>
    }
}

/// Whose the rows are: with the linking key, persons are counted, too.
fn persons(props: &PageProps, view: &CheckState) -> Html {
    let (Some(original), Some(_)) = (view.original.read(), view.classes.read()) else { return html! {} };
    let around = around("check-person", t!(PROTECT_KEY_OF_PERSON), t!(CHECK_PERSONS_ARE_COUNTED));
    let names = original.columns.iter().map(|column| column.name.clone().into()).collect();
    let chosen = view.person().unwrap_or_default();
    field::names(
        &around,
        Some(t!(CHECK_EACH_ROW_IS_A_PERSON)),
        names,
        chosen,
        edit(props, |form, person| form.person = person),
    )
}

pub(super) fn around(id: &'static str, label: &'static str, hint: &'static str) -> Around {
    Around { id, label, hint, wrong: None, marked: false }
}

pub(super) fn text(
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
