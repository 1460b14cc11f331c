//! All releases judged together when one is made: those before it, from the bytes of their files, and the new one, from the bytes that
//! would be written, by the audit that `lookalike check` is. It comes before anything is written.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::Args;
use lookalike_core::{pipeline::Outcome, republish::together::Judged, table::Table};
use lookalike_model::{ledger::SeriesAudit, settings::Settings};
use lookalike_wire::ledger;
use lookalike_words::Message as _;

use super::{
    fault::{SeriesFault, SeriesTold},
    ledgers::found::{self, Found},
    state::State,
};
use crate::{
    anonymize::{Anonymize, AuditFault, FailedCheck, edits},
    configuration::File,
    exit::{Attempt, Failure},
    files,
    progress::say,
};

/// The flags.
#[derive(Debug, Args)]
pub(super) struct TogetherArgs {
    /// Folder with all earlier releases of the series, by whatever names (an empty one for the first): before the release is written
    /// they are held against the ledger, byte for byte, and all are judged together
    #[arg(long, value_name = "DIR", conflicts_with = "recover", help_heading = "Series")]
    releases: Option<PathBuf>,
    /// The tables that the earlier releases were made of, in their order: all are judged against these, too
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "releases", help_heading = "Series")]
    sources: Vec<PathBuf>,
}

/// The releases before, if they are to be judged with the new one.
pub(super) struct Together {
    earlier: Vec<Found>,
    sources: Vec<PathBuf>,
}

impl Together {
    /// Finds the earlier releases, each by the digest that the ledger names.
    ///
    /// # Errors
    /// If one is in no file of the folder; if there are not as many sources as earlier releases.
    pub(super) fn find(
        args: &TogetherArgs,
        state: &State,
        release: &Anonymize,
    ) -> Result<Option<Self>, Failure> {
        let Some(folder) = &args.releases else { return Ok(None) };
        let releases = state.ledger.as_ref().map_or(&[][..], |ledger| &ledger.releases);
        // A mistyped folder has no release either.
        fs::read_dir(folder).map_err(|e| Failure::io(Attempt::Read, folder, &e))?;
        let earlier = found::releases(folder, releases)?;
        if !args.sources.is_empty() {
            if args.sources.len() != earlier.len() {
                let (sources, releases) = (args.sources.len(), earlier.len());
                return Err(Failure::input(SeriesFault::Sources { sources, releases }));
            }
            if files::is_stdin(&release.table.input) {
                return Err(Failure::input(SeriesFault::SourceOnce));
            }
        }
        for found in &earlier {
            files::reads(&found.path);
        }
        args.sources.iter().for_each(|path| files::reads(path));
        Ok(Some(Self { earlier, sources: args.sources.clone() }))
    }

    /// Judges them with the new release, and has the ledger, whose file is at `path`, and the records say so.
    ///
    /// # Errors
    /// If a check does not hold.
    pub(super) fn judge(
        &self,
        outcome: &mut Outcome,
        (release, settings): (&Anonymize, &Settings),
        path: &Path,
    ) -> Result<(), Failure> {
        let Some(next) = &outcome.ledger else { return Err(Failure::system(SeriesFault::NoLedger)) };
        let before: Vec<&[u8]> = self.earlier.iter().map(|found| found.bytes.as_slice()).collect();
        let bytes = ledger::write(next).map_err(Failure::system)?;
        let tables = if self.sources.is_empty() {
            Vec::new()
        } else {
            self.tables(release, settings, &File::of_series(path, &outcome.pinned)?)?
        };
        let judged = Judged::of(outcome, &bytes, &before, &tables)?
            .ok_or_else(|| Failure::system(SeriesFault::NoLedger))?;
        let Some(audit) = judged.audit() else {
            let named = judged
                .broken()
                .map(|check| FailedCheck::Check { name: check.name.said(), finding: check.finding.said() })
                .collect();
            let witnesses =
                judged.broken().flat_map(|check| check.witnesses.iter().map(lookalike_words::Message::said));
            return Err(Failure::Audit {
                why: AuditFault::Together { releases: judged.releases, checks: named }.into(),
                witnesses: witnesses.collect(),
            });
        };
        let SeriesAudit { releases, checks, sources, .. } = audit;
        say(&SeriesTold::Together { releases, checks, sources }.to_string());
        outcome.audited(audit);
        Ok(())
    }

    /// The tables that the releases were made of, the one of this run last, each read anew.
    fn tables(&self, release: &Anonymize, settings: &Settings, file: &File) -> Result<Vec<Table>, Failure> {
        let all = self.sources.iter().map(PathBuf::as_path).chain([release.table.input.as_path()]);
        all.map(|path| release.table.read_from(path, (None, None), Some(file), edits(settings))).collect()
    }
}
