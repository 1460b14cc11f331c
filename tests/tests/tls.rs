//! A worker that speaks https, and who it does not speak to.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use lookalike_tests::{
    certificate::self_signed as certificate,
    http::{rest, wait_for_the_end},
    program::{self, Folder, PATIENCE, Run},
    server::Server,
};

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
fn tls_connections_that_say_nothing_are_closed_and_the_first_makes_room_for_one_more() {
    let folder = Folder::new();
    let Some((certificate, key)) = certificate(&folder) else { return };
    let server = Server::start(&[
        "--tls-cert",
        &certificate,
        "--tls-key",
        &key,
        "--max-connections",
        "2",
        "--max-connections-each",
        "9",
    ]);
    let connect = || TcpStream::connect(&server.address).unwrap();
    let is_open = |mut stream: &TcpStream| {
        stream.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
        let why = stream.read(&mut [0; 1]).err().map(|why| why.kind());
        matches!(why, Some(std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut))
    };
    // Closed for another is: while that and the second are still waited for. On a busy machine their time may be up by then.
    let first_makes_room = || {
        let mut half = connect();
        // The beginning of a handshake.
        half.write_all(b"\x16\x03\x01\x02\x00\x01\x00").unwrap();
        let (silent, more) = (connect(), connect());
        wait_for_the_end(&half);
        let others = is_open(&silent) && is_open(&more);
        for stream in [&silent, &more] {
            wait_for_the_end(stream);
        }
        others
    };
    assert!((0..8).any(|_| first_makes_room()), "the others were closed, too");
    // Once their ends are noticed there is room again.
    let end = Instant::now() + PATIENCE;
    while !is_open(&connect()) {
        assert!(Instant::now() < end, "there is no room again");
    }
}
