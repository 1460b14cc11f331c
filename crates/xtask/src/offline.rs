//! The service worker's list of files: each with its hash, so that the page without a network is the page that was built.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use base64::{Engine, prelude::BASE64_STANDARD};
use sha2::{Digest, Sha256};

/// The script itself, and what the server says about itself.
const LEFT_OUT: [&str; 2] = ["sw.js", "config.json"];

/// Where the script takes the list and the name of the build.
const LIST: &str = "{/* path: hash, by the build */}";
const BUILD: &str = "/* the build */";

/// Puts the list of all files of the page into its service worker.
pub(crate) fn fill(dist: &Path) -> Result<()> {
    let mut files = BTreeMap::new();
    collect(dist, "", &mut files)?;
    let script = dist.join("sw.js");
    let text = fs::read_to_string(&script).with_context(|| format!("cannot read {}", script.display()))?;
    fs::write(&script, filled(&text, &files)?).with_context(|| format!("cannot write {}", script.display()))
}

/// `sha256-...`, as browsers want it.
pub(crate) fn integrity(bytes: &[u8]) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(bytes)))
}

fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, String>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            collect(&path, &format!("{prefix}{name}/"), files)?;
        } else if !(prefix.is_empty() && LEFT_OUT.contains(&name.as_str())) {
            let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            files.insert(format!("{prefix}{name}"), integrity(&bytes));
        }
    }
    Ok(())
}

fn filled(script: &str, files: &BTreeMap<String, String>) -> Result<String> {
    if !script.contains(LIST) || !script.contains(BUILD) {
        bail!("sw.js has no place for the list of files or for the name of the build");
    }
    let list = serde_json::to_string_pretty(files)?;
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
