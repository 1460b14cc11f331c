//! The order in which rows are eliminated: nested dissection by breadth-first levels (George 1973), so that rows without
//! a common class stay apart in the factor and its tiles stay zero.

use super::programme::Programme;

/// Parts up to this size are not cut further.
const LEAF: usize = 96;

/// Rows in the order of elimination.
pub(super) fn dissect(programme: &Programme) -> Vec<usize> {
    let neighbours = neighbours(programme);
    let all: Vec<usize> = (0..neighbours.len()).collect();
    let mut part = vec![0_u32; neighbours.len()];
    let mut next = 1;
    let mut order = Vec::with_capacity(neighbours.len());
    // Filled from the back: separators come last, so what is pushed first ends last.
    let mut open = vec![(all, 0_u32)];
    while let Some((rows, id)) = open.pop() {
        let split = if rows.len() > LEAF { split(&neighbours, &rows, &part, id) } else { None };
        let Some((left, separator, right)) = split else {
            order.extend(rows.iter().rev());
            continue;
        };
        order.extend(separator.iter().rev());
        for &row in &separator {
            part[row] = u32::MAX;
        }
        for half in [left, right] {
            for &row in &half {
                part[row] = next;
            }
            open.push((half, next));
            next += 1;
        }
    }
    order.reverse();
    order
}

/// Rows that share a column.
fn neighbours(programme: &Programme) -> Vec<Vec<usize>> {
    let len = programme.b.len();
    let mut shared = vec![false; len * len];
    for column in programme.columns() {
        for &(a, _) in column {
            for &(b, _) in column {
                shared[a as usize * len + b as usize] = a != b;
            }
        }
    }
    shared.chunks_exact(len).map(|row| (0..len).filter(|&i| row[i]).collect()).collect()
}

/// Two halves without a common neighbour, and what separates them.
type Split = (Vec<usize>, Vec<usize>, Vec<usize>);

/// Splits a part; `None` if it is too dense for it.
fn split(neighbours: &[Vec<usize>], rows: &[usize], part: &[u32], id: u32) -> Option<Split> {
    // From an end of a long path: the row reached last from the row reached last.
    let end = levels(neighbours, rows[0], part, id).last()?.0;
    let reached = levels(neighbours, end, part, id);
    let mut level_of = vec![u32::MAX; neighbours.len()];
    for &(row, level) in &reached {
        level_of[row] = level;
    }
    let side = |test: &dyn Fn(u32) -> bool| -> Vec<usize> {
        rows.iter().copied().filter(|&r| test(level_of[r])).collect()
    };
    if reached.len() < rows.len() {
        return Some((side(&|l| l != u32::MAX), Vec::new(), side(&|l| l == u32::MAX)));
    }
    let deepest = reached.last()?.1;
    if deepest < 2 {
        return None;
    }
    // The smallest level with a third of the rows on either side, or else the middle one.
    let mut size = vec![0_usize; deepest as usize + 1];
    for &(_, level) in &reached {
        size[level as usize] += 1;
    }
    let before = |level: u32| size[..level as usize].iter().sum::<usize>();
    let balanced =
        |&level: &u32| before(level) >= rows.len() / 3 && rows.len() - before(level + 1) >= rows.len() / 3;
    let middle = reached[rows.len() / 2].1.clamp(1, deepest - 1);
    let level = (1..deepest).filter(balanced).min_by_key(|&l| size[l as usize]).unwrap_or(middle);
    // Of that level only what touches the next one separates.
    let touches = |row: &usize| neighbours[*row].iter().any(|&n| level_of[n] == level + 1);
    let (separator, inner): (Vec<usize>, Vec<usize>) = side(&|l| l == level).into_iter().partition(touches);
    let mut near = side(&|l| l < level);
    near.extend(inner);
    Some((near, separator, side(&|l| l > level)))
}

/// What is reached from `start` within a part, as (row, level), nearest first.
fn levels(neighbours: &[Vec<usize>], start: usize, part: &[u32], id: u32) -> Vec<(usize, u32)> {
    let mut seen = vec![false; neighbours.len()];
    seen[start] = true;
    let mut reached = vec![(start, 0)];
    let mut head = 0;
    while let Some(&(row, level)) = reached.get(head) {
        head += 1;
        for &next in neighbours[row].iter().filter(|&&n| part[n] == id) {
            if !seen[next] {
                seen[next] = true;
                reached.push((next, level + 1));
            }
        }
    }
    reached
}
