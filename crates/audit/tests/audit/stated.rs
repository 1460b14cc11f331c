//! The stated loss against the published bytes: worked by hand, and found wrong after any damage to either.

use std::collections::BTreeMap;

use lookalike_audit::{
    Check, Dialect,
    certificate::Loss,
    measure::{ColumnPenalty, ColumnReading, Domain, Open, Reading, Stated, domains, penalties, stated},
};
use lookalike_table::{NumberFormat, Reading as Compared};
use lookalike_testkit::three;

/// Ages from 20 to 80; three cities.
const RELEASE: &str = "age,city,class\n[20-30],\"{Bath, Hull}\",1\n[20-30],\"{Bath, Hull}\",1\n[50-80],Kent,2\n[50-80],Kent,2\n";

/// The penalty, each column with half the weight: ages 10, 10, 30 and 30 of 60 years, cities two times one step of three.
const PLAIN: f64 = 0.5 * (80.0 / 60.0) + 0.5 * (2.0 / 3.0);

/// The same with a set of two cities at two of three.
const BINARY: f64 = 0.5 * (80.0 / 60.0) + 0.5 * (4.0 / 3.0);

fn reading() -> Reading {
    let columns = [("age", Compared::Numbers(NumberFormat::PLAIN)), ("city", Compared::Labels)];
    let columns = columns.map(|(name, read)| (String::from(name), ColumnReading::As(read)));
    Reading { columns: columns.into(), ..Reading::default() }
}

fn counted(release: &str, reading: &Reading, real: Option<(&str, &[usize])>) -> Vec<ColumnPenalty> {
    let columns = ["age", "city"].map(String::from);
    penalties(release.as_bytes(), Dialect::PLAIN, &columns, reading, real).unwrap()
}

fn weights(age: f64) -> BTreeMap<String, f64> {
    [("age", age), ("city", 1.0 - age)].map(|(name, weight)| (String::from(name), weight)).into()
}

fn judged(release: &str, loss: Loss, value: f64) -> Check {
    stated(&counted(release, &reading(), None), &weights(0.5), Stated { loss, value, told: true }, None)
}

#[test]
fn the_loss_is_that_of_the_bytes() {
    for (loss, value) in [(Loss::Ncp, PLAIN), (Loss::NcpBinary, BINARY)] {
        let check = judged(RELEASE, loss, value);
        assert!(
            check.passed && check.finding.to_string().contains(&format!("{}, as stated", three(value))),
            "{check:?}"
        );
        // A little less or more, and the other loss's value, are found.
        for wrong in [value * (1.0 - 1e-6), value * (1.0 + 1e-6), 0.0, PLAIN + BINARY - value, f64::NAN] {
            let check = judged(RELEASE, loss, wrong);
            assert!(!check.passed && !check.finding.to_string().contains("as stated"), "{wrong}: {check:?}");
        }
    }
    let of = |age: f64| {
        let stated_loss = Stated { loss: Loss::Ncp, value: PLAIN, told: true };
        stated(&counted(RELEASE, &reading(), None), &weights(age), stated_loss, None).passed
    };
    assert!(of(0.5) && !of(0.8));
}

#[test]
fn another_release_has_another_loss() {
    for (from, to) in [
        ("[20-30]", "[20-31]"),
        ("[50-80]", "[55-80]"),
        ("[50-80]", "80"),
        ("\"{Bath, Hull}\"", "Bath"),
        ("\"{Bath, Hull}\"", "\"{Bath, Hull, Kent}\""),
        ("Kent", "*"),
    ] {
        let damaged = RELEASE.replacen(from, to, 1);
        assert_ne!(damaged, RELEASE);
        let check = judged(&damaged, Loss::Ncp, PLAIN);
        assert!(!check.passed, "{from} for {to}: {check:?}");
    }
}

#[test]
fn what_is_not_determined_is_said_and_what_may_not_be_told_is_not() {
    let columns = counted(RELEASE, &reading(), None);
    let of = |loss, told, open| stated(&columns, &weights(0.5), Stated { loss, value: PLAIN, told }, open);
    for check in [
        of(Loss::Sse, true, None),
        of(Loss::Ncp, true, Some(Open::Drawn)),
        of(Loss::Ncp, true, Some(Open::Braces(String::from("city")))),
    ] {
        let said = check.finding.to_string();
        assert!(
            check.passed && said.starts_with("not computed anew") && !said.contains("as stated"),
            "{said}"
        );
    }
    let said = of(Loss::Ncp, false, None).finding.to_string();
    assert!(!said.contains(|sign: char| sign.is_ascii_digit()), "{said}");
    // A column whose cells are of another form leaves it open, too.
    let check = judged(
        &RELEASE.replacen("[20-30]", "[20,30)", 1).replace("[20,30)", "\"[20,30)\""),
        Loss::Ncp,
        PLAIN,
    );
    assert!(check.finding.to_string().starts_with("not computed anew"), "{check:?}");
}

/// Of the first class one row is of a person: ages 10, 30 and 30 of 60 years, one step of three.
#[test]
fn counterfeits_do_not_count() {
    let columns = counted(RELEASE, &reading(), Some(("class", &[1, 2])));
    let of = |value| {
        let stated_loss = Stated { loss: Loss::Ncp, value, told: false };
        stated(&columns, &weights(0.5), stated_loss, None).passed
    };
    assert!(of(0.5 * (70.0 / 60.0) + 0.5 / 3.0) && !of(PLAIN));
}

#[test]
fn values_outside_a_domain_are_found() {
    let within = |age: (f64, f64), cities: &[&str]| {
        let cities = cities.iter().map(ToString::to_string).collect();
        let declared = [("age", Domain::Numbers(age.0, age.1)), ("city", Domain::Labels(cities))];
        let declared = declared.map(|(name, domain)| (String::from(name), domain)).into();
        let reading = Reading { domains: declared, ..reading() };
        domains(&counted(RELEASE, &reading, None)).unwrap()
    };
    let all = ["Bath", "Hull", "Kent"];
    assert!(
        within((20.0, 80.0), &all).passed && within((0.0, 120.0), &[&all[..], &["York"]].concat()).passed
    );
    for (age, cities) in [((20.0, 79.0), &all[..]), ((21.0, 80.0), &all), ((20.0, 80.0), &["Bath", "Kent"])] {
        let check = within(age, cities);
        assert!(!check.passed && check.finding.to_string().contains('2'), "{age:?} {cities:?}: {check:?}");
    }
    assert!(domains(&counted(RELEASE, &reading(), None)).is_none());
}
