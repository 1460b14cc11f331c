//! The arrows between the workspace's packages, and the crates that only some of them may use.

use serde_json::Value;

/// Each package and what it may depend on.
const ARROWS: [(&str, &[&str]); 20] = [
    ("lookalike-model", &[]),
    ("lookalike-table", &["lookalike-model"]),
    ("lookalike-lp", &[]),
    ("lookalike-wire", &["lookalike-model"]),
    ("lookalike-audit", &["lookalike-model", "lookalike-table"]),
    ("lookalike-optimize", &["lookalike-lp", "lookalike-model"]),
    (
        "lookalike-core",
        &["lookalike-audit", "lookalike-lp", "lookalike-model", "lookalike-optimize", "lookalike-table"],
    ),
    ("lookalike-testkit", &["lookalike-core", "lookalike-table"]),
    (
        "lookalike-experiments",
        &[
            "lookalike-core",
            "lookalike-lp",
            "lookalike-model",
            "lookalike-optimize",
            "lookalike-table",
            "lookalike-testkit",
        ],
    ),
    ("lookalike-message", &[]),
    ("lookalike-ui", &["lookalike-message", "lookalike-model", "lookalike-wire"]),
    ("lookalike-file", &["lookalike-table", "lookalike-wire"]),
    ("lookalike-import", &["lookalike-file", "lookalike-message", "lookalike-table", "lookalike-wire"]),
    (
        "lookalike-desk",
        &["lookalike-core", "lookalike-file", "lookalike-message", "lookalike-model", "lookalike-wire"],
    ),
    ("lookalike-solver", &["lookalike-core", "lookalike-model", "lookalike-optimize"]),
    (
        "lookalike-engine",
        &["lookalike-core", "lookalike-file", "lookalike-message", "lookalike-model", "lookalike-wire"],
    ),
    ("lookalike-series", &["lookalike-core", "lookalike-engine", "lookalike-model", "lookalike-wire"]),
    ("lookalike", &["lookalike-core", "lookalike-model", "lookalike-optimize", "lookalike-wire"]),
    (
        "lookalike-tests",
        &["lookalike-core", "lookalike-model", "lookalike-optimize", "lookalike-testkit", "lookalike-wire"],
    ),
    ("xtask", &[]),
];

/// May use anything of ours in their tests: the core tests the whole method, the suites the whole system.
const FREE_TESTS: [&str; 3] = ["lookalike-core", "lookalike-optimize", "lookalike-tests"];

/// What any test may use: the oracles, and a search for what is tested around one.
const FOR_TESTS: [&str; 2] = ["lookalike-optimize", "lookalike-testkit"];

/// The pure layers: no browser, server, file, environment or clock.
pub(crate) const PURE: [&str; 7] = ["model", "optimize", "table", "lp", "audit", "core", "wire"];

/// Crates that pure layers never depend on.
const IMPURE: [&str; 12] = [
    "axum",
    "chrono",
    "gloo",
    "gloo-net",
    "instant",
    "js-sys",
    "reqwest",
    "time",
    "tokio",
    "wasm-bindgen",
    "web-sys",
    "web-time",
];

/// One line for each arrow that must not be.
pub(crate) fn violations(metadata: &Value) -> Vec<String> {
    let packages: Vec<&Value> = metadata["packages"].as_array().into_iter().flatten().collect();
    let ours: Vec<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    let mut found = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let Some((_, allowed)) = ARROWS.iter().find(|(from, _)| *from == name) else {
            found.push(format!("{name}: a new package; give it its arrows in {}", file!()));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            found.extend(of_dependency(name, allowed, &ours, dependency));
        }
        for (feature, enables) in package["features"].as_object().into_iter().flatten() {
            for text in enables.as_array().into_iter().flatten().filter_map(Value::as_str) {
                if text.ends_with("/highs") && name != "lookalike-lp" && text != "lookalike-lp/highs" {
                    found.push(format!(
                        "{name}: feature {feature} enables {text}; HiGHS is chosen by lookalike-lp only"
                    ));
                }
            }
        }
    }
    found
}

fn of_dependency(name: &str, allowed: &[&str], ours: &[&str], dependency: &Value) -> Option<String> {
    let to = dependency["name"].as_str().unwrap_or_default();
    let dev = dependency["kind"] == "dev";
    if ours.contains(&to) {
        let fine = allowed.contains(&to)
            || (dev && (FOR_TESTS.contains(&to) || FREE_TESTS.contains(&name)))
            || selects_back_end(name, to, dependency);
        return (!fine).then(|| format!("{name} must not depend on {to}: arrows go down only"));
    }
    let pure = name.strip_prefix("lookalike-").is_some_and(|short| PURE.contains(&short));
    if pure && !dev && IMPURE.contains(&to) {
        return Some(format!(
            "{name} must not depend on {to}: it would no longer run everywhere and repeatably"
        ));
    }
    let features = || dependency["features"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let highs = ["highs", "highs-sys"].contains(&to) || features().any(|feature| feature == "highs");
    (highs && name != "lookalike-lp")
        .then(|| format!("{name} must not depend on {to} with HiGHS: only lookalike-lp names back ends"))
}

/// The worker may name lookalike-lp to switch HiGHS on, which a feature of a dependency needs.
fn selects_back_end(name: &str, to: &str, dependency: &Value) -> bool {
    name == "lookalike"
        && to == "lookalike-lp"
        && dependency["features"].as_array().into_iter().flatten().any(|feature| feature == "highs")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn dependency(name: &str, kind: &Value, features: &[&str]) -> Value {
        json!({ "name": name, "kind": kind, "features": features })
    }

    /// Violations of one package among all of ours.
    fn of(name: &str, dependencies: &[Value]) -> Vec<String> {
        let mut packages: Vec<Value> = ARROWS
            .iter()
            .map(|(other, _)| json!({ "name": other, "dependencies": [], "features": {} }))
            .collect();
        packages.retain(|package| package["name"] != name);
        packages.push(json!({ "name": name, "dependencies": dependencies, "features": {} }));
        violations(&json!({ "packages": packages }))
    }

    #[test]
    fn upward_and_sideways_arrows_fire() {
        for (from, to) in [
            ("lookalike-table", "lookalike-wire"),
            ("lookalike-lp", "lookalike-table"),
            ("lookalike-wire", "lookalike-core"),
            ("lookalike-audit", "lookalike-core"),
            ("lookalike-core", "lookalike"),
            ("lookalike-ui", "lookalike-core"),
            ("lookalike-engine", "lookalike-ui"),
            ("lookalike", "lookalike-table"),
            ("lookalike-core", "lookalike-testkit"),
            ("xtask", "lookalike-core"),
            ("lookalike-experiments", "lookalike"),
            ("lookalike-core", "lookalike-experiments"),
        ] {
            assert_eq!(of(from, &[dependency(to, &Value::Null, &[])]).len(), 1, "{from} -> {to}");
        }
    }

    #[test]
    fn downward_arrows_and_test_arrows_do_not() {
        for (from, to, kind) in [
            ("lookalike-audit", "lookalike-table", Value::Null),
            ("lookalike-core", "lookalike-lp", Value::Null),
            ("lookalike-engine", "lookalike-core", Value::Null),
            ("lookalike-table", "lookalike-testkit", json!("dev")),
            ("lookalike-tests", "lookalike-core", json!("dev")),
        ] {
            assert_eq!(of(from, &[dependency(to, &kind, &[])]), Vec::<String>::new(), "{from} -> {to}");
        }
        assert_eq!(of("lookalike-audit", &[dependency("lookalike-core", &json!("dev"), &[])]).len(), 1);
        assert_eq!(of("lookalike-audit", &[dependency("lookalike-core", &json!("build"), &[])]).len(), 1);
    }

    #[test]
    fn highs_is_for_lp_and_the_worker_may_select_it() {
        let lp = |features: &[&str]| dependency("lookalike-lp", &Value::Null, features);
        assert!(of("lookalike", &[lp(&["highs"])]).is_empty());
        assert_eq!(of("lookalike", &[lp(&[])]).len(), 1);
        assert_eq!(of("lookalike-engine", &[lp(&["highs"])]).len(), 1);
        let highs = dependency("highs", &Value::Null, &[]);
        assert!(of("lookalike-lp", std::slice::from_ref(&highs)).is_empty());
        assert_eq!(of("lookalike-core", &[highs]).len(), 1);
        assert_eq!(of("lookalike-core", &[dependency("good_lp", &Value::Null, &["highs"])]).len(), 1);
        let feature = |name: &str, text: &str| {
            let package = json!({ "name": name, "dependencies": [], "features": { "x": [text] } });
            violations(&json!({ "packages": [package] })).len()
        };
        assert_eq!(feature("lookalike-core", "good_lp/highs"), 1);
        assert_eq!(feature("lookalike-lp", "good_lp/highs"), 0);
        assert_eq!(feature("lookalike", "lookalike-lp/highs"), 0);
    }

    #[test]
    fn impure_crates_fire_in_pure_layers_only() {
        for to in IMPURE {
            assert_eq!(of("lookalike-core", &[dependency(to, &Value::Null, &[])]).len(), 1, "{to}");
            assert!(of("lookalike", &[dependency(to, &Value::Null, &[])]).is_empty(), "{to}");
        }
    }

    #[test]
    fn an_unknown_package_fires() {
        assert_eq!(violations(&json!({ "packages": [{ "name": "lookalike-new" }] })).len(), 1);
    }
}
