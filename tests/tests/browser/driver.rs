//! The driver and the browser (`chromedriver`, Chromium), started and stopped with a test.

use std::{
    io::{BufRead, BufReader, Read as _, Write},
    net::TcpStream,
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, Stdio},
};

use fantoccini::{Client, ClientBuilder, wd::Capabilities};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tempfile::TempDir;

/// How often a driver is started that finds no port.
const STARTS: usize = 8;

/// The port a line of the driver's names as its own.
fn port_of(line: &str) -> Option<u16> {
    line.split_once("successfully on port ")?.1.trim_end_matches('.').parse().ok()
}

/// A running `chromedriver`; its whole process group ends with it.
pub(crate) struct Driver {
    child: Child,
    port: u16,
    profile: TempDir,
    downloads: TempDir,
    stays: bool,
}

impl Driver {
    /// Starts it on a free port.
    ///
    /// It takes a free port of IPv4 and then wants the same of IPv6; where another has that one in between, it ends. So
    /// it is started again, a few times at most.
    pub(crate) fn start() -> Self {
        let mut said = String::new();
        for _ in 0..STARTS {
            let mut child = Command::new("chromedriver")
                .arg("--port=0")
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .process_group(0)
                .spawn()
                .expect("chromedriver must be installed: `cargo xtask test` does it");
            said.clear();
            for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok) {
                if let Some(port) = port_of(&line) {
                    let [profile, downloads] = [(); 2].map(|()| tempfile::tempdir().unwrap());
                    return Self { child, port, profile, downloads, stays: false };
                }
                said += &line;
                said.push('\n');
            }
            child.wait().unwrap();
        }
        panic!("chromedriver ended {STARTS} times without a port; the last time it said:\n{said}");
    }

    /// Its browser stays on a page that asks before it is left. Otherwise it leaves, unasked.
    pub(crate) fn staying(mut self) -> Self {
        self.stays = true;
        self
    }

    /// Opens a browser that prefers a language, and whose every request that does not go to `server` (host:port) ends at the
    /// proxy `sink`.
    pub(crate) async fn open(
        &self,
        server: &str,
        sink: &str,
        width: u32,
        dark: bool,
        language: &str,
    ) -> Client {
        let mut args: Vec<String> = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
        ]
        .map(String::from)
        .to_vec();
        args.push(format!(
            "--user-data-dir={}",
            self.profile.path().join(format!("{width}{dark}")).display()
        ));
        args.push(format!("--proxy-server={sink}"));
        args.push(format!("--proxy-bypass-list=<-loopback>;{server}"));
        args.push(format!("--window-size={width},1200"));
        if dark {
            args.push(String::from("--force-dark-mode"));
        }
        let mut capabilities = Capabilities::new();
        // No window is narrower than 500 pixels; the screen of a telephone is.
        let telephone =
            json!({ "deviceMetrics": { "width": width, "height": 4000, "pixelRatio": 1, "touch": false } });
        let prefs = json!({ "download.default_directory": self.downloads.path(), "download.prompt_for_download": false,
            "intl.accept_languages": language });
        let mut options = json!({ "args": args, "prefs": prefs });
        if width < 500 {
            options["mobileEmulation"] = telephone;
        }
        capabilities.insert(String::from("goog:chromeOptions"), options);
        if self.stays {
            // Only a session of both directions heeds what is to be answered here.
            capabilities.insert(String::from("webSocketUrl"), json!(true));
            capabilities
                .insert(String::from("unhandledPromptBehavior"), json!({ "beforeUnload": "dismiss" }));
        }
        ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&format!("http://127.0.0.1:{}", self.port))
            .await
            .expect("chromium starts")
    }

    /// Lets a session run a script before all others of every page it opens.
    pub(crate) fn before_all(&self, session: &str, script: &str) {
        self.devtools(session, "Page.addScriptToEvaluateOnNewDocument", &json!({ "source": script }));
    }

    /// Gives the browser a command of its developer tools, for what `WebDriver` itself cannot, and reads the result.
    pub(crate) fn devtools(&self, session: &str, command: &str, params: &Value) -> Value {
        let body = json!({ "cmd": command, "params": params }).to_string();
        let mut driver = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let head = format!(
            "POST /session/{session}/goog/cdp/execute HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        driver.write_all(head.as_bytes()).unwrap();
        driver.write_all(body.as_bytes()).unwrap();
        let mut answer = BufReader::new(driver);
        let (mut status, mut length) = (String::new(), 0);
        answer.read_line(&mut status).unwrap();
        assert!(status.contains(" 200 "), "{command}: {status}");
        loop {
            let mut line = String::new();
            answer.read_line(&mut line).unwrap();
            if line.trim().is_empty() {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        answer.read_exact(&mut body).unwrap();
        serde_json::from_slice::<Value>(&body).unwrap()["value"].take()
    }

    /// Where the browser saves files.
    pub(crate) fn downloads(&self) -> &Path {
        self.downloads.path()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // The browser is a child of the driver: end the group, or it stays.
        let _ = Command::new("kill").arg("-9").arg("--").arg(format!("-{}", self.child.id())).status();
        let _ = self.child.wait();
    }
}
