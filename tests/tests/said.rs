//! What a run says of itself in its published report, its statement and on the terminal is true: of outliers that were left out,
//! of losses in two units, of classes that tell their value, of whether it can be repeated, and of a loss that nothing undercuts.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{collections::BTreeMap, fmt::Write as _};

use lookalike_tests::program::Folder;
use serde_json::Value;

/// What a run has said.
struct Said {
    folder: Folder,
    report: Value,
    statement: String,
    terminal: String,
}

impl Said {
    fn warnings(&self) -> String {
        let all = self.report["warnings"].as_array().unwrap().iter();
        all.map(|warning| warning["text"].as_str().unwrap().to_owned() + "\n").collect::<Vec<_>>().concat()
    }

    /// All three places.
    fn places(&self) -> [String; 3] {
        [self.warnings(), self.statement.clone(), self.terminal.clone()]
    }

    fn number(&self, at: &str) -> f64 {
        self.report.pointer(at).and_then(Value::as_f64).unwrap_or_else(|| panic!("no {at}"))
    }
}

/// A table is anonymized with these flags.
fn run(table: &str, flags: &str) -> Said {
    let folder = Folder::new();
    folder.write("in.csv", table);
    let line = format!(
        "anonymize in.csv --seed 1 -o out.csv --classes classes.csv --report r.json --statement s.html {flags}"
    );
    let run = folder.succeed(&line.split_whitespace().collect::<Vec<_>>());
    let (report, statement) = (folder.json("r.json"), folder.text("s.html").replace("&quot;", "\""));
    Said { folder, report, statement, terminal: run.stderr }
}

/// People of 20 to 70 years, and one of 997.
fn with_an_outlier() -> String {
    let mut text = String::from("age,weight,illness\n");
    for i in 0..120 {
        let illness = ["flu", "gout", "acne", "ulcer"][i % 4];
        writeln!(text, "{},{},{illness}", 20 + i * 37 % 51, 50 + i * 29 % 47).unwrap();
    }
    text + "997,60,flu\n"
}

const K4: &str = "--quasi age,weight --sensitive illness --model k-anonymity --k 4 --effort 1";

#[test]
fn an_outlier_that_was_left_out_is_not_warned_of() {
    let lies_out = "the upper end of a published value of \"age\" lies far from all others";
    let (with, without) =
        (run(&with_an_outlier(), K4), run(&with_an_outlier(), &format!("{K4} --suppress-price 5")));
    assert!(with.folder.text("out.csv").contains("997") && !without.folder.text("out.csv").contains("997"));
    for place in with.places() {
        assert!(place.contains(lies_out), "{place}");
    }
    for place in without.places() {
        assert!(!place.contains("lies far from all others"), "{place}");
    }
}

/// The mean of the published ranges as parts of these whole ones.
fn mean_of_ranges(published: &str, whole: &[f64]) -> f64 {
    let rows: Vec<&str> = published.lines().skip(1).collect();
    let width = |cell: &str| {
        let ends: Vec<f64> = cell.trim_matches(['[', ']']).split('-').map(|x| x.parse().unwrap()).collect();
        ends[ends.len() - 1] - ends[0]
    };
    let row = |row: &&str| row.split(',').zip(whole).map(|(cell, whole)| width(cell) / whole).sum::<f64>();
    rows.iter().map(row).sum::<f64>() / (rows.len() * whole.len()) as f64
}

#[test]
fn two_penalties_after_suppression_are_told_apart() {
    let told = "the loss is measured by the ranges and the spread of the published records";
    let said = run(&with_an_outlier(), &format!("{K4} --loss ncp --suppress-price 0.4"));
    assert_eq!(said.report["changes"]["suppressed_for_loss"], 1);
    for place in said.places() {
        assert!(place.contains(told), "{place}");
    }
    // The value that was left out is not to be computed from what is published.
    let places = said.places().concat();
    // Digests have such digits by chance.
    let mut numbers = places.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() < 12);
    let tells = |word: &str| word.contains("977") && word.chars().all(|c| c.is_ascii_digit());
    assert!(!numbers.any(tells), "the range with the outlier: {places}");
    let published = said.folder.text("out.csv");
    let (own, with_all) =
        (mean_of_ranges(&published, &[50.0, 46.0]), mean_of_ranges(&published, &[977.0, 46.0]));
    assert!((said.number("/objective/gcp_mean") - own).abs() < 1e-9, "{own}");
    // The check has both figures, and says why they differ.
    let check =
        "check out.csv --quasi age,weight --model k-anonymity --k 4 --original in.csv --classes classes.csv";
    let checked = said.folder.succeed(&check.split_whitespace().collect::<Vec<_>>());
    let checked = String::from_utf8(checked.stdout).unwrap();
    assert!(checked.contains(&format!("GCP {own:.4} a record")), "{checked}");
    assert!(checked.contains(&format!("1 not, 0 added; GCP {with_all:.4};")), "{with_all} {checked}");
    let why = format!(
        "the GCP of {own:.4} counts cells as parts of the ranges in the published table, that of {with_all:.4} as"
    );
    assert!(checked.contains(&why), "{checked}");

    // With a declared domain there is one figure, and without suppression nothing to explain.
    let domains = "--domain age=0..1000 --domain weight=0..100";
    let declared = run(&with_an_outlier(), &format!("{K4} --loss ncp --suppress-price 0.2 {domains}"));
    let nothing_left_out = run(&with_an_outlier(), &format!("{K4} --loss ncp"));
    for said in [declared, nothing_left_out] {
        assert!(!said.places().concat().contains(told), "{}", said.warnings());
    }
}

#[test]
fn classes_of_one_sensitive_value_are_counted() {
    // Illnesses go with age, so that some classes have one.
    let mut text = String::from("age,illness\n");
    for i in 0..90 {
        writeln!(text, "{},{}", 20 + i, if i < 45 || i % 2 == 0 { "flu" } else { "gout" }).unwrap();
    }
    let flags = "--quasi age --sensitive illness --model k-anonymity --k 3 --effort 1";
    let said = run(&text, flags);
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in said.folder.text("out.csv").lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        groups.entry(cells[0].to_owned()).or_default().push(cells[1].to_owned());
    }
    let single = groups.values().filter(|values| values.iter().all(|value| *value == values[0])).count();
    assert!(single > 0 && single < groups.len(), "{single} of {}", groups.len());
    let told = format!(
        "in {single} of {} groups of equal quasi-identifiers every row with a known value of \"illness\" has the same value",
        groups.len()
    );
    for place in said.places() {
        assert!(place.contains(&told), "{told}: {place}");
    }
    // Not where the column is protected.
    let mixed = text.replace("flu\n", "acne\n").replacen("acne", "flu", 30);
    let protected = run(&mixed, "--quasi age --sensitive illness --model m-invariance --m 2 --effort 1");
    assert!(
        !protected.places().concat().contains("every row with a known value"),
        "{}",
        protected.warnings()
    );
}

/// The sentence that a run can be repeated.
const AGAIN: &str = "give the same bytes again";

#[test]
fn who_says_that_a_run_can_be_repeated_does_repeat_it() {
    let all = with_an_outlier();
    let few: String = all.split_inclusive('\n').take(50).collect();
    let generation = "--quasi age,weight --model k-anonymity --k 5 --method column-generation --effort 5";
    for (table, flags, status) in [
        (&few, generation.to_owned(), "optimal"),
        (&all, format!("{generation} --stop-gap-percent 5"), "gap-reached"),
        (&all, K4.to_owned(), "effort-spent"),
    ] {
        let (first, second) = (run(table, &flags), run(table, &format!("{flags} --threads 1")));
        assert_eq!(first.report["status"]["name"], status, "{flags}");
        assert!(first.report["reproducible"] == true && first.statement.contains(AGAIN), "{flags}");
        assert!(!first.terminal.contains("not reproducible"), "{}", first.terminal);
        assert_eq!(first.folder.text("out.csv"), second.folder.text("out.csv"), "{flags}");
    }
}

#[test]
fn a_run_that_a_clock_has_cut_never_says_so() {
    let table = with_an_outlier();
    let carried = "--quasi age,weight --model k-anonymity --k 3 --loss ncp --method split-and-carry --carry-solver programme";
    for (flags, status) in [
        (
            "--quasi age,weight --model k-anonymity --k 5 --method column-generation --time-limit 20s"
                .to_owned(),
            "optimal",
        ),
        ("--quasi age,weight --model k-anonymity --k 5 --time-limit 0.3s".to_owned(), "time-limit"),
        (format!("{carried} --carry-time-limit 0.01s --effort 1"), "time-limit"),
    ] {
        let said = run(&table, &flags);
        assert_eq!(said.report["status"]["name"], status, "{flags}");
        assert!(said.report["reproducible"] == false && !said.statement.contains(AGAIN), "{flags}");
        assert!(said.statement.contains("the run cannot be repeated exactly"), "{flags}");
        assert!(!said.terminal.contains(AGAIN));
        if status == "time-limit" {
            assert!(said.terminal.contains("time limit reached: not reproducible"), "{}", said.terminal);
        }
    }
}

/// People in fives of one age: nothing need be lost, whatever finds it and whatever ends it.
#[test]
fn a_loss_of_nothing_is_optimal() {
    let mut text = String::from("age,weight,illness\n");
    for i in 0..60 {
        let illness = ["flu", "gout", "acne", "ulcer", "HIV"][i % 5];
        writeln!(text, "{}.1,{}.7,{illness}", 20 + i / 5, 60 + i / 5 * 3).unwrap();
    }
    for (flags, repeatable) in [
        ("--effort 0.5", true),
        ("--effort 0.5 --loss ncp", true),
        ("--method mdav", true),
        ("--time-limit 1s", false),
        ("--method column-generation --effort 1", true),
        ("--model m-invariance --m 5 --sensitive illness --effort 0.5", true),
    ] {
        let model = if flags.contains("--model") { "" } else { "--model k-anonymity --k 5" };
        let said = run(&text, &format!("--quasi age,weight {model} {flags}"));
        assert_eq!(said.number("/objective/value"), 0.0, "{flags}");
        assert_eq!(said.report["status"]["name"], "optimal", "{flags}");
        assert_eq!((said.number("/bound/value"), said.number("/bound/gap_percent")), (0.0, 0.0), "{flags}");
        assert_eq!(said.report["reproducible"], repeatable, "{flags}");
        assert!(said.terminal.contains("proven optimal"), "{flags}: {}", said.terminal);
        assert!(said.statement.contains("proven: nothing better exists"), "{flags}");
        assert!(!said.statement.contains("a better table may exist"), "{flags}");
    }
}

/// The same numbers in units from 1 to 1e-300 are the same table: classes, loss and bound.
#[test]
fn numbers_of_any_size_lose_the_same() {
    let of = |unit: &str| {
        let mut text = String::from("dose\n");
        (0..24).for_each(|i| writeln!(text, "{}{unit}", 1 + i * 7 % 25 + i / 12).unwrap());
        run(
            &text,
            "--quasi dose --kind dose=number --model k-anonymity --k 3 --method column-generation --effort 1",
        )
    };
    let usual = of("");
    for unit in ["e-90", "e-160", "e-300"] {
        let said = of(unit);
        for at in ["/objective/value", "/objective/sst", "/bound/value"] {
            let (is, should) = (said.number(at), usual.number(at));
            assert!((is - should).abs() <= 1e-9 * should, "{unit}: {at} is {is}, not {should}");
        }
        assert!(
            said.report["audit"]["passed"] == true && !said.terminal.contains("NaN"),
            "{}",
            said.terminal
        );
        assert!(
            !said.report["utility"].to_string().contains("null,\"information"),
            "{}",
            said.report["utility"]
        );
        // Labels follow the published text, so that only who shares a class can be compared.
        let together = |said: &Said| {
            let mut first: BTreeMap<String, usize> = BTreeMap::new();
            let key = said.folder.text("classes.csv");
            let classes = key.lines().skip(1).map(|line| line.split_once(',').unwrap().1.to_owned());
            classes.enumerate().map(|(row, class)| *first.entry(class).or_insert(row)).collect::<Vec<usize>>()
        };
        assert_eq!(together(&said), together(&usual), "{unit}");
    }
}

/// Different records are what is counted, and equal ones are one; who has no blocks is named alone.
#[test]
fn refusals_of_column_generation_and_blocks_say_what_is() {
    let folder = Folder::new();
    // 20,100 different numbers, each twice.
    let rows: String =
        (0..40_200).fold(String::from("age\n"), |text, i| text + &format!("{}\n", 1000 + i % 20_100));
    folder.write("in.csv", rows);
    let refused = |flags: &str| {
        let line =
            format!("anonymize in.csv --quasi age --model k-anonymity --k 3 --seed 1 -o out.csv {flags}");
        let run = folder.run(&line.split_whitespace().collect::<Vec<_>>());
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        run.stderr.lines().find(|line| line.starts_with("error")).unwrap().to_owned()
    };
    let told = refused("--method column-generation");
    assert!(told.contains("at most 20,000 different records, but there are 20,100"), "{told}");
    assert!(told.contains("--blocks"), "{told}");
    let told = refused("--method mdav --blocks 3");
    assert!(
        told.contains("only decompose and column-generation have blocks") && told.ends_with("mdav has none"),
        "{told}"
    );
    let told = refused("--method column-generation --swap-first");
    assert!(told.contains("--blocks"), "{told}");
    let told = refused("--method decompose --no-final-swap");
    assert!(told.contains("decompose has none"), "{told}");
}
