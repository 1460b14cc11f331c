//! `lookalike table-apart`: one run on a whole table for a worker that has started it. It reads what is asked and the table from
//! standard input, tells its progress on standard output, a line of JSON each, and then the files.
//!
//! It opens no file: hierarchies come with the request, and what it writes stays in memory.

use std::{
    io::{self, BufRead as _, Read, Write as _},
    path::Path,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use clap::{Args, Parser as _};
use lookalike_core::{certify, pipeline::Run, table::hierarchy::Hierarchy};
use lookalike_model::{
    event::Progress,
    sent::{Searched, Sent},
};
use lookalike_wire::config;
use lookalike_words::Said;
use serde::{Deserialize, Serialize};

use super::{TableFault, asked::Asked, bundle};
use crate::{
    anonymize::{self, Anonymize, Worked},
    configuration,
    exit::Failure,
    input::From,
    local::Surroundings,
    progress::{View, say},
    scheme,
    serve::{ServeFault, apart::contained},
    signals,
    written::Written,
};

/// Time between two progress reports.
const INTERVAL: Duration = Duration::from_millis(200);

/// The process; nothing is told to it by flags.
#[derive(Debug, Args)]
pub(crate) struct TableApart {}

/// What the process says, a line each; after [`Told::Done`] come so many bytes.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Told {
    /// How far it is.
    Progress(Progress),
    /// The files, as an archive of so many bytes.
    Done(u64),
    /// There are none: an exit code of the command line, and why.
    Failed(u8, Said),
}

/// A run, by the words of its flags.
#[derive(clap::Parser)]
struct Words {
    #[command(flatten)]
    anonymize: Anonymize,
}

/// Carries out the run, and says how it went.
pub(crate) fn run(_: &TableApart) -> Result<(), Failure> {
    let lost = |e: io::Error| Failure::system(ServeFault::NotHeard { why: e.to_string() });
    // Where memory runs out the system is to end this process, not its worker.
    contained::expendable();
    contained::limit();
    contained::contain();
    signals::watch().map_err(lost)?;
    let (asked, table) = receive(&mut io::stdin().lock()).map_err(lost)?;
    // Ends with its worker; a line asks it for its best so far.
    let listener = thread::Builder::new().name(String::from("listener"));
    listener.spawn(listen).map_err(lost)?;
    match files(&asked, table) {
        Ok(files) => {
            let archive = bundle::pack(&files).map_err(|e| lost(io::Error::other(e)))?;
            tell(&Told::Done(archive.len() as u64)).map_err(lost)?;
            let mut output = io::stdout().lock();
            output.write_all(&archive).and_then(|()| output.flush()).map_err(lost)
        }
        Err(failure) => tell(&Told::Failed(failure.code(), failure.said())).map_err(lost),
    }
}

/// What is asked, after its length, and the table, after its own.
fn receive(input: &mut impl Read) -> io::Result<(Asked, Vec<u8>)> {
    let mut part = || -> io::Result<Vec<u8>> {
        let mut length = [0; 8];
        input.read_exact(&mut length)?;
        let length = u64::from_le_bytes(length);
        let mut bytes = Vec::new();
        if input.by_ref().take(length).read_to_end(&mut bytes)? as u64 != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(bytes)
    };
    let asked = serde_json::from_slice(&part()?)?;
    Ok((asked, part()?))
}

/// Sends what [`receive`] reads.
pub(crate) fn send(output: &mut impl io::Write, asked: &Asked, table: &[u8]) -> io::Result<()> {
    for part in [serde_json::to_vec(asked)?.as_slice(), table] {
        output.write_all(&(part.len() as u64).to_le_bytes())?;
        output.write_all(part)?;
    }
    output.flush()
}

fn listen() {
    let mut line = String::new();
    while io::stdin().lock().read_line(&mut line).is_ok_and(|read| read > 0) {
        signals::ask();
        line.clear();
    }
    std::process::exit(1);
}

fn tell(told: &Told) -> io::Result<()> {
    let line = format!("{}\n", serde_json::to_string(told)?);
    let mut output = io::stdout().lock();
    output.write_all(line.as_bytes())?;
    output.flush()
}

/// The run: as [`anonymize::run`], but for where things come from and go.
fn files(asked: &Asked, table: Vec<u8>) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let words = asked.words().map_err(Failure::input)?;
    let args =
        Words::try_parse_from(words).map_err(|e| Failure::input(Said::verbatim(e.to_string())))?.anonymize;
    let file = configured(asked)?;
    let draft = configuration::merge(args.draft(Some(&file))?, Some(&file))?;
    let mut settings = args.settings(&draft)?;
    let form = Written::of(args.output())?;
    args.fit_schema(form)?;
    scheme::fit(&settings, None)?;
    let table = Arc::new(args.read_of(From::Memory(table), &mut settings, (Some(&file), None))?);
    if settings.wants_duals() {
        certify::meaning(&table, &settings)?;
    }
    let run = Run::new(table, settings, draft.identifiers.clone());
    let Worked { mut outcome, certificate, .. } =
        anonymize::work_in(&args, None, run, &Surroundings::seen_by(view()))?;
    anonymize::judge(&outcome)?;
    let Asked { to, at, bytes, .. } = asked.clone();
    outcome.searched_elsewhere(Searched::TableOnWorker, Sent::one(to, at, bytes));
    form.put(&mut outcome)?;
    let outputs = args.outputs();
    let made = args.made(args.file_of(&outcome.published));
    let contents = anonymize::contents(&outputs, &outcome, certificate.as_ref(), (&draft, made), None)?;
    let named = outputs.iter().map(|(path, _)| path.display().to_string());
    Ok(named.zip(contents).collect())
}

/// The configuration, with the hierarchies that came with it.
fn configured(asked: &Asked) -> Result<configuration::File, Failure> {
    let path = Path::new("configuration.json");
    let mut loaded = config::read(&asked.configuration).map_err(|error| Failure::in_file(path, error))?;
    for (column, file) in loaded.draft.linked() {
        let bytes = asked
            .hierarchies
            .get(&file)
            .ok_or_else(|| Failure::input(TableFault::Hierarchy { file: file.clone() }))?;
        let read = Hierarchy::open(bytes.as_bytes());
        let (hierarchy, _) = read.map_err(|error| Failure::in_file(Path::new(&file), error))?;
        loaded.draft.put_hierarchy(&column, &hierarchy.rows());
    }
    for note in loaded.notes {
        say(&note.to_string());
    }
    Ok(configuration::File::new(path.display().to_string(), loaded.draft))
}

/// Progress for the worker.
fn view() -> View {
    let last = std::sync::Mutex::new(None::<Instant>);
    View::Told(Box::new(move |progress: &Progress| {
        let mut last = last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if last.is_none_or(|last| last.elapsed() >= INTERVAL) {
            *last = Some(Instant::now());
            // If nobody hears it the listener ends the process.
            let _ = tell(&Told::Progress(progress.clone()));
        }
    }))
}
