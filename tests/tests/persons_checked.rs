//! Where persons may have several rows, what is checked and warned of counts persons, from the published bytes and the linking key.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use lookalike_tests::{
    program::{Folder, Run},
    tables::parse,
};

fn line(folder: &Folder, line: &str) -> Run {
    folder.run(&line.split_whitespace().collect::<Vec<_>>())
}

fn printed(run: &Run) -> &str {
    std::str::from_utf8(&run.stdout).unwrap()
}

/// 200 rows of 40 patients, five a patient, with these illnesses.
fn visits(illness: impl Fn(usize) -> &'static str) -> String {
    let mut text = String::from("patient_id,age,ill\n");
    for row in 0..200 {
        let patient = row / 5;
        writeln!(text, "P{patient:03},{},{}", 20 + patient, illness(row)).unwrap();
    }
    text
}

const RUN: &str = "anonymize in.csv --quasi age --sensitive ill --rows-are events-of=patient_id --model k-anonymity --k 5 --seed 1 \
                   --effort 1 -o out.csv --classes k.csv --report r.json --save-config c.json";

fn released(table: &str) -> Folder {
    let folder = Folder::new();
    folder.write("in.csv", table);
    let run = line(&folder, RUN);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    folder
}

/// Fewest patients of a class, by the linking key and the source alone.
fn fewest(folder: &Folder, key: &str) -> usize {
    let (_, source) = parse(&folder.read("in.csv"));
    let (_, links) = parse(&folder.read(key));
    let mut classes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for link in &links {
        let row: usize = link[0].parse().unwrap();
        classes.entry(link[1].as_str()).or_default().insert(source[row][0].as_str());
    }
    classes.values().map(BTreeSet::len).min().unwrap()
}

#[test]
fn a_check_with_the_linking_key_counts_persons() {
    let folder = released(&visits(|row| ["flu", "gout", "acne", "ulcer"][row % 4]));
    let least = fewest(&folder, "k.csv");
    assert!(least >= 5);
    let check = "check out.csv --config c.json --original in.csv --classes k.csv";
    let run = line(&folder, check);
    assert_eq!(run.code, Some(0), "{}{}", printed(&run), run.stderr);
    let said = format!("40 people, at least {least} in a class");
    assert!(printed(&run).contains(&said), "{said}: {}", printed(&run));
    let json = line(&folder, &format!("{check} --json"));
    let found: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    let report = folder.json("r.json");
    for (at, of_report) in [
        ("/persons/prosecutor/highest", "/risk/highest_reidentification"),
        ("/persons/prosecutor/mean", "/risk/mean_reidentification"),
    ] {
        let (one, other) = (found.pointer(at).unwrap().as_f64(), report.pointer(of_report).unwrap().as_f64());
        assert!((one.unwrap() - other.unwrap()).abs() < 1e-9, "{at}: {one:?}, {other:?}");
    }

    // A release whose classes have five rows of one patient each: k rows, and nobody beside them.
    let (mut fake, mut key) = (String::from("age,ill,class\n"), String::from("row,class\n"));
    for row in 0..200 {
        let class = row / 5 + 1;
        writeln!(fake, "{},{},{class}", 19 + class, ["flu", "gout", "acne", "ulcer"][row % 4]).unwrap();
        writeln!(key, "{row},{class}").unwrap();
    }
    folder.write("out.csv", fake);
    folder.write("fake.csv", key);
    assert_eq!(fewest(&folder, "fake.csv"), 1);
    let flags = "--quasi age --sensitive ill --model k-anonymity --k 5 --rows-are events-of=patient_id";
    for told in ["--config c.json", flags] {
        let run = line(&folder, &format!("check out.csv {told} --original in.csv --classes fake.csv"));
        assert_eq!(run.code, Some(1), "{}{}", printed(&run), run.stderr);
        let failed = "FAILS  people by \"patient_id\": 40 people, at least 1 in a class";
        assert!(printed(&run).contains(failed), "{}", printed(&run));
        assert!(printed(&run).contains("prosecutor risk of a person: highest 1.0000"), "{}", printed(&run));
    }
    // The published table alone does not say whose rows they are.
    let run = line(&folder, "check out.csv --config c.json");
    assert_eq!(run.code, Some(2), "{}", printed(&run));
    assert!(run.stderr.contains("--original, --classes"), "{}", run.stderr);
}

#[test]
fn a_value_that_all_persons_of_a_group_have_is_warned_of() {
    let warned = |folder: &Folder| {
        let report = folder.json("r.json");
        let all = report["warnings"].as_array().unwrap().iter();
        all.map(|warning| warning["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join("\n")
    };
    // Everybody has hypertension in one of its rows; no group of rows has one value alone.
    let folder =
        released(&visits(|row| if row % 5 == 0 { "hypertension" } else { ["flu", "gout"][row % 2] }));
    let report = folder.json("r.json");
    assert_eq!(report["risk"]["highest_attribute_disclosure"], 1.0);
    assert!(warned(&folder).contains("all people with a known value of \"ill\" have one value in common"));
    let folder = released(&visits(|row| ["flu", "gout", "acne", "ulcer", "gout"][row / 5 % 5]));
    assert!(!warned(&folder).contains("one and the same"), "{}", warned(&folder));
}

/// `HIV` and `hiv` are one illness to whoever reads them.
#[test]
fn values_that_people_read_as_one_are_warned_of_everywhere() {
    let mut text = String::from("id,age,ill\n");
    for row in 0..60 {
        writeln!(text, "P{row},{},{}", 20 + row, ["HIV", "hiv", "Flu"][row % 3]).unwrap();
    }
    let folder = Folder::new();
    folder.write("in.csv", &text);
    for run in [
        "anonymize in.csv --quasi age --sensitive ill --model k-anonymity --k 3 --rows-are people",
        "anonymize in.csv --quasi age --sensitive ill --model m-invariance --m 2 --rows-are people",
        "republish in.csv --ledger l.json --begin --id id --quasi age --sensitive ill --m 2 --mode m-invariance",
    ] {
        let told = line(&folder, &format!("{run} --seed 1 --effort 0 -o out.csv --report r.json"));
        assert_eq!(told.code, Some(0), "{}", told.stderr);
        let report = folder.json("r.json");
        let warnings = report["warnings"].to_string();
        assert!(warnings.contains("write them alike"), "{run}: {warnings}");
        assert!(told.stderr.contains("write them alike"), "{run}: {}", told.stderr);
    }
}

/// Whoever knows both rows of a patient is left with those who have rows in both classes.
#[test]
fn a_person_in_two_classes_fails() {
    let folder = Folder::new();
    folder.write("in.csv", "id,age,ill\na,20,flu\nb,21,gout\na,40,flu\nc,41,acne\n");
    folder.write("out.csv", "age,ill,class\n[20-21],flu,1\n[20-21],gout,1\n[40-41],acne,2\n[40-41],flu,2\n");
    folder.write("k.csv", "row,class\n0,1\n1,1\n2,2\n3,2\n");
    let check =
        "check out.csv --quasi age --sensitive ill --rows-are events-of=id --original in.csv --classes k.csv";
    for model in ["--model k-anonymity --k 2", "--model m-uniqueness --m 2", "--model l-diversity --l 2"] {
        let run = line(&folder, &format!("{check} {model}"));
        assert_eq!(run.code, Some(1), "{model}: {}{}", printed(&run), run.stderr);
        let failed =
            "FAILS  all rows of a person are in one class: 1 of 3 people with rows in more than one class";
        assert!(printed(&run).contains(failed), "{}", printed(&run));
    }
}

/// The key says which rows are in which class: it has to be that of the table.
#[test]
fn another_linking_key_fails() {
    let folder = released(&visits(|row| ["flu", "gout", "acne", "ulcer"][row % 4]));
    let (_, links) = parse(&folder.read("k.csv"));
    let key = |change: &dyn Fn(usize, &str) -> String| {
        let rows = links.iter().map(|link| {
            let row: usize = link[0].parse().unwrap();
            format!("{row},{}\n", change(row, &link[1]))
        });
        format!("row,class\n{}", rows.collect::<Vec<_>>().concat())
    };
    let checked = |name: &str| {
        let run = line(&folder, &format!("check out.csv --config c.json --original in.csv --classes {name}"));
        (run.code, printed(&run).to_owned())
    };
    let failed = "FAILS  the linking key fits the published rows";
    // A row of the first patient that is said to be unpublished hides that its other rows are elsewhere.
    let other = links.iter().map(|link| link[1].clone()).find(|class| *class != links[0][1]).unwrap();
    folder.write("hidden.csv", key(&|row, class| if row == 0 { String::new() } else { class.to_owned() }));
    // All rows of a patient in another class.
    folder.write("moved.csv", key(&|row, class| if row < 5 { other.clone() } else { class.to_owned() }));
    for name in ["hidden.csv", "moved.csv"] {
        let (code, told) = checked(name);
        assert_eq!(code, Some(1), "{told}");
        assert!(told.contains(failed), "{told}");
    }
    // A published row less than the key has.
    let published = folder.text("out.csv");
    folder.write("out.csv", published.lines().take(200).collect::<Vec<_>>().join("\n") + "\n");
    let (code, told) = checked("k.csv");
    assert!(code == Some(1) && told.contains(failed), "{told}");
    folder.write("out.csv", &published);
    assert_eq!(checked("k.csv").0, Some(0));
    // A patient without a key is nobody.
    folder.write("in.csv", folder.text("in.csv").replace("P003", "-"));
    let run = line(&folder, "check out.csv --config c.json --original in.csv --classes k.csv");
    assert_eq!(run.code, Some(2), "{}", printed(&run));
    assert!(
        run.stderr.contains("the key of a person, \"patient_id\", is missing in 5 of 200 rows"),
        "{}",
        run.stderr
    );
}

#[test]
fn without_persons_too() {
    let folder = Folder::new();
    let rows = (0..40)
        .map(|row| format!("{},{}\n", 20 + row, ["flu", "gout"][row % 2]))
        .collect::<Vec<_>>()
        .concat();
    folder.write("in.csv", format!("age,ill\n{rows}"));
    let run = "anonymize in.csv --quasi age --sensitive ill --model k-anonymity --k 4 --seed 1 --effort 1 -o out.csv --classes k.csv";
    folder.succeed(&run.split(' ').collect::<Vec<_>>());
    let check = "check out.csv --quasi age --sensitive ill --model k-anonymity --k 2 --original in.csv --classes k.csv";
    let run = line(&folder, check);
    assert!(run.code == Some(0) && printed(&run).contains("40 rows published, 0 not"), "{}", printed(&run));
    let published = folder.text("out.csv");
    // A value that was changed leaves each class its rows and its guarantee.
    let changed = published.replacen(",flu,", ",gout,", 1);
    assert_ne!(changed, published);
    folder.write("out.csv", changed);
    let run = line(&folder, check);
    assert_eq!(run.code, Some(1), "{}", printed(&run));
    assert!(printed(&run).contains("holds  the linking key fits the published rows"), "{}", printed(&run));
    for said in [
        "FAILS  each class has the sensitive values of the original's rows: 1 of",
        "'gout', the first is row",
        "with 'flu' by the linking key, the first is row",
    ] {
        assert!(printed(&run).contains(said), "{said}: {}", printed(&run));
    }
    let json = line(&folder, &format!("{check} --json"));
    let found: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(found["sensitive_values"]["passed"], false);
    folder.write("out.csv", published.lines().take(40).collect::<Vec<_>>().join("\n") + "\n");
    let run = line(&folder, check);
    assert_eq!(run.code, Some(1), "{}", printed(&run));
    assert!(
        printed(&run).contains("1 of")
            && printed(&run).contains("with other rows than the linking key puts there"),
        "{}",
        printed(&run)
    );
}

/// A row that is dropped is nobody's: its key may be missing, in the run and in the check.
#[test]
fn a_key_may_be_missing_where_nothing_is_published() {
    let table = visits(|row| ["flu", "gout", "acne", "ulcer"][row % 4]) + "-,,flu\n";
    let folder = Folder::new();
    folder.write("in.csv", table);
    let run = line(&folder, &format!("{RUN} --missing-quasi drop"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let run = line(&folder, "check out.csv --config c.json --original in.csv --classes k.csv");
    assert_eq!(run.code, Some(0), "{}{}", printed(&run), run.stderr);
    assert!(printed(&run).contains("holds  the linking key fits the published rows"), "{}", printed(&run));
}
