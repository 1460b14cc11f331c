//! `lookalike republish`: the next release of a series, and its ledger.

mod fault;
pub(crate) mod ledgers;
mod left;
mod lock;
mod pseudonyms;
pub(crate) mod seal;
mod state;
mod together;
mod used;
mod writing;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use lookalike_core::{
    pipeline::{Conflict, Outcome, Run},
    republish::{series::Options, ways::Way},
    statement::NamedFile,
};
use lookalike_model::{
    ledger::{Ledger, Mode, Signatures, Vacancies},
    report::SeriesUpdates,
    settings::{Fake, Model, Repair},
};
use lookalike_wire::{config::Told, ledger};
use lookalike_words::Figure;

pub(crate) use self::seal::{Named, Seal, Unsealed};
use self::{
    fault::{SeriesFault, SeriesTold},
    lock::Lock,
    pseudonyms::PseudonymTold,
    state::{Asked, Listed, State},
    together::{Together, TogetherArgs},
    writing::OnDisk,
};
use crate::{
    anonymize::{self, Anonymize, AuditFault, Worked, contents, judge, name_of, work, written},
    configuration::{self, File},
    exit::Failure,
    files,
    flag_values::{FlagFault, choice},
    progress::{say, warn},
    signals, summary,
    written::Written,
};

/// Classes a signature below which later releases are said to need counterfeits.
const FEW: usize = 5;

/// The flags: those of `anonymize`, and the series'.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[command(group = clap::ArgGroup::new("sealing").args(["passphrase_file", "identity"]))]
pub(crate) struct Republish {
    #[command(flatten)]
    release: Anonymize,

    /// The ledger of the series: it is read, and written after the release; the first call makes it. Not to be published
    #[arg(long, value_name = "FILE", help_heading = "Series")]
    ledger: PathBuf,
    /// Begin a series: there is no ledger yet, and this run makes it
    #[arg(long, conflicts_with = "recover", help_heading = "Series")]
    begin: bool,
    /// File whose first line is the ledger's passphrase: the ledger is sealed with it [default: not sealed]
    #[arg(long, value_name = "FILE", conflicts_with = "identity", help_heading = "Series")]
    passphrase_file: Option<PathBuf>,
    /// File of your key, as `age-keygen` writes it: the ledger is sealed to it, in place of a passphrase
    #[arg(long, value_name = "FILE", help_heading = "Series")]
    identity: Option<PathBuf>,
    /// Public key (age1...) of another holder of the ledger, or a file of such keys: sealed to these, too, and a ledger that one of them
    /// sealed is taken; may be given several times
    #[arg(long, value_name = "KEY", requires = "identity", help_heading = "Series")]
    seal_to: Vec<String>,
    /// The ledger was never sealed and is sealed from now on; otherwise one that is not sealed is refused
    #[arg(long, requires = "sealing", help_heading = "Series")]
    seal_now: bool,
    /// The column that names individuals [default: the ledger's]
    #[arg(long, value_name = "COLUMN", help_heading = "Series")]
    id: Option<String>,
    /// File of a key, made by `lookalike ledger key`: the ledger has pseudonyms in place of names. From the first release to the last
    #[arg(long, value_name = "FILE", help_heading = "Series")]
    pseudonym_key: Option<PathBuf>,
    /// Names that differ in case, white space or leading zeros only are different people [default: they are refused]
    #[arg(long, help_heading = "Series")]
    exact_names: bool,
    /// Which updates there may be between releases: people come (incremental), come and leave for good (m-invariance), or
    /// come, leave, come back and change (tau-safety) [default: the ledger's]
    #[arg(
        long,
        value_parser = choice::<Mode>(&["incremental", "m-invariance", "tau-safety"]),
        help_heading = "Series"
    )]
    mode: Option<Mode>,
    /// What takes the places of people who left: counterfeits alone (later releases tell an attacker who knows the method nothing of old
    /// values, for more counterfeits; docs/republish.md), or new-records, then counterfeits (fewest counterfeits) [default: the ledger's; for a
    /// series that begins counterfeits, under tau-safety new-records]
    #[arg(long, value_parser = choice::<Vacancies>(&["new-records", "counterfeits"]), help_heading = "Series")]
    vacancies: Option<Vacancies>,
    /// Signatures of the classes of new records: free (least loss), few different ones, or few of the smallest size (m
    /// values, for up to m - 1 counterfeits more)
    #[arg(
        long,
        default_value = "free",
        value_parser = choice::<Signatures>(&["free", "few", "smallest"]),
        help_heading = "Series"
    )]
    signatures: Signatures,
    /// Price of a counterfeit in the unit of the loss: more of them than necessary are added where they save more
    #[arg(long, value_name = "NUMBER", help_heading = "Series")]
    counterfeit_price: Option<f64>,
    /// The last release, to make sure that the ledger belongs to it
    #[arg(long, value_name = "R.csv", conflicts_with = "recover", help_heading = "Series")]
    previous: Option<PathBuf>,
    /// Make the last release again, which nobody has seen
    #[arg(long, conflicts_with = "recover", help_heading = "Series")]
    replace: bool,
    /// Finish a run that was interrupted after it had written its release (named with -o)
    #[arg(long, help_heading = "Series")]
    recover: bool,
    #[command(flatten)]
    together: TogetherArgs,
    /// Say who came, left and changed, in numbers, and what the release would cost, and write nothing
    #[arg(long, conflicts_with = "recover", help_heading = "Series")]
    dry_run: bool,
    /// Name these people, too, on the terminal
    #[arg(long, requires = "dry_run", help_heading = "Series")]
    people: bool,
    /// File for the number of counterfeits of each class, to be published; see --accept-exposure
    #[arg(long, value_name = "FILE", requires = "accept_exposure", help_heading = "Series")]
    counterfeit_counts: Option<PathBuf>,
    /// Highest probability with which a reader of these numbers may infer a person's value, 0 to 1: they are written only if it
    /// is not exceeded
    #[arg(long, value_name = "PROBABILITY", value_parser = probability, help_heading = "Series")]
    accept_exposure: Option<f64>,
}

/// Runs the command.
pub(crate) fn run(args: &mut Republish) -> Result<(), Failure> {
    let asked = match (args.replace, args.recover) {
        (true, _) => Asked::Replace,
        (_, true) => Asked::Recover,
        _ => Asked::Next,
    };
    if args.release.large.folder().is_some() {
        return Err(Failure::input(SeriesFault::OutOfCore));
    }
    args.release.large.check(None)?;
    let unsealed = if args.seal_now { Unsealed::SealNow } else { Unsealed::NotYet };
    let named = Named {
        passphrase: args.passphrase_file.as_deref(),
        identity: args.identity.as_deref(),
        others: &args.seal_to,
    };
    let seal = Seal::named(named, unsealed)?;
    seal.warn(named);
    args.ledger = lock::file_of(&args.ledger)?;
    lock::may_be_replaced(&args.ledger)?;
    // Until the end: what is read here must still be so when the release is written.
    let _lock = Lock::take(&args.ledger)?;
    if !args.dry_run {
        let outputs = args.release.outputs();
        left::clear(outputs.iter().map(|(path, _)| *path).chain([args.ledger.as_path()]))?;
    }
    let state = State::find(&args.ledger, args.release.output(), asked, &seal)?;
    if asked == Asked::Recover {
        let number = state.ledger.as_ref().map_or(0, Ledger::number);
        say(&SeriesTold::Complete { release: number, ledger: args.ledger.display().to_string() }.to_string());
        return Ok(());
    }
    let output = args.release.output().map(Path::to_path_buf);
    if output.is_none() && !args.dry_run {
        return Err(Failure::input(SeriesFault::NoOutput));
    }
    let ledger = || args.ledger.display().to_string();
    match (&state.bytes, args.begin) {
        (None, false) if asked == Asked::Next => {
            return Err(Failure::input(SeriesFault::NotBegun { ledger: ledger() }));
        }
        (Some(_), true) => return Err(Failure::input(SeriesFault::BegunAlready { ledger: ledger() })),
        _ => {}
    }
    if let Some(previous) = &args.previous {
        state.check_previous(previous)?;
    } else {
        let list = || used::beside(&args.ledger).display().to_string();
        match state.unlisted {
            Some(Listed::Must) => return Err(Failure::input(SeriesFault::NoUsed { list: list() })),
            Some(Listed::May) => warn(&SeriesTold::NoList { list: list() }.into()),
            None => {}
        }
    }
    if state.known.is_sealed_now() {
        let list = used::beside(&args.ledger).display().to_string();
        say(&SeriesTold::ListSealed { list }.to_string());
    }
    release(args, &state, &seal, output.as_deref())
}

fn release(args: &mut Republish, state: &State, seal: &Seal, output: Option<&Path>) -> Result<(), Failure> {
    if args.release.m.is_some() && args.release.model.is_none() {
        args.release.model = Some(String::from("m-invariance"));
    }
    let file = match (args.release.config.read()?, &state.ledger) {
        (Some(file), _) => Some(file),
        (None, Some(ledger)) => Some(File::of_series(&args.ledger, &ledger.settings)?),
        (None, None) => None,
    };
    let mut draft = configuration::merge(args.release.draft(file.as_ref())?, file.as_ref())?;
    // Before what belongs to m-invariance alone is put in, which nobody has asked for.
    if let Some(Model::KAnonymity { .. }) = draft.settings.model {
        return Err(Failure::input(Conflict::SeriesNeedsMInvariance));
    }
    defaults(&mut draft.settings);
    let mut settings = args.release.settings(&draft)?;
    let key = args.pseudonym_key.as_deref().map(pseudonyms::read).transpose()?;
    let options = Options { key: key.clone(), ..args.options(state)? };
    let id = options.id.clone();
    let remote = args.release.remote()?;
    let signer = args.release.manifest.signer()?;
    // A file of the series is not to be written over, whatever its ending.
    apart(&args.ledger, &args.release.outputs())?;
    let form = Written::of(args.release.output())?;
    form.fit_series()?;
    args.release.fit_schema(form)?;
    let together = Together::find(&args.together, state, &args.release)?;
    let table = args.release.read(&mut settings, file.as_ref(), Some(&options.id))?;

    signals::watch().map_err(|e| Failure::deaf(&e))?;
    let mut outputs = args.release.outputs();
    let counts = args.counterfeit_counts.as_deref().map(|path| (path, anonymize::Output::Counts));
    outputs.splice(0..0, counts);
    if args.dry_run {
        outputs.clear();
    }
    let staged = args.release.stage(&outputs)?;
    apart(&args.ledger, &outputs)?;

    let control = args.release.attacks.control(&args.release.table, &settings, file.as_ref())?;
    let table = Arc::new(table);
    let table_settings = settings.clone();
    let run = Run::of_series(Arc::clone(&table), settings, options, args.counterfeit_price)?;
    let Worked { mut outcome, certificate, run } = work(&args.release, remote.as_ref(), run)?;
    judge(&outcome)?;
    if let Some(together) = &together {
        together.judge(&mut outcome, (&args.release, &table_settings), &args.ledger)?;
    }
    let attacks = args.release.attacks.tried(&table, &run, &outcome, control.as_ref())?;
    let Some(next) = &outcome.ledger else {
        return Err(Failure::system(SeriesFault::NoLedger));
    };
    exposure(args, &outcome)?;
    if args.dry_run {
        let names = key.as_ref().zip(table.column(&id)).map(|(key, column)| pseudonyms::names(key, column));
        rehearsed(args, state, &outcome, next, &names.unwrap_or_default());
        return Ok(());
    }

    let mut made = args.release.made(args.release.file_of(&outcome.published));
    made.attacks = attacks;
    let ledger = ledger::write(next).map_err(Failure::system)?;
    made.ledger = Some(NamedFile::of(name_of(&args.ledger), &ledger));
    made.sealed = seal.is_keyed();
    let contents = contents(&outputs, &outcome, certificate.as_ref(), (&draft, made), signer.as_ref())?;
    writing::write(&mut OnDisk {
        path: &args.ledger,
        old: state.bytes.as_deref(),
        discard: state.discard,
        known: &state.known,
        used: state.used(),
        next,
        seal,
        outputs: Some(staged),
        contents: contents.iter().map(Vec::as_slice).collect(),
    })?;

    summary::outcome(&outcome);
    if let Some(updates) = &outcome.private.series {
        told(updates, next.mode);
    }
    say(&signatures(next).to_string());
    say(&SeriesTold::Keep { ledger: args.ledger.display().to_string() }.to_string());
    if let Some(key) = &args.pseudonym_key {
        if state.ledger.is_none() {
            say(&PseudonymTold::Begins { key: key.display().to_string() }.to_string());
        }
        pseudonyms::apart(key, &args.ledger);
    }
    if output.is_some_and(|output| files::folder(&args.ledger) == files::folder(output)) {
        warn(&SeriesTold::SameFolder.into());
    }
    written(&outputs)
}

/// What a release would be that is not written. People are named where that is asked for, and on the terminal alone.
fn rehearsed(
    args: &Republish,
    state: &State,
    outcome: &Outcome,
    next: &Ledger,
    names: &BTreeMap<String, &str>,
) {
    summary::outcome(outcome);
    if let Some(updates) = &outcome.private.series {
        told(updates, next.mode);
    }
    say(&signatures(next).to_string());
    let begins = || Ledger::new(next.series.clone(), next.id.clone(), next.mode, &next.settings);
    let before = state.ledger.clone().unwrap_or_else(begins);
    for line in ledgers::diff::told(&before, next, args.people.then_some(names)) {
        say(&line);
    }
    say(&SeriesTold::DryRun { seed: outcome.private.settings.seed.unwrap_or_default().to_string() }
        .to_string());
}

/// Counterfeits are what a series lives on: they are added unless something else is said, and the frequent values are
/// faked, which later releases fill up.
fn defaults(settings: &mut Told) {
    let way = *settings.eligibility.get_or_insert(Repair::Add);
    if matches!(way, Repair::Add | Repair::Hybrid) {
        settings.changes.fake.get_or_insert(Fake::Frequent);
    }
}

/// The help of a flag of `anonymize` whose default is another one here.
pub(crate) fn default_of_series(arg: clap::Arg) -> clap::Arg {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let help = help.replace("[default: error]", "[default: add, later the ledger's]");
    arg.help(help.replace("[default: rarest]", "[default: frequent, later the ledger's]"))
}

/// The ledger must not be one of the outputs.
fn apart(ledger: &Path, outputs: &[(&Path, anonymize::Output)]) -> Result<(), Failure> {
    let name = |path: &Path| {
        (std::fs::canonicalize(files::folder(path)).ok(), path.file_name().map(ToOwned::to_owned))
    };
    let own = [ledger.to_path_buf(), writing::pending(ledger), used::beside(ledger), lock::beside(ledger)];
    for (path, _) in outputs {
        // An output follows links, too.
        let target = lock::file_of(path)?;
        if own.iter().any(|own| name(&target) == name(own)) {
            return Err(Failure::input(SeriesFault::OutputIsLedger { path: path.display().to_string() }));
        }
    }
    Ok(())
}

/// What publishing the counterfeits of each class would tell, before it is done.
fn exposure(args: &Republish, outcome: &Outcome) -> Result<(), Failure> {
    let Some(informed) = outcome.private.informed.filter(|_| outcome.report.changes.counterfeits > 0) else {
        return Ok(());
    };
    let with = informed.present_with_class_counts;
    say(&SeriesTold::Exposure { with: Figure::fixed(with, 4) }.to_string());
    match args.accept_exposure {
        Some(accepted) if args.counterfeit_counts.is_some() && with > accepted => {
            let (with, accepted) = (Figure::fixed(with, 4), Figure::shortest(accepted));
            Err(Failure::audit(AuditFault::Exposure { with, accepted }))
        }
        _ => Ok(()),
    }
}

/// What changed since the last release, for the data holder.
fn told(updates: &SeriesUpdates, mode: Mode) {
    let parts: Vec<String> = [
        (updates.new, "new"),
        (updates.stayed, "stayed"),
        (updates.back, "back"),
        (updates.changed, "with another value"),
        (updates.gone, "gone"),
        (updates.waiting, "waiting for a later release"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| format!("{count} {what}"))
    .collect();
    say(&format!("release {} ({}): {}", updates.release, mode.name(), parts.join(", ")));
    if updates.release > 1 && updates.stayed + updates.back + updates.changed == 0 {
        warn(&SeriesTold::Nobody.into());
    }
    if updates.balancing > 0 {
        say(&SeriesTold::Balancing { counterfeits: updates.balancing }.to_string());
    }
    if let Some(left) = updates.believer {
        let (changed, one) = (updates.ever_changed, updates.left_with_one);
        say(&SeriesTold::Believer { left, changed, one }.to_string());
    }
}

/// How many signatures the last release has: many of few classes each are hard to fill when people leave.
fn signatures(ledger: &Ledger) -> SeriesTold {
    let last = ledger.number();
    let stays = ledger.individuals.values().filter_map(|stays| stays.last()).filter(|stay| stay.last == last);
    let different = stays.map(|stay| stay.signature).collect::<BTreeSet<u32>>().len();
    let classes = ledger.releases.last().map_or(0, |release| release.counterfeits.len());
    SeriesTold::Signatures { classes, different, few: classes < FEW * different }
}

impl Republish {
    /// What the series is told; from the second release on the ledger knows it.
    fn options(&self, state: &State) -> Result<Options, Failure> {
        let (ledger, there) = (|| self.ledger.display().to_string(), state.bytes.is_some());
        let known = state.ledger.as_ref();
        let id = self.id.clone().or_else(|| known.map(|ledger| ledger.id.clone()));
        let mode = self.mode.or_else(|| known.map(|ledger| ledger.mode));
        Ok(Options {
            id: id.ok_or_else(|| Failure::input(SeriesFault::FirstNeedsId { ledger: ledger(), there }))?,
            mode: mode
                .ok_or_else(|| Failure::input(SeriesFault::FirstNeedsMode { ledger: ledger(), there }))?,
            ledger: state.ledger.clone(),
            signatures: self.signatures,
            exact_names: self.exact_names,
            key: None,
            vacancies: self.vacancies,
            way: Way::Fewest,
            more: 0,
        })
    }
}

fn probability(text: &str) -> Result<f64, FlagFault> {
    match text.trim().parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err(FlagFault::Probability { text: text.into() }),
    }
}

/// What [`defaults`] takes for `--eligibility` and `--fake`.
#[cfg(test)]
pub(crate) fn defaults_of_series() -> [String; 2] {
    let mut settings = Told::default();
    defaults(&mut settings);
    let name = |value: serde_json::Value| value.as_str().map(str::to_owned).unwrap_or_default();
    [name(serde_json::json!(settings.eligibility)), name(serde_json::json!(settings.changes.fake))]
}
