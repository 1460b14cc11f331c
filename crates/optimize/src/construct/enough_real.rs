//! Classes that lack real records get some from classes that can spare them.
//!
//! Two classes are shared out anew: each record is paired with the one of its colour, if both classes have that colour; and
//! beside that real records are paired with real ones and counterfeits with counterfeits, the last real one with the first counterfeit.
//! Both kinds of pairs together make paths and even cycles, whose records go to the two sides in turn. So each side has
//! different colours, and the numbers of records and of real records of the two sides differ by at most 1. Each such step lowers
//! the sum of squares of the numbers of real records, as long as one class lacks what another can spare; where not one is left that can,
//! all have what is asked for, or there are too few real records for so many classes (docs/eligibility.md).

use std::collections::BTreeSet;

use lookalike_model::{instance::Instance, rule::Rule};

/// These classes of different colours, changed so that each has `rule.min_real` real records. If there are too many classes
/// for that, the fewest that different colours allow. O(n log n).
pub(super) fn enough_real(instance: &Instance, classes: &[Vec<u32>], rule: &Rule) -> Vec<Vec<u32>> {
    let mut shared = classes.to_vec();
    if level(instance, &mut shared, rule.min_real) {
        return shared;
    }
    let mut dealt = dealt(instance);
    level(instance, &mut dealt, rule.min_real);
    dealt
}

/// Evens out poor and rich classes until the poorest has so many real records; false if that cannot be.
fn level(instance: &Instance, classes: &mut [Vec<u32>], min_real: usize) -> bool {
    let reals = |class: &Vec<u32>| class.iter().filter(|&&i| instance.is_real(i)).count();
    let mut by_reals: BTreeSet<(usize, usize)> =
        classes.iter().enumerate().map(|(at, class)| (reals(class), at)).collect();
    while let (Some(&poor), Some(&rich)) = (by_reals.first(), by_reals.last()) {
        if poor.0 >= min_real {
            return true;
        }
        if rich.0 < poor.0 + 2 {
            return false;
        }
        by_reals.remove(&poor);
        by_reals.remove(&rich);
        let [one, other] = shared(instance, &classes[poor.1], &classes[rich.1]);
        for (at, class) in [(poor.1, one), (rich.1, other)] {
            by_reals.insert((reals(&class), at));
            classes[at] = class;
        }
    }
    true
}

/// The records of two classes of different colours, shared out evenly.
fn shared(instance: &Instance, a: &[u32], b: &[u32]) -> [Vec<u32>; 2] {
    let all: Vec<u32> = a.iter().chain(b).copied().collect();
    let colour = |at: usize| instance.colours[all[at] as usize];
    let mut of_colour: Vec<usize> = (0..all.len()).collect();
    of_colour.sort_by_key(|&at| (colour(at), at));
    let mut of_sort: Vec<usize> = (0..all.len()).collect();
    of_sort.sort_by_key(|&at| (!instance.is_real(all[at]), at));
    let mut pairs = vec![[None; 2]; all.len()];
    let same = of_colour.windows(2).filter(|pair| colour(pair[0]) == colour(pair[1]));
    for (kind, pair) in same.map(|pair| (0, pair)).chain(of_sort.chunks_exact(2).map(|pair| (1, pair))) {
        pairs[pair[0]][kind] = Some(pair[1]);
        pairs[pair[1]][kind] = Some(pair[0]);
    }
    let mut side: Vec<Option<bool>> = vec![None; all.len()];
    for first in 0..all.len() {
        if side[first].is_some() {
            continue;
        }
        let mut component = Vec::new();
        let mut waiting = vec![(first, false)];
        while let Some((at, of)) = waiting.pop() {
            if side[at].is_none() {
                side[at] = Some(of);
                component.push(at);
                waiting.extend(pairs[at].iter().flatten().map(|&other| (other, !of)));
            }
        }
        // Of the two ways that which moves fewer records.
        let stays = component.iter().filter(|&&at| side[at] == Some(at >= a.len())).count();
        if 2 * stays < component.len() {
            for &at in &component {
                side[at] = side[at].map(|of| !of);
            }
        }
    }
    [false, true].map(|of| (0..all.len()).filter(|&at| side[at] == Some(of)).map(|at| all[at]).collect())
}

/// As few classes as records of the most frequent colour: the records of each colour are dealt out to one class after another.
fn dealt(instance: &Instance) -> Vec<Vec<u32>> {
    let count = instance.colour_counts().into_iter().max().unwrap_or(1).max(1);
    let mut records: Vec<u32> = (0..instance.records() as u32).collect();
    records.sort_by_key(|&i| (instance.colours[i as usize], i));
    let mut classes = vec![Vec::new(); count];
    for (at, i) in records.into_iter().enumerate() {
        classes[at % count].push(i);
    }
    classes
}

#[cfg(test)]
mod tests {
    use lookalike_model::{fixtures::instance, partition::Partition, rule::Rule};
    use proptest::prelude::*;

    use super::*;
    use crate::construct::{build, classic};
    use lookalike_model::{loss::Sse, settings::Construction};

    proptest! {
        #[test]
        fn classes_have_what_is_asked_for_wherever_counts_allow_it(
            counts in prop::collection::vec((0_usize..6, 0_usize..5), 2..7), m in 2_usize..5, real in 2_usize..5, seed: u64,
        ) {
            let colours = |of: fn(&(usize, usize)) -> usize| {
                counts.iter().zip(0_u32..).flat_map(move |(pair, c)| std::iter::repeat_n(c, of(pair))).collect::<Vec<u32>>()
            };
            let mut all = colours(|pair| pair.0);
            let reals = all.len();
            all.extend(colours(|pair| pair.1));
            let mut names = all.clone();
            names.sort_unstable();
            names.dedup();
            for colour in &mut all {
                *colour = names.binary_search(colour).unwrap() as u32;
            }
            prop_assume!(reals > 0);
            let points: Vec<f64> = (0..reals).map(|i| (i * 7 % 13) as f64).collect();
            let instance = instance(1, &points, &all);
            let rule = Rule::all_different(m).with_real(real.min(m));
            if Rule::all_different(m).feasible(&instance).is_err() {
                return Ok(());
            }
            // Counts alone: so many classes as the most frequent colour has records, each with that many people.
            let most = instance.colour_counts().into_iter().max().unwrap();
            let possible = reals >= most * rule.min_real;
            prop_assert_eq!(rule.feasible(&instance).is_ok(), possible);
            if possible {
                for construction in [Construction::Classic, Construction::Tau, Construction::Random] {
                    let partition = build(construction, &std::sync::Arc::new(instance.clone()), &Sse, &rule, seed).unwrap();
                    prop_assert!(partition.check(&instance, &rule).is_ok(), "{:?}", partition.check(&instance, &rule));
                }
                prop_assert!(classic(&instance, &rule, seed).check(&instance, &rule).is_ok());
                // One class that holds all the people it can beside others that hold few.
                let dealt = Partition::from_classes(instance.records(), &enough_real(&instance, &dealt(&instance), &rule));
                prop_assert!(dealt.check(&instance, &rule).is_ok());
            }
        }
    }
}
