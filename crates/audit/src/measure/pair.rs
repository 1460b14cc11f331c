//! A quasi-identifier before and after.

use lookalike_table::{Column, Kind, infer, text::quoted};

use super::{
    Reading,
    column::{Numbers, Parsed},
    figures::ncp_of_entries,
    utility::{ColumnUtility, Statistic},
};

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
    pub(super) published: Result<Parsed, String>,
    /// 1 if the original's numbers are whole, else 0.
    pub(super) step: f64,
}

impl<'a> Pair<'a> {
    pub(super) fn new(before: &'a Column, after: &'a Column, reading: &Reading) -> Self {
        let inferred = infer(before, &reading.missing).kind;
        let declared = reading.kinds.get(&before.name).copied();
        let kind = declared.unwrap_or(inferred);
        let suppressed = reading.suppressed.clone();
        let mut reading = Reading { suppressed: Vec::new(), ..reading.clone() };
        // An original label may look generalised: it is what it is.
        let original = if kind == Kind::Category {
            plain_labels(before, &reading)
        } else {
            reading.kinds.insert(before.name.clone(), kind);
            Parsed::of(before, &reading).unwrap_or_else(|_| plain_labels(before, &reading))
        };
        let is_numbers = matches!(original, Parsed::Numbers(_));
        reading.kinds.insert(before.name.clone(), if is_numbers { Kind::Real } else { Kind::Category });
        reading.suppressed = suppressed;
        let published = Parsed::of(after, &reading).and_then(|parsed| comparable(&original, parsed));
        let step = if inferred == Kind::Integer { 1.0 } else { 0.0 };
        Self { before, after, original, published, step }
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

    /// Span and number of labels of the whole original.
    fn domain(&self) -> (Option<(f64, f64)>, Option<usize>) {
        match &self.original {
            Parsed::Numbers(cells) => {
                let spans = cells.iter().filter_map(Numbers::span);
                (spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))), None)
            }
            Parsed::Labels { labels, .. } => (None, Some(labels.len())),
        }
    }

    fn uncovered(&self, published: &Parsed, rows: &[Linked]) -> usize {
        let entry =
            |linked: &Linked| (self.before.cells[linked.row] as usize, self.after.cells[linked.at] as usize);
        let covers = |(before, after): (usize, usize)| match (&self.original, published) {
            (Parsed::Numbers(original), Parsed::Numbers(published)) => {
                published[after].covers(original[before].span().map(|span| span.0))
            }
            (Parsed::Labels { cells, labels }, Parsed::Labels { cells: sets, labels: names }) => {
                let Some(set) = &sets[after] else { return true };
                let own = cells[before].iter().flatten().map(|&label| &labels[label as usize]).next();
                set.iter().any(|&label| Some(&names[label as usize]) == own)
            }
            _ => false,
        };
        rows.iter().filter(|linked| !covers(entry(linked))).count()
    }

    /// SSE within classes and SST, the column having total variance 1 over the linked rows: numbers are z-scored,
    /// labels one-hot with a common scale. Rows whose number is not known are left out.
    pub(super) fn squared_errors(&self, rows: &[Linked]) -> (f64, f64) {
        match &self.original {
            Parsed::Numbers(cells) => {
                let known = rows.iter().filter_map(|linked| {
                    let (x, _) = cells[self.before.cells[linked.row] as usize].span()?;
                    Some((linked.at, x))
                });
                let mut known: Vec<(usize, f64)> = known.collect();
                known.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
                let within = |values: &[(usize, f64)]| {
                    let mean = values.iter().map(|v| v.1).sum::<f64>() / values.len() as f64;
                    values.iter().map(|v| (v.1 - mean) * (v.1 - mean)).sum::<f64>()
                };
                let sse: f64 = known.chunk_by(|a, b| a.0 == b.0).map(within).sum();
                let n = known.len() as f64;
                known.sort_by(|a, b| a.1.total_cmp(&b.1));
                match (known.first(), known.last()) {
                    (Some(least), Some(most)) if least.1 < most.1 => (sse / within(&known) * n, n),
                    _ => (0.0, 0.0),
                }
            }
            Parsed::Labels { cells, .. } => {
                let label = |linked: &Linked| {
                    cells[self.before.cells[linked.row] as usize].as_ref()?.first().copied()
                };
                let mut known: Vec<(usize, u32)> =
                    rows.iter().filter_map(|linked| Some((linked.at, label(linked)?))).collect();
                known.sort_unstable();
                // n - sum of n_v^2 / n: what one-hot vectors cost, before the scale.
                let within = |values: &[(usize, u32)]| {
                    let squares: usize =
                        values.chunk_by(|a, b| a.1 == b.1).map(|same| same.len() * same.len()).sum();
                    values.len() as f64 - squares as f64 / values.len() as f64
                };
                let sse: f64 = known.chunk_by(|a, b| a.0 == b.0).map(within).sum();
                let n = known.len() as f64;
                known.sort_unstable_by_key(|v| v.1);
                let all = if known.is_empty() { 0.0 } else { within(&known) };
                if all > 0.0 { (sse / all * n, n) } else { (0.0, 0.0) }
            }
        }
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

/// Cells as labels, whatever they look like.
fn plain_labels(column: &Column, reading: &Reading) -> Parsed {
    let missing = |text: &str| reading.missing.iter().any(|marker| marker == text.trim());
    let text = |value: &str| if missing(value) { String::new() } else { value.to_owned() };
    let mut labels: Vec<String> = column.values.iter().map(text).collect();
    labels.sort_unstable();
    labels.dedup();
    let code = |value| labels.binary_search(&text(value)).ok().map(|at| vec![at as u32]);
    Parsed::Labels { cells: column.values.iter().map(code).collect(), labels }
}

/// Labels that the original does not have are generalised ones: what they stand for is not known.
fn comparable(original: &Parsed, published: Parsed) -> Result<Parsed, String> {
    if let (Parsed::Labels { labels: known, .. }, Parsed::Labels { labels, .. }) = (original, &published)
        && let Some(odd) = labels.iter().find(|label| known.binary_search(label).is_err())
    {
        return Err(format!("{} is no label of the original", quoted(odd)));
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
