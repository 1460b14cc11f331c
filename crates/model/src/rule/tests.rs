//! Conditions on values beside their definitions, which `lookalike-testkit` computes in another way.

use lookalike_testkit::{Wanted, branches};
use lookalike_words::{Arg, AsArg, Figure};
use proptest::prelude::*;

use super::*;

const RANKS: usize = 5;

/// The condition of the model.
fn condition(wanted: Wanted) -> ValueCondition {
    let several = |l| Several::try_from(l).unwrap();
    let positive = |x| Positive::try_from(x).unwrap();
    let distance = |x| self::Distance::try_from(x).unwrap();
    match wanted {
        Wanted::Distinct { l } => ValueCondition::DistinctDiversity { l: several(l) },
        Wanted::Entropy { l } => ValueCondition::EntropyDiversity { l: Effective::try_from(l).unwrap() },
        Wanted::Recursive { c, l } => ValueCondition::RecursiveDiversity { c: positive(c), l: several(l) },
        Wanted::Alpha { alpha } => ValueCondition::Frequency { alpha: Share::try_from(alpha).unwrap() },
        Wanted::Spread { least } => ValueCondition::Spread { least: Share::try_from(least).unwrap() },
        Wanted::Equal { t } => ValueCondition::TCloseness { t: distance(t), distance: Ground::Equal },
        Wanted::Ordered { t } => ValueCondition::TCloseness { t: distance(t), distance: Ground::Ordered },
        Wanted::Hierarchical { t } => {
            ValueCondition::TCloseness { t: distance(t), distance: Ground::Hierarchical }
        }
        Wanted::Beta { beta } => ValueCondition::BasicBetaLikeness { beta: positive(beta) },
        Wanted::EnhancedBeta { beta } => ValueCondition::EnhancedBetaLikeness { beta: positive(beta) },
        Wanted::Delta { delta } => ValueCondition::DeltaDisclosure { delta: positive(delta) },
    }
}

fn wanted() -> impl Strategy<Value = Wanted> {
    let part = || (1..20_u32).prop_map(|x| f64::from(x) / 20.0);
    let ratio = || (1..30_u32).prop_map(|x| f64::from(x) / 10.0);
    prop_oneof![
        (2..5_usize).prop_map(|l| Wanted::Distinct { l }),
        (11..45_u32).prop_map(|l| Wanted::Entropy { l: f64::from(l) / 10.0 }),
        (ratio(), 2..4_usize).prop_map(|(c, l)| Wanted::Recursive { c, l }),
        part().prop_map(|alpha| Wanted::Alpha { alpha }),
        part().prop_map(|least| Wanted::Spread { least }),
        part().prop_map(|t| Wanted::Equal { t }),
        part().prop_map(|t| Wanted::Ordered { t }),
        part().prop_map(|t| Wanted::Hierarchical { t }),
        ratio().prop_map(|beta| Wanted::Beta { beta }),
        ratio().prop_map(|beta| Wanted::EnhancedBeta { beta }),
        ratio().prop_map(|delta| Wanted::Delta { delta }),
    ]
}

/// A table by its values, of which the first records are two classes.
fn tables() -> impl Strategy<Value = (Vec<usize>, usize, usize)> {
    (prop::collection::vec(0..RANKS, 4..40), 1..12_usize, 1..12_usize).prop_map(|(values, a, b)| {
        let a = a.min(values.len() - 2);
        let b = b.min(values.len() - a);
        (values, a, b)
    })
}

/// The table's values, where every rank counts, and the counts of a class.
fn seen(table: &[usize], class: &[usize]) -> (TableValues, Vec<(u32, u32)>) {
    let count = |of: &[usize], rank: usize| of.iter().filter(|&&x| x == rank).count() as u32;
    let there: Vec<usize> = (0..RANKS).filter(|&rank| count(table, rank) > 0).collect();
    let totals = there.iter().map(|&rank| count(table, rank)).collect();
    let ranks = there.iter().map(|&rank| rank as u32).collect();
    let counts = (0..).zip(&there).map(|(number, &rank)| (number, count(class, rank)));
    (
        TableValues::new(totals, ranks, RANKS as u32).leveled(branches(&there)),
        counts.filter(|(_, count)| *count > 0).collect(),
    )
}

proptest! {
    /// What a refusal names is not refused in turn, and what is stricter by its last digit is.
    #[test]
    fn the_nearest_parameter_is_kept_and_no_stricter_one_is(wanted in wanted(), (table, _, _) in tables()) {
        let (values, counts) = seen(&table, &table);
        let of = condition(wanted);
        let reached = of.reached(counts.iter().copied(), &values);
        let parameter = |figure: Figure| match figure.as_arg() {
            Arg::Figure { figure } => figure.parse::<f64>().unwrap(),
            other => panic!("{other:?}"),
        };
        if let Some(nearest) = of.nearest(reached).map(parameter) {
            prop_assert!(of.with(nearest).unwrap().holds(counts.iter().copied(), &values), "{:?} {}", wanted, nearest);
            let by = |steps: f64| ((nearest * 1e4).round() + steps) / 1e4;
            let stricter = match wanted {
                Wanted::Distinct { .. } => nearest + 1.0,
                Wanted::Entropy { .. } | Wanted::Spread { .. } => by(1.0),
                _ => by(-1.0),
            };
            if stricter > 0.0 && of.with(stricter).is_some() {
                prop_assert!(!of.with(stricter).unwrap().holds(counts.into_iter(), &values), "{:?} {}", wanted, stricter);
            }
        }
    }

    #[test]
    fn conditions_are_their_definitions(wanted in wanted(), (table, a, _) in tables()) {
        let room = wanted.room(&table[..a], &table, RANKS);
        let (values, counts) = seen(&table, &table[..a]);
        let holds = condition(wanted).holds(counts.into_iter(), &values);
        // Where rounding decides, see `limits_are_within_reach`.
        if room.abs() > 1e-9 {
            prop_assert_eq!(holds, room > 0.0, "{:?} {}", wanted, room);
        } else {
            prop_assert_eq!(holds, !wanted.is_strict(), "{:?} {}", wanted, room);
        }
    }

    #[test]
    fn a_union_of_admissible_classes_is_admissible(wanted in wanted(), (table, a, b) in tables()) {
        let (one, other) = (&table[..a], &table[a..a + b]);
        let holds = |class: &[usize]| {
            let (values, counts) = seen(&table, class);
            condition(wanted).holds(counts.into_iter(), &values)
        };
        if holds(one) && holds(other) {
            prop_assert!(holds(&table[..a + b]), "{:?}", wanted);
            prop_assert!(wanted.holds(&table[..a + b], &table, RANKS), "{:?}", wanted);
        }
    }

    /// The size that a condition needs whatever the table.
    #[test]
    fn no_smaller_class_keeps_it(wanted in wanted(), (table, a, _) in tables()) {
        if wanted.holds(&table[..a], &table, RANKS) {
            prop_assert!(a >= condition(wanted).least_size(), "{:?}", wanted);
        }
    }
}

/// What a class reaches, as it would be computed by hand; q = (4, 2, 2)/8.
#[test]
fn reached_by_hand() {
    let table = TableValues::new(vec![4, 2, 2], vec![0, 1, 2], 3);
    let class = [(0, 3), (2, 1)];
    let reached = |wanted| condition(wanted).reached(class.iter().copied(), &table);
    let near = |x: f64, y: f64| assert!((x - y).abs() < 1e-12, "{x} {y}");
    near(reached(Wanted::Distinct { l: 2 }), 2.0);
    // (3/4)^(-3/4) (1/4)^(-1/4) = 4 / 3^(3/4)
    near(reached(Wanted::Entropy { l: 2.0 }), 4.0 / 3.0_f64.powf(0.75));
    near(reached(Wanted::Recursive { c: 1.0, l: 2 }), 3.0);
    assert!(reached(Wanted::Recursive { c: 1.0, l: 3 }).is_infinite());
    near(reached(Wanted::Alpha { alpha: 0.5 }), 0.75);
    // Ranks 0 and 2 of 0 to 2; as numbers 10, 11 and 30, the first two are 1/20 of the range apart.
    near(reached(Wanted::Spread { least: 0.5 }), 1.0);
    let placed = table.clone().placed(vec![10.0, 11.0, 30.0]);
    let near_ones = [(0, 1), (1, 3)];
    near(condition(Wanted::Spread { least: 0.5 }).reached(near_ones.iter().copied(), &placed), 0.05);
    // p - q = (1/4, -1/4, 0); cumulated 1/4, 0, 0, over 2.
    near(reached(Wanted::Equal { t: 0.5 }), 0.25);
    near(reached(Wanted::Ordered { t: 0.5 }), 0.125);
    // The first two have one label, and all have one above: (1/4 + 0)/2 where p - q = (1/4, -1/4, 0); of the last two, (1/4 + 1/4)/2.
    let by = |labels: Vec<u32>| {
        let of = table.clone().leveled(vec![labels, vec![0, 0, 0]]);
        condition(Wanted::Hierarchical { t: 0.5 }).reached(class.iter().copied(), &of)
    };
    near(by(vec![0, 0, 1]), 0.125);
    near(by(vec![0, 1, 1]), 0.25);
    near(reached(Wanted::Beta { beta: 1.0 }), 0.5);
    // -ln(1/2) = 0.693 leaves room for 0.5.
    near(reached(Wanted::EnhancedBeta { beta: 1.0 }), 0.5);
    assert!(reached(Wanted::Delta { delta: 1.0 }).is_infinite());
    // p = (1/4, 1/2, 1/4): ln(1/2), ln 2, 0; and a gain of 1 where -ln(1/4) = 1.386 is allowed.
    let all = [(0, 1), (1, 2), (2, 1)];
    near(condition(Wanted::Delta { delta: 1.0 }).reached(all.iter().copied(), &table), 2.0_f64.ln());
    near(condition(Wanted::EnhancedBeta { beta: 1.0 }).reached(all.iter().copied(), &table), 1.0);
    // The value of half the table alone: a gain of 1, where 0.693 is allowed.
    let alone = [(0, 1)];
    assert!(
        condition(Wanted::EnhancedBeta { beta: 2.0 }).reached(alone.iter().copied(), &table).is_infinite()
    );
    near(condition(Wanted::Beta { beta: 2.0 }).reached(alone.iter().copied(), &table), 1.0);
}

/// Equality is enough where a definition says "at most" or "at least", whatever rounding does, and not where it says "less".
#[test]
fn limits_are_within_reach() {
    let table = TableValues::new(vec![3, 3, 3], vec![0, 1, 2], 3);
    let even = [(0, 7), (1, 7), (2, 7)];
    let two = [(0, 1), (1, 1)];
    let holds = |wanted, class: &[(u32, u32)]| condition(wanted).holds(class.iter().copied(), &table);
    assert!(holds(Wanted::Entropy { l: 3.0 }, &even));
    assert!(!holds(Wanted::Entropy { l: 3.0 + 1e-9 }, &even));
    assert!(holds(Wanted::Equal { t: 1.0 / 3.0 }, &two));
    assert!(!holds(Wanted::Equal { t: 1.0 / 3.0 - 1e-9 }, &two));
    // Cumulated 1/6, 1/3, over 2.
    assert!(holds(Wanted::Ordered { t: 0.25 }, &two));
    assert!(!holds(Wanted::Ordered { t: 0.25 - 1e-9 }, &two));
    assert!(holds(Wanted::Alpha { alpha: 1.0 / 3.0 }, &even));
    assert!(!holds(Wanted::Recursive { c: 1.0, l: 2 }, &two));
    assert!(holds(Wanted::Recursive { c: 1.0 + 1e-9, l: 2 }, &two));
    assert!(holds(Wanted::Beta { beta: 0.5 }, &two));
    assert!(!holds(Wanted::Delta { delta: 1.5_f64.ln() }, &[(0, 2), (1, 1), (2, 1)]));
    assert!(holds(Wanted::Delta { delta: 1.5_f64.ln() + 1e-9 }, &[(0, 2), (1, 1), (2, 1)]));
}

#[test]
fn what_the_whole_table_does_not_keep_is_named_with_the_nearest_value() {
    let colours = [0, 0, 0, 1];
    let infeasible = |wanted: Wanted| {
        let rule = Rule::with_values(2, &[condition(wanted)]);
        let job = crate::job::Job {
            colours: colours.to_vec(),
            ..crate::job::Job::of(1, vec![0., 1., 2., 3.], rule.clone())
        };
        let instance = Instance::from_job(&job).unwrap();
        match rule.feasible(&instance) {
            Ok(()) => None,
            Err(Error::Infeasible(Infeasible::Values { best, .. })) => Some(best),
            Err(other) => panic!("{other}"),
        }
    };
    let best = |value: f64| Some(Some(Figure::shortest(value)));
    assert_eq!(infeasible(Wanted::Distinct { l: 3 }), best(2.0));
    // One value is no diversity, and nothing is near to it.
    assert_eq!(condition(Wanted::Distinct { l: 2 }).nearest(1.0), None);
    assert_eq!(condition(Wanted::Entropy { l: 2.0 }).nearest(1.0), None);
    // 4 / 3^(3/4) = 1.7548, rounded down.
    assert_eq!(infeasible(Wanted::Entropy { l: 2.0 }), best(1.7547));
    assert_eq!(infeasible(Wanted::Entropy { l: 1.7547 }), None);
    assert_eq!(infeasible(Wanted::Recursive { c: 3.0, l: 2 }), best(3.0001));
    assert_eq!(infeasible(Wanted::Recursive { c: 3.0001, l: 2 }), None);
    assert_eq!(infeasible(Wanted::Recursive { c: 3.0, l: 3 }), Some(None));
    assert_eq!(infeasible(Wanted::Alpha { alpha: 0.5 }), best(0.75));
    assert_eq!(infeasible(Wanted::Alpha { alpha: 0.75 }), None);
    for wanted in [Wanted::Equal { t: 0.0 }, Wanted::Beta { beta: 1e-6 }, Wanted::Delta { delta: 1e-6 }] {
        assert_eq!(infeasible(wanted), None, "the whole table is distributed as itself");
    }
}
