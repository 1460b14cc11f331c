//! `lookalike search-apart`: one search for a worker that has started it, which talks to it by standard input and output.

use std::{
    cell::Cell,
    io::{self, BufRead as _, Read, Write as _},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use clap::Args;
use lookalike_model::{
    Ctx,
    checkpoint::{Checkpoint, Key, Queue},
    job::{Answer, Job},
    kept::Kept,
};
use lookalike_optimize::solve;
use lookalike_wire::{binary, http::Problem};

use super::{
    super::{fault::ServeFault, log, problem},
    contained,
    others::Others,
    watch::own_peak,
    words::{FromSearch, ToSearch},
};
use crate::{exit::Failure, local, progress::say, signals};

/// Time between two progress reports.
const INTERVAL: Duration = Duration::from_millis(200);

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct SearchApart {
    /// Threads of the search
    threads: usize,
    /// Blocks that others solve at a time; 0 where nobody does
    #[arg(default_value_t = 0)]
    room: usize,
}

/// Searches, and says how it went.
pub(crate) fn run(args: &SearchApart) -> Result<(), Failure> {
    let lost = |e: io::Error| Failure::system(ServeFault::NotHeard { why: e.to_string() });
    // What it says on standard error is in its worker's log.
    log::name_places_only(|place| say(&format!("a search broke down at {place}")));
    contained::expendable();
    // From here on, with all its threads, before it reads anything.
    contained::limit();
    contained::contain();
    // Ends when the worker does; until then a polite kill of all of a service's processes is the worker's affair.
    signals::watch().map_err(lost)?;
    let job = receive(&mut io::stdin().lock()).map_err(lost)?;
    let pool = local::pool(Some(args.threads))?;
    let (finds, found) = mpsc::channel();
    let (solves, solved) = mpsc::channel();
    let stop = Arc::new(AtomicBool::new(false));
    let others = (args.room > 0).then(|| Others::new(args.room, solved));
    let worker = Worker { found: Mutex::new(found), others };
    let told = Arc::clone(&stop);
    // Nobody waits for it: a search that breaks down must end the process.
    let listener = thread::Builder::new().name(String::from("listener"));
    listener.spawn(move || listen(&told, &finds, &solves)).map_err(lost)?;
    let result = pool.install(|| search(&job, &worker, &stop));
    worker.tell(&FromSearch::Ended { result: Box::new(result), peak: own_peak() }).map_err(lost)
}

/// The job: the length of its bytes, and the bytes.
fn receive(input: &mut impl Read) -> io::Result<Job> {
    let mut length = [0; 8];
    input.read_exact(&mut length)?;
    let mut bytes = Vec::new();
    input.take(u64::from_le_bytes(length)).read_to_end(&mut bytes)?;
    binary::decode(&bytes).map_err(io::Error::other)
}

fn search(job: &Job, worker: &Worker, stop: &AtomicBool) -> Result<Answer, Problem> {
    let began = Instant::now();
    let told = Cell::new(None::<Instant>);
    let ctx = Ctx {
        progress: &|progress| {
            if told.get().is_none_or(|last| last.elapsed() >= INTERVAL) {
                told.set(Some(Instant::now()));
                // If nobody hears it the listener ends the process.
                let _ = worker.tell(&FromSearch::Progress(progress.clone()));
            }
        },
        cancelled: &|| stop.load(Ordering::Relaxed),
        clock: &|| began.elapsed().as_secs_f64(),
        checkpoint: Some(worker),
    };
    solve::solve(job, &ctx).map_err(|e| problem::of(&e.into()))
}

/// Hears the worker; ends the process when it is gone.
fn listen(stop: &AtomicBool, finds: &mpsc::Sender<(Key, Option<Kept>)>, solves: &mpsc::Sender<(u64, Kept)>) {
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        match serde_json::from_str(&line) {
            Ok(ToSearch::Stop) => stop.store(true, Ordering::Relaxed),
            Ok(ToSearch::Found(key, part)) => {
                // The search waits for it, or is over.
                let _ = finds.send((key, part));
            }
            Ok(ToSearch::Solved(number, part)) => {
                let _ = solves.send((number, part));
            }
            Err(_) => break,
        }
    }
    std::process::exit(1);
}

/// The worker, as the search sees it.
struct Worker {
    found: Mutex<mpsc::Receiver<(Key, Option<Kept>)>>,
    others: Option<Others>,
}

impl Worker {
    #[allow(clippy::unused_self, reason = "whoever has the worker may talk to it")]
    fn tell(&self, told: &FromSearch) -> io::Result<()> {
        tell(told)
    }
}

/// Tells the worker something.
pub(super) fn tell(told: &FromSearch) -> io::Result<()> {
    // Alone in its line, also where somebody else has printed something before.
    let line = format!("\n{}\n", serde_json::to_string(told)?);
    let mut output = io::stdout().lock();
    output.write_all(line.as_bytes())?;
    output.flush()
}

impl Checkpoint for Worker {
    fn load(&self, key: &Key) -> Option<Kept> {
        // One question at a time: the next answer is to this one.
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        self.tell(&FromSearch::Find(*key)).ok()?;
        found.iter().find(|(of, _)| of == key)?.1
    }

    fn save(&self, key: &Key, part: &Kept) {
        // If nobody hears it the listener ends the process.
        let _ = self.tell(&FromSearch::Keep(*key, part.clone()));
    }

    fn queue(&self) -> Option<&dyn Queue> {
        self.others.as_ref().map(|others| others as &dyn Queue)
    }
}
