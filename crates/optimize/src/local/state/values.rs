//! How the sensitive values of each class are distributed, while records move: for conditions on that.
//!
//! A class has the values that occur in it in each sensitive column, ascending, and how often. What a move makes of it is looked at without making it:
//! O(values of the class) a look, for the ordered distance with the logarithm of the table's values. Nothing is summed up along the way,
//! so that whether a class is admissible depends on its records alone.

use std::sync::Arc;

use lookalike_model::{
    instance::Instance,
    loss::Loss,
    rule::{Rule, ValueCondition, Values},
};

use super::State;
use crate::local::two_sides::TwoSides;

/// The values of all classes in the columns of which something is asked.
pub(super) struct Held(Vec<Column>);

/// The values of all classes in a sensitive column.
struct Column {
    conditions: Vec<ValueCondition>,
    values: Arc<Values>,
    /// The values of each class, ascending, with how often each occurs.
    classes: Vec<Vec<(u32, u32)>>,
}

impl Held {
    /// Of empty classes; `None` if the rule has no such condition.
    pub(super) fn new(instance: &Instance, rule: &Rule, slots: usize) -> Option<Self> {
        let column = |(place, values): (usize, &Arc<Values>)| {
            let asked = rule.values().filter(|(of, _)| *of == place).map(|(_, condition)| *condition);
            let conditions: Vec<ValueCondition> = asked.collect();
            let (values, classes) = (Arc::clone(values), vec![Vec::new(); slots]);
            (!conditions.is_empty()).then_some(Column { conditions, values, classes })
        };
        let columns: Vec<Column> = instance.values.iter().enumerate().filter_map(column).collect();
        (!columns.is_empty()).then_some(Self(columns))
    }

    pub(super) fn clear(&mut self) {
        for class in self.0.iter_mut().flat_map(|column| &mut column.classes) {
            class.clear();
        }
    }

    /// Record `i` has entered a class.
    pub(super) fn enter(&mut self, i: u32, class: u32) {
        for column in &mut self.0 {
            column.enter(i, class);
        }
    }

    /// Record `i` has left a class.
    pub(super) fn leave(&mut self, i: u32, class: u32) {
        for column in &mut self.0 {
            column.leave(i, class);
        }
    }

    /// Whether a class is admissible once a record has entered and another has left.
    fn admits(&self, class: u32, gains: Option<u32>, loses: Option<u32>) -> bool {
        self.0.iter().all(|column| column.admits(class, gains, loses))
    }

    /// Whether these records would be an admissible class.
    fn admits_all(&self, members: &(impl Iterator<Item = u32> + Clone)) -> bool {
        self.0.iter().all(|column| column.admits_all(members.clone()))
    }
}

impl Column {
    fn of(&self, i: u32) -> u32 {
        self.values.of[i as usize]
    }

    fn enter(&mut self, i: u32, class: u32) {
        let (value, counts) = (self.of(i), &mut self.classes[class as usize]);
        match counts.binary_search_by_key(&value, |count| count.0) {
            Ok(at) => counts[at].1 += 1,
            Err(at) => counts.insert(at, (value, 1)),
        }
    }

    fn leave(&mut self, i: u32, class: u32) {
        let (value, counts) = (self.of(i), &mut self.classes[class as usize]);
        if let Ok(at) = counts.binary_search_by_key(&value, |count| count.0) {
            counts[at].1 -= 1;
            if counts[at].1 == 0 {
                counts.remove(at);
            }
        }
    }

    fn admits(&self, class: u32, gains: Option<u32>, loses: Option<u32>) -> bool {
        let [gains, loses] = [gains, loses].map(|record| record.map(|i| self.of(i)));
        if gains == loses && gains.is_some() {
            return true;
        }
        let counts = Changed { counts: &self.classes[class as usize], gains, loses };
        self.kept(&counts)
    }

    fn admits_all(&self, members: impl Iterator<Item = u32>) -> bool {
        let mut found: Vec<u32> = members.map(|i| self.of(i)).collect();
        found.sort_unstable();
        self.kept(&found.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32)))
    }

    /// Whether counts keep all conditions.
    fn kept(&self, counts: &(impl Iterator<Item = (u32, u32)> + Clone)) -> bool {
        self.conditions.iter().all(|condition| condition.holds(counts.clone(), &self.values.table))
    }
}

/// The values of a class after one has entered and another has left.
#[derive(Clone)]
struct Changed<'a> {
    counts: &'a [(u32, u32)],
    gains: Option<u32>,
    loses: Option<u32>,
}

impl Iterator for Changed<'_> {
    type Item = (u32, u32);

    #[inline]
    fn next(&mut self) -> Option<(u32, u32)> {
        loop {
            let first = self.counts.first().copied();
            if let Some(new) = self.gains
                && first.is_none_or(|(value, _)| new < value)
            {
                self.gains = None;
                return Some((new, 1));
            }
            let (value, mut count) = first?;
            self.counts = &self.counts[1..];
            if self.gains == Some(value) {
                self.gains = None;
                count += 1;
            }
            if self.loses == Some(value) {
                self.loses = None;
                count -= 1;
            }
            if count > 0 {
                return Some((value, count));
            }
        }
    }
}

impl<L: Loss> State<L> {
    /// Whether there are conditions on how values are distributed. A union of classes keeps them, and a part of one need not.
    #[inline]
    #[must_use]
    pub(crate) fn has_values(&self) -> bool {
        self.held.is_some()
    }

    /// Whether both classes keep their conditions on values if `i` moves to `to`.
    #[inline]
    #[must_use]
    pub(crate) fn keeps_move(&self, i: u32, to: u32) -> bool {
        self.held
            .as_ref()
            .is_none_or(|held| held.admits(self.class_of(i), None, Some(i)) && held.admits(to, Some(i), None))
    }

    /// Whether a class keeps its conditions on values if `i` enters.
    #[must_use]
    pub(crate) fn keeps_with(&self, class: u32, i: u32) -> bool {
        self.held.as_ref().is_none_or(|held| held.admits(class, Some(i), None))
    }

    /// Whether a class keeps its conditions on values if its member `i` leaves.
    #[must_use]
    pub(crate) fn keeps_without(&self, class: u32, i: u32) -> bool {
        self.held.as_ref().is_none_or(|held| held.admits(class, None, Some(i)))
    }

    /// Whether a class keeps its conditions on values.
    #[must_use]
    pub(crate) fn keeps(&self, class: u32) -> bool {
        self.held.as_ref().is_none_or(|held| held.admits(class, None, None))
    }

    /// Whether both classes keep their conditions on values if two records change places.
    #[inline]
    #[must_use]
    pub(crate) fn keeps_swap(&self, i: u32, j: u32) -> bool {
        self.held.as_ref().is_none_or(|held| {
            held.admits(self.class_of(i), Some(j), Some(i)) && held.admits(self.class_of(j), Some(i), Some(j))
        })
    }

    /// Whether both sides of a cut keep the conditions on values.
    pub(crate) fn keeps_cut(&self, sides: &TwoSides, at: usize) -> bool {
        self.held.as_ref().is_none_or(|held| {
            let (low, high) = sides.open.split_at(at);
            held.admits_all(&sides.sure[0].iter().chain(low).copied())
                && held.admits_all(&sides.sure[1].iter().chain(high).copied())
        })
    }

    /// Whether what is left of `a`, and `b`, keep the conditions on values if `sides.sure` change classes.
    #[must_use]
    pub(crate) fn keeps_exchange(&self, a: u32, b: u32, sides: &TwoSides) -> bool {
        self.held.as_ref().is_none_or(|held| {
            [(a, 0), (b, 1)].into_iter().all(|(class, side)| {
                let (leaving, coming) = (&sides.sure[side], &sides.sure[1 - side]);
                let staying = self.members(class).iter().filter(|r| !leaving.contains(r));
                let mut after = staying.chain(coming).copied().peekable();
                after.peek().is_none() || held.admits_all(&after)
            })
        })
    }
}
