//! Tables that do not fit into memory, with small ones and tiny blocks.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

mod elsewhere;
mod forms;
mod killed;
#[path = "../../../crates/wire/tests/support/schema.rs"]
mod schema;

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path, process::Command, thread, time::Duration};

use lookalike_core::audit::{Conditions, Guarantee, Question, judge};
use lookalike_tests::{
    program::{Folder, command},
    tables::{assert_release, parse, people},
};

const QUASI: &str = "age,weight,sex,city";

/// The flags of a run out of core with blocks of twenty.
const RUN: [&str; 18] = [
    "anonymize",
    "in.csv",
    "--quasi",
    QUASI,
    "--sensitive",
    "disease",
    "--model",
    "m-invariance",
    "--m",
    "3",
    "--missing-quasi",
    "value",
    "--seed",
    "7",
    "--out-of-core",
    "spill",
    "--block-rows",
    "20",
];

fn folder(table: &str) -> Folder {
    let folder = Folder::new();
    folder.write("in.csv", table);
    fs::create_dir(folder.path().join("spill")).unwrap();
    folder
}

/// The published bytes of a run with blocks of twenty; nothing may be left in the folder.
fn publish(folder: &Folder, more: &[&str]) -> Vec<u8> {
    publish_blocks(folder, "20", more)
}

fn publish_blocks(folder: &Folder, rows: &str, more: &[&str]) -> Vec<u8> {
    let args = [&RUN[..17], &[rows, "--effort", "1", "-o", "out.csv"], more].concat();
    folder.succeed(&args);
    assert_eq!(fs::read_dir(folder.path().join("spill")).unwrap().count(), 0, "all is removed");
    folder.read("out.csv")
}

#[test]
fn every_row_once_in_an_admissible_class() {
    let text = people(700);
    let folder = folder(&text);
    let out = publish(
        &folder,
        &["--report", "report.json", "--classes", "classes.csv", "--private", "private.json"],
    );
    assert_eq!(assert_release(&out, Some("disease"), 3), 700);
    let question = Question {
        quasi: QUASI.split(',').map(String::from).collect(),
        sensitive: Some(String::from("disease")),
        conditions: Conditions::default(),
        guarantee: Guarantee::MUnique { m: 3 },
        class: Some(String::from("class")),
        markers: lookalike_core::table::usual_markers(),
        dialect: lookalike_core::audit::Dialect::PLAIN,
    };
    let verdict = judge(&out, &question).unwrap();
    assert!(verdict.passed, "{:?}", verdict.checks);
    let report = folder.json("report.json");
    let described = serde_json::from_str(include_str!("../../../docs/report.schema.json")).unwrap();
    schema::check(&report, &described, "report");
    let told: Vec<&str> = report["audit"]["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["finding"]["text"].as_str().unwrap())
        .collect();
    let found: Vec<String> = verdict.checks.iter().map(|c| c.finding.to_string()).collect();
    // Beside what the judge says, the stated loss is compared with the published bytes.
    let (last, of_judge) = told.split_last().unwrap();
    assert!(last.starts_with("not computed anew: squared errors"), "{last}");
    assert_eq!(of_judge, found, "the audit of a stream says what that of the whole says");
    let words = report["method"]["explanation"]["text"].as_str().unwrap();
    let blocks: usize = words.split(' ').next().unwrap().parse().unwrap();
    assert!(blocks > 20, "{words}");
    let losses = &report["objective"];
    assert!(losses["sse"].as_f64().unwrap() < losses["sst"].as_f64().unwrap());
    assert!((losses["sst"].as_f64().unwrap() - 700.0 * 4.0).abs() < 1e-6, "four attributes of variance 1");

    // Each row of the input is in the class that covers it.
    let (_, input) = parse(text.as_bytes());
    let (_, links) = parse(&folder.read("classes.csv"));
    let (header, rows) = parse(&out);
    assert_eq!(header, ["age", "weight", "sex", "city", "disease", "class"]);
    let mut classes: BTreeMap<&str, Vec<&Vec<String>>> = BTreeMap::new();
    for row in &rows {
        classes.entry(&row[5]).or_default().push(row);
    }
    assert_eq!(links.len(), 700);
    let mut taken: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (at, link) in links.iter().enumerate() {
        assert_eq!(link[0], at.to_string());
        let class = &classes[link[1].as_str()];
        taken.entry(&link[1]).or_default().push(&input[at][5]);
        for (column, cell) in input[at][1..5].iter().enumerate() {
            assert!(covers(&class[0][column], cell), "{} does not cover {cell}", class[0][column]);
        }
    }
    for (class, mut values) in taken {
        values.sort_unstable();
        let published: Vec<&str> = classes[class].iter().map(|row| row[4].as_str()).collect();
        assert_eq!(values, published, "class {class}");
    }
}

/// Whether a published cell covers a value.
fn covers(published: &str, cell: &str) -> bool {
    if published == cell {
        return true;
    }
    if let Some(range) = published.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let (low, high) = range.split_once('-').unwrap();
        return cell
            .parse::<f64>()
            .is_ok_and(|x| low.parse::<f64>().unwrap() <= x && x <= high.parse::<f64>().unwrap());
    }
    let set = published.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    set.is_some_and(|set| set.split(", ").any(|one| covers(one, cell)))
}

#[test]
fn the_same_bytes_for_any_threads_and_any_order_of_the_rows() {
    let text = people(600);
    let one = publish(&folder(&text), &["--threads", "1"]);
    assert_eq!(one, publish(&folder(&text), &["--threads", "3"]));
    let mut lines: Vec<&str> = text.lines().collect();
    lines[1..].reverse();
    lines[1..].rotate_left(217);
    assert_eq!(one, publish(&folder(&(lines.join("\n") + "\n")), &[]));
    assert_ne!(one, publish_blocks(&folder(&text), "60", &[]));
}

/// One block is the whole table: the loss is about that of the usual way, and the report says the same of the input.
#[test]
fn one_block_is_the_usual_way() {
    for more in [
        &[][..],
        &["--loss", "ncp", "--missing-column", "weight=drop"],
        &["--publish", "centroid"],
        &["--missing-quasi", "drop"],
    ] {
        let folder = folder(&people(400));
        let args = [&RUN[..14], &["--effort", "3", "-o", "in.out.csv", "--report", "in.json"]].concat();
        let args: Vec<&str> = if more.contains(&"drop") {
            args.iter()
                .map(|&a| if a == "value" { "drop" } else { a })
                .chain(more.iter().skip(2).copied())
                .collect()
        } else {
            args.iter().chain(more).copied().collect()
        };
        folder.succeed(&args);
        let at = args.iter().position(|a| *a == "in.out.csv").unwrap();
        let mut large = args.clone();
        (large[at], large[at + 2]) = ("out.csv", "out.json");
        large.extend(["--out-of-core", "spill", "--block-rows", "100000"]);
        folder.succeed(&large);
        let (usual, large) = (folder.json("in.json"), folder.json("out.json"));
        assert_eq!(usual["input"], large["input"]);
        assert_eq!(usual["missing"]["markers"], large["missing"]["markers"]);
        let loss = |report: &serde_json::Value, name: &str| report["objective"][name].as_f64().unwrap();
        assert!((loss(&usual, "sst") - loss(&large, "sst")).abs() < 1e-6);
        // Another seed of the search, the same points: within a tenth.
        let ratio = loss(&large, "value") / loss(&usual, "value");
        assert!((0.9..1.1).contains(&ratio), "{more:?}: {ratio}");
    }
}

#[test]
fn a_sensitive_value_in_one_corner_needs_larger_blocks() {
    // Whoever is below 40 has one of two diseases: such leaves admit no class of three and are put together with others.
    let mut text = String::from("age,disease\n");
    for i in 0..300 {
        let (age, disease) = if i % 3 == 0 { (20 + i / 30, i % 2) } else { (50 + i / 10, 2 + i % 4) };
        writeln!(text, "{age},d{disease}").unwrap();
    }
    let folder = folder(&text);
    let args = RUN.map(|arg| if arg == QUASI { "age" } else { arg });
    folder.succeed(&[&args[..], &["--effort", "1", "-o", "out.csv"]].concat());
    assert_eq!(assert_release(&folder.read("out.csv"), Some("disease"), 3), 300);
}

#[test]
fn k_anonymity_of_packed_text_with_odd_cells() {
    let folder = folder("city;note\n\"a, \"\"b\"\"\";1\na;2\n\"x\ny\";3\na;4\nb;5\nb;6\n");
    let status = Command::new("gzip").arg(folder.path().join("in.csv")).status();
    if !status.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no gzip");
        return;
    }
    let args = [
        "anonymize",
        "in.csv.gz",
        "--quasi",
        "city,note",
        "--kind",
        "note=integer",
        "--model",
        "k-anonymity",
        "--k",
        "2",
        "--seed",
        "1",
        "--out-of-core",
        "spill",
        "--block-rows",
        "2",
        "--output-delimiter",
        "comma",
        "-o",
        "out.csv",
    ];
    folder.succeed(&args);
    assert_eq!(assert_release(&folder.read("out.csv"), None, 2), 6);
}

fn refused(folder: &Folder, args: &[&str], code: i32, words: &str) {
    let run = folder.run(args);
    assert_eq!(run.code, Some(code), "{}", run.stderr);
    assert!(run.stderr.contains(words), "{}", run.stderr);
    assert!(!folder.names().contains(&String::from("out.csv")));
    let spill = folder.path().join("spill");
    assert!(!spill.exists() || fs::read_dir(spill).unwrap().count() == 0, "all is removed");
}

#[test]
fn what_cannot_be_done_is_refused() {
    let folder = folder(&people(300));
    let with = |more: &[&'static str]| [&RUN[..], &["-o", "out.csv"], more].concat();
    for (more, words) in [
        (&["--time-limit", "5s"][..], "a time limit"),
        (&["--eligibility", "add"], "changes for eligibility"),
        (&["--suppress-price", "1"], "suppressed records"),
        (&["--generate-hierarchy", "city=order:2"], "no hierarchy is made"),
    ] {
        let run = folder.run(&with(more));
        assert!(run.stderr.contains(words), "{more:?}: {}", run.stderr);
        assert_eq!(run.code, Some(2));
    }
    refused(&folder, &RUN, 2, "-o OUT.csv");
    let eight: Vec<&str> = with(&[]).into_iter().map(|arg| if arg == "3" { "8" } else { arg }).collect();
    refused(&folder, &eight, 3, "Out of core nothing is changed");
    let elsewhere: Vec<&str> =
        with(&[]).into_iter().map(|arg| if arg == "spill" { "nowhere" } else { arg }).collect();
    refused(&folder, &elsewhere, 4, "nowhere");
    let pipe: Vec<&str> = with(&[]).into_iter().map(|arg| if arg == "in.csv" { "-" } else { arg }).collect();
    refused(&folder, &pipe, 2, "read twice");
    // A cell that does not fit, far down.
    folder.write("in.csv", people(70_000) + "70000,old,50.0,F,Rye,flu\n");
    refused(&folder, &with(&[]), 2, "row 70,001: \"old\"");
    folder.write("in.csv", people(70_000) + "70000,40,50.0,F,Rye,\n");
    let run = folder.run(&with(&[]));
    assert!(run.stderr.contains("row 70,001"), "{}", run.stderr);
}

/// A row that is added between the two times the table is read.
#[test]
fn a_table_that_changes_meanwhile_is_found_out() {
    // Long enough for the row to be there before the end is read.
    let folder = folder(&people(400_000));
    let mut run = folder.start(&[&RUN[..16], &["-o", "out.csv"]].concat());
    run.wait_for("placing all rows");
    let mut file = fs::OpenOptions::new().append(true).open(folder.path().join("in.csv")).unwrap();
    std::io::Write::write_all(&mut file, b"400000,40,50.0,F,Rye,flu\n").unwrap();
    let ended = run.end();
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("changed"), "{}", ended.stderr);
    assert_eq!(fs::read_dir(folder.path().join("spill")).unwrap().count(), 0);
}

/// Stopped in the middle: nothing is written, and nothing is left.
#[test]
fn a_signal_leaves_nothing() {
    let folder = folder(&people(60_000));
    let mut run = folder.start(&[&RUN[..16], &["--effort", "1000", "-o", "out.csv"]].concat());
    run.wait_for("solving blocks");
    run.signal("TERM");
    let ended = run.end();
    assert_eq!(ended.code, Some(143), "{}", ended.stderr);
    assert_eq!(folder.names(), ["in.csv", "spill"]);
    assert_eq!(fs::read_dir(folder.path().join("spill")).unwrap().count(), 0);
}

/// A disk with too little room.
#[test]
fn a_full_disk_is_an_error_that_names_the_file() {
    let folder = folder(&people(60_000));
    let spill = folder.path().join("spill");
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"]).arg(&spill).output();
    if !mounted.as_ref().is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no small disk ({mounted:?})");
        return;
    }
    let run = folder.run(&[&RUN[..16], &["-o", "out.csv"]].concat());
    let left = fs::read_dir(&spill).unwrap().count();
    let _ = Command::new("umount").arg(&spill).status();
    assert_eq!((run.code, left), (Some(4), 0), "{}", run.stderr);
    assert!(run.stderr.contains("leaf-"), "{}", run.stderr);
    assert!(!folder.names().contains(&String::from("out.csv")));
}

/// Most memory that a run had at a time, in kB, by what the system says of it until it ends.
fn peak(folder: &Folder, args: &[&str]) -> u64 {
    let mut child = command().args(args).current_dir(folder.path()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        if let Ok(text) = fs::read_to_string(Path::new(&status)) {
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let now = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
            peak = peak.max(now.unwrap_or(0));
        }
        if let Some(ended) = child.try_wait().unwrap() {
            assert!(ended.success());
            return peak;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Eight times the rows take hardly more memory; the usual way takes several times as much.
#[test]
fn memory_does_not_grow_with_the_rows() {
    if !Path::new("/proc/self/status").exists() {
        eprintln!("skipped: the system does not say how much memory a process has");
        return;
    }
    let run = ["--effort", "0", "--threads", "1", "-o", "out.csv", "--classes", "classes.csv"];
    // Few different points, so that the sample is as small for both.
    let flags = RUN.map(|flag| if flag == QUASI { "age,sex,city" } else { flag });
    let large = [&flags[..16], &["--block-rows", "1000"], &run].concat();
    let (few, many) = (folder(&people(50_000)), folder(&people(400_000)));
    let peaks = [peak(&few, &large), peak(&many, &large), peak(&many, &[&flags[..14], &run].concat())];
    // What is held before it is written, and no more.
    assert!(peaks[1] < peaks[0] + 32_000, "{peaks:?} kB");
    assert!(peaks[2] > 3 * peaks[1], "{peaks:?} kB");
}
