//! What is asked of a table beside a run: what its columns are, for which m it is eligible, hierarchies, and whether a published
//! table keeps what is asked of it.

use lookalike_core::{
    audit::{
        Attacker, Finding, Grouping, Inquiry, Model as Judged, Population, SUPPRESSED, Sampled,
        attacks::{Attacked, Attacks},
        measure::{ColumnReading, Reading},
    },
    check::{
        Asked, Before, DeclaredColumns, Findings, arranged, attack, condition, sample_record, tell,
        tell_attacks,
    },
    eligibility::{column_counts, survey_counts},
    hierarchies::generate,
    info::table_info,
    table::{
        ReadOptions, Reading as Compared,
        hierarchy::{Generator, Hierarchy},
        read, usual_and,
    },
};
use lookalike_model::{
    lines::Line,
    settings::{Model, Publish, RowsAre, ValueCondition},
};
use lookalike_words::Message as _;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::{
    arguments::{Given, NAMED_OTHERWISE, spoken},
    attacks,
    failure::Failure,
    source::Wanted,
    stream::Frame,
};

/// What the columns of a frame are and which roles they may have, as JSON. Nothing is decided here.
#[pyfunction]
pub(crate) fn describe(py: Python<'_>, source: &Bound<'_, PyAny>, settings: &str) -> PyResult<String> {
    let given = Given::read(settings, None)?;
    let frame = Frame::of(source)?;
    let told = py.detach(|| {
        let edits = given.edits();
        let markers = edits.markers.clone();
        let table = frame.table(Wanted { columns: None, keys: false, typed: true, edits })?;
        Ok::<_, Failure>(serde_json::to_string(&table_info(&table, &markers, 0))?)
    });
    Ok(told?)
}

/// For which m a frame can be published, and what it would cost, as JSON.
#[pyfunction]
#[pyo3(signature = (source, settings, first=None, last=None))]
pub(crate) fn eligibility(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    settings: &str,
    first: Option<u64>,
    last: Option<u64>,
) -> PyResult<String> {
    /// More than anybody reads.
    const LONGEST: u64 = 10_000;
    let given = Given::read(settings, None)?;
    let frame = Frame::of(source)?;
    let told = py.detach(|| {
        let Some(sensitive) = given.draft.settings.sensitive.clone() else {
            return Err(Failure::settings("name the column whose values are to be protected (sensitive)"));
        };
        let wanted = Wanted { columns: Some(vec![sensitive.clone()]), keys: false, typed: true, edits: given.edits() };
        let table = frame.table(wanted)?;
        let missing = given.draft.settings.missing.clone().into();
        let counted = column_counts(&table, &sensitive, &missing)?;
        let first = first.unwrap_or(2);
        let last = last.unwrap_or_else(|| (counted.counts.len() as u64).min(first.saturating_add(LONGEST - 1)));
        if first < 2 || last < first && first > 2 || last.saturating_sub(first) >= LONGEST {
            return Err(Failure::settings(format!(
                "m must be a number of at least 2, or a pair of such numbers, the first one not above the second, {LONGEST} at most"
            )));
        }
        Ok(serde_json::to_string(&survey_counts(&sensitive, &counted, first..=last)?)?)
    });
    Ok(told?)
}

/// A hierarchy for a column, a list a value: the value and its generalisations from fine to coarse.
#[pyfunction]
pub(crate) fn hierarchy(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    column: &str,
    generator: &str,
    settings: &str,
) -> PyResult<Vec<Vec<String>>> {
    let mut given = Given::read(settings, None)?;
    let frame = Frame::of(source)?;
    // The kind that the column's type says, as if an attacker knew it; the guarantee does not matter here, but settings have one.
    given.draft.settings.quasi = Some(vec![column.to_owned()]);
    given.draft.settings.model = Some(Model::KAnonymity { k: 2 });
    given.declare(frame.kinds());
    let made = py.detach(|| {
        let generator: Generator = generator.parse().map_err(|why| Failure::settings(format!("{why}")))?;
        let settings = given.settings()?;
        let wanted =
            Wanted { columns: Some(vec![column.to_owned()]), keys: false, typed: true, edits: given.edits() };
        let table = frame.table(wanted)?;
        Ok::<_, Failure>(generate(&table, column, &generator, &settings)?.rows())
    });
    Ok(made?)
}

/// What is asked beside the settings.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Told {
    settings: String,
    population: Option<usize>,
    sample_fraction: Option<f64>,
    /// classes.csv.
    classes: Option<Vec<u8>>,
    /// Attacks that are to be tried, as JSON.
    attacks: Option<String>,
}

/// Whether a published table keeps what is asked of it, and what attacks reach, as JSON.
#[pyfunction]
#[pyo3(signature = (source, told, original=None, control=None))]
pub(crate) fn check(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    told: Told,
    original: Option<&Bound<'_, PyAny>>,
    control: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let Told { settings, population, sample_fraction, classes, attacks } = told;
    let given = Given::read(&settings, None)?;
    let wanted = attacks.as_deref().map(attacks::wanted).transpose()?;
    if wanted.is_some() && original.is_none() {
        return Err(Failure::settings("attacks need original, the table before it was anonymized").into());
    }
    if wanted.is_none() && control.is_some() {
        return Err(Failure::settings("control is for attacks: say attacks=True, too").into());
    }
    let frame = Frame::of(source)?;
    let original = original.map(Frame::of).transpose()?;
    let control = control.map(Frame::of).transpose()?;
    let found = py.detach(|| {
        // Published cells are texts in any frame.
        let published = Wanted { columns: None, keys: false, typed: false, edits: given.edits() };
        let table = frame.table(published)?;
        let before =
            |of: Frame| of.table(Wanted { columns: None, keys: false, typed: true, edits: given.edits() });
        let original = original.map(before).transpose()?;
        let control = control.map(before).transpose()?;
        let classes = classes.as_deref().map(|csv| read(csv, &ReadOptions::default())).transpose();
        let classes = classes.map_err(lookalike_core::Error::from)?;
        let asked = asked(&given, (population, sample_fraction), wanted.is_some())?;
        let before = original.as_ref().map(|original| Before { original, classes: classes.as_ref() });
        // Whatever the audit cannot read was given by the caller.
        let given = |error: lookalike_core::Error| Failure::said("InputError", &error.said());
        let found = lookalike_core::check::check(&table, &asked, before).map_err(given)?;
        let tried = match (wanted, &original) {
            (Some(wanted), Some(original)) => {
                let tried = attack(&table, &asked, (original, control.as_ref()), &wanted).map_err(given)?;
                Some((wanted, tried))
            }
            _ => None,
        };
        Ok::<_, Failure>(serde_json::to_string(&findings(&found, tried.as_ref()))?)
    });
    Ok(found?)
}

fn asked(
    given: &Given,
    (population, sample_fraction): (Option<usize>, Option<f64>),
    attacks: bool,
) -> Result<Asked, Failure> {
    let model = given.draft.settings.model;
    let mut draft = given.draft.clone();
    // It may be left open here; settings have one.
    draft.settings.model.get_or_insert(Model::KAnonymity { k: 2 });
    let said = draft.complete(None)?;
    if said.quasi.is_empty() {
        return Err(Failure::settings("name the columns that an attacker may know (quasi)"));
    }
    let model = model.map(|model| match model {
        Model::KAnonymity { k } => Judged::KAnonymity { k },
        Model::MInvariance { m } => Judged::MUniqueness { m },
    });
    let conditions = |column: Option<&String>, of: &[ValueCondition]| {
        let name = column.or(said.sensitive.as_ref());
        let lie = name.map(|name| arranged(&said, name)).unwrap_or_default();
        let judged = |of: &ValueCondition| {
            let (column, arranged) = (column.cloned(), lie.clone());
            Judged::Condition { column, condition: condition(of), arranged }
        };
        of.iter().map(judged).collect::<Vec<_>>()
    };
    let further = said.conditions_of.iter().flat_map(|(column, of)| conditions(Some(column), of));
    let sets = said.sets.iter().map(|set| Judged::Set { columns: set.columns.clone(), k: set.k });
    let models = model.into_iter().chain(conditions(None, &said.conditions)).chain(further).chain(sets);
    let models: Vec<Judged> = models.collect();
    if models.is_empty() && !attacks {
        return Err(Failure::settings("say what the table is to keep (k, m or conditions)"));
    }
    let markers = given.edits().markers;
    let mut reading =
        Reading { missing: markers.clone(), suppressed: vec![SUPPRESSED.into()], ..Reading::default() };
    for (column, values) in &said.orders {
        reading.columns.insert(column.clone(), ColumnReading::As(Compared::Ranks(values.clone())));
    }
    for (column, rows) in &said.hierarchies {
        let form = said.publish_columns.get(column).copied().unwrap_or(said.publish);
        if form == Publish::Hierarchy {
            let made = Hierarchy::new(rows);
            let made = made.map_err(|why| Failure::settings(format!("hierarchies: \"{column}\": {why}")))?;
            reading.hierarchies.insert(column.clone(), made);
        }
    }
    let class_said = given.draft.settings.class_column.is_some();
    let class = said.class_column.name().filter(|_| class_said).map(str::to_owned);
    Ok(Asked {
        no_class: class_said && class.is_none(),
        inquiry: Inquiry {
            quasi: said.quasi.clone(),
            sensitive: said.sensitive.clone(),
            class,
            models,
            suppressed: vec![SUPPRESSED.into()],
            missing: usual_and(&markers),
            missing_is_value: false,
            attacker: Attacker {
                population: match (population, sample_fraction) {
                    (Some(size), _) => Population::Size(size),
                    (None, Some(fraction)) => Population::Fraction(fraction),
                    (None, None) => Population::Table,
                },
                threshold: said.threshold(),
            },
        },
        notions: Vec::new(),
        reading,
        declared: DeclaredColumns {
            domains: said.domains,
            coding: said.coding,
            ..DeclaredColumns::default()
        },
        known: None,
        sampled: Sampled { weight: said.sample.weight.clone(), household: said.sample.household.clone() },
        person: match said.rows_are {
            Some(RowsAre::EventsOf(column)) => Some(column),
            _ => None,
        },
        queries: (1, 200),
    })
}

fn findings(found: &Findings, attacks: Option<&(Attacks, Attacked)>) -> Value {
    let assessment = &found.assessment;
    let risks = &assessment.risks;
    let mut lines = tell(found);
    lines.extend(attacks.iter().flat_map(|(_, tried)| tell_attacks(tried)));
    json!({
        "passed": found.broken() == 0,
        "class_column": found.class,
        "findings": assessment.findings.iter().map(finding).collect::<Vec<_>>(),
        "risk": {
            "records": risks.records,
            "groups": risks.groups,
            "smallest_group": risks.smallest_group,
            "uniques": risks.uniques,
            "prosecutor_highest": risks.prosecutor.highest,
            "prosecutor_mean": risks.prosecutor.mean,
            "journalist_highest": risks.journalist.highest,
            "marketer": risks.marketer,
        },
        "sample": sample_record(found),
        "attacks": attacks.map(|(wanted, tried)| attacks::record(wanted, tried)),
        "text": text(&lines),
    })
}

/// The account of all that was found.
fn text(lines: &[Line]) -> String {
    let line = |line: &Line| {
        let said = line.said.as_ref().map(spoken);
        said.map_or_else(String::new, |said| format!("{:1$}{said}", "", line.indent))
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn finding(finding: &Finding) -> Value {
    let witnesses: Vec<String> =
        finding.check.witnesses.iter().map(|witness| spoken(&witness.said())).collect();
    json!({
        "model": finding.model.to_string(),
        "column": finding.model.column(),
        "grouping": match finding.grouping {
            Grouping::Class => "class",
            Grouping::Group => "equal quasi-identifiers",
        },
        "reached": finding.reached,
        "passed": finding.check.passed,
        "finding": spoken(&finding.check.finding.said()),
        "witnesses": witnesses,
    })
}

/// The properties of settings that there are, and the arguments of flags that are named otherwise: for the test of the table of
/// all names.
#[pyfunction]
pub(crate) fn names() -> (Vec<&'static str>, Vec<(&'static str, &'static str)>) {
    let named = NAMED_OTHERWISE.iter().map(|(flag, argument, _)| (*flag, *argument));
    (lookalike_wire::config::setting_names(), named.collect())
}
