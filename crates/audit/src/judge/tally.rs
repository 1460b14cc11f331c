//! How often each value occurs in the rows at hand.

/// Counts by the codes of the values.
#[derive(Default)]
pub(super) struct Tally {
    /// By code; 0 for a value that does not occur.
    counts: Vec<usize>,
    /// Codes that occur.
    present: Vec<u32>,
}

impl Tally {
    pub(super) fn add(&mut self, code: u32, count: usize) {
        let at = code as usize;
        if self.counts.len() <= at {
            self.counts.resize(at + 1, 0);
        }
        if self.counts[at] == 0 {
            self.present.push(code);
        }
        self.counts[at] += count;
    }

    /// Appends the codes that occur, ascending, with their counts, and counts from 0 again.
    pub(super) fn drain(&mut self, into: &mut Vec<(u32, usize)>) {
        self.present.sort_unstable();
        for code in self.present.drain(..) {
            into.push((code, std::mem::take(&mut self.counts[code as usize])));
        }
    }
}
