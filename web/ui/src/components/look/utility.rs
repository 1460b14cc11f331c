//! What the published table is still good for, and how several results compare.

use lookalike_model::{assessment::Statistic, report::Report};
use yew::{Html, html};

use crate::{
    components::figures::penalty,
    format::{count, gap as gap_of, number, percent},
    state::{Past, whole_loss},
};

/// Utility of the whole and of each column.
pub(super) fn utility(report: &Report, statistics: &[Statistic]) -> Html {
    let utility = &report.utility;
    let queries = utility.queries.map(|q| {
        t!(
            UTILITY_RANDOM_COUNTING_QUERIES_ON,
            queries = count(q.count),
            dimensions = q.dimensions,
            mean = percent(100.0 * q.mean_error),
            median = percent(100.0 * q.median_error)
        )
    });
    let figures = t!(
        UTILITY_RECORDS_GROUP_MEAN_TIMES,
        mean = number(utility.average_class_size),
        times = number(utility.c_avg),
        discernibility = number(utility.discernibility),
        penalty = penalty(whole_loss(report))
    );
    let kept = |name: &str, pick: fn(&Statistic) -> f64| {
        statistics.iter().find(|s| s.column == name).map_or(String::from("-"), |s| number(pick(s)))
    };
    html! {
        <>
            <p id="queries">{ queries.unwrap_or_default() }</p>
            <p>{ figures }</p>
            <div class="frame" tabindex="0" role="region" aria-label={t!(UTILITY_WHAT_EACH_COLUMN_LOST)}>
                <table id="utility" class="checks">
                    <caption class="unseen">{ t!(UTILITY_WHAT_EACH_COLUMN_LOST) }</caption>
                    <thead>
                        <tr>
                            <th scope="col">{ t!(UTILITY_COLUMN) }</th>
                            <th scope="col" class="number">{ t!(UTILITY_CERTAINTY_PENALTY) }</th>
                            <th scope="col" class="number">{ t!(UTILITY_INFORMATION_LOSS) }</th>
                            <th scope="col" class="number">{ t!(UTILITY_MEAN_MOVED_BY_STANDARD) }</th>
                            <th scope="col" class="number">{ t!(UTILITY_VARIANCE_TIMES) }</th>
                        </tr>
                    </thead>
                    <tbody>
                        { for utility.columns.iter().map(|column| html! {
                            <tr>
                                <th scope="row">{ &column.name }</th>
                                <td class="number">{ penalty(column.ncp) }</td>
                                <td class="number">{ column.information_loss_percent.map_or(String::from("-"), percent) }</td>
                                <td class="number">{ kept(&column.name, |s| s.mean_shift) }</td>
                                <td class="number">{ kept(&column.name, |s| s.variance_ratio) }</td>
                            </tr>
                        }) }
                    </tbody>
                </table>
            </div>
        </>
    }
}

/// The results on the open table so far, as a table.
pub(super) fn past(past: &[Past]) -> Html {
    let gap = |report: &Report| report.bound.as_ref().map_or(String::from("-"), |b| gap_of(b.gap_percent));
    html! {
            <div class="frame" tabindex="0" role="region" aria-label={t!(UTILITY_RESULTS_SO_FAR)}>
                <table id="past" class="checks">
                    <caption class="unseen">{ t!(UTILITY_RESULTS_SO_FAR) }</caption>
                    <thead>
                        <tr>
                            <th scope="col" class="number">{ t!(UTILITY_RUN) }</th>
                            <th scope="col">{ t!(UTILITY_GUARANTEE) }</th>
                            <th scope="col">{ t!(UTILITY_AUDIT) }</th>
                            <th scope="col" class="number">{ t!(UTILITY_INFORMATION_LOSS) }</th>
                            <th scope="col" class="number">{ t!(RUNS_PUBLISHED_FORM) }</th>
                            <th scope="col" class="number">{ t!(UTILITY_GAP) }</th>
                            <th scope="col" class="number">{ t!(UTILITY_SMALLEST_GROUP) }</th>
                            <th scope="col" class="number">{ t!(UTILITY_ADDED) }</th>
                            <th scope="col" class="number">{ t!(UTILITY_LEFT_OUT) }</th>
                        </tr>
                    </thead>
                    <tbody>
                        { for past.iter().map(|past| (past, past.report())).map(|(Past { run, guarantee, .. }, report)| html! {
                            <tr data-run={run.to_string()}>
                                <th scope="row" class="number">{ run }</th>
                                <td>{ guarantee }</td>
                                <td>{ if report.audit.passed { t!(UTILITY_PASSED) } else { t!(UTILITY_FAILED) } }</td>
                                <td class="number">{ report.objective.information_loss_percent.map_or(String::from("-"), percent) }</td>
                                <td class="number">{ whole_loss(report).map_or(String::from("-"), |loss| percent(100.0 * loss)) }</td>
                                <td class="number">{ gap(report) }</td>
                                <td class="number">{ count(report.risk.smallest_group) }</td>
                                <td class="number">{ count(report.changes.counterfeits) }</td>
                                <td class="number">{ count(report.changes.deletions + report.changes.suppressed) }</td>
                            </tr>
                        }) }
                    </tbody>
                </table>
            </div>
    }
}
