//! A file that was read back against the bytes that were judged.

use std::io::Read;

use lookalike_audit::{Dialect, rows as judged_rows};
use lookalike_model::described::Described;

use super::{Target, WriteCheck, WriteFault};

/// The bytes that were judged, and what was made of them.
#[derive(Clone, Copy)]
pub(super) struct Judged<'a> {
    pub(super) published: &'a [u8],
    pub(super) dialect: Dialect,
    pub(super) form: Target,
    /// What the source said of its columns.
    pub(super) described: &'a [Described],
}

/// A cell as a public decoder has it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Found {
    Nothing,
    Text(String),
    Whole(i64),
    Real(f64),
    /// Days since 1970-01-01.
    Day(i32),
    /// What is never written.
    Other,
}

/// What a file is compared as.
#[derive(Clone, Copy)]
pub(super) struct Same {
    pub(super) dialect: Dialect,
    pub(super) form: Target,
}

impl Judged<'_> {
    pub(super) fn unread(&self, says: &impl ToString) -> WriteFault {
        self.same().unread(says)
    }

    pub(super) fn same(&self) -> Same {
        Same { dialect: self.dialect, form: self.form }
    }

    /// As [`Same::compare`].
    pub(super) fn compare(
        &self,
        names: &[String],
        rows: impl Iterator<Item = Result<Vec<Found>, WriteFault>>,
    ) -> Result<WriteCheck, WriteFault> {
        self.same().compare(self.published, names, rows)
    }
}

impl Same {
    pub(super) fn unread(self, says: &impl ToString) -> WriteFault {
        WriteFault::Unread { form: self.form, says: says.to_string() }
    }

    /// Compares the names and the rows, which come one after the other, with the cells of the judged bytes, as the audit's strict
    /// reader reads them.
    pub(super) fn compare(
        self,
        published: impl Read,
        names: &[String],
        mut rows: impl Iterator<Item = Result<Vec<Found>, WriteFault>>,
    ) -> Result<WriteCheck, WriteFault> {
        let form = self.form;
        // Until the first difference, and what it is.
        let (mut row, mut columns, mut fault) = (1, 0, None);
        judged_rows(published, self.dialect, &mut |header, cells| {
            columns = header.len();
            if row == 1 && fault.is_none() {
                let differs = header.iter().zip(names).position(|(wanted, name)| wanted != name);
                fault = differs.map(|at| WriteFault::Differs { form, row, column: at + 1 });
                if fault.is_none() && header.len() != names.len() {
                    fault = Some(WriteFault::Size { form, rows: 0, columns });
                }
            }
            row += 1;
            if fault.is_some() {
                return;
            }
            fault = match rows.next() {
                None => Some(WriteFault::Size { form, rows: 0, columns }),
                Some(Err(why)) => Some(why),
                Some(Ok(found)) if found.len() != columns => {
                    Some(WriteFault::Size { form, rows: 0, columns })
                }
                Some(Ok(found)) => {
                    let differs = found.iter().zip(cells).position(|(found, cell)| !found.says(cell));
                    differs.map(|at| WriteFault::Differs { form, row, column: at + 1 })
                }
            };
        })
        .map_err(|why| self.unread(&why))?;
        match fault {
            Some(WriteFault::Size { .. }) => return Err(WriteFault::Size { form, rows: row, columns }),
            Some(fault) => return Err(fault),
            None => {}
        }
        match rows.next() {
            Some(Err(why)) => Err(why),
            Some(Ok(_)) => Err(WriteFault::Size { form, rows: row, columns }),
            None => Ok(WriteCheck::Same { cells: row * columns, rows: row }),
        }
    }
}

impl Found {
    /// Whether it is this text, or what is spelled so.
    fn says(&self, cell: &str) -> bool {
        match self {
            Self::Nothing => cell.is_empty(),
            Self::Text(text) => text == cell && !cell.is_empty(),
            Self::Whole(number) => number.to_string() == cell,
            Self::Real(number) => number.to_string() == cell,
            Self::Day(day) => civil(i64::from(*day)) == cell,
            Self::Other => false,
        }
    }
}

/// A day since 1970-01-01 as ISO 8601 has it, by the calendar's eras of 400 years: not by the code that made a day of it.
fn civil(day: i64) -> String {
    const ERA: i64 = 146_097;
    // Days since the 1st of March of the year 0, so that a leap day is the last of its year.
    let since = day + 719_468;
    let (era, of_era) = (since.div_euclid(ERA), since.rem_euclid(ERA));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / (ERA - 1)) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + 400 * era + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (day, text) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (11_016, "2000-02-29"),
            (-25_567, "1900-01-01"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(civil(day), text);
        }
    }
}
