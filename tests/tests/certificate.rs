//! A bound, its certificate, and what refutes it: the whole way on the command line.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::fmt::Write as _;

use lookalike_tests::{
    program::{Folder, Run},
    server::Server,
    tables::{patients, shuffled},
};
use serde_json::{Value, json};

const K3: &str = "--quasi age,sex,zip --model k-anonymity --k 3";
const M3: &str = "--quasi age,sex,zip --sensitive disease --model m-invariance --m 3";

fn folder(table: &str) -> Folder {
    let folder = Folder::new();
    folder.write("in.csv", table);
    folder
}

fn run(folder: &Folder, line: &str) -> Run {
    folder.run(&line.split_whitespace().collect::<Vec<_>>())
}

fn succeed(folder: &Folder, line: &str) -> Run {
    folder.succeed(&line.split_whitespace().collect::<Vec<_>>())
}

fn anonymize(folder: &Folder, flags: &str) -> Run {
    let effort = if flags.contains("--effort") { "" } else { "--effort 4" };
    let method = format!("--method column-generation {effort} --seed 1 --certificate c.json");
    succeed(folder, &format!("anonymize in.csv {flags} {method} -o out.csv --report r.json"))
}

/// The same columns, without the model.
fn columns(flags: &str) -> &str {
    flags.split(" --model").next().unwrap()
}

/// Checks a changed certificate.
fn refusal(folder: &Folder, flags: &str, change: impl Fn(&mut Value)) -> (i32, String) {
    let mut certificate = folder.json("c.json");
    change(&mut certificate);
    folder.write("changed.json", certificate.to_string());
    let run = run(folder, &format!("check in.csv {flags} --certificate changed.json"));
    (run.code.unwrap(), String::from_utf8(run.stdout).unwrap() + &run.stderr)
}

#[test]
fn a_bound_is_verified_and_what_is_tampered_with_is_not() {
    for flags in [K3, M3, &format!("{K3} --loss ncp"), &format!("{M3} --loss ncp-binary")] {
        let folder = folder(&patients(90));
        let told = anonymize(&folder, flags).stderr;
        assert!(told.contains("certificate: its duals") && told.contains("c.json"), "{told}");
        assert!(folder.text("c.json").starts_with("{\"do not publish\":"));
        let run = succeed(&folder, &format!("check in.csv {} --certificate c.json --json", columns(flags)));
        let found: Value = serde_json::from_slice(&run.stdout).unwrap();
        let report = folder.json("r.json");
        let (bound, loss) =
            (found["bound"].as_f64().unwrap(), report["objective"]["value"].as_f64().unwrap());
        assert_eq!(
            (&found["passed"], &found["records"], &found["rows"]),
            (&json!(true), &json!(90), &json!(90))
        );
        assert!(bound > 0.7 * loss && bound <= report["bound"]["value"].as_f64().unwrap() * (1.0 + 1e-6));
        let whole = report["objective"]["sst"].as_f64().unwrap();
        if flags.contains("ncp") {
            assert!(found["information_loss_percent"].is_null() && report["loss"] == found["loss"]);
        } else {
            let percent = found["information_loss_percent"].as_f64().unwrap();
            assert!((percent - 100.0 * bound / whole).abs() < 1e-6 * percent, "{percent}");
        }

        let flags = columns(flags);
        assert_eq!(refusal(&folder, flags, |_| {}).0, 0);
        // The largest dual belongs to some tight class: a little more, and that class is too cheap.
        let raise = |certificate: &mut Value| {
            let duals = certificate["duals"].as_array_mut().unwrap();
            let by_size =
                |a: &&mut Value, b: &&mut Value| a.as_f64().unwrap().total_cmp(&b.as_f64().unwrap());
            let largest = duals.iter_mut().max_by(by_size).unwrap();
            *largest = json!(1.01 * largest.as_f64().unwrap());
        };
        let (code, why) = refusal(&folder, flags, raise);
        assert!(code == 1 && why.contains("may have reduced cost"), "{code} {why}");
        let (code, why) =
            refusal(&folder, flags, |c| c["bound"] = json!(1.0001 * c["bound"].as_f64().unwrap()));
        assert!(code == 1 && why.contains("that is claimed"), "{code} {why}");
        let (code, why) = refusal(&folder, flags, |c| c["duals"].as_array_mut().unwrap().truncate(89));
        assert!(code == 1 && why.contains("89 duals"), "{code} {why}");
        let (code, why) = refusal(&folder, flags, |c| c["version"] = json!(9));
        assert!(code == 2 && why.contains("version 9"), "{code} {why}");
        let (code, why) = refusal(&folder, &format!("{flags} --nodes 10"), |_| {});
        assert!(code == 1 && why.contains("more than 10 nodes"), "{code} {why}");
        let (code, why) = refusal(&folder, &format!("{flags} --k 4"), |_| {});
        assert!(code == 1 && why.contains("it is about"), "{code} {why}");
        // Other weights are another problem, and so is another table.
        let (code, _) = refusal(&folder, &format!("{flags} --weights age=0.8,sex=0.1,zip=0.1"), |_| {});
        assert_eq!(code, 1);
        folder.write("in.csv", shuffled(&patients(90)));
        assert_eq!(refusal(&folder, flags, |_| {}).0, 1);
        folder.write("in.csv", patients(91));
        let (code, why) = refusal(&folder, flags, |_| {});
        assert!(code == 1 && why.contains("90 duals"), "{code} {why}");
    }
}

/// What column generation proves beyond its duals is claimed as an optimum, and found out anew.
#[test]
fn an_optimum_is_proven_anew() {
    let mut seed = 7_u64;
    let mut number = || {
        seed = (seed * 1_103_515_245 + 12_345) % (1 << 31);
        seed / 65_536 % 90
    };
    let mut table = String::from("a,b,c\n");
    for _ in 0..52 {
        writeln!(table, "{},{},{}", number(), number(), number()).unwrap();
    }
    let folder = folder(&table);
    let columns = "--quasi a,b,c --rows-are people";
    let told = anonymize(&folder, &format!("{columns} --model k-anonymity --k 3 --effort 20")).stderr;
    assert!(told.contains("and a search by the audit prove that"), "{told}");
    let optimum = folder.json("c.json")["optimum"].as_f64().unwrap();
    let loss = folder.json("r.json")["objective"]["value"].as_f64().unwrap();
    assert!(optimum <= loss && optimum > loss * (1.0 - 1e-7), "{optimum} {loss}");
    let (code, said) = refusal(&folder, columns, |_| {});
    assert!(code == 0 && said.contains("all partitions that the duals leave possible"), "{code} {said}");
    let (code, why) = refusal(&folder, columns, |c| c["optimum"] = json!(loss * 1.0001));
    assert!(code == 1 && why.contains("less than the optimum"), "{code} {why}");
}

#[test]
fn cuts_are_part_of_the_proof() {
    // Seeds until a bound rests on cuts.
    for rows in [40, 46, 52, 58, 64, 70] {
        let folder = folder(&patients(rows));
        anonymize(&folder, K3);
        let count = |c: &Value| c["cuts"].as_array().unwrap().len();
        if count(&folder.json("c.json")) == 0 {
            continue;
        }
        let flags = columns(K3);
        assert_eq!(refusal(&folder, flags, |_| {}).0, 0);
        let (code, why) = refusal(&folder, flags, |c| {
            // The cut of the largest sigma.
            let cuts = c["cuts"].as_array_mut().unwrap();
            cuts.sort_by(|a, b| a["sigma"].as_f64().unwrap().total_cmp(&b["sigma"].as_f64().unwrap()));
            cuts.pop();
        });
        assert!(code == 1 && why.contains("may have reduced cost"), "{code} {why}");
        return;
    }
    panic!("no bound rested on cuts");
}

#[test]
fn dropped_rows_missing_cells_and_a_configuration() {
    // Ages are missing in some rows, which are dropped; zip codes in others, which count as a value of their own.
    let mut table = patients(60);
    for (from, to) in [("P3,", 1), ("P9,", 1), ("P20,", 3), ("P33,", 3), ("P41,", 3)] {
        let line = table.lines().find(|l| l.starts_with(from)).unwrap().to_owned();
        let mut cells: Vec<&str> = line.split(',').collect();
        cells[to] = "?";
        table = table.replace(&line, &cells.join(","));
    }
    let folder = folder(&table);
    let flags = format!(
        "{K3} --missing-quasi drop --missing-column zip=value --kind sex=category --weights age=0.5,sex=0.2,zip=0.3 \
         --bottom age=25 --top age=80 --save-config config.json"
    );
    anonymize(&folder, &flags);
    let certificate = folder.json("c.json");
    assert_eq!(certificate["rows"].as_array().unwrap().len(), 58);
    let run = succeed(&folder, "check in.csv --config config.json --certificate c.json --json");
    let found: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!((&found["records"], &found["rows"]), (&json!(58), &json!(60)));
    let sst = folder.json("r.json")["objective"]["sst"].as_f64().unwrap();
    let percent = found["information_loss_percent"].as_f64().unwrap();
    let bound = found["bound"].as_f64().unwrap();
    assert!(bound > 0.0 && (percent - 100.0 * bound / sst).abs() < 1e-6 * percent, "{percent} {bound} {sst}");
    assert!(!folder.text("config.json").contains("duals"));
}

#[test]
fn what_no_certificate_can_say_is_refused_before_the_search() {
    let folder = folder(&patients(40));
    folder.write("sex.csv", "F;*\nM;*\n");
    let generation = "--method column-generation --certificate c.json -o out.csv";
    for (flags, says) in [
        (format!("{K3} --method doka-greedy --certificate c.json -o out.csv"), "have no bound"),
        (format!("{K3} --bound off --certificate c.json -o out.csv"), "no bound is asked for"),
        (format!("{K3} --blocks 4 --no-final-swap {generation}"), "bound on blocks"),
        (format!("{K3} {generation} --hierarchy sex=sex.csv --publish hierarchy"), "hierarchy"),
    ] {
        let run = run(&folder, &format!("anonymize in.csv {flags}"));
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains(says), "{}", run.stderr);
    }
    // More than a third have the flu: counterfeits would be needed.
    let rare = patients(40).replace("asthma", "flu").replace("HIV", "flu");
    folder.write("in.csv", rare);
    let run = run(&folder, &format!("anonymize in.csv {M3} --eligibility add {generation}"));
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("counterfeits"), "{}", run.stderr);
    assert_eq!(folder.names(), ["in.csv", "sex.csv"]);
}

#[test]
fn nothing_proven_is_said_and_holds() {
    let folder = folder(&patients(40));
    let line = format!(
        "anonymize in.csv {K3} --method column-generation --bound off --effort 0 --certificate c.json -o out.csv"
    );
    let told = succeed(&folder, &line).stderr;
    assert!(told.contains("no loss is below 0"), "{told}");
    succeed(&folder, &format!("check in.csv {} --certificate c.json", columns(K3)));
}

/// Some thousand records, more than were ever priced all together: what the certificate proves is the bound of the report.
#[test]
fn any_search_has_a_certificate_of_any_size() {
    for (flags, rows) in [(K3, 6000), (M3, 1500), (&format!("{K3} --loss ncp") as &str, 6000)] {
        let folder = folder(&patients(rows));
        let line = format!(
            "anonymize in.csv {flags} --effort 0.1 --seed 1 --certificate c.json -o out.csv --report r.json"
        );
        let told = succeed(&folder, &line).stderr;
        assert!(told.contains("certificate: its duals prove that no partition"), "{told}");
        let run = succeed(&folder, &format!("check in.csv {} --certificate c.json --json", columns(flags)));
        let found: Value = serde_json::from_slice(&run.stdout).unwrap();
        let reported = folder.json("r.json")["bound"]["value"].as_f64().unwrap();
        let proven = found["proven"].as_f64().unwrap();
        assert!(reported > 0.0 && (proven / reported - 1.0).abs() < 1e-8, "{proven} {reported}");
        let raise = |certificate: &mut Value| {
            for dual in certificate["duals"].as_array_mut().unwrap() {
                *dual = json!(2.0 * dual.as_f64().unwrap());
            }
        };
        let (code, why) = refusal(&folder, columns(flags), raise);
        assert!(code == 1 && why.contains("may have reduced cost"), "{code} {why}");
    }
}

#[test]
fn a_worker_sends_the_duals_when_they_are_asked_for() {
    let server = Server::start(&[]);
    let folder = folder(&patients(60));
    anonymize(&folder, &format!("{M3} --worker {}", server.url()));
    succeed(&folder, &format!("check in.csv {} --certificate c.json", columns(M3)));
    assert!(folder.json("c.json")["bound"].as_f64().unwrap() > 0.0);

    // Of any search: the bound of its report is the one that was checked here.
    let line =
        format!("anonymize in.csv {K3} --effort 1 --certificate c.json -o out.csv --report r.json --worker");
    let told = succeed(&folder, &format!("{line} {}", server.url())).stderr;
    assert!(told.contains("checked on this machine"), "{told}");
    let [bound, proven] = [&folder.json("r.json")["bound"]["value"], &folder.json("c.json")["bound"]];
    let [bound, proven] = [bound, proven].map(|x| x.as_f64().unwrap());
    assert!(proven > 0.0 && (bound / proven - 1.0).abs() < 1e-8, "{bound} {proven}");
}

#[cfg(unix)]
#[test]
fn the_certificate_is_the_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder(&patients(40));
    anonymize(&folder, K3);
    let mode = std::fs::metadata(folder.path().join("c.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn the_report_has_the_work_and_a_gap_stops_the_run() {
    let folder = folder(&patients(120));
    let line = format!(
        "anonymize in.csv {K3} --method column-generation --effort 50 --stop-gap-percent 20 -o out.csv --report r.json"
    );
    let told = succeed(&folder, &line).stderr;
    let report = folder.json("r.json");
    let bound = &report["bound"];
    assert_eq!(bound["of"], "whole problem");
    assert!(bound["gap_percent"].as_f64().unwrap() <= 20.0);
    assert_eq!(report["status"]["name"], "gap-reached", "{}", report["status"]);
    for figure in ["rounds", "columns", "exact_pricings", "nodes"] {
        assert!(bound["work"][figure].as_u64().unwrap() > 0, "{figure}: {}", bound["work"]);
    }
    assert!(told.contains("the best possible loss is at most ") && told.contains("bound "), "{told}");
}
