//! A construction being carried out piece by piece, so that a host can listen in between and stop it.

use std::sync::Arc;

use lookalike_model::{instance::Instance, partition::Partition, rule::Rule, settings::Construction};

use super::{
    Params, admits,
    buckets::{Bucket, partition},
    classic::Halving,
    construction::{Construction as Work, Partial},
    greedy_search::GreedySearch,
    hansen_mukherjee::HansenMukherjee,
    k_member::KMember,
    md::Md,
    mdav::Mdav,
    mondrian::{Cut, Mondrian},
    random::random,
    split_and_carry::SplitAndCarry,
    tau::Tau,
    unassigned::{Scan, Tree, prefers_tree, to_nearest_class},
    v_mdav::VMdav,
    variance_sort::variance_sort,
};
use crate::{Error, exact::loss::Priceable};

/// Points looked at in one step, about: some ten milliseconds.
const STEP: usize = 400_000;

/// All classes at one go.
struct AtOnce(Vec<Vec<u32>>);

impl Work for AtOnce {
    fn advance(&mut self, _: &Instance) -> Option<usize> {
        None
    }

    fn leave(self: Box<Self>) -> Partial {
        Partial { classes: self.0, open: Vec::new() }
    }
}

/// A construction under way. It can be left at any moment: what is in no class then is halved as in bucketization, which
/// costs O(n log n) a level and is admissible.
pub struct Building {
    work: Box<dyn Work>,
    instance: Arc<Instance>,
    rule: Rule,
    seed: u64,
}

impl Building {
    /// Begins a construction. The instance must be feasible for the rule ([`Rule::feasible`]).
    ///
    /// # Errors
    /// [`Error::Construction`] if it is not defined for this rule, loss or instance: the message names what is.
    pub fn new(
        construction: Construction,
        instance: &Arc<Instance>,
        loss: &impl Priceable,
        rule: Rule,
        seed: u64,
        params: &Params,
    ) -> Result<Self, Error> {
        admits(construction, instance, &rule)?;
        let k = rule.min_size;
        let tree = prefers_tree(instance);
        let work: Box<dyn Work> = match construction {
            Construction::Classic => Box::new(Halving::of_all(instance, rule.clone(), seed)),
            Construction::Tau => Box::new(Tau::new(instance, rule.clone(), seed)),
            Construction::Random => Box::new(AtOnce(random(instance, &rule, seed))),
            Construction::Md if tree => Box::new(Md::<Tree>::new(instance, k)),
            Construction::Md => Box::new(Md::<Scan>::new(instance, k)),
            Construction::Mdav if tree => Box::new(Mdav::<Tree>::new(instance, k)),
            Construction::Mdav => Box::new(Mdav::<Scan>::new(instance, k)),
            Construction::VMdav if tree => Box::new(VMdav::<Tree>::new(instance, k, params.v_mdav.gamma)),
            Construction::VMdav => Box::new(VMdav::<Scan>::new(instance, k, params.v_mdav.gamma)),
            Construction::HansenMukherjee => Box::new(HansenMukherjee::new(instance, loss, k)),
            Construction::VarianceSort(order) => Box::new(AtOnce(variance_sort(instance, k, order))),
            Construction::GreedySearch(order) => Box::new(GreedySearch::new(instance, loss, k, order)),
            Construction::SplitAndCarry(order, carry) => {
                Box::new(SplitAndCarry::new(instance, loss, &rule, (order, carry), &params.split_and_carry)?)
            }
            Construction::KMember => Box::new(KMember::new(instance, loss, k, seed)),
            Construction::Mondrian => Box::new(Mondrian::new(instance, k, Cut::Strict)),
            Construction::MondrianRelaxed => Box::new(Mondrian::new(instance, k, Cut::Relaxed)),
        };
        Ok(Self { work, instance: Arc::clone(instance), rule, seed })
    }

    /// Works on for some ten milliseconds, or one piece if that is longer; true when all records are in classes.
    pub fn advance(&mut self) -> bool {
        let mut looked = 0;
        while looked < STEP {
            let Some(at) = self.work.advance(&self.instance) else { return true };
            looked += at.max(1);
        }
        false
    }

    /// Partial that a time limit of their own has ended.
    #[must_use]
    pub fn cut(&self) -> usize {
        self.work.cut()
    }

    /// The partition, admissible whenever it is asked for, and the number of records that were in no class and have been
    /// put there by halving.
    #[must_use]
    pub fn finish(self) -> (Partition, usize) {
        let Partial { mut classes, open } = self.work.leave();
        let late = open.iter().flatten().map(Vec::len).sum();
        let enough = |bucket: &Bucket| {
            self.rule.distinct() || classes.is_empty() || bucket[0].len() >= self.rule.min_size
        };
        let (buckets, few): (Vec<Bucket>, Vec<Bucket>) = open.into_iter().partition(enough);
        to_nearest_class(&self.instance, few.concat().concat(), &mut classes);
        let rule = self.rule.clone();
        let mut halving = Halving::new(&self.instance, self.rule, buckets, self.seed);
        while halving.advance(&self.instance).is_some() {}
        classes.extend(Box::new(halving).leave().classes);
        (partition(&self.instance, &classes, &rule), late)
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::{
        fixtures::instance,
        loss::{Ncp, Sse},
        rule::Rule,
    };
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// Leaves every construction after every number of pieces.
    fn leave_anywhere(instance: &Arc<Instance>, loss: &impl Priceable, rule: &Rule) -> usize {
        let mut left_early = 0;
        for method in Construction::all() {
            let Ok(first) = Building::new(method, instance, loss, rule.clone(), 3, &Params::default()) else {
                continue;
            };
            let mut whole = first;
            let mut pieces = 0;
            while whole.work.advance(instance).is_some() {
                pieces += 1;
            }
            let (all, late) = whole.finish();
            assert_eq!(late, 0, "{method:?}");
            assert_eq!(all, super::super::build(method, instance, loss, rule, 3).unwrap());
            for stop in 0..pieces {
                let mut part =
                    Building::new(method, instance, loss, rule.clone(), 3, &Params::default()).unwrap();
                for _ in 0..stop {
                    assert!(part.work.advance(instance).is_some());
                }
                let (partition, late) = part.finish();
                partition.check(instance, rule).unwrap_or_else(|e| panic!("{method:?} after {stop}: {e}"));
                assert!(stop > 0 || late == instance.records(), "{method:?}");
                left_early += usize::from(late > 0);
            }
        }
        left_early
    }

    #[test]
    fn whoever_leaves_early_has_a_partition() {
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        let points: Vec<f64> = (0..140).map(|_| f64::from(rng.random_range(0..9u32))).collect();
        let plane = Arc::new(instance(2, &points, &[0; 70]));
        assert!(leave_anywhere(&plane, &Sse, &Rule::at_least(3)) > 100);
        assert!(leave_anywhere(&plane, &Ncp::default(), &Rule::at_least(5)) > 50);
        let line = Arc::new(instance(1, &points, &[0; 140]));
        assert!(leave_anywhere(&line, &Sse, &Rule::at_least(2)) > 100);
        let mut colours: Vec<u32> = (0..70).map(|i| i % 7).collect();
        // Counterfeits, which have no point.
        colours.extend([1, 2, 3, 4, 5, 6]);
        let coloured = Arc::new(instance(2, &points, &colours));
        assert!(leave_anywhere(&coloured, &Sse, &Rule::all_different(3)) > 20);
    }
}
