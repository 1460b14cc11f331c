use super::*;

fn pair(first: u32, shared: f64) -> Fractional {
    Fractional { types: (first, first + 1), shared }
}

fn trial(value: f64) -> Trial {
    Trial { value, duals: Vec::new(), sigmas: Vec::new() }
}

const PARENT: Parent = Parent { value: 10.0, loss: 20.0 };

#[test]
fn the_product_of_both_gains_decides() {
    let pairs = [pair(0, 0.5), pair(2, 0.6), pair(4, 0.3)];
    let mut gains = Gains::default();
    // The first gains much on one side only, the last most on both; beyond the loss nothing counts.
    let values = BTreeMap::from([((0, 1), [1e9, 10.0]), ((2, 3), [11.0, 11.0]), ((4, 5), [12.0, 13.0])]);
    let attempt = |pair: Pair| Ok(Some(trial(values[&pair.types][usize::from(!pair.together)])));
    let choice = gains.choose(&pairs, PARENT, &params::Branching::default(), attempt).unwrap().unwrap();
    assert_eq!(choice.types, (4, 5));
    let values: Vec<f64> = choice.children.into_iter().flatten().map(|child| child.value).collect();
    assert_eq!(values, [12.0, 13.0]);
}

#[test]
fn a_reliable_pair_is_not_tried_again() {
    let pairs = [pair(0, 0.5), pair(2, 0.5)];
    let (mut gains, mut tried) = (Gains::default(), 0);
    let params = params::Branching { reliable: 2, ..params::Branching::default() };
    for _ in 0..5 {
        let attempt = |pair: Pair| {
            tried += 1;
            Ok(Some(trial(if pair.types == (2, 3) { 15.0 } else { 11.0 })))
        };
        let choice = gains.choose(&pairs, PARENT, &params, attempt).unwrap().unwrap();
        assert_eq!(choice.types, (2, 3));
    }
    assert_eq!(tried, 2 * 2 * 2, "two trials of both children of two pairs");
}

#[test]
fn one_candidate_is_the_one_nearest_to_half_and_none_is_tried() {
    let params = params::Branching { candidates: 1, ..params::Branching::default() };
    let attempt = |_: Pair| -> Result<Option<Trial>, Error> { panic!("not asked for") };
    let choice = Gains::default().choose(&[pair(2, 0.5), pair(0, 0.1)], PARENT, &params, attempt);
    let choice = choice.unwrap().unwrap();
    assert!(choice.types == (2, 3) && choice.children.iter().all(Option::is_none));
    assert!(Gains::default().choose(&[], PARENT, &params, attempt).unwrap().is_none());
}

#[test]
fn a_solver_that_is_stopped_leaves_a_pair_to_branch_on() {
    let stopped = |_: Pair| Ok(None);
    let choice = Gains::default().choose(&[pair(2, 0.5)], PARENT, &params::Branching::default(), stopped);
    assert_eq!(choice.unwrap().unwrap().types, (2, 3));
}
