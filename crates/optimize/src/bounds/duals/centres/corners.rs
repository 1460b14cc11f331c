//! A box of centres, and what classes with a centre in it cost at the least.

use std::ops::Range;

use super::flat::{AXES, Flat, Point, apart};

/// A box of centres, and whose classes may have theirs in it.
pub(super) struct Cell {
    pub(super) middle: Point,
    /// Halves of the sides.
    pub(super) half: Point,
    /// Kinds that can be in a best class with a centre in it, by colours.
    pub(super) others: Vec<u32>,
    /// Kinds whose best class may have its centre in it, and no class of theirs in it has a lower mean reduced cost.
    pub(super) of: Vec<(u32, f64)>,
}

/// What is searched.
pub(super) struct Question<'a> {
    pub(super) flat: &'a Flat,
    pub(super) colours: &'a [u32],
    pub(super) duals: &'a [f64],
    pub(super) sizes: Range<usize>,
}

/// A class that was met: the least mean reduced cost of a kind in a cell, and the others of it.
pub(super) struct Met {
    pub(super) kind: u32,
    pub(super) mean: f64,
    pub(super) others: Vec<u32>,
}

/// What a cell says.
pub(super) struct Judged {
    /// Better classes than were known.
    pub(super) met: Vec<Met>,
    /// The same cell with what may still matter of it.
    pub(super) left: Cell,
    /// What is settled: no class of the kind with its centre here has a lower mean reduced cost.
    pub(super) settled: Vec<(u32, f64)>,
    /// Records that were looked at.
    pub(super) looks: u64,
}

/// The mean reduced cost of a class that was not known, and the others of it.
type Better = (f64, Vec<u32>);

/// The best kind of a colour at a centre.
#[derive(Clone, Copy)]
struct Best {
    value: f64,
    kind: u32,
    colour: u32,
}

impl Cell {
    /// The square of half a diagonal.
    fn radius2(&self) -> f64 {
        self.half.iter().map(|h| h * h).sum()
    }

    /// The product of its sides, but for those of no length.
    pub(super) fn volume(&self) -> f64 {
        self.half.iter().filter(|half| **half > 0.0).map(|half| 2.0 * half).product()
    }

    /// Both halves, across the longest side.
    pub(super) fn halves(self) -> [Self; 2] {
        let longest =
            (0..AXES).fold(0, |best, axis| if self.half[axis] > self.half[best] { axis } else { best });
        let mut half = self.half;
        half[longest] /= 2.0;
        let middle = |sign: f64| {
            let mut middle = self.middle;
            middle[longest] += sign * half[longest];
            middle
        };
        let lower = Self { middle: middle(-1.0), half, others: self.others.clone(), of: self.of.clone() };
        [lower, Self { middle: middle(1.0), half, others: self.others, of: self.of }]
    }

    fn corners(&self) -> impl Iterator<Item = Point> + '_ {
        let wide = (0..AXES).filter(|&axis| self.half[axis] > 0.0).count();
        (0..1_usize << wide).map(|signs| {
            let (mut corner, mut at) = (self.middle, 0);
            for (x, half) in corner.iter_mut().zip(&self.half).filter(|(_, half)| **half > 0.0) {
                *x += if signs >> at & 1 == 1 { *half } else { -half };
                at += 1;
            }
            corner
        })
    }

    /// Keeps of each colour the kinds that may be its best somewhere in the cell: |x - c|^2 less |c|^2 is linear in c.
    fn narrow(&mut self, question: &Question<'_>) {
        let Question { flat, colours, duals, .. } = question;
        let (middle, half) = (self.middle, self.half);
        let value = |kind: u32| apart(&flat.points[kind as usize], &middle) - duals[kind as usize];
        let spread = |kind: u32| -> f64 {
            let point = &flat.points[kind as usize];
            (0..AXES).map(|axis| 2.0 * half[axis] * (point[axis] - middle[axis]).abs()).sum()
        };
        let ends: Vec<(f64, f64)> = self.others.iter().map(|&kind| (value(kind), spread(kind))).collect();
        let (mut kept, mut from) = (0, 0);
        while from < self.others.len() {
            let colour = colours[self.others[from] as usize];
            let to = from + self.others[from..].partition_point(|&kind| colours[kind as usize] <= colour);
            let least =
                ends[from..to].iter().map(|(value, spread)| value + spread).fold(f64::INFINITY, f64::min);
            for (at, (value, spread)) in (from..to).zip(&ends[from..to]) {
                if value - spread <= least {
                    self.others[kept] = self.others[at];
                    kept += 1;
                }
            }
            from = to;
        }
        self.others.truncate(kept);
    }

    /// Looks at its corners. `known` is the least mean reduced cost of each kind that is known; what is within `slack` of it is not looked
    /// for.
    pub(super) fn judge(mut self, question: &Question<'_>, known: &[f64], slack: f64) -> Judged {
        self.narrow(question);
        let Question { flat, colours, duals, sizes } = question;
        let mut least = vec![f64::INFINITY; self.of.len()];
        let mut met: Vec<Option<Better>> = vec![None; self.of.len()];
        let (mut best, mut sums): (Vec<Best>, Vec<f64>) = (Vec::new(), Vec::new());
        let mut place = vec![usize::MAX; colours.iter().max().map_or(0, |&last| last as usize + 1)];
        let mut looks = 0;
        for corner in self.corners() {
            looks += (self.others.len() + self.of.len()) as u64;
            bests(&self.others, question, &corner, &mut best);
            best.sort_unstable_by(|a, b| a.value.total_cmp(&b.value).then(a.kind.cmp(&b.kind)));
            sums.clear();
            sums.push(0.0);
            place.fill(usize::MAX);
            for (at, one) in best.iter().enumerate() {
                place[one.colour as usize] = at;
                sums.push(sums[at] + one.value);
            }
            for ((&(kind, _), least), met) in self.of.iter().zip(&mut least).zip(&mut met) {
                let own = apart(&flat.points[kind as usize], &corner) - duals[kind as usize];
                let at = place[colours[kind as usize] as usize];
                let (mut mean, mut size) = (f64::INFINITY, 0);
                for q in sizes.clone() {
                    let own_in = at < q - 1;
                    if best.len() + usize::from(!own_in) < q {
                        break;
                    }
                    let rest = if own_in { sums[q] - best[at].value } else { sums[q - 1] };
                    let of_size = (own + rest) / q as f64;
                    // Values ascend: once one more of them does not lower the mean, no other does.
                    if of_size >= mean {
                        break;
                    }
                    (mean, size) = (of_size, q);
                }
                if mean < *least {
                    *least = mean;
                    if mean < known[kind as usize] && met.as_ref().is_none_or(|(before, _)| mean < *before) {
                        let others = best.iter().filter(|one| one.colour != colours[kind as usize]);
                        *met = Some((mean, others.take(size - 1).map(|one| one.kind).collect()));
                    }
                }
            }
        }
        self.settle((least, met), known, slack, looks)
    }

    fn settle(
        mut self,
        (least, met): (Vec<f64>, Vec<Option<Better>>),
        known: &[f64],
        slack: f64,
        looks: u64,
    ) -> Judged {
        let radius2 = self.radius2();
        let mut judged = Vec::new();
        let (mut settled, mut open) = (Vec::new(), Vec::new());
        for ((&(kind, before), least), met) in self.of.iter().zip(least).zip(met) {
            let bound = (least - radius2).max(before);
            let mut mean = known[kind as usize];
            if let Some((found, others)) = met {
                mean = found;
                judged.push(Met { kind, mean, others });
            }
            if bound >= mean - slack { settled.push((kind, bound)) } else { open.push((kind, bound)) }
        }
        self.of = open;
        Judged { met: judged, left: self, settled, looks }
    }
}

/// The best kind of each colour at a centre.
fn bests(others: &[u32], question: &Question<'_>, corner: &Point, best: &mut Vec<Best>) {
    let Question { flat, colours, duals, .. } = question;
    best.clear();
    for &kind in others {
        let (value, colour) =
            (apart(&flat.points[kind as usize], corner) - duals[kind as usize], colours[kind as usize]);
        match best.last_mut() {
            Some(last) if last.colour == colour => {
                if value < last.value {
                    *last = Best { value, kind, colour };
                }
            }
            _ => best.push(Best { value, kind, colour }),
        }
    }
}
