//! Warnings of what is read, where only the first rows of a table were looked at.

use lookalike_model::settings::Settings;
use lookalike_table::Table;
use lookalike_words::{Said, messages};

use super::reading_warnings;

messages! {
    in "core";

    /// A warning of what is read, from some of the rows.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum SampleWarning {
        /// Its numbers are those of the first rows.
        FirstRows {
            /// How many.
            rows: usize,
            /// The warning.
            why: Said,
        },
    }
}

/// [`reading_warnings`] of the first rows of a longer table: each says that it is of these.
#[must_use]
pub fn first_rows_warnings(first: &Table, settings: &Settings) -> Vec<Said> {
    let rows = first.rows;
    let of_these = |why| SampleWarning::FirstRows { rows, why }.into();
    reading_warnings(first, settings).into_iter().map(of_these).collect()
}

#[cfg(test)]
mod tests {
    use lookalike_model::settings::Model;
    use lookalike_table::{ReadOptions, read};

    use super::*;

    #[test]
    fn a_sample_is_called_one() {
        let rows: String = (0..1_200)
            .map(|row| format!("{}\n", 1_700_000_000_000_000_000_u64 + 8 * row))
            .collect::<Vec<_>>()
            .concat();
        let table = read(format!("ns\n{rows}").as_bytes(), &ReadOptions::default()).unwrap();
        let settings =
            Settings { quasi: vec![String::from("ns")], ..Settings::of(Model::KAnonymity { k: 2 }) };
        let [said] = &first_rows_warnings(&table, &settings)[..] else { panic!("one warning") };
        let said = said.to_string();
        assert!(said.starts_with("seen in the first 1,200 rows: column \"ns\" is read as labels"), "{said}");
    }
}
