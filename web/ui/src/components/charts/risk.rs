//! People by the size of their group, before and after.

use lookalike_model::report::Report;
use yew::{Html, html};

use super::{
    at, figure,
    scale::{end_of_axis, part},
};
use crate::format::count;

/// Bars of a side, at most.
const BINS: usize = 10;

/// Height of the drawing, and width of a bin, in units of its own.
const HEIGHT: f64 = 100.0;
const WIDTH: f64 = 10.0;

/// People in groups of several sizes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct People<'a> {
    /// Size of a group and rows in groups of that size, ascending, in the original; empty if that is not known.
    pub(crate) before: &'a [(usize, usize)],
    /// Rows that are alone in the original, and the size of its smallest group.
    pub(crate) alone_before: (usize, usize),
    /// Size of a group of equal published rows and rows in groups of that size, ascending.
    pub(crate) after: &'a [(usize, usize)],
}

/// The chart.
pub(crate) fn risk(people: &People, report: &Report) -> Html {
    let finding = finding(people, report);
    if let Some(persons) = &report.persons {
        // Sizes of classes are known in rows alone, and nobody is hidden by rows of their own.
        let sizes = t!(
            RISK_PERSONS_IN_GROUPS,
            least = count(persons.min_in_class),
            most = count(persons.max_in_class)
        );
        return html! { <figure id="people" class="chart risk"><figcaption id="people-finding">{ finding }</figcaption><p>{ sizes }</p></figure> };
    }
    let least = report.risk.smallest_group;
    let before = people.before;
    let bins = bins(before, people.after, least);
    let picture = html! {
        <>
            { picture(&bins, &finding) }
            if report.changes.counterfeits > 0 {
                <p class="hint">{ t!(RISK_MADE_UP_COUNT) }</p>
            }
        </>
    };
    figure("people", "risk", &finding, picture, table(&bins, before.is_empty()))
}

/// Groups of these sizes, and how many are in them on each side.
#[derive(Clone, Debug, PartialEq)]
struct Bin {
    from: usize,
    /// `None` for all larger ones.
    to: Option<usize>,
    before: usize,
    after: usize,
}

impl Bin {
    fn label(&self) -> String {
        match self.to {
            None => format!("{}+", count(self.from)),
            Some(to) if to == self.from => count(to),
            Some(to) => format!("{}–{}", count(self.from), count(to)),
        }
    }
}

/// Bins of sizes that grow as 1, 2, 5, 10, 20, 50, ...; one begins at the least size that is published, so that nothing of
/// what is published stands left of it. The last holds all larger ones.
fn bins(before: &[(usize, usize)], after: &[(usize, usize)], least: usize) -> Vec<Bin> {
    let largest = before.iter().chain(after).map(|pair| pair.0).max().unwrap_or(1);
    let begins = |steps: &[usize]| {
        let mut all = vec![least.max(1)];
        let mut unit = 1;
        while unit <= largest {
            all.extend(steps.iter().map(|step| step * unit).filter(|from| *from <= largest));
            unit *= 10;
        }
        all.sort_unstable();
        all.dedup();
        all
    };
    let mut begins = match begins(&[1, 2, 5]) {
        fine if fine.iter().filter(|from| **from <= least).count() < BINS => fine,
        _ => begins(&[1]),
    };
    begins.truncate(BINS);
    let within = |pairs: &[(usize, usize)], from: usize, to: Option<usize>| {
        let pairs = pairs.iter().filter(|(size, _)| *size >= from && to.is_none_or(|to| *size <= to));
        pairs.map(|pair| pair.1).sum()
    };
    let mut all = Vec::with_capacity(begins.len());
    for (index, &from) in begins.iter().enumerate() {
        let to = begins.get(index + 1).map(|next| next - 1).or((from == largest).then_some(from));
        all.push(Bin { from, to, before: within(before, from, to), after: within(after, from, to) });
    }
    all
}

/// Where the bars of a bin stand and how high they are: x, y, width, height of before and after.
fn bars(index: usize, bin: &Bin, end: f64) -> [[f64; 4]; 2] {
    let x = WIDTH * index as f64;
    let bar = |x: f64, n: usize| {
        let height = HEIGHT * part(n as f64, end);
        [x, HEIGHT - height, 0.38 * WIDTH, height]
    };
    [bar(x + 0.1 * WIDTH, bin.before), bar(x + 0.52 * WIDTH, bin.after)]
}

fn picture(bins: &[Bin], finding: &str) -> Html {
    let most = bins.iter().map(|bin| bin.before.max(bin.after)).max().unwrap_or(0);
    let end = end_of_axis(most as f64);
    let width = WIDTH * bins.len() as f64;
    let rect = |class: &'static str, [x, y, width, height]: [f64; 4]| {
        html! { <rect {class} x={x.to_string()} y={format!("{y:.2}")} width={width.to_string()} height={format!("{height:.2}")} /> }
    };
    let grid = [0.25, 0.5, 0.75].map(|part| (HEIGHT * part).to_string());
    html! {
        <div class="bars">
            { highest(bins, |bin| bin.before, |n| html! { <>{ t!(RISK_BAR_BEFORE, n = n) }</> }, "before") }
            { highest(bins, |bin| bin.after, |n| html! { <>{ t!(RISK_BAR_AFTER, n = n) }</> }, "after") }
            <svg class="tall" viewBox={format!("0 0 {width} {HEIGHT}")} preserveAspectRatio="none" role="img" aria-label={finding.to_owned()}>
                { for grid.into_iter().map(|y| html! { <line class="grid" x1="0" x2={width.to_string()} y1={y.clone()} y2={y} /> }) }
                { for bins.iter().enumerate().map(|(index, bin)| {
                    let [before, after] = bars(index, bin, end);
                    html! { <>{ rect("before", before) }{ rect("after", after) }</> }
                }) }
            </svg>
            <ol class="bins" aria-hidden="true">{ for bins.iter().map(|bin| html! { <li>{ bin.label() }</li> }) }</ol>
            <p class="axis">{ t!(RISK_PEOPLE_IN_GROUP) }</p>
        </div>
    }
}

/// The highest bar of a side, named above it.
fn highest(bins: &[Bin], of: fn(&Bin) -> usize, text: impl Fn(String) -> Html, class: &'static str) -> Html {
    let highest = bins.iter().enumerate().max_by_key(|(index, bin)| (of(bin), std::cmp::Reverse(*index)));
    let Some((index, bin)) = highest.filter(|(_, bin)| of(bin) > 0) else { return html! {} };
    let middle = if class == "before" { 0.29 } else { 0.71 };
    at(100.0 * (index as f64 + middle) / bins.len() as f64, class, text(count(of(bin))))
}

fn table(bins: &[Bin], after_alone: bool) -> Html {
    html! {
        <table class="sizes">
            <caption class="unseen">{ t!(RISK_PEOPLE_BY_GROUP) }</caption>
            <thead>
                <tr>
                    <th scope="col" class="number">{ t!(RISK_SIZE_OF_GROUP) }</th>
                    if !after_alone { <th scope="col" class="number">{ t!(SPREAD_BEFORE) }</th> }
                    <th scope="col" class="number">{ t!(SPREAD_AFTER) }</th>
                </tr>
            </thead>
            <tbody>
                { for bins.iter().map(|bin| html! {
                    <tr>
                        <th scope="row" class="number">{ bin.label() }</th>
                        if !after_alone { <td class="number">{ count(bin.before) }</td> }
                        <td class="number">{ count(bin.after) }</td>
                    </tr>
                }) }
            </tbody>
        </table>
    }
}

/// What the chart shows, in a line.
fn finding(people: &People, report: &Report) -> String {
    let least = report.risk.smallest_group;
    let alone = match people.before {
        [] => people.alone_before.0,
        groups => groups.iter().filter(|group| group.0 == 1).map(|group| group.1).sum(),
    };
    let now = match (least, report.changes.counterfeits) {
        (0 | 1, _) => n!(RISK_NOW_ALONE, report.risk.uniques),
        (_, 0) => t!(RISK_NOW_AMONG, k = count(least)),
        (..) => t!(RISK_NOW_AMONG_RECORDS, k = count(least)),
    };
    if alone == 0 {
        let smallest = people.before.first().map_or(people.alone_before.1, |group| group.0);
        return t!(RISK_BEFORE_NOBODY_ALONE, size = count(smallest), now = now);
    }
    n!(RISK_BEFORE_ALONE, alone, now = now)
}

#[cfg(test)]
mod tests {
    use lookalike_model::report::PersonsReport;

    use super::*;
    use crate::state::tests::finished;

    const BEFORE: [(usize, usize); 4] = [(1, 473), (2, 300), (4, 100), (7, 127)];
    const AFTER: [(usize, usize); 2] = [(4, 960), (5, 40)];

    fn people(before: &'static [(usize, usize)]) -> People<'static> {
        People { before, alone_before: (473, 1), after: &AFTER }
    }

    fn report(least: usize) -> Report {
        let mut report = finished(true).report;
        report.risk.smallest_group = least;
        report
    }

    #[test]
    fn nobody_who_is_published_stands_left_of_the_least_size() {
        let bins = bins(&BEFORE, &AFTER, 4);
        let labels: Vec<String> = bins.iter().map(Bin::label).collect();
        assert_eq!(labels, ["1", "2–3", "4", "5+"]);
        assert_eq!(bins.iter().map(|bin| bin.before).collect::<Vec<_>>(), [473, 300, 100, 127]);
        assert_eq!(bins.iter().map(|bin| bin.after).collect::<Vec<_>>(), [0, 0, 960, 40]);
    }

    #[test]
    fn everybody_is_in_one_bin_whatever_the_sizes() {
        for (least, largest) in [(1, 1), (2, 2), (12, 30), (1000, 30_000), (30_000, 40_000), (3, 1_000_000)] {
            let before: Vec<_> = (0..20).map(|at| (1 + at * at * at, 3)).collect();
            let after = [(least, 10), (largest, 7)];
            let bins = bins(&before, &after, least);
            assert!(bins.len() <= BINS, "{least} {largest}: {bins:?}");
            assert_eq!(bins.iter().map(|bin| bin.before).sum::<usize>(), 60);
            assert_eq!(bins.iter().map(|bin| bin.after).sum::<usize>(), 17);
            assert!(bins.iter().all(|bin| bin.from >= least || bin.after == 0), "{bins:?}");
            assert!(bins.iter().any(|bin| bin.from == least), "{bins:?}");
        }
        assert_eq!(bins(&[], &[(3, 6)], 3).iter().map(Bin::label).collect::<Vec<_>>(), ["1", "2", "3"]);
    }

    #[test]
    fn bars_stand_on_the_axis_side_by_side() {
        let bin = Bin { from: 1, to: Some(1), before: 5, after: 10 };
        let [before, after] = bars(2, &bin, 10.0);
        assert_eq!((before[1], before[3], after[1], after[3]), (50.0, 50.0, 0.0, 100.0));
        assert!(before[0] >= 20.0 && before[0] + before[2] <= after[0] && after[0] + after[2] <= 30.0);
    }

    #[test]
    fn the_finding_says_who_was_alone_and_who_is() {
        let all = "Before, 473 people were alone; now everybody in the table is among at least 4";
        assert_eq!(finding(&people(&BEFORE), &report(4)), all);
        // Where sizes before are not known, that much is.
        assert_eq!(finding(&people(&[]), &report(4)), all);
        assert_eq!(
            finding(&people(&[(2, 10), (9, 9)]), &report(4)),
            "Before, nobody was alone, but some were among 2; now everybody in the table is among at least 4"
        );
        let mut failed = report(1);
        failed.risk.uniques = 1;
        assert_eq!(
            finding(&people(&BEFORE), &failed),
            "Before, 473 people were alone; now 1 person is alone"
        );
        let mut fakes = report(4);
        fakes.changes.counterfeits = 3;
        let told = finding(&people(&BEFORE), &fakes);
        assert!(told.ends_with("now each is among at least 4 records, made-up ones included"), "{told}");
    }

    #[test]
    fn persons_are_compared_with_persons() {
        let mut report = report(3);
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
        let told = finding(&people(&BEFORE), &report);
        assert_eq!(told, "Before, 473 people were alone; now everybody in the table is among at least 3");
    }
}
