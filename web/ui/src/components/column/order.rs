//! The order of a column's labels: a list, and buttons that move the chosen value.

use yew::{
    AttrValue, Callback, Event, Html, Properties, function_component, html, use_effect_with, use_node_ref,
};

use super::Column;
use crate::{
    platform::dom,
    state::{Action, Detail, Towards},
};

/// Values that are seen at once.
const LINES: usize = 8;

/// The order of a column's labels.
pub(super) fn order(column: &Column, detail: &Detail) -> Html {
    let order = &column.choice.order;
    if order.is_empty() {
        return html! { <p class="quiet" role="status">{ t!(ORDER_READING_VALUES) }</p> };
    }
    let chosen = order.iter().position(|value| *value == detail.value);
    let choose = {
        let state = column.props.state.clone();
        Callback::from(move |value| state.dispatch(Action::ChooseValue(value)))
    };
    let button = |id: &'static str, text: &'static str, towards: Towards| {
        let state = column.props.state.clone();
        let onclick = Callback::from(move |_| state.dispatch(Action::MoveValue(towards)));
        html! { <button {id} type="button" disabled={chosen.is_none()} {onclick}>{ text }</button> }
    };
    let values: Vec<AttrValue> = order.iter().map(|value| AttrValue::from(value.clone())).collect();
    let place = chosen.map(|at| t!(ORDER_PLACE, value = order[at], place = at + 1, of = order.len()));
    html! {
        <div class="order">
            <label for="order-list">{ t!(ORDER_ORDER_ITS_VALUES_FROM) }</label>
            <List {values} value={detail.value.clone()} {choose} />
            <div class="buttons">
                { button("order-up", t!(ORDER_MOVE_UP), Towards::Least) }
                { button("order-down", t!(ORDER_MOVE_DOWN), Towards::Greatest) }
            </div>
            <p class="hint" role="status">
                { place.unwrap_or_else(|| n!(ORDER_CHOOSE_ONE, order.len())) }
            </p>
        </div>
    }
}

#[derive(PartialEq, Properties)]
struct ListProps {
    values: Vec<AttrValue>,
    value: String,
    choose: Callback<String>,
}

/// A list of which one entry is chosen; it stays chosen when entries change places.
#[function_component]
fn List(props: &ListProps) -> Html {
    let node = use_node_ref();
    use_effect_with((node.clone(), props.values.clone(), props.value.clone()), |(node, _, value)| {
        dom::choose(node, value);
    });
    let onchange = props.choose.reform(|event: Event| dom::changed(&event));
    let size = props.values.len().clamp(2, LINES).to_string();
    html! {
        <select ref={node} id="order-list" {size} {onchange}>
            { for props.values.iter().map(|value| html! {
                <option key={value.to_string()} value={value.clone()} selected={**value == *props.value}>{ value }</option>
            }) }
        </select>
    }
}
