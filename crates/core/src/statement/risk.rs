//! What a statement says of the audit and of what an attacker reaches.

use lookalike_model::{
    assessment::Exposure,
    document::{Part, Table},
    report::{Reader, Report},
};
use lookalike_words::{AsArg, Figure, Message as _, Said, messages};

use super::{StatementColumn, percent};

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
        /// The prosecutor.
        Prosecutor,
        /// The journalist.
        Journalist,
        /// Nothing is known that would tell the journalist from the prosecutor.
        AsProsecutor,
        /// The marketer.
        Marketer,
        /// The share of records that are matched.
        Matched {
            /// In percent.
            percent: Figure,
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
pub(super) fn risk(report: &Report) -> Vec<Part> {
    let risk = &report.risk;
    let exposed = |e: &Exposure| StatementRisk::Exposed {
        highest: Figure::fixed(e.highest, 4),
        mean: Figure::fixed(e.mean, 4),
        threshold: Figure::shortest(risk.threshold),
        records: e.at_risk,
        percent: Figure::fixed(100.0 * e.at_risk_share, 2),
    };
    let mut table = Table::of([StatementColumn::AttackerOrFigure, StatementColumn::Risk]);
    if let Some(freeform) = &report.freeform {
        table.row(&StatementRisk::FewestRows, &StatementRisk::Rows { rows: freeform.least_matches });
    } else {
        let records = risk.smallest_group;
        table.row(&StatementRisk::SmallestGroup, &StatementRisk::Records { records });
    }
    table.row(&StatementRisk::Alone, &risk.uniques);
    table.row(&StatementRisk::Prosecutor, &exposed(&risk.prosecutor));
    // Without a population there is nothing else to say.
    let known = risk.sample_fraction < 1.0;
    let journalist = if known { exposed(&risk.journalist) } else { StatementRisk::AsProsecutor };
    table.row(&StatementRisk::Journalist, &journalist);
    let matched = StatementRisk::Matched { percent: Figure::fixed(100.0 * risk.marketer, 2) };
    table.row(&StatementRisk::Marketer, &matched);
    if let Some(share) = risk.highest_attribute_disclosure {
        table.row(&StatementRisk::MostFrequent, &percent(share));
    }
    if let Some(share) = risk.highest_known_disclosure {
        table.row(&StatementRisk::MostFrequentKnown, &percent(share));
    }
    if let Some(d) = &report.disclosure {
        let told = StatementRisk::Told {
            present: Figure::fixed(d.present, 4),
            promised: Figure::fixed(d.promised, 4),
            above: d.above,
        };
        table.row(&StatementRisk::Informed, &told);
        if let Some(values) = d.absent_values {
            table.row(&StatementRisk::Absent, &StatementRisk::HeldOneOf { values });
        }
    }
    counterfeits(report).map(Part::Paragraph).into_iter().chain([Part::Table(table)]).collect()
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
