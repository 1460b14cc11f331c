//! Searches the jobs of the store, one after another, each in a process of its own ([`Apart`]). Several runners may share
//! a store.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use axum::body::Bytes;
use lookalike_model::{
    checkpoint::{Checkpoint, Key},
    job::Answer,
    kept::Kept,
    verify::verify,
};
use lookalike_wire::http::Problem;
use tokio::task::spawn_blocking;
#[cfg(test)]
use {
    lookalike_model::{Ctx, job::Job},
    lookalike_optimize::{Error, solve},
};

use super::{
    apart::Apart,
    keep::KeepError,
    problem::{self, Detail},
    store::{Store, Task},
};

/// Time until the disk is asked again, at first and at most.
const AGAIN: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(4));

/// How a job is solved.
#[derive(Clone)]
pub(crate) enum Solver {
    /// In a process of its own.
    Apart(Apart),
    /// In this one, by this function.
    #[cfg(test)]
    Here(fn(&Job, &Ctx) -> Result<Answer, Error>, Duration),
}

/// Searches until the store is closed.
pub(crate) async fn run(store: Arc<Store>, solver: Solver) {
    while let Some(task) = store.next().await {
        let task = Arc::new(task);
        let id = task.id().to_owned();
        let begun = Arc::clone(&task);
        insist(&store, &id, move |store| store.begin(&begun)).await;
        // What cannot be noted, because the worker stops, is not begun.
        if store.is_closed() {
            continue;
        }
        let (shared, solver) = (Arc::clone(&store), solver.clone());
        let searched = spawn_blocking(move || search(&shared, &task, &solver)).await;
        // A panic here ends the job, not the worker.
        let lost = |_| Err(problem::SOLVER.because(Detail::SearchBroken));
        let result = searched.unwrap_or_else(lost);
        match &result {
            Ok(answer) => tracing::info!(job = id, bytes = answer.len(), "done"),
            Err(_) if store.is_closed() => tracing::info!(job = id, "cut off: the worker stops"),
            Err(problem) => tracing::warn!(job = id, problem = problem.kind, "failed"),
        }
        let ended = id.clone();
        insist(&store, &id, move |store| store.end(&ended, &result)).await;
    }
}

/// Has something noted on the disk, which may take its time. While it refuses, a full one for example, it is asked again
/// until the store is closed: neither a job nor an answer is lost for that, and no other search is begun here.
async fn insist(
    store: &Arc<Store>,
    id: &str,
    note: impl Fn(&Store) -> Result<(), KeepError> + Send + Sync + 'static,
) {
    let note = Arc::new(note);
    let mut pause = AGAIN.0;
    loop {
        let (shared, noting) = (Arc::clone(store), Arc::clone(&note));
        match spawn_blocking(move || noting(&shared)).await {
            Ok(Err(error)) if !store.is_closed() => {
                tracing::error!(job = id, %error, "the disk refuses to store; it is asked again");
            }
            _ => return,
        }
        tokio::time::sleep(pause).await;
        pause = (2 * pause).min(AGAIN.1);
    }
}

/// Searches, verifies, and writes the answer down.
fn search(store: &Store, task: &Task, solver: &Solver) -> Result<Bytes, Problem> {
    let job = store.job(task)?;
    tracing::info!(job = task.id(), records = job.colours.len(), dims = job.dims, "begun");
    let began = Instant::now();
    let blocks = Blocks { store, id: task.id() };
    let answer = match solver {
        Solver::Apart(apart) => apart.search(&job, task, &blocks, &store.metrics)?,
        #[cfg(test)]
        Solver::Here(solve, longest) => {
            let ctx = Ctx {
                progress: &|progress| task.tell(progress),
                cancelled: &|| task.stopped() || began.elapsed() >= *longest,
                clock: &|| began.elapsed().as_secs_f64(),
                checkpoint: Some(&blocks),
            };
            solve(&job, &ctx).map_err(|e| problem::of(&e.into()))?
        }
    };
    verify(&job, &answer).map_err(|e| problem::of(&e.into()))?;
    store.metrics.searched(began.elapsed(), gap_percent(&answer));
    let bytes = serde_json::to_vec(&answer)
        .map_err(|e| problem::SOLVER.because(Detail::Unwritten { why: e.to_string() }))?;
    Ok(Bytes::from(bytes))
}

/// Finished blocks of one job.
struct Blocks<'a> {
    store: &'a Store,
    id: &'a str,
}

impl Checkpoint for Blocks<'_> {
    fn load(&self, key: &Key) -> Option<Kept> {
        serde_json::from_slice(&self.store.block(self.id, key)?).ok()
    }

    fn save(&self, key: &Key, part: &Kept) {
        if let Ok(bytes) = serde_json::to_vec(part) {
            self.store.keep_block(self.id, key, &bytes);
        }
    }
}

/// 100 (reached - bound) / reached; 0 when reached is 0, `None` if no more is proven than that no loss is negative.
fn gap_percent(answer: &Answer) -> Option<f64> {
    let bound = answer.bound.as_ref().filter(|bound| bound.value > 0.0 || answer.loss <= 0.0)?;
    let gap = 100.0 * (answer.loss - bound.value) / answer.loss;
    Some(if answer.loss <= 0.0 { 0.0 } else { gap.clamp(0.0, 100.0) })
}

#[cfg(test)]
mod tests {
    use lookalike_model::{
        job::JOB_VERSION,
        rule::Rule,
        settings::{Budget, Loss, MethodName},
    };
    use lookalike_wire::http::{JobInfo, JobState};

    use super::{
        super::{
            keep::Memory,
            limits::Limits,
            store::{Arrival, is_final},
        },
        *,
    };

    fn job() -> Job {
        Job {
            version: JOB_VERSION,
            dims: 1,
            points: vec![0.0, 1.0, 5.0, 7.0],
            colours: vec![0; 4],
            rule: Rule::at_least(2),
            loss: Loss::Sse,
            method: MethodName::Classic.into(),
            budget: Budget::Effort(0.0),
            attributes: Vec::new(),
            ranks: None,
            further: Vec::new(),
            series: None,
            bound: lookalike_model::settings::BoundWork::Quick,
            duals: false,
            lattice: None,
            sets: Vec::new(),
            seed: 1,
        }
    }

    /// The final states of the jobs, one after another on one runner.
    fn ends(
        solve: fn(&Job, &Ctx) -> Result<Answer, Error>,
        jobs: Vec<Job>,
        limits: Limits,
    ) -> Vec<(JobInfo, Option<Answer>)> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let store = Arc::new(Store::new(limits, Box::<Memory>::default(), false).unwrap());
            let solver = Solver::Here(solve, limits.search);
            let runner = tokio::spawn(run(Arc::clone(&store), solver));
            let mut ends = Vec::new();
            for job in jobs {
                let owner = String::from("a");
                let id = store
                    .submit(Arrival {
                        owner,
                        key: None,
                        payload: lookalike_wire::binary::encode(job).unwrap(),
                    })
                    .unwrap()
                    .id;
                let mut news = store.follow("a", &id).unwrap();
                news.wait_for(|news| is_final(news.info.state)).await.unwrap();
                let answer = store.answer("a", &id).unwrap().unwrap().ok();
                let answer = answer.map(|b| serde_json::from_slice(&b).unwrap());
                ends.push((store.info("a", &id).unwrap(), answer));
            }
            store.close();
            runner.await.unwrap();
            ends
        })
    }

    #[test]
    fn an_answer_is_solved_and_verified() {
        let ends = ends(solve::solve, vec![job()], Limits::default());
        assert_eq!(ends[0].0.state, JobState::Done);
        let answer = ends[0].1.as_ref().unwrap();
        assert_eq!(answer.labels.len(), 4);
        assert!((answer.loss - 2.5).abs() < 1e-12, "{{0,1}} and {{5,7}} lose 0.5 + 2");
    }

    #[test]
    fn a_wrong_answer_is_never_handed_out() {
        let lie: fn(&Job, &Ctx) -> Result<Answer, Error> = |job, ctx| {
            let mut answer = solve::solve(job, ctx)?;
            answer.loss /= 2.0;
            Ok(answer)
        };
        let ends = ends(lie, vec![job()], Limits::default());
        assert_eq!(ends[0].0.state, JobState::Failed);
        assert_eq!(ends[0].0.error.as_ref().unwrap().kind, problem::SOLVER.code);
        assert!(ends[0].1.is_none());
    }

    #[test]
    fn a_panic_ends_the_job_and_not_the_worker() {
        let fragile: fn(&Job, &Ctx) -> Result<Answer, Error> = |job, ctx| {
            assert!(job.seed != 13, "a test's panic, to be seen in the log");
            solve::solve(job, ctx)
        };
        let ends = ends(fragile, vec![Job { seed: 13, ..job() }, job()], Limits::default());
        assert_eq!(ends[0].0.error.as_ref().unwrap().kind, problem::SOLVER.code);
        assert_eq!(ends[1].0.state, JobState::Done);
    }

    #[test]
    fn a_search_is_cut_off_at_the_limit_with_its_best_so_far() {
        let endless: fn(&Job, &Ctx) -> Result<Answer, Error> = |job, ctx| {
            while !(ctx.cancelled)() {
                std::thread::yield_now();
            }
            solve::solve(job, ctx)
        };
        let limits = Limits { search: Duration::from_millis(20), ..Limits::default() };
        let ends = ends(endless, vec![job()], limits);
        assert_eq!(ends[0].0.state, JobState::Done);
    }

    #[test]
    fn infeasible_jobs_say_so() {
        let ends = ends(solve::solve, vec![Job { rule: Rule::at_least(9), ..job() }], Limits::default());
        assert_eq!(ends[0].0.error.as_ref().unwrap().kind, problem::INFEASIBLE.code);
    }
}
