//! Risk, disclosure and utility of what is about to be published, as the audit computes them from its bytes.

use std::collections::BTreeMap;

use lookalike_audit::{
    Attacker, Question, alike_share,
    disclosure::{Choice, Known, RepairUsed, disclosure, in_classes},
    known_share,
    measure::{ColumnReading, Reading, figures, utility},
    risks, risks_of_people,
};
use lookalike_model::{
    assessment::{ColumnUtility, Disclosure, Informed, Queries, Statistic, Utility},
    comparison::Likeness,
    report::Risk,
    settings::{ChangeCosts, ChangeOptions, Fake, Model, Publish, Repair, Settings},
    unchanged::UnchangedReport,
};
use lookalike_table::{Role, Schema, Table};

use super::{ends, order::Class, risks::of_risks, rounding::two_digits, sets, unchanged};
use crate::{
    Error, comparison,
    prepare::{CLASS, Prepared, query_seed, recoding::Recoding},
};

/// Most row visits of the counting queries, and most queries: a bound on their time.
const QUERY_ROWS: usize = 40_000_000;
const QUERIES: usize = 200;

/// Risk, disclosure and utility of a release.
#[derive(Clone)]
pub(crate) struct Assessed {
    /// Its four older figures are the verdict's.
    pub(crate) risk: Risk,
    /// Of columns that are published unchanged.
    pub(crate) unchanged: Option<UnchangedReport>,
    pub(crate) disclosure: Option<Disclosure>,
    pub(crate) utility: Utility,
    /// Private.
    pub(crate) informed: Option<Informed>,
    /// Private.
    pub(crate) statistics: Vec<Statistic>,
    /// Private: of the source as it was.
    pub(crate) source_risk: Option<Risk>,
}

/// `key` is the linking key as it is written.
pub(crate) fn assess(
    (bytes, key): (&[u8], &[u8]),
    question: &Question,
    table: &Table,
    prepared: &Prepared,
    classes: &[Class],
) -> Result<Assessed, Error> {
    let reading = of_published(&prepared.schema, &prepared.recodings);
    let published = ends::measured(bytes, question.dialect, &reading)?;
    let as_published = question;
    let question = &ends::question(question, prepared);
    let (utility, statistics) = useful(&published, question, table, prepared, classes)?;
    let (disclosure, informed) = match prepared.settings.model {
        Model::KAnonymity { .. } => (None, None),
        // They are of repairs, of which there are none, and count rows; the risks count persons.
        Model::MInvariance { .. } if prepared.persons.is_some() => (None, None),
        // In a later release others are faked than the models of disclosure know.
        Model::MInvariance { .. }
            if prepared.series.as_ref().is_some_and(|part| part.updates.release > 1) =>
        {
            (None, Some(informed(table, prepared, classes)))
        }
        Model::MInvariance { m } => {
            (disclosed(&published, question, prepared, m)?, Some(informed(table, prepared, classes)))
        }
    };
    let Question { quasi, sensitive, markers, .. } = question;
    let known = sensitive.as_ref().map(|name| known_share(&published, quasi, name, markers));
    let highest_known_disclosure = known.transpose()?.flatten();
    let alike = sensitive.as_ref().map(|name| alike_share(&published, quasi, name, markers));
    let highest_alike_disclosure = alike.transpose()?.flatten();
    let threshold = prepared.settings.threshold();
    let risk = Risk {
        highest_known_disclosure,
        highest_alike_disclosure,
        ..raw_risk(&published, &question.quasi, threshold)?
    };
    let unchanged = unchanged::report((bytes, key), as_published, table, prepared)?;
    let source_risk = Some(comparison::risk(table, &Likeness::of(&prepared.settings), threshold)?);
    Ok(Assessed { risk, unchanged, disclosure, utility, informed, statistics, source_risk })
}

/// Risk of a table, published or raw; what depends on groups alone.
pub(crate) fn raw_risk(table: &Table, quasi: &[String], threshold: f64) -> Result<Risk, Error> {
    let attacker = Attacker { threshold, ..Attacker::default() };
    Ok(of_risks(&risks(table, quasi, &[], &attacker)?))
}

/// Risk of people of whom each is among so many at worst.
pub(crate) fn people_risk(people: &[u32], threshold: f64) -> Result<Risk, Error> {
    let attacker = Attacker { threshold, ..Attacker::default() };
    Ok(of_risks(&risks_of_people(people, &attacker)?))
}

/// For an attacker who knows the published table, the method and the totals that the report publishes.
fn disclosed(
    published: &Table,
    question: &Question,
    prepared: &Prepared,
    m: usize,
) -> Result<Option<Disclosure>, Error> {
    let changes = prepared.changes;
    let way = match prepared.settings.eligibility {
        _ if changes.counterfeits + changes.deletions == 0 => RepairUsed::Untouched,
        Repair::Error => RepairUsed::Untouched,
        Repair::Add => RepairUsed::Add,
        Repair::Delete => RepairUsed::Delete,
        Repair::Hybrid => RepairUsed::Hybrid,
    };
    let known = Known {
        m: m as u64,
        way,
        choice: choice(&prepared.settings),
        counterfeits: Some(changes.counterfeits as u64),
        deletions: Some(changes.deletions as u64),
    };
    let found = disclosure(published, question, &prepared.schema.markers, &known)?;
    Ok(found.map(|d| Disclosure {
        promised: d.promised,
        present: d.present,
        present_known: d.present_known,
        above: d.above,
        suspects: d.suspects,
        certainly_real: d.certainly_real,
        absent_values: d.absent_values,
    }))
}

/// Which values are faked, as the settings have it.
fn choice(settings: &Settings) -> Choice {
    let ChangeOptions { costs, fake, .. } = &settings.changes;
    // Additions alone: one price for all of them decides nothing.
    let usual = match settings.eligibility {
        Repair::Add => costs.add_growth == 0 && costs.add_of.values().all(|&cost| cost == costs.add),
        _ => *costs == ChangeCosts::default(),
    };
    match fake {
        _ if !usual => Choice::Cheapest,
        Fake::Rarest => Choice::Rarest,
        Fake::Frequent => Choice::Frequent,
    }
}

/// For an attacker who also knows how many records of each value are counterfeits and how many were deleted, but not who else is
/// in the class of a person.
fn informed(table: &Table, prepared: &Prepared, classes: &[Class]) -> Informed {
    let column = prepared.schema.columns.iter().find(|c| c.role == Role::Sensitive);
    let mut codes: BTreeMap<String, usize> = BTreeMap::new();
    let (mut real, mut faked) = (Vec::new(), Vec::new());
    let mut code = |text: &str, real: &mut Vec<u64>, faked: &mut Vec<u64>| {
        let missing = lookalike_table::is_missing(text, &prepared.schema.markers);
        let next = codes.len();
        let code = *codes.entry(if missing { String::new() } else { text.to_owned() }).or_insert(next);
        if code == real.len() {
            real.push(0);
            faked.push(0);
        }
        code
    };
    let mut signatures = Vec::with_capacity(classes.len());
    for class in classes {
        let mut signature = Vec::new();
        for &row in &class.rows {
            let text = column.map_or("", |c| table.columns[c.index].cell(row as usize));
            let value = code(text, &mut real, &mut faked);
            real[value] += 1;
            signature.push(value);
        }
        for text in &class.counterfeits {
            let value = code(text, &mut real, &mut faked);
            faked[value] += 1;
            signature.push(value);
        }
        signatures.push(signature);
    }
    // Deleted records are in no class: the counts before the deletion do not matter here.
    let none = vec![0; real.len()];
    let present = in_classes(&real, &faked, &none, signatures.iter().map(Vec::as_slice)).present;
    let deleted: u64 = prepared.deleted.iter().sum();
    let most = prepared.deleted.iter().max().copied().unwrap_or(0);
    let least_real = classes.iter().map(|c| c.rows.len()).min().unwrap_or(1);
    // Within a value every record is as likely to be a counterfeit as any other only where nobody has left.
    let first = prepared.series.as_ref().is_none_or(|part| part.updates.release == 1);
    Informed {
        present: first.then_some(present),
        present_with_class_counts: present.max(1.0 / least_real as f64),
        absent: (deleted > 0).then(|| most as f64 / deleted as f64),
    }
}

fn useful(
    published: &Table,
    question: &Question,
    table: &Table,
    prepared: &Prepared,
    classes: &[Class],
) -> Result<(Utility, Vec<Statistic>), Error> {
    let reading = reading(prepared);
    let (Model::MInvariance { m: least } | Model::KAnonymity { k: least }) = prepared.settings.model;
    let of_published = of_published(&prepared.schema, &prepared.recodings);
    let figures = figures(published, question, Some(least), &of_published)?;
    let links = ends::links(table, classes);
    let seed = query_seed(prepared.settings.seed.unwrap_or(0));
    let queries = (QUERY_ROWS / table.rows.max(1)).min(QUERIES);
    let label = question.class.as_deref().unwrap_or(CLASS);
    let found = utility(published, table, &links, &question.quasi, label, &reading, (seed, queries))?;
    // Of the published bytes alone, counterfeits and all: a sum over the real records is an equation in the number of
    // counterfeits of each class, and a domain that unpublished rows widen tells of them.
    let columns: Vec<ColumnUtility> = (found.columns.iter().zip(&figures.columns))
        .map(|(against, alone)| {
            let ncp = against.ncp.as_ref().and(alone.ncp.as_ref()).ok().copied();
            let ncp = ncp.filter(|_| !is_means(&prepared.schema, &prepared.recodings, &against.name));
            // Its groups are those of a set, not the classes by which the errors are found.
            let by_class =
                !sets::in_classes(&prepared.settings).any(|set| set.columns.contains(&against.name));
            let information_loss_percent = by_class.then(|| two_digits(against.information_loss_percent));
            ColumnUtility {
                name: against.name.clone(),
                ncp,
                measurable: ncp.is_some(),
                information_loss_percent,
            }
        })
        .collect();
    let gcp_mean = mean_of(&columns);
    let statistics = found.columns.iter().filter_map(|c| {
        c.statistic.map(|s| Statistic {
            column: c.name.clone(),
            mean_shift: s.mean_shift,
            variance_ratio: s.variance_ratio,
        })
    });
    let utility = Utility {
        ncp_total: gcp_mean.map(|mean| mean * published.rows as f64),
        gcp_mean,
        average_class_size: figures.average_group_size,
        c_avg: figures.c_avg.unwrap_or(0.0),
        discernibility: figures.discernibility,
        classification_metric: figures.classification_metric,
        queries: found.queries.map(|q| Queries {
            count: q.queries,
            dimensions: q.dimensions,
            mean_error: two_digits(q.mean),
            median_error: two_digits(q.median),
        }),
        columns,
    };
    Ok((utility, statistics.collect()))
}

/// How the cells of original and release are read.
pub(crate) fn reading(prepared: &Prepared) -> Reading {
    let columns = &prepared.schema.columns;
    Reading {
        hierarchies: columns
            .iter()
            .filter_map(|c| Some((c.name.clone(), prepared.recodings[c.index].hierarchy.clone()?)))
            .collect(),
        ..of_published(&prepared.schema, &prepared.recodings)
    }
}

/// How the cells of a release are read, by what each column is published as: a hierarchy by which it is not published says
/// nothing of its cells.
pub(crate) fn of_published(schema: &Schema, recodings: &[Recoding]) -> Reading {
    let columns = || schema.columns.iter().map(|spec| (&spec.name, spec, &recodings[spec.index]));
    Reading {
        suppressed: Vec::new(),
        missing: schema.markers.clone(),
        columns: columns()
            .map(|(name, spec, _)| (name.clone(), ColumnReading::As(spec.reading.clone())))
            .collect(),
        hierarchies: columns()
            .filter_map(|(name, _, recoding)| Some((name.clone(), recoding.published_by()?.clone())))
            .collect(),
        domains: columns()
            .filter_map(|(name, _, recoding)| Some((name.clone(), recoding.domain.as_ref()?.told(recoding))))
            .collect(),
        limits: columns()
            .map(|(name, _, recoding)| (name.clone(), (recoding.coding.bottom, recoding.coding.top)))
            .filter(|(_, limits)| *limits != (None, None))
            .collect(),
        ends: columns()
            .filter(|(_, spec, _)| !matches!(spec.role, Role::Sensitive | Role::Unchanged))
            .filter_map(|(name, spec, recoding)| Some((name.clone(), recoding.ends(spec)?)))
            .collect(),
    }
}

/// Whether a column is published as means: a mean says one number and has no width, but the records are not known to lie
/// there, so that a penalty of 0 would say the opposite of what is so.
pub(crate) fn is_means(schema: &Schema, recodings: &[Recoding], name: &str) -> bool {
    schema.columns.iter().any(|spec| {
        spec.name == name
            && recodings[spec.index].form == Publish::Centroid
            && spec.reading != lookalike_table::Reading::Labels
    })
}

/// The loss of the published form: the mean penalty of a cell of the columns that have one.
pub(crate) fn mean_of(columns: &[ColumnUtility]) -> Option<f64> {
    let measured: Vec<f64> = columns.iter().filter_map(|column| column.ncp).collect();
    (!measured.is_empty()).then(|| measured.iter().sum::<f64>() / measured.len() as f64)
}
