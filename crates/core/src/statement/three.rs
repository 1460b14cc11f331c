//! What an attacker reaches, in three figures: singling out, linkability and inference, as the Article 29 Working Party calls them
//! (opinion 05/2014 on anonymisation techniques, WP 216). Each is said for the attacker whom it assumes, and none is more than the finding.

use lookalike_model::{
    document::Table,
    finding::{Guess, Hidden, named, odds},
    report::{FurtherReport, Private, Report},
    settings::{Model, Settings},
    statement::{Criterion, Figures},
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

/// A row of the three figures: as it is printed, and as numbers.
pub(super) struct Reached {
    /// Which of the three it is about.
    pub(super) criterion: Criterion,
    /// What is risked.
    pub(super) risk: Said,
    /// How far it goes, in words.
    pub(super) words: Said,
    /// The same in numbers.
    pub(super) figures: Figures,
    /// For which attacker; `None` where there is no figure.
    pub(super) attacker: Option<Said>,
}

/// The three figures as a table.
pub(super) fn three(report: &Report, private: &Private) -> Table {
    let mut table = Table::of([StatementColumn::Risk, StatementColumn::Reached, StatementColumn::Assumed]);
    table.rows.extend(reached(report, private).into_iter().map(|row| {
        let attacker = row.attacker.map_or_else(|| nothing().as_arg(), |attacker| attacker.as_arg());
        vec![row.risk.as_arg(), row.words.as_arg(), attacker]
    }));
    table
}

/// The three figures: the printed statement and the one in data have these.
pub(super) fn reached(report: &Report, private: &Private) -> Vec<Reached> {
    let mut rows = singling_out(report, &private.settings);
    let columns = known_columns(&private.settings);
    let attacker = if report.changes.counterfeits > 0 {
        StatementAttacker::ListReal { columns }
    } else {
        StatementAttacker::List { columns }
    };
    let (words, figures) = linked(report);
    rows.push(Reached {
        criterion: Criterion::Linkability,
        risk: StatementThree::Linkability.into(),
        words: words.into(),
        figures,
        attacker: Some(attacker.into()),
    });
    rows.extend(inference(report, &private.settings));
    rows
}

fn known_columns(settings: &Settings) -> Said {
    named(settings.quasi.iter().map(String::as_str))
}

fn singling_out(report: &Report, settings: &Settings) -> Vec<Reached> {
    let columns = || known_columns(settings);
    let row = |risk: StatementThree, (words, figures): (StatementSingled, Figures), attacker| Reached {
        criterion: Criterion::SinglingOut,
        risk: risk.into(),
        words: words.into(),
        figures,
        attacker: Some(StatementAttacker::into(attacker)),
    };
    let knows = StatementAttacker::Knows { columns: columns() };
    let mut rows = vec![row(StatementThree::SinglingOut, singled(report), knows)];
    for set in &report.sets {
        let attacker =
            StatementAttacker::KnowsOnly { columns: named(set.columns.iter().map(String::as_str)) };
        let words = StatementSingled::People { alone: 0, among: set.smallest };
        let figures = Figures { alone: Some(0), ..Figures::one_of(set.smallest) };
        rows.push(row(StatementThree::SinglingOut, (words, figures), attacker));
    }
    if let Some(sample) = &report.sample {
        let attacker = StatementAttacker::KnowsPopulation { columns: columns() };
        rows.push(row(
            StatementThree::SinglingOutSample,
            expected(sample.expected, sample.highest),
            attacker,
        ));
        if let Some(of) = &sample.households {
            let found = expected(of.expected, of.highest);
            rows.push(row(StatementThree::SinglingOutHousehold, found, StatementAttacker::KnowsHousehold));
        }
    }
    if !settings.unchanged.is_empty() {
        let as_is = named(settings.unchanged.iter().map(String::as_str));
        let attacker = StatementAttacker::KnowsAsIs { columns: columns(), as_is };
        rows.push(row(StatementThree::SinglingOutAsIs, as_they_are(report), attacker));
    }
    rows
}

fn inference(report: &Report, settings: &Settings) -> Vec<Reached> {
    let columns = || known_columns(settings);
    let row = |words: StatementInferred, figures, attacker: Option<StatementAttacker>| Reached {
        criterion: Criterion::Inference,
        risk: StatementThree::Inference.into(),
        words: words.into(),
        figures,
        attacker: attacker.map(Into::into),
    };
    let mut rows = vec![match (&settings.sensitive, Guess::of(report)) {
        (None, _) => row(StatementInferred::NoSecret, Figures::default(), None),
        (Some(_), None) => row(StatementInferred::NoFigure, Figures::default(), None),
        (Some(sensitive), Some(guess)) => {
            let attacker = StatementAttacker::Infers {
                columns: columns(),
                known: guess.rules_out_not_known(),
                informed: guess.is_told_by_method(),
            };
            let sure = if guess.is_certain() { 1.0 } else { guess.worst() };
            row(inferred(report, sensitive, &guess), Figures::sure(sure), Some(attacker))
        }
    }];
    for FurtherReport { column, highest_disclosure, .. } in &report.further {
        let sensitive = column.clone();
        let certain = *highest_disclosure >= 1.0 - 1e-9;
        let words = if certain {
            StatementInferred::Certain { sensitive }
        } else {
            StatementInferred::Odds { odds: odds(*highest_disclosure), sensitive, promised: true, before: 0 }
        };
        let figures = Figures::sure(if certain { 1.0 } else { *highest_disclosure });
        let attacker = StatementAttacker::Infers { columns: columns(), known: false, informed: false };
        rows.push(row(words, figures, Some(attacker)));
    }
    rows
}

/// What remains, in one sentence that holds of every run.
pub(super) fn residual(report: &Report, private: &Private) -> Said {
    let columns = named(private.settings.quasi.iter().map(String::as_str));
    StatementThree::Residual { columns, series: report.series.is_some() }.into()
}

fn singled(report: &Report) -> (StatementSingled, Figures) {
    let (alone, records) = (report.risk.uniques, report.risk.smallest_group);
    match Hidden::of(report) {
        Hidden::People(among) | Hidden::Persons { among, .. } => (
            StatementSingled::People { alone, among },
            Figures { alone: Some(alone), ..Figures::one_of(among) },
        ),
        Hidden::Real(among) => (StatementSingled::Real { among, records }, Figures::one_of(among)),
        Hidden::Rows(among) => (StatementSingled::Rows { among }, Figures::one_of(among)),
        Hidden::Nobody => (StatementSingled::Nobody { records }, Figures::default()),
    }
}

fn expected(expected: f64, highest: f64) -> (StatementSingled, Figures) {
    let words = StatementSingled::Sample { expected: Figure::shortest(expected), highest: odds(highest) };
    (words, Figures { expected: Some(expected), ..Figures::sure(highest) })
}

fn as_they_are(report: &Report) -> (StatementSingled, Figures) {
    let Some(found) = &report.unchanged else { return (StatementSingled::NoFigure, Figures::default()) };
    let all = || found.columns.iter().map(|column| &column.known).chain([&found.together]);
    let alone = all().map(|known| known.unique_after).max().unwrap_or(0);
    let told = all().filter_map(|known| known.told_values).max().unwrap_or(0);
    let figures = Figures { alone: Some(alone), told: Some(told), ..Figures::default() };
    (StatementSingled::AsIs { alone, told }, figures)
}

fn linked(report: &Report) -> (StatementLinked, Figures) {
    let mean = report.risk.prosecutor.mean;
    let series = report.series.is_some();
    // "At most" stays true only if it is rounded up; what rounding made of a whole number is one.
    let percent = |share: f64| Figure::shortest(((share * 1e3 - 1e-9).ceil() / 10.0).max(0.0));
    let one_of = |n: usize| odds(1.0 / n.max(1) as f64);
    match Hidden::of(report) {
        Hidden::People(n) | Hidden::Persons { among: n, .. } => {
            let share = mean.clamp(0.0, 1.0);
            let figures = Figures { share: Some(share), ..Figures::one_of(n) };
            (StatementLinked::Groups { percent: percent(share), odds: one_of(n), series }, figures)
        }
        Hidden::Rows(n) => {
            let share = mean.clamp(0.0, 1.0);
            let figures = Figures { share: Some(share), ..Figures::one_of(n) };
            (StatementLinked::Rows { percent: percent(share), odds: one_of(n) }, figures)
        }
        // Groups over real people: no more than that, even if the others are known.
        Hidden::Real(_) | Hidden::Nobody => {
            let (real, fakes) = (report.input.rows, report.changes.counterfeits);
            let share = (mean * real.saturating_add(fakes) as f64 / real.max(1) as f64).clamp(0.0, 1.0);
            let figures = Figures { share: Some(share), ..Figures::default() };
            (StatementLinked::Real { percent: percent(share), series }, figures)
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
