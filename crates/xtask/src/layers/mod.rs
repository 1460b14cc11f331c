//! The layering: who may depend on whom, and which names a layer never uses. ARCHITECTURE.md says why.

mod arrows;
mod bans;
mod files;
mod lex;
mod names;

use std::path::Path;

use anyhow::{Result, bail};
use serde_json::Value;

use crate::project::Project;

/// Checks the workspace; the error lists every violation.
pub(crate) fn check(project: &Project) -> Result<()> {
    let found = violations(&project.metadata(&["--no-deps"])?, &project.root)?;
    if !found.is_empty() {
        bail!("{} violations of the layering:\n  {}", found.len(), found.join("\n  "));
    }
    Ok(())
}

/// One line for each violation; `metadata` as `cargo metadata --no-deps` prints it.
fn violations(metadata: &Value, root: &Path) -> Result<Vec<String>> {
    let mut found = arrows::violations(metadata);
    for source in files::rust_sources(root)? {
        found.extend(bans::in_rust(&source));
    }
    for (path, text) in files::page_texts(root)? {
        found.extend(bans::in_page(&path, &text));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_workspace_keeps_the_layering() {
        check(&Project::find().unwrap()).unwrap();
    }

    /// The arrows allow the core to search as a feature: the engine must not have it switched on. Nor does the check of tables.
    #[test]
    fn the_engine_has_no_search() {
        let project = Project::find().unwrap();
        for package in ["lookalike-engine", "lookalike-desk"] {
            let mut command = project.cargo("tree");
            command.args(["--package", package, "--edges", "normal", "--prefix", "none"]);
            let output = command.output().unwrap();
            assert!(output.status.success());
            let tree = String::from_utf8(output.stdout).unwrap();
            assert!(tree.contains("lookalike-core") && !tree.contains("lookalike-optimize"), "{tree}");
        }
    }

    #[test]
    fn a_violating_workspace_is_reported_with_file_and_line() {
        let root = std::env::temp_dir().join(format!("lookalike-layers-{}", std::process::id()));
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("crates/core/src/lib.rs", "#[cfg(test)]\nmod oracle;\npub mod solve;\n");
        write("crates/core/src/oracle.rs", "use std::fs;\n");
        write("crates/core/src/oracle/deep.rs", "use std::fs;\n");
        write("crates/core/src/solve.rs", "\nuse std::fs;\n");
        write("crates/core/tests/data.rs", "use std::fs::File; use std::time::Instant;\n");
        write("worker/src/main.rs", "use std::fs;\n");
        write("web/static/app.js", "new RTCPeerConnection()\n");
        let found = violations(&serde_json::json!({ "packages": [] }), &root).unwrap();
        std::fs::remove_dir_all(&root).unwrap();
        assert_eq!(found.len(), 3, "{found:#?}");
        for place in ["crates/core/src/solve.rs:2", "crates/core/tests/data.rs:1", "web/static/app.js:1"] {
            assert!(found.iter().any(|line| line.starts_with(place)), "{place} in {found:#?}");
        }
    }
}
