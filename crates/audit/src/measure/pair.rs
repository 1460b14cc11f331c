//! A quasi-identifier before and after.

use lookalike_table::{Column, Reading as Compared, is_missing};
use lookalike_words::Cell;

use super::{
    Reading,
    cell::Form,
    column::Parsed,
    figures::ncp_of_entries,
    leaves::Leaves,
    numbers::{Numbers, Part},
    reading::{Domain, kind},
    squared::Original,
    utility::{ColumnUtility, Statistic},
};
use crate::Unmeasurable;

/// An original row and a published row of its class.
#[derive(Clone, Copy)]
pub(super) struct Linked {
    /// Of the original.
    pub(super) row: usize,
    /// Of the published table: the first of the class.
    pub(super) at: usize,
}

/// A column before and after, both as numbers or both as labels.
pub(super) struct Pair<'a> {
    pub(super) before: &'a Column,
    pub(super) after: &'a Column,
    pub(super) original: Parsed,
    pub(super) published: Result<Parsed, Unmeasurable>,
    /// 1 if the original's numbers are whole, else 0.
    pub(super) step: f64,
    squared: Original,
    declared: Option<Domain>,
}

impl<'a> Pair<'a> {
    pub(super) fn new(before: &'a Column, after: &'a Column, reading: &Reading) -> Self {
        let compared = reading.original(before);
        let plain = match &compared {
            Ok(Compared::Labels) | Err(_) => None,
            Ok(by_value) => plain_numbers(before, by_value, &reading.missing),
        };
        let hierarchy = reading.hierarchies.get(&before.name);
        let squared = match (&plain, hierarchy) {
            (Some(numbers), _) => Original::numbers(numbers),
            (None, Some(hierarchy)) => Original::nodes(before, hierarchy, &reading.missing)
                .unwrap_or_else(|| of_labels(before, reading)),
            (None, None) => of_labels(before, reading),
        };
        let numbers = plain.is_some();
        let compared = match compared {
            Ok(compared) if numbers || compared == Compared::Labels => Ok(compared),
            Ok(compared) => Err(Unmeasurable::OriginalCells { kind: kind(&compared) }),
            Err(why) => Err(why),
        };
        let step = compared.as_ref().map_or(0.0, |compared| step(before, compared, &reading.missing));
        let (original, published) = match &compared {
            Err(why) => (plain_labels(before, reading), Err(why.clone())),
            Ok(compared) => {
                let leaves = hierarchy.map(|hierarchy| Leaves::new(hierarchy, compared));
                let form = |suppressed| Form { compared, sure: true, suppressed, missing: &reading.missing };
                let original = match (&leaves, plain) {
                    (Some(_), _) => Parsed::of(before, form(&[]), leaves.as_ref()),
                    (None, Some(numbers)) => Ok(Parsed::Numbers(numbers)),
                    (None, None) => Ok(plain_labels(before, reading)),
                };
                match original {
                    Err(why) => (plain_labels(before, reading), Err(why)),
                    Ok(original) => {
                        let published = Parsed::of(after, form(&reading.suppressed), leaves.as_ref())
                            .and_then(|parsed| comparable(&original, parsed));
                        (original, published)
                    }
                }
            }
        };
        let declared = reading.domains.get(&before.name).cloned();
        let domain = match &declared {
            Some(Domain::Numbers(low, high)) => Some((*low, *high)),
            _ => original.span(),
        };
        Self {
            before,
            after,
            original,
            published: published.map(|p| p.closed(domain)),
            step,
            squared,
            declared,
        }
    }

    pub(super) fn column_utility(&self, name: &str, rows: &[Linked], sse: f64, sst: f64) -> ColumnUtility {
        let ncp = match &self.published {
            Err(why) => Err(why.clone()),
            Ok(published) => {
                let (span, labels) = self.domain();
                let per_entry = ncp_of_entries(published, span, labels);
                let mut of_entry = vec![0_usize; per_entry.len()];
                for linked in rows {
                    of_entry[self.after.cells[linked.at] as usize] += 1;
                }
                let total: f64 = per_entry.iter().zip(&of_entry).map(|(ncp, &n)| ncp * n as f64).sum();
                Ok(total / rows.len().max(1) as f64)
            }
        };
        ColumnUtility {
            name: name.to_owned(),
            ncp,
            information_loss_percent: if sst > 0.0 { 100.0 * sse / sst } else { 0.0 },
            uncovered: self.published.as_ref().ok().map(|p| self.uncovered(p, rows)),
            statistic: self.statistic(),
        }
    }

    /// Span or number of labels that are declared, or else of the whole original.
    fn domain(&self) -> (Option<Part>, Option<usize>) {
        match &self.original {
            Parsed::Numbers(_) if let Some(Domain::Numbers(low, high)) = self.declared => {
                (Some((low, high)), None)
            }
            Parsed::Labels { labels, generalised: None, .. }
                if let Some(Domain::Labels(declared)) = &self.declared =>
            {
                (None, Some(declared.len() + usize::from(labels.iter().any(String::is_empty))))
            }
            Parsed::Numbers(_) => (self.original.span(), None),
            Parsed::Labels { labels, .. } => (None, Some(labels.len())),
        }
    }

    fn uncovered(&self, published: &Parsed, rows: &[Linked]) -> usize {
        let covered = |linked: &&Linked| {
            let entry = (self.before.cells[linked.row] as usize, self.after.cells[linked.at] as usize);
            self.covers(published, entry.0, entry.1)
        };
        rows.len() - rows.iter().filter(covered).count()
    }

    /// Whether the published entry `after` may be the original entry `before`.
    pub(super) fn covers(&self, published: &Parsed, before: usize, after: usize) -> bool {
        match (&self.original, published) {
            (Parsed::Numbers(original), Parsed::Numbers(published)) => {
                published[after].covers(original[before].span().map(|span| span.0))
            }
            (Parsed::Labels { cells, labels, .. }, Parsed::Labels { cells: sets, labels: names, .. }) => {
                let Some(set) = &sets[after] else { return true };
                let own = cells[before].iter().flatten().map(|&label| &labels[label as usize]).next();
                set.iter().any(|&label| Some(&names[label as usize]) == own)
            }
            _ => false,
        }
    }

    /// SSE within classes and SST of the linked rows.
    pub(super) fn squared_errors(&self, rows: &[Linked]) -> (f64, f64) {
        let rows: Vec<_> = rows.iter().map(|linked| (linked.at, self.before.cells[linked.row])).collect();
        self.squared.squared_errors(&rows)
    }

    /// All original rows against all published rows.
    fn statistic(&self) -> Option<Statistic> {
        let (Parsed::Numbers(original), Ok(Parsed::Numbers(published))) = (&self.original, &self.published)
        else {
            return None;
        };
        let (mean, variance) = mean_and_variance(self.before, original, self.step)?;
        let (published_mean, published_variance) = mean_and_variance(self.after, published, self.step)?;
        (variance > 0.0).then(|| Statistic {
            mean_shift: (published_mean - mean) / variance.sqrt(),
            variance_ratio: published_variance / variance,
        })
    }
}

/// 1 if all values are whole: numbers without decimals, days without a time of day, months, quarters, ranks.
fn step(column: &Column, compared: &Compared, missing: &[String]) -> f64 {
    let whole = match compared {
        Compared::Labels => false,
        Compared::Ranks(_) => true,
        Compared::Dates(format) => format.is_whole(),
        Compared::Numbers(format) => {
            let mut known = column.values.iter().filter(|cell| !is_missing(cell, missing));
            known.all(|cell| format.decimals(cell) == Some(0))
        }
    };
    f64::from(u8::from(whole))
}

/// The original's numbers; `None` if a cell has none.
fn plain_numbers(column: &Column, compared: &Compared, missing: &[String]) -> Option<Vec<Numbers>> {
    let number = |cell: &str| match compared.value(cell) {
        _ if is_missing(cell, missing) => Some(Numbers::Missing),
        // -0 is 0.
        value => value.map(|x| Numbers::point(x + 0.0)),
    };
    column.values.iter().map(number).collect()
}

/// Squared errors of labels without a hierarchy.
fn of_labels(column: &Column, reading: &Reading) -> Original {
    let first = |cell: &Option<Vec<u32>>| cell.as_ref().and_then(|set| set.first().copied()).unwrap_or(0);
    match plain_labels(column, reading) {
        Parsed::Labels { cells, .. } => Original::Labels(vec![cells.iter().map(first).collect()]),
        Parsed::Numbers(cells) => Original::numbers(&cells),
    }
}

/// Cells as labels, whatever they look like.
fn plain_labels(column: &Column, reading: &Reading) -> Parsed {
    let missing = |text: &str| is_missing(text, &reading.missing);
    let text = |value: &str| if missing(value) { String::new() } else { value.to_owned() };
    let mut labels: Vec<String> = column.values.iter().map(text).collect();
    labels.sort_unstable();
    labels.dedup();
    let code = |value| labels.binary_search(&text(value)).ok().map(|at| vec![at as u32]);
    Parsed::Labels { cells: column.values.iter().map(code).collect(), labels, generalised: None }
}

/// Labels that the original does not have are generalised ones: what they stand for is not known.
fn comparable(original: &Parsed, published: Parsed) -> Result<Parsed, Unmeasurable> {
    if let (Parsed::Labels { labels: known, .. }, Parsed::Labels { labels, .. }) = (original, &published)
        && let Some(odd) = labels.iter().find(|label| known.binary_search(label).is_err())
    {
        return Err(Unmeasurable::NotInOriginal { label: Cell::from(odd.as_str()) });
    }
    Ok(published)
}

/// Mean and variance over the rows, the numbers of a cell being equally likely.
fn mean_and_variance(column: &Column, cells: &[Numbers], step: f64) -> Option<(f64, f64)> {
    let mut rows = vec![0_usize; cells.len()];
    for &code in &column.cells {
        rows[code as usize] += 1;
    }
    let mut moments: Vec<(f64, f64, f64)> = cells
        .iter()
        .zip(rows)
        .filter_map(|(cell, rows)| cell.moments(step).map(|(mean, variance)| (mean, variance, rows as f64)))
        .collect();
    moments.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2)));
    let n: f64 = moments.iter().map(|m| m.2).sum();
    if n == 0.0 {
        return None;
    }
    let mean = moments.iter().map(|m| m.0 * m.2).sum::<f64>() / n;
    let around = |m: &(f64, f64, f64)| (m.1 + (m.0 - mean) * (m.0 - mean)) * m.2;
    Some((mean, moments.iter().map(around).sum::<f64>() / n))
}
