//! Names that a layer never uses.

use super::arrows::PURE;
use super::names::{Name, names};

/// Where a Rust file belongs.
pub(crate) struct Source {
    /// Path from the workspace root, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
    /// In `tests/`, `benches/` or `examples/`, or a module that is compiled for tests only.
    pub(crate) test: bool,
}

/// A banned name.
struct Ban {
    /// Segments that begin (or, for a single one, occur anywhere in) a used path.
    path: &'static [&'static str],
    why: &'static str,
    /// Tests may: they read public microdata, and an environment variable says where it is.
    tests_may: bool,
}

const fn ban(path: &'static [&'static str], why: &'static str, tests_may: bool) -> Ban {
    Ban { path, why, tests_may }
}

const BROWSER: &str = "this layer must run outside a browser, too";
const SERVER: &str = "this layer must run in a browser, too";
const FILES: &str = "bytes come in and go out through arguments";
const PLATFORM: &str = "only web/ui/src/platform calls the browser";
const CLOCK: &str = "time comes through Ctx, so that runs can be repeated";

/// In the pure layers.
const PURE_BANS: [Ban; 9] = [
    ban(&["web_sys"], BROWSER, false),
    ban(&["js_sys"], BROWSER, false),
    ban(&["axum"], SERVER, false),
    ban(&["tokio"], SERVER, false),
    ban(&["std", "fs"], FILES, true),
    ban(&["File"], FILES, true),
    ban(&["std", "env"], "settings come in through arguments", true),
    ban(&["Instant"], CLOCK, false),
    ban(&["SystemTime"], CLOCK, false),
];

/// In the page, outside `platform/`.
const PAGE_BANS: [Ban; 4] = [
    ban(&["web_sys"], PLATFORM, false),
    ban(&["js_sys"], PLATFORM, false),
    ban(&["gloo"], PLATFORM, false),
    ban(&["gloo_net"], PLATFORM, false),
];

/// In the page, outside `platform/` and `lib.rs` with its start function.
const PAGE_BINDGEN: Ban =
    ban(&["wasm_bindgen"], "only web/ui/src/platform and the start function speak to JavaScript", false);

/// Everywhere but in `crates/lp`.
const HIGHS: Ban = ban(&["highs"], "only crates/lp names LP back ends", false);

/// One line for each banned name in a Rust file.
pub(crate) fn in_rust(source: &Source) -> Vec<String> {
    let mut bans: Vec<&Ban> = Vec::new();
    let path = source.path.as_str();
    if PURE.iter().any(|layer| path.starts_with(&format!("crates/{layer}/"))) {
        bans.extend(&PURE_BANS);
    }
    if path.starts_with("web/ui/src/") && !in_platform(path) {
        bans.extend(&PAGE_BANS);
        if path != "web/ui/src/lib.rs" {
            bans.push(&PAGE_BINDGEN);
        }
    }
    let mut found = Vec::new();
    for name in names(&source.text).names {
        let test = source.test || name.in_test;
        let first = bans.iter().find(|ban| applies(ban, &name) && !(test && ban.tests_may));
        if let Some(ban) = first {
            found.push(format!("{path}:{} {}: {}", name.line, name.segments.join("::"), ban.why));
        } else if !path.starts_with("crates/lp/") && begins(&name, HIGHS.path) && name.segments.len() > 1 {
            found.push(format!("{path}:{} {}: {}", name.line, name.segments.join("::"), HIGHS.why));
        }
    }
    found
}

fn in_platform(path: &str) -> bool {
    path.starts_with("web/ui/src/platform/") || path == "web/ui/src/platform.rs"
}

fn applies(ban: &Ban, name: &Name) -> bool {
    match ban.path {
        [single] => name.segments.iter().any(|segment| segment == single),
        path => begins(name, path),
    }
}

fn begins(name: &Name, path: &[&str]) -> bool {
    name.segments.len() >= path.len()
        && name.segments.iter().zip(path).all(|(segment, wanted)| segment == wanted)
}

/// A content security policy does not reliably stop peer connections: the page must hold no way to open one.
const PEER: [&str; 3] = ["RTCPeerConnection", "RTCDataChannel", "WebRTC"];

/// One line for each mention of peer connections in a file of the page, comments included.
pub(crate) fn in_page(path: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        for word in PEER.iter().filter(|word| line.contains(**word)) {
            found.push(format!(
                "{path}:{number} {word}: the page must not be able to send data past its policy"
            ));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str, test: bool) -> usize {
        in_rust(&Source { path: path.into(), text: text.into(), test }).len()
    }

    /// One sample of use for each ban of the pure layers.
    const SAMPLES: [(&str, bool); 13] = [
        ("use web_sys::Window;", false),
        ("fn f() { js_sys::Date::now(); }", false),
        ("use axum::Router;", false),
        ("fn f() { tokio::spawn(g()); }", false),
        ("use std::{fs, fmt};", true),
        ("fn f() { std::fs::read(p); }", true),
        ("fn f(file: &mut File) {}", true),
        ("use std::env;", true),
        ("fn f() { std::env::var(\"X\"); }", true),
        ("use std::time::{Duration, Instant};", false),
        ("fn f() { std::time::Instant::now(); }", false),
        ("fn f() -> SystemTime {}", false),
        ("fn f() { highs::Model::new(); }", false),
    ];

    #[test]
    fn each_ban_fires_in_each_pure_layer() {
        for layer in ["table", "audit", "core", "wire"] {
            for (text, _) in SAMPLES {
                assert_eq!(count(&format!("crates/{layer}/src/a.rs"), text, false), 1, "{layer}: {text}");
            }
        }
        assert_eq!(count("crates/lp/src/a.rs", "use std::time::Instant;", false), 1);
    }

    #[test]
    fn tests_may_read_files_and_where_they_are_but_nothing_else() {
        for (text, tests_may) in SAMPLES {
            let expected = usize::from(!tests_may);
            assert_eq!(count("crates/core/tests/a.rs", text, true), expected, "{text}");
            let module = format!("#[cfg(test)] mod tests {{ {text} }}");
            assert_eq!(count("crates/core/src/a.rs", &module, false), expected, "{module}");
        }
    }

    #[test]
    fn comments_literals_and_other_names_do_not_fire() {
        let text = "//! std::fs, Instant\n/* File */ const A: &str = \"tokio\"; use std::fmt; struct Profile; \
                    fn f() { env!(\"CARGO_PKG_VERSION\"); my::fs::x(); let highs = 1; }";
        assert_eq!(count("crates/core/src/a.rs", text, false), 0);
    }

    #[test]
    fn highs_is_named_in_lp_only() {
        assert_eq!(count("crates/lp/src/highs.rs", "use highs::Model;", false), 0);
        for path in
            ["worker/src/main.rs", "crates/core/src/a.rs", "tests/tests/a.rs", "web/engine/src/lib.rs"]
        {
            assert_eq!(count(path, "use highs::Model;", true), 1, "{path}");
        }
        assert_eq!(count("worker/src/main.rs", "fn f(highs: bool) {}", false), 0);
    }

    #[test]
    fn outer_layers_may_use_files_and_clocks() {
        for path in ["worker/src/main.rs", "web/engine/src/lib.rs", "crates/testkit/src/lib.rs"] {
            assert_eq!(count(path, "use std::fs::File; use std::time::Instant; use tokio::spawn;", false), 0);
        }
    }

    #[test]
    fn the_page_calls_the_browser_below_platform_only() {
        for text in [
            "use web_sys::File;",
            "fn f() { js_sys::Date::now(); }",
            "use wasm_bindgen::JsCast;",
            "use gloo::file::File;",
            "use gloo_net::http::Request;",
        ] {
            for path in
                ["web/ui/src/pages/data.rs", "web/ui/src/transport/local.rs", "web/ui/src/platformer/a.rs"]
            {
                assert_eq!(count(path, text, false), 1, "{path}: {text}");
            }
            assert_eq!(count("web/ui/src/platform/worker.rs", text, false), 0, "{text}");
            assert_eq!(count("web/ui/src/platform.rs", text, false), 0, "{text}");
        }
        assert_eq!(
            count("web/ui/src/lib.rs", "use wasm_bindgen::prelude::*; use web_sys::Window;", false),
            1
        );
    }

    #[test]
    fn peer_connections_fire_in_every_kind_of_file() {
        for word in PEER {
            assert_eq!(in_page("web/static/a.js", &format!("ok\n// {word}")).len(), 1, "{word}");
        }
        assert!(in_page("web/static/index.html", "webrtc 'block'").is_empty());
    }
}
