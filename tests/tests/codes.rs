//! Codes that look like numbers, through the program: postcodes without their leading zeros, and numbers that stand for labels.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{collections::BTreeSet, fmt::Write as _};

use lookalike_tests::{
    program::{Folder, Run},
    tables::{ILLS as DISEASES, assert_release, coded_patients as patients, parse},
};
use serde_json::Value;

fn folder(text: &str) -> Folder {
    let folder = Folder::new();
    folder.write("in.csv", text);
    folder
}

fn run(folder: &Folder, line: &str) -> Run {
    folder.run(&line.split_whitespace().collect::<Vec<_>>())
}

fn succeed(folder: &Folder, line: &str) -> String {
    let run = run(folder, line);
    assert_eq!(run.code, Some(0), "{line}: {}", run.stderr);
    String::from_utf8(run.stdout).unwrap() + &run.stderr
}

fn refused(folder: &Folder, line: &str, says: &[&str]) {
    let run = run(folder, line);
    assert_eq!(run.code, Some(2), "{line}: {}", run.stderr);
    for says in says {
        assert!(run.stderr.contains(says), "{line}: {says:?} is not in {}", run.stderr);
    }
}

const K5: &str =
    "anonymize in.csv --quasi zip,age --model k-anonymity --k 5 --effort 0.5 --seed 1 -o out.csv";
const BY_PREFIX: &str = "--generate-hierarchy zip=prefix --publish-column zip=hierarchy";

/// The published postcodes: each is a prefix of five characters.
fn published(folder: &Folder) -> Vec<String> {
    let text = folder.text("out.csv");
    let zips = text.lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned());
    zips.collect()
}

/// Saxony and Berlin have no first digit in common, so a published label that is more than "somewhere" is of one of them.
fn no_label_mixes_saxony_and_berlin(folder: &Folder, rows: usize) {
    let zips = published(folder);
    assert_eq!(zips.len(), rows);
    for zip in &zips {
        let known = zip.trim_end_matches('*');
        assert!(
            zip.len() == 5
                && (known.is_empty()
                    || known.starts_with("01")
                    || known.starts_with("10")
                    || known == "0"
                    || known == "1"),
            "{zip}"
        );
    }
    let of = |start: &str| zips.iter().filter(|zip| zip.starts_with(start)).count();
    let somewhere = of("*****");
    assert_eq!(of("0") + of("1") + somewhere, rows);
    assert!(of("0") > 0 && of("1") > 0, "{zips:?}");
    // Half of the patients are of Saxony.
    assert!(of("0") <= rows / 2 && of("1") <= rows / 2, "{zips:?}");
}

#[test]
fn zeros_are_put_back_before_anything_else() {
    let folder = folder(&patients(200));
    let told = succeed(
        &folder,
        &format!("{K5} --pad zip=5 {BY_PREFIX} --private private.json --report report.json"),
    );
    assert!(
        told.contains("read with \"zip\" filled up on the left with zeros to 5 digits, as asked (100 cells)"),
        "{told}"
    );
    no_label_mixes_saxony_and_berlin(&folder, 200);
    assert_release(&folder.read("out.csv"), None, 5);
    assert!(folder.text("private.json").contains("filled up on the left with zeros to 5 digits"));
    // Without a hierarchy, labels stand as they are in sets.
    succeed(&folder, &format!("{K5} --pad zip=5"));
    let text = folder.text("out.csv");
    assert!(text.contains("01067") && !text.contains("[1067"), "{text}");
}

#[test]
fn a_configuration_says_it_again() {
    let folder = folder(&patients(200));
    succeed(
        &folder,
        &format!("{K5} --pad zip=5 {BY_PREFIX} --save-config config.json --classes classes.csv"),
    );
    let first = folder.text("out.csv");
    assert_eq!(folder.json("config.json")["fields"][0]["lookalike"]["pad"], 5);
    succeed(&folder, "anonymize in.csv --config config.json --seed 1 -o out.csv");
    assert_eq!(folder.text("out.csv"), first);
    // The check reads the original as the run did.
    let checked =
        succeed(&folder, "check out.csv --config config.json --original in.csv --classes classes.csv");
    assert!(checked.contains("against the original: 200 rows published, 0 not, 0 added"), "{checked}");
    // By hand: of the padded codes that occur, those with the published prefix, as a part of all, without itself.
    let source = folder.text("in.csv");
    let codes: BTreeSet<String> =
        source.lines().skip(1).map(|line| format!("{:0>5}", line.split(',').next().unwrap())).collect();
    let lost = |zip: &String| {
        let within = codes.iter().filter(|code| code.starts_with(zip.trim_end_matches('*'))).count();
        (within - 1) as f64 / (codes.len() - 1) as f64
    };
    let zips = published(&folder);
    let ncp = zips.iter().map(lost).sum::<f64>() / zips.len() as f64;
    let line = checked.lines().find(|line| line.starts_with("zip: information loss")).unwrap();
    assert!(line.ends_with(&format!("NCP {ncp:.4}")) && ncp > 0.01, "{ncp} {line}");
    // Sets of labels, which need no hierarchy to be compared.
    succeed(&folder, &format!("{K5} --pad zip=5"));
    succeed(
        &folder,
        "check out.csv --quasi zip,age --model 1-k-anonymity --k 2 --original in.csv --original-pad zip=5 --kind zip=category",
    );
    refused(
        &folder,
        "check out.csv --quasi zip,age --model 1-k-anonymity --k 2 --original in.csv --original-pad zip=4",
        &["has 5 digits"],
    );
}

#[test]
fn out_of_core_and_series() {
    let folder = folder(&patients(400));
    let line = format!("{K5} --pad zip=5 --out-of-core . --block-rows 100");
    let told = succeed(&folder, &line);
    assert!(told.contains("filled up on the left with zeros to 5 digits, as asked (200 cells)"), "{told}");
    let text = folder.text("out.csv");
    assert!(text.contains("010") && !text.contains("[1067"), "{text}");

    let named = patients(60).lines().enumerate().fold(String::new(), |text, (row, line)| {
        text + &if row == 0 { format!("id,{line}\n") } else { format!("P{row},{line}\n") }
    });
    folder.write("in.csv", named);
    let series = "republish in.csv --ledger ledger.json --seed 1 --effort 0.5";
    succeed(
        &folder,
        &format!(
            "{series} --quasi zip,age --sensitive disease --m 3 --begin --id id --mode incremental --pad zip=5 -o r1.csv"
        ),
    );
    // The ledger knows it from then on.
    succeed(&folder, &format!("{series} -o r2.csv"));
    for release in ["r1.csv", "r2.csv"] {
        let text = folder.text(release);
        assert!(text.contains("010") && !text.contains("[1067"), "{text}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = folder("zip,age\n1067,1\n101155,2\n");
    let line = "anonymize in.csv --quasi zip,age --model k-anonymity --k 2 -o out.csv";
    refused(&folder, &format!("{line} --pad zip=5"), &["column \"zip\", row 2: '101155' has 6 digits"]);
    refused(&folder, &format!("{line} --pad zap=5"), &["no column \"zap\"", "\"zip\""]);
    refused(&folder, &format!("{line} --pad zip=x"), &["the width of \"zip\" is \"x\""]);
    refused(&folder, &format!("{line} --pad zip=0"), &["1 to 64"]);
    refused(&folder, &format!("{line} --pad zip=6 --kind zip=integer"), &["--pad", "declared integer"]);
    folder.write("in.csv", "zip,age\n1067,1\nD-10115,2\n?,3\n");
    refused(&folder, &format!("{line} --pad zip=5"), &["row 2: 'D-10115' is not made of digits only"]);
}

#[test]
fn prefixes_of_codes_that_have_lost_zeros_are_refused() {
    let folder = folder(&patients(200));
    let refusal = ["no prefix hierarchy is made", "--pad zip=5", "prefix:any-length"];
    refused(&folder, &format!("{K5} --kind zip=category {BY_PREFIX}"), &refusal);
    refused(&folder, "hierarchy in.csv --column zip --generate prefix", &refusal);
    let filled = succeed(&folder, "hierarchy in.csv --column zip --generate prefix --pad zip=5");
    assert!(filled.contains("01067;0106*;010**;01***;0****;*****"), "{filled}");
    let meant = succeed(&folder, "hierarchy in.csv --column zip --generate prefix:any-length");
    assert!(meant.contains("1067;1067*;106**;10***;1****;*****"), "{meant}");
}

#[test]
fn describe_proposes_and_a_run_warns() {
    let folder = folder(&patients(200));
    let described: Value = serde_json::from_str(&{
        let run = run(&folder, "describe in.csv --json");
        String::from_utf8(run.stdout).unwrap()
    })
    .unwrap();
    let proposals: Vec<(&str, &Value)> = described["columns"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|c| Some((c["name"].as_str().unwrap(), c.get("proposal")?)))
        .collect();
    assert_eq!(proposals.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["zip", "sex"]);
    assert_eq!(
        (&proposals[0].1["reading"]["pad"], &proposals[1].1["reading"]),
        (&5.into(), &"category".into())
    );
    let line = described["anonymize"].as_str().unwrap();
    assert!(line.contains("--pad zip=5 --kind sex=category"), "{line}");
    let notes = described["notes"].to_string();
    assert!(notes.contains("100 of 200 values") && notes.contains("3 different values"), "{notes}");
    assert!(line.contains("--labels 'sex=9:?'") && notes.contains("'9' stands in"), "{line}");
    let line =
        line.replace("lookalike ", "").replace("OUT.csv", "out.csv").replace('\'', "") + " --effort 0.1";
    let told = succeed(&folder, &line);
    assert!(!told.contains("is read as numbers"), "{told}");

    let told = succeed(
        &folder,
        "anonymize in.csv --quasi zip,sex,age --model k-anonymity --k 5 --effort 0.1 -o out.csv",
    );
    assert!(told.contains("column \"zip\" is read as numbers") && told.contains("--pad zip=5"), "{told}");
    assert!(
        told.contains("column \"sex\" is read as numbers") && told.contains("--kind sex=category"),
        "{told}"
    );
    assert!(!told.contains("column \"age\" is read"), "{told}");
    // Whoever says the kind hears nothing.
    let said = "anonymize in.csv --quasi sex,age --model k-anonymity --k 5 --effort 0.1 --kind sex=integer -o out.csv";
    assert!(!succeed(&folder, said).contains("is read as numbers"));
    // A flag that was given stands in the line that is proposed, once.
    let told = succeed(&folder, "describe in.csv --pad zip=5");
    assert_eq!(told.matches("--pad zip=5").count(), 1, "{told}");
}

/// The labels are what is published, in sets; a code for "not known" is missing; and what is published is of the people that have it.
#[test]
fn labels_are_published_in_place_of_codes() {
    let folder = folder(&patients(200));
    let line = "anonymize in.csv --quasi sex,age --model k-anonymity --k 5 --effort 0.5 --seed 1 --missing-quasi value -o out.csv";
    let told = succeed(
        &folder,
        &format!("{line} --labels sex=1:male,2:female,9:? --save-config config.json --classes classes.csv"),
    );
    assert!(told.contains("read with \"sex\": labels in place of codes, as declared (200 cells)"), "{told}");
    assert_release(&folder.read("out.csv"), None, 5);
    let (source, published) = (folder.text("in.csv"), folder.text("out.csv"));
    let mut seen = std::collections::BTreeMap::<&str, usize>::new();
    let classes = folder.text("classes.csv");
    for (row, class) in classes.lines().skip(1).map(|line| line.split_once(',').unwrap()) {
        let code = source.lines().nth(1 + row.parse::<usize>().unwrap()).unwrap().split(',').nth(1).unwrap();
        let label = match code {
            "1" => "male",
            "2" => "female",
            _ => "?",
        };
        *seen.entry(label).or_default() += 1;
        let of_class = |line: &&str| line.rsplit_once(',').unwrap().1 == class;
        let cell = published.lines().skip(1).find(of_class).unwrap();
        let sexes: Vec<&str> = cell.split([',', '{', '}', '"', ' ']).collect();
        assert!(sexes.contains(&label), "row {row} of {label}: {cell}");
    }
    assert!(seen.len() == 3 && seen.values().all(|&rows| rows > 50), "{seen:?}");
    let (_, rows) = parse(published.as_bytes());
    assert!(rows.iter().all(|row| !row[0].contains(['1', '2', '9'])), "{published}");

    // A configuration repeats it, and a check of it reads the original alike.
    assert_eq!(folder.json("config.json")["fields"][0]["lookalike"]["labels"]["9"], "?");
    succeed(&folder, "anonymize in.csv --config config.json --seed 1 -o again.csv");
    assert_eq!(folder.text("again.csv"), published);
    let check = "check out.csv --original in.csv --classes classes.csv --model k-anonymity --k 5";
    let alike = succeed(&folder, &format!("{check} --config config.json"));
    let by_flag =
        succeed(&folder, &format!("{check} --quasi sex,age --original-labels sex=1:male,2:female,9:?"));
    for told in [&alike, &by_flag] {
        assert!(told.contains("sex: NCP 0.0000") && told.contains("200 rows published, 0 not"), "{told}");
    }
    let unlike = succeed(&folder, &format!("{check} --quasi sex,age"));
    assert!(unlike.contains("sex: not measurable"), "codes say nothing of labels: {unlike}");
    for (labels, says) in [
        ("sex=1", "the code \"1\" has no label"),
        ("sex=1:male,1:female", "\"1\""),
        ("gender=1:male", "gender"),
        ("sex=1:2,2:1", "is a code of the column itself"),
    ] {
        refused(&folder, &format!("{line} --labels {labels}"), &[says]);
    }
}

#[test]
fn codes_for_not_known_are_proposed_and_the_proposal_runs() {
    let mut text = String::from("age,nights,disease\n");
    for i in 0..120 {
        let age = if i % 10 == 3 { 999 } else { 20 + i * 7 % 60 };
        let _ = writeln!(text, "{age},{},{}", i % 30, DISEASES[i % 5]);
    }
    let folder = folder(&text);
    let told = succeed(&folder, "describe in.csv");
    let evidence = "'999' stands in 12 cells, and no other number lies above '79'";
    assert!(told.contains(evidence) && told.contains("(--labels \"age=999:?\")"), "{told}");
    assert!(!told.contains("--labels nights"), "{told}");
    let line =
        told.lines().find(|line| line.trim().starts_with("lookalike anonymize")).unwrap().trim().to_owned();
    assert!(line.contains("--labels 'age=999:?'"), "{line}");
    let plain = line.replace('\'', "").replace("lookalike ", "");
    succeed(&folder, &format!("{plain} --effort 0.2"));
    let warned = succeed(
        &folder,
        "anonymize in.csv --quasi age --model k-anonymity --k 5 --effort 0.2 --seed 1 -o out.csv",
    );
    assert!(warned.contains(evidence) && warned.contains("(--labels \"age=999:?\")"), "{warned}");
    let quiet = succeed(
        &folder,
        "anonymize in.csv --quasi age --labels age=999:? --missing-quasi value --model k-anonymity --k 5 --effort 0.2 --seed 1 -o out.csv",
    );
    assert!(!quiet.contains("not known\": '999'"), "{quiet}");
    assert!(!folder.text("out.csv").contains("999"));
}
