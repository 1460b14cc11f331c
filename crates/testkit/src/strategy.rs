//! Small random problems: points on a coarse grid, so that duplicates and ties are common.

use proptest::prelude::*;

/// Points with colours.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The records one after another, `dims` numbers each.
    pub points: Vec<f64>,
    /// Numbers a record, at least 1.
    pub dims: usize,
    /// Colour of each record; the colours that occur are 0, 1, 2, ... in order of first appearance.
    pub colours: Vec<u32>,
}

impl Instance {
    /// Number of records.
    #[must_use]
    pub fn len(&self) -> usize {
        self.colours.len()
    }

    /// Whether there is no record.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.colours.is_empty()
    }

    /// Number of colours.
    #[must_use]
    pub fn colour_count(&self) -> usize {
        self.colours.iter().max().map_or(0, |&c| c as usize + 1)
    }
}

/// Up to `most` records (at least one) in one to three dimensions on a grid of side 2 to 9, with up to six colours.
pub fn instances(most: usize) -> impl Strategy<Value = Instance> {
    let colours = prop::collection::vec(0_u32..6, 1..=most);
    (colours, 1_usize..4, 2_i32..10).prop_flat_map(|(colours, dims, side)| with_points(colours, dims, side))
}

/// As [`instances`], with at least `m` records and colours that are m-eligible: they are dealt as classes of `m` or
/// more different ones, then mixed.
///
/// # Panics
/// If `m` is 0 or exceeds `most`.
pub fn eligible_instances(m: usize, most: usize) -> impl Strategy<Value = Instance> {
    assert!(0 < m && m <= most, "m = {m} with up to {most} records");
    let palette: Vec<u32> = (0..m as u32 + 3).collect();
    let class = prop::sample::subsequence(palette, m..=most.min(m + 2)).prop_shuffle();
    let colours = prop::collection::vec(class, 1..=most / m).prop_map(move |classes| {
        // Classes that would exceed the limit are left out.
        let mut colours: Vec<u32> = Vec::new();
        for mut class in classes {
            if colours.len() + class.len() <= most {
                colours.append(&mut class);
            }
        }
        colours
    });
    (colours.prop_shuffle(), 1_usize..4, 2_i32..10)
        .prop_flat_map(|(colours, dims, side)| with_points(colours, dims, side))
}

fn with_points(colours: Vec<u32>, dims: usize, side: i32) -> impl Strategy<Value = Instance> {
    let mut seen: Vec<u32> = Vec::new();
    let mut dense = Vec::with_capacity(colours.len());
    for colour in colours {
        let code = seen.iter().position(|&c| c == colour).unwrap_or(seen.len());
        if code == seen.len() {
            seen.push(colour);
        }
        dense.push(code as u32);
    }
    prop::collection::vec((0..side).prop_map(f64::from), dims * dense.len())
        .prop_map(move |points| Instance { points, dims, colours: dense.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::best_partition_sse;

    proptest! {
        #[test]
        fn eligible_instances_can_be_partitioned(
            (m, instance) in (2_usize..5).prop_flat_map(|m| (Just(m), eligible_instances(m, 11)))
        ) {
            prop_assert!((m..=11).contains(&instance.len()));
            prop_assert_eq!(instance.points.len(), instance.len() * instance.dims);
            let best = best_partition_sse(&instance.points, instance.dims, Some(&instance.colours), m);
            prop_assert!(best.is_finite());
        }

        #[test]
        fn colours_are_dense(instance in instances(9)) {
            let used: std::collections::BTreeSet<_> = instance.colours.iter().copied().collect();
            prop_assert_eq!(used.into_iter().collect::<Vec<_>>(), (0..instance.colour_count() as u32).collect::<Vec<_>>());
            prop_assert!(!instance.is_empty());
        }
    }
}
