//! The figures, each with its unit and what it means for a person in the table.

use lookalike_model::{
    finding::{Guess, surest},
    job::{BoundOf, Status},
    report::{ColumnLevel, Report, SampleReport},
    settings::{Loss, Settings},
};
use yew::{Html, html};

use super::charts::of_columns;
use crate::{
    format::{at_least, count, from_the_best, gap, number, odds, percent},
    texts::words,
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
    figures.extend(told_by_rows(report));
    figures.extend(disclosure(report, settings));
    figures.extend(loss(report));
    if let Some(bound) = &report.bound {
        figures.push(Figure {
            id: "gap",
            name: t!(FIGURE_GAP_BOUND),
            value: gap(bound.gap_percent),
            exact: bound.gap_percent,
            meaning: if bound.of == BoundOf::WholeProblem {
                t!(
                    FIGURE_LOSS_NO_TABLE_WITH,
                    gap = from_the_best(bound.gap_percent),
                    bound = at_least(bound.value),
                    unit = unit(bound.loss),
                    prover = words(&bound.proven_by)
                ) + &of_stayed(report)
            } else {
                t!(
                    FIGURE_NO_TABLE_WITH_GUARANTEE,
                    bound = at_least(bound.value),
                    unit = unit(bound.loss),
                    prover = words(&bound.proven_by)
                )
            },
        });
    } else if report.method.name.seeks_bound() && report.changes.suppressed_for_loss == 0 {
        figures.push(Figure {
            id: "gap",
            name: t!(FIGURE_GAP_BOUND),
            value: String::from(t!(FIGURE_NOTHING_PROVEN)),
            exact: f64::NAN,
            meaning: String::from(t!(FIGURE_SEARCH_ENDED_BEFORE_BOUND)),
        });
    }
    let claimed = report.claimed.as_ref();
    if let Some((bound, of)) = claimed.and_then(|claimed| Some((claimed.bound?, claimed.of))) {
        let whole = of == BoundOf::WholeProblem;
        figures.push(Figure {
            id: "claimed-bound",
            name: t!(FIGURE_BOUND_CLAIMED_BY_WORKER),
            value: at_least(bound),
            exact: bound,
            meaning: String::from(if whole {
                t!(FIGURE_WORKER_SAYS_NO_TABLE)
            } else {
                t!(FIGURE_WORKER_SAYS_NO_TABLE_OF_BLOCKS)
            }),
        });
    }
    figures.extend(report.sample.iter().flat_map(population));
    figures.extend(levels(report));
    figures.push(published_form(report));
    figures
}

/// Risks in the population that the records are a sample of, and of their households.
fn population(sample: &SampleReport) -> Vec<Figure> {
    let share = |risk: f64| percent(100.0 * risk);
    let mut figures = vec![Figure {
        id: "population-risk",
        name: t!(FIGURE_POPULATION),
        value: share(sample.highest),
        exact: sample.highest,
        meaning: t!(
            FIGURE_POPULATION_MEANS,
            people = number(sample.people),
            mean = share(sample.mean),
            expected = number(sample.expected)
        ),
    }];
    figures.extend(sample.households.as_ref().map(|of| Figure {
        id: "household-risk",
        name: t!(FIGURE_HOUSEHOLDS),
        value: share(of.highest),
        exact: of.highest,
        meaning: t!(
            FIGURE_HOUSEHOLDS_MEAN,
            households = n!(N_HOUSEHOLD, of.households),
            mean = share(of.mean),
            expected = number(of.expected)
        ),
    }));
    figures
}

/// The level of each column, where each is published at one.
fn levels(report: &Report) -> Option<Figure> {
    let found = report.full_domain.as_ref()?;
    let level =
        |of: &ColumnLevel| t!(FIGURE_LEVEL_OF, name = of.column, level = of.level, highest = of.highest);
    let coarser = found.columns.iter().filter(|of| of.level > 0).count();
    let (looked_at, nodes) = (big(found.looked_at), big(found.nodes));
    let proof = if found.complete {
        t!(FIGURE_LEVELS_PROVEN, looked_at = looked_at, nodes = nodes)
    } else {
        t!(FIGURE_LEVELS_OPEN, looked_at = looked_at, nodes = nodes)
    };
    let all: Vec<String> = found.columns.iter().map(level).collect();
    Some(Figure {
        id: "levels",
        name: t!(FIGURE_LEVELS),
        value: n!(FIGURE_LEVELS_COARSER, found.columns.len(), coarser = count(coarser)),
        exact: coarser as f64,
        meaning: format!("{}. {proof}", all.join("; ")),
    })
}

/// A number of choices, which may be more than a table has rows.
fn big(number: u64) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX))
}

/// Where records were left out, others could have been.
fn of_stayed(report: &Report) -> String {
    if report.changes.deletions > 0 { format!(" {}", t!(FIGURE_OF_STAYED)) } else { String::new() }
}

/// A certainty penalty, in per cent as every other loss of the page.
pub(super) fn penalty(share: Option<f64>) -> String {
    share.map_or(String::from(t!(UTILITY_NOT_MEASURABLE)), |share| percent(100.0 * share))
}

/// The loss of what is published, whatever was minimised, as the audit measures it.
fn published_form(report: &Report) -> Figure {
    let mean = report.utility.gcp_mean;
    let (measured, columns) = report.utility.measured();
    let of = of_columns(report).unwrap_or_else(|| n!(FIGURE_OF_COLUMNS, columns, measured = count(measured)));
    Figure {
        id: "published-form",
        name: t!(FIGURE_PUBLISHED_FORM),
        value: penalty(mean),
        exact: mean.unwrap_or(f64::NAN),
        meaning: mean.map_or_else(
            || String::from(t!(FIGURE_PUBLISHED_FORM_OPEN)),
            |_| t!(FIGURE_PUBLISHED_FORM_MEANS, of = of),
        ),
    }
}

/// What a loss is counted in.
fn unit(loss: Loss) -> &'static str {
    match loss {
        Loss::Sse => "SSE",
        Loss::Ncp => "NCP",
        Loss::NcpBinary => "ncp-binary",
    }
}

/// The loss that was minimised, as a share and as it is.
fn loss(report: &Report) -> Vec<Figure> {
    let objective = &report.objective;
    let claimed = report.claimed.is_some();
    let stopped = report.status.as_ref().map_or_else(String::new, |status| stopped(status, report, claimed));
    // Of the loss that was minimised, which may count labels otherwise than the plain penalty does.
    let a_record = |value: f64| value / report.input.rows.max(1) as f64;
    let penalty = match objective.loss {
        Loss::NcpBinary => objective.gcp_mean.map(|_| a_record(objective.value)),
        _ => objective.gcp_mean,
    };
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
            penalty.map(|share| percent(100.0 * share)),
            penalty,
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
        Loss::Sse if let Some(of) = &report.persons => (
            t!(FIGURE_LOSS_SSE),
            t!(
                FIGURE_SUM_SQUARED_DISTANCES_PERSONS,
                sst = number(objective.sst.unwrap_or(f64::NAN)),
                of_rows = number(of.sse_of_rows),
                all_rows = number(of.sst_of_rows),
                stopped = stopped
            ),
        ),
        Loss::Sse => (
            t!(FIGURE_LOSS_SSE),
            t!(
                FIGURE_SUM_SQUARED_DISTANCES_RECORDS,
                sst = number(objective.sst.unwrap_or(f64::NAN)),
                stopped = stopped
            ),
        ),
        Loss::Ncp => (t!(FIGURE_LOSS_NCP), t!(FIGURE_SUM_PENALTIES_RECORDS, stopped = stopped)),
        Loss::NcpBinary => (t!(FIGURE_LOSS_NCP_BINARY), t!(FIGURE_SUM_PENALTIES_RECORDS, stopped = stopped)),
    };
    let value = number(objective.value);
    share.into_iter().chain([Figure { id: "loss", name, value, exact: objective.value, meaning }]).collect()
}

/// Counterfeits are no people: with them nobody is "among k people".
fn group(report: &Report) -> Figure {
    let size = report.risk.smallest_group;
    let worst = odds(report.risk.highest_reidentification);
    if let Some(of) = &report.persons {
        let (persons, rows) = (n!(N_PERSON, of.count), n!(N_ROW, report.input.rows));
        let meaning =
            t!(FIGURE_EACH_OF_PERSONS, persons = persons, rows = rows, k = count(size), odds = worst);
        let (name, value) = (t!(FIGURE_SMALLEST_GROUP), n!(N_PERSON, size));
        return Figure { id: "smallest-group", name, value, exact: size as f64, meaning };
    }
    let meaning = if report.changes.counterfeits > 0 {
        n!(FIGURE_WITH_COUNTERFEITS, report.classes.min_real.unwrap_or(1), records = n!(N_RECORD, size))
    } else {
        t!(FIGURE_EACH_PERSON_AMONG_AT, k = count(size), odds = worst)
    };
    let value = n!(N_RECORD, size);
    Figure { id: "smallest-group", name: t!(FIGURE_SMALLEST_GROUP), value, exact: size as f64, meaning }
}

/// How far the number of rows of a person tells who it is: no guarantee is about that.
fn told_by_rows(report: &Report) -> Option<Figure> {
    let of = report.persons.as_ref()?;
    let meaning = t!(
        FIGURE_NUMBER_OF_ROWS_NOT_HIDDEN,
        share = percent(100.0 * of.largest_share),
        alone = n!(N_PERSON, of.alone_by_rows),
        persons = count(of.count)
    );
    let (name, value) = (t!(FIGURE_MOST_ROWS_OF_PERSON), n!(N_ROW, of.most_rows));
    Some(Figure { id: "most-rows", name, value, exact: of.most_rows as f64, meaning })
}

/// How surely a value is guessed, by the strongest attacker that the report has a figure for; the verdict says who that is. `None`
/// without a sensitive column.
fn disclosure(report: &Report, settings: &Settings) -> Option<Figure> {
    settings.sensitive.as_ref()?;
    let guess = Guess::of(report)?;
    let exact = 100.0 * surest(report, &guess);
    let mut meaning = String::from(t!(FIGURE_SUREST_MEANS));
    if guess.is_told_by_method() {
        meaning =
            format!("{meaning} {}", t!(FIGURE_COUNTERFEITS_FOR_REAL, odds = odds(guess.without_method())));
    }
    Some(Figure { id: "disclosure", name: t!(FIGURE_SUREST_GUESS), value: percent(exact), exact, meaning })
}

/// Why a search ended; `claimed` where that of another machine did, which alone knows it.
fn stopped(status: &Status, report: &Report, claimed: bool) -> String {
    let method = report.method.name;
    match status {
        Status::EffortSpent if claimed => String::from(t!(FIGURE_WORKER_SAYS_EFFORT_SPENT)),
        Status::TimeLimit if claimed => String::from(t!(FIGURE_WORKER_SAYS_TIME_UP)),
        Status::Cancelled if claimed => String::from(t!(FIGURE_WORKER_SAYS_STOPPED)),
        Status::Optimal if report.links_values() => String::from(t!(FIGURE_PROVEN_AMONG_LINKED)),
        Status::Optimal => String::from(t!(FIGURE_PROVEN_NOTHING_BETTER_EXISTS)),
        Status::GapReached => String::from(t!(FIGURE_SEARCH_STOPPED_AT_GAP)),
        Status::OptimalClaimed => String::from(t!(FIGURE_WORKER_CLAIMS_NOTHING_BETTER)),
        Status::GapReachedClaimed => String::from(t!(FIGURE_WORKER_CLAIMS_GAP_REACHED)),
        Status::EffortSpent if method.is_search() => String::from(t!(FIGURE_SEARCH_STOPPED_WHEN_EFFORT)),
        Status::EffortSpent => String::from(t!(FIGURE_METHOD_ENDED)),
        Status::TimeLimit => String::from(t!(FIGURE_SEARCH_STOPPED_WHEN_TIME)),
        Status::Cancelled => String::from(t!(FIGURE_SEARCH_WAS_STOPPED_BEST)),
        Status::Infeasible { why } => words(why),
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::{
        assessment::{ColumnUtility, Disclosure},
        report::{LinkedValues, PersonsReport, ReportBound, ReportClaim},
        settings::{MethodName, Model},
    };

    use lookalike_words::Said;

    use super::*;
    use crate::state::tests::{described, finished};

    fn settings() -> Settings {
        described().settings().unwrap().unwrap()
    }

    #[test]
    fn each_figure_says_what_it_means() {
        let figures = figures(&finished(true).report, &settings());
        let ids: Vec<_> = figures.iter().map(|f| f.id).collect();
        assert_eq!(ids, ["smallest-group", "disclosure", "information-loss", "loss", "published-form"]);
        assert_eq!(figures[0].value, "3 records");
        assert!(figures[0].meaning.contains("among at least 3") && figures[0].meaning.contains("1 in 3"));
        assert_eq!(figures[1].value, "33.3 %");
        assert_eq!((figures[2].value.as_str(), figures[3].value.as_str()), ("25 %", "1"));
    }

    #[test]
    fn persons_are_counted_where_they_have_several_rows() {
        let mut report = finished(true).report;
        report.model = Model::KAnonymity { k: 3 };
        report.input.rows = 5000;
        report.persons = Some(PersonsReport {
            count: 3000,
            suppressed: 0,
            min_in_class: 3,
            max_in_class: 5,
            sse_of_rows: 2.5,
            sst_of_rows: 5.0,
            linked: None,
            most_rows: 17,
            largest_share: 0.63,
            alone_by_rows: 1,
            groups_told_by_rows: 0,
        });
        let figures = figures(&report, &settings());
        let ids: Vec<_> = figures.iter().map(|f| f.id).collect();
        assert_eq!(
            ids,
            ["smallest-group", "most-rows", "disclosure", "information-loss", "loss", "published-form"]
        );
        assert_eq!((figures[0].value.as_str(), figures[1].value.as_str()), ("3 people", "17 rows"));
        assert!(figures[0].meaning.starts_with("3,000 people in 5,000 rows."), "{}", figures[0].meaning);
        let told = &figures[1].meaning;
        assert!(told.contains("63 %") && told.contains("1 person of 3,000"), "{told}");
        assert!(figures[4].meaning.contains("of the rows it is 2.5 of 5"), "{}", figures[4].meaning);
    }

    #[test]
    fn a_proof_among_groups_of_linked_values_is_said_to_be_one() {
        let mut report = finished(true).report;
        report.status = Some(Status::Optimal);
        let meaning = |report: &Report| {
            let all = figures(report, &settings());
            all.into_iter().find(|figure| figure.id == "loss").unwrap().meaning
        };
        let linked = |groups| LinkedValues { values: 5, groups, largest: 6 - groups };
        let persons = PersonsReport {
            count: 30,
            suppressed: 0,
            min_in_class: 3,
            max_in_class: 5,
            sse_of_rows: 2.5,
            sst_of_rows: 5.0,
            linked: Some(linked(4)),
            most_rows: 17,
            largest_share: 0.63,
            alone_by_rows: 1,
            groups_told_by_rows: 0,
        };
        report.persons = Some(persons);
        assert!(
            meaning(&report).contains("keeps people of linked sensitive values apart"),
            "{}",
            meaning(&report)
        );
        report.persons = Some(PersonsReport { linked: Some(linked(5)), ..persons });
        assert!(!meaning(&report).contains("linked"), "{}", meaning(&report));
    }

    #[test]
    fn what_a_worker_claims_is_not_called_proven() {
        let mut report = finished(true).report;
        report.status = Some(Status::OptimalClaimed);
        report.claimed = Some(ReportClaim { bound: Some(0.75), of: BoundOf::WholeProblem });
        let figures = figures(&report, &settings());
        let claimed = &figures[figures.len() - 2];
        assert_eq!((claimed.id, claimed.value.as_str()), ("claimed-bound", "0.75"));
        assert!(figures.iter().all(|figure| figure.id != "gap"));
        let all: String = figures.into_iter().map(|figure| figure.meaning).collect();
        assert!(!all.contains("proven") && all.contains("claims that nothing better exists"), "{all}");
    }

    #[test]
    fn what_a_worker_says_of_its_search_is_told_as_its_words() {
        let mut report = finished(true).report;
        report.claimed = Some(ReportClaim { bound: Some(0.75), of: BoundOf::DecomposedProblem });
        for status in [Status::EffortSpent, Status::TimeLimit, Status::Cancelled] {
            report.status = Some(status);
            let all: String = figures(&report, &settings()).into_iter().map(|f| f.meaning).collect();
            assert!(all.contains("According to the worker, the search"), "{all}");
            assert!(all.contains("keeps to the blocks of the search loses less"), "{all}");
        }
    }

    #[test]
    fn the_surest_guess_may_be_of_somebody_who_was_deleted() {
        let deleted = |values| {
            told(|report| {
                report.changes.deletions = 1;
                report.disclosure = Some(informed(1.0 / 3.0, values));
            })
        };
        for (values, percent) in
            [(Some(1), 100.0), (Some(2), 50.0), (Some(9), 100.0 / 3.0), (None, 100.0 / 3.0)]
        {
            let (exact, meaning) = deleted(values);
            assert!((exact - percent).abs() < 1e-9, "{exact}: {meaning}");
        }
        // Nobody was deleted.
        let (exact, _) = told(|report| report.disclosure = Some(informed(1.0 / 3.0, None)));
        assert!((exact - 100.0 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn with_counterfeits_nobody_is_said_to_be_among_people() {
        let mut report = finished(true).report;
        report.changes.counterfeits = 2;
        report.classes.min_real = Some(1);
        let all: String = figures(&report, &settings()).into_iter().map(|f| f.meaning).collect();
        assert!(!all.contains("person is among"), "{all}");
        assert!(all.contains("at least 1 of a group is real"), "{all}");
    }

    /// The figure of a report that was changed in one way.
    fn told(change: impl FnOnce(&mut Report)) -> (f64, String) {
        let mut report = finished(true).report;
        change(&mut report);
        let figure = disclosure(&report, &settings()).unwrap();
        (figure.exact, figure.meaning)
    }

    fn informed(present: f64, absent_values: Option<usize>) -> Disclosure {
        let (promised, above, suspects, certainly_real) = (1.0 / 3.0, 0, 1, 1);
        Disclosure { promised, present, present_known: None, above, suspects, certainly_real, absent_values }
    }

    #[test]
    fn the_loss_is_the_one_that_was_minimised() {
        let mut report = finished(true).report;
        (report.loss, report.objective.loss) = (Loss::Ncp, Loss::Ncp);
        let figures = figures(&report, &settings());
        let told: Vec<_> = figures[2..4].iter().map(|f| (f.id, f.name, f.value.as_str())).collect();
        let penalty = ("certainty-penalty", "Certainty penalty", "25 %");
        assert_eq!(told, [penalty, ("loss", "Loss (NCP)", "1")]);
    }

    #[test]
    fn a_search_without_a_bound_says_that_nothing_is_proven() {
        let mut report = finished(true).report;
        report.method.name = MethodName::ColumnGeneration;
        let all = figures(&report, &settings());
        assert_eq!((all[4].id, all[4].value.as_str()), ("gap", "nothing proven yet"));
        report.bound = Some(ReportBound {
            loss: Loss::Sse,
            value: 0.987_651,
            information_loss_percent: Some(24.691),
            gap_percent: 1.234_9,
            proven_by: Said::verbatim("feasible duals"),
            of: BoundOf::WholeProblem,
            work: None,
        });
        let all = figures(&report, &settings());
        assert_eq!(
            all[4].meaning,
            "No table with this guarantee loses less than 0.987 (SSE): the best possible loss is at most 1.3 % lower. Proven \
             by feasible duals."
        );
    }

    #[test]
    fn what_is_published_loses_something_else_than_what_was_minimised() {
        let mut report = finished(true).report;
        let told = figures(&report, &settings());
        let last = told.last().unwrap();
        assert_eq!((last.id, last.value.as_str()), ("published-form", "not measurable"));
        let column = |ncp: Option<f64>| ColumnUtility {
            name: String::from("age"),
            ncp,
            measurable: ncp.is_some(),
            information_loss_percent: None,
        };
        report.utility.gcp_mean = Some(0.125);
        report.utility.columns = vec![column(Some(0.125)), column(None)];
        let told = figures(&report, &settings());
        let last = told.last().unwrap();
        assert_eq!((last.value.as_str(), last.exact), ("12.5 %", 0.125));
        assert!(
            last.meaning.contains("covers age only: as published, the other columns have none"),
            "{}",
            last.meaning
        );
        // Labels as binaries are another loss than the plain penalty.
        (report.loss, report.objective.loss) = (Loss::NcpBinary, Loss::NcpBinary);
        (report.input.rows, report.objective.value) = (10, 5.0);
        let told = figures(&report, &settings());
        assert_eq!((told[2].id, told[2].value.as_str()), ("certainty-penalty", "50 %"));
        assert_eq!((told[3].name, told[3].value.as_str()), ("Loss (ncp-binary)", "5"));
    }

    #[test]
    fn with_counterfeits_the_surest_guess_is_of_an_attacker_who_knows_the_method() {
        let (exact, meaning) = told(|report| {
            report.changes.counterfeits = 2;
            report.disclosure = Some(informed(0.625, None));
        });
        assert!(exact == 62.5 && meaning.contains("1 in 3 for an attacker who takes"), "{meaning}");
        let (exact, _) = told(|report| report.risk.highest_known_disclosure = Some(0.5));
        assert!(exact == 50.0);
    }
}
