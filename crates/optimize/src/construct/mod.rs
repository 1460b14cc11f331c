//! Starting partitions. One file a construction; [`build`] knows them by name.

mod assignment;
mod buckets;
mod building;
mod classic;
mod construction;
mod cut;
mod enough_real;
mod greedy_search;
mod hansen_mukherjee;
mod k_member;
mod md;
mod mdav;
mod message;
mod mondrian;
pub mod params;
mod random;
mod split_and_carry;
mod stock;
mod tau;
mod unassigned;
mod unite;
mod v_mdav;
mod variance_sort;

pub use assignment::signatures;
pub use building::Building;
pub use classic::classic;
pub use cut::cut_large;
pub use message::{CarryFault, ConstructionFault};
pub use params::Params;
pub use split_and_carry::split_and_carry;
pub use unite::unite;

use std::sync::Arc;

use lookalike_model::{
    instance::Instance,
    partition::Partition,
    rule::{Condition, Rule},
    settings::Construction,
};

use crate::{Error, exact::loss::Priceable};

/// The partition of a construction, admissible for the rule. The instance must be feasible for the rule
/// ([`Rule::feasible`]).
///
/// # Errors
/// [`Error::Construction`] if it is not defined for this rule, loss or instance: the message names what is.
pub fn build<L: Priceable>(
    construction: Construction,
    instance: &Arc<Instance>,
    loss: &L,
    rule: &Rule,
    seed: u64,
) -> Result<Partition, Error> {
    build_with(construction, instance, loss, rule, seed, &Params::default())
}

/// The same with these parameters.
///
/// # Errors
/// As [`build`].
pub fn build_with<L: Priceable>(
    construction: Construction,
    instance: &Arc<Instance>,
    loss: &L,
    rule: &Rule,
    seed: u64,
    params: &Params,
) -> Result<Partition, Error> {
    let mut building = Building::new(construction, instance, loss, rule.relaxed(), seed, params)?;
    while !building.advance() {}
    Ok(unite(instance, rule, building.finish().0).0)
}

/// Checks that a construction is defined for what is asked.
///
/// # Errors
/// As [`build`].
pub fn admits(construction: Construction, instance: &Instance, rule: &Rule) -> Result<(), Error> {
    let refuse = |fault: ConstructionFault| Err(Error::from(fault));
    let name = construction.name().name();
    let coloured = matches!(construction, Construction::Classic | Construction::Tau | Construction::Random);
    for condition in &rule.conditions {
        match condition {
            Condition::Different if coloured => {}
            Condition::Different => {
                return refuse(ConstructionFault::IgnoresSensitiveValues { method: name });
            }
            // What it makes is made to keep them: `unite`.
            Condition::Values { .. } => {}
        }
    }
    if construction == Construction::Tau && !rule.distinct() {
        return refuse(ConstructionFault::NeedsSensitiveValues { method: name });
    }
    if !coloured && instance.reals < instance.records() {
        return refuse(ConstructionFault::NoCounterfeits { method: name });
    }
    let labels = !instance.categories.is_empty() || !instance.hierarchies.is_empty();
    if matches!(construction, Construction::Md | Construction::Mdav | Construction::VMdav) && labels {
        return refuse(ConstructionFault::NoCategories { method: name });
    }
    if construction == Construction::HansenMukherjee && instance.dims != 1 {
        return refuse(ConstructionFault::OneAttribute { method: name, attributes: instance.dims });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use lookalike_model::{fixtures::instance, loss::Sse, rule::Rule};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn what_is_not_defined_is_refused() {
        let line = Arc::new(instance(1, &[0., 1., 2., 3., 4.], &[0, 1, 0, 1, 0]));
        let build = |method, m: Option<usize>| match m {
            Some(m) => super::build(method, &line, &Sse, &Rule::all_different(m), 1),
            None => super::build(method, &line, &Sse, &Rule::at_least(2), 1),
        };
        for method in Construction::all() {
            let coloured = [Construction::Classic, Construction::Tau, Construction::Random].contains(&method);
            match build(method, None) {
                Ok(partition) => assert!(partition.check(&line, &Rule::at_least(2)).is_ok(), "{method:?}"),
                Err(e) => assert!(method == Construction::Tau && e.to_string().contains("sensitive"), "{e}"),
            }
            match build(method, Some(2)) {
                // Three of five have one colour: no partition exists, so only the refusal is looked at.
                Ok(_) => assert!(coloured, "{method:?}"),
                Err(e) => assert!(!coloured && e.to_string().contains("sensitive values"), "{e}"),
            }
        }
        let plane = Arc::new(instance(2, &[0.; 8], &[0; 4]));
        let why =
            super::build(Construction::HansenMukherjee, &plane, &Sse, &Rule::at_least(2), 1).unwrap_err();
        assert!(why.to_string().contains("there are 2"), "{why}");
    }

    #[test]
    fn no_two_names_stand_for_one_routine() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let points: Vec<f64> =
            (0..61).flat_map(|_| [rng.random_range(0..90), rng.random_range(0..40)]).map(f64::from).collect();
        let table = Arc::new(instance(2, &points, &[0; 61]));
        let mut seen = std::collections::BTreeMap::new();
        for method in Construction::all() {
            if let Ok(partition) = build(method, &table, &Sse, &Rule::at_least(3), 1) {
                assert!(partition.check(&table, &Rule::at_least(3)).is_ok(), "{method:?}");
                if let Some(other) = seen.insert(partition.labels, method) {
                    panic!("{method:?} gives the classes of {other:?}");
                }
            }
        }
        // All constructions but Hansen and Mukherjee's and Tau.
        assert_eq!(seen.len(), 11);
    }
}
