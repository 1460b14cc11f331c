//! Two thousand altered certificates, against an oracle that knows the table alone: none is accepted that claims more than is true.
//!
//! The oracle reads the numbers that the table was written from, has its own distances and widths, and looks at every class and, of few
//! records, at every partition. It shares no code with what makes certificates and what checks them.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use lookalike_core::{
    audit::certificate::{
        Certificate, Data, Loss as Certified, Misfit, Points, Refusal, Rule, SubsetRow, Verified, points,
        verify, verify_penalty, widths,
    },
    certify,
    pipeline::prepare,
    table::{ReadOptions, Table, read},
};
use lookalike_model::{
    Ctx,
    settings::{BoundWork, Budget, Kind, Loss, Method, MethodName, Model, Settings},
};
use lookalike_optimize::solve::solve;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Altered certificates in all.
const ALTERED: usize = 2_000;

/// Records of which every partition is looked at.
const FEW: usize = 11;

/// A table as the oracle knows it: two numbers, a label and a value a record.
struct Known {
    numbers: Vec<[f64; 2]>,
    labels: Vec<usize>,
    values: Vec<usize>,
}

impl Known {
    /// Of so many different numbers in each column; few make many records equal.
    fn new(records: usize, different: u32, rng: &mut ChaCha8Rng) -> Self {
        let mut number = |_: usize| {
            let mut one = || f64::from(rng.random_range(0..different)) / 16.0;
            [one(), one()]
        };
        let numbers = (0..records).map(&mut number).collect();
        let labels = (0..records).map(|_| rng.random_range(0..3)).collect();
        // No value is so frequent that there is no partition.
        Self { numbers, labels, values: (0..records).map(|i| i % 5).collect() }
    }

    fn table(&self) -> Table {
        let mut text = String::from("a,b,c,ill\n");
        for ((numbers, label), value) in self.numbers.iter().zip(&self.labels).zip(&self.values) {
            let (label, value) = (["x", "y", "z"][*label], ["flu", "HIV", "ulcer", "gout", "acne"][*value]);
            writeln!(text, "{},{},{label},{value}", numbers[0], numbers[1]).unwrap();
        }
        read(text.as_bytes(), &ReadOptions::default()).unwrap()
    }

    /// What a class of these rows costs, among the records of `rows`.
    fn cost(&self, rows: &[usize], class: &[usize], loss: Certified) -> f64 {
        let count = rows.len() as f64;
        let number = |axis: usize, row: usize| self.numbers[row][axis];
        let shares =
            (0..3).map(|label| rows.iter().filter(|&&row| self.labels[row] == label).count() as f64 / count);
        let mut sum = 0.0;
        for axis in 0..2 {
            let mean = rows.iter().map(|&row| number(axis, row)).sum::<f64>() / count;
            let variance = rows.iter().map(|&row| (number(axis, row) - mean).powi(2)).sum::<f64>() / count;
            let of_class = || class.iter().map(|&row| number(axis, row));
            let all = || rows.iter().map(|&row| number(axis, row));
            let [low, high] = [of_class().fold(f64::MAX, f64::min), of_class().fold(f64::MIN, f64::max)];
            let [least, most] = [all().fold(f64::MAX, f64::min), all().fold(f64::MIN, f64::max)];
            let own = of_class().sum::<f64>() / class.len() as f64;
            sum += match loss {
                _ if most <= least => 0.0,
                Certified::Sse => of_class().map(|x| (x - own).powi(2)).sum::<f64>() / variance,
                Certified::Ncp | Certified::NcpBinary => {
                    class.len() as f64 * (high - low) / (most - least) / 3.0
                }
            };
        }
        let inside: BTreeSet<usize> = class.iter().map(|&row| self.labels[row]).collect();
        let levels = shares.clone().filter(|share| *share > 0.0).count() as f64;
        let different = inside.len() as f64;
        let spread: f64 = shares.map(|share| share * (1.0 - share)).sum();
        sum + match loss {
            Certified::Sse if spread > 0.0 => {
                let count =
                    |label: usize| class.iter().filter(|&&row| self.labels[row] == label).count() as f64;
                let pairs =
                    (0..3).map(|label| count(label) * (class.len() as f64 - count(label))).sum::<f64>();
                pairs / class.len() as f64 / spread
            }
            Certified::Ncp => class.len() as f64 * (different - 1.0) / levels / 3.0,
            Certified::NcpBinary if different > 1.0 => class.len() as f64 * different / levels / 3.0,
            Certified::Sse | Certified::NcpBinary => 0.0,
        }
    }

    fn is_admissible(&self, class: &[usize], rule: Rule) -> bool {
        let values: BTreeSet<usize> = class.iter().map(|&row| self.values[row]).collect();
        match rule {
            Rule::MinSize { k } => class.len() >= k,
            Rule::Distinct { m } => class.len() >= m && values.len() == class.len(),
        }
    }

    /// The least cost of a partition of these rows, infinite if there is none.
    fn optimum(&self, rows: &[usize], rule: Rule, loss: Certified) -> f64 {
        let all = 1_usize << rows.len();
        let members = |mask: usize| -> Vec<usize> {
            (0..rows.len()).filter(|at| mask >> at & 1 == 1).map(|at| rows[at]).collect()
        };
        let cost = |mask: usize| {
            let class = members(mask);
            if self.is_admissible(&class, rule) { self.cost(rows, &class, loss) } else { f64::INFINITY }
        };
        let costs: Vec<f64> =
            (0..all).map(|mask| if mask == 0 { f64::INFINITY } else { cost(mask) }).collect();
        let mut best = vec![f64::INFINITY; all];
        best[0] = 0.0;
        for mask in 1..all {
            let first = mask & mask.wrapping_neg();
            let rest = mask ^ first;
            let mut others = rest;
            loop {
                let total = costs[others | first] + best[rest ^ others];
                best[mask] = best[mask].min(total);
                if others == 0 {
                    break;
                }
                others = (others - 1) & rest;
            }
        }
        best[all - 1]
    }

    /// The least reduced cost of an admissible class that need not be split.
    fn least_reduced_cost(&self, rows: &[usize], certificate: &Certificate) -> f64 {
        let reduced = |places: &[usize]| {
            let class: Vec<usize> = places.iter().map(|&at| rows[at]).collect();
            if !self.is_admissible(&class, certificate.rule) {
                return f64::INFINITY;
            }
            let duals: f64 = places.iter().map(|&at| certificate.duals[at]).sum();
            let inside = |cut: &SubsetRow| {
                let count = places.iter().filter(|&&at| cut.records.contains(&(at as u32))).count();
                cut.sigma * (count / cut.divisor as usize) as f64
            };
            self.cost(rows, &class, certificate.loss) - duals
                + certificate.cuts.iter().map(inside).sum::<f64>()
        };
        let most = 2 * certificate.rule.least() - 1;
        let (mut least, mut open) = (f64::INFINITY, vec![Vec::new()]);
        while let Some(places) = open.pop() {
            least = least.min(if places.is_empty() { f64::INFINITY } else { reduced(&places) });
            let next = places.last().map_or(0, |last| last + 1);
            let longer = (next..rows.len()).filter(|_| places.len() < most);
            open.extend(longer.map(|at| places.iter().copied().chain([at]).collect::<Vec<usize>>()));
        }
        least
    }
}

fn settings(model: Model, loss: Loss, method: Method) -> Settings {
    let kind = |name: &str, kind| (name.to_owned(), kind);
    Settings {
        quasi: ["a", "b", "c"].map(String::from).to_vec(),
        sensitive: Some(String::from("ill")),
        kinds: BTreeMap::from([kind("a", Kind::Number), kind("b", Kind::Number), kind("c", Kind::Category)]),
        loss,
        method,
        bound: BoundWork::Full,
        duals: true,
        seed: Some(3),
        ..Settings::of(model)
    }
}

/// Whether a text is an accepted certificate about the table, as the command line asks.
fn accepted(table: &Table, text: &str) -> Result<(Certificate, Verified), Refusal> {
    let certificate = Certificate::from_json(text)?;
    let rows = certificate.records(table.rows)?;
    let model = match certificate.rule {
        Rule::MinSize { k } => Model::KAnonymity { k },
        Rule::Distinct { m } => Model::MInvariance { m },
    };
    let loss = match certificate.loss {
        Certified::Sse => Loss::Sse,
        Certified::Ncp => Loss::Ncp,
        Certified::NcpBinary => Loss::NcpBinary,
    };
    let settings = settings(model, loss, MethodName::Annealing.into());
    let meaning = certify::meaning(table, &settings).map_err(|_| Refusal::Mismatch(Misfit::Column))?;
    let verified = if certificate.loss == Certified::Sse {
        let Points { points, weights, colours } = points(table, &rows, &meaning)?;
        let data = Data { points: &points, weights: &weights, colours: colours.as_deref() };
        verify(data, certificate.rule, &certificate, 1_000_000)?
    } else {
        verify_penalty(&widths(table, &rows, &meaning)?, certificate.rule, &certificate, 1_000_000)?
    };
    Ok((certificate, verified))
}

/// One of many attacks, as the text of a file.
fn altered(honest: &Certificate, rng: &mut ChaCha8Rng) -> String {
    let mut it = honest.clone();
    let records = it.duals.len();
    let one = rng.random_range(0..records);
    let other = rng.random_range(0..records);
    let much = 10.0_f64.powi(rng.random_range(-15..2));
    let attack = rng.random_range(0..16);
    match attack {
        0 => it.bound += it.bound.abs() * much,
        1 => it.bound = it.bound.next_up(),
        2 => it.duals[one] += much,
        3 => it.duals[one] = it.duals[one].next_up(),
        4 => it.duals.iter_mut().for_each(|dual| *dual *= 1.0 + much),
        5 => it.tolerance = [0.0, -much, much, f64::MIN_POSITIVE, 1e300][rng.random_range(0..5)],
        6 => {
            let (divisor, sigma) = (
                [0, 1, 2, 3, u32::MAX][rng.random_range(0..5)],
                [much, -much, 0.0, 1e308][rng.random_range(0..4)],
            );
            let set: BTreeSet<u32> = (0..5).map(|_| rng.random_range(0..=records as u32)).collect();
            it.cuts.push(SubsetRow { records: set.into_iter().collect(), divisor, sigma });
            it.duals[one] += much;
        }
        7 if !it.cuts.is_empty() => {
            let cut = rng.random_range(0..it.cuts.len());
            match rng.random_range(0..3) {
                0 => drop(it.cuts.remove(cut)),
                1 => it.cuts[cut].sigma *= much,
                _ => it.cuts[cut].divisor += 1,
            }
        }
        7 => it.duals.swap(one, other),
        8 => {
            let keep = (0..records as u32).filter(|&row| row as usize != one);
            it.rows = keep.collect();
            if rng.random_bool(0.5) {
                it.duals.remove(one);
            }
        }
        9 => {
            it.rows = (0..records as u32).collect();
            it.rows[one] = it.rows[other];
        }
        10 => {
            let least = it.rule.least();
            it.rule = match rng.random_range(0..4) {
                0 => Rule::MinSize { k: least + 1 },
                1 => Rule::MinSize { k: least - 1 },
                2 => Rule::Distinct { m: least },
                _ => Rule::MinSize { k: [0, 1, usize::MAX][rng.random_range(0..3)] },
            };
        }
        11 => it = it.under([Certified::Sse, Certified::Ncp, Certified::NcpBinary][rng.random_range(0..3)]),
        12 => {
            it.duals[one] += 1e15;
            it.duals[other] -= 1e15 - much;
        }
        _ => {}
    }
    // What the numbers prove, if they prove it; what was claimed before; or nothing, so that only the duals count.
    if (2..13).contains(&attack) {
        let cuts: f64 =
            it.cuts.iter().map(|c| c.sigma * (c.records.len() / c.divisor.max(1) as usize) as f64).sum();
        let sum = it.duals.iter().sum::<f64>() - cuts;
        it.bound = [sum, it.bound, sum - it.tolerance * records as f64 - 1e-9, -1e9][rng.random_range(0..4)];
    }
    // An optimum beside it: what the duals prove, and more or less of it.
    if rng.random_bool(0.4) {
        let of = [it.bound, honest.claim(), 0.0][rng.random_range(0..3)];
        it.optimum = Some(of * rng.random_range(0.98..1.2) + [0.0, 1e-6, much][rng.random_range(0..3)]);
    }
    let Ok(mut text) = it.to_json() else { return String::new() };
    match attack {
        13 => {
            let number = ["NaN", "1e999", "-1e999", "null", "\"1\""][rng.random_range(0..5)];
            let key = ["\"bound\":", "\"tolerance\":", "\"duals\":["][rng.random_range(0..3)];
            text = text.replacen(key, &format!("{key}{number},\"x\":"), 1);
        }
        14 => {
            let twice = format!("\"bound\":{},\"bound\":", it.bound * 2.0);
            text = text.replacen("\"bound\":", &twice, 1);
        }
        15 => {
            let mut bytes = text.into_bytes();
            let at = rng.random_range(0..bytes.len());
            bytes[at] ^= 1 << rng.random_range(0..7);
            text = String::from_utf8_lossy(&bytes).into_owned();
        }
        _ => {}
    }
    text
}

/// A table, an honest certificate about it, and the optima by what they are of.
struct Instance {
    known: Known,
    table: Table,
    honest: Certificate,
    optima: BTreeMap<String, f64>,
}

impl Instance {
    fn new(number: usize) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(number as u64);
        let loss = [Loss::Sse, Loss::Ncp, Loss::NcpBinary][number % 3];
        let few = number % 4 < 3;
        let least = if few { 2 + number / 3 % 2 } else { 2 };
        let model = if (number / 6).is_multiple_of(2) {
            Model::KAnonymity { k: least }
        } else {
            Model::MInvariance { m: least }
        };
        let method: Method =
            [MethodName::ColumnGeneration, MethodName::Annealing, MethodName::Auto][number / 2 % 3].into();
        let different = [5, 4_000][rng.random_range(0..2)];
        let known = Known::new(if few { FEW } else { 24 }, different, &mut rng);
        let table = known.table();
        let prepared = prepare(&table, &settings(model, loss, method), &Ctx::silent()).unwrap();
        let answer = solve(prepared.job(), &Ctx::silent()).unwrap();
        let honest = certify::certificate(&prepared, &answer).unwrap();
        let bound = answer.bound.map_or(0.0, |bound| bound.value);
        let (_, verified) = accepted(&table, &honest.to_json().unwrap()).unwrap();
        assert!(verified.bound >= honest.bound && honest.bound <= bound.max(0.0) * (1.0 + 1e-9), "{number}");
        Self { known, table, honest, optima: BTreeMap::new() }
    }

    /// Fails if what was accepted is not true.
    fn judge(&mut self, certificate: &Certificate, verified: &Verified) {
        let said = format!("{:?} {:?} {:?}", certificate.rule, certificate.loss, certificate.rows);
        assert!(certificate.bound <= verified.bound, "{said}");
        let rows: Vec<usize> =
            certificate.records(self.table.rows).unwrap().iter().map(|&row| row as usize).collect();
        if rows.len() <= FEW {
            let known = &self.known;
            let optimum = || known.optimum(&rows, certificate.rule, certificate.loss);
            let optimum = *self.optima.entry(said.clone()).or_insert_with(optimum);
            let allowed = optimum + 1e-9 * optimum.abs().max(1e-3);
            assert!(verified.bound <= allowed, "{} {optimum} {said}", verified.bound);
        } else {
            assert!(certificate.rule.least() <= 3, "the oracle looks at classes of five at most");
            let least = self.known.least_reduced_cost(&rows, certificate);
            let mass: f64 = certificate.duals.iter().map(|dual| dual.abs()).sum();
            assert!(least >= -certificate.tolerance - 1e-13 * mass, "{least} {said}");
        }
    }
}

#[test]
fn no_altered_certificate_claims_more_than_is_true() {
    let mut instances: Vec<Instance> = (0..24).map(Instance::new).collect();
    assert!(instances.iter().filter(|instance| instance.honest.bound > 0.0).count() > 18);
    assert!(instances.iter().any(|instance| !instance.honest.cuts.is_empty()), "cuts are attacked, too");
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (mut held, mut refused) = (0, 0);
    for number in 0..ALTERED {
        let instance = number % instances.len();
        let instance = &mut instances[instance];
        let text = altered(&instance.honest, &mut rng);
        match accepted(&instance.table, &text) {
            Ok((certificate, verified)) => {
                instance.judge(&certificate, &verified);
                held += 1;
            }
            Err(_) => refused += 1,
        }
    }
    // Both happen often: some alterations claim less, or nothing.
    assert!(held > 100 && refused > 1_000, "{held} {refused}");
}

/// Among some thousand records no oracle looks at every class, but one of them is known to be too cheap: duals of its members are raised until
/// it is.
#[test]
fn a_class_that_is_too_cheap_is_found_at_any_size() {
    for (number, (loss, model)) in [
        (Loss::Sse, Model::KAnonymity { k: 5 }),
        (Loss::Sse, Model::MInvariance { m: 3 }),
        (Loss::Ncp, Model::KAnonymity { k: 4 }),
        (Loss::NcpBinary, Model::MInvariance { m: 2 }),
    ]
    .into_iter()
    .enumerate()
    {
        let mut rng = ChaCha8Rng::seed_from_u64(100 + number as u64);
        let known = Known::new(1_500, [4_000, 30][number % 2], &mut rng);
        let table = known.table();
        let settings = Settings { bound: BoundWork::Quick, ..settings(model, loss, MethodName::Auto.into()) };
        let settings = Settings { budget: Budget::Effort(0.2), ..settings };
        let prepared = prepare(&table, &settings, &Ctx::silent()).unwrap();
        let answer = solve(prepared.job(), &Ctx::silent()).unwrap();
        let honest = certify::certificate(&prepared, &answer).unwrap();
        assert!(accepted(&table, &honest.to_json().unwrap()).is_ok() && honest.bound > 0.0);
        let rows: Vec<usize> = (0..table.rows).collect();
        let mean = honest.bound / rows.len() as f64;
        for _ in 0..40 {
            let first = rng.random_range(0..rows.len());
            let square =
                |row: usize, axis: usize| (known.numbers[first][axis] - known.numbers[row][axis]).powi(2);
            let apart = |row: &usize| square(*row, 0) + square(*row, 1);
            let mut near: Vec<(f64, usize)> = rows.iter().map(|row| (apart(row), *row)).collect();
            near.sort_by(|a, b| a.0.total_cmp(&b.0));
            let size = rng.random_range(model_least(model)..2 * model_least(model));
            let mut class = vec![first];
            for (_, row) in near.into_iter().take(60) {
                let longer: Vec<usize> = class.iter().copied().chain([row]).collect();
                let rule = match model {
                    Model::KAnonymity { .. } => Rule::MinSize { k: 1 },
                    Model::MInvariance { .. } => Rule::Distinct { m: 1 },
                };
                let takes = class.len() < size && row != first && rng.random_bool(0.4);
                if takes && known.is_admissible(&longer, rule) {
                    class = longer;
                }
            }
            if class.len() < size {
                continue;
            }
            let duals: f64 = class.iter().map(|&row| honest.duals[row]).sum();
            let reduced = known.cost(&rows, &class, honest.loss) - duals;
            let mut forged = honest.clone();
            forged.duals[class[rng.random_range(0..size)]] += reduced + 1e-5 * mean;
            let refused = accepted(&table, &forged.to_json().unwrap());
            assert!(matches!(refused, Err(Refusal::Negative { .. })), "{number} {class:?} {refused:?}");
        }
    }
}

fn model_least(model: Model) -> usize {
    certify::rule(model).least()
}
