//! Names of months and of days of the week in English, German and Spanish.

/// A language that has names of months.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    English,
    German,
    Spanish,
}

/// The languages in which the names of a column can be read; at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Languages {
    /// The first of them, in which names are written.
    pub(super) first: Language,
    others: [bool; 3],
}

impl Languages {
    /// One.
    pub(super) const fn of(first: Language) -> Self {
        Self { first, others: [false; 3] }
    }

    /// With another, or the same once more.
    pub(super) fn with(mut self, other: Language) -> Self {
        self.others[other as usize] |= other != self.first;
        self
    }

    /// The day of the week, as [`Language::weekday`], likewise.
    pub(super) fn weekday(self, word: &str) -> Option<(u8, Length)> {
        let others = Language::ALL.into_iter().filter(|other| self.others[*other as usize]);
        [self.first].into_iter().chain(others).find_map(|language| language.weekday(word))
    }

    /// The month, as [`Language::month`], in the first language that has the word.
    pub(super) fn month(self, word: &str) -> Option<(u8, Option<Length>)> {
        let others = Language::ALL.into_iter().filter(|other| self.others[*other as usize]);
        [self.first].into_iter().chain(others).find_map(|language| language.month(word))
    }
}

/// How long a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Length {
    /// Mar
    Short,
    /// March
    Long,
}

/// In which letters a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Case {
    /// mar
    Lower,
    /// Mar
    Title,
    /// MAR
    Upper,
}

/// The long name, the short name, and what else is in use, as long or short ones.
type Month = (&'static str, &'static str, &'static [(&'static str, Length)]);

const ENGLISH: [Month; 12] = [
    ("January", "Jan", &[]),
    ("February", "Feb", &[]),
    ("March", "Mar", &[]),
    ("April", "Apr", &[]),
    ("May", "May", &[]),
    ("June", "Jun", &[]),
    ("July", "Jul", &[]),
    ("August", "Aug", &[]),
    ("September", "Sep", &[("Sept", Length::Short)]),
    ("October", "Oct", &[]),
    ("November", "Nov", &[]),
    ("December", "Dec", &[]),
];

const GERMAN: [Month; 12] = [
    ("Januar", "Jan", &[("Jänner", Length::Long), ("Jän", Length::Short)]),
    ("Februar", "Feb", &[("Feber", Length::Long)]),
    ("März", "Mär", &[("Maerz", Length::Long), ("Mrz", Length::Short)]),
    ("April", "Apr", &[]),
    ("Mai", "Mai", &[]),
    ("Juni", "Jun", &[]),
    ("Juli", "Jul", &[]),
    ("August", "Aug", &[]),
    ("September", "Sep", &[("Sept", Length::Short)]),
    ("Oktober", "Okt", &[]),
    ("November", "Nov", &[]),
    ("Dezember", "Dez", &[]),
];

const SPANISH: [Month; 12] = [
    ("Enero", "Ene", &[]),
    ("Febrero", "Feb", &[]),
    ("Marzo", "Mar", &[]),
    ("Abril", "Abr", &[]),
    ("Mayo", "May", &[]),
    ("Junio", "Jun", &[]),
    ("Julio", "Jul", &[]),
    ("Agosto", "Ago", &[]),
    ("Septiembre", "Sep", &[("Setiembre", Length::Long), ("Sept", Length::Short), ("Set", Length::Short)]),
    ("Octubre", "Oct", &[]),
    ("Noviembre", "Nov", &[]),
    ("Diciembre", "Dic", &[]),
];

/// The long name, the short name, and what else is in use as a short one, from Monday on.
type Weekday = (&'static str, &'static str, &'static [&'static str]);

const ENGLISH_DAYS: [Weekday; 7] = [
    ("Monday", "Mon", &[]),
    ("Tuesday", "Tue", &["Tues"]),
    ("Wednesday", "Wed", &["Weds"]),
    ("Thursday", "Thu", &["Thur", "Thurs"]),
    ("Friday", "Fri", &[]),
    ("Saturday", "Sat", &[]),
    ("Sunday", "Sun", &[]),
];

const GERMAN_DAYS: [Weekday; 7] = [
    ("Montag", "Mo", &["Mon"]),
    ("Dienstag", "Di", &["Die", "Dien"]),
    ("Mittwoch", "Mi", &["Mit", "Mitt"]),
    ("Donnerstag", "Do", &["Don", "Donn"]),
    ("Freitag", "Fr", &["Fre", "Frei"]),
    ("Samstag", "Sa", &["Sam", "Sonnabend"]),
    ("Sonntag", "So", &["Son", "Sonn"]),
];

const SPANISH_DAYS: [Weekday; 7] = [
    ("Lunes", "Lun", &["Lu"]),
    ("Martes", "Mar", &["Ma"]),
    ("Miércoles", "Mié", &["Miercoles", "Mie", "Mi"]),
    ("Jueves", "Jue", &["Ju"]),
    ("Viernes", "Vie", &["Vi"]),
    ("Sábado", "Sáb", &["Sabado", "Sab", "Sá", "Sa"]),
    ("Domingo", "Dom", &["Do"]),
];

impl Language {
    pub(super) const ALL: [Self; 3] = [Self::English, Self::German, Self::Spanish];

    fn months(self) -> &'static [Month; 12] {
        match self {
            Self::English => &ENGLISH,
            Self::German => &GERMAN,
            Self::Spanish => &SPANISH,
        }
    }

    /// The month, from 1, that a word names in whatever case, and how long the name is; `None` for the length if the long
    /// and the short name are the same.
    pub(super) fn month(self, word: &str) -> Option<(u8, Option<Length>)> {
        // No name is longer, in bytes.
        if word.len() > 16 {
            return None;
        }
        let word = word.to_lowercase();
        let is = |name: &str| name.to_lowercase() == word;
        (1..).zip(self.months()).find_map(|(month, (long, short, others))| {
            let length = match (is(long), is(short)) {
                (true, true) => None,
                (true, false) => Some(Length::Long),
                (false, true) => Some(Length::Short),
                (false, false) => Some(others.iter().find(|(name, _)| is(name))?.1),
            };
            Some((month, length))
        })
    }

    fn weekdays(self) -> &'static [Weekday; 7] {
        match self {
            Self::English => &ENGLISH_DAYS,
            Self::German => &GERMAN_DAYS,
            Self::Spanish => &SPANISH_DAYS,
        }
    }

    /// The day of the week, Monday as 1, that a word names in whatever case, and how long the name is.
    pub(super) fn weekday(self, word: &str) -> Option<(u8, Length)> {
        if word.len() > 16 {
            return None;
        }
        let word = word.to_lowercase();
        let is = |name: &str| name.to_lowercase() == word;
        (1..).zip(self.weekdays()).find_map(|(day, (long, short, others))| {
            let other = is(short) || others.iter().any(|name| is(name));
            let length = if is(long) { Some(Length::Long) } else { other.then_some(Length::Short) };
            Some((day, length?))
        })
    }

    /// The name of a month, from 1; empty if there is none such.
    pub(super) fn name(self, month: u8, length: Length, case: Case) -> String {
        let month = self.months().get(usize::from(month).wrapping_sub(1));
        month.map(|(long, short, _)| written(long, short, length, case)).unwrap_or_default()
    }

    /// The name of a day of the week, Monday as 1; empty if there is none such.
    pub(super) fn weekday_name(self, day: u8, length: Length, case: Case) -> String {
        let day = self.weekdays().get(usize::from(day).wrapping_sub(1));
        day.map(|(long, short, _)| written(long, short, length, case)).unwrap_or_default()
    }
}

/// A name of this length in these letters.
fn written(long: &str, short: &str, length: Length, case: Case) -> String {
    let name = if length == Length::Long { long } else { short };
    match case {
        Case::Title => name.to_owned(),
        Case::Lower => name.to_lowercase(),
        Case::Upper => name.to_uppercase(),
    }
}

impl Case {
    /// Of a word.
    pub(super) fn of(word: &str) -> Self {
        let mut letters = word.chars();
        match (letters.next(), letters.next()) {
            (Some(first), Some(second)) if first.is_uppercase() && second.is_uppercase() => Self::Upper,
            (Some(first), _) if first.is_uppercase() => Self::Title,
            _ => Self::Lower,
        }
    }
}
