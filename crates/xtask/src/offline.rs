//! The service worker's list of files: each with its hash, so that the page without a network is the page that was built.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use base64::{Engine, prelude::BASE64_STANDARD};
use sha2::{Digest, Sha256};

use crate::pack::files;

/// The script itself, and what the server says about itself.
const LEFT_OUT: [&str; 2] = ["sw.js", "config.json"];

/// Where the script takes the list and the name of the build.
const LIST: &str = "{/* path: hash, by the build */}";
const BUILD: &str = "/* the build */";

/// Puts the list of all files of the page into its service worker.
pub(crate) fn fill(dist: &Path) -> Result<()> {
    let mut hashes = BTreeMap::new();
    for path in files(dist)? {
        if !LEFT_OUT.contains(&path.as_str()) {
            let bytes = fs::read(dist.join(&path)).with_context(|| format!("cannot read {path}"))?;
            hashes.insert(path, integrity(&bytes));
        }
    }
    let script = dist.join("sw.js");
    let text = fs::read_to_string(&script).with_context(|| format!("cannot read {}", script.display()))?;
    fs::write(&script, filled(&text, &hashes)?).with_context(|| format!("cannot write {}", script.display()))
}

/// `sha256-...`, as browsers want it.
pub(crate) fn integrity(bytes: &[u8]) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(bytes)))
}

fn filled(script: &str, hashes: &BTreeMap<String, String>) -> Result<String> {
    if !script.contains(LIST) || !script.contains(BUILD) {
        bail!("sw.js has no place for the list of files or for the name of the build");
    }
    let list = serde_json::to_string_pretty(hashes)?;
    let build = integrity(list.as_bytes());
    Ok(script.replace(LIST, &list).replace(BUILD, &build))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_browsers() {
        // NIST's example for SHA-256 of "abc".
        assert_eq!(integrity(b"abc"), "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    }

    #[test]
    fn every_file_is_listed_and_a_change_is_another_build() {
        let script = include_str!("../../../web/static/sw.js");
        let list = |bytes: &[u8]| BTreeMap::from([(String::from("ui/ui.js"), integrity(bytes))]);
        let (one, two) = (filled(script, &list(b"1")).unwrap(), filled(script, &list(b"2")).unwrap());
        assert!(one.contains(&format!("\"ui/ui.js\": \"{}\"", integrity(b"1"))));
        let build =
            |text: &str| text.lines().find(|line| line.starts_with("const CACHE")).unwrap().to_owned();
        assert_ne!(build(&one), build(&two));
        assert!(!one.contains("/* the build */"));
        assert!(filled("nothing", &list(b"1")).is_err());
    }
}
