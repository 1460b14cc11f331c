//! `lookalike ledger chain`: what chains the releases of a ledger, for others to verify, and nothing of the people in them.

use std::path::{Path, PathBuf};

use clap::Args;
use lookalike_model::ledger::SeriesAudit;
use lookalike_wire::chain::{self, Chain};

use super::{
    OpenedWith, found, print,
    told::{LedgerFault, LedgerTold},
};
use crate::{exit::Failure, files};

/// The flags.
#[derive(Debug, Args)]
pub(super) struct Show {
    /// The ledger
    #[arg(value_name = "LEDGER")]
    ledger: PathBuf,
    #[command(flatten)]
    passphrase: OpenedWith,
}

/// Prints the chain as JSON.
pub(super) fn run(args: &Show) -> Result<(), Failure> {
    let ledger = args.passphrase.open(&args.ledger)?;
    files::print(&chain::of_ledger(&ledger).write().map_err(Failure::system)?)
}

/// Verifies a chain without its ledger: its links, the tables in a folder, and that a statement's link is one of it.
pub(super) fn verify(
    bytes: &[u8],
    path: &Path,
    folder: Option<&Path>,
    link: Option<&str>,
) -> Result<(), Failure> {
    let chain = chain::read(bytes).map_err(|why| Failure::in_file(path, why))?;
    let mut lines = vec![LedgerTold::Chained { releases: chain.releases.len() }.to_string()];
    lines.extend(told(&chain));
    print(&lines)?;
    has(&chain, link)?;
    let Some(folder) = folder else { return Ok(()) };
    let tables: Vec<&str> = chain.releases.iter().map(|release| release.table.as_str()).collect();
    let found = found::tables(folder, &tables)?;
    let lines = found.iter().zip(1..).map(|(found, release)| {
        LedgerTold::Found { release, path: found.path.display().to_string() }.to_string()
    });
    let not_judged = LedgerTold::NotJudged.to_string();
    print(&lines.chain([not_judged]).collect::<Vec<_>>())
}

/// What each release of a chain says, a line each.
pub(super) fn told(chain: &Chain) -> Vec<String> {
    let links = chain.links();
    let line = |(at, link): (usize, String)| {
        let release = &chain.releases[at];
        let audit = release.audit.filter(|audit| audit.passed);
        let together = audit.map(|SeriesAudit { releases, checks, sources, .. }| LedgerTold::Together {
            releases,
            checks,
            sources,
        });
        LedgerTold::Linked {
            release: at + 1,
            table: release.table.clone(),
            together: together.map(Into::into),
            link,
        }
        .to_string()
    };
    links.into_iter().enumerate().map(line).collect()
}

/// Says which release a statement's link is of.
///
/// # Errors
/// If it is of none: the chain is another one, or was changed since.
pub(super) fn has(chain: &Chain, link: Option<&str>) -> Result<(), Failure> {
    let Some(link) = link else { return Ok(()) };
    let wanted = link.trim().to_ascii_lowercase();
    match chain.links().iter().position(|of| *of == wanted) {
        Some(at) => {
            let release = at + 1;
            print(&[LedgerTold::HasLink { release, last: release == chain.releases.len() }.to_string()])
        }
        None => Err(Failure::audit(LedgerFault::OtherLink { link: wanted })),
    }
}
