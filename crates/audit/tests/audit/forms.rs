//! Utility of every form of published cells, by hand.

use lookalike_audit::measure::{ColumnReading, ColumnUtility, Reading, link, utility};
use lookalike_table::{ReadOptions, Reading as Compared, Table, hierarchy::Hierarchy, read};

fn table(text: &str) -> Table {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

/// One column x of four rows, the first two and the last two in a class each.
fn measure(original: [&str; 4], published: [&str; 2], reading: &Reading) -> ColumnUtility {
    let quoted = |cell: &str| format!("\"{cell}\"");
    let original = format!("x\n{}\n", original.map(quoted).join("\n"));
    let [one, two] = published.map(quoted);
    let published = table(&format!("x,class\n{one},1\n{one},1\n{two},2\n{two},2\n"));
    let links = link(&table("row,class\n0,1\n1,1\n2,2\n3,2\n"), 4).unwrap();
    let original = table(&original);
    let quasi = [String::from("x")];
    let mut found = utility(&published, &original, &links, &quasi, "class", reading, (1, 5)).unwrap();
    found.columns.remove(0)
}

#[track_caller]
fn is(found: &ColumnUtility, ncp: f64, loss: f64) {
    let told = found.ncp.clone().unwrap();
    assert!((told - ncp).abs() < 1e-12, "NCP {told}, not {ncp}");
    let lost = found.information_loss_percent;
    assert!((lost - loss).abs() < 1e-9, "information loss {lost}, not {loss}");
}

#[test]
fn dates() {
    // Days 0, 4, 31 and 40 of 1970: widths 4 and 9 of 40. Mean 18.75; squares 351.5625 + 217.5625 + 150.0625 +
    // 451.5625 = 1170.75; within classes 8 + 40.5.
    let original = ["1970-01-01", "1970-01-05", "1970-02-01", "1970-02-10"];
    let published = ["[1970-01-01 - 1970-01-05]", "[1970-02-01 - 1970-02-10]"];
    let found = measure(original, published, &Reading::default());
    is(&found, f64::midpoint(0.1, 0.225), 100.0 * 48.5 / 1170.75);
    assert_eq!(found.uncovered, Some(0));
    // Days are whole: a range of 5 days has variance 24/12, one of 10 days 99/12; middles 2 and 35.5 around 18.75.
    let variance = f64::midpoint(2.0, 8.25) + 16.75 * 16.75;
    assert!((found.statistic.unwrap().variance_ratio - variance / (1170.75 / 4.0)).abs() < 1e-12);
    let german = ["1.1.1970", "5.1.1970", "1.2.1970", "10.2.1970"];
    let found = measure(german, ["[1.1.1970 - 5.1.1970]", "{1.2.1970, 10.2.1970}"], &Reading::default());
    is(&found, f64::midpoint(0.1, 0.225), 100.0 * 48.5 / 1170.75);
}

#[test]
fn local_numbers() {
    // 1,5 and 2,5 are a thousandth of a thousand apart; 1.000,5 to 1.001,5 as well.
    let original = ["1,5", "2,5", "1.000,5", "1.001,5"];
    let found = measure(original, ["[1,5-2,5]", "{1.000\\,5, 1.001\\,5}"], &Reading::default());
    // Mean 501.5, squares 2 (500^2 + 499^2); within classes 1/2 each.
    is(&found, 0.001, 100.0 / 998_002.0);
    assert_eq!(found.uncovered, Some(0));
}

#[test]
fn coded_ends() {
    // Span 10 to 110. ">=90" reaches to 110, "<=25" to 10.
    let found = measure(["10", "25", "95", "110"], ["<=25", ">=90"], &Reading::default());
    // Mean 60; squares 2500 + 1225 + 1225 + 2500; within classes 112.5 each.
    is(&found, f64::midpoint(0.15, 0.2), 100.0 * 225.0 / 7450.0);
    assert_eq!(found.uncovered, Some(0));
    let found = measure(["10", "25", "95", "110"], ["{<=20, 25}", "*"], &Reading::default());
    is(&found, f64::midpoint(0.15, 1.0), 100.0 * 225.0 / 7450.0);
    assert_eq!(found.uncovered, Some(0));
    let found = measure(["10", "25", "95", "110"], ["<=20", ">=100"], &Reading::default());
    assert_eq!(found.uncovered, Some(2), "25 and 95 are not said");
}

#[test]
fn orders() {
    let order = ["none", "low", "a - b", "high", "most"].map(String::from).to_vec();
    let columns = [(String::from("x"), ColumnReading::As(Compared::Ranks(order)))].into();
    let reading = Reading { columns, ..Reading::default() };
    // Ranks 0, 1, 2, 4: widths 1 and 2 of 4. Mean 1.75, squares 3.0625 + 0.5625 + 0.0625 + 5.0625; within 0.5 + 2.
    let original = ["none", "low", "a - b", "most"];
    let published = ["[none - low]", r"[a \- b - most]"];
    let found = measure(original, published, &reading);
    is(&found, f64::midpoint(0.25, 0.5), 100.0 * 2.5 / 8.75);
    assert_eq!(found.uncovered, Some(0));
    // The same, not knowing the order.
    let why = measure(original, published, &Reading::default()).ncp.unwrap_err();
    assert!(why.to_string().ends_with(" is not a label of the original"), "{why}");
}

#[test]
fn labels_of_a_hierarchy() {
    let rows = ["a;north;*", "b;north;*", "c;south;*", "d;south;*", "e;south;*"];
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.split(';').map(String::from).collect()).collect();
    let hierarchies = [(String::from("x"), Hierarchy::new(&rows).unwrap())].into();
    let reading = Reading { hierarchies, ..Reading::default() };
    // One of four further values, and two of four. Values cost 1 of 3 a class, regions nothing of 4 - 8/4 = 2.
    let found = measure(["a", "b", "c", "d"], ["north", "south"], &reading);
    is(&found, f64::midpoint(0.25, 0.5), 100.0 * 2.0 / 5.0);
    assert_eq!(found.uncovered, Some(0));
    // Everything is nothing said; a set of labels is the values of all.
    let found = measure(["a", "c", "b", "d"], ["*", "{b, south}"], &reading);
    is(&found, f64::midpoint(1.0, 0.75), 100.0 * 4.0 / 5.0);
    assert_eq!(found.uncovered, Some(0));
    let found = measure(["a", "b", "c", "d"], ["south", "north"], &reading);
    assert_eq!(found.uncovered, Some(4));
    let why = measure(["a", "b", "c", "d"], ["west", "south"], &reading).ncp.unwrap_err();
    assert_eq!(why.to_string(), "'west' is not a label of the hierarchy");
    let lacking = measure(["a", "b", "c", "z"], ["north", "south"], &reading);
    assert_eq!(lacking.ncp.unwrap_err().to_string(), "'z' is not a label of the hierarchy");
}
