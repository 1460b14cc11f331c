//! stdout belongs to the results: no back end may write to it, nor to stderr.
#![cfg(feature = "highs")]

use std::{env, process::Command};

use lookalike_lp::{
    Backend,
    eligibility::{Allowed, fewest_changes},
};

/// HiGHS prints from C++, past the capture of the test harness: the test looks at the output of its own process,
/// started again.
#[test]
fn highs_prints_nothing() {
    const AGAIN: &str = "LOOKALIKE_TEST_QUIET";
    let solve = || fewest_changes(&[38, 5, 5, 3, 2, 2, 1, 1, 1, 1, 1, 1], 9, Allowed::BOTH, Backend::Highs);
    if env::var_os(AGAIN).is_some() {
        println!("before");
        assert_eq!(solve().unwrap().total(), 43);
        println!("after");
        return;
    }
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", "highs_prints_nothing", "--nocapture"])
        .env(AGAIN, "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("before\nafter\n"), "{stdout}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}
