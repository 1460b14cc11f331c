//! Space cut into blocks that hold whole classes.

use lookalike_model::instance::Instance;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Classes in blocks of at most `most` records, or of one class: a tree over the classes' centroids, each of whose cuts
/// runs across a direction drawn anew and leaves `part` of the classes below it.
///
/// Along a single attribute many centroids are equal (half of all classes are of one sex), and a cut among equal ones would
/// tear neighbours apart all over space. Drawn directions also make the boundaries of rounds cross each other.
pub(super) fn blocks(
    instance: &Instance,
    classes: Vec<Vec<u32>>,
    part: f64,
    most: usize,
    rng: &mut ChaCha8Rng,
) -> Vec<Vec<Vec<u32>>> {
    let centre = |class: &Vec<u32>| -> Vec<f64> {
        let reals: Vec<u32> = class.iter().copied().filter(|&i| instance.is_real(i)).collect();
        let mean = |j| reals.iter().map(|&i| instance.coordinate(i, j)).sum::<f64>();
        (0..instance.dims).map(|j| mean(j) / reals.len().max(1) as f64).collect()
    };
    let placed: Vec<Placed> =
        classes.into_iter().map(|class| Placed { centre: centre(&class), at: 0.0, class }).collect();
    let (mut open, mut blocks) = (vec![placed], Vec::new());
    while let Some(mut block) = open.pop() {
        let records: usize = block.iter().map(|placed| placed.class.len()).sum();
        if records <= most || block.len() < 2 {
            blocks.push(block.into_iter().map(|placed| placed.class).collect());
            continue;
        }
        let direction: Vec<f64> = (0..instance.dims).map(|_| rng.random_range(-1.0..1.0)).collect();
        for placed in &mut block {
            placed.at = placed.centre.iter().zip(&direction).map(|(x, d)| x * d).sum();
        }
        let middle = ((block.len() as f64 * part) as usize).clamp(1, block.len() - 1);
        // Classes differ in their first record, so the order is complete.
        block.select_nth_unstable_by(middle, |a, b| a.at.total_cmp(&b.at).then(a.class[0].cmp(&b.class[0])));
        let high = block.split_off(middle);
        open.extend([high, block]);
    }
    blocks
}

/// A class and where it stands.
struct Placed {
    centre: Vec<f64>,
    /// Place along the direction of the cut.
    at: f64,
    class: Vec<u32>,
}

#[cfg(test)]
mod tests {
    use lookalike_model::fixtures::instance;
    use proptest::prelude::*;
    use rand::SeedableRng;

    use super::*;

    proptest! {
        #[test]
        fn every_class_is_in_one_block_and_blocks_are_small(
            rows in prop::collection::vec((0i8..2, -40i8..40), 4..120), most in 4usize..40, seed in any::<u64>(),
        ) {
            let points: Vec<f64> = rows.iter().flat_map(|r| [f64::from(r.0), f64::from(r.1)]).collect();
            let instance = instance(2, &points, &vec![0; rows.len()]);
            let all: Vec<u32> = (0..rows.len() as u32).collect();
            let classes: Vec<Vec<u32>> = all.chunks(3).map(<[u32]>::to_vec).collect();
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let found = blocks(&instance, classes.clone(), 0.4, most, &mut rng);
            for block in &found {
                prop_assert!(block.iter().map(Vec::len).sum::<usize>() <= most);
            }
            let mut together: Vec<Vec<u32>> = found.into_iter().flatten().collect();
            together.sort_unstable();
            prop_assert_eq!(together, classes);
        }
    }

    #[test]
    fn neighbours_are_cut_apart_along_one_line_only() {
        // One attribute has two values, the other many: pairs of equal records in classes of their own.
        let points: Vec<f64> =
            (0..400u32).flat_map(|i| [f64::from(i & 1), f64::from(i / 4) / 100.0]).collect();
        let instance = instance(2, &points, &vec![0; 400]);
        let classes: Vec<Vec<u32>> = (0..400).map(|i| vec![i]).collect();
        for seed in 0..20 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let found = blocks(&instance, classes.clone(), 0.5, 200, &mut rng);
            let low: Vec<u32> = found[0].iter().map(|class| class[0]).collect();
            // Equal points are on one side, but for those that the middle falls among.
            let torn = (0..400).filter(|i| i & 2 == 0 && low.contains(i) != low.contains(&(i + 2))).count();
            assert!(torn <= 1, "{torn}");
        }
    }
}
