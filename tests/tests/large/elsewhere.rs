//! Blocks as jobs of a worker, and bounds of blocks.

use lookalike_tests::{server::Server, tables::people};

use super::{RUN, folder, publish};

/// What a run with these flags publishes, and its linking key.
fn both(table: &str, more: &[&str]) -> [Vec<u8>; 2] {
    let folder = folder(table);
    let out = publish(&folder, &[more, &["--classes", "classes.csv", "--report", "report.json"]].concat());
    [out, folder.read("classes.csv")]
}

#[test]
fn the_same_bytes_with_a_worker() {
    let server = Server::start(&[]);
    let text = people(500);
    let alone = both(&text, &[]);
    assert_eq!(both(&text, &["--worker", &server.url()]), alone);
    let metrics = server.get("/metrics").text();
    let jobs = metrics.lines().filter(|line| line.starts_with("lookalike_jobs") && line.contains("done"));
    let jobs: u64 = jobs.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok()).sum();
    assert!(jobs > 20, "each block is a job: {metrics}");
}

/// Many jobs are one transfer, which the private record names; the statement is of the published file.
#[test]
fn all_that_was_sent_to_a_worker_is_counted() {
    let server = Server::start(&[]);
    let folder = folder(&people(200));
    let flags = [
        "--effort",
        "0",
        "--private",
        "p.json",
        "--report",
        "r.json",
        "--statement",
        "s.html",
        "-o",
        "out.csv",
    ];
    folder.succeed(&[&RUN[..], &flags, &["--worker", &server.url()]].concat());
    let sent = &folder.json("p.json")["sent"];
    assert_eq!(sent["to"], server.url().as_str());
    assert!(sent["messages"].as_u64() > Some(5) && sent["bytes"].as_u64() > Some(1000), "{sent}");
    assert_eq!(folder.json("r.json")["searched"], "worker");
    let statement = folder.text("s.html");
    for file in ["out.csv", "r.json"] {
        let bytes = folder.read(file);
        let digest = lookalike_core::statement::NamedFile::of(None, &bytes).sha256;
        assert!(statement.contains(&digest), "{file}: {digest} is not in {statement}");
    }
    assert!(statement.contains(&server.url()), "{statement}");
}

/// The sum of the blocks' bounds says nothing of the whole table.
#[test]
fn the_bound_of_column_generation_is_that_of_the_decomposed_problem() {
    let server = Server::start(&[]);
    let text = people(120);
    let reports = [&[][..], &["--worker", &server.url()]].map(|more| {
        let folder = folder(&text);
        let flags =
            ["--method", "column-generation", "--effort", "0.2", "-o", "out.csv", "--report", "report.json"];
        folder.succeed(&[&RUN[..], &flags, more].concat());
        folder.json("report.json")
    });
    let bound = &reports[0]["bound"];
    assert_eq!(bound["of"], "decomposed problem", "{bound}");
    let described = serde_json::from_str(include_str!("../../../docs/report.schema.json")).unwrap();
    super::schema::check(&reports[0], &described, "report");
    let (value, loss) =
        (bound["value"].as_f64().unwrap(), reports[0]["objective"]["value"].as_f64().unwrap());
    assert!(0.0 < value && value <= loss, "{value} {loss}");
    // Of a worker's bounds this machine has checked none: their sum is a claim. What it proves itself is of the whole table.
    assert!(reports[0]["claimed"].is_null());
    is_of_the_whole(&reports[1]);
    let claimed = reports[1]["claimed"]["bound"].as_f64().unwrap();
    assert!((claimed - value).abs() <= 1e-9 * value, "{claimed} {value}");
    assert_eq!(reports[1]["claimed"]["of"], "decomposed problem");
    super::schema::check(&reports[1], &described, "report of a worker");
    assert_eq!(reports[0]["objective"], reports[1]["objective"]);
    // A heuristic proves nothing of its blocks.
    let folder = folder(&text);
    folder.succeed(&[&RUN[..], &["--effort", "1", "-o", "out.csv", "--report", "report.json"]].concat());
    is_of_the_whole(&folder.json("report.json"));
    let off = ["--effort", "1", "--bound", "off", "-o", "off.csv", "--report", "off.json"];
    folder.succeed(&[&RUN[..], &off].concat());
    assert!(folder.json("off.json")["bound"].is_null());
    assert_eq!(folder.read("off.csv"), folder.read("out.csv"));
}

/// What any classes of the whole table lose at the least is more than nothing, and no more than these lose.
#[track_caller]
fn is_of_the_whole(report: &serde_json::Value) {
    let (bound, loss) = (&report["bound"], report["objective"]["value"].as_f64().unwrap());
    assert_eq!(bound["of"], "whole problem", "{bound}");
    let value = bound["value"].as_f64().unwrap();
    assert!(0.0 < value && value <= loss, "{value} {loss}");
}
