//! Each search in a process of its own: its memory is known and limited, and what takes it down does not take the worker
//! with it.
//!
//! * [`words`]: what the two tell each other, a line of JSON each.
//! * [`child`]: the process that searches.
//! * [`watch`]: when it is to end, and how much memory it has.

pub(crate) mod child;
mod watch;
mod words;

use std::{
    io::{self, BufReader, Write as _},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::{Mutex, MutexGuard, PoisonError, mpsc},
    thread,
    time::Duration,
};

use lookalike_core::checkpoint::Checkpoint;
use lookalike_wire::{
    binary,
    http::Problem,
    job::{Answer, Job, Status},
};

pub(crate) use self::watch::memory;
use self::{
    watch::{Ending, Watch},
    words::{Asked, Told},
};
use super::{metrics::Metrics, problem, store::Task};

/// How searches are set apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Apart {
    /// Threads of one.
    pub(crate) threads: usize,
    /// Bytes that one may take; `None` where that cannot be measured.
    pub(crate) memory: Option<u64>,
    /// Time that one may take.
    pub(crate) longest: Duration,
}

impl Apart {
    /// Searches; what is finished meanwhile goes to `checkpoint`.
    ///
    /// # Errors
    /// The search's own problem, or one that says how its process ended.
    pub(crate) fn search(
        &self,
        job: &Job,
        task: &Task,
        checkpoint: &dyn Checkpoint,
        metrics: &Metrics,
    ) -> Result<Answer, Problem> {
        let failed = |error: io::Error| {
            tracing::error!(%error, "a search cannot be begun or heard");
            problem::SOLVER.because("the worker cannot run a process for the search; its log says why")
        };
        let mut child = self.spawn().map_err(failed)?;
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed(io::Error::other("no pipes")));
        };
        let sent = send(&mut input, job);
        let (child, input) = (Mutex::new(child), Mutex::new(input));
        let (over, ended) = mpsc::channel::<()>();
        let (told, ending) = thread::scope(|scope| {
            let watch = Watch { limits: *self, task, child: &child, input: &input };
            let watching = scope.spawn(move || watch.until(&ended));
            let told = sent.and_then(|()| {
                hear(BufReader::new(output), task, checkpoint, &input).inspect_err(|_| {
                    // It must not go on for nobody.
                    let _ = lock(&child).kill();
                })
            });
            drop(over);
            (told, watching.join().unwrap_or_default())
        });
        // It ends when nobody talks to it any more.
        drop(input);
        let status = child.into_inner().unwrap_or_else(PoisonError::into_inner).wait();
        metrics.took(ending.peak);
        match told {
            Ok(Some(result)) => result.map(|answer| say_why(answer, &ending, self)),
            Err(error) if !ending.killed => Err(failed(error)),
            Ok(None) | Err(_) => Err(broken(status, &ending, self)),
        }
    }

    fn spawn(&self) -> io::Result<Child> {
        // The running program, also where a newer one has taken its place on the disk.
        let program =
            if cfg!(target_os = "linux") { "/proc/self/exe".into() } else { std::env::current_exe()? };
        let mut command = Command::new(program);
        command.args(["search-apart", &self.threads.to_string()]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        // It has no use for secrets.
        command.env_remove(super::token::VARIABLE);
        // A Ctrl-C is the worker's to hear.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn()
    }
}

/// Sends the job.
fn send(input: &mut ChildStdin, job: &Job) -> io::Result<()> {
    let bytes = binary::encode(job.clone())?;
    input.write_all(&(bytes.len() as u64).to_le_bytes())?;
    input.write_all(&bytes)?;
    input.flush()
}

/// Listens until the process has said how it ended, or says nothing more.
fn hear(
    output: impl io::BufRead,
    task: &Task,
    checkpoint: &dyn Checkpoint,
    input: &Mutex<ChildStdin>,
) -> io::Result<Option<Result<Answer, Problem>>> {
    for line in output.lines() {
        match serde_json::from_str(&line?)? {
            Told::Progress(progress) => task.tell(&progress),
            Told::Find(key) => say(input, &Asked::Found(checkpoint.load(&key)))?,
            Told::Keep(key, part) => checkpoint.save(&key, &part),
            Told::Ended(result) => return Ok(Some(*result)),
        }
    }
    Ok(None)
}

/// Says something to the process.
fn say(input: &Mutex<ChildStdin>, asked: &Asked) -> io::Result<()> {
    let mut line = serde_json::to_vec(asked)?;
    line.push(b'\n');
    let mut input = lock(input);
    input.write_all(&line)?;
    input.flush()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing is left half done where somebody panics with it.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says in the answer that the worker has ended the search.
fn say_why(mut answer: Answer, ending: &Ending, limits: &Apart) -> Answer {
    if answer.status == Status::Cancelled
        && let Some(limit) = ending.limit(limits)
    {
        answer.method = format!("{}; the worker ended it at its limit of {limit}", answer.method);
    }
    answer
}

/// The problem of a search whose process ended without a word.
fn broken(status: io::Result<ExitStatus>, ending: &Ending, limits: &Apart) -> Problem {
    let what = match status {
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    tracing::error!(ended = what, peak = ending.peak, "the process of a search broke down");
    match ending.limit(limits) {
        Some(limit) if ending.killed => problem::SOLVER.because(format!(
            "the search went far beyond the worker's limit of {limit} and was ended without an answer: send a smaller job, \
             or one with less effort"
        )),
        _ => problem::SOLVER.because("the search broke down; the worker's log says where"),
    }
}
