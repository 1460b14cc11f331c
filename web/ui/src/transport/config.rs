//! Which worker the page may use: its server says so in `config.json`.

use serde::Deserialize;

use crate::{platform::http, state::Worker};

/// `config.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Config {
    /// `null`, an origin such as `http://host:8080`, or `self` for the page's own server.
    #[serde(default)]
    pub worker_origin: Option<String>,
    /// Whether the page's own server wants a token.
    #[serde(default)]
    pub token_required: bool,
}

impl Config {
    /// The worker, if there is one. What another server than the page's own wants is not known, so it may want a token.
    #[must_use]
    pub fn worker(self) -> Option<Worker> {
        let origin = self.worker_origin?;
        if origin == "self" {
            return Some(Worker { origin: String::new(), wants_token: self.token_required });
        }
        let origin = origin.trim_end_matches('/').to_owned();
        (!origin.is_empty()).then_some(Worker { origin, wants_token: true })
    }
}

/// Asks the page's own origin. Whatever goes wrong, the page works without a worker.
pub async fn worker() -> Option<Worker> {
    let answer = http::send("GET", "./config.json", None, None).await.ok().filter(http::Answer::is_ok)?;
    answer.json::<Config>().await.ok()?.worker()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_server_other_server_none() {
        let worker = |origin: Option<&str>, token_required| {
            Config { worker_origin: origin.map(str::to_owned), token_required }.worker()
        };
        let is = |origin: &str, wants_token| Some(Worker { origin: origin.to_owned(), wants_token });
        assert_eq!(worker(None, true), None);
        assert_eq!(worker(Some(""), true), None);
        assert_eq!(worker(Some("self"), false), is("", false));
        assert_eq!(worker(Some("self"), true), is("", true));
        assert_eq!(worker(Some("http://w:1/"), false), is("http://w:1", true));
    }
}
