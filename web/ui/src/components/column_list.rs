//! The rows of the columns: one stop of the keyboard, and of hundreds only those in view in the document.

use std::{ops::Range, rc::Rc};

use yew::{
    Callback, Event, Html, KeyboardEvent, Properties, function_component, html, use_effect, use_mut_ref,
    use_state,
};

use super::{PageProps, column_row::Row, virtual_rows::gap};
use crate::{
    platform::dom,
    state::{Action, HEIGHT, NARROW, ViewAction},
};

/// Rows that come and go together; so many are there before those in view, and [`AHEAD`] from the first in view on.
const STEP: usize = 10;
const AHEAD: usize = 5 * STEP;

/// Id of the field that filters.
pub(super) const FILTER: &str = "column-filter";

/// What the list shows by now, for keys that are pressed in rows that were drawn before.
#[derive(Default)]
struct Now {
    places: Rc<[usize]>,
    /// The rows in the document.
    there: Range<usize>,
    filters: bool,
    /// The column that is to get the focus.
    wanted: Option<usize>,
}

impl Now {
    /// The row that a key leads to from the column at this place.
    fn goal(&self, place: usize, key: &str) -> Option<usize> {
        let last = self.places.len().checked_sub(1)?;
        let row = self.places.iter().position(|at| *at == place).unwrap_or(0);
        Some(match key {
            "ArrowDown" => (row + 1).min(last),
            "ArrowUp" => row.saturating_sub(1),
            "Home" => 0,
            "End" => last,
            _ => return None,
        })
    }
}

/// Whether a key begins the name of a column. Digits are the keys of roles.
fn is_typed(key: &str) -> bool {
    let mut letters = key.chars();
    letters.next().is_some_and(|letter| letter.is_alphabetic() || letter == '_') && letters.next().is_none()
}

/// The columns that are listed.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct ListProps {
    /// The page.
    pub(super) page: PageProps,
    /// The places of these columns in the table.
    pub(super) places: Rc<[usize]>,
    /// Whether what is typed goes to the filter.
    pub(super) filters: bool,
}

/// The rows. Which of them the keyboard is at, and how far they are scrolled, is known here alone.
#[function_component]
pub(super) fn ColumnList(props: &ListProps) -> Html {
    let places = &props.places;
    let (at, active) = (use_state(|| 0), use_state(|| 0));
    let now = use_mut_ref(Now::default);
    {
        let now = Rc::clone(&now);
        use_effect(move || {
            let wanted = now.borrow_mut().wanted.take();
            if let Some(place) = wanted {
                dom::focus(&format!("column-{place}"));
            }
        });
    }
    let count = places.len();
    let (from, to) = if count <= NARROW {
        (0, count)
    } else {
        let first = (*at).min(count.saturating_sub(STEP));
        (first.saturating_sub(STEP), (first + AHEAD).min(count))
    };
    let there = places.get(from..to).unwrap_or_default();
    // The keyboard enters where it left, or at the first row that is there.
    let entry =
        there.iter().find(|place| **place == *active).or(there.get((*at).saturating_sub(from))).copied();
    let onscroll = {
        let (at, now) = (at.clone(), Rc::clone(&now));
        Callback::from(move |event: Event| {
            // While rows are drawn for a key, the browser may cut off what it is scrolled by; the focus scrolls to the right one.
            if now.borrow().wanted.is_some() {
                return;
            }
            let row = dom::scrolled(&event).0 as usize / HEIGHT / STEP * STEP;
            if row != *at {
                at.set(row);
            }
        })
    };
    {
        let mut now = now.borrow_mut();
        (now.there, now.filters) = (from..to, props.filters);
        now.places = Rc::clone(places);
    }
    let onfocus = {
        let active = active.setter();
        Callback::from(move |place| active.set(place))
    };
    let onkey = {
        let (at, active) = (at.setter(), active.setter());
        let dispatcher = props.page.state.dispatcher();
        Callback::from(move |(place, event): (usize, KeyboardEvent)| {
            let mut now = now.borrow_mut();
            // A key may come before the focus is where the one before led to.
            let place = now.wanted.unwrap_or(place);
            let Some(row) = now.goal(place, &event.key()) else {
                if now.filters && is_typed(&event.key()) {
                    event.prevent_default();
                    let filter = dom::value_by_id(FILTER) + &event.key();
                    dispatcher.dispatch(Action::View(ViewAction::Filter(filter)));
                    dom::focus(FILTER);
                }
                return;
            };
            event.prevent_default();
            if !now.there.contains(&row) {
                at.set(row / STEP * STEP);
            }
            now.wanted = now.places.get(row).copied();
            active.set(now.wanted.unwrap_or(place));
        })
    };
    let many = count > NARROW;
    html! {
        <div class={if many { "column-frame many" } else { "column-frame" }} {onscroll}>
            { gap((from * HEIGHT) as f64) }
            <table class="columns" aria-rowcount={many.then(|| (count + 1).to_string())}>
                <caption class="unseen">{ t!(DESCRIBE_HERE_YOU_SAY_WHAT) }</caption>
                <thead class="unseen">
                    <tr>
                        <th scope="col">{ t!(DESCRIBE_COLUMN) }</th>
                        <th scope="col">{ t!(HISTOGRAM_VALUES) }</th>
                        <th scope="col">{ t!(DESCRIBE_ROLE) }</th>
                    </tr>
                </thead>
                <tbody>
                    { for there.iter().enumerate().filter_map(|(row, place)| {
                        let index = many.then_some(from + row + 2);
                        let (onfocus, onkey) = (onfocus.clone(), onkey.clone());
                        Some(html! { <Row key={*place} ..Row::props(&props.page, *place, entry == Some(*place), index, (onfocus, onkey))? /> })
                    }) }
                </tbody>
            </table>
            { gap(((count - to) * HEIGHT) as f64) }
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_lead_through_the_columns_that_are_listed() {
        let now = Now { places: Rc::from([3, 5, 8]), ..Now::default() };
        let goal = |place, key| now.goal(place, key);
        assert_eq!((goal(3, "ArrowDown"), goal(8, "ArrowDown")), (Some(1), Some(2)));
        assert_eq!((goal(5, "ArrowUp"), goal(3, "ArrowUp")), (Some(0), Some(0)));
        assert_eq!((goal(5, "Home"), goal(5, "End")), (Some(0), Some(2)));
        assert_eq!((goal(5, "a"), goal(5, "Enter")), (None, None));
        // A column that the filter hides by now.
        assert_eq!(goal(4, "ArrowDown"), Some(1));
        assert_eq!(Now::default().goal(0, "End"), None);
    }

    #[test]
    fn letters_begin_a_name_and_digits_are_roles() {
        assert!(["a", "Z", "ä", "_"].into_iter().all(is_typed));
        assert!(["1", " ", "Enter", "ArrowDown", "Tab", "F6", ""].into_iter().all(|key| !is_typed(key)));
    }
}
