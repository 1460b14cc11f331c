//! The search from a job to its answer, without a browser.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::cell::{Cell, RefCell};

use lookalike_model::{
    Ctx, beside,
    event::Progress,
    job::{Answer, Job, Status},
    rule::Rule,
    settings::Budget,
    verify,
};
use lookalike_optimize::{Phase, solve};
use lookalike_optimize_web::search::{Host, Search};

/// Records reports; its clock advances a little with every look.
#[derive(Default)]
struct Page {
    reports: RefCell<Vec<Progress>>,
    now: Cell<f64>,
}

impl Host for Page {
    fn progress(&self, progress: &Progress) {
        self.reports.borrow_mut().push(progress.clone());
    }

    fn now(&self) -> f64 {
        self.now.set(self.now.get() + 0.01);
        self.now.get()
    }
}

/// 60 records; numbers spread out, five colours in turn.
fn job(effort: f64) -> Job {
    let points = (0..60).map(|i| f64::from((i * 37) % 61) / 20.0).collect();
    let colours = (0..60).map(|i| i % 5).collect();
    Job { colours, budget: Budget::Effort(effort), seed: 1, ..Job::of(1, points, Rule::all_different(3)) }
}

fn begun(effort: f64, page: &Page) -> Search {
    let mut search = Search::default();
    let job = beside::write(&job(effort)).expect("a job is JSON");
    search.begin(&job, page).expect("the job is sound");
    search
}

/// Number of steps, and the answer.
fn work(search: &mut Search, page: &Page) -> (usize, Answer) {
    let mut steps = 1;
    while search.step(page).expect("it goes on") {
        steps += 1;
    }
    (steps, search.finish().expect("it has begun"))
}

#[test]
fn the_answer_is_that_of_a_search_in_one_call() {
    let page = Page::default();
    let (_, here) = work(&mut begun(5.0, &page), &page);
    let there = solve::solve(&job(5.0), &Ctx::silent()).expect("it can be solved");
    assert_eq!((here.labels, here.loss), (there.labels, there.loss));
    // A second answer there is not, nor one without a beginning.
    assert!(Search::default().finish().is_none());
}

#[test]
fn stop_keeps_the_best_so_far() {
    let page = Page::default();
    // An effort that nobody would wait for.
    let mut search = begun(1e9, &page);
    for _ in 0..4 {
        assert!(search.step(&page).expect("it goes on"));
    }
    search.stop();
    let (steps, answer) = work(&mut search, &page);
    assert!(steps < 5, "{steps}");
    assert_eq!(answer.status, Status::Cancelled);
    verify::verify(&job(1e9), &answer).expect("it is admissible");
}

#[test]
fn a_stop_before_the_first_step_gives_the_first_partition() {
    let page = Page::default();
    let mut search = begun(1e9, &page);
    search.stop();
    verify::verify(&job(1e9), &work(&mut search, &page).1).expect("it is admissible");
}

#[test]
fn progress_comes_with_phases_and_a_falling_loss() {
    let page = Page::default();
    work(&mut begun(20.0, &page), &page);
    let reports = page.reports.borrow();
    assert_eq!(reports[0].phase, Phase::Beginning.into());
    let losses: Vec<_> = reports.iter().filter_map(|p| p.incumbent).collect();
    assert!(!losses.is_empty() && losses.windows(2).all(|w| w[1] <= w[0]), "{losses:?}");
}

#[test]
fn what_is_no_job_is_refused() {
    let (mut search, page) = (Search::default(), Page::default());
    assert!(search.begin(b"{}", &page).is_err());
    let faulty = Job { budget: Budget::Effort(-1.0), ..job(1.0) };
    let faulty = beside::write(&faulty).expect("a job is JSON");
    assert!(search.begin(&faulty, &page).expect_err("a negative effort").id().ends_with("Unfit.Effort"));
}
