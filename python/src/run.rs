//! Long work beside the interpreter: on a thread of its own and without the interpreter's lock, while the calling thread hears
//! signals and shows progress.

use std::{
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use lookalike_model::{Ctx, event::Progress};
use pyo3::{exceptions::PyKeyboardInterrupt, prelude::*, types::PyDict};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::failure::Failure;

/// How often signals are looked for.
const LISTEN: Duration = Duration::from_millis(50);

/// A seed from the operating system.
///
/// # Errors
/// If it has none.
pub(crate) fn entropy() -> Result<u64, Failure> {
    getrandom::u64().map_err(|why| Failure::system(format!("the system gives no random numbers: {why}")))
}

/// What work gets from outside: threads, a clock, whether to stop, where progress goes.
pub(crate) struct Surroundings<T> {
    pub(crate) pool: ThreadPool,
    began: Instant,
    shared: Arc<Shared<T>>,
}

impl<T: Send> Surroundings<T> {
    /// Calls `work` on the pool's threads with the core's view of these surroundings.
    pub(crate) fn with<R: Send>(&self, work: impl FnOnce(&Ctx) -> R + Send) -> R {
        self.pool.install(|| {
            work(&Ctx {
                progress: &|progress| self.shared.show(progress),
                cancelled: &|| self.shared.stop.load(Ordering::Relaxed),
                clock: &|| self.began.elapsed().as_secs_f64(),
                checkpoint: None,
            })
        })
    }
}

/// What the two threads share.
struct Shared<T> {
    stop: AtomicBool,
    news: Mutex<News<T>>,
    came: Condvar,
}

struct News<T> {
    /// The last report that was not shown yet.
    progress: Option<Progress>,
    done: Option<T>,
}

impl<T> Shared<T> {
    fn news(&self) -> MutexGuard<'_, News<T>> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, progress: &Progress) {
        self.news().progress = Some(progress.clone());
        self.came.notify_one();
    }

    /// The next news; neither if nothing came within a moment.
    fn wait(&self) -> (Option<Progress>, Option<T>) {
        let news = self.news();
        let wait =
            self.came.wait_timeout_while(news, LISTEN, |news| news.progress.is_none() && news.done.is_none());
        let (mut news, _) = wait.unwrap_or_else(PoisonError::into_inner);
        (news.progress.take(), news.done.take())
    }
}

/// What became of work, and whether Ctrl-C stopped it.
pub(crate) struct Ended<T> {
    pub(crate) result: T,
    pub(crate) interrupted: bool,
}

/// Carries out work with so many threads, all the machine has by default. `progress` is called with a dictionary a report.
///
/// The first Ctrl-C asks the work to end with its best so far; the second one raises `KeyboardInterrupt` at once, and the work
/// ends by itself. Anything else that a signal's handler or `progress` raises stops the work and is raised.
///
/// # Errors
/// Exceptions of handlers and of `progress`; if the machine gives no threads.
pub(crate) fn beside<T: Send + 'static>(
    py: Python<'_>,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Surroundings<T>) -> T + Send + 'static,
) -> PyResult<Ended<T>> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    let pool = pool.map_err(|why| Failure::system(format!("the system gives no threads: {why}")))?;
    let news = Mutex::new(News { progress: None, done: None });
    let shared = Arc::new(Shared { stop: AtomicBool::new(false), news, came: Condvar::new() });
    let around = Surroundings { pool, began: Instant::now(), shared: Arc::clone(&shared) };
    let worker = thread::Builder::new().name(String::from("lookalike")).spawn(move || {
        let done = work(&around);
        around.shared.news().done = Some(done);
        around.shared.came.notify_one();
    });
    let worker = worker.map_err(|why| Failure::system(format!("the system gives no threads: {why}")))?;
    let mut interrupted = false;
    loop {
        let over = worker.is_finished();
        let (news, done) = py.detach(|| shared.wait());
        if let Some(result) = done {
            return Ok(Ended { result, interrupted });
        }
        if over {
            return Err(Failure::system("the run broke off: this is a mistake in lookalike").into());
        }
        let heard = py.check_signals().and_then(|()| match (news, progress) {
            (Some(news), Some(progress)) => progress.call1((told(py, &news)?,)).map(drop),
            _ => Ok(()),
        });
        if let Err(error) = heard {
            shared.stop.store(true, Ordering::Relaxed);
            if interrupted || !error.is_instance_of::<PyKeyboardInterrupt>(py) {
                return Err(error);
            }
            interrupted = true;
        }
    }
}

/// A report as a dictionary.
fn told<'py>(py: Python<'py>, progress: &Progress) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("phase", progress.phase.to_string())?;
    told.set_item("fraction", progress.fraction)?;
    told.set_item("incumbent", progress.incumbent)?;
    told.set_item("bound", progress.bound)?;
    told.set_item("moves", progress.moves)?;
    told.set_item("seconds", progress.seconds)?;
    Ok(told)
}
