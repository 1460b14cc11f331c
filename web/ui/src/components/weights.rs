//! What each quasi-identifier counts in the loss: a slider a column, which together make 1.

use yew::{Callback, Html, InputEvent, html};

use super::fields::{Fields, more};
use crate::{
    format::percent,
    platform::dom,
    settings::weight,
    state::{Action, WHOLE, WeightsAction, weighted},
};

/// Parts of [`WHOLE`] that a key moves a slider by.
const STEP: &str = "10";

/// How far the sum may be from 1 and still be shown as 1.
const SUM: f64 = 1e-6;

/// The sliders, behind a word.
pub(super) fn weights(fields: &Fields) -> Html {
    let state = &fields.props.state;
    let places: Vec<usize> = weighted(&state.choices).collect();
    let has = places.iter().any(|&at| !state.choices[at].weight.trim().is_empty());
    let button = |id: &'static str, text: &'static str, action| {
        let dispatcher = state.dispatcher();
        let onclick = Callback::from(move |_| dispatcher.dispatch(Action::Weights(action)));
        html! { <button {id} type="button" {onclick}>{ text }</button> }
    };
    let content = if places.len() < 2 {
        html! { <p class="hint">{ t!(WEIGHTS_NEED_TWO) }</p> }
    } else if !has {
        html! {
            <>
                <p class="hint">{ t!(WEIGHTS_ALL_ALIKE) }</p>
                <p class="buttons">{ button("weights-on", t!(WEIGHTS_GIVE), WeightsAction::Begin) }</p>
            </>
        }
    } else {
        let sum: f64 = places.iter().filter_map(|&at| weight(&state.choices[at])).sum();
        let off = (sum - 1.0).abs() > SUM;
        html! {
            <>
                <p class="hint">{ t!(WEIGHTS_HOW) }</p>
                <div class="weights" data-sum={sum.to_string()}>{ for places.iter().map(|&at| slider(fields, at)) }</div>
                if off { <p class="wrong amber">{ t!(WRONG_WEIGHTS_SUM_THEY_MUST, sum = crate::format::number(sum)) }</p> }
                <p class="buttons">
                    if off { { button("weights-scale", t!(WEIGHTS_SCALE), WeightsAction::Scale) } }
                    { button("weights-off", t!(WEIGHTS_END), WeightsAction::End) }
                </p>
            </>
        }
    };
    more("more-weights", t!(WEIGHTS_MORE), content)
}

fn slider(fields: &Fields, at: usize) -> Html {
    let state = &fields.props.state;
    let column = state.table.as_ref().and_then(|table| table.columns.get(at));
    let name = column.map(|column| column.name.clone()).unwrap_or_default();
    let weight = weight(&state.choices[at]).unwrap_or(0.0);
    let (id, shown) = (format!("weight-{at}"), percent(100.0 * weight));
    let dispatcher = state.dispatcher();
    let oninput = Callback::from(move |event: InputEvent| {
        let parts = dom::value(&event).parse().unwrap_or(0);
        dispatcher.dispatch(Action::Weights(WeightsAction::Move(at, parts)));
    });
    let value = (weight.min(1.0) * f64::from(WHOLE)).round().to_string();
    html! {
        <div class="weight">
            <label for={id.clone()}>{ name }</label>
            <input {id} type="range" min="0" max={WHOLE.to_string()} step={STEP} {value} {oninput} aria-valuetext={shown.clone()} />
            <span class="number" aria-hidden="true">{ shown }</span>
        </div>
    }
}
