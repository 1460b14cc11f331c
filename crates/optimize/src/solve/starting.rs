//! The constructions of a plan, carried out piece by piece; the best is what the searches start from.

use std::sync::Arc;

use lookalike_model::{
    instance::Instance, loss::Loss, partition::Partition, rule::Rule, settings::Construction,
};

use super::Unfit;
use crate::{
    Error,
    construct::{Building, Params, cut_large, unite},
    exact::loss::Priceable,
};

/// The best construction so far.
pub(super) struct Best {
    pub(super) loss: f64,
    pub(super) construction: Construction,
    pub(super) partition: Partition,
    /// Records that it had in no class when it was stopped.
    pub(super) late: usize,
    /// Unions of classes that its conditions on values took.
    pub(super) united: usize,
    /// Parts of all constructions that a time limit of their own has ended.
    pub(super) cut: usize,
}

/// Constructions under way.
pub(super) struct Starting {
    instance: Arc<Instance>,
    rule: Rule,
    seed: u64,
    params: Params,
    following: std::vec::IntoIter<Construction>,
    current: Option<(Construction, Building)>,
    best: Option<Best>,
    cut: usize,
}

impl Starting {
    /// Begins the first of some constructions; all of them must be defined for the job.
    pub(super) fn new(
        instance: &Arc<Instance>,
        loss: &impl Priceable,
        rule: Rule,
        (constructions, params): (&[Construction], &Params),
        seed: u64,
    ) -> Result<Self, Error> {
        let mut starting = Self {
            instance: Arc::clone(instance),
            rule,
            seed,
            params: params.clone(),
            following: Vec::from(constructions).into_iter(),
            current: None,
            best: None,
            cut: 0,
        };
        starting.next(loss)?;
        Ok(starting)
    }

    /// What is being made, while something is.
    pub(super) fn construction(&self) -> Option<Construction> {
        self.current.as_ref().map(|c| c.0)
    }

    /// One step of some ten milliseconds; true when all constructions are made.
    pub(super) fn advance(&mut self, loss: &impl Priceable) -> Result<bool, Error> {
        if let Some((construction, mut building)) = self.current.take() {
            if building.advance() {
                self.keep(construction, building, loss)?;
                self.next(loss)?;
            } else {
                self.current = Some((construction, building));
            }
        }
        Ok(self.current.is_none())
    }

    /// The best so far. A construction that is under way is dropped if another is made already; else what it has in no
    /// class is put there in a fast way.
    pub(super) fn leave(mut self, loss: &impl Loss) -> Result<Best, Error> {
        if self.best.is_none()
            && let Some((construction, building)) = self.current.take()
        {
            self.keep(construction, building, loss)?;
        }
        let cut = self.cut;
        let best = self.best.map(|best| Best { cut, ..best });
        best.ok_or(Error::Unfit(Unfit::NoConstruction))
    }

    fn next(&mut self, loss: &impl Priceable) -> Result<(), Error> {
        if let Some(construction) = self.following.next() {
            let building = Building::new(
                construction,
                &self.instance,
                loss,
                self.rule.relaxed(),
                self.seed,
                &self.params,
            )?;
            self.current = Some((construction, building));
        }
        Ok(())
    }

    fn keep(
        &mut self,
        construction: Construction,
        building: Building,
        loss: &impl Loss,
    ) -> Result<(), Error> {
        self.cut += building.cut();
        let (partition, late) = building.finish();
        let (partition, united) = unite(&self.instance, &self.rule, partition);
        partition.check(&self.instance, &self.rule)?;
        let value = partition.loss(&self.instance, loss);
        if self.best.as_ref().is_none_or(|best| value < best.loss) {
            self.best = Some(Best { loss: value, construction, partition, late, united, cut: 0 });
        }
        Ok(())
    }
}

impl Best {
    /// Cuts classes above the rule's largest, which no search needs.
    pub(super) fn cut(&mut self, instance: &Instance, loss: &impl Loss, rule: &Rule) {
        let whole = std::mem::replace(&mut self.partition, Partition { labels: Vec::new(), classes: 0 });
        self.partition = cut_large(instance, rule, whole);
        self.loss = self.partition.loss(instance, loss);
    }
}
