//! Where a value is too frequent for the chosen number: what can be done, each with what it costs.

use lookalike_model::{
    settings::{MissingPolicy, Repair},
    survey::{Survey, SurveyRow},
};
use yew::{Callback, Html, MouseEvent, html};

use super::{PageProps, numbers::share};
use crate::{
    form::{Form, RowsChoice},
    format::{odds, percent},
    settings::Field,
    state::{Action, EstimateState, ViewAction, reached},
    texts::told,
};

/// A way out.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Offer {
    id: &'static str,
    name: String,
    price: String,
    takes: Takes,
}

/// What a way out changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    Number(u64),
    Change(Repair),
    Both(u64, Repair),
}

impl Takes {
    fn apply(self, form: &mut Form) {
        match self {
            Self::Number(m) => form.m = m.to_string(),
            Self::Change(repair) => form.eligibility = repair,
            Self::Both(m, repair) => (form.m, form.eligibility) = (m.to_string(), repair),
        }
    }
}

/// The offers; nothing where the number is possible as it is, or a change was chosen.
pub(super) fn offers(props: &PageProps) -> Html {
    let Some((survey, m)) = props.state.change_needed() else {
        let why = props.state.not_surveyed();
        return html! { if let Some(why) = why { <p id="offers" class="wrong amber">{ told(why) }</p> } };
    };
    // What becomes of rows without a value decides what is needed: that comes first.
    if props.state.invalid().iter().any(|wrong| wrong.field == Field::MissingSensitive) {
        return html! {};
    }
    let button = |offer: Offer| {
        let state = props.state.clone();
        let onclick = Callback::from(move |_: MouseEvent| {
            let mut form = state.form.clone();
            offer.takes.apply(&mut form);
            state.dispatch(Action::Edit(Box::new(form)));
        });
        html! {
            <button id={offer.id} type="button" class="card" disabled={props.state.is_busy()} {onclick}>
                <strong>{ offer.name }</strong><span class="hint">{ offer.price }</span>
            </button>
        }
    };
    let without = {
        let state = props.state.clone();
        let onclick = Callback::from(move |_: MouseEvent| state.dispatch(Action::WithoutSecret(m)));
        html! {
            <button id="offer-without" type="button" class="card" disabled={props.state.is_busy()} {onclick}>
                <strong>{ t!(OFFER_WITHOUT, sensitive = survey.sensitive) }</strong>
                <span class="hint">{ t!(OFFER_WITHOUT_PRICE, sensitive = survey.sensitive, m = m) }</span>
            </button>
        }
    };
    let chart = {
        let dispatcher = props.state.dispatcher();
        Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::View(ViewAction::Survey)))
    };
    let offers = offered(survey, m, &props.state.estimate, props.state.adds_rows());
    let (head, none) = said(survey, m, &offers);
    let why = if props.state.form.rows_are == RowsChoice::OfPersons {
        t!(OFFER_WHY_LINKED, sensitive = survey.sensitive, m = m)
    } else {
        t!(OFFER_WHY, sensitive = survey.sensitive, m = m)
    };
    html! {
        <div id="offers" class="question">
            <p><strong>{ head }</strong>{ " " }{ why }</p>
            if let Some(none) = none { <p>{ none }</p> }
            if counts_unknown(props, &survey.sensitive) && !offers.is_empty() {
                <p id="offers-unknown">{ t!(OFFER_UNKNOWN, sensitive = survey.sensitive) }</p>
            }
            <div class="cards">{ for offers.into_iter().map(button) }{ without }</div>
            if survey.values > 2 {
                <button id="offers-survey" type="button" class="link" onclick={chart}>{ t!(OFFERS_SURVEY, last = survey.values) }</button>
            }
        </div>
    }
}

/// Whether rows of the sensitive column that have no known value count as rows of one value.
fn counts_unknown(props: &PageProps, sensitive: &str) -> bool {
    let state = &props.state;
    let usual = state.form.missing_sensitive;
    let columns = state.table.iter().flat_map(|table| table.columns.iter().zip(&state.choices));
    columns.into_iter().any(|(column, choice)| {
        column.name == sensitive
            && column.missing > 0
            && choice.missing.unwrap_or(usual) == MissingPolicy::Value
    })
}

/// The ways out, the one that changes no row first. Made-up records have no cells for columns that are published as they are.
fn offered(survey: &Survey, m: u64, estimates: &EstimateState, adds: bool) -> Vec<Offer> {
    let mut all = Vec::new();
    let possible = survey.largest_m_without_changes;
    if possible >= 2 {
        all.push(Offer {
            id: "offer-number",
            name: t!(OFFER_NUMBER, m = possible),
            price: with_loss(
                u32::try_from(possible)
                    .ok()
                    .and_then(|m| estimates.found.get(&m)?.loss.as_ref().ok().copied()),
                t!(OFFER_NUMBER_PRICE, m = possible),
            ),
            takes: Takes::Number(possible),
        });
    }
    let Some(row) = reached(survey, m, adds) else { return all };
    let ways = [deletion(survey, row), Some(row).filter(|_| adds).and_then(addition)];
    all.extend(ways.into_iter().flatten().map(|(repair, offer)| {
        let offer = Offer { price: with_loss(estimates.of((row.m, repair)), offer.price), ..offer };
        if row.m == m {
            return offer;
        }
        let (name, takes) = (t!(OFFER_BOTH, m = row.m, change = offer.name), Takes::Both(row.m, repair));
        Offer { name, takes, ..offer }
    }));
    all
}

/// What is said above the offers: of the number itself, and of smaller ones where no change makes it possible.
fn said(survey: &Survey, m: u64, offers: &[Offer]) -> (String, Option<&'static str>) {
    if offers.iter().any(|offer| matches!(offer.takes, Takes::Change(_))) {
        return (t!(OFFER_NEEDS_CHANGE, m = m), None);
    }
    let none = match offers {
        [] => Some(t!(OFFER_NONE)),
        _ if survey.largest_m_without_changes < 2 => Some(t!(OFFER_NONE_AS_IS)),
        _ => None,
    };
    (t!(OFFER_NOT_POSSIBLE, m = m), none)
}

/// A price that begins with the loss, once there is an estimate of it.
fn with_loss(loss: Option<f64>, price: String) -> String {
    match loss {
        Some(loss) => format!("{} {price}", t!(OFFER_LOSS, loss = share(loss))),
        None => price,
    }
}

fn deletion(survey: &Survey, row: &SurveyRow) -> Option<(Repair, Offer)> {
    let (rows, told) = (row.deletions?, row.disclosure.delete?);
    let absent = match told.absent {
        Some(sure) if sure >= 1.0 => t!(OFFER_ABSENT_CERTAIN, sensitive = survey.sensitive),
        Some(sure) => t!(OFFER_ABSENT, sensitive = survey.sensitive, sure = percent(100.0 * sure)),
        None => String::new(),
    };
    let repair = Repair::Delete;
    Some((
        repair,
        Offer {
            id: "offer-delete",
            name: n!(OFFER_DELETE, rows as usize),
            price: t!(OFFER_DELETE_PRICE, odds = odds(told.present), absent = absent),
            takes: Takes::Change(repair),
        },
    ))
}

fn addition(row: &SurveyRow) -> Option<(Repair, Offer)> {
    let (rows, told) = (row.additions?, row.disclosure.add?);
    let real = told.real.map_or(1, |real| real.least);
    let repair = Repair::Add;
    Some((
        repair,
        Offer {
            id: "offer-add",
            name: n!(OFFER_ADD, rows as usize),
            price: n!(OFFER_ADD_PRICE, real as usize, odds = odds(told.present)),
            takes: Takes::Change(repair),
        },
    ))
}

#[cfg(test)]
mod tests {
    use lookalike_model::assessment::{RealRecords, RepairDisclosure, RepairDisclosures};

    use super::*;
    use crate::state::Estimate;

    fn survey() -> Survey {
        let told = |present, absent| RepairDisclosure {
            present,
            absent,
            real: Some(RealRecords { least: 3, least_at_best: 5, single: 0, single_at_most: 0 }),
        };
        let row = SurveyRow {
            m: 7,
            eligible: false,
            additions: Some(183),
            deletions: Some(31),
            hybrid: None,
            disclosure: RepairDisclosures {
                add: Some(told(0.25, None)),
                delete: Some(told(1.0 / 7.0, Some(1.0))),
                hybrid: None,
            },
            share: Some(0.03),
            levels_all: false,
        };
        Survey {
            sensitive: String::from("diagnosis"),
            rows: 1000,
            values: 13,
            largest_m_without_changes: 5,
            survey: vec![row],
            dropped: 0,
            warnings: Vec::new(),
            published: Vec::new(),
        }
    }

    #[test]
    fn each_way_out_says_what_it_costs_the_people() {
        let offers = offered(&survey(), 7, &EstimateState::default(), true);
        let ids: Vec<_> = offers.iter().map(|offer| offer.id).collect();
        assert_eq!(ids, ["offer-number", "offer-delete", "offer-add"]);
        assert_eq!(offers[0].name, "Hide among 5 instead");
        assert_eq!(offers[1].name, "Leave out 31 rows");
        assert!(
            offers[1].price.contains("1 in 7") && offers[1].price.contains("knows the diagnosis for certain"),
            "{}",
            offers[1].price
        );
        assert_eq!(offers[2].name, "Add 183 made-up records");
        assert!(
            offers[2].price.contains("1 in 4") && offers[2].price.contains("3 real"),
            "{}",
            offers[2].price
        );
    }

    #[test]
    fn an_offer_says_what_it_loses_once_that_is_known() {
        let of = |loss| Estimate { loss: Ok(loss), of_rows: 1000 };
        let estimates = EstimateState {
            found: std::rc::Rc::new([(5, of(0.0786))].into()),
            offers: vec![((7, Repair::Delete), of(0.151)), ((6, Repair::Add), of(0.5))],
            ..EstimateState::default()
        };
        let prices: Vec<String> =
            offered(&survey(), 7, &estimates, true).into_iter().map(|offer| offer.price).collect();
        assert!(prices[0].starts_with("Loss about 7.9 %. No row is changed."), "{}", prices[0]);
        assert!(prices[1].starts_with("Loss about 15 %. For the people who stay"), "{}", prices[1]);
        assert!(prices[2].starts_with("About 1 in 4 guesses"), "that of another number: {}", prices[2]);
    }

    #[test]
    fn an_offer_that_is_taken_changes_one_thing() {
        let mut form = Form::default();
        Takes::Number(5).apply(&mut form);
        assert_eq!(form, Form { m: String::from("5"), ..Form::default() });
        Takes::Change(Repair::Delete).apply(&mut form);
        assert_eq!(form.eligibility, Repair::Delete);
    }

    #[test]
    fn made_up_records_are_not_offered_beside_columns_that_are_published_as_they_are() {
        let offers = offered(&survey(), 7, &EstimateState::default(), false);
        let ids: Vec<_> = offers.iter().map(|offer| offer.id).collect();
        assert_eq!(ids, ["offer-number", "offer-delete"]);
    }

    #[test]
    fn what_cannot_be_reached_is_not_offered() {
        let mut none = survey();
        none.largest_m_without_changes = 1;
        (none.survey[0].additions, none.survey[0].deletions) = (None, None);
        assert!(offered(&none, 7, &EstimateState::default(), true).is_empty());
        let (head, more) = said(&none, 7, &[]);
        assert_eq!(head, "Hiding among 7 is not possible.");
        assert!(more.unwrap().starts_with("No smaller number is possible. Choose"));
    }

    #[test]
    fn a_smaller_number_is_offered_with_the_change_that_it_needs() {
        // Two values: 3 is not possible at all, 2 with fewer rows.
        let mut two = survey();
        (two.values, two.largest_m_without_changes, two.survey[0].m) = (2, 1, 2);
        let estimates = EstimateState {
            offers: vec![((2, Repair::Delete), Estimate { loss: Ok(0.1), of_rows: 1000 })],
            ..EstimateState::default()
        };
        let offers = offered(&two, 3, &estimates, false);
        let told: Vec<_> = offers.iter().map(|offer| (offer.name.as_str(), offer.takes)).collect();
        assert_eq!(told, [("Hide among 2: Leave out 31 rows", Takes::Both(2, Repair::Delete))]);
        assert!(offers[0].price.starts_with("Loss about 10 %."), "{}", offers[0].price);
        let (head, more) = said(&two, 3, &offers);
        assert_eq!(head, "Hiding among 3 is not possible.");
        assert_eq!(more, Some("No smaller number is possible without leaving out or adding rows."));
        let mut form = Form::default();
        offers[0].takes.apply(&mut form);
        assert_eq!((form.m.as_str(), form.eligibility), ("2", Repair::Delete));
        // The largest of several; none that is possible without a change.
        two.survey.push(SurveyRow { m: 4, ..two.survey[0] });
        let takes = |survey: &Survey| {
            offered(survey, 9, &EstimateState::default(), false)
                .into_iter()
                .map(|offer| offer.takes)
                .collect::<Vec<_>>()
        };
        assert_eq!(takes(&two), [Takes::Both(4, Repair::Delete)]);
        two.largest_m_without_changes = 5;
        assert_eq!(takes(&two), [Takes::Number(5)]);
        assert_eq!(said(&two, 9, &offered(&two, 9, &EstimateState::default(), false)).1, None);
    }
}
