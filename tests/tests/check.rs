//! `lookalike check`, on tables of anybody's and of ours.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here is a failed test")]

use std::fmt::Write as _;

use lookalike_tests::{
    program::{Folder, Run},
    tables::patients,
};
use serde_json::Value;

/// Group 20: A A A B B C; group 30: A B C D; one row suppressed.
fn theirs() -> Folder {
    let folder = Folder::new();
    let mut text = String::from("age,city,disease\n");
    for (age, diseases) in [("20", "AAABBC"), ("30", "ABCD"), ("*", "A")] {
        for disease in diseases.chars() {
            writeln!(text, "{age},{},{disease}", if age == "*" { "*" } else { "X" }).unwrap();
        }
    }
    folder.write("t.csv", text);
    folder
}

fn check(folder: &Folder, flags: &str) -> Run {
    let args = format!("check t.csv --quasi age,city {flags}");
    folder.run(&args.split_whitespace().collect::<Vec<_>>())
}

fn json(run: &Run) -> Value {
    serde_json::from_slice(&run.stdout).unwrap()
}

#[test]
fn anybodys_table_several_models_at_once() {
    let folder = theirs();
    let all = "--sensitive disease --model k-anonymity --k 4 --model l-diversity,t-closeness --l 3 --t 0.3";
    let run = check(&folder, &format!("{all} --json"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let found = json(&run);
    assert_eq!(found["passed"], true);
    assert_eq!(found["class_column"], Value::Null);
    let reached: Vec<_> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| (f["model"].as_str().unwrap(), &f["reached"]))
        .collect();
    assert_eq!(reached[0].1, 4.0);
    assert_eq!(reached[1], ("distinct 3-diversity", &Value::from(3.0)));
    assert_eq!(found["risk"]["suppressed"], 1);
    assert_eq!(found["risk"]["records"], 10);
    let told = String::from_utf8(check(&folder, all).stdout).unwrap();
    assert!(told.contains("holds  distinct 3-diversity, by equal quasi-identifiers"), "{told}");
    assert!(told.contains("1 of 11 rows with all quasi-identifiers suppressed"), "{told}");
    assert!(told.contains("only groups of equal published quasi-identifiers were judged"), "{told}");
}

#[test]
fn a_check_that_fails_says_where_and_ends_with_1() {
    let run = check(&theirs(), "--sensitive disease --model l-diversity --l 3 --variant recursive --c 2");
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let told = String::from_utf8(run.stdout).unwrap();
    assert!(told.contains("FAILS  recursive (2, 3)-diversity"), "{told}");
    assert!(told.contains("age '20', city 'X': a ratio of 3.0000"), "{told}");
    assert!(run.stderr.contains("one check does not hold"), "{}", run.stderr);
}

#[test]
fn wrong_questions_end_with_2() {
    let folder = theirs();
    for (flags, says) in [
        ("--model k-anonymity", "k-anonymity needs --k"),
        ("--model k-anonymity --k 1", "k = 1 protects nobody"),
        ("--model k-anonymity --k 2 --l 2", "--l belongs to l-diversity"),
        ("--model l-diversity --l 2", "no sensitive column is named"),
        ("--model k-anonymity --k 2 --sensitive nobody", "there is no column \"nobody\""),
        ("--model k-anonymity --k 2 --class nobody", "there is no column \"nobody\""),
        ("--sensitive disease --model t-closeness --t 2", "t must be from 0 to 1"),
        (
            "--sensitive disease --model t-closeness --t 0.2 --distance ordered",
            "column \"disease\" has no order",
        ),
        ("--sensitive disease --model l-diversity --l 2 --variant recursive", "needs --c"),
        (
            "--model k-anonymity --k 2 --sample-fraction 2",
            "the sample fraction must be above 0 and at most 1",
        ),
        ("--model m-invariance --m 3", "needs --sensitive"),
        ("--model anonymity", "invalid value"),
        ("--certificate c.json --alpha 0.5", "cannot be used with"),
        ("--certificate c.json --set 9=age", "cannot be used with"),
    ] {
        let run = check(&folder, flags);
        assert_eq!(run.code, Some(2), "{flags}: {}", run.stderr);
        assert!(run.stderr.contains(says), "{flags}: {}", run.stderr);
    }
    assert_eq!(
        folder.run(&["check", "none.csv", "--quasi", "a", "--model", "k-anonymity", "--k", "2"]).code,
        Some(4)
    );
}

/// What we publish keeps what we promise, and the check finds the loss that the run reported.
#[test]
fn ours_against_the_original() {
    let folder = Folder::new();
    folder.write("in.csv", patients(120));
    let run = "anonymize in.csv --quasi age,sex,zip --sensitive disease --model m-invariance --m 3 --effort 0.5 --seed 2 \
               -o t.csv --classes classes.csv --report report.json";
    folder.succeed(&run.split_whitespace().collect::<Vec<_>>());
    // The columns in another order than the table's: rows are sorted by the table's.
    let flags = "check t.csv --quasi zip,age,sex --sensitive disease --model m-uniqueness --m 3 --original in.csv \
                 --classes classes.csv --json";
    let run = folder.succeed(&flags.split_whitespace().collect::<Vec<_>>());
    let (found, report) = (json(&run), folder.json("report.json"));
    assert_eq!(found["class_column"], "class");
    assert_eq!(found["findings"].as_array().unwrap().len(), 2, "by class and by group");
    let notes = found["notes"].as_array().unwrap();
    let sorted = notes.iter().find(|n| n["name"]["id"] == "audit.Subject.Sorted").unwrap();
    assert!(sorted["finding"]["text"].as_str().unwrap().contains("reveals nothing more"), "{sorted}");
    let close = |a: &Value, b: &Value| (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-9;
    let (utility, objective) = (&found["utility"], &report["objective"]);
    assert!(close(&utility["information_loss_percent"], &objective["information_loss_percent"]), "{utility}");
    assert!(close(&utility["sse"], &objective["sse"]));
    assert!(close(&utility["gcp_mean"], &report["utility"]["gcp_mean"]));
    assert!(close(&found["risk"]["prosecutor"]["highest"], &report["risk"]["highest_reidentification"]));
    assert!(
        utility["columns"].as_array().unwrap().iter().all(|c| c["uncovered"] == 0),
        "ranges say the values"
    );
    assert_eq!(utility["published_rows"], 120);
}

#[test]
fn a_repair_is_told_before_and_after() {
    let folder = Folder::new();
    let mut text = String::from("age,disease\n");
    for (i, disease) in std::iter::repeat_n("flu", 10).chain(["HIV"; 2]).enumerate() {
        writeln!(text, "{},{disease}", 20 + 3 * i).unwrap();
    }
    folder.write("in.csv", text);
    // Before: what each way would disclose.
    let run = folder.succeed(&["eligibility", "in.csv", "--sensitive", "disease", "--m", "2", "--json"]);
    let ways = &json(&run)["survey"][0]["disclosure"];
    let close = |value: &Value, x: f64| (value.as_f64().unwrap() - x).abs() < 1e-9;
    assert!(close(&ways["add"]["present"], 1.0 / 1.2) && close(&ways["delete"]["present"], 0.5), "{ways}");
    assert!(close(&ways["delete"]["absent"], 1.0), "{ways}");
    let run = folder.succeed(&["eligibility", "in.csv", "--sensitive", "disease"]);
    let told = String::from_utf8(run.stdout).unwrap();
    assert!(
        told.contains("\n    2   0.5000     0.8333             1.0000           0.8333       -\n"),
        "{told}"
    );
    // After: the report, the summary, and the check of the published table say the same.
    let run = "anonymize in.csv --quasi age --sensitive disease --model m-invariance --m 2 --eligibility add --seed 1 \
               -o t.csv --report report.json";
    let run = folder.succeed(&run.split_whitespace().collect::<Vec<_>>());
    assert!(run.stderr.contains("in the worst case 0.8333"), "{}", run.stderr);
    let report = folder.json("report.json");
    assert!(close(&report["disclosure"]["present"], 1.0 / 1.2), "{}", report["disclosure"]);
    let asked = "check t.csv --quasi age --sensitive disease --model m-uniqueness --m 2 --repair add --counterfeits 8 \
                 --json";
    let told = json(&folder.succeed(&asked.split_whitespace().collect::<Vec<_>>()));
    assert!(close(&told["disclosure"]["present"], 1.0 / 1.2), "{}", told["disclosure"]);
    assert_eq!(told["disclosure"]["certainly_real"], report["disclosure"]["certainly_real"]);
}

/// The configuration that a table was made with says all that a check has to be told.
#[test]
fn a_configuration_speaks_for_the_flags() {
    let folder = Folder::new();
    folder.write("in.csv", patients(120));
    let tree: Vec<String> = (1000..1400).step_by(10).map(|zip| format!("{zip};{};*\n", zip / 100)).collect();
    folder.write("zip.csv", tree.concat());
    let run = "anonymize in.csv --quasi age,zip --keep sex --sensitive disease --model m-invariance --m 3 --effort 0.1 \
               --hierarchy zip=zip.csv --publish-column zip=hierarchy --seed 2 -o t.csv --classes classes.csv \
               --save-config c.json";
    folder.succeed(&run.split_whitespace().collect::<Vec<_>>());
    let check = |flags: &str| {
        let all = format!("check t.csv {flags} --original in.csv --classes classes.csv --json");
        folder.run(&all.split_whitespace().collect::<Vec<_>>())
    };
    let told = check("--config c.json");
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    let flags = "--quasi age,zip,sex --sensitive disease --model m-uniqueness --m 3 --hierarchy zip=zip.csv";
    assert_eq!(json(&told), json(&check(flags)));
    // Flags overrule it, and what it promises is judged, not believed.
    let broken = check("--config c.json --model m-uniqueness --m 8");
    assert_eq!(broken.code, Some(1), "{}", broken.stderr);
    let open = folder.json("c.json");
    let mut open = open.as_object().unwrap().clone();
    assert!(open["lookalike"].as_object_mut().unwrap().remove("model").is_some());
    folder.write("open.json", Value::from(open).to_string());
    let run = check("--config open.json");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("--model"), "{}", run.stderr);
}

/// Two classes of three rows, with two sensitive columns, and a configuration that asks something of each.
fn two_sensitive() -> Folder {
    let folder = Folder::new();
    let rows = ["20,f,A,low", "20,f,B,mid", "20,f,A,high", "30,f,A,low", "30,f,B,high", "30,f,C,mid"];
    folder.write("t.csv", format!("age,sex,disease,edu\n{}\n", rows.join("\n")));
    let field = |name: &str, role: &str| serde_json::json!({ "name": name, "lookalike": { "role": role } });
    let edu = serde_json::json!({
        "name": "edu", "lookalike": { "role": "unchanged", "order": ["low", "mid", "high"] },
    });
    let fields = serde_json::json!([
        field("age", "quasi-identifier"),
        field("sex", "quasi-identifier"),
        field("disease", "sensitive"),
        edu,
    ]);
    let configuration = serde_json::json!({
        "fields": fields,
        "lookalike": {
            "version": 1,
            "model": { "name": "k-anonymity", "k": 3 },
            "conditions": [{ "name": "distinct-diversity", "l": 2 }],
            "conditions_of": { "edu": [{ "name": "t-closeness", "t": 0.5, "distance": "ordered" }] },
            "sets": [{ "columns": ["sex"], "k": 6 }],
        },
    });
    folder.write("c.json", configuration.to_string());
    folder
}

/// The models that were judged, with their columns.
fn judged(run: &Run) -> Vec<(String, Option<String>)> {
    let found = json(run);
    let findings = found["findings"].as_array().unwrap().iter();
    let mut all: Vec<_> = findings
        .map(|f| (f["model"].as_str().unwrap().to_owned(), f["column"].as_str().map(str::to_owned)))
        .collect();
    all.sort();
    all
}

/// A flag replaces what the configuration asks of the same column, and nothing else of it.
#[test]
fn flags_of_conditions_leave_the_rest_of_a_configuration_in_place() {
    let folder = two_sensitive();
    let k = ("3-anonymity", None);
    let own = ("at least 2 different values", None);
    let further = ("0.5-close to the whole table (ordered distance)", Some("edu"));
    let set = ("6-anonymity of \"sex\" alone", None);
    for (flags, wanted) in [
        ("", [k, own, further, set]),
        ("--alpha 0.7", [k, ("no value with a share above 0.7", None), further, set]),
        ("--distinct-l edu=3", [k, own, ("at least 3 different values", Some("edu")), set]),
        ("--set 3=age", [k, own, further, ("3-anonymity of \"age\" alone", None)]),
        ("--model l-diversity --l 2", [("distinct 2-diversity", None), own, further, set]),
    ] {
        let all = format!("check t.csv --config c.json --json {flags}");
        let run = folder.run(&all.split_whitespace().collect::<Vec<_>>());
        assert_eq!(run.code, Some(0), "{flags}: {}", run.stderr);
        let mut wanted = wanted.map(|(model, column)| (model.to_owned(), column.map(str::to_owned)));
        wanted.sort();
        assert_eq!(judged(&run), wanted, "{flags}");
    }
}

/// The order of a further column is given as `anonymize` takes it, and one for a condition is none for the model beside it.
#[test]
fn each_sensitive_column_may_have_its_order() {
    let folder = two_sensitive();
    let check = |flags: &[&str]| {
        let all = ["check", "t.csv", "--quasi", "age,sex", "--sensitive", "disease", "--json"];
        folder.run(&all.iter().chain(flags).copied().collect::<Vec<_>>())
    };
    let further = check(&["--t-closeness", "edu=ordered:0.25", "--order", "edu=low<mid<high"]);
    assert_eq!(further.code, Some(0), "{}", further.stderr);
    let own = "--model t-closeness --t 1 --t-closeness ordered:0.3 --order A,B,C";
    let own = check(&own.split_whitespace().collect::<Vec<_>>());
    assert_eq!(own.code, Some(0), "{}", own.stderr);
    for (flags, says) in [
        (
            ["--distinct-l", "edu=2", "--order", "edu=low<mid<high"].as_slice(),
            "nothing that is asked of that column",
        ),
        (&["--alpha", "0.7", "--order", "A,B,C"], "--order belongs to t-closeness"),
        (&["--spread", "0.1", "--order", "A,B,C", "--order", "disease=A<B<C"], "--order is given twice"),
        (
            &["--model", "t-closeness", "--t", "1", "--order", "A,B,C"],
            "--order belongs to --distance ordered",
        ),
    ] {
        let run = check(flags);
        assert_eq!(run.code, Some(2), "{flags:?}: {}", run.stderr);
        assert!(run.stderr.contains(says), "{flags:?}: {}", run.stderr);
    }
}

/// What rows stand for is said to programs as to people; a weight that is none is wrong input, whoever is asked.
#[test]
fn a_sample_says_what_it_tells_of_its_population() {
    let folder = Folder::new();
    let table = |weight: &str| {
        let rows: Vec<String> = (0..12)
            .map(|row| format!("{},{weight},{},{}", 20 + row / 3, row / 2, ["A", "B", "C"][row % 3]))
            .collect();
        format!("age,weight,home,disease\n{}\n", rows.join("\n"))
    };
    folder.write("t.csv", table("10"));
    folder.write("bad.csv", table("x"));
    let run = |line: &str| folder.run(&line.split_whitespace().collect::<Vec<_>>());
    let check = "--quasi age --model k-anonymity --k 3 --sampling-weight weight";
    let found = json(&run(&format!("check t.csv {check} --household home --json")));
    let sample = &found["sample"];
    assert_eq!((&sample["weight"], &sample["people"]), (&Value::from("weight"), &Value::from(120.0)));
    assert!(sample["highest"].as_f64().unwrap() < 0.2, "{sample}");
    assert_eq!(sample["households"]["column"], "home");
    assert_eq!(sample["households"]["households"], 6);
    let told = String::from_utf8(run(&format!("check t.csv {check}")).stdout).unwrap();
    assert!(told.contains("journalist risk: the risk in the population, below"), "{told}");
    assert!(!told.contains("no population is known"), "{told}");
    let without = json(&run("check t.csv --quasi age --model k-anonymity --k 3 --json"));
    assert_eq!(without["sample"], Value::Null);
    let made = run(&format!(
        "anonymize t.csv {check} --sensitive disease --effort 0.1 --seed 1 -o out.csv --report r.json --statement s.html"
    ));
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    assert!(folder.text("r.json").contains("\"left_out\": 0.0"), "no sign before nothing");
    assert!(!folder.text("s.html").contains("no population is known"), "the weights say it");
    for refused in [
        format!("anonymize bad.csv {check} --sensitive disease --seed 1 -o bad-out.csv"),
        format!("check bad.csv {check}"),
    ] {
        let refused = run(&refused);
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        assert!(refused.stderr.contains("a weight is a number above 0"), "{}", refused.stderr);
    }
}

/// A column of one number tells that number of everybody: it spans no part of its range.
#[test]
fn a_column_of_one_number_has_no_spread() {
    let folder = Folder::new();
    folder.write("t.csv", "age,pay\n20,5\n20,5\n20,5\n");
    let run = |line: &str| folder.run(&line.split_whitespace().collect::<Vec<_>>());
    let judged = run("check t.csv --quasi age --sensitive pay --spread 0.5");
    assert_eq!(judged.code, Some(1), "{}", judged.stderr);
    let asked =
        "anonymize t.csv --quasi age --sensitive pay --model k-anonymity --k 2 --spread 0.5 -o out.csv";
    let refused = run(asked);
    assert_eq!(refused.code, Some(3), "{}", refused.stderr);
}

#[test]
fn one_row_is_not_called_rows() {
    let folder = Folder::new();
    folder.write("t.csv", "age,disease\n20,A\n");
    let run = folder.run(&["check", "t.csv", "--quasi", "age", "--model", "k-anonymity", "--k", "2"]);
    let told = String::from_utf8(run.stdout).unwrap();
    assert!(told.starts_with("1 record in 1 group of equal quasi-identifiers"), "{told}");
    assert!(told.contains("uniques: 1 record ("), "{told}");
}

#[test]
fn a_class_of_which_nothing_is_left_is_a_class() {
    let folder = Folder::new();
    folder.write("in.csv", "zip,disease\n22071,a\n22079,b\n22083,c\n10115,a\n55555,b\n99999,c\n");
    folder.write(
        "zip.csv",
        "22071;220**;*\n22079;220**;*\n22083;220**;*\n10115;101**;*\n55555;555**;*\n99999;999**;*\n",
    );
    let run = "anonymize in.csv --quasi zip --kind zip=category --hierarchy zip=zip.csv --publish-column zip=hierarchy \
               --model k-anonymity --k 3 --seed 1 -o t.csv --report report.json";
    folder.succeed(&run.split_whitespace().collect::<Vec<_>>());
    assert!(folder.text("t.csv").contains("\n*,"), "{}", folder.text("t.csv"));
    let report = folder.json("report.json");
    let check = |flags: &str| {
        let all = format!(
            "check t.csv --quasi zip --hierarchy zip=zip.csv --model k-anonymity --k 3 --json {flags}"
        );
        json(&folder.run(&all.split_whitespace().collect::<Vec<_>>()))
    };
    let agrees = |found: &Value| {
        assert_eq!(
            (&found["risk"]["records"], &found["risk"]["suppressed"]),
            (&Value::from(6), &Value::from(0))
        );
        assert_eq!(found["figures"]["discernibility"], report["utility"]["discernibility"]);
        assert_eq!(found["risk"]["prosecutor"], report["risk"]["prosecutor"]);
    };
    agrees(&check(""));
    // Without labels nothing tells the class from suppressed rows, unless it is said.
    let unlabelled: String =
        folder.text("t.csv").lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned() + "\n").collect();
    folder.write("t.csv", unlabelled);
    assert_eq!(check("")["risk"]["suppressed"], 3);
    agrees(&check("--suppressed none"));
}

/// Rows that are too short and columns of one name are read in the table before as they were when it was published.
#[test]
fn the_table_before_is_read_as_the_run_read_it() {
    let folder = Folder::new();
    let rows: String = (0..12)
        .map(|row| format!("{},{},m{}\n", 20 + row, 30 + row, ["", ",x"][row % 2]))
        .collect::<Vec<_>>()
        .concat();
    folder.write("in.csv", format!("age,age,sex,note\n{rows}"));
    let odd = "--ragged pad --duplicate-names number";
    let run = |line: &str| folder.run(&line.split_whitespace().collect::<Vec<_>>());
    let made = run(&format!(
        "anonymize in.csv {odd} --quasi age,age_2,sex --model k-anonymity --k 3 --seed 1 --effort 1 -o out.csv --classes k.csv"
    ));
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let check =
        "check out.csv --quasi age,age_2,sex --model k-anonymity --k 3 --original in.csv --classes k.csv";
    let told = run(&format!("{check} {odd}"));
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    let told = run(&format!("{check} --ragged pad"));
    assert_eq!(told.code, Some(2), "{}", told.stderr);
    assert!(told.stderr.contains("--duplicate-names number"), "{}", told.stderr);
    assert_eq!(run(&format!("{check} --duplicate-names number")).code, Some(2));
}

/// What a method with rows of their own promises is judged between both tables, and no classes are asked for.
#[test]
fn rows_of_their_own_are_checked_for_what_they_promise() {
    let folder = Folder::new();
    folder.write("in.csv", patients(40));
    let run = |line: &str| folder.run(&line.split_whitespace().collect::<Vec<_>>());
    let made =
        run("anonymize in.csv --quasi age,sex --model k-anonymity --k 3 --method doka-greedy --seed 1 \
         -o out.csv --save-config c.json");
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let alone = run("check out.csv --config c.json");
    assert_eq!(alone.code, Some(2), "{}", alone.stderr);
    assert!(alone.stderr.contains("doka-greedy") && alone.stderr.contains("--original"), "{}", alone.stderr);
    let told = run("check out.csv --config c.json --original in.csv --json");
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    let found = json(&told);
    assert_eq!(found["findings"].as_array().unwrap().len(), 0, "no classes are judged: {found}");
    assert_eq!(found["class_column"], Value::Null);
    // Whoever asks for classes has them judged.
    let classes = run("check out.csv --config c.json --model k-anonymity --k 41");
    assert_eq!(classes.code, Some(1), "{}", classes.stderr);
}

/// A column that is called `class` need not have the classes.
#[test]
fn no_class_column_is_none() {
    let folder = Folder::new();
    let rows: String =
        (0..12).map(|row| format!("{},m,{}\n", 20 + row / 6, row)).collect::<Vec<_>>().concat();
    folder.write("t.csv", format!("age,sex,class\n{rows}"));
    let run = |line: &str| folder.run(&line.split_whitespace().collect::<Vec<_>>());
    let check = "check t.csv --quasi age,sex --model k-anonymity --k 6 --json";
    let by_class = run(check);
    assert_eq!((by_class.code, &json(&by_class)["class_column"]), (Some(1), &Value::from("class")));
    let without = run(&format!("{check} --class none"));
    assert_eq!((without.code, &json(&without)["class_column"]), (Some(0), &Value::Null));
    let made = run(
        "anonymize t.csv --quasi age,sex --model k-anonymity --k 6 --class-column none --seed 1 -o out.csv --save-config c.json",
    );
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let told = run("check t.csv --config c.json --json");
    assert_eq!((told.code, &json(&told)["class_column"]), (Some(0), &Value::Null), "{}", told.stderr);
    // A name is taken as it stands.
    let told = run(&format!("{check} --class =c"));
    assert!(told.code == Some(2) && told.stderr.contains("no column \"=c\""), "{}", told.stderr);
    let told = run("anonymize t.csv --quasi age,sex --model k-anonymity --k 3 --class-column =c -o out.csv");
    assert!(told.code == Some(2) && told.stderr.contains("run as a formula"), "{}", told.stderr);
}
