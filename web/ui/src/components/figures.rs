//! The figures, each with its unit and what it means for a person in the table.

use lookalike_wire::{
    job::{BoundOf, Status},
    report::Report,
    settings::{Loss, Method, Model, Settings},
};
use yew::{Html, html};

use crate::{
    format::{at_least, count, from_the_best, number, odds, percent},
    texts::known,
};

/// One figure.
#[derive(Debug, PartialEq)]
struct Figure {
    id: &'static str,
    name: &'static str,
    value: String,
    /// The value in full, for who reads the page by program.
    exact: f64,
    meaning: String,
}

/// The figures of a report on a run with these settings.
pub(super) fn view(report: &Report, settings: &Settings) -> Html {
    html! {
        <dl class="figures">
            { for figures(report, settings).into_iter().map(|figure| html! {
                <div>
                    <dt>{ figure.name }</dt>
                    <dd class="value" id={figure.id} data-value={figure.exact.to_string()}>{ figure.value }</dd>
                    <dd class="meaning">{ figure.meaning }</dd>
                </div>
            }) }
        </dl>
    }
}

fn figures(report: &Report, settings: &Settings) -> Vec<Figure> {
    let mut figures = vec![group(report)];
    if let (Some(share), Some(sensitive)) = (report.risk.highest_attribute_disclosure, &settings.sensitive) {
        figures.push(disclosure(share, sensitive, &report.model, report.changes.counterfeits));
    }
    figures.extend(loss(report));
    if let Some(bound) = &report.bound {
        figures.push(Figure {
            id: "gap",
            name: t!(FIGURE_GAP_BOUND),
            value: percent(bound.gap_percent),
            exact: bound.gap_percent,
            meaning: if bound.of == BoundOf::WholeProblem.words() {
                t!(
                    FIGURE_LOSS_NO_TABLE_WITH,
                    gap = from_the_best(bound.gap_percent),
                    bound = at_least(bound.value),
                    prover = known(&bound.proven_by)
                )
            } else {
                t!(
                    FIGURE_NO_TABLE_WITH_GUARANTEE,
                    bound = at_least(bound.value),
                    prover = known(&bound.proven_by)
                )
            },
        });
    } else if report.method.name == Method::ColumnGeneration && report.changes.suppressed_for_loss == 0 {
        figures.push(Figure {
            id: "gap",
            name: t!(FIGURE_GAP_BOUND),
            value: String::from(t!(FIGURE_NOTHING_PROVEN)),
            exact: f64::NAN,
            meaning: String::from(t!(FIGURE_SEARCH_ENDED_BEFORE_BOUND)),
        });
    }
    if let Some(bound) = report.claimed.as_ref().and_then(|claimed| claimed.bound) {
        figures.push(Figure {
            id: "claimed-bound",
            name: t!(FIGURE_BOUND_CLAIMED_BY_WORKER),
            value: number(bound),
            exact: bound,
            meaning: String::from(t!(FIGURE_WORKER_SAYS_NO_TABLE)),
        });
    }
    figures
}

/// The loss that was minimised, as a share and as it is.
fn loss(report: &Report) -> Vec<Figure> {
    let objective = &report.objective;
    let stopped = report.status.as_ref().map_or_else(String::new, stopped);
    let (id, name, value, exact, meaning) = match objective.loss {
        Loss::Sse => (
            "information-loss",
            t!(FIGURE_INFORMATION_LOSS),
            objective.information_loss_percent.map(percent),
            objective.information_loss_percent,
            t!(FIGURE_0_WOULD_PUBLISH_EVERY),
        ),
        Loss::Ncp | Loss::NcpBinary => (
            "certainty-penalty",
            t!(FIGURE_CERTAINTY_PENALTY),
            objective.gcp_mean.map(number),
            objective.gcp_mean,
            t!(FIGURE_PENALTY_0_WOULD_PUBLISH),
        ),
    };
    let share = value.zip(exact).map(|(value, exact)| Figure {
        id,
        name,
        value,
        exact,
        meaning: String::from(meaning),
    });
    let (name, meaning) = match objective.loss {
        Loss::Sse => (
            t!(FIGURE_LOSS_SSE),
            t!(
                FIGURE_SUM_SQUARED_DISTANCES_RECORDS,
                sst = number(objective.sst.unwrap_or(f64::NAN)),
                stopped = stopped
            ),
        ),
        Loss::Ncp | Loss::NcpBinary => {
            (t!(FIGURE_LOSS_NCP), t!(FIGURE_SUM_PENALTIES_RECORDS, stopped = stopped))
        }
    };
    let value = number(objective.value);
    share.into_iter().chain([Figure { id: "loss", name, value, exact: objective.value, meaning }]).collect()
}

/// Counterfeits are no people: with them nobody is "among k people".
fn group(report: &Report) -> Figure {
    let size = report.risk.smallest_group;
    let worst = odds(report.risk.highest_reidentification);
    let meaning = if report.changes.counterfeits > 0 {
        n!(FIGURE_WITH_COUNTERFEITS, report.classes.min_real.unwrap_or(1), records = n!(N_RECORD, size))
    } else {
        t!(FIGURE_EACH_PERSON_AMONG_AT, k = count(size), odds = worst)
    };
    let value = n!(N_RECORD, size);
    Figure { id: "smallest-group", name: t!(FIGURE_SMALLEST_GROUP), value, exact: size as f64, meaning }
}

fn disclosure(share: f64, sensitive: &str, model: &Model, counterfeits: usize) -> Figure {
    let promise = match model {
        Model::MInvariance { .. } if counterfeits > 0 => {
            t!(FIGURE_FOR_ATTACKER_WHO_TAKES)
        }
        Model::MInvariance { .. } => t!(FIGURE_MORE_THAN_PUBLISHED_TABLE),
        Model::KAnonymity { .. } => t!(FIGURE_K_ANONYMITY_PROMISES_NOTHING),
    };
    let meaning = if share >= 1.0 {
        t!(FIGURE_AT_LEAST_ONE_GROUP, sensitive = sensitive, promise = promise)
    } else {
        t!(FIGURE_AT_WORST_GUESSES_PERSONS, odds = odds(share), sensitive = sensitive, promise = promise)
    };
    let (name, value) = (t!(FIGURE_MOST_FREQUENT_VALUE_GROUP), percent(100.0 * share));
    Figure { id: "disclosure", name, value, exact: 100.0 * share, meaning }
}

fn stopped(status: &Status) -> String {
    match status {
        Status::Optimal => String::from(t!(FIGURE_PROVEN_NOTHING_BETTER_EXISTS)),
        Status::GapReached => String::from(t!(FIGURE_SEARCH_STOPPED_AT_GAP)),
        Status::OptimalClaimed => String::from(t!(FIGURE_WORKER_CLAIMS_NOTHING_BETTER)),
        Status::GapReachedClaimed => String::from(t!(FIGURE_WORKER_CLAIMS_GAP_REACHED)),
        Status::EffortSpent => String::from(t!(FIGURE_SEARCH_STOPPED_WHEN_EFFORT)),
        Status::TimeLimit => String::from(t!(FIGURE_SEARCH_STOPPED_WHEN_TIME)),
        Status::Cancelled => String::from(t!(FIGURE_SEARCH_WAS_STOPPED_BEST)),
        Status::Infeasible { why } => why.clone(),
    }
}

#[cfg(test)]
mod tests {
    use lookalike_wire::report::{ReportBound, ReportClaim};

    use super::*;
    use crate::state::tests::{described, finished};

    fn settings() -> Settings {
        described().settings().unwrap().unwrap()
    }

    #[test]
    fn each_figure_says_what_it_means() {
        let figures = figures(&finished(true).report, &settings());
        let ids: Vec<_> = figures.iter().map(|f| f.id).collect();
        assert_eq!(ids, ["smallest-group", "disclosure", "information-loss", "loss"]);
        assert_eq!(figures[0].value, "3 records");
        assert!(figures[0].meaning.contains("among at least 3") && figures[0].meaning.contains("1 in 3"));
        assert!(figures[1].meaning.starts_with("At worst 1 in 3 guesses of a person's disease is right."));
        assert_eq!((figures[2].value.as_str(), figures[3].value.as_str()), ("25 %", "1"));
    }

    #[test]
    fn what_a_worker_claims_is_not_called_proven() {
        let mut report = finished(true).report;
        report.status = Some(Status::OptimalClaimed);
        report.claimed = Some(ReportClaim { bound: Some(0.75), of: String::from("whole problem") });
        let figures = figures(&report, &settings());
        let claimed = figures.last().unwrap();
        assert_eq!((claimed.id, claimed.value.as_str()), ("claimed-bound", "0.75"));
        assert!(figures.iter().all(|figure| figure.id != "gap"));
        let all: String = figures.into_iter().map(|figure| figure.meaning).collect();
        assert!(!all.contains("proven") && all.contains("claims that nothing better exists"), "{all}");
    }

    #[test]
    fn with_counterfeits_nobody_is_said_to_be_among_people() {
        let mut report = finished(true).report;
        report.changes.counterfeits = 2;
        report.classes.min_real = Some(1);
        let all: String = figures(&report, &settings()).into_iter().map(|f| f.meaning).collect();
        assert!(!all.contains("person is among"), "{all}");
        assert!(all.contains("at least 1 of a class is real"), "{all}");
    }

    #[test]
    fn the_loss_is_the_one_that_was_minimised() {
        let mut report = finished(true).report;
        (report.loss, report.objective.loss) = (Loss::Ncp, Loss::Ncp);
        let figures = figures(&report, &settings());
        let told: Vec<_> = figures[2..].iter().map(|f| (f.id, f.name, f.value.as_str())).collect();
        let penalty = ("certainty-penalty", "Certainty penalty", "0.25");
        assert_eq!(told, [penalty, ("loss", "Loss (NCP)", "1")]);
    }

    #[test]
    fn a_search_without_a_bound_says_that_nothing_is_proven() {
        let mut report = finished(true).report;
        report.method.name = Method::ColumnGeneration;
        let all = figures(&report, &settings());
        assert_eq!((all[4].id, all[4].value.as_str()), ("gap", "nothing proven yet"));
        report.bound = Some(ReportBound {
            loss: Loss::Sse,
            value: 0.987_651,
            information_loss_percent: Some(24.691),
            gap_percent: 1.234_9,
            proven_by: String::from("feasible duals"),
            of: String::from("whole problem"),
            work: None,
        });
        let all = figures(&report, &settings());
        assert_eq!(
            all[4].meaning,
            "No table with this guarantee loses less than 0.9876: the best possible loss is at most 1.3 % lower. Proven by \
             feasible duals."
        );
    }

    #[test]
    fn a_certain_value_is_called_certain() {
        let figure = disclosure(1.0, "disease", &Model::KAnonymity { k: 5 }, 0);
        assert!(figure.meaning.contains("all have the same disease"), "{}", figure.meaning);
        assert!(figure.meaning.ends_with("promises nothing about this figure."));
    }
}
