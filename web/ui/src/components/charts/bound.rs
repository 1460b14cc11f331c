//! How far the loss is from what must be lost: 0, the bound, the loss, on one bar.

use lookalike_model::{
    job::BoundOf,
    report::{Objective, Report},
    settings::Loss,
};
use yew::{Html, html};

use super::{
    at, figure,
    scale::{Round, share, short},
};
use crate::format::list;

/// Two losses that differ by less than this part are one, summed in two orders.
const SAME: f64 = 1e-9;

/// Part of the width that the loss takes.
const LOSS: f64 = 87.0;

/// Loss and bound in the unit of what was minimised.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounded {
    loss: f64,
    /// `None` if nothing is proven; a bound that says next to nothing is none.
    bound: Option<f64>,
    /// What it is a bound of.
    of: BoundOf,
    unit: Unit,
    /// What it is counted in, where that is not what the published table loses.
    counted: Option<&'static str>,
    /// Rows were left out, and others could have been.
    stayed: bool,
    /// Values that one person has are kept apart from each other, which the protection alone does not ask for.
    linked: bool,
}

/// What a loss is counted in.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Unit {
    /// As a share of all that could be lost, 0 to 1.
    Share,
    /// As it is.
    Plain(&'static str),
}

impl Unit {
    fn written(self, x: f64, round: Round) -> String {
        match self {
            // All digits of a loss of almost everything are nines.
            Self::Share if x < 1.0 && x > 0.999 => {
                let most = share(0.999, Round::Near);
                // A bound is said to be so much at least.
                if round == Round::Down { most } else { t!(BOUND_MORE_THAN, share = most) }
            }
            Self::Share => share(x, round),
            Self::Plain(unit) => format!("{} ({unit})", short(x, round)),
        }
    }
}

/// The chart; nothing where the method seeks no bound and none is there.
pub(crate) fn bound(report: &Report) -> Html {
    let bounded = bounded(report);
    let finding = finding(&bounded);
    let picture = html! {
        <>
            { picture(&bounded, &finding) }
            if let Some(of) = of_another(report) { <p class="hint">{ of }</p> }
            if let Some(of) = of_columns(report) { <p class="hint">{ of }</p> }
        </>
    };
    figure("bound-bar", "bound-bar", &finding, picture, table(&bounded))
}

/// Where something else was minimised than what the published table loses: what that loses, and that nothing is proven of it.
fn of_another(report: &Report) -> Option<String> {
    let published = report.utility.gcp_mean;
    let told = |loss| share(loss, Round::Near);
    match (report.objective.loss, report.objective.gcp_mean, published) {
        (Loss::Sse, _, None) => Some(String::from(t!(BOUND_OF_SQUARES_ONLY))),
        (Loss::Sse, _, Some(loss)) => Some(t!(BOUND_OF_SQUARES, loss = told(loss))),
        (Loss::Ncp, Some(minimised), Some(loss)) if (minimised - loss).abs() <= SAME * loss => None,
        (Loss::Ncp | Loss::NcpBinary, _, loss) => loss.map(|loss| t!(BOUND_OF_OTHER, loss = told(loss))),
    }
}

/// Of which columns the loss of what is published is the mean, where others have none.
pub(crate) fn of_columns(report: &Report) -> Option<String> {
    let (measured, columns) = report.utility.measured();
    let partly = report.utility.gcp_mean.is_some() && measured < columns;
    let names = || {
        let measured = report.utility.columns.iter().filter(|column| column.ncp.is_some());
        list(&measured.map(|column| column.name.as_str()).collect::<Vec<_>>())
    };
    partly.then(|| t!(BOUND_OF_COLUMNS, names = names()))
}

fn bounded(report: &Report) -> Bounded {
    let objective = &report.objective;
    let bound = report.bound.as_ref();
    let of = bound.map_or(BoundOf::WholeProblem, |bound| bound.of);
    let proven = |loss: f64, bound: f64| (bound > loss / 1000.0 || loss <= 0.0).then_some(bound.min(loss));
    let shares = match objective.loss {
        Loss::Sse => {
            let of = |percent: Option<f64>| percent.map(|percent| percent / 100.0);
            of(objective.information_loss_percent)
                .map(|loss| (loss, of(bound.and_then(|bound| bound.information_loss_percent))))
        }
        Loss::Ncp | Loss::NcpBinary => penalised(objective)
            .map(|records| (objective.value / records, bound.map(|bound| bound.value / records))),
    };
    let plain = || {
        let unit = match objective.loss {
            Loss::Sse => "SSE",
            Loss::Ncp => "NCP",
            Loss::NcpBinary => "ncp-binary",
        };
        (Unit::Plain(unit), (objective.value, bound.map(|bound| bound.value)))
    };
    let (unit, (loss, bound)) = shares.map_or_else(plain, |shares| (Unit::Share, shares));
    Bounded {
        loss,
        bound: bound.and_then(|bound| proven(loss, bound)),
        of,
        unit,
        counted: counted(report),
        stayed: report.changes.deletions > 0,
        linked: report.persons.and_then(|of| of.linked).is_some_and(|linked| linked.largest > 1),
    }
}

/// The records that a certainty penalty is a sum over, where it is known to be of what is published.
pub(crate) fn penalised(objective: &Objective) -> Option<f64> {
    let (total, mean) = (objective.ncp_total?, objective.gcp_mean?);
    Some(if mean > 0.0 { total / mean } else { 1.0 })
}

/// What was minimised, where that is not what the published table loses, or not known to be.
fn counted(report: &Report) -> Option<&'static str> {
    match report.objective.loss {
        Loss::Sse => Some(t!(BOUND_IN_SQUARES)),
        Loss::Ncp | Loss::NcpBinary => of_another(report).map(|_| t!(BOUND_IN_SEARCH)),
    }
}

fn finding(bounded: &Bounded) -> String {
    let loss = bounded.unit.written(bounded.loss, Round::Near);
    let share = bounded.unit == Unit::Share && bounded.counted.is_none();
    let counted = bounded.counted.filter(|_| bounded.unit == Unit::Share);
    let loss = counted.map_or_else(|| loss.clone(), |counted| format!("{loss} ({counted})"));
    let whole = bounded.of == BoundOf::WholeProblem;
    let Some(bound) = bounded.bound else {
        return if share {
            t!(BOUND_DETAIL_NOTHING_PROVEN, loss = loss)
        } else {
            t!(BOUND_LOSS_NOTHING_PROVEN, loss = loss)
        };
    };
    let bound = bounded.unit.written(bound, Round::Down);
    if bounded.linked && whole {
        return t!(BOUND_LINKED, loss = loss, bound = bound);
    }
    if bounded.stayed && whole {
        return t!(BOUND_OF_STAYED, loss = loss, bound = bound);
    }
    match (share, whole) {
        (true, true) => t!(BOUND_DETAIL, loss = loss, bound = bound),
        (true, false) => t!(BOUND_DETAIL_BLOCKS, loss = loss, bound = bound),
        (false, true) => t!(BOUND_LOSS, loss = loss, bound = bound),
        (false, false) => t!(BOUND_LOSS_BLOCKS, loss = loss, bound = bound),
    }
}

/// Where bound and loss stand, in per cent of the width.
fn places(bounded: &Bounded) -> (Option<f64>, f64) {
    let place = |x: f64| if bounded.loss > 0.0 { LOSS * (x / bounded.loss).clamp(0.0, 1.0) } else { 0.0 };
    (bounded.bound.map(place), if bounded.loss > 0.0 { LOSS } else { 0.0 })
}

/// The label of a bound: of which tables it is one is said by the finding, where not of all.
fn label(bounded: &Bounded, bound: &str) -> String {
    if bounded.linked || bounded.stayed || bounded.of != BoundOf::WholeProblem {
        t!(BOUND_OF_SOME, bound = bound)
    } else {
        t!(BOUND_NO_TABLE_LOSES_LESS, bound = bound)
    }
}

fn picture(bounded: &Bounded, finding: &str) -> Html {
    let (bound, loss) = places(bounded);
    let rect = |class: &'static str, from: f64, to: f64| {
        html! { <rect {class} x={format!("{from:.2}")} width={format!("{:.2}", to - from)} y="6" height="14" /> }
    };
    let tick = |class: &'static str, x: f64, y: [&'static str; 2]| {
        let x = format!("{x:.2}");
        html! { <line {class} x1={x.clone()} x2={x} y1={y[0]} y2={y[1]} /> }
    };
    let unit = bounded.unit;
    html! {
        <div class="bars">
            if let (Some(place), Some(bound)) = (bound, bounded.bound) {
                { at(place, "bound", html! { <>{ label(bounded, &unit.written(bound, Round::Down)) }</> }) }
            }
            <svg class="flat" viewBox="0 0 100 26" preserveAspectRatio="none" role="img" aria-label={finding.to_owned()}>
                { rect("after", 0.0, bound.unwrap_or(0.0)) }
                { rect("space", bound.unwrap_or(0.0), loss) }
                if let Some(place) = bound { { tick("bound", place, ["0", "22"]) } }
                { tick("after", loss, ["6", "26"]) }
            </svg>
            { at(loss, "after", html! { <>{ t!(BOUND_THIS_TABLE_LOSES, loss = unit.written(bounded.loss, Round::Near)) }</> }) }
        </div>
    }
}

fn table(bounded: &Bounded) -> Html {
    let unit = bounded.unit;
    let bound = bounded
        .bound
        .map_or(String::from(t!(BOUND_NOTHING_PROVEN)), |bound| unit.written(bound, Round::Down));
    html! {
        <table class="checks">
            <caption class="unseen">{ t!(BOUND_LOSS_AND_BOUND) }</caption>
            <tbody>
                <tr><th scope="row">{ t!(SOLVE_BOUND) }</th><td class="number">{ bound }</td></tr>
                <tr><th scope="row">{ t!(SOLVE_LOSS) }</th><td class="number">{ unit.written(bounded.loss, Round::Near) }</td></tr>
            </tbody>
        </table>
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::{assessment::ColumnUtility, report::ReportBound};
    use lookalike_words::Said;

    use super::*;
    use crate::state::tests::finished;

    fn report(loss: f64, bound: Option<f64>, of: BoundOf) -> Report {
        let mut report = finished(true).report;
        report.objective.information_loss_percent = Some(loss);
        report.bound = bound.map(|bound| ReportBound {
            loss: Loss::Sse,
            value: 4.0 * bound / 100.0,
            information_loss_percent: Some(bound),
            gap_percent: 0.0,
            proven_by: Said::default(),
            of,
            work: None,
        });
        report
    }

    #[test]
    fn the_columns_of_a_penalty_are_named_where_others_have_none() {
        let mut report = report(3.5, None, BoundOf::WholeProblem);
        let column = |name: &str, ncp: Option<f64>| ColumnUtility {
            name: name.to_owned(),
            ncp,
            measurable: ncp.is_some(),
            information_loss_percent: None,
        };
        report.utility.columns = vec![column("sex", Some(0.0)), column("age", None)];
        assert_eq!(of_columns(&report), None, "no penalty is shown");
        report.utility.gcp_mean = Some(0.0);
        assert_eq!(
            of_columns(&report).unwrap(),
            "The certainty penalty covers sex only: as published, the other columns have none."
        );
        report.utility.columns.pop();
        assert_eq!(of_columns(&report), None);
    }

    fn told(loss: f64, bound: Option<f64>) -> String {
        finding(&bounded(&report(loss, bound, BoundOf::WholeProblem)))
    }

    #[test]
    fn loss_and_bound_are_said_in_a_sentence() {
        assert_eq!(
            told(3.5511, Some(3.3488)),
            "The table loses 3.55 % (squared errors); no table with this protection can lose less than 3.34 %"
        );
        let of_blocks = finding(&bounded(&report(3.5511, Some(3.3488), BoundOf::DecomposedProblem)));
        assert!(of_blocks.contains("keeps to the blocks of the search"), "{of_blocks}");
        // A loss that cannot be compared with all that could be lost stands in its own unit.
        let mut plain = report(0.0, Some(3.0), BoundOf::WholeProblem);
        plain.objective.loss = Loss::Ncp;
        (plain.objective.gcp_mean, plain.objective.value) = (None, 113.407);
        plain.bound.as_mut().unwrap().value = 98.76;
        assert_eq!(
            finding(&bounded(&plain)),
            "The table loses 113 (NCP); no table with this protection can lose less than 98.7 (NCP)"
        );
        (plain.objective.gcp_mean, plain.objective.ncp_total) = (Some(0.3), Some(3.0));
        (plain.objective.value, plain.input.rows) = (3.0, 10);
        plain.bound.as_mut().unwrap().value = 2.0;
        plain.utility.gcp_mean = Some(0.3);
        assert!(finding(&bounded(&plain)).starts_with("The table loses 30 % of its detail; "));
        // What the published table loses is another figure.
        plain.utility.gcp_mean = Some(0.4);
        assert!(finding(&bounded(&plain)).starts_with("The table loses 30 % (as the search counts); "));
    }

    #[test]
    fn a_bound_that_says_nothing_is_none() {
        for bound in [None, Some(0.0), Some(-1.0), Some(0.001)] {
            assert_eq!(
                told(3.55, bound),
                "The table loses 3.55 % (squared errors). Nothing is proven yet about what must be lost"
            );
        }
        // Of a loss of nothing 0 says all.
        assert!(told(0.0, Some(0.0)).contains("less than 0 %"));
        let almost = told(99.97, Some(99.96));
        assert!(
            almost.starts_with("The table loses more than 99.9 %") && almost.ends_with("less than 99.9 %"),
            "{almost}"
        );
    }

    #[test]
    fn the_bar_begins_at_zero_and_ends_with_the_loss() {
        let of = |loss, bound| places(&bounded(&report(loss, bound, BoundOf::WholeProblem)));
        assert_eq!(of(4.0, Some(2.0)), (Some(43.5), 87.0));
        assert_eq!(of(4.0, None), (None, 87.0));
        assert_eq!(of(0.0, Some(0.0)), (Some(0.0), 0.0));
        // A bound is never drawn beyond the loss.
        assert_eq!(of(4.0, Some(4.5)).0, Some(87.0));
    }
}
