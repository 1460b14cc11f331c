//! What a published table, ours or anybody's, keeps of what is asked of it; the same for the command line and the page.

mod attack_record;
mod attacks;
mod declared;
mod ends;
mod findings;
mod message;
mod owners;
mod persons;
mod reading_of;
mod sample_record;
mod series;
mod text;

use lookalike_audit::{
    Assessment, Conditions, Guarantee, Inquiry, Model, Question, assess,
    consistency::{Consistency, Notion},
    disclosure,
    measure::{self, Reading, Utility},
    sampled,
};
use lookalike_table::Table;

pub use attack_record::attack_record;
pub use attacks::{AttackLine, AttackName, RateTold, ResidualTold, attack, attempts, tell_attacks};
pub use declared::DeclaredColumns;
pub use ends::has_column;
pub use findings::{Asked, Before, Findings, Noted, Repair};
pub use message::{CheckLine, CheckName, Exposed, LeftTo, PersonsFinding, SeriesLine, TableLine, Witnessed};
pub use owners::OwnersFound;
pub use persons::PersonsFound;
pub use reading_of::{Unread, of_kind, reading_of};
pub use sample_record::sample_record;
pub use series::{check_series, tell_series};
pub use text::tell;

pub use crate::release::conditions::{arranged, condition};

use self::persons::AskedOfPersons;
use crate::{Error, prepare::CLASS, prepare::known as known_column};

/// Judges a table, and what it was made of, if that is known.
///
/// # Errors
/// If a column is not there, or a question has no answer.
pub fn check(table: &Table, asked: &Asked, before: Option<Before>) -> Result<Findings, Error> {
    let mut reading = asked.reading.clone();
    if let Some(before) = before {
        let names: Vec<String> = before.original.columns.iter().map(|column| column.name.clone()).collect();
        reading = reading.with_original(before.original, &names);
    }
    let original = before.map(|before| before.original);
    let (asked_of, measured) = ends::measured(table, &asked.inquiry, reading, original)?;
    let inquiry = settled(table, &asked_of, asked.no_class)?;
    let ends::Measured { table: whole, mut quasi, reading } = measured;
    let whole = whole.as_ref();
    in_order(whole, &mut quasi);
    let reading = asked.declared.published(whole, &quasi, reading)?;
    let question = Question {
        quasi,
        sensitive: inquiry.sensitive.clone(),
        conditions: Conditions::default(),
        guarantee: Guarantee::KAnonymity { k: 2 },
        class: inquiry.class.clone(),
        markers: inquiry.missing.clone(),
        dialect: lookalike_audit::Dialect::PLAIN,
    };
    let least = inquiry.models.iter().find_map(least_of);
    let figures = measure::figures(whole, &question, least, &reading)?;
    let reading = asked.declared.against(reading);
    let persons = match &asked.person {
        Some(column) => {
            let needed = inquiry.models.iter().filter_map(least_of).max();
            let (quasi, class) = (question.quasi.as_slice(), inquiry.class.as_deref());
            let m = inquiry.models.iter().filter_map(of_values).max();
            let m = inquiry.sensitive.as_deref().zip(m);
            let of = AskedOfPersons { column, quasi, class, k: needed, m, missing: &inquiry.missing };
            persons::count(whole, before, &of)?
        }
        None => None,
    };
    let mut assessment = assess(table, &inquiry)?;
    if persons.as_ref().is_some_and(|found| found.owners.is_some()) {
        of_persons(&mut assessment);
    }
    Ok(Findings {
        notions: notions(whole, before, &asked.notions, &question.quasi, &reading)?,
        assessment,
        figures,
        utility: match before {
            Some(Before { original, classes: Some(classes) }) => {
                Some(utility(whole, (original, classes), &question, &reading, asked.queries)?)
            }
            _ => None,
        },
        repair: match &asked.known {
            Some(known) => {
                let found = disclosure::disclosure(whole, &question, &reading.missing, known)?;
                found.map_or(Repair::Otherwise, Repair::Discloses)
            }
            None => Repair::NotNamed,
        },
        persons,
        key: match (before, &inquiry.class) {
            (Some(Before { classes: Some(key), .. }), Some(class)) => {
                let by = (inquiry.suppressed.as_slice(), asked.person.is_some());
                Some(measure::linked(whole, key, class, by)?)
            }
            _ => None,
        },
        values: match (before, &inquiry.class, &inquiry.sensitive) {
            (Some(Before { original, classes: Some(key) }), Some(class), Some(sensitive)) => {
                let (suppressed, missing) = (inquiry.suppressed.as_slice(), inquiry.missing.as_slice());
                let persons = asked.person.is_some();
                let of = measure::ValuesOf { class, sensitive, suppressed, missing, persons };
                Some(measure::same_values(whole, (original, key), &of)?)
            }
            _ => None,
        },
        sampled: if asked.sampled.is_none() {
            None
        } else {
            let of = (inquiry.quasi.as_slice(), inquiry.suppressed.as_slice());
            let risk = sampled(table, of, &asked.sampled, &inquiry.missing)?;
            Some((asked.sampled.clone(), risk))
        },
        ends: reading.ends.into_iter().collect(),
        class: inquiry.class,
    })
}

/// Fewest rows or persons of a class by a model.
fn least_of(model: &Model) -> Option<usize> {
    match *model {
        Model::KAnonymity { k } => Some(k),
        _ => of_values(model),
    }
}

/// m of m-uniqueness.
fn of_values(model: &Model) -> Option<usize> {
    match *model {
        Model::MUniqueness { m } => Some(m),
        _ => None,
    }
}

/// Leaves out what is found of m-uniqueness in rows, since persons are counted: one may hold a value in several rows.
fn of_persons(assessment: &mut Assessment) {
    assessment.findings.retain(|finding| of_values(&finding.model).is_none());
    let checks = assessment.findings.iter().map(|finding| &finding.check).chain(&assessment.notes);
    assessment.passed = checks.into_iter().all(|check| check.passed);
}

/// The question with the table's class column, and columns in the table's order, by which published rows are sorted; a
/// name given twice is left for the audit to refuse.
fn settled(table: &Table, inquiry: &Inquiry, no_class: bool) -> Result<Inquiry, Error> {
    let Inquiry { quasi, sensitive, class, .. } = inquiry;
    quasi.iter().chain(sensitive).chain(class).try_for_each(|name| known_column(table, name).map(drop))?;
    let free = !no_class && !quasi.iter().chain(sensitive).any(|other| other == CLASS);
    let ours = (table.column(CLASS).is_some() && free).then(|| CLASS.to_owned());
    let mut quasi = quasi.clone();
    in_order(table, &mut quasi);
    Ok(Inquiry { quasi, class: class.clone().or(ours), ..inquiry.clone() })
}

/// Sorts names as the columns of a table stand.
fn in_order(table: &Table, names: &mut [String]) {
    names.sort_by_key(|name| table.columns.iter().position(|column| column.name == *name));
}

fn utility(
    published: &Table,
    (original, classes): (&Table, &Table),
    question: &Question,
    reading: &Reading,
    queries: (u64, usize),
) -> Result<Utility, Error> {
    let Some(class) = &question.class else {
        return Err(lookalike_audit::Error::NoClassOfLinks.into());
    };
    let links = measure::link(classes, original.rows)?;
    Ok(measure::utility(published, original, &links, &question.quasi, class, reading, queries)?)
}

fn notions(
    table: &Table,
    before: Option<Before>,
    asked: &[(Notion, usize)],
    quasi: &[String],
    reading: &Reading,
) -> Result<Vec<Noted>, Error> {
    let (Some(before), false) = (before, asked.is_empty()) else { return Ok(Vec::new()) };
    let consistency = Consistency::new(table, before.original, quasi, reading)?;
    let judge = |&(notion, k): &(Notion, usize)| {
        let (check, reached) = consistency.check(notion, k)?;
        Ok(Noted { notion, reached, check })
    };
    asked.iter().map(judge).collect()
}
