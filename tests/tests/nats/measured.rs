//! A large table by one process, and by workers: bytes, seconds by stage, and the most memory of each process. With
//! `LOOKALIKE_LARGE=10000000` it is as large as that, and its figures are printed:
//!
//!     LOOKALIKE_LARGE=10000000 LOOKALIKE_EFFORT=0.05 cargo test --release -p lookalike-tests --test nats measured -- --nocapture

use std::{
    fs::{self, File},
    io::{BufRead as _, BufReader, BufWriter, Write as _},
    path::Path,
    thread,
    time::{Duration, Instant},
};

use lookalike_tests::{
    nats::{Hand, Nats},
    program::Folder,
};
use serde_json::Value;

/// Workers, of one thread each.
const WORKERS: usize = 2;

/// Rows where nobody asks for more, and the effort then.
const ROWS: u64 = 40_000;
const EFFORT: &str = "0";

/// A generated table: five numeric attributes, of few and of many values, two of which go together, and twelve sensitive
/// values, the most frequent of a sixth of the rows.
fn generate(path: &Path, rows: u64) {
    let mut out = BufWriter::new(File::create(path).unwrap());
    writeln!(out, "age,hours,income,distance,score,disease").unwrap();
    let mut state = 88_172_645_463_325_252_u64;
    let mut draw = |below: u64| {
        // Xorshift (Marsaglia, 2003).
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) % below
    };
    for _ in 0..rows {
        let (age, hours) = (16 + draw(45) + draw(35), 5 * draw(14));
        let income = 900 + 41 * hours + draw(400) * draw(30);
        let (distance, score) = (draw(60) * draw(20), draw(1000) + draw(1000));
        let disease = draw(6) + draw(7);
        writeln!(out, "{age},{hours},{income},{}.{},{score},d{disease}", distance / 10, distance % 10)
            .unwrap();
    }
    out.flush().unwrap();
}

/// Most memory of a process until now, in kB; `None` where the system does not say.
fn peak(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// Runs the program; seconds of the wall clock, most memory of it in kB, and its report.
fn timed(folder: &Folder, effort: &str, out: &str, more: &[&str]) -> (f64, u64, Value) {
    let table =
        ["anonymize", "in.csv", "--quasi", "age,hours,income,distance,score", "--sensitive", "disease"];
    let asked = ["--model", "m-invariance", "--m", "5", "--seed", "1", "--effort", effort];
    let (classes, report) = (format!("{out}.classes"), format!("{out}.json"));
    let files = ["--out-of-core", "spill", "-o", out, "--classes", &classes, "--report", &report];
    let began = Instant::now();
    let mut run = folder.start(&[&table[..], &asked, &files, more].concat());
    let mut most = 0;
    while !run.has_ended() {
        most = most.max(peak(run.id()).unwrap_or(0));
        thread::sleep(Duration::from_millis(20));
    }
    let seconds = began.elapsed().as_secs_f64();
    let ended = run.end();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    (seconds, most, folder.json(&report))
}

/// Whether two files are the same byte for byte, however large.
fn same(one: &Path, other: &Path) -> bool {
    let [mut one, mut other] = [one, other].map(|path| BufReader::new(File::open(path).unwrap()));
    loop {
        let (a, b) = (one.fill_buf().unwrap(), other.fill_buf().unwrap());
        let common = a.len().min(b.len());
        if common == 0 {
            return a.len() == b.len();
        }
        if a[..common] != b[..common] {
            return false;
        }
        one.consume(common);
        other.consume(common);
    }
}

fn told(who: &str, (seconds, most, report): &(f64, u64, Value)) {
    let stage = |name: &str| report["seconds"][name].as_f64().unwrap();
    eprintln!(
        "{who}: {seconds:.1} s (two looks {:.1}, blocks {:.1}, publication {:.1}, audit {:.1}), at most {:.0} MB; loss {} % of \
         the most; {}",
        stage("prepare"),
        stage("solve"),
        stage("recode"),
        stage("audit"),
        *most as f64 / 1024.0,
        report["objective"]["information_loss_percent"],
        report["method"]["explanation"]["text"].as_str().unwrap(),
    );
}

#[test]
fn measured_with_one_process_and_with_workers() {
    let Some(nats) = Nats::start() else { return };
    let asked = std::env::var("LOOKALIKE_LARGE").ok();
    let rows = asked.as_deref().map_or(ROWS, |rows| rows.parse().unwrap());
    let effort = std::env::var("LOOKALIKE_EFFORT").unwrap_or_else(|_| String::from(EFFORT));
    let folder = Folder::new();
    generate(&folder.path().join("in.csv"), rows);
    fs::create_dir(folder.path().join("spill")).unwrap();
    let size = fs::metadata(folder.path().join("in.csv")).unwrap().len();
    eprintln!("{rows} rows, {:.1} MB, effort {effort}", size as f64 / 1e6);

    let one = timed(&folder, &effort, "one.csv", &["--threads", &WORKERS.to_string()]);
    told("one process, two threads", &one);
    let hands = [(); WORKERS].map(|()| Hand::start(&nats, &[]));
    let others = timed(&folder, &effort, "others.csv", &["--nats", &nats.url(), "--threads", "1"]);
    told("two workers", &others);
    let mut memory: Vec<u64> = hands.iter().map(|hand| peak(hand.id()).unwrap_or(0)).collect();
    memory.push(peak(nats.id()).unwrap_or(0));
    let megabytes: Vec<String> = memory.iter().map(|kb| format!("{:.0} MB", *kb as f64 / 1024.0)).collect();
    eprintln!("most memory of the workers, and of the NATS server: {}", megabytes.join(", "));

    for kind in ["", ".classes"] {
        let [one, others] = ["one.csv", "others.csv"].map(|name| folder.path().join(format!("{name}{kind}")));
        assert!(same(&one, &others), "not the same bytes: {kind}");
    }
    assert_eq!(one.2["objective"], others.2["objective"]);
    if memory[0] > 0 {
        // A block at a time, whatever the table.
        assert!(memory[..WORKERS].iter().all(|&kb| kb < 300_000), "{memory:?} kB");
    }
}
