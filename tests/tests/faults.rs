//! What goes wrong around a worker: clients that break off, dawdle, or send nonsense; tricks with paths.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use lookalike_tests::{
    http::{self, rest, wait_for_the_end},
    program::PATIENCE,
    server::Server,
};
use serde_json::{Value, json};

const JSON: (&str, &str) = ("Content-Type", "application/json");
const COMPACT: (&str, &str) = ("Content-Type", "application/vnd.lookalike.job");

fn job(records: u32) -> Value {
    let points: Vec<f64> = (0..records).map(|i| f64::from(i * 7919 % 3001)).collect();
    json!({
        "version": 1, "dims": 1, "points": points, "colours": vec![0; points.len()],
        "rule": {"name": "min-size", "k": 2}, "loss": "sse", "method": "auto", "budget": {"effort": 1.0}, "seed": 1,
    })
}

/// Whether the worker still does its work.
fn assert_works(server: &Server) {
    let path = server.submit(&job(6));
    let _ = server.wait(&path, "done");
    assert_eq!(server.ask("DELETE", &path, &[], b"").status, 204);
}

#[test]
fn clients_that_break_off() {
    let server = Server::start(&["--max-job-mb", "1"]);
    // In the middle of an upload: more of them than there is room for at a time.
    for _ in 0..10 {
        let headers = [JSON, ("Content-Length", "1000000")];
        drop(http::open(
            &server.address,
            "POST",
            "/v1/jobs",
            &headers,
            b"{\"version\": 1, \"points\": [0.5,",
        ));
    }
    assert_works(&server);
    assert!(server.get("/v1/jobs").json()["jobs"].as_array().unwrap().is_empty(), "half a job is none");
    // In the middle of events.
    let mut long = job(3000);
    long["budget"] = json!({"seconds": 3600.0});
    let path = server.submit(&long);
    // Its process may take a while to begin.
    let _ = server.wait(&path, "running");
    for _ in 0..20 {
        let mut stream = http::open(&server.address, "GET", &format!("{path}/events"), &[], b"");
        stream.read_exact(&mut [0; 64]).unwrap();
    }
    assert_eq!(server.get(&path).json()["state"], "running", "who looks away does not end a job");
    assert_eq!(server.ask("DELETE", &path, &[], b"").status, 204);
    assert_works(&server);
}

#[test]
fn heads_that_dawdle_are_not_waited_for() {
    let server = Server::start(&[]);
    let began = Instant::now();
    let slow: Vec<TcpStream> = (0..30)
        .map(|_| {
            let mut stream = TcpStream::connect(&server.address).unwrap();
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            stream.write_all(b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nX-Drop: ").unwrap();
            stream
        })
        .collect();
    let mut dripping = slow[0].try_clone().unwrap();
    thread::spawn(move || {
        while dripping.write_all(b"x").is_ok() {
            thread::sleep(Duration::from_millis(500));
        }
    });
    assert_works(&server);
    for stream in slow {
        assert!(!rest(stream).contains("200 OK"));
    }
    assert!(began.elapsed() > Duration::from_secs(5), "it was the time that ended them");
    let long = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: {}\r\n\r\n", "x".repeat(100_000));
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    // The server may close before it has all of it.
    let _ = stream.write_all(long.as_bytes());
    let answer = rest(stream);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431"), "{answer}");
    assert_works(&server);
}

#[test]
fn silent_connections_are_closed() {
    let server = Server::start(&[]);
    let connect = || TcpStream::connect(&server.address).unwrap();
    let silent = connect();
    // HTTP/2 that asks for nothing.
    let mut idle = connect();
    idle.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").unwrap();
    // One that has asked, and asks no more.
    let mut done = connect();
    done.write_all(b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    for stream in [&silent, &done, &idle] {
        wait_for_the_end(stream);
    }
}

#[test]
fn answers_that_nobody_reads_are_not_kept_for_ever() {
    let server = Server::start(&[]);
    let mut large = job(50_000);
    large["method"] = json!("classic");
    large["budget"] = json!({"effort": 0.0});
    let path = server.submit(&large);
    let _ = server.wait(&path, "done");
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_nodelay(true).unwrap();
    // More than all buffers on the way take.
    let ask = format!("GET {path}/result HTTP/1.1\r\nHost: localhost\r\n\r\n");
    stream.write_all(ask.repeat(200).as_bytes()).unwrap();
    let end = Instant::now() + PATIENCE;
    while stream.write_all(b"\r\n").is_ok() {
        assert!(Instant::now() < end, "it is still open");
        thread::sleep(Duration::from_millis(200));
    }
    assert_works(&server);
}

#[test]
fn too_many_connections_are_refused_and_told_so() {
    let server = Server::start(&["--max-connections", "3"]);
    // Whoever has asked something that takes a token keeps the place.
    let known: Vec<TcpStream> = (0..3)
        .map(|_| {
            let mut stream = TcpStream::connect(&server.address).unwrap();
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            stream.write_all(b"GET /v1/jobs HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
            assert!(stream.read(&mut [0; 64]).unwrap() > 0);
            stream
        })
        .collect();
    let refused = server.get("/v1/health");
    assert_eq!((refused.status, refused.problem().as_str()), (503, "/problems/busy"));
    assert!(refused.header("retry-after").is_some());
    drop(known);
    let end = Instant::now() + PATIENCE;
    while server.get("/v1/health").status != 200 {
        assert!(Instant::now() < end, "there is no room again");
    }
    assert_works(&server);
}

#[test]
fn bodies_that_dawdle_hold_up_small_jobs_for_a_while_only() {
    let server = Server::start(&["--max-job-mb", "1"]);
    let slow = [(); 2].map(|()| {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let head = "POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
            Content-Length: 1048576\r\nExpect: 100-continue\r\n\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        // It is told to go on once it has its room.
        let mut told = [0; b"HTTP/1.1 100 Continue\r\n\r\n".len()];
        stream.read_exact(&mut told).unwrap();
        assert!(told.starts_with(b"HTTP/1.1 100 "), "{}", String::from_utf8_lossy(&told));
        stream.write_all(b"{").unwrap();
        stream
    });
    let busy = server.ask("POST", "/v1/jobs", &[JSON, ("Content-Length", "1048576")], b"");
    assert_eq!(busy.problem(), "/problems/busy");
    assert!(busy.header("retry-after").is_some());
    assert_eq!(server.get("/v1/health").status, 200);
    for stream in slow {
        assert_eq!(http::read(stream).problem(), "/problems/too-slow");
    }
    assert_works(&server);
}

/// A compact body around a header: the counts and the numbers are given apart.
fn compact(header: &str, points: u64, numbers: &[f64], colours: u64) -> Vec<u8> {
    let mut bytes = b"LLJB\x01\0\0\0".to_vec();
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(points.to_le_bytes());
    bytes.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend(colours.to_le_bytes());
    bytes.extend([0; 8]);
    bytes
}

#[test]
fn nonsense_is_refused_and_changes_nothing() {
    let server = Server::start(&["--max-job-mb", "1"]);
    let refused = |kind, body: &[u8], what: &str| {
        let reply = server.ask("POST", "/v1/jobs", &[kind], body);
        assert_eq!((reply.status, reply.problem().as_str()), (422, "/problems/invalid-job"), "{what}");
    };
    let good = job(4).to_string();
    let points = "\"points\":[0.0,1917.0,833.0,2750.0]";
    assert!(good.contains(points), "{good}");
    let instead = |with: &str| good.replace(points, &format!("\"points\":{with}"));
    for with in [
        "[NaN,1,2,3]",
        "[Infinity,1,2,3]",
        "[1e999,1,2,3]",
        "[-1e999,1,2,3]",
        "[null,1,2,3]",
        "[\"0\",1,2,3]",
        "null",
        "{}",
        "[[0],[1],[2],[3]]",
        "[0,1,2,3,4]",
        "[]",
    ] {
        refused(JSON, instead(with).as_bytes(), with);
    }
    let nested = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    for (body, what) in [(nested.clone(), "nested"), (instead(&nested), "nested inside")] {
        // More lists than a job has use for are counted, and not read.
        let reply = server.ask("POST", "/v1/jobs", &[JSON], body.as_bytes());
        assert_eq!((reply.status, reply.problem().as_str()), (413, "/problems/too-large"), "{what}");
    }
    let nested = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    refused(JSON, nested.as_bytes(), "nested");
    refused(JSON, instead(&nested).as_bytes(), "nested inside");
    for (field, value) in [
        ("colours", "[-1,0,0,0]"),
        ("colours", "[4294967296,0,0,0]"),
        ("colours", "[0.5,0,0,0]"),
        ("colours", "[0,0,0,7]"),
        ("dims", "-1"),
        ("dims", "18446744073709551616"),
        ("dims", "18446744073709551615"),
        ("dims", "1e3"),
        ("seed", "-1"),
        ("seed", "1e99"),
        ("version", "-1"),
        ("version", "4294967297"),
        ("rule", "{\"name\":\"min-size\",\"k\":-2}"),
        ("rule", "{\"name\":\"max-size\",\"k\":2}"),
        ("budget", "{\"effort\":1,\"seconds\":1}"),
        ("method", "\"none\""),
    ] {
        let mut broken = job(4);
        broken[field] = json!("HERE");
        let body = broken.to_string().replace("\"HERE\"", value);
        refused(JSON, body.as_bytes(), &format!("{field} {value}"));
    }
    for bytes in [&b""[..], b"\0", b"\xff\xfe{\0}\0", b"{\"version\": 1", "\u{feff}{}".as_bytes(), b"1 1"] {
        refused(JSON, bytes, &format!("{bytes:?}"));
    }
    let twice = good.replacen("\"seed\":1", "\"seed\":1,\"seed\":2", 1);
    refused(JSON, twice.as_bytes(), "twice");

    let mut small = job(2);
    small["points"] = json!([]);
    small["colours"] = json!([]);
    let header = small.to_string();
    for (points, numbers, colours, what) in [
        (2, &[f64::NAN, 1.0][..], 2, "NaN"),
        (2, &[0.0, f64::INFINITY], 2, "infinite"),
        (u64::MAX, &[0.0, 1.0], 2, "as many numbers as there are"),
        (1 << 61, &[0.0, 1.0], 2, "8 of them overflow"),
        (2, &[0.0, 1.0], u64::MAX / 4 + 1, "4 of them overflow"),
        (2, &[0.0, 1.0], 1, "something is left"),
        (2, &[0.0, 1.0], 3, "something is missing"),
        (3, &[0.0, 1.0, 2.0], 2, "more points than records"),
    ] {
        refused(COMPACT, &compact(&header, points, numbers, colours), what);
    }
    refused(COMPACT, b"LLJB\x01\0\0\0\xff\xff\xff\xff{}", "a header longer than all");
    refused(COMPACT, &compact(&"[".repeat(10_000), 2, &[0.0, 1.0], 2), "a header that nests");
    let accepted = server.ask("POST", "/v1/jobs", &[COMPACT], &compact(&header, 2, &[0.0, 1.0], 2));
    assert_eq!(accepted.status, 202, "so the others failed for their faults: {accepted:?}");
    assert_eq!(server.get("/v1/jobs").json()["jobs"].as_array().unwrap().len(), 1);
    // Budgets that would never end, or never begin, and classes of one are seen before anything is kept.
    for (field, value) in [
        ("budget", json!({"effort": -1.0})),
        ("budget", json!({"seconds": -5.0})),
        ("budget", json!({"seconds": 1e300})),
        ("budget", json!({"effort": 1e300})),
        ("rule", json!({"name": "min-size", "k": 1})),
        ("rule", json!({"name": "distinct", "m": 0})),
    ] {
        let mut job = job(6);
        job[field] = value;
        refused(JSON, job.to_string().as_bytes(), field);
    }
    assert_works(&server);
}

#[test]
fn paths_that_play_tricks() {
    let server = Server::start(&[]);
    let path = server.submit(&job(6));
    let _ = server.wait(&path, "done");
    let id = path.rsplit('/').next().unwrap().to_owned();
    for trick in [
        "/v1/jobs/../jobs".to_owned(),
        "/v1/jobs/%2e%2e/%2e%2e/metrics".to_owned(),
        format!("/v1/jobs/{id}%00"),
        format!("/v1/jobs/{id}%2fresult"),
        format!("/v1/jobs//{id}"),
        format!("/v1//jobs/{id}"),
        format!("/V1/jobs/{id}"),
        format!("/v1/jobs/{}", id.to_uppercase().replace(|c: char| c.is_ascii_digit(), "F")),
        format!("/v1/jobs/{id}/"),
        format!("/v1/jobs/{id}/result/"),
        format!("/v1/jobs/{}", "a".repeat(10_000)),
        "/v1/jobs/'%20OR%201=1--".to_owned(),
        "/v1/jobs/%ff%fe".to_owned(),
        "/v1/jobs/%".to_owned(),
        "/metrics/".to_owned(),
    ] {
        let reply = server.get(&trick);
        assert!(matches!(reply.status, 400 | 404), "{trick}: {reply:?}");
        assert!(!reply.text().contains("\"state\""), "{trick}");
        assert!(
            ["/problems/not-found", "/problems/no-such-job"].contains(&reply.problem().as_str()),
            "{trick}"
        );
    }
    assert_eq!(server.get(&path).status, 200);
}
