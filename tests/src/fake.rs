//! A worker that accepts every job, is done at once, and answers whatever a test wants.

use std::{
    io::{Read as _, Result, Write as _},
    net::{TcpListener, TcpStream},
    thread,
};

use serde_json::{Value, json};

/// Starts one that gives this as every result; its URL.
pub fn worker(result: Value) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            // A client that went away is the test's business.
            let _ = reply(stream, &result);
        }
    });
    url
}

fn reply(mut stream: TcpStream, result: &Value) -> Result<()> {
    let request = read(&mut stream)?;
    let state = |state: &str| json!({"id": "1", "state": state, "progress": null, "error": null});
    let body = match request.split(' ').collect::<Vec<_>>()[..] {
        ["POST", ..] => state("queued"),
        ["GET", path, ..] if path.ends_with("/result") => result.clone(),
        _ => state("done"),
    };
    let body = body.to_string();
    write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
}

/// Head and body of a request.
fn read(stream: &mut TcpStream) -> Result<String> {
    let mut request = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let bytes = stream.read(&mut buffer)?;
        request.extend_from_slice(&buffer[..bytes]);
        let text = String::from_utf8_lossy(&request).into_owned();
        if bytes == 0 || is_whole(&text) {
            return Ok(text);
        }
    }
}

fn is_whole(text: &str) -> bool {
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head
        .lines()
        .find_map(|l| l.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
    body.len() >= length.unwrap_or(0)
}
