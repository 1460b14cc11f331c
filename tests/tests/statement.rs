//! The statement of a run: for the files of whoever answers for the data.
#![cfg(test)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

#[path = "../../crates/wire/tests/support/schema.rs"]
mod schema;

use lookalike_testkit::three;
use lookalike_tests::{
    program::{Folder, Run},
    series::{self, FIRST, LATER, next_month},
    server::Server,
    tables::patients,
};
use serde_json::Value;

#[test]
fn it_is_written_beside_the_release_for_its_owner_only() {
    let folder = Folder::new();
    folder.write("in.csv", lookalike_core::demo::hospital(200, 7));
    let flags = "anonymize in.csv --quasi age,sex --sensitive diagnosis --model m-invariance --m 3 --seed 77 --effort 1 -o out.csv \
                 --statement statement.html --report report.json";
    folder.succeed(flags.split_whitespace().collect::<Vec<_>>().as_slice());
    let (statement, report) = (folder.text("statement.html"), folder.json("report.json"));
    assert!(
        statement.contains("<td>77</td>") && statement.contains("m-invariance with m = 3"),
        "{statement}"
    );
    let loss = format!("<td>{}</td>", three(report["objective"]["value"].as_f64().unwrap()));
    assert!(statement.contains(&loss), "{loss}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |name: &str| std::fs::metadata(folder.file(name)).unwrap().permissions().mode() & 0o077;
        assert_eq!(mode("statement.html"), 0);
    }
}

/// SHA-256 of a file, by another program.
fn sha256(folder: &Folder, name: &str) -> String {
    let by = |program: &str, flags: &[&str]| {
        let run = std::process::Command::new(program).args(flags).arg(folder.file(name)).output().ok()?;
        let digest = String::from_utf8(run.stdout).ok()?.split_whitespace().next()?.to_owned();
        run.status.success().then_some(digest)
    };
    by("sha256sum", &[]).or_else(|| by("shasum", &["-a", "256"])).unwrap()
}

fn run(folder: &Folder, flags: &str) -> Run {
    folder.succeed(flags.split_whitespace().collect::<Vec<_>>().as_slice())
}

/// The cell beside a name.
fn cell<'a>(statement: &'a str, name: &str) -> &'a str {
    let row = format!("<th scope=\"row\">{name}</th><td>");
    let (_, after) = statement.split_once(&row).unwrap_or_else(|| panic!("no {name} in {statement}"));
    after.split_once("</td>").unwrap().0
}

#[test]
fn it_is_of_the_very_bytes_that_were_written() {
    let folder = Folder::new();
    folder.write("quarter 2.csv", lookalike_core::demo::hospital(200, 7));
    std::fs::create_dir(folder.path().join("out")).unwrap();
    let flags = "--quasi age,sex --sensitive diagnosis --model m-invariance --m 3 --effort 0.2 -o out/r.csv --statement s.html \
                 --report r.json";
    let mut args = vec!["anonymize", "quarter 2.csv"];
    args.extend(flags.split_whitespace());
    folder.succeed(&args);
    let statement = folder.text("s.html");
    assert_eq!(cell(&statement, "SHA-256 of the published table"), sha256(&folder, "out/r.csv"));
    assert_eq!(cell(&statement, "SHA-256 of the report"), sha256(&folder, "r.json"));
    assert_eq!((cell(&statement, "Published table"), cell(&statement, "Report")), ("r.csv", "r.json"));
    assert_eq!(cell(&statement, "Read from"), "quarter 2.csv");
    let made = cell(&statement, "Made on (UTC)");
    assert!(made.len() == 20 && made.starts_with("20") && made.ends_with('Z'), "{made}");
    // The reader of the file kept only what it was asked for; the statement knows all of its columns.
    for column in ["patient", "name", "postcode", "nights"] {
        assert_eq!(cell(&statement, column), "not published");
    }
    assert!(statement.contains("for a table that is released once.") && !statement.contains("of a series"));

    // The report names the table, and so does whoever has the report alone.
    assert_eq!(folder.json("r.json")["table_sha256"], sha256(&folder, "out/r.csv").as_str());

    // Without a file the digest is of what went to standard output.
    let flags = "anonymize - --quasi age --model k-anonymity --k 3 --effort 0 --statement s.html";
    let mut command = folder.command(flags.split_whitespace());
    let input = std::fs::File::open(folder.file("quarter 2.csv")).unwrap();
    let out = command.stdin(input).output().unwrap();
    assert!(out.status.success(), "{out:?}");
    folder.write("printed.csv", &out.stdout);
    let statement = folder.text("s.html");
    assert_eq!(cell(&statement, "Published table"), "standard output");
    assert_eq!(cell(&statement, "SHA-256 of the published table"), sha256(&folder, "printed.csv"));
    assert_eq!(
        (cell(&statement, "Read from"), cell(&statement, "Report")),
        ("standard input", "was not written")
    );
    assert!(statement.contains("k-anonymity with k = 3, for a table that is released once."));
}

/// The private record shows which source a statement is about; the statement alone does not, and no two statements can be compared.
#[test]
fn the_salt_of_the_private_record_gives_the_digest_of_the_source_again() {
    let folder = Folder::new();
    folder.write("in.csv", lookalike_core::demo::hospital(60, 7));
    let source = sha256(&folder, "in.csv");
    let mut digests = Vec::new();
    for _ in 0..2 {
        run(
            &folder,
            "anonymize in.csv --quasi age,sex --model k-anonymity --k 3 --effort 0 --seed 1 -o out.csv --statement s.html \
             --private p.json --report r.json",
        );
        let (statement, private) = (folder.text("s.html"), folder.json("p.json"));
        assert_eq!(private["source"]["sha256"], source.as_str());
        let salt = private["source"]["salt"].as_str().unwrap();
        assert!(salt.len() == 32 && salt.bytes().all(|digit| digit.is_ascii_hexdigit()), "{salt}");
        folder.write("salted", format!("{salt}{source}"));
        let digest = sha256(&folder, "salted");
        assert_eq!(cell(&statement, "Salted SHA-256 of the source"), digest);
        for public in [&statement, &folder.text("r.json")] {
            assert!(!public.contains(&source) && !public.contains(salt), "{public}");
        }
        digests.push(digest);
    }
    assert_ne!(digests[0], digests[1], "the seed is the same, and the salt is not");
}

/// "?" is no occupation: the first sheet counts without it, as the page does.
#[test]
fn a_value_that_is_not_known_is_not_counted() {
    let folder = Folder::new();
    folder.write("in.csv", lookalike_core::demo::hospital(200, 7).replace("gallstones", "?"));
    run(
        &folder,
        "anonymize in.csv --quasi age,sex --sensitive diagnosis --model m-invariance --m 2 --missing-sensitive value --effort 0.2 \
         --seed 1 -o out.csv --statement s.html --report r.json",
    );
    let (statement, report) = (folder.text("s.html"), folder.json("r.json"));
    assert_eq!(report["risk"]["highest_known_disclosure"], 1.0, "else this shows less");
    let (first, rest) = statement.split_once("<h2>Evidence and use</h2>").unwrap();
    assert!(first.contains("The diagnosis of at least one person can be told for certain."), "{first}");
    assert!(
        cell(rest, "Inference: learning a secret value").contains("can be told for certain")
            && rest.contains("and rules out that the value is not known"),
        "{rest}"
    );
}

#[test]
fn rows_of_their_own_are_no_series_either() {
    let folder = Folder::new();
    folder.write("in.csv", lookalike_core::demo::hospital(60, 7));
    run(
        &folder,
        "anonymize in.csv --quasi age,sex --model k-anonymity --k 3 --method doka-sort-greedy --seed 1 -o r.csv --statement \
         s.html",
    );
    let statement = folder.text("s.html");
    assert!(statement.contains("This table is not k-anonymous") && !statement.contains("first release"));
    assert_eq!(cell(&statement, "Series"), "none: this table is released once");
    assert_eq!(cell(&statement, "SHA-256 of the published table"), sha256(&folder, "r.csv"));
}

#[test]
fn a_release_of_a_series_is_called_by_its_number_mode_and_ledger() {
    let folder = Folder::new();
    let first = patients(140);
    folder.write("1.csv", &first);
    folder.write("2.csv", next_month(&first));
    // Half of them leave: their places need counterfeits.
    folder.write("3.csv", first.lines().take(71).collect::<Vec<_>>().join("\n"));
    for n in 1..=3 {
        let flags = if n == 1 { FIRST } else { LATER };
        let flags = format!("{flags} --statement s{n}.html --report r{n}.json");
        series::succeed(&folder, &format!("{n}.csv"), &format!("r{n}.csv"), &flags);
        let statement = folder.text(&format!("s{n}.html"));
        assert!(
            statement.contains(&format!("m-invariance with m = 3, release {n} of a series.")),
            "{statement}"
        );
        assert!(!statement.contains("first release") && !statement.contains("released once"), "{statement}");
        assert_eq!(cell(&statement, "Release of its series"), n.to_string());
        let place = [
            "",
            "; the odds of a guess count the earlier release, too",
            "; the odds of a guess count all 2 earlier releases, too",
        ];
        assert_eq!(
            cell(&statement, "Releases"),
            format!("release {n} of a series (tau-safety){}", place[n - 1])
        );
        let together = [
            "right.",
            "in this and the earlier release together.",
            "in this and all 2 earlier releases together.",
        ];
        let (first, _) = statement.split_once("</h1>").unwrap().1.split_once("</p>").unwrap();
        assert!(first.contains(together[n - 1]), "{first}");
        assert!(statement.contains("knows who is in which release, and has all releases"), "{statement}");
        assert_eq!(cell(&statement, "Mode of the series"), "tau-safety");
        assert_eq!(cell(&statement, "Ledger after this release"), "ledger.json");
        assert_eq!(cell(&statement, "SHA-256 of the ledger"), sha256(&folder, "ledger.json"));
        assert_eq!(cell(&statement, "SHA-256 of the published table"), sha256(&folder, &format!("r{n}.csv")));
        assert_eq!(cell(&statement, "id"), "not published");
        let report = folder.json(&format!("r{n}.json"));
        let fakes = report["changes"]["counterfeits"].as_u64().unwrap() > 0;
        // No sentence leads to one that is not there, and no figure passes counterfeits off as people.
        assert!(!statement.contains("see Risk"), "{statement}");
        assert_eq!(statement.contains("count counterfeits as people"), fakes, "{statement}");
        let real = statement.contains("Some classes hold") || statement.contains("The poorest class holds");
        assert_eq!(real, fakes, "{statement}");
    }
    assert!(folder.json("r3.json")["changes"]["counterfeits"].as_u64() > Some(0), "else this shows less");
}

/// A transfer to another machine is in every record of the run; the public one does not say to which.
#[test]
fn a_worker_is_named_with_what_it_was_sent() {
    let server = Server::start(&[]);
    let folder = Folder::new();
    folder.write("in.csv", lookalike_core::demo::hospital(120, 7));
    let ask = "anonymize in.csv --quasi age,sex --sensitive diagnosis --model m-invariance --m 3 --seed 7 --effort 0.2 -o out.csv \
               --statement s.html --report r.json --private p.json";
    run(&folder, ask);
    assert_eq!(
        (&folder.json("r.json")["searched"], &folder.json("p.json")["sent"]),
        (&"here".into(), &Value::Null)
    );
    assert_eq!(cell(&folder.text("s.html"), WHERE), HERE);
    let here = folder.read("out.csv");

    let told = run(&folder, &format!("{ask} --worker {}", server.url())).stderr;
    assert_eq!(folder.read("out.csv"), here);
    names(&folder, &server, "s.html");
    assert!(
        told.contains("sending numbers without names to the worker at") && told.contains(&server.url()),
        "{told}"
    );

    // The next release of a series, too.
    folder.write("1.csv", patients(90));
    let flags =
        format!("{FIRST} --statement s1.html --report r.json --private p.json --worker {}", server.url());
    series::succeed(&folder, "1.csv", "r1.csv", &flags);
    names(&folder, &server, "s1.html");
}

const WHERE: &str = "Where the classes were computed";
const HERE: &str = "here, by the command line: for this result nothing was sent to another machine";

/// Report, private record and statement of a run on this worker.
fn names(folder: &Folder, server: &Server, statement: &str) {
    assert_eq!(folder.json("r.json")["searched"], "worker");
    assert!(!folder.text("r.json").contains(&server.address), "{}", folder.text("r.json"));
    let sent = &folder.json("p.json")["sent"];
    assert_eq!((&sent["to"], &sent["messages"]), (&server.url().into(), &1.into()));
    let bytes = sent["bytes"].as_u64().unwrap();
    assert!(bytes > 500, "{sent}");
    let grouped =
        if bytes < 1000 { bytes.to_string() } else { format!("{},{:03}", bytes / 1000, bytes % 1000) };
    let told = format!(
        "on a worker: numbers without names, {grouped} bytes in 1 message, were sent to {} on {} (UTC)",
        server.url(),
        sent["at"].as_str().unwrap()
    );
    assert_eq!(cell(&folder.text(statement), WHERE), told);
}

/// The statement as data: of the very bytes that were written, for its owner only, and known to manifest and `verify`.
#[test]
fn as_data_it_names_the_same_files() {
    let folder = Folder::new();
    folder.write("in.csv", lookalike_core::demo::hospital(200, 7));
    run(
        &folder,
        "anonymize in.csv --quasi age,sex --sensitive diagnosis --model m-invariance --m 3 --seed 77 --effort 0.2 -o out.csv \
         --statement s.html --statement-json s.json --report r.json --private p.json --manifest m.json",
    );
    let (statement, data) = (folder.text("s.html"), folder.json("s.json"));
    let described = serde_json::from_str(include_str!("../../docs/statement.schema.json")).unwrap();
    schema::check(&data, &described, "statement");
    assert_eq!(data["files"]["table"]["sha256"], sha256(&folder, "out.csv").as_str());
    assert_eq!(data["files"]["report"]["sha256"], sha256(&folder, "r.json").as_str());
    assert_eq!(data["files"]["source"]["name"], "in.csv");
    for (digest, name) in
        [("source", "Salted SHA-256 of the source"), ("table", "SHA-256 of the published table")]
    {
        assert_eq!(data["files"][digest]["sha256"], cell(&statement, name));
    }
    assert_eq!(data["computed"]["at"], cell(&statement, "Made on (UTC)"));
    assert_eq!(
        (&data["by_hand"]["purpose"], &data["computed"]["where"]),
        (&Value::Null, &Value::from("here"))
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(folder.file("s.json")).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0);
    }
    let told = String::from_utf8(run(&folder, "verify m.json --source in.csv").stdout).unwrap();
    assert!(told.contains("s.json is the statement as data of this run, byte for byte"), "{told}");
    // Filled in where it stands, it is another file.
    folder
        .write("s.json", folder.text("s.json").replacen("\"purpose\": null", "\"purpose\": \"research\"", 1));
    let told = folder.run(&["verify", "m.json", "--source", "in.csv"]);
    assert_eq!(told.code, Some(1), "{}", told.stderr);
}

/// What is tried while a table is made is what `check` tries on it afterwards.
#[test]
fn attacks_in_the_statement_are_those_of_check() {
    let folder = Folder::new();
    folder.write("in.csv", lookalike_core::demo::hospital(120, 7));
    folder.write("control.csv", lookalike_core::demo::hospital(50, 8));
    let flags = "--quasi age,sex --sensitive diagnosis";
    run(
        &folder,
        &format!(
            "anonymize in.csv {flags} --model k-anonymity --k 4 --seed 1 --effort 0.1 -o out.csv --statement s.html \
             --statement-json s.json --attacks --control control.csv --attacks-number 60"
        ),
    );
    let checked = run(
        &folder,
        &format!(
            "check out.csv {flags} --model k-anonymity --k 4 --original in.csv --attacks --control control.csv \
             --attacks-number 60 --json"
        ),
    );
    let checked: Value = serde_json::from_slice(&checked.stdout).unwrap();
    let (stated, checked) = (&folder.json("s.json")["attacks"], &checked["attacks"]);
    assert_eq!(stated["control_rows"], 50);
    let single = &checked["singling_out"];
    let outcomes =
        [&single["univariate"], &single["multivariate"], &checked["linkability"], &checked["inference"]];
    let results = stated["results"].as_array().unwrap();
    assert_eq!(results.len(), outcomes.len());
    for (result, outcome) in results.iter().zip(outcomes) {
        for rate in ["main", "control", "naive"] {
            for figure in ["attacks", "successes", "rate"] {
                assert_eq!(result[rate][figure], outcome[rate][figure], "{rate} {figure}: {result}");
            }
            assert_eq!(result[rate]["low"], outcome[rate]["wilson"]["low"]);
        }
        assert_eq!(result["residual_risk"], outcome["residual_risk"]);
    }
    let (printed, words) = (folder.text("s.html"), stated["words"].as_array().unwrap());
    assert_eq!(&Value::from(words.clone()), &checked["findings"]);
    assert!(printed.contains("Attacks that were tried") && words.len() > 5);
}
