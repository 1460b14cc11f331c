//! One row of a table.

/// The cells of one row, in one text.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) text: String,
    /// Where in the text each cell begins and ends.
    pub(super) spans: Vec<(usize, usize)>,
}

impl Row {
    pub(super) fn cell(&self, at: usize) -> &str {
        let (start, end) = self.spans[at];
        &self.text[start..end]
    }

    /// Takes these cells in place of the ones it holds.
    pub(super) fn set(&mut self, cells: &[&str]) {
        self.text.clear();
        self.spans.clear();
        for cell in cells {
            let start = self.text.len();
            self.text.push_str(cell);
            self.spans.push((start, self.text.len()));
        }
    }
}
