//! The findings for people.

use lookalike_audit::{
    Assessment, Check, Exposure, Finding, Reader, SampleRisk,
    disclosure::Disclosure,
    measure::{ColumnUtility, Figures, Statistic, Utility},
};
use lookalike_model::lines::Line;
use lookalike_words::{Figure, Message, Name, Said};

use super::{CheckLine, CheckName, Exposed, Findings, Noted, Repair, TableLine};
use crate::release::reader;

/// Where witnesses stand: below what was checked.
const WITNESS: usize = 7;

impl CheckName {
    /// A model that was asked for.
    #[must_use]
    pub fn of(finding: &Finding) -> Self {
        let column = finding.model.column().map(Name::from);
        Self::Model { model: finding.model.name(), column, grouping: finding.grouping }
    }

    /// A notion that was asked for.
    #[must_use]
    pub fn against(noted: &Noted) -> Self {
        Self::Against { check: noted.check.name.clone() }
    }
}

/// All that was found, for people.
#[must_use]
pub fn tell(found: &Findings) -> Vec<Line> {
    let Assessment { findings, notes, risks, .. } = &found.assessment;
    let class = found.class.as_deref().map(Name::from);
    let mut lines = vec![
        Line::new(TableLine::Groups { records: risks.records, groups: risks.groups, class }),
        read_by(found.assessment.reader),
    ];
    lines.extend(found.ends.iter().map(|(name, ends)| {
        let columns = ends.names().map(|end| Name::from(end.as_str())).collect();
        Line::new(TableLine::Ends { columns, name: name.as_str().into() })
    }));
    lines.push(Line::blank());
    if let Some(persons) = &found.persons {
        lines.extend(persons.told().into_iter().map(Line::new));
    }
    for linked in found.key.iter().chain(&found.values) {
        check(&mut lines, linked.name.said(), linked);
    }
    for finding in findings {
        check(&mut lines, CheckName::of(finding).into(), &finding.check);
    }
    for noted in &found.notions {
        check(&mut lines, CheckName::against(noted).into(), &noted.check);
    }
    if let Some(domains) = &found.figures.domains {
        check(&mut lines, domains.name.said(), domains);
    }
    for noted in notes {
        if noted.passed {
            lines.push(note(noted.name.said(), noted));
        } else {
            check(&mut lines, noted.name.said(), noted);
        }
    }
    lines.push(Line::blank());
    if let Some(persons) = &found.persons {
        let (highest, mean) = (four(persons.highest_risk()), four(persons.mean_risk));
        lines.push(Line::new(TableLine::PersonRisk { highest, mean }));
    }
    let threshold = Figure::shortest(risks.threshold);
    lines.push(Line::new(TableLine::Prosecutor { exposed: exposed(&risks.prosecutor), threshold }));
    let weighted = found.sampled.as_ref().is_some_and(|(of, _)| of.weight.is_some());
    lines.push(Line::new(match (risks.sample_fraction == 1.0, weighted) {
        (true, false) => TableLine::JournalistAsProsecutor,
        (true, true) => TableLine::JournalistByWeights,
        (false, _) => TableLine::Journalist {
            exposed: exposed(&risks.journalist),
            fraction: four(risks.sample_fraction),
        },
    }));
    lines.push(Line::new(TableLine::Marketer { share: four(risks.marketer) }));
    let percent = Figure::fixed(100.0 * risks.unique_share, 2);
    lines.push(Line::new(TableLine::Uniques { records: risks.uniques, percent }));
    if let Some((_, sample)) = &found.sampled {
        told_of_sample(&mut lines, sample);
    }
    match &found.repair {
        Repair::NotNamed => {}
        Repair::Otherwise => lines.push(Line::new(TableLine::NoSource)),
        Repair::Discloses(found) => disclosed(&mut lines, found),
    }
    figures(&mut lines, &found.figures);
    if let Some(utility) = &found.utility {
        lost(&mut lines, utility, found.figures.gcp_mean);
    }
    lines
}

/// Risk in the population, and that of households.
fn told_of_sample(lines: &mut Vec<Line>, found: &SampleRisk) {
    let one = |x: f64| Figure::fixed(x, 1);
    lines.push(Line::new(TableLine::Population {
        people: one(found.people),
        highest: four(found.highest),
        mean: four(found.mean),
        expected: one(found.expected),
    }));
    lines.push(Line::new(TableLine::PopulationUniques {
        records: found.uniques,
        expected: one(found.population_uniques),
    }));
    if let Some(of) = &found.households {
        lines.push(Line::new(TableLine::Households {
            households: of.households,
            highest: four(of.highest),
            mean: four(of.mean),
            expected: one(of.expected),
        }));
    }
}

/// Who read the published bytes.
pub(super) fn read_by(by: Reader) -> Line {
    Line::new(CheckLine::ReadBy { reader: reader(by) })
}

/// A check that holds whatever it says.
pub(super) fn note(name: Said, check: &Check) -> Line {
    Line::new(CheckLine::Note { name, finding: check.finding.said() })
}

/// Whether a check holds, with its witnesses.
pub(super) fn check(lines: &mut Vec<Line>, name: Said, check: &Check) {
    let finding = check.finding.said();
    lines.push(Line::new(if check.passed {
        CheckLine::Holds { name, finding }
    } else {
        CheckLine::Fails { name, finding }
    }));
    witnesses(lines, check);
}

pub(super) fn witnesses(lines: &mut Vec<Line>, check: &Check) {
    lines.extend(check.witnesses.iter().map(|witness| Line::indented(WITNESS, witness.said())));
}

/// With four decimals.
fn four(x: f64) -> Figure {
    Figure::fixed(x, 4)
}

fn exposed(e: &Exposure) -> Exposed {
    Exposed::To {
        highest: four(e.highest),
        mean: four(e.mean),
        at_risk: e.at_risk,
        percent: Figure::fixed(100.0 * e.at_risk_share, 2),
    }
}

fn disclosed(lines: &mut Vec<Line>, d: &Disclosure) {
    lines.push(Line::new(TableLine::Disclosure {
        present: four(d.present),
        promised: four(d.promised),
        above: d.above,
        suspects: d.suspects,
        real: d.certainly_real,
    }));
    lines.extend(d.absent_values.map(|values| Line::new(TableLine::Absence { values })));
}

fn figures(lines: &mut Vec<Line>, figures: &Figures) {
    lines.push(Line::blank());
    lines.push(Line::new(TableLine::GroupSizes {
        average: four(figures.average_group_size),
        discernibility: Figure::shortest(figures.discernibility),
        c_avg: figures.c_avg.map(four),
        metric: figures.classification_metric.map(four),
    }));
    for column in &figures.columns {
        let name = column.name.clone();
        lines.push(Line::new(match &column.ncp {
            Ok(ncp) => TableLine::Penalty { column: name, ncp: four(*ncp) },
            Err(why) => TableLine::NotMeasurable { column: name, why: why.clone() },
        }));
    }
    if let (Some(total), Some(mean)) = (figures.ncp_total, figures.gcp_mean) {
        lines.push(Line::new(TableLine::TotalPenalty { total: four(total), mean: four(mean) }));
    }
}

/// What was lost of the original; `alone` is the penalty of the published table by itself.
fn lost(lines: &mut Vec<Line>, utility: &Utility, alone: Option<f64>) {
    lines.push(Line::blank());
    lines.push(Line::new(TableLine::Lost {
        published: utility.published_rows,
        unpublished: utility.unpublished_rows,
        added: utility.added_rows,
        gcp: utility.gcp_mean.map(four),
        loss: four(utility.information_loss_percent),
    }));
    if let (Some(published), Some(original)) = (alone.map(four), utility.gcp_mean.map(four))
        && utility.unpublished_rows > 0
        && published != original
    {
        lines.push(Line::new(TableLine::TwoPenalties { published, original }));
    }
    lines.extend(utility.columns.iter().map(column_lost));
    lines.extend(utility.queries.map(|q| {
        Line::new(TableLine::Queries {
            queries: q.queries,
            dimensions: q.dimensions,
            mean: four(q.mean),
            median: four(q.median),
        })
    }));
}

fn column_lost(column: &ColumnUtility) -> Line {
    let (moved, varied) = match column.statistic {
        Some(Statistic { mean_shift, variance_ratio }) => {
            (Some(four(mean_shift)), Some(four(variance_ratio)))
        }
        None => (None, None),
    };
    Line::new(TableLine::ColumnLost {
        column: column.name.clone(),
        loss: four(column.information_loss_percent),
        ncp: column.ncp.as_ref().ok().copied().map(four),
        why: column.ncp.as_ref().err().cloned(),
        uncovered: column.uncovered.unwrap_or(0),
        moved,
        varied,
    })
}
