//! Hierarchies, forms by column, top and bottom coding, through the program.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use lookalike_tests::{
    program::{Folder, Run},
    tables::{assert_release, parse, patients},
};

const TABLE: &str = "zip,age,disease\n22071,34,flu\n22079,37,asthma\n22083,41,ulcer\n10115,62,flu\n\
                     10117,68,asthma\n10119,93,ulcer\n";
const TREE: &str = "10115;1011*;101**;10***;1****;*****\n10117;1011*;101**;10***;1****;*****\n\
                    10119;1011*;101**;10***;1****;*****\n22071;2207*;220**;22***;2****;*****\n\
                    22079;2207*;220**;22***;2****;*****\n22083;2208*;220**;22***;2****;*****\n";
const M3: &str = "anonymize in.csv --quasi zip,age --kind zip=category --sensitive disease --model m-invariance --m 3 --seed 1";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("in.csv", TABLE);
    folder.write("zip.csv", TREE);
    folder
}

fn run(folder: &Folder, flags: &str) -> Run {
    folder.run(&flags.split(' ').collect::<Vec<_>>())
}

fn printed(folder: &Folder, flags: &str) -> String {
    let run = run(folder, flags);
    assert_eq!(run.code, Some(0), "{flags}: {}", run.stderr);
    String::from_utf8(run.stdout).unwrap()
}

#[test]
fn a_hierarchy_is_made_edited_and_published() {
    let folder = folder();
    assert_eq!(printed(&folder, "hierarchy in.csv --column zip --generate prefix"), TREE);
    printed(&folder, "hierarchy in.csv --column zip --generate prefix -o made.csv");
    assert_eq!(folder.text("made.csv"), TREE);
    folder.write("edited.csv", TREE.replace("220**", "south").replace("101**", "north"));

    let flags = format!("{M3} --hierarchy zip=edited.csv --publish-column zip=hierarchy --top age=90");
    let published = printed(&folder, &format!("{flags} --report report.json --private private.json"));
    assert_eq!(
        published,
        "zip,age,disease,class\n1011*,>=62,asthma,1\n1011*,>=62,flu,1\n1011*,>=62,ulcer,1\n\
         south,[34-41],asthma,2\nsouth,[34-41],flu,2\nsouth,[34-41],ulcer,2\n"
    );
    assert_release(published.as_bytes(), Some("disease"), 3);
    let report = folder.json("report.json");
    assert_eq!(report["audit"]["passed"], true);
    let warnings = report["warnings"].to_string();
    assert!(warnings.contains("90 and more is published as >=90"), "{warnings}");

    // What was said is saved, and says the same again.
    printed(&folder, &format!("{flags} -o out.csv --save-config config.json"));
    assert_eq!(printed(&folder, "anonymize in.csv --config config.json --seed 1"), published);
    assert!(folder.text("config.json").contains("south"));
}

#[test]
fn generators() {
    let folder = folder();
    let first = |flags: &str| printed(&folder, flags).lines().next().unwrap().to_owned();
    assert_eq!(
        first("hierarchy in.csv --column age --generate interval:5,2,2:from=20,to=90"),
        "34;[30-34];[30-39];[20-39];*"
    );
    assert_eq!(first("hierarchy in.csv --column age --generate order:2"), "34;[34 - 37];*");
    assert_eq!(
        first("hierarchy in.csv --column disease --generate order:2 --order disease=flu<ulcer<asthma"),
        "flu;[flu - ulcer];*"
    );
    folder.write("visits.csv", "day\n31.12.2019\n1.4.2020\n");
    assert_eq!(
        first("hierarchy visits.csv --column day --generate date"),
        "31.12.2019;2019-12;2019-Q4;2019;*"
    );
    // At once, without a file.
    let flags = format!(
        "{M3} --publish hierarchy --generate-hierarchy zip=prefix --generate-hierarchy age=interval:10,2:to=90"
    );
    let published = printed(&folder, &flags);
    assert!(
        published.contains("\n1011*,*,flu,1\n") && published.contains("\n220**,*,flu,2\n"),
        "{published}"
    );
}

#[test]
fn a_larger_table_passes_the_audit() {
    let folder = Folder::new();
    folder.write("in.csv", patients(300));
    let flags = "anonymize in.csv --quasi zip,age,sex --kind zip=category --sensitive disease --model m-invariance --m 4 \
                 --generate-hierarchy zip=prefix --publish-column zip=hierarchy,age=set --top age=80 --bottom age=20 \
                 --effort 1 --seed 3 -o out.csv --report report.json --classes classes.csv";
    let run = folder.run(&flags.split_whitespace().collect::<Vec<_>>());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(folder.json("report.json")["audit"]["passed"], true);
    let out = folder.read("out.csv");
    assert_eq!(assert_release(&out, Some("disease"), 4), 300);
    let (header, rows) = parse(&out);
    assert_eq!(header, ["age", "sex", "zip", "disease", "class"], "the order of the columns is kept");
    let (_, input) = parse(patients(300).as_bytes());
    let (_, key) = parse(&folder.read("classes.csv"));
    for (original, link) in input.iter().zip(key) {
        let row = rows.iter().find(|row| row[4] == link[1]).unwrap();
        let age: u32 = original[1].parse().unwrap();
        let told = match age {
            80.. => String::from(">=80"),
            ..=20 => String::from("<=20"),
            _ => age.to_string(),
        };
        let set = row[0].trim_start_matches('{').trim_end_matches('}');
        assert!(set.split(", ").any(|element| element == told), "{} lacks {told}", row[0]);
        assert!(original[3].starts_with(row[2].trim_end_matches('*')), "{} for {}", row[2], original[3]);
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = folder();
    folder.write(
        "in.csv",
        TABLE
            .replace("disease\n", "disease,ward\n")
            .replace("flu\n", "flu,A\n")
            .replace("asthma\n", "asthma,B\n")
            .replace("ulcer\n", "ulcer,A\n"),
    );
    folder.write("lacking.csv", TREE.replace("22083;2208*;220**;22***;2****;*****\n", ""));
    folder.write("torn.csv", "10115;a;*\n10117;a;x\n");
    folder.write("empty.csv", "");
    let cases = [
        ("--hierarchy zip=lacking.csv", "lacks the value '22083' (row 3)"),
        ("--hierarchy zip=torn.csv", "torn.csv: row 2 of the hierarchy, column 3"),
        ("--hierarchy zip=empty.csv", "empty.csv: the hierarchy is empty"),
        ("--hierarchy zip=zip.csv --hierarchy zip=zip.csv", "two hierarchies"),
        ("--hierarchy zip=zip.csv --generate-hierarchy zip=prefix", "two hierarchies"),
        ("--hierarchy disease=zip.csv", "--quasi"),
        ("--generate-hierarchy ward=prefix", "name it in --quasi"),
        ("--generate-hierarchy size=prefix", "no column \"size\""),
        ("--generate-hierarchy zip=date", "not read as dates"),
        ("--generate-hierarchy zip=roman", "not a generator"),
        ("--generate-hierarchy age=interval:5", "--publish-column age=hierarchy"),
        ("--publish hierarchy", "--generate-hierarchy"),
        ("--publish-column age=hierarchy", "has none"),
        ("--publish-column age=box", "range, min-max, min-max-mid, set, centroid or hierarchy"),
        ("--top zip=5", "only quasi-identifiers that hold numbers"),
        ("--top age=old", "which is not a number"),
        ("--top age=20 --bottom age=90", "must lie below"),
        ("--top size=5", "no column \"size\""),
    ];
    for (flags, text) in cases {
        let run = run(&folder, &format!("{M3} {flags} -o out.csv"));
        assert_eq!(run.code, Some(2), "{flags}: {}", run.stderr);
        assert!(run.stderr.contains(text), "{flags}: {}", run.stderr);
        assert!(run.stdout.is_empty() && !folder.names().contains(&String::from("out.csv")), "{flags}");
    }
    let missing = run(&folder, &format!("{M3} --hierarchy zip=none.csv"));
    assert_eq!(missing.code, Some(4), "{}", missing.stderr);
    let same = run(&folder, "hierarchy in.csv --column zip --generate prefix -o in.csv");
    assert_eq!(same.code, Some(2), "{}", same.stderr);
    assert_eq!(
        printed(&folder, &format!("{M3} --hierarchy zip=zip.csv --publish hierarchy")).lines().count(),
        7
    );
}
