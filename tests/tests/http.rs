//! The HTTP worker from outside: the page's files and headers, the job API, who may ask.

use std::{fs, io::Read as _, process::Command};

use lookalike_tests::{
    http,
    program::{self, Folder, Run},
    server::Server,
};
use serde_json::{Value, json};

/// Six records on a line, classes of at least two: the optimum pairs neighbours and loses 3 * 0.5.
fn job() -> Value {
    json!({
        "version": 1, "dims": 1, "points": [0.0, 1.0, 10.0, 11.0, 20.0, 21.0], "colours": [0, 0, 0, 0, 0, 0],
        "rule": {"name": "min-size", "k": 2}, "loss": "sse", "method": "auto", "budget": {"effort": 5.0}, "seed": 1,
    })
}

/// A job that would outlast the test.
fn endless() -> Value {
    let mut job = job();
    let points: Vec<f64> = (0..3000).map(|i| f64::from(i * 7919 % 3001)).collect();
    job["colours"] = json!(vec![0; points.len()]);
    job["points"] = json!(points);
    job["budget"] = json!({"seconds": 3600.0});
    job
}

#[test]
fn a_job_from_post_to_delete() {
    let server = Server::start(&[]);
    let reply = server.post(&job());
    assert_eq!(reply.status, 202, "{reply:?}");
    let id = reply.json()["id"].as_str().unwrap().to_owned();
    assert!(id.len() == 32 && id.bytes().all(|b| b.is_ascii_hexdigit()), "{id}");
    let path = format!("/v1/jobs/{id}");
    assert_eq!(reply.header("location"), Some(path.as_str()));

    assert_eq!(server.wait(&path, "done")["error"], Value::Null);
    let answer = server.get(&format!("{path}/result")).json();
    assert!((answer["loss"].as_f64().unwrap() - 1.5).abs() < 1e-12, "{answer}");
    let label = |i: usize| answer["labels"][i].as_u64().unwrap();
    assert!(label(0) == label(1) && label(2) == label(3) && label(4) == label(5));
    assert!(label(0) != label(2) && label(2) != label(4) && label(0) != label(4));
    assert_eq!(server.get(&format!("{path}/result")).status, 200, "reading changes nothing");

    let gone = server.ask("DELETE", &path, &[], b"");
    assert_eq!((gone.status, gone.body.len()), (204, 0));
    for path in [path.clone(), format!("{path}/result"), format!("{path}/events")] {
        assert_eq!(server.get(&path).problem(), "/problems/no-such-job");
    }
    assert_eq!(server.ask("DELETE", &path, &[], b"").status, 404);
}

#[test]
fn events_tell_progress_and_the_end() {
    let server = Server::start(&[]);
    let path = server.submit(&endless());
    let stream = http::open(&server.address, "GET", &format!("{path}/events"), &[], b"");
    let _ = server.wait(&path, "running");
    // Something to tell first.
    while server.get(&path).json()["progress"]["incumbent"].is_null() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(server.ask("POST", &format!("{path}/stop"), &[], b"").status, 202);
    let reply = http::read(stream);
    assert_eq!(reply.header("content-type"), Some("text/event-stream"));
    let text = reply.text();
    let events: Vec<(&str, u64, Value)> = text
        .split("\n\n")
        .filter(|e| e.contains("event:"))
        .map(|event| {
            let field = |name: &str| {
                event.lines().find_map(|l| l.strip_prefix(name)?.strip_prefix(':')).map(str::trim).unwrap()
            };
            (field("event"), field("id").parse().unwrap(), serde_json::from_str(field("data")).unwrap())
        })
        .collect();
    assert!(events.len() >= 2, "{text}");
    let (last, before) = events.split_last().unwrap();
    assert_eq!((last.0, &last.2["state"]), ("state", &json!("done")), "{text}");
    assert!(before.iter().all(|e| e.0 == "progress"), "{text}");
    assert!(before.last().is_some_and(|e| e.2["incumbent"].as_f64().is_some()), "{text}");
    assert!(events.windows(2).all(|w| w[0].1 < w[1].1), "ids grow: {text}");

    // Whoever comes back after the end hears the end again.
    let id = last.1.to_string();
    let again = server.ask("GET", &format!("{path}/events"), &[("Last-Event-ID", &id)], b"").text();
    assert!(again.contains("event: state") && !again.contains("event: progress"), "{again}");
    // A job that was stopped has its best so far.
    assert_eq!(server.get(&format!("{path}/result")).json()["status"]["name"], "cancelled");
}

#[test]
fn deleting_ends_a_running_job_and_its_events() {
    let server = Server::start(&[]);
    let path = server.submit(&endless());
    let _ = server.wait(&path, "running");
    assert_eq!(server.get(&format!("{path}/result")).problem(), "/problems/not-done");
    let stream = http::open(&server.address, "GET", &format!("{path}/events"), &[], b"");
    let next = server.submit(&job());
    assert_eq!(server.get(&next).json()["state"], "queued", "one at a time");
    assert_eq!(server.ask("DELETE", &path, &[], b"").status, 204);
    let told = http::read(stream).text();
    assert!(told.contains("/problems/deleted"), "{told}");
    let _ = server.wait(&next, "done");
}

#[test]
fn a_full_queue() {
    let server = Server::start(&["--max-queue", "8"]);
    let running = server.submit(&endless());
    let _ = server.wait(&running, "running");
    let waiting: Vec<String> = (0..8).map(|_| server.submit(&job())).collect();
    let refused = server.post(&job());
    assert_eq!(refused.status, 429);
    assert_eq!(refused.problem(), "/problems/queue-full");
    assert!(refused.header("retry-after").and_then(|v| v.parse::<u32>().ok()).is_some_and(|s| s > 0));
    assert_eq!(server.ask("DELETE", &waiting[3], &[], b"").status, 204);
    assert_eq!(server.post(&job()).status, 202, "there is room again");
    assert_eq!(server.ask("DELETE", &running, &[], b"").status, 204);
    let _ = server.wait(&waiting[7], "done");
}

#[test]
fn what_is_no_job() {
    let server = Server::start(&[]);
    let post =
        |kind: &str, body: &str| server.ask("POST", "/v1/jobs", &[("Content-Type", kind)], body.as_bytes());
    let json = |body: &str| post("application/json; charset=utf-8", body).problem();
    assert_eq!(post("text/plain", &job().to_string()).problem(), "/problems/unsupported-media-type");
    for broken in ["{", "[]", "{}", "null", "{\"version\": 1}"] {
        assert_eq!(json(broken), "/problems/invalid-job", "{broken}");
    }
    let with = |field: &str, value: Value| {
        let mut job = job();
        job[field] = value;
        json(&job.to_string())
    };
    assert_eq!(with("version", json!(99)), "/problems/unsupported-version");
    assert_eq!(with("dims", json!(0)), "/problems/invalid-job");
    assert_eq!(with("dims", json!(5)), "/problems/invalid-job");
    assert_eq!(with("colours", json!([0, 1])), "/problems/invalid-job");
    assert_eq!(
        with("name", json!("Anna")),
        "/problems/invalid-job",
        "unknown fields are no business of a worker"
    );
    let huge = [("Content-Type", "application/json"), ("Content-Length", "300000000")];
    assert_eq!(server.ask("POST", "/v1/jobs", &huge, b"").problem(), "/problems/too-large");
}

#[test]
fn jobs_that_cannot_be_solved_say_why() {
    let server = Server::start(&[]);
    let failed = |rule: Value| {
        let mut job = job();
        job["rule"] = rule;
        let path = server.submit(&job);
        let info = server.wait(&path, "failed");
        assert_eq!(server.get(&format!("{path}/result")).problem(), info["error"]["type"].as_str().unwrap());
        info["error"]["type"].as_str().unwrap().to_owned()
    };
    assert_eq!(failed(json!({"name": "min-size", "k": 7})), "/problems/infeasible");
    assert_eq!(failed(json!({"name": "distinct", "m": 2})), "/problems/infeasible");
}

#[test]
fn http2_names_its_host_in_another_place() {
    let server = Server::start(&["--host", "lab.example"]);
    let ask = |host: &str| {
        let mut curl = Command::new("curl");
        curl.args(["-s", "--http2-prior-knowledge", "-H", &format!("Host: {host}"), "-w", " %{http_code}"]);
        curl.arg(format!("http://{}/v1/health", server.address)).output()
    };
    let status = |host: &str| match ask(host) {
        Ok(output) => {
            let text = String::from_utf8(output.stdout).unwrap();
            Some(text.rsplit(' ').next().unwrap().to_owned())
        }
        Err(why) => {
            eprintln!("skipped: no curl ({why})");
            None
        }
    };
    let Some(own) = status(&server.address) else { return };
    assert_eq!(own, "200");
    assert_eq!(status("lab.example").unwrap(), "200");
    assert_eq!(status("evil.example").unwrap(), "421");
    // And as HTTP/1 has it.
    for (host, status) in [("lab.example", 200), ("LAB.example:443", 200), ("evil.example", 421)] {
        assert_eq!(server.ask("GET", "/v1/health", &[("Host", host)], b"").status, status, "{host}");
    }
}

#[test]
fn what_is_not_the_api_is_refused_alike() {
    let server = Server::start(&[]);
    assert_eq!(server.get("/metrics/").problem(), "/problems/not-found");
    let reply = server.ask("POST", "/", &[], b"");
    assert_eq!((reply.status, reply.problem().as_str()), (405, "/problems/method-not-allowed"));
    assert_eq!(reply.header("allow"), Some("GET, HEAD"));
}

#[cfg(unix)]
#[test]
fn no_tokens_are_a_mistake_not_an_open_door() {
    use std::os::unix::ffi::OsStrExt as _;
    for tokens in [&b""[..], b" ;", b"\xff"] {
        let mut command = program::command();
        command.args(["serve", "--listen", "127.0.0.1:0", "--page", "/nowhere"]);
        let run = command.env("LOOKALIKE_TOKENS", std::ffi::OsStr::from_bytes(tokens)).output().unwrap();
        assert_eq!(run.status.code(), Some(2));
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(said.contains("LOOKALIKE_TOKENS"), "{said}");
    }
}

#[test]
fn errors_below_v1_are_problems() {
    let server = Server::start(&[]);
    for path in ["/v1", "/v1/", "/v1/nothing", "/v1/jobs/a/b/c", "/v1/%2e%2e/index.html"] {
        let reply = server.get(path);
        assert_eq!((reply.status, reply.problem().as_str()), (404, "/problems/not-found"), "{path}");
    }
    assert_eq!(server.ask("PUT", "/v1/jobs", &[], b"").problem(), "/problems/method-not-allowed");
    assert_eq!(server.ask("PUT", "/v1/jobs/1", &[], b"").problem(), "/problems/method-not-allowed");
    assert_eq!(server.get("/v1/jobs/00000000000000000000000000000000").problem(), "/problems/no-such-job");
}

/// A folder that looks like a built page.
fn page() -> Folder {
    let folder = Folder::new();
    folder.write("index.html", "<!doctype html><title>Lookalike</title>");
    folder.write("ui.js", "export {};");
    folder.write("ui_bg.wasm", b"\0asm\x01\0\0\0");
    folder.write("style.css", "body {}");
    folder.write("icon.svg", "<svg/>");
    folder.write(".hidden", "no");
    folder.write("engine/worker.js", "//");
    folder
}

fn serve_page(folder: &Folder, args: &[&str]) -> Server {
    let page = folder.file("");
    let mut all = vec!["--page", &page];
    all.extend(args);
    Server::start(&all)
}

#[test]
fn the_page_and_its_headers() {
    let folder = page();
    let server = serve_page(&folder, &[]);
    for (path, kind) in [
        ("/", "text/html; charset=utf-8"),
        ("/index.html", "text/html; charset=utf-8"),
        ("/ui.js", "text/javascript; charset=utf-8"),
        ("/engine/worker.js", "text/javascript; charset=utf-8"),
        ("/ui_bg.wasm", "application/wasm"),
        ("/style.css", "text/css; charset=utf-8"),
        ("/icon.svg", "image/svg+xml"),
    ] {
        let reply = server.get(path);
        assert_eq!((reply.status, reply.header("content-type")), (200, Some(kind)), "{path}");
        assert_eq!(reply.header("cache-control"), Some("no-cache"));
    }
    assert_eq!(server.get("/ui_bg.wasm").body, folder.read("ui_bg.wasm"));
    // Everything carries the headers, errors and the API too.
    for path in ["/", "/none", "/config.json", "/v1/health", "/v1/none"] {
        let reply = server.get(path);
        let header =
            |name: &str| reply.header(name).unwrap_or_else(|| panic!("no {name} on {path}")).to_owned();
        assert_eq!(header("cross-origin-opener-policy"), "same-origin");
        assert_eq!(header("cross-origin-embedder-policy"), "require-corp");
        assert_eq!(header("cross-origin-resource-policy"), "same-origin");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("referrer-policy"), "no-referrer");
        let permissions = header("permissions-policy");
        for denied in ["camera=()", "geolocation=()", "microphone=()", "usb=()", "clipboard-read=()"] {
            assert!(permissions.split(", ").any(|one| one == denied), "{denied}: {permissions}");
        }
        let policy = header("content-security-policy");
        let directives: Vec<&str> = policy.split("; ").collect();
        for directive in [
            "default-src 'none'",
            "script-src 'self' 'wasm-unsafe-eval'",
            "connect-src 'self'",
            "form-action 'none'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(directives.contains(&directive), "{directive} is not in {policy}");
        }
    }
    assert_eq!(server.get("/config.json").json()["worker_origin"], "self");
}

#[test]
fn unchanged_files_are_not_sent_again() {
    let folder = page();
    let server = serve_page(&folder, &[]);
    let tag = server.get("/ui.js").header("etag").unwrap().to_owned();
    let again = server.ask("GET", "/ui.js", &[("If-None-Match", &tag)], b"");
    assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, Some(tag.as_str())));
    folder.write("ui.js", "export const changed = 1;");
    assert_eq!(server.ask("GET", "/ui.js", &[("If-None-Match", &tag)], b"").status, 200);
    let head = server.ask("HEAD", "/ui.js", &[], b"");
    assert_eq!((head.status, head.body.len(), head.header("content-length")), (200, 0, Some("25")));
    assert_eq!(server.ask("POST", "/ui.js", &[], b"").status, 405);
}

/// Packed files that the build has put beside the page's are sent as they are, to who takes them.
#[test]
fn packed_files_are_sent_to_who_takes_them() {
    let folder = page();
    let script = "export const long = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';";
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut packer, script.as_bytes()).unwrap();
    let packed = packer.finish().unwrap();
    folder.write("ui.js", script);
    folder.write("ui.js.gz", &packed);
    let server = serve_page(&folder, &[]);
    let get = |path: &str, headers: &[(&str, &str)]| server.ask("GET", path, headers, b"");
    let gzip = ("Accept-Encoding", "br, gzip");
    let (small, plain) = (get("/ui.js", &[gzip]), get("/ui.js", &[("Accept-Encoding", "br, gzip;q=0")]));
    assert_eq!((small.header("content-encoding"), &small.body), (Some("gzip"), &packed));
    assert_eq!((plain.header("content-encoding"), plain.body.as_slice()), (None, script.as_bytes()));
    for reply in [&small, &plain] {
        assert_eq!(reply.header("content-type"), Some("text/javascript; charset=utf-8"));
        assert_eq!(reply.header("vary"), Some("accept-encoding"));
    }
    // Each form has a tag of its own, and is not sent again to who has it.
    let tags = [small.header("etag").unwrap(), plain.header("etag").unwrap()];
    assert_ne!(tags[0], tags[1]);
    let again = get("/ui.js", &[gzip, ("If-None-Match", tags[0])]);
    assert_eq!((again.status, again.header("vary"), again.body.len()), (304, Some("accept-encoding"), 0));
    assert_eq!(get("/ui.js", &[("If-None-Match", tags[0])]).status, 200);
    // Where there is none, or an older one, the file itself is sent.
    assert_eq!(get("/style.css", &[gzip]).text(), "body {}");
    std::thread::sleep(std::time::Duration::from_millis(20));
    folder.write("ui.js", "export const changed = 1;");
    assert_eq!(get("/ui.js", &[gzip]).text(), "export const changed = 1;");
}

#[test]
fn nothing_outside_the_page_is_served() {
    let folder = page();
    let secret = folder.path().parent().unwrap().join("lookalike-test-secret");
    fs::write(&secret, "secret").unwrap();
    let server = serve_page(&folder, &[]);
    for path in [
        "/../lookalike-test-secret",
        "/%2e%2e/lookalike-test-secret",
        "/engine/../../lookalike-test-secret",
        "/..%2flookalike-test-secret",
        "//etc/passwd",
        "/.hidden",
        "/engine",
        "/engine/",
    ] {
        let reply = server.get(path);
        assert_eq!(reply.status, 404, "{path}");
        assert!(!reply.text().contains("secret"));
    }
    fs::remove_file(secret).unwrap();
}

#[test]
fn options_for_the_page() {
    let folder = page();
    let bare = serve_page(&folder, &["--no-isolation"]).get("/");
    assert!(bare.header("cross-origin-opener-policy").is_none());
    assert!(bare.header("cross-origin-embedder-policy").is_none());
    assert!(bare.header("content-security-policy").is_some());

    let server = serve_page(&folder, &["--worker-origin", "https://worker.example:8443/"]);
    let policy = server.get("/").header("content-security-policy").unwrap().to_owned();
    assert!(policy.contains("connect-src 'self' https://worker.example:8443;"), "{policy}");
    assert_eq!(server.get("/config.json").json()["worker_origin"], "https://worker.example:8443");
}

#[test]
fn without_a_page_the_api_is_there() {
    let server = Server::start(&[]);
    let health = server.get("/v1/health");
    assert_eq!((health.status, &health.json()["status"]), (200, &json!("ok")));
}

#[test]
fn a_token_is_demanded() {
    let folder = Folder::new();
    folder.write("token", "a-token-of-many-letters\n");
    let token = folder.file("token");
    let server = Server::start(&["--token-file", &token]);
    let ask = |authorization: &str| server.ask("GET", "/v1/jobs/1", &[("Authorization", authorization)], b"");
    for wrong in ["", "Bearer", "Bearer a-token-of-many-letterz", "Basic a-token-of-many-letters"] {
        let reply = ask(wrong);
        assert_eq!((reply.status, reply.problem().as_str()), (401, "/problems/unauthorized"), "{wrong:?}");
        assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
    }
    assert_eq!(server.post(&job()).status, 401);
    assert_eq!(server.get("/v1/nothing").status, 401, "a stranger learns nothing about routes");
    assert_eq!(ask("Bearer a-token-of-many-letters").status, 404);
    assert_eq!(server.get("/v1/health").status, 200);
    assert_eq!(server.get("/config.json").json()["token_required"], true);
}

#[test]
fn other_machines_need_a_token() {
    let run = |args: &[&str]| Run::from(program::command().arg("serve").args(args).output().unwrap());
    for address in ["0.0.0.0:0", "[::]:0"] {
        let refused = run(&["--listen", address]);
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        assert!(refused.stderr.contains("--token-file"), "{}", refused.stderr);
        assert!(refused.stdout.is_empty());
    }
    let folder = Folder::new();
    folder.write("token", "short");
    let token = folder.file("token");
    assert_eq!(run(&["--token-file", &token]).code, Some(2));
    assert_eq!(run(&["--listen", "nowhere"]).code, Some(2));
    assert_eq!(run(&["--page", "/nowhere"]).code, Some(2));
    assert_eq!(run(&["--worker-origin", "https://a.example; script-src *"]).code, Some(2));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    assert_eq!(run(&["--listen", &taken.local_addr().unwrap().to_string()]).code, Some(4));
}

/// A foreign page that makes its own name point here is turned away, page and API alike.
#[test]
fn other_host_names_are_refused() {
    let folder = page();
    let server = serve_page(&folder, &[]);
    for path in ["/", "/config.json", "/v1/health", "/v1/jobs/1"] {
        for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "192.168.1.1"] {
            let reply = server.ask("GET", path, &[("Host", host)], b"");
            assert_eq!(
                (reply.status, reply.problem().as_str()),
                (421, "/problems/wrong-host"),
                "{host}{path}"
            );
        }
    }
    for host in ["localhost", "localhost:9000", "127.0.0.1", "[::1]:80"] {
        assert_eq!(server.ask("GET", "/", &[("Host", host)], b"").status, 200, "{host}");
    }
}

#[test]
fn only_named_origins_may_ask() {
    let folder = Folder::new();
    folder.write("token", "a-token-of-many-letters\n");
    let token = folder.file("token");
    let server = Server::start(&[
        "--allow-origin",
        "https://page.example",
        "--allow-origin",
        "http://localhost:9999/",
        "--token-file",
        &token,
    ]);
    let preflight = |origin: &str| {
        let headers = [
            ("Origin", origin),
            ("Access-Control-Request-Method", "POST"),
            ("Access-Control-Request-Headers", "authorization,content-type"),
        ];
        server.ask("OPTIONS", "/v1/jobs", &headers, b"")
    };
    for origin in ["https://page.example", "http://localhost:9999"] {
        let reply = preflight(origin);
        assert_eq!(reply.status, 200, "a preflight carries no token: {reply:?}");
        assert_eq!(reply.header("access-control-allow-origin"), Some(origin));
        assert!(reply.header("access-control-allow-headers").unwrap().contains("authorization"));
    }
    for origin in ["https://evil.example", "http://page.example", "null"] {
        assert_eq!(preflight(origin).header("access-control-allow-origin"), None, "{origin}");
    }
    let nobody = Server::start(&[]);
    let reply = nobody.ask("GET", "/v1/health", &[("Origin", "https://page.example")], b"");
    assert_eq!(reply.header("access-control-allow-origin"), None);
}

#[cfg(unix)]
#[test]
fn signals_stop_the_server_in_order() {
    for signal in ["-INT", "-TERM"] {
        let server = Server::start(&[]);
        let path = server.submit(&endless());
        let _ = server.wait(&path, "running");
        let mut stream = http::open(&server.address, "GET", &format!("{path}/events"), &[], b"");
        let mut first = [0; 1];
        stream.read_exact(&mut first).unwrap();
        let kill =
            std::process::Command::new("kill").arg(signal).arg(server.id().to_string()).status().unwrap();
        assert!(kill.success());
        let mut rest = String::new();
        stream.read_to_string(&mut rest).unwrap();
        assert!(rest.contains("/problems/stopping"), "the stream ends with the reason: {rest}");
        assert_eq!(server.end(), Some(0));
    }
}
