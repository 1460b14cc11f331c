//! Split & Carry at one go, with the sizes of its sub-problems (Liang 2020, Table 8).

use std::sync::Arc;

use lookalike_model::{instance::Instance, partition::Partition, rule::Rule, settings::SearchOptions};

use super::SplitAndCarry;
use crate::{Error, construct::construction::Construction, exact::measure::Priceable};

/// The partition, and the number of records of each sub-problem in order.
///
/// # Errors
/// [`Error::Construction`] for options that make no sub-problems, or counterfeits.
pub fn split_and_carry<L: Priceable>(
    instance: &Arc<Instance>,
    loss: &L,
    k: usize,
    options: SearchOptions,
) -> Result<(Partition, Vec<usize>), Error> {
    crate::construct::admits(lookalike_model::settings::Method::SplitAndCarry, instance, &Rule::at_least(k))?;
    let mut work = SplitAndCarry::new(instance, loss, &Rule::at_least(k), options)?;
    while work.advance(instance).is_some() {}
    Ok((Partition::from_classes(instance.records(), &work.classes), work.sizes))
}
