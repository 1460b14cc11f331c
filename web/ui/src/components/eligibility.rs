//! What every m would cost: a chart of the changes against m, and the same as a table (Tobar 2024, Fig. 2).

use lookalike_model::{
    assessment::{RealRecords, RepairDisclosure},
    survey::{Survey, SurveyRow},
};
use yew::{Callback, Html, html};

use super::PageProps;
use crate::{
    format::{count, percent},
    state::{Action, State},
    texts::{Key, k, text, told},
};

/// What every m would cost for the sensitive column.
pub(super) fn eligibility(props: &PageProps) -> Html {
    let state = &*props.state;
    let content = match (state.survey_question(), state.survey.as_deref()) {
        (None, _) => {
            html! { <p class="quiet">{ t!(SURVEY_CHOOSE_SENSITIVE_COLUMN_HERE) }</p> }
        }
        (Some(_), None) => html! { <p class="quiet" role="status">{ t!(SURVEY_COUNTING_VALUES) }</p> },
        (Some(_), Some(Err(why))) => {
            html! { <p class="wrong amber"><strong>{ t!(FIELD_DO) }</strong>{ " " }{ told(why) }</p> }
        }
        (Some(_), Some(Ok(survey))) => surveyed(props, survey),
    };
    html! { <div id="survey" tabindex="-1"><h3>{ t!(SURVEY_WHAT_EVERY_M_WOULD) }</h3>{ content }</div> }
}

fn surveyed(props: &PageProps, survey: &Survey) -> Html {
    let chosen = props.state.form.m.trim().parse().ok();
    let finding = finding(survey);
    let left_out = (survey.dropped > 0).then(|| {
        html! { <>{ " " }{ n!(SURVEY_DROPPED, survey.dropped as usize) }</> }
    });
    html! {
        <>
            <p id="largest-m" data-m={survey.largest_m_without_changes.to_string()}>
                <strong>{ finding.clone() }</strong>{ left_out }
            </p>
            { for survey.warnings.iter().map(|warning| html! { <p class="wrong amber odd-values">{ told(warning) }</p> }) }
            <figure class="chart">
                <figcaption>{ t!(SURVEY_RECORDS_BE_CHANGED_AGAINST) }</figcaption>
                { plot(survey, chosen, &finding) }
            </figure>
            { table(props, survey, chosen) }
            { rest(props, survey) }
            if survey.survey.iter().any(|row| !row.eligible) {
                <p class="quiet">
                    { t!(SURVEY_SMALL_FIGURES_HOW_SURELY) }
                </p>
            }
        </>
    }
}

/// What the chart says, in one line.
fn finding(survey: &Survey) -> String {
    let values = n!(N_VALUE, survey.values as usize);
    let rows = n!(N_ROW, survey.rows as usize);
    let start = t!(SURVEY_IN, sensitive = survey.sensitive, values = values, rows = rows);
    match survey.largest_m_without_changes {
        0 | 1 => t!(SURVEY_EVERY_M_2_OR, start = start),
        m if m >= survey.values => {
            t!(SURVEY_UP_M_NUMBER_VALUES, start = start, m = m)
        }
        m => t!(SURVEY_UP_M_NOTHING_HAS, start = start, m = m),
    }
}

/// A way to make the table eligible: its name, its class in the drawing, its number of changes.
struct RepairBar {
    name: Key,
    class: &'static str,
    changes: fn(&SurveyRow) -> Option<u64>,
}

const WAYS: [RepairBar; 3] = [
    RepairBar { name: k::SURVEY_ADD_ONLY, class: "add", changes: |row| row.additions },
    RepairBar { name: k::SURVEY_DELETE_ONLY, class: "delete", changes: |row| row.deletions },
    RepairBar { name: k::SURVEY_BOTH, class: "after", changes: |row| row.hybrid.map(|h| h.changes) },
];

/// Lines of the changes, of the chosen m and of half the table. Lengths are in percent of the drawing, so that its
/// text keeps its size.
fn plot(survey: &Survey, chosen: Option<u64>, finding: &str) -> Html {
    let Some(scale) = Scale::of(survey) else { return html! {} };
    let half = scale.y(survey.rows as f64 / 2.0);
    let lines: Vec<_> = WAYS.iter().map(|way| scale.points(survey, way.changes)).collect();
    let labels = labels(&lines);
    html! {
        <div class="plot survey">
            <div class="axis-y" aria-hidden="true"><span>{ count(scale.most as usize) }</span><span>{ "0" }</span></div>
            <svg role="img" aria-label={t!(SURVEY_TABLE_BELOW_HAS_FIGURES, finding = finding)}>
                <svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%">
                    { for [25, 50, 75].iter().map(|y| html! {
                        <line class="grid" x1="0" x2="100" y1={y.to_string()} y2={y.to_string()} />
                    }) }
                    if half > 0.0 { <line class="half" x1="0" x2="100" y1={half.to_string()} y2={half.to_string()} /> }
                    if let Some(x) = chosen.and_then(|m| scale.x(m)) {
                        <line class="chosen" x1={x.to_string()} x2={x.to_string()} y1="0" y2="100" />
                    }
                    { for WAYS.iter().zip(&lines).map(|(way, points)| html! {
                        <polyline class={way.class} points={drawn(points)} />
                    }) }
                </svg>
                if half > 0.0 {
                    <text class="half" x="0.5%" y={format!("{:.1}%", half - 2.0)}>{ t!(SURVEY_HALF_TABLE) }</text>
                }
                { for WAYS.iter().zip(labels).filter_map(|(way, place)| place.map(|(x, y)| html! {
                    <text class={way.class} x={format!("{x:.1}%")} y={format!("{y:.1}%")} text-anchor="end">{ text(way.name) }</text>
                })) }
            </svg>
            <div class="axis-x" aria-hidden="true">
                <span>{ format!("m = {}", scale.first) }</span><span>{ format!("m = {}", scale.last) }</span>
            </div>
        </div>
    }
}

/// From m and changes to percent of the drawing. The axis of changes begins at 0 and ends at the most that is needed,
/// but not above the size of the table: a line that leaves the drawing asks for more changes than there are records.
struct Scale {
    first: u64,
    last: u64,
    most: u64,
}

impl Scale {
    /// `None` if there is nothing to draw: a single m, or no change at any m.
    fn of(survey: &Survey) -> Option<Self> {
        let (first, last) = (survey.survey.first()?.m, survey.survey.last()?.m);
        let most =
            survey.survey.iter().flat_map(|row| WAYS.iter().filter_map(|way| (way.changes)(row))).max()?;
        (last > first && most > 0).then_some(Self { first, last, most: most.min(survey.rows) })
    }

    fn x(&self, m: u64) -> Option<f64> {
        let within = (self.first..=self.last).contains(&m);
        within.then(|| 100.0 * (m - self.first) as f64 / (self.last - self.first) as f64)
    }

    /// Negative above the drawing.
    fn y(&self, changes: f64) -> f64 {
        100.0 - 100.0 * changes / self.most as f64
    }

    fn points(&self, survey: &Survey, changes: fn(&SurveyRow) -> Option<u64>) -> Vec<(f64, f64)> {
        let point = |row: &SurveyRow| Some((self.x(row.m)?, self.y(changes(row)? as f64)));
        survey.survey.iter().filter_map(point).collect()
    }
}

fn drawn(points: &[(f64, f64)]) -> String {
    points.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect::<Vec<_>>().join(" ")
}

/// Where the name of each line stands: at the last point within the drawing, apart from the other names.
fn labels(lines: &[Vec<(f64, f64)>]) -> Vec<Option<(f64, f64)>> {
    /// Height of a line of text, in percent of the drawing.
    const APART: f64 = 9.0;
    let mut places: Vec<(f64, f64)> = Vec::new();
    lines
        .iter()
        .map(|points| {
            let &(x, y) = points.iter().rev().find(|(_, y)| *y >= 0.0)?;
            let (x, mut y) = (x.clamp(22.0, 99.0), (y - 3.0).max(APART));
            while places.iter().any(|place| (place.0 - x).abs() < 22.0 && (place.1 - y).abs() < APART) {
                y += APART;
            }
            places.push((x, y));
            (y <= 100.0).then_some((x, y))
        })
        .collect()
}

fn table(props: &PageProps, survey: &Survey, chosen: Option<u64>) -> Html {
    html! {
        <div class="frame survey" tabindex="0" role="region" aria-label={t!(SURVEY_CHANGES_FOR_EACH_M)}>
            <table class="dense" id="survey-table">
                <caption class="unseen">{ t!(SURVEY_CHANGES_FOR_EACH_M) }</caption>
                <thead>
                    <tr>
                        <th scope="col" class="number">{ "m" }</th>
                        <th scope="col" class="number">{ t!(SURVEY_ADD_ONLY_2) }</th>
                        <th scope="col" class="number">{ t!(SURVEY_DELETE_ONLY_2) }</th>
                        <th scope="col" class="number">{ t!(SURVEY_BOTH_ADDED_DELETED) }</th>
                        <th scope="col" class="number">{ t!(SURVEY_SHARE_ROWS) }</th>
                        <th scope="col"><span class="unseen">{ t!(SURVEY_CHOOSE) }</span></th>
                    </tr>
                </thead>
                <tbody>{ for survey.survey.iter().map(|row| line(props, row, chosen == Some(row.m))) }</tbody>
            </table>
        </div>
    }
}

/// The way to the m that are not shown.
fn rest(props: &PageProps, survey: &Survey) -> Html {
    let shown = survey.survey.last().map_or(0, |row| row.m);
    if shown >= survey.values {
        return html! {};
    }
    let state = props.state.clone();
    let onclick = Callback::from(move |_| state.dispatch(Action::SurveyAll));
    let last = count(survey.values as usize);
    html! {
        <p>
            <button id="survey-all" type="button" class="link" {onclick}>
                { t!(SURVEY_SHOW_ALL_M_UP, last = last) }
            </button>
        </p>
    }
}

fn line(props: &PageProps, row: &SurveyRow, chosen: bool) -> Html {
    let number =
        |n: Option<u64>| n.map_or_else(|| String::from(t!(SURVEY_IMPOSSIBLE)), |n| count(n as usize));
    let both = row.hybrid.map_or_else(
        || String::from(t!(SURVEY_IMPOSSIBLE)),
        |h| {
            let (sum, added, deleted) =
                (count(h.changes as usize), count(h.additions as usize), count(h.deletions as usize));
            if h.changes == 0 { sum } else { format!("{sum} ({added} + {deleted})") }
        },
    );
    let m = row.m.to_string();
    html! {
        <tr data-m={m.clone()} data-eligible={row.eligible.to_string()}>
            <th scope="row" class="number">{ &m }</th>
            <td class="number" data-add={row.additions.map(|n| n.to_string())}>
                { number(row.additions) }{ surest(row, row.disclosure.add) }
            </td>
            <td class="number" data-delete={row.deletions.map(|n| n.to_string())}>
                { number(row.deletions) }{ surest(row, row.disclosure.delete) }
            </td>
            <td class="number" data-both={row.hybrid.map(|h| h.changes.to_string())}>
                { both }{ surest(row, row.disclosure.hybrid) }
            </td>
            <td class="number">{ row.share.map_or_else(|| String::from("-"), |s| percent(100.0 * s)) }</td>
            <td>
                if chosen {
                    { t!(SURVEY_CHOSEN) }
                } else {
                    <button type="button" class="link" aria-label={t!(SURVEY_CHOOSE_M, m = m)} onclick={choose(&props.state, m.clone())}>
                        { t!(SURVEY_CHOOSE_2) }
                    </button>
                }
            </td>
        </tr>
    }
}

/// How surely a person's value could be told after a repair; nothing where none is needed.
fn surest(row: &SurveyRow, told: Option<RepairDisclosure>) -> Option<Html> {
    let told = told.filter(|_| !row.eligible)?;
    let absent = told.absent.map(|absent| t!(SURVEY_IF_MISSING, absent = percent(100.0 * absent)));
    let real = told.real.map(|real| {
        html! {
            <><br /><small class="quiet real">{ real_records(real) }</small></>
        }
    });
    Some(html! {
        <><br /><small class="quiet">{ percent(100.0 * told.present) }{ absent }</small>{ real }</>
    })
}

/// "2 to 7 real; 0 to 120 alone".
fn real_records(real: RealRecords) -> String {
    let span = |worst: u64, best: u64| {
        let (from, to) = (count(worst as usize), count(best as usize));
        if worst == best { from } else { t!(SURVEY_FROM_TO, from = from, to = to) }
    };
    let single = match real.single_at_most {
        0 => String::new(),
        most => t!(SURVEY_ALONE, n = span(most, real.single)),
    };
    t!(SURVEY_REAL, n = span(real.least, real.least_at_best)) + &single
}

fn choose(state: &yew::UseReducerHandle<State>, m: String) -> Callback<yew::MouseEvent> {
    let state = state.clone();
    Callback::from(move |_| {
        let mut form = state.form.clone();
        form.m.clone_from(&m);
        state.dispatch(Action::Edit(Box::new(form)));
    })
}

#[cfg(test)]
mod tests {
    use lookalike_model::{assessment::RepairDisclosures, survey::Hybrid};

    use super::*;

    /// Counts {5, 3, 1, 1}.
    fn survey() -> Survey {
        let row = |m, additions, deletions, hybrid: (u64, u64)| SurveyRow {
            m,
            eligible: additions == 0,
            additions: Some(additions),
            deletions,
            disclosure: RepairDisclosures::default(),
            hybrid: Some(Hybrid { additions: hybrid.0, deletions: hybrid.1, changes: hybrid.0 + hybrid.1 }),
            share: Some((hybrid.0 + hybrid.1) as f64 / 10.0),
            levels_all: false,
        };
        Survey {
            sensitive: String::from("disease"),
            rows: 10,
            dropped: 0,
            values: 4,
            largest_m_without_changes: 2,
            warnings: Vec::new(),
            published: Vec::new(),
            survey: vec![row(2, 0, Some(0), (0, 0)), row(3, 5, Some(4), (1, 2)), row(4, 10, None, (4, 2))],
        }
    }

    #[test]
    fn the_finding_names_the_largest_m_at_no_cost() {
        let mut survey = survey();
        assert_eq!(finding(&survey), "disease: 4 values in 10 rows. Up to m = 2 nothing has to be changed.");
        survey.largest_m_without_changes = 4;
        assert!(finding(&survey).contains("Up to m = 4, the number of values,"));
        survey.largest_m_without_changes = 1;
        assert!(finding(&survey).ends_with("Every m of 2 or more needs changes."));
    }

    #[test]
    fn the_axis_begins_at_zero_and_ends_at_the_table_at_most() {
        let mut survey = survey();
        let scale = Scale::of(&survey).unwrap();
        assert_eq!((scale.first, scale.last, scale.most), (2, 4, 10));
        assert_eq!(scale.points(&survey, WAYS[0].changes), [(0.0, 100.0), (50.0, 50.0), (100.0, 0.0)]);
        // An impossible way has no point.
        assert_eq!(scale.points(&survey, WAYS[1].changes).len(), 2);
        assert_eq!((scale.x(3), scale.x(5)), (Some(50.0), None));
        survey.rows = 5;
        let scale = Scale::of(&survey).unwrap();
        assert_eq!((scale.most, scale.y(10.0)), (5, -100.0));
    }

    #[test]
    fn real_records_are_told_from_worst_to_best() {
        let real = |least, least_at_best, single, single_at_most| {
            real_records(RealRecords { least, least_at_best, single, single_at_most })
        };
        assert_eq!(real(1, 1, 8, 8), "1 real; 8 alone");
        assert_eq!(real(1, 4, 0, 1200), "1 to 4 real; 1,200 to 0 alone");
        assert_eq!(real(3, 3, 0, 0), "3 real");
    }

    #[test]
    fn nothing_is_drawn_where_nothing_has_to_be_changed() {
        let mut survey = survey();
        survey.survey.truncate(1);
        assert!(Scale::of(&survey).is_none());
    }

    #[test]
    fn names_of_lines_keep_apart_and_stay_inside() {
        let lines =
            [vec![(0.0, 100.0), (100.0, 50.0)], vec![(0.0, 100.0), (100.0, 52.0)], vec![(100.0, -5.0)]];
        let places = labels(&lines);
        let (first, second) = (places[0].unwrap(), places[1].unwrap());
        assert!((first.1 - second.1).abs() >= 9.0, "{first:?} {second:?}");
        assert_eq!(places[2], None);
    }
}
