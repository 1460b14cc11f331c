//! What a statement says of the series that a release is one of. Its figures are exact, as those of the whole statement: some of them would tell
//! where counterfeits are, and stand in no report.

use lookalike_model::{
    document::{Part, Table},
    ledger::SeriesAudit,
    report::{Private, Report},
    statement::SeriesFacts,
};
use lookalike_words::{AsArg as _, Figure, messages};

use super::{StatementColumn, short};

messages! {
    in "core";

    /// A release and its series.
    enum StatementSeries {
        /// The number of the release.
        Number,
        /// Its mode.
        Mode,
        /// What takes the places of people who left.
        Places,
        /// The digest of the ledger before.
        LedgerBefore,
        /// There was none.
        Begins,
        /// The digest of the ledger after.
        LedgerAfter,
        /// What chains all releases.
        Link,
        /// What was found in all releases together.
        Together,
        /// All checks hold.
        Hold {
            /// How many releases.
            releases: usize,
            /// How many checks.
            checks: usize,
            /// Whether the tables before were compared, too.
            sources: bool,
        },
        /// That was not asked for.
        NotAsked,
        /// The digest of a published table.
        TableOf {
            /// The number of its release.
            release: usize,
        },
        /// The attacker against whom the promise holds.
        Attacker,
        /// This attacker's greatest belief.
        Belief,
        /// One value among so many.
        OneOf {
            /// How many.
            values: usize,
            /// The probability.
            belief: Figure,
        },
        /// The greatest belief of one who also knew the numbers of counterfeits.
        BeliefWithCounts,
        /// Fewest real people of a class.
        FewestReal,
        /// People whose value changed.
        Changed,
        /// What is left of them to an attacker who believes that values never change.
        LeftOf {
            /// How many people.
            people: usize,
            /// Fewest values that are left.
            fewest: usize,
            /// Of how many one value is left.
            one: usize,
        },
        /// Nobody.
        Nobody,
    }
}

/// The same as data; `None` for a table that is released once.
pub(super) fn facts(report: &Report, private: &Private) -> Option<SeriesFacts> {
    let place = report.series?;
    let updates = private.series.unwrap_or_default();
    // Each value once in a class, counterfeits among them: the smallest class has the fewest values.
    let fewest_values = report.classes.min_size;
    let counterfeits = report.changes.counterfeits > 0;
    let informed = private.informed.filter(|_| counterfeits);
    Some(SeriesFacts {
        release: place.release,
        mode: place.mode,
        vacancies: place.vacancies,
        ledger_before: private.ledger_before.clone(),
        ledger_after: private.ledger_after.clone(),
        chain: private.chain.clone(),
        attacker: report.against.clone(),
        fewest_values,
        belief: 1.0 / fewest_values.max(1) as f64,
        belief_with_counts: informed.map(|informed| informed.present_with_class_counts),
        fewest_real: report.classes.min_real,
        ever_changed: updates.ever_changed,
        left_with_one: updates.left_with_one,
        fewest_left: updates.believer,
    })
}

/// The series of a release; nothing for a table that is released once.
pub(super) fn series(report: &Report, private: &Private) -> Vec<Part> {
    let Some(facts) = facts(report, private) else { return Vec::new() };
    let mut table = Table::of([StatementColumn::What, StatementColumn::Figure]);
    table.row(&StatementSeries::Number, &facts.release);
    table.row(&StatementSeries::Mode, &facts.mode.name());
    table.row(&StatementSeries::Places, &facts.vacancies.name());
    let before =
        facts.ledger_before.map_or_else(|| StatementSeries::Begins.as_arg(), |before| before.as_arg());
    table.rows.push(vec![StatementSeries::LedgerBefore.as_arg(), before]);
    if let Some(after) = &facts.ledger_after {
        table.row(&StatementSeries::LedgerAfter, after);
    }
    if let Some(chain) = &facts.chain {
        let found = chain.audit.filter(|audit| audit.passed).map_or(StatementSeries::NotAsked, |audit| {
            let SeriesAudit { releases, checks, sources, .. } = audit;
            StatementSeries::Hold { releases, checks, sources }
        });
        table.row(&StatementSeries::Together, &found);
        for (digest, release) in chain.tables.iter().zip(1..) {
            table.row(&StatementSeries::TableOf { release }, digest);
        }
        table.row(&StatementSeries::Link, &chain.link);
    }
    table.row(&StatementSeries::Attacker, &facts.attacker);
    let (values, belief) = (facts.fewest_values, short(facts.belief));
    table.row(&StatementSeries::Belief, &StatementSeries::OneOf { values, belief });
    if let Some(belief) = facts.belief_with_counts {
        table.row(&StatementSeries::BeliefWithCounts, &short(belief));
    }
    if let Some(real) = facts.fewest_real {
        table.row(&StatementSeries::FewestReal, &real);
    }
    let changed = match facts.fewest_left {
        Some(fewest) => {
            StatementSeries::LeftOf { people: facts.ever_changed, fewest, one: facts.left_with_one }
        }
        None => StatementSeries::Nobody,
    };
    table.row(&StatementSeries::Changed, &changed);
    vec![Part::Table(table)]
}
