//! What a run states of its table, computed again: whether the release keeps what its configuration promises, and whether
//! the bound holds for the source. Both are done as `lookalike check` does them, which has no code in common with the search.

use std::{
    collections::BTreeMap,
    io::Write as _,
    path::{Path, PathBuf},
};

use clap::Parser;
use lookalike_model::{
    report::{ConditionReport, Report},
    settings::{Settings, ValueCondition},
};
use lookalike_wire::manifest::Paper;
use lookalike_words::{Message as _, Said};
use tempfile::NamedTempFile;

use super::{
    Run,
    found::{Finding, Promised},
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
        Ok((_, 0)) => Finding::Audited { promised: promised(&settings(run)?).into() },
        Ok((_, broken)) => Finding::AuditFailed { broken },
        Err(why) => Finding::Unaudited { why: why.said() },
    })
}

/// Whether the report is about what the configuration promises; nothing where there is no report, or it is about that.
pub(super) fn guarantee(run: &Run) -> Result<Option<Finding>, Failure> {
    let Some(bytes) = run.bytes(Paper::Report).filter(|_| run.is_own(Paper::Report)) else { return Ok(None) };
    let Ok(report) = serde_json::from_slice::<Report>(bytes) else { return Ok(None) };
    let asked = settings(run)?;
    let of = |stated: &[ConditionReport]| stated.iter().map(|stated| stated.condition).collect();
    let further: BTreeMap<String, Vec<ValueCondition>> =
        report.further.iter().map(|further| (further.column.clone(), of(&further.conditions))).collect();
    let conditions: Vec<ValueCondition> = of(&report.conditions);
    if report.model == asked.model && conditions == asked.conditions && further == asked.conditions_of {
        return Ok(None);
    }
    let count = conditions.len() + further.values().map(Vec::len).sum::<usize>();
    let stated = Promised::of(report.model, count).into();
    Ok(Some(Finding::OtherGuarantee { promised: promised(&asked).into(), stated }))
}

fn promised(settings: &Settings) -> Promised {
    let further: usize = settings.conditions_of.values().map(Vec::len).sum();
    Promised::of(settings.model, settings.conditions.len() + further)
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
        Ok(judged) => match judged.verdict {
            Ok(_) => {
                let proven = judged.certificate.claim();
                found.push(Finding::Bound { bound: at_least_figure(proven) });
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
