//! The numbers of counterfeits, which the literature publishes and this program does not unless it is told to.

use lookalike_model::ledger::Ledger;
use lookalike_table::write;

/// The counterfeits of each class of the last release, as CSV: `class,counterfeits`, classes as they are published.
#[must_use]
pub fn by_class(ledger: &Ledger) -> Vec<u8> {
    let counts = ledger.releases.last().map_or(&[][..], |release| release.counterfeits.as_slice());
    let rows: Vec<[String; 2]> = counts
        .iter()
        .zip(1..)
        .map(|(count, class): (&u32, u32)| [class.to_string(), count.to_string()])
        .collect();
    let header = ["class", "counterfeits"].map(String::from);
    write(&header, rows.iter().map(|row| row.iter().map(String::as_str)))
}
