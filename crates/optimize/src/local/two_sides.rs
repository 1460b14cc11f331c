//! The records of two classes, split anew at the best place of an order.

use lookalike_model::loss::{Loss, LossTable};

use super::state::State;

/// Records of two classes, at most, of which every cut is looked at under conditions.
const LARGE: usize = 256;

/// Parts between whose ends larger ones are cut.
const PLACES: usize = 16;

/// Places of a cut that are looked at, where conditions on values may rule out the best.
const LOOKS: usize = 8;

/// Records of two classes in the order in which they are split anew, and room for the values of the parts.
#[derive(Clone, Debug, Default)]
pub struct TwoSides {
    /// Records that are on the lower side in any case, and on the upper.
    pub sure: [Vec<u32>; 2],
    /// The others, in order: lower ones go to the lower side.
    pub open: Vec<u32>,
    /// The open records with their keys.
    keyed: Vec<(f64, u32)>,
    /// Value of the lower side with the first t open records.
    values: Vec<f64>,
    /// What the places of a cut are worth, where conditions on values may rule out the best.
    places: Vec<(f64, usize)>,
    /// Members of a side while it is filled.
    side: Vec<u32>,
}

impl TwoSides {
    /// Puts the open records into the order of a key, which is computed once a record; ties by record.
    pub fn sort_by_key(&mut self, key: impl Fn(u32) -> f64) {
        self.keyed.clear();
        self.keyed.extend(self.open.iter().map(|&r| (key(r), r)));
        self.keyed.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        self.open.clear();
        self.open.extend(self.keyed.iter().map(|x| x.1));
    }
}

impl<L: Loss> State<L> {
    /// The best place to cut the open records, by size admissible, and the change of the loss if classes `a`
    /// and `b`, whose records they are, became the two sides.
    pub(crate) fn best_cut(&mut self, a: u32, b: u32, sides: &mut TwoSides) -> Option<(usize, f64)> {
        if self.has_values() && sides.open.len() > LARGE {
            return self.best_of_few_cuts(a, b, sides);
        }
        // Two slots of the table that belong to no class.
        let scratch = self.slots() as u32;
        let count = sides.open.len();
        self.table.refresh(scratch, &sides.sure[0]);
        sides.values.clear();
        sides.values.push(self.table.value(scratch));
        sides.side.clone_from(&sides.sure[0]);
        for &i in &sides.open {
            sides.side.push(i);
            self.table.apply(scratch, &sides.side, Some(i), None);
            sides.values.push(self.table.value(scratch));
        }
        self.table.refresh(scratch + 1, &sides.sure[1]);
        sides.side.clone_from(&sides.sure[1]);
        let sizes = self.min_size..=self.max_size;
        let mut best: Option<(usize, f64)> = None;
        sides.places.clear();
        for at in (0..=count).rev() {
            if at < count {
                sides.side.push(sides.open[at]);
                self.table.apply(scratch + 1, &sides.side, Some(sides.open[at]), None);
            }
            if sizes.contains(&(sides.sure[0].len() + at)) && sizes.contains(&sides.side.len()) {
                let value = sides.values[at] + self.table.value(scratch + 1);
                if self.has_values() {
                    sides.places.push((value, at));
                }
                if best.is_none_or(|(_, v)| value < v) {
                    best = Some((at, value));
                }
            }
        }
        if self.has_values() {
            best = self.kept_place(sides);
        }
        best.map(|(at, value)| (at, value - self.table.value(a) - self.table.value(b)))
    }

    /// The same of large classes, which conditions can make: of a few places, since a loss may cost as much as the class at each.
    fn best_of_few_cuts(&mut self, a: u32, b: u32, sides: &mut TwoSides) -> Option<(usize, f64)> {
        let (scratch, count) = (self.slots() as u32, sides.open.len());
        let sizes = self.min_size..=self.max_size;
        sides.places.clear();
        for at in (1..PLACES).map(|place| count * place / PLACES) {
            let mut value = 0.0;
            let halves = [(0, 0..at), (1, at..count)];
            let mut fits = true;
            for (side, open) in halves {
                sides.side.clone_from(&sides.sure[side]);
                sides.side.extend_from_slice(&sides.open[open]);
                fits &= sizes.contains(&sides.side.len());
                self.table.refresh(scratch + side as u32, &sides.side);
                value += self.table.value(scratch + side as u32);
            }
            if fits {
                sides.places.push((value, at));
            }
        }
        let best = self.kept_place(sides);
        best.map(|(at, value)| (at, value - self.table.value(a) - self.table.value(b)))
    }

    /// The best of the places whose sides keep the conditions. Each look counts all records of both classes: only the best ones are worth
    /// one.
    fn kept_place(&self, sides: &mut TwoSides) -> Option<(usize, f64)> {
        let mut places = std::mem::take(&mut sides.places);
        places.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(y.1.cmp(&x.1)));
        let kept = places.iter().take(LOOKS).find(|&&(_, at)| self.keeps_cut(sides, at));
        let kept = kept.map(|&(value, at)| (at, value));
        sides.places = places;
        kept
    }

    /// Makes the two sides of a cut the classes `a` and `b`.
    pub fn cut(&mut self, a: u32, b: u32, sides: &mut TwoSides, at: usize) {
        let (low, high) = sides.open.split_at(at);
        // Side 0 becomes the class that has more of it already.
        let mine = |side: &mut dyn Iterator<Item = &u32>| side.filter(|&&i| self.class_of(i) == a).count();
        let keeps = 2 * mine(&mut sides.sure[0].iter().chain(low)) >= sides.sure[0].len() + low.len();
        let (a, b) = if keeps { (a, b) } else { (b, a) };
        let from_b = |i: &&u32| self.class_of(**i) == b;
        let from_a = |i: &&u32| self.class_of(**i) == a;
        sides.side.clear();
        sides.side.extend(sides.sure[0].iter().chain(low).filter(from_b));
        let incoming = sides.side.len();
        sides.side.extend(sides.sure[1].iter().chain(high).filter(from_a));
        let outgoing = sides.side.len() - incoming;
        let pairs = incoming.min(outgoing);
        for p in 0..pairs {
            self.swap(sides.side[p], sides.side[incoming + p]);
        }
        for &i in &sides.side[pairs..incoming] {
            self.relocate(i, a);
        }
        for &i in &sides.side[incoming + pairs..] {
            self.relocate(i, b);
        }
    }

    /// The change of the loss if the records `sides.sure[0]` of class `a` and `sides.sure[1]` of class `b` changed classes;
    /// `None` if the sizes do not allow it. Class `a` may become empty. Conditions on values are [`State::keeps_exchange`].
    pub(crate) fn exchange_delta(&mut self, a: u32, b: u32, sides: &mut TwoSides) -> Option<f64> {
        let (out, within) = (sides.sure[0].len(), sides.sure[1].len());
        let size_a = self.members(a).len() + within - out;
        let size_b = self.members(b).len() + out - within;
        let sizes = self.min_size..=self.max_size;
        if size_a > 0 && !sizes.contains(&size_a) || !sizes.contains(&size_b) {
            return None;
        }
        let mut value = 0.0;
        for (class, side) in [(a, 0), (b, 1)] {
            let (leaving, coming) = (&sides.sure[side], &sides.sure[1 - side]);
            sides.side.clear();
            sides.side.extend(self.members(class).iter().copied().filter(|r| !leaving.contains(r)));
            sides.side.extend_from_slice(coming);
            let scratch = self.slots() as u32;
            self.table.refresh(scratch, &sides.side);
            value += self.table.value(scratch);
        }
        Some(value - self.table.value(a) - self.table.value(b))
    }

    /// The change of the loss if all of class `a` went to class `b`; `None` if that class would be too large.
    pub(crate) fn join_delta(&mut self, a: u32, b: u32, sides: &mut TwoSides) -> Option<f64> {
        sides.side.clear();
        sides.side.extend_from_slice(self.members(a));
        sides.side.extend_from_slice(self.members(b));
        if sides.side.len() > self.max_size {
            return None;
        }
        let scratch = self.slots() as u32;
        self.table.refresh(scratch, &sides.side);
        Some(self.table.value(scratch) - self.table.value(a) - self.table.value(b))
    }

    /// Carries out such an exchange.
    pub(crate) fn exchange(&mut self, a: u32, b: u32, sides: &TwoSides) {
        let [leaving, coming] = &sides.sure;
        let pairs = leaving.len().min(coming.len());
        for (&i, &j) in leaving.iter().zip(coming) {
            self.swap(i, j);
        }
        for &i in &leaving[pairs..] {
            self.relocate(i, b);
        }
        for &i in &coming[pairs..] {
            self.relocate(i, a);
        }
    }
}
