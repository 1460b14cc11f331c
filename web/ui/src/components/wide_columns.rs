//! The columns of a wide table that are in the document: of many, those in view. Cells of nothing stand for the others.

use std::ops::Range;

use yew::{Callback, Html, html};

use crate::state::NARROW;

/// Columns that come and go together; one such step is there before those in view.
const STEP: usize = 6;

/// Columns that are there at a time: more than a screen of 1920 pixels shows.
const THERE: usize = 5 * STEP;

/// The columns that are in the document, where this one is the first in view.
pub(super) fn part(count: usize, left: usize) -> Range<usize> {
    if count <= NARROW {
        return 0..count;
    }
    let from = left.saturating_sub(STEP).min(count - THERE);
    from..from + THERE
}

/// Hears how far a table is scrolled sideways, where its columns are so many pixels wide; tells which column comes into view once
/// others are needed.
pub(super) fn onsideways(width: usize, left: usize, tell: impl Fn(usize) + 'static) -> Callback<f64> {
    Callback::from(move |pixels: f64| {
        let column = pixels as usize / width / STEP * STEP;
        if column != left {
            tell(column);
        }
    })
}

/// Stands for the cells of so many columns that are not in view.
pub(super) fn aside(columns: usize) -> Html {
    html! { if columns > 0 { <td colspan={columns.to_string()} aria-hidden="true"></td> } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_columns_those_in_view_are_there() {
        assert_eq!((part(NARROW, 0), part(NARROW, 30)), (0..NARROW, 0..NARROW));
        assert_eq!((part(300, 0), part(300, 60), part(300, 299)), (0..30, 54..84, 270..300));
        assert_eq!(part(61, 48), 31..61);
        for left in (0..300).step_by(STEP) {
            let there = part(300, left);
            assert!(there.contains(&left) && there.len() == THERE, "{left}");
        }
    }
}
