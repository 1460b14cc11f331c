//! From classes to the bytes that are published, and to the records of the run.

mod against;
mod assess;
mod cells;
mod centre;
mod chain;
pub(crate) mod conditions;
mod encoded;
mod ends;
mod explanation;
mod form;
mod freeform;
mod full_domain;
mod leave_out;
mod ledger;
mod missing;
mod objective;
mod order;
mod persons;
mod points;
mod publishable;
mod recode;
mod report;
mod risks;
mod rounding;
pub(crate) mod sample;
mod sets;
pub(crate) mod stated;
mod suppress;
pub(crate) mod unchanged;

pub use against::Against;
pub(crate) use against::{Released, against};
pub(crate) use assess::{is_means, mean_of, of_published, people_risk, raw_risk, reading};
pub(crate) use ends::measured;
pub use explanation::Explanation;
pub use form::{FormulaCells, audit_dialect};
use lookalike_audit::{Guarantee, Question, Source, Verdict, judge, judge_with_source};
use lookalike_model::{
    described::Described,
    dialect::Dialect,
    job::Answer,
    ledger::{Ledger, SeriesAudit},
    report::{Private, Report},
    sent::{Searched, Sent},
    settings::{ClassColumn, Model, Settings},
};
use lookalike_table::{Role, Table, usual_and, write_as};
use lookalike_words::Said;
pub(crate) use missing::{columns as missing_columns, counts as missing_counts, rows as missing_rows};
pub(crate) use objective::objective;
use order::Release;
pub(crate) use order::{classes, compare_all, values};
pub(crate) use report::{
    Stated, audit, header, input_hash, reader, reproducible, single_valued, source, unpublished,
};
pub(crate) use risks::exposure;
pub(crate) use rounding::percent;

use lookalike_model::{Ctx, verify::verify};

use self::{form::formulas, persons::OfPersons};
use crate::{
    Error, digest,
    prepare::{self, Outliers, Prepared, published, recoded},
};

/// How many rows the previews show.
const PREVIEW: usize = 20;

/// A finished run. Publish nothing of it unless `report.audit.passed`.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The table to be published, as the audit saw it, byte for byte.
    pub published: Vec<u8>,
    /// `classes.csv`, the linking key: private.
    pub classes: Vec<u8>,
    /// `report.json`: publishable. [`Outcome::exact`] is the report for the data holder.
    pub report: Report,
    /// `private.json`: not publishable.
    pub private: Private,
    /// Header of the published table.
    pub header: Vec<String>,
    /// The published rows' first few, cell by cell.
    pub preview: Vec<Vec<String>>,
    /// The first input rows, in the published columns (without `class`).
    pub before: Vec<Vec<String>>,
    /// Class size and number of classes of that size, ascending.
    pub class_sizes: Vec<(usize, usize)>,
    /// In a series of releases the ledger after this one: private.
    pub ledger: Option<Ledger>,
    /// The settings, and the kind of each quasi-identifier as it was read: what reads the next delivery alike.
    pub pinned: Settings,
    /// What the source says of its columns, beside their names.
    pub described: Vec<Described>,
}

impl Outcome {
    /// The report with all figures, some of which [`Outcome::report`] does not have if counterfeits were added: private.
    #[must_use]
    pub fn exact(&self) -> &Report {
        self.private.exact.as_deref().unwrap_or(&self.report)
    }

    /// Puts the report with all figures where it belongs; `of_records` are warnings about the real records.
    fn split(exact: Report, of_records: &[Said], mut private: Private) -> (Report, Private) {
        let report = publishable::publishable(&exact, of_records);
        private.exact = (exact.changes.counterfeits > 0).then(|| Box::new(exact));
        (report, private)
    }

    /// The report says that these are the published bytes, by their digest; [`finish`] has done that for a table in memory.
    pub fn published_as(&mut self, sha256: String) {
        if let Some(exact) = &mut self.private.exact {
            exact.table_sha256 = Some(sha256.clone());
        }
        self.report.table_sha256 = Some(sha256);
    }

    /// Gives the digest of the source its salt: random numbers that nothing else is derived from.
    pub fn salt(&mut self, random: [u64; 2]) {
        if let Some(source) = &mut self.private.source {
            source.salt = random.map(|half| format!("{half:016x}")).concat();
        }
    }

    /// In a series, the ledger says what was found in all releases together, this one among them, and so do the records.
    pub fn audited(&mut self, audit: SeriesAudit) {
        if let Some(release) = self.ledger.as_mut().and_then(|ledger| ledger.releases.last_mut()) {
            release.audit = Some(audit);
        }
        self.chained();
    }

    /// Chains the last release of the ledger to those before it, and names the ledger's state in the private record.
    fn chained(&mut self) {
        let Some(ledger) = &mut self.ledger else { return };
        self.private.chain = chain::chain(ledger);
        self.private.ledger_after = ledger::state(ledger);
    }

    /// Says in all records that the classes were computed elsewhere, and what was sent there. Without this they say that
    /// nothing was sent.
    pub fn searched_elsewhere(&mut self, place: Searched, sent: Sent) {
        self.report.searched = Some(place);
        if let Some(exact) = &mut self.private.exact {
            exact.searched = Some(place);
        }
        self.private.sent = Some(sent);
    }
}

/// Second half of the way: verifies the answer, recodes, audits the very bytes that would be published.
///
/// # Errors
/// [`Error::Model`] or [`Error::Unusable`] if the answer does not fit. A failed audit is not an error: see `report.audit`.
pub fn finish(table: &Table, prepared: &Prepared, answer: &Answer, ctx: &Ctx) -> Result<Outcome, Error> {
    let began = (ctx.clock)();
    verify(&prepared.job, answer)?;
    if let Some(rows) = &answer.freeform {
        return freeform::finish(table, prepared, (answer, rows), ctx);
    }
    let chosen = full_domain::chosen(prepared, answer)?;
    let levels = chosen.map(|found| full_domain::report(prepared, found, answer));
    let suppressed = match chosen {
        Some(found) => Some(full_domain::published(table, prepared, answer, found)),
        None => suppress::suppress(table, prepared, answer)?,
    };
    let (prepared, answer) = suppressed.as_ref().map_or((prepared, answer), |(p, a)| (p, a));
    let of_rows = persons::spread(prepared, answer);
    let classes = order::classes(table, prepared, of_rows.as_ref().unwrap_or(answer));
    let labelled = order::release(table, prepared, &classes);
    let dialect = prepared.settings.output.of(table.dialect);
    let bytes_of = |release: &Release| {
        write_as(dialect, &release.header, release.rows.iter().map(|r| r.iter().map(String::as_str)))
    };
    let (release, bytes, hidden) = match prepared.settings.class_column {
        ClassColumn::Named(_) => {
            let bytes = bytes_of(&labelled);
            (labelled, bytes, None)
        }
        ClassColumn::None => {
            let plain = order::without_class(&labelled, order::sensitive_place(prepared));
            let bytes = bytes_of(&plain);
            (plain, bytes, Some(bytes_of(&labelled)))
        }
    };
    let recoded = (ctx.clock)();
    let class = prepared.settings.class_column.name().map(String::from);
    let key = order::linking_key(table, prepared, &classes);
    let asked = question(prepared, dialect, class);
    let (mut verdict, of_persons) = judged(table, prepared, (&bytes, &asked), &key)?;
    let further = conditions::further(&prepared.settings, (&bytes, &asked), &mut verdict)?;
    let sets = sets::judged(&prepared.settings, (&bytes, asked.dialect), &mut verdict)?;
    // What was lost is found class by class, whether classes are published or not.
    let asked = question(prepared, dialect, Some(order::label(prepared)));
    let mut assessed =
        assess::assess((hidden.as_deref().unwrap_or(&bytes), &key), &asked, table, prepared, &classes)?;
    if let Some(found) = &of_persons {
        assessed.risk = found.risk(prepared.settings.threshold())?;
    }
    let objective = objective(table, prepared, answer)?;
    let labelled = hidden.as_deref().unwrap_or(&bytes);
    if let Some(check) = ends::check((&bytes, labelled), &asked, (table, prepared), &classes)? {
        verdict.add(check);
    }
    let counted = stated::counted((&bytes, labelled), &asked, prepared, &classes)?;
    for check in stated::checks(table, prepared, &counted, &objective) {
        verdict.add(check);
    }
    let audited = (ctx.clock)();
    let seconds = lookalike_model::report::Seconds {
        prepare: prepared.seconds,
        solve: answer.seconds,
        recode: recoded - began,
        audit: audited - recoded,
    };
    let Outliers { public, private } = outliers(table, prepared);
    let mut exact = report::report(
        table,
        prepared,
        (answer, objective),
        (&classes, &public),
        (&verdict, &further),
        &assessed,
        seconds,
    );
    exact.warnings.extend(formulas(&release, dialect));
    exact.table_sha256 = Some(digest::sha256(&bytes));
    exact.full_domain = levels;
    exact.sets = sets;
    exact.sample = sample::report(table, prepared, &classes)?;
    exact.persons = of_persons.as_ref().map(|found| found.report(table, prepared, answer)).transpose()?;
    let private = report::private(table, prepared, (&classes, private), &verdict, assessed);
    let (report, mut private) = Outcome::split(exact, &public, private);
    let pinned = prepare::pinned(&prepared.settings, &prepared.schema);
    let next = next_ledger(table, prepared, (&classes, &bytes), &pinned)?;
    if let (Some(ledger), Some(series)) = (&next, &mut private.series) {
        let left = ledger::believer(ledger);
        series.believer = left.fewest;
        (series.ever_changed, series.left_with_one) = (left.changed, left.left_with_one);
    }
    let mut outcome = Outcome {
        report,
        private,
        classes: key,
        preview: release.rows.iter().take(PREVIEW).cloned().collect(),
        before: before(table, prepared),
        class_sizes: report::sizes(&classes),
        header: release.header,
        published: bytes,
        ledger: next,
        pinned,
        described: table.described.clone(),
    };
    outcome.chained();
    Ok(outcome)
}

/// In a series, the ledger after this release.
fn next_ledger(
    table: &Table,
    prepared: &Prepared,
    (classes, published): (&[order::Class], &[u8]),
    pinned: &Settings,
) -> Result<Option<Ledger>, Error> {
    let Some(part) = &prepared.series else { return Ok(None) };
    let mut ledger = ledger::next(table, part, classes, published)?;
    // Later releases take over the domains that held all values of this one.
    ledger.settings.domains.clone_from(&prepared.settings.domains);
    ledger.settings.kinds.clone_from(&pinned.kinds);
    Ok(Some(ledger))
}

/// The first rows of the source, in the columns that are published.
fn before(table: &Table, prepared: &Prepared) -> Vec<Vec<String>> {
    let columns: Vec<usize> = published(&prepared.schema).map(|c| c.index).collect();
    let cell = |row, c: &usize| table.columns[*c].cell(row).to_owned();
    (0..table.rows.min(PREVIEW)).map(|r| columns.iter().map(|c| cell(r, c)).collect()).collect()
}

/// What the audit finds in the bytes, and the persons whose rows they are, if these may have several; columns that are
/// published unchanged are compared with the source.
fn judged<'a>(
    table: &Table,
    prepared: &'a Prepared,
    (bytes, question): (&[u8], &Question),
    key: &[u8],
) -> Result<(Verdict, Option<OfPersons<'a>>), Error> {
    let names = unchanged::names(prepared);
    let cell = unchanged::cells(table);
    let source = Source { unchanged: &names, key, cell: &cell };
    let source = (!names.is_empty()).then_some(&source);
    if let Some(found) = OfPersons::judge((bytes, key), question, source, table, prepared)? {
        return Ok((found.judged.verdict.clone(), Some(found)));
    }
    let verdict = match source {
        Some(source) => judge_with_source(bytes, question, source)?,
        None => judge(bytes, question)?,
    };
    Ok((verdict, None))
}

/// Outliers among the records that are published.
fn outliers(table: &Table, prepared: &Prepared) -> Outliers {
    let (Model::MInvariance { m: least } | Model::KAnonymity { k: least }) = prepared.settings.model;
    let (schema, recodings) = (&prepared.schema, &prepared.recodings);
    prepare::outliers(table, (schema, recodings), &prepared.rows, prepared.persons.as_ref(), least)
}

/// What the audit is asked. A kept column is a quasi-identifier to it; one that is published unchanged is none.
fn question(prepared: &Prepared, dialect: Dialect, class: Option<String>) -> Question {
    let named = |role| published(&prepared.schema).filter(move |c| c.role == role).map(|c| c.name.clone());
    Question {
        quasi: recoded(&prepared.schema).flat_map(|c| order::names(prepared, c)).collect(),
        sensitive: named(Role::Sensitive).next(),
        conditions: conditions::asked(&prepared.settings),
        guarantee: match prepared.settings.model {
            Model::MInvariance { m } => Guarantee::MUnique { m },
            Model::KAnonymity { k } => Guarantee::KAnonymity { k },
        },
        class,
        markers: usual_and(&prepared.schema.markers),
        dialect: audit_dialect(dialect),
    }
}
