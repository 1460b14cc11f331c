//! Risks of the original, and of what is published.

use lookalike_model::{report::Risk, threshold::ThresholdSource};
use lookalike_words::Message as _;
use yew::{Html, html};

use crate::{
    components::{PageProps, browse, fields::more},
    form::{Role, RowsChoice},
    format::{count, list, number, odds, percent},
    texts::told,
};

/// What every row of the open table is exposed to, before anything is done.
pub(crate) fn raw(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some((_, quasi, threshold)) = state.risk_question() else {
        return html! { <p class="quiet">{ t!(RISK_CHOOSE_KNOWN) }</p> };
    };
    let chosen = state.choices.iter().any(|choice| choice.role == Role::Quasi);
    let known =
        state.look.risk.as_deref().filter(|known| known.answers(&quasi, threshold)).map(|known| &known.risk);
    let window = state.browse.shown.as_ref().and_then(|shown| shown.rows.as_ref().ok());
    let rarity = window.and_then(|window| window.rarity.as_ref());
    html! {
        <div id="raw-risk" role="status" data-uniques={match known { Some(Ok(risk)) => risk.uniques.to_string(), _ => String::new() }}>
            { match (known, &state.table) {
                (Some(Ok(risk)), Some(table)) => html! {
                    <>
                        <p>
                            if !chosen { <em id="if-accepted">{ t!(FOUND_IF_ACCEPTED) }</em>{ " " } }
                            { finding(risk, table.rows, &quasi) }
                        </p>
                        if state.form.rows_are == RowsChoice::OfPersons { <p id="rows-not-people" class="amber">{ t!(RISK_NOT_PEOPLE) }</p> }
                        { for rarity.map(browse::found) }
                        { more("more-raw-risk", t!(FOUND_MORE), table_of(&[(t!(RISK_FILE_AS), risk)])) }
                    </>
                },
                (Some(Err(why)), _) => html! { <p class="hint">{ told(why) }</p> },
                _ => html! { <p>{ t!(RISK_COUNTING) }</p> },
            } }
        </div>
    }
}

/// Before and after. Where persons may have several rows, these are counted after, and rows before.
pub(super) fn both(before: &Risk, after: &Risk, persons: bool) -> Html {
    let (first, second) = if persons {
        (t!(RISK_BEFORE_ROWS), t!(RISK_AFTER_PERSONS))
    } else {
        (t!(RISK_BEFORE), t!(RISK_AFTER))
    };
    html! { <div id="risks">{ table_of(&[(first, before), (second, after)]) }</div> }
}

fn finding(risk: &Risk, rows: usize, quasi: &[String]) -> String {
    let known: Vec<&str> = quasi.iter().map(String::as_str).collect();
    n!(RISK_UNIQUES, risk.uniques, rows = count(rows), known = list(&known))
}

/// Name and figure, in words that say for whom.
type Line = (fn(&Risk) -> String, fn(&Risk) -> String);

const LINES: [Line; 5] = [
    (|_| t!(RISK_ROWS_ALONE_WITH_THEIR).to_owned(), |risk| count(risk.uniques)),
    (|_| t!(RISK_ROWS_SMALLEST_GROUP).to_owned(), |risk| count(risk.smallest_group)),
    (|_| t!(RISK_PROSECUTOR_WHO_KNOWS_PERSON).to_owned(), |risk| odds(risk.prosecutor.highest)),
    // No population is known to the page.
    (
        |risk| t!(RISK_JOURNALIST_WHO_DOES_NOT, threshold = number(risk.threshold)),
        |risk| {
            format!("{} ({})", count(risk.journalist.at_risk), percent(100.0 * risk.journalist.at_risk_share))
        },
    ),
    (|_| t!(RISK_MARKETER_WHO_MATCHES_ALL).to_owned(), |risk| percent(100.0 * risk.marketer)),
];

fn table_of(columns: &[(&'static str, &Risk)]) -> Html {
    html! {
        <>
        <table class="checks risks">
            <caption class="unseen">{ t!(RISK_RISKS) }</caption>
            <thead>
                <tr>
                    <th scope="col">{ t!(RISK_FOR_ATTACKER_WHO_KNOWS) }</th>
                    { for columns.iter().map(|(name, _)| html! { <th scope="col" class="number">{ *name }</th> }) }
                </tr>
            </thead>
            <tbody>
                { for LINES.iter().map(|(name, figure)| html! {
                    <tr>
                        <th scope="row">{ columns.first().map(|(_, risk)| name(risk)).unwrap_or_default() }</th>
                        { for columns.iter().map(|(_, risk)| html! { <td class="number">{ figure(risk) }</td> }) }
                    </tr>
                }) }
            </tbody>
        </table>
        if let Some((_, risk)) = columns.first() {
            <p class="hint threshold">
                { t!(RISK_THRESHOLD_OF, threshold = number(risk.threshold)) }{ " " }
                { told(&ThresholdSource::of(risk.threshold).said()) }{ "." }
            </p>
        }
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniques_are_said_with_what_is_known_of_them() {
        let known = ["sex", "age", "postcode"].map(String::from);
        let told = |uniques| finding(&Risk { uniques, ..Risk::default() }, 1000, &known);
        assert!(
            told(473).starts_with("473 of 1,000 rows are the only ones with their sex, age and postcode."),
            "{}",
            told(473)
        );
        assert!(
            told(1).starts_with("1 of 1,000 rows is the only one with its sex, age and postcode."),
            "{}",
            told(1)
        );
    }

    #[test]
    fn the_journalist_names_the_threshold_and_the_attacker_he_stands_for() {
        let risk = Risk { threshold: 0.2, ..Risk::default() };
        let names: Vec<String> = LINES.iter().map(|(name, _)| name(&risk)).collect();
        assert!(names[3].contains("above 0.2") && names[3].contains("as the prosecutor"), "{names:?}");
        assert!(names[4].ends_with("at most"), "{names:?}");
    }
}
