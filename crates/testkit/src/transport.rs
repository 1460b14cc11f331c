//! The cheapest way to move one distribution onto another, by augmenting along shortest paths: nothing is assumed of the distances.

/// The least cost of moving `from` onto `to`, whole numbers of the same sum, where a unit from place `i` to place `j` costs `cost(i, j)`.
#[must_use]
pub fn transport(from: &[i128], to: &[i128], cost: impl Fn(usize, usize) -> i128) -> i128 {
    let n = from.len();
    let (mut left, mut open) = (from.to_vec(), to.to_vec());
    let mut flow = vec![vec![0_i128; n]; n];
    let mut total = 0;
    while left.iter().any(|&more| more > 0) {
        // Sources are 0..n, targets n..2n.
        let mut best: Vec<(i128, Option<usize>)> = vec![(i128::MAX, None); 2 * n];
        for (i, &more) in left.iter().enumerate() {
            if more > 0 {
                best[i].0 = 0;
            }
        }
        for _ in 0..2 * n {
            for i in 0..n {
                for j in 0..n {
                    if best[i].0 < i128::MAX && best[i].0 + cost(i, j) < best[n + j].0 {
                        best[n + j] = (best[i].0 + cost(i, j), Some(i));
                    }
                    if flow[i][j] > 0 && best[n + j].0 < i128::MAX && best[n + j].0 - cost(i, j) < best[i].0 {
                        best[i] = (best[n + j].0 - cost(i, j), Some(n + j));
                    }
                }
            }
        }
        let Some(end) = (0..n).filter(|&j| open[j] > 0).min_by_key(|&j| best[n + j].0) else { break };
        let mut path = vec![n + end];
        while let Some(before) = best[path[path.len() - 1]].1 {
            path.push(before);
        }
        let start = path[path.len() - 1];
        let back = |pair: &[usize]| (pair[1] >= n).then(|| flow[pair[0]][pair[1] - n]);
        let units = path.windows(2).filter_map(back).fold(left[start].min(open[end]), i128::min);
        for pair in path.windows(2) {
            if pair[1] < n {
                flow[pair[1]][pair[0] - n] += units;
            } else {
                flow[pair[0]][pair[1] - n] -= units;
            }
        }
        left[start] -= units;
        open[end] -= units;
        total += units * best[n + end].0;
    }
    total
}
