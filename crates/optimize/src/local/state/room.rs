//! Where the members of each class stand, one class after another in one list.

use lookalike_model::loss::Loss;

use super::State;

/// The places of all classes.
pub(super) struct Room {
    /// First place of each class.
    first: Vec<usize>,
    /// Places of each class.
    places: Vec<u32>,
    /// Places of all, those that are not used any more among them.
    all: usize,
}

impl Room {
    /// The same number of places for each class: for rules that let no class grow beyond.
    pub(super) fn fixed(slots: usize, places: usize) -> Self {
        let first = (0..slots).map(|class| class * places).collect();
        Self { first, places: vec![places as u32; slots], all: slots * places }
    }

    /// So many places as each class needs, and some more.
    pub(super) fn growing(sizes: impl Iterator<Item = usize>, least: usize) -> Self {
        let (mut first, mut places, mut all) = (Vec::new(), Vec::new(), 0);
        for size in sizes {
            let room = (size + size / 2).max(least);
            first.push(all);
            places.push(room as u32);
            all += room;
        }
        Self { first, places, all }
    }

    /// First place of a class.
    #[inline]
    pub(super) fn of(&self, class: u32) -> usize {
        self.first[class as usize]
    }

    /// All places.
    pub(super) fn all(&self) -> usize {
        self.all
    }

    /// Whether a class of this size has no place left.
    #[inline]
    pub(super) fn is_full(&self, class: u32, size: u32) -> bool {
        size >= self.places[class as usize]
    }
}

impl<L: Loss> State<L> {
    /// Gives a class that is full twice as many places. The lists are made anew when most of them are places that are not used.
    pub(super) fn make_room(&mut self, class: u32) {
        let size = self.sizes[class as usize] as usize;
        let (from, to, places) = (self.room.of(class), self.members.len(), 2 * size.max(1));
        for list in [&mut self.members, &mut self.colours] {
            list.extend_from_within(from..from + size);
            list.resize(to + places, 0);
        }
        self.room.first[class as usize] = to;
        self.room.places[class as usize] = places as u32;
        self.room.all = to + places;
        let needed: usize = self.room.places.iter().map(|&places| places as usize).sum();
        if self.room.all > 4 * needed {
            self.tidy();
        }
    }

    /// Puts the classes one after another again.
    fn tidy(&mut self) {
        let old = std::mem::take(&mut self.room.first);
        let mut all = 0;
        for &places in &self.room.places {
            self.room.first.push(all);
            all += places as usize;
        }
        self.room.all = all;
        for list in [&mut self.members, &mut self.colours] {
            let mut new = vec![0; all];
            for ((&from, &to), &size) in old.iter().zip(&self.room.first).zip(&self.sizes) {
                let size = size as usize;
                new[to..to + size].copy_from_slice(&list[from..from + size]);
            }
            *list = new;
        }
    }
}
