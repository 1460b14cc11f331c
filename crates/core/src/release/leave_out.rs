//! Records that are better left out: instead of a wide class, a price for each record that is not published.
//!
//! A class may lose single records down to its least size; or it is dissolved, each of its records being suppressed or
//! joining another class, whatever costs less. Classes are looked at from the most costly one on, again and again until
//! nothing is gained. A heuristic: every step lowers the loss plus the price, the best set is not proven. One class always
//! stays. O(g c d) for the g records of classes that cost more than the price, among c classes.

/// Least gain that is worth a step, as a part of the price.
const LEAST_GAIN: f64 = 1e-9;

/// Rounds over all classes, at most.
const ROUNDS: usize = 5;

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
}

/// Removes records from classes, all of them real; returns those that are suppressed, ascending.
pub(crate) fn suppress(terms: &Terms, classes: &mut Vec<Vec<u32>>, price: Price) -> Vec<u32> {
    let mut gone = Vec::new();
    for _ in 0..ROUNDS {
        let before = gone.len();
        let mut order: Vec<(f64, usize)> =
            classes.iter().enumerate().map(|(at, class)| ((terms.loss)(class), at)).collect();
        order.retain(|o| o.0 > price.each);
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut changed = false;
        for (_, at) in order {
            let room = price.limit - gone.len();
            let thinned = thin(terms, &classes[at], price.each, room);
            let dissolved = dissolve(terms, classes, at, price.each, room);
            let least = LEAST_GAIN * price.each;
            match (thinned, dissolved) {
                (thinned, Some(dissolved)) if dissolved.gain > least && dissolved.gain >= thinned.0 => {
                    gone.extend(dissolved.gone);
                    for (i, to) in dissolved.moved {
                        classes[to].push(i);
                    }
                    classes[at].clear();
                    changed = true;
                }
                ((gain, out), _) if gain > least => {
                    classes[at].retain(|i| !out.contains(i));
                    gone.extend(out);
                    changed = true;
                }
                _ => {}
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

/// The gain of leaving records of a class out, one after another, and these.
fn thin(terms: &Terms, class: &[u32], price: f64, room: usize) -> (f64, Vec<u32>) {
    let mut left = class.to_vec();
    let (mut now, mut gain) = ((terms.loss)(&left), 0.0);
    let mut out = Vec::new();
    let mut best = (0.0, 0);
    while left.len() > terms.least && out.len() < room {
        let without = |at: usize| {
            let others: Vec<u32> = left.iter().enumerate().filter(|o| o.0 != at).map(|o| *o.1).collect();
            (terms.loss)(&others)
        };
        let values = (0..left.len()).map(|at| (without(at), left[at], at));
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

/// Takes class `at` apart; `None` if it is the last one, or if more records would have to go than may.
fn dissolve(terms: &Terms, classes: &[Vec<u32>], at: usize, price: f64, room: usize) -> Option<Dissolved> {
    let mut members = classes[at].clone();
    members.sort_unstable();
    let others: Vec<usize> = (0..classes.len()).filter(|&c| c != at && !classes[c].is_empty()).collect();
    if others.is_empty() {
        return None;
    }
    let mut found = Dissolved { gain: (terms.loss)(&members), gone: Vec::new(), moved: Vec::new() };
    // Classes that took records in are looked at as they are then.
    let mut grown: Vec<(usize, Vec<u32>, f64)> = Vec::new();
    let values: Vec<f64> = others.iter().map(|&c| (terms.loss)(&classes[c])).collect();
    for &i in &members {
        let mut best: Option<(f64, usize)> = None;
        for (&c, &value) in others.iter().zip(&values) {
            let known = grown.iter().find(|g| g.0 == c);
            let (class, value) = known.map_or((&classes[c], value), |g| (&g.1, g.2));
            let taken = |colours: &[u32]| class.iter().any(|&j| colours[j as usize] == colours[i as usize]);
            if terms.colours.is_some_and(taken) {
                continue;
            }
            let more = (terms.loss)(&[class.as_slice(), &[i]].concat()) - value;
            if best.is_none_or(|b| more < b.0) {
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
        let terms = Terms { loss: &|class| Sse.class(&line, class), least: 2, colours: None };
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

    proptest! {
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
        let terms = Terms { loss: &|class| Sse.class(line, class), least: rule.min_size, colours };
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
