//! A column of published cells, as numbers or as labels.

use std::collections::BTreeMap;

use lookalike_table::{Column, Reading as Compared};
use lookalike_words::Cell as Quoted;

use super::{
    cell::{Atom, Cell, Form, members},
    leaves::Leaves,
    numbers::{Numbers, Part, joined},
};
use crate::{Unmeasurable, suppressed::is_suppressed};

/// A column whose cells can be measured; entries as in the column's dictionary.
pub(super) enum Parsed {
    /// All numbers, day numbers or ranks.
    Numbers(Vec<Numbers>),
    /// Labels.
    Labels {
        /// What each cell may be: indices into `labels`, ascending; `None` if suppressed.
        cells: Vec<Option<Vec<u32>>>,
        /// The different labels, sorted, with a hierarchy all its values; all missing markers are the label "".
        labels: Vec<String>,
        /// What cells cost, if a hierarchy says what labels stand for.
        generalised: Option<Costs>,
    },
}

/// What cells of labels of a hierarchy cost.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Costs {
    /// The number of values that they stand for.
    Values,
    /// The width of the interval that they cover, as a part of that of all: one entry a cell, 1 if suppressed.
    Widths(Vec<f64>),
}

impl Parsed {
    /// Parses the cells that occur. The error says which cell has a form that is not known.
    pub(super) fn of(column: &Column, form: Form, hierarchy: Option<&Leaves>) -> Result<Self, Unmeasurable> {
        if let Some(leaves) = hierarchy {
            return Self::generalised(column, form, leaves);
        }
        let cells: Vec<Cell> = column.values.iter().map(|text| form.parse(text)).collect();
        if let Some(at) = cells.iter().position(|cell| *cell == Cell::Unknown) {
            let text = &column.values[at];
            let cell = Quoted::from(text);
            return Err(if *form.compared == Compared::Labels && text.trim().starts_with('[') {
                Unmeasurable::Range { cell }
            } else {
                Unmeasurable::Form { cell }
            });
        }
        Ok(match form.compared {
            Compared::Labels => labels(cells),
            _ => Self::Numbers(cells.into_iter().map(numbers).collect()),
        })
    }

    /// Cells that are labels of a hierarchy, or sets of them.
    fn generalised(column: &Column, form: Form, leaves: &Leaves) -> Result<Self, Unmeasurable> {
        const MISSING: u32 = u32::MAX;
        let mut widths = Vec::new();
        let cell = |text: &str| -> Result<Option<Vec<u32>>, Unmeasurable> {
            widths.push(1.0);
            if is_suppressed(text, form.suppressed) {
                return Ok(None);
            }
            let members = members(text).ok_or_else(|| Unmeasurable::NoSet { cell: Quoted::from(text) })?;
            let mut found = Vec::new();
            for member in &members {
                match leaves.under(member) {
                    _ if form.is_missing(member) => found.push(MISSING),
                    Some(under) if leaves.is_all(under) => return Ok(None),
                    Some(under) => found.extend(under),
                    None => {
                        return Err(Unmeasurable::NotInHierarchy { label: Quoted::from(member.as_str()) });
                    }
                }
            }
            found.sort_unstable();
            found.dedup();
            let known = members.iter().map(String::as_str).filter(|member| !form.is_missing(member));
            if let (Some(intervals), Some(width)) = (leaves.intervals(), widths.last_mut()) {
                *width = intervals.part(known);
            }
            Ok(Some(found))
        };
        let mut cells = column.values.iter().map(cell).collect::<Result<Vec<_>, _>>()?;
        let mut labels = leaves.values().to_vec();
        if cells.iter().flatten().flatten().any(|&code| code == MISSING) {
            // "" stands before all values.
            labels.insert(0, String::new());
            for cell in cells.iter_mut().flatten() {
                for code in cell.iter_mut() {
                    *code = code.wrapping_add(1);
                }
                cell.sort_unstable();
            }
        }
        let costs = leaves.intervals().map_or(Costs::Values, |_| Costs::Widths(widths));
        Ok(Self::Labels { cells, labels, generalised: Some(costs) })
    }

    /// Least and largest number that a cell says; `None` for labels.
    pub(super) fn span(&self) -> Option<Part> {
        match self {
            Self::Numbers(cells) => joined(cells.iter().filter_map(Numbers::finite_span)),
            Self::Labels { .. } => None,
        }
    }

    /// Lets open ends reach to the end of a domain.
    pub(super) fn closed(mut self, domain: Option<Part>) -> Self {
        if let Self::Numbers(cells) = &mut self {
            for cell in cells.iter_mut() {
                cell.close(domain);
            }
        }
        self
    }
}

pub(super) fn numbers(cell: Cell) -> Numbers {
    let Cell::OneOf(atoms) = cell else { return Numbers::Suppressed };
    let missing = atoms.contains(&Atom::Missing);
    let part = |atom| if let Atom::Range(low, high) = atom { Some((low, high)) } else { None };
    let mut parts: Vec<Part> = atoms.into_iter().filter_map(part).collect();
    parts.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    if parts.is_empty() { Numbers::Missing } else { Numbers::Known { parts, missing } }
}

fn labels(cells: Vec<Cell>) -> Parsed {
    let text = |atom| if let Atom::Label(text) = atom { text } else { String::new() };
    let texts: Vec<Option<Vec<String>>> = cells
        .into_iter()
        .map(|cell| match cell {
            Cell::OneOf(atoms) => Some(atoms.into_iter().map(text).collect()),
            _ => None,
        })
        .collect();
    let mut index: BTreeMap<String, u32> =
        texts.iter().flatten().flatten().map(|label| (label.clone(), 0)).collect();
    index.values_mut().zip(0..).for_each(|(at, next)| *at = next);
    let codes = |set: Vec<String>| {
        let mut codes: Vec<u32> = set.iter().map(|label| index[label]).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    };
    let cells = texts.into_iter().map(|set| set.map(codes)).collect();
    Parsed::Labels { cells, labels: index.into_keys().collect(), generalised: None }
}
