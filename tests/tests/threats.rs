//! The threat model names tests: they exist, in the words that it uses.

use std::{collections::BTreeSet, fs, path::Path};

use lookalike_tests::program::workspace;

/// Names of functions in the sources below a folder.
fn functions(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() && name != "target" && name != "node_modules" && name != ".git" {
            functions(&path, found);
        } else if let Some(keyword) = path.extension().and_then(|of| match of.to_str() {
            Some("rs") => Some("fn "),
            Some("py") => Some("def "),
            _ => None,
        }) {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let lines = text.lines().filter_map(|line| line.trim_start().split_once(keyword));
            found.extend(lines.filter_map(|(_, rest)| rest.split(['(', '<']).next().map(str::to_owned)));
        }
    }
}

#[test]
fn each_test_that_the_threat_model_names_is_there() {
    let text = fs::read_to_string(workspace().join("docs/threat-model.md")).unwrap_or_default();
    let mut known = BTreeSet::new();
    functions(&workspace(), &mut known);
    let named: Vec<&str> =
        text.split('`').skip(1).step_by(2).filter(|code| code.matches('_').count() >= 3).collect();
    assert!(named.len() > 40, "{}", named.len());
    let missing: Vec<&&str> = named.iter().filter(|name| !known.contains(**name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// A line of a table with an attacker's "cannot" has a test, or says what it has instead.
#[test]
fn each_promise_has_its_test_or_says_what_it_has_instead() {
    let text = fs::read_to_string(workspace().join("docs/threat-model.md")).unwrap_or_default();
    for line in text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| can ")) {
        let shown = line.trim_end_matches(" |").rsplit(" | ").next().unwrap_or_default();
        let has = shown.contains('`') || shown.starts_with("open") || shown.starts_with("argument");
        assert!(has, "{line}");
    }
}
