//! Figures that need the published bytes alone.

use lookalike_table::Table;

use super::{
    Reading,
    column::{Costs, Parsed},
    numbers::{Numbers, Part},
    penalty::{ColumnPenalty, domains, of_column},
};
use crate::{
    Check, Error, Question, Unmeasurable,
    groups::{Groups, Tally},
    published::Published,
    suppressed::kept_rows,
};

/// Figures of a published table. Counterfeits cannot be told from records and count.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Rows that belong to a group.
    pub records: usize,
    /// Rows with all quasi-identifiers suppressed and no class label.
    pub suppressed: usize,
    /// Groups of equal quasi-identifiers.
    pub groups: usize,
    /// Records / groups.
    pub average_group_size: f64,
    /// `C_AVG`: average group size / k; 1 is best (the Mondrian paper, 2006). `None` without a k.
    pub c_avg: Option<f64>,
    /// Sum of the squared group sizes, plus rows times suppressed rows (Bayardo, Agrawal 2005).
    pub discernibility: f64,
    /// Share of rows that are suppressed or do not hold the most frequent sensitive value of their group (Iyengar
    /// 2002). `None` without a sensitive column.
    pub classification_metric: Option<f64>,
    /// One entry a quasi-identifier.
    pub columns: Vec<ColumnFigure>,
    /// Sum over the rows of the weighted mean of their columns' NCP; `None` if no column is measurable.
    pub ncp_total: Option<f64>,
    /// Its mean a row, 0 to 1.
    pub gcp_mean: Option<f64>,
    /// Whether what is published lies in the declared domains; `None` if none is declared.
    pub domains: Option<Check>,
}

/// Normalised certainty penalty of one column (Xu et al. 2006).
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnFigure {
    /// Its name.
    pub name: String,
    /// Mean over all rows: width of a range over the width of all of them; for a set of labels its size less 1, over
    /// the number of labels; 1 if suppressed. Or why it cannot be measured.
    pub ncp: Result<f64, Unmeasurable>,
}

/// The figures of a table. The question's guarantee does not matter, and a class column only tells a class that is
/// generalised to nothing from suppressed rows; `k` is for `C_AVG`. Columns count alike.
///
/// # Errors
/// As [`crate::judge`] for the question.
pub fn figures(
    table: &Table,
    question: &Question,
    k: Option<usize>,
    reading: &Reading,
) -> Result<Figures, Error> {
    question.validate()?;
    let published = Published::new(table, question)?;
    let keep = kept_rows(table.rows, &published.quasi, published.class, &reading.suppressed);
    let groups = Groups::among(&keep, published.quasi.clone());
    let suppressed = keep.iter().filter(|kept| !**kept).count();
    let records = table.rows - suppressed;
    let average = records as f64 / groups.sizes.len().max(1) as f64;
    let squares: u128 = groups.sizes.iter().map(|&size| (size as u128) * (size as u128)).sum();
    let penalties: Vec<ColumnPenalty> =
        published.quasi.iter().map(|column| of_column(column, reading)).collect();
    let figure = |column: &ColumnPenalty| ColumnFigure { name: column.name.clone(), ncp: column.mean() };
    let columns: Vec<ColumnFigure> = penalties.iter().map(figure).collect();
    let measured: Vec<f64> = columns.iter().filter_map(|c| c.ncp.as_ref().ok().copied()).collect();
    let gcp_mean = (!measured.is_empty()).then(|| measured.iter().sum::<f64>() / measured.len() as f64);
    Ok(Figures {
        records,
        suppressed,
        groups: groups.sizes.len(),
        average_group_size: average,
        c_avg: k.filter(|k| *k > 0).map(|k| average / k as f64),
        discernibility: (squares + table.rows as u128 * suppressed as u128) as f64,
        classification_metric: published.sensitive.map(|column| {
            let (mut kept, mut tallies) = (0, groups.tallies(column));
            tallies.sort_unstable_by_key(|t| (t.group, t.count));
            for of_group in tallies.chunk_by(|a: &Tally, b| a.group == b.group) {
                kept += of_group.last().map_or(0, |t| t.count);
            }
            1.0 - kept as f64 / table.rows as f64
        }),
        columns,
        ncp_total: gcp_mean.map(|mean| mean * table.rows as f64),
        gcp_mean,
        domains: domains(&penalties),
    })
}

/// NCP of each dictionary entry. The domain is the span of all entries and the number of their labels, unless it is
/// given. No end is open.
pub(super) fn ncp_of_entries(parsed: &Parsed, span: Option<Part>, labels: Option<usize>) -> Vec<f64> {
    match parsed {
        Parsed::Numbers(cells) => {
            let width = span.or_else(|| parsed.span()).map_or(0.0, |(low, high)| high - low);
            let ncp = |cell: &Numbers| match cell.span() {
                _ if *cell == Numbers::Suppressed => 1.0,
                Some((low, high)) if width > 0.0 => (high - low) / width,
                _ => 0.0,
            };
            cells.iter().map(ncp).collect()
        }
        Parsed::Labels { generalised: Some(Costs::Widths(widths)), .. } => widths.clone(),
        Parsed::Labels { cells, labels: own, generalised } => {
            let domain = (labels.unwrap_or(own.len()) - usize::from(generalised.is_some())).max(1) as f64;
            let ncp =
                |set: &Option<Vec<u32>>| set.as_ref().map_or(1.0, |set| (set.len() - 1) as f64 / domain);
            cells.iter().map(ncp).collect()
        }
    }
}
