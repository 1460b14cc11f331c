//! Utility by hand.

use std::fmt::Write as _;

use lookalike_audit::{
    Conditions, Error, Guarantee, Question, SUPPRESSED,
    measure::{ColumnReading, Figures, Reading, Utility, figures, link, utility},
};
use lookalike_table::{Declared, ReadOptions, Table, read};
use proptest::prelude::*;

const ORIGINAL: &str = "age,city,disease\n20,A,x\n30,B,x\n22,A,y\n40,C,y\n";
const PUBLISHED: &str =
    "age,city,disease,class\n[20-22],A,x,1\n[20-22],A,y,1\n[30-40],\"{B, C}\",x,2\n[30-40],\"{B, C}\",y,2\n";
const CLASSES: &str = "row,class\n0,1\n1,2\n2,1\n3,2\n";

fn table(text: &str) -> Table {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn quasi() -> Vec<String> {
    ["age", "city"].map(String::from).to_vec()
}

fn asked() -> Question {
    Question {
        quasi: quasi(),
        sensitive: Some(String::from("disease")),
        conditions: Conditions::default(),
        guarantee: Guarantee::KAnonymity { k: 2 },
        class: Some(String::from("class")),
        markers: lookalike_table::usual_markers(),
        dialect: lookalike_audit::Dialect::PLAIN,
    }
}

fn measure(text: &str) -> Figures {
    figures(&table(text), &asked(), Some(2), &Reading::default()).unwrap()
}

fn compare(original: &str, published: &str, classes: &str) -> Result<Utility, Error> {
    let (original, published) = (table(original), table(published));
    let links = link(&table(classes), original.rows)?;
    utility(&published, &original, &links, &quasi(), "class", &Reading::default(), (7, 50))
}

fn close(x: f64, y: f64) -> bool {
    (x - y).abs() < 1e-12
}

#[test]
fn figures_by_hand() {
    let found = measure(PUBLISHED);
    assert_eq!((found.records, found.suppressed, found.groups), (4, 0, 2));
    assert_eq!((found.average_group_size, found.c_avg, found.discernibility), (2.0, Some(1.0), 8.0));
    // In each group one of two rows does not hold the most frequent value.
    assert_eq!(found.classification_metric, Some(0.5));
    // age: ranges of 2 and 10 in a span of 20; city: one and two of three labels.
    let ncp: Vec<f64> = found.columns.iter().map(|c| c.ncp.clone().unwrap()).collect();
    assert!(close(ncp[0], (2.0 * 0.1 + 2.0 * 0.5) / 4.0) && close(ncp[1], 2.0 * (1.0 / 3.0) / 4.0));
    assert!(close(found.gcp_mean.unwrap(), f64::midpoint(0.3, 1.0 / 6.0)));
    assert!(close(found.ncp_total.unwrap(), 4.0 * found.gcp_mean.unwrap()));
}

#[test]
fn suppressed_rows_cost_all_and_are_no_group() {
    let found = measure(&format!("{PUBLISHED}*,*,x,\n"));
    assert_eq!((found.records, found.suppressed, found.groups), (4, 1, 2));
    // Group sizes squared, and 5 rows for the suppressed one.
    assert_eq!(found.discernibility, 8.0 + 5.0);
    assert!(close(found.classification_metric.unwrap(), 1.0 - 2.0 / 5.0));
    assert!(close(found.columns[0].ncp.clone().unwrap(), (1.2 + 1.0) / 5.0));
    // With a label it is a class of its own.
    let labelled = measure(&format!("{PUBLISHED}*,*,x,3\n"));
    assert_eq!((labelled.records, labelled.suppressed, labelled.groups), (5, 0, 3));
    assert_eq!(labelled.discernibility, 8.0 + 1.0);
}

#[test]
fn unknown_forms_are_not_measured() {
    let found = measure("age,city,disease\n20-30,A,x\n20-30,B,y\n");
    assert_eq!(
        found.columns[0].ncp.clone().unwrap_err().to_string(),
        "'20-30' is of a form that is not known"
    );
    assert!(close(found.gcp_mean.unwrap(), 0.0), "the city is measured alone");
    let mixed = measure("age,city,disease\n[2-3],A,x\nold,B,y\n");
    assert!(
        mixed.columns[0]
            .ncp
            .clone()
            .unwrap_err()
            .to_string()
            .starts_with("'[2-3]' is a range, but not all values are")
    );
    // A label that the original does not have stands for something unknown.
    let found = compare(ORIGINAL, &PUBLISHED.replace("{B, C}", "Europe"), CLASSES).unwrap();
    assert_eq!(
        found.columns[1].ncp.clone().unwrap_err().to_string(),
        "'Europe' is not a label of the original"
    );
    assert_eq!(found.columns[1].uncovered, None);
}

/// Age bands are labels if the original has them: what looks generalised is not.
#[test]
fn labels_may_look_generalised() {
    let original = "age,city,disease\n20-30,A,x\n30-40,A,y\n>=40,A,x\n>=40,A,y\n";
    let published = "age,city,disease,class\n\"{20-30, 30-40}\",A,x,1\n\"{20-30, 30-40}\",A,y,1\n>=40,A,x,2\n>=40,A,y,2\n";
    let found = compare(original, published, "row,class\n0,1\n1,1\n2,2\n3,2\n").unwrap();
    assert!(close(found.columns[0].ncp.clone().unwrap(), 2.0 * (1.0 / 3.0) / 4.0));
    assert_eq!(found.columns[0].uncovered, Some(0));
    let other =
        compare(original, &published.replace(">=40", "4*"), "row,class\n0,1\n1,1\n2,2\n3,2\n").unwrap();
    assert_eq!(other.columns[0].ncp.clone().unwrap_err().to_string(), "'4*' is not a label of the original");
    // Without the original nobody knows.
    assert!(measure(published).columns[0].ncp.is_err());
}

#[test]
fn digits_may_be_codes() {
    let text = "age,city,disease\n1,\"{01010, 02020}\",x\n1,\"{01010, 02020}\",y\n2,03030,x\n2,03030,y\n";
    // As labels: two of three.
    assert!(close(measure(text).columns[1].ncp.clone().unwrap(), 2.0 * (1.0 / 3.0) / 4.0));
    let columns = [(String::from("city"), ColumnReading::Declared(Declared::Number))].into();
    let question = Question { sensitive: None, class: None, ..asked() };
    let numbers = Reading { columns, ..Reading::default() };
    let found = figures(&table(text), &question, None, &numbers).unwrap();
    assert!(close(found.columns[1].ncp.clone().unwrap(), 2.0 * 0.5 / 4.0));
}

#[test]
fn utility_by_hand() {
    let found = compare(ORIGINAL, PUBLISHED, CLASSES).unwrap();
    assert_eq!((found.published_rows, found.unpublished_rows, found.added_rows), (4, 0, 0));
    let [age, city] = found.columns.as_slice() else { panic!() };
    assert!(close(age.ncp.clone().unwrap(), 0.3) && close(city.ncp.clone().unwrap(), 1.0 / 6.0));
    // age: mean 28, squares 64 + 4 + 36 + 144 = 248; within classes 2 + 50.
    assert!(close(age.information_loss_percent, 100.0 * 52.0 / 248.0));
    // city, one-hot: 4 - (4 + 1 + 1)/4 = 2.5 in all; within classes 0 and 2 - 2/2 = 1.
    assert!(close(city.information_loss_percent, 40.0));
    assert!(close(found.information_loss_percent, f64::midpoint(5200.0 / 248.0, 40.0)) && found.sst == 8.0);
    assert_eq!((age.uncovered, city.uncovered), (Some(0), Some(0)));
    // Middles 21 and 35, mean 28 as before. Variance 49 + (2*4/12 + 10*12/12)/2; it was 62.
    let statistic = age.statistic.unwrap();
    assert!(close(statistic.mean_shift, 0.0));
    assert!(close(statistic.variance_ratio, (49.0 + f64::midpoint(8.0 / 12.0, 10.0)) / 62.0));
    assert_eq!(city.statistic, None);
}

#[test]
fn what_is_published_as_it_is_loses_nothing() {
    let published = "age,city,disease,class\n20,A,x,1\n22,A,y,2\n30,B,x,3\n40,C,y,4\n";
    let found = compare(ORIGINAL, published, "row,class\n0,1\n1,3\n2,2\n3,4\n").unwrap();
    let queries = found.queries.unwrap();
    assert_eq!((queries.queries, queries.dimensions, queries.mean, queries.median), (50, 2, 0.0, 0.0));
    assert_eq!((found.ncp_total, found.sse), (Some(0.0), 0.0));
    assert!(found.columns[0].statistic.is_some_and(|s| s.mean_shift == 0.0 && s.variance_ratio == 1.0));
    // The order of the original's rows decides nothing, the seed does.
    let reversed = "age,city,disease\n40,C,y\n22,A,y\n30,B,x\n20,A,x\n";
    let again = compare(reversed, PUBLISHED, "row,class\n0,2\n1,1\n2,2\n3,1\n").unwrap();
    assert_eq!(again, compare(ORIGINAL, PUBLISHED, CLASSES).unwrap());
}

#[test]
fn what_is_not_published_answers_nothing() {
    let published = "age,city,disease,class\nS,S,x,1\nS,S,y,1\n".replace('S', SUPPRESSED);
    let found = compare(ORIGINAL, &published, "row,class\n0,1\n1,\n2,1\n3,\n+0,1\n").unwrap();
    assert_eq!((found.published_rows, found.unpublished_rows), (2, 2));
    assert_eq!(found.gcp_mean, Some(1.0));
    // Every query with an answer misses all of it; one that counts nobody is right.
    let queries = found.queries.unwrap();
    assert!(queries.mean > 0.0 && queries.mean <= 1.0, "{queries:?}");
}

/// With one value there is one query: all rows. Ranges of four whole numbers answer with a quarter.
#[test]
fn the_error_of_a_query_by_hand() {
    let original = "age,city,disease\n20,A,x\n20,A,x\n20,A,x\n20,A,x\n";
    let published = "age,city,disease,class\n20,A,x,1\n20,A,x,1\n[20-23],A,x,2\n[20-23],A,x,2\n";
    let found = compare(original, published, "row,class\n0,1\n1,1\n2,2\n3,2\n").unwrap();
    let queries = found.queries.unwrap();
    // 2 + 2/4 of 4 rows.
    assert_eq!((queries.mean, queries.median), (0.375, 0.375));
    // Of real numbers a range that ends where the query does has no width in common with it.
    let real = compare(&original.replace("20", "20.5"), &published.replace("20", "20.5"), CLASSES).unwrap();
    assert_eq!(real.queries.unwrap().mean, 0.5);
}

#[test]
fn centroids_do_not_cover() {
    let published = PUBLISHED.replace("[20-22]", "21").replace("[30-40]", "35");
    let found = compare(ORIGINAL, &published, CLASSES).unwrap();
    assert_eq!(found.columns[0].uncovered, Some(4));
    assert!(found.columns[0].statistic.is_some_and(|s| close(s.variance_ratio, 49.0 / 62.0)));
}

#[test]
fn wrong_links_are_refused() {
    let refuse = |classes: &str| compare(ORIGINAL, PUBLISHED, classes).unwrap_err().to_string();
    assert!(refuse("row,class\n0,1\n1,2\n2,1\n").contains("row 3 of the original is not in it"));
    assert!(refuse("row,class\n0,1\n0,2\n2,1\n").contains("row 0 is named twice"));
    assert!(refuse("row,class\n9,1\n").contains("row \"9\", but the original has the rows 0 to 3"));
    assert!(refuse("row,class\n0,1\n1,2\n2,1\n3,7\n").contains("class \"7\", which is not published"));
    assert!(refuse("line,class\n0,1\n").contains("no column \"row\""));
    let other = compare("age,disease\n20,x\n", PUBLISHED, "row,class\n0,1\n").unwrap_err();
    assert_eq!(other, Error::NoOriginalColumn { column: "city".into() });
}

proptest! {
    /// Discernibility, average group size and classification metric by pairs of rows.
    #[test]
    fn figures_agree_with_pairs(cells in prop::collection::vec((0..3_u8, 0..3_u8, 0..3_u8), 1..20)) {
        let star = |x: u8| if x == 0 { String::from("*") } else { x.to_string() };
        let mut text = String::from("age,city,disease\n");
        for &(a, c, d) in &cells {
            writeln!(text, "{},{},{d}", star(a), star(c)).unwrap();
        }
        let found = measure(&text);
        let n = cells.len();
        let group = |i: usize| (cells[i].0, cells[i].1);
        let kept: Vec<usize> = (0..n).filter(|&i| group(i) != (0, 0)).collect();
        let same = kept.iter().map(|&i| kept.iter().filter(|&&j| group(i) == group(j)).count()).sum::<usize>();
        prop_assert_eq!(found.discernibility, (same + n * (n - kept.len())) as f64);
        let mut groups: Vec<_> = kept.iter().map(|&i| group(i)).collect();
        groups.sort_unstable();
        groups.dedup();
        let most = |g: (u8, u8)| {
            (0..3).map(|d| kept.iter().filter(|&&i| group(i) == g && cells[i].2 == d).count()).max().unwrap()
        };
        let right: usize = groups.iter().map(|&g| most(g)).sum();
        prop_assert!(close(found.classification_metric.unwrap(), 1.0 - right as f64 / n as f64));
        prop_assert_eq!(found.groups, groups.len());
    }

    /// NCP, squared errors and coverage by pairs of rows: SSE = sum over pairs of a class of d^2 / (2 |C|).
    #[test]
    fn utility_agrees_with_pairs(
        cells in prop::collection::vec((0..9_i32, 0..3_usize, 0..3_usize), 2..20),
    ) {
        let n = cells.len();
        let mut original = String::from("age,city,disease\n");
        let mut classes = String::from("row,class\n");
        let mut published = String::from("age,city,disease,class\n");
        let mut labels: Vec<usize> = cells.iter().map(|c| c.2).collect();
        labels.sort_unstable();
        labels.dedup();
        let of_class = |c: usize| cells.iter().filter(move |x| x.2 == c);
        let ends = |c: usize| (of_class(c).map(|x| x.0).min().unwrap(), of_class(c).map(|x| x.0).max().unwrap());
        let cities = |c: usize| {
            let mut all: Vec<usize> = of_class(c).map(|x| x.1).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        for (row, &(a, city, class)) in cells.iter().enumerate() {
            writeln!(original, "{a},{},x", ["A", "B", "C"][city]).unwrap();
            writeln!(classes, "{row},{class}").unwrap();
        }
        for &c in &labels {
            let (low, high) = ends(c);
            let names: Vec<&str> = cities(c).iter().map(|&i| ["A", "B", "C"][i]).collect();
            for _ in of_class(c) {
                writeln!(published, "[{low}-{high}],\"{{{}}}\",x,{c}", names.join(", ")).unwrap();
            }
        }
        let found = compare(&original, &published, &classes).unwrap();
        let near = |x: f64, y: f64| (x - y).abs() < 1e-9;
        let pairs = |same: &dyn Fn(usize, usize) -> bool, d: &dyn Fn(usize, usize) -> f64| -> f64 {
            (0..n).map(|i| {
                let size = (0..n).filter(|&j| same(i, j)).count() as f64;
                (0..n).filter(|&j| same(i, j)).map(|j| d(i, j)).sum::<f64>() / (2.0 * size)
            }).sum()
        };
        let age = |i: usize, j: usize| f64::from((cells[i].0 - cells[j].0).pow(2));
        // One-hot vectors of different labels are sqrt(2) apart.
        let city = |i: usize, j: usize| if cells[i].1 == cells[j].1 { 0.0 } else { 2.0 };
        let distances: [&dyn Fn(usize, usize) -> f64; 2] = [&age, &city];
        for (column, d) in found.columns.iter().zip(distances) {
            let (within, all) = (pairs(&|i, j| cells[i].2 == cells[j].2, d), pairs(&|_, _| true, d));
            let expected = if all > 0.0 { 100.0 * within / all } else { 0.0 };
            prop_assert!(near(column.information_loss_percent, expected), "{column:?} {expected}");
            prop_assert_eq!(column.uncovered, Some(0));
        }
        let width = f64::from(cells.iter().map(|c| c.0).max().unwrap() - cells.iter().map(|c| c.0).min().unwrap());
        let domain = (0..3).filter(|i| cells.iter().any(|c| c.1 == *i)).count() as f64;
        let ncp_age = |c: usize| if width > 0.0 { f64::from(ends(c).1 - ends(c).0) / width } else { 0.0 };
        let ncp_city = |c: usize| (cities(c).len() - 1) as f64 / domain;
        let mean = |ncp: &dyn Fn(usize) -> f64| cells.iter().map(|c| ncp(c.2)).sum::<f64>() / n as f64;
        prop_assert!(near(found.columns[0].ncp.clone().unwrap(), mean(&ncp_age)));
        prop_assert!(near(found.columns[1].ncp.clone().unwrap(), mean(&ncp_city)));
    }
}
