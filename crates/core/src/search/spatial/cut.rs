//! Space cut into blocks that hold whole classes.

use crate::instance::Instance;

/// Classes in blocks of at most `most` records, or of one class: a k-d tree over the classes' centroids, whose cuts leave
/// `part` of the classes below them.
pub(super) fn blocks(
    instance: &Instance,
    classes: Vec<Vec<u32>>,
    part: f64,
    most: usize,
) -> Vec<Vec<Vec<u32>>> {
    let centre = |class: &Vec<u32>| -> Vec<f64> {
        let reals: Vec<u32> = class.iter().copied().filter(|&i| instance.is_real(i)).collect();
        let mean = |j| reals.iter().map(|&i| instance.coordinate(i, j)).sum::<f64>();
        (0..instance.dims).map(|j| mean(j) / reals.len().max(1) as f64).collect()
    };
    let placed: Vec<(Vec<f64>, Vec<u32>)> = classes.into_iter().map(|c| (centre(&c), c)).collect();
    let (mut open, mut blocks) = (vec![placed], Vec::new());
    while let Some(mut block) = open.pop() {
        let records: usize = block.iter().map(|b| b.1.len()).sum();
        if records <= most || block.len() < 2 {
            blocks.push(block.into_iter().map(|b| b.1).collect());
            continue;
        }
        let extent = |j: usize| {
            let values = block.iter().map(|b| b.0[j]);
            let (low, high) =
                values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
            high - low
        };
        let extents: Vec<f64> = (0..instance.dims).map(extent).collect();
        let axis = (0..extents.len()).fold(0, |a, b| if extents[b] > extents[a] { b } else { a });
        let at = ((block.len() as f64 * part) as usize).clamp(1, block.len() - 1);
        // Classes differ in their first record, so the order is complete.
        block.select_nth_unstable_by(at, |a, b| a.0[axis].total_cmp(&b.0[axis]).then(a.1[0].cmp(&b.1[0])));
        let high = block.split_off(at);
        open.extend([high, block]);
    }
    blocks
}
