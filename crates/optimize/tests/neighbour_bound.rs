//! Bounds beside the search against brute force over all partitions: every loss and rule, counterfeits, trees, series.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use lookalike_model::{
    Ctx,
    job::{Attribute, BoundOf, JOB_VERSION, Job, Series, Status},
    rule::Rule,
    settings::{BoundWork, Budget, ColumnGenerationOptions, Loss, Method, MethodName},
};
use lookalike_optimize::{bounds::neighbour_bound, solve::solve};
use lookalike_testkit::best_partition;
use proptest::prelude::*;

/// What a coordinate is.
#[derive(Clone, Debug)]
enum Kind {
    Number,
    /// Codes of a category of six labels.
    Labels,
    /// Leaves of a tree of six.
    Leaves(Vec<f64>),
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        3 => Just(Kind::Number),
        1 => Just(Kind::Labels),
        1 => prop::collection::vec((0u8..5).prop_map(f64::from), 5).prop_map(Kind::Leaves),
    ]
}

/// Records, the kinds of their coordinates, a colour each, counterfeits by their colours, the least size, what counts.
#[derive(Clone, Debug)]
struct Case {
    kinds: Vec<Kind>,
    rows: Vec<Vec<u8>>,
    colours: Vec<u32>,
    fakes: Vec<u32>,
    least: usize,
    distinct: bool,
    loss: Loss,
    /// Of each record the signature that it keeps, if it does.
    kept: Vec<Option<Vec<u32>>>,
}

fn case() -> impl Strategy<Value = Case> {
    let shape = (1usize..4, 3usize..9, 2usize..5, any::<bool>(), 0usize..5);
    shape.prop_flat_map(|(dims, n, least, distinct, fakes)| {
        let loss = prop_oneof![Just(Loss::Sse), Just(Loss::Ncp), Just(Loss::NcpBinary)];
        let kept = prop::collection::vec(
            prop::option::weighted(0.3, prop::collection::btree_set(0u32..6, least..=4.max(least))),
            n,
        );
        (
            prop::collection::vec(kind(), dims),
            prop::collection::vec(prop::collection::vec(0u8..6, dims), n),
            prop::collection::vec(0u32..6, n),
            prop::collection::vec(0u32..6, if distinct { fakes } else { 0 }),
            loss,
            kept,
        )
            .prop_map(move |(kinds, rows, colours, fakes, loss, kept)| {
                let kept = kept.into_iter().map(|of| of.map(|set| set.into_iter().collect())).collect();
                // Under SSE labels are numbers 0 and 1 by then.
                let kinds = match loss {
                    Loss::Sse => kinds.into_iter().map(no_labels).collect(),
                    _ => kinds,
                };
                Case { kinds, rows, colours, fakes, least, distinct, loss, kept }
            })
    })
}

fn no_labels(kind: Kind) -> Kind {
    if let Kind::Labels = kind { Kind::Number } else { kind }
}

/// The largest join between two leaves.
fn joined(joins: &[f64], a: u8, b: u8) -> f64 {
    joins[usize::from(a.min(b))..usize::from(a.max(b))].iter().copied().fold(0.0, f64::max)
}

impl Case {
    /// What a class of real records loses, by the definitions.
    fn cost(&self, class: &[usize]) -> f64 {
        let q = class.len() as f64;
        let column = |j: usize| class.iter().map(move |&i| self.rows[i][j]);
        let each = self.kinds.iter().enumerate().map(|(j, kind)| {
            let (low, high) = (column(j).min().unwrap_or(0), column(j).max().unwrap_or(0));
            let different = column(j).collect::<std::collections::BTreeSet<u8>>().len();
            match (self.loss, kind) {
                (Loss::Sse, Kind::Leaves(joins)) => {
                    let pairs = column(j).flat_map(|a| column(j).map(move |b| joined(joins, a, b)));
                    pairs.sum::<f64>() / (2.0 * q)
                }
                (Loss::Sse, _) => {
                    let mean = column(j).map(f64::from).sum::<f64>() / q;
                    column(j).map(|x| (f64::from(x) - mean).powi(2)).sum()
                }
                (_, Kind::Leaves(joins)) => q * joined(joins, low, high),
                (_, Kind::Number) => q * f64::from(high - low),
                (_, Kind::Labels) if different < 2 => 0.0,
                (Loss::NcpBinary, Kind::Labels) => q * different as f64 / 6.0,
                (_, Kind::Labels) => q * (different - 1) as f64 / 6.0,
            }
        });
        if class.is_empty() { 0.0 } else { each.sum() }
    }

    fn colour(&self, i: usize) -> u32 {
        self.colours.get(i).copied().unwrap_or_else(|| self.fakes[i - self.colours.len()])
    }

    fn kept(&self, i: usize) -> Option<&[u32]> {
        let kept = self.kept.get(i)?.as_deref()?;
        (self.distinct && kept.contains(&self.colour(i))).then_some(kept)
    }

    fn admissible(&self, class: &[usize]) -> bool {
        let mut colours: Vec<u32> = class.iter().map(|&i| self.colour(i)).collect();
        colours.sort_unstable();
        let real = class.iter().any(|&i| i < self.rows.len());
        let differ = !self.distinct || colours.windows(2).all(|pair| pair[0] != pair[1]);
        let keeps = class.iter().all(|&i| self.kept(i).is_none_or(|kept| kept == colours));
        class.len() >= self.least && real && differ && keeps
    }

    /// The least loss of all partitions.
    fn optimum(&self) -> Option<f64> {
        let n = self.rows.len() + self.fakes.len();
        let best = best_partition(n, |class| {
            let real: Vec<usize> = class.iter().copied().filter(|&i| i < self.rows.len()).collect();
            self.admissible(class).then(|| self.cost(&real))
        });
        best.map(|(loss, _)| loss)
    }

    fn job(&self) -> Job {
        // Colours of a job are without gaps.
        let all: Vec<u32> = (0..self.rows.len() + self.fakes.len()).map(|i| self.colour(i)).collect();
        let mut known: Vec<u32> = all.clone();
        known.extend((0..self.rows.len()).filter_map(|i| self.kept(i)).flatten());
        known.sort_unstable();
        known.dedup();
        let code = |colour: u32| known.binary_search(&colour).unwrap() as u32;
        let signature = |kept: &[u32]| kept.iter().map(|&c| code(c)).collect::<Vec<u32>>();
        let mut signatures: Vec<Vec<u32>> =
            (0..self.rows.len()).filter_map(|i| self.kept(i)).map(signature).collect();
        signatures.sort();
        signatures.dedup();
        let place = |i: usize| {
            self.kept(i).map_or(0, |kept| signatures.binary_search(&signature(kept)).unwrap() as u32 + 1)
        };
        let bound: Vec<u32> = (0..self.rows.len()).map(place).collect();
        let attribute = |(rank, kind): (usize, &Kind)| Attribute {
            weight: 1.0,
            levels: matches!(kind, Kind::Labels).then_some(6),
            joins: if let Kind::Leaves(joins) = kind { Some(joins.clone()) } else { None },
            rank: rank as u32,
        };
        let rule = if self.distinct { Rule::all_different(self.least) } else { Rule::at_least(self.least) };
        Job {
            version: JOB_VERSION,
            dims: self.kinds.len(),
            points: self.rows.iter().flatten().map(|&x| f64::from(x)).collect(),
            colours: all.iter().map(|&c| code(c)).collect(),
            rule,
            loss: self.loss,
            method: Method::from(MethodName::Auto),
            budget: Budget::Effort(0.1),
            attributes: self.kinds.iter().enumerate().map(attribute).collect(),
            ranks: None,
            further: Vec::new(),
            series: (!signatures.is_empty()).then_some(Series { signatures, bound, keep: false }),
            bound: BoundWork::Quick,
            duals: false,
            lattice: None,
            sets: Vec::new(),
            seed: 1,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn no_partition_loses_less(case in case()) {
        let Some(optimum) = case.optimum() else { return Ok(()) };
        let job = case.job();
        // A signature may have colours that no record has.
        let Ok(bound) = neighbour_bound(&job) else { return Ok(()) };
        let value = bound.map_or(0.0, |bound| bound.value);
        prop_assert!(value <= optimum * (1.0 + 1e-12), "bound {value} above the optimum {optimum}");
    }

    #[test]
    fn every_answer_has_it(case in case()) {
        let job = case.job();
        let Ok(answer) = solve(&job, &Ctx::silent()) else { return Ok(()) };
        let raised = answer.bound.as_ref().map_or(0.0, |bound| bound.value);
        let Some(optimum) = case.optimum() else { return Ok(()) };
        prop_assert!(raised <= optimum * (1.0 + 1e-12), "bound {raised} above the optimum {optimum}");
        let off = Job { bound: BoundWork::Off, ..job.clone() };
        let without = solve(&off, &Ctx::silent()).unwrap();
        prop_assert_eq!(&without.labels, &answer.labels);
        prop_assert!(without.bound.is_none() || without.loss <= 0.0);
        let known = neighbour_bound(&job).unwrap();
        match (known, answer.bound) {
            (Some(known), Some(bound)) => {
                prop_assert_eq!(bound.of, BoundOf::WholeProblem);
                prop_assert!(bound.value >= known.value.min(answer.loss) && bound.value <= answer.loss);
            }
            (None, None) => {}
            // Raised from nothing, or of a loss of nothing.
            (None, Some(bound)) => prop_assert!(bound.value > 0.0 || answer.loss <= 0.0),
            (Some(_), None) => prop_assert!(false, "an answer without its bound"),
        }
    }
}

/// Ten records on a line, k = 2: each is 1 from its neighbour, so that each of them costs a quarter at the least; the best pairs cost
/// half a pair.
#[test]
fn a_line_of_pairs_by_hand() {
    let points = [0.0, 1.0, 10.0, 11.0, 20.0, 21.0, 30.0, 31.0, 40.0, 41.0];
    let job = Job::of(1, points.to_vec(), Rule::at_least(2));
    let bound = neighbour_bound(&job).unwrap().unwrap();
    assert!((bound.value - 2.5).abs() < 1e-6 && bound.value <= 2.5, "{}", bound.value);
    // Of three colours in turn the nearest of another colour is as near, but pairs of one colour are 10 apart.
    let coloured = Job { colours: vec![0, 0, 1, 1, 2, 2, 0, 1, 2, 1], rule: Rule::all_different(2), ..job };
    let bound = neighbour_bound(&coloured).unwrap().unwrap();
    // Distances to the nearest of another colour: 10, 9, 9, 9, 9, 9, 1, 1, 1, 1, squared, over 4.
    let expected = (100.0 + 5.0 * 81.0 + 4.0) / 4.0;
    assert!((bound.value - expected).abs() < 1e-4 && bound.value <= expected, "{}", bound.value);
}

/// Three real records far apart and m = 2 with counterfeits: each may stand beside a counterfeit, and nothing is proven; with one
/// counterfeit alone two of them share a class.
#[test]
fn counterfeits_save_what_they_can() {
    let of = |colours: Vec<u32>| {
        let job = Job::of(1, vec![0.0, 10.0, 30.0], Rule::all_different(2));
        neighbour_bound(&Job { colours, ..job }).unwrap().map_or(0.0, |bound| bound.value)
    };
    assert_eq!(of(vec![0, 1, 2, 0, 0, 0]), 0.0);
    // The best is 50: {0, 10} and the third with the counterfeit. By duals 0 and 10 cost 25 each.
    let one = of(vec![0, 1, 2, 0]);
    assert!((one - 50.0).abs() < 1e-3 && one <= 50.0, "{one}");
}

#[test]
fn a_bound_is_the_same_on_any_number_of_threads() {
    let points: Vec<f64> = (0..9000_u32).map(|i| f64::from(i.wrapping_mul(2_654_435_761) >> 16)).collect();
    let job = Job::of(3, points, Rule::at_least(3));
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| neighbour_bound(&job).unwrap().unwrap().value.to_bits())
    };
    assert_eq!(on(1), on(4));
}

/// Raised duals come near the optimum, where those of the nearest neighbours do not; column generation knows the optimum by another way.
#[test]
fn raising_closes_most_of_what_neighbours_leave() {
    for (seed, loss, distinct) in
        [(1, Loss::Sse, false), (2, Loss::Sse, true), (3, Loss::Ncp, false), (4, Loss::Ncp, true)]
    {
        let mixed = |i: u32| {
            f64::from(i.wrapping_add(7 * seed).wrapping_mul(2_654_435_761) >> 12) / f64::from(1 << 20)
        };
        let n = 60;
        let rule = if distinct { Rule::all_different(3) } else { Rule::at_least(3) };
        let weight = |rank: u32| Attribute { weight: 0.5, rank, ..Attribute::default() };
        let job = Job {
            loss,
            colours: (0..n).map(|i| if distinct { i % 5 } else { 0 }).collect(),
            attributes: if loss == Loss::Sse { Vec::new() } else { vec![weight(0), weight(1)] },
            budget: Budget::Effort(5.0),
            ..Job::of(2, (0..2 * n).map(mixed).collect(), rule)
        };
        let best = Job { method: ColumnGenerationOptions::default().into(), ..job.clone() };
        let optimum = solve(&best, &Ctx::silent()).unwrap();
        assert_eq!(optimum.status, Status::Optimal);
        let near = neighbour_bound(&job).unwrap().unwrap().value / optimum.loss;
        let answer = solve(&job, &Ctx::silent()).unwrap();
        let bound = answer.bound.unwrap();
        let raised = bound.value / optimum.loss;
        let closed = (raised - near) / (1.0 - near);
        assert!(closed > 0.6 && raised > 0.85 && raised <= 1.0, "{loss:?} {distinct}: {near} {raised}");
        assert_eq!(bound.proven_by.id(), "optimize.ProvenByDuals.Raised");
    }
}

#[test]
fn a_raised_bound_is_the_same_on_any_number_of_threads() {
    let points: Vec<f64> = (0..3000_u32).map(|i| f64::from(i.wrapping_mul(2_654_435_761) >> 16)).collect();
    let job = Job {
        budget: Budget::Effort(0.1),
        method: MethodName::Classic.into(),
        ..Job::of(3, points, Rule::at_least(3))
    };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| solve(&job, &Ctx::silent()).unwrap().bound.unwrap().value.to_bits())
    };
    assert_eq!(on(1), on(3));
}
