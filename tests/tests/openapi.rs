//! The description of the job API: it is what is checked in, the running worker answers as it says, and generated
//! requests find nothing else.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    collections::BTreeSet,
    fs,
    process::{Command, Output},
};

use lookalike_tests::{
    http::Reply,
    program::{Folder, workspace},
    server::Server,
};
use serde_json::{Value, json};

const JSON: (&str, &str) = ("Content-Type", "application/json");

/// Six records on a line.
fn job() -> Value {
    json!({
        "version": 1, "dims": 1, "points": [0.0, 1.0, 10.0, 11.0, 20.0, 21.0], "colours": [0, 0, 0, 0, 0, 0],
        "rule": {"name": "min-size", "k": 2}, "loss": "sse", "method": "auto", "budget": {"effort": 1.0}, "seed": 1,
    })
}

fn endless() -> Value {
    let mut job = job();
    job["points"] = json!((0..3000).map(|i| f64::from(i * 7919 % 3001)).collect::<Vec<_>>());
    job["colours"] = json!(vec![0; 3000]);
    job["budget"] = json!({"seconds": 3600.0});
    job
}

#[test]
fn the_description_is_the_one_that_is_checked_in() {
    let served = Server::start(&[]).get("/openapi.json");
    assert_eq!((served.status, served.header("content-type")), (200, Some("application/json")));
    let golden = workspace().join("docs/openapi.json");
    let known = fs::read_to_string(&golden).ok().and_then(|text| serde_json::from_str::<Value>(&text).ok());
    if known.as_ref() == Some(&served.json()) {
        return;
    }
    let new = workspace().join("target/openapi.json");
    fs::write(&new, serde_json::to_string_pretty(&served.json()).unwrap() + "\n").unwrap();
    panic!("the API has changed: if that is meant, copy {} to {}", new.display(), golden.display());
}

/// What the description promises, and what was seen of it.
struct Described<'a> {
    server: &'a Server,
    document: Value,
    /// Operation and status, or operation and type of a problem.
    seen: BTreeSet<(String, String)>,
}

impl Described<'_> {
    /// Asks, and checks that the answer is one that the description has. `path` has `{id}` for `id`.
    fn ask(&mut self, method: &str, path: &str, id: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let (route, query) = path.split_once('?').map_or((path, ""), |(route, query)| (route, query));
        let url = format!("{}{}{query}", route.replace("{id}", id), if query.is_empty() { "" } else { "?" });
        let reply = self.server.ask(method, &url, headers, body);
        let operation = &self.document["paths"][route][method.to_lowercase()];
        let name = operation["operationId"].as_str().unwrap_or_else(|| panic!("{method} {route}")).to_owned();
        let response = &operation["responses"][reply.status.to_string()];
        assert!(response.is_object(), "{name} may not answer {reply:?}");
        match response["content"].as_object() {
            None => assert!(reply.body.is_empty(), "{name} promises no body: {reply:?}"),
            Some(content) => {
                let kind = reply.header("content-type").unwrap().split(';').next().unwrap();
                assert!(content.contains_key(kind), "{name} promises no {kind}");
            }
        }
        if reply.status >= 400 {
            let problem = reply.problem();
            let listed = response["description"].as_str().unwrap();
            assert!(listed.contains(&format!("`{problem}`")), "{name} does not list {problem}");
            self.seen.insert((name, problem));
        } else {
            self.seen.insert((name, reply.status.to_string()));
        }
        reply
    }

    /// All that is promised.
    fn promised(&self) -> BTreeSet<(String, String)> {
        let mut all = BTreeSet::new();
        for operation in
            self.document["paths"].as_object().unwrap().values().flat_map(|p| p.as_object().unwrap().values())
        {
            let name = operation["operationId"].as_str().unwrap();
            for (status, response) in operation["responses"].as_object().unwrap() {
                if status.starts_with('2') {
                    all.insert((name.to_owned(), status.clone()));
                } else {
                    let kinds = response["description"].as_str().unwrap().split('`');
                    all.extend(
                        kinds
                            .filter(|k| k.starts_with("/problems/"))
                            .map(|k| (name.to_owned(), k.to_owned())),
                    );
                }
            }
        }
        all
    }
}

/// What needs time, a broken disk or a broken program: `faults.rs` and the worker's own tests have it.
const ELSEWHERE: [&str; 6] = [
    "/problems/too-slow",
    "/problems/busy",
    "/problems/storage",
    "/problems/stopping",
    "/problems/deleted",
    "/problems/solver-failed",
];

#[test]
fn every_operation_answers_as_described_in_every_way() {
    let folder = Folder::new();
    folder.write("token", "a-token-of-many-letters\n");
    let token = folder.file("token");
    let server = Server::start(&["--token-file", &token, "--max-queue", "8", "--max-job-mb", "1"]);
    let document = server.get("/openapi.json").json();
    let mut api = Described { server: &server, document, seen: BTreeSet::new() };
    let bearer = ("Authorization", "Bearer a-token-of-many-letters");
    let job = job().to_string();
    let none = "00000000000000000000000000000000";

    for path in ["/v1/health", "/openapi.json"] {
        assert_eq!(api.ask("GET", path, "", &[], b"").status, 200);
    }
    // Without a token, and under a foreign name.
    for (method, path) in [
        ("GET", "/metrics"),
        ("GET", "/v1/jobs"),
        ("POST", "/v1/jobs"),
        ("GET", "/v1/jobs/{id}"),
        ("DELETE", "/v1/jobs/{id}"),
        ("GET", "/v1/jobs/{id}/events"),
        ("GET", "/v1/jobs/{id}/result"),
        ("POST", "/v1/jobs/{id}/stop"),
    ] {
        assert_eq!(api.ask(method, path, none, &[], b"").status, 401);
        assert_eq!(api.ask(method, path, none, &[bearer, ("Host", "evil.example")], b"").status, 421);
        if path.contains("{id}") {
            assert_eq!(api.ask(method, path, none, &[bearer], b"").problem(), "/problems/no-such-job");
        }
    }
    for path in ["/v1/health", "/openapi.json"] {
        assert_eq!(api.ask("GET", path, "", &[("Host", "evil.example")], b"").status, 421);
    }
    assert_eq!(api.ask("GET", "/metrics", "", &[bearer], b"").status, 200);

    // What is no job.
    let mut post = |headers: &[(&str, &str)], body: &str| {
        let headers: Vec<_> = headers.iter().chain([&bearer]).copied().collect();
        api.ask("POST", "/v1/jobs", "", &headers, body.as_bytes())
    };
    let key = |key| ("Idempotency-Key", key);
    assert_eq!(post(&[JSON, key("")], &job).problem(), "/problems/bad-request");
    assert_eq!(post(&[], &job).problem(), "/problems/unsupported-media-type");
    assert_eq!(post(&[JSON, ("Content-Encoding", "br")], &job).problem(), "/problems/unsupported-media-type");
    assert_eq!(post(&[JSON], "{}").problem(), "/problems/invalid-job");
    assert_eq!(
        post(&[JSON], &job.replace("\"version\":1", "\"version\":9")).problem(),
        "/problems/unsupported-version"
    );
    assert_eq!(post(&[JSON, ("Content-Length", "2000000")], "").problem(), "/problems/too-large");
    assert_eq!(post(&[JSON, key("a")], &job).status, 202);
    assert_eq!(
        post(&[JSON, key("a")], &job.replace("\"seed\":1", "\"seed\":2")).problem(),
        "/problems/idempotency-key-reused"
    );
    let id = |reply: &Reply| reply.json()["id"].as_str().unwrap().to_owned();
    let first = id(&post(&[JSON], &job));
    let never = id(&post(&[JSON], &job.replace("\"k\":2", "\"k\":7")));
    assert_eq!(post(&[JSON], &job.replace("\"k\":2", "\"k\":1")).problem(), "/problems/invalid-job");
    let misplaced = job.replace("\"method\"", "\"search\":{\"blocks\":2},\"method\"");
    assert_eq!(post(&[JSON], &misplaced).problem(), "/problems/invalid-job");
    // What a construction is not defined for is told when the search begins.
    let mut undefined: serde_json::Value = serde_json::from_str(&job).unwrap();
    undefined["method"] = "tau".into();
    let wrong = id(&post(&[JSON], &undefined.to_string()));
    let done = |id: &str| loop {
        let info = server.ask("GET", &format!("/v1/jobs/{id}"), &[bearer], b"").json();
        if info["state"] == "done" || info["state"] == "failed" {
            return info;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    };
    let _ = [&first, &never, &wrong].map(|id| done(id));
    let long = id(&post(&[JSON], &endless().to_string()));
    let mut waiting = Vec::new();
    let full = loop {
        let reply = post(&[JSON], &job);
        if reply.status != 202 {
            break reply;
        }
        waiting.push(id(&reply));
    };
    assert_eq!(full.problem(), "/problems/queue-full");
    assert!(full.header("retry-after").is_some());

    // What the jobs say.
    assert_eq!(api.ask("GET", "/v1/jobs?limit=1", "", &[bearer], b"").status, 200);
    assert_eq!(api.ask("GET", "/v1/jobs?limit=0", "", &[bearer], b"").problem(), "/problems/bad-request");
    assert_eq!(api.ask("GET", "/v1/jobs?after=0", "", &[bearer], b"").problem(), "/problems/no-such-job");
    let mut ask = |method: &str, path: &str, id: &str| api.ask(method, path, id, &[bearer], b"");
    assert_eq!(ask("GET", "/v1/jobs/{id}", &first).status, 200);
    assert_eq!(ask("GET", "/v1/jobs/{id}/result", &first).status, 200);
    assert_eq!(ask("GET", "/v1/jobs/{id}/events", &first).status, 200);
    assert_eq!(ask("GET", "/v1/jobs/{id}/result", &never).problem(), "/problems/infeasible");
    assert_eq!(ask("GET", "/v1/jobs/{id}/result", &wrong).problem(), "/problems/invalid-job");
    assert_eq!(ask("GET", "/v1/jobs/{id}/result", &long).problem(), "/problems/not-done");
    assert_eq!(ask("POST", "/v1/jobs/{id}/stop", &long).status, 202);
    for id in [&first, &long] {
        assert_eq!(ask("DELETE", "/v1/jobs/{id}", id).status, 204);
    }

    whole_tables(&mut api, &token, bearer);

    let left: Vec<_> = api
        .promised()
        .into_iter()
        .filter(|promise| !api.seen.contains(promise) && !ELSEWHERE.contains(&promise.1.as_str()))
        .collect();
    assert!(left.is_empty(), "never seen: {left:?}");
}

/// The same of whole tables, by a worker that takes them, and by this one, which does not.
fn whole_tables(api: &mut Described, token: &str, bearer: (&str, &str)) {
    let none = "00000000000000000000000000000000";
    let flags = ["--token-file", token, "--accept-tables", "--max-queue", "2", "--max-job-mb", "1"];
    let server = Server::start(&flags);
    let described = |server| Described { server, document: api.document.clone(), seen: BTreeSet::new() };
    let (mut takes, mut does_not) = (described(&server), described(api.server));
    for (method, path) in [
        ("POST", "/v1/tables"),
        ("GET", "/v1/tables/{id}"),
        ("DELETE", "/v1/tables/{id}"),
        ("GET", "/v1/tables/{id}/result"),
        ("POST", "/v1/tables/{id}/stop"),
    ] {
        assert_eq!(takes.ask(method, path, none, &[], b"").status, 401);
        assert_eq!(takes.ask(method, path, none, &[bearer, ("Host", "evil.example")], b"").status, 421);
        if path.contains("{id}") {
            assert_eq!(takes.ask(method, path, none, &[bearer], b"").problem(), "/problems/no-such-job");
        }
        assert_eq!(does_not.ask(method, path, none, &[bearer], b"").problem(), "/problems/not-found");
    }
    let table = (0..12).fold(String::from("age\n"), |table, age| table + &format!("{}\n", 20 + age));
    let form = |configuration: &str| {
        let part = |name: &str, content: &str| {
            format!("--cut\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{content}\r\n")
        };
        part("configuration", configuration) + &part("table", &table) + "--cut--\r\n"
    };
    let settings = |k: u32, effort: f64| {
        json!({
            "fields": [{"name": "age", "lookalike": {"role": "quasi-identifier"}}],
            "lookalike": {"model": {"name": "k-anonymity", "k": k}, "budget": {"effort": effort}, "method": "annealing"},
        })
        .to_string()
    };
    let kind = ("Content-Type", "multipart/form-data; boundary=cut");
    let mut post = |headers: &[(&str, &str)], body: &str| {
        let headers: Vec<_> = headers.iter().chain([&bearer]).copied().collect();
        takes.ask("POST", "/v1/tables", "", &headers, body.as_bytes())
    };
    assert_eq!(post(&[JSON], "{}").problem(), "/problems/unsupported-media-type");
    assert_eq!(post(&[kind], "--cut--\r\n").problem(), "/problems/invalid-job");
    assert_eq!(post(&[kind, ("Content-Length", "2000000")], "").problem(), "/problems/too-large");
    let id = |reply: &Reply| reply.json()["id"].as_str().unwrap().to_owned();
    let ends = |id: &str| loop {
        let info = server.ask("GET", &format!("/v1/tables/{id}"), &[bearer], b"").json();
        if info["state"] == "done" || info["state"] == "failed" {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    };
    let ran = [form(&settings(3, 0.1)), form(&settings(30, 0.1)), form("{}")].map(|form| {
        let id = id(&post(&[kind], &form));
        ends(&id);
        id
    });
    let long = form(&settings(3, 1e9));
    let first = id(&post(&[kind], &long));
    let full = loop {
        let reply = post(&[kind], &long);
        if reply.status != 202 {
            break reply;
        }
    };
    assert_eq!(full.problem(), "/problems/queue-full");
    let mut ask = |method: &str, path: &str, id: &str| takes.ask(method, path, id, &[bearer], b"");
    assert_eq!(ask("GET", "/v1/tables/{id}", &first).status, 200);
    assert_eq!(ask("GET", "/v1/tables/{id}/result", &ran[0]).status, 200);
    assert_eq!(ask("GET", "/v1/tables/{id}/result", &ran[1]).problem(), "/problems/infeasible");
    assert_eq!(ask("GET", "/v1/tables/{id}/result", &ran[2]).problem(), "/problems/invalid-job");
    assert_eq!(ask("GET", "/v1/tables/{id}/result", &first).problem(), "/problems/not-done");
    assert_eq!(ask("POST", "/v1/tables/{id}/stop", &first).status, 202);
    assert_eq!(ask("DELETE", "/v1/tables/{id}", &first).status, 204);
    api.seen.extend(takes.seen.into_iter().chain(does_not.seen));
}

/// Where the program is that makes requests from a description; made once, kept below `target`.
fn schemathesis() -> Result<std::path::PathBuf, String> {
    const VERSION: &str = "4.32.5";
    let folder = workspace().join("target").join(format!("schemathesis-{VERSION}"));
    let program = folder.join("bin/st");
    if program.is_file() {
        return Ok(program);
    }
    let run = |command: &mut Command| match command.output() {
        Ok(Output { status, .. }) if status.success() => Ok(()),
        Ok(output) => {
            Err(String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default().to_owned())
        }
        Err(why) => Err(why.to_string()),
    };
    run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    let package = format!("schemathesis=={VERSION}");
    let mut pip = Command::new(folder.join("bin/pip"));
    run(pip.args(["install", "-q", "--retries", "1", "--timeout", "10", &package]))?;
    Ok(program)
}

#[test]
fn generated_requests_find_no_other_answers() {
    let program = match schemathesis() {
        Ok(program) => program,
        Err(why) => return eprintln!("skipped: schemathesis cannot be installed from PyPI ({why})"),
    };
    let folder = Folder::new();
    let server = Server::start(&["--max-search", "100ms", "--max-queue", "100000"]);
    let output = Command::new(program)
        .current_dir(folder.path())
        .args(["run", &format!("{}/openapi.json", server.url())])
        .args([
            "--phases",
            "examples,coverage,fuzzing",
            "--max-examples",
            "10",
            "--seed",
            "1",
            "--workers",
            "1",
        ])
        .args(["--max-time", "40", "--request-timeout", "30", "--suppress-health-check", "all"])
        // Whether numbers fit each other is more than a schema can say, so a job of the right shape may be refused.
        .args(["--exclude-checks", "positive_data_acceptance"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("POST /v1/jobs") || said.contains("Operations"), "it did something: {said}");
    assert_eq!(server.get("/v1/health").status, 200);
}
