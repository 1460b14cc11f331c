//! What quotes a field.

/// What quotes a field. Only a mark at the very start of a field quotes it; a doubled one within stands for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quote {
    /// This character.
    Mark(u8),
    /// Nothing: every mark is part of its cell, and cells can hold no delimiter.
    Off,
}

impl Default for Quote {
    fn default() -> Self {
        Self::Mark(b'"')
    }
}
