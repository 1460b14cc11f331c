//! What a statement says of the audit and of what an attacker reaches.

use lookalike_model::{
    assessment::Exposure,
    document::{Part, Table},
    report::{Private, Reader, Report, Risk},
    threshold::ThresholdSource,
};
use lookalike_words::{AsArg, Figure, Message as _, Said, messages};

use super::{Made, StatementColumn, percent, short};

messages! {
    in "core";

    /// What the audit found.
    enum StatementAudit {
        /// Who read the published bytes: the audit's own reader.
        Strict,
        /// Who read the published bytes: the reader of all tables.
        General,
        /// The form of the published bytes, where it is not the usual one.
        Form {
            /// In words.
            form: Said,
        },
        /// A check holds.
        Holds,
        /// A check does not hold.
        Fails,
    }

    /// What an attacker reaches.
    enum StatementRisk {
        /// The fewest rows that may be a record, where rows stand for themselves.
        FewestRows,
        /// So many rows.
        Rows {
            /// How many.
            rows: usize,
        },
        /// The smallest group.
        SmallestGroup,
        /// So many records.
        Records {
            /// How many.
            records: usize,
        },
        /// Groups of one record.
        Alone,
        /// Records of the source that nobody else looks like, before anything was done.
        AloneBefore,
        /// The prosecutor before anything was done.
        ProsecutorBefore,
        /// The prosecutor.
        Prosecutor,
        /// The journalist.
        Journalist,
        /// Nothing is known that would tell the journalist from the prosecutor.
        AsProsecutor,
        /// Sampling weights tell it.
        ByWeights,
        /// The marketer.
        Marketer,
        /// The share of records that are matched.
        Matched {
            /// In percent.
            percent: Figure,
        },
        /// Above which probability a record is at risk, and who goes by that.
        Threshold,
        /// The number, and who goes by it.
        ThresholdOf {
            /// The number.
            threshold: Figure,
            /// Who goes by it.
            source: Said,
        },
        /// How exposed records are.
        Exposed {
            /// The highest risk of a record.
            highest: Figure,
            /// The mean.
            mean: Figure,
            /// Above what a record counts.
            threshold: Figure,
            /// How many are above it.
            records: usize,
            /// How many that is in percent.
            percent: Figure,
        },
        /// So many persons.
        Persons {
            /// How many.
            persons: usize,
        },
        /// Groups of one person.
        PersonsAlone,
        /// People of the source whom nobody else looks like, before anything was done.
        PersonsAloneBefore,
        /// The share of persons that are matched.
        PersonsMatched {
            /// In percent.
            percent: Figure,
        },
        /// How exposed persons are.
        PersonsExposed {
            /// The highest risk of a person.
            highest: Figure,
            /// The mean.
            mean: Figure,
            /// Above what a person counts.
            threshold: Figure,
            /// How many are above it.
            persons: usize,
            /// How many that is in percent.
            percent: Figure,
        },
        /// The sensitive value that most persons of a group have.
        PersonsMostFrequent,
        /// The same among persons of whom a value is known.
        PersonsMostFrequentKnown,
        /// Most rows of a person.
        MostRows,
        /// Largest share of a class that is one person's.
        LargestShare,
        /// Persons whose number of rows tells them from their group.
        AloneByRows,
        /// How many those are.
        AloneOf {
            /// Those.
            alone: usize,
            /// All persons.
            persons: usize,
            /// Groups in which everybody is one.
            groups: usize,
        },
        /// Why more are above the threshold than in the source.
        MoreAtRisk {
            /// How many were above it in the source.
            before: usize,
            /// How many are now.
            after: usize,
            /// The least size of a group that is not above it.
            size: usize,
        },
        /// The most frequent sensitive value of a group.
        MostFrequent,
        /// The same among known values.
        MostFrequentKnown,
        /// What an attacker infers who knows the repair.
        Informed,
        /// With which probability.
        Told {
            /// The probability.
            present: Figure,
            /// 1/m.
            promised: Figure,
            /// Records in classes above that.
            above: usize,
        },
        /// A person who is in no class.
        Absent,
        /// What is known of that person.
        HeldOneOf {
            /// Of how many values.
            values: usize,
        },
    }

    /// Counterfeits are not people.
    enum StatementCounterfeits {
        /// Figures count them.
        Counted,
        /// A class holds nobody.
        Nobody,
        /// A class holds one real record.
        OneReal,
        /// The class with the fewest real records.
        Fewest {
            /// How many.
            real: usize,
        },
    }
}

/// Every check with its finding.
pub(super) fn audit(report: &Report) -> Vec<Part> {
    let mut table = Table::of([StatementColumn::Check, StatementColumn::Holds, StatementColumn::Finding]);
    table.rows.extend(report.audit.checks.iter().map(|check| {
        let holds = if check.passed { StatementAudit::Holds } else { StatementAudit::Fails };
        vec![check.name.as_arg(), holds.as_arg(), check.finding.as_arg()]
    }));
    let reader = match report.audit.reader {
        Reader::Strict => StatementAudit::Strict,
        Reader::General => StatementAudit::General,
    };
    let dialect = report.audit.dialect;
    let form = (!dialect.is_plain())
        .then(|| Part::Paragraph(StatementAudit::Form { form: dialect.words().said() }.into()));
    [Part::Paragraph(reader.into())].into_iter().chain(form).chain([Part::Table(table)]).collect()
}

/// What an attacker reaches.
pub(super) fn risk(report: &Report, private: &Private) -> Vec<Part> {
    let risk = &report.risk;
    let of_persons = report.persons.is_some();
    let mut table = Table::of([StatementColumn::AttackerOrFigure, StatementColumn::Risk]);
    if let Some(before) = &private.source_risk {
        let alone = if of_persons { StatementRisk::PersonsAloneBefore } else { StatementRisk::AloneBefore };
        table.row(&alone, &before.uniques);
        table.row(&StatementRisk::ProsecutorBefore, &exposed(&before.prosecutor, report));
    }
    if let Some(freeform) = &report.freeform {
        table.row(&StatementRisk::FewestRows, &StatementRisk::Rows { rows: freeform.least_matches });
    } else {
        let size = risk.smallest_group;
        let size = if of_persons {
            StatementRisk::Persons { persons: size }
        } else {
            StatementRisk::Records { records: size }
        };
        table.row(&StatementRisk::SmallestGroup, &size);
    }
    let alone = if of_persons { StatementRisk::PersonsAlone } else { StatementRisk::Alone };
    table.row(&alone, &risk.uniques);
    let exposed = |e: &Exposure| exposed(e, report);
    table.row(&StatementRisk::Prosecutor, &exposed(&risk.prosecutor));
    let threshold = Figure::shortest(rounded(risk.threshold));
    let source = ThresholdSource::of(risk.threshold).said();
    table.row(&StatementRisk::Threshold, &StatementRisk::ThresholdOf { threshold, source });
    // Without a population there is nothing else to say.
    let known = risk.sample_fraction < 1.0;
    let weighted = report.sample.as_ref().is_some_and(|sample| sample.weight.is_some());
    let journalist = match (known, weighted) {
        (true, _) => exposed(&risk.journalist),
        (false, true) => StatementRisk::ByWeights,
        (false, false) => StatementRisk::AsProsecutor,
    };
    table.row(&StatementRisk::Journalist, &journalist);
    let share = short(100.0 * risk.marketer);
    let matched = if of_persons {
        StatementRisk::PersonsMatched { percent: share }
    } else {
        StatementRisk::Matched { percent: share }
    };
    table.row(&StatementRisk::Marketer, &matched);
    let (frequent, known) = if of_persons {
        (StatementRisk::PersonsMostFrequent, StatementRisk::PersonsMostFrequentKnown)
    } else {
        (StatementRisk::MostFrequent, StatementRisk::MostFrequentKnown)
    };
    if let Some(share) = risk.highest_attribute_disclosure {
        table.row(&frequent, &percent(share));
    }
    if let Some(share) = risk.highest_known_disclosure {
        table.row(&known, &percent(share));
    }
    told_by_rows(&mut table, report);
    if let Some(d) = &report.disclosure {
        let told =
            StatementRisk::Told { present: short(d.present), promised: short(d.promised), above: d.above };
        table.row(&StatementRisk::Informed, &told);
        if let Some(values) = d.absent_values {
            table.row(&StatementRisk::Absent, &StatementRisk::HeldOneOf { values });
        }
    }
    let rises = private.source_risk.as_ref().and_then(|before| more_at_risk(before, risk));
    (counterfeits(report).map(Part::Paragraph).into_iter())
        .chain([Part::Table(table)])
        .chain(rises.map(Part::Paragraph))
        .collect()
}

/// Why more are above the threshold than in the source, where that is so: a figure that rises has its reason beside it.
fn more_at_risk(before: &Risk, after: &Risk) -> Option<Said> {
    let (was, is) = (before.prosecutor.at_risk, after.prosecutor.at_risk);
    // The least size of a group whose probability is not above the threshold.
    let size = (1.0 / after.threshold - 1e-9).ceil() as usize;
    let rises = is > was && after.threshold > 0.0;
    rises.then(|| StatementRisk::MoreAtRisk { before: was, after: is, size }.into())
}

/// Attacks that were tried on the published bytes, if any were.
pub(super) fn attacks(made: &Made) -> Vec<Part> {
    let words = made.attacks.iter().flat_map(|attacks| &attacks.words);
    words.cloned().map(Part::Paragraph).collect()
}

/// As many digits as a threshold is told with: a third has no end.
fn rounded(threshold: f64) -> f64 {
    (threshold * 1e4).round() / 1e4
}

/// How exposed records are, or persons who may have several rows.
fn exposed(e: &Exposure, report: &Report) -> StatementRisk {
    let (highest, mean) = (short(e.highest), short(e.mean));
    let threshold = Figure::shortest(rounded(report.risk.threshold));
    let (at_risk, percent) = (e.at_risk, short(100.0 * e.at_risk_share));
    match report.persons {
        Some(_) => StatementRisk::PersonsExposed { highest, mean, threshold, persons: at_risk, percent },
        None => StatementRisk::Exposed { highest, mean, threshold, records: at_risk, percent },
    }
}

/// How far the number of rows of a person tells who it is.
fn told_by_rows(table: &mut Table, report: &Report) {
    let Some(of) = &report.persons else { return };
    table.row(&StatementRisk::MostRows, &of.most_rows);
    table.row(&StatementRisk::LargestShare, &percent(of.largest_share));
    let alone =
        StatementRisk::AloneOf { alone: of.alone_by_rows, persons: of.count, groups: of.groups_told_by_rows };
    table.row(&StatementRisk::AloneByRows, &alone);
}

/// What figures by the size of groups leave out: counterfeits are not people.
fn counterfeits(report: &Report) -> Option<Said> {
    (report.changes.counterfeits > 0).then(|| {
        match report.classes.min_real {
            None => StatementCounterfeits::Counted,
            Some(0) => StatementCounterfeits::Nobody,
            Some(1) => StatementCounterfeits::OneReal,
            Some(real) => StatementCounterfeits::Fewest { real },
        }
        .into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_that_rises_says_why() {
        let of = |at_risk, threshold| {
            let mut risk = Risk { threshold, ..Risk::default() };
            risk.prosecutor.at_risk = at_risk;
            risk
        };
        let why = more_at_risk(&of(946, 0.2), &of(966, 0.2)).unwrap().to_string();
        assert!(why.contains("(946 before, 966 now)") && why.contains("at least 5 "), "{why}");
        assert!(
            more_at_risk(&of(946, 1.0 / 3.0), &of(966, 1.0 / 3.0))
                .unwrap()
                .to_string()
                .contains("at least 3 ")
        );
        assert_eq!(more_at_risk(&of(966, 0.2), &of(946, 0.2)), None);
        assert_eq!(more_at_risk(&of(1, 0.0), &of(2, 0.0)), None);
    }
}
