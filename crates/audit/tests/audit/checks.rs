//! The models of the literature, by hand and against counting.

use lookalike_audit::{
    Assessment, Attacker, Distance, Diversity, Error, Grouping, Inquiry, Model, Population, Protecting,
    SUPPRESSED, Senseless, Subject, assess, risks,
};
use lookalike_table::{ReadOptions, Table, read};
use proptest::prelude::*;

use crate::common::{Rows, csv, rows, words};

fn table(rows: &Rows) -> Table {
    read(&csv(rows), &ReadOptions::default()).unwrap()
}

fn inquiry(models: Vec<Model>) -> Inquiry {
    Inquiry {
        quasi: vec![String::from("age")],
        sensitive: Some(String::from("disease")),
        class: Some(String::from("class")),
        models,
        suppressed: vec![SUPPRESSED.to_owned()],
        missing: lookalike_table::usual_markers(),
        missing_is_value: false,
        attacker: Attacker::default(),
    }
}

fn ask(text: &str, model: Model) -> Assessment {
    assess(&table(&rows(text)), &inquiry(vec![model])).unwrap()
}

fn diversity(l: usize, kind: Diversity) -> Model {
    Model::Diversity { l, kind }
}

fn close(x: f64, y: f64) -> bool {
    (x - y).abs() < 1e-9
}

/// Group 20: A A A B B C; group 30: A B C D.
const TWO_GROUPS: &str = "age disease\n20 A\n20 A\n20 A\n20 B\n20 B\n20 C\n30 A\n30 B\n30 C\n30 D";

#[test]
fn distinct_diversity_counts_values() {
    let three = ask(TWO_GROUPS, diversity(3, Diversity::Distinct));
    assert!(three.passed);
    assert_eq!((three.findings.len(), three.findings[0].reached), (1, Some(3.0)));
    assert_eq!(three.findings[0].grouping, Grouping::Group);
    let four = ask(TWO_GROUPS, diversity(4, Diversity::Distinct));
    assert!(!four.passed);
    assert_eq!(
        four.findings[0].check.finding.to_string(),
        "2 groups, the worst with 3 different known values; at least 4 needed; 1 group is not diverse enough"
    );
    assert_eq!(words(&four.findings[0].check.witnesses), ["age '20': 3 different known values"]);
}

#[test]
fn entropy_diversity_by_hand() {
    // Shares 1/2, 1/3, 1/6: entropy (log 2)/2 + (log 3)/3 + (log 6)/6 = log(2^(2/3) * 3^(1/2)) = log 2.7495...
    let reached = 2f64.powf(2.0 / 3.0) * 3f64.sqrt();
    let two = ask(TWO_GROUPS, diversity(2, Diversity::Entropy));
    assert!(two.passed && close(two.findings[0].reached.unwrap(), reached));
    assert!(!ask(TWO_GROUPS, diversity(3, Diversity::Entropy)).passed);
    // Four values, equally frequent: entropy log 4 exactly.
    let uniform = ask("age disease\n30 A\n30 B\n30 C\n30 D", diversity(4, Diversity::Entropy));
    assert!(uniform.passed, "{:?}", uniform.findings);
}

#[test]
fn recursive_diversity_by_hand() {
    // Group 20: r = 3, 2, 1. (c, 2): 3 < c (2 + 1); (c, 3): 3 < c * 1.
    let recursive = |c, l| ask(TWO_GROUPS, diversity(l, Diversity::Recursive { c }));
    assert!(recursive(1.01, 2).passed);
    assert!(!recursive(1.0, 2).passed, "the ratio must be less than c");
    assert!(recursive(3.01, 3).passed && !recursive(3.0, 3).passed);
    assert_eq!(recursive(2.0, 3).findings[0].reached, Some(3.0));
    let four = recursive(100.0, 4);
    assert_eq!(four.findings[0].reached, Some(f64::INFINITY), "group 20 has three values");
    assert_eq!(words(&four.findings[0].check.witnesses), ["age '20': fewer than 4 known values"]);
}

#[test]
fn the_salaries_of_the_t_closeness_paper() {
    // Li, Li, Venkatasubramanian 2007, section 4.3: salaries 3k to 11k; {3k, 4k, 5k} is at 0.375, {6k, 8k, 11k} at 0.167.
    let salaries = "age disease\n2* 3\n2* 4\n2* 5\n4* 6\n4* 8\n4* 11\n3* 7\n3* 9\n3* 10";
    let ordered = |t| Model::TCloseness { t, distance: Distance::Ordered { order: None } };
    let far = ask(salaries, ordered(0.3));
    assert!(close(far.findings[0].reached.unwrap(), 0.375));
    assert_eq!(words(&far.findings[0].check.witnesses), ["age '2*': distance 0.3750"]);
    assert!(ask(salaries, ordered(0.375)).passed);
    let near = ask(salaries, ordered(0.16));
    assert!(words(&near.findings[0].check.witnesses).contains(&String::from("age '4*': distance 0.1667")));
    // Equal distance: each group holds 3 of 9 values: 3 * (1/3 - 1/9) = 2/3.
    let equal = ask(salaries, Model::TCloseness { t: 0.5, distance: Distance::Equal });
    assert!(close(equal.findings[0].reached.unwrap(), 2.0 / 3.0));
}

#[test]
fn a_given_order_decides_the_distance() {
    let text = "age disease\n20 low\n20 low\n30 high\n30 mid";
    let ordered = |names: &[&str]| {
        let order = Some(names.iter().map(ToString::to_string).collect());
        let model = Model::TCloseness { t: 0.1, distance: Distance::Ordered { order } };
        assess(&table(&rows(text)), &inquiry(vec![model]))
    };
    // Table: low 1/2, mid 1/4, high 1/4. Group 20 = low: cumulated differences 1/2, 1/4, 0 over 2: 0.375.
    let found = ordered(&["low", "mid", "high"]).unwrap();
    assert!(close(found.findings[0].reached.unwrap(), 0.375));
    // A value that nobody has widens the scale: (1/2 + 1/4 + 1/4 + 0) / 3 for low, mid, none, high.
    let wider = ordered(&["low", "mid", "none", "high"]).unwrap();
    assert!(close(wider.findings[0].reached.unwrap(), 1.0 / 3.0));
    let lacks = Error::OrderLacks { column: "disease".into(), value: "high".into() };
    assert_eq!(ordered(&["low", "mid"]).unwrap_err(), lacks);
    let twice = Error::OrderTwice { column: "disease".into(), value: "low".into() };
    assert_eq!(ordered(&["low", "low", "mid", "high"]).unwrap_err(), twice);
    let numbers = Model::TCloseness { t: 0.1, distance: Distance::Ordered { order: None } };
    let refused = assess(&table(&rows(text)), &inquiry(vec![numbers])).unwrap_err();
    assert_eq!(refused, Error::NoOrder { column: "disease".into(), value: "low".into() });
}

#[test]
fn suppressed_rows_are_no_class() {
    let text = "age sex disease\n20 F A\n20 F B\n* * A\n* M B\n* M A";
    let with = |quasi: &[&str], k| {
        let quasi = quasi.iter().map(ToString::to_string).collect();
        let inquiry = Inquiry { quasi, ..inquiry(vec![Model::KAnonymity { k }]) };
        assess(&table(&rows(text)), &inquiry).unwrap()
    };
    // One row has nothing left; `* M` still says M and is a group like others.
    let both = with(&["age", "sex"], 2);
    assert!(both.passed, "{both:?}");
    assert_eq!((both.risks.records, both.risks.suppressed, both.risks.groups), (4, 1, 2));
    let told = both.notes.iter().find(|n| n.name == Subject::Suppressed).unwrap();
    assert!(told.finding.to_string().starts_with("1 of 5 rows with all quasi-identifiers suppressed"));
    let age = with(&["age"], 2);
    assert_eq!((age.risks.groups, age.risks.suppressed), (1, 3));
}

#[test]
fn a_class_label_tells_a_class_from_suppressed_rows() {
    // Class 2 is generalised until nothing is left; the last two rows were suppressed, in two spellings of no label.
    let labelled = "age disease class\n20 A 1\n20 B 1\n* A 2\n* B 2\n* C 2\n* A -\n* B *";
    let text = csv(&rows(labelled));
    let text = String::from_utf8(text).unwrap().replace(",-", ",");
    let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let with = |class: Option<&str>, suppressed: &[&str], k| {
        let inquiry = Inquiry {
            class: class.map(String::from),
            suppressed: suppressed.iter().map(ToString::to_string).collect(),
            ..inquiry(vec![Model::KAnonymity { k }])
        };
        assess(&table, &inquiry).unwrap()
    };
    let reached = |found: &Assessment| found.findings.iter().map(|f| f.reached).collect::<Vec<_>>();
    let told = with(Some("class"), &["*"], 2);
    assert!(told.passed, "{told:?}");
    assert_eq!((told.risks.records, told.risks.suppressed, told.risks.groups), (5, 2, 2));
    let note = told.notes.iter().find(|n| n.name == Subject::Suppressed).unwrap();
    assert!(
        note.finding
            .to_string()
            .starts_with("2 of 7 rows with all quasi-identifiers suppressed and no class label")
    );
    assert_eq!(reached(&with(Some("class"), &["*"], 3)), [Some(2.0), Some(2.0)], "class 1 has two rows");
    // Without labels all five are suppressed, or, if that is said, all five are a group.
    assert_eq!(with(None, &["*"], 2).risks.suppressed, 5);
    let none = with(None, &[], 2);
    assert_eq!((none.risks.records, none.risks.suppressed, none.risks.groups), (7, 0, 2));
}

#[test]
fn a_missing_value_is_no_diversity_unless_it_is_asked() {
    let text = "age disease\n20 A\n20 ?\n20 NA\n30 A\n30 B\n40 ?\n40 NA";
    let model = diversity(2, Diversity::Distinct);
    let strict = ask(text, model.clone());
    let found = &strict.findings[0].check;
    assert_eq!(
        words(&found.witnesses),
        ["age '20': 1 different known value", "age '40': 0 different known values"]
    );
    // As a value, all markers are one: group 40 has one value, not two.
    let lenient = Inquiry { missing_is_value: true, ..inquiry(vec![model]) };
    let lenient = assess(&table(&rows(text)), &lenient).unwrap();
    assert_eq!(words(&lenient.findings[0].check.witnesses), ["age '40': 1 different known value"]);
}

#[test]
fn several_models_and_both_groupings_at_once() {
    let text = "age class disease\n20 1 A\n20 1 B\n20 2 A\n20 2 C\n30 3 A\n30 3 A";
    let models = vec![Model::KAnonymity { k: 3 }, Model::MUniqueness { m: 2 }];
    let found = assess(&table(&rows(text)), &inquiry(models)).unwrap();
    let reached: Vec<_> =
        found.findings.iter().map(|f| (f.model.to_string(), f.grouping, f.reached, f.check.passed)).collect();
    let entry = |model: &str, grouping, reached, passed| (model.to_owned(), grouping, Some(reached), passed);
    assert_eq!(
        reached,
        [
            entry("3-anonymity", Grouping::Class, 2.0, false),
            entry("3-anonymity", Grouping::Group, 2.0, false),
            entry("2-uniqueness", Grouping::Class, 1.0, false),
            entry("2-uniqueness", Grouping::Group, 1.0, false),
        ]
    );
    assert!(!found.passed);
}

#[test]
fn senseless_inquiries_are_refused() {
    let table = table(&rows(TWO_GROUPS));
    let refuse = |inquiry: Inquiry| assess(&table, &inquiry).unwrap_err();
    let t = |t| Model::TCloseness { t, distance: Distance::Equal };
    for bad in [
        t(1.5),
        t(f64::NAN),
        diversity(1, Diversity::Distinct),
        diversity(2, Diversity::Recursive { c: 0.0 }),
        Model::KAnonymity { k: 1 },
    ] {
        assert!(matches!(refuse(inquiry(vec![bad])), Error::Senseless(_) | Error::TooSmall { .. }));
    }
    let ordered = |order: &str| {
        let order = Some(order.split(' ').map(String::from).collect());
        Model::TCloseness { t: 0.5, distance: Distance::Ordered { order } }
    };
    let orders = inquiry(vec![ordered("A B C D"), ordered("D C B A")]);
    assert_eq!(refuse(orders), Error::TwoOrders);
    let blind = Inquiry { sensitive: None, ..inquiry(vec![t(0.5)]) };
    assert_eq!(refuse(blind), Error::NoSensitiveFor { model: Protecting::TCloseness });
    let attacker = Attacker { population: Population::Fraction(0.0), threshold: 0.2 };
    let odd = Inquiry { attacker, ..inquiry(vec![Model::KAnonymity { k: 2 }]) };
    assert!(matches!(refuse(odd), Error::Senseless(Senseless::SampleFraction { .. })));
}

#[test]
fn risks_by_hand() {
    // Groups of 1, 1, 2 and 4 rows, and one suppressed row; a tenth of the population.
    let table = table(&rows("age\n1\n2\n3\n3\n4\n4\n4\n4\n*"));
    let quasi = [String::from("age")];
    let ask = |population, threshold| {
        risks(&table, &quasi, &[SUPPRESSED.to_owned()], &Attacker { population, threshold }).unwrap()
    };
    let r = ask(Population::Table, 0.3);
    assert_eq!((r.records, r.suppressed, r.groups, r.uniques), (8, 1, 4, 2));
    assert_eq!((r.unique_share, r.smallest_group), (0.25, 1));
    // Above 0.3: the two uniques and the pair. Mean: 4 groups of 8 records.
    assert_eq!((r.prosecutor.highest, r.prosecutor.mean, r.prosecutor.at_risk), (1.0, 0.5, 4));
    assert_eq!(r.prosecutor.at_risk_share, 0.5);
    assert_eq!((r.journalist, r.marketer), (r.prosecutor, 0.5));
    let sample = ask(Population::Fraction(0.1), 0.04);
    assert!(close(sample.journalist.highest, 0.1) && close(sample.marketer, 0.05));
    // 0.1, 0.1, 0.05, 0.025.
    assert_eq!((sample.journalist.at_risk, sample.prosecutor.at_risk), (4, 8));
    assert_eq!(ask(Population::Size(80), 0.04), sample);
    // The table is no sample of a population that is smaller: its suppressed row is a person, too.
    let refused = |size| {
        let attacker = Attacker { population: Population::Size(size), threshold: 0.3 };
        risks(&table, &quasi, &[SUPPRESSED.to_owned()], &attacker).unwrap_err().to_string()
    };
    assert!(
        refused(8).starts_with("a population of 8 people is smaller than the table of 9 rows: "),
        "{}",
        refused(8)
    );
    assert_eq!(ask(Population::Size(9), 0.3).sample_fraction, 8.0 / 9.0);
}

/// Earth mover's distance on a line by moving earth one rank at a time.
fn shovel(mut from: Vec<f64>, to: &[f64]) -> f64 {
    let mut work = 0.0;
    for i in 0..from.len() - 1 {
        let moved = from[i] - to[i];
        from[i] -= moved;
        from[i + 1] += moved;
        work += moved.abs();
    }
    work
}

proptest! {
    /// Every measure, counted naively group by group.
    #[test]
    fn measures_agree_with_counting(
        cells in prop::collection::vec((0..4_u8, 0..5_u8), 1..30),
        l in 2..4_usize,
        missing_is_value: bool,
    ) {
        // Age 0 is suppressed, disease 0 is missing, in two spellings.
        let age = |a: u8| if a == 0 { String::from("*") } else { a.to_string() };
        let disease = |i: usize, d: u8| match d {
            0 => ["?", "na"][i % 2].to_owned(),
            d => d.to_string(),
        };
        let mut all: Rows = vec![vec!["age".into(), "disease".into()]];
        all.extend(cells.iter().enumerate().map(|(i, &(a, d))| vec![age(a), disease(i, d)]));
        let models = vec![
            Model::KAnonymity { k: l },
            diversity(l, Diversity::Distinct),
            diversity(l, Diversity::Entropy),
            diversity(l, Diversity::Recursive { c: 1.5 }),
            Model::TCloseness { t: 0.25, distance: Distance::Equal },
        ];
        let asked = Inquiry { missing_is_value, ..inquiry(models) };
        let found = assess(&table(&all), &asked).unwrap();

        let known = |d: u8| missing_is_value || d > 0;
        let total = cells.iter().filter(|c| known(c.1)).count().max(1) as f64;
        let share_of_table = |d: u8| cells.iter().filter(|c| c.1 == d && known(d)).count() as f64 / total;
        let mut worst = [f64::INFINITY, f64::INFINITY, f64::INFINITY, 0.0, 0.0];
        let mut ages: Vec<u8> = cells.iter().map(|c| c.0).filter(|a| *a > 0).collect();
        ages.sort_unstable();
        ages.dedup();
        for a in &ages {
            let members: Vec<u8> = cells.iter().filter(|c| c.0 == *a).map(|c| c.1).collect();
            let known: Vec<u8> = members.iter().copied().filter(|d| known(*d)).collect();
            let n = known.len() as f64;
            let count = |d: u8| known.iter().map(|x| f64::from(u8::from(*x == d))).sum::<f64>();
            let present: Vec<u8> = (0..5).filter(|d| count(*d) > 0.0).collect();
            let mut sorted: Vec<f64> = present.iter().map(|d| count(*d)).collect();
            sorted.sort_by(|x, y| y.total_cmp(x));
            // e^H as the product of p^-p.
            let entropy: f64 = present.iter().map(|d| (count(*d) / n).powf(-count(*d) / n)).product();
            let ratio = if sorted.len() < l { f64::INFINITY } else { sorted[0] / sorted[l - 1..].iter().sum::<f64>() };
            let distance = if known.is_empty() {
                1.0
            } else {
                (0..5).map(|d| (count(d) / n - share_of_table(d)).abs()).sum::<f64>() / 2.0
            };
            worst[0] = worst[0].min(members.len() as f64);
            worst[1] = worst[1].min(present.len() as f64);
            worst[2] = worst[2].min(if known.is_empty() { 0.0 } else { entropy });
            worst[3] = worst[3].max(ratio);
            worst[4] = worst[4].max(distance);
        }
        let l = l as f64;
        let holds = [worst[0] >= l, worst[1] >= l, worst[2] >= l - 1e-9, worst[3] < 1.5, worst[4] <= 0.25 + 1e-9];
        for (i, finding) in found.findings.iter().enumerate() {
            prop_assert_eq!(finding.reached.is_none(), ages.is_empty());
            if let Some(reached) = finding.reached {
                prop_assert!(reached == worst[i] || close(reached, worst[i]), "{:?}: {}", finding, worst[i]);
                prop_assert_eq!(finding.check.passed, holds[i], "{:?}", finding);
            }
        }
    }

    /// Ordered distance, by moving earth.
    #[test]
    fn ordered_distance_moves_earth(cells in prop::collection::vec((1..4_u8, 0..5_u8), 1..25)) {
        let mut all: Rows = vec![vec!["age".into(), "disease".into()]];
        all.extend(cells.iter().map(|(a, d)| vec![a.to_string(), format!("{d}.0")]));
        let model = Model::TCloseness { t: 0.0, distance: Distance::Ordered { order: None } };
        let found = assess(&table(&all), &inquiry(vec![model])).unwrap();
        let mut values: Vec<u8> = cells.iter().map(|c| c.1).collect();
        values.sort_unstable();
        values.dedup();
        let shares = |a: Option<u8>| -> Vec<f64> {
            let rows: Vec<_> = cells.iter().filter(|c| a.is_none_or(|a| c.0 == a)).collect();
            values.iter().map(|v| rows.iter().filter(|c| c.1 == *v).count() as f64 / rows.len() as f64).collect()
        };
        let steps = (values.len() - 1).max(1) as f64;
        let worst = cells.iter().map(|c| shovel(shares(Some(c.0)), &shares(None)) / steps).fold(0.0, f64::max);
        prop_assert!(close(found.findings[0].reached.unwrap(), worst));
    }

    /// Risk figures, row by row.
    #[test]
    fn risks_agree_with_counting(ages in prop::collection::vec(0..6_u8, 1..30), people in 30..200_usize) {
        let mut all: Rows = vec![vec!["age".into()]];
        all.extend(ages.iter().map(|a| vec![if *a == 0 { String::from("*") } else { a.to_string() }]));
        let attacker = Attacker { population: Population::Size(people), threshold: 0.3 };
        let found = risks(&table(&all), &[String::from("age")], &[SUPPRESSED.to_owned()], &attacker).unwrap();
        let rows: Vec<u8> = ages.iter().copied().filter(|a| *a > 0).collect();
        let n = rows.len();
        prop_assert_eq!((found.records, found.suppressed), (n, ages.len() - n));
        if n > 0 {
            let of_row: Vec<f64> =
                rows.iter().map(|a| 1.0 / rows.iter().map(|b| f64::from(u8::from(a == b))).sum::<f64>()).collect();
            let share = (n as f64 / people as f64).min(1.0);
            let mean = of_row.iter().sum::<f64>() / n as f64;
            let highest = of_row.iter().copied().fold(0.0, f64::max);
            prop_assert!(close(found.prosecutor.mean, mean) && close(found.prosecutor.highest, highest));
            prop_assert!(close(found.journalist.highest, highest * share) && close(found.marketer, mean * share));
            prop_assert_eq!(found.uniques, of_row.iter().filter(|p| **p == 1.0).count());
            prop_assert_eq!(found.prosecutor.at_risk, of_row.iter().filter(|p| **p > 0.3).count());
        }
    }
}
