//! Duals being raised, whatever their loss.

use std::sync::Arc;

use lookalike_model::{
    instance::Instance,
    job::Bound,
    loss::{Ncp, Sse},
    partition::Partition,
    proof::Duals,
    rule::Rule,
    settings::Loss as LossName,
};

use super::duals::{Allowance, DualAscent, Measure, Params};

/// Duals being raised, their loss forgotten.
pub(crate) trait Raise: Send {
    /// Goes one step; true when there is nothing left to do.
    fn advance(&mut self) -> bool;
    /// Part of the round at hand that is done.
    fn fraction(&self) -> f64;
    /// Rounds that have ended.
    fn rounds(&self) -> usize;
    /// What it has looked at.
    fn looks(&self) -> f64;
    /// The bound so far; `None` if nothing is known.
    fn bound(&self) -> Option<Bound>;
    /// Whether the bound is by boxes of centres.
    fn is_by_boxes(&self) -> bool;
    /// The duals behind the bound.
    fn duals(&self) -> Option<Duals>;
    /// So many of the classes met, by records: those of least reduced cost a record, the least one last.
    fn classes(&self, most: usize) -> Vec<Vec<u32>>;
}

impl<L: Measure> Raise for DualAscent<L> {
    fn advance(&mut self) -> bool {
        DualAscent::advance(self)
    }

    fn fraction(&self) -> f64 {
        DualAscent::fraction(self)
    }

    fn rounds(&self) -> usize {
        DualAscent::rounds(self)
    }

    fn looks(&self) -> f64 {
        DualAscent::looks(self)
    }

    fn bound(&self) -> Option<Bound> {
        DualAscent::bound(self)
    }

    fn is_by_boxes(&self) -> bool {
        DualAscent::is_by_boxes(self)
    }

    fn duals(&self) -> Option<Duals> {
        DualAscent::duals(self)
    }

    fn classes(&self, most: usize) -> Vec<Vec<u32>> {
        DualAscent::classes(self, most)
    }
}

/// Begins from the classes of a partition, to look at no more than is allowed; `None` where there is no theorem.
pub(crate) fn raise(
    instance: &Arc<Instance>,
    loss: LossName,
    rule: &Rule,
    partition: Partition,
    budget: (Allowance, &Params),
) -> Option<Box<dyn Raise>> {
    match loss {
        LossName::Sse => {
            DualAscent::new(instance, Sse, rule, partition, budget).map(|work| Box::new(work) as _)
        }
        LossName::Ncp | LossName::NcpBinary => {
            let loss = Ncp { binary: loss == LossName::NcpBinary };
            DualAscent::new(instance, loss, rule, partition, budget).map(|work| Box::new(work) as _)
        }
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::job::{Attribute, Job};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// 300 records in four attributes, in classes of five along the first.
    fn raised(loss: LossName, rule: &Rule, looks: f64, threads: usize) -> Box<dyn Raise> {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut points: Vec<[f64; 4]> = (0..300).map(|_| std::array::from_fn(|_| rng.random())).collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let colours = (0..300).map(|at| at % 7).collect();
        let attributes = vec![Attribute { weight: 0.25, ..Attribute::default() }; 4];
        let job = Job { colours, loss, attributes, ..Job::of(4, points.concat(), rule.clone()) };
        let instance = Arc::new(Instance::from_job(&job).unwrap());
        let partition = Partition { labels: (0..300).map(|at| at / 5).collect(), classes: 60 };
        let budget = (Allowance::Looks(looks), &Params::default());
        let mut work = raise(&instance, loss, rule, partition, budget).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| while !work.advance() {});
        work
    }

    #[test]
    fn no_round_passes_the_limit_and_threads_do_not_matter() {
        let mut proven = 0;
        for (loss, rule) in [
            (LossName::Ncp, Rule::at_least(5)),
            (LossName::Ncp, Rule::all_different(4)),
            (LossName::Sse, Rule::at_least(5)),
        ] {
            let mut bounds = Vec::new();
            // What is tried before a round is paid and not cut off: it may pass limits that are smaller.
            for limit in [2e7, 4e7] {
                let works = [1, 3].map(|threads| raised(loss, &rule, limit, threads));
                // Within a small limit no round may fit, and nothing is known.
                let [one, three] =
                    works.map(|work| (work.looks(), work.bound().map_or(0.0, |bound| bound.value)));
                assert_eq!(one, three, "{loss:?}");
                // What a search looks at before it can be cut off is beyond the limit at the most.
                assert!(one.0 < 1.2 * limit, "{loss:?}, {rule:?}: {one:?} of {limit}");
                bounds.push(one.1);
            }
            proven += usize::from(bounds[1] > 0.0);
        }
        assert!(proven > 0, "no round fits into any limit");
    }
}
