//! The figures, each with its unit and what it means for a person in the table.

use lookalike_wire::{
    job::{BoundOf, Status},
    report::Report,
    settings::{Model, Settings},
};
use yew::{Html, html};

use crate::format::{counted, number, odds, percent};

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
    figures.push(Figure {
        id: "information-loss",
        name: "Information loss",
        value: percent(report.objective.information_loss_percent),
        exact: report.objective.information_loss_percent,
        meaning: String::from(
            "0 % would publish every value as it is, 100 % one and the same mean for everybody.",
        ),
    });
    figures.push(Figure {
        id: "loss",
        name: "Loss (SSE)",
        value: number(report.objective.value),
        exact: report.objective.value,
        meaning: format!(
            "The sum of squared distances of the records to their class means, of {} for the whole table. {}",
            number(report.objective.sst),
            stopped(&report.status)
        ),
    });
    if let Some(bound) = &report.bound {
        figures.push(Figure {
            id: "gap",
            name: "Gap to the bound",
            value: percent(bound.gap_percent),
            exact: bound.gap_percent,
            meaning: format!(
                "No table with this guarantee{} loses less than {}: {}.",
                if bound.of == BoundOf::WholeProblem.words() {
                    ""
                } else {
                    " that keeps to the blocks of the search"
                },
                number(bound.value),
                bound.proven_by
            ),
        });
    }
    figures
}

/// Counterfeits are no people: with them nobody is "among k people".
fn group(report: &Report) -> Figure {
    let size = report.risk.smallest_group;
    let worst = odds(report.risk.highest_reidentification);
    let meaning = if report.changes.counterfeits > 0 {
        format!(
            "At least {} share each combination of published quasi-identifiers, counterfeits among them; at least {} of a \
             class {} real.",
            counted(size, "record", "records"),
            report.classes.min_real,
            if report.classes.min_real == 1 { "is" } else { "are" },
        )
    } else {
        format!(
            "Each person is among at least {size} whose published quasi-identifiers are the same: at worst {worst} guesses \
             of which record is theirs is right."
        )
    };
    let value = counted(size, "record", "records");
    Figure { id: "smallest-group", name: "Smallest group", value, exact: size as f64, meaning }
}

fn disclosure(share: f64, sensitive: &str, model: &Model, counterfeits: usize) -> Figure {
    let promise = match model {
        Model::MInvariance { .. } if counterfeits > 0 => {
            "That is for an attacker who takes counterfeits for real; see below for one who does not."
        }
        Model::MInvariance { .. } => "More than that the published table does not tell.",
        Model::KAnonymity { .. } => "k-anonymity promises nothing about this figure.",
    };
    let meaning = if share >= 1.0 {
        format!(
            "In at least one group all have the same {sensitive}: whoever knows that a person is in it, knows it. {promise}"
        )
    } else {
        format!("At worst {} guesses of a person's {sensitive} is right. {promise}", odds(share))
    };
    let (name, value) = ("Most frequent value in a group", percent(100.0 * share));
    Figure { id: "disclosure", name, value, exact: 100.0 * share, meaning }
}

fn stopped(status: &Status) -> String {
    match status {
        Status::Optimal => String::from("It is proven that nothing better exists."),
        Status::GapReached => String::from("The search stopped at the gap that was asked for."),
        Status::EffortSpent => {
            String::from("The search stopped when the effort was spent; a better table may exist.")
        }
        Status::TimeLimit => {
            String::from("The search stopped when the time was up; a better table may exist.")
        }
        Status::Cancelled => String::from("The search was stopped; this is the best it had found."),
        Status::Infeasible { why } => why.clone(),
    }
}

#[cfg(test)]
mod tests {
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
    fn with_counterfeits_nobody_is_said_to_be_among_people() {
        let mut report = finished(true).report;
        report.changes.counterfeits = 2;
        report.classes.min_real = 1;
        let all: String = figures(&report, &settings()).into_iter().map(|f| f.meaning).collect();
        assert!(!all.contains("person is among"), "{all}");
        assert!(all.contains("at least 1 of a class is real"), "{all}");
    }

    #[test]
    fn a_certain_value_is_called_certain() {
        let figure = disclosure(1.0, "disease", &Model::KAnonymity { k: 5 }, 0);
        assert!(figure.meaning.contains("all have the same disease"), "{}", figure.meaning);
        assert!(figure.meaning.ends_with("promises nothing about this figure."));
    }
}
