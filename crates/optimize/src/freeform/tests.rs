use std::sync::Arc;

use lookalike_model::{
    fixtures::{fars, instance},
    freeform::Freeform,
    freeform::{covered, loss, verify},
    instance::Instance,
    loss::{Loss, Ncp, Sse},
    settings::FreeformMethod,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

const ALL: [FreeformMethod; 3] =
    [FreeformMethod::Greedy, FreeformMethod::SortGreedy, FreeformMethod::Hungarian];

fn matchings(method: FreeformMethod, instance: &Arc<Instance>, loss: &impl Loss, k: usize) -> Freeform {
    let mut rounds = Rounds::new(method, instance, loss, k).unwrap();
    while rounds.advance().is_some() {}
    let (freeform, late) = rounds.leave();
    assert_eq!(late, 0);
    verify(&freeform, instance.records(), k).unwrap();
    freeform
}

/// Worked by hand, k = 2: one round after the identity, costs |a - b| / 2 (SSE: half the squared distance, in the mean
/// of two a quarter of it).
///
/// Points 0, 4, 5, 11, 12.5 (squared distances 0-4: 16, 4-5: 1, 5-11: 36, 11-12.5: 2.25, 0-5: 25, 4-11: 49, 5-12.5: 56.25,
/// 4-12.5: 72.25, 0-11: 121, 0-12.5: 156.25).
/// Greedy: 0 takes row 1 (16); 1 takes row 2 (1); 2 takes row 0 (25; rows 0, 3, 4 are free); 3 takes row 4 (2.25); 4 takes
/// row 3 (2.25). Together 46.5 / 4.
/// `SortGreedy`: (1,2) and (2,1) at 1, (3,4) and (4,3) at 2.25; record 0 is left with its own row, and goes back on the
/// cheapest: it takes row 1 from 2, which takes row 0: 16 - 1 + 25 more; or row 2 from 1, which takes row 0: 25 - 1 + 16:
/// the same.
/// The best: rows of 0, 1, 2 in a circle either way (16 + 1 + 25), 3 and 4 for each other: 46.5 too, as nobody may keep
/// its own.
#[test]
fn worked_by_hand() {
    let line = Arc::new(instance(1, &[0.0, 4.0, 5.0, 11.0, 12.5], &[0; 5]));
    let second = |method| matchings(method, &line, &Sse, 2).matchings[1].clone();
    assert_eq!(second(FreeformMethod::Greedy), [1, 2, 0, 4, 3]);
    assert_eq!(second(FreeformMethod::SortGreedy)[3..], [4, 3]);
    let greedy = matchings(FreeformMethod::SortGreedy, &line, &Sse, 2);
    assert!((loss(&line, &Sse, &covered(&greedy)) - 46.5 / 4.0).abs() < 1e-12);
    let best = matchings(FreeformMethod::Hungarian, &line, &Sse, 2);
    assert!((loss(&line, &Sse, &covered(&best)) - 46.5 / 4.0).abs() < 1e-12);
}

/// Worked by hand, k = 2, where the three differ. Points 0, 3, 5, 6, 20, 24; costs are squared distances over 4.
///
/// Greedy: 0 takes row 1 (9); 1 row 2 (4); 2 row 3 (1); 3 row 0 (36; rows 0, 4, 5 are free); 4 row 5 (16); 5 row 4 (16).
/// Together 82.
/// `SortGreedy`: 2-3 and 3-2 (1 each), 0-1 and 1-0 (9 each), 4-5 and 5-4 (16 each). Together 52, and that is the best.
#[test]
fn greed_costs() {
    let line = Arc::new(instance(1, &[0.0, 3.0, 5.0, 6.0, 20.0, 24.0], &[0; 6]));
    let found = ALL.map(|method| matchings(method, &line, &Sse, 2));
    assert_eq!(found[0].matchings[1], [1, 2, 3, 0, 5, 4]);
    assert_eq!(found[1].matchings[1], [1, 0, 3, 2, 5, 4]);
    let losses = found.map(|freeform| 4.0 * loss(&line, &Sse, &covered(&freeform)));
    assert!(losses.iter().zip([82.0, 52.0, 52.0]).all(|(a, b)| (a - b).abs() < 1e-9), "{losses:?}");
    // 0, 2, 3, 7: SortGreedy pairs 1 and 2 (1 + 1) and leaves 0 with 3 (49 + 49); the best is 0-1 and 2-3 (4 + 4 + 16 + 16).
    let line = Arc::new(instance(1, &[0.0, 2.0, 3.0, 7.0], &[0; 4]));
    let cost = |method| 4.0 * loss(&line, &Sse, &covered(&matchings(method, &line, &Sse, 2)));
    assert_eq!(matchings(FreeformMethod::SortGreedy, &line, &Sse, 2).matchings[1], [3, 2, 1, 0]);
    assert!((cost(FreeformMethod::SortGreedy) - 100.0).abs() < 1e-9);
    // Greedy: 0 takes row 1 (4), 1 row 2 (1), 2 row 0 (9), and 3 is left with its own: it takes row 2 from 1, which takes row
    // 3 (16 + 25), or row 1 from 0 (25 + 49), or row 0 from 2 (49 + 16): the first. 4 + 9 + 16 + 25.
    assert_eq!(matchings(FreeformMethod::Greedy, &line, &Sse, 2).matchings[1], [1, 3, 0, 2]);
    assert!((cost(FreeformMethod::Greedy) - 54.0).abs() < 1e-9);
    assert_eq!(matchings(FreeformMethod::Hungarian, &line, &Sse, 2).matchings[1], [1, 0, 3, 2]);
    assert!((cost(FreeformMethod::Hungarian) - 40.0).abs() < 1e-9);
}

#[test]
fn each_algorithm_has_its_own_answer_and_order() {
    let fars = Arc::new(fars(3));
    let losses =
        ALL.map(|m| loss(&fars, &Ncp::default(), &covered(&matchings(m, &fars, &Ncp::default(), 3))));
    // The best partition into classes loses 19.266129; a table without classes may lose less.
    assert!(losses[2] < losses[0] && losses[2] < losses[1] && losses[0] != losses[1], "{losses:?}");
}

/// Tables of few records, where rounds run into dead ends: up to k = n, when every record is matched with every row.
#[test]
fn dead_ends_are_left() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..300 {
        let n = rng.random_range(2..9usize);
        let points: Vec<f64> = (0..2 * n).map(|_| f64::from(rng.random_range(0..6u32))).collect();
        let plane = Arc::new(instance(2, &points, &vec![0; n]));
        let k = rng.random_range(2..=n);
        for method in ALL {
            let freeform = matchings(method, &plane, &Sse, k);
            let whole = covered(&freeform);
            assert!(whole.iter().all(|records| records.len() == k));
            if k == n {
                let all: Vec<u32> = (0..n as u32).collect();
                assert!(whole.iter().all(|records| *records == all));
            }
        }
    }
}

#[test]
fn whoever_leaves_early_has_matchings() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let points: Vec<f64> = (0..30).map(|_| f64::from(rng.random_range(0..9u32))).collect();
    let plane = Arc::new(instance(2, &points, &[0; 15]));
    let mut early = 0;
    for method in ALL {
        for stop in 0..60 {
            let mut rounds = Rounds::new(method, &plane, &Ncp::default(), 4).unwrap();
            for _ in 0..stop {
                rounds.advance();
            }
            let (freeform, late) = rounds.leave();
            verify(&freeform, 15, 4).unwrap();
            early += usize::from(late > 0);
        }
    }
    assert!(early > 60);
}

#[test]
fn wrong_matchings_are_refused() {
    let good = vec![vec![0, 1, 2], vec![1, 2, 0]];
    let check = |matchings: Vec<Vec<u32>>| verify(&Freeform { matchings }, 3, 2);
    assert!(check(good.clone()).is_ok());
    assert!(check(vec![vec![0, 1, 2]]).is_err());
    assert!(check(vec![vec![0, 1, 2], vec![1, 2]]).is_err());
    assert!(check(vec![vec![0, 1, 2], vec![1, 1, 0]]).is_err());
    assert!(check(vec![vec![0, 1, 2], vec![1, 2, 3]]).is_err());
    let twice = check(vec![vec![0, 1, 2], vec![1, 0, 2]]).unwrap_err().to_string();
    assert!(twice.contains("record 2"), "{twice}");
}
