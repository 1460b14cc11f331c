//! Strong components (Tarjan 1972), without recursion.

/// Not seen yet.
const NEW: u32 = u32::MAX;

/// The strong component of each node; `next` holds the nodes that each leads to.
pub(super) fn components(next: &[Vec<u32>]) -> Vec<u32> {
    let n = next.len();
    let (mut number, mut low, mut component) = (vec![NEW; n], vec![0_u32; n], vec![NEW; n]);
    let (mut open, mut path): (Vec<u32>, Vec<(u32, usize)>) = (Vec::new(), Vec::new());
    let (mut numbers, mut components) = (0, 0);
    for root in 0..n as u32 {
        if number[root as usize] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some((node, at)) = path.last_mut() {
            let here = *node as usize;
            if *at == 0 {
                (number[here], low[here]) = (numbers, numbers);
                numbers += 1;
                open.push(*node);
            }
            if let Some(&to) = next[here].get(*at) {
                *at += 1;
                if number[to as usize] == NEW {
                    path.push((to, 0));
                } else if component[to as usize] == NEW {
                    low[here] = low[here].min(number[to as usize]);
                }
                continue;
            }
            if low[here] == number[here] {
                while let Some(member) = open.pop() {
                    component[member as usize] = components;
                    if member as usize == here {
                        break;
                    }
                }
                components += 1;
            }
            path.pop();
            if let Some((before, _)) = path.last() {
                let before = *before as usize;
                low[before] = low[before].min(low[here]);
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Two nodes share a component iff each is reached from the other.
        #[test]
        fn by_reachability(edges in prop::collection::vec((0..7_u32, 0..7_u32), 0..20)) {
            let mut next = vec![Vec::new(); 7];
            let mut reached = [[false; 7]; 7];
            for (a, b) in edges {
                next[a as usize].push(b);
                reached[a as usize][b as usize] = true;
            }
            for via in 0..7 {
                reached[via][via] = true;
                for a in 0..7 {
                    for b in 0..7 {
                        reached[a][b] |= reached[a][via] && reached[via][b];
                    }
                }
            }
            let component = components(&next);
            for a in 0..7 {
                for b in 0..7 {
                    prop_assert_eq!(component[a] == component[b], reached[a][b] && reached[b][a]);
                }
            }
        }
    }
}
