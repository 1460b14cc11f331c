//! The releases of a series, one column each: who came, stayed, came back and left. The ledger knows it of every release; nobody who
//! waited for a later one, and no made-up record, is in it.

use lookalike_model::report::SeriesUpdates;
use lookalike_wire::series::ReleasePeople;
use yew::{Html, html};

use super::figure;
use crate::format::count;

/// Columns that are drawn at most, the last ones: their numbers have to stand side by side on a narrow screen.
const SHOWN: usize = 4;

/// Width of a column and of its bar, and height of the drawing, in units of its own.
const WIDTH: f64 = 10.0;
const BAR: f64 = 7.0;
const HEIGHT: f64 = 100.0;

/// The chart; `next` is what the open table would be.
pub(crate) fn timeline(id: &'static str, releases: &[ReleasePeople], next: Option<&SeriesUpdates>) -> Html {
    let mut columns: Vec<Column> =
        releases.iter().map(|people| Column { people: *people, open: false }).collect();
    columns.extend(next.map(|updates| Column { people: people(updates), open: true }));
    let Some(last) = columns.last() else { return html! {} };
    let finding = finding(last);
    let shown = &columns[columns.len().saturating_sub(SHOWN)..];
    let table = html! {
        <>
            <div class="frame" tabindex="0" role="region" aria-labelledby={format!("{id}-finding")}>{ table(&columns) }</div>
            <p class="hint">{ t!(TIMELINE_NOT_KNOWN) }</p>
        </>
    };
    let picture = html! {
        <>
            { picture(shown) }
            if shown.len() < columns.len() {
                <p class="hint">{ n!(TIMELINE_EARLIER, columns.len() - shown.len()) }</p>
            }
        </>
    };
    figure(id, "timeline", &finding, picture, table)
}

/// A release, or the open table before it is one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Column {
    people: ReleasePeople,
    open: bool,
}

const fn people(updates: &SeriesUpdates) -> ReleasePeople {
    let SeriesUpdates { release, new, stayed, back, changed, gone, .. } = *updates;
    ReleasePeople { release, new, stayed, back, changed, gone }
}

/// A band: its class in the style sheet, and how many people it has.
type Band = (&'static str, fn(&ReleasePeople) -> usize);

/// Those in a release, from the top of its column down.
const BANDS: [Band; 4] = [
    ("came", |people| people.new),
    ("back", |people| people.back),
    ("other", |people| people.changed),
    ("stayed", |people| people.stayed),
];

/// Those who are no more in it, below the line.
const LEFT: Band = ("left", |people| people.gone);

fn word(class: &str) -> &'static str {
    match class {
        "came" => t!(TIMELINE_CAME),
        "back" => t!(TIMELINE_BACK),
        "other" => t!(TIMELINE_OTHER),
        "stayed" => t!(TIMELINE_STAYED),
        _ => t!(TIMELINE_LEFT),
    }
}

fn all(people: &ReleasePeople) -> usize {
    BANDS.iter().map(|(_, of)| of(people)).sum()
}

/// Where the line is, and the bands of each column: class, x, y, height.
fn bars(columns: &[Column]) -> (f64, Vec<(&'static str, f64, f64, f64)>) {
    let most = |of: &dyn Fn(&ReleasePeople) -> usize| {
        columns.iter().map(|column| of(&column.people)).max().unwrap_or(0)
    };
    let (above, below) = (most(&all), most(&LEFT.1));
    let unit = HEIGHT / (above + below).max(1) as f64;
    let line = unit * above as f64;
    let mut bars = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        let x = WIDTH * at as f64 + (WIDTH - BAR) / 2.0;
        let mut foot = line;
        for (class, of) in BANDS.iter().rev() {
            let height = unit * of(&column.people) as f64;
            foot -= height;
            bars.push((*class, x, foot, height));
        }
        bars.push((LEFT.0, x, line, unit * LEFT.1(&column.people) as f64));
    }
    bars.retain(|bar| bar.3 > 0.0);
    (line, bars)
}

/// The columns, and below them their numbers, each line with the name of its band.
fn picture(columns: &[Column]) -> Html {
    let (line, bars) = bars(columns);
    let width = WIDTH * columns.len() as f64;
    let rect = |(class, x, y, height): (&'static str, f64, f64, f64)| {
        html! { <rect {class} x={x.to_string()} y={format!("{y:.2}")} width={BAR.to_string()} height={format!("{height:.2}")} /> }
    };
    let present =
        BANDS.iter().chain([&LEFT]).filter(|(_, of)| columns.iter().any(|column| of(&column.people) > 0));
    let line_of = |name: Html, class: &'static str, cells: Vec<String>| {
        html! {
            <div class={format!("line {class}")}>
                <span>{ name }</span>
                <ol class="bins">{ for cells.into_iter().map(|cell| html! { <li>{ cell }</li> }) }</ol>
            </div>
        }
    };
    let numbers = |of: &dyn Fn(&ReleasePeople) -> usize| {
        columns.iter().map(|column| count(of(&column.people))).collect()
    };
    html! {
        <div class="releases" aria-hidden="true">
            <div class="line">
                <span></span>
                <svg class="tall" viewBox={format!("0 0 {width} {HEIGHT}")} preserveAspectRatio="none">
                    { for bars.into_iter().map(rect) }
                    <line class="zero" x1="0" x2={width.to_string()} y1={format!("{line:.2}")} y2={format!("{line:.2}")} />
                </svg>
            </div>
            { line_of(html! { { t!(TIMELINE_RELEASE) } }, "names", columns.iter().map(name).collect()) }
            { for present.map(|&(class, of)| line_of(
                html! { <><svg class="key" width="12" height="12"><rect {class} width="12" height="12" /></svg>{ word(class) }</> },
                "",
                numbers(&of),
            )) }
            { line_of(html! { { t!(TIMELINE_ALL) } }, "sum", numbers(&all)) }
        </div>
    }
}

fn name(column: &Column) -> String {
    if column.open {
        t!(TIMELINE_NEXT, number = column.people.release)
    } else {
        column.people.release.to_string()
    }
}

fn table(columns: &[Column]) -> Html {
    let head = BANDS.iter().chain([&LEFT]).map(|(class, _)| word(class)).chain([t!(TIMELINE_ALL)]);
    html! {
        <table class="dense">
            <caption class="unseen">{ t!(TIMELINE_CAPTION) }</caption>
            <thead><tr><th scope="col">{ t!(TIMELINE_RELEASE) }</th>{ for head.map(|word| html! { <th scope="col" class="number">{ word }</th> }) }</tr></thead>
            <tbody>
                { for columns.iter().map(|column| html! {
                    <tr data-release={column.people.release.to_string()}>
                        <th scope="row">{ name(column) }</th>
                        { for BANDS.iter().chain([&LEFT]).map(|(class, of)| html! {
                            <td class="number" data-band={*class}>{ count(of(&column.people)) }</td>
                        }) }
                        <td class="number">{ count(all(&column.people)) }</td>
                    </tr>
                }) }
            </tbody>
        </table>
    }
}

/// What the last column shows, in a line.
fn finding(last: &Column) -> String {
    let people = &last.people;
    let (number, sum) = (people.release, n!(SERIES_PEOPLE, all(people)));
    if people.release == 1 && people.new == all(people) {
        return if last.open {
            t!(TIMELINE_FIRST_NEXT, people = sum)
        } else {
            t!(TIMELINE_FIRST, people = sum)
        };
    }
    let parts = [
        (people.new, t!(TIMELINE_CAME)),
        (people.back, t!(TIMELINE_BACK)),
        (people.changed, t!(TIMELINE_OTHER)),
        (people.stayed, t!(TIMELINE_STAYED)),
        (people.gone, t!(TIMELINE_LEFT)),
    ];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> =
        parts.map(|(number, word)| t!(TIMELINE_PART, number = count(number), word = word)).collect();
    let parts = parts.join(", ");
    if last.open {
        t!(TIMELINE_FINDING_NEXT, people = sum, parts = parts)
    } else {
        t!(TIMELINE_FINDING, number = number, people = sum, parts = parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(release: u32, [new, stayed, back, changed, gone]: [usize; 5]) -> Column {
        Column { people: ReleasePeople { release, new, stayed, back, changed, gone }, open: false }
    }

    #[test]
    fn bands_stand_on_the_line_and_who_left_hangs_below_it() {
        let (line, bars) = bars(&[column(1, [80, 0, 0, 0, 0]), column(2, [10, 50, 5, 5, 20])]);
        assert!((line - 80.0).abs() < 1e-9, "80 of 100 people are above it");
        let of = |class: &str| bars.iter().filter(|bar| bar.0 == class).copied().collect::<Vec<_>>();
        assert_eq!(
            of("came").iter().map(|bar| (bar.2, bar.3)).collect::<Vec<_>>(),
            [(0.0, 80.0), (10.0, 10.0)]
        );
        assert_eq!(of("left").iter().map(|bar| (bar.2, bar.3)).collect::<Vec<_>>(), [(80.0, 20.0)]);
        let second: f64 = bars.iter().filter(|bar| bar.1 > WIDTH && bar.0 != "left").map(|bar| bar.3).sum();
        assert!((second - 70.0).abs() < 1e-9);
        assert_eq!(bars.iter().filter(|bar| bar.0 == "stayed").count(), 1, "nobody has no band");
    }

    #[test]
    fn the_finding_tells_of_the_last_release() {
        assert_eq!(finding(&column(1, [400, 0, 0, 0, 0])), "Release 1 has 400 people, all new");
        let second = column(2, [100, 335, 0, 5, 60]);
        assert_eq!(finding(&second), "Release 2 has 440 people: 100 new, 5 other value, 335 stayed, 60 left");
        assert_eq!(
            finding(&Column { open: true, ..second }),
            "The open table has 440 people: 100 new, 5 other value, 335 stayed, 60 left"
        );
    }
}
