//! The command line: what goes where, and that it is right.

#[path = "../../crates/wire/tests/support/schema.rs"]
mod schema;

use std::{io::Write as _, process::Stdio};

use lookalike_testkit::three;
use lookalike_tests::{
    data,
    program::{Folder, Run},
    tables::{DIAGNOSES, assert_release, parse, patients},
};

const M3: [&str; 10] = [
    "anonymize",
    "in.csv",
    "--quasi",
    "age,sex,zip",
    "--sensitive",
    "disease",
    "--model",
    "m-invariance",
    "--m",
    "3",
];

fn folder(table: &str) -> Folder {
    let folder = Folder::new();
    folder.write("in.csv", table);
    folder
}

/// Once, with what the operator of a worker elsewhere learns by it.
#[test]
fn a_small_seed_is_warned_of_once() {
    let folder = folder(&patients(20));
    let elsewhere = "and the worker's operator can tell which code stands for which value";
    for (worker, tells) in [
        (&[][..], false),
        (&["--worker", "http://127.0.0.1:1"], false),
        (&["--worker", "https://worker.example:1"], true),
    ] {
        // A column that is not there ends the run before anything is sent.
        let flags = ["anonymize", "in.csv", "--quasi", "height", "--model", "k-anonymity", "--k", "3"];
        let run = folder.run(&[&flags[..], &["--seed", "7", "-o", "out.csv"], worker].concat());
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert_eq!(run.stderr.matches("the seed 7").count(), 1, "{worker:?}: {}", run.stderr);
        assert_eq!(run.stderr.contains(elsewhere), tells, "{worker:?}: {}", run.stderr);
    }
}

#[test]
fn all_outputs() {
    let folder = folder(&patients(300));
    let mut args = M3.to_vec();
    args.extend(["--effort", "1", "-o", "out.csv", "--report", "report.json"]);
    args.extend(["--private", "private.json", "--classes", "classes.csv", "--seed", "7"]);
    let run = folder.succeed(&args);
    assert!(run.stdout.is_empty(), "the result is in the files");
    assert_eq!(folder.names(), ["classes.csv", "in.csv", "out.csv", "private.json", "report.json"]);

    let out = folder.read("out.csv");
    assert_eq!(assert_release(&out, Some("disease"), 3), 300);
    assert_eq!(parse(&out).0, ["age", "sex", "zip", "disease", "class"], "identifiers are dropped");

    let report = folder.json("report.json");
    assert_eq!(report["audit"]["passed"], true);
    assert_eq!(report["input"]["rows"], 300);
    assert_eq!(report["reproducible"], true);
    let text = folder.text("report.json");
    assert!(!text.contains("seed") && !text.contains("hash"), "the report is publishable: {text}");

    let private = folder.text("private.json");
    let first = private.lines().nth(1).unwrap_or_default();
    assert!(first.contains("do not publish") || first.contains("publish"), "{first}");
    assert_eq!(folder.json("private.json")["settings"]["seed"], 7);

    // classes.csv leads from each input row to its published row.
    let (header, classes) = parse(&folder.read("classes.csv"));
    assert_eq!(header, ["row", "class"]);
    let (_, rows) = parse(&out);
    let (_, input) = parse(patients(300).as_bytes());
    for (i, class) in classes.iter().enumerate() {
        assert_eq!(class[0], i.to_string());
        let published = rows.iter().filter(|r| r[4] == class[1] && r[3] == input[i][4]).count();
        assert_eq!(published, 1, "row {i} is published once, with its own value");
    }
}

#[cfg(unix)]
#[test]
fn linking_files_are_the_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder(&patients(60));
    let mut args = M3.to_vec();
    args.extend(["--effort", "0", "-o", "out.csv", "--private", "private.json", "--classes", "classes.csv"]);
    folder.write("classes.csv", "an older one, readable by all");
    folder.succeed(&args);
    let mode = |name: &str| std::fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("private.json"), mode("classes.csv")), (0o600, 0o600));
    assert_ne!(mode("out.csv") & 0o400, 0);
}

#[test]
fn standard_output_holds_the_published_table_and_nothing_else() {
    let folder = folder(&patients(60));
    let mut args = M3.to_vec();
    args.extend(["--effort", "0", "--seed", "1"]);
    let printed = folder.succeed(&args).stdout;
    assert_eq!(assert_release(&printed, Some("disease"), 3), 60);
    args.extend(["-o", "out.csv"]);
    folder.succeed(&args);
    assert_eq!(folder.read("out.csv"), printed);
}

#[test]
fn standard_input() {
    let folder = folder(&patients(60));
    let mut args = M3.to_vec();
    args.extend(["--effort", "0", "--seed", "1"]);
    let from_file = folder.succeed(&args).stdout;
    args[1] = "-";
    let mut child = folder
        .command(&args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(patients(60).as_bytes()).unwrap();
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stdout, from_file);
}

#[test]
fn k_anonymity() {
    let folder = folder(&patients(100));
    let args =
        "anonymize in.csv --quasi age,sex --keep disease --model k-anonymity --k 4 --effort 0.5 -o out.csv";
    folder.succeed(&args.split(' ').collect::<Vec<_>>());
    assert_eq!(assert_release(&folder.read("out.csv"), None, 4), 100);
}

#[test]
fn every_way_to_publish() {
    let folder = folder(&patients(100));
    let mut published = Vec::new();
    for form in ["range", "set", "centroid"] {
        let mut args = M3.to_vec();
        args.extend(["--effort", "0", "--seed", "1", "--publish", form]);
        let out = folder.succeed(&args).stdout;
        assert_eq!(assert_release(&out, Some("disease"), 3), 100);
        published.push(out);
    }
    assert!(published[0] != published[1] && published[1] != published[2] && published[0] != published[2]);
}

#[test]
fn all_points_equal() {
    let rows: Vec<String> = (0..12).map(|i| format!("40,F,{}\n", DIAGNOSES[i % 6])).collect();
    let folder = folder(&format!("age,sex,disease\n{}", rows.concat()));
    let args = "anonymize in.csv --quasi age,sex --sensitive disease --model m-invariance --m 3 -o out.csv --report r.json";
    folder.succeed(&args.split(' ').collect::<Vec<_>>());
    assert_eq!(folder.json("r.json")["objective"]["information_loss_percent"], 0.0);
    assert_eq!(assert_release(&folder.read("out.csv"), Some("disease"), 3), 12);
}

#[test]
fn repairs() {
    // 12 of 24 have a cold: m = 3 needs 3 * 12 - 24 counterfeits, or 6 deletions.
    let disease = |i: usize| if i < 12 { "cold" } else { DIAGNOSES[i % 6] };
    let rows: Vec<String> = (0..24).map(|i| format!("{},{}\n", 20 + i, disease(i))).collect();
    let folder = folder(&format!("age,disease\n{}", rows.concat()));
    let run = |repair: &str| {
        let args = format!(
            "anonymize in.csv --quasi age --sensitive disease --model m-invariance --m 3 --eligibility {repair} \
             --seed 1 -o {repair}.csv --report {repair}.json --classes {repair}-classes.csv"
        );
        folder.run(&args.split(' ').collect::<Vec<_>>())
    };
    let refused = run("error");
    assert_eq!(refused.code, Some(3), "{}", refused.stderr);
    for repair in ["add", "delete", "hybrid"] {
        let done = run(repair);
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        let report = folder.json(&format!("{repair}.json"));
        let count = |name: &str| report["changes"][name].as_u64().unwrap();
        let (added, deleted) = (count("counterfeits"), count("deletions"));
        match repair {
            // m * 12 - 24.
            "add" => assert_eq!((added, deleted), (12, 0)),
            // cold is held by 12, the others by 12 together: 6 may stay.
            "delete" => assert_eq!((added, deleted), (0, 6)),
            _ => assert_eq!(added + deleted, 6),
        }
        let rows = assert_release(&folder.read(&format!("{repair}.csv")), Some("disease"), 3);
        assert_eq!(rows as u64, 24 + added - deleted);
        let (_, classes) = parse_flexible(&folder.text(&format!("{repair}-classes.csv")));
        assert_eq!(classes.iter().filter(|c| c[1].is_empty()).count() as u64, deleted);
        assert_eq!(classes.iter().filter(|c| c[0].starts_with('+')).count() as u64, added);
    }
}

/// Cells without quotes.
fn parse_flexible(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut lines = text.lines().map(|l| l.split(',').map(String::from).collect());
    (lines.next().unwrap_or_default(), lines.collect())
}

#[test]
fn missing_values_by_policy() {
    let table = patients(70).replace("HIV", "unknown");
    let folder = folder(&table);
    let rows = |policy: &str| {
        let mut args = M3.to_vec();
        args.extend(["--effort", "0", "--missing", "unknown", "--missing-sensitive", policy]);
        assert_release(&folder.succeed(&args).stdout, Some("disease"), 3)
    };
    assert_eq!((rows("value"), rows("drop")), (70, 60));
}

#[test]
fn weights_and_kinds_matter() {
    let folder = folder(&patients(100));
    let out = |flags: &[&str]| {
        let mut args = M3.to_vec();
        args.extend(["--seed", "1", "--effort", "1"]);
        args.extend(flags);
        folder.succeed(&args).stdout
    };
    let plain = out(&[]);
    let third = 1.0 / 3.0;
    assert_eq!(
        out(&["--weights", &format!("age={third},sex={third},zip={third}")]),
        plain,
        "equal is the default"
    );
    assert_ne!(out(&["--weights", "age=0.9,sex=0.05,zip=0.05"]), plain);
    let labels = String::from_utf8(out(&["--kind", "zip=category"])).unwrap();
    assert!(labels.contains('{'), "labels are published as sets");
}

#[test]
fn methods() {
    let folder = folder(&patients(300));
    let loss = |method: &str| {
        let mut args = M3.to_vec();
        args.extend(["--seed", "1", "--method", method, "--report", "r.json"]);
        folder.succeed(&args);
        folder.json("r.json")["objective"]["value"].as_f64().unwrap()
    };
    let classic = loss("classic");
    for method in ["annealing", "auto", "spatial", "large-neighbourhood", "two-swap", "decompose"] {
        let found = loss(method);
        assert!(found < 0.9 * classic, "{method}: {found} against {classic}");
    }
    let mut args = M3.to_vec();
    args.extend([
        "--seed",
        "1",
        "--effort",
        "1",
        "--method",
        "decompose",
        "--start",
        "classic",
        "--blocks",
        "3",
    ]);
    args.extend(["--swap-first", "--report", "r.json"]);
    folder.succeed(&args);
    let words = folder.json("r.json")["method"]["explanation"]["text"].to_string();
    let order = ["bucketization", "two-swapping", "3 blocks", "two-swapping"];
    let mut rest = words.as_str();
    for part in order {
        rest = rest.split_once(part).unwrap_or_else(|| panic!("{part} comes next in {words}")).1;
    }
    // What is not defined for different sensitive values says so.
    let mut args = M3.to_vec();
    args.extend(["--method", "mdav"]);
    let run = folder.run(&args);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("mdav makes classes of at least k records"), "{}", run.stderr);
}

#[test]
fn ncp_and_the_constructions_of_k_anonymity() {
    let folder = folder(&patients(300));
    let objective = |flags: &str| {
        let common = "anonymize in.csv --quasi age,sex,zip --model k-anonymity --k 3 --seed 1 --effort 1 --report r.json";
        let args: Vec<&str> = common.split(' ').chain(flags.split(' ')).collect();
        folder.succeed(&args);
        let report = folder.json("r.json");
        let figure = |name: &str| report["objective"][name].as_f64().unwrap();
        (figure("value"), figure("sse"), figure("ncp_total"), figure("gcp_mean"))
    };
    let (sse, ncp) = (objective("--loss sse"), objective("--loss ncp"));
    assert_eq!((sse.0, ncp.0), (sse.1, ncp.2));
    assert!(sse.1 < ncp.1 && ncp.2 < sse.2, "each loss wins at its own: {sse:?} {ncp:?}");
    assert!((ncp.3 - ncp.2 / 300.0).abs() < 1e-12);
    for method in ["md", "mdav", "v-mdav", "variance-sort", "greedy-search", "k-member", "mondrian", "random"]
    {
        let found = objective(&format!("--method {method}")).0;
        assert!(found > sse.0, "{method}: {found} against {}", sse.0);
    }
}

#[test]
fn a_time_limit_is_not_reproducible_and_says_so() {
    let folder = folder(&patients(100));
    let mut args = M3.to_vec();
    args.extend(["--time-limit", "200ms", "-o", "out.csv", "--report", "r.json"]);
    let run = folder.succeed(&args);
    assert!(run.stderr.contains("not reproducible"), "{}", run.stderr);
    assert_eq!(folder.json("r.json")["reproducible"], false);
    assert_eq!(folder.json("r.json")["status"]["name"], "time-limit");
}

#[test]
fn the_loss_that_was_asked_for_is_the_one_that_is_told() {
    let folder = folder(&patients(60));
    let run = |flags: &str| {
        let common =
            "anonymize in.csv --quasi age,sex --model k-anonymity --k 3 --seed 1 --report r.json -o out.csv";
        let args: Vec<&str> = common.split(' ').chain(flags.split(' ')).collect();
        let told = folder.succeed(&args).stderr;
        (told, folder.json("r.json"))
    };
    let (told, report) = run("--loss ncp --effort 1");
    let value = report["objective"]["value"].as_f64().unwrap();
    assert!(told.contains(&format!("certainty penalty (NCP) {value:.4}, ")), "{told}");
    assert!(!told.contains("SSE") && !told.contains("proven"), "{told}");
    let (told, _) = run("--loss sse --effort 1");
    assert!(told.contains("information loss ") && told.contains("(SSE "), "{told}");
    // Without any search there is a bound all the same.
    let (told, report) = run("--method column-generation --effort 0");
    let (value, bound) = (&report["objective"]["value"], &report["bound"]["value"]);
    let gap = 100.0 * (1.0 - bound.as_f64().unwrap() / value.as_f64().unwrap());
    assert!(told.contains("the best possible loss is at most ") && (0.0..100.0).contains(&gap), "{told}");
    assert!(told.contains("(duals of the records, raised in "), "{told}");
    // Before the search the neighbours of the records bound the loss, and nobody raises that who is not to.
    let (told, report) = run("--method mdav --bound off");
    assert!(report["bound"].is_null() && !told.contains("best possible"), "{told}");
}

#[test]
fn exact_figures_are_told_to_the_data_holder_and_not_published() {
    let disease = |i: u32| if i < 12 { 0 } else { i % 4 };
    let rows: Vec<String> = (0..24).map(|i| format!("{},d{}\n", 20 + i * 17 % 41, disease(i))).collect();
    let folder = folder(&format!("age,disease\n{}", rows.concat()));
    let args = "anonymize in.csv --quasi age --sensitive disease --model m-invariance --m 3 --eligibility add --loss ncp \
                --method column-generation --effort 2 --seed 1 -o out.csv --report r.json --private p.json --statement s.html";
    let told = folder.succeed(&args.split_whitespace().collect::<Vec<_>>()).stderr;
    let (report, exact) = (folder.json("r.json"), folder.json("p.json")["exact"].clone());
    assert!(report["changes"]["counterfeits"].as_u64() > Some(0), "{report}");
    let value = exact["objective"]["value"].as_f64().unwrap();
    assert_eq!(report["objective"]["value"].as_f64(), format!("{value:.1e}").parse().ok());
    assert!(told.contains(&format!("{value:.4}")) && told.contains("for you alone"), "{told}");
    let statement = folder.text("s.html");
    assert!(
        statement.contains(&three(value).to_string()) && statement.contains("not for publication"),
        "{statement}"
    );
    let described = serde_json::from_str(include_str!("../../docs/report.schema.json")).unwrap();
    schema::check(&report, &described, "report");
    schema::check(&exact, &described, "report");
}

#[test]
fn the_penalty_knows_hierarchies_and_the_binary_one_says_that_it_does_not() {
    let folder = folder(&patients(60));
    let run = |loss: &str| {
        let args = format!(
            "anonymize in.csv --quasi zip,age --model k-anonymity --k 3 --kind zip=category --generate-hierarchy zip=prefix \
             --publish-column zip=hierarchy --loss {loss} --effort 0.1 --report report.json -o out.csv"
        );
        folder.run(&args.split_whitespace().collect::<Vec<_>>())
    };
    let refused = run("ncp-binary");
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    for part in ["\"zip\" is published by its hierarchy", "--publish-column zip=range", "--loss ncp"] {
        assert!(refused.stderr.contains(part), "{}", refused.stderr);
    }
    assert!(!folder.names().contains(&String::from("out.csv")));
    let published = run("ncp");
    assert_eq!(published.code, Some(0), "{}", published.stderr);
    let report = folder.json("report.json");
    let [stated, measured] = ["objective", "utility"].map(|part| report[part]["gcp_mean"].as_f64().unwrap());
    assert!((stated - measured).abs() < 1e-9, "{stated} is stated, {measured} is published");
}

#[test]
fn without_a_seed_runs_differ_and_the_seed_is_recorded() {
    let folder = folder(&patients(100));
    let seed = |name: &str| {
        let mut args = M3.to_vec();
        args.extend(["--effort", "0", "-o", "out.csv", "--private", name]);
        folder.succeed(&args);
        folder.json(name)["settings"]["seed"].as_u64().unwrap()
    };
    let (first, second) = (seed("a.json"), seed("b.json"));
    assert_ne!(first, second);
    let again = first.to_string();
    let mut args = M3.to_vec();
    args.extend(["--effort", "0", "--seed", &again, "--private", "c.json"]);
    folder.succeed(&args);
    assert_eq!(folder.json("c.json")["input_hash"], folder.json("a.json")["input_hash"]);
}

#[test]
fn eligibility_tells_what_each_m_costs() {
    // The worked example: counts 5, 3, 1, 1 and m = 3 take 5 additions, or 4 deletions, or 3 changes.
    let rows: String =
        [("a", 5), ("b", 3), ("c", 1), ("d", 1)].map(|(v, n)| format!("{v}\n").repeat(n)).concat();
    let folder = folder(&format!("disease\n{rows}"));
    let text = folder.succeed(&["eligibility", "in.csv", "--sensitive", "disease"]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(
        text.contains("10 rows, 4 different values") && text.contains("largest m without changes is 2"),
        "{text}"
    );
    let json = folder.succeed(&["eligibility", "in.csv", "--sensitive", "disease", "--m", "2..5", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    let row = |i: usize| &json["survey"][i];
    assert_eq!((row(0)["m"].as_u64(), row(0)["eligible"].as_bool()), (Some(2), Some(true)));
    assert_eq!((row(1)["additions"].as_u64(), row(1)["deletions"].as_u64()), (Some(5), Some(4)));
    assert_eq!((row(1)["hybrid"]["changes"].as_u64(), row(1)["share"].as_f64()), (Some(3), Some(0.3)));
    assert_eq!((row(3)["m"].as_u64(), row(3)["additions"].is_null()), (Some(5), true));
}

#[test]
fn demo() {
    let folder = Folder::new();
    let run = folder.succeed(&["demo"]);
    let text = String::from_utf8(run.stdout).unwrap();
    for part in
        ["BEFORE", "AFTER", "REPORT", "diagnosis", "m-invariance, m = 5", "information loss", "checks passed"]
    {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    assert_eq!(folder.succeed(&["demo"]).stdout, text.into_bytes(), "everybody sees the same");
    assert!(folder.names().is_empty());
}

#[test]
fn help_and_version() {
    let folder = Folder::new();
    for args in [
        &["--help"][..],
        &["anonymize", "--help"],
        &["serve", "--help"],
        &["eligibility", "-h"],
        &["--version"],
    ] {
        assert!(!folder.succeed(args).stdout.is_empty());
    }
    assert_eq!(folder.run(&[]).code, Some(2));
    assert_eq!(folder.run(&["republish"]).code, Some(2), "what is not there is not accepted");
}

/// Runs a checking script, which shares no code with the program.
fn confirm(tool: &str, args: &[&str]) -> Option<()> {
    let tool = data::tool(tool)?;
    let output = std::process::Command::new("python3").arg(tool).args(args).output();
    let Ok(output) = output else {
        eprintln!("skipped: there is no python3");
        return None;
    };
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("holds:"));
    Some(())
}

/// The main job of the foundation, with an effort in place of the time limit.
#[test]
fn adult_is_confirmed_by_the_checking_scripts() {
    let Some(input) = data::file("adult-train.csv") else { return };
    let input = input.to_str().unwrap();
    let folder = Folder::new();
    let quasi = "age,sex,education-num";
    let flags = "--sensitive occupation --missing-sensitive value --model m-invariance --m 5 --eligibility add \
                 --effort 0.5 --seed 1 --threads 2 -o out.csv --report report.json --classes classes.csv";
    let mut args = vec!["anonymize", input, "--quasi", quasi];
    args.extend(flags.split_whitespace());
    folder.succeed(&args);
    assert_eq!(folder.json("report.json")["audit"]["passed"], true);
    let shared = ["--quasi", quasi, "--sensitive", "occupation", "--m", "5"];
    let (classes, out) = (folder.file("classes.csv"), folder.file("out.csv"));
    let mut args = vec![input, &classes];
    args.extend(shared);
    args.push("--max-size");
    confirm("check_classes.py", &args);
    let mut args = vec![out.as_str()];
    args.extend(shared);
    args.extend(["--original", input]);
    confirm("check_release.py", &args);
}
