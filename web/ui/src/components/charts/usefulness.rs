//! What the table is still good for: each column's counts before and after, most changed first.

use lookalike_model::comparison::Bin;
use lookalike_words::Said;
use yew::{AttrValue, Callback, Html, html};

use super::{
    as_table,
    scale::{Round, end_of_axis, part, rounded, share},
};
use crate::{
    components::field::Select,
    format::{count, number},
    texts::told,
};

/// Columns that are drawn at first, and categories of each.
const SHOWN: usize = 6;
const CATEGORIES: usize = 8;

/// Above this share the most frequent category is cut, so that the others are seen.
const CUT: f64 = 0.8;

/// Height of a drawing, and width of a bin, in units of its own.
const HEIGHT: f64 = 56.0;
const WIDTH: f64 = 20.0;

/// A published column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// Whether its values lie on a line: numbers and dates.
    pub(crate) ordered: bool,
    /// How often its values occur, or why nobody can tell; `None` while that is being counted.
    pub(crate) bins: Option<&'a Result<Vec<Bin>, Said>>,
}

/// A column that was counted.
#[derive(Clone, Copy, Debug)]
struct Counted<'a> {
    name: &'a str,
    ordered: bool,
    bins: &'a [Bin],
    /// Part of the people who are counted at another value, 0 to 1.
    shift: f64,
}

/// What can be chosen in the chart.
pub(crate) struct Choices {
    /// The column whose values stand in the table.
    pub(crate) column: Callback<String>,
    /// Whether all columns are drawn.
    pub(crate) all: Callback<bool>,
}

/// The chart: `chosen` is the column in the table, empty for the first; `all` draws all columns; `asked` is false where the rows of
/// this result are gone, so that nothing more will be counted.
pub(crate) fn usefulness(
    columns: &[Column],
    chosen: &str,
    (all, asked): (bool, bool),
    choices: &Choices,
) -> Html {
    let open = columns.iter().filter(|column| column.bins.is_none()).count();
    if open > 0 && asked {
        let (done, of) = (count(columns.len() - open), count(columns.len()));
        return html! { <p id="spread-counting" role="status">{ t!(SPREAD_COUNTING_COLUMNS, done = done, of = of) }</p> };
    }
    let counted = counted(columns);
    let refused = columns.iter().filter_map(|column| Some((column.name, column.bins?.as_ref().err()?)));
    let refused = html! { { for refused.map(|(name, why)| html! { <p class="hint">{ name }{ ": " }{ told(why) }</p> }) } };
    if counted.is_empty() {
        return refused;
    }
    let told = finding(&counted);
    let (first, more) = counted.split_at(counted.len().min(SHOWN));
    let list =
        |columns: &[Counted]| html! { <ul class="multiples">{ for columns.iter().map(multiple) }</ul> };
    let ontoggle = {
        let all = choices.all.clone();
        Callback::from(move |event: yew::Event| all.emit(crate::platform::dom::is_open(&event)))
    };
    html! {
        <figure id="usefulness" class="chart usefulness">
            <figcaption id="spread-finding">{ told }</figcaption>
            { list(first) }
            if !more.is_empty() {
                <details id="spread-all" open={all} {ontoggle}>
                    <summary>{ n!(SPREAD_SHOW_ALL, counted.len()) }</summary>
                    if all { { list(more) } }
                </details>
            }
            <p class="hint">{ t!(SPREAD_RANGE_COUNTS_EVENLY) }</p>
            { refused }
            { as_table(table(&counted, chosen, &choices.column)) }
        </figure>
    }
}

/// Half the sum of the differences of the shares: the part of the people who are counted at another value than before.
fn shift(bins: &[Bin]) -> f64 {
    bins.iter().map(|bin| (bin.after - bin.before).abs()).sum::<f64>() / 2.0
}

/// The columns that could be counted, those that changed most first; of the same change in their order.
fn counted<'a>(columns: &[Column<'a>]) -> Vec<Counted<'a>> {
    let of = |column: &Column<'a>| {
        let bins = column.bins?.as_ref().ok().filter(|bins| !bins.is_empty())?;
        Some(Counted { name: column.name, ordered: column.ordered, bins, shift: shift(bins) })
    };
    let mut counted: Vec<_> = columns.iter().filter_map(of).collect();
    counted.sort_by(|a, b| b.shift.total_cmp(&a.shift));
    counted
}

/// A share that is said, in per cent with two digits, rounded up: "no more than" stays true. Nothing where it is next to nothing.
fn at_most(shift: f64) -> Option<String> {
    (shift >= 0.0005).then(|| format!("{} %", number(rounded(100.0 * shift, 2, Round::Up))))
}

/// What the chart shows, in a line.
fn finding(counted: &[Counted]) -> String {
    let Some((first, most)) = counted.first().and_then(|first| Some((first, at_most(first.shift)?))) else {
        return String::from(t!(SPREAD_NO_SHIFT));
    };
    if counted.len() == 1 {
        return t!(SPREAD_ONE_SHIFTS, column = first.name, share = most);
    }
    t!(SPREAD_CHANGED_MOST, column = first.name, share = most)
}

/// Bars of a column: its bins in their order, or its most frequent categories. What is missing comes last.
fn drawn(column: &Counted) -> Vec<Bin> {
    if column.ordered {
        return column.bins.to_vec();
    }
    let mut named: Vec<Bin> =
        column.bins.iter().filter(|bin| !bin.missing && !bin.label.is_empty()).cloned().collect();
    named.sort_by(|a, b| b.before.total_cmp(&a.before));
    named.truncate(CATEGORIES);
    named.extend(column.bins.iter().filter(|bin| bin.missing).cloned());
    named
}

/// Where the axis ends, and whether the first bar runs out of it: of categories one may hold nearly all.
fn axis(bins: &[Bin], ordered: bool) -> (f64, bool) {
    let most = |bins: &[Bin]| bins.iter().map(|bin| bin.before.max(bin.after)).fold(0.0, f64::max);
    match bins {
        [first, rest @ ..] if !ordered && first.before.max(first.after) > CUT && most(rest) > 0.0 => {
            (end_of_axis(most(rest)), true)
        }
        _ => (end_of_axis(most(bins)), false),
    }
}

/// The bars of a bin, before and after: x, y, width, height.
fn bars(index: usize, bin: &Bin, end: f64) -> [[f64; 4]; 2] {
    let x = WIDTH * index as f64;
    let bar = |x: f64, share: f64| {
        let height = HEIGHT * part(share, end);
        [x, HEIGHT - height, 0.44 * WIDTH, height]
    };
    [bar(x + 0.03 * WIDTH, bin.before), bar(x + 0.5 * WIDTH, bin.after)]
}

/// One of the small charts.
fn multiple(column: &Counted) -> Html {
    let bins = drawn(column);
    let (end, cut) = axis(&bins, column.ordered);
    let width = WIDTH * bins.len().max(4) as f64;
    let changed = at_most(column.shift)
        .map_or_else(|| String::from(t!(SPREAD_UNCHANGED)), |share| t!(SPREAD_SHIFT, share = share));
    let rect = |class: &'static str, [x, y, width, height]: [f64; 4]| {
        html! { <rect {class} x={format!("{x:.1}")} y={format!("{y:.2}")} width={format!("{width:.1}")} height={format!("{height:.2}")} /> }
    };
    let ends = match &bins[..] {
        [] => String::new(),
        [one] => name(one),
        [first, .., last] => format!("{} … {}", name(first), name(last)),
    };
    html! {
        <li>
            <b>{ column.name.to_owned() }</b>
            <span>{ changed.clone() }</span>
            <svg class="small" viewBox={format!("0 0 {width} {HEIGHT}")} preserveAspectRatio="none" role="img"
                aria-label={format!("{}: {changed}", column.name)}>
                { for bins.iter().enumerate().map(|(index, bin)| {
                    let [before, after] = bars(index, bin, end);
                    html! { <>{ rect("before", before) }{ rect("after", after) }</> }
                }) }
                if cut { <line class="cut" x1="0" x2={WIDTH.to_string()} y1="9" y2="5" /> }
            </svg>
            <small>{ ends }</small>
            if let (true, Some(first)) = (cut, bins.first()) {
                <small>{ t!(SPREAD_CUT, label = name(first), before = share(first.before, Round::Near), after = share(first.after, Round::Near)) }</small>
            }
        </li>
    }
}

fn name(bin: &Bin) -> String {
    match (bin.missing, bin.label.is_empty()) {
        (true, _) => String::from(t!(SPREAD_MISSING)),
        (false, true) => String::from(t!(SPREAD_ALL_OTHERS)),
        (false, false) => bin.label.clone(),
    }
}

/// The values of one column.
fn table(counted: &[Counted], chosen: &str, choose: &Callback<String>) -> Html {
    let column = counted.iter().find(|column| column.name == chosen).or(counted.first());
    let Some(column) = column else { return html! {} };
    let more: Vec<AttrValue> = counted.iter().map(|column| AttrValue::from(column.name.to_owned())).collect();
    let value = AttrValue::from(column.name.to_owned());
    html! {
        <>
            <div class="field">
                <label for="spread-column">{ t!(SPREAD_VALUES) }</label>
                <Select id="spread-column" options={Vec::new()} {more} {value} onchange={choose.clone()} />
            </div>
            <table id="spread" class="sizes spread" data-column={column.name.to_owned()}>
                <caption class="unseen">{ t!(SPREAD_VALUES_BEFORE_AFTER, column = column.name) }</caption>
                <thead>
                    <tr>
                        <th scope="col">{ t!(SPREAD_VALUE) }</th>
                        <th scope="col" class="number before">{ t!(SPREAD_BEFORE) }</th>
                        <th scope="col" class="number after">{ t!(SPREAD_AFTER) }</th>
                    </tr>
                </thead>
                <tbody>
                    { for column.bins.iter().map(|bin| html! {
                        <tr>
                            <th scope="row">{ name(bin) }</th>
                            <td class="number before" data-before={bin.before.to_string()}>{ share(bin.before, Round::Near) }</td>
                            <td class="number after" data-after={bin.after.to_string()}>{ share(bin.after, Round::Near) }</td>
                        </tr>
                    }) }
                </tbody>
            </table>
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bin(label: &str, before: f64, after: f64) -> Bin {
        Bin { label: label.to_owned(), missing: false, before, after }
    }

    fn column<'a>(name: &'a str, bins: &'a Result<Vec<Bin>, Said>) -> Column<'a> {
        Column { name, ordered: false, bins: Some(bins) }
    }

    #[test]
    fn what_changed_most_comes_first_and_is_told() {
        let sex = Ok(vec![bin("F", 0.52, 0.52), bin("M", 0.48, 0.48)]);
        let age = Ok(vec![bin("0-9", 0.5, 0.461), bin("10-19", 0.5, 0.539)]);
        let postcode = Ok(vec![bin("1", 0.5, 0.49), bin("2", 0.5, 0.51)]);
        let refused = Err(Said::verbatim("no"));
        let all = [
            column("sex", &sex),
            column("name", &refused),
            column("postcode", &postcode),
            column("age", &age),
        ];
        let counted = counted(&all);
        assert_eq!(counted.iter().map(|column| column.name).collect::<Vec<_>>(), ["age", "postcode", "sex"]);
        assert!((counted[0].shift - 0.039).abs() < 1e-12);
        assert_eq!(finding(&counted), "age changed most; no column's counts shift by more than 3.9 %");
        assert_eq!(finding(&counted[2..]), "No column's counts shift");
        assert_eq!(finding(&counted[..1]), "The counts of age shift by no more than 3.9 %");
        // Rounded up: what is said stays true.
        assert_eq!(at_most(0.0401).as_deref(), Some("4.1 %"));
    }

    #[test]
    fn categories_show_the_most_frequent_and_what_is_missing() {
        let mut bins: Vec<Bin> = (1..=10).map(|at| bin(&at.to_string(), 0.01 * f64::from(at), 0.0)).collect();
        bins.push(bin("", 0.3, 0.3));
        bins.push(Bin { missing: true, ..bin("", 0.15, 0.15) });
        let counted = |ordered| Counted { name: "ward", ordered, bins: &bins, shift: 0.0 };
        let drawn_of = drawn(&counted(false));
        let names: Vec<String> = drawn_of.iter().map(name).collect();
        assert_eq!(names, ["10", "9", "8", "7", "6", "5", "4", "3", "missing"]);
        // Numbers stay in their order, all of them.
        assert_eq!(drawn(&counted(true)), bins);
    }

    #[test]
    fn a_category_of_nearly_all_is_cut_so_that_the_others_are_seen() {
        let country =
            [bin("United States", 0.896, 0.9), bin("Mexico", 0.02, 0.019), bin("India", 0.003, 0.003)];
        assert_eq!(axis(&country, false), (0.02, true));
        // A cut bar fills the drawing; the second is seen in full.
        let [cut, _] = bars(0, &country[0], 0.02);
        let [second, _] = bars(1, &country[1], 0.02);
        assert_eq!((cut[3], second[3], second[1]), (HEIGHT, HEIGHT, 0.0));
        assert_eq!(axis(&[bin("F", 0.8, 0.8), bin("M", 0.2, 0.2)], false), (0.8, false));
        assert_eq!(axis(&country, true), (1.0, false), "a distribution is never cut");
        assert_eq!(axis(&[bin("all", 1.0, 1.0)], false), (1.0, false), "there is nothing else to be seen");
        assert_eq!(axis(&[], false), (1.0, false));
    }

    #[test]
    fn bars_of_a_bin_stand_side_by_side_on_the_axis() {
        let [before, after] = bars(3, &bin("x", 0.25, 0.5), 0.5);
        assert_eq!((before[1] + before[3], after[1] + after[3]), (HEIGHT, HEIGHT));
        assert_eq!((before[3], after[3]), (HEIGHT / 2.0, HEIGHT));
        assert!(before[0] >= 60.0 && before[0] + before[2] <= after[0] && after[0] + after[2] <= 80.0);
    }

    #[test]
    fn lines_without_a_label_are_named() {
        assert_eq!(name(&bin("", 0.0, 0.0)), "all others");
        assert_eq!(name(&Bin { missing: true, ..bin("", 0.0, 0.0) }), "missing");
        assert_eq!(name(&bin("30 - 39", 0.0, 0.0)), "30 - 39");
    }
}
