//! A table of any number of rows in a frame that scrolls. Only the rows in view are in the document: empty pictures stand for the
//! others. Where these would be higher than a browser allows, [`Scroll`] says which rows belong to a place.

use std::rc::Rc;

use yew::{
    AttrValue, Callback, Event, Html, KeyboardEvent, Properties, function_component, html, use_effect,
    use_force_update, use_mut_ref, use_node_ref,
};

use crate::{
    platform::{dom, timer::After},
    state::{BLOCK, HEIGHT, Scroll},
};

/// Milliseconds without scrolling after which the rows rest.
const REST: i32 = 150;

/// A table, and the rows of it that are there.
#[derive(Properties, PartialEq)]
pub(super) struct VirtualProps {
    /// Id of the frame.
    pub(super) id: &'static str,
    /// What it is.
    pub(super) label: AttrValue,
    /// Rows of the whole table. Another table needs another key.
    pub(super) total: usize,
    /// The place of the first row that is there, and how many are.
    pub(super) there: (usize, usize),
    /// The head of the table.
    pub(super) head: Html,
    /// The rows that are there.
    pub(super) body: Html,
    /// Told once other rows are needed: the row in view.
    pub(super) onscrolled: Callback<usize>,
    /// Rows that are asked for together.
    #[prop_or(BLOCK)]
    pub(super) block: usize,
    /// Pixels of the table's width, where its columns have widths of their own.
    #[prop_or_default]
    pub(super) width: Option<usize>,
    /// Told how far it is scrolled sideways, in pixels.
    #[prop_or_default]
    pub(super) onsideways: Option<Callback<f64>>,
    /// Told when Enter is pressed while the frame has the focus: the first row in view.
    #[prop_or_default]
    pub(super) onenter: Option<Callback<usize>>,
}

/// The frame. Where it is scrolled to is known here alone: the page is drawn anew only when other rows are needed.
#[function_component]
pub(super) fn Virtual(props: &VirtualProps) -> Html {
    let (total, (from, count)) = (props.total, props.there);
    let frame = use_node_ref();
    let place = use_mut_ref(|| Scroll::of(total));
    let rest = use_mut_ref(|| None::<After>);
    let draw = use_force_update();
    {
        let (frame, place) = (frame.clone(), Rc::clone(&place));
        use_effect(move || {
            let goal = place.borrow_mut().goal();
            if let Some(goal) = goal {
                dom::scroll_to(&frame, goal);
            }
        });
    }
    let onscroll = {
        let (onscrolled, place) = (props.onscrolled.clone(), Rc::clone(&place));
        let (onsideways, block) = (props.onsideways.clone(), props.block);
        Callback::from(move |event: Event| {
            if let Some(onsideways) = &onsideways {
                onsideways.emit(dom::scrolled_sideways(&event));
            }
            let (at, view) = dom::scrolled(&event);
            let before = *place.borrow();
            // The header takes as much as a row.
            let now = before.scrolled(at, view - HEIGHT as f64);
            *place.borrow_mut() = now;
            if now.row() / block != before.row() / block {
                onscrolled.emit(now.row());
            } else if now.ahead().to_bits() != before.ahead().to_bits() {
                draw.force_update();
            }
            let resting = now.rest().map(|_| {
                let (place, draw) = (Rc::clone(&place), draw.clone());
                After::new(REST, move || {
                    let rested = place.borrow().rested();
                    *place.borrow_mut() = rested;
                    draw.force_update();
                })
            });
            drop(rest.replace(resting));
        })
    };
    let onkeydown = {
        let (onenter, place) = (props.onenter.clone(), Rc::clone(&place));
        Callback::from(move |event: KeyboardEvent| {
            if let Some(onenter) = onenter.as_ref().filter(|_| event.key() == "Enter") {
                onenter.emit(place.borrow().row());
            }
        })
    };
    let place = *place.borrow();
    let above = place.above(from);
    let below = place.height() - above - (count * HEIGHT) as f64;
    html! {
        <div ref={frame} id={props.id} class="frame rows" tabindex="0" role="region" aria-label={props.label.clone()} {onscroll} {onkeydown}
            data-from={from.to_string()} data-rows={total.to_string()}>
            { gap(above) }
            <table class={if props.width.is_some() { "dense wide" } else { "dense" }} width={props.width.map(|width| width.to_string())} aria-rowcount={(total + 1).to_string()}>
                <caption class="unseen">{ &props.label }</caption>
                { props.head.clone() }
                { props.body.clone() }
            </table>
            { gap(below) }
        </div>
    }
}

/// Stands for rows that are not in view. Nothing has a style of its own here, so it is a picture.
pub(super) fn gap(height: f64) -> Html {
    html! { <svg class="gap" width="1" height={height.max(0.0).to_string()} aria-hidden="true"></svg> }
}
