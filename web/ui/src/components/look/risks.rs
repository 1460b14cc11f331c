//! Risks of the original, and of what is published.

use lookalike_model::{comparison::Rarity, report::Risk, threshold::ThresholdSource};
use lookalike_words::Message as _;
use yew::{Html, html};

use crate::{
    components::{PageProps, browse, fields::more},
    form::Role,
    format::{count, list, number, odds, percent},
    texts::told,
};

/// What everybody in the open table is exposed to, before anything is done.
pub(crate) fn raw(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some((_, by, threshold)) = state.risk_question() else {
        return html! { <p class="quiet">{ t!(RISK_CHOOSE_KNOWN) }</p> };
    };
    let chosen = state.choices.iter().any(|choice| choice.role == Role::Quasi);
    let known =
        state.look.risk.as_deref().filter(|known| known.answers(&by, threshold)).map(|known| &known.risk);
    // Rows of the same columns, counted alike.
    let window = (state.browse.shown.as_ref())
        .filter(|shown| shown.by.person == by.person)
        .and_then(|shown| shown.rows.as_ref().ok());
    let rarity = window.and_then(|window| window.rarity.as_ref());
    let counted = Counted::of(by.person.is_some());
    html! {
        <div id="raw-risk" role="status" data-uniques={match known { Some(Ok(risk)) => risk.uniques.to_string(), _ => String::new() }}>
            { match (known, &state.table) {
                (Some(Ok(risk)), Some(table)) => html! {
                    <>
                        <p>
                            if !chosen { <em id="if-accepted">{ t!(FOUND_IF_ACCEPTED) }</em>{ " " } }
                            { match (counted, rarity) {
                                (Counted::Rows, _) => finding(risk, table.rows, &by.quasi),
                                (Counted::People, rarity) => people(risk, rarity, &by.quasi),
                            } }
                        </p>
                        { for rarity.map(browse::found) }
                        { more("more-raw-risk", t!(FOUND_MORE), table_of(&[(t!(RISK_FILE_AS), risk)], counted)) }
                    </>
                },
                (Some(Err(why)), _) => html! { <p class="hint">{ told(why) }</p> },
                _ => html! { <p>{ t!(RISK_COUNTING) }</p> },
            } }
        </div>
    }
}

/// Before and after.
pub(super) fn both(before: &Risk, after: &Risk, persons: bool) -> Html {
    let columns = [(t!(RISK_BEFORE), before), (t!(RISK_AFTER), after)];
    html! {
        <div id="risks">
            { table_of(&columns, Counted::of(persons)) }
            if let Some(why) = more_at_risk(before, after, persons) { <p class="hint">{ why }</p> }
        </div>
    }
}

/// Why more are above the threshold than before, and what to ask for so that none is.
pub(super) fn more_at_risk(before: &Risk, after: &Risk, persons: bool) -> Option<String> {
    let (was, is) = (before.journalist.at_risk, after.journalist.at_risk);
    let rises = is > was && after.threshold > 0.0;
    let of = |n| if persons { n!(N_PERSON, n) } else { n!(N_ROW, n) };
    // The least size of a group whose probability is not above the threshold.
    let enough = (1.0 / after.threshold - 1e-9).ceil() as usize;
    rises.then(|| {
        t!(
            RISK_MORE_AT_RISK,
            threshold = number(after.threshold),
            after = of(is),
            before = count(was),
            k = count(enough)
        )
    })
}

/// What the figures count: people, where one may have several rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    Rows,
    People,
}

impl Counted {
    const fn of(persons: bool) -> Self {
        if persons { Self::People } else { Self::Rows }
    }
}

fn finding(risk: &Risk, rows: usize, quasi: &[String]) -> String {
    let known: Vec<&str> = quasi.iter().map(String::as_str).collect();
    if risk.uniques == 0 {
        return t!(RISK_UNIQUES_NONE, known = list(&known), rows = count(rows));
    }
    n!(RISK_UNIQUES, risk.uniques, rows = count(rows), known = list(&known))
}

/// The same of people with several rows; of how many is known once they have been counted.
fn people(risk: &Risk, rarity: Option<&Rarity>, quasi: &[String]) -> String {
    let known: Vec<&str> = quasi.iter().map(String::as_str).collect();
    if risk.uniques == 0 {
        return t!(RISK_UNIQUE_PEOPLE_NONE, known = list(&known));
    }
    match rarity {
        Some(Rarity { alone, few, many }) => {
            let all = n!(N_PERSON, alone + few + many);
            n!(RISK_UNIQUE_PEOPLE_OF, risk.uniques, people = all, known = list(&known))
        }
        None => n!(RISK_UNIQUE_PEOPLE, risk.uniques, known = list(&known)),
    }
}

/// Name and figure, in words that say for whom and of what.
type Line = (fn(&Risk, Counted) -> String, fn(&Risk) -> String);

const LINES: [Line; 5] = [
    (
        |_, counted| {
            let text = match counted {
                Counted::Rows => t!(RISK_ROWS_ALONE_WITH_THEIR),
                Counted::People => t!(RISK_PEOPLE_ALONE),
            };
            text.to_owned()
        },
        |risk| count(risk.uniques),
    ),
    (
        |_, counted| {
            let text = match counted {
                Counted::Rows => t!(RISK_ROWS_SMALLEST_GROUP),
                Counted::People => t!(RISK_PEOPLE_SMALLEST_GROUP),
            };
            text.to_owned()
        },
        |risk| count(risk.smallest_group),
    ),
    (
        |_, counted| {
            let text = match counted {
                Counted::Rows => t!(RISK_PROSECUTOR_WHO_KNOWS_PERSON),
                Counted::People => t!(RISK_PROSECUTOR_PEOPLE),
            };
            text.to_owned()
        },
        |risk| odds(risk.prosecutor.highest),
    ),
    // No population is known to the page.
    (
        |risk, counted| match counted {
            Counted::Rows => t!(RISK_JOURNALIST_WHO_DOES_NOT, threshold = number(risk.threshold)),
            Counted::People => t!(RISK_JOURNALIST_PEOPLE, threshold = number(risk.threshold)),
        },
        |risk| {
            format!("{} ({})", count(risk.journalist.at_risk), percent(100.0 * risk.journalist.at_risk_share))
        },
    ),
    (
        |_, counted| {
            let text = match counted {
                Counted::Rows => t!(RISK_MARKETER_WHO_MATCHES_ALL),
                Counted::People => t!(RISK_MARKETER_PEOPLE),
            };
            text.to_owned()
        },
        |risk| percent(100.0 * risk.marketer),
    ),
];

fn table_of(columns: &[(&'static str, &Risk)], counted: Counted) -> Html {
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
                        <th scope="row">{ columns.first().map(|(_, risk)| name(risk, counted)).unwrap_or_default() }</th>
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
        assert_eq!(
            told(0),
            "No row is the only one with its sex, age and postcode: each of the 1,000 rows shares them with another."
        );
    }

    #[test]
    fn people_with_several_rows_are_counted_and_not_their_rows() {
        let known = ["sex", "age"].map(String::from);
        let risk = Risk { uniques: 12, ..Risk::default() };
        let rarity = Rarity { alone: 12, few: 20, many: 8 };
        assert_eq!(
            people(&risk, Some(&rarity), &known),
            "12 of 40 people have a row whose sex and age nobody else has. An attacker who knows that of a person finds the person."
        );
        assert!(people(&risk, None, &known).starts_with("12 people have a row whose "));
        let nobody = Rarity { alone: 0, few: 32, many: 8 };
        let none = people(&Risk::default(), Some(&nobody), &known);
        assert!(none.starts_with("Nobody has a row ") && !none.contains("finds"), "{none}");
        let names: Vec<String> = LINES.iter().map(|(name, _)| name(&risk, Counted::People)).collect();
        assert!(
            !names.iter().any(|name| name.starts_with("Rows") || name.contains("rows with")),
            "{names:?}"
        );
    }

    #[test]
    fn a_figure_that_rises_says_why() {
        let of = |at_risk, threshold| {
            let mut risk = Risk { threshold, ..Risk::default() };
            risk.journalist.at_risk = at_risk;
            risk
        };
        let why = more_at_risk(&of(946, 0.2), &of(976, 0.2), false).unwrap();
        assert!(why.starts_with("Above the risk threshold of 0.2: 976 rows, before 946."), "{why}");
        assert!(why.ends_with("Ask for groups of at least 5 to have none above it."), "{why}");
        assert!(
            more_at_risk(&of(946, 1.0 / 3.0), &of(976, 1.0 / 3.0), true).unwrap().contains("at least 3 ")
        );
        assert_eq!(more_at_risk(&of(976, 0.2), &of(946, 0.2), false), None);
    }

    #[test]
    fn the_journalist_names_the_threshold_and_the_attacker_he_stands_for() {
        let risk = Risk { threshold: 0.2, ..Risk::default() };
        let names: Vec<String> = LINES.iter().map(|(name, _)| name(&risk, Counted::Rows)).collect();
        assert!(names[3].contains("above 0.2") && names[3].contains("as the prosecutor"), "{names:?}");
        assert!(names[4].ends_with("at most"), "{names:?}");
    }
}
