//! Figure 4: accuracy of classifiers on changed data.

use std::{collections::BTreeMap, rc::Rc};

use anyhow::{Context, Result};
use lookalike_core::eligibility::{Changes, additions, deletions, hybrid_exact};
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use smartcore::{
    algorithm::neighbour::KNNAlgorithmName,
    linalg::basic::matrix::DenseMatrix,
    linear::ridge_regression::{RidgeRegression, RidgeRegressionParameters},
    metrics::distance::Distance,
    naive_bayes::categorical::{CategoricalNB, CategoricalNBParameters},
    neighbors::knn_classifier::{KNNClassifier, KNNClassifierParameters},
    tree::decision_tree_classifier::{DecisionTreeClassifier, DecisionTreeClassifierParameters},
};

use super::decimal;
use crate::{
    Experiment, Row,
    adult::Codes,
    plot::{Plot, Series},
};

/// A record: codes of the four attributes that are known, and the one that is predicted.
type Record = ([u32; 4], u32);

/// How the counts are reached.
#[derive(Clone, Copy)]
enum Way {
    None,
    Add,
    Delete,
    Hybrid,
}

/// Names of the classifiers, in the order of [`accuracies`].
const CLASSIFIERS: [&str; 4] = ["tree", "naive Bayes", "nearest", "linear"];

pub(super) fn experiment(train: &Rc<Vec<Codes>>) -> Experiment {
    let mut rows = Vec::new();
    let mut push = |attribute: &'static str, m: u64, name: &str, way: Way| {
        let train = Rc::clone(train);
        let m_text = if m == 0 { String::from("-") } else { m.to_string() };
        rows.push(Row {
            key: vec![attribute.to_owned(), m_text, name.to_owned()],
            compute: Box::new(move || row(&train, attribute, m, way)),
        });
    };
    for (attribute, ms) in [("occupation", 10..=14), ("relationship", 3..=5)] {
        push(attribute, 0, "unchanged", Way::None);
        for m in ms {
            for (name, way) in [("additions", Way::Add), ("deletions", Way::Delete), ("hybrid", Way::Hybrid)]
            {
                push(attribute, m, name, way);
            }
        }
    }
    Experiment {
        id: "fig4",
        title: String::from("Figure 4: accuracy of classifiers on changed data"),
        about: String::from(
            "Adult, training part, rows without a missing cell in the five attributes; one attribute is predicted from \
             the other four. Counterfeits are copies of random records with the same value, deleted records are random \
             (seed 1). As in the paper, the *changed* table is split into 75 % training and 25 % evaluation. The columns \
             \"kept\" are ours: a quarter of the *unchanged* table is kept for evaluation, the rest is changed and \
             trained on. Decision tree (depth at most 12, leaves of at least 5), naive Bayes (categorical, \
             alpha 1), 10 nearest neighbours (number of attributes that differ), linear (ridge regression on 0/1 targets, \
             largest response). Accuracy in percent.",
        ),
        header: vec![
            "attribute",
            "m",
            "change",
            "rows",
            "tree",
            "naive Bayes",
            "nearest",
            "linear",
            "tree, kept",
            "naive Bayes, kept",
            "nearest, kept",
            "linear, kept",
        ],
        rows,
        // Deletions at m = 14 leave few rows.
        checked: vec![14],
        means: None,
        plots: Box::new(plots),
    }
}

fn row(train: &[Codes], attribute: &str, m: u64, way: Way) -> Result<Vec<String>> {
    let target = train.iter().position(|codes| codes.name == attribute).context("an attribute is missing")?;
    let widths: Vec<usize> = train.iter().map(|codes| codes.values).collect();
    let known: Vec<usize> = (0..train.len()).filter(|&a| a != target).collect();
    let records: Vec<Record> = (0..train[target].of_row.len())
        .filter_map(|i| {
            let mut point = [0; 4];
            for (slot, &a) in point.iter_mut().zip(&known) {
                *slot = train[a].of_row[i]?;
            }
            Some((point, train[target].of_row[i]?))
        })
        .collect();
    let classes = widths[target];
    let widths: Vec<usize> = known.iter().map(|&a| widths[a]).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(1);

    let mut table = changed(&records, classes, m, way, &mut rng)?;
    let rows = table.len();
    table.shuffle(&mut rng);
    let published = table.split_off(table.len() / 4);
    let theirs = accuracies(&published, &table, &widths, classes)?;

    let mut whole = records;
    whole.shuffle(&mut rng);
    let rest = whole.split_off(whole.len() / 4);
    let mut rest = changed(&rest, classes, m, way, &mut rng)?;
    rest.shuffle(&mut rng);
    let kept = accuracies(&rest, &whole, &widths, classes)?;
    Ok(std::iter::once(rows.to_string())
        .chain(theirs.into_iter().chain(kept).map(|share| decimal(100.0 * share, 1)))
        .collect())
}

/// The records after the fewest changes of this kind.
fn changed(
    records: &[Record],
    classes: usize,
    m: u64,
    way: Way,
    rng: &mut ChaCha8Rng,
) -> Result<Vec<Record>> {
    let mut of_value: Vec<Vec<Record>> = vec![Vec::new(); classes];
    for record in records {
        of_value[record.1 as usize].push(*record);
    }
    let counts: Vec<u64> = of_value.iter().map(|records| records.len() as u64).collect();
    let changes = match way {
        Way::None => Changes::none(classes),
        Way::Add => additions(&counts, m)?,
        Way::Delete => deletions(&counts, m)?,
        Way::Hybrid => hybrid_exact(&counts, m)?,
    };
    for (value, records) in of_value.iter_mut().enumerate() {
        records.shuffle(rng);
        records.truncate(records.len() - changes.deletions[value] as usize);
        let real = records.len();
        for _ in 0..changes.additions[value] {
            records.push(records[rng.random_range(0..real)]);
        }
    }
    Ok(of_value.concat())
}

/// Number of attributes in which two records differ.
#[derive(Clone, Debug)]
struct Differing;

impl Distance<Vec<u32>> for Differing {
    fn distance(&self, a: &Vec<u32>, b: &Vec<u32>) -> f64 {
        f64::from(a.iter().zip(b).map(|(x, y)| u32::from(x != y)).sum::<u32>())
    }
}

/// Share of the evaluation records that each classifier gets right.
fn accuracies(train: &[Record], evaluate: &[Record], widths: &[usize], classes: usize) -> Result<[f64; 4]> {
    // Each different point is predicted once.
    let mut hits: BTreeMap<[u32; 4], BTreeMap<u32, usize>> = BTreeMap::new();
    for (point, class) in evaluate {
        *hits.entry(*point).or_default().entry(*class).or_default() += 1;
    }
    let asked: Vec<[u32; 4]> = hits.keys().copied().collect();
    let points: Vec<[u32; 4]> = train.iter().map(|record| record.0).collect();
    let labels: Vec<u32> = train.iter().map(|record| record.1).collect();
    let (x, ask) = (codes(&points)?, codes(&asked)?);
    let (x_one_hot, ask_one_hot) = (one_hot(&points, widths)?, one_hot(&asked, widths)?);

    let tree =
        DecisionTreeClassifierParameters { max_depth: Some(12), min_samples_leaf: 5, ..Default::default() };
    let tree = DecisionTreeClassifier::fit(&x_one_hot, &labels, tree)?;
    let bayes = CategoricalNB::fit(&x, &labels, CategoricalNBParameters { alpha: 1.0 })?;
    let nearest = KNNClassifierParameters::default()
        .with_k(10)
        .with_algorithm(KNNAlgorithmName::LinearSearch)
        .with_distance(Differing);
    let nearest = KNNClassifier::fit(&x, &labels, nearest)?;
    let predicted = [
        tree.predict(&ask_one_hot)?,
        bayes.predict(&ask)?,
        nearest.predict(&ask)?,
        linear(&x_one_hot, &labels, &ask_one_hot, classes)?,
    ];
    Ok(predicted.map(|classes| {
        let right: usize = hits
            .values()
            .zip(classes)
            .map(|(of_point, class)| of_point.get(&class).copied().unwrap_or(0))
            .sum();
        right as f64 / evaluate.len().max(1) as f64
    }))
}

/// One ridge regression a class, on 1 for its records and 0 for the others; the largest response wins.
fn linear(x: &DenseMatrix<f64>, labels: &[u32], ask: &DenseMatrix<f64>, classes: usize) -> Result<Vec<u32>> {
    let mut best: Vec<(f64, u32)> = Vec::new();
    for class in 0..classes as u32 {
        let y: Vec<f64> = labels.iter().map(|&label| f64::from(u8::from(label == class))).collect();
        if y.iter().all(|&y| y == 0.0) {
            continue;
        }
        let parameters = RidgeRegressionParameters::default().with_alpha(1.0).with_normalize(false);
        let model = RidgeRegression::fit(x, &y, parameters)?;
        let responses: Vec<f64> = model.predict(ask)?;
        if best.is_empty() {
            best = vec![(f64::NEG_INFINITY, 0); responses.len()];
        }
        for (best, response) in best.iter_mut().zip(responses) {
            if response > best.0 {
                *best = (response, class);
            }
        }
    }
    Ok(best.into_iter().map(|(_, class)| class).collect())
}

fn codes(points: &[[u32; 4]]) -> Result<DenseMatrix<u32>> {
    Ok(DenseMatrix::new(points.len(), 4, points.concat(), false)?)
}

fn one_hot(points: &[[u32; 4]], widths: &[usize]) -> Result<DenseMatrix<f64>> {
    let width: usize = widths.iter().sum();
    let mut values = vec![0.0; points.len() * width];
    for (row, point) in values.chunks_exact_mut(width).zip(points) {
        let mut start = 0;
        for (&code, &width) in point.iter().zip(widths) {
            row[start + code as usize] = 1.0;
            start += width;
        }
    }
    Ok(DenseMatrix::new(points.len(), width, values, false)?)
}

/// Accuracy against m, one plot an attribute and a classifier, as published.
fn plots(rows: &[Vec<String>]) -> Vec<(String, String)> {
    let mut plots = Vec::new();
    for of_attribute in rows.chunk_by(|a, b| a[0] == b[0]) {
        let attribute = &of_attribute[0][0];
        for (k, classifier) in CLASSIFIERS.iter().enumerate() {
            let series = ["additions", "deletions", "hybrid"].map(|change| Series {
                name: change.to_owned(),
                points: of_attribute
                    .iter()
                    .filter(|row| row[2] == change)
                    .filter_map(|row| Some((row[1].parse().ok()?, row[4 + k].parse().ok()?)))
                    .collect(),
            });
            let unchanged = of_attribute[0][4 + k].parse().ok().map(|y| (y, String::from("unchanged")));
            let plot = Plot {
                title: format!("{classifier}, {attribute}"),
                x: String::from("m"),
                y: String::from("accuracy, %"),
                series: series.into_iter().collect(),
                line: unchanged,
                top: None,
            };
            plots.push((format!("fig4-{attribute}-{}", classifier.replace(' ', "-")), plot.svg()));
        }
    }
    plots
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 40 records of each of three classes; the first attribute tells the class.
    fn records() -> Vec<Record> {
        (0..120).map(|i| ([i % 3, i / 3 % 2, 0, i / 6 % 2], i % 3)).collect()
    }

    #[test]
    fn what_can_be_learned_is_learned() {
        let all = records();
        let learned = accuracies(&all, &all, &[3, 2, 2, 2], 3).unwrap();
        assert_eq!(learned, [1.0; 4]);
        // Nothing can be learned of labels that go round.
        let noise: Vec<Record> = (0..240).map(|i| ([0, 0, 0, 0], i % 3)).collect();
        for share in accuracies(&noise, &noise, &[3, 2, 2, 2], 3).unwrap() {
            assert!((share - 1.0 / 3.0).abs() < 1e-9, "{share}");
        }
    }

    #[test]
    fn changes_reach_the_counts() {
        let mut records = records();
        records.retain(|record| record.1 == 0 || record.0[1] == 0);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for (way, rows) in [(Way::None, 80), (Way::Add, 120), (Way::Delete, 60), (Way::Hybrid, 60)] {
            let after = changed(&records, 3, 3, way, &mut rng).unwrap();
            assert_eq!(after.len(), rows);
            // Counterfeits are copies.
            assert!(after.iter().all(|record| records.contains(record)));
        }
    }
}
