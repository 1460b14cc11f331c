//! What may be guessed of the secret column once the table is out, and without it: known before any run, from the survey.

use lookalike_model::{
    info::ColumnInfo,
    settings::{MissingPolicy, Repair},
    survey::SurveyRow,
};

use super::State;
use crate::{
    form::{ModelChoice, Role, RowsChoice},
    settings::Field,
};

/// How surely a secret value is guessed at worst.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Told {
    /// In one of so many cases.
    OneIn(usize),
    /// The same of m, where one of the m values is "not known", which a guess can rule out.
    Known {
        /// Those that are left.
        known: usize,
        /// As many as were asked for.
        m: usize,
    },
    /// As surely as this after the chosen changes.
    Changed {
        /// 0 to 1.
        sure: f64,
        /// It is the value of a person who was left out.
        absent: bool,
        /// As surely as this the value of a person who is in the table, 0 to 1.
        present: f64,
    },
}

impl Told {
    /// Whether the value of somebody who is in the table stays secret: at worst half of the guesses are right.
    #[must_use]
    pub fn is_secret(self) -> bool {
        match self {
            // Who was left out is not in the table: what is told of them is said beside the verdict.
            Self::Changed { present, .. } => present <= 0.5,
            Self::OneIn(_) | Self::Known { .. } => !self.is_certain(),
        }
    }

    /// Whether most guesses of the value of somebody who was left out are right.
    #[must_use]
    pub fn tells_of_absent(self) -> bool {
        matches!(self, Self::Changed { sure, absent: true, .. } if sure > 0.5)
    }

    /// Whether the value of somebody who is in the table can be certain.
    #[must_use]
    pub fn is_certain(self) -> bool {
        match self {
            Self::OneIn(m) => m <= 1,
            Self::Known { known, .. } => known <= 1,
            Self::Changed { present, .. } => present >= 1.0,
        }
    }
}

impl State {
    /// The one secret column; none where there are several.
    #[must_use]
    pub fn secret(&self) -> Option<&ColumnInfo> {
        let columns = &self.table.as_ref()?.columns;
        let mut secret =
            columns.iter().zip(&self.choices).filter(|(_, choice)| choice.role == Role::Sensitive);
        Some(secret.next().filter(|_| secret.next().is_none())?.0)
    }

    /// How surely a value of the secret column is guessed under m-invariance; nothing where that is only known after a run, or where
    /// there is no table.
    #[must_use]
    pub fn told(&self) -> Option<Told> {
        let info = self.secret()?;
        let m: usize = self.form.m.trim().parse().ok().filter(|m| *m >= 2)?;
        // Where the number cannot be, there is no table.
        let impossible = self.invalid().iter().any(|wrong| wrong.field == Field::M);
        if self.form.model == ModelChoice::KAnonymity || impossible {
            return None;
        }
        let survey = self.survey.as_deref().and_then(|survey| survey.as_ref().ok());
        // Values of persons with several rows are linked: what is possible is known once they were counted.
        if self.form.rows_are == RowsChoice::OfPersons && survey.is_none() {
            return None;
        }
        let changed =
            survey.and_then(|survey| survey.survey.iter().find(|row| row.m == m as u64 && !row.eligible));
        if let Some(row) = changed {
            return surest(self.form.eligibility, row);
        }
        if survey.is_some_and(|survey| m as u64 > survey.largest_m_without_changes) {
            return None;
        }
        let own = self.choices.iter().find(|choice| choice.role == Role::Sensitive)?.missing;
        // "Not known" is no value to somebody who rules it out.
        let as_value = own.unwrap_or(self.form.missing_sensitive) == MissingPolicy::Value;
        Some(if as_value && info.missing > 0 { Told::Known { known: m - 1, m } } else { Told::OneIn(m) })
    }

    /// The most frequent value of the secret column and its share of the known ones: the best guess without the table. Nothing
    /// where the column is one of numbers or dates.
    #[must_use]
    pub fn best_guess(&self) -> Option<(&str, f64)> {
        let (table, info) = (self.table.as_ref()?, self.secret()?);
        // Of persons with several rows only the rows were counted.
        if self.form.rows_are == RowsChoice::OfPersons {
            return None;
        }
        if !matches!(&*info.kind, "category" | "identifier") {
            return None;
        }
        let labelled = info.bars.iter().filter(|bar| !bar.label.is_empty());
        let first = labelled.max_by_key(|bar| bar.count)?;
        let known = table.rows.saturating_sub(info.missing).max(1);
        Some((&first.label, first.count as f64 / known as f64))
    }
}

/// How surely a value can be told after the chosen changes. Nothing where no changes are chosen: then there is no table.
fn surest(repair: Repair, row: &SurveyRow) -> Option<Told> {
    let told = match repair {
        Repair::Error => return None,
        Repair::Add => row.disclosure.add,
        Repair::Delete => row.disclosure.delete,
        Repair::Hybrid => row.disclosure.hybrid,
    }?;
    let absent = told.absent.unwrap_or(0.0);
    Some(Told::Changed {
        sure: told.present.max(absent),
        absent: absent > told.present,
        present: told.present,
    })
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use lookalike_model::{
        assessment::{RepairDisclosure, RepairDisclosures},
        info::Bar,
    };
    use proptest::prelude::*;

    use super::*;
    use crate::{
        form::Form,
        lines::guarantee,
        state::{Action, reduce, tests::described},
    };

    fn with(mut state: State, change: impl FnOnce(&mut Form)) -> State {
        let mut form = state.form.clone();
        change(&mut form);
        let table = Rc::make_mut(state.table.as_mut().unwrap());
        table.columns[1].distinct = 9;
        reduce(state, Action::Edit(Box::new(form)))
    }

    fn unknown(mut state: State, missing: usize) -> State {
        Rc::make_mut(state.table.as_mut().unwrap()).columns[1].missing = missing;
        state
    }

    #[test]
    fn what_most_guesses_tell_is_no_secret() {
        let changed = |present: f64, sure: f64| Told::Changed { sure, absent: sure > present, present };
        assert!(Told::OneIn(2).is_secret() && changed(0.5, 0.5).is_secret() && changed(0.5, 0.9).is_secret());
        assert!(
            !Told::OneIn(1).is_secret()
                && !changed(0.97, 0.97).is_secret()
                && !changed(0.97, 1.0).is_secret()
        );
        // Who was left out is not in the table, whose people are protected all the same.
        assert!(changed(0.2, 1.0).is_secret() && changed(0.2, 1.0).tells_of_absent());
        assert!(!changed(0.2, 0.4).tells_of_absent() && !changed(0.9, 0.9).tells_of_absent());
        assert!(!Told::Known { known: 1, m: 2 }.is_secret() && Told::Known { known: 2, m: 3 }.is_secret());
    }

    #[test]
    fn after_changes_the_surest_reading_counts() {
        let told = |present, absent| Some(RepairDisclosure { present, absent, real: None });
        let disclosure = RepairDisclosures {
            add: told(0.25, None),
            delete: told(1.0 / 7.0, Some(1.0)),
            hybrid: told(0.2, Some(0.1)),
        };
        let row = SurveyRow {
            m: 7,
            eligible: false,
            additions: None,
            deletions: None,
            hybrid: None,
            disclosure,
            share: None,
            levels_all: false,
        };
        let changed = |present: f64, sure: f64| Some(Told::Changed { sure, absent: sure > present, present });
        assert_eq!(surest(Repair::Error, &row), None, "there is no table");
        assert_eq!(surest(Repair::Add, &row), changed(0.25, 0.25));
        assert_eq!(surest(Repair::Delete, &row), changed(1.0 / 7.0, 1.0));
        assert_eq!(surest(Repair::Hybrid, &row), changed(0.2, 0.2));
    }

    #[test]
    fn without_the_table_the_most_frequent_value_is_guessed() {
        let mut state = unknown(described(), 2);
        let table = Rc::make_mut(state.table.as_mut().unwrap());
        let bar = |label: &str, count| Bar { label: label.to_owned(), count };
        table.columns[1].kind = String::from("category");
        table.columns[1].bars = vec![bar("flu", 4), bar("gout", 1), bar("", 3)];
        assert_eq!(state.best_guess(), Some(("flu", 0.5)), "of the eight rows that say it");
        Rc::make_mut(state.table.as_mut().unwrap()).columns[1].kind = String::from("integer");
        assert_eq!(state.best_guess(), None, "a range is no value");
    }

    proptest! {
        /// Before a run, too, nothing says more than the weakest reading: of m values one may be "not known", and what can be told is
        /// never called secret.
        #[test]
        fn what_is_promised_before_a_run_is_the_weakest_reading(m in 2_usize..9, missing in 0_usize..3, policy in 0..3) {
            let policy = [MissingPolicy::Error, MissingPolicy::Drop, MissingPolicy::Value][policy as usize];
            let state = with(unknown(described(), missing), |form| {
                (form.m, form.missing_sensitive) = (m.to_string(), policy);
            });
            let left = if missing > 0 && policy == MissingPolicy::Value { m - 1 } else { m };
            let told = state.told().unwrap();
            let of = match told {
                Told::OneIn(of) | Told::Known { known: of, .. } => of,
                Told::Changed { .. } => unreachable!("nothing was changed"),
            };
            prop_assert_eq!(of, left);
            let strip = guarantee(&state);
            prop_assert!(left > 1 || !strip.contains("secret"), "{}", strip);
            prop_assert!(told.is_certain() == (left == 1));
        }
    }
}
