//! Licences and sources of all dependencies, by the rules of `deny.toml`.
//!
//! The same rules are cargo-deny's, which is run as well where it is installed. It takes minutes to build, so it is
//! not required.

use std::fs;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use toml::Table;

use crate::probe::{Machine, Probe};
use crate::project::{Project, run, step};
use crate::spdx;

/// Checks the workspace's dependencies; the error lists every violation.
pub(crate) fn check(project: &Project) -> Result<()> {
    let path = project.root.join("deny.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let found = violations(&project.metadata(&[])?, &Rules::parse(&text)?)?;
    if !found.is_empty() {
        bail!("{} dependencies are against deny.toml:\n  {}", found.len(), found.join("\n  "));
    }
    if Machine::new(&project.root).which("cargo-deny").is_some() {
        run(project.cargo("deny").args(["--offline", "check", "licenses", "bans", "sources"]))?;
    } else {
        step("cargo-deny is not installed: licences and sources were checked, bans were not");
    }
    Ok(())
}

/// What `deny.toml` accepts.
struct Rules {
    licences: Vec<String>,
    /// Crate and licence.
    exceptions: Vec<(String, String)>,
    registries: Vec<String>,
}

impl Rules {
    fn parse(text: &str) -> Result<Self> {
        let table: Table = text.parse().context("deny.toml is not valid TOML")?;
        let licences = table.get("licenses").context("deny.toml has no section [licenses]")?;
        let mut exceptions = Vec::new();
        for exception in licences.get("exceptions").and_then(toml::Value::as_array).into_iter().flatten() {
            let name = exception.get("crate").and_then(toml::Value::as_str);
            let name = name.context("a licence exception in deny.toml names no crate")?;
            exceptions
                .extend(strings(exception, "allow").into_iter().map(|licence| (name.to_owned(), licence)));
        }
        let registries =
            table.get("sources").map(|sources| strings(sources, "allow-registry")).unwrap_or_default();
        Ok(Self { licences: strings(licences, "allow"), exceptions, registries })
    }

    fn accepts(&self, name: &str, licence: &str) -> bool {
        self.licences.iter().any(|allowed| allowed == licence)
            || self.exceptions.iter().any(|(of, allowed)| of == name && allowed == licence)
    }
}

fn strings(value: &toml::Value, key: &str) -> Vec<String> {
    let list = value.get(key).and_then(toml::Value::as_array);
    list.into_iter().flatten().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

/// One line for each package with a licence or source that is not accepted.
fn violations(metadata: &Value, rules: &Rules) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let version = package["version"].as_str().unwrap_or_default();
        match package["license"].as_str() {
            None => found.push(format!("{name} {version} states no licence")),
            Some(text) => {
                let fine = spdx::satisfied(text, &|licence| rules.accepts(name, licence))
                    .with_context(|| format!("cannot judge {name} {version}"))?;
                if !fine {
                    found.push(format!("{name} {version}: {text}"));
                }
            }
        }
        // Packages of the workspace have no source.
        if let Some(source) = package["source"].as_str() {
            let registry = source.strip_prefix("registry+").or_else(|| source.strip_prefix("sparse+"));
            if registry.is_none_or(|url| rules.registries.iter().all(|allowed| allowed != url)) {
                found.push(format!("{name} {version} comes from {source}"));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const RULES: &str = r#"
        [licenses]
        allow = ["MIT", "Apache-2.0"]
        exceptions = [{ crate = "special", allow = ["MPL-2.0"] }]
        [sources]
        allow-registry = ["https://a/index"]
    "#;

    fn found(package: &Value) -> Vec<String> {
        violations(&json!({ "packages": [package] }), &Rules::parse(RULES).unwrap()).unwrap()
    }

    #[test]
    fn accepted_packages_pass() {
        assert!(
            found(&json!({ "name": "a", "license": "MIT", "source": "registry+https://a/index" })).is_empty()
        );
        assert!(found(&json!({ "name": "a", "license": "MIT OR GPL-3.0", "source": null })).is_empty());
        assert!(found(&json!({ "name": "special", "license": "MPL-2.0", "source": null })).is_empty());
    }

    #[test]
    fn licences_and_sources_fire() {
        for package in [
            json!({ "name": "a", "license": "GPL-3.0", "source": null }),
            json!({ "name": "a", "license": null, "source": null }),
            json!({ "name": "other", "license": "MPL-2.0", "source": null }),
            json!({ "name": "a", "license": "MIT", "source": "registry+https://b/index" }),
            json!({ "name": "a", "license": "MIT", "source": "git+https://a/index" }),
        ] {
            assert_eq!(found(&package).len(), 1, "{package}");
        }
    }

    #[test]
    fn an_expression_that_cannot_be_read_names_its_package() {
        let metadata = json!({ "packages": [{ "name": "a", "version": "1.0.0", "license": "MIT OR" }] });
        let error = violations(&metadata, &Rules::parse(RULES).unwrap()).unwrap_err();
        assert!(error.to_string().contains("a 1.0.0"), "{error:#}");
    }

    #[test]
    fn the_rules_of_this_workspace_are_readable() {
        let rules = Rules::parse(include_str!("../../../deny.toml")).unwrap();
        assert!(
            rules.accepts("a", "MIT")
                && !rules.accepts("a", "MPL-2.0")
                && rules.accepts("webdriver", "MPL-2.0")
        );
        assert_eq!(rules.registries.len(), 1);
    }
}
