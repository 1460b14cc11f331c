//! Recoding: every published cell covers what stood there.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::{collections::BTreeMap, fmt::Write as _};

use lookalike_core::{
    Error,
    pipeline::{self, Outcome},
    table::{
        ReadOptions,
        hierarchy::{Intervals, interval, prefix},
        read,
    },
};
use lookalike_model::{
    Ctx,
    settings::{Coding, Kind, Model, Publish, Settings},
};
use proptest::prelude::*;
use serde_json::json;

fn settings(quasi: &[&str], k: usize) -> Settings {
    let json = json!({
        "quasi": quasi, "model": { "name": "k-anonymity", "k": k }, "budget": { "effort": 1.0 }, "seed": 1,
        "missing": { "quasi": "value" },
    });
    serde_json::from_value(json).unwrap()
}

fn run(text: &str, settings: &Settings) -> Result<Outcome, Error> {
    pipeline::anonymize(&read(text.as_bytes(), &ReadOptions::default()).unwrap(), settings, &Ctx::silent())
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn rows(lines: &str) -> Vec<Vec<String>> {
    lines.split(' ').map(|line| line.split(';').map(String::from).collect()).collect()
}

fn named<T>(name: &str, value: T) -> BTreeMap<String, T> {
    BTreeMap::from([(name.to_owned(), value)])
}

const AGES: &str = "age\n10\n12\n30\n33\n88\n107\n";

#[test]
fn coding_is_published_and_counts_in_the_loss() {
    let mut s = settings(&["age"], 2);
    s.coding = named("age", Coding { bottom: Some(11.0), top: Some(90.0) });
    let coded = run(AGES, &s).unwrap();
    assert_eq!(text(&coded.published), "age,class\n<=12,1\n<=12,1\n>=88,2\n>=88,2\n[30-33],3\n[30-33],3\n");
    let report = &coded.report;
    assert!(report.audit.passed, "{:?}", report.audit);
    assert!(
        report
            .warnings
            .iter()
            .any(|w| w.to_string().contains("\"age\" is coded") && w.to_string().contains(">=90")),
        "{report:?}"
    );
    // The same table, its ends moved by hand.
    let moved = run("age\n11\n12\n30\n33\n88\n90\n", &settings(&["age"], 2)).unwrap();
    assert_eq!(report.objective, moved.report.objective);
    // Cells that are equal in their class are coded too.
    s.coding = named("age", Coding { bottom: None, top: Some(30.0) });
    let equal = run("age\n10\n10\n30\n30\n", &s).unwrap();
    assert_eq!(text(&equal.published), "age,class\n10,1\n10,1\n>=30,2\n>=30,2\n");
}

#[test]
fn columns_have_forms_of_their_own() {
    let input = "zip,age,sex\n22071,18,F\n22079,19,F\n10115,40,M\n10117,44,M\n";
    let mut s = settings(&["zip", "age", "sex"], 2);
    s.kinds = named("zip", Kind::Category);
    s.hierarchies = named("zip", rows("22071;2207*;* 22079;2207*;* 10115;1011*;* 10117;1011*;*"));
    s.publish_columns = named("zip", Publish::Hierarchy);
    let by_level = run(input, &s).unwrap();
    assert_eq!(
        text(&by_level.published),
        "zip,age,sex,class\n1011*,[40-44],M,1\n1011*,[40-44],M,1\n2207*,[18-19],F,2\n2207*,[18-19],F,2\n"
    );
    // For all columns; those without a hierarchy stay ranges.
    s.publish_columns.clear();
    s.publish = Publish::Hierarchy;
    assert_eq!(run(input, &s).unwrap().published, by_level.published);
    s.publish = Publish::Range;
    s.publish_columns = named("age", Publish::Centroid);
    let means = run(input, &s).unwrap();
    assert!(text(&means.published).contains("\"{22071, 22079}\",18,F,2\n"), "{}", text(&means.published));
    assert!(
        means.report.warnings.iter().any(|w| w.to_string().contains("no second release")),
        "{:?}",
        means.report.warnings
    );
}

#[test]
fn distances_follow_the_hierarchy() {
    // By plain labels all postcodes are equally far apart; by the hierarchy two pairs are near.
    let input = "zip\na1\nb1\na2\nb2\n";
    let mut s = settings(&["zip"], 2);
    s.hierarchies = named("zip", rows("a1;a;* a2;a;* b1;b;* b2;b;*"));
    s.publish = Publish::Hierarchy;
    let outcome = run(input, &s).unwrap();
    assert_eq!(text(&outcome.classes), "row,class\n0,1\n1,2\n2,1\n3,2\n");
    assert_eq!(text(&outcome.published), "zip,class\na,1\na,1\nb,2\nb,2\n");
    // SST = 4 (total variance 1). Levels 0 and 1 have sum p(1-p) = 3/4 and 1/2, so s^2 = 4/5; within a pair the squared
    // distance is 2 s^2 = 8/5, the SSE half of it, and there are two pairs.
    assert!((outcome.report.objective.sst.unwrap() - 4.0).abs() < 1e-9);
    assert!((outcome.report.objective.sse.unwrap() - 1.6).abs() < 1e-9);
}

#[test]
fn outliers_are_pointed_at_without_being_named() {
    let ages =
        |last: &str| format!("age\n{}{last}\n", (20..40).fold(String::new(), |t, x| format!("{t}{x}\n")));
    let warned =
        |outcome: &Outcome| outcome.report.warnings.iter().any(|w| w.to_string().contains("--top age="));
    let mut s = settings(&["age"], 3);
    let outcome = run(&ages("107"), &s).unwrap();
    assert!(warned(&outcome), "{:?}", outcome.report.warnings);
    assert!(outcome.report.warnings.iter().all(|w| !w.to_string().contains("107")), "the report is public");
    assert!(
        outcome.private.warnings.iter().any(|w| w.to_string().contains("107 (row 21)")),
        "{:?}",
        outcome.private.warnings
    );
    assert!(!warned(&run(&ages("40"), &s).unwrap()));
    s.coding = named("age", Coding { bottom: None, top: Some(38.0) });
    assert!(!warned(&run(&ages("107"), &s).unwrap()));
}

#[test]
fn settings_that_do_not_fit_are_refused() {
    let input = "zip,age,note\n22071,18,x\n22079,19,y\n22080,20,x\n22079,21,y\n";
    let both = || settings(&["zip", "age"], 2);
    let coding = |bottom, top| named("age", Coding { bottom, top });
    let tree = || named("zip", rows("22071;* 22079;* 22080;*"));
    let cases = [
        (Settings { publish: Publish::Hierarchy, ..both() }, "--hierarchy"),
        (Settings { publish_columns: named("zip", Publish::Hierarchy), ..both() }, "has none"),
        (Settings { publish_columns: named("size", Publish::Set), ..both() }, "no column \"size\""),
        (Settings { publish_columns: named("note", Publish::Set), ..both() }, "\"note\""),
        (Settings { hierarchies: named("note", rows("x;* y;*")), ..both() }, "--quasi"),
        (Settings { hierarchies: tree(), ..both() }, "--kind zip=category"),
        (
            Settings { hierarchies: named("zip", rows("22071;* 22079;*")), ..both() },
            "column \"zip\": the hierarchy lacks the value '22080' (row 3)",
        ),
        (Settings { hierarchies: named("zip", rows("22071;a;* 22079;*")), ..both() }, "'22079'"),
        (Settings { coding: coding(None, None), ..both() }, "no limit"),
        (Settings { coding: coding(Some(f64::NAN), None), ..both() }, "finite"),
        (Settings { coding: coding(Some(20.0), Some(20.0)), ..both() }, "must lie below"),
        (
            Settings { coding: coding(Some(1.0), None), kinds: named("age", Kind::Category), ..both() },
            "numbers",
        ),
        (
            Settings {
                coding: named("zip", Coding { bottom: None, top: Some(22080.0) }),
                hierarchies: tree(),
                publish: Publish::Hierarchy,
                ..both()
            },
            "leave the coding out",
        ),
    ];
    for (settings, said) in cases {
        match run(input, &settings) {
            Err(Error::Misfit(misfit)) => assert!(misfit.to_string().contains(said), "{said}: {misfit}"),
            other => panic!("{said}: {other:?}"),
        }
    }
    assert!(run(input, &Settings { hierarchies: tree(), publish: Publish::Hierarchy, ..both() }).is_ok());
}

/// Whether a published cell covers an original one, read without any code of the program: `*`, `2207*`, `{a, b}`,
/// `[1-2]`, `[1-2)`, `>=1`, `<=1`, `<1`, or the cell itself.
fn covers(published: &str, original: &str) -> bool {
    if published == original {
        return true;
    }
    if let Some(inner) = published.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        return elements(inner).iter().any(|element| covers(element, original));
    }
    let stars = published.trim_end_matches('*');
    if stars.len() < published.len() && original.starts_with(stars) {
        return stars.is_empty() || original.len() <= published.len();
    }
    let Ok(x) = original.parse::<f64>() else { return false };
    let number = |text: &str| text.parse::<f64>().ok();
    let limit = |sign: &str| published.strip_prefix(sign).and_then(number);
    if let Some(limit) = limit(">=") {
        return x >= limit;
    }
    if let Some(limit) = limit("<=") {
        return x <= limit;
    }
    if let Some(limit) = limit("<") {
        return x < limit;
    }
    if let Some(inner) = published.strip_prefix('[').map(|rest| rest.trim_end_matches([']', ')'])) {
        return inner.match_indices('-').any(|(at, _)| {
            match (number(&inner[..at]), number(&inner[at + 1..])) {
                (Some(low), Some(high)) => low <= x && (x < high || (x == high && published.ends_with(']'))),
                _ => false,
            }
        });
    }
    number(published) == Some(x)
}

/// The elements of a set; a backslash takes the next character as it is.
fn elements(inner: &str) -> Vec<String> {
    let mut elements = vec![String::new()];
    let mut characters = inner.chars().peekable();
    while let Some(c) = characters.next() {
        let last = elements.last_mut().unwrap();
        match c {
            '\\' => last.extend(characters.next()),
            ',' if characters.peek() == Some(&' ') => {
                characters.next();
                elements.push(String::new());
            }
            _ => last.push(c),
        }
    }
    elements
}

#[test]
fn the_oracle_can_say_no() {
    for (published, inside, outside) in [
        ("[18-20]", "19", "21"),
        ("[-5--2]", "-2", "-1"),
        ("[20-30)", "29.5", "30"),
        (">=90", "90", "89"),
        ("<=20", "20", "21"),
        ("<20", "19", "20"),
        ("2207*", "22079", "22080"),
        ("{?, [18-20]}", "?", "17"),
        ("{a\\, b, c}", "a, b", "a"),
        ("10", "10.0", "11"),
        ("*", "anything", ""),
    ] {
        assert!(covers(published, inside), "{published} {inside}");
        assert!(outside.is_empty() || !covers(published, outside), "{published} {outside}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn published_cells_cover_their_classes(
        people in prop::collection::vec((-30..130_i32, 0..40_u32, 0..4_u8, any::<bool>(), 0..12_u8), 8..50),
        forms in prop::collection::vec(
            prop::sample::select(vec![Publish::Range, Publish::Set, Publish::Hierarchy]), 3),
        coded in prop::option::of((prop::option::of(-20..30), prop::option::of(40..110))),
        zip_is_a_label in any::<bool>(),
        k in 2..5_usize,
    ) {
        let mut input = String::from("zip,age,ward,income\n");
        for (age, zip, ward, fraction, gap) in &people {
            let age = match gap {
                0 => String::from("?"),
                _ if *fraction => format!("{age}.0"),
                _ => age.to_string(),
            };
            let ward = ["\"a, b\"", "c", "{d}", "e\\"][usize::from(*ward)];
            writeln!(input, "{},{age},{ward},{}", 22000 + zip * 7, zip * 1000).unwrap();
        }
        let column = |at: usize| -> Vec<String> {
            let mut reader = csv::Reader::from_reader(input.as_bytes());
            reader.records().map(|r| r.unwrap()[at].to_owned()).collect()
        };
        let (zips, ages) = (column(0), column(1));
        let mut s = settings(&["zip", "age", "ward", "income"], k);
        if zip_is_a_label {
            s.kinds = named("zip", Kind::Category);
        }
        let known = |cells: &[String]| -> Vec<String> { cells.iter().filter(|c| *c != "?").cloned().collect() };
        if forms[0] == Publish::Hierarchy || zip_is_a_label {
            s.hierarchies.insert(String::from("zip"), prefix(zips.iter().map(String::as_str)).unwrap().rows());
        }
        if forms[1] == Publish::Hierarchy && !known(&ages).is_empty() {
            let by = Intervals { width: 5.0, fan_outs: vec![2, 2], anchor: 0.0, from: Some(0.0), to: Some(90.0) };
            let tree = interval(known(&ages).iter().map(|x| (x.as_str(), x.parse().ok())), &by).unwrap();
            s.hierarchies.insert(String::from("age"), tree.rows());
        }
        for (name, form) in [("zip", forms[0]), ("age", forms[1]), ("ward", forms[2])] {
            if form != Publish::Hierarchy || s.hierarchies.contains_key(name) {
                s.publish_columns.insert(name.to_owned(), form);
            }
        }
        if let Some((bottom, top)) = coded.filter(|c| c.0.is_some() || c.1.is_some()) {
            let coding = Coding { bottom: bottom.map(f64::from), top: top.map(f64::from) };
            s.coding = named("income", Coding { bottom: Some(3000.0), top: Some(30_000.0) });
            // Ages may all be missing, and then are labels.
            if s.publish_columns.get("age") != Some(&Publish::Hierarchy) && !known(&ages).is_empty() {
                s.coding.insert(String::from("age"), coding);
            }
        }
        let outcome = run(&input, &s).unwrap();
        prop_assert!(outcome.report.audit.passed, "{:?}", outcome.report.audit);

        // From each input row to a published row of its class.
        let mut reader = csv::Reader::from_reader(outcome.published.as_slice());
        let published: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let mut key = csv::Reader::from_reader(outcome.classes.as_slice());
        let mut inputs = csv::Reader::from_reader(input.as_bytes());
        for (link, original) in key.records().zip(inputs.records()) {
            let (link, original) = (link.unwrap(), original.unwrap());
            let row = published.iter().find(|row| row[4] == link[1]).unwrap();
            for column in 0..4 {
                prop_assert!(
                    covers(&row[column], &original[column]),
                    "{} does not cover {} ({:?})", &row[column], &original[column], s
                );
            }
            if let Some(Coding { top: Some(top), .. }) = s.coding.get("age")
                && original[1].parse().is_ok_and(|x: f64| x > *top)
            {
                prop_assert!(!row[1].contains(&original[1]), "{} tells {}", &row[1], &original[1]);
            }
        }
    }
}

#[test]
fn hierarchies_serve_m_invariance_too() {
    let input = "zip,disease\n22071,a\n22079,b\n10115,a\n10117,b\n";
    let mut s = settings(&["zip"], 2);
    s.model = Model::MInvariance { m: 2 };
    s.sensitive = Some(String::from("disease"));
    s.kinds = named("zip", Kind::Category);
    s.hierarchies = named("zip", prefix(["22071", "22079", "10115", "10117"]).unwrap().rows());
    s.publish = Publish::Hierarchy;
    let outcome = run(input, &s).unwrap();
    assert!(outcome.report.audit.passed);
    assert_eq!(text(&outcome.published), "zip,disease,class\n1011*,a,1\n1011*,b,1\n2207*,a,2\n2207*,b,2\n");
}
