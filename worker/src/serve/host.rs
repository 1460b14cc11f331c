//! A guard against DNS rebinding: a foreign page may make its own name point to this machine, but the browser still
//! sends that name. A server on loopback answers to loopback's names only.

use std::net::IpAddr;

use axum::http::{HeaderMap, Uri, header};

use crate::flag_values::FlagFault;

/// Whether the request is meant for this server, which goes by these names beside those of loopback. HTTP/2 names the host
/// in the URI, HTTP/1.1 in a header; where both do they must agree.
pub(crate) fn is_ours(uri: &Uri, headers: &HeaderMap, names: &[String]) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (told, more) = (hosts.next().map(|host| host.to_str()), hosts.next());
    let authority = uri.authority().map(axum::http::uri::Authority::as_str);
    let host = match (authority, told) {
        (Some(authority), None) => authority,
        (Some(authority), Some(Ok(told))) if authority.eq_ignore_ascii_case(told) => told,
        (None, Some(Ok(told))) => told,
        _ => return false,
    };
    let name = without_port(host);
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    more.is_none() && is_one(name, bare, names)
}

fn is_one(name: &str, bare: &str, names: &[String]) -> bool {
    name.eq_ignore_ascii_case("localhost")
        || names.iter().any(|known| known.eq_ignore_ascii_case(name))
        || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// The host of `host`, `host:port`, `[v6]` or `[v6]:port`.
pub(crate) fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if !name.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

/// A name without a port, as a flag.
pub(crate) fn name(text: &str) -> Result<String, FlagFault> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._".contains(&b);
    if text.is_empty() || !text.bytes().all(plain) {
        return Err(FlagFault::Host);
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        vec![String::from("my-machine"), String::from("my-proxy")]
    }

    #[test]
    fn the_host_may_stand_in_the_uri() {
        let ours = |uri: &str, host: &[&str]| {
            let mut headers = HeaderMap::new();
            for host in host {
                headers.append(header::HOST, host.parse().unwrap());
            }
            is_ours(&uri.parse().unwrap(), &headers, &names())
        };
        assert!(ours("http://localhost:80/x", &[]) && ours("http://my-proxy/x", &["My-Proxy"]));
        assert!(!ours("http://evil.example/x", &[]) && !ours("http://u@evil.example/x", &["localhost"]));
        assert!(!ours("http://localhost/x", &["evil.example"]) && !ours("/x", &["localhost", "localhost"]));
    }

    #[test]
    fn names_of_this_machine_only() {
        let ours = |host: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("host", host.parse().unwrap());
            is_ours(&Uri::from_static("/v1/health"), &headers, &names())
        };
        for right in [
            "localhost",
            "localhost:8080",
            "127.0.0.1:1",
            "127.8.8.8",
            "[::1]:8080",
            "[::1]",
            "My-Machine:80",
            "my-proxy",
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
        assert!(!is_ours(&Uri::from_static("/"), &HeaderMap::new(), &names()));
        assert!(name("lab.example").is_ok() && name("https://lab.example").is_err() && name("a:80").is_err());
    }
}
