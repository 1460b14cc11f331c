//! The general programme of Liang 2020 as a method: the paper's 20 records are proven, here and by a worker, and what it does
//! not know is refused in the words of the command line.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use lookalike_tests::{program::Folder, server::Server};

/// The paper's table 2a.
const FARS: &str = "age,sex,injury,drinking\n64,2,4,0\n29,1,0,0\n42,2,0,0\n41,2,4,1\n53,1,2,1\n59,1,4,0\n49,1,4,0\n59,1,2,0\n\
    80,1,4,0\n50,1,4,0\n64,1,3,0\n55,1,0,0\n25,1,0,0\n42,1,4,0\n33,1,2,0\n31,2,2,0\n68,1,3,0\n20,2,4,0\n40,1,4,1\n18,1,4,0\n";

/// The optimum in the paper's unit, a sum over attributes of weight 1.
const OPTIMUM: f64 = 19.266_129;

fn line(more: &str) -> String {
    format!(
        "anonymize in.csv --quasi age,sex,injury,drinking --kind age=number,sex=number,injury=number,drinking=number --model \
         k-anonymity --k 3 --loss ncp --method programme --seed 1 -o out.csv --report r.json --statement s.html {more}"
    )
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("in.csv", FARS);
    folder
}

/// The mean of the published ranges over the whole ones, summed: the loss in the paper's unit, from the bytes alone.
fn published(text: &str) -> f64 {
    let whole = [62.0, 1.0, 4.0, 1.0];
    let width = |cell: &str| {
        let ends: Vec<f64> = cell.trim_matches(['[', ']']).split('-').map(|x| x.parse().unwrap()).collect();
        ends[ends.len() - 1] - ends[0]
    };
    let row = |row: &str| -> f64 { row.split(',').take(4).zip(whole).map(|(cell, w)| width(cell) / w).sum() };
    text.lines().skip(1).map(row).sum()
}

#[test]
fn the_papers_records_are_proven() {
    let folder = folder();
    let line = line("--class-column none");
    let run = folder.succeed(&line.split_whitespace().collect::<Vec<_>>());
    let report = folder.json("r.json");
    assert_eq!(report["status"]["name"], "optimal", "{}", run.stderr);
    // Weights sum to 1 on the command line.
    let bound = report["bound"]["value"].as_f64().unwrap() * 4.0;
    assert!((bound - OPTIMUM).abs() < 1e-5, "{bound}");
    assert!((published(&folder.text("out.csv")) - OPTIMUM).abs() < 1e-5);
    assert!(
        report["bound"]["proven_by"]["text"].as_str().unwrap().contains("over the general programme"),
        "{report}"
    );
    assert!(run.stderr.contains("proven"), "{}", run.stderr);
    assert!(folder.text("s.html").contains("general programme"));
}

#[test]
fn what_a_worker_proves_is_its_claim() {
    let (folder, server) = (folder(), Server::start(&[]));
    let line = line(&format!("--worker {}", server.url()));
    let run = folder.succeed(&line.split_whitespace().collect::<Vec<_>>());
    let report = folder.json("r.json");
    assert_eq!(report["status"]["name"], "optimal-claimed", "{}", run.stderr);
    let claimed = report["claimed"]["bound"].as_f64().unwrap() * 4.0;
    assert!(report["bound"].is_null() && (claimed - OPTIMUM).abs() < 1e-5, "{report}");
    assert!(run.stderr.contains("claimed by the worker, not checked here"), "{}", run.stderr);
}

#[test]
fn what_it_does_not_know_is_refused_with_flags() {
    let folder = folder();
    let refused = |from: &str, to: &str, way: &str| {
        let run = folder.run(&line("").replace(from, to).split_whitespace().collect::<Vec<_>>());
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains(way), "{}", run.stderr);
    };
    refused("--loss ncp", "--loss sse", "--loss ncp");
    refused("--method programme", "--method programme --start mdav", "--start");
    let many: Vec<&str> = FARS.lines().skip(1).cycle().take(101).collect();
    folder.write("in.csv", format!("age,sex,injury,drinking\n{}\n", many.join("\n")));
    refused("--k 3", "--k 3", "at most 100 records");
}
