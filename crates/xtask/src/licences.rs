//! Licences and sources of all dependencies, by the rules of `deny.toml`: those of cargo-deny, which is run as well where it
//! is installed. To require it would add its build, longer than the worker's own, to every first run of the tests.

use std::fs;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use spdx::Expression;
use toml::Table;

use crate::project::{Project, run};
use crate::setup::which;

/// Checks the workspace's dependencies; the error lists every violation.
pub(crate) fn check(project: &Project) -> Result<()> {
    let text = fs::read_to_string(project.root.join("deny.toml")).context("cannot read deny.toml")?;
    let found = violations(&project.metadata(&[])?, &text)?;
    if !found.is_empty() {
        bail!("{} dependencies are against deny.toml:\n  {}", found.len(), found.join("\n  "));
    }
    if which("cargo-deny").is_some() {
        run(project.cargo("deny").args(["--offline", "check", "licenses", "bans", "sources"]))?;
    }
    Ok(())
}

/// One line for each package with a licence or source that is not accepted.
fn violations(metadata: &Value, rules: &str) -> Result<Vec<String>> {
    let rules: Table = rules.parse().context("deny.toml is not valid TOML")?;
    let list =
        |value: Option<&toml::Value>| value.and_then(toml::Value::as_array).cloned().unwrap_or_default();
    let has = |list: &[toml::Value], text: &str| list.iter().any(|item| item.as_str() == Some(text));
    let part = |section: &str, key: &str| list(rules.get(section).and_then(|section| section.get(key)));
    let (allowed, exceptions) = (part("licenses", "allow"), part("licenses", "exceptions"));
    let registries = part("sources", "allow-registry");
    let mut found = Vec::new();
    for package in metadata["packages"].as_array().context("cargo metadata lists no packages")? {
        let name = package["name"].as_str().unwrap_or_default();
        let of_package =
            exceptions.iter().filter(|one| one.get("crate").and_then(toml::Value::as_str) == Some(name));
        let special: Vec<toml::Value> = of_package.flat_map(|one| list(one.get("allow"))).collect();
        let text = package["license"].as_str().unwrap_or_default();
        let licence = Expression::parse_mode(text, spdx::ParseMode::LAX);
        let accepts = |term: &spdx::LicenseReq| {
            let term = term.to_string();
            has(&allowed, &term) || has(&special, &term)
        };
        if !licence.is_ok_and(|licence| licence.evaluate(accepts)) {
            found.push(format!("{name}: licence {text:?}"));
        }
        // Packages of the workspace have no source.
        let source =
            package["source"].as_str().map(|source| source.strip_prefix("registry+").unwrap_or(source));
        found.extend(
            source.filter(|source| !has(&registries, source)).map(|source| format!("{name}: from {source}")),
        );
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn licences_and_sources_fire() {
        let rules = "[licenses]\nallow = ['MIT', 'Apache-2.0 WITH LLVM-exception']\nexceptions = [{ crate = 'special', \
                     allow = ['MPL-2.0'] }]\n[sources]\nallow-registry = ['https://a/index']\n";
        for (name, licence, source, expected) in [
            ("a", json!("MIT/Apache-2.0"), json!("registry+https://a/index"), 0),
            ("a", json!("GPL-3.0-only OR Apache-2.0 WITH LLVM-exception"), Value::Null, 0),
            ("special", json!("MPL-2.0"), Value::Null, 0),
            ("a", json!("MPL-2.0"), Value::Null, 1),
            ("a", json!("MIT AND GPL-3.0-only"), Value::Null, 1),
            ("a", json!("MIT OR"), Value::Null, 1),
            ("a", Value::Null, Value::Null, 1),
            ("a", json!("MIT"), json!("git+https://a/index"), 1),
        ] {
            let package = json!({ "name": name, "license": licence, "source": source });
            let found = violations(&json!({ "packages": [package] }), rules).unwrap();
            assert_eq!(found.len(), expected, "{name} {licence} {source}");
        }
    }
}
