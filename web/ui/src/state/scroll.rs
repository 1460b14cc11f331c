//! Where a table of any number of rows is scrolled to. Browsers limit the height of an element: Firefox to 17.9 million
//! pixels, Chromium to 33.5 million. Above [`TALLEST`] the element is lower than its rows would be.
//!
//! A position of the rows and one of the element belong together: near both ends they are equally far from the end, between
//! them in proportion. Small steps (wheel, keys, touch) move rows and element by the same number of pixels, so that they are
//! exact; where that leads away from the place that belongs to the rows, the element is moved there once it rests, and what
//! it shows with it. A long way (the bar is drawn) leads to the rows that belong to the place.

/// Height of a row in pixels, as the style sheet has it.
pub const HEIGHT: usize = 28;

/// Height in pixels that any browser gives an element, with room for a device that has several dots a pixel.
const TALLEST: f64 = 8e6;

/// Pixels at both ends where the element is as high as its rows.
const END: f64 = 1e5;

/// The longest way in pixels that counts as a step. A pixel of the bar is a longer way in an element that is too low.
const STEP: f64 = 4000.0;

/// Pixels that are not worth a move: browsers round.
const NEAR: f64 = 2.0;

/// Where a table is scrolled to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scroll {
    /// Rows of the table.
    rows: usize,
    /// Pixels of rows above the view.
    top: f64,
    /// Pixels of the element above the view.
    at: f64,
    /// Pixels of rows in the view.
    view: f64,
    /// The element is not yet there: it has to be moved.
    moving: bool,
}

impl Scroll {
    /// The begin of a table.
    #[must_use]
    pub fn of(rows: usize) -> Self {
        Self { rows, ..Self::default() }
    }

    /// Height of all rows in pixels.
    fn all(self) -> f64 {
        (self.rows * HEIGHT) as f64
    }

    /// Height of the element in pixels, without its header.
    #[must_use]
    pub fn height(self) -> f64 {
        self.all().min(TALLEST)
    }

    /// Whether the element is lower than its rows.
    fn is_low(self) -> bool {
        self.all() > TALLEST
    }

    /// How much farther the rows are scrolled than the element, in pixels: as long as that stays, nothing has to be drawn anew.
    #[must_use]
    pub fn ahead(self) -> f64 {
        self.top - self.at
    }

    /// The first row in view.
    #[must_use]
    pub fn row(self) -> usize {
        (self.top / HEIGHT as f64) as usize
    }

    /// How far the element has to be scrolled, where that differs from how far it is.
    #[must_use]
    pub fn rest(self) -> Option<f64> {
        let rest = between(self.top, self.all() - self.view, self.height() - self.view).round();
        ((rest - self.at).abs() >= NEAR).then_some(rest)
    }

    /// Pixels of the element above a row; where rows are far from what is in view, it may not have them.
    #[must_use]
    pub fn above(self, row: usize) -> f64 {
        ((row * HEIGHT) as f64 - self.ahead()).clamp(0.0, self.height())
    }

    /// The element was scrolled to this place in pixels; so much of it is in view.
    #[must_use]
    pub fn scrolled(self, at: f64, view: f64) -> Self {
        let way = at - self.at;
        let top = if self.is_low() && way.abs() <= STEP {
            self.top + way
        } else {
            between(at, self.height() - view, self.all() - view)
        };
        Self { at, view, top: top.clamp(0.0, (self.all() - view).max(0.0)), moving: false, ..self }
    }

    /// The element rests: it moves to the place that belongs to its rows.
    #[must_use]
    pub fn rested(self) -> Self {
        match self.rest() {
            Some(at) => Self { at, moving: true, ..self },
            None => self,
        }
    }

    /// Where the element has to be moved to, if it is not yet there; it is told once.
    #[must_use]
    pub fn goal(&mut self) -> Option<f64> {
        std::mem::take(&mut self.moving).then_some(self.at)
    }
}

/// A place among `all` pixels as one among `others`: equally far from the next end, or in proportion.
fn between(place: f64, all: f64, others: f64) -> f64 {
    if (all - others).abs() < 1e-9 || place <= END {
        place
    } else if place >= all - END {
        others - (all - place)
    } else {
        END + (place - END) * ((others - 2.0 * END) / (all - 2.0 * END))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const VIEW: f64 = 448.0;
    const MILLION: usize = 1_000_000;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-3
    }

    #[test]
    fn what_fits_is_scrolled_as_it_is() {
        let mut scroll = Scroll::of(120_000);
        for at in [0.0, 100.0, 3_000_000.0, 2_999_000.0, 120_000.0 * 28.0 - VIEW] {
            scroll = scroll.scrolled(at, VIEW);
            assert_eq!((scroll.row(), scroll.rest()), ((at / 28.0) as usize, None));
            assert!(near(scroll.above(scroll.row()), (at / 28.0).floor() * 28.0));
        }
        assert!(near(scroll.height(), 120_000.0 * 28.0));
    }

    #[test]
    fn a_drawn_bar_reaches_every_part_of_a_million_rows() {
        let scroll = Scroll::of(MILLION);
        assert!(scroll.height() < 1e7);
        let end = scroll.scrolled(scroll.height() - VIEW, VIEW);
        // 448 pixels are 16 rows.
        assert_eq!(end.row(), MILLION - 16);
        assert_eq!(end.scrolled(0.0, VIEW).row(), 0);
        let middle = scroll.scrolled((scroll.height() - VIEW) / 2.0, VIEW);
        assert!(middle.row().abs_diff(MILLION / 2) < 20, "{}", middle.row());
    }

    #[test]
    fn steps_are_exact_and_what_is_seen_does_not_move_when_it_rests() {
        let mut scroll = Scroll::of(MILLION).scrolled(4_000_000.0, VIEW);
        let first = scroll.row();
        for step in 1..=50 {
            scroll = scroll.scrolled(scroll.at + 280.0, VIEW);
            assert_eq!(scroll.row(), first + 10 * step);
        }
        let seen = scroll.above(scroll.row()) - scroll.at;
        let mut rested = scroll.rested();
        assert!(rested.at < scroll.at, "the element went farther than it should");
        assert!(near(rested.above(rested.row()) - rested.at, seen));
        assert_eq!((rested.row(), rested.rest()), (scroll.row(), None));
        // The browser tells of that move, too.
        assert_eq!((scroll.goal(), rested.goal(), rested.goal()), (None, Some(rested.at), None));
        assert_eq!(rested.scrolled(rested.at, VIEW), rested);
    }

    #[test]
    fn the_last_row_is_reached_by_steps() {
        let mut scroll = Scroll::of(MILLION).scrolled(7_899_000.0, VIEW).rested();
        let last = scroll.height() - VIEW;
        let mut steps = 0;
        while scroll.at < last {
            scroll = scroll.scrolled((scroll.at + 280.0).min(last), VIEW).rested();
            steps += 1;
            assert!(steps < 2000);
        }
        assert!(scroll.row().abs_diff(MILLION - 16) <= 1, "{}", scroll.row());
    }

    proptest! {
        #[test]
        fn places_and_rows_belong_together(rows in 1usize..5_000_000, part in 0.0f64..=1.0) {
            let scroll = Scroll::of(rows);
            let (low, all) = (scroll.height() - VIEW, scroll.all() - VIEW);
            let at = part * low.max(0.0);
            let top = between(at, low, all);
            prop_assert!((between(top, all, low) - at).abs() < 1e-3);
            prop_assert!(top >= at - 1e-3 && top <= all.max(at) + 1e-3);
            // Farther down the element are rows farther down.
            prop_assert!(between((at + 1.0).min(low.max(0.0)), low, all) >= top - 1e-6);
        }

        #[test]
        fn any_way_keeps_within_the_table(moves in prop::collection::vec((0.0f64..=1.0, -500.0f64..500.0, any::<bool>()), 1..40)) {
            let mut scroll = Scroll::of(2_000_000);
            let room = scroll.height() - VIEW;
            for (part, step, draws) in moves {
                let before = scroll;
                let at = if draws { part * room } else { (scroll.at + step).clamp(0.0, room) };
                scroll = scroll.scrolled(at, VIEW);
                prop_assert!(scroll.top >= 0.0 && scroll.row() < 2_000_000);
                if (at - before.at).abs() <= 500.0 {
                    let exact = (before.top + at - before.at).clamp(0.0, scroll.all() - VIEW);
                    prop_assert!((scroll.top - exact).abs() < 1e-6);
                }
                let rested = scroll.rested();
                prop_assert!((0.0..=room + 1.0).contains(&rested.at));
                prop_assert_eq!(rested.top, scroll.top);
                if part < 0.5 {
                    scroll = rested;
                }
            }
        }
    }
}
