//! A partition under change: who is in which class, and what each class costs.

mod room;
mod series;
#[cfg(test)]
mod tests;
mod values;

use std::sync::Arc;

use lookalike_model::{
    instance::Instance,
    loss::{Loss, LossTable},
    partition::Partition,
    rule::Rule,
};

use self::{room::Room, values::Held};

/// A partition under change. Every method keeps it a partition; admissibility is checked before a change is applied.
pub struct State<L: Loss> {
    instance: Arc<Instance>,
    pub(super) table: L::Table,
    distinct: bool,
    pub(super) min_size: usize,
    pub(super) max_size: usize,
    /// Fewest real records of a class.
    min_real: u32,
    /// Where the members of each class stand in `members` and `colours`.
    room: Room,
    members: Vec<u32>,
    colours: Vec<u32>,
    sizes: Vec<u32>,
    reals: Vec<u32>,
    class_of: Vec<u32>,
    slot_of: Vec<u32>,
    empty: Vec<u32>,
    any_counterfeit: bool,
    /// The signature that each class slot keeps, as in [`Instance::bound`]; 0 for a class that is free. It is that of the
    /// members who must keep one.
    kept: Vec<u32>,
    /// How many members of each class must keep a signature.
    keepers: Vec<u32>,
    /// Which classes keep their signatures.
    keep: Keep,
    /// The values of each class, where there are conditions on them.
    held: Option<Held>,
}

/// Which classes keep the signatures that they have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    /// Not one: this is no series.
    None,
    /// Those of records that are bound.
    Bound,
    /// All.
    All,
}

/// One record's change of class, enough to undo it.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    record: u32,
    from: u32,
}

impl<L: Loss> State<L> {
    /// Starts from an admissible partition. Classes above the rule's `max_size` are kept but never grow.
    pub fn new(instance: &Arc<Instance>, loss: &L, rule: &Rule, start: &Partition) -> Self {
        let members = start.members();
        let max_size = rule.max_size.min(instance.records());
        let slots = (instance.records() / rule.min_size).max(start.classes);
        let n = instance.records();
        let sizes = members.iter().map(Vec::len).chain(std::iter::repeat(0)).take(slots);
        let room = if rule.has_values() {
            Room::growing(sizes, 2 * rule.min_size)
        } else {
            Room::fixed(slots, members.iter().map(Vec::len).max().unwrap_or(0).max(max_size))
        };
        let mut state = Self {
            instance: Arc::clone(instance),
            table: loss.table(instance, slots + 2),
            distinct: rule.distinct(),
            min_size: rule.min_size,
            max_size,
            min_real: rule.min_real as u32,
            members: vec![0; room.all()],
            colours: vec![0; room.all()],
            room,
            sizes: vec![0; slots],
            reals: vec![0; slots],
            class_of: vec![0; n],
            slot_of: vec![0; n],
            empty: (start.classes as u32..slots as u32).rev().collect(),
            any_counterfeit: instance.reals < n,
            kept: vec![0; slots],
            keepers: vec![0; slots],
            keep: match &instance.series {
                None => Keep::None,
                Some(series) if series.keep => Keep::All,
                Some(_) => Keep::Bound,
            },
            held: Held::new(instance, rule, slots),
        };
        for (class, list) in members.iter().enumerate() {
            for &i in list {
                state.push(i, class as u32);
            }
        }
        state.bind();
        state.refresh();
        state
    }

    /// Becomes the partition of these labels, which came from this state earlier.
    pub fn load(&mut self, labels: &[u32]) {
        self.sizes.fill(0);
        self.reals.fill(0);
        if let Some(held) = &mut self.held {
            held.clear();
        }
        for (i, &class) in labels.iter().enumerate() {
            self.push(i as u32, class);
        }
        self.empty = (0..self.slots() as u32).rev().filter(|&c| self.sizes[c as usize] == 0).collect();
        self.bind();
        self.refresh();
    }

    /// The instance.
    #[must_use]
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// Number of class slots, empty ones included.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.sizes.len()
    }

    /// Class of a record.
    #[inline]
    #[must_use]
    pub fn class_of(&self, i: u32) -> u32 {
        self.class_of[i as usize]
    }

    /// Members of a class, in no particular order.
    #[inline]
    #[must_use]
    pub fn members(&self, class: u32) -> &[u32] {
        let at = self.room.of(class);
        &self.members[at..at + self.sizes[class as usize] as usize]
    }

    /// The member of a class that has this colour, when colours must differ.
    #[inline]
    #[must_use]
    pub fn holder(&self, class: u32, colour: u32) -> Option<u32> {
        if !self.distinct {
            return None;
        }
        let at = self.room.of(class);
        let colours = &self.colours[at..at + self.sizes[class as usize] as usize];
        colours.iter().position(|&c| c == colour).map(|slot| self.members[at + slot])
    }

    /// Whether the colours of a class must differ.
    #[inline]
    #[must_use]
    pub fn distinct(&self) -> bool {
        self.distinct
    }

    /// Colour of a record.
    #[inline]
    #[must_use]
    pub fn colour(&self, i: u32) -> u32 {
        self.instance.colours[i as usize]
    }

    /// Whether a record may leave a class, by size.
    #[inline]
    #[must_use]
    pub(crate) fn can_shrink(&self, class: u32) -> bool {
        !self.keeps_colours(class) && self.sizes[class as usize] as usize > self.min_size
    }

    /// Whether a class may take one more, by size.
    #[inline]
    #[must_use]
    pub(crate) fn can_grow(&self, class: u32) -> bool {
        !self.keeps_colours(class) && (self.sizes[class as usize] as usize) < self.max_size
    }

    /// Fewest records of a class.
    #[must_use]
    pub fn min_size(&self) -> usize {
        self.min_size
    }

    /// An empty class slot.
    #[must_use]
    pub(crate) fn vacancy(&self) -> Option<u32> {
        self.empty.last().copied()
    }

    /// Whether the class has enough real records.
    pub(crate) fn has_real(&self, class: u32) -> bool {
        !self.any_counterfeit || self.reals[class as usize] >= self.min_real
    }

    /// Whether the class keeps enough real records when `out` leaves and `within` enters.
    #[inline]
    fn stays_real(&self, class: u32, out: u32, within: Option<u32>) -> bool {
        !self.any_counterfeit
            || self.reals[class as usize] > self.min_real
            || !self.instance.is_real(out)
            || within.is_some_and(|i| self.instance.is_real(i))
    }

    /// Change of the loss if `i` moved to `to`; `None` if that is not admissible by colour or would leave a class
    /// without enough real records. Sizes are the caller's business, and so are conditions on values, which cost more than most losses:
    /// they are asked of moves that are taken otherwise ([`State::keeps_move`]).
    #[inline]
    #[must_use]
    pub(crate) fn move_delta(&self, i: u32, to: u32) -> Option<f64> {
        let from = self.class_of(i);
        if from == to || !self.stays_real(from, i, None) || self.holder(to, self.colour(i)).is_some() {
            return None;
        }
        if self.keeps_colours(from) || self.keeps_colours(to) {
            return None;
        }
        Some(self.shift(i, from, to))
    }

    /// As [`State::move_delta`] for the last member of a class, which leaves it empty.
    #[must_use]
    pub(crate) fn emptying_delta(&self, i: u32, to: u32) -> Option<f64> {
        let from = self.class_of(i);
        if from == to || self.holder(to, self.colour(i)).is_some() {
            return None;
        }
        if self.keeps_colours(from) || self.keeps_colours(to) {
            return None;
        }
        Some(self.shift(i, from, to))
    }

    fn shift(&self, i: u32, from: u32, to: u32) -> f64 {
        let leave = self.table.value_after(from, self.members(from), None, Some(i)) - self.table.value(from);
        let enter = self.table.value_after(to, self.members(to), Some(i), None) - self.table.value(to);
        leave + enter
    }

    /// Change of the loss if `i` and `j`, of different classes, changed places; `None` if not admissible, conditions on values aside
    /// ([`State::keeps_swap`]).
    #[inline]
    #[must_use]
    pub(crate) fn swap_delta(&self, i: u32, j: u32) -> Option<f64> {
        let (a, b) = (self.class_of(i), self.class_of(j));
        if a == b || !self.stays_real(a, i, Some(j)) || !self.stays_real(b, j, Some(i)) {
            return None;
        }
        if self.distinct && self.colour(i) != self.colour(j) {
            let blocked =
                self.holder(b, self.colour(i)).is_some() || self.holder(a, self.colour(j)).is_some();
            if blocked || self.keeps_colours(a) || self.keeps_colours(b) {
                return None;
            }
        }
        if !self.fits(i, b) || !self.fits(j, a) {
            return None;
        }
        let in_a = self.table.value_after(a, self.members(a), Some(j), Some(i)) - self.table.value(a);
        let in_b = self.table.value_after(b, self.members(b), Some(i), Some(j)) - self.table.value(b);
        Some(in_a + in_b)
    }

    /// The best of up to `count` members of class `b` for `i` to change places with, and the change of the loss, if the loss looks
    /// at many quickly and nothing but sizes is asked for; they are those from a place that `pick` falls on.
    #[inline]
    #[must_use]
    pub fn best_swap(&self, i: u32, b: u32, count: usize, pick: u32) -> Option<(u32, f64)> {
        if self.distinct || self.any_counterfeit || self.keep != Keep::None {
            return None;
        }
        let (a, others) = (self.class_of(i), self.members(b));
        let sizes = [self.members(a).len(), others.len()];
        let places = (others.len() + 1).saturating_sub(count).max(1);
        let first = ((u64::from(pick) * places as u64) >> 32) as usize;
        let others = &others[first..others.len().min(first + count)];
        self.table.best_swap(i, [a, b], sizes, others)
    }

    /// Moves a record.
    pub(crate) fn relocate(&mut self, i: u32, to: u32) -> Step {
        let from = self.class_of(i);
        self.take(i);
        self.put(i, to);
        Step { record: i, from }
    }

    /// Lets two records of different classes change places.
    pub fn swap(&mut self, i: u32, j: u32) {
        let (a, b) = (self.class_of(i), self.class_of(j));
        let (slot_i, slot_j) = (self.slot_of[i as usize], self.slot_of[j as usize]);
        self.write(i, b, slot_j);
        self.write(j, a, slot_i);
        if self.keep != Keep::None {
            self.leave(i, a);
            self.leave(j, b);
            self.enter(i, b);
            self.enter(j, a);
        }
        if let Some(held) = &mut self.held {
            held.leave(i, a);
            held.leave(j, b);
            held.enter(i, b);
            held.enter(j, a);
        }
        let real = |s: &Self, x: u32| u32::from(s.instance.is_real(x));
        self.reals[a as usize] = self.reals[a as usize] + real(self, j) - real(self, i);
        self.reals[b as usize] = self.reals[b as usize] + real(self, i) - real(self, j);
        self.apply(a, Some(j), Some(i));
        self.apply(b, Some(i), Some(j));
    }

    /// Whether the class of `i` is known to cost nothing.
    #[inline]
    #[must_use]
    pub fn costs_nothing(&self, i: u32) -> bool {
        self.table.costs_nothing(self.class_of(i))
    }

    /// A member of the class of `i` that decides over its value, if the loss knows such members.
    #[inline]
    #[must_use]
    pub fn extreme(&mut self, i: u32, pick: u32) -> Option<u32> {
        let class = self.class_of(i);
        let at = self.room.of(class);
        let members = &self.members[at..at + self.sizes[class as usize] as usize];
        self.table.extreme(class, members, pick)
    }

    /// Whether there are counterfeits.
    #[must_use]
    pub(crate) fn any_counterfeit(&self) -> bool {
        self.any_counterfeit
    }

    /// Whether records of a class may leave one after another until it is empty: not where counterfeits stand beside more than one real
    /// record that must stay.
    pub(crate) fn can_dissolve(&self) -> bool {
        !self.any_counterfeit || self.min_real == 1
    }

    /// Takes steps back, newest first.
    pub fn undo(&mut self, steps: &[Step]) {
        for step in steps.iter().rev() {
            self.relocate(step.record, step.from);
        }
    }

    /// Value of the whole partition: its loss less [`Loss::offset`].
    #[must_use]
    pub fn value(&self) -> f64 {
        (0..self.slots() as u32).map(|c| self.table.value(c)).sum()
    }

    /// Computes every class afresh, which removes accumulated rounding.
    pub fn refresh(&mut self) {
        for class in 0..self.slots() as u32 {
            let at = self.room.of(class);
            let size = self.sizes[class as usize] as usize;
            self.table.refresh(class, &self.members[at..at + size]);
        }
    }

    /// The partition as it stands.
    #[must_use]
    pub fn labels(&self) -> &[u32] {
        &self.class_of
    }

    fn apply(&mut self, class: u32, gains: Option<u32>, loses: Option<u32>) {
        let at = self.room.of(class);
        let size = self.sizes[class as usize] as usize;
        self.table.apply(class, &self.members[at..at + size], gains, loses);
    }

    fn write(&mut self, i: u32, class: u32, slot: u32) {
        let at = self.room.of(class) + slot as usize;
        self.members[at] = i;
        self.colours[at] = self.instance.colours[i as usize];
        self.class_of[i as usize] = class;
        self.slot_of[i as usize] = slot;
    }

    fn push(&mut self, i: u32, class: u32) {
        if self.room.is_full(class, self.sizes[class as usize]) {
            self.make_room(class);
        }
        self.write(i, class, self.sizes[class as usize]);
        self.sizes[class as usize] += 1;
        if let Some(held) = &mut self.held {
            held.enter(i, class);
        }
        self.reals[class as usize] += u32::from(self.instance.is_real(i));
    }

    fn put(&mut self, i: u32, class: u32) {
        if self.sizes[class as usize] == 0 {
            match self.empty.last() {
                Some(&last) if last == class => drop(self.empty.pop()),
                _ => self.empty.retain(|&e| e != class),
            }
        }
        self.push(i, class);
        self.apply(class, Some(i), None);
    }

    fn take(&mut self, i: u32) {
        let (class, slot) = (self.class_of[i as usize], self.slot_of[i as usize]);
        self.sizes[class as usize] -= 1;
        if let Some(held) = &mut self.held {
            held.leave(i, class);
        }
        self.reals[class as usize] -= u32::from(self.instance.is_real(i));
        let last = self.sizes[class as usize];
        if slot != last {
            let moved = self.members[self.room.of(class) + last as usize];
            self.write(moved, class, slot);
        }
        if last == 0 {
            self.empty.push(class);
        }
        self.apply(class, None, Some(i));
    }
}
