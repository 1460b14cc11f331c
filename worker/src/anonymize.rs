//! `lookalike anonymize`: a CSV in, a published CSV out, and the records of the run.

mod attacks;
mod fault;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use lookalike_core::{
    certify, persons,
    pipeline::{Need, Outcome, Purpose, Run},
    reading_warnings,
    republish::counts::by_class,
    statement::{self, Made, NamedFile},
    table::{Also, Edits, Table},
};
use lookalike_model::{
    sent::Searched,
    settings::{
        BoundWork, Budget, Construction, Loss, Method, MethodAsked, MethodName, Misplaced, MissingPolicy,
        Model, Publish, Repair, Sample, Settings,
    },
};
use lookalike_optimize::solve::solve;
use lookalike_wire::config::Draft;
use lookalike_words::Figure;

use self::attacks::AttackArgs;
pub(crate) use self::fault::{AnonymizeFault, AuditFault, FailedCheck};
use crate::{
    certificate::Written,
    column_flags::{kinds, orders, weights},
    condition_flags::{ConditionArgs, Conditions},
    configuration::{self, ConfigArgs, File},
    eligibility_flags::ChangeArgs,
    exit::{AfterStop, Failure},
    files::{self, Secrecy, Staged},
    flag_values::{List, MissingArgs, Order, Pairs, PersonArgs, choice, percent, policy, seconds},
    input::{From, TableArgs},
    local::{self, Surroundings},
    manifest::{self, ManifestArgs},
    out_of_core::{self, LargeArgs},
    output::OutputArgs,
    progress::{say, warn},
    recoding::RecodingArgs,
    remote::{self, Remote},
    scheme::{self, SchemeArgs},
    sent, signals,
    signature::Signer,
    split_and_carry::CarryArgs,
    summary,
    tables::send,
    written::{Written as WrittenForm, WrittenFault, named, schema_form, schema_of},
};

/// The names of the methods.
static METHODS: [&str; MethodName::ALL.len()] = {
    let mut names = [""; MethodName::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = MethodName::ALL[at].name();
        at += 1;
    }
    names
};

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct Anonymize {
    #[command(flatten)]
    pub(crate) table: TableArgs,

    /// Columns that an attacker may know: age,sex,"city, state"
    #[arg(long, value_name = "COLUMNS", help_heading = "Columns")]
    quasi: Option<List>,
    /// The column whose values are to be protected
    #[arg(long, value_name = "COLUMN", help_heading = "Columns")]
    sensitive: Option<List>,
    /// Columns without a role that are published all the same, and audited as quasi-identifiers
    #[arg(long, value_name = "COLUMNS", help_heading = "Columns")]
    keep: Option<List>,
    /// Columns that are published cell by cell as they are: the guarantee does not hold against an attacker who knows them of a
    /// person, and the report says what such an attacker gains
    #[arg(long, value_name = "COLUMNS", help_heading = "Columns")]
    unchanged: Option<List>,
    /// The column with the number of people in the population that a record stands for (sampling weight): published as it is; the
    /// report gives the risk in the population
    #[arg(long, value_name = "COLUMN", help_heading = "Columns")]
    sampling_weight: Option<String>,
    /// The column with the key of a record's household: the report gives the risk that a household is found by one of its members
    #[arg(long, value_name = "COLUMN", help_heading = "Columns")]
    household: Option<String>,
    /// Kinds of columns, where the guess is wrong: zip=category,visit=date-dmy; a kind is integer, real, number, date,
    /// date-dmy, date-mdy, date:FORMAT such as "visit=date:%d %b %Y %H:%M" (the letters of strftime), category or ordinal
    #[arg(long, value_name = "COLUMN=KIND", help_heading = "Columns")]
    kind: Option<Pairs>,
    /// Order of a column's values, from least to greatest; once for each such column
    #[arg(long, value_name = "COLUMN=LOW<HIGH", help_heading = "Columns")]
    order: Vec<Order>,
    #[command(flatten, next_help_heading = "Columns")]
    persons: PersonArgs,
    #[command(flatten, next_help_heading = "Columns")]
    missing: MissingArgs,
    /// What happens to a row with a missing quasi-identifier [default: error]
    #[arg(long, value_name = "POLICY", value_parser = policy(), help_heading = "Columns")]
    missing_quasi: Option<MissingPolicy>,

    /// The guarantee
    #[arg(long, value_parser = ["m-invariance", "k-anonymity"], help_heading = "Guarantee")]
    pub(crate) model: Option<String>,
    /// Least number of different sensitive values in a class (m-invariance)
    #[arg(long, help_heading = "Guarantee")]
    pub(crate) m: Option<usize>,
    /// Least class size (k-anonymity)
    #[arg(long, help_heading = "Guarantee")]
    k: Option<usize>,
    #[command(flatten, next_help_heading = "Guarantee")]
    conditions: ConditionArgs,
    /// What to do when one sensitive value is held by more than 1/m of the records [default: error]
    #[arg(
        long,
        value_name = "REPAIR",
        value_parser = choice::<Repair>(&["error", "add", "delete", "hybrid"]),
        help_heading = "Guarantee"
    )]
    eligibility: Option<Repair>,
    #[command(flatten, next_help_heading = "Changes for eligibility")]
    changes: ChangeArgs,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,

    /// What a class costs [default: sse]
    #[arg(long, value_parser = choice::<Loss>(&["sse", "ncp", "ncp-binary"]), help_heading = "Search")]
    loss: Option<Loss>,
    /// Weights of the quasi-identifiers in the loss, which sum to 1 [default: equal]
    #[arg(long, value_name = "COLUMN=WEIGHT", help_heading = "Search")]
    weights: Option<Pairs>,
    /// How classes are found [default: auto]
    #[arg(
        long,
        value_parser = choice::<MethodName>(&METHODS),
        help_heading = "Search"
    )]
    method: Option<MethodName>,
    /// The construction that a search starts from [default: the search's own choice]
    #[arg(long, value_name = "METHOD", value_parser = choice::<MethodName>(&METHODS), help_heading = "Search")]
    start: Option<MethodName>,
    /// Number of blocks of decompose [default: one for each 500 records] or of column-generation [default: 1]
    #[arg(long, value_name = "NUMBER", help_heading = "Search")]
    blocks: Option<usize>,
    /// Two-swap before the blocks of decompose or column-generation, too
    #[arg(long, help_heading = "Search")]
    swap_first: bool,
    /// Leave out the two-swapping after the blocks of column-generation: classes keep to the blocks, and so does the bound
    #[arg(long, help_heading = "Search")]
    no_final_swap: bool,
    #[command(flatten, next_help_heading = "Split & Carry")]
    carry: CarryArgs,
    #[command(flatten, next_help_heading = "Guarantee")]
    scheme: SchemeArgs,
    /// How long to search, in proportion to the records; the result is reproducible [default: 5]
    #[arg(long, value_name = "NUMBER", conflicts_with = "time_limit", help_heading = "Search")]
    effort: Option<f64>,
    /// How long to search, such as 20s or 2m; the result is not reproducible
    #[arg(long, value_name = "TIME", value_parser = seconds, help_heading = "Search")]
    time_limit: Option<f64>,
    /// Stop once the loss is proven to be within this many per cent of the best possible (column generation)
    #[arg(long, value_name = "NUMBER", value_parser = percent, help_heading = "Search")]
    stop_gap_percent: Option<f64>,
    /// A record counts as at risk if the probability of its re-identification is above this [default: 0.2]
    #[arg(long, value_name = "PROBABILITY", help_heading = "Guarantee")]
    risk_threshold: Option<f64>,
    /// How much work to spend on a proven bound on the loss, in addition to the search; full takes half of a time limit [default:
    /// quick]
    #[arg(long, value_parser = choice::<BoundWork>(&["off", "quick", "full"]), help_heading = "Search")]
    bound: Option<BoundWork>,
    /// Seed of every random choice [default: from the operating system, noted in private.json]
    #[arg(long, help_heading = "Search")]
    seed: Option<u64>,
    /// Threads to search with [default: all]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..), help_heading = "Search")]
    threads: Option<u16>,
    /// Let this worker search: it receives numbers without names
    #[arg(long, value_name = "URL", conflicts_with = "threads", help_heading = "Search")]
    worker: Option<String>,
    /// Send the worker the table itself, with its names: it does the whole run, and its result is judged here
    #[arg(long, requires = "worker", help_heading = "Search", conflicts_with_all = ["out_of_core"])]
    send_table: bool,
    /// File with the worker's token [default: from the environment, `LOOKALIKE_TOKEN`]
    #[arg(long, value_name = "FILE", requires = "worker", help_heading = "Search")]
    token_file: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) large: LargeArgs,

    /// How a class is published [default: range]
    #[arg(
        long,
        value_name = "FORM",
        value_parser = choice::<Publish>(&["range", "min-max", "min-max-mid", "set", "centroid", "hierarchy"]),
        help_heading = "Output"
    )]
    publish: Option<Publish>,
    #[command(flatten)]
    recoding: RecodingArgs,
    #[command(flatten, next_help_heading = "Output")]
    form: OutputArgs,
    /// The published table; the ending of its name decides its form: .csv, .tsv and .txt are text, .xlsx is a workbook, .parquet,
    /// .arrow, .jsonl, .dta and .xpt are files of these; `-` is standard output [default: standard output]
    #[arg(short, long, value_name = "OUT.csv", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// What the columns of the published CSV are, for the program that reads it; its ending says for which: .json is a Table Schema,
    /// .sps a syntax of SPSS, .do a do-file of Stata
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    schema: Option<PathBuf>,
    /// Report of the run, publishable
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
    /// Record of the run with seed and fates of rows: not to be published
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    private: Option<PathBuf>,
    /// Statement of the run to print and file, as HTML; it names the seed: not to be published
    #[arg(long, value_name = "FILE.html", help_heading = "Output")]
    statement: Option<PathBuf>,
    /// The statement as data, for registers and reports of others: not to be published
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    statement_json: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) attacks: AttackArgs,
    #[command(flatten)]
    pub(crate) manifest: ManifestArgs,
    /// The duals that prove the bound, for `lookalike check --certificate`: not to be published
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    certificate: Option<PathBuf>,
    /// Which input row is in which class: not to be published
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    classes: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: &Anonymize) -> Result<(), Failure> {
    let file = args.config.read()?;
    let draft = configuration::merge(args.draft(file.as_ref())?, file.as_ref())?;
    let mut settings = args.settings(&draft)?;
    let remote = args.remote()?;
    let signer = args.manifest.signer()?;
    let form = WrittenForm::of(args.output())?;
    form.fit(args.form.said())?;
    args.fit_schema(form)?;
    // A worker that gets the whole table knows its columns.
    scheme::fit(&settings, remote.as_ref().filter(|_| !args.send_table))?;
    args.large.check(remote.as_ref())?;
    if args.large.folder().is_some() {
        form.fit_out_of_core()?;
        let by = (form, remote.as_ref(), signer.as_ref());
        return out_of_core::run(args, settings, &draft, file.as_ref(), by);
    }
    let outputs = args.outputs();
    if let Some(remote) = remote.as_ref().filter(|_| args.send_table) {
        summary::seed(args.seed, false);
        return send::run(args, &draft, remote, &outputs);
    }
    let table = args.read(&mut settings, file.as_ref(), None)?;
    let table = Arc::new(table);
    if settings.wants_duals() {
        // Refused now rather than after the search.
        certify::meaning(&table, &settings)?;
    }

    signals::watch().map_err(|e| Failure::deaf(&e))?;
    let staged = args.stage(&outputs)?;

    let control = args.attacks.control(&args.table, &settings, file.as_ref())?;
    let run = Run::new(Arc::clone(&table), settings, draft.identifiers.clone());
    let Worked { mut outcome, certificate, run } = work(args, remote.as_ref(), run)?;
    judge(&outcome)?;
    let attacks = args.attacks.tried(&table, &run, &outcome, control.as_ref())?;
    form.put(&mut outcome)?;
    if let Some(signal) = signals::caught()
        && args.output().is_none()
    {
        return Err(Failure::interrupted(signal, AfterStop::NoOutput));
    }

    let made = Made { attacks, ..args.made(args.file_of(&outcome.published)) };
    let contents = contents(&outputs, &outcome, certificate.as_ref(), (&draft, made), signer.as_ref())?;
    let contents: Vec<&[u8]> = contents.iter().map(Vec::as_slice).collect();
    files::commit(staged, &contents)?;
    if args.output().is_none() {
        files::print(&outcome.published)?;
    }
    summary::outcome(&outcome);
    if let Some(certificate) = &certificate {
        say(&certificate.told.to_string());
    }
    written(&outputs)
}

/// What is put in place of cells while the table is read.
pub(crate) fn edits(settings: &Settings) -> Edits {
    let Settings { pad, labels, missing, .. } = settings;
    Edits { widths: pad.clone(), labels: labels.clone(), markers: missing.markers.clone() }
}

/// Says what was written, after everything else.
pub(crate) fn written(outputs: &[(&Path, Output)]) -> Result<(), Failure> {
    let written: Vec<_> = outputs.iter().rev().map(|(path, _)| path.display().to_string()).collect();
    if let Some(signal) = signals::caught() {
        return Err(Failure::interrupted(signal, AfterStop::Written { files: written }));
    }
    if !written.is_empty() {
        say(&format!("written: {}", written.join(", ")));
    }
    Ok(())
}

/// A run that was carried out.
pub(crate) struct Worked {
    /// What is published, and what is said of it.
    pub(crate) outcome: Outcome,
    /// The duals that prove the bound, if they were asked for.
    pub(crate) certificate: Option<Written>,
    /// The run itself.
    pub(crate) run: Run,
}

/// Carries out a run, searching here or with the worker's help.
pub(crate) fn work(args: &Anonymize, remote: Option<&Remote>, run: Run) -> Result<Worked, Failure> {
    work_in(args, remote, run, &Surroundings::new())
}

/// The same in these surroundings.
pub(crate) fn work_in(
    args: &Anonymize,
    remote: Option<&Remote>,
    mut run: Run,
    around: &Surroundings,
) -> Result<Worked, Failure> {
    let pool = local::pool(args.threads())?;
    if remote.is_some() {
        // What a worker says of its bound is checked by them.
        run.keep_duals();
    }
    let mut outcome = loop {
        match pool.install(|| around.with(|ctx| run.next(ctx)))? {
            Need::Ask(question) => return Err(Failure::input(question)),
            Need::Done(outcome) => break outcome,
            Need::Solve { job, purpose } => {
                let answer = match remote.filter(|_| purpose == Purpose::Release) {
                    Some(remote) => remote.solve(job, &around.view)?,
                    None => pool
                        .install(|| around.with(|ctx| solve(job, ctx)))
                        .map_err(lookalike_core::Error::from)?,
                };
                run.solved(answer);
                if let Some(sent) = remote.and_then(Remote::sent) {
                    run.searched_elsewhere(Searched::Worker, sent);
                }
            }
        }
    };
    around.view.clear();
    outcome.salt([local::entropy()?, local::entropy()?]);
    let searched = args.certificate.as_ref().and_then(|_| run.prepared().zip(run.answer()));
    let certificate = searched.map(|(prepared, answer)| Written::new(prepared, answer));
    let certificate = certificate.transpose()?;
    Ok(Worked { outcome: *outcome, certificate, run })
}

/// What each output holds. The statement comes after the others, since it has the digest of the report: `made` is what it says of
/// the other files. The manifest has the digests of them all, and is signed.
pub(crate) fn contents(
    outputs: &[(&Path, Output)],
    outcome: &Outcome,
    certificate: Option<&Written>,
    (draft, made): (&Draft, Made),
    signer: Option<&Signer>,
) -> Result<Vec<Vec<u8>>, Failure> {
    let bytes = outputs.iter().map(|(_, what)| what.bytes(outcome, certificate, draft));
    let mut contents = bytes.collect::<Result<Vec<_>, Failure>>()?;
    let place = |wanted| outputs.iter().position(|(_, what)| *what == wanted);
    let report = place(Output::Report).map(|at| NamedFile::of(name_of(outputs[at].0), &contents[at]));
    let made = Made { report, ..made };
    if let Some(schema) = place(Output::Schema) {
        contents[schema] = schema_of(outputs[schema].0, outcome, made.release.name.as_deref())?;
    }
    if let Some(statement) = place(Output::Statement) {
        contents[statement] = statement::html(outcome.exact(), &outcome.private, &made).into_bytes();
    }
    if let Some(at) = place(Output::StatementJson) {
        contents[at] = in_json(&statement::record(outcome.exact(), &outcome.private, &made))?;
    }
    if let Some(at) = place(Output::Manifest) {
        contents[at] = manifest::manifest(outputs, &contents, outcome, (draft, &made))?;
        if let (Some(signer), Some(signature)) = (signer, place(Output::Signature)) {
            contents[signature] = signer.sign(&contents[at])?;
        }
    }
    Ok(contents)
}

/// The name of a file, without its folder.
pub(crate) fn name_of(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_string_lossy().into_owned())
}

/// Nothing leaves without a passed audit.
pub(crate) fn judge(outcome: &Outcome) -> Result<(), Failure> {
    if outcome.report.audit.passed {
        return Ok(());
    }
    let failed = outcome.report.audit.checks.iter().filter(|c| !c.passed);
    let checks =
        failed.map(|c| FailedCheck::Check { name: c.name.clone(), finding: c.finding.clone() }).collect();
    let (why, witnesses) = (AuditFault::Failed { checks }.into(), outcome.private.witnesses.clone());
    Err(match signals::caught() {
        Some(signal) => Failure::Interrupted { signal, kept: why, witnesses },
        None => Failure::Audit { why, witnesses },
    })
}

/// One of the files that a run writes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    Published,
    Report,
    Private,
    Classes,
    Certificate,
    Config,
    Statement,
    /// What the columns of the published table are.
    Schema,
    /// The statement as data.
    StatementJson,
    /// Counterfeits of each class of a series' release.
    Counts,
    /// What ties the run to its files.
    Manifest,
    /// The manifest's signature.
    Signature,
}

impl Output {
    fn secrecy(self) -> Secrecy {
        match self {
            Self::Published | Self::Report | Self::Config | Self::Counts | Self::Schema => {
                Secrecy::Publishable
            }
            Self::Private
            | Self::Classes
            | Self::Certificate
            | Self::Statement
            | Self::StatementJson
            | Self::Manifest
            | Self::Signature => Secrecy::Private,
        }
    }

    pub(crate) fn bytes(
        self,
        outcome: &Outcome,
        certificate: Option<&Written>,
        draft: &Draft,
    ) -> Result<Vec<u8>, Failure> {
        match self {
            Self::Published => Ok(outcome.published.clone()),
            Self::Classes => Ok(outcome.classes.clone()),
            Self::Counts => Ok(outcome.ledger.as_ref().map_or_else(Vec::new, by_class)),
            Self::Certificate => Ok(certificate.map_or_else(Vec::new, |written| written.bytes.clone())),
            // See `contents`: they need the others first.
            Self::Statement | Self::StatementJson | Self::Manifest | Self::Signature | Self::Schema => {
                Ok(Vec::new())
            }
            Self::Config => configuration::saved(&outcome.pinned, draft),
            Self::Report => in_json(&outcome.report),
            Self::Private => in_json(&outcome.private),
        }
    }
}

/// A record as it is written.
fn in_json(record: &impl serde::Serialize) -> Result<Vec<u8>, Failure> {
    let mut bytes = serde_json::to_vec_pretty(record).map_err(|e| Failure::json(&e))?;
    bytes.push(b'\n');
    Ok(bytes)
}

impl Anonymize {
    /// Refuses a schema that cannot be made.
    ///
    /// # Errors
    /// If its ending says nothing, if the published table has its types in itself or is not in memory.
    pub(crate) fn fit_schema(&self, form: WrittenForm) -> Result<(), Failure> {
        let Some(path) = &self.schema else { return Ok(()) };
        schema_form(path)?;
        form.fit_schema()?;
        if self.large.folder().is_some() {
            return Err(Failure::input(WrittenFault::SchemaOutOfCore));
        }
        Ok(())
    }

    /// How many threads to search with, if it is said.
    pub(crate) fn threads(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }

    /// Whether hierarchies are to be made from the table.
    pub(crate) fn generates_hierarchies(&self) -> bool {
        self.recoding.columns().next().is_some()
    }

    /// The worker to ask, if one is named.
    pub(crate) fn remote(&self) -> Result<Option<Remote>, Failure> {
        self.worker.as_ref().map(|url| Remote::new(url, self.token_file.as_deref())).transpose()
    }

    /// Whether another machine is asked.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.worker.as_deref().is_some_and(remote::is_elsewhere)
    }

    /// Reads the table, or what is needed of it: the columns that are named, and one more. Completes the settings by what
    /// only the table and the operating system know.
    pub(crate) fn read(
        &self,
        settings: &mut Settings,
        file: Option<&File>,
        also: Option<&str>,
    ) -> Result<Table, Failure> {
        self.read_of(From::Path(&self.table.input), settings, (file, also))
    }

    /// The same of a table that may be in memory.
    pub(crate) fn read_of(
        &self,
        from: From,
        settings: &mut Settings,
        (file, also): (Option<&File>, Option<&str>),
    ) -> Result<Table, Failure> {
        summary::seed(settings.seed, self.is_elsewhere());
        if settings.seed.is_none() {
            settings.seed = Some(local::entropy()?);
        }
        // A configuration may be for another table: that is said of all its columns at once.
        let needed = if file.is_some() {
            None
        } else {
            let named = self.recoding.columns().chain(configuration::columns(settings));
            Some(named.chain(also.map(String::from)).collect())
        };
        let (also, edits) = (Some(Also(persons::may_be_key)), edits(settings));
        let table = self.table.read_of(from, (needed, also), file, edits)?;
        configuration::check(file, &table)?;
        reading_warnings(&table, settings).iter().for_each(warn);
        self.recoding.generate(&table, settings)?;
        Ok(table)
    }

    /// Stages the outputs beside their targets.
    pub(crate) fn stage(&self, outputs: &[(&Path, Output)]) -> Result<Vec<Staged>, Failure> {
        let named: Vec<_> = outputs.iter().map(|(path, what)| (*path, what.secrecy())).collect();
        files::stage(&self.table.input, &named)
    }

    /// The seed, if it is given.
    pub(crate) fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// The file of the release; `None` for standard output.
    pub(crate) fn output(&self) -> Option<&Path> {
        files::named(self.output.as_deref())
    }

    /// The published table as the statement names it.
    pub(crate) fn file_of(&self, published: &[u8]) -> NamedFile {
        NamedFile::of(self.output().and_then(name_of), published)
    }

    /// What a statement of this run says of its date and its files, but for the report.
    pub(crate) fn made(&self, release: NamedFile) -> Made {
        let source = Some(self.table.input.as_path()).filter(|path| !files::is_stdin(path));
        Made { at: sent::now(), source: source.and_then(name_of), release, ..Made::default() }
    }

    /// The files to write, in the order of their renaming: the release last, so that it never stands there without
    /// the records that belong to it.
    pub(crate) fn outputs(&self) -> Vec<(&Path, Output)> {
        let files = [
            (self.manifest.signature(), Output::Signature),
            (self.manifest.manifest(), Output::Manifest),
            (self.config.save(), Output::Config),
            (self.classes.as_deref(), Output::Classes),
            (self.certificate.as_deref(), Output::Certificate),
            (self.private.as_deref(), Output::Private),
            (self.statement.as_deref(), Output::Statement),
            (self.schema.as_deref(), Output::Schema),
            (self.statement_json.as_deref(), Output::StatementJson),
            (self.report.as_deref(), Output::Report),
            (self.output(), Output::Published),
        ];
        files.into_iter().filter_map(|(path, what)| Some((path?, what))).collect()
    }

    /// What the flags say. `file` matters only where a flag needs another one beside it.
    pub(crate) fn draft(&self, file: Option<&File>) -> Result<Draft, Failure> {
        let mut draft = Draft { reading: self.table.reading(), ..Draft::default() };
        let told = &mut draft.settings;
        told.quasi = self.quasi.as_ref().map(|list| list.0.clone());
        told.sensitive = self.sensitive()?;
        told.keep = self.keep.as_ref().map(|list| list.0.clone());
        told.unchanged = self.unchanged.as_ref().map(|list| list.0.clone());
        told.sample = Sample { weight: self.sampling_weight.clone(), household: self.household.clone() };
        told.kinds = self.kind.as_ref().map(kinds).transpose()?.unwrap_or_default();
        told.orders = orders(&self.order)?;
        told.pad = self.table.widths()?;
        told.labels = self.table.labels()?;
        told.model = self.model(file)?;
        let Conditions { own, further } = self.conditions.said();
        (told.conditions, told.conditions_of) = (own, further);
        told.loss = self.loss;
        told.weights = self.weights.as_ref().map(weights).transpose()?.unwrap_or_default();
        told.method = self.search_method(file)?;
        (told.scheme, told.suppress) = self.scheme.said(file);
        told.sets = self.scheme.sets();
        told.publish = self.publish;
        told.eligibility = self.eligibility;
        told.changes = self.changes.given()?;
        told.missing = self.missing.said(self.missing_quasi);
        told.rows_are = self.persons.said();
        told.output = named(self.output(), self.form.said())?;
        told.class_column = self.form.class_column();
        told.risk_threshold = self.risk_threshold;
        told.budget = match (self.effort, self.time_limit) {
            (_, Some(seconds)) => Some(Budget::Seconds(seconds)),
            // JSON has no NaN and no infinity.
            (Some(effort), None) if !effort.is_finite() => {
                return Err(Failure::input(AnonymizeFault::Effort { effort: Figure::shortest(effort) }));
            }
            (Some(effort), None) => Some(Budget::Effort(effort)),
            (None, None) => None,
        };
        told.bound = self.bound;
        self.recoding.said(&mut draft)?;
        Ok(draft)
    }

    pub(crate) fn settings(&self, draft: &Draft) -> Result<Settings, Failure> {
        if draft.settings.model.is_none() {
            return Err(Failure::input(AnonymizeFault::NoModel));
        }
        let mut settings = draft.complete(self.seed).map_err(Failure::input)?;
        settings.method = settings.method.without_duals();
        settings.duals = self.certificate.is_some();
        // Only m-invariance has something to repair; elsewhere the flag would be ignored.
        if matches!(settings.model, Model::KAnonymity { .. }) && settings.eligibility != Repair::Error {
            return Err(Failure::input(AnonymizeFault::NoRepair));
        }
        self.changes.check(settings.eligibility)?;
        Ok(settings)
    }

    /// The method that the flags ask for: options without a name are for that of the file.
    fn search_method(&self, file: Option<&File>) -> Result<Option<Method>, Failure> {
        let wrong = |why: Misplaced| Failure::input(why);
        let start = |name: MethodName| {
            Construction::named(name).ok_or_else(|| wrong(Misplaced::NotAStart { method: name.name() }))
        };
        let asked = MethodAsked {
            name: self.method,
            start: self.start.map(start).transpose()?,
            blocks: self.blocks,
            swap_first: self.swap_first,
            no_final_swap: self.no_final_swap,
            stop_gap_percent: self.stop_gap_percent,
            duals: false,
            order: self.carry.order(),
            carry: self.carry.options(),
        };
        if asked == MethodAsked::default() {
            return Ok(None);
        }
        let below = file.and_then(File::method).map(MethodAsked::from).unwrap_or_default();
        asked.over(below).method().map(Some).map_err(wrong)
    }

    fn sensitive(&self) -> Result<Option<String>, Failure> {
        match self.sensitive.as_ref().map(|l| l.0.as_slice()) {
            None => Ok(None),
            Some([one]) => Ok(Some(one.clone())),
            Some(several) => Err(Failure::input(AnonymizeFault::TwoSensitive { columns: several.to_vec() })),
        }
    }

    /// The model that the flags say; its parameter may come from a file with the same model.
    fn model(&self, file: Option<&File>) -> Result<Option<Model>, Failure> {
        let before = file.and_then(File::model);
        let name = match (self.model.as_deref(), before) {
            (Some(name), _) => name,
            (None, _) if self.m.is_none() && self.k.is_none() => return Ok(None),
            (None, Some(Model::MInvariance { .. })) => "m-invariance",
            (None, Some(Model::KAnonymity { .. })) => "k-anonymity",
            (None, None) => {
                return Err(Failure::input(AnonymizeFault::ParameterWithoutModel));
            }
        };
        let model = match (name, self.m, self.k, before) {
            ("m-invariance", Some(m), None, _) => Model::MInvariance { m },
            ("k-anonymity", None, Some(k), _) => Model::KAnonymity { k },
            ("m-invariance", None, None, Some(same @ Model::MInvariance { .. }))
            | ("k-anonymity", None, None, Some(same @ Model::KAnonymity { .. })) => same,
            (name, ..) => {
                let file = file.filter(|_| self.model.is_none()).map(|file| file.name().to_owned());
                return Err(Failure::input(match name {
                    "m-invariance" => AnonymizeFault::TakesM { file },
                    _ => AnonymizeFault::TakesK { file },
                }));
            }
        };
        Ok(Some(model))
    }
}
