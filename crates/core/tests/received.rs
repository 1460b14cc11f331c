//! Answers from another machine: what is checked stands, what is not is its claim.

#![allow(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "helpers of tests: a failure here is a failed test"
)]

use lookalike_core::certify;
use lookalike_model::{
    Ctx, Error,
    job::{Answer, Attribute, Bound, BoundOf, Claimed, JOB_VERSION, Job, Status},
    proof::{Duals, SubsetRow},
    received::{AnswerFault, Proof, Proven, infeasible, plain, received, unchecked},
    rule::{Infeasible, Rule},
    settings::{Budget, ColumnGenerationOptions, Extent, Loss, Method},
};
use lookalike_optimize::solve::solve;
use lookalike_words::Said;

/// Column generation that stops at a gap, and brings its duals.
fn generation(stop_gap_percent: Option<f64>, duals: bool) -> Method {
    let extent = Extent::Whole { duals };
    ColumnGenerationOptions { stop_gap_percent, extent, ..ColumnGenerationOptions::default() }.into()
}

/// Records in the plane with four colours; under the penalty the second attribute is a label.
fn job(loss: Loss, rule: Rule) -> Job {
    let attribute = |rank, levels| Attribute { weight: 0.5, levels, rank, ..Attribute::default() };
    let row = |i: u32| [f64::from(i * 37 % 101) / 101.0, f64::from(i * 53 % 7)];
    Job {
        version: JOB_VERSION,
        dims: 2,
        points: (0..48).flat_map(row).collect(),
        colours: (0..48).map(|i| i % 4).collect(),
        rule,
        loss,
        budget: Budget::Effort(0.3),
        method: generation(None, true),
        attributes: vec![attribute(0, None), attribute(1, Some(7))],
        ranks: None,
        further: Vec::new(),
        series: None,
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        lattice: None,
        sets: Vec::new(),
        seed: 3,
    }
}

fn jobs() -> Vec<Job> {
    let rules = [Rule::at_least(3), Rule::all_different(3)];
    let losses = [Loss::Sse, Loss::Ncp, Loss::NcpBinary];
    losses.iter().flat_map(|&loss| rules.clone().map(|rule| job(loss, rule))).collect()
}

fn solved(job: &Job) -> Answer {
    solve(job, &Ctx::silent()).unwrap()
}

fn proven(job: &Job, duals: &Duals, claimed: Option<f64>) -> Result<Option<Proven>, Error> {
    certify::proven(job, duals, claimed, 10_000_000)
}

#[test]
fn what_nobody_has_checked_is_a_claim() {
    for job in jobs() {
        let own = solved(&job);
        let of = BoundOf::WholeProblem;
        let bound = Bound { value: 0.9 * own.loss, proven_by: Said::verbatim("magic"), of };
        for (said, told) in [
            (Status::Optimal, Status::OptimalClaimed),
            (Status::GapReached, Status::GapReachedClaimed),
            (Status::OptimalClaimed, Status::OptimalClaimed),
            (Status::EffortSpent, Status::EffortSpent),
            (Status::Cancelled, Status::Cancelled),
        ] {
            let answer = Answer { status: said, bound: Some(bound.clone()), ..own.clone() };
            let taken = received(&job, answer, &unchecked).unwrap();
            assert_eq!((taken.status, &taken.labels, taken.bound), (told, &own.labels, None));
            assert_eq!(taken.claimed, Some(Claimed { bound: Some(bound.value), of }));
            assert!(taken.method.to_string().starts_with("according to the worker: column generation"));
        }
        // A claim of a claim.
        let claimed = Some(Claimed { bound: Some(0.5 * own.loss), of: BoundOf::DecomposedProblem });
        let taken = received(&job, Answer { bound: None, claimed, ..own }, &unchecked).unwrap();
        assert_eq!(taken.claimed, claimed);
    }
}

#[test]
fn duals_that_hold_prove_what_they_prove() {
    let mut cuts = 0;
    for job in jobs() {
        let own = solved(&job);
        let bound = own.bound.as_ref().unwrap().value;
        cuts += own.duals.as_ref().unwrap().cuts.len();
        let taken = received(&job, own.clone(), &proven).unwrap();
        let checked = taken.bound.unwrap();
        assert!(checked.value > 0.8 * bound && checked.value <= bound * (1.0 + 1e-9), "{checked:?} {bound}");
        let by = checked.proven_by.id();
        assert!(
            by == "model.Proof.CheckedDuals"
                || by == "model.Proof.CheckedSearch" && taken.status == Status::Optimal
        );
        assert_eq!(taken.claimed, Some(Claimed::default()));
        assert!(taken.status != Status::Optimal || checked.value >= own.loss * (1.0 - 2e-8));
        // A gap that was asked for is reached by what was checked, or claimed. No search is made for it.
        let answer = Answer { status: Status::GapReached, ..own.clone() };
        let by_duals = received(&job, answer.clone(), &proven).unwrap().bound.unwrap();
        assert_eq!(by_duals.proven_by.id(), "model.Proof.CheckedDuals");
        assert!(by_duals.value <= checked.value);
        let gap = 100.0 * (own.loss - by_duals.value) / own.loss;
        for (asked, told) in [(gap + 0.1, Status::GapReached), (gap - 0.1, Status::GapReachedClaimed)] {
            let method = generation(Some(asked.max(0.0)), true);
            let answer = answer.clone();
            let taken = received(&Job { method, ..job.clone() }, answer, &proven).unwrap();
            assert_eq!(taken.status, told, "{asked} {gap}");
        }
        // Unasked they are not looked at, and so they are not passed on.
        let method = generation(None, false);
        let taken = received(&Job { method, ..job.clone() }, own.clone(), &proven).unwrap();
        assert!(taken.duals.is_none() && taken.bound.is_none());
        // Without time to check them they are a claim.
        let hurried = received(&job, own, &|job, duals, loss| certify::proven(job, duals, loss, 1)).unwrap();
        assert!(hurried.bound.is_none() && hurried.claimed.unwrap().bound == Some(bound));
    }
    assert!(cuts > 0, "some bounds rest on cuts");
}

#[test]
fn duals_that_do_not_hold_are_refused() {
    for job in jobs() {
        let own = solved(&job);
        let good = own.duals.clone().unwrap();
        let more = |by: f64| Duals { values: good.values.iter().map(|x| by * x).collect(), ..good.clone() };
        let everybody = SubsetRow { records: (0..48).collect(), divisor: 2, sigma: 1e6 };
        for duals in [
            more(1.2),
            Duals { values: good.values[1..].to_vec(), ..good.clone() },
            Duals { values: vec![f64::NAN; 48], ..good.clone() },
            Duals { tolerance: -1.0, ..good.clone() },
            Duals { cuts: vec![SubsetRow { records: vec![48], divisor: 2, sigma: 1.0 }], ..good.clone() },
            Duals { cuts: vec![SubsetRow { divisor: 1, ..everybody.clone() }], ..good.clone() },
        ] {
            let refused = received(&job, Answer { duals: Some(duals), ..own.clone() }, &proven);
            assert!(matches!(refused, Err(Error::Answer { .. })), "{refused:?}");
        }
        // What is true but tells nothing is not refused, and proves nothing.
        for duals in [
            Duals { values: vec![-1.0; 48], ..good.clone() },
            Duals { tolerance: 1e9, ..good.clone() },
            Duals { cuts: vec![everybody], ..good.clone() },
        ] {
            let answer = Answer { duals: Some(duals), status: Status::EffortSpent, ..own.clone() };
            let taken = received(&job, answer.clone(), &proven).unwrap();
            assert!(taken.bound.is_some_and(|bound| bound.value == 0.0), "a loss is at least 0");
            assert_eq!(taken.status, Status::EffortSpent);
            // An optimum that is claimed may be found out by the search all the same, and by nothing else.
            let answer = Answer { status: own.status.clone(), ..answer };
            let hurried = |job: &Job, duals: &Duals, loss| certify::proven(job, duals, loss, 100_000);
            let taken = received(&job, answer, &hurried).unwrap();
            if taken.status == Status::Optimal {
                assert_eq!(taken.bound.unwrap().proven_by.id(), "model.Proof.CheckedSearch");
                assert_eq!(own.status, Status::Optimal);
            } else {
                assert_eq!(taken.bound.map_or(0.0, |bound| bound.value), 0.0);
            }
        }
    }
}

#[test]
fn impossible_answers_are_refused() {
    let job = job(Loss::Sse, Rule::at_least(3));
    let own = solved(&job);
    let bound = |value: f64| Some(Bound { value, proven_by: Said::default(), of: BoundOf::WholeProblem });
    let claimed = |value: f64| Some(Claimed { bound: Some(value), of: BoundOf::WholeProblem });
    for wrong in [
        Answer { bound: bound(f64::NAN), ..own.clone() },
        Answer { bound: bound(f64::INFINITY), ..own.clone() },
        Answer { bound: bound(-1e-3), ..own.clone() },
        Answer { bound: bound(own.loss * 1.001), ..own.clone() },
        Answer { bound: None, claimed: claimed(own.loss + 1.0), ..own.clone() },
        Answer { loss: own.loss * 0.999, ..own.clone() },
        Answer { loss: f64::NAN, ..own.clone() },
        Answer { seconds: f64::NAN, ..own.clone() },
        Answer { seconds: -1.0, ..own.clone() },
        Answer { status: Status::Infeasible { why: Said::verbatim("so") }, ..own.clone() },
        Answer { labels: vec![0; 47], ..own.clone() },
        Answer { labels: (0..48).collect(), ..own.clone() },
    ] {
        assert!(matches!(received(&job, wrong.clone(), &unchecked), Err(Error::Answer { .. })), "{wrong:?}");
    }
}

#[test]
fn a_loss_of_nothing_needs_no_proof_from_elsewhere() {
    let job = Job { points: vec![1.0; 96], ..job(Loss::Sse, Rule::at_least(3)) };
    let taken = received(&job, solved(&job), &unchecked).unwrap();
    assert_eq!((taken.loss, taken.status), (0.0, Status::Optimal));
    assert_eq!(taken.bound.unwrap().proven_by, Proof::NoLossBelowZero.into());
}

#[test]
fn that_there_are_no_classes_is_found_out_here() {
    let good = job(Loss::Sse, Rule::all_different(3));
    let why = Said::verbatim("I say so");
    let fault = AnswerFault::NothingRulesOut { why: why.clone() };
    assert_eq!(infeasible(&good, &why), Error::Answer { fault });
    let bad = job(Loss::Sse, Rule::all_different(5));
    let why = Infeasible::TooFewValues { m: 5, values: 4 };
    assert_eq!(infeasible(&bad, &Said::verbatim("lies")), Error::Infeasible(why));
}

#[test]
fn texts_are_shown_without_what_a_terminal_obeys() {
    assert_eq!(plain("a\u{1b}[31mb\r\n\tc\u{9b}\u{202e}d\u{7f}ä"), "a [31mb   c d ä");
    assert_eq!(plain(&"x".repeat(9000)).len(), 2000);
}

/// The loss of a class by definition: the squared distances to its mean.
fn loss_of(points: &[[f64; 2]]) -> f64 {
    let count = points.len() as f64;
    let mean = [0, 1].map(|axis| points.iter().map(|point| point[axis]).sum::<f64>() / count);
    points.iter().map(|point| (point[0] - mean[0]).powi(2) + (point[1] - mean[1]).powi(2)).sum()
}

/// The losses of all partitions into classes of at least three records (of different colours, if they are told), with their labels.
fn all_partitions(points: &[[f64; 2]], colours: Option<&[u32]>) -> Vec<(f64, Vec<u32>)> {
    fn go(
        points: &[[f64; 2]],
        colours: Option<&[u32]>,
        labels: &mut Vec<u32>,
        found: &mut Vec<(f64, Vec<u32>)>,
    ) {
        let next = labels.iter().map(|label| label + 1).max().unwrap_or(0);
        if labels.len() == points.len() {
            let mut classes = vec![Vec::new(); next as usize];
            for (label, point) in labels.iter().zip(points) {
                classes[*label as usize].push(*point);
            }
            if classes.iter().all(|class| class.len() >= 3) {
                let loss = classes.iter().map(|class| loss_of(class)).sum();
                found.push((loss, labels.clone()));
            }
            return;
        }
        for label in 0..=next.min((points.len() / 3) as u32 - 1) {
            let new = labels.len();
            let clash = |colours: &[u32]| (0..new).any(|i| labels[i] == label && colours[i] == colours[new]);
            if !colours.is_some_and(clash) {
                labels.push(label);
                go(points, colours, labels, found);
                labels.pop();
            }
        }
    }
    let mut found = Vec::new();
    go(points, colours, &mut Vec::new(), &mut found);
    found
}

/// That an answer is optimal is believed where it is so and a search here shows it, and an answer that is not is found out.
#[test]
fn an_optimum_that_is_claimed_is_found_out_here() {
    let (mut searched, mut refuted) = (0, 0);
    for (seed, different) in (1..9_u32).flat_map(|seed| [(seed, false), (seed, true)]) {
        let place = |i: u32| [f64::from((i * 37 + seed * 11) % 23), f64::from((i * i * 5 + seed * 7) % 19)];
        let points: Vec<[f64; 2]> = (0..10).map(place).collect();
        let colours: Vec<u32> = (0..10).map(|i| i % 4).collect();
        let rule = if different { Rule::all_different(3) } else { Rule::at_least(3) };
        let all = all_partitions(&points, different.then_some(&colours[..]));
        let best = all.iter().map(|(loss, _)| *loss).fold(f64::INFINITY, f64::min);
        let job = Job {
            points: points.iter().flatten().copied().collect(),
            colours,
            duals: true,
            method: Method::default(),
            attributes: vec![Attribute { weight: 0.5, ..Attribute::default() }; 2],
            ..job(Loss::Sse, rule)
        };
        // Duals of the neighbours, raised: they prove less than the optimum.
        let own = solved(&job);
        let claimed = |(loss, labels): &(f64, Vec<u32>)| {
            let bound = Bound { value: *loss, proven_by: Said::verbatim("magic"), of: BoundOf::WholeProblem };
            Answer {
                labels: labels.clone(),
                loss: *loss,
                status: Status::Optimal,
                bound: Some(bound),
                ..own.clone()
            }
        };
        for partition in all.iter().step_by(7).chain(all.iter().filter(|(loss, _)| *loss == best)) {
            let taken = received(&job, claimed(partition), &proven);
            if partition.0 <= best * (1.0 + 1e-9) {
                let taken = taken.unwrap();
                let bound = taken.bound.unwrap();
                assert_eq!(taken.status, Status::Optimal);
                assert!(bound.value <= best * (1.0 + 1e-9) && bound.value >= best * (1.0 - 2e-8));
                searched += usize::from(bound.proven_by.id() == "model.Proof.CheckedSearch");
            } else if partition.0 > best * (1.0 + 1e-5) {
                let why = taken.unwrap_err();
                assert!(matches!(&why, Error::Answer { fault: AnswerFault::NotOptimal { .. } }), "{why}");
                let better = why.to_string().replace(',', "");
                let better: f64 = better.split(' ').next_back().unwrap().parse().unwrap();
                assert!(better >= best * (1.0 - 1e-9) && better < partition.0, "{better} {best}");
                refuted += 1;
            }
        }
    }
    assert!(searched > 4 && refuted > 100, "{searched} {refuted}");
}
