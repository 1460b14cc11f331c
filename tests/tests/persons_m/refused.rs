//! What is refused, and what a check of the published table finds.

use std::{collections::BTreeMap, fmt::Write as _};

use lookalike_tests::program::Folder;

use super::{FLAGS, confirm, line, printed, rows};

/// 24 patients of two visits each with the same illness in both, which two other patients have, too.
fn pairs() -> String {
    let mut text = String::from("patient,age,place,ill\n");
    for row in 0..48 {
        writeln!(text, "p{},{},c,ill {}", row / 2, 20 + row / 2, row / 2 % 8).unwrap();
    }
    text
}

#[test]
fn what_cannot_be_is_refused_with_what_to_do() {
    let folder = Folder::new();
    folder.write("in.csv", pairs());
    let refused = |extra: &str, words: &[&str]| {
        let run = line(&folder, &format!("anonymize in.csv {FLAGS} {extra} -o no.csv"));
        assert!(
            run.code != Some(0) && words.iter().all(|word| run.stderr.contains(word)),
            "{extra}: {}",
            run.stderr
        );
    };
    refused(
        "--m 9",
        &[
            "\"ill 0\" is held by 3 of 24 people",
            "m = 9 allows at most 2",
            "the largest possible m is 8",
            "k-anonymity",
        ],
    );
    for way in ["add", "delete", "hybrid"] {
        refused(
            &format!("--m 3 --eligibility {way}"),
            &["nothing can be added or deleted", "--rows-are events-of=patient", "--eligibility"],
        );
    }
    refused("--m 3 --loss ncp", &["the width of all rows"]);
    refused("--m 3 --method doka-greedy", &["doka-greedy"]);
    refused("--m 3 --certificate c.json", &["certificate"]);
    refused("--m 3 --class-column none", &["class by class"]);
    // One person with two illnesses links them, with both of their holders.
    folder.write("in.csv", pairs().replacen("p0,20,c,ill 0", "p0,20,c,ill 1", 1));
    refused(
        "--m 5",
        &[
            "2 values of \"ill\", which are linked by people who hold several of them and count as one, are held by 6 of 24 people",
            "m = 5 allows at most 4",
            "the largest possible m is 4",
            "a smaller m",
        ],
    );
    let series = line(
        &folder,
        "republish in.csv --ledger l.json --begin --id patient --rows-are events-of=patient --quasi age --sensitive ill --m 2 --seed 1 -o no.csv",
    );
    assert_ne!(series.code, Some(0));
}

#[test]
fn a_check_counts_the_persons_of_a_value() {
    let folder = Folder::new();
    folder.write("in.csv", pairs());
    let run = line(
        &folder,
        &format!("anonymize in.csv {FLAGS} --m 3 -o out.csv --classes k.csv --save-config c.json"),
    );
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    confirm(&folder, 3);
    let flags = "--quasi age,place --sensitive ill --model m-uniqueness --m 3 --rows-are events-of=patient";
    let check =
        |told: &str| line(&folder, &format!("check out.csv {told} --original in.csv --classes k.csv"));
    for told in ["--config c.json", flags] {
        let run = check(told);
        // Everybody has the illness in two rows, which is no harm.
        assert_eq!(run.code, Some(0), "{}", printed(&run));
        assert!(
            printed(&run).contains("each sensitive value of a class is held by one of its people only"),
            "{}",
            printed(&run)
        );
    }
    // Two persons of a class share a value: in the published file alone, and in the original, too.
    let (source, honest) = (rows(&folder.read("in.csv")), folder.read("out.csv"));
    let links = rows(&folder.read("k.csv"));
    let of_class: Vec<&BTreeMap<String, String>> =
        links.iter().zip(&source).filter(|(link, _)| link["class"] == "1").map(|(_, row)| row).collect();
    let (one, other) = (of_class[0], of_class.iter().find(|row| row["ill"] != of_class[0]["ill"]).unwrap());
    let text = String::from_utf8(honest.clone()).unwrap();
    let shared: Vec<String> = text
        .lines()
        .map(|line| {
            let first = line.ends_with(",1") || line.contains(",1,");
            if first {
                line.replace(&format!(",{}", other["ill"]), &format!(",{}", one["ill"]))
            } else {
                line.to_owned()
            }
        })
        .collect();
    folder.write("out.csv", shared.join("\n") + "\n");
    assert_ne!(folder.read("out.csv"), honest);
    for told in ["--config c.json", flags] {
        let run = check(told);
        assert_eq!(run.code, Some(1), "{}", printed(&run));
        assert!(
            printed(&run).contains("FAILS  sensitive values of people")
                && printed(&run).contains("1 class with other values"),
            "{}",
            printed(&run)
        );
    }
    let both = String::from_utf8(folder.read("in.csv")).unwrap();
    let both: Vec<String> = both
        .lines()
        .map(|line| {
            let theirs = line.starts_with(&format!("{},", other["patient"]));
            if theirs { line.replace(&other["ill"], &one["ill"]) } else { line.to_owned() }
        })
        .collect();
    folder.write("in.csv", both.join("\n") + "\n");
    let run = check(flags);
    assert_eq!(run.code, Some(1), "{}", printed(&run));
    assert!(
        printed(&run).contains("1 of ")
            && printed(&run).contains("with a sensitive value that two people hold"),
        "{}",
        printed(&run)
    );
    let json = line(&folder, &format!("check out.csv {flags} --original in.csv --classes k.csv --json"));
    let found: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(found["passed"], false);
    assert_eq!(found["persons"]["values"]["classes_with_a_shared_value"], 1);
    assert_eq!(found["persons"]["values"]["classes_with_other_values"], 0);
}
