//! `lookalike ledger show`.

use std::path::PathBuf;

use clap::Args;
use lookalike_model::{ledger::Ledger, settings::Model};

use super::{OpenedWith, print, told::LedgerTold};
use crate::exit::Failure;

/// The flags.
#[derive(Debug, Args)]
pub(super) struct Show {
    /// The ledger
    #[arg(value_name = "LEDGER")]
    ledger: PathBuf,
    #[command(flatten)]
    passphrase: OpenedWith,
    /// Name the people, too, each with the releases that held them
    #[arg(long)]
    people: bool,
}

/// Runs the command.
pub(super) fn run(args: &Show) -> Result<(), Failure> {
    print(&told(&args.passphrase.open(&args.ledger)?, args.people))
}

/// What a ledger says, a line each.
fn told(ledger: &Ledger, people: bool) -> Vec<String> {
    let number = ledger.number();
    let last =
        ledger.individuals.values().filter(|stays| stays.last().is_some_and(|stay| stay.last == number));
    let m = match ledger.settings.model {
        Model::MInvariance { m } | Model::KAnonymity { k: m } => m,
    };
    let mut lines = vec![
        LedgerTold::Series {
            series: ledger.series.clone(),
            mode: ledger.mode.name(),
            vacancies: ledger.vacancies.name(),
            m,
        }
        .to_string(),
        LedgerTold::People {
            people: ledger.individuals.len(),
            last: last.count(),
            signatures: ledger.signatures.len(),
        }
        .to_string(),
    ];
    lines.extend(
        ledger.pseudonyms.iter().map(|_| LedgerTold::Pseudonyms { erased: ledger.erased() }.to_string()),
    );
    lines.extend(ledger.releases.iter().enumerate().map(|(at, release)| {
        LedgerTold::Release {
            release: at + 1,
            rows: release.rows,
            classes: release.counterfeits.len(),
            counterfeits: release.counterfeits.iter().map(|&count| u64::from(count)).sum(),
            version: release.version.clone(),
            hash: release.hash.clone(),
        }
        .to_string()
    }));
    if people {
        lines.extend(ledger.individuals.iter().map(|(name, stays)| {
            let stays = stays.iter().map(|stay| format!("{}-{}", stay.first, stay.last)).collect();
            LedgerTold::Person { name: name.as_str().into(), stays }.to_string()
        }));
    }
    lines
}
