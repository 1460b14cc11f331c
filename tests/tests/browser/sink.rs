//! A proxy that goes nowhere and remembers who asked: whatever leaves the page's origin ends here.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    sync::{Arc, Mutex},
    thread,
};

/// Hosts that the browser itself asks for, whatever page it shows.
const BROWSERS_OWN: [&str; 5] =
    ["google.com", "googleapis.com", "gvt1.com", "gstatic.com", "start.duckduckgo.com"];

/// The proxy.
pub(crate) struct Sink {
    address: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Sink {
    /// Listens on a free port of loopback.
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Arc::clone(&seen);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let log = Arc::clone(&log);
                thread::spawn(move || {
                    let mut line = String::new();
                    let _ = BufReader::new(&stream).read_line(&mut line);
                    log.lock().unwrap().push(line.trim().to_owned());
                    let _ = (&stream).write_all(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");
                });
            }
        });
        Self { address, seen }
    }

    /// host:port.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Request lines so far, the browser's own left out.
    pub(crate) fn requests(&self) -> Vec<String> {
        let own = |line: &str| {
            let target = line.split(' ').nth(1).unwrap_or("");
            let host = target.trim_start_matches("http://").split(['/', ':']).next().unwrap_or("");
            BROWSERS_OWN.iter().any(|o| host == *o || host.ends_with(&format!(".{o}")))
        };
        self.seen.lock().unwrap().iter().filter(|l| !l.is_empty() && !own(l)).cloned().collect()
    }
}
