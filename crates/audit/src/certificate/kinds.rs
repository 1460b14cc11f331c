//! Records that no search can tell apart, as one kind.

use std::cmp::Ordering;

use super::Certificate;

/// Records of one place, one colour (where colours count) and one dual that are in no cut. A record of a cut is a kind by itself.
pub(super) struct Kinds {
    /// All records, those of a kind together and ascending: those of kind i from `start[i]` to `start[i + 1]`.
    members: Vec<u32>,
    start: Vec<usize>,
    duals: Vec<f64>,
    colours: Vec<u32>,
    /// Whether the records of a class differ in colour.
    distinct: bool,
    /// The cuts of each kind; none for most.
    cuts: Vec<Vec<u32>>,
}

impl Kinds {
    /// Sorts the records: `place` compares the places of two of them, `colours` are theirs where they count.
    pub(super) fn new(
        certificate: &Certificate,
        colours: Option<&[u32]>,
        place: impl Fn(u32, u32) -> Ordering,
    ) -> Self {
        let records = certificate.duals.len();
        let mut cuts_of = vec![Vec::new(); records];
        for (index, cut) in (0..).zip(&certificate.cuts) {
            for &record in &cut.records {
                cuts_of[record as usize].push(index);
            }
        }
        let colour = |i: u32| colours.map_or(0, |colours| colours[i as usize]);
        let dual = |i: u32| certificate.duals[i as usize];
        let alike = |a: u32, b: u32| {
            place(a, b).then_with(|| colour(a).cmp(&colour(b))).then_with(|| dual(a).total_cmp(&dual(b)))
        };
        let mut members: Vec<u32> = (0..records as u32).collect();
        members.sort_unstable_by(|&a, &b| alike(a, b).then(a.cmp(&b)));
        let in_cut = |i: u32| !cuts_of[i as usize].is_empty();
        let mut start = Vec::new();
        for (at, &i) in members.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| members[at]);
            let goes_on = before.is_some_and(|b| alike(b, i).is_eq() && !in_cut(b) && !in_cut(i));
            if !goes_on {
                start.push(at);
            }
        }
        let heads: Vec<u32> = start.iter().map(|&at| members[at]).collect();
        start.push(records);
        Self {
            duals: heads.iter().map(|&i| dual(i)).collect(),
            colours: heads.iter().map(|&i| colour(i)).collect(),
            distinct: colours.is_some(),
            cuts: heads.iter().map(|&i| std::mem::take(&mut cuts_of[i as usize])).collect(),
            members,
            start,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.duals.len()
    }

    /// The first record of a kind.
    pub(super) fn head(&self, kind: u32) -> u32 {
        self.members[self.start[kind as usize]]
    }

    /// How many records are of a kind.
    pub(super) fn count(&self, kind: u32) -> usize {
        self.start[kind as usize + 1] - self.start[kind as usize]
    }

    pub(super) fn dual(&self, kind: u32) -> f64 {
        self.duals[kind as usize]
    }

    pub(super) fn cuts(&self, kind: u32) -> &[u32] {
        &self.cuts[kind as usize]
    }

    /// Looks that one at a record of a kind counts for: at itself, and at each of its cuts.
    pub(super) fn looks(&self, kind: u32) -> u64 {
        1 + self.cuts(kind).len() as u64
    }

    /// What two members of a class that stand for different records must differ in: the colour, or the kind. Of a kind there may be
    /// copies in a class where colours do not count.
    pub(super) fn mark(&self, kind: u32) -> u32 {
        if self.distinct { self.colours[kind as usize] } else { kind }
    }

    /// How many records of a kind may stand beside one of kind `of` in a class.
    pub(super) fn beside(&self, of: u32, kind: u32) -> usize {
        if self.distinct {
            return usize::from(self.colours[of as usize] != self.colours[kind as usize]);
        }
        self.count(kind) - usize::from(of == kind)
    }

    /// Whether a kind comes after another one, or is it, if the largest duals come first.
    pub(super) fn follows(&self, kind: u32, before: u32) -> bool {
        let (own, other) = (self.dual(kind), self.dual(before));
        own < other || (own == other && kind >= before)
    }

    /// Different records of these kinds, ascending.
    pub(super) fn records(&self, kinds: &[u32]) -> Vec<u32> {
        let copy = |at: usize| kinds[..at].iter().filter(|&&kind| kind == kinds[at]).count();
        let record = |at: usize| self.members[self.start[kinds[at] as usize] + copy(at)];
        let mut records: Vec<u32> = (0..kinds.len()).map(record).collect();
        records.sort_unstable();
        records
    }
}
