//! A worker that accepts every job, is done at once, and answers whatever a test wants.

use std::{
    io::{Read as _, Result, Write as _},
    net::{TcpListener, TcpStream},
    sync::Mutex,
    thread,
};

use lookalike_model::job::Job;
use lookalike_wire::binary;
use serde_json::{Value, json};

/// Starts one that gives this as every result; its URL.
pub fn worker(result: Value) -> String {
    liar(Value::Null, move |_| result.clone())
}

/// Starts one that answers each job with what `answer` makes of it, and reports this progress meanwhile; its URL.
pub fn liar(progress: Value, answer: impl Fn(&Job) -> Value + Send + Sync + 'static) -> String {
    serve(move |request, job| match request {
        ["GET", path, ..] if path.ends_with("/result") => {
            (200, job.lock().unwrap().as_ref().map_or(Value::Null, &answer))
        }
        ["POST", ..] => (200, state("running", &progress)),
        _ => (200, state("done", &progress)),
    })
}

/// Starts one that refuses every job with this problem; its URL.
pub fn refusing(problem: Value) -> String {
    serve(move |_, _| (422, problem.clone()))
}

fn state(state: &str, progress: &Value) -> Value {
    json!({"id": "1", "state": state, "progress": progress, "error": null})
}

/// What a request, by its words, and the last job are answered with.
fn serve(answer: impl Fn(&[&str], &Mutex<Option<Job>>) -> (u16, Value) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let job = Mutex::new(None);
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            // A client that went away is the test's business.
            let _ = reply(stream, &answer, &job);
        }
    });
    url
}

fn reply(
    mut stream: TcpStream,
    answer: impl Fn(&[&str], &Mutex<Option<Job>>) -> (u16, Value),
    job: &Mutex<Option<Job>>,
) -> Result<()> {
    let (head, body) = read(&mut stream)?;
    if let Ok(sent) = binary::decode(&body) {
        *job.lock().unwrap() = Some(sent);
    }
    let (status, body) = answer(&head.split(' ').collect::<Vec<_>>(), job);
    let body = body.to_string();
    write!(stream, "HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
}

/// Head and body of a request.
fn read(stream: &mut TcpStream) -> Result<(String, Vec<u8>)> {
    let mut request = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let bytes = stream.read(&mut buffer)?;
        request.extend_from_slice(&buffer[..bytes]);
        let end = request.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(request.len());
        let head = String::from_utf8_lossy(&request[..end]).into_owned();
        let body = request.get(end + 4..).unwrap_or_default();
        if bytes == 0 || end < request.len() && body.len() >= length(&head) {
            return Ok((head, body.to_vec()));
        }
    }
}

fn length(head: &str) -> usize {
    head.lines()
        .find_map(|l| l.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok())
        .unwrap_or(0)
}
