//! A saved configuration reads the next delivery of a table as the first one was read, or says what is not so any more.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::fmt::Write as _;

use lookalike_tests::program::{Folder, Run};
use serde_json::{Value, json};

/// Ages, days and wards of 60 stays, with these cells of the first stay.
fn stays([age, day, ward]: [&str; 3], last_day: u32) -> String {
    let mut text = format!("age,admitted,ward,illness\n{age},{day},{ward},flu\n");
    for i in 1..60_u32 {
        let (day, month) = (1 + i * 7 % last_day, 1 + i % 12);
        let ward = ["A1", "A2", "B1"][i as usize % 3];
        let illness = ["flu", "gout", "acne", "ulcer"][i as usize % 4];
        writeln!(text, "{},{day:02}/{month:02}/2024,{ward},{illness}", 20 + i * 13 % 50).unwrap();
    }
    text
}

fn line(folder: &Folder, line: &str) -> Run {
    folder.run(&line.split_whitespace().collect::<Vec<_>>())
}

/// The first delivery, published and saved; its days tell that the day comes first.
fn first() -> Folder {
    let folder = Folder::new();
    folder.write("first.csv", stays(["37", "31/12/2024", "A1"], 28));
    let run = line(
        &folder,
        "anonymize first.csv --quasi age,admitted,ward --sensitive illness --model m-invariance --m 2 --eligibility add \
         --seed 1 --effort 0 --rows-are people -o first-out.csv --save-config c.json",
    );
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    folder
}

/// Anonymizes another delivery as the configuration says.
fn next(folder: &Folder, delivery: &str) -> Run {
    folder.write("next.csv", delivery);
    line(folder, "anonymize next.csv --config c.json --seed 1 -o out.csv")
}

#[test]
fn a_configuration_pins_the_kinds_that_were_found() {
    let folder = first();
    let fields = folder.json("c.json")["fields"].clone();
    let field = |name: &str| -> Value {
        fields.as_array().unwrap().iter().find(|field| field["name"] == name).unwrap().clone()
    };
    assert_eq!(field("age")["type"], "integer");
    assert_eq!(field("ward")["type"], "string");
    assert_eq!(field("admitted")["lookalike"], json!({ "role": "quasi-identifier", "kind": "date-dmy" }));
    assert!(field("illness").get("type").is_none());
    // The same delivery: the same bytes, and the same configuration.
    let again = line(&folder, "anonymize first.csv --config c.json --seed 1 -o out.csv --save-config d.json");
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert_eq!(folder.text("out.csv"), folder.text("first-out.csv"));
    assert_eq!(folder.text("d.json"), folder.text("c.json"));
}

/// The first of the published cells of a column.
fn cells(published: &str, column: &str) -> Vec<String> {
    let names: Vec<&str> = published.lines().next().unwrap().split(',').collect();
    let at = names.iter().position(|name| *name == column).unwrap();
    let mut rows = csv::Reader::from_reader(published.as_bytes());
    rows.records().map(|row| row.unwrap()[at].to_owned()).collect()
}

/// All of its days are no later than the twelfth: without what was found before, nobody knows which is the month.
#[test]
fn a_delivery_that_leaves_the_order_of_days_open_is_read_as_the_one_before() {
    let folder = first();
    let delivery = stays(["37", "02/12/2024", "A1"], 12);
    let run = next(&folder, &delivery);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    // Day first: the ends of a range are in order as such.
    let mut ranges = 0;
    for cell in cells(&folder.text("out.csv"), "admitted") {
        if let Some((from, to)) = cell.trim_matches(['[', ']']).split_once(" - ") {
            let key = |date: &str| date.split('/').rev().map(str::to_owned).collect::<Vec<_>>();
            assert!(key(from) <= key(to), "{cell}");
            ranges += 1;
        }
    }
    assert!(ranges > 20, "{}", folder.text("out.csv"));
    // Without it the file is a question.
    let mut config = folder.json("c.json");
    let fields = config["fields"].as_array_mut().unwrap();
    let admitted = fields.iter_mut().find(|field| field["name"] == "admitted").unwrap();
    *admitted = json!({ "name": "admitted", "lookalike": { "role": "quasi-identifier" } });
    folder.write("c.json", config.to_string());
    let run = next(&folder, &delivery);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
}

/// What would have been another kind is a refusal with row and cell, and nothing is published.
#[test]
fn a_delivery_of_another_kind_is_refused_where_it_is_one() {
    let folder = first();
    for (cells, said) in [
        (["37.5", "31/12/2024", "A1"], ["\"age\"", "row 1", "37.5"]),
        (["about 40", "31/12/2024", "A1"], ["\"age\"", "row 1", "about 40"]),
        (["37", "12/31/2024", "A1"], ["\"admitted\"", "row 1", "12/31/2024"]),
        (["37", "in May", "A1"], ["\"admitted\"", "row 1", "in May"]),
    ] {
        let run = next(&folder, &stays(cells, 28));
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(said.iter().all(|part| run.stderr.contains(part)), "{said:?}: {}", run.stderr);
        assert!(!folder.names().contains(&String::from("out.csv")));
    }
    // A flag says another kind.
    folder.write("next.csv", stays(["37.5", "31/12/2024", "A1"], 28));
    let run = line(&folder, "anonymize next.csv --config c.json --kind age=real --seed 1 -o out.csv");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

/// Wards that happen to be numbers are labels still: no range of wards is published.
#[test]
fn labels_stay_labels() {
    let folder = first();
    let delivery = stays(["37", "31/12/2024", "A1"], 28).replace(",A", ",1").replace(",B", ",2");
    let run = next(&folder, &delivery);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let wards = cells(&folder.text("out.csv"), "ward");
    assert!(wards.iter().any(|ward| ward.starts_with('{')), "{wards:?}");
    assert!(!wards.iter().any(|ward| ward.starts_with('[')), "{wards:?}");
}

/// Out of core and in a series, too.
#[test]
fn all_ways_pin() {
    let folder = first();
    let run = line(
        &folder,
        "anonymize first.csv --quasi age,admitted,ward --sensitive illness --model k-anonymity --k 3 --seed 1 --effort 0 \
         --rows-are people --out-of-core . -o large.csv --save-config large.json",
    );
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(folder.json("large.json")["fields"][0]["type"], "integer");
    assert_eq!(folder.json("large.json")["fields"][1]["lookalike"]["kind"], "date-dmy");

    let with_id = |text: &str| {
        let rows = text.lines().enumerate();
        let row =
            |(i, row): (usize, &str)| if i == 0 { format!("id,{row}\n") } else { format!("P{i},{row}\n") };
        rows.map(row).collect::<Vec<_>>().concat()
    };
    folder.write("1.csv", with_id(&stays(["37", "31/12/2024", "A1"], 28)));
    folder.write("2.csv", with_id(&stays(["37", "02/12/2024", "A1"], 12)));
    folder.write("3.csv", with_id(&stays(["37.5", "02/12/2024", "A1"], 12)));
    let first = line(
        &folder,
        "republish 1.csv --begin --id id --quasi age,admitted,ward --sensitive illness --m 2 --mode m-invariance --seed 1 --effort 0 --ledger l.json \
         -o r1.csv",
    );
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    let more = "--ledger l.json --id id --seed 1 --effort 0";
    let third = line(&folder, &format!("republish 3.csv {more} -o r3.csv"));
    assert!(third.code == Some(2) && third.stderr.contains("37.5"), "{}", third.stderr);
    let second = line(&folder, &format!("republish 2.csv {more} -o r2.csv"));
    assert_eq!(second.code, Some(0), "{}", second.stderr);
}

/// A delivery with a header this time: nobody called "age" is published.
#[test]
fn names_of_columns_meet_a_header() {
    let folder = Folder::new();
    let table = stays(["37", "31/12/2024", "A1"], 28);
    let (header, rows) = table.split_once('\n').unwrap();
    folder.write("in.csv", rows);
    let run = line(
        &folder,
        &format!(
            "anonymize in.csv --header no --names {header} --quasi age,ward --model k-anonymity --k 3 --seed 1 --effort 0 \
             --rows-are people -o out.csv --classes k.csv --save-config c.json"
        ),
    );
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let published = folder.text("out.csv");
    folder.write("with.csv", table.as_str());
    let run = line(&folder, "anonymize with.csv --config c.json --seed 1 -o never.csv");
    assert!(
        run.code == Some(2) && run.stderr.contains("'age', 'admitted', 'ward', 'illness'"),
        "{}",
        run.stderr
    );
    let run = line(&folder, "anonymize with.csv --config c.json --header yes --seed 1 -o again.csv");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(folder.text("again.csv"), published);
    // What was published is measured against the table without a header.
    let run = line(&folder, "check out.csv --config c.json --original in.csv --classes k.csv --json");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let run = line(
        &folder,
        "check out.csv --config c.json --original with.csv --original-header yes --classes k.csv --json",
    );
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}
