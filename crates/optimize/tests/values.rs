//! Conditions on how the sensitive values of a class are distributed, beside brute force and the definitions.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

#[path = "support/conditions.rs"]
mod conditions;

use conditions::{condition, wanted};
use lookalike_model::{
    Ctx, Error as ModelError,
    job::{Answer, BoundOf, FurtherValues, Job, Ranks, Status},
    rule::{Rule, ValueCondition},
    settings::{Budget, Method, MethodName},
    verify::verify,
};
use lookalike_optimize::{
    Error,
    solve::{Unfit, solve},
};
use lookalike_testkit::{Wanted, best_partition, branches, sse};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The same with values in a further column.
fn with_further(job: Job, values: &[usize], ranks: usize) -> Job {
    let of = self::job(&[], values, ranks, job.rule.clone(), MethodName::Auto, 0.0);
    Job { further: vec![FurtherValues { values: of.colours, ranks: of.ranks }], ..job }
}

/// A job on a line; values are ranks, `0..ranks`, and colours other names of them.
fn job(points: &[f64], values: &[usize], ranks: usize, rule: Rule, method: MethodName, effort: f64) -> Job {
    let mut there: Vec<usize> = values.to_vec();
    there.sort_unstable();
    there.dedup();
    // Colours are named from the last value to the first, so that names are no ranks.
    there.reverse();
    let colour = |value: &usize| there.iter().position(|x| x == value).unwrap() as u32;
    Job {
        colours: values.iter().map(colour).collect(),
        ranks: Some(Ranks {
            colours: there.iter().map(|&x| x as u32).collect(),
            count: ranks as u32,
            branches: branches(&there),
            ..Ranks::default()
        }),
        method: method.into(),
        budget: Budget::Effort(effort),
        seed: 1,
        ..Job::of(1, points.to_vec(), rule)
    }
}

fn members(answer: &Answer) -> Vec<Vec<usize>> {
    let mut classes = vec![Vec::new(); answer.labels.iter().max().map_or(0, |&last| last as usize + 1)];
    for (record, &label) in answer.labels.iter().enumerate() {
        classes[label as usize].push(record);
    }
    classes
}

fn assert_admissible(answer: &Answer, values: &[usize], ranks: usize, k: usize, wanted: &[Wanted]) {
    for class in members(answer) {
        assert!(class.len() >= k, "{class:?}");
        let of_class: Vec<usize> = class.iter().map(|&i| values[i]).collect();
        for wanted in wanted {
            assert!(wanted.holds(&of_class, values, ranks), "{wanted:?} {of_class:?}");
        }
    }
}

const RANKS: usize = 4;

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Every answer is admissible and no better than the best; where it is called proven, it is the best. Where there is no answer, there
    /// are no admissible classes.
    #[test]
    fn beside_brute_force(
        rows in prop::collection::vec((0..12_u8, 0..RANKS), 3..9),
        k in 2..4_usize,
        asked in prop::collection::vec(wanted(), 1..3),
        columns in any::<bool>(),
    ) {
        let points: Vec<f64> = rows.iter().map(|row| f64::from(row.0)).collect();
        let values: Vec<usize> = rows.iter().map(|row| row.1).collect();
        let best = best_partition(rows.len(), |class| {
            let of_class: Vec<usize> = class.iter().map(|&i| values[i]).collect();
            let kept = asked.iter().all(|wanted| wanted.holds(&of_class, &values, RANKS));
            (class.len() >= k && kept).then(|| sse(&points, 1, class))
        });
        let conditions: Vec<ValueCondition> = asked.iter().map(|&wanted| condition(wanted)).collect();
        let rule = Rule::with_values(k, &conditions);
        let method = if columns { MethodName::ColumnGeneration } else { MethodName::Auto };
        let job = job(&points, &values, RANKS, rule, method, 30.0);
        match (solve(&job, &Ctx::silent()), best) {
            (Ok(answer), Some((least, _))) => {
                assert_admissible(&answer, &values, RANKS, k, &asked);
                prop_assert!(verify(&job, &answer).is_ok());
                prop_assert!(answer.loss >= least - 1e-9, "{} {}", answer.loss, least);
                if let Some(bound) = &answer.bound {
                    prop_assert_eq!(bound.of, BoundOf::WholeProblem);
                    prop_assert!(bound.value <= least + 1e-9, "{} {}", bound.value, least);
                }
                if answer.status == Status::Optimal {
                    prop_assert!(answer.loss <= least + 1e-9, "{} {}", answer.loss, least);
                }
            }
            (Err(Error::Model(ModelError::Infeasible(_))), None) => {}
            (answer, best) => prop_assert!(false, "{:?} {:?} {:?}", asked, answer.map(|a| a.loss), best),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// The same of two sensitive columns, each with conditions of its own.
    #[test]
    fn two_columns_beside_brute_force(
        rows in prop::collection::vec((0..12_u8, 0..RANKS, 0..RANKS), 3..9),
        k in 2..4_usize,
        asked in prop::collection::vec((0..2_usize, wanted()), 1..4),
    ) {
        let points: Vec<f64> = rows.iter().map(|row| f64::from(row.0)).collect();
        let columns = [rows.iter().map(|row| row.1).collect(), rows.iter().map(|row| row.2).collect::<Vec<usize>>()];
        let kept = |class: &[usize]| asked.iter().all(|(of, wanted)| {
            let of_class: Vec<usize> = class.iter().map(|&i| columns[*of][i]).collect();
            wanted.holds(&of_class, &columns[*of], RANKS)
        });
        let best = best_partition(rows.len(), |class| (class.len() >= k && kept(class)).then(|| sse(&points, 1, class)));
        let rule = Rule::with_columns(k, asked.iter().map(|&(of, wanted)| (of, condition(wanted))));
        let job = job(&points, &columns[0], RANKS, rule, MethodName::Auto, 30.0);
        let job = with_further(job, &columns[1], RANKS);
        match (solve(&job, &Ctx::silent()), best) {
            (Ok(answer), Some((least, _))) => {
                for class in members(&answer) {
                    prop_assert!(class.len() >= k && kept(&class), "{:?} {:?}", asked, class);
                }
                prop_assert!(verify(&job, &answer).is_ok());
                prop_assert!(answer.loss >= least - 1e-9, "{} {}", answer.loss, least);
                if let Some(bound) = &answer.bound {
                    prop_assert!(bound.value <= least + 1e-9, "{} {}", bound.value, least);
                }
                if answer.status == Status::Optimal {
                    prop_assert!(answer.loss <= least + 1e-9, "{} {}", answer.loss, least);
                }
            }
            (Err(Error::Model(ModelError::Infeasible(_))), None) => {}
            (answer, best) => prop_assert!(false, "{:?} {:?} {:?}", asked, answer.map(|a| a.loss), best),
        }
    }
}

/// A job says what is wrong with a further column.
#[test]
fn a_further_column_has_a_code_a_record() {
    let rule = Rule::with_columns(2, [(1, condition(Wanted::Distinct { l: 2 }))]);
    let job = job(&[0.0, 1.0, 2.0, 3.0], &[0, 1, 0, 1], 2, rule, MethodName::Auto, 1.0);
    let refused = |job: &Job| solve(job, &Ctx::silent()).unwrap_err().to_string();
    assert!(refused(&job).contains("further sensitive column 1"), "{}", refused(&job));
    for values in [vec![0, 1, 0], vec![0, 2, 0, 2], vec![0, 9, 1, 2]] {
        let job = Job { further: vec![FurtherValues { values, ranks: None }], ..job.clone() };
        assert!(refused(&job).contains("further sensitive column 1"), "{}", refused(&job));
    }
    // One value cannot be two.
    let one = Job { further: vec![FurtherValues { values: vec![0; 4], ranks: None }], ..job.clone() };
    assert!(refused(&one).contains("values; further sensitive column 1"), "{}", refused(&one));
    assert!(solve(&with_further(job, &[0, 0, 1, 1], 2), &Ctx::silent()).is_ok());
}

/// Records in a plane, whose values follow their places: near records are alike.
fn clustered(n: usize, ranks: usize) -> (Vec<f64>, Vec<usize>) {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut points = Vec::new();
    let mut values = Vec::new();
    for _ in 0..n {
        let (x, y): (f64, f64) = (rng.random_range(0.0..1.0), rng.random_range(0.0..1.0));
        let noise: f64 = rng.random_range(0.0..0.5);
        points.extend([x, y]);
        values.push((((x + noise) / 1.5 * ranks as f64) as usize).min(ranks - 1));
    }
    (points, values)
}

fn plane(n: usize, ranks: usize, rule: Rule, method: Method, effort: f64) -> (Job, Vec<usize>) {
    let (points, values) = clustered(n, ranks);
    let line = job(&vec![0.0; n], &values, ranks, rule, MethodName::Auto, effort);
    (Job { dims: 2, points, method, ..line }, values)
}

#[test]
fn every_search_that_knows_conditions_keeps_them() {
    let wanted = [Wanted::Entropy { l: 2.5 }, Wanted::Ordered { t: 0.15 }, Wanted::Alpha { alpha: 0.6 }];
    let rule = Rule::with_values(4, &wanted.map(condition));
    let of = |method: MethodName, effort| {
        let (job, values) = plane(600, 6, rule.clone(), method.into(), effort);
        let answer = solve(&job, &Ctx::silent()).unwrap();
        assert_admissible(&answer, &values, 6, 4, &wanted);
        answer.loss
    };
    let start = of(MethodName::Auto, 0.0);
    for method in [
        MethodName::Auto,
        MethodName::Annealing,
        MethodName::Spatial,
        MethodName::TwoSwap,
        MethodName::Decompose,
        MethodName::Classic,
        MethodName::Mdav,
        MethodName::KMember,
        MethodName::Mondrian,
    ] {
        let loss = of(method, 2.0);
        assert!(loss.is_finite(), "{method:?}");
        if matches!(method, MethodName::Auto | MethodName::Annealing) {
            assert!(loss < 0.8 * start, "{loss} after {start}");
        }
    }
}

/// Column generation knows sizes alone: where its classes are proven and keep the conditions, they are the best with these.
#[test]
fn column_generation_proves_what_keeps_the_conditions_anyhow() {
    // Neighbours differ, so that the best pairs without conditions keep this one.
    let points: Vec<f64> = (0..12).map(|i| f64::from(10 * (i / 2) + i % 2)).collect();
    let values: Vec<usize> = (0..12).map(|i| i % 2).collect();
    let rule = Rule::with_values(2, &[condition(Wanted::Distinct { l: 2 })]);
    let of = |method| solve(&job(&points, &values, 2, rule.clone(), method, 1.0), &Ctx::silent()).unwrap();
    let found = of(MethodName::ColumnGeneration);
    assert_admissible(&found, &values, 2, 2, &[Wanted::Distinct { l: 2 }]);
    assert_eq!(found.status, Status::Optimal, "{found:?}");
    assert!((found.loss - 3.0).abs() < 1e-9);
    let bound = found.bound.unwrap();
    assert_eq!(bound.proven_by.id(), "optimize.ProvenByRelaxation.Sizes");
    // Where they do not, the bound is below, and nothing is called optimal that is not proven.
    let values: Vec<usize> = (0..12).map(|i| (i / 2) % 2).collect();
    let found =
        solve(&job(&points, &values, 2, rule.clone(), MethodName::ColumnGeneration, 1.0), &Ctx::silent())
            .unwrap();
    assert_admissible(&found, &values, 2, 2, &[Wanted::Distinct { l: 2 }]);
    assert!(found.bound.is_some_and(|bound| bound.value <= 3.0 + 1e-9) && found.status != Status::Optimal);
    let ended = Job {
        budget: Budget::Effort(0.0),
        ..job(&points, &values, 2, rule, MethodName::ColumnGeneration, 1.0)
    };
    assert!(verify(&ended, &solve(&ended, &Ctx::silent()).unwrap()).is_ok());
}

#[test]
fn searches_that_cannot_keep_conditions_are_refused_with_the_reason() {
    let rule = Rule::with_values(3, &[condition(Wanted::Equal { t: 0.4 })]);
    for method in [MethodName::Programme, MethodName::LargeNeighbourhood, MethodName::DokaHungarian] {
        let (job, _) = plane(60, 3, rule.clone(), method.into(), 1.0);
        let refused = solve(&job, &Ctx::silent()).unwrap_err();
        assert_eq!(refused, Error::Unfit(Unfit::NoValues { method: method.name() }), "{method:?}");
    }
}

#[test]
fn threads_and_blocks_change_nothing() {
    let rule =
        Rule::with_values(5, &[condition(Wanted::Ordered { t: 0.1 }), condition(Wanted::Distinct { l: 3 })]);
    for method in [MethodName::Annealing, MethodName::Spatial] {
        let (job, values) = plane(4000, 7, rule.clone(), method.into(), 0.5);
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| solve(&job, &Ctx::silent()).unwrap())
        };
        let (one, two) = (run(1), run(2));
        assert_eq!(one.labels, two.labels, "{method:?}");
        assert_admissible(&one, &values, 7, 5, &[Wanted::Ordered { t: 0.1 }, Wanted::Distinct { l: 3 }]);
    }
}

/// A value that nearly everybody holds cannot be protected by different values; that classes are close to the table can be kept.
#[test]
fn a_yes_or_no_column_is_protected_with_all_records() {
    let n = 3000;
    let (points, places) = clustered(n, 4);
    // A quarter says yes, most of them at one end.
    let values: Vec<usize> = places.iter().map(|&place| usize::from(place == 3)).collect();
    let wanted = [Wanted::Equal { t: 0.3 }];
    let line =
        job(&vec![0.0; n], &values, 2, Rule::with_values(5, &wanted.map(condition)), MethodName::Auto, 2.0);
    let job = Job { dims: 2, points, ..line };
    let answer = solve(&job, &Ctx::silent()).unwrap();
    assert_eq!(answer.labels.len(), n);
    assert_admissible(&answer, &values, 2, 5, &wanted);
    assert!(members(&answer).len() > n / 40, "{} classes", members(&answer).len());
}

#[test]
fn a_bound_of_a_relaxation_is_named_as_one() {
    let (job, _) = plane(
        200,
        4,
        Rule::with_values(3, &[condition(Wanted::Entropy { l: 3.2 })]),
        MethodName::Auto.into(),
        1.0,
    );
    let answer = solve(&job, &Ctx::silent()).unwrap();
    let bound = answer.bound.unwrap();
    assert!(bound.value > 0.0 && bound.value < answer.loss);
    let words = bound.proven_by.to_string();
    // Four records are the fewest with that entropy.
    assert!(words.starts_with("a relaxation, classes with k = 4 regardless of"), "{words}");
}
