//! Published cells of a column beside exact ones, as attacks compare them.
//!
//! Published cells may be generalised in any of the forms of `docs/checks.md`, and in those of other tools: `20-29`, `[20, 30)`, `90+`
//! in a column of numbers, `2207*` in one of labels. An end that such a form excludes counts as included: a cell says one value too many
//! then, never one too few.

use std::collections::BTreeMap;

use lookalike_table::{Column, Reading as Compared, hierarchy::interval_ends, is_missing};
use lookalike_words::Cell as Quoted;

use super::{
    Reading,
    cell::{Atom, Cell, Form, members},
    column::numbers,
    leaves::Leaves,
    numbers::{Numbers, Part},
    reading::kind,
};
use crate::{Unmeasurable, suppressed::is_suppressed};

/// The code of "not known" among labels.
pub(crate) const NOT_KNOWN: u32 = 0;

/// The entries of the dictionaries of one column: of the published table, and of the exact ones.
pub(crate) enum Entries {
    /// Numbers, day numbers or ranks.
    Numbers {
        /// What each published cell may be.
        published: Vec<Numbers>,
        /// By exact table: the value of each cell, or that it is not known.
        exact: Vec<Vec<Option<f64>>>,
    },
    /// Labels by code, 0 being "not known".
    Labels {
        /// What each published cell may be, ascending; `None` if it may be anything.
        published: Vec<Option<Vec<u32>>>,
        /// By exact table: the label of each cell.
        exact: Vec<Vec<u32>>,
        /// Published cells with a label that no exact table has.
        foreign: Vec<bool>,
    },
}

impl Entries {
    /// The first exact table, which is the original, tells how cells are read. The error says why cells cannot be compared.
    pub(crate) fn new(
        published: &Column,
        exact: &[&Column],
        reading: &Reading,
    ) -> Result<Self, Unmeasurable> {
        let Some(original) = exact.first() else { return Err(Unmeasurable::Unread) };
        let compared = reading.original(original)?;
        let leaves =
            reading.hierarchies.get(&original.name).map(|hierarchy| Leaves::new(hierarchy, &compared));
        if compared == Compared::Labels || leaves.is_some() {
            return Labels::default().entries(published, exact, reading, leaves.as_ref());
        }
        let value = |cell: &str| match compared.value(cell.trim()) {
            _ if is_missing(cell, &reading.missing) => Ok(None),
            // -0 is 0.
            Some(x) => Ok(Some(x + 0.0)),
            None => Err(Unmeasurable::OriginalCells { kind: kind(&compared) }),
        };
        let of_table = |column: &&Column| column.values.iter().map(value).collect::<Result<Vec<_>, _>>();
        let exact = exact.iter().map(of_table).collect::<Result<Vec<_>, _>>()?;
        let form = Form {
            compared: &compared,
            sure: true,
            suppressed: &reading.suppressed,
            missing: &reading.missing,
        };
        let published = published.values.iter().map(|text| number(text, form)).collect::<Result<_, _>>()?;
        Ok(Self::Numbers { published, exact })
    }
}

/// A published cell of numbers, in our forms or in another tool's.
fn number(text: &str, form: Form) -> Result<Numbers, Unmeasurable> {
    match form.parse(text) {
        Cell::Unknown => foreign_range(text.trim(), form.compared)
            .map(|part| Numbers::Known { parts: vec![part], missing: false })
            .ok_or_else(|| Unmeasurable::Form { cell: Quoted::from(text) }),
        cell => Ok(numbers(cell)),
    }
}

/// A range in another tool's form.
fn foreign_range(text: &str, compared: &Compared) -> Option<Part> {
    let (low, high) = interval_ends(text, compared)?;
    let above = text.ends_with('+') || text.starts_with(['>', '\u{2265}']);
    let below = text.starts_with(['<', '\u{2264}']);
    Some((if below { f64::NEG_INFINITY } else { low }, if above { f64::INFINITY } else { high }))
}

/// Codes of labels, given as they come.
#[derive(Default)]
struct Labels {
    codes: BTreeMap<String, u32>,
}

impl Labels {
    fn code(&mut self, label: &str) -> u32 {
        let next = NOT_KNOWN + 1 + self.codes.len() as u32;
        *self.codes.entry(label.to_owned()).or_insert(next)
    }

    fn entries(
        mut self,
        published: &Column,
        exact: &[&Column],
        reading: &Reading,
        leaves: Option<&Leaves>,
    ) -> Result<Entries, Unmeasurable> {
        // The values of a hierarchy are compared without the white space around them.
        let plain = |cell: &str| if leaves.is_some() { cell.trim().to_owned() } else { cell.to_owned() };
        let mut tables = Vec::with_capacity(exact.len());
        for column in exact {
            let code = |cell: &str| {
                if is_missing(cell, &reading.missing) { NOT_KNOWN } else { self.code(&plain(cell)) }
            };
            tables.push(column.values.iter().map(code).collect());
        }
        let known = self.codes.clone();
        let compared = Compared::Labels;
        let form = Form {
            compared: &compared,
            sure: true,
            suppressed: &reading.suppressed,
            missing: &reading.missing,
        };
        let mut cells = Vec::with_capacity(published.values.len());
        let mut foreign = Vec::with_capacity(published.values.len());
        for text in &published.values {
            let found = match leaves {
                Some(leaves) => self.under(text, form, leaves)?,
                None => self.among(text, form, &known),
            };
            let last = NOT_KNOWN + known.len() as u32;
            foreign.push(found.as_ref().is_some_and(|codes| codes.iter().all(|&code| code > last)));
            cells.push(found);
        }
        Ok(Entries::Labels { published: cells, exact: tables, foreign })
    }

    /// What a label of a hierarchy, or a set of such labels, stands for.
    fn under(&mut self, text: &str, form: Form, leaves: &Leaves) -> Result<Option<Vec<u32>>, Unmeasurable> {
        if is_suppressed(text, form.suppressed) {
            return Ok(None);
        }
        let mut codes = Vec::new();
        for member in members(text).ok_or_else(|| Unmeasurable::NoSet { cell: Quoted::from(text) })? {
            match leaves.under(&member) {
                _ if form.is_missing(&member) => codes.push(NOT_KNOWN),
                Some(under) if leaves.is_all(under) => return Ok(None),
                Some(under) => codes.extend(under.iter().map(|&at| self.code(&leaves.values()[at as usize]))),
                None => return Err(Unmeasurable::NotInHierarchy { label: Quoted::from(member.as_str()) }),
            }
        }
        Ok(Some(sorted(codes)))
    }

    /// The labels that a cell names: itself, those of a set, or all that begin as it does before its asterisks.
    fn among(&mut self, text: &str, form: Form, known: &BTreeMap<String, u32>) -> Option<Vec<u32>> {
        let atoms = match form.parse(text) {
            Cell::Suppressed => return None,
            Cell::OneOf(atoms) => atoms,
            Cell::Unknown => vec![Atom::Label(text.to_owned())],
        };
        let mut codes = Vec::new();
        for atom in atoms {
            let Atom::Label(label) = atom else {
                codes.push(NOT_KNOWN);
                continue;
            };
            let start = label.trim_end_matches('*');
            if start.len() < label.len() && !known.contains_key(&label) {
                let alike = known.range(start.to_owned()..).take_while(|(other, _)| other.starts_with(start));
                codes.extend(alike.map(|(_, &code)| code));
            } else {
                codes.push(self.code(&label));
            }
        }
        Some(sorted(codes))
    }
}

fn sorted(mut codes: Vec<u32>) -> Vec<u32> {
    codes.sort_unstable();
    codes.dedup();
    codes
}

#[cfg(test)]
mod tests {
    use lookalike_table::hierarchy::Hierarchy;

    use super::*;

    fn column(cells: &[&str]) -> Column {
        Column {
            name: String::from("x"),
            texts: false,
            values: cells.iter().collect(),
            cells: (0..cells.len() as u32).collect(),
        }
    }

    fn entries(published: &[&str], original: &[&str], reading: &Reading) -> Result<Entries, Unmeasurable> {
        Entries::new(&column(published), &[&column(original)], reading)
    }

    #[test]
    fn ranges_of_other_tools() {
        let cells = ["20-29", "[20, 30)", "90+", "<20", ">=90", "[18-20]", "*", "?", "21"];
        let Ok(Entries::Numbers { published, exact }) =
            entries(&cells, &["20", "95", "?"], &Reading::default())
        else {
            panic!("numbers")
        };
        assert_eq!(exact, [[Some(20.0), Some(95.0), None]]);
        let ends: Vec<_> = published.iter().map(Numbers::span).collect();
        let inf = f64::INFINITY;
        let expected = [
            Some((20.0, 29.0)),
            Some((20.0, 30.0)),
            Some((90.0, inf)),
            Some((-inf, 20.0)),
            Some((90.0, inf)),
            Some((18.0, 20.0)),
            None,
            None,
            Some((21.0, 21.0)),
        ];
        assert_eq!(ends, expected);
        assert_eq!((&published[6], &published[7]), (&Numbers::Suppressed, &Numbers::Missing));
        assert!(entries(&["old"], &["20", "95"], &Reading::default()).is_err());
    }

    #[test]
    fn labels_sets_and_starts() {
        let cells = ["22071", "2207*", "{22071, a}", "*", "?", "elsewhere"];
        let Ok(Entries::Labels { published, exact, foreign }) =
            entries(&cells, &["22071", "22079", "a", "NA"], &Reading::default())
        else {
            panic!("labels")
        };
        assert_eq!(exact, [[1, 2, 3, NOT_KNOWN]]);
        let expected =
            [Some(vec![1]), Some(vec![1, 2]), Some(vec![1, 3]), None, Some(vec![NOT_KNOWN]), Some(vec![4])];
        assert_eq!(published, expected);
        assert_eq!(foreign, [false, false, false, false, false, true]);
    }

    #[test]
    fn labels_of_a_hierarchy_stand_for_their_values() {
        let rows: Vec<Vec<String>> = ["a;north;*", "b;north;*", "c;south;*"]
            .iter()
            .map(|row| row.split(';').map(String::from).collect())
            .collect();
        let mut reading = Reading::default();
        reading.hierarchies.insert(String::from("x"), Hierarchy::new(&rows).unwrap());
        let Ok(Entries::Labels { published, .. }) =
            entries(&["north", "c", "*", "{south, a}"], &["b", "c", "d"], &reading)
        else {
            panic!("labels")
        };
        // b, c and d come first, then a, which only the hierarchy has.
        assert_eq!(published, [Some(vec![1, 4]), Some(vec![2]), None, Some(vec![2, 4])]);
        assert!(entries(&["west"], &["b", "c"], &reading).is_err());
    }
}
