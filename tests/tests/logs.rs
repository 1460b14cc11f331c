//! What a worker writes on standard error: jobs, sizes and times; no tokens, no numbers of a job.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    fs::{self, File},
    os::unix::fs::PermissionsExt as _,
    process::Command,
};

use lookalike_tests::{program::Folder, server::Server};
use serde_json::{Value, json};

const TOKEN: &str = "0123456789abcdef-a-secret";

fn job(odd: &Value) -> String {
    let job = json!({
        "version": 1, "dims": 1, "points": [odd, 1, 2, 3, 4, 5], "colours": [0, 0, 0, 0, 0, 0],
        "rule": {"name": "min-size", "k": 2}, "loss": "sse", "method": "auto", "budget": {"effort": 1.0}, "seed": 1,
    });
    job.to_string()
}

#[test]
fn the_log_names_jobs_and_no_values() {
    for form in ["text", "json"] {
        let folder = Folder::new();
        folder.write("tokens", format!("office:{TOKEN}"));
        fs::set_permissions(folder.path().join("tokens"), fs::Permissions::from_mode(0o644)).unwrap();
        let log = File::create(folder.path().join("log")).unwrap();
        let server = Server::with_log(&["--token-file", &folder.file("tokens"), "--log-format", form], log);
        let bearer = ("Authorization", &*format!("Bearer {TOKEN}"));
        let json = ("Content-Type", "application/json");
        let post = |odd: Value| server.ask("POST", "/v1/jobs", &[bearer, json], job(&odd).as_bytes());
        let reply = post(json!(76_543.25));
        assert_eq!(reply.status, 202, "{reply:?}");
        let path = reply.header("location").unwrap().to_owned();
        // What is refused is not quoted either; nor is a token that is nearly right.
        assert_eq!(post(json!("76543.25")).status, 422);
        assert_eq!(post(json!(76_543.25e290)).status, 422);
        let wrong = format!("Bearer {TOKEN}x");
        assert_eq!(server.ask("GET", &path, &[("Authorization", &wrong)], b"").status, 401);
        // HTTP/2 has a log of its own.
        let url = format!("http://{}{path}", server.address);
        let mut curl = Command::new("curl");
        curl.args(["-s", "--http2-prior-knowledge", "-H", &format!("Authorization: Bearer {TOKEN}"), &url]);
        match curl.output() {
            Ok(output) => assert!(String::from_utf8_lossy(&output.stdout).contains("\"state\"")),
            Err(why) => eprintln!("skipped: no curl ({why})"),
        }
        while server.ask("GET", &path, &[bearer], b"").json()["state"] != "done" {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let log = || fs::read_to_string(folder.path().join("log")).unwrap();
        while !log().contains("done") {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let log = log();
        assert!(log.contains(path.rsplit('/').next().unwrap()) && log.contains("office"), "{log}");
        assert!(log.contains("everybody on this machine may read it"), "{log}");
        assert!(!log.contains(TOKEN) && !log.contains("76543.2"), "{log}");
        assert!(!log.contains("7654325000"), "{log}");
        if form == "json" {
            let line = log.lines().find(|line| line.contains("\"done\"")).unwrap();
            assert_eq!(serde_json::from_str::<Value>(line).unwrap()["level"], "INFO");
        }
    }
}
