//! One level for a whole column: releases from their published bytes, beside all choices of levels computed from the raw cells by code
//! that shares nothing with the core.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use lookalike_core::{
    Error,
    pipeline::{ByClasses, Conflict, Misfit, Outcome, anonymize, finish, only_here, prepare},
    republish::{
        series::{Options, prepare as prepare_series},
        ways::Way,
    },
    table::{ReadOptions, Table, read},
};
use lookalike_model::{
    Ctx, ErrorKind,
    job::Status,
    ledger::{Mode, Signatures, Vacancies},
    settings::Settings,
};
use lookalike_testkit::Wanted;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

fn table(text: &str) -> Table {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn settings(more: &Value) -> Settings {
    let mut all = json!({
        "quasi": ["a", "b", "c"], "model": { "name": "k-anonymity", "k": 2 }, "scheme": "full-domain", "loss": "ncp", "seed": 1,
    });
    for (name, value) in more.as_object().unwrap() {
        all[name] = value.clone();
    }
    serde_json::from_value(all).unwrap()
}

fn run(text: &str, more: &Value) -> Result<Outcome, Error> {
    anonymize(&table(text), &settings(more), &Ctx::silent())
}

/// A table of three columns: labels by a random hierarchy, numbers by intervals, and labels without a hierarchy; one sensitive one.
struct Raw {
    rows: Vec<[String; 4]>,
    trees: [Vec<Vec<String>>; 3],
    weights: [f64; 3],
}

impl Raw {
    fn new(rng: &mut ChaCha8Rng) -> Self {
        let values = rng.random_range(3..7_usize);
        let middle = rng.random_range(1..4_usize);
        let labels = (0..values)
            .map(|value| vec![format!("a{value}"), format!("group {}", value % middle), String::from("*")])
            .collect();
        let numbers = (20..32)
            .map(|x: u32| {
                let (five, ten) = (x / 5 * 5, x / 10 * 10);
                vec![
                    x.to_string(),
                    format!("[{five}-{}]", five + 4),
                    format!("[{ten}-{}]", ten + 9),
                    String::from("*"),
                ]
            })
            .collect();
        let rows: Vec<[String; 4]> = (0..rng.random_range(4..40))
            .map(|_| {
                [
                    format!("a{}", rng.random_range(0..values)),
                    rng.random_range(20..32).to_string(),
                    ["x", "y"][rng.random_range(0..2)].to_owned(),
                    rng.random_range(0..3).to_string(),
                ]
            })
            .collect();
        let there: BTreeSet<&String> = rows.iter().map(|row| &row[2]).collect();
        let plain = there.iter().map(|value| vec![(*value).clone(), String::from("*")]).collect();
        let weights = [[0.5, 0.25, 0.25], [1.0, 0.0, 0.0], [0.2, 0.5, 0.3]][rng.random_range(0..3)];
        Self { trees: [labels, numbers, plain], weights, rows }
    }

    fn text(&self) -> String {
        let mut text = String::from("a,b,c,value\n");
        for row in &self.rows {
            writeln!(text, "{}", row.join(",")).unwrap();
        }
        text
    }

    /// Label and penalty of a value at a level. Intervals cost their width: that of everything is from the least to the greatest end.
    fn at(&self, column: usize, value: &str, level: usize) -> (String, f64) {
        let tree = &self.trees[column];
        let row = tree.iter().find(|row| row[0] == value).unwrap();
        let label = row[level].clone();
        let cost = if column == 1 {
            // From 20 to 39, where the last interval of ten ends.
            match level {
                0 => 0.0,
                1 => 4.0 / 19.0,
                2 => 9.0 / 19.0,
                _ => 1.0,
            }
        } else {
            let under = tree.iter().filter(|other| other[level] == label).count();
            if tree.len() == 1 { 0.0 } else { (under - 1) as f64 / (tree.len() - 1) as f64 }
        };
        (label, self.weights[column] * cost)
    }

    /// Loss of the published records and records suppressed at these levels.
    fn judge(&self, levels: [usize; 3], k: usize, wanted: &[Wanted]) -> (f64, usize) {
        let values: Vec<usize> = self.rows.iter().map(|row| row[3].parse().unwrap()).collect();
        let mut groups: BTreeMap<Vec<String>, (f64, Vec<usize>)> = BTreeMap::new();
        for (row, &value) in self.rows.iter().zip(&values) {
            let cells: Vec<(String, f64)> = (0..3).map(|c| self.at(c, &row[c], levels[c])).collect();
            let group = groups.entry(cells.iter().map(|cell| cell.0.clone()).collect()).or_default();
            group.0 += cells.iter().map(|cell| cell.1).sum::<f64>();
            group.1.push(value);
        }
        let (mut loss, mut suppressed) = (0.0, 0);
        for (cost, of_group) in groups.into_values() {
            if of_group.len() >= k && wanted.iter().all(|wanted| wanted.holds(&of_group, &values, 3)) {
                loss += cost;
            } else {
                suppressed += of_group.len();
            }
        }
        (loss, suppressed)
    }

    fn levels(&self) -> Vec<[usize; 3]> {
        let [a, b, c] = [0, 1, 2].map(|at| self.trees[at][0].len());
        let all = (0..a).flat_map(|x| (0..b).flat_map(move |y| (0..c).map(move |z| [x, y, z])));
        all.collect()
    }

    /// The least cost of all choices, if there is one.
    fn best(&self, k: usize, wanted: &[Wanted], most: usize) -> Option<f64> {
        let judged = self.levels().into_iter().map(|levels| self.judge(levels, k, wanted));
        judged
            .filter(|judged| judged.1 <= most)
            .map(|judged| judged.0 + judged.1 as f64)
            .min_by(f64::total_cmp)
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs().max(1.0)
}

fn conditions(rng: &mut ChaCha8Rng) -> (Vec<Wanted>, Value, bool) {
    let t = f64::from(rng.random_range(5..19_u32)) / 20.0 + 0.003;
    match rng.random_range(0..8) {
        0 => (vec![Wanted::Distinct { l: 2 }], json!([{ "name": "distinct-diversity", "l": 2 }]), true),
        1 => {
            let l = t + 1.2;
            (vec![Wanted::Entropy { l }], json!([{ "name": "entropy-diversity", "l": l }]), true)
        }
        2 => (vec![Wanted::Alpha { alpha: t }], json!([{ "name": "frequency", "alpha": t }]), true),
        3 => {
            let c = 2.0 + t;
            (
                vec![Wanted::Recursive { c, l: 2 }],
                json!([{ "name": "recursive-diversity", "c": c, "l": 2 }]),
                true,
            )
        }
        4 => (vec![Wanted::Equal { t }], json!([{ "name": "t-closeness", "t": t }]), false),
        5 => (
            vec![Wanted::Beta { beta: 2.0 * t }],
            json!([{ "name": "basic-beta-likeness", "beta": 2.0 * t }]),
            false,
        ),
        6 => (
            vec![Wanted::Delta { delta: 2.0 * t }],
            json!([{ "name": "delta-disclosure", "delta": 2.0 * t }]),
            false,
        ),
        _ => (Vec::new(), json!([]), true),
    }
}

#[test]
fn releases_beside_all_choices_of_levels() {
    let rng = &mut ChaCha8Rng::seed_from_u64(5);
    let (mut found, mut none, mut with_suppressed) = (0, 0, 0);
    for _ in 0..400 {
        let raw = Raw::new(rng);
        let k = rng.random_range(2..4);
        let (wanted, asked, may_suppress) = conditions(rng);
        let most = if may_suppress { rng.random_range(0..=raw.rows.len() / 2) } else { 0 };
        let mut more = json!({
            "sensitive": "value", "model": { "name": "k-anonymity", "k": k }, "conditions": asked,
            "hierarchies": { "a": raw.trees[0], "b": raw.trees[1] },
            "weights": { "a": raw.weights[0], "b": raw.weights[1], "c": raw.weights[2] },
        });
        if most > 0 {
            more["suppress"] = json!({ "price": 1.0, "limit": most });
        }
        let outcome = run(&raw.text(), &more);
        let Some(best) = raw.best(k, &wanted, most) else {
            let error = outcome.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Infeasible, "{error}");
            none += 1;
            continue;
        };
        let outcome = outcome.unwrap();
        let report = &outcome.report;
        assert!(report.audit.passed, "{:?}", report.audit);
        let levels = report.full_domain.as_ref().unwrap();
        assert_eq!((report.status.as_ref(), levels.complete), (Some(&Status::Optimal), true));
        assert!(report.bound.is_none(), "a bound of classes");
        assert!(close(levels.cost, best) && close(levels.bound.unwrap(), best), "{levels:?} for {best}");
        from_bytes(&raw, &outcome, k, &wanted);
        assert_eq!(levels.suppressed, report.changes.suppressed_for_loss);
        assert_eq!(levels.nodes as usize, raw.levels().len());
        found += 1;
        with_suppressed += usize::from(levels.suppressed > 0);
    }
    assert!(found > 200 && none > 10 && with_suppressed > 50, "{found} {none} {with_suppressed}");
}

/// Whether a release is what it says, from its bytes.
fn from_bytes(raw: &Raw, outcome: &Outcome, k: usize, wanted: &[Wanted]) {
    let report = &outcome.report;
    let levels = report.full_domain.as_ref().unwrap();
    let at: Vec<usize> = levels.columns.iter().map(|column| column.level).collect();
    assert_eq!(levels.columns.iter().map(|column| &column.column).collect::<Vec<_>>(), ["a", "b", "c"]);
    let text = std::str::from_utf8(&outcome.published).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len() + levels.suppressed, raw.rows.len());
    // Every cell is the label of its column's level, and groups are as large and as diverse as asked.
    let mut loss = 0.0;
    let mut groups: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
    for row in &rows {
        groups.entry(row[..3].to_vec()).or_default().push(row[3].parse().unwrap());
        for column in 0..3 {
            let of_level = raw.trees[column].iter().find(|path| path[at[column]] == row[column]);
            let path = of_level.unwrap_or_else(|| panic!("{} is not of level {}", row[column], at[column]));
            loss += raw.at(column, &path[0], at[column]).1;
        }
    }
    let values: Vec<usize> = rows.iter().map(|row| row[3].parse().unwrap()).collect();
    for group in groups.values() {
        assert!(group.len() >= k && wanted.iter().all(|wanted| wanted.holds(group, &values, 3)), "{group:?}");
    }
    assert!(close(report.objective.value, loss), "{} for {loss}", report.objective.value);
    assert!(close(levels.cost, loss + levels.suppressed as f64));
    assert_eq!(report.classes.count, groups.len(), "classes are the groups");
    // Who is in no class is who is suppressed.
    let key = std::str::from_utf8(&outcome.classes).unwrap();
    let without = key.lines().skip(1).filter(|line| line.ends_with(',')).count();
    assert_eq!(without, levels.suppressed);
    assert_eq!(outcome.private.fates.len(), levels.suppressed);
}

const TEXT: &str = "a,b,c,value\n\
    n1,20,x,0\nn1,22,x,1\nn2,24,y,0\nn2,21,y,1\ns1,20,x,0\ns1,23,x,1\ns2,31,y,2\n";

fn trees() -> Value {
    let a = [["n1", "north", "*"], ["n2", "north", "*"], ["s1", "south", "*"], ["s2", "south", "*"]];
    let b: Vec<[String; 3]> =
        (20..32).map(|x| [x.to_string(), format!("[{}-{}]", x / 5 * 5, x / 5 * 5 + 4), "*".into()]).collect();
    json!({ "a": a, "b": b })
}

/// n1 and n2 stay apart if the last record, alone at 31, may go: ages in fives, all else as it is.
#[test]
fn an_example_by_hand() {
    let more = json!({
        "hierarchies": trees(), "sensitive": "value", "suppress": { "price": 1.0, "share": 0.15 }, "unchanged": [],
    });
    let outcome = run(TEXT, &more).unwrap();
    let levels = outcome.report.full_domain.as_ref().unwrap();
    assert_eq!((levels.suppressed, levels.most_suppressed), (1, 1), "15 % of 7 are 1.05");
    let at: Vec<(usize, usize)> =
        levels.columns.iter().map(|column| (column.level, column.highest)).collect();
    assert_eq!(at, [(0, 2), (1, 2), (0, 1)]);
    // Six records in an interval of 4 of the 14 years from 20 to 34, a third of the weight.
    assert!(close(outcome.report.objective.value, 6.0 * 4.0 / 14.0 / 3.0));
    let text = std::str::from_utf8(&outcome.published).unwrap();
    assert!(
        text.starts_with("a,b,c,value,class\nn1,[20-24],x,0,1\nn1,[20-24],x,1,1\nn2,[20-24],y,0,2\n"),
        "{text}"
    );
    assert!(!text.contains("s2"), "{text}");
    // Without suppression all rise until the last record has another like it.
    let whole = run(TEXT, &json!({ "hierarchies": trees(), "sensitive": "value" })).unwrap();
    let levels = whole.report.full_domain.as_ref().unwrap();
    assert_eq!((levels.suppressed, levels.most_suppressed, levels.complete), (0, 0, true));
    assert!(close(levels.cost, whole.report.objective.value));
}

/// What the audit finds where a cell says another level than it should, or a group lacks a record.
#[test]
fn the_judge_knows_nothing_of_levels_and_finds_what_is_wrong() {
    let table = table(TEXT);
    let settings = settings(&json!({ "hierarchies": trees(), "sensitive": "value" }));
    let prepared = prepare(&table, &settings, &Ctx::silent()).unwrap();
    let answer = lookalike_optimize::solve::solve(prepared.job(), &Ctx::silent()).unwrap();
    assert!(finish(&table, &prepared, &answer, &Ctx::silent()).unwrap().report.audit.passed);
    // Answers that are none are refused before anything is written.
    let mut finer = answer.clone();
    finer.full_domain.as_mut().unwrap().levels = vec![0, 0, 0];
    assert!(finish(&table, &prepared, &finer, &Ctx::silent()).is_err());
    let mut none = answer;
    none.full_domain = None;
    assert!(finish(&table, &prepared, &none, &Ctx::silent()).is_err());
}

#[test]
fn columns_that_are_published_unchanged_stay_so() {
    let more = json!({ "quasi": ["a", "b"], "hierarchies": trees(), "unchanged": ["value"] });
    let outcome = run(TEXT, &more).unwrap();
    assert!(outcome.report.audit.passed && outcome.report.unchanged.is_some());
}

#[test]
fn conditions_on_a_further_column_are_kept_and_judged() {
    let more = json!({
        "quasi": ["a", "b"], "hierarchies": trees(), "sensitive": "value", "unchanged": ["c"],
        "conditions_of": { "c": [{ "name": "distinct-diversity", "l": 2 }] },
    });
    for most in [0, 3] {
        let mut more = more.clone();
        if most > 0 {
            more["suppress"] = json!({ "price": 1.0, "limit": most });
        }
        let outcome = run(TEXT, &more).unwrap();
        assert!(outcome.report.audit.passed, "{:?}", outcome.report.audit);
        let text = std::str::from_utf8(&outcome.published).unwrap();
        let mut groups: BTreeMap<Vec<&str>, BTreeSet<&str>> = BTreeMap::new();
        for line in text.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            groups.entry(cells[..2].to_vec()).or_default().insert(cells[2]);
        }
        assert!(groups.values().all(|values| values.len() == 2), "{text}");
    }
}

#[test]
fn the_order_of_the_rows_decides_nothing() {
    let more =
        json!({ "hierarchies": trees(), "sensitive": "value", "suppress": { "price": 1.0, "limit": 1 } });
    let mut lines: Vec<&str> = TEXT.lines().skip(1).collect();
    lines.reverse();
    let turned = format!("a,b,c,value\n{}\n", lines.join("\n"));
    assert_eq!(run(TEXT, &more).unwrap().published, run(&turned, &more).unwrap().published);
}

#[test]
fn what_does_not_go_with_it_is_refused_by_name() {
    let refused = |more: Value| match run(TEXT, &more).unwrap_err() {
        Error::Conflict(Conflict::Levels { asked }) => asked,
        other => panic!("{other}"),
    };
    let trees = trees();
    let with = |name: &str, value: Value| {
        let mut more = json!({ "hierarchies": trees, "sensitive": "value" });
        more[name] = value;
        more
    };
    for (name, value, what) in [
        ("model", json!({ "name": "m-invariance", "m": 2 }), ByClasses::MInvariance),
        ("loss", json!("sse"), ByClasses::Loss),
        ("method", json!({ "name": "annealing" }), ByClasses::Method),
        ("duals", json!(true), ByClasses::Certificate),
        ("bound", json!("full"), ByClasses::Bound),
        ("rows_are", json!({ "events-of": "a" }), ByClasses::Persons),
        ("publish", json!("set"), ByClasses::Form),
        ("publish_columns", json!({ "a": "range" }), ByClasses::Form),
        ("suppress", json!({ "price": 0.5 }), ByClasses::Price),
    ] {
        assert_eq!(refused(with(name, value)), [what], "{name}");
    }
    assert_eq!(
        refused(json!({ "quasi": ["a", "b"], "keep": ["c"], "hierarchies": trees })),
        [ByClasses::Keep]
    );
    let mut closeness = with("suppress", json!({ "price": 1.0, "limit": 2 }));
    closeness["conditions"] = json!([{ "name": "t-closeness", "t": 0.3 }]);
    assert_eq!(refused(closeness.clone()), [ByClasses::WholeTable]);
    closeness["conditions"] = json!([{ "name": "frequency", "alpha": 0.7 }]);
    assert!(run(TEXT, &closeness).is_ok());
    let series = prepare_series(&table(TEXT), &settings(&with("seed", json!(1))), &options(), &Ctx::silent());
    assert!(matches!(
        series,
        Err(Error::Conflict(Conflict::SeriesNeedsMInvariance | Conflict::Levels { .. }))
    ));
    // Shares are for levels, and shares.
    let share = |more: Value| run(TEXT, &more).unwrap_err();
    assert!(matches!(
        share(with("suppress", json!({ "price": 1.0, "share": 1.5 }))),
        Error::Conflict(Conflict::Share { .. })
    ));
    assert!(matches!(share(with("suppress", json!({}))), Error::Conflict(Conflict::SuppressWithoutEnd)));
}

fn options() -> Options {
    Options {
        id: String::from("a"),
        mode: Mode::Incremental,
        ledger: None,
        signatures: Signatures::Free,
        exact_names: false,
        key: None,
        vacancies: Some(Vacancies::NewRecords),
        way: Way::Fewest,
        more: 0,
    }
}

#[test]
fn columns_without_levels_are_refused_with_what_to_do() {
    let numbers = run(TEXT, &json!({ "hierarchies": {} })).unwrap_err();
    let misfit = |error: &Error| match error {
        Error::Misfit(misfit) => (**misfit).clone(),
        other => panic!("{other}"),
    };
    assert_eq!(misfit(&numbers), Misfit::NoLevels { name: "b".into() });
    assert!(numbers.to_string().contains("--generate-hierarchy"), "{numbers}");
    let missing = run(
        &TEXT.replace("s2,31,y", "s2,31,?"),
        &json!({ "hierarchies": trees(), "missing": { "quasi": "value" } }),
    )
    .unwrap_err();
    assert!(matches!(misfit(&missing), Misfit::PenaltyOfMissingLabels { .. }), "{missing}");
    // A column that does not count has no levels for it either.
    let weights = json!({ "a": 0.5, "b": 0.5, "c": 0.0 });
    let missing = TEXT.replace("20,x,0", "20,?,0");
    let more = json!({ "hierarchies": trees(), "missing": { "quasi": "value" }, "weights": weights });
    assert_eq!(misfit(&run(&missing, &more).unwrap_err()), Misfit::MissingLevel { name: "c".into() });
}

#[test]
fn the_page_refuses_what_it_would_lose() {
    assert_eq!(only_here(&settings(&json!({}))), Ok(()));
    let classes = settings(&json!({ "scheme": "classes" }));
    assert_eq!(only_here(&classes), Ok(()));
    let both = json!({ "scheme": "classes", "suppress": { "limit": 3, "share": 0.1 } });
    assert_eq!(only_here(&settings(&both)), Err(Conflict::SuppressTwice));
    let share = json!({ "scheme": "classes", "suppress": { "share": 0.1 } });
    assert_eq!(only_here(&settings(&share)), Ok(()));
}
