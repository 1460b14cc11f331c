//! Records that are better left out: instead of a wide class, a price for each record that is not published.
//!
//! A class may lose single records down to its least size; or it is dissolved, each of its records being suppressed or
//! joining another class, whatever costs less. Classes are looked at from the most costly one on, again and again until
//! nothing is gained. A heuristic: every step lowers the loss plus the price, the best set is not proven. One class always
//! stays. O(g c d) for the g records of classes that cost more than the price, among c classes; where neighbours are given, c is
//! the number of classes near a record.

use std::collections::BTreeMap;

use lookalike_model::neighbours::Neighbours;

/// Least gain that is worth a step, as a part of the price.
const LEAST_GAIN: f64 = 1e-9;

/// Rounds over all classes, at most.
const ROUNDS: usize = 5;

/// Halvings of a price on the way to the least one that is looked for, at most.
const HALVINGS: usize = 40;

/// Halvings of the interval in which the least price lies, once it is known.
const BISECTIONS: usize = 6;

/// Records at one point whose classes are looked at: of thousands of equal records a few tell which classes are there.
const AT_A_POINT: usize = 64;

/// The class of a record that is in none.
const NOWHERE: u32 = u32::MAX;

/// What it costs to leave records out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Price {
    /// What each costs, in units of the loss.
    pub(crate) each: f64,
    /// How many may be.
    pub(crate) limit: usize,
}

/// What the search asks of loss and rule, whichever they are: it is compiled once.
pub(crate) struct Terms<'a> {
    /// The loss of a class.
    pub(crate) loss: &'a dyn Fn(&[u32]) -> f64,
    /// Least size of a class.
    pub(crate) least: usize,
    /// The colours of the records, if those of a class must differ.
    pub(crate) colours: Option<&'a [u32]>,
    /// Whether a class keeps the conditions on how its values are distributed; they are of its own values alone.
    pub(crate) keeps: &'a dyn Fn(&[u32]) -> bool,
    /// Which records are near each other, if only the classes of these are to be looked at.
    pub(crate) near: Option<&'a Neighbours>,
}

/// Removes records from classes, all of them real; returns those that are suppressed, ascending.
pub(crate) fn suppress(terms: &Terms, classes: &mut Vec<Vec<u32>>, price: Price) -> Vec<u32> {
    until(terms, classes, price, usize::MAX)
}

/// Removes at most so many records at the least price at which no more would go, within a hundredth; classes, records and price. The
/// price is that of [`suppress`] without a limit: who is worth leaving out at it goes, and nobody else. `None` if nobody goes.
pub(crate) fn suppress_most(terms: &Terms, classes: &[Vec<u32>], limit: usize) -> Option<AtPrice> {
    let highest = classes.iter().map(|class| (terms.loss)(class)).fold(0.0, f64::max);
    if limit == 0 || highest <= 0.0 {
        return None;
    }
    let at = |each: f64| {
        let mut left = classes.to_vec();
        let gone = until(terms, &mut left, Price { each, limit: usize::MAX }, limit);
        (gone.len() <= limit).then_some(AtPrice { classes: left, gone, each })
    };
    // At the price of the widest class nothing is gained.
    let (mut dear, mut cheap, mut best) = (highest, 0.0, None);
    for _ in 0..HALVINGS {
        let Some(found) = at(dear / 2.0) else {
            cheap = dear / 2.0;
            break;
        };
        dear = found.each;
        best = Some(found);
    }
    if cheap > 0.0 {
        for _ in 0..BISECTIONS {
            match at(f64::midpoint(cheap, dear)) {
                Some(found) => {
                    dear = found.each;
                    best = Some(found);
                }
                None => cheap = f64::midpoint(cheap, dear),
            }
        }
    }
    best.filter(|found: &AtPrice| !found.gone.is_empty())
}

/// What is left at a price.
pub(crate) struct AtPrice {
    /// The classes.
    pub(crate) classes: Vec<Vec<u32>>,
    /// The records that are suppressed, ascending.
    pub(crate) gone: Vec<u32>,
    /// The price.
    pub(crate) each: f64,
}

/// The search; given up as soon as more than `enough` records are gone.
fn until(terms: &Terms, classes: &mut Vec<Vec<u32>>, price: Price, enough: usize) -> Vec<u32> {
    let mut gone = Vec::new();
    let records = classes.iter().flatten().max().map_or(0, |&i| i as usize + 1);
    for _ in 0..ROUNDS {
        let before = gone.len();
        let mut order: Vec<(f64, usize)> =
            classes.iter().enumerate().map(|(at, class)| ((terms.loss)(class), at)).collect();
        order.retain(|o| o.0 > price.each);
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut of = places(classes, records);
        let mut changed = false;
        for (_, at) in order {
            let room = price.limit - gone.len();
            let thinned = thin(terms, &classes[at], price.each, room);
            let dissolved = dissolve(terms, (classes, &of), at, price.each, room);
            let least = LEAST_GAIN * price.each;
            match (thinned, dissolved) {
                (thinned, Some(dissolved)) if dissolved.gain > least && dissolved.gain >= thinned.0 => {
                    for i in dissolved.gone {
                        of[i as usize] = NOWHERE;
                        gone.push(i);
                    }
                    for (i, to) in dissolved.moved {
                        of[i as usize] = to as u32;
                        classes[to].push(i);
                    }
                    classes[at].clear();
                    changed = true;
                }
                ((gain, out), _) if gain > least => {
                    classes[at].retain(|i| !out.contains(i));
                    for i in out {
                        of[i as usize] = NOWHERE;
                        gone.push(i);
                    }
                    changed = true;
                }
                _ => {}
            }
            if gone.len() > enough {
                return gone;
            }
        }
        classes.retain(|class| !class.is_empty());
        if !changed || gone.len() == price.limit || before == gone.len() && before > 0 {
            break;
        }
    }
    gone.sort_unstable();
    gone
}

/// The class of each of so many records.
fn places(classes: &[Vec<u32>], records: usize) -> Vec<u32> {
    let mut of = vec![NOWHERE; records];
    for (at, class) in (0..).zip(classes) {
        for &i in class {
            of[i as usize] = at;
        }
    }
    of
}

/// The gain of leaving records of a class out, one after another, and these.
fn thin(terms: &Terms, class: &[u32], price: f64, room: usize) -> (f64, Vec<u32>) {
    let mut left = class.to_vec();
    let (mut now, mut gain) = ((terms.loss)(&left), 0.0);
    let mut out = Vec::new();
    let mut best = (0.0, 0);
    while left.len() > terms.least && out.len() < room {
        let without = |at: usize| {
            let others: Vec<u32> = left.iter().enumerate().filter(|o| o.0 != at).map(|o| *o.1).collect();
            (terms.keeps)(&others).then(|| (terms.loss)(&others))
        };
        let values = (0..left.len()).filter_map(|at| Some((without(at)?, left[at], at)));
        let Some((value, i, at)) = values.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))) else {
            break;
        };
        gain += now - value - price;
        now = value;
        left.remove(at);
        out.push(i);
        if gain > best.0 {
            best = (gain, out.len());
        }
    }
    out.truncate(best.1);
    (best.0, out)
}

/// A class taken apart.
struct Dissolved {
    gain: f64,
    gone: Vec<u32>,
    /// Records with the class that they join.
    moved: Vec<(u32, usize)>,
}

/// The classes that a record may join, ascending: all but its own, or those of the records near it.
fn joinable(terms: &Terms, (classes, of): (&[Vec<u32>], &[u32]), at: usize, i: u32) -> Vec<usize> {
    let Some(near) = terms.near else {
        return (0..classes.len()).filter(|&c| c != at && !classes[c].is_empty()).collect();
    };
    let around = (0..near.width()).flat_map(|rank| near.members(i, rank).iter().take(AT_A_POINT));
    let mut found: Vec<usize> = around
        .map(|&j| of[j as usize])
        .filter(|&c| c != NOWHERE && c as usize != at)
        .map(|c| c as usize)
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Takes class `at` apart; `None` if it is the last one, or if more records would have to go than may.
fn dissolve(
    terms: &Terms,
    (classes, of): (&[Vec<u32>], &[u32]),
    at: usize,
    price: f64,
    room: usize,
) -> Option<Dissolved> {
    let mut members = classes[at].clone();
    members.sort_unstable();
    if !classes.iter().enumerate().any(|(c, class)| c != at && !class.is_empty()) {
        return None;
    }
    let mut found = Dissolved { gain: (terms.loss)(&members), gone: Vec::new(), moved: Vec::new() };
    // Classes that took records in are looked at as they are then.
    let mut grown: Vec<(usize, Vec<u32>, f64)> = Vec::new();
    let mut values: BTreeMap<usize, f64> = BTreeMap::new();
    for &i in &members {
        let mut best: Option<(f64, usize)> = None;
        for c in joinable(terms, (classes, of), at, i) {
            let (class, value) = match grown.iter().find(|g| g.0 == c) {
                Some(g) => (&g.1, g.2),
                None => (&classes[c], *values.entry(c).or_insert_with(|| (terms.loss)(&classes[c]))),
            };
            let taken = |colours: &[u32]| class.iter().any(|&j| colours[j as usize] == colours[i as usize]);
            if terms.colours.is_some_and(taken) {
                continue;
            }
            let with = [class.as_slice(), &[i]].concat();
            let more = (terms.loss)(&with) - value;
            if best.is_none_or(|b| more < b.0) && (terms.keeps)(&with) {
                best = Some((more, c));
            }
        }
        match best {
            Some((more, c)) if more <= price || found.gone.len() == room => {
                found.gain -= more;
                found.moved.push((i, c));
                if let Some(g) = grown.iter_mut().find(|g| g.0 == c) {
                    g.1.push(i);
                    g.2 += more;
                } else {
                    let class = [classes[c].as_slice(), &[i]].concat();
                    let value = (terms.loss)(&class);
                    grown.push((c, class, value));
                }
            }
            _ if found.gone.len() < room => {
                found.gain -= price;
                found.gone.push(i);
            }
            _ => return None,
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lookalike_model::{
        fixtures::instance,
        instance::Instance,
        loss::{Loss, Sse},
        partition::Partition,
        rule::Rule,
    };
    use lookalike_optimize::construct::classic;
    use proptest::prelude::*;

    use super::*;

    fn run(points: &[f64], classes: &[&[u32]], each: f64, limit: usize) -> (Vec<Vec<u32>>, Vec<u32>) {
        let line = instance(1, points, &vec![0; points.len()]);
        let mut classes: Vec<Vec<u32>> = classes.iter().map(|c| c.to_vec()).collect();
        let terms = Terms {
            loss: &|class| Sse.class(&line, class),
            least: 2,
            colours: None,
            keeps: &|_| true,
            near: None,
        };
        let gone = suppress(&terms, &mut classes, Price { each, limit });
        (classes, gone)
    }

    #[test]
    fn by_hand() {
        let points = [0., 1., 100., 50., 51.];
        let classes: [&[u32]; 2] = [&[0, 1, 2], &[3, 4]];
        // 100 stands alone.
        assert_eq!(run(&points, &classes, 5.0, 9), (vec![vec![0, 1], vec![3, 4]], vec![2]));
        // Dearer than all it spoils.
        assert_eq!(run(&points, &classes, 1e4, 9).1, [0_u32; 0]);
        assert_eq!(run(&points, &classes, 5.0, 0).1, [0_u32; 0]);
        // A class of two is taken apart: 52 joins the others, 100 goes.
        let points = [52., 100., 50., 51.];
        assert_eq!(run(&points, &[&[0, 1], &[2, 3]], 5.0, 9), (vec![vec![2, 3, 0]], vec![1]));
        // Nobody is left out if that is the only class.
        assert_eq!(run(&[0., 100.], &[&[0, 1]], 5.0, 9), (vec![vec![0, 1]], vec![]));
    }

    #[test]
    fn the_least_price_that_keeps_to_a_limit() {
        let line = instance(1, &[0., 1., 100., 50., 51., 70.], &[0; 6]);
        let classes = vec![vec![0, 1, 2], vec![3, 4, 5]];
        let terms = Terms {
            loss: &|class| Sse.class(&line, class),
            least: 2,
            colours: None,
            keeps: &|_| true,
            near: None,
        };
        let most = |limit| suppress_most(&terms, &classes, limit);
        assert!(most(0).is_none());
        // 100 spoils more than 70 does: without 100 the first class loses 0.5, with it 6600.67.
        assert_eq!(most(1).unwrap().gone, [2]);
        let both = most(2).unwrap();
        assert_eq!((both.gone, both.classes), (vec![2, 5], vec![vec![0, 1], vec![3, 4]]));
        // No more than two can go, and at the least price they are worth it.
        assert!(both.each < 260.2, "{}", both.each);
        // Nothing is gained where nothing is lost.
        let same = instance(1, &[7.; 4], &[0; 4]);
        let terms = Terms { loss: &|class| Sse.class(&same, class), ..terms };
        assert!(suppress_most(&terms, &[vec![0, 1], vec![2, 3]], 3).is_none());
    }

    #[test]
    fn a_class_keeps_its_conditions_when_records_go() {
        // 100 and 90 are all that make their classes differ in colour.
        let line = instance(1, &[0., 1., 100., 50., 51., 90.], &[0, 0, 1, 0, 0, 1]);
        let both = |class: &[u32]| class.iter().any(|i| *i == 2 || *i == 5);
        let terms = Terms {
            loss: &|class| Sse.class(&line, class),
            least: 2,
            colours: None,
            keeps: &both,
            near: None,
        };
        let mut classes = vec![vec![0, 1, 2], vec![3, 4, 5]];
        let gone = suppress(&terms, &mut classes, Price { each: 5.0, limit: 9 });
        assert!(classes.iter().all(|class| class.len() >= 2 && both(class)), "{classes:?} {gone:?}");
    }

    proptest! {
        #[test]
        fn no_more_go_than_may(
            rows in prop::collection::vec(0u8..40, 8..60), limit in 0usize..12,
        ) {
            let points: Vec<f64> = rows.iter().map(|x| f64::from(*x)).collect();
            let line = Arc::new(instance(1, &points, &vec![0; points.len()]));
            let rule = Rule::at_least(3);
            let start = classic(&line, &rule, 1);
            let terms = Terms {
                loss: &|class| Sse.class(&line, class), least: 3, colours: None, keeps: &|_| true, near: None,
            };
            if let Some(found) = suppress_most(&terms, &start.members(), limit) {
                prop_assert!(found.gone.len() <= limit && !found.gone.is_empty());
                let mut again = start.members();
                prop_assert_eq!(&found.gone, &suppress(&terms, &mut again, Price { each: found.each, limit: usize::MAX }));
                prop_assert_eq!(&found.classes, &again);
                // Those near each other alone: the same conditions hold of what is found.
                let near = Neighbours::new(&line, &Sse, 8);
                let terms = Terms { near: Some(&near), ..terms };
                let mut classes = start.members();
                let gone = suppress(&terms, &mut classes, Price { each: found.each, limit });
                prop_assert!(gone.len() <= limit && classes.iter().all(|class| class.len() >= 3));
                prop_assert_eq!(classes.iter().map(Vec::len).sum::<usize>() + gone.len(), points.len());
            }
        }

        #[test]
        fn loss_and_price_fall_and_classes_stay_admissible(
            rows in prop::collection::vec((0u8..40, 0u32..5), 6..40), each in 0.1f64..40.0, limit in 0usize..9,
            coloured: bool,
        ) {
            let points: Vec<f64> = rows.iter().map(|r| f64::from(r.0)).collect();
            let mut colours: Vec<u32> = rows.iter().map(|r| r.1).collect();
            for c in 0..5 {
                colours[c as usize] = c;
            }
            let line = Arc::new(instance(1, &points, &colours));
            if coloured {
                if Rule::all_different(2).feasible(&line).is_ok() {
                    falls(&line, &Rule::all_different(2), each, limit)?;
                }
            } else {
                falls(&line, &Rule::at_least(3), each, limit)?;
            }
        }
    }

    fn falls(line: &Arc<Instance>, rule: &Rule, each: f64, limit: usize) -> Result<(), TestCaseError> {
        let start = classic(line, rule, 1);
        let mut classes = start.members();
        let colours = rule.distinct().then_some(line.colours.as_slice());
        let terms = Terms {
            loss: &|class| Sse.class(line, class),
            least: rule.min_size,
            colours,
            keeps: &|_| true,
            near: None,
        };
        let gone = suppress(&terms, &mut classes, Price { each, limit });
        prop_assert!(gone.len() <= limit && gone.windows(2).all(|w| w[0] < w[1]));
        let after: f64 = classes.iter().map(|c| Sse.class(line, c)).sum();
        prop_assert!(after + each * gone.len() as f64 <= start.loss(line, &Sse) + 1e-9);
        let mut left: Vec<u32> = classes.concat();
        left.sort_unstable();
        let all: Vec<u32> = (0..line.records() as u32).filter(|i| !gone.contains(i)).collect();
        prop_assert_eq!(&left, &all);
        let mut labels = vec![0; left.len()];
        for (label, class) in (0..).zip(&classes) {
            for i in class {
                labels[left.partition_point(|r| r < i)] = label;
            }
        }
        prop_assert!(Partition::from_labels(&labels).check(&line.subset(&left), rule).is_ok());
        Ok(())
    }
}
