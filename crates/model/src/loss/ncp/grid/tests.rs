//! Running values on the grid against losses from scratch.

use proptest::prelude::*;

use super::*;
use crate::fixtures::{instance, job};

proptest! {
    #[test]
    fn running_values_are_those_from_scratch_up_to_the_grid(
        rows in prop::collection::vec(prop::array::uniform9(0u8..6), 12..20),
        changes in prop::collection::vec((any::<bool>(), any::<u16>(), any::<u16>()), 1..60),
    ) {
        // Nine attributes fill one register and begin another; one of them spans much more than the others.
        let points: Vec<f64> = rows
            .iter()
            .flat_map(|r| r.iter().enumerate().map(|(j, &x)| f64::from(x) * if j == 4 { 3.7 } else { 0.31 }))
            .collect();
        let instance = Arc::new(instance(9, &points, &vec![0; rows.len()]));
        let grid = Grid::new(Ncp::default(), &instance).unwrap();
        let mut table = grid.table(&instance, 1);
        let mut members: Vec<u32> = Vec::new();
        for (both, a, b) in changes {
            let outside: Vec<u32> = (0..rows.len() as u32).filter(|i| !members.contains(i)).collect();
            let enters = both || members.len() < 2 || a % 2 == 0;
            let gains = enters.then(|| outside.get(a as usize % outside.len().max(1)).copied()).flatten();
            let loses =
                (both || !enters).then(|| members.get(b as usize % members.len().max(1)).copied()).flatten();
            let announced = table.value_after(0, &members, gains, loses);
            members.retain(|&i| Some(i) != loses);
            members.extend(gains);
            table.apply(0, &members, gains, loses);
            let scratch = grid.class(&instance, &members);
            // Nine weights and eighteen ends are off by half a step each; all spans together are 31 at most.
            let near = members.len() as f64 * 31.0 * 10.0 / 32767.0;
            prop_assert!((announced - scratch).abs() < near, "{} {}", announced, scratch);
            prop_assert_eq!(table.value(0), announced);
            let mut fresh = grid.table(&instance, 1);
            fresh.refresh(0, &members);
            prop_assert_eq!(fresh.value(0), announced);
        }
    }

    #[test]
    fn a_member_at_an_end_stands_there_alone(
        rows in prop::collection::vec((0u8..5, 0u8..40), 3..12), pick: u32,
    ) {
        let points: Vec<f64> = rows.iter().flat_map(|r| [f64::from(r.0), f64::from(r.1)]).collect();
        let instance = Arc::new(instance(2, &points, &vec![0; rows.len()]));
        let mut table = Grid::new(Ncp::default(), &instance).unwrap().table(&instance, 1);
        let members: Vec<u32> = (0..rows.len() as u32).collect();
        table.refresh(0, &members);
        let alone = |i: usize| {
            let others = |x: fn(&(u8, u8)) -> u8| {
                let rest = rows.iter().enumerate().filter(|r| r.0 != i).map(|r| x(r.1));
                rest.clone().all(|other| other > x(&rows[i])) || rest.clone().all(|other| other < x(&rows[i]))
            };
            others(|r| r.0) || others(|r| r.1)
        };
        match table.extreme(0, &members, pick) {
            Some(i) => prop_assert!(alone(i as usize)),
            None => prop_assert!(!(0..rows.len()).any(alone)),
        }
    }
}

#[test]
fn categories_and_counterfeits_are_not_on_the_grid() {
    let plain = instance(1, &[1., 2., 3.], &[0; 3]);
    assert!(Grid::new(Ncp::default(), &plain).is_some());
    let counterfeit = instance(1, &[1., 2., 3.], &[0; 4]);
    assert!(Grid::new(Ncp::default(), &counterfeit).is_none());
    let mut job = job(1, &[0., 1., 2.], &[0; 3], crate::rule::Rule::at_least(2), 1.0);
    job.loss = Name::Ncp;
    job.attributes =
        vec![crate::job::Attribute { weight: 1.0, levels: Some(3), ..crate::job::Attribute::default() }];
    assert!(Grid::new(Ncp::default(), &Instance::from_job(&job).unwrap()).is_none());
}
