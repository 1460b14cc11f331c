//! The verdict on a result, in words: a pure function of the report and the settings it was made with.
//!
//! **Invariant.** No sentence promises more than the weakest reading of the report. People count, not rows; a made-up record is nobody;
//! a guess rules out that a value is not known; of the figure that was measured and the one that is guaranteed the weaker one is said.
//! What the report has no figure for is not said in a number.

mod guess;
mod people;
#[cfg(test)]
mod tests;

use lookalike_model::{
    ledger::Mode,
    report::Report,
    settings::{Model, Settings},
    unchanged::Known,
};
use lookalike_words::Arg;

pub use guess::{Guess, surest};
pub use people::Hidden;

use crate::{
    format::{count, list, odds},
    texts::{Language, language},
};

/// The verdict on a result, in the language of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headline {
    /// Whether the table may be published.
    pub passed: bool,
    /// What holds, at its weakest.
    pub sentence: String,
    /// Why it is no more, if there is something to say.
    pub why: Option<String>,
    /// The attacker against whom it holds; `None` where a check failed.
    pub against: Option<String>,
    /// The attackers against whom it does not hold; `None` where a check failed.
    pub against_not: Option<String>,
    /// How many people are published, and how many are not; `None` where a check failed.
    pub published: Option<String>,
    /// How many checks passed.
    pub checks: String,
}

/// The verdict on a report of a run with these settings.
#[must_use]
pub fn headline(report: &Report, settings: &Settings) -> Headline {
    let checks = report.audit.checks.len();
    let failed = report.audit.checks.iter().filter(|check| !check.passed).count();
    if !report.audit.passed {
        return Headline {
            passed: false,
            sentence: n!(HEADLINE_FAILED, failed, checks = count(checks)),
            why: Some(String::from(t!(HEADLINE_NO_TABLE))),
            checks: n!(HEADLINE_CHECKS_FAILED, failed, checks = count(checks)),
            ..Headline::default()
        };
    }
    Headline {
        passed: true,
        sentence: sentence(report, settings),
        why: why(report, settings),
        against: Some(against(report, settings)),
        against_not: Some(against_not(report)),
        published: Some(people::published(report)),
        checks: n!(HEADLINE_CHECKS_PASSED, checks),
    }
}

/// Sentences beside each other.
fn joined(sentences: impl IntoIterator<Item = Option<String>>) -> Option<String> {
    let all: Vec<String> = sentences.into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join(" "))
}

fn sentence(report: &Report, settings: &Settings) -> String {
    let hidden = Hidden::of(report).words(people::left_out(report));
    let sensitive = settings.sensitive.as_deref();
    let first = match (report.model, sensitive) {
        (Model::MInvariance { .. }, Some(sensitive)) => guessed(report, sensitive, &hidden),
        (Model::KAnonymity { .. }, Some(sensitive)) => {
            t!(HEADLINE_TWO, one = hidden, two = nothing_promised(report, sensitive))
        }
        (_, None) => t!(HEADLINE_ONE, one = hidden),
    };
    let absent = sensitive.and_then(|sensitive| absent(report, sensitive));
    joined([Some(first), absent, as_is(report, settings)]).unwrap_or_default()
}

/// The best guess of a sensitive value, beside how a person is hidden.
fn guessed(report: &Report, sensitive: &str, hidden: &str) -> String {
    let Some(guess) = Guess::of(report) else { return t!(HEADLINE_ONE, one = hidden) };
    if guess.is_certain() {
        return t!(HEADLINE_TWO, one = hidden, two = t!(HEADLINE_CERTAIN, sensitive = sensitive));
    }
    let together = match report.series {
        Some(place) if place.release > 1 => n!(HEADLINE_TOGETHER, (place.release - 1) as usize),
        _ => String::new(),
    };
    let odds = odds(guess.worst());
    if report.changes.deletions > 0 {
        return t!(HEADLINE_GUESS_IN_TABLE, hidden = hidden, odds = odds, together = together);
    }
    t!(HEADLINE_GUESS, hidden = hidden, odds = odds, of = with_article(sensitive), together = together)
}

/// A column's name as English says one of its values: `a diagnosis`, `an occupation`. Other languages take the name alone.
fn with_article(name: &str) -> String {
    let vowel = name.to_lowercase().starts_with(['a', 'e', 'i', 'o']);
    if language() == Language::English && vowel {
        t!(HEADLINE_AN, name = name)
    } else {
        t!(HEADLINE_A, name = name)
    }
}

/// That k-anonymity promises nothing about a sensitive column, and how much its values are told at worst.
fn nothing_promised(report: &Report, sensitive: &str) -> String {
    let Some(guess) = Guess::of(report) else { return t!(HEADLINE_NOTHING, sensitive = sensitive) };
    if report.freeform.is_some() {
        return if guess.is_certain() {
            t!(HEADLINE_NOTHING_SOME, sensitive = sensitive)
        } else {
            t!(HEADLINE_NOTHING_ODDS, sensitive = sensitive, odds = odds(guess.worst()))
        };
    }
    let unknown = guess::rows_not_known(report, sensitive) > 0;
    match told_groups(report) {
        Some((single, groups)) if report.persons.is_some() => {
            t!(HEADLINE_NOTHING_PERSONS, sensitive = sensitive, single = single, groups = groups)
        }
        Some((single, groups)) if unknown => {
            t!(HEADLINE_NOTHING_KNOWN, sensitive = sensitive, single = single, groups = groups)
        }
        Some((single, groups)) => {
            t!(HEADLINE_NOTHING_GROUPS, sensitive = sensitive, single = single, groups = groups)
        }
        None if guess.is_certain() && report.persons.is_some() => {
            t!(HEADLINE_NOTHING_SOME, sensitive = sensitive)
        }
        None if guess.is_certain() && unknown => t!(HEADLINE_NOTHING_ONE_KNOWN, sensitive = sensitive),
        None if guess.is_certain() => t!(HEADLINE_NOTHING_ONE, sensitive = sensitive),
        None => t!(HEADLINE_NOTHING_ODDS, sensitive = sensitive, odds = odds(guess.worst())),
    }
}

/// In how many groups the known values are all the same, and how many groups there are: the report has that in a warning.
fn told_groups(report: &Report) -> Option<(String, String)> {
    let one = ["core.ReleaseWarning.OneValue", "core.ReleaseWarning.OneValueOfPersons"];
    let warning = report.warnings.iter().find(|warning| one.contains(&warning.id()))?;
    let number = |name| match warning.arg(name) {
        Some(Arg::Count(n)) => Some(count(usize::try_from(*n).unwrap_or(usize::MAX))),
        _ => None,
    };
    Some((number("single")?, number("groups")?))
}

/// What is known of the people who were left out so that the guarantee is possible.
fn absent(report: &Report, sensitive: &str) -> Option<String> {
    let people = report.changes.deletions;
    if people == 0 {
        return None;
    }
    Some(match report.disclosure.and_then(|told| told.absent_values) {
        Some(0 | 1) => n!(HEADLINE_ABSENT_CERTAIN, people, sensitive = sensitive),
        Some(values) => n!(HEADLINE_ABSENT_ONE_OF, people, sensitive = sensitive, values = count(values)),
        None => n!(HEADLINE_ABSENT, people, sensitive = sensitive),
    })
}

/// What columns that are published as they are cost.
fn as_is(report: &Report, settings: &Settings) -> Option<String> {
    let names = |names: Vec<&str>| list(&names);
    let Some(found) = &report.unchanged else {
        let columns = names(settings.unchanged.iter().map(String::as_str).collect());
        return (!columns.is_empty()).then(|| t!(HEADLINE_AS_IS_OPEN, columns = columns));
    };
    let all = || found.columns.iter().map(|column| &column.known).chain([&found.together]);
    let most = |figure: fn(&Known) -> usize| all().map(figure).max().unwrap_or(0);
    let columns = names(found.columns.iter().map(|column| column.name.as_str()).collect());
    let alone = most(|known| known.unique_after);
    let cost = match (alone, found.columns.len()) {
        (0, _) => {
            let highest = all().map(|known| known.highest).fold(0.0, f64::max);
            t!(HEADLINE_AS_IS_ODDS, columns = columns, odds = odds(highest))
        }
        (alone, 0 | 1) => n!(HEADLINE_AS_IS, alone, columns = columns),
        (alone, _) => n!(HEADLINE_AS_IS_TOGETHER, alone, columns = columns),
    };
    let told = most(|known| known.told_values.unwrap_or(0));
    let certain = (settings.sensitive.as_ref())
        .filter(|_| told > 0)
        .map(|sensitive| n!(HEADLINE_AS_IS_TOLD, told, sensitive = sensitive));
    joined([Some(cost), certain])
}

/// Why the sentence is no stronger.
fn why(report: &Report, settings: &Settings) -> Option<String> {
    let sensitive =
        settings.sensitive.as_deref().filter(|_| matches!(report.model, Model::MInvariance { .. }));
    let fakes = report.changes.counterfeits;
    let guess = Guess::of(report);
    let not_known = sensitive.zip(guess).and_then(|(sensitive, guess)| {
        let (known, plain) = guess.because_not_known()?;
        // Among the rows that do not say their value may be made-up ones.
        let rows = if fakes > 0 { 0 } else { guess::rows_not_known(report, sensitive) };
        let (known, plain) = (odds(known), odds(plain));
        Some(match (rows, &report.persons) {
            // Odds that are written alike have no difference to explain.
            _ if known == plain => return None,
            (0, _) => t!(HEADLINE_WHY_SOME, odds = known, without = plain, sensitive = sensitive),
            (rows, Some(_)) => {
                n!(HEADLINE_WHY_ROWS, rows, odds = known, without = plain, sensitive = sensitive)
            }
            (people, None) => {
                n!(HEADLINE_WHY_PEOPLE, people, odds = known, without = plain, sensitive = sensitive)
            }
        })
    });
    let made_up = (fakes > 0)
        .then(|| n!(HEADLINE_MADE_UP, fakes, records = count(report.input.rows.saturating_add(fakes))));
    let open = sensitive.filter(|_| fakes > 0 && report.disclosure.is_none());
    let open = open.map(|_| String::from(t!(HEADLINE_MADE_UP_OPEN)));
    let rows = report.persons.map(|_| String::from(t!(HEADLINE_ROWS_NOT_HIDDEN)));
    joined([not_known, made_up, open, rows])
}

/// The attacker against whom it holds.
fn against(report: &Report, settings: &Settings) -> String {
    let columns: Vec<&str> = settings.quasi.iter().map(String::as_str).collect();
    let columns = list(&columns);
    if report.series.is_some() {
        t!(HEADLINE_AGAINST_SERIES, columns = columns)
    } else {
        t!(HEADLINE_AGAINST, columns = columns)
    }
}

/// The attackers against whom it does not hold.
fn against_not(report: &Report) -> String {
    let fakes = report.changes.counterfeits > 0;
    let told_apart = || match people::real(report) {
        0 | 1 => String::from(t!(HEADLINE_NOT_TOLD_APART_CERTAIN)),
        real => t!(HEADLINE_NOT_TOLD_APART, odds = odds(1.0 / real as f64)),
    };
    let method = match report.model {
        Model::KAnonymity { .. } if report.freeform.is_some() => String::from(t!(HEADLINE_NOT_ROWS_MADE)),
        Model::KAnonymity { .. } => String::from(t!(HEADLINE_NOT_OTHER_COLUMN)),
        Model::MInvariance { .. } if fakes => {
            format!("{} {}", t!(HEADLINE_NOT_MADE_UP), told_apart())
        }
        Model::MInvariance { .. } => String::from(t!(HEADLINE_NOT_CHOSEN)),
    };
    let counted = report.persons.map(|of| match of.alone_by_rows {
        0 => String::from(t!(HEADLINE_NOT_COUNTED)),
        alone => n!(HEADLINE_NOT_COUNTED_ALONE, alone),
    });
    let changed = (report.series.is_some_and(|place| place.mode == Mode::TauSafety && place.release > 1))
        .then(|| String::from(t!(HEADLINE_NOT_CHANGED)));
    joined([Some(method), counted, changed]).unwrap_or_default()
}
