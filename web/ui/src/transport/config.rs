//! Which worker the page may use: its server says so in `config.json`.

use serde::Deserialize;

use crate::platform::http;

/// `config.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Config {
    /// `null`, an origin such as `http://host:8080`, or `self` for the page's own server.
    #[serde(default)]
    pub worker_origin: Option<String>,
}

impl Config {
    /// The prefix of the worker's addresses; empty for the page's own server.
    #[must_use]
    pub fn worker(self) -> Option<String> {
        let origin = self.worker_origin?;
        if origin == "self" {
            return Some(String::new());
        }
        Some(origin.trim_end_matches('/').to_owned()).filter(|origin| !origin.is_empty())
    }
}

/// Asks the page's own origin. Whatever goes wrong, the page works without a worker.
pub async fn worker() -> Option<String> {
    let answer = http::send("GET", "./config.json", None, None).await.ok().filter(http::Answer::is_ok)?;
    answer.json::<Config>().await.ok()?.worker()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_server_other_server_none() {
        let worker = |origin: Option<&str>| Config { worker_origin: origin.map(str::to_owned) }.worker();
        assert_eq!(worker(None), None);
        assert_eq!(worker(Some("")), None);
        assert_eq!(worker(Some("self")).as_deref(), Some(""));
        assert_eq!(worker(Some("http://w:1/")).as_deref(), Some("http://w:1"));
    }
}
