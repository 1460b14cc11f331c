//! Scripts and style sheets without what is for readers of their source: comments that fill lines, and indentation.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Rewrites the scripts and style sheets in a folder, not in folders within it.
pub(crate) fn folder(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "js" || extension == "css") {
            let text =
                fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            fs::write(&path, slim(&text)).with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(())
}

/// Lines stay lines: a statement without a semicolon still ends. A text with backquotes over several lines stays whole.
fn slim(text: &str) -> String {
    let (mut slim, mut comment) = (String::with_capacity(text.len()), false);
    let mut quoted = false;
    for line in text.lines() {
        let bare = line.trim();
        let within = quoted;
        if !comment && line.matches('`').count() % 2 == 1 {
            quoted = !quoted;
        }
        if within || quoted {
            slim += line;
            slim.push('\n');
            continue;
        }
        comment = comment || bare.starts_with("/*");
        let skipped = comment || bare.is_empty() || bare.starts_with("//");
        if !skipped {
            slim += bare;
            slim.push('\n');
        }
        // What follows a comment on its last line is kept.
        if comment && bare.ends_with("*/") {
            comment = false;
        } else if comment && let Some((_, rest)) = bare.split_once("*/") {
            comment = false;
            slim += rest.trim_start();
            slim.push('\n');
        }
    }
    slim
}

#[cfg(test)]
mod tests {
    use super::slim;

    #[test]
    fn comments_and_indentation_go() {
        let text = "/** What\n * it is.\n */\nfunction f() { // here\n    // there\n\n    return '/* no comment */';\n}\n";
        assert_eq!(slim(text), "function f() { // here\nreturn '/* no comment */';\n}\n");
        assert_eq!(slim("/* one */\n  /* two */ a { }\n  b {\n    c: d;\n  }\n"), "a { }\nb {\nc: d;\n}\n");
    }

    #[test]
    fn texts_over_lines_stay() {
        let text = "const a = `x\n    y // z\n  `;\n  b();\n";
        assert_eq!(slim(text), "const a = `x\n    y // z\n  `;\nb();\n");
    }
}
