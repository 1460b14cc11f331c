//! What a published table keeps and what it lost, from its bytes and the original: the same for every entrant.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail, ensure};
use lookalike_core::{
    audit::{
        Attacker, Diversity, Inquiry, Model, SUPPRESSED, Sampled,
        measure::{ColumnReading, Domain, Reading as Cells, link, utility},
    },
    check::{Asked, DeclaredColumns, Findings, check},
    table::{
        Declared, ReadOptions, Reading, Table, hierarchy::Hierarchy, parse_number, read, usual_markers, write,
    },
};

use super::{
    entrant::Form,
    field::{Condition, Loaded},
    scripts::{Order, Published},
};

/// Random counting queries, and their seed.
pub(super) const QUERIES: (u64, usize) = (1, 1_000);

/// Name of the column of classes that is added where rows have kept their order.
const CLASS: &str = "class of the row";

/// What the judge finds.
#[derive(Debug)]
pub(super) struct Judged {
    /// Rows that are published, those of stars not counted.
    pub(super) published: usize,
    /// Rows that are left out, or of which nothing is said.
    pub(super) suppressed: usize,
    /// Rows of the smallest group of equal quasi-identifiers.
    pub(super) k: usize,
    /// Fewest different sensitive values of a group, where they were asked for.
    pub(super) l: Option<usize>,
    /// Whether all that was asked for is kept.
    pub(super) kept: bool,
    /// Mean certainty penalty of a record, a suppressed one counting 1; or 100 SSE / SST of what is published in place of the originals.
    pub(super) loss: f64,
    /// Mean relative error of counting queries.
    pub(super) queries: Option<f64>,
    /// Cells that do not say the original's value, where it is known which row is whose.
    pub(super) uncovered: Option<usize>,
}

/// Judges a table.
///
/// # Errors
/// If it cannot be read, has more rows than the original or cells in a form that is not known, or its rows are not those of the original.
pub(super) fn judge(
    loaded: &Loaded,
    condition: Condition,
    form: Form,
    published: &Published,
) -> Result<Judged> {
    let original = &loaded.table;
    let table = read(&published.bytes, &ReadOptions::default())?;
    ensure!(table.rows <= original.rows, "{} rows are published of {}", table.rows, original.rows);
    ensure!(table.rows > 0, "no row is published");
    let reading = reading(loaded)?;
    let found = check(&table, &asked(loaded, condition, reading.clone()), None)?;
    let suppressed = original.rows - table.rows + found.figures.suppressed;
    let of = |wanted: fn(&Model) -> bool| {
        let finding = found.assessment.findings.iter().find(|finding| wanted(&finding.model))?;
        finding.reached.map(|reached| reached as usize)
    };
    let named = named(&table, original, &published.order)?;
    let (loss, uncovered, queries) = match form {
        Form::Recoded => {
            let queries = found_by_queries(&table, loaded, &reading)?;
            (
                penalty(&found, original.rows - table.rows, original.rows)?,
                uncovered(named.as_ref(), loaded, &reading)?,
                queries,
            )
        }
        Form::Centroids => {
            let named = named.context("means need to say whose they are")?;
            (lost(&named, loaded, &reading)?, None, found_by_queries(&table, loaded, &reading)?)
        }
    };
    Ok(Judged {
        published: table.rows - found.figures.suppressed,
        suppressed,
        k: of(|model| matches!(model, Model::KAnonymity { .. })).unwrap_or_default(),
        l: condition.l.and_then(|_| of(|model| matches!(model, Model::Diversity { .. }))),
        kept: found.assessment.findings.iter().all(|finding| finding.check.passed),
        loss,
        queries,
        uncovered,
    })
}

/// How cells are read: numbers as ranges over the original's span, labels as the hierarchies' files have them.
fn reading(loaded: &Loaded) -> Result<Cells> {
    // The tables have no gaps: a cell such as "-" is a label.
    let mut reading = Cells { missing: Vec::new(), ..Cells::default() };
    for quasi in &loaded.quasi {
        if quasi.number {
            let column = loaded.table.column(&quasi.name).context("a column is lost")?;
            let numbers = || column.values.iter().filter_map(parse_number);
            let (low, high) = (numbers().fold(f64::MAX, f64::min), numbers().fold(f64::MIN, f64::max));
            reading.columns.insert(quasi.name.clone(), ColumnReading::Declared(Declared::Number));
            reading.domains.insert(quasi.name.clone(), Domain::Numbers(low, high));
        } else {
            let rows = loaded.hierarchies.get(&quasi.name).context("a column has no hierarchy")?;
            reading.columns.insert(quasi.name.clone(), ColumnReading::As(Reading::Labels));
            reading.hierarchies.insert(
                quasi.name.clone(),
                Hierarchy::new(rows).with_context(|| format!("the hierarchy of {} is none", quasi.name))?,
            );
        }
    }
    // Numbers are read as the original spells them: of ranges alone nobody could tell.
    let numbers: Vec<String> =
        loaded.quasi.iter().filter(|quasi| quasi.number).map(|quasi| quasi.name.clone()).collect();
    Ok(reading.with_original(&loaded.table, &numbers))
}

fn asked(loaded: &Loaded, condition: Condition, reading: Cells) -> Asked {
    let diversity = condition.l.map(|l| Model::Diversity { l, kind: Diversity::Distinct });
    Asked {
        inquiry: Inquiry {
            quasi: loaded.names(),
            sensitive: loaded.sensitive.clone(),
            class: None,
            models: [Model::KAnonymity { k: condition.k }].into_iter().chain(diversity).collect(),
            suppressed: vec![SUPPRESSED.to_owned()],
            missing: usual_markers(),
            missing_is_value: false,
            attacker: Attacker::default(),
        },
        // Equal cells alone make rows alike, whatever class they are said to be in.
        no_class: true,
        notions: Vec::new(),
        reading,
        declared: DeclaredColumns::default(),
        known: None,
        person: None,
        sampled: Sampled::default(),
        queries: (1, 1),
    }
}

/// Mean penalty of a record; those that are left out count 1.
fn penalty(found: &Findings, gone: usize, all: usize) -> Result<f64> {
    if let Some((column, why)) =
        found.figures.columns.iter().find_map(|column| Some((&column.name, column.ncp.as_ref().err()?)))
    {
        bail!("column {column} cannot be measured: {why:?}");
    }
    let total = found.figures.ncp_total.context("no column can be measured")?;
    Ok((total + gone as f64) / all as f64)
}

/// Error of counting queries: it takes the published rows, and not whose they are.
fn found_by_queries(table: &Table, loaded: &Loaded, reading: &Cells) -> Result<Option<f64>> {
    let nobody = vec![None; loaded.table.rows];
    let (quasi, any) = (loaded.names(), &loaded.quasi[0].name);
    let found = utility(table, &loaded.table, &nobody, &quasi, any, reading, QUERIES)?;
    Ok(found.queries.map(|error| error.mean))
}

/// A published table with a column of classes, and the class of each original row.
struct Named {
    table: Table,
    class: String,
    links: Vec<Option<String>>,
}

/// Whose the published rows are, if that is known.
fn named(table: &Table, original: &Table, order: &Order) -> Result<Option<Named>> {
    match order {
        Order::Lost => Ok(None),
        Order::Key(key) => {
            let links = link(&read(key, &ReadOptions::default())?, original.rows)?;
            Ok(Some(Named { table: table.clone(), class: String::from("class"), links }))
        }
        Order::Kept => {
            ensure!(
                table.rows == original.rows,
                "{} rows are published of {}, and which is not said",
                table.rows,
                original.rows
            );
            let mut numbers: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
            let known: BTreeSet<&str> = original.columns.iter().map(|column| column.name.as_str()).collect();
            let columns: Vec<_> =
                table.columns.iter().filter(|column| known.contains(column.name.as_str())).collect();
            let labels: Vec<String> = (0..table.rows)
                .map(|row| {
                    let next = numbers.len();
                    let cells = columns.iter().map(|column| column.cell(row)).collect();
                    numbers.entry(cells).or_insert(next).to_string()
                })
                .collect();
            let header: Vec<String> =
                columns.iter().map(|column| column.name.clone()).chain([CLASS.to_owned()]).collect();
            let rows = labels.iter().enumerate().map(|(row, label)| {
                columns.iter().map(move |column| column.cell(row)).chain([label.as_str()])
            });
            let table = read(&write(&header, rows), &ReadOptions::default())?;
            Ok(Some(Named { table, class: CLASS.to_owned(), links: labels.into_iter().map(Some).collect() }))
        }
    }
}

/// Cells that do not say the original's value.
fn uncovered(named: Option<&Named>, loaded: &Loaded, reading: &Cells) -> Result<Option<usize>> {
    let Some(Named { table, class, links }) = named else { return Ok(None) };
    let found = utility(table, &loaded.table, links, &loaded.names(), class, reading, (1, 0))?;
    Ok(found.columns.iter().map(|column| column.uncovered).sum())
}

/// 100 SSE / SST of the published numbers: each column of variance 1, a record against what is published for it.
fn lost(named: &Named, loaded: &Loaded, reading: &Cells) -> Result<f64> {
    let Named { table, class, links } = named;
    let classes = table.column(class).context("the published table has no classes")?;
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    for row in 0..table.rows {
        first.entry(classes.cell(row)).or_insert(row);
    }
    let number = |cell: &str| parse_number(cell.trim()).with_context(|| format!("{cell:?} is no number"));
    let (mut sse, mut sst) = (0.0, 0.0);
    for quasi in &loaded.quasi {
        let lacks = || format!("there is no column {}", quasi.name);
        let before = loaded.table.column(&quasi.name).with_context(lacks)?;
        let after = table.column(&quasi.name).with_context(lacks)?;
        let values =
            (0..before.cells.len()).map(|row| number(before.cell(row))).collect::<Result<Vec<_>>>()?;
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let spread: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let mut errors = 0.0;
        for (value, link) in values.iter().zip(links) {
            let at = link.as_ref().and_then(|label| first.get(label.as_str()));
            let published = after.cell(*at.context("a record is published nowhere")?);
            errors += (value - number(published)?).powi(2);
        }
        if spread > 0.0 {
            sse += errors / spread;
            sst += 1.0;
        }
    }
    let loss = if sst > 0.0 { 100.0 * sse / sst } else { 0.0 };
    // No number says a class better than its mean: the audit's figure of the same classes is at most ours.
    let least = utility(table, &loaded.table, links, &loaded.names(), class, reading, (1, 0))?;
    ensure!(
        loss >= least.information_loss_percent * (1.0 - 1e-9) - 1e-9,
        "the published means lose {loss}, less than the classes' own, {}",
        least.information_loss_percent
    );
    Ok(loss)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::league::field::Quasi;

    fn loaded(sensitive: bool) -> Loaded {
        let text = "age,job,ill\n20,cook,flu\n22,baker,flu\n30,cook,gout\n34,clerk,flu\n40,clerk,gout\n";
        let jobs = [["cook", "food", "*"], ["baker", "food", "*"], ["clerk", "office", "*"]];
        let jobs = jobs.map(|row| row.map(String::from).to_vec()).to_vec();
        Loaded {
            table: read(text.as_bytes(), &ReadOptions::default()).unwrap(),
            quasi: vec![
                Quasi { name: String::from("age"), number: true },
                Quasi { name: String::from("job"), number: false },
            ],
            sensitive: sensitive.then(|| String::from("ill")),
            hierarchies: BTreeMap::from([(String::from("job"), jobs)]),
            folder: PathBuf::new(),
        }
    }

    fn published(text: &str, order: Order) -> Published {
        Published { bytes: text.as_bytes().to_vec(), order, seconds: 0.0, gap: None }
    }

    const K: Condition = Condition { k: 2, l: None };

    #[test]
    fn losses_of_recoded_tables_are_those_by_hand() {
        let text = "age,job,ill\n[20-22],food,flu\n[20-22],food,flu\n[30-40],*,gout\n[30-40],*,flu\n[30-40],*,gout\n";
        let found = judge(&loaded(false), K, Form::Recoded, &published(text, Order::Kept)).unwrap();
        // Ages span 20: 2/20 and 10/20. Of three jobs food stands for two: (2 - 1) / (3 - 1), and * costs 1.
        let loss = (2.0 * f64::midpoint(0.1, 0.5) + 3.0 * f64::midpoint(0.5, 1.0)) / 5.0;
        assert!((found.loss - loss).abs() < 1e-12, "{}", found.loss);
        assert_eq!((found.published, found.suppressed, found.k, found.kept), (5, 0, 2, true));
        assert_eq!(found.uncovered, Some(0));
        assert!(found.queries.unwrap() > 0.0);
    }

    #[test]
    fn rows_that_are_left_out_or_all_stars_cost_one_and_are_no_group() {
        let gone = "age,job,ill\n[20-22],food,flu\n[20-22],food,flu\n[34-40],clerk,flu\n[34-40],clerk,gout\n";
        let found = judge(&loaded(false), K, Form::Recoded, &published(gone, Order::Lost)).unwrap();
        let loss = (2.0 * f64::midpoint(0.1, 0.5) + 2.0 * f64::midpoint(0.3, 0.0) + 1.0) / 5.0;
        assert!((found.loss - loss).abs() < 1e-12, "{}", found.loss);
        assert_eq!((found.published, found.suppressed, found.uncovered), (4, 1, None));
        let stars = gone.to_owned() + "*,*,gout\n";
        let again = judge(&loaded(false), K, Form::Recoded, &published(&stars, Order::Lost)).unwrap();
        assert!((again.loss - loss).abs() < 1e-12, "{}", again.loss);
        assert_eq!((again.published, again.suppressed, again.k), (4, 1, 2));
    }

    #[test]
    fn what_is_broken_is_said() {
        let alone = "age,job,ill\n[20-22],food,flu\n[20-22],food,flu\n30,cook,gout\n[34-40],clerk,flu\n[34-40],clerk,gout\n";
        let found = judge(&loaded(false), K, Form::Recoded, &published(alone, Order::Kept)).unwrap();
        assert_eq!((found.k, found.kept), (1, false));
        let diverse = Condition { k: 2, l: Some(2) };
        let text = "age,job,ill\n[20-22],food,flu\n[20-22],food,flu\n[30-40],*,gout\n[30-40],*,flu\n[30-40],*,gout\n";
        let found = judge(&loaded(true), diverse, Form::Recoded, &published(text, Order::Kept)).unwrap();
        assert_eq!((found.k, found.l, found.kept), (2, Some(1), false));
        // 34 is not in [36-40].
        let false_cells = text.replace("[30-40],*,flu", "[36-40],*,flu");
        let found = judge(&loaded(false), K, Form::Recoded, &published(&false_cells, Order::Kept)).unwrap();
        assert_eq!((found.uncovered, found.kept), (Some(1), false));
        let told = |text: &str, order| {
            judge(&loaded(false), K, Form::Recoded, &published(text, order)).unwrap_err().to_string()
        };
        assert!(told("age,job,ill\n20 to 22,food,flu\n", Order::Lost).contains("age"));
        assert!(told("age,job,ill\n20,waiter,flu\n", Order::Lost).contains("job"));
        assert!(told("age,job,ill\n20,cook,flu\n", Order::Kept).contains("1 rows"));
    }

    fn numbers() -> Loaded {
        Loaded {
            table: read(b"a,b\n0,1\n2,1\n10,3\n14,5\n", &ReadOptions::default()).unwrap(),
            quasi: ["a", "b"].map(|name| Quasi { name: name.to_owned(), number: true }).into(),
            sensitive: None,
            hierarchies: BTreeMap::new(),
            folder: PathBuf::new(),
        }
    }

    #[test]
    fn losses_of_means_are_those_by_hand() {
        let judged = |text: &str, order| judge(&numbers(), K, Form::Centroids, &published(text, order));
        let found = judged("a,b\n1,1\n1,1\n12,4\n12,4\n", Order::Kept).unwrap();
        // a: mean 6.5, squared errors 2 + 8 of 131; b: mean 2.5, 0 + 2 of 11.
        let loss = 50.0 * (10.0 / 131.0 + 2.0 / 11.0);
        assert!((found.loss - loss).abs() < 1e-9, "{}", found.loss);
        assert_eq!((found.k, found.kept), (2, true));
        // A wrong mean loses more: 3 instead of 4 has errors 0 and 4.
        let wrong = judged("a,b\n1,1\n1,1\n12,3\n12,3\n", Order::Kept).unwrap();
        assert!((wrong.loss - 50.0 * (10.0 / 131.0 + 4.0 / 11.0)).abs() < 1e-9, "{}", wrong.loss);
        // In another order, with the key.
        let key = Order::Key(b"row,class\n0,y\n1,y\n2,x\n3,x\n".to_vec());
        let found = judged("a,b,class\n12,4,x\n12,4,x\n1,1,y\n1,1,y\n", key).unwrap();
        assert!((found.loss - loss).abs() < 1e-9, "{}", found.loss);
        assert!(judged("a,b\n1,1\n1,1\n12,4\n12,4\n", Order::Lost).is_err());
    }
}
