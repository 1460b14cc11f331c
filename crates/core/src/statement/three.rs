//! What an attacker reaches, in three figures: singling out, linkability and inference, as the Article 29 Working Party calls them
//! (opinion 05/2014 on anonymisation techniques, WP 216). Each is said for the attacker whom it assumes, and none is more than the finding.

use lookalike_model::{
    document::Table,
    finding::{Guess, Hidden, named, odds},
    report::{FurtherReport, Private, Report},
    settings::Model,
};
use lookalike_words::{AsArg as _, Figure, Said, messages};

use super::{StatementColumn, nothing};

messages! {
    in "core";

    /// The three risks, and what is left of them.
    pub(super) enum StatementThree {
        /// Finding a person's row.
        SinglingOut,
        /// The same in the population that the records are a sample of.
        SinglingOutSample,
        /// The same of a household, by any of its members.
        SinglingOutHousehold,
        /// The same by columns that are published as they are.
        SinglingOutAsIs,
        /// Connecting rows with another list of the same people.
        Linkability,
        /// Learning a value.
        Inference,
        /// What remains.
        Residual {
            /// Columns that others may know.
            columns: Said,
            /// Whether the table is one of a series.
            series: bool,
        },
    }

    /// How far somebody is singled out.
    enum StatementSingled {
        /// People who are each a row.
        People {
            /// How many stand alone.
            alone: usize,
            /// Among how many everybody is.
            among: usize,
        },
        /// Records that are expected to be found.
        Sample {
            /// How many.
            expected: Figure,
            /// How surely the most exposed one is.
            highest: Said,
        },
        /// Among real people.
        Real {
            /// Among how many everybody is.
            among: usize,
            /// Records of the smallest group.
            records: usize,
        },
        /// Made-up records may be all there is.
        Nobody {
            /// Records of the smallest group.
            records: usize,
        },
        /// Rows of their own.
        Rows {
            /// How many may be a person's.
            among: usize,
        },
        /// By columns that are published as they are.
        AsIs {
            /// How many people stand alone.
            alone: usize,
            /// Of how many a value is certain.
            told: usize,
        },
        /// The report has no figure.
        NoFigure,
    }

    /// How far rows are linked.
    enum StatementLinked {
        /// By the sizes of groups.
        Groups {
            /// Percent of the people who are matched.
            percent: Figure,
            /// For the person who is found most easily.
            odds: Said,
            /// Whether the table is one of a series.
            series: bool,
        },
        /// The same if made-up records are recognised.
        Real {
            /// Percent of the people who are matched.
            percent: Figure,
            /// Whether the table is one of a series.
            series: bool,
        },
        /// Rows of their own.
        Rows {
            /// Percent of the people who are matched.
            percent: Figure,
            /// For the person who is found most easily.
            odds: Said,
        },
    }

    /// How far a value is inferred.
    enum StatementInferred {
        /// How many guesses are right.
        Odds {
            /// How many.
            odds: Said,
            /// The column.
            sensitive: String,
            /// Whether that is promised, or only found.
            promised: bool,
            /// How many releases came before, all of which are counted.
            before: u32,
        },
        /// A value is certain.
        Certain {
            /// The column.
            sensitive: String,
        },
        /// The report has no figure.
        NoFigure,
        /// No column was named.
        NoSecret,
    }

    /// The attacker of a figure.
    enum StatementAttacker {
        /// Knows columns of a person.
        Knows {
            /// The columns.
            columns: Said,
        },
        /// Knows the quasi-identifiers of everybody in the population.
        KnowsPopulation {
            /// These.
            columns: Said,
        },
        /// The same, and links the members of a household.
        KnowsHousehold,
        /// Knows some quasi-identifiers alone.
        KnowsOnly {
            /// These.
            columns: Said,
        },
        /// Knows other columns, too.
        KnowsAsIs {
            /// Columns that others may know.
            columns: Said,
            /// Those that are published as they are.
            as_is: Said,
        },
        /// Has a list of everybody.
        List {
            /// The columns.
            columns: Said,
        },
        /// The same, who recognises made-up records.
        ListReal {
            /// The columns.
            columns: Said,
        },
        /// Infers a value.
        Infers {
            /// The columns.
            columns: Said,
            /// Rules out that a value is not known.
            known: bool,
            /// Knows how made-up records are chosen.
            informed: bool,
        },
    }
}

/// The three figures.
pub(super) fn three(report: &Report, private: &Private) -> Table {
    let settings = &private.settings;
    let columns = || named(settings.quasi.iter().map(String::as_str));
    let mut table = Table::of([StatementColumn::Risk, StatementColumn::Reached, StatementColumn::Assumed]);
    let knows = StatementAttacker::Knows { columns: columns() };
    table.rows.push(vec![StatementThree::SinglingOut.as_arg(), singled(report).as_arg(), knows.as_arg()]);
    for set in &report.sets {
        let knows = StatementAttacker::KnowsOnly { columns: named(set.columns.iter().map(String::as_str)) };
        let reached = StatementSingled::People { alone: 0, among: set.smallest };
        table.rows.push(vec![StatementThree::SinglingOut.as_arg(), reached.as_arg(), knows.as_arg()]);
    }
    if let Some(sample) = &report.sample {
        let knows = StatementAttacker::KnowsPopulation { columns: columns() };
        let reached = StatementSingled::Sample {
            expected: Figure::shortest(sample.expected),
            highest: odds(sample.highest),
        };
        table.rows.push(vec![StatementThree::SinglingOutSample.as_arg(), reached.as_arg(), knows.as_arg()]);
        if let Some(of) = &sample.households {
            let knows = StatementAttacker::KnowsHousehold;
            let reached = StatementSingled::Sample {
                expected: Figure::shortest(of.expected),
                highest: odds(of.highest),
            };
            table.rows.push(vec![
                StatementThree::SinglingOutHousehold.as_arg(),
                reached.as_arg(),
                knows.as_arg(),
            ]);
        }
    }
    if !settings.unchanged.is_empty() {
        let as_is = named(settings.unchanged.iter().map(String::as_str));
        let attacker = StatementAttacker::KnowsAsIs { columns: columns(), as_is };
        table.rows.push(vec![
            StatementThree::SinglingOutAsIs.as_arg(),
            as_they_are(report).as_arg(),
            attacker.as_arg(),
        ]);
    }
    let lists = if report.changes.counterfeits > 0 {
        StatementAttacker::ListReal { columns: columns() }
    } else {
        StatementAttacker::List { columns: columns() }
    };
    table.rows.push(vec![StatementThree::Linkability.as_arg(), linked(report).as_arg(), lists.as_arg()]);
    let guess = Guess::of(report);
    let (figure, attacker) = match (&settings.sensitive, guess) {
        (None, _) => (StatementInferred::NoSecret, nothing().as_arg()),
        (Some(_), None) => (StatementInferred::NoFigure, nothing().as_arg()),
        (Some(sensitive), Some(guess)) => (
            inferred(report, sensitive, &guess),
            StatementAttacker::Infers {
                columns: columns(),
                known: guess.rules_out_not_known(),
                informed: guess.is_told_by_method(),
            }
            .as_arg(),
        ),
    };
    table.rows.push(vec![StatementThree::Inference.as_arg(), figure.as_arg(), attacker]);
    for FurtherReport { column, highest_disclosure, .. } in &report.further {
        let sensitive = column.clone();
        let figure = if *highest_disclosure >= 1.0 - 1e-9 {
            StatementInferred::Certain { sensitive }
        } else {
            StatementInferred::Odds { odds: odds(*highest_disclosure), sensitive, promised: true, before: 0 }
        };
        let attacker = StatementAttacker::Infers { columns: columns(), known: false, informed: false };
        table.rows.push(vec![StatementThree::Inference.as_arg(), figure.as_arg(), attacker.as_arg()]);
    }
    table
}

/// What remains, in one sentence that holds of every run.
pub(super) fn residual(report: &Report, private: &Private) -> Said {
    let columns = named(private.settings.quasi.iter().map(String::as_str));
    StatementThree::Residual { columns, series: report.series.is_some() }.into()
}

fn singled(report: &Report) -> StatementSingled {
    let (alone, records) = (report.risk.uniques, report.risk.smallest_group);
    match Hidden::of(report) {
        Hidden::People(among) | Hidden::Persons { among, .. } => StatementSingled::People { alone, among },
        Hidden::Real(among) => StatementSingled::Real { among, records },
        Hidden::Rows(among) => StatementSingled::Rows { among },
        Hidden::Nobody => StatementSingled::Nobody { records },
    }
}

fn as_they_are(report: &Report) -> StatementSingled {
    let Some(found) = &report.unchanged else { return StatementSingled::NoFigure };
    let all = || found.columns.iter().map(|column| &column.known).chain([&found.together]);
    StatementSingled::AsIs {
        alone: all().map(|known| known.unique_after).max().unwrap_or(0),
        told: all().filter_map(|known| known.told_values).max().unwrap_or(0),
    }
}

fn linked(report: &Report) -> StatementLinked {
    let mean = report.risk.prosecutor.mean;
    let series = report.series.is_some();
    // "At most" stays true only if it is rounded up; what rounding made of a whole number is one.
    let percent = |share: f64| {
        let share = share.clamp(0.0, 1.0);
        Figure::shortest(((share * 1e3 - 1e-9).ceil() / 10.0).max(0.0))
    };
    let one_of = |n: usize| odds(1.0 / n.max(1) as f64);
    match Hidden::of(report) {
        Hidden::People(n) | Hidden::Persons { among: n, .. } => {
            StatementLinked::Groups { percent: percent(mean), odds: one_of(n), series }
        }
        Hidden::Rows(n) => StatementLinked::Rows { percent: percent(mean), odds: one_of(n) },
        // Groups over real people: no more than that, even if the others are known.
        Hidden::Real(_) | Hidden::Nobody => {
            let (real, fakes) = (report.input.rows, report.changes.counterfeits);
            let share = mean * real.saturating_add(fakes) as f64 / real.max(1) as f64;
            StatementLinked::Real { percent: percent(share), series }
        }
    }
}

fn inferred(report: &Report, sensitive: &str, guess: &Guess) -> StatementInferred {
    let sensitive = sensitive.to_owned();
    if guess.is_certain() {
        return StatementInferred::Certain { sensitive };
    }
    StatementInferred::Odds {
        odds: odds(guess.worst()),
        sensitive,
        promised: matches!(report.model, Model::MInvariance { .. }) || report.has_conditions(),
        before: report.series.map_or(0, |place| place.release.saturating_sub(1)),
    }
}
