//! Risks of the original, and of what is published.

use lookalike_wire::report::Risk;
use yew::{Html, html};

use crate::{
    components::PageProps,
    format::{count, counted, odds, percent},
};

/// What every row of the open table is exposed to, before anything is done.
pub(crate) fn raw(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some((_, quasi)) = state.risk_question() else { return html! {} };
    let known = state.look.risk.as_deref().filter(|known| known.quasi == quasi).map(|known| &known.risk);
    html! {
        <div id="raw-risk" role="status" data-uniques={match known { Some(Ok(risk)) => risk.uniques.to_string(), _ => String::new() }}>
            { match (known, &state.table) {
                (Some(Ok(risk)), Some(table)) => html! {
                    <>
                        <p>{ finding(risk, table.rows) }</p>
                        { table_of(&[("In the file as it is", risk)]) }
                    </>
                },
                (Some(Err(why)), _) => html! { <p class="hint">{ why }</p> },
                _ => html! { <p>{ "Counting ..." }</p> },
            } }
        </div>
    }
}

/// Before and after.
pub(super) fn both(before: &Risk, after: &Risk) -> Html {
    html! { <div id="risks">{ table_of(&[("Before", before), ("After", after)]) }</div> }
}

fn finding(risk: &Risk, rows: usize) -> String {
    let share = if rows > 0 { 100.0 * risk.uniques as f64 / rows as f64 } else { 0.0 };
    format!(
        "As the file is, {} ({}) are the only ones with their quasi-identifiers: whoever knows these of a person finds the \
         person's row.",
        counted(risk.uniques, "row", "rows"),
        percent(share)
    )
}

/// Name and figure, in words that say for whom.
type Line = (&'static str, fn(&Risk) -> String);

const LINES: [Line; 5] = [
    ("Rows alone with their quasi-identifiers", |risk| count(risk.uniques)),
    ("Rows of the smallest group", |risk| count(risk.smallest_group)),
    ("Prosecutor, who knows that a person is in it: the most exposed row", |risk| {
        odds(risk.prosecutor.highest)
    }),
    ("Journalist, who does not know it: rows above the threshold", |risk| {
        format!("{} ({})", count(risk.journalist.at_risk), percent(100.0 * risk.journalist.at_risk_share))
    }),
    ("Marketer, who matches all: rows matched rightly", |risk| percent(100.0 * risk.marketer)),
];

fn table_of(columns: &[(&'static str, &Risk)]) -> Html {
    html! {
        <table class="checks risks">
            <caption class="unseen">{ "Risks" }</caption>
            <thead>
                <tr>
                    <th scope="col">{ "For an attacker who knows the quasi-identifiers" }</th>
                    { for columns.iter().map(|(name, _)| html! { <th scope="col" class="number">{ *name }</th> }) }
                </tr>
            </thead>
            <tbody>
                { for LINES.iter().map(|(name, figure)| html! {
                    <tr>
                        <th scope="row">{ *name }</th>
                        { for columns.iter().map(|(_, risk)| html! { <td class="number">{ figure(risk) }</td> }) }
                    </tr>
                }) }
            </tbody>
        </table>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniques_are_said_with_their_share() {
        let risk = Risk { uniques: 3, ..Risk::default() };
        assert!(finding(&risk, 12).starts_with("As the file is, 3 rows (25 %) are the only ones"));
        assert!(finding(&Risk::default(), 0).contains("0 rows (0 %)"));
    }
}
