//! Languages, and how each writes numbers.

/// A language of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Spanish.
    Spanish,
    /// German.
    German,
}

impl Language {
    /// All languages, in the order of the menu.
    pub const ALL: [Self; 3] = [Self::English, Self::Spanish, Self::German];

    /// Its code (ISO 639-1), which is also the name of its file.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Spanish => "es",
            Self::German => "de",
        }
    }

    /// What it calls itself.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Spanish => "Español",
            Self::German => "Deutsch",
        }
    }

    /// The language of a tag such as `de` or `es-MX`.
    #[must_use]
    pub fn of(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
        Self::ALL.into_iter().find(|language| language.code() == primary)
    }

    /// What separates the decimals (CLDR: en, es, de).
    #[must_use]
    pub fn decimal_mark(self) -> char {
        match self {
            Self::English => '.',
            Self::Spanish | Self::German => ',',
        }
    }

    /// What separates thousands.
    #[must_use]
    pub fn group_mark(self) -> char {
        match self {
            Self::English => ',',
            Self::Spanish | Self::German => '.',
        }
    }

    /// The least number of digits with separated thousands: in Spanish four digits stand together.
    #[must_use]
    pub fn grouped_from(self) -> usize {
        match self {
            Self::English | Self::German => 4,
            Self::Spanish => 5,
        }
    }
}
