//! One row of each written table comes out again.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should fail where it stands")]

use std::path::{Path, PathBuf};

use lookalike_experiments::{SERIES, check, series};

#[test]
fn the_written_results_still_hold() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let data = std::env::var_os("LOOKALIKE_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    if !data.join("adult-train.csv").is_file() {
        eprintln!("skipped: {} holds no adult-train.csv", data.display());
        return;
    }
    for name in SERIES {
        let experiments = series(name, &data).unwrap();
        let differences = check(name, &experiments, &root.join("docs/results")).unwrap();
        assert!(differences.is_empty(), "{differences:#?}");
    }
}
