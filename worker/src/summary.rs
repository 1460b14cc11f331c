//! What a run did, in a few lines for standard error.

mod line;

use lookalike_core::{certify, pipeline::Outcome, table::Table};
use lookalike_model::{
    job::{BoundOf, Status},
    report::{ColumnLevel, PersonsReport, Report},
    sent::Sent,
    settings::{Loss, Model},
    unchanged::{Known, MinimalUniques},
};
use lookalike_words::{Figure, Message as _, Name, Said};

pub(crate) use self::line::FromTheBest;
use self::line::{Alone, AtLevel, Change, Ended, Reached, Records, Summary, Told};
use crate::{
    check::bound::noun,
    disclosed,
    local::SMALL_SEED,
    progress::{from_the_best, say, warn},
    signals,
};

/// How many warnings of one kind are printed.
const SHOWN: usize = 5;

/// Says what is odd in the input.
pub(crate) fn table_warnings(table: &Table) {
    for warning in table.warnings.iter().take(SHOWN) {
        say(&format!("warning: {warning}"));
    }
    if let Some(more) = table.warnings.len().checked_sub(SHOWN).filter(|&n| n > 0) {
        warn(&Summary::MoreWarnings { more }.into());
    }
}

/// Says that a seed is found by trying; `elsewhere` if another machine searches, whose operator may try, too.
pub(crate) fn seed(given: Option<u64>, elsewhere: bool) {
    if let Some(seed) = given.filter(|seed| *seed < SMALL_SEED) {
        warn(&Summary::SmallSeed { seed, elsewhere }.into());
    }
}

/// Says what was published.
pub(crate) fn outcome(outcome: &Outcome) {
    let report = outcome.exact();
    for line in lines(report) {
        say(&line.to_string());
    }
    if report.changes.counterfeits > 0 {
        say(&Summary::Exact.to_string());
    }
    if let Some(Sent { to, messages, bytes, .. }) = &outcome.private.sent {
        let (to, messages, bytes) = (to.clone(), *messages, *bytes);
        say(&Summary::Elsewhere { bytes, messages, to }.to_string());
    }
    if let Some(line) = outcome.private.informed.as_ref().and_then(|i| disclosed::informed(report, i)) {
        say(&line.to_string());
    }
}

/// The report's essence, one thought a line.
pub(crate) fn lines(report: &Report) -> Vec<Said> {
    // Of another machine's search this one knows that it was stopped if it has asked for that.
    let asked = matches!(report.status, Some(Status::Cancelled)) && signals::caught().is_some();
    let ended =
        report.status.as_ref().map(|status| ended(report, status, report.claimed.is_some() && !asked));
    let mut lines = vec![published(report), Summary::Reached { loss: reached(report), ended }.into()];
    lines.extend(levels(report).into_iter().flatten().map(Said::from));
    lines.extend(bound(report).map(Said::from));
    lines.extend(claimed(report).map(Said::from));
    lines.push(published_form(report).into());
    lines.extend(told_by_rows(report).map(Said::from));
    let what = changed(report);
    if !what.is_empty() {
        lines.push(Summary::Changed { what }.into());
    }
    lines.extend(report.disclosure.as_ref().and_then(disclosed::line).map(Said::from));
    if !report.against.is_empty() {
        lines.push(report.against.clone());
    }
    lines.extend(unchanged(report).into_iter().map(Said::from));
    let passed = report.audit.checks.iter().filter(|c| c.passed).count();
    let (checks, reader) = (report.audit.checks.len(), report.audit.reader.said());
    lines.push(Summary::Audit { passed, checks, reader }.into());
    let dialect = report.audit.dialect;
    lines.extend((!dialect.is_plain()).then(|| Summary::Form { form: dialect.words().said() }.into()));
    lines.extend(report.warnings.iter().map(|w| Said::verbatim(format!("warning: {w}"))));
    lines
}

/// What columns that are published unchanged cost, the riskiest first.
fn unchanged(report: &Report) -> Vec<Summary> {
    let Some(found) = &report.unchanged else { return Vec::new() };
    let line = |column: Option<&str>, known: &Known| match &report.persons {
        Some(of) => unchanged_of_persons(column, known, of.count),
        None => Summary::Unchanged {
            column: column.map(Name::from),
            records: report.input.rows,
            before: known.unique_before,
            after: known.unique_after,
            highest: Figure::fixed(known.highest, 4),
            mean: Figure::fixed(known.mean, 4),
            worst: Figure::fixed(known.highest_mean, 4),
            certain: certain(known),
            classes: known.classes.iter().map(|at| at.classes).sum(),
            told: known.told_values.map(|records| Told::Certain { records }),
        },
    };
    let mut lines: Vec<Summary> =
        found.columns.iter().map(|column| line(Some(&column.name), &column.known)).collect();
    lines.extend((found.columns.len() > 1).then(|| line(None, &found.together)));
    let MinimalUniques { largest_set, rows } = &found.minimal_uniques;
    let alone = rows.iter().zip(1..).map(|(&count, columns)| match report.persons {
        Some(_) => Alone::PersonsBy { persons: count, columns },
        None => Alone::By { records: count, columns },
    });
    lines.push(Summary::Minimal { sizes: alone.collect(), largest: *largest_set });
    lines
}

/// The same where persons may have several rows; probabilities are rounded in the report.
fn unchanged_of_persons(column: Option<&str>, known: &Known, persons: usize) -> Summary {
    Summary::UnchangedOfPersons {
        column: column.map(Name::from),
        persons,
        before: known.unique_before,
        after: known.unique_after,
        highest: Figure::shortest(known.highest),
        mean: Figure::shortest(known.mean),
        worst: Figure::shortest(known.highest_mean),
        certain: certain(known),
        classes: known.classes.iter().map(|at| at.classes).sum(),
        told: known.told_values.map(|persons| Told::OfPersons { persons }),
    }
}

/// Classes with somebody who is matched with certainty.
fn certain(known: &Known) -> usize {
    known.classes.first().filter(|at| at.highest >= 1.0).map_or(0, |at| at.classes)
}

/// The classes, or the rows of their own.
fn published(report: &Report) -> Said {
    if let Some(freeform) = &report.freeform {
        let (matches, alike) = (freeform.least_matches, freeform.smallest_group);
        return Summary::Freeform { rows: report.input.rows, matches, alike }.into();
    }
    if let Some(of) = &report.persons {
        return published_persons(report, of).into();
    }
    let records = match report.changes.counterfeits {
        0 => Records::All { records: report.input.rows },
        counterfeits => Records::Real { real: report.input.rows, counterfeits },
    };
    let (classes, least, most) = (report.classes.count, report.classes.min_size, report.classes.max_size);
    match report.model {
        Model::MInvariance { m } => Summary::MInvariance { m, records, classes, least, most }.into(),
        Model::KAnonymity { k } => Summary::KAnonymity { k, records, classes, least, most }.into(),
    }
}

/// The classes of persons who may have several rows.
fn published_persons(report: &Report, of: &PersonsReport) -> Summary {
    let (persons, rows, classes) = (of.count, report.input.rows, report.classes.count);
    let (least, most) = (of.min_in_class, of.max_in_class);
    match report.model {
        Model::MInvariance { m } => Summary::MInvarianceOfPersons { m, persons, rows, classes, least, most },
        Model::KAnonymity { k } => Summary::KAnonymityOfPersons { k, persons, rows, classes, least, most },
    }
}

/// How far the number of rows of a person tells who it is.
fn told_by_rows(report: &Report) -> Option<Summary> {
    let of = report.persons.as_ref()?;
    let percent = Figure::shortest((100.0 * of.largest_share).round());
    let (alone, persons) = (of.alone_by_rows, of.count);
    Some(Summary::ToldByRows { rows: of.most_rows, percent, alone, persons })
}

/// What was added or left out.
fn changed(report: &Report) -> Vec<Change> {
    let changes = &report.changes;
    let single_real = report.classes.single_real.filter(|_| report.freeform.is_none()).unwrap_or(0);
    let suppressed = changes.suppressed_for_loss;
    let of_price = match report.persons.map(|of| of.suppressed) {
        Some(persons) => Change::SuppressedPersons { persons, rows: suppressed },
        None if report.full_domain.is_some() => Change::InNoGroup { count: suppressed },
        None => Change::Suppressed { count: suppressed },
    };
    let all = [
        (changes.counterfeits, Change::Counterfeits { count: changes.counterfeits }),
        (changes.deletions, Change::Deletions { count: changes.deletions }),
        (changes.suppressed, Change::Missing { count: changes.suppressed }),
        (suppressed, of_price),
        (single_real, Change::SingleReal { count: single_real }),
    ];
    all.into_iter().filter(|(count, _)| *count > 0).map(|(_, change)| change).collect()
}

/// The bound that a worker claims, and whether it can be checked.
fn claimed(report: &Report) -> Option<Summary> {
    let claimed = report.claimed.as_ref()?;
    let least = at_least_figure(claimed.bound?);
    let whole = claimed.of == BoundOf::WholeProblem;
    let loss = noun(certify::loss(report.objective.loss));
    Some(Summary::Claimed { whole, loss, least, checkable: whole && can_be_certified(report) })
}

/// Whether such a run can have a certificate that is checked.
fn can_be_certified(report: &Report) -> bool {
    let changes = &report.changes;
    let plain = report.conditions.is_empty() && report.further.is_empty() && report.sets.is_empty();
    report.series.is_none()
        && report.persons.is_none()
        && plain
        && changes.counterfeits + changes.suppressed_for_loss == 0
}

/// The loss that was asked for.
fn reached(report: &Report) -> Reached {
    let objective = &report.objective;
    let four = |x: f64| Figure::fixed(x, 4);
    let value = four(objective.value);
    match (objective.loss, objective.information_loss_percent, objective.sst, objective.gcp_mean) {
        (Loss::Sse, Some(percent), Some(sst), _) if let Some(of) = &report.persons => {
            let (of_rows, all_rows) = (four(of.sse_of_rows), four(of.sst_of_rows));
            Reached::InformationOfPersons {
                percent: four(percent),
                sse: value,
                sst: four(sst),
                of_rows,
                all_rows,
            }
        }
        (Loss::Sse, Some(percent), Some(sst), _) => {
            Reached::Information { percent: four(percent), sse: value, sst: four(sst) }
        }
        (Loss::Sse, ..) => Reached::Sse { sse: value },
        (Loss::Ncp, _, _, Some(mean)) => Reached::Ncp { ncp: value, mean: four(mean) },
        (Loss::Ncp, ..) => Reached::NcpReal { ncp: value },
        (Loss::NcpBinary, _, _, of_all) => {
            let mean = four(objective.value / report.input.rows.max(1) as f64);
            Reached::NcpBinary { ncp: value, mean, real: of_all.is_none() }
        }
    }
}

/// The loss of what is published, whatever was minimised.
fn published_form(report: &Report) -> Summary {
    let utility = &report.utility;
    let (measured, columns) = utility.measured();
    match utility.gcp_mean {
        Some(mean) => Summary::PublishedForm { mean: Figure::fixed(mean, 4), measured, columns },
        None => Summary::PublishedFormOpen,
    }
}

/// The levels of columns, and what is proven of them.
fn levels(report: &Report) -> Option<[Summary; 2]> {
    let found = report.full_domain.as_ref()?;
    let at = |column: &ColumnLevel| AtLevel::Column {
        column: column.column.as_str().into(),
        level: column.level,
        highest: column.highest,
    };
    let (nodes, looked_at) = (found.nodes, found.looked_at);
    let cost = Figure::fixed(found.cost, 4);
    let least = found.bound.map(at_least_figure);
    Some([
        Summary::Levels { columns: found.columns.iter().map(at).collect() },
        Summary::LevelsProven { cost, suppressed: found.suppressed, least, nodes, looked_at },
    ])
}

/// What is proven of the loss, in its unit.
fn bound(report: &Report) -> Option<Summary> {
    let Some(bound) = &report.bound else {
        let sought = report.method.name.seeks_bound()
            && report.changes.suppressed_for_loss == 0
            && report.full_domain.is_none();
        return sought.then_some(Summary::Unproven);
    };
    let (loss, least) = (noun(certify::loss(bound.loss)), at_least_figure(bound.value));
    Some(if bound.of == BoundOf::WholeProblem {
        let (far, proof) = (from_the_best(bound.gap_percent), bound.proven_by.clone());
        Summary::Bound { far, loss, least, proof }
    } else {
        Summary::BlockBound { loss, least, gap: Figure::fixed(bound.gap_percent, 3) }
    })
}

/// A bound with four decimals, or with as many as a small one needs, rounded down so that it stays one.
pub(crate) fn at_least(bound: f64) -> String {
    at_least_to(bound, digits(bound))
}

/// The same in a message.
pub(crate) fn at_least_figure(bound: f64) -> Figure {
    let digits = digits(bound);
    Figure::fixed(rounded_down(bound, digits), digits as usize)
}

/// The same with so many decimals.
pub(crate) fn at_least_to(bound: f64, digits: f64) -> String {
    format!("{:.*}", digits as usize, rounded_down(bound, digits))
}

fn digits(bound: f64) -> f64 {
    let small = bound > 0.0 && bound < 0.01;
    if small { (3.0 - bound.log10().floor()).min(300.0) } else { 4.0 }
}

fn rounded_down(bound: f64, digits: f64) -> f64 {
    let unit = 10_f64.powf(digits);
    let down = (bound * unit).floor() / unit;
    if down.is_finite() { down } else { bound }
}

/// Why the search stopped; `claimed` is another machine's word for it.
fn ended(report: &Report, status: &Status, claimed: bool) -> Ended {
    match status {
        Status::Optimal if report.links_values() && report.objective.value > 0.0 => Ended::OptimalOfLinked,
        Status::Optimal if report.full_domain.is_some() => Ended::OptimalOfLevels,
        Status::Optimal => Ended::Optimal,
        Status::GapReached => Ended::GapReached,
        Status::OptimalClaimed => Ended::OptimalClaimed,
        Status::GapReachedClaimed => Ended::GapReachedClaimed,
        Status::EffortSpent if report.method.name.is_search() => Ended::EffortSpent { claimed },
        Status::EffortSpent => Ended::ByTheMethod { claimed },
        Status::TimeLimit => Ended::TimeUp { claimed },
        Status::Cancelled => Ended::Cancelled { claimed },
        Status::Infeasible { why } => Ended::Infeasible { why: why.clone() },
    }
}
