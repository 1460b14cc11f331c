//! `anonymize --out-of-core`: a table that does not fit into memory, in three passes over files.

mod fault;
mod phase;
mod publish;
mod queue;
mod resume;
mod runs;
mod solve;
mod spill;

use std::{
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
};

use lookalike_core::{
    audit::{Judged, judge_stream},
    audit_dialect, first_rows_warnings,
    out_of_core::{BlockTotals, Blocks, Penalties, Routing, Survey, Totals},
    persons::may_be_key,
    pipeline::Outcome,
    reading_warnings,
    statement::{Made, NamedFile},
    table::{Also, Table, text::counted},
};
use lookalike_model::{dialect::Dialect, report::Seconds, sent::Searched, settings::Settings};
use lookalike_wire::config::Draft;
use lookalike_words::Said;
use rayon::ThreadPool;

use self::fault::{LargeFault, Left};
use self::{phase::Phase, publish::Published, queue::Executor, resume::Known, spill::Spill};
use crate::{
    anonymize::{self, Anonymize, Output, edits},
    configuration::{self, File as ConfigFile},
    exit::{AfterStop, Attempt, Failure},
    files::{self, Staged},
    input,
    local::{self, Surroundings},
    progress::{say, warn},
    remote::Remote,
    signals,
    signature::Signer,
    summary,
    written::Written,
};

/// Rows of the input that are read at a time.
const ROWS: usize = 1 << 15;

/// The flags.
#[derive(Debug, clap::Args)]
pub(crate) struct LargeArgs {
    /// For tables larger than memory: keep parts of the table in this folder during the run, readable by you alone, and solve it
    /// block by block. Takes about four times the space of the table; all of it is removed at the end
    #[arg(long, value_name = "FOLDER", help_heading = "Search")]
    out_of_core: Option<PathBuf>,
    /// Largest number of records of a block, about [default: 20000]
    #[arg(
        long,
        value_name = "NUMBER",
        requires = "out_of_core",
        value_parser = clap::value_parser!(u32).range(1..),
        help_heading = "Search"
    )]
    block_rows: Option<u32>,
    #[cfg(feature = "nats")]
    #[command(flatten, next_help_heading = "Search out of core by other machines")]
    executor: crate::nats::ExecutorArgs,
}

impl LargeArgs {
    /// The folder, if the table is not to be held in memory.
    pub(crate) fn folder(&self) -> Option<&PathBuf> {
        self.out_of_core.as_ref()
    }

    /// Refuses a NATS server where it would not be asked.
    ///
    /// # Errors
    /// If one is named without a folder, or beside a worker.
    #[cfg(feature = "nats")]
    pub(crate) fn check(&self, remote: Option<&Remote>) -> Result<(), Failure> {
        let refuse = |why| Err(Failure::input(why));
        if !self.executor.is_given() {
            return Ok(());
        }
        if self.out_of_core.is_none() {
            return refuse(crate::nats::NatsFault::InMemory);
        }
        if remote.is_some() {
            return refuse(crate::nats::NatsFault::TwoSolvers);
        }
        Ok(())
    }

    /// Whoever is at work on the NATS server, if one is named.
    #[cfg(feature = "nats")]
    fn others(&self) -> Result<Option<Box<dyn Executor>>, Failure> {
        Ok(crate::nats::RemoteQueue::open(&self.executor)?
            .map(|others| Box::new(others) as Box<dyn Executor>))
    }

    /// Without the feature nobody can name a NATS server.
    #[cfg(not(feature = "nats"))]
    #[allow(
        clippy::unnecessary_wraps,
        clippy::unused_self,
        reason = "with the feature there is something to refuse"
    )]
    pub(crate) fn check(&self, _: Option<&Remote>) -> Result<(), Failure> {
        Ok(())
    }

    /// The same: nobody is.
    #[cfg(not(feature = "nats"))]
    #[allow(
        clippy::unnecessary_wraps,
        clippy::unused_self,
        reason = "with the feature there may be somebody"
    )]
    fn others(&self) -> Result<Option<Box<dyn Executor>>, Failure> {
        Ok(None)
    }

    fn block_rows(&self) -> usize {
        self.block_rows.unwrap_or(20_000) as usize
    }
}

/// A run of it.
struct Run<'a> {
    args: &'a Anonymize,
    settings: Settings,
    config: Option<&'a ConfigFile>,
    identifiers: &'a [String],
    around: Surroundings,
    seconds: Seconds,
}

/// Runs the command.
pub(crate) fn run(
    args: &Anonymize,
    mut settings: Settings,
    draft: &Draft,
    config: Option<&ConfigFile>,
    (form, remote, signer): (Written, Option<&Remote>, Option<&Signer>),
) -> Result<(), Failure> {
    let Some(folder) = args.large.folder() else { return Ok(()) };
    let outputs = args.outputs();
    let table = check(args, &outputs)?;
    signals::watch().map_err(|e| Failure::deaf(&e))?;
    let mut staged = args.stage(&outputs)?;
    let others = args.large.others()?;
    let own = others.is_none() && remote.is_none();
    let mut spill = open(args, &mut settings, (folder, own))?;
    let pool = local::pool(args.threads())?;
    let identifiers = &draft.identifiers;
    let mut run =
        Run { args, settings, config, identifiers, around: Surroundings::new(), seconds: Seconds::default() };

    let (read, routing) = pool.install(|| run.survey())?;
    let (blocks, found) = run.blocks(&read, routing, (&mut spill, own))?;
    let sizes = (0..blocks.len()).map(|block| blocks.rows(block));
    say(&format!(
        "{} of up to {}",
        counted(blocks.len(), "block", "blocks"),
        counted(sizes.max().unwrap_or(0) as usize, "record", "records")
    ));
    let began = run.around.seconds();
    let mut totals = Totals::default();
    let classes = match others.as_deref() {
        Some(others) => solve::by_others(&blocks, &spill, (others, &pool, &run.around), &mut totals)?,
        None => solve::all(&blocks, &spill, (&pool, remote, &run.around), found, &mut totals)?,
    };
    let sent = match others.as_deref() {
        Some(others) => others.sent().map(|sent| (Searched::Machines, sent)),
        None => remote.and_then(Remote::sent).map(|sent| (Searched::Worker, sent)),
    };
    // What they have of it is not needed any more.
    drop(others);
    let solved = run.around.seconds();
    run.seconds.solve = solved - began;

    let dialect = run.settings.output.of(read.dialect);
    let published = Published { blocks: &blocks, dialect, rows: read.rows as u64, classes };
    let key = outputs.iter().position(|(_, what)| *what == Output::Classes);
    let formulas = publish::write(published, &spill, &mut staged, (table, key))?;
    run.seconds.recode = run.around.seconds() - solved;
    drop(spill);

    let (judged, penalties) = run.judge(&pool, (&blocks, &totals), dialect, &staged[table])?;
    run.around.view.clear();
    let audited = (&judged, &penalties);
    let mut outcome = run.outcome(&blocks, &totals, (&read, audited), pool.current_num_threads())?;
    outcome.report.warnings.extend(formulas);
    if let Some((place, sent)) = sent {
        outcome.searched_elsewhere(place, sent);
    }
    anonymize::judge(&outcome)?;
    if let Some(file) = form.put_large(&mut outcome, &staged[table], audit_dialect(dialect))? {
        staged[table] = file;
    }
    let release = release(&outputs[table], &staged[table])?;
    outcome.published_as(release.sha256.clone());
    outcome.salt([local::entropy()?, local::entropy()?]);
    let made = Made { block_rows: Some(args.large.block_rows()), ..args.made(release) };
    let contents = anonymize::contents(&outputs, &outcome, None, (draft, made), signer)?;
    for (((_, what), staged), content) in outputs.iter().zip(&mut staged).zip(&contents) {
        if !matches!(what, Output::Published | Output::Classes) {
            staged.fill(content)?;
        }
    }
    files::publish(staged)?;
    summary::outcome(&outcome);
    anonymize::written(&outputs)
}

/// The folder of the run: that of one with the same settings that was killed, or a new one. Of a run whose blocks others solve nothing
/// is taken over, since nobody knows what was sent to them.
fn open(args: &Anonymize, settings: &mut Settings, (folder, own): (&Path, bool)) -> Result<Spill, Failure> {
    let known =
        |settings: &Settings| Known::of(settings, &format!("{:?}", args.table), args.large.block_rows());
    let (asked, this) = (settings.seed, known(settings));
    summary::seed(asked, args.is_elsewhere());
    let spill = Spill::open(folder, &|other| own && this.goes_on_with(other, asked))?;
    settings.seed = match (spill.known(), asked) {
        (Some(other), _) => Some(other.seed),
        (None, Some(seed)) => Some(seed),
        (None, None) => Some(local::entropy()?),
    };
    if own && spill.known().is_none() {
        spill.is(&known(settings))?;
    }
    Ok(spill)
}

/// Refuses what needs the whole table at once. The place of the published table among the outputs.
fn check(args: &Anonymize, outputs: &[(&Path, Output)]) -> Result<usize, Failure> {
    let refuse = |why| Err(Failure::input(why));
    if args.generates_hierarchies() {
        return refuse(LargeFault::GeneratedHierarchy);
    }
    match outputs.iter().position(|(_, what)| *what == Output::Published) {
        Some(table) => Ok(table),
        None => refuse(LargeFault::NoOutput),
    }
}

impl Run<'_> {
    /// The first look at the table.
    fn survey(&mut self) -> Result<(Table, Routing), Failure> {
        let began = self.around.seconds();
        let mut survey: Option<Survey> = None;
        let read = self.read(Phase::LookingAtRows, &mut |before, part| {
            if before == 0 {
                configuration::check(self.config, &part)?;
                // A full part may have others behind it.
                let warnings = if part.rows < ROWS { reading_warnings } else { first_rows_warnings };
                warnings(&part, &self.settings).iter().for_each(warn);
                survey = Some(Survey::new(&part, &self.settings, self.identifiers)?);
            }
            survey.as_mut().map_or(Ok(()), |survey| survey.add(before, &part)).map_err(Failure::from)
        })?;
        input::told(&read);
        let survey = survey.ok_or_else(|| Failure::input(LargeFault::NoRows))?;
        let routing = Routing::of(survey, self.args.large.block_rows())?;
        self.seconds.prepare = self.around.seconds() - began;
        Ok((read, routing))
    }

    /// The blocks, and those of them that a run which was killed has finished: by what that one counted, or by a second look.
    fn blocks(
        &mut self,
        read: &Table,
        mut routing: Routing,
        (spill, own): (&mut Spill, bool),
    ) -> Result<(Blocks, Vec<Option<BlockTotals>>), Failure> {
        let Some(counts) = spill.counted(read.digest) else {
            // What another one left of a table that was changed since then is of no use.
            if let (true, Some(known)) = (own, spill.known()) {
                spill.clear()?;
                spill.is(&known)?;
            }
            return Ok((self.route(read, routing, (spill, own))?, Vec::new()));
        };
        spill.begin(&routing.names(), 0);
        routing.absorb(&counts)?;
        let blocks = routing.merge()?;
        let found = spill.finished_of(&blocks).ok_or_else(|| spill.changed())?;
        let finished = found.iter().flatten().count();
        say(&Left::TakenOver { blocks: finished, of: blocks.len() }.to_string());
        Ok((blocks, found))
    }

    /// The second look: every row goes to its leaf.
    fn route(
        &mut self,
        read: &Table,
        mut routing: Routing,
        (spill, own): (&mut Spill, bool),
    ) -> Result<Blocks, Failure> {
        let began = self.around.seconds();
        let (phase, rows) = (Phase::PlacingRows, read.rows.max(1) as f64);
        let columns = routing.published();
        spill.begin(&routing.names(), routing.leaves());
        let again = self.read(phase, &mut |before, part| {
            self.around.show(phase, Some(before as f64 / rows));
            for (row, leaf) in routing.place(&part)? {
                let cells = columns.iter().map(|&c| part.columns[c].cell(row as usize));
                spill.push(leaf, (before + row as usize) as u64, cells)?;
            }
            Ok(())
        })?;
        spill.flush()?;
        if (again.rows, again.digest) != (read.rows, read.digest) {
            let path = self.args.table.input.display().to_string();
            return Err(Failure::input(LargeFault::Changed { path }));
        }
        let counts = routing.counts();
        routing.absorb(&counts)?;
        let blocks = routing.merge()?;
        if own {
            spill.placed(read.digest, &counts)?;
        }
        self.seconds.prepare += self.around.seconds() - began;
        Ok(blocks)
    }

    /// Reads the table a part at a time.
    fn read(
        &self,
        phase: Phase,
        each: &mut dyn FnMut(usize, Table) -> Result<(), Failure>,
    ) -> Result<Table, Failure> {
        let mut failed = Ok(());
        let columns = self.config.is_none().then(|| configuration::columns(&self.settings));
        let read = self.args.table.read_parts(
            (columns, Some(Also(may_be_key))),
            (self.config, edits(&self.settings)),
            ROWS,
            &mut |before, part| {
                self.around.show(phase, None);
                failed = match signals::caught() {
                    Some(signal) => Err(Failure::interrupted(signal, AfterStop::Nothing)),
                    None => each(before, part),
                };
                failed.is_ok()
            },
        );
        failed.and(read)
    }

    /// The audit of the bytes that are about to be published.
    fn judge(
        &mut self,
        pool: &ThreadPool,
        (blocks, totals): (&Blocks, &Totals),
        dialect: Dialect,
        staged: &Staged,
    ) -> Result<(Judged, Penalties), Failure> {
        let began = self.around.seconds();
        let path = staged.path();
        let question = blocks.question(dialect);
        self.around.show(Phase::Auditing, None);
        let open = || File::open(path).map_err(|e| Failure::io(Attempt::Read, path, &e));
        // Both read the bytes from their beginning, and neither knows of the other.
        let (judged, penalties) = pool.join(
            || judge_stream(BufReader::new(open()?), &question).map_err(Failure::audit),
            || Ok::<_, Failure>(blocks.penalties(BufReader::new(open()?), question.dialect)?),
        );
        let (mut judged, penalties) = (judged?, penalties?);
        blocks.judge_loss(&penalties, totals, &mut judged);
        self.seconds.audit = self.around.seconds() - began;
        Ok((judged, penalties))
    }

    /// The run, but for the published bytes, which are on the disk.
    fn outcome(
        &self,
        blocks: &Blocks,
        totals: &Totals,
        (read, audited): (&Table, (&Judged, &Penalties)),
        threads: usize,
    ) -> Result<Outcome, Failure> {
        let (report, mut private) = totals.reports(blocks, read, audited, (threads, self.seconds))?;
        let warning = format!("solved out of core, with --block-rows {}", self.args.large.block_rows());
        private.warnings.push(Said::verbatim(warning));
        let (mut header, _) = blocks.header();
        header.extend(self.settings.class_column.name().map(String::from));
        Ok(Outcome {
            published: Vec::new(),
            classes: Vec::new(),
            report,
            private,
            header,
            preview: Vec::new(),
            before: Vec::new(),
            class_sizes: totals.sizes(),
            ledger: None,
            pinned: blocks.pinned(),
            described: read.described.clone(),
        })
    }
}

/// The published table as report and statement name it; it is read once more for its digest.
fn release((path, _): &(&Path, Output), staged: &Staged) -> Result<NamedFile, Failure> {
    let fail = |e: std::io::Error| Failure::io(Attempt::Read, staged.path(), &e);
    let file = File::open(staged.path()).map_err(fail)?;
    NamedFile::read(anonymize::name_of(path), file).map_err(fail)
}
