//! Several tokens on one worker: what one of them does must not harm the others.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    time::{Duration, Instant},
};

use lookalike_tests::{
    http::{Reply, wait_for_the_end},
    program::{Folder, PATIENCE},
    server::Server,
};
use serde_json::{Value, json};

const TOKENS: &str = "a:aaaaaaaaaaaaaaaaaaaa\nb:bbbbbbbbbbbbbbbbbbbb\n";

fn job(records: u32, effort: f64) -> Value {
    let points: Vec<u32> = (0..records).map(|i| i * 7919 % 3001).collect();
    json!({
        "version": 1, "dims": 1, "points": points, "colours": vec![0; points.len()],
        "rule": {"name": "min-size", "k": 3}, "loss": "sse", "method": "auto", "budget": {"effort": effort}, "seed": 1,
    })
}

fn bearer(name: char) -> String {
    format!("Bearer {}", name.to_string().repeat(20))
}

fn post(server: &Server, name: char, job: &Value) -> Reply {
    let token = bearer(name);
    let headers = [("Content-Type", "application/json"), ("Authorization", token.as_str())];
    server.ask("POST", "/v1/jobs", &headers, job.to_string().as_bytes())
}

fn server(folder: &Folder, flags: &[&str]) -> Server {
    folder.write("tokens", TOKENS);
    Server::start(&[&["--token-file", &folder.file("tokens")], flags].concat())
}

#[test]
fn a_queue_that_one_token_has_filled_is_not_anothers() {
    let folder = Folder::new();
    let server = server(&folder, &["--max-queue", "3"]);
    let long = job(2000, 1e6);
    // One is searched, three wait.
    let answers: Vec<Reply> = (0..8).map(|_| post(&server, 'a', &long)).collect();
    let full = answers.iter().find(|answer| answer.status == 429).unwrap();
    assert_eq!(full.problem(), "/problems/queue-full");
    assert_eq!(post(&server, 'b', &job(6, 1.0)).status, 202);
    assert_eq!(post(&server, 'a', &job(6, 1.0)).status, 429);
}

#[test]
fn bytes_that_one_token_holds_are_not_anothers() {
    let folder = Folder::new();
    let server = server(&folder, &["--max-held-mb", "1", "--max-job-mb", "1"]);
    let large = job(40_000, 1e6);
    let statuses: Vec<u16> = (0..4).map(|_| post(&server, 'a', &large).status).collect();
    assert!(statuses.contains(&429) && statuses[0] == 202, "{statuses:?}");
    assert_eq!(post(&server, 'b', &large).status, 202);
}

#[test]
fn uploads_of_one_token_that_drip_hold_up_no_other() {
    let folder = Folder::new();
    let server = server(&folder, &["--max-job-mb", "1"]);
    // All the room that the token has.
    let mut dripping = [(); 2].map(|()| {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let head = format!(
            "POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: {}\r\nConnection: close\r\nContent-Type: \
             application/json\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n",
            bearer('a')
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut told = [0; b"HTTP/1.1 100 Continue\r\n\r\n".len()];
        stream.read_exact(&mut told).unwrap();
        stream.write_all(b"1\r\n{\r\n").unwrap();
        stream
    });
    for _ in 0..3 {
        // Of a size that would have had to wait behind them.
        assert_eq!(post(&server, 'b', &job(60_000, 0.0)).status, 202);
    }
    // A byte now and then does not keep them: they are closed although they never pause for long.
    let [first, _] = &mut dripping;
    while first.write_all(b"1\r\n \r\n").is_ok() {
        std::thread::sleep(std::time::Duration::from_secs(2));
    }
    wait_for_the_end(first);
    drop(dripping);
    assert_eq!(post(&server, 'a', &job(60_000, 0.0)).status, 202);
}

#[test]
fn one_address_does_not_have_all_connections() {
    let folder = Folder::new();
    let server = server(&folder, &["--max-connections", "6", "--max-connections-each", "3"]);
    let silent: Vec<TcpStream> = (0..3).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
    let refused = loop {
        let reply = server.get("/v1/health");
        if reply.status != 200 {
            break reply;
        }
    };
    assert_eq!((refused.status, refused.problem().as_str()), (503, "/problems/busy"));
    // Another address of loopback is another client.
    let other = std::process::Command::new("curl")
        .args(["-s", "-o", "/dev/null", "-w", "%{http_code}", "--interface", "127.0.0.2"])
        .arg(format!("http://{}/v1/health", server.address))
        .output();
    match other {
        Ok(other) => assert_eq!(String::from_utf8_lossy(&other.stdout), "200"),
        Err(why) => eprintln!("skipped: no curl ({why})"),
    }
    drop(silent);
}

/// A connection that is silent for 10 seconds after an answer is closed: it is not asked for after this.
const SILENT: Duration = Duration::from_secs(5);

/// Strangers that hold all connections are closed for those who show a token, and these keep theirs.
#[test]
fn strangers_do_not_hold_all_connections() {
    let folder = Folder::new();
    let server = server(&folder, &["--max-connections", "4", "--max-connections-each", "16"]);
    let connect = || {
        let stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    };
    let mut known = connect();
    let mut last = Instant::now();
    let mut ask = || {
        // On a busy machine it may have been silent for longer than any connection may be between two requests.
        if last.elapsed() > SILENT {
            known = connect();
        }
        let request =
            format!("GET /v1/jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: {}\r\n\r\n", bearer('a'));
        known.write_all(request.as_bytes()).unwrap();
        // Head and body may come one after the other.
        let (mut read, mut answer) = ([0; 2048], Vec::new());
        while !answer.ends_with(b"\"next\":null}") {
            let length = known.read(&mut read).unwrap();
            assert!(length > 0, "closed: {}", String::from_utf8_lossy(&answer));
            answer.extend_from_slice(&read[..length]);
        }
        assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
        last = Instant::now();
    };
    ask();
    for round in 0..5 {
        let mut strangers: Vec<TcpStream> = (0..3).map(|_| connect()).collect();
        // One that talks all the time without a token is a stranger, too.
        // Its place may be gone before it has said anything.
        let _ = strangers[0]
            .write_all(b"GET /v1/jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer none\r\n\r\n");
        let token = bearer('b');
        for _ in 0..3 {
            let reply = server.ask("GET", "/v1/jobs", &[("Authorization", token.as_str())], b"");
            assert_eq!(reply.status, 200, "round {round}: {reply:?}");
        }
        ask();
        // Whose place was taken is told so by the end of the connection, or by a refusal when it had none yet.
        let mut rest = Vec::new();
        let _ = strangers[0].read_to_end(&mut rest);
        let text = String::from_utf8_lossy(&rest);
        let refused = text.starts_with("HTTP/1.1 401") || text.starts_with("HTTP/1.1 503");
        assert!(text.is_empty() || refused, "{text}");
    }
}

#[test]
fn requests_and_bytes_of_one_token_are_not_anothers() {
    let folder = Folder::new();
    let server = server(&folder, &["--max-requests", "2", "--max-rate-mb", "1", "--max-queue", "9"]);
    let status = |owner: char| {
        let token = bearer(owner);
        server.ask("GET", "/v1/jobs", &[("Authorization", token.as_str())], b"")
    };
    // Streams of events of a job that searches on: each is a request under way.
    let made = post(&server, 'a', &job(2000, 1e6));
    let path = made.header("location").unwrap().to_owned();
    let stream = || {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let token = bearer('a');
        let ask = format!("GET {path}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: {token}\r\n\r\n");
        stream.write_all(ask.as_bytes()).unwrap();
        assert!(stream.read(&mut [0; 16]).unwrap() > 0);
        stream
    };
    let streams = [stream(), stream()];
    let refused = status('a');
    assert_eq!((refused.status, refused.problem().as_str()), (503, "/problems/busy"));
    assert!(refused.header("retry-after").is_some());
    assert_eq!(status('b').status, 200);
    drop(streams);
    let end = Instant::now() + PATIENCE;
    while status('a').status != 200 {
        assert!(Instant::now() < end, "its requests are never over");
    }
    // Four megabytes take at least three seconds; that they take longer on a busy machine does not matter.
    let began = Instant::now();
    let large = " ".repeat(4 << 20);
    let token = bearer('a');
    let headers = [("Authorization", token.as_str()), ("Content-Type", "application/json")];
    let reply = server.ask("POST", "/v1/jobs", &headers, large.as_bytes());
    assert_eq!(reply.status, 422, "{reply:?}");
    assert!(began.elapsed() > Duration::from_millis(2_500), "{:?}", began.elapsed());
}

#[test]
fn answers_are_for_nobodys_cache() {
    let folder = Folder::new();
    let server = server(&folder, &[]);
    let token = bearer('a');
    let listed = server.ask("GET", "/v1/jobs", &[("Authorization", token.as_str())], b"");
    let refused = server.get("/v1/jobs");
    for reply in [&listed, &refused, &post(&server, 'a', &job(6, 0.0))] {
        assert_eq!(reply.header("cache-control"), Some("no-store"), "{reply:?}");
        assert_eq!(reply.header("strict-transport-security"), None, "it speaks no TLS");
    }
}
