//! The announced change of the loss is the real one, whatever the move.

use lookalike_model::{
    fixtures::{instance, job},
    job::{Attribute, FurtherValues, Ranks},
    loss::{Ncp, Sse},
    rule::{Distance, Effective, Ground, Rule, Several, ValueCondition},
};
use proptest::prelude::*;

use super::*;
use crate::{
    construct::{classic, unite},
    local::two_sides::TwoSides,
};

/// Splits the classes of `i` and `j` anew at the best place of the order of their records; the change that was
/// announced.
fn resplit<L: Loss>(state: &mut State<L>, i: u32, j: u32) -> Option<f64> {
    let (a, b) = (state.class_of(i), state.class_of(j));
    if a == b || state.any_counterfeit() {
        return None;
    }
    let mut sides = TwoSides::default();
    sides.open = [state.members(a), state.members(b)].concat();
    sides.open.sort_unstable();
    if state.distinct() {
        for r in sides.open.clone() {
            let same: Vec<u32> =
                sides.open.iter().copied().filter(|&o| state.colour(o) == state.colour(r)).collect();
            if same.len() == 2 {
                sides.sure[usize::from(same[1] == r)].push(r);
            }
        }
        let sure = sides.sure.concat();
        sides.open.retain(|r| !sure.contains(r));
    }
    let (at, delta) = state.best_cut(a, b, &mut sides)?;
    state.cut(a, b, &mut sides, at);
    Some(delta)
}

/// Lets some records of the classes of `i` and `j` change classes, `kind` says which; the change that was announced.
fn exchange<L: Loss>(state: &mut State<L>, i: u32, j: u32, kind: u8) -> Option<f64> {
    let (a, b) = (state.class_of(i), state.class_of(j));
    if a == b || state.distinct() || state.any_counterfeit() {
        return None;
    }
    let mut sides = TwoSides::default();
    sides.sure = [a, b].map(|class| {
        let of = |&(at, _): &(usize, &u32)| usize::from(kind) >> (at + class as usize) & 1 == 1;
        state.members(class).iter().enumerate().filter(of).map(|m| *m.1).collect()
    });
    let sizes = [(a, 0, 1), (b, 1, 0)].map(|(class, out, within)| {
        state.members(class).len() + sides.sure[within].len() - sides.sure[out].len()
    });
    let delta = state.exchange_delta(a, b, &mut sides);
    let allowed = |size: usize| (state.min_size..=state.max_size).contains(&size);
    assert_eq!(delta.is_some(), (sizes[0] == 0 || allowed(sizes[0])) && allowed(sizes[1]));
    if delta.is_some() {
        state.exchange(a, b, &sides);
    }
    delta
}

/// The announced change of the loss must be the one that a computation from scratch finds, and the partition must
/// stay admissible.
fn walk<L: Loss>(
    instance: &Arc<Instance>,
    loss: L,
    rule: &Rule,
    moves: &[(u32, u32, u8)],
) -> Result<(), TestCaseError> {
    let start = classic(instance, rule, 1);
    let mut state = State::new(instance, &loss, rule, &start);
    let offset = loss.offset(instance);
    prop_assert!((state.value() + offset - start.loss(instance, &loss)).abs() < 1e-9);
    let n = instance.records() as u32;
    for &(i, j, kind) in moves {
        let (i, j) = (i % n, j % n);
        let before = Partition::from_labels(state.labels());
        let announced = if kind % 4 == 0 {
            resplit(&mut state, i, j)
        } else if kind % 4 == 1 {
            exchange(&mut state, i, j, kind / 4)
        } else if kind % 2 == 0 {
            let delta = state.swap_delta(i, j);
            if delta.is_some() {
                state.swap(i, j);
            }
            delta
        } else if state.can_shrink(state.class_of(i)) && state.can_grow(state.class_of(j)) {
            let delta = state.move_delta(i, state.class_of(j));
            if delta.is_some() {
                let step = state.relocate(i, state.class_of(j));
                state.undo(&[step]);
                prop_assert_eq!(&Partition::from_labels(state.labels()), &before);
                state.relocate(i, state.class_of(j));
            }
            delta
        } else {
            None
        };
        let after = Partition::from_labels(state.labels());
        let real = after.loss(instance, &loss) - before.loss(instance, &loss);
        prop_assert!((announced.unwrap_or(0.0) - real).abs() < 1e-9);
        prop_assert!(after.check(instance, rule).is_ok());
        prop_assert!((state.value() + offset - after.loss(instance, &loss)).abs() < 1e-9);
    }
    Ok(())
}

/// Records `members` without one and with another.
fn changed(members: &[u32], out: Option<u32>, within: Option<u32>) -> Vec<u32> {
    members.iter().copied().filter(|&r| Some(r) != out).chain(within).collect()
}

/// What is said of conditions before a move is what a computation from scratch finds after it, and classes grow beyond their first room.
fn keep_values(instance: &Arc<Instance>, rule: &Rule, moves: &[(u32, u32, u8)]) -> Result<(), TestCaseError> {
    let start = unite(instance, rule, classic(instance, &rule.relaxed(), 1)).0;
    prop_assert!(start.check(instance, rule).is_ok());
    let mut state = State::new(instance, &Sse, rule, &start);
    let kept = |class: &[u32]| rule.values().all(|condition| instance.keeps(class, condition));
    let n = instance.records() as u32;
    for &(i, j, kind) in moves {
        let (i, j) = (i % n, j % n);
        let (a, b) = (state.class_of(i), state.class_of(j));
        if a == b {
            continue;
        }
        let (of_a, of_b) = (state.members(a).to_vec(), state.members(b).to_vec());
        if kind % 4 == 0 {
            let both = kept(&changed(&of_a, Some(i), Some(j))) && kept(&changed(&of_b, Some(j), Some(i)));
            prop_assert_eq!(state.keeps_swap(i, j), both);
            if both {
                state.swap(i, j);
            }
        } else if kind % 4 == 1 {
            // The smaller class joins the other, and both may part again.
            let mut sides = TwoSides::default();
            sides.sure[0] = of_a.clone();
            let announced = state.join_delta(a, b, &mut sides).unwrap();
            let before = state.value();
            state.exchange(a, b, &sides);
            prop_assert!((state.value() - before - announced).abs() < 1e-9);
            prop_assert_eq!(state.members(b).len(), of_a.len() + of_b.len());
            let vacancy = state.vacancy().unwrap();
            sides.sure = <[Vec<u32>; 2]>::default();
            sides.open = state.members(b).to_vec();
            sides.open.sort_unstable();
            if let Some((at, announced)) = state.best_cut(b, vacancy, &mut sides) {
                let before = state.value();
                state.cut(b, vacancy, &mut sides, at);
                prop_assert!((state.value() - before - announced).abs() < 1e-9);
            }
        } else if of_a.len() > state.min_size() {
            let both = kept(&changed(&of_a, Some(i), None)) && kept(&changed(&of_b, None, Some(i)));
            prop_assert_eq!(state.keeps_move(i, b), both);
            prop_assert_eq!(state.keeps_with(b, i), kept(&changed(&of_b, None, Some(i))));
            prop_assert_eq!(state.keeps_without(a, i), kept(&changed(&of_a, Some(i), None)));
            if both {
                state.relocate(i, b);
            }
        }
        prop_assert!(Partition::from_labels(state.labels()).check(instance, rule).is_ok());
        prop_assert!(
            (0..state.slots() as u32).all(|class| state.members(class).is_empty() || state.keeps(class))
        );
    }
    let labels = state.labels().to_vec();
    state.load(&labels);
    prop_assert!(
        (0..state.slots() as u32).all(|class| state.members(class).is_empty() || state.keeps(class))
    );
    Ok(())
}

proptest! {
    #[test]
    fn conditions_on_values_are_kept_by_what_is_said_of_a_move(
        rows in prop::collection::vec((-4i8..5, -4i8..5, 0u32..5), 10..60),
        moves in prop::collection::vec((any::<u32>(), any::<u32>(), any::<u8>()), 1..60),
        which in 0..5_usize,
        columns in 1..3_usize,
    ) {
        let points: Vec<f64> = rows.iter().flat_map(|r| [f64::from(r.0), f64::from(r.1)]).collect();
        let mut colours: Vec<u32> = rows.iter().map(|r| r.2).collect();
        for c in 0..5 {
            colours[c as usize] = c;
        }
        let t = |t, distance| ValueCondition::TCloseness { t: Distance::try_from(t).unwrap(), distance };
        let condition = match which {
            0 => t(0.35, Ground::Ordered),
            1 => t(0.5, Ground::Equal),
            4 => t(0.4, Ground::Hierarchical),
            2 => ValueCondition::EntropyDiversity { l: Effective::try_from(1.9).unwrap() },
            _ => ValueCondition::DistinctDiversity { l: Several::try_from(2).unwrap() },
        };
        // Of a further column, too: values that follow the places.
        let further: Vec<u32> = rows.iter().zip(0u32..).map(|(r, i)| if i < 3 { i } else { r.0.unsigned_abs().into() }).map(|c: u32| c.min(2)).collect();
        let two = ValueCondition::DistinctDiversity { l: Several::try_from(2).unwrap() };
        let rule = Rule::with_columns(2, [(0, condition), (1, two)].into_iter().take(columns));
        let mut job = job(2, &points, &colours, rule.clone(), 1.0);
        job.ranks = Some(Ranks { colours: vec![3, 0, 4, 1, 1], count: 5, places: Vec::new(), branches: vec![vec![0, 1, 0, 2, 1], vec![0; 5]] });
        job.further = vec![FurtherValues { values: further, ranks: None }];
        let instance = Arc::new(Instance::from_job(&job).unwrap());
        if rule.feasible(&instance).is_ok() {
            keep_values(&instance, &rule, &moves)?;
        }
    }

    #[test]
    fn so_they_do_where_labels_are_leaves(
        rows in prop::collection::vec((-4i8..5, 0u8..7, 0u32..5), 10..40),
        joins in prop::collection::vec(0u8..4, 6),
        fakes in prop::collection::vec(0u32..5, 0..6),
        moves in prop::collection::vec((any::<u32>(), any::<u32>(), any::<u8>()), 1..60),
    ) {
        let points: Vec<f64> = rows.iter().flat_map(|r| [f64::from(r.0), f64::from(r.1)]).collect();
        let mut colours: Vec<u32> = rows.iter().map(|r| r.2).collect();
        for c in 0..5 {
            colours[c as usize] = c;
        }
        let joins = Some(joins.into_iter().map(f64::from).collect());
        let instance = |colours: &[u32]| {
            let mut job = job(2, &points, colours, Rule::at_least(2), 1.0);
            job.attributes = vec![Attribute::default(), Attribute { joins: joins.clone(), ..Attribute::default() }];
            Arc::new(Instance::from_job(&job).unwrap())
        };
        walk(&instance(&colours), Sse, &Rule::at_least(3), &moves)?;
        colours.extend(fakes);
        let coloured = instance(&colours);
        let rule = Rule::all_different(2);
        if rule.feasible(&coloured).is_ok() && classic(&coloured, &rule, 1).check(&coloured, &rule).is_ok() {
            walk(&coloured, Sse, &rule, &moves)?;
        }
    }

    #[test]
    fn changes_cost_what_they_say(
        rows in prop::collection::vec((-4i8..5, -4i8..5, 0u32..5), 10..40),
        fakes in prop::collection::vec(0u32..5, 0..6),
        moves in prop::collection::vec((any::<u32>(), any::<u32>(), any::<u8>()), 1..60),
    ) {
        let points: Vec<f64> = rows.iter().flat_map(|r| [f64::from(r.0), f64::from(r.1)]).collect();
        // Dense colours: every code occurs at least once.
        let mut colours: Vec<u32> = rows.iter().map(|r| r.2).collect();
        for c in 0..5 {
            colours[c as usize] = c;
        }
        let plain = Arc::new(instance(2, &points, &colours));
        walk(&plain, Sse, &Rule::at_least(3), &moves)?;
        walk(&plain, Ncp::default(), &Rule::at_least(3), &moves)?;
        if Rule::all_different(2).feasible(&plain).is_ok() {
            walk(&plain, Sse, &Rule::all_different(2), &moves)?;
        }
        colours.extend(fakes);
        let coloured = Arc::new(instance(2, &points, &colours));
        let rule = Rule::all_different(2);
        if rule.feasible(&coloured).is_ok() && classic(&coloured, &rule, 1).check(&coloured, &rule).is_ok() {
            walk(&coloured, Sse, &rule, &moves)?;
            walk(&coloured, Ncp::default(), &rule, &moves)?;
        }
    }
}
