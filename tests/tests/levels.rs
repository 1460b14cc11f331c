//! One level for a whole column, through the program: release, report, statement, configuration, check, refusals.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::collections::{BTreeMap, BTreeSet};

use lookalike_tests::program::{Folder, Run};

/// Ages, towns in two regions, illnesses; the last person is alone.
fn table() -> String {
    let towns = ["Bath", "Bristol", "Leeds", "York"];
    let row =
        |i: usize| format!("{},{},{}\n", 20 + i * 7 % 23, towns[i % 4], ["flu", "asthma", "ulcer"][i % 3]);
    format!("age,town,illness\n{}81,York,gout\n", (0..60).map(row).collect::<String>())
}

const TOWNS: &str = "Bath;south;*\nBristol;south;*\nLeeds;north;*\nYork;north;*\n";
const K3: &str = "anonymize in.csv --quasi age,town --sensitive illness --model k-anonymity --k 3 --hierarchy town=town.csv \
                  --generate-hierarchy age=interval:5,2,2 --seed 1";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("in.csv", table());
    folder.write("town.csv", TOWNS);
    folder
}

fn run(folder: &Folder, flags: &str) -> Run {
    folder.run(&flags.split_whitespace().collect::<Vec<_>>())
}

fn printed(folder: &Folder, flags: &str) -> String {
    let run = run(folder, flags);
    assert_eq!(run.code, Some(0), "{flags}: {}", run.stderr);
    String::from_utf8(run.stdout).unwrap()
}

fn refused(folder: &Folder, flags: &str) -> String {
    let run = run(folder, flags);
    assert!(run.code.is_some_and(|code| code != 0) && run.stdout.is_empty(), "{flags}: {}", run.stderr);
    run.stderr
}

#[test]
fn every_value_is_published_in_one_way() {
    let folder = folder();
    let flags = format!(
        "{K3} --scheme full-domain --suppress-limit 5% --report report.json --statement statement.html \
         --save-config config.json --classes classes.csv -o out.csv"
    );
    let said = run(&folder, &flags);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    for part in [
        "proven optimal among choices of one level a column",
        "\"age\" ",
        "of 15 looked at",
        "1 record suppressed",
    ] {
        assert!(said.stderr.contains(part), "{part}: {}", said.stderr);
    }
    let report = folder.json("report.json");
    let levels = &report["full_domain"];
    assert_eq!((&levels["complete"], &levels["suppressed"]), (&true.into(), &1.into()));
    assert_eq!((&levels["most_suppressed"], &levels["nodes"]), (&3.into(), &15.into()), "5 % of 61");
    assert_eq!(levels["bound"], levels["cost"]);
    assert_eq!((&report["audit"]["passed"], &report["bound"]), (&true.into(), &serde_json::Value::Null));

    // By the linking key each value of the input is one label everywhere, and groups have three rows at least.
    let input = folder.text("in.csv");
    let out = folder.text("out.csv");
    let key = folder.text("classes.csv");
    let mut of_class: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
    for line in out.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        of_class
            .entry(cells[3])
            .or_default()
            .insert(line.rsplit_once(',').unwrap().0.rsplit_once(',').unwrap().0);
        *groups.entry(line.rsplit_once(',').unwrap().0.rsplit_once(',').unwrap().0).or_default() += 1;
    }
    assert!(groups.values().all(|&rows| rows >= 3), "{groups:?}");
    assert!(of_class.values().all(|labels| labels.len() == 1));
    let mut published: BTreeMap<(usize, &str), BTreeSet<&str>> = BTreeMap::new();
    let mut gone = 0;
    for (line, linked) in input.lines().skip(1).zip(key.lines().skip(1)) {
        let class = linked.split(',').nth(1).unwrap();
        let Some(labels) = of_class.get(class).and_then(|labels| labels.iter().next()) else {
            gone += 1;
            continue;
        };
        for (column, (value, label)) in line.split(',').zip(labels.split(',')).enumerate() {
            published.entry((column, value)).or_default().insert(label);
        }
    }
    assert_eq!(gone, 1);
    assert!(published.values().all(|labels| labels.len() == 1), "{published:?}");

    // The statement says what was chosen and what is proven, and of what.
    let statement = folder.text("statement.html");
    for part in [
        "Level of each column",
        "no other choice of one level a column costs less",
        "whose groups at the levels",
    ] {
        assert!(statement.contains(part), "{part}");
    }

    // The configuration says the same again, and `check` reads the release by it.
    let again = printed(&folder, "anonymize in.csv --config config.json --seed 1");
    assert_eq!(again, out);
    assert_eq!(folder.json("config.json")["lookalike"]["scheme"], "full-domain");
    assert_eq!(folder.json("config.json")["lookalike"]["suppress"]["share"], 0.05);
    printed(&folder, "check out.csv --config config.json --original in.csv --classes classes.csv");
    let k4 = run(&folder, "check out.csv --quasi age,town --sensitive illness --model k-anonymity --k 60");
    assert_ne!(k4.code, Some(0), "{}", k4.stderr);
    // A flag overrules the file.
    let classes = printed(
        &folder,
        "anonymize in.csv --config config.json --seed 1 --scheme classes --publish hierarchy --suppress-price 1",
    );
    assert_ne!(classes, out);
}

#[test]
fn levels_lose_no_less_than_classes_and_do_not_depend_on_threads_or_seed() {
    let folder = folder();
    let loss = |flags: &str| {
        printed(&folder, &format!("{K3} {flags} --report report.json -o out.csv"));
        (folder.json("report.json")["objective"]["value"].as_f64().unwrap(), folder.text("out.csv"))
    };
    let levels = loss("--scheme full-domain");
    let classes = loss("--scheme classes --publish hierarchy --loss ncp");
    assert!(classes.0 <= levels.0, "{} {}", classes.0, levels.0);
    assert_eq!(levels, loss("--scheme full-domain --threads 1"));
    assert_eq!(levels, loss("--scheme full-domain --threads 2 --loss ncp --publish hierarchy"));
    let conditions = loss("--scheme full-domain --distinct-l 3 --t-closeness 0.4");
    assert!(conditions.0 >= levels.0);
}
/// How many rows are published alike in each of these columns, at least.
fn smallest(bytes: &str, columns: &[usize]) -> usize {
    let mut groups: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for row in csv::Reader::from_reader(bytes.as_bytes()).records() {
        let row = row.unwrap();
        *groups.entry(columns.iter().map(|&at| row[at].to_owned()).collect()).or_default() += 1;
    }
    groups.into_values().min().unwrap()
}

#[test]
fn classes_take_sets_with_a_larger_k() {
    let folder = folder();
    let asked =
        "anonymize in.csv --quasi age,town --sensitive illness --model k-anonymity --seed 1 --effort 1";
    let loss = |k: usize, flags: &str| {
        printed(&folder, &format!("{asked} --k {k} {flags} --report report.json -o out.csv"));
        (folder.json("report.json")["objective"]["value"].as_f64().unwrap(), folder.text("out.csv"))
    };
    let (plain, _) = loss(3, "");
    let (all, _) = loss(15, "");
    let with = "--set 15=town --statement statement.html --save-config config.json";
    let (of_set, out) = loss(3, with);
    assert!(plain <= of_set && of_set < all, "{plain} {of_set} {all}");
    assert!(smallest(&out, &[1]) >= 15 && smallest(&out, &[0, 1]) >= 3, "{out}");
    assert_eq!(folder.json("report.json")["sets"][0]["smallest"], smallest(&out, &[1]));
    assert_eq!(loss(3, &format!("{with} --threads 1")).1, out);
    let bound = folder.json("report.json")["bound"]["value"].as_f64().unwrap();
    assert!(0.0 < bound && bound <= of_set, "{bound} {of_set}");
    let statement = folder.text("statement.html");
    assert!(statement.contains("town") && statement.contains("some of two sets"), "{statement}");
    assert_eq!(printed(&folder, "anonymize in.csv --config config.json --seed 1"), out);
    printed(&folder, "check out.csv --config config.json");
    let more = format!("check out.csv --quasi age,town --set {}=town", smallest(&out, &[1]) + 1);
    assert_ne!(run(&folder, &more).code, Some(0));
    for (flags, said) in [
        ("--set 15=town --worker http://127.0.0.1:9", "--worker"),
        ("--set 15=town --set 20=town,age", "town"),
        ("--set 15=town --suppress-price 0.5", "--suppress-price"),
        ("--set 15=town --certificate c.json", "ertificate"),
        ("--set 3=town", "3"),
        ("--set 62=town", "62"),
    ] {
        let told = refused(&folder, &format!("{asked} --k 3 {flags}"));
        assert!(told.contains(said), "{flags}: {told}");
    }
}

#[test]
fn what_does_not_go_with_it_is_refused() {
    let folder = folder();
    for (flags, said) in [
        ("--scheme full-domain --worker http://127.0.0.1:9", "--worker"),
        ("--scheme full-domain --loss sse", "--loss ncp"),
        ("--scheme full-domain --method annealing", "--method auto"),
        ("--scheme full-domain --certificate c.json", "a certificate"),
        ("--scheme full-domain --publish set", "--publish"),
        ("--scheme full-domain --suppress-price 0.5", "below 1"),
        ("--scheme full-domain --suppress-limit 5% --t-closeness 0.3", "t-closeness"),
        ("--scheme full-domain --suppress-limit 120%", "120"),
    ] {
        let told = refused(&folder, &format!("{K3} {flags}"));
        assert!(told.contains(said), "{flags}: {told}");
    }
    let m = "anonymize in.csv --quasi age,town --sensitive illness --model m-invariance --m 2 --hierarchy town=town.csv \
             --generate-hierarchy age=interval:5 --scheme full-domain";
    assert!(refused(&folder, m).contains("m-invariance"));
    let large = "anonymize in.csv --quasi town --sensitive illness --model k-anonymity --k 3 --scheme full-domain \
                 --hierarchy town=town.csv --out-of-core . -o large.csv";
    assert!(refused(&folder, large).contains("larger than memory"));
    let numbers = "anonymize in.csv --quasi age,town --model k-anonymity --k 3 --scheme full-domain";
    assert!(refused(&folder, numbers).contains("--generate-hierarchy"));
}
