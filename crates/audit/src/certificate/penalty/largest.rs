//! The candidates that gain the most for a class.

/// The largest gains of different marks, or of copies, descending.
pub(super) struct Largest {
    gains: Vec<(f64, u32)>,
    wanted: usize,
}

impl Largest {
    pub(super) fn new(wanted: usize) -> Self {
        Self { gains: Vec::with_capacity(wanted + 1), wanted }
    }

    pub(super) fn offer(&mut self, mark: u32, gain: f64, copies: usize) {
        // What is no number counts as the largest, so that it is looked at.
        let gain = if gain.is_nan() { f64::INFINITY } else { gain };
        if let Some(at) = self.gains.iter().position(|held| held.1 == mark) {
            if self.gains[at].0 >= gain {
                return;
            }
            self.gains.remove(at);
        }
        for _ in 0..copies.min(self.wanted) {
            let at = self.gains.partition_point(|held| held.0 >= gain);
            self.gains.insert(at, (gain, mark));
            self.gains.truncate(self.wanted);
        }
    }

    /// The sum of the largest so many beside one of a mark, and that of their absolute values; `None` if there are not so many.
    pub(super) fn beside(&self, mark: u32, others: usize) -> Option<(f64, f64)> {
        let out = self.gains.iter().position(|held| held.1 == mark);
        let mut all =
            self.gains.iter().enumerate().filter(|(at, _)| Some(*at) != out).map(|(_, held)| held.0);
        let (mut sum, mut mass) = (0.0, 0.0);
        for _ in 0..others {
            let gain = all.next()?;
            sum += gain;
            mass += gain.abs();
        }
        Some((sum, mass))
    }
}
