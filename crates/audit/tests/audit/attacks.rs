//! Singling out, linkability and inference: against counting by hand in tiny tables, and where the outcome is known.

use std::collections::BTreeSet;

use lookalike_audit::{
    Error,
    attacks::{Attacked, Attacks, Outcome, attack},
    measure::Reading,
};
use lookalike_table::{HeaderRow, ReadOptions, Table, read};
use proptest::prelude::*;

fn table(lines: &[Vec<String>]) -> Table {
    let text: String = lines.iter().map(|line| line.join(";") + "\n").collect();
    let options = ReadOptions { header: HeaderRow::Present, delimiter: Some(b';'), ..ReadOptions::default() };
    read(text.as_bytes(), &options).unwrap()
}

/// A header, then rows.
fn rows_of(header: &str, rows: impl IntoIterator<Item = String>) -> Table {
    let lines = std::iter::once(header.to_owned()).chain(rows);
    table(&lines.map(|line| line.split(';').map(String::from).collect()).collect::<Vec<_>>())
}

fn asked(columns: &[&str], secret: Option<&str>) -> Attacks {
    Attacks {
        columns: columns.iter().map(|name| (*name).to_owned()).collect(),
        secret: secret.map(str::to_owned),
        attacks: 200,
        ..Attacks::default()
    }
}

fn tried(published: &Table, original: &Table, control: Option<&Table>, asked: &Attacks) -> Attacked {
    attack(published, original, control, asked, &Reading::default()).unwrap()
}

fn share(outcome: &Outcome) -> f64 {
    outcome.main.share().unwrap_or(0.0)
}

/// People of all kinds: numbers that hardly repeat, labels that do. Other seeds are other people.
fn people(from: u64, count: u64) -> Vec<String> {
    let mut state = from.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let city = ["Bath", "Hull", "Kent"];
    (0..count)
        .map(|_| {
            let (age, income, height) = (18 + next(60), next(90_000), 1500 + next(500));
            format!("{age};{income};{height};{};{}", city[next(3) as usize], ["yes", "no"][next(2) as usize])
        })
        .collect()
}

const HEADER: &str = "age;income;height;city;ill";
const KNOWN: [&str; 4] = ["age", "income", "height", "city"];

#[test]
fn a_table_published_as_it_is_falls_to_every_attack() {
    let original = rows_of(HEADER, people(1, 300));
    let control = rows_of(HEADER, people(2, 300));
    let found = tried(&original, &original, Some(&control), &asked(&KNOWN, Some("ill")));
    let multivariate = found.multivariate.unwrap().1;
    // What one published row fulfils one original record fulfils: they are the same rows.
    for outcome in [&found.univariate, &multivariate] {
        assert!(share(outcome) > 0.999 && outcome.main.attacks == 200, "{outcome:?}");
        assert!(outcome.residual.unwrap().value > 0.4, "{outcome:?}");
    }
    let inference = found.inference.unwrap();
    assert!(share(&inference) > 0.999 && inference.residual.unwrap().value > 0.9, "{inference:?}");
    // age and height on the one side, income and city on the other.
    let linked = found.linkability.unwrap();
    assert_eq!(
        (linked.first, linked.second),
        (vec!["age".into(), "height".into()], vec!["income".into(), "city".into()])
    );
    assert!(share(&linked.outcome) > 0.95, "{:?}", linked.outcome);
    let residual = linked.outcome.residual.unwrap();
    assert!(residual.value > 0.9 && residual.low < residual.value, "{residual:?}");
    for outcome in [&multivariate, &inference, &linked.outcome] {
        assert!(outcome.naive.share().unwrap() < 0.62, "{outcome:?}");
    }
}

#[test]
fn a_table_of_one_class_tells_of_nobody() {
    let original = rows_of(HEADER, people(1, 300));
    let control = rows_of(HEADER, people(2, 300));
    let class = (0..300).map(|_| String::from("[18-77];[0-90000];*;{Bath, Hull, Kent};*"));
    let published = rows_of(HEADER, class);
    let found = tried(&published, &original, Some(&control), &asked(&KNOWN, Some("ill")));
    // No row is alone, so there is nothing to be tried.
    for outcome in [found.univariate, found.multivariate.unwrap().1] {
        assert_eq!((outcome.main.attacks, outcome.asked, outcome.residual), (0, 200, None));
    }
    let linked = found.linkability.unwrap().outcome;
    assert!(share(&linked) < 0.03 && linked.residual.unwrap().value < 0.03, "{linked:?}");
    let inference = found.inference.unwrap();
    assert_eq!(inference.main.successes, 0.0);
}

/// Classes of five: whoever finds the class finds the row with probability 1/5, and the secret by its share.
#[test]
fn classes_hide_rows_and_not_what_all_of_them_share() {
    let people: Vec<[String; 3]> = (0..400_u32)
        .map(|at| [at.to_string(), (1000 + at).to_string(), ["no", "yes"][(at / 5 % 2) as usize].to_owned()])
        .collect();
    let original = rows_of("a;b;ill", people.iter().map(|cells| cells.join(";")));
    let class = |at: u32| at / 5 * 5;
    let published = rows_of(
        "a;b;ill",
        (0..400).map(|at: u32| {
            let (low, high) = (class(at), class(at) + 4);
            format!("[{low}-{high}];[{}-{}];{}", 1000 + low, 1000 + high, people[at as usize][2])
        }),
    );
    let asked = Attacks { attacks: 400, ..asked(&["a", "b"], Some("ill")) };
    let found = tried(&published, &original, None, &asked);
    let linked = found.linkability.unwrap().outcome;
    assert!((share(&linked) - 0.2).abs() < 0.07, "{linked:?}");
    assert_eq!((linked.control, linked.residual), (None, None));
    assert!(share(&found.inference.unwrap()) > 0.999);
    assert_eq!(found.univariate.main.attacks, 0);
}

#[test]
fn who_was_not_published_is_as_exposed_where_people_are_all_the_same_kind() {
    let (original, control) = (rows_of(HEADER, people(1, 400)), rows_of(HEADER, people(2, 400)));
    // The published people are others, too: what is told of the original is told of the control.
    let published = rows_of(HEADER, people(3, 400));
    let asked = Attacks { attacks: 400, ..asked(&KNOWN, Some("ill")) };
    let found = tried(&published, &original, Some(&control), &asked);
    for outcome in
        [found.multivariate.unwrap().1, found.linkability.unwrap().outcome, found.inference.unwrap()]
    {
        let residual = outcome.residual.unwrap();
        assert!(residual.low <= 0.0 && residual.value < 0.12, "{outcome:?}");
    }
}

#[test]
fn a_seed_gives_the_same_answer_and_another_another() {
    let original = rows_of(HEADER, people(1, 300));
    let published = rows_of(HEADER, people(1, 300).into_iter().take(150));
    let of = |seed| {
        tried(&published, &original, None, &Attacks { seed, attacks: 60, ..asked(&KNOWN, Some("ill")) })
    };
    assert_eq!(of(7), of(7));
    assert_ne!(of(7), of(8));
}

#[test]
fn what_cannot_be_asked_is_refused_and_what_cannot_be_compared_named() {
    let original = rows_of("age;city;ill", ["20;a;x", "30;b;y", "40;c;x"].map(String::from));
    let published = rows_of("age;city;ill", ["old;a;x", "30;north;y"].map(String::from));
    let with = |asked: &Attacks| attack(&published, &original, None, asked, &Reading::default());
    let found = with(&asked(&["age", "city"], Some("ill"))).unwrap();
    assert_eq!(found.columns, ["city", "ill"]);
    assert_eq!(found.left_out.len(), 1, "{:?}", found.left_out);
    assert_eq!(found.foreign, [(String::from("city"), 1)]);
    assert!(found.linkability.is_none());
    assert!(matches!(with(&asked(&["size"], None)), Err(Error::AttackedColumn { .. })));
    assert!(matches!(with(&asked(&["age", "age"], None)), Err(Error::RoleTwice { .. })));
    assert!(matches!(with(&asked(&[], None)), Err(Error::NoQuasi)));
    let first = Attacks { first: vec![String::from("ill")], ..asked(&["age", "city"], None) };
    assert!(matches!(with(&first), Err(Error::NotAttacked { .. })));
    for confidence in [0.0, 1.0, f64::NAN] {
        assert!(matches!(with(&Attacks { confidence, ..asked(&["age"], None) }), Err(Error::Senseless(_))));
    }
    assert!(matches!(with(&Attacks { attacks: 0, ..asked(&["age"], None) }), Err(Error::Senseless(_))));
}

// The oracle: a cell is the set of the values that it may be, and everything is counted.

/// Numbers 0 to 9; 10, 11, 12 are the labels a, b, c.
type Values = BTreeSet<u32>;

fn values(cell: &str, label: bool) -> Values {
    let code =
        |text: &str| if label { 10 + u32::from(text.as_bytes()[0] - b'a') } else { text.parse().unwrap() };
    let inner = |open: char, close: char| cell.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    if cell == "*" {
        return if label { (10..13).collect() } else { (0..10).collect() };
    }
    if let Some(range) = inner('[', ']') {
        let (low, high) = range.split_once('-').unwrap();
        return (code(low)..=code(high)).collect();
    }
    match inner('{', '}') {
        Some(set) => set.split(", ").map(code).collect(),
        None => BTreeSet::from([code(cell)]),
    }
}

/// Column x holds numbers, y numbers, z labels.
fn is_label(column: usize) -> bool {
    column == 2
}

fn parsed(rows: &[Vec<String>]) -> Vec<Vec<Values>> {
    let row =
        |row: &Vec<String>| row.iter().enumerate().map(|(at, cell)| values(cell, is_label(at))).collect();
    rows.iter().map(row).collect()
}

/// Distance of an exact row to a published one by some columns; numbers in ninths, since 0 and 9 occur in each table.
fn distance(exact: &[Values], published: &[Values], columns: &[usize]) -> u32 {
    let of = |&at: &usize| {
        let own = *exact[at].first().unwrap();
        let ways = published[at]
            .iter()
            .map(|&value| if is_label(at) && own != value { 9 } else { own.abs_diff(value) });
        ways.min().unwrap()
    };
    columns.iter().map(of).sum()
}

fn nearest(exact: &[Values], published: &[Vec<Values>], columns: &[usize]) -> Vec<usize> {
    let least = published.iter().map(|row| distance(exact, row, columns)).min().unwrap();
    (0..published.len()).filter(|&at| distance(exact, &published[at], columns) == least).collect()
}

/// Rows that may have a value of each set.
fn rows_with(rows: &[Vec<Values>], predicate: &[(usize, Values)]) -> usize {
    let may = |row: &&Vec<Values>| predicate.iter().all(|(at, set)| !row[*at].is_disjoint(set));
    rows.iter().filter(may).count()
}

/// How many predicates are made, and how many single out an original record.
fn counted(
    predicates: &[Vec<(usize, Values)>],
    published: &[Vec<Values>],
    original: &[Vec<Values>],
) -> (usize, usize) {
    let made: Vec<_> = predicates.iter().filter(|predicate| rows_with(published, predicate) == 1).collect();
    (made.len(), made.iter().filter(|predicate| rows_with(original, predicate) == 1).count())
}

fn univariate(lines: &[Vec<String>], published: &[Vec<Values>]) -> Vec<Vec<(usize, Values)>> {
    let mut predicates = Vec::new();
    for at in 0..3 {
        for (line, row) in lines.iter().zip(published) {
            if lines.iter().filter(|other| other[at] == line[at]).count() == 1 && line[at] != "*" {
                predicates.push(vec![(at, row[at].clone())]);
            }
        }
        let known: Vec<&Values> =
            lines.iter().zip(published).filter(|(l, _)| l[at] != "*").map(|(_, r)| &r[at]).collect();
        if !is_label(at) && !known.is_empty() {
            let least = known.iter().map(|set| set.last().unwrap()).min().unwrap();
            let greatest = known.iter().map(|set| set.first().unwrap()).max().unwrap();
            predicates.push(vec![(at, (0..=*least).collect())]);
            predicates.push(vec![(at, (*greatest..10).collect())]);
        }
    }
    predicates
}

fn multivariate(lines: &[Vec<String>], published: &[Vec<Values>]) -> Vec<Vec<(usize, Values)>> {
    let middle = |set: &Values| set.first().unwrap() + set.last().unwrap();
    let median = |at: usize| {
        let known = lines.iter().zip(published).filter(|(line, _)| line[at] != "*");
        let mut middles: Vec<u32> = known.map(|(_, row)| middle(&row[at])).collect();
        middles.sort_unstable();
        // Twice the median of twice the middles.
        middles.len().checked_sub(1).map(|last| middles[last / 2] + middles[middles.len() / 2])
    };
    let mut seen = BTreeSet::new();
    let mut predicates = Vec::new();
    for columns in [[0, 1], [0, 2], [1, 2]] {
        for (line, row) in lines.iter().zip(published) {
            if !seen.insert((columns, columns.map(|at| line[at].clone()))) {
                continue;
            }
            let condition = |&at: &usize| {
                let set = match &row[at] {
                    _ if line[at] == "*" => return None,
                    set if is_label(at) => set.clone(),
                    set if Some(2 * middle(set)) > median(at) => (*set.first().unwrap()..10).collect(),
                    set => (0..=*set.last().unwrap()).collect(),
                };
                Some((at, set))
            };
            let predicate: Vec<_> = columns.iter().filter_map(condition).collect();
            if !predicate.is_empty() {
                predicates.push(predicate);
            }
        }
    }
    predicates
}

fn number() -> impl Strategy<Value = String> {
    (0..10_u32).prop_map(|x| x.to_string())
}

fn label() -> impl Strategy<Value = String> {
    prop_oneof![Just("a"), Just("b"), Just("c")].prop_map(String::from)
}

fn exact_rows() -> impl Strategy<Value = Vec<Vec<String>>> {
    let row = (number(), number(), label()).prop_map(|(x, y, z)| vec![x, y, z]);
    // The ends of each column occur, so that its width is 9.
    let ends = || [["0", "9", "a"], ["9", "0", "b"]].map(|row| row.map(String::from).to_vec());
    prop::collection::vec(row, 1..6).prop_map(move |rows| rows.into_iter().chain(ends()).collect())
}

fn published_rows() -> impl Strategy<Value = Vec<Vec<String>>> {
    let range = (0..10_u32, 0..10_u32).prop_map(|(a, b)| format!("[{}-{}]", a.min(b), a.max(b)));
    let set = prop::collection::btree_set(0..10_u32, 2..4)
        .prop_map(|set| format!("{{{}}}", set.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")));
    let cell = prop_oneof![4 => number(), 3 => range, 1 => set, 1 => Just(String::from("*"))];
    let other = prop_oneof![4 => label(), 1 => Just(String::from("{a, b}")), 1 => Just(String::from("*"))];
    let row = (cell.clone(), cell, other).prop_map(|(x, y, z)| vec![x, y, z]);
    prop::collection::vec(row, 1..7)
}

fn headed(rows: &[Vec<String>]) -> Table {
    let header = ["x", "y", "z"].map(String::from).to_vec();
    table(&std::iter::once(header).chain(rows.iter().cloned()).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// All predicates on one column, and all on two, are made: nothing is left to chance.
    #[test]
    fn singling_out_by_counting(published in published_rows(), original in exact_rows()) {
        let (p, o) = (parsed(&published), parsed(&original));
        let asked = Attacks { predicate_columns: 2, attacks: 60, tries: 10, ..asked(&["x", "y", "z"], None) };
        let found = tried(&headed(&published), &headed(&original), None, &asked);
        let counts = |outcome: &Outcome| (outcome.main.attacks, outcome.main.successes as usize);
        prop_assert_eq!(counts(&found.univariate), counted(&univariate(&published, &p), &p, &o));
        let (columns, outcome) = found.multivariate.unwrap();
        prop_assert_eq!(columns, 2);
        prop_assert_eq!(counts(&outcome), counted(&multivariate(&published, &p), &p, &o));
    }

    /// Each person is attacked; ties leave something to chance, and the outcome lies between the least and the most that they allow.
    #[test]
    fn linking_and_guessing_by_counting(published in published_rows(), original in exact_rows(), control in exact_rows()) {
        let (p, seed) = (parsed(&published), 3);
        let asked = Attacks { first: vec![String::from("x")], seed, attacks: 20, tries: 2, ..asked(&["x", "y"], Some("z")) };
        let found = tried(&headed(&published), &headed(&original), Some(&headed(&control)), &asked);
        let (linked, guessed) = (found.linkability.unwrap().outcome, found.inference.unwrap());
        for (rows, link, guess) in [(&original, Some(linked.main), Some(guessed.main)), (&control, linked.control, guessed.control)] {
            let mut bounds = [(0, 0); 2];
            for own in parsed(rows) {
                let (one, other) = (nearest(&own, &p, &[0]), nearest(&own, &p, &[1]));
                bounds[0].0 += usize::from(one.len() == 1 && one == other);
                bounds[0].1 += usize::from(one.iter().any(|at| other.contains(at)));
                let near = nearest(&own, &p, &[0, 1]);
                let cells = || near.iter().map(|&at| (&p[at][2], published[at][2] == "*"));
                bounds[1].0 += usize::from(cells().all(|(set, hidden)| !hidden && *set == own[2]));
                bounds[1].1 += usize::from(cells().any(|(set, hidden)| !hidden && set.is_superset(&own[2])));
            }
            for (rate, (least, most)) in [link, guess].into_iter().zip(bounds) {
                let rate = rate.unwrap();
                prop_assert_eq!(rate.attacks, rows.len());
                prop_assert!((least..=most).contains(&(rate.successes as usize)), "{:?} {} {}", rate, least, most);
            }
        }
    }
}
