//! Split & Carry at one go, with the sizes of its sub-problems (Liang 2020, Table 8).

use std::sync::Arc;

use lookalike_model::{
    instance::Instance,
    partition::Partition,
    rule::Rule,
    settings::{self, CarryOptions, SortOrder},
};

use super::{Params, SplitAndCarry};
use crate::{Error, construct::construction::Construction, exact::loss::Priceable};

/// The partition, and the number of records of each sub-problem in order.
///
/// # Errors
/// [`Error::Construction`] for options that make no sub-problems, or counterfeits.
pub fn split_and_carry<L: Priceable>(
    instance: &Arc<Instance>,
    loss: &L,
    k: usize,
    order: SortOrder,
    carry: CarryOptions,
) -> Result<(Partition, Vec<usize>), Error> {
    let asked = settings::Construction::SplitAndCarry(order, carry);
    crate::construct::admits(asked, instance, &Rule::at_least(k))?;
    let mut work =
        SplitAndCarry::new(instance, loss, &Rule::at_least(k), (order, carry), &Params::default())?;
    while work.advance(instance).is_some() {}
    Ok((Partition::from_classes(instance.records(), &work.classes), work.sizes))
}
