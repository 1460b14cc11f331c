//! What a run states of its table, computed again: whether the release keeps what its configuration promises, and whether
//! the bound holds for the source. Both are done as `lookalike check` does them, which has no code in common with the search.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write as _,
    path::{Path, PathBuf},
};

use clap::Parser;
use lookalike_model::{
    report::{ConditionReport, Report, SetReport},
    settings::{Model, Settings, ValueCondition},
    statement::{Guarantee, Record, Role, Variable},
};
use lookalike_wire::manifest::Paper;
use lookalike_words::{Figure, Message as _, Name, Said};
use tempfile::NamedTempFile;

use super::{
    Run,
    found::{Finding, PaperNoun, Promised},
};
use crate::{
    anonymize::edits,
    check::{self, Check, bound},
    configuration,
    exit::{Attempt, Failure},
    input::TableArgs,
    summary::at_least_figure,
};

/// A relative difference of two bounds that is no difference.
const SAME: f64 = 1e-6;

/// A check, by the words of its flags.
#[derive(Parser)]
struct Asked {
    #[command(flatten)]
    check: Check,
}

/// A table to be read.
#[derive(Parser)]
struct Read {
    #[command(flatten)]
    table: TableArgs,
}

/// Whether the release keeps what the configuration promises.
pub(super) fn audit(run: &Run) -> Result<Finding, Failure> {
    let Some((path, _)) = run.files.get(&Paper::Release).filter(|_| run.is_own(Paper::Release)) else {
        return Ok(Finding::NoRelease);
    };
    let configuration = written(run)?;
    let check = match asked(path, configuration.path(), &[]) {
        Ok(check) => check,
        Err(why) => return Ok(Finding::Unaudited { why }),
    };
    Ok(match check::judged(&check) {
        Ok((_, 0)) => {
            Finding::Audited { promised: Guaranteed::of_settings(&settings(run)?).promised().into() }
        }
        Ok((_, broken)) => Finding::AuditFailed { broken },
        Err(why) => Finding::Unaudited { why: why.said() },
    })
}

/// Whether each class has the sensitive values of the source's rows that the table of classes puts there; nothing where a file is not
/// there, or no classes or sensitive values are published.
pub(super) fn values(run: &Run) -> Result<Option<Finding>, Failure> {
    let own = |paper| run.files.get(&paper).filter(|_| run.is_own(paper)).map(|(path, _)| path);
    let (Some(release), Some(classes), Some(source)) =
        (own(Paper::Release), own(Paper::Classes), &run.args.source)
    else {
        return Ok(None);
    };
    let settings = settings(run)?;
    if settings.sensitive.is_none() || settings.class_column.name().is_none() {
        return Ok(None);
    }
    let configuration = written(run)?;
    let flags = [("--original", source), ("--classes", classes)]
        .map(|(flag, path)| [flag.to_owned(), named(path).display().to_string()])
        .concat();
    let check = match asked(release, configuration.path(), &flags) {
        Ok(check) => check,
        Err(why) => return Ok(Some(Finding::ValuesUnread { why })),
    };
    Ok(match check::found(&check) {
        Ok(found) => {
            found.values.map(|same| if same.passed { Finding::Values } else { Finding::OtherValues })
        }
        Err(why) => Some(Finding::ValuesUnread { why: why.said() }),
    })
}

/// What is guaranteed, as a configuration, a report and a statement say it.
#[derive(PartialEq)]
struct Guaranteed {
    model: Model,
    conditions: Vec<ValueCondition>,
    further: BTreeMap<String, Vec<ValueCondition>>,
    sets: Vec<(BTreeSet<String>, usize)>,
}

impl Guaranteed {
    fn of_settings(settings: &Settings) -> Self {
        let sets = settings.sets.iter().map(|set| (set.columns.iter().cloned().collect(), set.k));
        Self {
            model: settings.model,
            conditions: settings.conditions.clone(),
            further: settings.conditions_of.clone(),
            sets: sorted(sets),
        }
    }

    /// Of what a report and a statement have alike.
    fn stated<'a>(
        model: Model,
        conditions: &[ConditionReport],
        further: impl Iterator<Item = (&'a String, &'a [ConditionReport])>,
        sets: &[SetReport],
    ) -> Self {
        let of = |stated: &[ConditionReport]| stated.iter().map(|stated| stated.condition).collect();
        let sets = sets.iter().map(|set| (set.columns.iter().cloned().collect(), set.k));
        Self {
            model,
            conditions: of(conditions),
            further: further.map(|(column, conditions)| (column.clone(), of(conditions))).collect(),
            sets: sorted(sets),
        }
    }

    fn of_report(report: &Report) -> Self {
        let further = report.further.iter().map(|of| (&of.column, of.conditions.as_slice()));
        Self::stated(report.model, &report.conditions, further, &report.sets)
    }

    fn of_statement(guarantee: &Guarantee) -> Self {
        let further = guarantee.conditions_of.iter().map(|of| (&of.column, of.conditions.as_slice()));
        Self::stated(guarantee.model, &guarantee.conditions, further, &guarantee.sets)
    }

    fn promised(&self) -> Promised {
        let further: usize = self.further.values().map(Vec::len).sum();
        Promised::of(self.model, self.conditions.len() + further)
    }
}

fn sorted(sets: impl Iterator<Item = (BTreeSet<String>, usize)>) -> Vec<(BTreeSet<String>, usize)> {
    let mut sets: Vec<_> = sets.collect();
    sets.sort();
    sets
}

/// Whether report, statement and configuration are about what the manifest's configuration promises. What is not there, or is another
/// file, is told elsewhere.
pub(super) fn guarantees(run: &Run) -> Result<Vec<Finding>, Failure> {
    let configured = settings(run)?;
    let (asked, roles) = (Guaranteed::of_settings(&configured), roles(&configured));
    let own = |paper| run.bytes(paper).filter(|_| run.is_own(paper));
    let (mut found, mut others) = (Vec::new(), Vec::new());
    let mut hold = |paper: PaperNoun, stated: Option<Guaranteed>| match stated {
        None => found.push(Finding::Unreadable { paper }),
        Some(stated) if stated != asked => found.push(Finding::OtherGuarantee {
            paper,
            promised: asked.promised().into(),
            stated: stated.promised().into(),
            alike: stated.promised() == asked.promised(),
        }),
        Some(_) => {}
    };
    // That a report cannot be read is told beside its digest of the table.
    if let Some(report) = own(Paper::Report).and_then(|bytes| serde_json::from_slice::<Report>(bytes).ok()) {
        hold(PaperNoun::Report, Some(Guaranteed::of_report(&report)));
    }
    if let Some(bytes) = own(Paper::StatementJson) {
        let record = serde_json::from_slice::<Record>(bytes).ok();
        let variables = record.iter().flat_map(|record| &record.variables);
        let published = variables.filter(|variable| variable.role != Role::NotPublished);
        // Statements of former versions say of a further sensitive column only that it is published unchanged.
        let role = |variable: &Variable| match variable.role {
            Role::Unchanged if configured.conditions_of.contains_key(&variable.name) => Role::Sensitive,
            role => role,
        };
        let stated = published.map(|variable| (variable.name.clone(), role(variable))).collect();
        let paper = PaperNoun::StatementJson;
        others.extend(record.is_some().then(|| other_roles(paper, &roles, &stated)).flatten());
        hold(paper, record.map(|record| Guaranteed::of_statement(&record.guarantee)));
    }
    if let Some((path, _)) = run.files.get(&Paper::Configuration).filter(|_| run.is_own(Paper::Configuration))
    {
        let settings = configuration::read(path).and_then(|file| settings_of(&file)).ok();
        let paper = PaperNoun::Configuration;
        others.extend(
            settings.as_ref().and_then(|settings| other_roles(paper, &roles, &self::roles(settings))),
        );
        hold(paper, settings.map(|settings| Guaranteed::of_settings(&settings)));
    }
    found.extend(others);
    Ok(found)
}

/// The columns that are published, and what each of them is for.
fn roles(settings: &Settings) -> BTreeMap<String, Role> {
    let of = |names: &[String], role: Role| names.iter().map(|name| (name.clone(), role)).collect::<Vec<_>>();
    let secret: Vec<String> =
        settings.sensitive.iter().chain(settings.conditions_of.keys()).cloned().collect();
    let kinds = [
        (settings.keep.as_slice(), Role::Kept),
        (&settings.unchanged, Role::Unchanged),
        (&settings.quasi, Role::QuasiIdentifier),
        (&secret, Role::Sensitive),
    ];
    kinds.into_iter().flat_map(|(names, role)| of(names, role)).collect()
}

/// The columns whose role in a file is another one, or that stand in one of the two alone.
fn other_roles(
    paper: PaperNoun,
    asked: &BTreeMap<String, Role>,
    stated: &BTreeMap<String, Role>,
) -> Option<Finding> {
    let names: BTreeSet<&String> = asked.keys().chain(stated.keys()).collect();
    let others = names.into_iter().filter(|name| asked.get(*name) != stated.get(*name));
    let columns: Vec<Name> = others.map(|name| Name::from(name.as_str())).collect();
    (!columns.is_empty()).then_some(Finding::OtherRoles { paper, columns })
}

/// Whether the statements are of this run: each has its short code, and the one that is data the release's digest.
pub(super) fn statements(run: &Run) -> Vec<Finding> {
    let own = |paper| run.bytes(paper).filter(|_| run.is_own(paper));
    let code = run.manifest.code.as_str();
    let mut found = Vec::new();
    if let Some(printed) = own(Paper::Statement)
        && !printed.windows(code.len()).any(|at| at == code.as_bytes())
    {
        found.push(Finding::OtherStatement { paper: PaperNoun::Statement });
    }
    if let Some(record) =
        own(Paper::StatementJson).and_then(|bytes| serde_json::from_slice::<Record>(bytes).ok())
    {
        let release = run.manifest.file(Paper::Release).map(|file| file.sha256.as_str());
        if record.files.code != code || record.files.table.sha256.as_deref() != release {
            found.push(Finding::OtherStatement { paper: PaperNoun::StatementJson });
        }
    }
    found
}

/// The settings of the manifest's configuration.
fn settings(run: &Run) -> Result<Settings, Failure> {
    let configuration = written(run)?;
    let file = configuration::read(configuration.path())?;
    settings_of(&file)
}

fn settings_of(file: &configuration::File) -> Result<Settings, Failure> {
    let draft = lookalike_wire::config::Draft::default();
    configuration::merge(draft, Some(file))?.complete(None).map_err(Failure::input)
}

/// Whether the bound of the certificate holds for the source, and what the report states beside it.
pub(super) fn bound(run: &Run) -> Result<Vec<Finding>, Failure> {
    let report = run.bytes(Paper::Report).and_then(|bytes| serde_json::from_slice::<Report>(bytes).ok());
    // With counterfeits it stands in the report to two digits, which may lie below the bound.
    let exact = report.as_ref().filter(|report| report.changes.counterfeits == 0);
    let reached = exact.map(|report| report.objective.value);
    let stated = report.and_then(|report| report.bound).map(|bound| bound.value);
    let claimed = |stated: f64| Finding::StatedBound { bound: at_least_figure(stated) };
    let Some((certificate, _)) =
        run.files.get(&Paper::Certificate).filter(|_| run.is_own(Paper::Certificate))
    else {
        return Ok(vec![stated.map_or(Finding::Unbounded, claimed)]);
    };
    let mut found = Vec::new();
    let Some(source) = &run.args.source else {
        found.push(Finding::BoundWithoutSource);
        found.extend(stated.map(claimed));
        return Ok(found);
    };
    let configuration = written(run)?;
    let flags = [String::from("--certificate"), certificate.display().to_string()];
    let check = match asked(source, configuration.path(), &flags) {
        Ok(check) => check,
        Err(why) => return Ok(vec![Finding::Unaudited { why }]),
    };
    match bound::judged(&check, certificate) {
        Ok(judged) => match judged.checked.verdict {
            Ok(_) => {
                let proven = judged.checked.certificate.claim();
                found.push(Finding::Bound { bound: at_least_figure(proven) });
                let below = reached.filter(|loss| *loss < proven * (1.0 - SAME));
                found.extend(below.map(|loss| Finding::BelowBound {
                    loss: Figure::shortest(loss),
                    bound: at_least_figure(proven),
                }));
                found.extend(stated.filter(|stated| *stated > proven * (1.0 + SAME)).map(claimed));
            }
            Err(refusal) => found.push(Finding::NoBound { why: refusal.said() }),
        },
        Err(why) => found.push(Finding::Unaudited { why: why.said() }),
    }
    Ok(found)
}

/// The digest of the text of a table that is read as its configuration says.
pub(super) fn digest_of_text(run: &Run, path: &Path) -> Result<String, Failure> {
    let configuration = written(run)?;
    let file = configuration::read(configuration.path())?;
    let settings = settings_of(&file)?;
    let words = [String::from("verify"), named(path).display().to_string()];
    let read = Read::try_parse_from(words).map_err(|e| Failure::input(Said::verbatim(e.to_string())))?;
    let table = read.table.read_from(path, (None, None), Some(&file), edits(&settings))?;
    Ok(table.digest.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat())
}

/// The configuration of the manifest as a file.
fn written(run: &Run) -> Result<NamedTempFile, Failure> {
    let make = || -> std::io::Result<NamedTempFile> {
        let mut file = NamedTempFile::new()?;
        file.write_all(&serde_json::to_vec(&run.manifest.configuration)?)?;
        file.flush()?;
        Ok(file)
    };
    make().map_err(|e| Failure::io(Attempt::Write, &std::env::temp_dir(), &e))
}

/// A path that is no flag, also where it begins with a dash.
fn named(path: &Path) -> PathBuf {
    if path.is_absolute() { path.to_path_buf() } else { Path::new(".").join(path) }
}

/// How many checks fail where a published table is held against a configuration.
///
/// # Errors
/// If it cannot be judged.
pub(crate) fn broken(table: &Path, configuration: &Path) -> Result<usize, Said> {
    let check = asked(table, configuration, &[])?;
    check::judged(&check).map(|(_, broken)| broken).map_err(|why| why.said())
}

/// The check that these words ask for.
fn asked(table: &Path, configuration: &Path, more: &[String]) -> Result<Check, Said> {
    let words = ["check", "--config"].map(String::from).into_iter();
    let words = words.chain([configuration.display().to_string()]).chain(more.iter().cloned());
    let asked = Asked::try_parse_from(words.chain([named(table).display().to_string()]));
    asked.map(|asked| asked.check).map_err(|e| Said::verbatim(e.to_string()))
}
