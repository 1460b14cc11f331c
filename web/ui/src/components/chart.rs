//! The picture of the product: the loss that falls, and, once there is one, the bound that rises to meet it.

use yew::{Html, html};

use crate::format::{at_least, from_the_best, number, percent, seconds};

/// Size of the drawing, in its own units; it is stretched to the width of the page.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 140.0;

/// Seconds with the loss of the incumbent, and with the proven lower bound.
pub(super) fn chart(history: &[(f64, f64)], bounds: &[(f64, f64)]) -> Html {
    let [first, .., last] = history[..] else { return html! {} };
    let scale = Scale::of(history);
    let bound = bounds.last().map(|last| last.1);
    let told = finding(first, last, bound);
    let grid = [0.25, 0.5, 0.75].map(|part| part * HEIGHT);
    html! {
        <figure class="chart">
            <figcaption>{ &told }</figcaption>
            <div class="plot">
                <div class="axis-y" aria-hidden="true"><span>{ number(scale.loss) }</span><span>{ "0" }</span></div>
                <svg viewBox={format!("0 0 {WIDTH} {HEIGHT}")} preserveAspectRatio="none" role="img"
                    aria-label={told.clone()}>
                    { for grid.iter().map(|y| html! {
                        <line class="grid" x1="0" x2={WIDTH.to_string()} y1={y.to_string()} y2={y.to_string()} />
                    }) }
                    <polyline class="after" points={scale.points(history)} />
                    if !bounds.is_empty() {
                        <polyline class="bound" points={scale.steps(bounds, last.0)} />
                    }
                </svg>
                <div class="axis-x" aria-hidden="true"><span>{ t!(CHART_0_S) }</span><span>{ seconds(last.0) }</span></div>
            </div>
            if let Some(bound) = bound {
                <p class="hint">{ t!(CHART_NO_TABLE_KIND_CAN, bound = at_least(bound)) }</p>
            }
        </figure>
    }
}

/// What the picture shows, in one line.
fn finding(first: (f64, f64), last: (f64, f64), bound: Option<f64>) -> String {
    let mut text = t!(CHART_LOSS_AFTER, loss = number(last.1), time = seconds(last.0));
    if first.1 > 0.0 && last.1 < first.1 {
        let gain = 100.0 * (first.1 - last.1) / first.1;
        text = t!(CHART_BELOW_FIRST_PARTITION, text = text, gain = percent(gain));
    }
    if let Some(bound) = bound {
        let gap = if last.1 > 0.0 { 100.0 * (last.1 - bound) / last.1 } else { 0.0 };
        text = format!("{text}, {}", from_the_best(gap));
    }
    text
}

/// From seconds and loss to the drawing; both axes begin at 0.
struct Scale {
    seconds: f64,
    loss: f64,
}

impl Scale {
    fn of(history: &[(f64, f64)]) -> Self {
        let largest = |pick: fn(&(f64, f64)) -> f64| {
            history.iter().map(pick).filter(|x| x.is_finite()).fold(f64::MIN_POSITIVE, f64::max)
        };
        Self { seconds: largest(|p| p.0), loss: largest(|p| p.1) }
    }

    fn y(&self, loss: f64) -> f64 {
        HEIGHT * (1.0 - (loss / self.loss).clamp(0.0, 1.0))
    }

    /// A bound holds until the next one, and to the end.
    fn steps(&self, bounds: &[(f64, f64)], end: f64) -> String {
        let mut curve = Vec::with_capacity(2 * bounds.len());
        for (at, &(time, bound)) in bounds.iter().enumerate() {
            curve.push((time, bound));
            curve.push((bounds.get(at + 1).map_or(end.max(time), |next| next.0), bound));
        }
        self.points(&curve)
    }

    fn points(&self, history: &[(f64, f64)]) -> String {
        let points: Vec<String> = history
            .iter()
            .map(|&(t, loss)| format!("{:.1},{:.1}", WIDTH * t / self.seconds, self.y(loss)))
            .collect();
        points.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_axes_begin_at_zero_and_fill_the_drawing() {
        let history = [(0.0, 8.0), (1.0, 6.0), (2.0, 4.0)];
        let scale = Scale::of(&history);
        assert_eq!(scale.points(&history), "0.0,0.0 300.0,35.0 600.0,70.0");
        assert_eq!((scale.y(0.0), scale.y(-1.0), scale.y(9.0)), (HEIGHT, HEIGHT, 0.0));
    }

    #[test]
    fn a_loss_of_zero_is_drawn_too() {
        let history = [(0.0, 0.0), (0.0, 0.0)];
        assert_eq!(Scale::of(&history).points(&history), "0.0,140.0 0.0,140.0");
    }

    #[test]
    fn the_finding_says_how_much_was_gained() {
        let plain = |first, last| finding(first, last, None);
        assert_eq!(plain((0.0, 8.0), (2.0, 6.0)), "Loss 6 after 2.0 s, 25 % below the first partition");
        assert_eq!(plain((0.0, 8.0), (2.0, 8.0)), "Loss 8 after 2.0 s");
        assert_eq!(plain((0.0, 0.0), (2.0, 0.0)), "Loss 0 after 2.0 s");
        assert_eq!(
            finding((0.0, 8.0), (2.0, 8.0), Some(7.9)),
            "Loss 8 after 2.0 s, the best possible loss is at most 1.3 % lower"
        );
        assert_eq!(
            finding((0.0, 0.0), (2.0, 0.0), Some(0.0)),
            "Loss 0 after 2.0 s, the best possible loss is at most 0 % lower"
        );
    }

    #[test]
    fn a_bound_rises_in_steps() {
        let history = [(0.0, 8.0), (2.0, 8.0)];
        let scale = Scale::of(&history);
        assert_eq!(
            scale.steps(&[(0.5, 4.0), (1.0, 6.0)], 2.0),
            "150.0,70.0 300.0,70.0 300.0,35.0 600.0,35.0"
        );
    }
}
