//! On tiny tables a proven loss is the least of all partitions by groups of values, and is said to be that.

use std::{collections::BTreeSet, fmt::Write as _};

use lookalike_tests::program::Folder;

use super::{Draws, confirm, groups, line, printed};

/// The least sum of squared errors of all partitions of these points into classes of at least m, no two of which `clash`.
fn least(points: &[f64], m: usize, clash: &dyn Fn(usize, usize) -> bool) -> Option<f64> {
    fn place(
        at: usize,
        classes: &mut Vec<Vec<usize>>,
        points: &[f64],
        m: usize,
        clash: &dyn Fn(usize, usize) -> bool,
    ) -> Option<f64> {
        if at == points.len() {
            return classes.iter().all(|class| class.len() >= m).then(|| {
                let errors = |class: &Vec<usize>| squared(class.iter().map(|&i| points[i]));
                classes.iter().map(errors).sum()
            });
        }
        let mut best: Option<f64> = None;
        let mut keep = |found: Option<f64>| {
            best = match (best, found) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            };
        };
        for class in 0..classes.len() {
            if classes[class].iter().all(|&other| !clash(at, other)) {
                classes[class].push(at);
                keep(place(at + 1, classes, points, m, clash));
                classes[class].pop();
            }
        }
        classes.push(vec![at]);
        keep(place(at + 1, classes, points, m, clash));
        classes.pop();
        best
    }
    place(0, &mut Vec::new(), points, m, clash)
}

fn squared(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let mean = values.clone().sum::<f64>() / values.clone().count() as f64;
    values.map(|value| (value - mean) * (value - mean)).sum()
}

/// Runs column generation on ages and values of persons; its loss as a share of the whole, beside the least of this model and the
/// least of classes that only keep persons with a common value apart.
fn solved(of: &[Vec<(f64, &str)>], m: usize) -> (Folder, Option<[f64; 3]>) {
    let mut text = String::from("patient,age,ill\n");
    for (person, rows) in of.iter().enumerate() {
        for (age, ill) in rows {
            writeln!(text, "p{person},{age},{ill}").unwrap();
        }
    }
    let folder = Folder::new();
    folder.write("in.csv", &text);
    let mean = |rows: &Vec<(f64, &str)>| rows.iter().map(|row| row.0).sum::<f64>() / rows.len() as f64;
    let points: Vec<f64> = of.iter().map(mean).collect();
    let values: Vec<BTreeSet<&str>> = of.iter().map(|rows| rows.iter().map(|row| row.1).collect()).collect();
    let named = |set: &BTreeSet<&str>| set.iter().map(ToString::to_string).collect::<BTreeSet<String>>();
    let held = values.iter().enumerate().map(|(i, set)| (i.to_string(), named(set))).collect();
    let groups = groups(&held);
    let group = |i: usize| groups.iter().position(|group| !group.is_disjoint(&named(&values[i])));
    let strict = least(&points, m, &|i, j| group(i) == group(j));
    let loose = least(&points, m, &|i, j| !values[i].is_disjoint(&values[j]));
    let run = line(
        &folder,
        &format!(
            "anonymize in.csv --quasi age --sensitive ill --rows-are events-of=patient --model m-invariance --m {m} --seed 1 \
             --method column-generation --effort 20 -o out.csv --classes k.csv --report r.json --statement s.html"
        ),
    );
    let Some(strict) = strict else {
        assert_ne!(run.code, Some(0), "{text}");
        return (folder, None);
    };
    assert_eq!(run.code, Some(0), "{}{text}", run.stderr);
    let report = folder.json("r.json");
    assert!(report["status"].to_string().contains("optimal"), "{}", report["status"]);
    let all = squared(points.iter().copied());
    let share = |loss: f64| 100.0 * loss / all;
    let reached = report["objective"]["information_loss_percent"].as_f64().unwrap();
    (folder, Some([reached, share(strict), share(loose.unwrap())]))
}

#[test]
fn a_proven_loss_is_the_least_of_all_partitions_by_groups_of_values() {
    let mut draws = Draws(5);
    let (mut proven, mut stricter) = (0, 0);
    let names = ["q", "r", "s", "t", "u", "v", "w", "x", "y", "z"];
    for _ in 0..50 {
        let persons = 5 + draws.below(5);
        let m = 2 + usize::from(persons > 6 && draws.below(2) == 0);
        let rows = |draws: &mut Draws| {
            let usual = draws.below(10);
            let row = |draws: &mut Draws| {
                let value = if draws.below(8) == 0 { draws.below(10) } else { usual };
                ((20 + draws.below(40)) as f64, names[value as usize])
            };
            (0..=draws.below(4)).map(|_| row(draws)).collect::<Vec<_>>()
        };
        let of: Vec<Vec<(f64, &str)>> = (0..persons).map(|_| rows(&mut draws)).collect();
        let (folder, Some([reached, strict, loose])) = solved(&of, m) else { continue };
        confirm_ages(&folder);
        assert!((reached - strict).abs() < 1e-6, "{reached}, but {strict} is the least: {of:?}");
        assert!(loose <= strict + 1e-9);
        proven += 1;
        stricter += usize::from(loose < strict - 1e-9);
    }
    assert!(proven >= 20 && stricter >= 2, "{proven} proven, {stricter} of them stricter");
}

/// The published files of a table without places.
fn confirm_ages(folder: &Folder) {
    for name in ["in.csv", "out.csv"] {
        let text = String::from_utf8(folder.read(name)).unwrap();
        let mut lines = text.lines();
        let mut placed = format!("{},place\n", lines.next().unwrap());
        lines.for_each(|line| writeln!(placed, "{line},here").unwrap());
        folder.write(name, placed);
    }
    confirm(folder, 2);
}

/// Nobody has a value in common with the other at the same age, but a third person has both values.
#[test]
fn what_is_proven_is_said_to_be_of_groups_of_values() {
    let one = |age: f64, ill: &'static str| vec![(age, ill)];
    let linked = [
        one(20.0, "x"),
        one(20.0, "z"),
        vec![(30.0, "x"), (30.0, "z")],
        one(30.0, "u"),
        one(50.0, "v"),
        one(50.0, "w"),
    ];
    let (folder, Some([reached, strict, loose])) = solved(&linked, 2) else { panic!("is eligible") };
    assert!((reached - strict).abs() < 1e-6 && loose < 1e-9 && strict > 1.0, "{reached} {strict} {loose}");
    let statement = String::from_utf8(folder.read("s.html")).unwrap();
    for said in [
        "m-invariance with m = 2",
        "Each class has at least 2 people, and each sensitive value of a class is of one of them only",
        "how many rows a person has, or can count them",
        "proven: nothing better exists that keeps people of linked sensitive values apart",
        "It promises nothing about the number of rows of a person",
        "the 5 values of \"ill\" count as 4 values",
    ] {
        assert!(
            statement.replace("&quot;", "\"").replace(['“', '”'], "\"").contains(said),
            "{said}: {statement}"
        );
    }
    let again = line(
        &folder,
        "anonymize in.csv --quasi age --sensitive ill --rows-are events-of=patient --model m-invariance --m 2 --seed 1 \
         --method column-generation --effort 20 -o out.csv",
    );
    let told = printed(&again);
    for said in [
        "m-invariance, m = 2: 6 people in 7 rows",
        "proven optimal among partitions that keep people of linked sensitive values apart",
        "values that one person holds are linked, and up to 2 of them count as one",
    ] {
        assert!(told.contains(said), "{said}: {told}");
    }
    // With one value each, values are groups, and a proof is of all partitions.
    let single =
        [one(20.0, "x"), one(21.0, "z"), one(30.0, "x"), one(30.0, "u"), one(50.0, "v"), one(50.0, "w")];
    let (folder, Some([reached, strict, loose])) = solved(&single, 2) else { panic!("is eligible") };
    assert!((reached - strict).abs() < 1e-6 && (strict - loose).abs() < 1e-9);
    let statement = String::from_utf8(folder.read("s.html")).unwrap();
    assert!(
        statement.contains("proven: nothing better exists") && !statement.contains("linked"),
        "{statement}"
    );
}
