//! What the judge is made of.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The judge and all below it.
fn sources() -> Vec<(String, String)> {
    let sources = below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/judge"));
    assert!(sources.len() > 20, "the judge is elsewhere");
    sources
}

/// The files of a folder and of those in it.
fn below(folder: &Path) -> Vec<(String, String)> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts = |path: PathBuf| {
        if path.is_dir() {
            below(&path)
        } else {
            vec![(path.display().to_string(), fs::read_to_string(&path).unwrap())]
        }
    };
    paths.flat_map(texts).collect()
}

/// A release is written by `lookalike-table`, and the csv crate stands behind that: a mistake there must not be in the judge,
/// too. What the judge may use is the standard library, hashing, the words of messages, and the list of missing markers.
#[test]
fn the_judge_uses_nothing_that_releases_are_written_by() {
    let allowed = ["std", "rustc_hash", "lookalike_words", "super", "self"];
    for (path, text) in sources() {
        // Tests compare with the rest of the program; they stand at the end.
        let code = text.split("#[cfg(test)]").next().unwrap();
        for line in code.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
            for banned in ["crate::", "lookalike_table", "csv", "memchr", "serde"] {
                assert!(!line.contains(banned), "{path}: {banned} in {line:?}");
            }
            let used = line.strip_prefix("pub use ").or(line.strip_prefix("pub(crate) use "));
            let Some(used) = used.or(line.strip_prefix("use ")) else { continue };
            let root = used.split("::").next().unwrap();
            let own = path.ends_with("mod.rs") && text.contains(&format!("mod {root};"));
            let markers = used.starts_with("lookalike_model::missing::");
            assert!(own || markers || allowed.contains(&root), "{path}: {line:?}");
        }
    }
}

/// What is reached without `use` is reached by a path, or a macro: the judge's only foreign macro is that of its messages.
#[test]
fn the_judge_names_no_other_package_by_path() {
    let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    let dependencies = manifest.split("[dependencies]").nth(1).unwrap().split('[').next().unwrap();
    let names = dependencies.lines().filter_map(|line| line.split('.').next());
    let names: Vec<String> =
        names.filter(|name| !name.is_empty()).map(|name| name.replace('-', "_")).collect();
    assert!(names.contains(&String::from("lookalike_table")));
    let others = names.iter().filter(|name| !["rustc_hash", "lookalike_words"].contains(&name.as_str()));
    for name in others {
        for (path, text) in sources() {
            let code = text.split("#[cfg(test)]").next().unwrap().replace("lookalike_model::missing::", "");
            assert!(!code.contains(&format!("{name}::")), "{path} names {name}");
        }
    }
}
