//! The comparison as a page.

use std::fmt::Write as _;

use super::{
    compare::{Attack, Compared, KINDS, Rate},
    tables::Case,
};
use crate::write::line;

/// What differs by definition, beside what each tool draws.
const DIFFERENCES: &[&str] = &[
    "*Equal distances* are broken at random here, anew for each search. The package takes them in the order of its sort, the same for both parts of a person: \
     where many published rows are equally near, as with labels alone, both parts lead to the same row more often than rows can be told apart. The first table has the package with \
     equal distances broken at random, the second as it is.",
    "*Rows that are alike*: the package leaves out repeated rows of each table before it singles out, so that a predicate may hold for several \
     people with the same cells. Here a predicate singles out if it holds for one record. A bootstrap repeats rows.",
    "*Attacks that cannot be made*: where fewer predicates can be made than asked for, the package divides successes by the number asked for; here \
     by the number made, which is given. Both are divided by the number made in these tables.",
    "*A control of another size*: here the successes of predicates are extrapolated by the model of the paper, fitted to their exact expectation in parts of the control, and a larger control \
     is thinned exactly. Version 1.1.0 of the package fits the model to the number of predicates in place of their successes, so that its factor is (control + 1) / (original + 1) whatever \
     they are: in `fars-swapped` about a half, where the successes grow. A control of 4,000 rows of the same file, which needs no factor, has 22 %.",
    "*Numbers*: the package divides the difference by the guess, here by the true value.",
    "*Naive attacks* draw values, columns and comparisons at random in both; the package's predicates on labels hold for missing ones, ours do not. Its naive guess of a person's secret is \
     that of the published row with the person's number, if that row was drawn, else none: with fewer attacks than published rows some guesses are missing, and where published rows have the order of the \
     original the guess is the person's own row. The tables here are shuffled. The package draws naive links without its seed.",
    "*Generalised cells*: the package takes `20-29` as one more label, so that they are not compared here.",
];

/// Markdown: versions, rates of both tools, and what differs.
pub(super) fn page(versions: &str, tables: &[(&Case, Vec<Compared>)]) -> String {
    let all = || tables.iter().flat_map(|(_, compared)| compared);
    let pairs = || all().flat_map(|of| of.ours.rates.into_iter().zip(of.theirs.rates));
    let agreeing = pairs().filter(|(ours, theirs)| ours.agrees(*theirs)).count();
    let meeting = pairs().filter(|(ours, theirs)| ours.meets(*theirs)).count();
    let mut text = format!(
        "# `lookalike check --attacks` and Anonymeter on five published tables\n\n\
         Made by `cargo xtask experiments anonymeter` with {versions} and lookalike {}. The command installs Anonymeter, draws original and \
         control as different rows of public tables, makes a published table of each original, and attacks it with both tools by the same \
         columns, as often as there are rows of the smaller of the two.\n\n\
         **Of {} pairs of rates {agreeing} lie within each other's 95 % interval, and {meeting} have intervals that meet.** What is left to chance is which predicates are \
         drawn, equal distances and guesses: of two rates that are drawn independently about one pair in six differs by more than the one interval or the other by chance alone.\n\n",
        env!("CARGO_PKG_VERSION"),
        pairs().count(),
    );
    for (case, _) in tables {
        let (original, control) = case.rows;
        let _ = writeln!(
            text,
            "* `{}`: {}; {original} rows, control {control}; {} linked with {}; secret {}.",
            case.name,
            case.about,
            case.first.join(", "),
            case.second.join(", "),
            case.secret
        );
    }
    text.push_str("\nRates in percent with their intervals; in brackets the attacks that were made, where these are fewer. *Within*: each rate lies in the other's interval; *meet*: the intervals have \
         a rate in common; *apart*: they have none.\n\n");
    let header = ["table", "attack", "on", "here", "Anonymeter", "agreement"];
    table(&mut text, &header, tables.iter().flat_map(|(case, compared)| rows(case, compared)));
    text.push_str("\nAttacks by distance with equal distances broken as the package does it:\n\n");
    let header = ["table", "attack", "on", "here", "Anonymeter as it is"];
    table(&mut text, &header, tables.iter().flat_map(|(case, compared)| sorted_rows(case, compared)));
    text.push_str("\nWhat differs by definition:\n\n");
    for difference in DIFFERENCES {
        let _ = writeln!(text, "* {difference}");
    }
    text
}

fn table(text: &mut String, header: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let _ = writeln!(text, "{}", line(header.iter().copied()));
    let _ = writeln!(text, "{}", line(header.iter().map(|_| "---")));
    for row in rows {
        let _ = writeln!(text, "{}", line(row.iter().map(String::as_str)));
    }
}

fn rows<'a>(case: &'a Case, compared: &'a [Compared]) -> impl Iterator<Item = Vec<String>> + 'a {
    compared.iter().flat_map(move |of| {
        (0..KINDS.len()).map(move |at| {
            let (ours, theirs) = (of.ours.rates[at], of.theirs.rates[at]);
            let agree = match (ours.agrees(theirs), ours.meets(theirs)) {
                (true, _) => "within",
                (false, true) => "meet",
                _ => "apart",
            };
            let start = cells(case, of.ours.attack, at);
            start.into_iter().chain([rate(ours, case), rate(theirs, case), agree.to_owned()]).collect()
        })
    })
}

fn sorted_rows<'a>(case: &'a Case, compared: &'a [Compared]) -> impl Iterator<Item = Vec<String>> + 'a {
    let sorted = compared.iter().filter_map(|of| Some((of, of.sorted.as_ref()?)));
    sorted.flat_map(move |(of, sorted)| {
        // The naive attack knows no distance.
        (0..2).map(move |at| {
            let start = cells(case, of.ours.attack, at);
            start.into_iter().chain([rate(of.ours.rates[at], case), rate(sorted.rates[at], case)]).collect()
        })
    })
}

fn cells(case: &Case, attack: Attack, at: usize) -> [String; 3] {
    [case.name.to_owned(), attack.name().to_owned(), KINDS[at].to_owned()]
}

fn rate(rate: Rate, case: &Case) -> String {
    let (low, high) = rate.interval();
    let percent = |x: f64| format!("{:.1}", 100.0 * x);
    let fewer = rate.attacks < case.attacks() as f64;
    let made = if fewer { format!(" [{}]", rate.attacks) } else { String::new() };
    format!("{} ({} to {}){made}", percent(rate.share()), percent(low), percent(high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anonymeter::{compare::Found, tables};

    #[test]
    fn rates_stand_beside_each_other() {
        let cases = tables::cases();
        let found = |successes: f64, drawn| Found {
            table: cases[0].name.to_owned(),
            attack: Attack::Linkability,
            drawn,
            rates: [Rate::new(1000.0, successes), Rate::new(1000.0, 10.0), Rate::new(500.0, 0.0)],
        };
        let compared = Compared {
            ours: found(500.0, true),
            theirs: found(600.0, true),
            sorted: Some(found(900.0, false)),
        };
        let text = page("anonymeter 1", &[(&cases[0], vec![compared])]);
        for wanted in [
            "| adult-bootstrap | linkability | main | 50.0 (46.9 to 53.1) | 60.0 (56.9 to 63.0) | apart |",
            "| adult-bootstrap | linkability | naive | 0.0 (0.0 to 0.8) [500] | 0.0 (0.0 to 0.8) [500] | within |",
            "| adult-bootstrap | linkability | main | 50.0 (46.9 to 53.1) | 90.0 (88.0 to 91.7) |",
        ] {
            assert!(text.lines().any(|line| line == wanted), "{wanted}\n{text}");
        }
        assert!(text.contains("Of 3 pairs of rates 2 lie within"));
    }
}
