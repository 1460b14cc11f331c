//! Languages, and how each writes numbers, names and lists.

/// A language of the catalogue.
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
    /// All languages, in the order of menus.
    pub const ALL: [Self; 3] = [Self::English, Self::Spanish, Self::German];

    /// Its code (ISO 639-1), which is also the name of its file.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Spanish => "es",
            Self::German => "de",
        }
    }

    /// What it calls itself.
    #[must_use]
    pub const fn name(self) -> &'static str {
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
    pub const fn decimal_mark(self) -> char {
        match self {
            Self::English => '.',
            Self::Spanish | Self::German => ',',
        }
    }

    /// What separates thousands.
    #[must_use]
    pub const fn group_mark(self) -> char {
        match self {
            Self::English => ',',
            Self::Spanish | Self::German => '.',
        }
    }

    /// The least number of digits with separated thousands: in Spanish four digits stand together.
    #[must_use]
    pub const fn grouped_from(self) -> usize {
        match self {
            Self::English | Self::German => 4,
            Self::Spanish => 5,
        }
    }

    /// A count, its thousands apart: "1,234,567".
    #[must_use]
    pub fn count(self, count: u64) -> String {
        let digits = count.to_string();
        if digits.len() < self.grouped_from() {
            return digits;
        }
        let mut text = String::with_capacity(digits.len() + digits.len() / 3);
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                text.push(self.group_mark());
            }
            text.push(digit);
        }
        text
    }

    /// A figure such as "-1,234.50", written as English has it, with the marks of this language.
    #[must_use]
    pub fn figure(self, english: &str) -> String {
        let marks = |c| match c {
            '.' => self.decimal_mark(),
            ',' => self.group_mark(),
            other => other,
        };
        english.chars().map(marks).collect()
    }

    /// The quotation marks around a name.
    pub(crate) const fn quotation_marks(self) -> (char, char) {
        match self {
            Self::English => ('"', '"'),
            Self::Spanish => ('«', '»'),
            Self::German => ('„', '“'),
        }
    }

    /// What stands before the last item of a list.
    pub(crate) const fn and(self) -> &'static str {
        match self {
            Self::English => " and ",
            Self::Spanish => " y ",
            Self::German => " und ",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_language_does() {
        let counts = |language: Language| [0, 999, 1234, 12_345, 1_234_567].map(|n| language.count(n));
        assert_eq!(counts(Language::English), ["0", "999", "1,234", "12,345", "1,234,567"]);
        assert_eq!(counts(Language::Spanish), ["0", "999", "1234", "12.345", "1.234.567"]);
        assert_eq!(Language::German.figure("-1,234.50"), "-1.234,50");
    }

    #[test]
    fn tags_of_browsers_name_languages() {
        let of = |tag| Language::of(tag);
        assert_eq!(
            [of("de"), of("de-AT"), of("ES-mx"), of("en-GB")],
            [
                Some(Language::German),
                Some(Language::German),
                Some(Language::Spanish),
                Some(Language::English)
            ]
        );
        assert_eq!([of("fr"), of("")], [None, None]);
    }
}
