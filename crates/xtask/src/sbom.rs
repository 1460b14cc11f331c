//! Bills of materials (`CycloneDX` 1.6) of what is handed out: the program, and the page as one file. Read from what cargo has
//! resolved, with the digests of the lock file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use toml::Table;

use crate::project::Project;
use crate::setup::output;
use crate::toolchain::TARGET;

/// What is handed out: its name, the packages of the workspace that it is built from, and the target that they are built for;
/// none is this machine's.
const PRODUCTS: [(&str, &[&str], Option<&str>); 2] = [
    ("lookalike", &["lookalike"], None),
    (
        "lookalike-page",
        &["lookalike-ui", "lookalike-engine", "lookalike-import", "lookalike-optimize-web"],
        Some(TARGET),
    ),
];

/// Writes one file for each product.
pub(crate) fn write(project: &Project) -> Result<Vec<PathBuf>> {
    let compiler = output("rustc", &["--version"]).context("rustc does not say its version")?;
    let lock = fs::read_to_string(project.root.join("Cargo.lock")).context("cannot read Cargo.lock")?;
    let folder = project.target.join("sbom");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let host =
        output("rustc", &["--print", "host-tuple"]).context("rustc does not say what it builds for")?;
    let mut written = Vec::new();
    for (name, roots, target) in PRODUCTS {
        let platform = target.unwrap_or(host.trim());
        let metadata = project.metadata(&["--locked", "--filter-platform", platform])?;
        let bill = bill(name, roots, &metadata, &lock, compiler.trim())?;
        let path = folder.join(format!("{name}.cdx.json"));
        let text = serde_json::to_string_pretty(&bill)? + "\n";
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        println!("{}  {} components", path.display(), bill["components"].as_array().map_or(0, Vec::len));
        written.push(path);
    }
    Ok(written)
}

/// The bill of a product.
fn bill(name: &str, roots: &[&str], metadata: &Value, lock: &str, compiler: &str) -> Result<Value> {
    let sums = sums(lock)?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages: BTreeMap<String, Value> =
        list(&metadata["packages"]).into_iter().map(|package| (text(&package["id"]), package)).collect();
    let nodes: BTreeMap<String, Value> =
        list(&metadata["resolve"]["nodes"]).into_iter().map(|node| (text(&node["id"]), node)).collect();
    let mut waiting: Vec<String> = packages
        .iter()
        .filter(|(_, package)| {
            package["source"].is_null() && roots.contains(&text(&package["name"]).as_str())
        })
        .map(|(id, _)| id.clone())
        .collect();
    let version = waiting.first().and_then(|id| packages.get(id)).map(|package| text(&package["version"]));
    // Everything that is linked or run at build time; what only tests need is not handed out.
    let mut found = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if !found.insert(id.clone()) {
            continue;
        }
        for dependency in nodes.get(&id).map(|node| list(&node["deps"])).unwrap_or_default() {
            let kinds = list(&dependency["dep_kinds"]);
            if kinds.iter().any(|kind| kind["kind"].as_str() != Some("dev")) {
                waiting.push(text(&dependency["pkg"]));
            }
        }
    }
    let mut components = Vec::new();
    for id in &found {
        let package = packages.get(id).with_context(|| format!("cargo metadata does not describe {id}"))?;
        let (name, version) = (text(&package["name"]), text(&package["version"]));
        let address = format!("pkg:cargo/{name}@{version}");
        let mut component = json!({
            "type": "library", "bom-ref": address, "name": name, "version": version, "purl": address,
        });
        if let Some(licence) = package["license"].as_str() {
            // Older packages write a slash for "or".
            component["licenses"] = json!([{ "expression": licence.replace('/', " OR ") }]);
        }
        if let Some(sum) = sums.get(&(name, version)) {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
        }
        components.push(component);
    }
    components.sort_by_key(|component| text(&component["purl"]));
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": { "type": "application", "name": name, "version": version },
            "tools": { "components": [{ "type": "application", "name": "rustc", "version": compiler }] },
        },
        "components": components,
    }))
}

/// Digests of the packages in a lock file, by name and version.
fn sums(lock: &str) -> Result<BTreeMap<(String, String), String>> {
    let lock: Table = lock.parse().context("Cargo.lock is not valid TOML")?;
    let packages = lock.get("package").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    let text = |package: &toml::Value, key: &str| package.get(key)?.as_str().map(str::to_owned);
    let sum = |package: &toml::Value| {
        Some(((text(package, "name")?, text(package, "version")?), text(package, "checksum")?))
    };
    Ok(packages.iter().filter_map(sum).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bill_has_what_is_linked_with_its_digest_and_not_what_tests_need() {
        let package = |name: &str, source: Value| json!({ "id": name, "name": name, "version": "1.0.0", "source": source, "license": "MIT/Apache-2.0" });
        let needs = |name: &str, kind: Value| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        let registry = json!("registry+https://a/index");
        let metadata = json!({
            "packages": [
                package("ours", Value::Null), package("linked", registry.clone()), package("below", registry.clone()),
                package("builds", registry.clone()), package("tests", registry.clone()), package("other", registry),
            ],
            "resolve": { "nodes": [
                { "id": "ours", "deps": [needs("linked", Value::Null), needs("builds", json!("build")), needs("tests", json!("dev"))] },
                { "id": "linked", "deps": [needs("below", Value::Null)] },
            ] },
        });
        let lock = "[[package]]\nname = \"below\"\nversion = \"1.0.0\"\nchecksum = \"abc\"\n";
        let bill = bill("product", &["ours"], &metadata, lock, "rustc 1.2.3").unwrap();
        let names: Vec<&str> =
            bill["components"].as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
        assert_eq!(names, ["below", "builds", "linked", "ours"]);
        assert_eq!(bill["components"][0]["hashes"][0]["content"], "abc");
        assert_eq!(bill["components"][0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(bill["metadata"]["tools"]["components"][0]["version"], "rustc 1.2.3");
        assert_eq!(bill["metadata"]["component"]["version"], "1.0.0");
    }
}
