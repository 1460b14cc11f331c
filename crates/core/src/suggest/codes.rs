//! Whole numbers that are codes: postcodes without their leading zeros, and keys of lists such as 1, 2 and 9 for a sex.
//!
//! Read as numbers they would be averaged, and published as ranges of neighbours that are none. Nothing is changed here: what is
//! found is proposed, and a run that reads such a column as numbers says so.

use std::collections::BTreeMap;

use lookalike_model::{
    info::{Proposal, Proposed},
    settings::Settings,
};
use lookalike_table::{Column, Inferred, Kind, NumberFormat, Reading, Table, code_digits, infer, is_missing};
use lookalike_words::{Cell, Name, Said, messages};

use super::names;

messages! {
    in "core";

    /// Why whole numbers look like codes.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum CodesBy {
        /// A postcode in which some values have fewer digits than others.
        LostZeros {
            /// The word of its name.
            word: Name,
            /// The first value that is shorter.
            short: Cell,
            /// One of the longest.
            long: Cell,
            /// Cells that are shorter.
            shorter: usize,
            /// Of how many.
            values: usize,
            /// Digits of the longest.
            width: usize,
        },
        /// A postcode that was written as decimals.
        Decimals {
            /// The word of its name.
            word: Name,
            /// The first of the shortest values, which may have lost zeros.
            short: Cell,
            /// Digits of the longest.
            width: usize,
        },
        /// A postcode.
        Postcode {
            /// The word of its name.
            word: Name,
        },
        /// The name of something that lists number, and few values.
        List {
            /// The word of its name.
            word: Name,
            /// Different values.
            values: usize,
        },
    }

    /// A column of codes that a run reads as numbers, since nothing is said of its kind.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum CodesWarning {
        /// Labels as they stand.
        Category {
            /// The column.
            name: Name,
            /// Why they look like codes.
            why: Said,
        },
        /// Labels that have lost leading zeros.
        Pad {
            /// The column.
            name: Name,
            /// Why they look like it.
            why: Said,
            /// Digits that they should have.
            width: usize,
        },
    }
}

/// Words for postcodes, folded.
const POSTCODES: &str = "zip|zips|zip code|zipcode|postcode|postal code|postalcode|post code|eircode|pin code|\
                         plz|postleitzahl|codigo postal|cod postal|cp|code postal";

/// Words for what lists number, folded.
const LISTS: &str = "sex|gender|race|ethnicity|ethnic group|state|status|marital|marital status|civil status|family status|code|\
                     type|category|class of worker|worker class|work class|workclass|country|nationality|citizenship|religion|\
                     county|district|region|fips|relationship|occupation|industry|\
                     geschlecht|rasse|ethnie|familienstand|zivilstand|kennziffer|schluessel|typ|art|kategorie|bundesland|land|\
                     staat|staatsangehoerigkeit|nationalitaet|religion|konfession|kreis|bezirk|stellung im beruf|beruf|branche|\
                     sexo|genero|raza|etnia|estado|estado civil|codigo|tipo|categoria|pais|provincia|nacionalidad|\
                     situacion laboral|ocupacion|\
                     sexe|genre|etat civil|statut|pays|departement|nationalite|situation familiale|profession";

/// Words for what is measured or counted: a name with one of them is no list's, whatever else it has.
const AMOUNTS: &str = "age|year|years|yr|date|time|day|days|hour|hours|week|weeks|month|months|count|number|num|total|sum|amount|\
                       size|rate|ratio|percent|pct|share|income|salary|wage|price|cost|costs|value|score|index|height|weight|\
                       population|sales|revenue|tax|area|length|duration|distance|balance|per|\
                       alter|jahr|jahre|datum|zeit|tag|tage|stunden|wochen|monat|monate|anzahl|zahl|summe|betrag|groesse|quote|\
                       anteil|prozent|einkommen|gehalt|lohn|preis|kosten|wert|punkte|gewicht|hoehe|flaeche|dauer|\
                       edad|ano|anos|fecha|hora|horas|dia|dias|mes|meses|semanas|numero|cantidad|suma|importe|tasa|porcentaje|\
                       ingreso|ingresos|salario|precio|coste|valor|peso|altura|superficie|duracion|\
                       annee|annees|heures|jours|mois|nombre|somme|montant|taux|revenu|salaire|prix|poids|taille|duree";

/// A list of more values is none that a person makes by hand: FIPS codes of states are 56, FARS has races up to 99.
const MOST_OF_LIST: usize = 100;

/// Digits of a postcode, at least and at most: three in the Faroes, ten in Iran.
const DIGITS: std::ops::RangeInclusive<usize> = 3..=10;

/// The values of a column that are made of digits, by how many.
pub(crate) struct Lengths<'a> {
    /// By length: the first such value, and the cells that have one.
    of: BTreeMap<usize, (&'a str, usize)>,
    /// Whether a value that is shorter than the longest begins with a zero: then the zeros are there.
    zeros: bool,
    /// Whether each known value is made of digits.
    pub(crate) digits_only: bool,
    /// Whether some have `.0` behind them.
    decimals: bool,
}

impl<'a> Lengths<'a> {
    pub(crate) fn of(column: &'a Column, markers: &[String]) -> Self {
        let mut counts = vec![0_usize; column.values.len()];
        column.cells.iter().for_each(|&code| counts[code as usize] += 1);
        let mut found = Self { of: BTreeMap::new(), zeros: false, digits_only: true, decimals: false };
        let known = column.values.iter().zip(counts);
        let known: Vec<(&str, usize)> = known
            .filter(|(value, count)| *count > 0 && !is_missing(value, markers))
            .map(|(value, count)| (value.trim(), count))
            .collect();
        for (value, count) in &known {
            if let Some(digits) = code_digits(value) {
                found.of.entry(digits.len()).or_insert((value, 0)).1 += count;
                found.decimals |= digits.len() < value.len();
            } else {
                found.digits_only = false;
            }
        }
        if let Some(&longest) = found.of.keys().next_back() {
            let kept = |value: &str| {
                let digits = code_digits(value).unwrap_or(value);
                digits.len() < longest && digits.starts_with('0')
            };
            found.zeros = known.iter().any(|(value, _)| kept(value));
        }
        found
    }

    /// The longest shorter value and one of the longest, if there are two lengths or more.
    pub(crate) fn uneven(&self) -> Option<(&'a str, &'a str)> {
        let mut longest = self.of.values().rev();
        let (long, short) = (longest.next()?, longest.next()?);
        Some((short.0, long.0))
    }

    /// One of the shortest values and the digits of the longest, if all are whole numbers and some are written as decimals
    /// ("1067.0"): as codes they are neither.
    pub(crate) fn decimals(&self) -> Option<(&'a str, usize)> {
        let (_, (short, _)) = self.of.first_key_value()?;
        let (&width, _) = self.of.last_key_value()?;
        (self.decimals && self.digits_only).then_some((*short, width))
    }

    /// Whether zeros may be lost: the lengths are those of codes of `n` digits and of `n - 1`, and no shorter one has kept its zero.
    pub(crate) fn one_less(&self) -> bool {
        let lengths: Vec<usize> = self.of.keys().copied().collect();
        !self.zeros && matches!(lengths.as_slice(), [short, long] if short + 1 == *long)
    }
}

/// The word for a postcode in a name.
pub(crate) fn postcode(name: &str) -> Option<&'static str> {
    names::entry(name, POSTCODES)
}

/// How a column is better read than as numbers, if anything tells.
pub(crate) fn propose(column: &Column, inferred: &Inferred, markers: &[String]) -> Option<Proposal> {
    let is_number = matches!(inferred.kind, Kind::Integer | Kind::Real);
    if !is_number || inferred.reading != Reading::Numbers(NumberFormat::PLAIN) {
        return None;
    }
    let lengths = Lengths::of(column, markers);
    if !lengths.digits_only {
        return None;
    }
    match postcode(&column.name) {
        Some(word) => of_postcode(word, &lengths),
        None => of_list(column, inferred),
    }
}

/// The quasi-identifiers that a run with these settings reads as numbers although they look like codes.
#[must_use]
pub(super) fn codes_as_numbers(table: &Table, settings: &Settings) -> Vec<Said> {
    let unsaid = |name: &&String| {
        let Settings { kinds, orders, pad, .. } = settings;
        !kinds.contains_key(*name) && !orders.contains_key(*name) && !pad.contains_key(*name)
    };
    let markers = &settings.missing.markers;
    let warning = |name: &String| {
        // Most columns end here, before their cells are looked at.
        postcode(name).or_else(|| names::entry(name, LISTS))?;
        let column = table.column(name)?;
        let Proposal { reading, why } = propose(column, &infer(column, markers), markers)?;
        let name = Name::from(name.as_str());
        Some(match reading {
            Proposed::Category => CodesWarning::Category { name, why }.into(),
            Proposed::Pad(width) => CodesWarning::Pad { name, why, width: width.into() }.into(),
        })
    };
    settings.quasi.iter().filter(unsaid).filter_map(warning).collect()
}

fn of_postcode(word: &'static str, lengths: &Lengths) -> Option<Proposal> {
    let (&width, (long, full)) = lengths.of.iter().next_back()?;
    if !DIGITS.contains(&width) {
        return None;
    }
    let word = word.into();
    if let Some((short, width)) = lengths.decimals() {
        let why = CodesBy::Decimals { word, short: short.into(), width };
        return Some(Proposal { reading: Proposed::Pad(u8::try_from(width).ok()?), why: why.into() });
    }
    let Some((short, _)) = lengths.uneven().filter(|_| !lengths.zeros) else {
        return Some(Proposal { reading: Proposed::Category, why: CodesBy::Postcode { word }.into() });
    };
    let values = lengths.of.values().map(|(_, cells)| cells).sum::<usize>();
    let why = CodesBy::LostZeros {
        word,
        short: short.into(),
        long: (*long).into(),
        shorter: values - full,
        values,
        width,
    };
    Some(Proposal { reading: Proposed::Pad(u8::try_from(width).ok()?), why: why.into() })
}

fn of_list(column: &Column, inferred: &Inferred) -> Option<Proposal> {
    let known = column.cells.len() - inferred.missing;
    if inferred.distinct > MOST_OF_LIST || inferred.distinct * 2 > known {
        return None;
    }
    let word = names::entry(&column.name, LISTS)?;
    if names::entry(&column.name, AMOUNTS).is_some() {
        return None;
    }
    let why = CodesBy::List { word: word.into(), values: inferred.distinct };
    Some(Proposal { reading: Proposed::Category, why: why.into() })
}

#[cfg(test)]
mod tests {
    use lookalike_model::settings::{Kind as Declared, Model};
    use lookalike_table::{ReadOptions, read};

    use super::*;

    fn proposed(name: &str, cells: &[&str]) -> Option<Proposal> {
        let text = cells.iter().fold(format!("{name},y\n"), |text, cell| text + cell + ",\n");
        let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
        let markers = [String::new(), String::from("?")];
        let column = &table.columns[0];
        propose(column, &infer(column, &markers), &markers)
    }

    fn is_category(name: &str, cells: &[&str]) -> bool {
        proposed(name, cells).is_some_and(|proposal| proposal.reading == Proposed::Category)
    }

    #[test]
    fn lost_zeros_are_found_in_postcodes() {
        let cells = ["10115", "1067", "?", "1067", "99096"];
        for name in ["zip", "PLZ", "home_postcode", "código postal", "PLZ Wohnort"] {
            let found = proposed(name, &cells).unwrap();
            assert_eq!(found.reading, Proposed::Pad(5), "{name}");
            let why = found.why.to_string();
            assert!(
                why.contains("2 of 4 values") && why.contains("'1067'") && why.contains("5 digits"),
                "{why}"
            );
        }
        // A zero that is there was not taken away, and nothing is to be filled up.
        assert!(is_category("zip", &["10115", "0106", "0106", "10115"]));
        assert!(is_category("postcode", &["1010", "2020", "1010"]));
        assert_eq!(proposed("zip", &["10115", "1067", "D-1067"]), None);
        assert_eq!(proposed("visits", &["10115", "1067"]), None);
        assert_eq!(proposed("zip", &["1", "12", "7"]), None, "too short for postcodes");
    }

    /// As pandas writes whole numbers in a column with blanks.
    #[test]
    fn decimals_of_zero_are_codes_all_the_same() {
        for cells in
            [&["10115.0", "1067.0", "", "1067.0", "99096.0"], &["10115.0", "22071.0", "", "", "99096.0"]]
        {
            let found = proposed("PLZ", cells).unwrap();
            assert_eq!(found.reading, Proposed::Pad(5), "{cells:?}");
            let why = found.why.to_string();
            assert!(why.contains(".0'") && why.contains("without decimals"), "{why}");
        }
        assert_eq!(proposed("plz", &["10115.5", "1067.0", "99096.0"]), None, "decimals are no codes");
        assert!(is_category("sex", &["1.0", "2.0", "", "2.0", "1.0"]));
        assert_eq!(proposed("age", &["17.0", "25.0", "", "17.0", "25.0"]), None);
    }

    #[test]
    fn a_run_hears_of_codes_that_it_reads_as_numbers() {
        let text = "zip,sex,age\n1067,1,30\n10115,2,40\n1067,1,30\n10115,2,40\n";
        let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
        let mut settings = Settings {
            quasi: ["zip", "sex", "age"].map(String::from).to_vec(),
            ..Settings::of(Model::KAnonymity { k: 2 })
        };
        let told: Vec<String> = codes_as_numbers(&table, &settings).iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].contains("--pad zip=5") && told[1].contains("--kind sex=category"), "{told:?}");
        settings.pad.insert(String::from("zip"), 5);
        settings.kinds.insert(String::from("sex"), Declared::Integer);
        assert!(codes_as_numbers(&table, &settings).is_empty());
    }

    #[test]
    fn lists_are_known_by_their_names_and_few_values() {
        let sex = ["1", "2", "2", "9", "1", "1"];
        for name in [
            "SEX",
            "Geschlecht",
            "sexo",
            "marital_status",
            "STATE",
            "race",
            "class of worker",
            "icdCode",
            "Typ",
        ] {
            assert!(is_category(name, &sex), "{name}");
        }
        for name in [
            "age",
            "year",
            "children",
            "state population",
            "age group code",
            "income type",
            "number of status changes",
            "Anzahl Typ",
            "código año",
            "visits",
            "statement",
            "estadio",
            "class",
        ] {
            assert_eq!(proposed(name, &sex), None, "{name}");
        }
        assert_eq!(proposed("code", &["1", "2", "3", "4", "1", "2"]), None, "more than half differ");
        assert_eq!(proposed("status", &["-1", "1", "-1", "1"]), None, "signed numbers are no codes");
        assert_eq!(proposed("status", &["1.5", "1", "1.5", "1"]), None);
    }
}
