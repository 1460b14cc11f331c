//! stdout belongs to the results: no back end may write to it, nor to stderr.
#![cfg(feature = "highs")]

use std::{env, process::Command};

use lookalike_lp::{
    Backend,
    eligibility::{Allowed, fewest_changes},
    master::{self, Column, Kind, Limits, Target, open_with},
    partition::{self, Programme},
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
        let column = Column { cost: 1.0, rows: vec![0, 1], cuts: Vec::new() };
        for &kind in Kind::all() {
            let mut master = open_with(kind, master::Programme::new(&[1.0, 1.0], 9.0).unwrap()).unwrap();
            master.add_columns(std::slice::from_ref(&column)).unwrap();
            for target in [Target::Duals, Target::Primal] {
                assert!((master.solve(target, &Limits::none()).unwrap().value - 1.0).abs() < 1e-6);
            }
        }
        let programme = Programme { right: &[1, 1], classes: &[(1.0, vec![0, 1])], cuts: &[], start: &[0] };
        let limits = partition::Limits { seconds: 9.0, nodes: 99 };
        assert!(partition::solve(&programme, Backend::Highs, limits).unwrap().complete);
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
