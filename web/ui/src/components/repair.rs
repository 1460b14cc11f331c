//! How a table is made m-eligible: what is changed first, and what changes cost.

use lookalike_wire::settings::{CounterfeitPoints, DeletionChoice, Fake, Repair, Ties};
use yew::{Html, html};

use super::fields::{Entries, Fields, more};

const DELETIONS: Entries<DeletionChoice> = &[
    ("random", "Any of them, at random", DeletionChoice::Random),
    ("least-loss", "Those far from others (predictable)", DeletionChoice::LeastLoss),
];
const POINTS: Entries<CounterfeitPoints> = &[
    ("none", "None: the class decides", CounterfeitPoints::None),
    ("drawn", "Drawn from real records", CounterfeitPoints::Drawn),
];
const FAKES: Entries<Fake> = &[
    ("rarest", "The rarest", Fake::Rarest),
    ("frequent", "The most frequent that have room", Fake::Frequent),
];
const TIES: Entries<Ties> = &[
    ("fewest-deletions", "Fewest deletions", Ties::FewestDeletions),
    ("fewest-additions", "Fewest counterfeits", Ties::FewestAdditions),
];

/// What belongs to the chosen repair; nothing if there is none.
pub(super) fn repair(fields: &Fields) -> Html {
    let content = match fields.form.eligibility {
        Repair::Error => return html! {},
        Repair::Delete => html! { <div class="fields">{ deletion(fields) }</div> },
        Repair::Add => html! { <><div class="fields">{ addition(fields) }</div>{ costs(fields, false) }</> },
        Repair::Hybrid => html! {
            <>
                <div class="fields">{ addition(fields) }{ deletion(fields) }{ ties(fields) }</div>
                { costs(fields, true) }
            </>
        },
    };
    more("more-changes", "More: which records are changed", content)
}

fn deletion(fields: &Fields) -> Html {
    let hint = "Records far from others save loss, but whoever knows the table can tell which were deleted. The private \
                record lists deleted rows: they may wait for a later release.";
    fields.menu(
        &fields.around("delete", "Records to delete", hint),
        DELETIONS,
        fields.form.changes.delete,
        |form, choice| form.changes.delete = choice,
    )
}

fn addition(fields: &Fields) -> Html {
    let form = &fields.form.changes;
    let points =
        "Drawn: a class is made wide enough to cover its counterfeits, which then look like real records.";
    let fake = "The frequent ones are for series: later releases find records that take their places.";
    html! {
        <>
            { fields.menu(&fields.around("fake", "Values to fake", fake), FAKES, form.fake,
                |form, fake| form.changes.fake = fake) }
            { fields.menu(&fields.around("counterfeit-points", "Quasi-identifiers of counterfeits", points), POINTS, form.points,
                |form, points| form.changes.points = points) }
            { fields.lines(&fields.around("prefer", "Values to change first",
                "Among equals these come first. One sensitive value a line."),
                &form.prefer, |form, prefer| form.changes.prefer = prefer) }
        </>
    }
}

fn ties(fields: &Fields) -> Html {
    fields.menu(
        &fields.around("ties", "Among equally good ways", "Which of them is taken."),
        TIES,
        fields.form.changes.ties,
        |form, ties| form.changes.ties = ties,
    )
}

fn costs(fields: &Fields, deletions: bool) -> Html {
    let form = &fields.form.changes;
    let growth =
        "What each further one of the same value costs more. Above 0 the changes spread over the values.";
    let of = "One a line: value = cost of its first one.";
    html! {
        <>
            <h4>{ "What a change costs" }</h4>
            <p class="hint">{ "The repair with the least sum is taken. With 1 everywhere that is the one with the fewest changes." }</p>
            <div class="fields">
                { fields.text(&fields.around("add-cost", "Cost of a counterfeit", "A whole number from 1."), "numeric",
                    &form.add, |form, cost| form.changes.add = cost) }
                { fields.text(&fields.around("add-growth", "Growth for counterfeits", growth), "numeric",
                    &form.add_growth, |form, cost| form.changes.add_growth = cost) }
                { fields.lines(&fields.around("add-of", "Counterfeits of single values", of), &form.add_of,
                    |form, costs| form.changes.add_of = costs) }
                if deletions {
                    { fields.text(&fields.around("delete-cost", "Cost of a deletion", "A whole number from 1."), "numeric",
                        &form.delete_cost, |form, cost| form.changes.delete_cost = cost) }
                    { fields.text(&fields.around("delete-growth", "Growth for deletions", growth), "numeric",
                        &form.delete_growth, |form, cost| form.changes.delete_growth = cost) }
                    { fields.lines(&fields.around("delete-of", "Deletions of single values", of), &form.delete_of,
                        |form, costs| form.changes.delete_of = costs) }
                }
            </div>
        </>
    }
}
