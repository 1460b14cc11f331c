//! A guard against DNS rebinding: a foreign page may make its own name point to this machine, but the browser still
//! sends that name. A server on loopback answers to loopback's names only.

use std::net::IpAddr;

use axum::http::HeaderMap;

/// Whether the request is meant for this server. `listen` is the host that the user named.
pub(crate) fn is_ours(headers: &HeaderMap, listen: &str) -> bool {
    let Some(host) = headers.get("host").and_then(|v| v.to_str().ok()) else { return false };
    let name = without_port(host);
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || name.eq_ignore_ascii_case(listen)
        || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// The host of `host`, `host:port`, `[v6]` or `[v6]:port`.
pub(crate) fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if !name.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_this_machine_only() {
        let ours = |host: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("host", host.parse().unwrap());
            is_ours(&headers, "my-machine")
        };
        for right in [
            "localhost",
            "localhost:8080",
            "127.0.0.1:1",
            "127.8.8.8",
            "[::1]:8080",
            "[::1]",
            "My-Machine:80",
        ] {
            assert!(ours(right), "{right}");
        }
        for wrong in [
            "evil.example",
            "evil.example:8080",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "192.168.0.1",
            "",
            ":8080",
        ] {
            assert!(!ours(wrong), "{wrong}");
        }
        assert!(!is_ours(&HeaderMap::new(), "localhost"));
    }
}
