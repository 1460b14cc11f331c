//! What goes wrong around a worker: clients that break off, dawdle, or send nonsense; tricks with paths; TLS.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use lookalike_tests::{
    http,
    program::{self, Folder, PATIENCE, Run},
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
    for _ in 0..20 {
        let mut stream = http::open(&server.address, "GET", &format!("{path}/events"), &[], b"");
        stream.read_exact(&mut [0; 64]).unwrap();
    }
    assert_eq!(server.get(&path).json()["state"], "running", "who looks away does not end a job");
    assert_eq!(server.ask("DELETE", &path, &[], b"").status, 204);
    assert_works(&server);
}

/// Bytes that a connection still gets until the server closes it.
fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    // A reset is an end, too.
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
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

/// Waits for the server to close this connection.
fn wait_for_the_end(mut stream: &TcpStream) {
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    loop {
        match stream.read(&mut [0; 1024]) {
            Ok(0) => return,
            Ok(_) => {}
            Err(why) => {
                let kind = why.kind();
                let patient = !matches!(kind, std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut);
                assert!(patient, "it is still open");
                return;
            }
        }
    }
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
    let silent: Vec<TcpStream> = (0..3).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
    let refused = loop {
        // Those before are taken on one after another.
        let reply = server.get("/v1/health");
        if reply.status != 200 {
            break reply;
        }
    };
    assert_eq!((refused.status, refused.problem().as_str()), (503, "/problems/busy"));
    assert!(refused.header("retry-after").is_some());
    for stream in &silent {
        wait_for_the_end(stream);
    }
    assert_works(&server);
}

#[test]
fn bodies_that_dawdle_hold_up_small_jobs_for_a_while_only() {
    let server = Server::start(&["--max-job-mb", "1"]);
    let announced = [JSON, ("Content-Length", "1048576")];
    let slow: Vec<TcpStream> =
        (0..2).map(|_| http::open(&server.address, "POST", "/v1/jobs", &announced, b"{")).collect();
    thread::sleep(Duration::from_millis(300));
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
    refused(COMPACT, &compact(&"[".repeat(100_000), 2, &[0.0, 1.0], 2), "a header that nests");
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

/// A self-signed certificate for localhost and its key; `None`, visibly, without OpenSSL's program.
fn certificate(folder: &Folder) -> Option<(String, String)> {
    let (certificate, key) = (folder.file("certificate.pem"), folder.file("key.pem"));
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
        ])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"])
        .args(["-keyout", &key, "-out", &certificate])
        .output();
    match made {
        Ok(output) if output.status.success() => Some((certificate, key)),
        Ok(output) => panic!("{}", String::from_utf8_lossy(&output.stderr)),
        Err(why) => {
            eprintln!("skipped: openssl makes no certificate ({why})");
            None
        }
    }
}

#[test]
fn tls_with_a_generated_certificate() {
    let folder = Folder::new();
    let Some((certificate, key)) = certificate(&folder) else { return };
    let server = Server::start(&["--tls-cert", &certificate, "--tls-key", &key]);
    let ask = |version: &str, verify: &[&str]| {
        let mut child = Command::new("openssl")
            .args(["s_client", "-connect", &server.address, "-servername", "localhost", "-quiet", version])
            .args(verify)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let request = b"GET /v1/health HTTP/1.0\r\nHost: localhost\r\n\r\n";
        let mut input = child.stdin.take().unwrap();
        // Where there is no connection, nobody reads.
        let _ = input.write_all(request);
        let mut answer = String::new();
        let _ = child.stdout.take().unwrap().read_to_string(&mut answer);
        drop(input);
        let _ = child.wait();
        answer
    };
    let verified = ["-CAfile", &certificate, "-verify_return_error", "-verify_hostname", "localhost"];
    for version in ["-tls1_2", "-tls1_3"] {
        let answer = ask(version, &verified);
        assert!(answer.contains(" 200 OK") && answer.contains("\"status\":\"ok\""), "{version}: {answer}");
    }
    assert_eq!(ask("-tls1_1", &[]), "", "what is broken is not spoken");
    // Whoever speaks plainly gets no answer of the API.
    let mut plain = TcpStream::connect(&server.address).unwrap();
    plain.set_read_timeout(Some(PATIENCE)).unwrap();
    plain.write_all(b"GET /v1/health HTTP/1.0\r\nHost: localhost\r\n\r\n").unwrap();
    assert!(!rest(plain).contains("200 OK"));
    // Our own client does not talk to a worker that nobody vouches for.
    folder.write("in.csv", lookalike_tests::tables::patients(30));
    let url = format!("https://{}", server.address.replace("127.0.0.1", "localhost"));
    let flags =
        ["anonymize", "in.csv", "--quasi", "age,sex", "--model", "k-anonymity", "--k", "3", "--worker", &url];
    let run = folder.run(&[&flags[..], &["-o", "out.csv"]].concat());
    assert_eq!(run.code, Some(4), "{}", run.stderr);
    assert!(!folder.path().join("out.csv").exists());

    let serve = |args: &[&str]| {
        Run::from(program::command().args(["serve", "--listen", "127.0.0.1:0"]).args(args).output().unwrap())
    };
    let swapped = serve(&["--tls-cert", &key, "--tls-key", &certificate]);
    assert_eq!(swapped.code, Some(2), "{}", swapped.stderr);
    assert!(swapped.stderr.contains("certificate"), "{}", swapped.stderr);
    let other = Folder::new();
    let (_, foreign) = self::certificate(&other).unwrap();
    let mixed = serve(&["--tls-cert", &certificate, "--tls-key", &foreign]);
    assert_eq!(mixed.code, Some(2), "{}", mixed.stderr);
    assert_eq!(serve(&["--tls-cert", &certificate]).code, Some(2), "one without the other");
}

#[test]
fn tls_connections_that_say_nothing_are_closed_and_one_too_many_is_refused() {
    let folder = Folder::new();
    let Some((certificate, key)) = certificate(&folder) else { return };
    let server = Server::start(&["--tls-cert", &certificate, "--tls-key", &key, "--max-connections", "2"]);
    let connect = || TcpStream::connect(&server.address).unwrap();
    let mut half = connect();
    // The beginning of a handshake.
    half.write_all(b"\x16\x03\x01\x02\x00\x01\x00").unwrap();
    let silent = connect();
    let began = Instant::now();
    assert_eq!(rest(connect()), "", "there is nothing to be told in before a handshake");
    assert!(began.elapsed() < Duration::from_secs(8), "it is refused at once");
    for stream in [&silent, &half] {
        wait_for_the_end(stream);
    }
    let mut again = connect();
    again.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
    let open = again.read(&mut [0; 1]).unwrap_err().kind();
    assert!(matches!(open, std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut), "{open}");
}

/// A file system of a few megabytes; gone when dropped.
struct SmallDisk(Folder);

impl SmallDisk {
    /// `None`, visibly, where nobody may make one.
    fn new() -> Option<Self> {
        let folder = Folder::new();
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", "size=3m", "tmpfs"]).arg(folder.path()).output();
        match mounted {
            Ok(output) if output.status.success() => Some(Self(folder)),
            Ok(output) => {
                eprintln!("skipped: no small disk ({})", String::from_utf8_lossy(&output.stderr).trim());
                None
            }
            Err(why) => {
                eprintln!("skipped: no small disk ({why})");
                None
            }
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_disk_refuses_jobs_and_loses_none() {
    let Some(disk) = SmallDisk::new() else { return };
    let data = disk.0.file("data");
    let flags = ["--data-dir", data.as_str()];
    let server = Server::start(&flags);
    let before = server.submit(&job(300));
    let _ = server.wait(&before, "done");
    let unwanted = server.submit(&job(300));
    let _ = server.wait(&unwanted, "done");
    let mut long = job(300);
    long["budget"] = json!({"seconds": 3600.0});
    let long = server.submit(&long);
    let _ = server.wait(&long, "running");
    let large = server.submit(&job(110_000));
    let filler = disk.0.path().join("filler");
    let mut file = std::fs::File::create(&filler).unwrap();
    while file.write_all(&[0; 4096]).is_ok() {}
    drop(file);
    let refused = server.post(&job(20_000));
    assert_eq!((refused.status, refused.problem().as_str()), (507, "/problems/storage"));
    assert!(!refused.text().contains("data"), "where the disk is, is nobody's business");
    assert_eq!(server.get("/v1/health").status, 200);
    assert_eq!(server.get(&format!("{before}/result")).status, 200, "what was there can be read");
    assert_eq!(
        server.get("/v1/jobs").json()["jobs"].as_array().unwrap().len(),
        4,
        "what was refused is not there"
    );
    // A search that ends meanwhile keeps its answer until there is room.
    assert_eq!(server.ask("POST", &format!("{long}/stop"), &[], b"").status, 202);
    thread::sleep(Duration::from_secs(1));
    assert_eq!(server.get(&long).json()["state"], "running");
    // What somebody wants to be gone goes, also what is larger than the room that is kept for that.
    let reserve = std::fs::metadata(disk.0.path().join("data/reserve")).unwrap().len();
    assert!(reserve < 110_000 * 12, "{reserve}");
    for unwanted in [large, unwanted] {
        assert_eq!(server.ask("DELETE", &unwanted, &[], b"").status, 204);
        assert_eq!(server.get(&unwanted).status, 404);
    }
    std::fs::remove_file(&filler).unwrap();
    let _ = server.wait(&long, "done");
    assert_eq!(server.get(&format!("{long}/result")).status, 200);
    assert_works(&server);
    drop(server);
    // And the file is whole.
    let server = Server::start(&flags);
    assert_eq!(server.get(&format!("{before}/result")).status, 200);
}
