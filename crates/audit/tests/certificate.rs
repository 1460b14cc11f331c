//! Certificates against brute force over all classes and all partitions, and attempts to have a wrong one verified.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests; the lint's exception for tests covers test functions only"
)]

use lookalike_audit::certificate::{Certificate, Data, Limits, Misfit, Refusal, Rule, SubsetRow, verify};
use proptest::prelude::*;

const NODES: u64 = 1_000_000;

#[derive(Clone, Debug)]
struct Case {
    points: Vec<f64>,
    weights: Vec<f64>,
    colours: Vec<u32>,
    rule: Rule,
    duals: Vec<f64>,
    cuts: Vec<SubsetRow>,
}

impl Case {
    fn len(&self) -> usize {
        self.colours.len()
    }

    fn verify(&self, bound: f64, tolerance: f64) -> Result<f64, Refusal> {
        self.judge(&Certificate::new(self.rule, bound, tolerance, self.duals.clone(), self.cuts.clone()))
    }

    /// With an optimum that is claimed beside what the duals prove.
    fn settle(&self, optimum: f64, tolerance: f64) -> Result<f64, Refusal> {
        let duals = self.duals.clone();
        let certificate = Certificate::largest(self.rule, tolerance, Vec::new(), duals, self.cuts.clone());
        self.judge(&certificate.optimal(optimum))
    }

    fn judge(&self, certificate: &Certificate) -> Result<f64, Refusal> {
        // Through the file, as it will be.
        let certificate = Certificate::from_json(&certificate.to_json().unwrap()).unwrap();
        let data = Data { points: &self.points, weights: &self.weights, colours: Some(&self.colours) };
        verify(data, self.rule, &certificate, NODES).map(|v| v.bound)
    }

    fn members(&self, mask: u32) -> Vec<usize> {
        (0..self.len()).filter(|i| mask >> i & 1 == 1).collect()
    }

    fn is_admissible(&self, mask: u32) -> bool {
        let members = self.members(mask);
        if members.len() < self.rule.least() {
            return false;
        }
        let mut colours: Vec<u32> = members.iter().map(|&i| self.colours[i]).collect();
        colours.sort_unstable();
        colours.dedup();
        matches!(self.rule, Rule::MinSize { .. }) || colours.len() == members.len()
    }

    /// From the mean, not from pairs.
    fn cost(&self, mask: u32) -> f64 {
        let members = self.members(mask);
        let dimensions = self.weights.len();
        let along = |d: usize| {
            let values: Vec<f64> = members.iter().map(|&i| self.points[i * dimensions + d]).collect();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            self.weights[d] * values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>()
        };
        (0..dimensions).map(along).sum()
    }

    fn reduced_cost(&self, mask: u32) -> f64 {
        let duals: f64 = self.members(mask).iter().map(|&i| self.duals[i]).sum();
        let inside = |cut: &SubsetRow| {
            cut.records.iter().filter(|&&r| mask >> r & 1 == 1).count() / cut.divisor as usize
        };
        let cuts: f64 = self.cuts.iter().map(|cut| cut.sigma * inside(cut) as f64).sum();
        self.cost(mask) - duals + cuts
    }

    /// The least reduced cost of an admissible class, of any size.
    fn least_reduced_cost(&self) -> f64 {
        let classes = (1..1_u32 << self.len()).filter(|&mask| self.is_admissible(mask));
        classes.map(|mask| self.reduced_cost(mask)).fold(f64::INFINITY, f64::min)
    }

    /// The same over the classes that some partition has.
    fn least_of_partitions(&self) -> f64 {
        let best = self.best_covers();
        let all = best.len() as u32 - 1;
        let used = |mask: &u32| self.is_admissible(*mask) && best[(all ^ mask) as usize].is_finite();
        (1..=all).filter(used).map(|mask| self.reduced_cost(mask)).fold(f64::INFINITY, f64::min)
    }

    /// The least cost of a partition, infinite if there is none.
    fn optimum(&self) -> f64 {
        self.best_covers().last().copied().unwrap()
    }

    /// The least cost of a partition of each set of records, infinite if there is none: over all subsets.
    fn best_covers(&self) -> Vec<f64> {
        let all = (1_u32 << self.len()) - 1;
        let mut best = vec![f64::INFINITY; all as usize + 1];
        best[0] = 0.0;
        let cost: Vec<f64> = (0..=all)
            .map(|mask| if self.is_admissible(mask) { self.cost(mask) } else { f64::INFINITY })
            .collect();
        for mask in 1..=all {
            let first = mask & mask.wrapping_neg();
            let mut class = mask;
            while class > 0 {
                if class & first != 0 && cost[class as usize].is_finite() {
                    let total = best[(mask ^ class) as usize] + cost[class as usize];
                    best[mask as usize] = best[mask as usize].min(total);
                }
                class = (class - 1) & mask;
            }
        }
        best
    }

    fn claim(&self) -> f64 {
        let cuts: f64 =
            self.cuts.iter().map(|c| c.sigma * (c.records.len() / c.divisor as usize) as f64).sum();
        self.duals.iter().sum::<f64>() - cuts
    }

    /// Lowers duals until no class has a negative reduced cost, class after class.
    fn repair(&mut self) {
        for mask in (1..1_u32 << self.len()).filter(|&mask| self.is_admissible(mask)).collect::<Vec<_>>() {
            let members = self.members(mask);
            let excess = -self.reduced_cost(mask) / members.len() as f64;
            if excess > 0.0 {
                for i in members {
                    self.duals[i] -= excess;
                }
            }
        }
    }
}

fn coordinate() -> impl Strategy<Value = f64> {
    // Often equal, often on a line.
    prop_oneof![(0_i32..4).prop_map(f64::from), -3.0..3.0_f64]
}

fn cases(most: usize) -> impl Strategy<Value = Case> {
    (2_usize..=most, 1_usize..4, 2_usize..5, any::<bool>()).prop_flat_map(|(n, d, least, distinct)| {
        let least = least.min(n);
        let rule = if distinct { Rule::Distinct { m: least } } else { Rule::MinSize { k: least } };
        let set = prop::collection::btree_set(0..n as u32, 1..=n.min(7));
        let cut = (set, 2..=4_u32, prop_oneof![Just(0.0), 0.0..2.0_f64]).prop_map(|(set, divisor, sigma)| {
            SubsetRow { records: set.into_iter().collect(), divisor, sigma }
        });
        (
            prop::collection::vec(coordinate(), n * d),
            prop::collection::vec(0.0..2.0_f64, d),
            prop::collection::vec(0_u32..6, n),
            prop::collection::vec(-0.5..2.0_f64, n),
            prop::collection::vec(cut, 0..4),
        )
            .prop_map(move |(points, weights, colours, duals, cuts)| Case {
                points,
                weights,
                colours,
                rule,
                duals,
                cuts,
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_duals_are_judged_as_by_enumeration(case in cases(9)) {
        let verdict = case.verify(-1e6, 1e-9);
        if case.optimum().is_infinite() {
            prop_assert!(matches!(&verdict, Err(Refusal::Mismatch(_))), "{:?}", verdict);
            return Ok(());
        }
        let (least, used) = (case.least_reduced_cost(), case.least_of_partitions());
        if used < -1e-8 {
            let refused = matches!(&verdict, Err(Refusal::Negative { reduced_cost, .. }) if *reduced_cost < 0.0);
            prop_assert!(refused, "{} {:?}", least, verdict);
        }
        // Classes of 2 m or more are split, which with cuts may matter for them, but not for the bound.
        if least > 1e-12 {
            prop_assert!(verdict.is_ok(), "{} {:?}", least, verdict);
        }
    }

    #[test]
    fn what_is_verified_is_a_bound(mut case in cases(10)) {
        prop_assume!(case.optimum().is_finite());
        case.repair();
        let claim = case.claim() - 1e-7;
        let bound = case.verify(claim, 1e-9).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert!(bound >= claim);
        prop_assert!(bound <= case.optimum() + 1e-9, "{} {}", bound, case.optimum());
    }

    #[test]
    fn tampered_duals_are_refused(mut case in cases(9), at in any::<prop::sample::Index>(), much in 1e-6..1.0_f64) {
        prop_assume!(case.optimum().is_finite());
        case.repair();
        let claim = case.claim() - 1e-7;
        prop_assert!(case.verify(claim, 1e-9).is_ok());
        // The bound, without the duals.
        let more = matches!(case.verify(claim + 1e-3, 1e-9), Err(Refusal::Claim { .. }));
        prop_assert!(more);
        // One dual: refused iff a class that holds it was that tight.
        let record = at.index(case.len());
        case.duals[record] += much;
        let least = case.least_reduced_cost();
        match case.verify(claim, 1e-9) {
            Ok(_) => prop_assert!(case.least_of_partitions() > -1e-8),
            Err(Refusal::Negative { class, .. }) => {
                prop_assert!(class.contains(&(record as u32)));
                prop_assert!(least < 1e-9);
            }
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
        }
    }

    #[test]
    fn an_optimum_is_verified_and_nothing_above_it(mut case in cases(10), less in 0.0..0.3_f64) {
        prop_assume!(case.optimum().is_finite());
        case.repair();
        // Duals that prove less leave more classes to search.
        case.duals.iter_mut().for_each(|dual| *dual -= less);
        let best = case.optimum();
        let found = case.settle(best - 1e-7, 1e-9).map_err(|e| TestCaseError::fail(format!("{best}: {e}")))?;
        prop_assert!(found >= best - 1e-7 - 1e-12);
        let above = matches!(case.settle(best + 1e-6, 1e-9), Err(Refusal::Better { loss, .. }) if loss <= best + 1e-6);
        prop_assert!(above);
        // Duals that are not feasible prove no optimum.
        case.duals.iter_mut().for_each(|dual| *dual += less + 5.0);
        if case.least_of_partitions() < -1e-8 {
            let refused = matches!(case.settle(best, 1e-9), Err(Refusal::Negative { .. }));
            prop_assert!(refused);
        }
    }

    #[test]
    fn scale_does_not_matter(mut case in cases(8), exponent in -480_i32..480) {
        prop_assume!(case.optimum().is_finite());
        // Powers of two: the same problem, exactly, with squared distances down to 2^-960 and up to 2^960.
        case.repair();
        let scale = 2.0_f64.powi(exponent);
        case.points.iter_mut().for_each(|p| *p *= scale);
        let square = scale * scale;
        case.duals.iter_mut().for_each(|d| *d *= square);
        case.cuts.iter_mut().for_each(|c| c.sigma *= square);
        let claim = case.claim() - 1e-7 * square;
        prop_assert!(case.verify(claim, 1e-9 * square).is_ok());
        case.duals.iter_mut().for_each(|d| *d += 10.0 * square);
        if case.least_of_partitions() < -1e-8 * square {
            let refused = matches!(case.verify(claim, 1e-9 * square), Err(Refusal::Negative { .. }));
            prop_assert!(refused);
        }
    }
}

/// Two pairs on a line: 0 and 1, 10 and 11; each costs 1/2.
fn two_pairs() -> Case {
    Case {
        points: vec![0.0, 1.0, 10.0, 11.0],
        weights: vec![1.0],
        colours: vec![0, 1, 0, 1],
        rule: Rule::MinSize { k: 2 },
        duals: vec![0.25; 4],
        cuts: Vec::new(),
    }
}

#[test]
fn a_reduced_cost_of_zero_needs_the_tolerance() {
    let mut case = two_pairs();
    assert!(case.verify(1.0 - 1e-8, 1e-9).unwrap() > 1.0 - 1e-8);
    // Rounded outward, 0 is not known to be at least 0.
    assert!(matches!(case.verify(0.5, 0.0), Err(Refusal::Negative { .. })));
    // Nor is the sum known to reach what it is exactly.
    assert!(matches!(case.verify(1.0, 1e-9), Err(Refusal::Claim { .. })));
    // What the tolerance gives away is taken off the bound: here for two classes.
    assert!(case.verify(0.0, 0.2).unwrap() <= 0.6);
    case.duals = vec![0.25 + f64::EPSILON; 4];
    assert!(matches!(case.verify(0.5, f64::EPSILON / 4.0), Err(Refusal::Negative { .. })));
}

#[test]
fn colours_forbid_classes() {
    // With colours a, a, b, b the near pairs are forbidden: 0 with 10 and 1 with 11 cost 50 each.
    let mut case = two_pairs();
    case.colours = vec![0, 0, 1, 1];
    case.duals = vec![24.0, 24.0, 18.0, 18.0];
    assert!(matches!(case.verify(80.0, 1e-9), Err(Refusal::Negative { .. })));
    case.rule = Rule::Distinct { m: 2 };
    // The cheapest pair, 1 and 10, costs 40.5; 24 + 18 = 42 is too much, 22 + 18 = 40 is not.
    assert!(matches!(case.verify(80.0, 1e-9), Err(Refusal::Negative { class, .. }) if class == [1, 2]));
    case.duals = vec![22.0, 22.0, 18.0, 18.0];
    assert!(case.verify(79.9, 1e-9).is_ok());
}

#[test]
fn an_odd_set_lifts_the_bound() {
    // Three records in one place, k = 2: every class costs nothing, so duals of 1 need a sigma that pays for the pairs and
    // for all three.
    let mut case = two_pairs();
    case.points = vec![0.0, 0.0, 0.0];
    case.colours = vec![0; 3];
    case.duals = vec![1.0; 3];
    case.cuts = vec![SubsetRow { records: vec![0, 1, 2], divisor: 2, sigma: 2.0 }];
    // All three together: - 3 + 2 < 0.
    assert!(matches!(case.verify(0.0, 1e-9), Err(Refusal::Negative { class, .. }) if class == [0, 1, 2]));
    case.cuts[0].sigma = 3.0;
    assert!(case.verify(-1e-6, 1e-9).unwrap() <= 0.0);
    // A set that holds a record twice would count its pairs too often.
    case.cuts[0].records = vec![0, 1, 1];
    assert!(matches!(case.verify(-1e-6, 1e-9), Err(Refusal::Mismatch(_))));
}

#[test]
fn an_exhausted_budget_verifies_nothing() {
    let case = two_pairs();
    let certificate = Certificate::new(case.rule, 0.5, 1e-9, case.duals.clone(), Vec::new());
    let data = Data { points: &case.points, weights: &case.weights, colours: None };
    let needed = verify(data, case.rule, &certificate, NODES).unwrap().nodes;
    assert!(verify(data, case.rule, &certificate, needed).is_ok());
    assert_eq!(verify(data, case.rule, &certificate, needed - 1), Err(Refusal::Budget(needed - 1)));
}

/// Records on a line, with duals so large that their classes have to be searched, but none is too cheap.
fn line(records: u32) -> Case {
    let of = |x: f64| (0..records).map(|_| x).collect();
    Case {
        points: (0..records).map(f64::from).collect(),
        weights: vec![1.0],
        colours: vec![0; records as usize],
        rule: Rule::MinSize { k: 4 },
        duals: of(1.2),
        cuts: Vec::new(),
    }
}

fn nodes(case: &Case) -> u64 {
    let certificate = Certificate::new(case.rule, 0.0, 1e-9, case.duals.clone(), case.cuts.clone());
    let data = Data { points: &case.points, weights: &case.weights, colours: None };
    verify(data, case.rule, &certificate, NODES).unwrap().nodes
}

/// A certificate may come from anyone: the looks at its cuts are work as well, or a budget would allow minutes of it.
#[test]
fn cuts_count_as_work() {
    let mut case = line(60);
    let without = nodes(&case);
    let all = SubsetRow { records: (0..60).collect(), divisor: 2, sigma: 0.0 };
    case.cuts = vec![all; 20_000];
    let with = nodes(&case);
    assert!(with > 20 * without, "{without} {with}");
}

#[test]
fn a_verification_that_is_stopped_verifies_nothing() {
    let case = line(300);
    let certificate = Certificate::new(case.rule, 0.0, 1e-9, case.duals.clone(), Vec::new());
    let data = Data { points: &case.points, weights: &case.weights, colours: None };
    assert!(nodes(&case) > 1_000);
    let limits = |stop| Limits { nodes: NODES, stop };
    assert_eq!(verify(data, case.rule, &certificate, limits(&|| true)), Err(Refusal::Stopped));
    assert!(verify(data, case.rule, &certificate, limits(&|| false)).is_ok());
}

#[test]
fn what_does_not_fit_is_refused() {
    let case = two_pairs();
    let refused = |change: &dyn Fn(&mut Case)| {
        let mut other = case.clone();
        change(&mut other);
        matches!(other.verify(0.5, 1e-9), Err(Refusal::Mismatch(_)))
    };
    assert!(!refused(&|_| {}));
    assert!(refused(&|c| c.points[0] = f64::NAN));
    assert!(refused(&|c| c.points[0] = f64::INFINITY));
    assert!(refused(&|c| c.points[0] = 1e200));
    assert!(refused(&|c| c.weights[0] = -1.0));
    assert!(refused(&|c| c.weights = Vec::new()));
    assert!(refused(&|c| c.points.truncate(3)));
    assert!(refused(&|c| c.colours.truncate(3)));
    assert!(refused(&|c| c.rule = Rule::MinSize { k: 1 }));
    assert!(refused(&|c| c.rule = Rule::MinSize { k: 5 }));
    assert!(refused(&|c| c.cuts = vec![SubsetRow { records: vec![9], divisor: 2, sigma: 1.0 }]));
    assert!(refused(&|c| c.cuts = vec![SubsetRow { records: vec![0], divisor: 2, sigma: -1.0 }]));
    assert!(refused(&|c| c.cuts = vec![SubsetRow { records: vec![0], divisor: 0, sigma: 1.0 }]));
    assert!(refused(&|c| c.cuts = vec![SubsetRow { records: vec![0, 1], divisor: 1, sigma: 1.0 }]));
    assert!(matches!(case.verify(0.5, -1.0), Err(Refusal::Mismatch(_))));

    let data = Data { points: &case.points, weights: &case.weights, colours: None };
    let certificate = Certificate::new(case.rule, 0.5, 1e-9, case.duals.clone(), Vec::new());
    for rule in [Rule::MinSize { k: 3 }, Rule::Distinct { m: 2 }] {
        assert!(matches!(verify(data, rule, &certificate, NODES), Err(Refusal::Mismatch(_))));
    }
    let distinct = Certificate::new(Rule::Distinct { m: 2 }, 0.5, 1e-9, case.duals.clone(), Vec::new());
    assert!(matches!(verify(data, distinct.rule, &distinct, NODES), Err(Refusal::Mismatch(_))));

    // Classes so large that the distances of all records to their partners are more than memory should hold.
    let points = vec![0.0; 20_000];
    let data = Data { points: &points, weights: &[1.0], colours: None };
    let large = Certificate::new(Rule::MinSize { k: 10_000 }, 0.0, 0.0, points.clone(), Vec::new());
    let refused = verify(data, large.rule, &large, NODES);
    assert!(
        matches!(refused, Err(Refusal::Mismatch(Misfit::TooMany { partners: 19_998, .. }))),
        "{refused:?}"
    );
}

#[test]
fn the_file_says_first_that_it_is_private() {
    let cuts = vec![SubsetRow { records: vec![0, 1, 3], divisor: 2, sigma: 0.1 }];
    let duals = vec![0.1 + 0.2, -1e-300, f64::MAX, 1.0 / 3.0];
    let certificate = Certificate::new(Rule::Distinct { m: 2 }, 1.5, 1e-9, duals, cuts);
    let text = certificate.to_json().unwrap();
    assert!(text.starts_with("{\"do not publish\":"), "{text}");
    assert_eq!(Certificate::from_json(&text).unwrap(), certificate);
    for (old, new) in [
        ("\"version\":1", "\"version\":2"),
        ("lookalike-certificate", "another"),
        ("\"tolerance\":", "\"tolerances\":"),
        ("distinct", "close"),
    ] {
        let other = text.replace(old, new);
        assert_ne!(other, text);
        assert!(matches!(Certificate::from_json(&other), Err(Refusal::Unreadable(_))), "{old}");
    }
    let nan = Certificate::new(Rule::MinSize { k: 2 }, f64::NAN, 0.0, vec![], vec![]);
    assert!(matches!(nan.to_json(), Err(Refusal::Unreadable(_))));
}

/// How many nodes a check takes, and what it finds, does not depend on the number of threads.
#[test]
fn threads_change_nothing() {
    let records = 300_u32;
    let points: Vec<f64> = (0..records).map(|i| f64::from(i * 37 % 1009)).collect();
    let data = Data { points: &points, weights: &[1.0], colours: None };
    let rule = Rule::MinSize { k: 3 };
    // What the two nearest of a record prove, times a little: the second is false.
    for (factor, holds) in [(1.0, true), (7.0, false)] {
        let dual = |i: usize| {
            let mut apart: Vec<f64> = points.iter().map(|x| (x - points[i]) * (x - points[i])).collect();
            apart.sort_by(f64::total_cmp);
            factor * apart[1..3].iter().sum::<f64>() / 6.0
        };
        let duals: Vec<f64> = (0..points.len()).map(dual).collect();
        let bound = duals.iter().sum::<f64>() * (1.0 - 1e-6);
        let certificate = Certificate::new(rule, bound, 1e-9, duals, Vec::new());
        let checked = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| verify(data, rule, &certificate, NODES))
        };
        let one = checked(1);
        assert_eq!(one.is_ok(), holds, "{one:?}");
        for threads in 2..=4 {
            match (&one, checked(threads)) {
                (Ok(one), Ok(other)) => assert_eq!(*one, other),
                (Err(_), Err(_)) => {}
                (one, other) => panic!("{one:?} {other:?}"),
            }
        }
    }
}
