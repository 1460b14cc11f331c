//! Certificates of the certainty penalty against brute force over all classes and partitions, and widths by hand.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests; the lint's exception for tests covers test functions only"
)]

use lookalike_audit::certificate::{
    Attribute, Certificate, Loss, Meaning, Refusal, Rule, SubsetRow, Width, WidthKind, Widths,
    verify_penalty, widths,
};
use lookalike_table::{NumberFormat, ReadOptions, Reading, hierarchy::Hierarchy, read};
use proptest::prelude::*;

#[derive(Clone, Debug)]
struct Case {
    widths: Widths,
    rule: Rule,
    binary: bool,
    duals: Vec<f64>,
    cuts: Vec<SubsetRow>,
}

impl Case {
    fn verify(&self, bound: f64) -> Result<f64, Refusal> {
        self.judge(Certificate::new(self.rule, bound, 1e-9, self.duals.clone(), self.cuts.clone()))
    }

    /// With an optimum that is claimed beside what the duals prove.
    fn settle(&self, optimum: f64) -> Result<f64, Refusal> {
        let duals = self.duals.clone();
        let certificate = Certificate::largest(self.rule, 1e-9, Vec::new(), duals, self.cuts.clone());
        self.judge(certificate.optimal(optimum))
    }

    fn judge(&self, certificate: Certificate) -> Result<f64, Refusal> {
        let certificate = certificate.under(if self.binary { Loss::NcpBinary } else { Loss::Ncp });
        // Through the file, as it will be.
        let certificate = Certificate::from_json(&certificate.to_json().unwrap()).unwrap();
        verify_penalty(&self.widths, self.rule, &certificate, 1_000_000).map(|v| v.bound)
    }

    fn members(&self, mask: u32) -> Vec<usize> {
        (0..self.duals.len()).filter(|i| mask >> i & 1 == 1).collect()
    }

    fn is_admissible(&self, mask: u32) -> bool {
        let members = self.members(mask);
        let colours = self.widths.colours.as_ref().unwrap();
        let mut own: Vec<u32> = members.iter().map(|&i| colours[i]).collect();
        own.sort_unstable();
        own.dedup();
        members.len() >= self.rule.least()
            && (matches!(self.rule, Rule::MinSize { .. }) || own.len() == members.len())
    }

    fn cost(&self, mask: u32) -> f64 {
        let members = self.members(mask);
        let of = |width: &Width| {
            let mut values: Vec<f64> = members.iter().map(|&i| width.values[i]).collect();
            values.sort_by(f64::total_cmp);
            values.dedup();
            let (first, last) = (values[0], values[values.len() - 1]);
            let part = match &width.kind {
                WidthKind::Number => last - first,
                WidthKind::Labels(levels) if self.binary && values.len() > 1 => {
                    values.len() as f64 / f64::from(*levels)
                }
                WidthKind::Labels(levels) => (values.len() - 1) as f64 / f64::from(*levels),
                WidthKind::Leaves(joins) => {
                    joins[first as usize..last as usize].iter().fold(0.0, |most: f64, &x| most.max(x))
                }
            };
            width.weight * part
        };
        members.len() as f64 * self.widths.attributes.iter().map(of).sum::<f64>()
    }

    fn reduced_cost(&self, mask: u32) -> f64 {
        let duals: f64 = self.members(mask).iter().map(|&i| self.duals[i]).sum();
        let inside = |cut: &SubsetRow| {
            cut.records.iter().filter(|&&r| mask >> r & 1 == 1).count() / cut.divisor as usize
        };
        let cuts: f64 = self.cuts.iter().map(|cut| cut.sigma * inside(cut) as f64).sum();
        self.cost(mask) - duals + cuts
    }

    /// The least reduced cost of an admissible class of up to twice the least size, less one.
    fn least_reduced_cost(&self) -> f64 {
        let most = 2 * self.rule.least();
        let classes = (1..1_u32 << self.duals.len())
            .filter(|&mask| (mask.count_ones() as usize) < most && self.is_admissible(mask));
        classes.map(|mask| self.reduced_cost(mask)).fold(f64::INFINITY, f64::min)
    }

    /// The least cost of a partition, infinite if there is none.
    fn optimum(&self) -> f64 {
        let all = (1_u32 << self.duals.len()) - 1;
        let mut best = vec![f64::INFINITY; all as usize + 1];
        best[0] = 0.0;
        for mask in 1..=all {
            let first = mask & mask.wrapping_neg();
            let mut class = mask;
            while class > 0 {
                if class & first != 0 && self.is_admissible(class) {
                    let total = best[(mask ^ class) as usize] + self.cost(class);
                    best[mask as usize] = best[mask as usize].min(total);
                }
                class = (class - 1) & mask;
            }
        }
        best[all as usize]
    }

    fn claim(&self) -> f64 {
        let cuts: f64 =
            self.cuts.iter().map(|c| c.sigma * (c.records.len() / c.divisor as usize) as f64).sum();
        self.duals.iter().sum::<f64>() - cuts
    }

    /// Lowers duals until no class has a negative reduced cost, class after class.
    fn repair(&mut self) {
        for mask in
            (1..1_u32 << self.duals.len()).filter(|&mask| self.is_admissible(mask)).collect::<Vec<_>>()
        {
            let excess = -self.reduced_cost(mask) / f64::from(mask.count_ones());
            if excess > 0.0 {
                for i in self.members(mask) {
                    self.duals[i] -= excess;
                }
            }
        }
    }
}

fn attribute(n: usize) -> impl Strategy<Value = Width> {
    let weight = prop_oneof![Just(0.0), Just(0.5), 0.0..1.0_f64];
    let numbers =
        prop::collection::vec(prop_oneof![(0_u32..5).prop_map(|x| f64::from(x) / 4.0), 0.0..1.0_f64], n);
    let labels = prop::collection::vec((0_u32..4).prop_map(f64::from), n);
    let leaves = (prop::collection::vec((0_u32..5).prop_map(|x| f64::from(x) / 4.0), 3), labels.clone());
    let values = prop_oneof![
        numbers.prop_map(|v| (v, WidthKind::Number)),
        labels.prop_map(|v| (v, WidthKind::Labels(4))),
        leaves.prop_map(|(joins, v)| (v, WidthKind::Leaves(joins))),
    ];
    (weight, values).prop_map(|(weight, (values, kind))| Width { weight, kind, values })
}

fn cases(most: usize) -> impl Strategy<Value = Case> {
    (2_usize..=most, 2_usize..5, any::<bool>(), any::<bool>()).prop_flat_map(
        |(n, least, distinct, binary)| {
            let least = least.min(n);
            let rule = if distinct { Rule::Distinct { m: least } } else { Rule::MinSize { k: least } };
            let set = prop::collection::btree_set(0..n as u32, 1..=n.min(7));
            let cut =
                (set, 2..=4_u32, prop_oneof![Just(0.0), 0.0..1.0_f64]).prop_map(|(set, divisor, sigma)| {
                    SubsetRow { records: set.into_iter().collect(), divisor, sigma }
                });
            let colours = prop::collection::vec(0_u32..6, n);
            let attributes = prop::collection::vec(attribute(n), 1..4);
            let duals = prop::collection::vec(-0.3..1.0_f64, n);
            (attributes, colours, duals, prop::collection::vec(cut, 0..4)).prop_map(
                move |(attributes, colours, duals, cuts)| Case {
                    widths: Widths { attributes, colours: Some(colours) },
                    rule,
                    binary,
                    duals,
                    cuts,
                },
            )
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_duals_are_judged_as_by_enumeration(case in cases(9)) {
        let verdict = case.verify(-1e6);
        if case.optimum().is_infinite() {
            prop_assert!(matches!(&verdict, Err(Refusal::Mismatch(_))), "{:?}", verdict);
            return Ok(());
        }
        let least = case.least_reduced_cost();
        if least > 1e-12 {
            prop_assert!(verdict.is_ok(), "{} {:?}", least, verdict);
        }
        // Without colours every class of these sizes is looked at.
        if least < -1e-8 && matches!(case.rule, Rule::MinSize { .. }) {
            prop_assert!(matches!(&verdict, Err(Refusal::Negative { .. })), "{} {:?}", least, verdict);
        }
    }

    #[test]
    fn an_optimum_is_verified_and_nothing_above_it(mut case in cases(10), less in 0.0..0.2_f64) {
        prop_assume!(case.optimum().is_finite());
        case.repair();
        case.duals.iter_mut().for_each(|dual| *dual -= less);
        let best = case.optimum();
        let found = case.settle(best - 1e-7).map_err(|e| TestCaseError::fail(format!("{best}: {e}")))?;
        prop_assert!(found >= best - 1e-7 - 1e-12);
        let above = matches!(case.settle(best + 1e-6), Err(Refusal::Better { loss, .. }) if loss <= best + 1e-6);
        prop_assert!(above);
    }

    #[test]
    fn what_is_verified_is_a_bound(mut case in cases(10), at in any::<prop::sample::Index>()) {
        prop_assume!(case.optimum().is_finite());
        case.repair();
        let claim = case.claim() - 1e-7;
        let bound = case.verify(claim).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert!(bound >= claim && bound <= case.optimum() + 1e-9, "{} {}", bound, case.optimum());
        let more = matches!(case.verify(claim + 1e-3), Err(Refusal::Claim { .. }));
        prop_assert!(more);
        // One dual more: refused unless no class with it was that tight.
        let record = at.index(case.duals.len());
        case.duals[record] += 0.1;
        match case.verify(claim) {
            Ok(bound) => prop_assert!(bound <= case.optimum() + 1e-9),
            Err(refusal) => prop_assert!(matches!(refusal, Refusal::Negative { .. }), "{}", refusal),
        }
    }
}

#[test]
fn widths_by_hand() {
    let table =
        read(b"age,city,ill\n20,X,a\n30,?,b\n60,Y,a\n?,Z,c\n90,X,b\n", &ReadOptions::default()).unwrap();
    let number = Attribute {
        column: 0,
        reading: Reading::Numbers(NumberFormat::PLAIN),
        weight: 0.75,
        bottom: None,
        top: Some(60.0),
        domain: None,
        hierarchy: None,
    };
    let label = Attribute { column: 1, reading: Reading::Labels, weight: 0.25, ..number.clone() };
    let meaning =
        Meaning { attributes: vec![number, label], colours: Some(2), markers: vec![String::from("?")] };
    let all = widths(&table, &[0, 1, 2, 3, 4], &meaning).unwrap();
    assert_eq!(all.attributes[0].values, [0.0, 0.25, 1.0, 0.5, 1.0]);
    assert_eq!((all.attributes[0].weight, all.attributes[1].weight), (0.375, 0.375));
    assert_eq!(
        (&all.attributes[1].kind, &all.attributes[1].values[..]),
        (&WidthKind::Labels(2), &[0., 0., 0., 1., 0.][..])
    );
    assert_eq!(all.attributes[2].kind, WidthKind::Labels(4));
    let cities = &all.attributes[2].values;
    assert!(cities[0] == cities[4] && cities[0] != cities[1] && cities[1] != cities[2]);
    let ill = all.colours.unwrap();
    assert!(ill[0] == ill[2] && ill[1] == ill[4] && ill[0] != ill[3]);
    // Of three records no age is missing, and 30 is in the middle of nothing else.
    let few = widths(&table, &[0, 1, 2], &meaning).unwrap();
    assert_eq!((few.attributes.len(), few.attributes[0].weight), (2, 0.75));
    assert_eq!(
        (&few.attributes[0].values[..], &few.attributes[1].kind),
        (&[0.0, 0.25, 1.0][..], &WidthKind::Labels(3))
    );
    let refused =
        |rows: &[u32], meaning: &Meaning| matches!(widths(&table, rows, meaning), Err(Refusal::Mismatch(_)));
    assert!(refused(&[9], &meaning));
    assert!(refused(&[0], &Meaning { colours: Some(7), ..meaning.clone() }));
    assert!(refused(
        &[0, 1],
        &Meaning {
            markers: Vec::new(),
            attributes: vec![Attribute { column: 1, ..meaning.attributes[0].clone() }],
            colours: None
        }
    ));
}

#[test]
fn leaves_by_hand() {
    let table = read(b"zip,ill\nc,x\na,x\nd,y\n b,x\na,y\n?,x\nf,x\n", &ReadOptions::default()).unwrap();
    // Six values: a b are north; d e are se, with c south; f stands under the label of all alone.
    let rows =
        ["a;north;north;*", "b;north;north;*", "c;c;south;*", "d;se;south;*", "e;se;south;*", "f;f;f;*"];
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.split(';').map(String::from).collect()).collect();
    let attribute = Attribute {
        column: 0,
        reading: Reading::Labels,
        weight: 0.5,
        bottom: None,
        top: None,
        domain: None,
        hierarchy: Some(Hierarchy::new(&rows).unwrap()),
    };
    let meaning = Meaning { attributes: vec![attribute], colours: None, markers: vec![String::from("?")] };
    let found = widths(&table, &[0, 1, 2, 3, 4], &meaning).unwrap();
    // In the order a b c d: labels of 2, all 6, and 3 values.
    assert_eq!(found.attributes[0].kind, WidthKind::Leaves(vec![0.2, 1.0, 0.4]));
    assert_eq!(found.attributes[0].values, [2.0, 0.0, 3.0, 1.0, 0.0]);
    assert!(matches!(widths(&table, &[0, 5], &meaning), Err(Refusal::Mismatch(_))), "a missing cell");
}
