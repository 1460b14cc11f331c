//! Raw requests, so that a test can also send what no client would.
//!
//! HTTP/1.0: one request a connection, and the answer ends where the connection does.

use std::{
    fmt::Write as _,
    io::{Read, Write},
    net::TcpStream,
};

use serde_json::Value;

use crate::program::PATIENCE;

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    /// HTTP status code.
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// Body.
    pub body: Vec<u8>,
}

impl Reply {
    /// The header of this name (lower case).
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("no JSON ({e}): {self:?}"))
    }

    /// The `type` of a problem, which must be one, with the status of the answer.
    pub fn problem(&self) -> String {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self:?}");
        let problem = self.json();
        assert_eq!(problem["status"], self.status, "{problem}");
        for field in ["title", "detail"] {
            assert!(problem[field].as_str().is_some_and(|text| !text.is_empty()), "{problem}");
        }
        problem["type"].as_str().expect("a type").to_owned()
    }
}

/// Sends a request and reads the whole answer. `Host` is the address unless `headers` names one.
pub fn ask(address: &str, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
    read(open(address, method, path, headers, body))
}

/// Sends a request; the answer is yet to be read.
pub fn open(address: &str, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> TcpStream {
    let mut head = format!("{method} {path} HTTP/1.0\r\n");
    let given = |name: &str| headers.iter().any(|(n, _)| n.eq_ignore_ascii_case(name));
    if !given("host") {
        let _ = write!(head, "Host: {address}\r\n");
    }
    if !body.is_empty() && !given("content-length") {
        let _ = write!(head, "Content-Length: {}\r\n", body.len());
    }
    for (name, value) in headers {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    head.push_str("\r\n");
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body).unwrap();
    stream
}

/// Reads the whole answer.
pub fn read(mut stream: TcpStream) -> Reply {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    parsed(&bytes).expect("a head with a status")
}

/// The same of a server that may be killed at any moment: `None` where it gives no whole answer. What it did is not known then.
pub fn try_ask(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Option<Reply> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let mut head =
        format!("{method} {path} HTTP/1.0\r\nHost: {address}\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in headers {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(body).ok()?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).ok()?;
    let reply = parsed(&bytes)?;
    let length = reply.header("content-length").and_then(|length| length.parse::<usize>().ok());
    length.is_none_or(|length| length == reply.body.len()).then_some(reply)
}

/// An answer from its bytes.
fn parsed(bytes: &[u8]) -> Option<Reply> {
    let split = bytes.windows(4).position(|w| w == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..split]).into_owned();
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers = lines
        .filter_map(|l| l.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    Some(Reply { status, headers, body: bytes[split + 4..].to_vec() })
}

/// Bytes that a connection still gets until the server closes it.
pub fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    // A reset is an end, too.
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Waits for the server to close this connection.
pub fn wait_for_the_end(mut stream: &TcpStream) {
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
