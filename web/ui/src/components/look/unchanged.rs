//! Columns that are published unchanged: what an attacker gains who knows them.

use lookalike_model::{
    report::Report,
    unchanged::{Known, MinimalUniques},
};
use yew::{Html, html};

use crate::format::{count, odds, percent};

/// A heading and a table, the riskiest column first; nothing where no column is published unchanged.
pub(super) fn unchanged(report: &Report) -> Html {
    let Some(found) = &report.unchanged else { return html! {} };
    let lines =
        found.columns.iter().map(|column| line(&column.name, &column.known, Some(column.singled_out)));
    let together = (found.columns.len() > 1).then(|| line(t!(UNCHANGED_TOGETHER), &found.together, None));
    html! {
        <>
            <h3>{ t!(UNCHANGED_PUBLISHED_UNCHANGED) }</h3>
            <p>{ t!(UNCHANGED_ABOUT) }</p>
            <table id="unchanged" class="checks risks">
                <caption class="unseen">{ t!(UNCHANGED_PUBLISHED_UNCHANGED) }</caption>
                <thead>
                    <tr>
                        <th scope="col">{ t!(UNCHANGED_KNOWN) }</th>
                        <th scope="col" class="number">{ t!(UNCHANGED_UNIQUE_BEFORE) }</th>
                        <th scope="col" class="number">{ t!(UNCHANGED_UNIQUE_AFTER) }</th>
                        <th scope="col" class="number">{ t!(UNCHANGED_HIGHEST) }</th>
                        <th scope="col" class="number">{ t!(UNCHANGED_MEAN) }</th>
                        <th scope="col" class="number">{ t!(UNCHANGED_WORST_MEAN) }</th>
                        <th scope="col" class="number">{ t!(UNCHANGED_CERTAIN) }</th>
                        <th scope="col" class="number">{ t!(UNCHANGED_TOLD) }</th>
                        <th scope="col" class="number">{ t!(UNCHANGED_ALONE) }</th>
                    </tr>
                </thead>
                <tbody>{ for lines }{ for together }</tbody>
            </table>
            <p class="hint">{ minimal(&found.minimal_uniques) }</p>
        </>
    }
}

fn line(name: &str, known: &Known, alone: Option<usize>) -> Html {
    let cells = [
        count(known.unique_before),
        count(known.unique_after),
        odds(known.highest),
        percent(100.0 * known.mean),
        percent(100.0 * known.highest_mean),
        certain(known),
        known.told_values.map_or_else(nothing, count),
        alone.map_or_else(nothing, count),
    ];
    html! {
        <tr>
            <th scope="row">{ name }</th>
            { for cells.into_iter().map(|cell| html! { <td class="number">{ cell }</td> }) }
        </tr>
    }
}

fn nothing() -> String {
    String::from("-")
}

/// Groups with a row that is found for certain, of all.
fn certain(known: &Known) -> String {
    let with = known.classes.first().filter(|at| at.highest >= 1.0).map_or(0, |at| at.classes);
    let all = known.classes.iter().map(|at| at.classes).sum();
    t!(UNCHANGED_OF, part = count(with), all = count(all))
}

/// Rows that are alone by unchanged cells, by how many columns that takes.
fn minimal(found: &MinimalUniques) -> String {
    let sizes: Vec<String> = (found.rows.iter().zip(1..))
        .map(|(&rows, columns)| t!(UNCHANGED_BY, rows = count(rows), columns = count(columns)))
        .collect();
    t!(UNCHANGED_MINIMAL, sizes = sizes.join(", "), largest = count(found.largest_set))
}

#[cfg(test)]
mod tests {
    use lookalike_model::unchanged::ClassesAt;

    use super::*;

    #[test]
    fn groups_and_sizes_in_words() {
        let at = |highest, classes| ClassesAt { highest, classes };
        let known = |classes: &[ClassesAt]| Known { classes: classes.to_vec(), ..Known::default() };
        assert_eq!(certain(&known(&[at(1.0, 1200), at(0.5, 30)])), "1,200 of 1,230");
        assert_eq!(certain(&known(&[at(0.5, 30)])), "0 of 30");
        let found = MinimalUniques { largest_set: 3, rows: vec![5, 1234, 0] };
        let said = minimal(&found);
        assert!(said.contains("5 (columns: 1), 1,234 (columns: 2), 0 (columns: 3)"), "{said}");
        assert!(said.contains("up to 3"), "{said}");
    }
}
