//! Releases over time for the page: the ledger comes in, the next one goes out.

use lookalike_core::{
    Error,
    audit::series::fingerprint,
    pipeline::{Outcome, Prepared},
    republish::{
        counts::by_class,
        price::priced,
        series::{Options, changes, prepare},
        ways::Way,
    },
    table::Table,
};
use lookalike_engine::{
    extension::{Extension, WithFiles},
    session::Source,
};
use lookalike_model::{
    Ctx,
    ledger::{Ledger, Mode, Signatures},
    settings::Settings,
};
use lookalike_wire::{
    desk::Configured,
    ledger,
    series::{Exposure, LedgerInfo, SeriesAsk, SeriesOptions, SeriesTold},
};

/// How a sealed file begins, as bytes and as text.
const SEALED: [&[u8]; 2] = [b"age-encryption.org/", b"-----BEGIN AGE ENCRYPTED FILE"];

/// What is known of a series.
#[derive(Default)]
pub struct Series {
    /// The ledger that was read last.
    ledger: Option<Ledger>,
    /// How the next release is made; without, a table is for itself.
    options: Option<SeriesOptions>,
}

impl Extension for Series {
    fn ask(
        &mut self,
        ask: SeriesAsk,
        table: &Table,
        file: &mut dyn Source,
    ) -> Result<Option<SeriesTold>, String> {
        Ok(match ask {
            SeriesAsk::Ledger { again } => {
                self.ledger = None;
                let read = read(file, again);
                let ledger = read.and_then(|ledger| info(self.ledger.insert(ledger), again, table));
                Some(SeriesTold::Ledger { ledger: ledger.map(Box::new) })
            }
            SeriesAsk::Previous => {
                let bytes = bytes(file)?;
                let refused = match &self.ledger {
                    Some(ledger) => ledger.not_last(&fingerprint(&bytes)),
                    None => Some(String::from("cannot be compared: choose the ledger first")),
                };
                Some(SeriesTold::Previous { refused })
            }
            SeriesAsk::Use { options } => {
                self.options = options;
                None
            }
        })
    }

    fn prepare(&self, table: &Table, settings: &Settings, ctx: &Ctx) -> Option<Result<Prepared, Error>> {
        let options = self.options.as_ref()?;
        let ledger = if options.first { None } else { self.ledger.clone() };
        if ledger.is_none() && !options.first {
            return Some(Err(Error::Input(String::from("choose the ledger of the series first"))));
        }
        let price = options.price;
        let options = Options { ledger, ..of(&options.id, options.mode, options.signatures) };
        Some(match price {
            None => prepare(table, settings, &options, ctx),
            Some(price) => priced(table, settings, &options, price, ctx)
                .and_then(|options| prepare(table, settings, &options, ctx)),
        })
    }

    fn released(&self, outcome: &Outcome) -> Result<Option<WithFiles>, String> {
        let (Some(next), Some(updates)) = (&outcome.ledger, outcome.private.series) else { return Ok(None) };
        let bytes = ledger::write(next).map_err(|error| error.to_string())?;
        let informed = outcome.private.informed.filter(|_| outcome.report.changes.counterfeits > 0);
        let exposure = informed.map(|informed| Exposure { with: informed.present_with_class_counts });
        let told = SeriesTold::Released { updates, exposure };
        Ok(Some((told, vec![bytes, by_class(next)])))
    }
}

fn of(id: &str, mode: Mode, signatures: Signatures) -> Options {
    Options {
        id: id.to_owned(),
        mode,
        ledger: None,
        signatures,
        exact_names: false,
        way: Way::Fewest,
        more: 0,
    }
}

fn bytes(file: &mut dyn Source) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| format!("the file cannot be read: {error}"))?;
    Ok(bytes)
}

/// The ledger in a file; `again`: as it was before its last release.
fn read(file: &mut dyn Source, again: bool) -> Result<Ledger, String> {
    let bytes = bytes(file)?;
    if SEALED.iter().any(|mark| bytes.starts_with(mark)) {
        return Err(String::from(
            "the ledger is sealed with a passphrase, which this page cannot open: open it with a tool for age files \
             (age -d), or go on with the command line (--passphrase-file)",
        ));
    }
    let ledger = ledger::read(&bytes).map_err(|error| error.to_string())?;
    if ledger.number() == 0 {
        return Err(String::from("the ledger knows no release yet: begin a series"));
    }
    if !again {
        return Ok(ledger);
    }
    match ledger.number() {
        1 => Err(String::from(
            "the ledger knows one release only: to make that one again, begin the series anew, without a ledger",
        )),
        _ => Ok(ledger.before_last()),
    }
}

fn info(ledger: &Ledger, again: bool, table: &Table) -> Result<LedgerInfo, String> {
    let options = Options { ledger: Some(ledger.clone()), ..of(&ledger.id, ledger.mode, Signatures::Free) };
    Ok(LedgerInfo {
        id: ledger.id.clone(),
        mode: ledger.mode,
        state: ledger::fingerprint(ledger).map_err(|error| error.to_string())?,
        releases: ledger.number() + u32::from(again),
        individuals: ledger.individuals.len(),
        rows: ledger.releases.last().map_or(0, |release| release.rows),
        configured: Configured {
            settings: ledger.settings.clone(),
            identifiers: vec![ledger.id.clone()],
            notes: Vec::new(),
        },
        changes: changes(table, &ledger.settings, &options).map_err(|error| error.to_string()),
    })
}
