//! The certainty penalty that a report states is that of the published bytes: it is computed here once more from these, by
//! code that shares nothing with the core. Where that is not possible, the words say so, or the run is refused.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{collections::BTreeSet, fmt::Write as _};

use lookalike_core::{
    Error,
    out_of_core::{Routing, Survey},
    pipeline::{Outcome, anonymize},
    republish::{
        series::{Options, prepare as prepare_series},
        ways::Way,
    },
    statement,
    table::{ReadOptions, read},
};
use lookalike_model::{
    Ctx,
    ledger::{Mode, Signatures, Vacancies},
    report::Report,
    settings::Settings,
};
use lookalike_testkit::three;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

/// Ranks of the ordered labels.
const ORDER: [&str; 4] = ["none", "low", "mid", "high"];

fn run(text: &str, settings: Value) -> Result<Outcome, Error> {
    let settings: Settings = serde_json::from_value(settings).unwrap();
    anonymize(&read(text.as_bytes(), &ReadOptions::default()).unwrap(), &settings, &Ctx::silent())
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Number { bottom: Option<f64>, top: Option<f64> },
    Date,
    Ranks,
    Labels,
}

/// A published cell: what it says of the values of its class.
#[derive(Default)]
struct Cell {
    numbers: Vec<f64>,
    labels: BTreeSet<String>,
    missing: bool,
}

/// Days since 1970 of a date of one year.
fn day(text: &str) -> f64 {
    const BEFORE: [u32; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let parts: Vec<u32> = text.split('-').map(|part| part.parse().unwrap()).collect();
    assert_eq!(parts[0], 2023, "{text}");
    f64::from(BEFORE[parts[1] as usize - 1] + parts[2])
}

fn value(text: &str, kind: Kind) -> f64 {
    match kind {
        Kind::Date => day(text),
        Kind::Ranks => ORDER.iter().position(|label| *label == text).unwrap() as f64,
        _ => text.parse().unwrap_or_else(|_| panic!("{text}")),
    }
}

fn parsed(text: &str, kind: Kind) -> Cell {
    let mut cell = Cell::default();
    // A set beside "missing" is a set in a set; no label here has a brace or a comma.
    let members: String = text.chars().filter(|c| !matches!(c, '{' | '}' | '\\')).collect();
    for member in members.split(", ") {
        if member == "?" {
            cell.missing = true;
        } else if kind == Kind::Labels {
            cell.labels.insert(member.to_owned());
        } else if let Kind::Number { bottom, top } = kind
            && let Some(ends) = match (member, member.strip_prefix("<="), member.strip_prefix(">=")) {
                ("*", ..) => Some([bottom, top]),
                (_, Some(high), _) => Some([bottom, high.parse().ok()]),
                (_, _, Some(low)) => Some([low.parse().ok(), top]),
                _ => None,
            }
        {
            cell.numbers.extend(ends.map(Option::unwrap));
        } else if let Some(range) = member.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
            let between = if matches!(kind, Kind::Number { .. }) { "-" } else { " - " };
            let (low, high) = range.split_once(between).unwrap();
            cell.numbers.extend([value(low, kind), value(high, kind)]);
        } else {
            cell.numbers.push(value(member, kind));
        }
    }
    cell
}

fn width(numbers: impl Iterator<Item = f64>) -> f64 {
    let (low, high) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
    (high - low).max(0.0)
}

/// The steps of a category, of so many values.
fn steps(values: usize, of: usize, binary: bool) -> f64 {
    match values {
        0 | 1 => 0.0,
        _ => (values - usize::from(!binary)) as f64 / of as f64,
    }
}

/// The penalty of the rows, added up: numbers as parts of the range of all that is published, labels by how many of all.
fn penalty(published: &[u8], columns: &[(Kind, f64)], binary: bool) -> f64 {
    let mut reader = csv::Reader::from_reader(published);
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let mut total = 0.0;
    for (at, &(kind, weight)) in columns.iter().enumerate() {
        let cells: Vec<Cell> = rows.iter().map(|row| parsed(&row[at], kind)).collect();
        let missing = cells.iter().any(|cell| cell.missing);
        let all: BTreeSet<&String> = cells.iter().flat_map(|cell| &cell.labels).collect();
        let whole = width(cells.iter().flat_map(|cell| cell.numbers.iter().copied()));
        for cell in &cells {
            total += weight
                * match kind {
                    Kind::Labels => {
                        let values = cell.labels.len() + usize::from(cell.missing);
                        steps(values, all.len() + usize::from(missing), binary)
                    }
                    _ if whole > 0.0 => width(cell.numbers.iter().copied()) / whole,
                    _ => 0.0,
                };
        }
    }
    total
}

/// A random table of these kinds. Labels alone may be missing: of numbers see below.
fn table(rng: &mut ChaCha8Rng, missing: bool) -> String {
    let mut text = String::from("age,seen,pain,city\n");
    for _ in 0..rng.random_range(9..24) {
        let mut gap = || missing && rng.random_range(0..6) == 0;
        let gaps = [false, false, false, gap()];
        let cells = [
            rng.random_range(18..70).to_string(),
            format!("2023-{:02}-{:02}", rng.random_range(1..13), rng.random_range(1..29)),
            ORDER[rng.random_range(0..4)].to_owned(),
            ["Bath", "Hull", "Kent", "Rye"][rng.random_range(0..4)].to_owned(),
        ];
        let cells = cells.into_iter().zip(gaps).map(|(cell, gap)| if gap { String::from("?") } else { cell });
        writeln!(text, "{}", cells.collect::<Vec<_>>().join(",")).unwrap();
    }
    text
}

fn close(told: f64, found: f64) -> bool {
    (told - found).abs() <= 1e-9 * found.max(1.0)
}

/// What the audit says of the stated loss.
fn finding(outcome: &Outcome) -> String {
    let checks = &outcome.report.audit.checks;
    let check =
        checks.iter().find(|c| c.name.to_string() == "the stated loss is that of the published bytes");
    check.unwrap().finding.to_string()
}

#[test]
fn the_penalty_that_is_stated_is_that_of_the_published_bytes() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut suppressed = 0;
    for at in 0..96 {
        let missing = at % 4 == 1;
        let text = table(&mut rng, missing);
        let loss = ["ncp", "ncp-binary", "sse"][at % 3];
        let (publish, method) =
            (["range", "set"][at / 3 % 2], ["auto", "column-generation", "mondrian"][at / 6 % 3]);
        let coded = at % 4 == 0;
        let mut weights = [1, 1, 1, 1].map(|_| f64::from(rng.random_range(1..5_u8)));
        let sum: f64 = weights.iter().sum();
        weights = weights.map(|weight| weight / sum);
        let names = ["age", "seen", "pain", "city"];
        let mut settings = json!({
            "quasi": names, "model": { "name": "k-anonymity", "k": 2 + at % 2 }, "loss": loss, "method": method,
            "publish": publish, "budget": { "effort": 1.0 }, "seed": at, "kinds": { "pain": "ordinal" },
            "orders": { "pain": ORDER }, "missing": { "markers": ["?"], "quasi": "value" },
            "weights": names.iter().zip(weights).collect::<std::collections::BTreeMap<_, _>>(),
        });
        let ends = if coded { (Some(25.0), Some(60.0)) } else { (None, None) };
        if coded {
            settings["coding"] = json!({ "age": { "bottom": 25.0, "top": 60.0 } });
        }
        if at % 5 == 2 {
            settings["suppress"] = json!({ "price": 0.3 });
        }
        if at % 7 == 3 {
            // Given, but not what is published: labels are published as sets.
            settings["hierarchies"] = json!({ "city":
                [["Bath", "west"], ["Hull", "north"], ["Kent", "south"], ["Rye", "south"]] });
        }
        let outcome = run(&text, settings).unwrap();
        let kinds = [Kind::Number { bottom: ends.0, top: ends.1 }, Kind::Date, Kind::Ranks, Kind::Labels];
        let columns: Vec<(Kind, f64)> = kinds.into_iter().zip(weights).collect();
        let (plain, binary) =
            (penalty(&outcome.published, &columns, false), penalty(&outcome.published, &columns, true));
        let told = &outcome.report.objective;
        let stated = told.ncp_total.unwrap();
        assert!(close(stated, plain), "{at}: {stated}, published {plain}\n{text}");
        assert!(close(told.gcp_mean.unwrap(), plain / outcome.report.input.rows as f64), "{at}");
        match loss {
            "ncp" => assert!(close(told.value, plain), "{at}"),
            "ncp-binary" => assert!(close(told.value, binary), "{at}: {} and {binary}", told.value),
            _ => {}
        }
        suppressed += usize::from(outcome.report.changes.suppressed_for_loss > 0);
        // The audit finds the same in every run, and says what it found.
        let anew = match loss {
            "ncp" => format!("(ncp), computed anew from the published bytes, is {}, as stated", three(plain)),
            "ncp-binary" => {
                format!(
                    "(ncp-binary), computed anew from the published bytes, is {}, as stated",
                    three(binary)
                )
            }
            _ => String::from("not computed anew: squared errors are of the records"),
        };
        assert!(finding(&outcome).contains(&anew), "{at}: {}, not {anew}", finding(&outcome));
        // One measure of the published form, whatever was minimised: each column's penalty is that of its bytes.
        for (place, (column, of)) in outcome.report.utility.columns.iter().zip(kinds).enumerate() {
            let alone: Vec<(Kind, f64)> =
                (0..4).map(|at| (kinds[at], f64::from(u8::from(at == place)))).collect();
            let found = penalty(&outcome.published, &alone, false) / outcome.report.input.rows as f64;
            assert!(
                close(column.ncp.unwrap(), found),
                "{at}, {}: {:?}, {found} {}",
                column.name,
                column.ncp,
                matches!(of, Kind::Labels)
            );
        }
    }
    assert!(suppressed > 3, "{suppressed}");
}

/// Sixty postcodes, which a prefix says little of.
fn postcodes() -> (String, Value) {
    let mut text = String::from("id,zip,age,illness\n");
    let mut rows = Vec::new();
    for i in 0..60_u32 {
        let zip = format!("{:05}", 10_000 + 1_423 * i);
        writeln!(text, "p{i},{zip},{},{}", 20 + 7 * i % 41, ["flu", "cold", "gout"][i as usize % 3]).unwrap();
        rows.push(vec![zip.clone(), format!("{}***", &zip[..2]), String::from("*****")]);
    }
    (text, json!({ "zip": rows }))
}

fn of_postcodes(loss: &str) -> (String, Value) {
    let (text, hierarchies) = postcodes();
    let settings = json!({
        "quasi": ["zip", "age"], "sensitive": "illness", "model": { "name": "k-anonymity", "k": 3 }, "loss": loss,
        "kinds": { "zip": "category" }, "hierarchies": hierarchies, "publish_columns": { "zip": "hierarchy" },
        "method": "column-generation", "budget": { "effort": 1.0 }, "seed": 1,
    });
    (text, settings)
}

#[track_caller]
fn refused(error: &Error) {
    let told = error.to_string();
    assert!(matches!(error, Error::Misfit(_)), "{told}");
    for part in ["\"zip\" is published by its hierarchy", "--publish-column zip=range", "--loss ncp)"] {
        assert!(told.contains(part), "{told}");
    }
}

#[test]
fn a_penalty_of_another_table_than_the_published_one_is_refused() {
    let (text, mut settings) = of_postcodes("ncp-binary");
    refused(&run(&text, settings.clone()).unwrap_err());
    let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let of = |settings: &Value| serde_json::from_value::<Settings>(settings.clone()).unwrap();
    settings["method"] = json!("auto");
    refused(&Survey::new(&table, &of(&settings), &[]).err().unwrap());
    let options = Options {
        id: String::from("id"),
        mode: Mode::MInvariance,
        ledger: None,
        signatures: Signatures::Free,
        exact_names: false,
        key: None,
        vacancies: Some(Vacancies::NewRecords),
        way: Way::Fewest,
        more: 0,
    };
    settings["model"] = json!({ "name": "m-invariance", "m": 3 });
    refused(&prepare_series(&table, &of(&settings), &options, &Ctx::silent()).err().unwrap());
    // As sets it is published as it is counted.
    settings["model"] = json!({ "name": "k-anonymity", "k": 3 });
    settings["publish_columns"] = json!({ "zip": "set" });
    assert!(run(&text, settings.clone()).is_ok());
    // What does not count in the loss may be published in any form.
    settings["publish_columns"] = json!({ "zip": "hierarchy" });
    settings["weights"] = json!({ "zip": 0.0, "age": 1.0 });
    assert!(run(&text, settings).is_ok());
}

/// Sixty postcodes by prefixes: the penalty that is minimised and stated is the one that the audit measures, and minimising it
/// publishes less of everything than minimising squares does.
#[test]
fn a_hierarchy_that_is_published_is_what_is_minimised() {
    let (text, settings) = of_postcodes("ncp");
    let outcome = run(&text, settings).unwrap();
    let (objective, utility) = (&outcome.report.objective, &outcome.report.utility);
    let (stated, published) = (objective.gcp_mean.unwrap(), utility.gcp_mean.unwrap());
    assert!(
        close(stated, published) && close(objective.value, 60.0 * published),
        "{stated}, published {published}"
    );
    let (text, settings) = of_postcodes("sse");
    let squares = run(&text, settings).unwrap().report.utility.gcp_mean.unwrap();
    assert!(published < squares, "{published} against {squares}");
}

fn told(report: &Report, what: &str) -> bool {
    report.warnings.iter().any(|warning| warning.to_string().contains(what))
}

#[test]
fn a_penalty_is_left_out_or_said_to_be_of_another_form() {
    let (text, settings) = of_postcodes("sse");
    let outcome = run(&text, settings).unwrap();
    let objective = &outcome.report.objective;
    let published = outcome.report.utility.gcp_mean.unwrap();
    assert!(close(objective.gcp_mean.unwrap(), published) && objective.sse.is_some());
    let html = statement::html(&outcome.report, &outcome.private, &statement::Made::default());
    let row = format!(
        "measured from the published bytes</th><td>{} %, of 2 of 2 columns</td>",
        three(100.0 * published)
    );
    assert!(html.contains(&row), "{html}");
    // Means have no range.
    let ages = "age\n10\n12\n30\n33\n88\n107\n";
    let of = |loss: &str| {
        let settings = json!({
            "quasi": ["age"], "model": { "name": "k-anonymity", "k": 2 }, "loss": loss, "publish": "centroid",
            "budget": { "effort": 1.0 }, "seed": 1,
        });
        run(ages, settings)
    };
    for loss in ["ncp", "ncp-binary"] {
        let error = of(loss).unwrap_err().to_string();
        assert!(error.contains("means of \"age\" are published, but the certainty penalty"), "{error}");
    }
    let report = of("sse").unwrap().report;
    assert!(report.objective.gcp_mean.is_none());
    // A mean has no width, and is not where the records are: nothing is said of it.
    assert!(report.utility.gcp_mean.is_none() && report.utility.measured() == (0, 1));
}

/// A range beside "missing" is no range: nothing is minimised, proven or stated of it.
#[test]
fn numbers_that_are_missing_have_no_penalty() {
    let text = "age,city,illness\n10,A,x\n12,A,y\n?,B,x\n33,B,y\n88,?,x\n99,A,y\n";
    let settings = |loss: &str, quasi: &[&str]| {
        json!({
            "quasi": quasi, "sensitive": "illness", "model": { "name": "k-anonymity", "k": 2 }, "loss": loss,
            "method": "column-generation", "budget": { "effort": 1.0 }, "seed": 1,
            "missing": { "markers": ["?"], "quasi": "value" },
        })
    };
    for loss in ["ncp", "ncp-binary"] {
        let refused = |error: Error| {
            let error = error.to_string();
            for part in ["\"age\" is missing in some rows", "--missing-quasi drop", "--kind age=category"] {
                assert!(error.contains(part), "{error}");
            }
        };
        refused(run(text, settings(loss, &["age", "city"])).unwrap_err());
        let mut large = settings(loss, &["age", "city"]);
        large["method"] = json!("auto");
        let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
        let mut survey = Survey::new(&table, &serde_json::from_value(large).unwrap(), &[]).unwrap();
        survey.add(0, &table).unwrap();
        refused(Routing::of(survey, 4).err().unwrap());
        // Labels have a value for it; rows that are dropped are no gap; what does not count may have gaps.
        assert!(run(text, settings(loss, &["city"])).unwrap().report.objective.gcp_mean.is_some());
        let mut dropped = settings(loss, &["age", "city"]);
        dropped["missing"]["quasi"] = json!("drop");
        let report = run(text, dropped).unwrap().report;
        assert!(close(report.objective.gcp_mean.unwrap(), report.objective.ncp_total.unwrap() / 4.0));
        let mut labels = settings(loss, &["age", "city"]);
        labels["kinds"] = json!({ "age": "category" });
        assert!(run(text, labels).is_ok());
        let mut weightless = settings(loss, &["age", "city"]);
        weightless["weights"] = json!({ "age": 0.0, "city": 1.0 });
        assert!(run(text, weightless).is_ok());
    }
    let objective = run(text, settings("sse", &["age", "city"])).unwrap().report.objective;
    assert!(objective.ncp_total.is_none() && objective.gcp_mean.is_none() && objective.sse.is_some());
}

/// Counterfeits with points of their own widen what is published: the penalty is of the real records, and called so.
#[test]
fn a_penalty_of_the_real_records_alone_is_called_so() {
    let mut text = String::from("age,illness\n");
    for i in 0..30 {
        writeln!(text, "{},{}", 20 + i, ["flu", "flu", "cold", "gout", "flu"][i % 5]).unwrap();
    }
    let of = |points: &str| {
        let settings = json!({
            "quasi": ["age"], "sensitive": "illness", "model": { "name": "m-invariance", "m": 3 }, "loss": "ncp",
            "eligibility": "add", "changes": { "counterfeit_points": points }, "budget": { "effort": 1.0 }, "seed": 1,
        });
        run(&text, settings).unwrap()
    };
    let (none, drawn) = (of("none"), of("drawn"));
    for outcome in [&none, &drawn] {
        assert!(outcome.report.changes.counterfeits > 0);
    }
    for objective in [&drawn.report.objective, &drawn.exact().objective] {
        assert!(objective.gcp_mean.is_none() && objective.ncp_total.is_none() && objective.value > 0.0);
    }
    assert!(none.report.objective.gcp_mean.is_some() && none.exact().objective.gcp_mean.is_some());
    let html =
        |outcome: &Outcome| statement::html(outcome.exact(), &outcome.private, &statement::Made::default());
    assert!(html(&drawn).contains(", of the real records</td>"), "{}", html(&drawn));
    assert!(!html(&none).contains("of the real records"), "{}", html(&none));
}

#[test]
fn after_suppression_warnings_and_figures_are_of_what_is_published() {
    let mut text = String::from("age,illness\n");
    for i in 0..30 {
        writeln!(text, "{},{}", 20 + i, ["flu", "cold", "gout"][i % 3]).unwrap();
    }
    // The outlier's illness is spelled like no other but nearly like one.
    text.push_str("109,Flu\n");
    let of = |price: Option<f64>, loss: &str| {
        let mut settings = json!({
            "quasi": ["age"], "sensitive": "illness", "model": { "name": "k-anonymity", "k": 3 }, "loss": loss,
            "budget": { "effort": 1.0 }, "seed": 4,
        });
        if let Some(price) = price {
            settings["suppress"] = json!({ "price": price });
        }
        run(&text, settings).unwrap()
    };
    for loss in ["ncp", "sse"] {
        let (plain, cut) = (of(None, loss), of(Some(1.0), loss));
        assert!(told(&plain.report, "lies far from all others"), "{:?}", plain.report.warnings);
        assert_eq!(cut.report.changes.suppressed_for_loss, 1);
        assert!(!told(&cut.report, "lies far from all others"), "{:?}", cut.report.warnings);
        assert!(!told(&cut.report, "Flu"), "{:?}", cut.report.warnings);
        let (stated, published) =
            (cut.report.objective.gcp_mean.unwrap(), cut.report.utility.gcp_mean.unwrap());
        assert!(close(stated, published), "one table, one penalty: {stated} and {published}");
        let (sse, sst) = (cut.report.objective.sse.unwrap(), cut.report.objective.sst.unwrap());
        assert!(close(sst, 30.0) && sse < sst, "scaled by the thirty that are left: {sst}");
    }
}
