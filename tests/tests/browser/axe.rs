//! axe-core over the page: WCAG 2.2 up to AA.

use std::{fs, path::PathBuf, sync::OnceLock};

use lookalike_tests::program::workspace;
use serde_json::Value;

use crate::page::Page;

/// The script: `LOOKALIKE_AXE`, or where `cargo xtask test` puts it. Without it the page is not looked at, visibly.
fn script() -> Option<&'static str> {
    static SCRIPT: OnceLock<Option<String>> = OnceLock::new();
    let read = || {
        let usual = || workspace().join("target/npm/node_modules/axe-core/axe.min.js");
        let path = std::env::var_os("LOOKALIKE_AXE").map_or_else(usual, PathBuf::from);
        let text = fs::read_to_string(&path).ok();
        if text.is_none() {
            eprintln!(
                "skipped: {} is missing (npm install --no-save --prefix target/npm axe-core@4)",
                path.display()
            );
        }
        text
    };
    SCRIPT.get_or_init(read).as_deref()
}

impl Page {
    /// What axe finds must be nothing. It takes nothing within a disabled set of fields for focusable, which is true of
    /// fields only: frames that scroll, and can be focused there, are left out then.
    pub(crate) async fn accessible(&self, state: &str) {
        let Some(script) = script() else { return };
        self.client.execute(script, vec![]).await.unwrap();
        let run = "const done = arguments[arguments.length - 1];\
            const options = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };\
            const context = { include: [document], exclude: ['fieldset[disabled] .frame'] };\
            axe.run(context, options).then(({ violations }) => done(violations.map(({ id, help, nodes }) => \
            `${id}: ${help}: ${nodes.map((node) => node.html + ' ' + node.failureSummary).join(' | ')}`)));";
        let found = self.client.execute_async(run, vec![]).await.unwrap();
        let found: Vec<&str> = found.as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(found.is_empty(), "{state}:\n{}", found.join("\n"));
    }
}
