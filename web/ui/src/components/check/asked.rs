//! What is asked of a published table: models, and what else is known.

use lookalike_wire::{
    check::{Fakes, Notion},
    desk::Part,
    page::TableInfo,
    settings::Repair,
};
use yew::{Html, html};

use super::{edit, files};
use crate::{
    components::{
        PageProps,
        field::{self, Around},
        fields::{Entries, choose},
    },
    form::{CheckForm, CheckRole, VariantChoice},
    state::CheckState,
};

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

/// What of [`Notion`] is asked for.
#[derive(Clone, Copy, PartialEq)]
enum NotionChoice {
    None,
    One(Notion),
    All,
}

const NOTIONS: Entries<NotionChoice> = &[
    ("none", "Nothing", NotionChoice::None),
    ("1-k-anonymity", "(1,k): each original record may be k published rows", NotionChoice::One(Notion::OneK)),
    ("k-1-anonymity", "(k,1): each published row may be k original records", NotionChoice::One(Notion::KOne)),
    ("k-k-anonymity", "(k,k): both", NotionChoice::One(Notion::KK)),
    (
        "k-concealment",
        "k-concealment: k after ruling out what cannot be",
        NotionChoice::One(Notion::Concealment),
    ),
    ("all", "All of these", NotionChoice::All),
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

/// A model is asked for by its number.
pub(super) fn models(props: &PageProps, form: &CheckForm) -> Html {
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

pub(super) fn further(props: &PageProps, view: &CheckState, table: &TableInfo) -> Html {
    let form = &view.form;
    let named = match (view.original.read(), view.classes.read()) {
        (None, None) => "With both files the check also says what was lost.",
        (Some(_), None) => "Choose classes.csv, too, to see what was lost.",
        (None, Some(_)) => "classes.csv says nothing without the original: choose it, too.",
        (Some(_), Some(_)) => "The check also says what was lost.",
    };
    let repair = "Says what that discloses. It needs m.";
    let known = form.roles.iter().any(|role| matches!(role, CheckRole::Quasi | CheckRole::QuasiCodes));
    html! {
        <>
            <h4>{ "What it was made of" }</h4>
            { files::part(props, Part::Original, "check-original", "Its original") }
            { files::part(props, Part::Classes, "check-classes", "classes.csv: which row is in which class") }
            <p class="hint" id="check-files" role="status">{ named }</p>
            if view.original.read().is_some() {
                { menu(props, &around("check-notion", "Against the original", "With k: weaker notions, between the published table \
                    and the original."), NOTIONS, asked(&form.notions), |form, notion| form.notions = notions(notion)) }
            }
            if known {
                <h4>{ "Hierarchies" }</h4>
                <p class="hint">{ "Where labels of a hierarchy stand in the table: lines value;level1;level2;*, as ARX has them." }</p>
                { files::trees(props, table, form) }
            }
            <h4>{ "Population and repair" }</h4>
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
