//! How a table is made m-eligible: what is changed first, and what changes cost.

use lookalike_model::settings::{CounterfeitPoints, DeletionChoice, Fake, Repair, Ties};
use yew::{Html, html};

use super::fields::{Entries, Fields, more};
use crate::texts::k;

const DELETIONS: Entries<DeletionChoice> = &[
    ("random", k::REPAIR_ANY_THEM_AT_RANDOM, DeletionChoice::Random),
    ("least-loss", k::REPAIR_THOSE_FAR_FROM_OTHERS, DeletionChoice::LeastLoss),
];
const POINTS: Entries<CounterfeitPoints> = &[
    ("none", k::REPAIR_NONE_CLASS_DECIDES, CounterfeitPoints::None),
    ("drawn", k::REPAIR_DRAWN_FROM_REAL_RECORDS, CounterfeitPoints::Drawn),
];
const FAKES: Entries<Fake> = &[
    ("rarest", k::REPAIR_RAREST, Fake::Rarest),
    ("frequent", k::REPAIR_MOST_FREQUENT_HAVE_ROOM, Fake::Frequent),
];
const TIES: Entries<Ties> = &[
    ("fewest-deletions", k::REPAIR_FEWEST_DELETIONS, Ties::FewestDeletions),
    ("fewest-additions", k::REPAIR_FEWEST_COUNTERFEITS, Ties::FewestAdditions),
];

/// What belongs to the chosen repair; nothing if there is none.
pub(super) fn repair(fields: &Fields) -> Html {
    let content = match fields.form.eligibility {
        Repair::Error => return html! {},
        Repair::Delete => html! { <div class="fields">{ deletion(fields) }{ real(fields) }</div> },
        Repair::Add => {
            html! { <><div class="fields">{ addition(fields) }{ real(fields) }</div>{ costs(fields, false) }</> }
        }
        Repair::Hybrid => html! {
            <>
                <div class="fields">{ addition(fields) }{ deletion(fields) }{ ties(fields) }{ real(fields) }</div>
                { costs(fields, true) }
            </>
        },
    };
    more("more-changes", t!(REPAIR_MORE_WHICH_RECORDS_CHANGED), content)
}

fn deletion(fields: &Fields) -> Html {
    let hint = t!(REPAIR_RECORDS_FAR_FROM_OTHERS);
    fields.menu(
        &fields.around("delete", t!(REPAIR_RECORDS_DELETE), hint),
        DELETIONS,
        fields.form.changes.delete,
        |form, choice| form.changes.delete = choice,
    )
}

fn addition(fields: &Fields) -> Html {
    let form = &fields.form.changes;
    let points = t!(REPAIR_DRAWN_CLASS_MADE_WIDE);
    let fake = t!(REPAIR_FREQUENT_ONES_FOR_SERIES);
    html! {
        <>
            { fields.menu(&fields.around("fake", t!(REPAIR_VALUES_FAKE), fake), FAKES, form.fake,
                |form, fake| form.changes.fake = fake) }
            { fields.menu(&fields.around("counterfeit-points", t!(REPAIR_QUASI_IDENTIFIERS_COUNTERFEITS), points), POINTS, form.points,
                |form, points| form.changes.points = points) }
            { fields.lines(&fields.around("prefer", t!(REPAIR_VALUES_CHANGE_FIRST),
                t!(REPAIR_AMONG_EQUALS_THESE_COME)),
                &form.prefer, |form, prefer| form.changes.prefer = prefer) }
        </>
    }
}

/// What must hold of the real people in each class.
fn real(fields: &Fields) -> Html {
    let form = &fields.form.changes;
    html! {
        <>
            { fields.text(&fields.around("min-real", t!(REPAIR_MIN_REAL), t!(REPAIR_MIN_REAL_HINT)), "numeric",
                &form.min_real, |form, real| form.changes.min_real = real) }
            { fields.text(&fields.around("max-belief", t!(REPAIR_MAX_BELIEF), t!(REPAIR_MAX_BELIEF_HINT)), "decimal",
                &form.max_belief, |form, belief| form.changes.max_belief = belief) }
        </>
    }
}

fn ties(fields: &Fields) -> Html {
    fields.menu(
        &fields.around("ties", t!(REPAIR_AMONG_EQUALLY_GOOD_WAYS), t!(REPAIR_WHICH_THEM_TAKEN)),
        TIES,
        fields.form.changes.ties,
        |form, ties| form.changes.ties = ties,
    )
}

fn costs(fields: &Fields, deletions: bool) -> Html {
    let form = &fields.form.changes;
    let growth = t!(REPAIR_WHAT_EACH_FURTHER_ONE);
    let of = t!(REPAIR_ONE_LINE_VALUE_COST);
    html! {
        <>
            <h4>{ t!(REPAIR_WHAT_CHANGE_COSTS) }</h4>
            <p class="hint">{ t!(REPAIR_REPAIR_WITH_LEAST_SUM) }</p>
            <div class="fields">
                { fields.text(&fields.around("add-cost", t!(REPAIR_COST_COUNTERFEIT), t!(REPAIR_WHOLE_NUMBER_FROM_1)), "numeric",
                    &form.add, |form, cost| form.changes.add = cost) }
                { fields.text(&fields.around("add-growth", t!(REPAIR_GROWTH_FOR_COUNTERFEITS), growth), "numeric",
                    &form.add_growth, |form, cost| form.changes.add_growth = cost) }
                { fields.lines(&fields.around("add-of", t!(REPAIR_COUNTERFEITS_SINGLE_VALUES), of), &form.add_of,
                    |form, costs| form.changes.add_of = costs) }
                if deletions {
                    { fields.text(&fields.around("delete-cost", t!(REPAIR_COST_DELETION), t!(REPAIR_WHOLE_NUMBER_FROM_1)), "numeric",
                        &form.delete_cost, |form, cost| form.changes.delete_cost = cost) }
                    { fields.text(&fields.around("delete-growth", t!(REPAIR_GROWTH_FOR_DELETIONS), growth), "numeric",
                        &form.delete_growth, |form, cost| form.changes.delete_growth = cost) }
                    { fields.lines(&fields.around("delete-of", t!(REPAIR_DELETIONS_SINGLE_VALUES), of), &form.delete_of,
                        |form, costs| form.changes.delete_of = costs) }
                }
            </div>
        </>
    }
}
