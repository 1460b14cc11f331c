//! Searches the jobs of the store, one after another, each with all threads of its pool. Several runners may share a
//! store.

use std::{
    cell::Cell,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::body::Bytes;
use lookalike_core::{
    Ctx, Error,
    checkpoint::{Checkpoint, Key},
    solve,
};
use lookalike_wire::{
    http::Problem,
    job::{Answer, Job},
    kept::Kept,
};
use rayon::ThreadPool;
use tokio::task::spawn_blocking;

use super::{
    problem,
    store::{Store, Task},
};

/// Time between two progress reports.
const INTERVAL: Duration = Duration::from_millis(200);

/// How a job is solved; another one in tests.
pub(crate) type Solver = fn(&Job, &Ctx) -> Result<Answer, Error>;

/// Searches until the store is closed.
pub(crate) async fn run(store: Arc<Store>, pool: Arc<ThreadPool>, solver: Solver) {
    while let Some(task) = store.next().await {
        let id = task.id().to_owned();
        let (pool, shared) = (Arc::clone(&pool), Arc::clone(&store));
        let searched = spawn_blocking(move || pool.install(|| search(&shared, &task, solver))).await;
        // A panic of the solver ends its job, not the worker.
        let lost = |_| Err(problem::SOLVER.because("the search broke down; the worker's log says where"));
        let result = searched.unwrap_or_else(lost);
        match &result {
            Ok(answer) => tracing::info!(job = id, bytes = answer.len(), "done"),
            Err(problem) => tracing::warn!(job = id, problem = problem.kind, "failed"),
        }
        let shared = Arc::clone(&store);
        // The disk may take its time.
        let _ = spawn_blocking(move || shared.end(&id, result)).await;
    }
}

/// Searches, verifies, and writes the answer down.
fn search(store: &Store, task: &Task, solver: Solver) -> Result<Bytes, Problem> {
    let job = store.begin(task)?;
    tracing::info!(job = task.id(), records = job.colours.len(), dims = job.dims, "begun");
    let (began, longest) = (Instant::now(), store.limits.search);
    let told = Cell::new(None::<Instant>);
    let ctx = Ctx {
        progress: &|progress| {
            if told.get().is_none_or(|last| last.elapsed() >= INTERVAL) {
                told.set(Some(Instant::now()));
                task.tell(progress);
            }
        },
        cancelled: &|| task.stopped() || began.elapsed() >= longest,
        clock: &|| began.elapsed().as_secs_f64(),
        checkpoint: Some(&Blocks { store, id: task.id() }),
    };
    let answer = solver(&job, &ctx).map_err(|e| problem::of(&e))?;
    solve::verify(&job, &answer).map_err(|e| problem::of(&e))?;
    store.metrics.searched(began.elapsed(), gap_percent(&answer));
    let bytes = serde_json::to_vec(&answer).map_err(|e| problem::SOLVER.because(e.to_string()))?;
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

/// 100 (reached - bound) / reached; 0 when reached is 0.
fn gap_percent(answer: &Answer) -> Option<f64> {
    let bound = answer.bound.as_ref()?;
    Some(if answer.loss == 0.0 { 0.0 } else { 100.0 * (answer.loss - bound.value) / answer.loss })
}

#[cfg(test)]
mod tests {
    use lookalike_wire::{
        http::{JobInfo, JobState},
        job::{JOB_VERSION, Rule},
        settings::{Budget, Loss, Method, SearchOptions},
    };

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
            rule: Rule::MinSize { k: 2 },
            loss: Loss::Sse,
            method: Method::Classic,
            budget: Budget::Effort(0.0),
            search: SearchOptions::default(),
            attributes: Vec::new(),
            series: None,
            seed: 1,
        }
    }

    /// The final states of the jobs, one after another on one runner.
    fn ends(solver: Solver, jobs: Vec<Job>, limits: Limits) -> Vec<(JobInfo, Option<Answer>)> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let store = Arc::new(Store::new(limits, Box::<Memory>::default(), false).unwrap());
            let pool = Arc::new(rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap());
            let runner = tokio::spawn(run(Arc::clone(&store), pool, solver));
            let mut ends = Vec::new();
            for job in jobs {
                let owner = String::from("a");
                let id = store.submit(Arrival { owner, key: None, job }).unwrap().id;
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
        let lie: Solver = |job, ctx| {
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
        let fragile: Solver = |job, ctx| {
            assert!(job.seed != 13, "a test's panic, to be seen in the log");
            solve::solve(job, ctx)
        };
        let ends = ends(fragile, vec![Job { seed: 13, ..job() }, job()], Limits::default());
        assert_eq!(ends[0].0.error.as_ref().unwrap().kind, problem::SOLVER.code);
        assert_eq!(ends[1].0.state, JobState::Done);
    }

    #[test]
    fn a_search_is_cut_off_at_the_limit_with_its_best_so_far() {
        let endless: Solver = |job, ctx| {
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
        let ends = ends(solve::solve, vec![Job { rule: Rule::MinSize { k: 9 }, ..job() }], Limits::default());
        assert_eq!(ends[0].0.error.as_ref().unwrap().kind, problem::INFEASIBLE.code);
    }
}
