//! What `lookalike check --attacks` finds.

use std::{
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::{
    compare::{Attack, Found, Rate},
    tables::Case,
};

/// The attacks on the table in a folder.
pub(super) fn found(program: &Path, folder: &Path, case: &Case) -> Result<Vec<Found>> {
    let file = |name: &str| folder.join(name);
    let known = case.known();
    let all = known.iter().copied().chain([case.secret]);
    let kind = |name: &str| if case.numbers.contains(&name) { "number" } else { "category" };
    let kinds: Vec<String> = all.map(|name| format!("{name}={}", kind(name))).collect();
    let attacks = case.attacks().to_string();
    let mut command = Command::new(program);
    command.arg("check").arg(file("published.csv")).arg("--original").arg(file("original.csv"));
    command.arg("--control").arg(file("control.csv"));
    command.args(["--header", "yes", "--original-header", "yes", "--delimiter", ",", "--class", "none"]);
    command.args(["--attacks", "--json", "--quasi", &known.join(","), "--sensitive", case.secret]);
    command.args(["--attacks-first", &case.first.join(","), "--attacks-number", &attacks]);
    command.args(["--kind", &kinds.join(",")]);
    let output = command.stdin(Stdio::null()).output().context("`lookalike check` does not start")?;
    if output.status.code() != Some(0) {
        bail!("`lookalike check`: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let told: Value = serde_json::from_slice(&output.stdout).context("`lookalike check` tells no JSON")?;
    let told = &told["attacks"];
    if told["left_out"].as_array().is_none_or(|left| !left.is_empty()) {
        bail!("{}: columns are left out: {}", case.name, told["left_out"]);
    }
    let places = [
        (Attack::Univariate, &told["singling_out"]["univariate"]),
        (Attack::Multivariate, &told["singling_out"]["multivariate"]),
        (Attack::Linkability, &told["linkability"]),
        (Attack::Inference, &told["inference"]),
    ];
    let of = |(attack, outcome): (Attack, &Value)| {
        let rate = |which: &str| {
            let number = |name: &str| outcome[which][name].as_f64();
            Some(Rate::new(number("attacks")?, number("successes")?))
        };
        let rates = [rate("main"), rate("control"), rate("naive")];
        let [Some(main), Some(control), Some(naive)] = rates else {
            bail!("{}: an attack has no rates: {outcome}", case.name);
        };
        Ok(Found { table: case.name.to_owned(), attack, drawn: true, rates: [main, control, naive] })
    };
    places.into_iter().map(of).collect()
}
