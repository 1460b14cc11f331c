//! The finding on a result: what holds, at its weakest. A pure function of the report and the settings it was made with; page and
//! statement say it by the same messages, so that neither promises more than the other.
//!
//! **Invariant.** No sentence promises more than the weakest reading of the report. People count, not rows; a made-up record is nobody;
//! a guess rules out that a value is not known; of the figure that was measured and the one that is guaranteed the weaker one is said.
//! What the report has no figure for is not said in a number.

mod guess;
mod people;
mod said;

use lookalike_words::{Arg, Figure, Said};

pub use guess::{Guess, surest};
pub use people::Hidden;

use self::said::{Attacker, Earlier, Holds, Named, Published, Why};
use crate::{
    ledger::Mode,
    report::{FurtherReport, Report},
    settings::{Model, Settings},
    unchanged::Known,
};

/// The finding on a result, as messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether the table may be published.
    pub passed: bool,
    /// What holds, at its weakest.
    pub sentence: Said,
    /// Why it is no more, if there is something to say.
    pub why: Option<Said>,
    /// The attacker against whom it holds; `None` where a check failed.
    pub against: Option<Said>,
    /// The attackers against whom it does not hold; `None` where a check failed.
    pub against_not: Option<Said>,
    /// How many people are published, and how many are not; `None` where a check failed.
    pub published: Option<Said>,
    /// How many checks passed.
    pub checks: Said,
    /// Whether an attacker whom it names may be certain of the value of a person in the table.
    pub certain: bool,
}

/// The finding on a report of a run with these settings.
#[must_use]
pub fn finding(report: &Report, settings: &Settings) -> Finding {
    let checks = report.audit.checks.len();
    let failed = report.audit.checks.iter().filter(|check| !check.passed).count();
    if !report.audit.passed {
        return Finding {
            passed: false,
            sentence: Holds::Failed { n: failed, checks }.into(),
            why: Some(Why::NoTable.into()),
            against: None,
            against_not: None,
            published: None,
            checks: Published::Failed { n: failed, checks }.into(),
            certain: false,
        };
    }
    Finding {
        passed: true,
        sentence: sentence(report, settings),
        why: why(report, settings),
        against: Some(against(report, settings)),
        against_not: against_not(report),
        published: Some(people::published(report)),
        checks: Published::Passed { n: checks }.into(),
        certain: is_certain(report),
    }
}

/// Whether an attacker whom the finding names may be certain of the value of a person in the table: one who tells made-up records apart,
/// or who knows columns that are published as they are. Where nothing is promised about values, nothing is broken.
#[must_use]
pub fn is_certain(report: &Report) -> bool {
    let promised = matches!(report.model, Model::MInvariance { .. });
    let apart = report.changes.counterfeits > 0 && people::real(report) <= 1;
    let known = report.unchanged.as_ref().is_some_and(|found| {
        let all = found.columns.iter().map(|column| &column.known).chain([&found.together]);
        all.into_iter().any(|known| known.told_values.is_some_and(|told| told > 0))
    });
    promised && (apart || known || Guess::of(report).is_some_and(|guess| guess.is_certain()))
}

/// Sentences beside each other.
fn joined(sentences: impl IntoIterator<Item = Option<Said>>) -> Option<Said> {
    sentences.into_iter().flatten().reduce(|one, two| Named::Beside { one, two }.into())
}

/// A probability as odds: `1 in 5`, `1 in 2.5`.
#[must_use]
pub fn odds(p: f64) -> Said {
    if p <= 0.0 || !p.is_finite() {
        return Named::NoOdds.into();
    }
    Named::Odds { of: Figure::shortest(one_in(p)) }.into()
}

/// A probability above 0 as one in so many, rounded down, since odds are said "at worst": to one decimal, or to as many as it takes
/// that what is not certain does not look so.
#[must_use]
pub fn one_in(p: f64) -> f64 {
    // What rounding made of a whole number is one.
    let of = 1.0 / p + 1e-9;
    let rounded = |decimals| (of * 10_f64.powi(decimals)).floor() / 10_f64.powi(decimals);
    let certain = p >= 1.0 - 1e-6;
    (1..=6).map(rounded).find(|rounded| certain || *rounded > 1.0).unwrap_or(1.0)
}

/// How many names a sentence has at most.
pub const NAMED: usize = 4;

/// `a`, `a and b`, `a, b and c`; after the fourth `and 3 more`.
#[must_use]
pub fn named<'a>(names: impl IntoIterator<Item = &'a str>) -> Said {
    let mut names: Vec<String> = names.into_iter().map(String::from).collect();
    match names.len().checked_sub(NAMED) {
        Some(more) if more > 0 => {
            names.truncate(NAMED);
            Named::Some { names, more }.into()
        }
        _ => Named::All { names }.into(),
    }
}

fn sentence(report: &Report, settings: &Settings) -> Said {
    let hidden = Hidden::of(report).words(people::left_out(report));
    let sensitive = settings.sensitive.as_deref();
    let first = match (report.model, sensitive) {
        (Model::MInvariance { .. }, Some(sensitive)) => guessed(report, sensitive, hidden),
        // Conditions bound what can be guessed; how much can be at worst is read off the table.
        (Model::KAnonymity { .. }, Some(sensitive)) if !report.conditions.is_empty() => {
            guessed(report, sensitive, hidden)
        }
        (Model::KAnonymity { .. }, Some(sensitive)) => {
            Holds::Two { one: hidden, two: nothing_promised(report, sensitive).into() }
        }
        (_, None) => Holds::One { one: hidden },
    };
    let absent = sensitive.and_then(|sensitive| absent(report, sensitive));
    let further = report.further.iter().map(|of| joined([Some(further(of)), further_told(of, sensitive)]));
    let sets = report.sets.iter().map(|set| {
        let columns = named(set.columns.iter().map(String::as_str));
        Some(Holds::Set { columns, among: set.smallest }.into())
    });
    joined(
        [Some(first.into()), absent].into_iter().chain(sets).chain(further).chain([as_is(report, settings)]),
    )
    .unwrap_or_default()
}

/// The best guess of a sensitive value, beside how a person is hidden.
fn guessed(report: &Report, sensitive: &str, hidden: Said) -> Holds {
    let Some(guess) = Guess::of(report) else { return Holds::One { one: hidden } };
    if guess.is_certain() {
        return Holds::Two { one: hidden, two: Holds::Certain { sensitive: sensitive.to_owned() }.into() };
    }
    let together = match report.series {
        Some(place) if place.release > 1 => Some(Earlier::Releases { n: (place.release - 1) as usize }),
        _ => None,
    };
    let odds = odds(guess.worst());
    if report.changes.deletions > 0 {
        return Holds::GuessInTable { hidden, odds, together };
    }
    if is_counted(report) {
        return Holds::GuessOfOne { hidden, odds, of: value_of(sensitive) };
    }
    Holds::Guess { hidden, odds, of: value_of(sensitive), together }
}

/// The best guess of a value of a further sensitive column.
fn further(of: &FurtherReport) -> Said {
    if of.highest_disclosure >= 1.0 - 1e-9 {
        return Holds::FurtherCertain { column: of.column.clone() }.into();
    }
    Holds::Further { column: of.column.clone(), odds: odds(of.highest_disclosure) }.into()
}

/// What one who knows the first sensitive value of a person learns of a further one.
fn further_told(of: &FurtherReport, sensitive: Option<&str>) -> Option<Said> {
    let n = of.told.filter(|told| *told > 0)?;
    Some(Holds::FurtherTold { n, column: of.column.clone(), sensitive: sensitive?.to_owned() }.into())
}

/// A column's name as one says one of its values.
fn value_of(name: &str) -> Said {
    Named::Value { name: name.to_owned() }.into()
}

/// That k-anonymity promises nothing about a sensitive column, and how much its values are told at worst.
fn nothing_promised(report: &Report, sensitive: &str) -> Holds {
    let sensitive = sensitive.to_owned();
    let Some(guess) = Guess::of(report) else { return Holds::Nothing { sensitive } };
    let odds = odds(guess.worst());
    if report.freeform.is_some() {
        return if guess.is_certain() {
            Holds::NothingSome { sensitive }
        } else {
            Holds::NothingOdds { sensitive, odds }
        };
    }
    let unknown = guess::rows_not_known(report, &sensitive) > 0;
    match told_groups(report) {
        Some((single, groups)) if report.persons.is_some() => {
            Holds::NothingPersons { sensitive, single, groups }
        }
        Some((single, groups)) if unknown => Holds::NothingKnown { sensitive, single, groups },
        Some((single, groups)) => Holds::NothingGroups { sensitive, single, groups },
        None if guess.is_certain() && report.persons.is_some() => Holds::NothingSome { sensitive },
        None if guess.is_certain() && unknown => Holds::NothingOneKnown { sensitive },
        None if guess.is_certain() => Holds::NothingOne { sensitive },
        None => Holds::NothingOdds { sensitive, odds },
    }
}

/// In how many groups the known values are all the same, and how many groups there are: the report has that in a warning.
fn told_groups(report: &Report) -> Option<(usize, usize)> {
    let one = ["core.ReleaseWarning.OneValue", "core.ReleaseWarning.OneValueOfPersons"];
    let warning = report.warnings.iter().find(|warning| one.contains(&warning.id()))?;
    let number = |name| match warning.arg(name) {
        Some(Arg::Count(n)) => Some(usize::try_from(*n).unwrap_or(usize::MAX)),
        _ => None,
    };
    Some((number("single")?, number("groups")?))
}

/// What is known of the people who were left out so that the guarantee is possible.
fn absent(report: &Report, sensitive: &str) -> Option<Said> {
    let (n, sensitive) = (report.changes.deletions, sensitive.to_owned());
    if n == 0 {
        return None;
    }
    let said = match report.disclosure.and_then(|told| told.absent_values) {
        Some(0 | 1) => Holds::AbsentCertain { n, sensitive },
        Some(values) => Holds::AbsentOneOf { n, sensitive, values },
        None => Holds::Absent { n, sensitive },
    };
    Some(said.into())
}

/// What columns that are published as they are cost.
fn as_is(report: &Report, settings: &Settings) -> Option<Said> {
    let Some(found) = &report.unchanged else {
        let columns = named(settings.unchanged.iter().map(String::as_str));
        return (!settings.unchanged.is_empty()).then(|| Holds::AsIsOpen { columns }.into());
    };
    let all = || found.columns.iter().map(|column| &column.known).chain([&found.together]);
    let most = |figure: fn(&Known) -> usize| all().map(figure).max().unwrap_or(0);
    let columns = named(found.columns.iter().map(|column| column.name.as_str()));
    let cost = match (most(|known| known.unique_after), found.columns.len()) {
        (0, _) => {
            let highest = all().map(|known| known.highest).fold(0.0, f64::max);
            Holds::AsIsOdds { columns, odds: odds(highest) }
        }
        (n, 0 | 1) => Holds::AsIs { columns, n },
        (n, _) => Holds::AsIsTogether { columns, n },
    };
    let told = most(|known| known.told_values.unwrap_or(0));
    let certain = (settings.sensitive.as_ref())
        .filter(|_| told > 0)
        .map(|sensitive| Holds::AsIsTold { n: told, sensitive: sensitive.clone() }.into());
    joined([Some(cost.into()), certain])
}

/// Why the sentence is no stronger.
fn why(report: &Report, settings: &Settings) -> Option<Said> {
    let sensitive =
        settings.sensitive.as_deref().filter(|_| matches!(report.model, Model::MInvariance { .. }));
    let fakes = report.changes.counterfeits;
    let guess = Guess::of(report);
    let not_known = sensitive.zip(guess).and_then(|(sensitive, guess)| {
        let (known, plain) = guess.because_not_known()?;
        // Among the rows that do not say their value may be made-up ones.
        let n = if fakes > 0 { 0 } else { guess::rows_not_known(report, sensitive) };
        let (odds, without, sensitive) = (odds(known), odds(plain), sensitive.to_owned());
        let said = match (n, &report.persons) {
            // Odds that are written alike have no difference to explain.
            _ if odds == without => return None,
            (0, _) => Why::Some { odds, without, sensitive },
            (_, Some(_)) => Why::Rows { odds, without, n, sensitive },
            (_, None) => Why::People { odds, without, n, sensitive },
        };
        Some(said.into())
    });
    // Under k-anonymity nothing is promised of the values, but what can be guessed is said all the same.
    let alike = settings.sensitive.as_ref().zip(guess).and_then(|(sensitive, guess)| {
        let (odds_of, without) = guess.because_alike()?;
        let (odds, without, sensitive) = (odds(odds_of), odds(without), sensitive.to_owned());
        (odds != without).then(|| Why::Alike { odds, without, sensitive }.into())
    });
    let records = report.input.rows.saturating_add(fakes);
    let made_up = (fakes > 0).then(|| Why::MadeUp { n: fakes, records }.into());
    let open = sensitive.filter(|_| fakes > 0 && report.disclosure.is_none());
    let open = open.map(|_| Why::MadeUpOpen.into());
    let apart = (fakes > 0 && matches!(report.model, Model::MInvariance { .. })).then(|| told_apart(report));
    let rows = report.persons.map(|_| Why::RowsNotHidden.into());
    joined([not_known, alike, made_up, open, apart, at_risk(report), rows])
}

/// What one reaches who tells made-up records from real ones. In a series the attacker who is named knows who is in each release, and
/// what that adds is to recognise records.
fn told_apart(report: &Report) -> Said {
    let series = report.series.is_some();
    match people::real(report) {
        0 | 1 if series => Why::RecognisedCertain,
        0 | 1 => Why::ToldApartCertain,
        real if series => Why::Recognised { odds: odds(1.0 / real as f64) },
        real => Why::ToldApart { odds: odds(1.0 / real as f64) },
    }
    .into()
}

/// How many are found with a probability above the threshold of risk. Where records are made up, figures of published records count
/// them, too: what is said is of the fewest real people of a group.
fn at_risk(report: &Report) -> Option<Said> {
    if report.freeform.is_some() {
        return None;
    }
    let (n, at) = (report.risk.prosecutor.at_risk, report.risk.threshold);
    let threshold = Figure::shortest((at * 1e4).round() / 1e4);
    if report.changes.counterfeits == 0 {
        let of = report.persons.as_ref().map_or(report.input.rows, |persons| persons.count);
        return (n > 0).then(|| Why::AtRisk { n, of, threshold }.into());
    }
    let real = people::real(report).max(1);
    (1.0 / real as f64 > at).then(|| Why::AtRiskSome { threshold }.into())
}

/// Whether one who knows everybody can count how many of a group are real, which tells more than the figure that is said first.
fn is_counted(report: &Report) -> bool {
    let fakes = report.changes.counterfeits > 0;
    fakes && report.series.is_none() && matches!(report.model, Model::MInvariance { .. })
}

/// The attacker against whom it holds.
fn against(report: &Report, settings: &Settings) -> Said {
    let columns = named(settings.quasi.iter().map(String::as_str));
    let counted = is_counted(report);
    match report.series {
        Some(_) => Attacker::AgainstSeries { columns }.into(),
        None if counted => Attacker::AgainstOne { columns }.into(),
        None => Attacker::Against { columns }.into(),
    }
}

/// The attackers against whom it does not hold.
fn against_not(report: &Report) -> Option<Said> {
    let fakes = report.changes.counterfeits > 0;
    let method = match report.model {
        Model::KAnonymity { .. } if report.freeform.is_some() => Attacker::RowsMade,
        Model::KAnonymity { .. } => Attacker::OtherColumn,
        // Otherwise the figure beside the headline is of who reasons so.
        Model::MInvariance { .. } if fakes && report.disclosure.is_none() => Attacker::MadeUp,
        Model::MInvariance { .. } => Attacker::Chosen,
    };
    // Under conditions classes follow from the sensitive values, too.
    let chosen = report.has_conditions().then_some(Attacker::Chosen);
    let counted = report.persons.map(|of| match of.alone_by_rows {
        0 => Attacker::Counted,
        n => Attacker::CountedAlone { n },
    });
    let changed = (report.series.is_some_and(|place| place.mode == Mode::TauSafety && place.release > 1))
        .then_some(Attacker::Changed);
    joined([Some(method), chosen, counted, changed].map(|said| said.map(Said::from)))
}
