//! Every back end of the master on random set partitioning programmes, judged by duality: `x` feasible, duals feasible
//! and equal values prove each other optimal, so that no back end is taken for the truth.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests; the lint's exception for tests covers test functions only"
)]

mod instance;
mod judge;

use lookalike_lp::{
    Error,
    master::{Column, Cut, Kind, Limits, Programme, Target, open_with},
};
use proptest::prelude::*;

use instance::{Instance, instance};
use judge::{judge, judge_duals};

/// Every back end that was compiled in.
fn kinds() -> Vec<Kind> {
    Kind::all().to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn each_back_end_is_optimal_and_all_agree(case in instance()) {
        let mut values = Vec::new();
        for kind in kinds() {
            let mut master = case.open(kind);
            let solution = master.solve(Target::Primal, &Limits::none()).unwrap();
            judge(master.programme(), &case.columns, &solution).map_err(|e| TestCaseError::fail(format!("{kind:?}: {e}")))?;
            values.push(solution.value);
        }
        for value in &values {
            prop_assert!((value - values[0]).abs() <= 1e-6 * (1.0 + values[0].abs()), "{:?}", values);
        }
    }

    #[test]
    fn what_grows_and_shrinks_stays_optimal(case in instance(), more in instance(), seed in 0_u64..1 << 40) {
        for kind in kinds() {
            grow_and_shrink(&case, &more, seed, kind)
                .map_err(|e| TestCaseError::fail(format!("{kind:?}: {e}")))?;
        }
    }
}

/// Solves after each of: new columns, new cuts, new boxes, columns dropped, cuts dropped, columns added again.
fn grow_and_shrink(case: &Instance, more: &Instance, seed: u64, kind: Kind) -> Result<(), String> {
    let none = Limits::none();
    let rows = case.b.len() as u32;
    let mut master = case.open(kind);
    let mut columns = case.columns.clone();
    let check = |master: &mut Box<dyn lookalike_lp::master::Master>, columns: &[Column], step: &str| {
        let target = if seed.is_multiple_of(2) { Target::Primal } else { Target::Duals };
        let solution = master.solve(target, &none).map_err(|e| format!("{step}: {e}"))?;
        let verdict = match target {
            Target::Primal => judge(master.programme(), columns, &solution),
            Target::Duals => judge_duals(master.programme(), columns, &solution),
        };
        verdict.map_err(|e| format!("{step}: {e}"))
    };
    check(&mut master, &columns, "start")?;

    let added = |cuts: u32| -> Vec<Column> {
        let fold = |c: &Column| Column {
            cost: c.cost,
            rows: c.rows.iter().map(|r| r % rows).collect(),
            cuts: (0..cuts).map(|cut| (cut, f64::from((cut + c.rows.len() as u32) % 3))).collect(),
        };
        more.columns.iter().map(fold).collect()
    };
    let new = added(case.cuts.len() as u32);
    master.add_columns(&new).unwrap();
    columns.extend(new);
    check(&mut master, &columns, "columns")?;

    let coefficient = |i: usize| (seed >> (i % 40)) % 3;
    let cut = |shift: usize| {
        let terms: Vec<(u32, f64)> =
            (0..columns.len()).map(|i| (i as u32, coefficient(i + shift) as f64)).collect();
        Cut { rhs: 1.0, coefficients: terms }
    };
    let first = case.cuts.len() as u32;
    let cuts = [cut(0), cut(7)];
    master.add_cuts(&cuts).unwrap();
    for (index, cut) in (first..).zip(&cuts) {
        for &(column, a) in &cut.coefficients {
            columns[column as usize].cuts.push((index, a));
        }
    }
    check(&mut master, &columns, "cuts")?;

    let limit = 1.0 + (seed % 5) as f64;
    master.set_boxes(&vec![-limit; case.b.len()], &vec![limit / 2.0; case.b.len()]).unwrap();
    // A box that excludes every dual is infeasible; zero is feasible, because no cost is negative.
    check(&mut master, &columns, "boxes")?;

    let keep: Vec<bool> = (0..columns.len()).map(|i| coefficient(i) != 0).collect();
    master.retain_columns(&keep).unwrap();
    let mut flags = keep.iter();
    columns.retain(|_| *flags.next().unwrap());
    check(&mut master, &columns, "columns dropped")?;

    let keep: Vec<bool> =
        (0..master.programme().cuts()).map(|i| !(i as u64 + seed).is_multiple_of(2)).collect();
    master.retain_cuts(&keep).unwrap();
    for column in &mut columns {
        let place = |cut: u32| keep[..cut as usize].iter().filter(|&&k| k).count() as u32;
        column.cuts = column.cuts.iter().filter(|c| keep[c.0 as usize]).map(|c| (place(c.0), c.1)).collect();
    }
    check(&mut master, &columns, "cuts dropped")?;

    let new = added(master.programme().cuts() as u32);
    master.add_columns(&new).unwrap();
    columns.extend(new);
    check(&mut master, &columns, "columns again")
}

fn column(cost: f64, rows: &[u32]) -> Column {
    Column { cost, rows: rows.to_vec(), cuts: Vec::new() }
}

#[test]
fn three_pairs_and_the_odd_set() {
    // Three records, all pairs at 1, all three at 5: half of each pair costs 1.5. The odd-set cut leaves the triple.
    for kind in kinds() {
        let mut master = open_with(kind, Programme::new(&[1.0; 3], 100.0).unwrap()).unwrap();
        let pairs =
            [column(1.0, &[0, 1]), column(1.0, &[1, 2]), column(1.0, &[0, 2]), column(5.0, &[0, 1, 2])];
        master.add_columns(&pairs).unwrap();
        let solution = master.solve(Target::Primal, &Limits::none()).unwrap();
        assert!((solution.value - 1.5).abs() < 1e-6, "{kind:?} {solution:?}");
        assert!(solution.x[..3].iter().all(|x| (x - 0.5).abs() < 1e-6), "{kind:?} {solution:?}");
        assert!(solution.artificial.unwrap() < 1e-6);
        // floor(|C n S| / 2): 1 each. With x = 1 for the triple the cut holds with equality.
        let coefficients = (0..4).map(|c| (c, 1.0)).collect();
        master.add_cuts(&[Cut { rhs: 1.0, coefficients }]).unwrap();
        let solution = master.solve(Target::Primal, &Limits::none()).unwrap();
        assert!((solution.value - 5.0).abs() < 1e-5, "{kind:?} {solution:?}");
        assert!(solution.sigmas[0] > 1.0);
        assert!((solution.x[3] - 1.0).abs() < 1e-5, "{kind:?} {solution:?}");
    }
}

#[test]
fn rows_no_column_covers_are_reported() {
    for kind in kinds() {
        let mut master = open_with(kind, Programme::new(&[1.0, 2.0, 1.0], 50.0).unwrap()).unwrap();
        let none = master.solve(Target::Primal, &Limits::none()).unwrap();
        assert!((none.value - 200.0).abs() < 1e-4, "{kind:?} {none:?}");
        master.add_columns(&[column(1.0, &[0, 1])]).unwrap();
        let solution = master.solve(Target::Primal, &Limits::none()).unwrap();
        assert!((solution.artificial.unwrap() - 2.0).abs() < 1e-6, "{kind:?} {solution:?}");
        assert!((solution.value - 101.0).abs() < 1e-4, "{kind:?} {solution:?}");
    }
}

#[test]
fn boxes_above_every_feasible_dual_are_infeasible() {
    for kind in kinds() {
        let mut master = open_with(kind, Programme::new(&[1.0, 1.0], 50.0).unwrap()).unwrap();
        master.add_columns(&[column(1.0, &[0, 1])]).unwrap();
        master.set_boxes(&[2.0, 2.0], &[3.0, 3.0]).unwrap();
        assert_eq!(master.solve(Target::Duals, &Limits::none()), Err(Error::Infeasible), "{kind:?}");
    }
}

#[test]
fn wrong_input_is_refused_and_changes_nothing() {
    for (b, limit) in [(vec![], 1.0), (vec![-1.0], 1.0), (vec![f64::NAN], 1.0), (vec![1.0], 0.0)] {
        assert!(matches!(Programme::new(&b, limit), Err(Error::Input { .. })));
    }
    for kind in kinds() {
        let mut master = open_with(kind, Programme::new(&[1.0, 1.0], 50.0).unwrap()).unwrap();
        for bad in [
            column(f64::NAN, &[0]),
            column(1.0, &[]),
            column(1.0, &[2]),
            Column { cuts: vec![(0, 1.0)], ..column(1.0, &[0]) },
        ] {
            let both = [column(1.0, &[0]), bad];
            assert!(matches!(master.add_columns(&both), Err(Error::Input { .. })));
        }
        assert_eq!(master.programme().columns(), 0);
        assert!(matches!(
            master.add_cuts(&[Cut { rhs: -1.0, coefficients: vec![] }]),
            Err(Error::Input { .. })
        ));
        assert!(matches!(
            master.add_cuts(&[Cut { rhs: 1.0, coefficients: vec![(0, 1.0)] }]),
            Err(Error::Input { .. })
        ));
        assert!(matches!(master.set_boxes(&[1.0, 0.0], &[0.0, 0.0]), Err(Error::Input { .. })));
        assert!(matches!(master.retain_columns(&[true]), Err(Error::Input { .. })));
        assert!(matches!(master.retain_cuts(&[true]), Err(Error::Input { .. })));
    }
}
