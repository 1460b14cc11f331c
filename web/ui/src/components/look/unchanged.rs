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
    let words = if report.persons.is_some() { of_persons() } else { of_rows() };
    let figures = words.figures.into_iter();
    html! {
        <>
            <h3>{ t!(UNCHANGED_PUBLISHED_UNCHANGED) }</h3>
            <p>{ words.about }</p>
            <table id="unchanged" class="checks risks">
                <caption class="unseen">{ t!(UNCHANGED_PUBLISHED_UNCHANGED) }</caption>
                <thead>
                    <tr>
                        <th scope="col">{ t!(UNCHANGED_KNOWN) }</th>
                        { for figures.map(|figure| html! { <th scope="col" class="number">{ figure }</th> }) }
                    </tr>
                </thead>
                <tbody>{ for lines }{ for together }</tbody>
            </table>
            <p class="hint">{ minimal(&found.minimal_uniques, report.persons.is_some()) }</p>
        </>
    }
}

/// What the figures are of.
struct Words {
    about: &'static str,
    figures: [&'static str; 8],
}

fn of_rows() -> Words {
    Words {
        about: t!(UNCHANGED_ABOUT),
        figures: [
            t!(UNCHANGED_UNIQUE_BEFORE),
            t!(UNCHANGED_UNIQUE_AFTER),
            t!(UNCHANGED_HIGHEST),
            t!(UNCHANGED_MEAN),
            t!(UNCHANGED_WORST_MEAN),
            t!(UNCHANGED_CERTAIN),
            t!(UNCHANGED_TOLD),
            t!(UNCHANGED_ALONE),
        ],
    }
}

/// Where persons may have several rows.
fn of_persons() -> Words {
    Words {
        about: t!(UNCHANGED_ABOUT_PERSONS),
        figures: [
            t!(UNCHANGED_UNIQUE_BEFORE_PERSONS),
            t!(UNCHANGED_UNIQUE_AFTER_PERSONS),
            t!(UNCHANGED_HIGHEST_PERSONS),
            t!(UNCHANGED_MEAN_PERSONS),
            t!(UNCHANGED_WORST_MEAN),
            t!(UNCHANGED_CERTAIN_PERSONS),
            t!(UNCHANGED_TOLD_PERSONS),
            t!(UNCHANGED_ALONE_PERSONS),
        ],
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

/// Rows, or persons, that are alone by unchanged cells, by how many columns that takes.
fn minimal(found: &MinimalUniques, persons: bool) -> String {
    let sizes: Vec<String> = (found.rows.iter().zip(1..))
        .map(|(&rows, columns)| t!(UNCHANGED_BY, rows = count(rows), columns = count(columns)))
        .collect();
    let (sizes, largest) = (sizes.join(", "), count(found.largest_set));
    if persons {
        t!(UNCHANGED_MINIMAL_PERSONS, sizes = sizes, largest = largest)
    } else {
        t!(UNCHANGED_MINIMAL, sizes = sizes, largest = largest)
    }
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
        let said = minimal(&found, true);
        assert!(said.starts_with("People with a row"), "{said}");
        let said = minimal(&found, false);
        assert!(said.contains("5 (columns: 1), 1,234 (columns: 2), 0 (columns: 3)"), "{said}");
        assert!(said.contains("up to 3"), "{said}");
    }
}
