//! What counterfeits and deletions disclose, in words and as JSON.

mod line;

use std::fmt::Write as _;

use lookalike_model::{
    assessment::{Disclosure, Informed, RepairDisclosure, RepairDisclosures},
    report::Report,
};
use lookalike_words::Figure;

use self::line::{Disclosed, Part};

/// What each way would disclose, for each m that needs a repair; empty if none does.
pub(crate) fn table(rows: &[(u64, RepairDisclosures)]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\nHow surely an attacker who knows the counts and how records are repaired, but not who else is in a class, would tell \
         the value of a person, who is in a class (present) or was deleted (absent):\n    m      1/m  additions  deletions: absent  hybrid: present  absent\n",
    );
    let number = |x: Option<f64>| x.map_or(String::from("-"), |x| format!("{x:.4}"));
    for (m, ways) in rows {
        let present = |way: Option<RepairDisclosure>| number(way.map(|told| told.present));
        let absent = |way: Option<RepairDisclosure>| number(way.and_then(|told| told.absent));
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{m:>5}  {:>7}  {:>9}  {:>17}  {:>15}  {:>6}",
            format!("{:.4}", 1.0 / *m as f64),
            present(ways.add),
            absent(ways.delete),
            present(ways.hybrid),
            absent(ways.hybrid),
        );
    }
    text
}

/// How many records of the classes would be real under each way that adds counterfeits; empty if nothing is changed.
pub(crate) fn real(rows: &[(u64, RepairDisclosures)]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\nReal records of the poorest class, and classes with a single real record (from the worst to the best classes that \
         the changes allow):\n    m  additions: least         single  deletions: least  single  hybrid: least         single\n",
    );
    let least = |told: Option<RepairDisclosure>| {
        told.and_then(|told| told.real).map_or(String::from("-"), |r| span(r.least, r.least_at_best))
    };
    let single = |told: Option<RepairDisclosure>| {
        told.and_then(|told| told.real).map_or(String::from("-"), |r| span(r.single_at_most, r.single))
    };
    for (m, ways) in rows {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{m:>5}  {:>16}  {:>13}  {:>16}  {:>6}  {:>13}  {:>13}",
            least(ways.add),
            single(ways.add),
            least(ways.delete),
            single(ways.delete),
            least(ways.hybrid),
            single(ways.hybrid),
        );
    }
    text
}

/// `3 to 7`, or `3`.
fn span(worst: u64, best: u64) -> String {
    if worst == best { worst.to_string() } else { format!("{worst} to {best}") }
}

/// One line about a repaired table; none if nothing is disclosed beyond 1/m.
pub(crate) fn line(disclosure: &Disclosure) -> Option<Disclosed> {
    let mut parts = Vec::new();
    if disclosure.above > 0 {
        parts.push(Part::Above {
            records: disclosure.above,
            promised: Figure::fixed(disclosure.promised, 4),
            worst: Figure::fixed(disclosure.present, 4),
            real: disclosure.certainly_real,
        });
    }
    parts.extend(disclosure.absent_values.map(|values| match values {
        1 => Part::OneValue,
        values => Part::Values { values },
    }));
    (!parts.is_empty()).then_some(Disclosed::Line { parts })
}

/// One line for the data holder alone; none if nothing was changed, or where there is no such figure.
pub(crate) fn informed(report: &Report, informed: &Informed) -> Option<Disclosed> {
    if report.changes.counterfeits + report.changes.deletions == 0 {
        return None;
    }
    let four = |x: f64| Figure::fixed(x, 4);
    Some(Disclosed::ForYou { present: four(informed.present?), absent: informed.absent.map(four) })
}
