//! What classes cost and keep, by the audit: whoever made them.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use lookalike_core::{
    audit::{
        Attacker, Inquiry, Model, assess,
        measure::{Reading, link, utility},
    },
    table::{ReadOptions, Table, parse_number, read},
};

/// Figures of a partition.
pub(super) struct Measured {
    pub(super) classes: usize,
    /// Rows of the smallest class.
    pub(super) smallest: usize,
    /// Sum of squared errors, each column having variance 1.
    pub(super) sse: f64,
    /// 100 SSE / SST.
    pub(super) information_loss: f64,
    /// Mean NCP, classes being published as ranges.
    pub(super) gcp: f64,
}

/// Publishes the classes of `classes.csv` as ranges and lets the audit judge the bytes.
///
/// # Errors
/// If the classes are no partition of the rows, or a class or group has fewer than k rows.
pub(super) fn measure(table: &Table, classes: &[u8], k: usize) -> Result<Measured> {
    let links = link(&read(classes, &ReadOptions::default())?, table.rows)?;
    if let Some(row) = links.iter().position(Option::is_none) {
        bail!("row {row} is in no class");
    }
    let published = read(publish(table, &links)?.as_bytes(), &ReadOptions::default())?;
    let quasi: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
    let inquiry = Inquiry {
        quasi: quasi.clone(),
        sensitive: None,
        class: Some(String::from("class")),
        models: vec![Model::KAnonymity { k }],
        suppressed: Vec::new(),
        missing: lookalike_core::table::usual_markers(),
        missing_is_value: false,
        attacker: Attacker::default(),
    };
    let assessment = assess(&published, &inquiry)?;
    if let Some(broken) = assessment.findings.iter().find(|finding| !finding.check.passed) {
        bail!("{}: {}", broken.check.name, broken.check.finding);
    }
    let reading = Reading::default().with_original(table, &quasi);
    let found = utility(&published, table, &links, &quasi, "class", &reading, (1, 0))?;
    if let Some(column) = found.columns.iter().find(|column| column.uncovered != Some(0)) {
        bail!("column {} is published with ranges that miss values", column.name);
    }
    let mut sizes: BTreeMap<&String, usize> = BTreeMap::new();
    links.iter().flatten().for_each(|label| *sizes.entry(label).or_default() += 1);
    Ok(Measured {
        classes: sizes.len(),
        smallest: sizes.values().min().copied().unwrap_or(0),
        sse: found.sse,
        information_loss: found.information_loss_percent,
        gcp: found.gcp_mean.context("no column can be measured")?,
    })
}

/// The table with the ranges of its classes and a column `class`.
fn publish(table: &Table, links: &[Option<String>]) -> Result<String> {
    // Per class and column the least and the largest number with their cells.
    let mut ranges: BTreeMap<&String, Vec<[(f64, &str); 2]>> = BTreeMap::new();
    let number = |column: usize, row: usize| {
        let cell = table.columns[column].cell(row).trim();
        let number = parse_number(cell).with_context(|| format!("{cell:?} is no number"))?;
        Ok::<_, anyhow::Error>((number, cell))
    };
    for (row, label) in links.iter().enumerate() {
        let Some(label) = label else { continue };
        let class = ranges.entry(label).or_default();
        for column in 0..table.columns.len() {
            let cell = number(column, row)?;
            match class.get_mut(column) {
                None => class.push([cell; 2]),
                Some([low, high]) => {
                    *low = if cell.0 < low.0 { cell } else { *low };
                    *high = if cell.0 > high.0 { cell } else { *high };
                }
            }
        }
    }
    let range = |[low, high]: &[(f64, &str); 2]| {
        if low.0 < high.0 { format!("[{}-{}]", low.1, high.1) } else { low.1.to_owned() }
    };
    let lines: BTreeMap<&String, String> = ranges
        .iter()
        .map(|(label, columns)| {
            (*label, columns.iter().map(range).chain([(*label).clone()]).collect::<Vec<_>>().join(","))
        })
        .collect();
    let names = table.columns.iter().map(|column| column.name.as_str()).chain(["class"]);
    let mut text = names.collect::<Vec<_>>().join(",");
    for label in links.iter().flatten() {
        text.push('\n');
        text.push_str(&lines[label]);
    }
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        read(b"a,b\n0,1\n2,1\n10,3\n14,5\n", &ReadOptions::default()).unwrap()
    }

    #[test]
    fn by_hand() {
        let found = measure(&table(), b"row,class\n0,x\n1,x\n2,y\n3,y\n", 2).unwrap();
        assert_eq!((found.classes, found.smallest), (2, 2));
        // a: mean 6.5, squared errors 2 + 8 of 131; b: mean 2.5, 0 + 2 of 11; each column 4 units of variance.
        let sse = 4.0 * (10.0 / 131.0 + 2.0 / 11.0);
        assert!((found.sse - sse).abs() < 1e-12, "{}", found.sse);
        assert!((found.information_loss - 100.0 * sse / 8.0).abs() < 1e-10);
        // Widths 2 and 4 of 14, 0 and 2 of 4.
        assert!((found.gcp - f64::midpoint(3.0 / 14.0, 1.0 / 4.0)).abs() < 1e-12, "{}", found.gcp);
    }

    #[test]
    fn what_is_no_admissible_partition_is_refused() {
        let told = |classes: &[u8]| measure(&table(), classes, 2).err().unwrap().to_string();
        assert!(told(b"row,class\n0,x\n1,x\n2,x\n3,y\n").contains("1 row"));
        assert!(told(b"row,class\n0,x\n1,x\n2,x\n").contains("row 3"));
        assert!(told(b"row,class\n0,x\n1,x\n2,x\n3,\n").contains("row 3 is in no class"));
        assert!(told(b"row,class\n0,x\n1,x\n2,x\n2,x\n3,x\n").contains("twice"));
    }
}
