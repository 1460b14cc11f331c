//! How many members of a large class stand at its edges.
//!
//! With the two smallest values alone nobody knows whether a third member has the smallest, too, so each change at an edge
//! would need all members. An edge that counts needs them only when it has lost the last one it knew of.

/// One end of a class along one attribute: its least value, or its largest with the sign turned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The value at the edge; infinite without members.
    value: f64,
    /// The value next to it; infinite if there is none, not a number if it is not known.
    next: f64,
    /// Members at both.
    count: u32,
    next_count: u32,
}

impl Edge {
    pub(super) const NONE: Self = Self { value: f64::INFINITY, next: f64::INFINITY, count: 0, next_count: 0 };

    /// The least value and the second, which is the same if two members have it.
    #[inline]
    pub(super) fn two(&self) -> (f64, f64) {
        (self.value, if self.count > 1 { self.value } else { self.next })
    }

    #[inline]
    pub(super) fn enter(&mut self, x: f64) {
        if x > self.value {
            // Both are false for a value that is not known.
            if x < self.next {
                (self.next, self.next_count) = (x, 1);
            } else if x == self.next {
                self.next_count += 1;
            }
        } else if x < self.value {
            (self.next, self.next_count) = (self.value, self.count);
            (self.value, self.count) = (x, 1);
        } else {
            self.count += 1;
        }
    }

    /// False if the members must be read again.
    #[inline]
    #[must_use]
    pub(super) fn leave(&mut self, x: f64) -> bool {
        if x == self.value {
            self.count -= 1;
            if self.count == 0 {
                (self.value, self.count) = (self.next, self.next_count);
                (self.next, self.next_count) = (f64::NAN, 0);
            }
        } else if x == self.next {
            self.next_count -= 1;
            if self.next_count == 0 {
                self.next = f64::NAN;
            }
        }
        // Two members at the edge are the two that matter.
        self.count > 1 || self.count == 1 && !self.next.is_nan()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn by_hand() {
        let mut edge = Edge::NONE;
        for x in [3.0, 2.0, 5.0, 2.0] {
            edge.enter(x);
        }
        assert_eq!(edge.two(), (2.0, 2.0));
        assert!(edge.leave(5.0) && edge.leave(2.0));
        assert_eq!(edge.two(), (2.0, 3.0));
        // With 3 gone nothing is known of what comes after 2.
        assert!(!edge.leave(3.0));
    }

    proptest! {
           #[test]
           fn it_knows_the_two_least_or_says_that_it_does_not(
               changes in prop::collection::vec((any::<bool>(), 0u8..6), 1..60),
           ) {
               let (mut edge, mut values) = (Edge::NONE, Vec::<f64>::new());
               for (enters, x) in changes {
                   if enters || values.len() < 2 {
                       values.push(f64::from(x));
                       edge.enter(f64::from(x));
                   } else {
                       let gone = values.remove(x as usize % values.len());
                       if !edge.leave(gone) {
                           edge = Edge::NONE;
                           for &x in &values {
    edge.enter(x);
    }
                       }
                   }
                   let mut sorted = values.clone();
                   sorted.sort_by(f64::total_cmp);
                   sorted.push(f64::INFINITY);
                   prop_assert_eq!(edge.two(), (sorted[0], sorted[1]));
               }
           }
       }
}
