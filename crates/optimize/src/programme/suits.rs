//! Which jobs the general programme knows, and what it makes of them.

use lookalike_lp::general::Attribute;
use lookalike_model::{instance::Instance, rule::Rule};

use super::{Params, ProgrammeFault};
use crate::{Error, exact::loss::Priceable};

/// The programme's attributes and values, if it knows the job.
pub(super) fn suits(
    instance: &Instance,
    loss: &impl Priceable,
    rule: &Rule,
    params: &Params,
) -> Result<(Vec<Attribute>, Vec<f64>), Error> {
    let refuse = |fault: ProgrammeFault| Err(Error::Programme(fault));
    let records = instance.records();
    if rule.distinct() || instance.reals < records || instance.series.is_some() {
        return refuse(ProgrammeFault::OnlyK);
    }
    if !instance.hierarchies.is_empty() {
        return refuse(ProgrammeFault::Hierarchies);
    }
    if records > params.records {
        return refuse(ProgrammeFault::TooManyRecords { records, most: params.records });
    }
    match loss.programme(instance) {
        Some(programme) => Ok(programme),
        None => refuse(ProgrammeFault::NeedsNcp),
    }
}
