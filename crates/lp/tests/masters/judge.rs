//! Judges a solution by weak duality, from the columns as they were given.

use lookalike_lp::master::{Column, Programme, Solution};

/// Largest violation relative to the numbers at hand.
const TOLERANCE: f64 = 1e-6;

/// The duals are feasible, and their value is the one reported.
pub(crate) fn judge_duals(
    programme: &Programme,
    columns: &[Column],
    solution: &Solution,
) -> Result<(), String> {
    let scale = 1.0 + solution.value.abs();
    if solution.duals.len() != programme.rows() || solution.sigmas.len() != programme.cuts() {
        return Err(String::from("lengths"));
    }
    for (row, &dual) in solution.duals.iter().enumerate() {
        if dual < programme.lower()[row] || dual > programme.upper()[row] {
            return Err(format!("dual {dual} of row {row} is outside its box"));
        }
    }
    if let Some(sigma) = solution.sigmas.iter().find(|s| s.is_nan() || **s < 0.0) {
        return Err(format!("sigma {sigma}"));
    }
    for (index, column) in columns.iter().enumerate() {
        let reduced = reduced_cost(column, solution);
        if reduced < -TOLERANCE {
            return Err(format!("column {index} has reduced cost {reduced}"));
        }
    }
    let dual: f64 = programme.b().iter().zip(&solution.duals).map(|(b, d)| b * d).sum::<f64>()
        - programme.rhs().iter().zip(&solution.sigmas).map(|(r, s)| r * s).sum::<f64>();
    if (dual - solution.value).abs() > TOLERANCE * scale {
        return Err(format!("value {} but the duals' is {dual}", solution.value));
    }
    Ok(())
}

/// Moreover `x` and the artificial columns it implies are feasible and reach the same value, with complementary slack.
pub(crate) fn judge(programme: &Programme, columns: &[Column], solution: &Solution) -> Result<(), String> {
    judge_duals(programme, columns, solution)?;
    let scale = 1.0 + solution.value.abs();
    if solution.x.len() != columns.len() {
        return Err(String::from("x has another length"));
    }
    let mut missing = programme.b().to_vec();
    let mut room = programme.rhs().to_vec();
    let mut value = 0.0;
    for (column, &x) in columns.iter().zip(&solution.x) {
        if x.is_nan() || x < 0.0 {
            return Err(format!("x = {x}"));
        }
        value += column.cost * x;
        for &row in &column.rows {
            missing[row as usize] -= x;
        }
        for &(cut, a) in &column.cuts {
            room[cut as usize] -= a * x;
        }
        if x * reduced_cost(column, solution) > TOLERANCE * scale {
            return Err(format!("x = {x} with reduced cost {}", reduced_cost(column, solution)));
        }
    }
    if let Some(room) = room.iter().find(|r| **r < -TOLERANCE) {
        return Err(format!("a cut is violated by {room}"));
    }
    // The cheapest artificial columns for this x: what is missing at `upper`, what is too much at `-lower`.
    let mut artificial = 0.0;
    for (row, &d) in missing.iter().enumerate() {
        value += if d > 0.0 { d * programme.upper()[row] } else { d * programme.lower()[row] };
        artificial += d.abs();
    }
    // A row may be missed by the tolerance, at up to the widest box.
    let widest = programme.upper().iter().chain(programme.lower()).fold(0.0, |m: f64, v| m.max(v.abs()));
    if (value - solution.value).abs() > TOLERANCE * (scale + widest) {
        return Err(format!("value {} but x costs {value}", solution.value));
    }
    let reported = solution.artificial.ok_or("no artificial total")?;
    let tied = |row: usize| programme.upper()[row] - programme.lower()[row] <= TOLERANCE;
    // Where both artificial columns of a row cost nothing together, they may be in the solution for nothing.
    if (reported - artificial).abs() > 1e-5 * (1.0 + artificial) && !(0..programme.rows()).any(tied) {
        return Err(format!("artificial columns {reported}, but {artificial} is missing"));
    }
    Ok(())
}

fn reduced_cost(column: &Column, solution: &Solution) -> f64 {
    let covered: f64 = column.rows.iter().map(|&r| solution.duals[r as usize]).sum();
    let cut: f64 = column.cuts.iter().map(|&(c, a)| a * solution.sigmas[c as usize]).sum();
    column.cost - covered + cut
}
