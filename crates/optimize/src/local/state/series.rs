//! Classes that keep their signature, in a series of releases.

use lookalike_model::loss::Loss;

use super::{Keep, State};

impl<L: Loss> State<L> {
    /// Whether a class keeps its colours whatever happens.
    #[inline]
    #[must_use]
    pub(super) fn keeps_colours(&self, class: u32) -> bool {
        match self.keep {
            Keep::None => false,
            Keep::Bound => self.kept[class as usize] != 0,
            Keep::All => true,
        }
    }

    /// Finds the signatures that classes keep.
    pub(super) fn bind(&mut self) {
        self.kept.fill(0);
        self.keepers.fill(0);
        if self.keep == Keep::None {
            return;
        }
        for i in 0..self.class_of.len() as u32 {
            self.enter(i, self.class_of(i));
        }
    }

    /// Takes note of a record that entered a class.
    pub(super) fn enter(&mut self, i: u32, class: u32) {
        let bound = self.instance.bound(i);
        if bound != 0 {
            self.kept[class as usize] = bound;
            self.keepers[class as usize] += 1;
        }
    }

    /// Takes note of a record that left a class: the last one that kept its signature leaves it free.
    pub(super) fn leave(&mut self, i: u32, class: u32) {
        if self.instance.bound(i) != 0 {
            self.keepers[class as usize] -= 1;
            if self.keepers[class as usize] == 0 {
                self.kept[class as usize] = 0;
            }
        }
    }

    /// Whether record `i`, which may have to keep a signature, may take the place of a member of its colour in a class.
    #[inline]
    pub(super) fn fits(&self, i: u32, class: u32) -> bool {
        if self.keep == Keep::None {
            return true;
        }
        let bound = self.instance.bound(i);
        bound == 0
            || bound == self.kept[class as usize]
            || self.kept[class as usize] == 0 && self.has_signature(class, bound)
    }

    /// Whether the colours of a class are those of a signature.
    fn has_signature(&self, class: u32, bound: u32) -> bool {
        let Some(signature) = self.instance.signature(bound) else { return false };
        let members = self.members(class);
        members.len() == signature.len()
            && members.iter().all(|&i| signature.binary_search(&self.colour(i)).is_ok())
    }

    /// Whether the records of two classes may be dealt to them anew.
    #[must_use]
    pub fn alike(&self, a: u32, b: u32) -> bool {
        let (first, second) = (self.kept[a as usize], self.kept[b as usize]);
        first == second && (first != 0 || self.keep != Keep::All)
    }
}
