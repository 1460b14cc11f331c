//! What the published table is still good for, and how several results compare.

use lookalike_wire::{assessment::Statistic, report::Report};
use yew::{Html, html};

use crate::{
    format::{count, number, percent},
    state::Past,
};

/// Utility of the whole and of each column.
pub(super) fn utility(report: &Report, statistics: &[Statistic]) -> Html {
    let utility = &report.utility;
    let queries = utility.queries.map(|q| {
        format!(
            "{} random counting queries on {} columns are wrong by {} in the mean, {} in the median.",
            count(q.count),
            q.dimensions,
            percent(100.0 * q.mean_error),
            percent(100.0 * q.median_error)
        )
    });
    let figures = format!(
        "Records of a group: {} in the mean, {} times the least possible. Discernibility {}. Certainty penalty {} of 1.",
        number(utility.average_class_size),
        number(utility.c_avg),
        number(utility.discernibility),
        utility.gcp_mean.map_or(String::from("not measurable"), number)
    );
    let kept = |name: &str, pick: fn(&Statistic) -> f64| {
        statistics.iter().find(|s| s.column == name).map_or(String::from("-"), |s| number(pick(s)))
    };
    html! {
        <>
            <p id="queries">{ queries.unwrap_or_default() }</p>
            <p>{ figures }</p>
            <div class="frame" tabindex="0" role="region" aria-label="What each column lost">
                <table id="utility" class="checks">
                    <caption class="unseen">{ "What each column lost" }</caption>
                    <thead>
                        <tr>
                            <th scope="col">{ "Column" }</th>
                            <th scope="col" class="number">{ "Certainty penalty, 0 to 1" }</th>
                            <th scope="col" class="number">{ "Information loss" }</th>
                            <th scope="col" class="number">{ "Mean moved by, in standard deviations" }</th>
                            <th scope="col" class="number">{ "Variance times" }</th>
                        </tr>
                    </thead>
                    <tbody>
                        { for utility.columns.iter().map(|column| html! {
                            <tr>
                                <th scope="row">{ &column.name }</th>
                                <td class="number">{ column.ncp.map_or(String::from("not measurable"), number) }</td>
                                <td class="number">{ percent(column.information_loss_percent) }</td>
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

/// The results on the open table so far, the least loss marked.
pub(super) fn past(past: &[Past]) -> Html {
    if past.len() < 2 {
        return html! {};
    }
    let gap = |report: &Report| report.bound.as_ref().map_or(String::from("-"), |b| percent(b.gap_percent));
    html! {
        <>
            <h3>{ "Compared with earlier results" }</h3>
            <div class="frame" tabindex="0" role="region" aria-label="Results so far">
                <table id="past" class="checks">
                    <caption class="unseen">{ "Results so far" }</caption>
                    <thead>
                        <tr>
                            <th scope="col" class="number">{ "Run" }</th>
                            <th scope="col">{ "Guarantee" }</th>
                            <th scope="col">{ "Audit" }</th>
                            <th scope="col" class="number">{ "Information loss" }</th>
                            <th scope="col" class="number">{ "Gap" }</th>
                            <th scope="col" class="number">{ "Smallest group" }</th>
                            <th scope="col" class="number">{ "Added" }</th>
                            <th scope="col" class="number">{ "Left out" }</th>
                        </tr>
                    </thead>
                    <tbody>
                        { for past.iter().map(|Past { run, guarantee, report }| html! {
                            <tr data-run={run.to_string()}>
                                <th scope="row" class="number">{ run }</th>
                                <td>{ guarantee }</td>
                                <td>{ if report.audit.passed { "passed" } else { "failed" } }</td>
                                <td class="number">{ percent(report.objective.information_loss_percent) }</td>
                                <td class="number">{ gap(report) }</td>
                                <td class="number">{ count(report.risk.smallest_group) }</td>
                                <td class="number">{ count(report.changes.counterfeits) }</td>
                                <td class="number">{ count(report.changes.deletions + report.changes.suppressed) }</td>
                            </tr>
                        }) }
                    </tbody>
                </table>
            </div>
        </>
    }
}
