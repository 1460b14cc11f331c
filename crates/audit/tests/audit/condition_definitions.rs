//! Conditions on sensitive values beside their definitions, which `lookalike-testkit` computes in another way: on random tables, by
//! classes and by groups, with values that are not known and values that an order names and no row has.

use lookalike_audit::{
    Arrangement, Condition, Conditions, Ground, Grouping, Guarantee, Question, Subject, Verdict, judge,
};
use lookalike_testkit::Wanted;
use proptest::prelude::*;

use crate::common::{csv, question};

const RANKS: usize = 5;

/// The value of a row that is not known.
const UNKNOWN: usize = RANKS;

/// Groups of classes of values.
type Groups = Vec<Vec<Vec<usize>>>;

fn condition(wanted: Wanted) -> Condition {
    match wanted {
        Wanted::Distinct { l } => Condition::DistinctDiversity { l },
        Wanted::Entropy { l } => Condition::EntropyDiversity { l },
        Wanted::Recursive { c, l } => Condition::RecursiveDiversity { c, l },
        Wanted::Alpha { alpha } => Condition::Frequency { alpha },
        Wanted::Spread { least } => Condition::Spread { least },
        Wanted::Equal { t } => Condition::TCloseness { t, ground: Ground::Equal },
        Wanted::Ordered { t } => Condition::TCloseness { t, ground: Ground::Ordered },
        Wanted::Hierarchical { t } => Condition::TCloseness { t, ground: Ground::Hierarchical },
        Wanted::Beta { beta } => Condition::BetaLikeness { beta, enhanced: false },
        Wanted::EnhancedBeta { beta } => Condition::BetaLikeness { beta, enhanced: true },
        Wanted::Delta { delta } => Condition::DeltaDisclosure { delta },
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

/// Every class has a value that is known.
fn groups() -> impl Strategy<Value = Groups> {
    let class = (0..RANKS, prop::collection::vec(0..=UNKNOWN, 0..9)).prop_map(|(first, mut rest)| {
        rest.push(first);
        rest
    });
    prop::collection::vec(prop::collection::vec(class, 1..3), 1..4)
}

/// The verdict on the published bytes; the ranks are numbers, or places in an order.
fn verdict(groups: &Groups, condition: Condition, numbers: bool) -> Verdict {
    let text = |value: usize| match value {
        UNKNOWN => String::from("?"),
        // As text, 10 comes before 9.
        value if numbers => (value + 8).to_string(),
        value => format!("v{value}"),
    };
    let mut rows = vec![["age", "sex", "class", "disease"].map(String::from).to_vec()];
    let mut label = 0;
    for (group, classes) in groups.iter().enumerate() {
        for class in classes {
            label += 1;
            for &value in class {
                let cells =
                    [format!("[{group}0-{group}9]"), String::from("F"), label.to_string(), text(value)];
                rows.push(cells.to_vec());
            }
        }
    }
    let order = (!numbers).then(|| (0..RANKS).map(text).collect());
    // Neighbours in pairs, then in fours; all above are one.
    let label =
        |value: usize, level: usize| if level == 0 { text(value) } else { (value >> level).to_string() };
    let row = |value: usize| (0..4).map(|level| label(value, level)).collect::<Vec<String>>();
    let hierarchy = Some((0..RANKS).map(row).collect());
    let conditions = Conditions { all: vec![condition], arranged: Arrangement { order, hierarchy } };
    judge(&csv(&rows), &Question { conditions, ..question(Guarantee::KAnonymity { k: 2 }) }).unwrap()
}

/// The number that the verdict tells of rows which leave so much room.
fn reached(wanted: Wanted, room: f64) -> Option<f64> {
    match wanted {
        Wanted::Distinct { l } => Some(room + l as f64),
        Wanted::Entropy { l } => Some((room + l.ln()).exp()),
        // Of a table of one value nothing is a part.
        Wanted::Spread { least } => Some(room + least).filter(|reached| reached.is_finite()),
        Wanted::Alpha { alpha: x }
        | Wanted::Equal { t: x }
        | Wanted::Ordered { t: x }
        | Wanted::Hierarchical { t: x }
        | Wanted::Beta { beta: x }
        | Wanted::Delta { delta: x } => Some(x - room),
        // A ratio where there is a difference, and limits of each value.
        Wanted::Recursive { .. } | Wanted::EnhancedBeta { .. } => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn the_verdict_is_the_definition(wanted in wanted(), groups in groups(), numbers in any::<bool>()) {
        let known = |values: &[usize]| -> Vec<usize> {
            values.iter().copied().filter(|&value| value != UNKNOWN).collect()
        };
        let table = known(&groups.concat().concat());
        // Numbers that no row has are no ranks, but leave a distance.
        let by_distance = matches!(wanted, Wanted::Spread { .. });
        let mut ranks: Vec<usize> =
            if numbers && !by_distance { table.clone() } else { (0..RANKS).collect() };
        ranks.sort_unstable();
        ranks.dedup();
        let ranked = |values: &[usize]| -> Vec<usize> {
            known(values).iter().filter_map(|value| ranks.iter().position(|rank| rank == value)).collect()
        };
        let table = ranked(&table);
        let room = |values: &[usize]| wanted.room(&ranked(values), &table, ranks.len());
        let found = verdict(&groups, condition(wanted), numbers);

        let mut least = f64::INFINITY;
        let classes: Vec<Vec<usize>> = groups.concat();
        let joined: Vec<Vec<usize>> = groups.iter().map(|classes| classes.concat()).collect();
        for (of, all) in [(Grouping::Class, classes), (Grouping::Group, joined)] {
            let rooms: Vec<f64> = all.iter().map(|values| room(values)).collect();
            // Equality is enough where the definition says so, rounding aside.
            let broken = |room: &f64| if wanted.is_strict() { *room <= 1e-10 } else { *room < -1e-10 };
            let kept = !rooms.iter().any(broken);
            let check = found.checks.iter().find(
                |check| matches!(check.name, Subject::Condition { grouping, .. } if grouping == of),
            );
            prop_assert_eq!(check.unwrap().passed, kept, "{:?} {:?} {:?}", wanted, of, rooms);
            least = rooms.into_iter().fold(least, f64::min);
        }
        if let Some(expected) = reached(wanted, least) {
            let told = found.reached[0];
            prop_assert!(told == expected || (told - expected).abs() < 1e-9, "{:?} {} {}", wanted, told, expected);
        }
    }
}
