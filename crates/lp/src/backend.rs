//! The solvers.

/// A solver of linear and integer programmes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// microlp: pure Rust, also in the page.
    Microlp,
    /// HiGHS: C++, native only.
    #[cfg(feature = "highs")]
    Highs,
}

impl Backend {
    /// The best one that was compiled in.
    #[must_use]
    pub fn best() -> Self {
        #[cfg(feature = "highs")]
        return Self::Highs;
        #[cfg(not(feature = "highs"))]
        Self::Microlp
    }

    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Microlp => "microlp",
            #[cfg(feature = "highs")]
            Self::Highs => "highs",
        }
    }
}
