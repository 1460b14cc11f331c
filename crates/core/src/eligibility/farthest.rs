//! Which records are deleted so that the classes of the others lose little: a heuristic.

use lookalike_model::{
    instance::Instance,
    loss::{Loss as _, Sse},
    neighbours::Neighbours,
    parallel::prelude::*,
};

/// Nearest distinct points that are looked through for each record.
const WIDTH: usize = 40;

/// Records to delete, ascending: of each colour `deletions[colour]` records, those whose company is farthest.
///
/// A record's class holds at least `m - 1` others of different colours; its company are the nearest such records, and
/// their squared distances, summed, estimate what the record costs its class under SSE. The records that cost most
/// go; among equals the later ones in the instance. Distances are not computed anew while records go, and only the
/// [`WIDTH`] nearest distinct points are looked at: where these hold too few colours, the last one's distance stands
/// for the missing. O(n log n) in few dimensions.
///
/// `instance` holds real records only. The choice is no longer random: whoever knows the table can predict it.
#[must_use]
pub fn farthest_rows(instance: &Instance, deletions: &[u64], m: usize) -> Vec<usize> {
    let neighbours = Neighbours::new(instance, &Sse, WIDTH);
    let concerned = |i: &u32| deletions.get(instance.colours[*i as usize] as usize).is_some_and(|&d| d > 0);
    let candidates: Vec<u32> = (0..instance.reals as u32).filter(concerned).collect();
    let mut costs: Vec<(f64, u32)> =
        candidates.into_par_iter().map(|i| (company(instance, &neighbours, i, m), i)).collect();
    costs.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
    let mut left = deletions.to_vec();
    let mut rows = Vec::new();
    for (_, i) in costs {
        let left = &mut left[instance.colours[i as usize] as usize];
        if *left > 0 {
            *left -= 1;
            rows.push(i as usize);
        }
    }
    rows.sort_unstable();
    rows
}

/// Sum of squared distances to the nearest `m - 1` records of different colours other than its own.
fn company(instance: &Instance, neighbours: &Neighbours, i: u32, m: usize) -> f64 {
    let mut seen = vec![instance.colours[i as usize]];
    let (mut sum, mut distance) = (0.0, 0.0);
    for rank in 0..neighbours.width() {
        let members = neighbours.members(i, rank);
        let Some(&head) = members.first() else { continue };
        distance = Sse.distance(instance, i, head);
        for &j in members {
            let colour = instance.colours[j as usize];
            if !seen.contains(&colour) {
                seen.push(colour);
                sum += distance;
                if seen.len() >= m {
                    return sum;
                }
            }
        }
    }
    sum + distance * (m - seen.len()) as f64
}

#[cfg(test)]
mod tests {
    use lookalike_model::fixtures::instance;

    use super::*;

    #[test]
    fn the_lonely_go_first() {
        // Colour 0 at 0, 1, 50 and 52; colours 1 and 2 at 0 and 1, colour 1 also at 50. With m = 3 the records at 50
        // and 52 need somebody from far away; the one at 52 is farther from both.
        let points = [0., 1., 50., 52., 0., 1., 50.];
        let instance = instance(1, &points, &[0, 0, 0, 0, 1, 2, 1]);
        assert_eq!(farthest_rows(&instance, &[1, 0, 0], 3), [3]);
        assert_eq!(farthest_rows(&instance, &[2, 0, 0], 3), [2, 3]);
        // Of colour 1 the record at 50 goes.
        assert_eq!(farthest_rows(&instance, &[0, 1, 0], 3), [6]);
        assert_eq!(farthest_rows(&instance, &[0, 0, 0], 3), Vec::<usize>::new());
    }
}
