//! Each search in a process of its own: its memory is known and limited, and what takes it down does not take the worker
//! with it.
//!
//! * [`words`]: what the two tell each other, a line of JSON each.
//! * [`child`]: the process that searches; [`contained`]: what it cannot do; [`others`]: whoever solves blocks for it.
//! * [`watch`]: when it is to end, and how much memory it has.
//!
//! A process that the system kills, as it does where memory runs out, is begun again a few times: the answer is the same, and
//! finished parts are not searched twice.

pub(crate) mod child;
pub(crate) mod contained;
pub(crate) mod limit;
mod others;
mod watch;
mod words;

use std::{
    io::{self, BufReader, Write},
    path::PathBuf,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use lookalike_model::{
    checkpoint::Checkpoint,
    event::Progress,
    job::{Answer, Job, Status},
    kept::Kept,
    received::plain_said,
    settings::Budget,
};
use lookalike_wire::{binary, http::Problem};
use lookalike_words::Said;

pub(crate) use self::watch::memory;
use self::{
    limit::EndedBy,
    watch::{Ending, Watch},
    words::{FromSearch, ToSearch},
};
use super::{
    metrics::Metrics,
    problem::{self, Detail},
    remote_executor::{RemoteBlocks, RemoteExecutor, Returned},
    store::Task,
};

/// Time between two looks whether a search is over.
const LOOK: Duration = Duration::from_millis(50);

/// How often a search is begun again whose process the system has killed. What has too little memory would be killed for ever.
const AGAIN: u32 = 3;

/// Pause before it is begun again for the first time, twice as long each time after: what took the memory may end.
const PAUSE: Duration = Duration::from_secs(1);

/// Time that a process may take to be gone when it is not heard any more.
const GOING: Duration = Duration::from_secs(2);

/// How searches are set apart.
#[derive(Clone)]
pub(crate) struct Apart {
    /// Who else solves blocks of them.
    pub(crate) executor: Option<Arc<dyn RemoteExecutor>>,
    /// Threads of one.
    pub(crate) threads: usize,
    /// Bytes that one may take; `None` where that cannot be measured.
    pub(crate) memory: Option<u64>,
    /// Time that one may take.
    pub(crate) longest: Duration,
}

impl Apart {
    /// Searches; what is finished meanwhile goes to `checkpoint`. A search whose process is killed by the system is begun
    /// again, [`AGAIN`] times at most.
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
        let began = Instant::now();
        let mut pause = PAUSE;
        let mut lost = false;
        for killed in 1..=AGAIN {
            if let Some(result) = self.attempt(job, task, checkpoint, metrics, began) {
                return if lost { result.and_then(|_| Err(best_lost())) } else { result };
            }
            tracing::warn!(
                job = task.id(),
                killed,
                most = AGAIN + 1,
                "the system has killed a search; it is begun again"
            );
            rest(pause, task);
            // One that is to end at once finds nothing again.
            lost = self.is_to_end(task, began);
            pause *= 2;
        }
        let result = self
            .attempt(job, task, checkpoint, metrics, began)
            .unwrap_or_else(|| Err(problem::SOLVER.because(Detail::Killed { times: AGAIN + 1 })));
        if lost { result.and_then(|_| Err(best_lost())) } else { result }
    }

    /// One process for a search that has begun at `began`; `None` if the system kills it.
    fn attempt(
        &self,
        job: &Job,
        task: &Task,
        checkpoint: &dyn Checkpoint,
        metrics: &Metrics,
        began: Instant,
    ) -> Option<Result<Answer, Problem>> {
        let failed = |error: io::Error| {
            tracing::error!(%error, "a search cannot be begun or heard");
            problem::SOLVER.because(Detail::NoProcess)
        };
        // With a time limit blocks follow the clock of one machine.
        let executor = self.executor.as_ref().filter(|_| matches!(job.budget, Budget::Effort(_)));
        let handed = executor.map(|executor| executor.open(task.id()));
        let (handed, came) = handed.unzip();
        let mut closing = Closing { handed: handed.clone(), task, goes_on: false };
        let mut child = match self.spawn(executor.map_or(0, |executor| executor.room())) {
            Ok(child) => child,
            Err(error) => return Some(Err(failed(error))),
        };
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Some(Err(failed(io::Error::other("no pipes"))));
        };
        let (child, input) = (Mutex::new(child), Mutex::new(input));
        let (over, ended) = mpsc::channel::<()>();
        let (silent, given_up) = (AtomicBool::new(false), Mutex::new(None));
        let (ask, asked) = mpsc::channel::<()>();
        let (told, ended_here, mut ending) = thread::scope(|scope| {
            let hearer = &input;
            // Nothing is said before the job: one that was stopped while it waited is asked to end at the first look.
            let mut first = lock(&input);
            // Whoever writes to the process may wait for it to read: the watch must not.
            scope.spawn(move || {
                if asked.recv().is_ok() {
                    // If it does not hear it has ended.
                    let _ = say(hearer, &ToSearch::Stop);
                }
            });
            if let Some(came) = came {
                let (child, input, silent, given_up) = (&child, &input, &silent, &given_up);
                scope.spawn(move || {
                    if let Some(why) = pass_on(&came, input, silent) {
                        *lock(given_up) = Some(why);
                        // If it cannot be killed it has ended.
                        let _ = lock(child).kill();
                    }
                });
            }
            let watch = Watch { limits: self, task, child: &child, ask, began };
            // Before anything is sent: a process that reads nothing must be ended, too.
            let watching = scope.spawn(move || watch.until(&ended));
            let sent = send(&mut *first, job);
            drop(first);
            let told =
                sent.and_then(|()| hear(BufReader::new(output), task, checkpoint, &input, handed.as_deref()));
            silent.store(true, Ordering::Relaxed);
            // It has said all, or nobody understands it: it must not go on for nobody.
            let ended_here = match &told {
                Ok(None) => false,
                Err(_) if is_gone(&child) => false,
                _ => {
                    let _ = lock(&child).kill();
                    true
                }
            };
            drop(over);
            (told, ended_here, watching.join().unwrap_or_default())
        });
        // It ends when nobody talks to it any more.
        drop(input);
        let status = child.into_inner().unwrap_or_else(PoisonError::into_inner).wait();
        if let Ok(Some(Ended { peak: Some(peak), .. })) = &told {
            // A short search has ended before anybody looks.
            ending.peak = ending.peak.max(*peak);
        }
        metrics.took(ending.peak);
        let given_up = given_up.into_inner().unwrap_or_else(PoisonError::into_inner);
        // One that was asked to end for its memory would be killed again.
        let ended_here = ended_here || ending.killed || given_up.is_some();
        if !ended_here && !ending.memory && status.as_ref().is_ok_and(|status| is_killed(*status)) {
            if self.is_to_end(task, began) {
                return Some(Err(best_lost()));
            }
            closing.goes_on = true;
            return None;
        }
        drop(closing);
        Some(match told {
            _ if ending.unwanted => Err(problem::DELETED.because(Detail::Unwanted)),
            Ok(Some(ended)) => ended.result.map(|answer| say_why(answer, &ending, self)),
            _ if given_up.is_some() => {
                Err(problem::SOLVER.because(plain_said(&given_up.unwrap_or_default())))
            }
            Err(error) if !ending.killed => Err(failed(error)),
            Ok(None) | Err(_) => Err(broken(status, &ending, self)),
        })
    }

    /// Whether a search is to end with its best so far.
    fn is_to_end(&self, task: &Task, began: Instant) -> bool {
        (task.stopped() && !task.goes_on()) || began.elapsed() >= self.longest
    }

    fn spawn(&self, room: usize) -> io::Result<Child> {
        let mut command = Command::new(program()?);
        command.args(["search-apart", &self.threads.to_string(), &room.to_string()]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        // It has no use for secrets.
        command.env_remove(super::token::VARIABLE);
        // A Ctrl-C is the worker's to hear.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn()
    }
}

/// The running program, also where a newer one has taken its place on the disk.
pub(super) fn program() -> io::Result<PathBuf> {
    if cfg!(target_os = "linux") { Ok("/proc/self/exe".into()) } else { std::env::current_exe() }
}

/// Says that a search is over to whoever solves its blocks, however it ends.
struct Closing<'a> {
    handed: Option<Arc<dyn RemoteBlocks>>,
    task: &'a Task,
    /// The search is begun again, and asks for what others have solved meanwhile.
    goes_on: bool,
}

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        if let Some(handed) = &self.handed {
            handed.close(self.goes_on || self.task.goes_on());
        }
    }
}

/// Whether a process was ended by the signal that nobody can catch: by the system where memory runs out, or by somebody's hand.
fn is_killed(status: ExitStatus) -> bool {
    #[cfg(unix)]
    {
        const SIGKILL: i32 = 9;
        std::os::unix::process::ExitStatusExt::signal(&status) == Some(SIGKILL)
    }
    #[cfg(not(unix))]
    {
        let _ = status;
        false
    }
}

/// Whether a process that is not heard any more ends by itself.
fn is_gone(child: &Mutex<Child>) -> bool {
    let end = Instant::now() + GOING;
    while Instant::now() < end {
        if !matches!(lock(child).try_wait(), Ok(None)) {
            return true;
        }
        thread::sleep(LOOK);
    }
    false
}

/// Waits, but not for a job that is to end.
fn rest(pause: Duration, task: &Task) {
    let end = Instant::now() + pause;
    while Instant::now() < end && !task.stopped() && !task.unwanted() {
        thread::sleep(LOOK);
    }
}

/// Passes on what comes back, until the search says nothing more; why, if a block is given up.
fn pass_on(came: &mpsc::Receiver<Returned>, input: &Mutex<impl Write>, silent: &AtomicBool) -> Option<Said> {
    while !silent.load(Ordering::Relaxed) {
        match came.recv_timeout(LOOK) {
            // If it does not hear it has ended.
            Ok(Returned::Solved(number, part)) => drop(say(input, &ToSearch::Solved(number, part))),
            Ok(Returned::GivenUp(why)) => return Some(why),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    None
}

/// The last words of a process.
struct Ended {
    result: Result<Answer, Problem>,
    /// Most bytes that it had.
    peak: Option<u64>,
}

/// Sends the job.
fn send(input: &mut impl Write, job: &Job) -> io::Result<()> {
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
    input: &Mutex<impl Write>,
    handed: Option<&dyn RemoteBlocks>,
) -> io::Result<Option<Ended>> {
    let mut last = None;
    let mut tell = |progress: Option<Progress>| {
        last = progress.or(last.take());
        if let Some(last) = &mut last {
            last.elsewhere = handed.map(RemoteBlocks::progress);
            task.tell(last);
        }
    };
    for line in output.lines() {
        let line = line?;
        match serde_json::from_str(&line) {
            Ok(FromSearch::Progress(progress)) => tell(Some(progress)),
            Ok(FromSearch::Hand(number, bytes)) => {
                let bytes = BASE64_STANDARD.decode(bytes).map_err(io::Error::other)?;
                if let Some(handed) = handed {
                    handed.hand(number, bytes);
                }
            }
            Ok(FromSearch::Find(key)) => say(input, &ToSearch::Found(key, checkpoint.load(&key)))?,
            Ok(FromSearch::Keep(key, part)) => {
                checkpoint.save(&key, &part);
                if matches!(part, Kept::Rounds(_))
                    && let Some(handed) = handed
                {
                    handed.settle();
                }
            }
            Ok(FromSearch::Ended { result, peak }) => {
                // What came back since the last report is told, too.
                tell(None);
                return Ok(Some(Ended { result: *result, peak }));
            }
            Err(_) if line.is_empty() => {}
            // A library that prints something must not end the search. What it printed may be numbers of the job.
            Err(_) => tracing::warn!(bytes = line.len(), "a search printed a line that is no message"),
        }
    }
    Ok(None)
}

/// Says something to the process.
fn say(input: &Mutex<impl Write>, asked: &ToSearch) -> io::Result<()> {
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
        answer.method = EndedBy::Limit { method: answer.method, limit }.into();
    }
    answer
}

/// The problem of a search that was killed when it was to end with its best so far.
fn best_lost() -> Problem {
    problem::SOLVER.because(Detail::BestLost)
}

/// The problem of a search whose process ended without a word.
fn broken(status: io::Result<ExitStatus>, ending: &Ending, limits: &Apart) -> Problem {
    let what = match status {
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    tracing::error!(ended = what, peak = ending.peak, "the process of a search broke down");
    match ending.limit(limits) {
        _ if ending.deaf => {
            problem::SOLVER.because(Detail::Deaf { seconds: watch::grace(limits.longest).as_secs() })
        }
        Some(limit) if ending.killed => problem::SOLVER.because(Detail::Beyond { limit }),
        Some(limit) if ending.memory => problem::SOLVER.because(Detail::BrokenAtLimit { limit }),
        _ => problem::SOLVER.because(Detail::SearchBroken),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lookalike_model::{
        checkpoint::Key,
        event::Progress,
        job::JOB_VERSION,
        kept::Kept,
        rule::Rule,
        settings::{Budget, Loss, MethodName},
    };

    use super::{
        super::{
            keep::Memory,
            limits::Limits,
            store::{Arrival, Store},
        },
        *,
    };

    struct Nothing;

    impl Checkpoint for Nothing {
        fn load(&self, _: &Key) -> Option<Kept> {
            None
        }
        fn save(&self, _: &Key, _: &Kept) {}
    }

    #[test]
    fn what_is_no_message_is_passed_over() {
        let store = Arc::new(Store::new(Limits::default(), Box::<Memory>::default(), false).unwrap());
        let job = Job {
            version: JOB_VERSION,
            dims: 1,
            points: vec![0.0, 1.0],
            colours: vec![0, 0],
            rule: Rule::at_least(2),
            loss: Loss::Sse,
            method: MethodName::Classic.into(),
            attributes: Vec::new(),
            ranks: None,
            further: Vec::new(),
            series: None,
            budget: Budget::Effort(0.0),
            bound: lookalike_model::settings::BoundWork::Quick,
            duals: false,
            lattice: None,
            sets: Vec::new(),
            seed: 1,
        };
        let id = store
            .submit(Arrival { owner: String::from("a"), key: None, payload: binary::encode(job).unwrap() })
            .unwrap()
            .id;
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let task = runtime.block_on(store.next()).unwrap();
        let told = [
            FromSearch::Find([7; 32]),
            FromSearch::Progress(Progress { seconds: 1.5, ..Progress::default() }),
            FromSearch::Ended {
                result: Box::new(Err(problem::INFEASIBLE.because(Said::verbatim("no")))),
                peak: Some(7),
            },
        ];
        let lines = told.map(|told| {
            format!("a library's line\n{{}}\nand half a\n{}\n\n", serde_json::to_string(&told).unwrap())
        });
        let input = Mutex::new(Vec::<u8>::new());
        let heard = hear(lines.concat().as_bytes(), &task, &Nothing, &input, None).unwrap();
        let ended = heard.unwrap();
        assert_eq!(
            (ended.result.unwrap_err().kind.as_str(), ended.peak),
            (problem::INFEASIBLE.code, Some(7))
        );
        assert_eq!(store.info("a", &id).unwrap().progress.unwrap().seconds, 1.5);
        let asked: ToSearch = serde_json::from_slice(&input.into_inner().unwrap()).unwrap();
        assert!(
            matches!(asked, ToSearch::Found(key, None) if key == [7; 32]),
            "the answer names its question"
        );
        assert!(
            hear(&b"nothing of use\n"[..], &task, &Nothing, &Mutex::new(Vec::<u8>::new()), None)
                .unwrap()
                .is_none()
        );
    }
}
