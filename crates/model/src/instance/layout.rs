//! Where the coordinates of a point stand.

use super::LANE;

/// Where each attribute of a point stands, in lanes of four.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Lanes of a point.
    pub lanes: usize,
    /// Lanes whose squared distances are those of SSE; the others come behind them.
    pub measured: usize,
    /// Place of each attribute's coordinate, counted from the first of the point; in order, also of the zeros behind the last.
    pub slots: Vec<u32>,
}

impl Layout {
    /// One attribute behind the other.
    #[must_use]
    pub fn in_order(dims: usize) -> Self {
        let lanes = dims.div_ceil(LANE);
        Self { lanes, measured: lanes, slots: (0..(lanes * LANE) as u32).collect() }
    }

    /// Those for which `behind` holds in lanes of their own, behind the others.
    #[must_use]
    pub fn apart(dims: usize, behind: impl Fn(usize) -> bool) -> Self {
        let (last, first): (Vec<usize>, Vec<usize>) = (0..dims).partition(|&j| behind(j));
        if last.is_empty() {
            return Self::in_order(dims);
        }
        let measured = first.len().div_ceil(LANE);
        let mut slots = vec![0; dims];
        for (slot, &j) in first.iter().enumerate() {
            slots[j] = slot as u32;
        }
        for (slot, &j) in last.iter().enumerate() {
            slots[j] = (measured * LANE + slot) as u32;
        }
        Self { lanes: measured + last.len().div_ceil(LANE), measured, slots }
    }

    /// Lane of attribute `j`, and its place in it.
    #[inline]
    #[must_use]
    pub fn slot(&self, j: usize) -> (usize, usize) {
        let slot = self.slots[j] as usize;
        (slot / LANE, slot % LANE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_apart_come_last_in_lanes_of_their_own() {
        let all = Layout::apart(7, |j| j == 1 || j == 6);
        assert_eq!(all, Layout { lanes: 3, measured: 2, slots: vec![0, 8, 1, 2, 3, 4, 9] });
        assert_eq!((all.slot(6), all.slot(5)), ((2, 1), (1, 0)));
        assert_eq!(Layout::apart(6, |_| false), Layout::in_order(6));
        assert_eq!(Layout::apart(2, |_| true), Layout { lanes: 1, measured: 0, slots: vec![0, 1] });
    }
}
