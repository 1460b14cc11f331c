//! Whole tables that a worker is sent: the same bytes as at home, nothing left behind, and nothing that a table may reach.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpListener,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use lookalike_tests::{
    http::Reply,
    program::{self, Folder, PATIENCE, Run, binary},
    server::Server,
};
use serde_json::{Value, json};

const ASKED: [&str; 10] = [
    "--quasi",
    "age,sex,zip",
    "--sensitive",
    "disease",
    "--model=m-invariance",
    "--m",
    "3",
    "--seed",
    "7",
    "--effort=0.5",
];

/// What the names of a table's persons begin with, in [`table`].
const NAME: &str = "Person-of-the-ward";

fn table(rows: usize) -> String {
    lookalike_tests::tables::patients(rows).replace("\nP", &format!("\n{NAME}-"))
}

/// A form by hand.
fn form(parts: &[(&str, Option<&str>, &[u8])]) -> (String, Vec<u8>) {
    let mut body = Vec::new();
    for (name, file, content) in parts {
        let file = file.map(|file| format!("; filename=\"{file}\"")).unwrap_or_default();
        write!(body, "--cut\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n").unwrap();
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--cut--\r\n");
    (String::from("multipart/form-data; boundary=cut"), body)
}

fn configuration(more: Value) -> Vec<u8> {
    let mut settings = json!({
        "fields": [
            {"name": "age", "lookalike": {"role": "quasi-identifier"}},
            {"name": "sex", "lookalike": {"role": "quasi-identifier"}},
            {"name": "disease", "lookalike": {"role": "sensitive"}},
        ],
        "lookalike": {"model": {"name": "m-invariance", "m": 3}, "budget": {"effort": 0.5}},
    });
    if let (Some(own), Value::Object(more)) = (settings["lookalike"].as_object_mut(), more) {
        own.extend(more);
    }
    settings.to_string().into_bytes()
}

fn post(server: &Server, token: Option<&str>, parts: &[(&str, Option<&str>, &[u8])]) -> Reply {
    let (kind, body) = form(parts);
    let bearer = token.map(|token| format!("Bearer {token}"));
    let mut headers = vec![("Content-Type", kind.as_str())];
    headers.extend(bearer.as_deref().map(|bearer| ("Authorization", bearer)));
    server.ask("POST", "/v1/tables", &headers, &body)
}

/// Files below a folder that hold this text.
fn holding(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(holding(&path, text));
        } else if fs::read(&path).unwrap().windows(text.len()).any(|part| part == text.as_bytes()) {
            found.push(path.display().to_string());
        }
    }
    found
}

#[test]
fn a_table_that_is_sent_gives_the_bytes_of_one_that_is_not_and_leaves_nothing() {
    let folder = Folder::new();
    let worker = Folder::new();
    folder.write("in.csv", table(300));
    let log = fs::File::create(worker.file("log")).unwrap();
    let data = worker.file("data");
    let server = Server::with_log(
        &["--accept-tables", "--data-dir", &data, "--audit-log", &worker.file("audit")],
        log,
    );
    let here = [
        &["anonymize", "in.csv"],
        &ASKED[..],
        &["--threads", "2", "-o", "here.csv", "--classes", "here.classes.csv"],
    ]
    .concat();
    folder.succeed(&here);
    let url = server.url();
    let files = [
        "--worker",
        &url,
        "--send-table",
        "-o",
        "out.csv",
        "--report",
        "report.json",
        "--statement",
        "statement.html",
        "--private",
        "private.json",
        "--manifest",
        "manifest.json",
        "--classes",
        "classes.csv",
    ];
    let run = folder.succeed(&[&["anonymize", "in.csv"], &ASKED[..], &files].concat());
    assert!(run.stderr.contains("sending the table itself, with its names"), "{}", run.stderr);
    assert!(run.stderr.contains("has judged the published bytes again"), "{}", run.stderr);
    assert_eq!(folder.read("out.csv"), folder.read("here.csv"));
    assert_eq!(folder.read("classes.csv"), folder.read("here.classes.csv"));
    // Every record says where it was done.
    assert_eq!(folder.json("report.json")["searched"], "table-on-worker");
    let sent = &folder.json("private.json")["sent"];
    assert_eq!(sent["to"], server.address.as_str());
    assert!(sent["bytes"].as_u64().unwrap() > table(300).len() as u64, "{sent}");
    assert!(folder.text("statement.html").contains("the table with its names"));
    let verified = folder.run(&["verify", "manifest.json", "--source", "in.csv"]);
    assert_eq!(verified.code, Some(0), "{}", String::from_utf8_lossy(&verified.stdout));
    // Nothing of it stays with the worker: not on its disk, nor in its logs.
    for name in [NAME, "asthma", "zip"] {
        assert_eq!(holding(worker.path(), name), [""; 0], "{name}");
    }
    let audited = worker.text("audit");
    for what in ["submit", "finish", "fetch", "delete"] {
        assert!(audited.contains(&format!("\"{what}\"")), "{what}: {audited}");
    }
}

#[test]
fn files_with_types_and_hierarchies_go_and_come() {
    let folder = Folder::new();
    folder.write("in.csv", table(120));
    folder.write(
        "zips.csv",
        (100..140).fold(String::new(), |text, zip| text + &format!("{zip}0,{}*,*\n", zip / 10)),
    );
    let server = Server::start(&["--accept-tables"]);
    let url = server.url();
    let flags = [
        "--hierarchy",
        "zip=zips.csv",
        "--publish-column",
        "zip=hierarchy",
        "-o",
        "out.parquet",
        "--report",
        "r.json",
    ];
    let asked = [&["anonymize", "in.csv"], &ASKED[..], &flags].concat();
    folder.succeed(&asked);
    let here = folder.read("out.parquet");
    fs::remove_file(folder.file("out.parquet")).unwrap();
    folder.succeed(&[&asked[..], &["--worker", &url, "--send-table"]].concat());
    assert_eq!(folder.read("out.parquet"), here);
}

/// A worker with the table knows which columns belong together, and the levels of each.
#[test]
fn sets_and_levels_go_with_the_table() {
    let folder = Folder::new();
    folder.write("in.csv", table(120));
    let rows = (18..88).map(|age| format!("{age};{};*\n", age / 35));
    folder.write("ages.csv", rows.collect::<String>());
    let server = Server::start(&["--accept-tables"]);
    let url = server.url();
    let sets = "--quasi age,sex,zip --model k-anonymity --k 3 --set 10=age,sex --effort 0.5";
    let levels = "--quasi age,sex --model k-anonymity --k 3 --set 20=sex --scheme full-domain --hierarchy age=ages.csv \
                  --hierarchy sex=sexes.csv --publish hierarchy";
    folder.write("sexes.csv", "F;*\nM;*\n");
    for flags in [sets, levels] {
        let asked: Vec<&str> = "anonymize in.csv --sensitive disease --seed 7 -o out.csv"
            .split_whitespace()
            .chain(flags.split_whitespace())
            .collect();
        folder.succeed(&asked);
        let here = folder.read("out.csv");
        fs::remove_file(folder.file("out.csv")).unwrap();
        let numbers = folder.run(&[&asked[..], &["--worker", &url]].concat());
        assert_eq!(numbers.code, Some(2), "{}", numbers.stderr);
        assert!(numbers.stderr.contains("--send-table"), "{}", numbers.stderr);
        folder.succeed(&[&asked[..], &["--worker", &url, "--send-table"]].concat());
        assert_eq!(folder.read("out.csv"), here, "{flags}");
    }
}

#[test]
fn a_worker_takes_tables_only_if_it_was_told_to_and_never_in_the_clear() {
    let folder = Folder::new();
    folder.write("in.csv", table(60));
    let server = Server::start(&[]);
    let refused =
        post(&server, None, &[("configuration", None, b"{}"), ("table", Some("in.csv"), b"a\n1\n")]);
    assert_eq!((refused.status, refused.problem().as_str()), (404, "/problems/not-found"));
    assert!(refused.text().contains("--accept-tables"), "{}", refused.text());
    let url = server.url();
    let run = folder.run(
        &[&["anonymize", "in.csv"], &ASKED[..], &["--worker", &url, "--send-table", "-o", "out.csv"]]
            .concat(),
    );
    assert_eq!(run.code, Some(4), "{}", run.stderr);
    assert!(
        run.stderr.contains("--accept-tables") && !Path::new(&folder.file("out.csv")).exists(),
        "{}",
        run.stderr
    );
    folder.write("tokens", "a:aaaaaaaaaaaaaaaaaaaa\n");
    let open = ["serve", "--listen", "0.0.0.0:0", "--token-file", &folder.file("tokens"), "--accept-tables"];
    let run = Run::from(program::command().args(open).output().unwrap());
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("--tls-cert"), "{}", run.stderr);
    // What has no use there is said before anything is sent.
    folder.write("layout.txt", "age 1-2\nsex 3\n");
    for (flags, named) in [
        (&["-o", "-"][..], "-o -"),
        (&["-o", "o.csv", "--out-of-core", "parts"][..], "--out-of-core"),
        (&["-o", "o.csv", "--layout", "layout.txt"][..], "--layout"),
    ] {
        let all = [
            &["anonymize", "in.csv"],
            &ASKED[..],
            &["--worker", "http://127.0.0.1:9", "--send-table"],
            flags,
        ]
        .concat();
        let run = folder.run(&all);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains(named), "{}", run.stderr);
    }
}

#[test]
fn a_request_reaches_nothing_but_its_own_table() {
    let server = Server::start(&["--accept-tables"]);
    let rows = table(60);
    let rows = rows.as_bytes();
    let good = configuration(json!({}));
    let ask = |parts: &[(&str, Option<&str>, &[u8])]| post(&server, None, parts);
    let whole = [("configuration", None, good.as_slice()), ("table", Some("in.csv"), rows)];
    let with =
        |more: (&'static str, Option<&'static str>, &'static [u8])| ask(&[&whole[..], &[more]].concat());
    for (reply, says) in [
        (ask(&whole[..1]), "no part `table`"),
        (ask(&whole[1..]), "no part `configuration`"),
        (with(("password", None, b"x")), "`password`"),
        (with(("reading", None, b"[]")), "`reading` cannot be read"),
        (with(("reading", None, br#"{"worker": "http://example.org"}"#)), "`worker`"),
        (with(("reading", None, br#"{"config": "/etc/passwd"}"#)), "`config`"),
        (with(("files", None, br#"{"release": "../out.csv"}"#)), "not a file name"),
        (with(("files", None, br#"{"passphrase": "x"}"#)), "`passphrase`"),
        (
            with(("files", None, br#"{"release": "out.parquet", "schema": "schema.json"}"#)),
            "leave `schema` out of the part `files`",
        ),
        (
            with(("files", None, br#"{"release": "out.csv", "schema": "schema.xml"}"#)),
            "no schema has the ending .xml",
        ),
        (with(("files", None, br#"{"release": "out.sav"}"#)), "has the ending .sav"),
        (with(("seed", None, b"-1")), "`seed` cannot be read"),
        (ask(&[whole[0], ("table", Some("/etc/in.csv"), rows)]), "not a file name"),
    ] {
        assert_eq!((reply.status, reply.problem().as_str()), (422, "/problems/invalid-job"), "{says}");
        assert!(reply.text().contains(says), "{says}: {}", reply.text());
    }
    let plain = server.ask("POST", "/v1/tables", &[("Content-Type", "application/json")], b"{}");
    assert_eq!(plain.problem(), "/problems/unsupported-media-type");
    // What a run finds out itself.
    let failed = |parts: &[(&str, Option<&str>, &[u8])]| {
        let reply = ask(parts);
        assert_eq!(reply.status, 202, "{}", reply.text());
        server.wait(reply.header("location").unwrap(), "failed")["error"].clone()
    };
    let linked = configuration(json!({"publish": "hierarchy"}));
    let linked = String::from_utf8(linked).unwrap().replacen(
        "\"role\":\"quasi-identifier\"",
        "\"role\":\"quasi-identifier\",\"hierarchy\":{\"file\":\"/etc/passwd\"}",
        1,
    );
    let error = failed(&[("configuration", None, linked.as_bytes()), whole[1]]);
    assert!(error["detail"].as_str().unwrap().contains("which was not sent"), "{error}");
    let error = failed(&[("configuration", None, b"{}"), whole[1]]);
    assert_eq!(error["type"], "/problems/invalid-job", "{error}");
    let strict = configuration(json!({"model": {"name": "m-invariance", "m": 50}}));
    let error = failed(&[("configuration", None, strict.as_slice()), whole[1]]);
    assert_eq!(error["type"], "/problems/infeasible", "{error}");
    let error = failed(&[whole[0], ("table", Some("in.parquet"), b"PAR1 is how such a file begins")]);
    assert_eq!(error["type"], "/problems/invalid-job", "{error}");
    // The page asks for none of it.
    let dist = binary().parent().unwrap().parent().unwrap().join("web/dist");
    if dist.is_dir() {
        assert_eq!(holding(&dist, "v1/tables"), [""; 0]);
    } else {
        eprintln!("skipped: the page is not built");
    }
}

#[test]
fn a_run_is_its_owners_ends_when_asked_and_is_gone_when_deleted() {
    let folder = Folder::new();
    folder.write("tokens", "a:aaaaaaaaaaaaaaaaaaaa\nb:bbbbbbbbbbbbbbbbbbbb\n");
    let server = Server::start(&["--accept-tables", "--token-file", &folder.file("tokens")]);
    let (a, b) = ("a".repeat(20), "b".repeat(20));
    let headers = |token: &str| [("Authorization", format!("Bearer {token}"))];
    let ask = |token: &str, method: &str, path: &str| {
        let headers = headers(token);
        server.ask(method, path, &[(headers[0].0, headers[0].1.as_str())], b"")
    };
    let endless = configuration(json!({"budget": {"effort": 1e9}, "method": "annealing"}));
    let rows = table(2000);
    let parts = [("configuration", None, endless.as_slice()), ("table", Some("in.csv"), rows.as_bytes())];
    assert_eq!(post(&server, None, &parts).status, 401);
    let reply = post(&server, Some(&a), &parts);
    let path = reply.header("location").unwrap().to_owned();
    let until = |token: &str, path: &str, wanted: &dyn Fn(&Value) -> bool| {
        let end = Instant::now() + PATIENCE;
        loop {
            let info = ask(token, "GET", path).json();
            if wanted(&info) {
                return info;
            }
            assert!(Instant::now() < end, "{info}");
            thread::sleep(Duration::from_millis(20));
        }
    };
    until(&a, &path, &|info| info["progress"]["incumbent"].is_number());
    for (method, path) in [
        ("GET", path.clone()),
        ("GET", format!("{path}/result")),
        ("POST", format!("{path}/stop")),
        ("DELETE", path.clone()),
    ] {
        assert_eq!(ask(&b, method, &path).problem(), "/problems/no-such-job", "{method}");
    }
    assert_eq!(ask(&a, "GET", &format!("{path}/result")).problem(), "/problems/not-done");
    // Another's does not wait behind it for ever: it has the next turn.
    let second = post(&server, Some(&b), &parts).header("location").unwrap().to_owned();
    assert_eq!(ask(&a, "POST", &format!("{path}/stop")).status, 202);
    until(&a, &path, &|info| info["state"] == "done");
    let files = ask(&a, "GET", &format!("{path}/result"));
    assert_eq!((files.status, files.header("content-type")), (200, Some("application/zip")));
    assert_eq!(files.header("cache-control"), Some("no-store"));
    assert!(files.body.starts_with(b"PK") && files.text().contains("statement.html"));
    assert_eq!(ask(&a, "DELETE", &path).status, 204);
    assert_eq!(ask(&a, "GET", &path).problem(), "/problems/no-such-job");
    until(&b, &second, &|info| info["state"] == "running");
    // What is deleted in the middle leaves no process.
    let children = || {
        let list =
            fs::read_to_string(format!("/proc/{0}/task/{0}/children", server.id())).unwrap_or_default();
        list.split_whitespace().count()
    };
    assert_eq!(ask(&b, "DELETE", &second).status, 204);
    let end = Instant::now() + PATIENCE;
    while cfg!(target_os = "linux") && children() > 0 {
        assert!(Instant::now() < end, "the process goes on");
        thread::sleep(Duration::from_millis(20));
    }
}

/// A worker that answers with these files.
fn liar(files: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut request = Vec::new();
            let mut buffer = vec![0; 1 << 16];
            let head = loop {
                let read = stream.read(&mut buffer).unwrap_or(0);
                request.extend_from_slice(&buffer[..read]);
                let text = String::from_utf8_lossy(&request).into_owned();
                if read == 0
                    || (text.contains("\r\n\r\n") && (!text.starts_with("POST") || text.contains("--\r\n")))
                {
                    break text;
                }
            };
            let body = match head.split(' ').collect::<Vec<_>>()[..] {
                ["GET", path, ..] if path.ends_with("/result") => files.clone(),
                _ => br#"{"id":"1","state":"done","progress":null,"error":null}"#.to_vec(),
            };
            let _ = write!(
                stream,
                "HTTP/1.1 200 X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(&body);
        }
    });
    url
}

#[test]
fn a_worker_that_lies_is_found_out_and_nothing_is_written() {
    let folder = Folder::new();
    folder.write("in.csv", table(90));
    let server = Server::start(&["--accept-tables"]);
    let rows = table(90);
    let parts =
        [("configuration", None, &configuration(json!({}))[..]), ("table", Some("in.csv"), rows.as_bytes())];
    let path = post(&server, None, &parts).header("location").unwrap().to_owned();
    server.wait(&path, "done");
    let honest = server.get(&format!("{path}/result")).body;
    folder.write("honest.zip", &honest);
    let names = ["published.csv", "report.json"];
    let read = |bytes: &[u8]| {
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes.to_vec())).unwrap();
        names.map(|name| {
            let mut content = Vec::new();
            archive.by_name(name).unwrap().read_to_end(&mut content).unwrap();
            content
        })
    };
    let [release, report] = read(&honest);
    let archive = |release: &[u8], report: &[u8]| {
        let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let options =
            zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        for (name, content) in [("out.csv", release), ("report.json", report)] {
            archive.start_file(name, options).unwrap();
            archive.write_all(content).unwrap();
        }
        archive.finish().unwrap().into_inner()
    };
    let asked = ["--quasi", "age,sex", "--sensitive", "disease", "--model=m-invariance", "--m", "3"];
    let run = |files: Vec<u8>| {
        let url = liar(files);
        let run = folder.run(
            &[&["anonymize", "in.csv"], &asked[..], &["--worker", &url, "--send-table", "-o", "out.csv"]]
                .concat(),
        );
        let there = Path::new(&folder.file("out.csv")).exists();
        let _ = fs::remove_file(folder.file("out.csv"));
        (run.code, run.stderr, there)
    };
    let (code, said, there) = run(archive(&release, &report));
    assert!(code == Some(0) && there, "{said}");
    // With records left out the report is of another table; and with its digest changed, too, the guarantee is not kept.
    let text = String::from_utf8(release).unwrap();
    // Two rows stay of the first class, where three are asked for; classes stand one after the other.
    let class = |line: &str| line.rsplit_once(',').map(|(_, class)| class.to_owned());
    let first = text.lines().nth(1).and_then(class);
    let fewer: String = text
        .lines()
        .enumerate()
        .filter(|(at, line)| *at < 3 || class(line) != first)
        .map(|(_, line)| line.to_owned() + "\n")
        .collect();
    let (code, said, there) = run(archive(fewer.as_bytes(), &report));
    assert!(code == Some(1) && !there && said.contains("not the one of its report"), "{said}");
    let mut forged: Value = serde_json::from_slice(&report).unwrap();
    forged["table_sha256"] = json!(lookalike_core::digest::sha256(fewer.as_bytes()));
    let (code, said, there) = run(archive(fewer.as_bytes(), forged.to_string().as_bytes()));
    assert!(code == Some(1) && !there && said.contains("does not keep what was asked"), "{said}");
    let (code, said, there) = run(b"no archive".to_vec());
    assert!(code == Some(4) && !there && said.contains("no files that can be read"), "{said}");
    let (code, said, there) = run(archive(b"", b"{}"));
    assert!(code == Some(1) && !there, "{said}");
}
