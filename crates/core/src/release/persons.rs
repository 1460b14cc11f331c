//! The release of a table whose persons may have several rows: classes come as labels of persons and are published as
//! classes of rows; the judge is told whose rows they are, and the report counts persons.

use lookalike_audit::{
    Attacker, JudgedPersons, Persons as Whose, Question, Source, judge_persons, risks_of_sizes,
};
use lookalike_model::{
    instance::Instance,
    job::{Answer, Job},
    loss::{Loss as _, Sse},
    partition::Partition,
    report::{PersonsReport, Risk},
};
use lookalike_table::{Role, Table};

use super::{encoded::instance, risks::of_risks, rounding::two_digits};
use crate::{
    Error,
    prepare::{Encoded, Persons, Prepared, encode_sse},
};

/// What the judge found, and the persons that it was told of.
pub(super) struct OfPersons<'a> {
    persons: &'a Persons,
    pub(super) judged: JudgedPersons,
}

impl<'a> OfPersons<'a> {
    /// Judges what is published together with its linking key, and columns that are published unchanged with their `source`;
    /// `None` if each row is a person.
    pub(super) fn judge(
        (published, linking): (&[u8], &[u8]),
        question: &Question,
        source: Option<&Source>,
        table: &Table,
        prepared: &'a Prepared,
    ) -> Result<Option<Self>, Error> {
        let Some(persons) = &prepared.persons else { return Ok(None) };
        let keys = keys(table, persons);
        let sensitive = prepared.schema.columns.iter().find(|spec| spec.role == Role::Sensitive);
        let sensitive: Vec<&str> = sensitive.map_or_else(Vec::new, |spec| cells(table, spec.index));
        let whose = Whose { linking, keys: &keys, sensitive: &sensitive };
        Ok(Some(Self { persons, judged: judge_persons(published, question, &whose, source)? }))
    }

    /// Risks of persons; what depends on groups alone.
    pub(super) fn risk(&self, threshold: f64) -> Result<Risk, Error> {
        let highest_known_disclosure = self.judged.known_share;
        let attacker = Attacker { threshold, ..Attacker::default() };
        let risks = risks_of_sizes(&self.judged.groups, &attacker)?;
        Ok(Risk { highest_known_disclosure, ..of_risks(&risks) })
    }

    /// As the report has it.
    pub(super) fn report(
        &self,
        table: &Table,
        prepared: &Prepared,
        answer: &Answer,
    ) -> Result<PersonsReport, Error> {
        let encoded = encode_sse(table, &prepared.schema, &prepared.recodings, &prepared.rows, true)?;
        let rows = of_rows(&prepared.job, &encoded)?;
        let classes = Partition::from_labels(&self.persons.spread(&answer.labels));
        let all: Vec<u32> = (0..rows.records() as u32).collect();
        let JudgedPersons { count, in_class: (min_in_class, max_in_class), told, .. } = self.judged;
        Ok(PersonsReport {
            count,
            suppressed: self.persons.suppressed,
            min_in_class,
            max_in_class,
            sse_of_rows: classes.loss(&rows, &Sse),
            sst_of_rows: Sse.class(&rows, &all),
            linked: self.persons.linked,
            most_rows: told.most,
            largest_share: two_digits(told.largest_share),
            alone_by_rows: told.alone,
            groups_told_by_rows: told.groups,
        })
    }
}

/// For each row of the table the key of its person.
pub(super) fn keys<'a>(table: &'a Table, persons: &Persons) -> Vec<&'a str> {
    cells(table, persons.key)
}

fn cells(table: &Table, column: usize) -> Vec<&str> {
    (0..table.rows).map(|row| table.columns[column].cell(row)).collect()
}

/// An answer about persons, as one about their rows.
pub(super) fn spread(prepared: &Prepared, answer: &Answer) -> Option<Answer> {
    let persons = prepared.persons.as_ref()?;
    Some(Answer { labels: persons.spread(&answer.labels), ..answer.clone() })
}

/// The rows as records of their own, under an encoding of theirs.
pub(super) fn of_rows(job: &Job, encoded: &Encoded) -> Result<Instance, Error> {
    let rows = encoded.columns.first().map_or(0, Vec::len);
    let job = Job { colours: vec![0; rows], ..job.clone() };
    instance(&job, job.loss, encoded)
}
