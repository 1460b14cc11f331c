//! The picture of the product: the loss that falls, the bound that rises to meet it, and the space between them, by the clock on
//! the wall.

use yew::{Html, html};

use super::{
    figure,
    scale::{Round, clock, end_of_axis, part, precise, rounded, share, short},
};
use crate::format::{number, seconds};

/// Size of the drawing, in its own units; it is stretched to the width of the page.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 180.0;

/// Height of a text of two lines beside the drawing, in per cent of it.
const TEXT: f64 = 100.0 * 40.0 / 192.0;

/// A run as far as it has got.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap<'a> {
    /// Seconds since the run began, and loss of the best table.
    pub(crate) loss: &'a [(f64, f64)],
    /// Seconds, and proven lower bound.
    pub(crate) bounds: &'a [(f64, f64)],
    /// Seconds since the run began.
    pub(crate) now: f64,
    /// The loss that would be 100 %, where that is known.
    pub(crate) whole: Option<f64>,
    /// The run has ended.
    pub(crate) over: bool,
}

/// The chart; the time alone while there is no table yet.
pub(crate) fn gap(gap: &Gap) -> Html {
    let finding = finding(gap);
    // A run that is under way and the one that it may replace are on the page together.
    let id = if gap.over { "search-chart" } else { "run-chart" };
    figure(id, "gap", &finding, picture(gap, &finding), table(gap))
}

/// What stopping now costs, in a line.
pub(crate) fn stopping(loss: Option<f64>, bound: Option<f64>, whole: Option<f64>) -> String {
    let Some(loss) = loss else { return String::from(t!(GAP_NO_TABLE_YET)) };
    let Some(bound) = bound else { return String::from(t!(GAP_NOTHING_PROVEN)) };
    let cost = (loss - bound).max(0.0);
    if cost <= 0.0 {
        return String::from(t!(GAP_STOPPING_COSTS_NOTHING));
    }
    if bound < 0.5 * loss {
        return String::from(t!(GAP_LITTLE_PROVEN));
    }
    let two = |x: f64| number(rounded(x, 2, Round::Up));
    match whole.filter(|whole| *whole > 0.0) {
        Some(whole) => t!(GAP_STOPPING_COSTS_POINTS, points = two(100.0 * cost / whole)),
        None => t!(GAP_STOPPING_COSTS, share = format!("{} %", two(100.0 * cost / loss))),
    }
}

fn last(curve: &[(f64, f64)]) -> Option<f64> {
    curve.last().map(|last| last.1)
}

fn finding(gap: &Gap) -> String {
    let (loss, bound) = (last(gap.loss), last(gap.bounds));
    match (gap.over, loss) {
        (true, Some(loss)) => {
            let time = seconds(gap.now);
            match bound {
                Some(bound) => t!(
                    GAP_OVER,
                    time = time,
                    loss = gap.written(loss, Round::Near),
                    bound = gap.written(bound, Round::Down)
                ),
                None => t!(GAP_OVER_NO_BOUND, time = time, loss = gap.written(loss, Round::Near)),
            }
        }
        _ => stopping(loss, bound, gap.whole),
    }
}

/// A loss as a share of the one that would be 100 %, as the result has it.
pub(crate) fn of_whole(loss: f64, whole: Option<f64>, round: Round) -> Option<String> {
    whole.filter(|whole| *whole > 0.0).map(|whole| share(loss / whole, round))
}

/// A bound as a share of the loss of the best table: all that can be said while nobody knows what would be 100 %.
pub(crate) fn of_loss(bound: f64, loss: f64) -> String {
    t!(GAP_OF_LOSS, share = share(if loss > 0.0 { bound / loss } else { 1.0 }, Round::Down))
}

impl Gap<'_> {
    /// Whether losses are told as shares of the best table's: a sum without a unit says nothing.
    fn is_of_loss(&self) -> bool {
        !self.over && self.whole.is_none_or(|whole| whole <= 0.0)
    }

    fn written(&self, loss: f64, round: Round) -> String {
        if self.is_of_loss() {
            let best = last(self.loss).filter(|best| *best > 0.0);
            return best.map_or_else(|| String::from("-"), |best| share(loss / best, round));
        }
        of_whole(loss, self.whole, round).unwrap_or_else(|| short(loss, round))
    }
}

/// From seconds and loss to the drawing; both axes begin at 0.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Scale {
    seconds: f64,
    /// Where the loss ends. First tables lose many times what later ones do: they run out of the picture, so that what still
    /// changes is seen.
    loss: f64,
}

impl Scale {
    fn of(gap: &Gap) -> Self {
        let most = gap.loss.iter().map(|point| point.1).filter(|loss| loss.is_finite()).fold(0.0, f64::max);
        let now = last(gap.loss).unwrap_or(0.0);
        Self { seconds: gap.now.max(1.0), loss: end_of_axis(most.min(1.5 * now)) }
    }

    fn x(&self, seconds: f64) -> f64 {
        WIDTH * part(seconds, self.seconds)
    }

    fn y(&self, loss: f64) -> f64 {
        HEIGHT * (1.0 - part(loss, self.loss))
    }

    /// What was reached holds until the next point, and to the end.
    fn steps(&self, curve: &[(f64, f64)], end: f64) -> Vec<(f64, f64)> {
        let mut steps = Vec::with_capacity(2 * curve.len());
        for (index, &(time, value)) in curve.iter().enumerate() {
            let until = curve.get(index + 1).map_or(end.max(time), |next| next.0);
            steps.extend([(self.x(time), self.y(value)), (self.x(until), self.y(value))]);
        }
        steps
    }

    /// The space between loss and bound; that above the axis where there is no bound yet.
    fn between(&self, gap: &Gap) -> Vec<(f64, f64)> {
        let mut around = self.steps(gap.loss, gap.now);
        let Some(first) = gap.loss.first().map(|first| first.0) else { return Vec::new() };
        let below = match gap.bounds.first() {
            // A bound that came before the first table begins with it, and before the first bound there is 0.
            Some(&(begins, bound)) => {
                let zero = [(first, 0.0), (begins.max(first), 0.0)];
                let from = gap.bounds.iter().map(|&(time, bound)| (time.max(first), bound));
                let mut curve: Vec<_> = if begins > first { zero.to_vec() } else { vec![(first, bound)] };
                curve.extend(from);
                self.steps(&curve, gap.now)
            }
            None => self.steps(&[(first, 0.0)], gap.now),
        };
        around.extend(below.into_iter().rev());
        around
    }
}

fn points(curve: &[(f64, f64)]) -> String {
    curve.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

/// Where texts of two lines begin beside the ends of two lines, in per cent from the top: at their height, but neither out of
/// the drawing nor one upon the other.
fn beside(loss: f64, bound: Option<f64>) -> (f64, Option<f64>) {
    let lowest = 100.0 - TEXT;
    let Some(bound) = bound else { return ((loss - TEXT / 2.0).clamp(0.0, lowest), None) };
    let first = (loss - TEXT / 2.0).clamp(0.0, lowest - TEXT);
    (first, Some((bound - TEXT / 2.0).clamp(first + TEXT, lowest)))
}

fn picture(gap: &Gap, finding: &str) -> Html {
    let scale = Scale::of(gap);
    let grid = [0.0, 0.25, 0.5, 0.75].map(|part| (HEIGHT * part).to_string());
    let top = if gap.is_of_loss() || gap.loss.is_empty() {
        String::new()
    } else {
        gap.written(scale.loss, Round::Near)
    };
    html! {
        <div class="curves">
            <div class="axis-y" aria-hidden="true"><span>{ top }</span><span>{ "0" }</span></div>
            <svg class="plot-area" viewBox={format!("0 0 {WIDTH} {HEIGHT}")} preserveAspectRatio="none" role="img" aria-label={finding.to_owned()}>
                { for grid.into_iter().map(|y| html! { <line class="grid" x1="0" x2={WIDTH.to_string()} y1={y.clone()} y2={y} /> }) }
                <polygon class="space" points={points(&scale.between(gap))} />
                <polyline class="after" points={points(&scale.steps(gap.loss, gap.now))} />
                if !gap.bounds.is_empty() {
                    <polyline class="bound" points={points(&scale.steps(gap.bounds, gap.now))} />
                }
            </svg>
            { ends(gap, &scale) }
            <div class="axis-x" aria-hidden="true"><span>{ t!(CHART_0_S) }</span><span>{ clock(gap.now) }</span></div>
        </div>
    }
}

/// What the lines are, at their ends.
fn ends(gap: &Gap, scale: &Scale) -> Html {
    let Some(loss) = last(gap.loss) else { return html! { <div class="ends"></div> } };
    let place = |value: f64| 100.0 * scale.y(value) / HEIGHT;
    let bound = last(gap.bounds);
    let (first, second) = beside(place(loss), bound.map(place));
    let below = bound
        .map(|bound| if gap.is_of_loss() { of_loss(bound, loss) } else { gap.written(bound, Round::Down) });
    let lead =
        |height: f64| html! { <svg width="1" height={format!("{height:.1}%")} aria-hidden="true"></svg> };
    html! {
        <div class="ends">
            { lead(first) }
            <p class="after">
                { t!(GAP_BEST_SO_FAR) }
                if !gap.is_of_loss() { <br /><b>{ gap.written(loss, Round::Near) }</b> }
            </p>
            if let (Some(second), Some(below)) = (second, below) {
                { lead(second - first - TEXT) }
                <p class="bound">{ t!(GAP_NO_TABLE_BELOW) }<br /><b>{ below }</b></p>
            }
        </div>
    }
}

/// The moments at which something changed, the last ones.
fn table(gap: &Gap) -> Html {
    const SHOWN: usize = 20;
    let mut rows: Vec<(f64, Option<f64>, Option<f64>)> = Vec::new();
    rows.extend(gap.loss.iter().map(|&(time, loss)| (time, Some(loss), None)));
    rows.extend(gap.bounds.iter().map(|&(time, bound)| (time, None, Some(bound))));
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut loss, mut bound) = (None, None);
    let mut told: Vec<(f64, Option<f64>, Option<f64>)> = Vec::new();
    for row in rows {
        let now = (row.1.or(loss), row.2.or(bound));
        if now != (loss, bound) {
            told.push((row.0, now.0, now.1));
        }
        (loss, bound) = now;
    }
    let skipped = told.len().saturating_sub(SHOWN);
    let cell = |x: Option<f64>, round: Round| x.map_or(String::from("-"), |x| gap.written(x, round));
    let caption = if gap.is_of_loss() {
        html! { <caption>{ t!(GAP_BY_TIME_OF_LOSS) }</caption> }
    } else {
        html! { <caption class="unseen">{ t!(GAP_BY_TIME) }</caption> }
    };
    html! {
        <table class="checks">
            { caption }
            <thead>
                <tr>
                    <th scope="col" class="number">{ t!(SOLVE_ELAPSED) }</th>
                    <th scope="col" class="number">{ t!(SOLVE_LOSS) }</th>
                    <th scope="col" class="number">{ t!(SOLVE_BOUND) }</th>
                </tr>
            </thead>
            <tbody>
                { for told.iter().skip(skipped).map(|(time, loss, bound)| html! {
                    <tr>
                        <th scope="row" class="number">{ precise(*time) }</th>
                        <td class="number">{ cell(*loss, Round::Near) }</td>
                        <td class="number">{ cell(*bound, Round::Down) }</td>
                    </tr>
                }) }
            </tbody>
        </table>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at<'a>(loss: &'a [(f64, f64)], bounds: &'a [(f64, f64)], now: f64) -> Gap<'a> {
        Gap { loss, bounds, now, whole: None, over: false }
    }

    #[test]
    fn the_title_is_what_stopping_costs() {
        let of = |loss, bound| stopping(loss, bound, None);
        assert_eq!(of(Some(8.0), Some(7.5)), "Stopping now costs at most 6.3 % of the loss");
        assert_eq!(
            stopping(Some(3.55), Some(3.312), Some(100.0)),
            "Stopping now costs at most 0.24 points of loss"
        );
        assert_eq!(of(None, Some(1.0)), "There is no table yet");
        assert_eq!(of(Some(8.0), None), "Nothing is proven yet");
        assert_eq!(of(Some(8.0), Some(3.9)), "The bound is still far below: little is proven");
        assert_eq!(of(Some(8.0), Some(8.0)), "Stopping now costs nothing: no table loses less");
        assert_eq!(of(Some(0.0), Some(0.0)), "Stopping now costs nothing: no table loses less");
    }

    #[test]
    fn a_run_that_is_over_says_what_it_reached() {
        let gap = Gap { whole: Some(100.0), over: true, ..at(&[(1.0, 3.55)], &[(1.0, 3.349)], 24.0) };
        assert_eq!(finding(&gap), "After 24 s the table lost 3.55 %; no table can lose less than 3.34 %");
        assert_eq!(
            finding(&Gap { bounds: &[], ..gap }),
            "After 24 s the table lost 3.55 %; nothing is proven"
        );
    }

    #[test]
    fn a_loss_is_told_in_the_unit_of_the_result_or_beside_the_best_one() {
        let run = Gap { whole: Some(30_162.0), ..at(&[(1.0, 1300.4)], &[(1.0, 320.2)], 9.0) };
        assert_eq!(
            (run.written(1300.4, Round::Near), run.written(320.2, Round::Down)),
            ("4.31 %".into(), "1.06 %".into())
        );
        // What would be 100 % is not known: no sums.
        let run = Gap { whole: None, ..run };
        assert_eq!(
            (run.written(1430.44, Round::Near), of_loss(320.2, 1300.4)),
            ("110 %".into(), "24.6 % of the loss".into())
        );
        assert_eq!(of_loss(0.0, 0.0), "100 % of the loss");
        assert_eq!(at(&[(1.0, 0.0)], &[], 9.0).written(0.0, Round::Near), "-");
    }

    #[test]
    fn both_axes_begin_at_zero_and_time_goes_on_without_news() {
        let gap = at(&[(0.0, 8.0), (10.0, 4.0)], &[(5.0, 2.0)], 20.0);
        let scale = Scale::of(&gap);
        assert_eq!(scale, Scale { seconds: 20.0, loss: 6.0 });
        assert_eq!((scale.x(0.0), scale.x(20.0)), (0.0, 600.0));
        assert_eq!((scale.y(0.0), scale.y(3.0), scale.y(99.0)), (180.0, 90.0, 0.0));
        // The loss holds to the end.
        assert_eq!(points(&scale.steps(gap.loss, gap.now)), "0.0,0.0 300.0,0.0 300.0,60.0 600.0,60.0");
        assert_eq!(points(&scale.steps(gap.bounds, gap.now)), "150.0,120.0 600.0,120.0");
        // The space reaches down to 0 where there is no bound, and to the bound where there is.
        assert_eq!(
            points(&scale.between(&gap)),
            "0.0,0.0 300.0,0.0 300.0,60.0 600.0,60.0 \
             600.0,120.0 150.0,120.0 150.0,180.0 150.0,180.0 150.0,180.0 0.0,180.0"
        );
    }

    #[test]
    fn a_bound_that_was_there_before_the_first_table_begins_with_it() {
        let gap = at(&[(5.0, 8.0)], &[(1.0, 4.0)], 10.0);
        let scale = Scale::of(&gap);
        assert_eq!(scale.loss, 8.0);
        let around = scale.between(&gap);
        assert!(around.iter().all(|(x, _)| *x >= scale.x(5.0)), "{around:?}");
        assert_eq!(scale.between(&at(&[], &[(1.0, 4.0)], 10.0)), []);
    }

    #[test]
    fn a_loss_of_zero_and_a_run_without_a_table_are_drawn() {
        assert_eq!(Scale::of(&at(&[(0.0, 0.0)], &[], 0.0)), Scale { seconds: 1.0, loss: 1.0 });
        assert_eq!(Scale::of(&at(&[], &[], 12.0)), Scale { seconds: 12.0, loss: 1.0 });
    }

    #[test]
    fn texts_stand_beside_their_lines_and_not_upon_each_other() {
        let (first, second) = beside(20.0, Some(24.0));
        assert!(second.unwrap() >= first + TEXT && first >= 0.0);
        let (first, second) = beside(97.0, Some(100.0));
        assert!(second.unwrap() + TEXT <= 100.0 + 1e-9 && first + TEXT <= second.unwrap() + 1e-9);
        assert_eq!(beside(0.0, None), (0.0, None));
        let (first, second) = beside(50.0, Some(90.0));
        assert!((first + TEXT / 2.0 - 50.0).abs() < 1e-9);
        assert_eq!(second, Some(100.0 - TEXT));
    }
}
