//! Ranges in two columns on the command line: by flag and by configuration, and what `lookalike check` makes of them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here is a failed test")]

use std::fmt::Write as _;

use lookalike_tests::program::Folder;
use serde_json::Value;

fn people() -> String {
    let mut text = String::from("age,visit,city,illness\n");
    for i in 0..40_u32 {
        let visit = format!("2024-{:02}-{:02}", 1 + i % 12, 1 + i * 5 % 28);
        let city = ["Bath", "Hull"][(i % 2) as usize];
        writeln!(text, "{},{visit},{city},{}", 17 + i * 7 % 60, ["flu", "acne"][(i / 3 % 2) as usize])
            .unwrap();
    }
    text
}

const RUN: [&str; 12] = [
    "anonymize",
    "in.csv",
    "--quasi",
    "age,visit,city",
    "--sensitive",
    "illness",
    "--model",
    "k-anonymity",
    "--k",
    "4",
    "--seed",
    "1",
];

fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap()
}

#[test]
fn a_column_in_two_by_flag_and_by_configuration() {
    let folder = Folder::new();
    folder.write("in.csv", people());
    let run = |more: &[&str]| folder.succeed(&[&RUN[..], more].concat());
    run(&["--publish-column", "age=min-max-mid", "-o", "out.csv", "--save-config", "settings.json"]);
    let flags = folder.text("out.csv");
    assert!(flags.starts_with("age_min,age_max,age_mid,visit,city,illness,class\n"), "{flags}");
    assert!(folder.text("settings.json").contains("min-max-mid"), "{}", folder.text("settings.json"));
    folder.succeed(&["anonymize", "in.csv", "--config", "settings.json", "-o", "again.csv", "--seed", "1"]);
    assert_eq!(folder.text("again.csv"), flags);
    run(&["--publish", "min-max", "-o", "all.csv", "--report", "report.json"]);
    assert!(folder.text("all.csv").starts_with("age_min,age_max,visit_min,visit_max,city,illness,class\n"));
    let report = folder.json("report.json");
    assert_eq!(report["publish"], "min-max");
    let checks = report["audit"]["checks"].as_array().unwrap().iter().map(ToString::to_string);
    let of_ends: Vec<String> =
        checks.filter(|check| check.contains("ranges in two columns are those of their records")).collect();
    assert!(
        matches!(of_ends.as_slice(), [check] if check.contains("all 40 rows say the least and the greatest value")),
        "{of_ends:?}"
    );
}

#[test]
fn a_check_measures_both_columns_as_one() {
    let folder = Folder::new();
    folder.write("in.csv", people());
    folder.succeed(&[&RUN[..], &["-o", "one.csv"]].concat());
    folder.succeed(&[&RUN[..], &["-o", "two.csv", "--publish", "min-max-mid"]].concat());
    let check = |file: &str, quasi: &str, more: &[&str]| {
        let args =
            ["check", file, "--quasi", quasi, "--sensitive", "illness", "--model", "k-anonymity", "--k", "4"];
        String::from_utf8(folder.succeed(&[&args[..], more].concat()).stdout).unwrap()
    };
    let one = json(check("one.csv", "age,visit,city", &["--json"]).as_bytes());
    let ends = "age_min,age_max,age_mid,visit_min,visit_max,visit_mid,city";
    for quasi in ["age,visit,city", ends, "age_max,age_min,visit_min,visit_max,city"] {
        let two = json(check("two.csv", quasi, &["--json"]).as_bytes());
        let columns = two["figures"]["columns"].as_array().unwrap();
        assert_eq!(columns.len(), 3, "{two}");
        for (two, one) in columns.iter().zip(one["figures"]["columns"].as_array().unwrap()) {
            assert_eq!(two["name"], one["name"]);
            assert!(
                (two["ncp"].as_f64().unwrap() - one["ncp"].as_f64().unwrap()).abs() < 1e-12,
                "{two} {one}"
            );
        }
        let told = check("two.csv", quasi, &[]);
        assert!(told.contains("are the ends of ranges, measured as one column \"age\""), "{told}");
        assert!(told.contains("are the ends of ranges, measured as one column \"visit\""), "{told}");
    }
    // Columns that are no ranges stay two, whatever they are called.
    folder.write("heat.csv", "day_min,day_max\n20,18\n20,18\n20,18\n20,18\n");
    let told = folder.succeed(&[
        "check",
        "heat.csv",
        "--quasi",
        "day_min,day_max",
        "--model",
        "k-anonymity",
        "--k",
        "4",
    ]);
    assert!(!String::from_utf8(told.stdout).unwrap().contains("ends of ranges"));
    // So do those that the original has itself.
    folder.write("own.csv", "day_min,day_max\n18,20\n18,20\n");
    folder.write("key.csv", "row,class\n0,1\n1,1\n");
    folder.write("pub.csv", "day_min,day_max,class\n18,20,1\n18,20,1\n");
    let args = ["check", "pub.csv", "--quasi", "day_min,day_max", "--model", "k-anonymity", "--k", "2"];
    let told = folder.succeed(&[&args[..], &["--original", "own.csv", "--classes", "key.csv"]].concat());
    assert!(!String::from_utf8(told.stdout).unwrap().contains("ends of ranges"));
}

/// What a run says that is wrong usage or input.
fn refused(folder: &Folder, args: &[&str]) -> String {
    let run = folder.run(args);
    assert_eq!(run.code, Some(2), "{args:?}: {}", run.stderr);
    run.stderr
}

#[test]
fn what_is_not_to_be_had_says_so() {
    let folder = Folder::new();
    folder.write("in.csv", people());
    folder.write("taken.csv", people().replacen("city", "age_max", 1));
    for (args, told) in [
        (&["--publish-column", "city=min-max", "-o", "x.csv"][..], "--order"),
        (
            &["--publish", "min-max", "--method", "doka-greedy", "-o", "x.csv"],
            "publishes its ranges in one column",
        ),
        (&["--publish", "min-max", "--class-column", "age_min", "-o", "x.csv"], "--class-column"),
        (&["--publish", "min-max", "--out-of-core", ".", "-o", "x.csv"], "ranges in two columns (--publish)"),
    ] {
        let error = refused(&folder, &[&RUN[..], args].concat());
        assert!(error.contains(told), "{args:?}: {error}");
    }
    let mut args = [&RUN[..], &["--publish", "min-max", "-o", "x.csv"]].concat();
    (args[1], args[3]) = ("taken.csv", "age,visit");
    let error = refused(&folder, &args);
    assert!(
        error.contains("would need a column \"age_max\"") && error.contains("--publish-column"),
        "{error}"
    );
    assert!(!folder.path().join("x.csv").exists());
}

/// Releases of a series are compared by single columns, and byte for byte.
#[test]
fn a_series_has_ranges_in_one_column_and_no_workbook() {
    let folder = Folder::new();
    let mut text = String::from("id,age,illness\n");
    for i in 0..12 {
        writeln!(text, "p{i},{},{}", 20 + i, ["flu", "acne"][i % 2]).unwrap();
    }
    folder.write("in.csv", text);
    let args = "republish in.csv --quasi age --sensitive illness --m 2 --mode incremental --ledger l.json --begin --id id --seed 1";
    for (more, told) in [
        (&["--publish", "min-max", "-o", "r.csv"][..], "in a series ranges are published in one column"),
        (&["-o", "r.xlsx"], "which a workbook does not allow"),
    ] {
        let args: Vec<&str> = args.split(' ').chain(more.iter().copied()).collect();
        let error = refused(&folder, &args);
        assert!(error.contains(told), "{more:?}: {error}");
    }
    assert_eq!(folder.names(), ["in.csv"]);
}
