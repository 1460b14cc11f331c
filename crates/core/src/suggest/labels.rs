//! Columns that a run reads as labels, or as months, although their cells look like something else: dates in several formats, numbers
//! with units, markers of missing values that nobody has declared, quarters.

use lookalike_model::settings::Settings;
use lookalike_table::{DateEvidence, Evidence, Finding, Table, infer};
use lookalike_words::{Name, Said, messages};

messages! {
    in "core";

    /// A column that looks like something else than what it is read as.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum LabelsWarning {
        /// Read as labels.
        Labels {
            /// The column.
            name: Name,
            /// What its cells look like.
            why: Said,
        },
        /// Read as months.
        Months {
            /// The column.
            name: Name,
            /// What they may be.
            why: Said,
        },
    }
}

/// The quasi-identifiers of which nothing is declared and whose cells look like something else than what a run with these settings
/// reads.
#[must_use]
pub(super) fn other_than_read(table: &Table, settings: &Settings) -> Vec<Said> {
    let unsaid = |name: &&String| {
        let Settings { kinds, orders, pad, labels, .. } = settings;
        let declared = kinds.contains_key(*name) || orders.contains_key(*name);
        !declared && !pad.contains_key(*name) && !labels.contains_key(*name)
    };
    let markers = &settings.missing.markers;
    let warning = |name: &String| {
        let Evidence::Known { finding, .. } = infer(table.column(name)?, markers).evidence else {
            return None;
        };
        let name = Name::from(name.as_str());
        match finding {
            Finding::SeveralDates { .. }
            | Finding::MostlyNumbers { .. }
            | Finding::NumbersWithin { .. }
            | Finding::LikeNumbers { .. }
            | Finding::LongNumbers { .. } => Some(LabelsWarning::Labels { name, why: finding.into() }.into()),
            Finding::Dates { why: Some(why @ DateEvidence::MaybeQuarters { .. }), .. } => {
                Some(LabelsWarning::Months { name, why: why.into() }.into())
            }
            _ => None,
        }
    };
    settings.quasi.iter().filter(unsaid).filter_map(warning).collect()
}

#[cfg(test)]
mod tests {
    use lookalike_model::settings::{Kind, Model};
    use lookalike_table::{ReadOptions, read};

    use super::*;

    #[test]
    fn a_run_hears_of_what_it_does_not_read() {
        let text = "visit,weight,ward,quarter\n2024-03-29,61 kg,A,1/2023\n30.03.2024,62 kg,B,2/2023\n\
                    31.03.2024,63 kg,A,4/2023\n2024-04-01,64 kg,A,3/2023\n2024-04-02,65 kg,B,1/2024\n";
        let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
        let mut settings = Settings {
            quasi: ["visit", "weight", "ward", "quarter"].map(String::from).to_vec(),
            ..Settings::of(Model::KAnonymity { k: 2 })
        };
        let told: Vec<String> = other_than_read(&table, &settings).iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(told[0].contains("'30.03.2024'") && told[0].contains("--kind visit=category"), "{told:?}");
        assert!(told[1].contains("'61 kg'") && told[2].contains("date:%q/%Y"), "{told:?}");
        settings.kinds.insert(String::from("visit"), Kind::Category);
        assert_eq!(other_than_read(&table, &settings).len(), 2);
    }

    #[test]
    fn a_run_hears_of_numbers_that_are_too_long() {
        let text = "time;amount;share\n1700000000000000071.0;$1,700,000,000,000,000,071;0.1\n\
                    1700000000000000072.0;$1,700,000,000,000,000,072;0.30000000000000004\n";
        let table =
            read(text.as_bytes(), &ReadOptions { delimiter: Some(b';'), ..ReadOptions::default() }).unwrap();
        let settings = Settings {
            quasi: ["time", "amount", "share"].map(String::from).to_vec(),
            ..Settings::of(Model::KAnonymity { k: 2 })
        };
        let told: Vec<String> = other_than_read(&table, &settings).iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told.iter().all(|told| told.contains("too long to be told apart as numbers")), "{told:?}");
    }
}
