//! The different cells of a column.

use std::{
    fmt,
    ops::{Index, Range},
};

/// A list of strings in one piece of memory: their bytes, and 8 bytes each for where they end.
#[derive(Clone, PartialEq, Eq)]
pub struct Dictionary {
    text: String,
    /// Where each string begins; one more, where the last one ends.
    bounds: Vec<usize>,
}

impl Dictionary {
    /// Number of strings.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The strings in their order.
    #[must_use]
    pub fn iter(&self) -> Iter<'_> {
        Iter { dictionary: self, at: 0, end: self.len() }
    }

    /// Adds a string at the end.
    pub fn push(&mut self, value: &str) {
        self.text.push_str(value);
        self.bounds.push(self.text.len());
    }

    /// Where a string stands in the memory of all.
    pub(crate) fn range(&self, at: usize) -> Range<usize> {
        self.bounds[at]..self.bounds[at + 1]
    }

    /// The bytes at such a place.
    pub(crate) fn at(&self, range: &Range<usize>) -> &[u8] {
        &self.text.as_bytes()[range.start..range.end]
    }

    /// Gives back the memory that growing took in advance.
    pub(crate) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.bounds.shrink_to_fit();
    }
}

impl Default for Dictionary {
    fn default() -> Self {
        Self { text: String::new(), bounds: vec![0] }
    }
}

impl Index<usize> for Dictionary {
    type Output = str;

    fn index(&self, at: usize) -> &str {
        &self.text[self.range(at)]
    }
}

impl<S: AsRef<str>> FromIterator<S> for Dictionary {
    fn from_iter<I: IntoIterator<Item = S>>(values: I) -> Self {
        let mut dictionary = Self::default();
        values.into_iter().for_each(|value| dictionary.push(value.as_ref()));
        dictionary
    }
}

impl<const N: usize> PartialEq<[&str; N]> for Dictionary {
    fn eq(&self, other: &[&str; N]) -> bool {
        self.iter().eq(other.iter().copied())
    }
}

impl fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl<'a> IntoIterator for &'a Dictionary {
    type Item = &'a str;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// The strings of a [`Dictionary`] in their order.
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    dictionary: &'a Dictionary,
    at: usize,
    end: usize,
}

impl<'a> Iterator for Iter<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let at = self.at;
        (at < self.end).then(|| {
            self.at += 1;
            &self.dictionary[at]
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.at, Some(self.end - self.at))
    }
}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        (self.at < self.end).then(|| {
            self.end -= 1;
            &self.dictionary[self.end]
        })
    }
}

impl ExactSizeIterator for Iter<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_was_pushed() {
        let dictionary: Dictionary = ["é", "", "abc"].into_iter().collect();
        assert_eq!((dictionary.len(), &dictionary[0], &dictionary[1], &dictionary[2]), (3, "é", "", "abc"));
        assert_eq!(dictionary.iter().rev().collect::<Vec<_>>(), ["abc", "", "é"]);
        assert_eq!(format!("{dictionary:?}"), "[\"é\", \"\", \"abc\"]");
        assert!(dictionary == ["é", "", "abc"] && dictionary != ["é", "", "abd"] && dictionary != ["é", ""]);
        assert!(Dictionary::default().is_empty());
    }
}
