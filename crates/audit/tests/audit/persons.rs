//! Tables of persons with several rows, judged by hand and by damage.

use std::fmt::Write as _;

use lookalike_audit::{Error, Guarantee, JudgedPersons, Persons, Question, Subject, judge_persons};
use proptest::prelude::*;

use crate::common::{csv, failed, question, rows, words};

/// Two classes of two persons each: A has three rows of five.
const RELEASE: &str = "age sex class disease
[20-29] f 1 cold
[20-29] f 1 flu
[20-29] f 1 flu
[20-29] f 1 gout
[20-29] f 1 gout
[30-39] m 2 cold
[30-39] m 2 gout";
/// Row, class, person, disease.
const SOURCE: &str = "0 1 A flu
1 2 c cold
2 1 a flu
3 1 B gout
4 - d flu
5 1 B cold
6 1 A gout
7 2 d gout";

fn judged(release: &str, source: &str, k: usize) -> Result<JudgedPersons, Error> {
    let source: Vec<Vec<&str>> = source.lines().map(|line| line.split(' ').collect()).collect();
    let class = |row: &[&str]| if row[1] == "-" { String::new() } else { row[1].to_owned() };
    let lines: Vec<String> = source.iter().map(|row| format!("{},{}\n", row[0], class(row))).collect();
    let keys: Vec<&str> = source.iter().map(|row| row[2]).collect();
    let sensitive: Vec<&str> = source.iter().map(|row| row[3]).collect();
    let linking = format!("row,class\n{}", lines.concat());
    let persons = Persons { linking: linking.as_bytes(), keys: &keys, sensitive: &sensitive };
    judge_persons(&csv(&rows(release)), &question(Guarantee::KAnonymity { k }), &persons, None)
}

#[test]
fn persons_are_counted_and_not_rows() {
    let found = judged(RELEASE, SOURCE, 2).unwrap();
    assert_eq!(failed(&found.verdict), []);
    assert_eq!((found.count, found.in_class), (4, (2, 2)));
    assert_eq!((found.verdict.risk.smallest_group, found.risks.records, found.risks.groups), (2, 4, 2));
    assert_eq!(found.risks.prosecutor.highest, 0.5);
    // Both A and B have gout in a row, so everybody of the first class has.
    assert_eq!(found.verdict.risk.highest_attribute_disclosure, Some(1.0));
    // Three rows and two; in the second class nobody is told from the other.
    assert_eq!((found.told.most, found.told.alone, found.told.groups), (3, 2, 1));
    assert_eq!(found.told.largest_share, 0.6);
    let finding = |name: &Subject| {
        words(&[&found.verdict.checks.iter().find(|check| check.name == *name).unwrap().finding]).remove(0)
    };
    assert_eq!(finding(&Subject::ClassPersons), "2 classes, the smallest with 2 people; at least 2 needed");
    assert_eq!(finding(&Subject::GroupPersons), "2 groups, the smallest with 2 people; at least 2 needed");
    // Five rows are not five persons.
    let strict = judged(RELEASE, SOURCE, 3).unwrap();
    assert_eq!(failed(&strict.verdict), [Subject::ClassPersons, Subject::GroupPersons]);
    let witnesses = words(&strict.verdict.checks[0].witnesses);
    assert_eq!(witnesses, ["class '1': 2 people in 5 rows", "class '2': 2 people in 2 rows"]);
}

#[test]
fn each_damage_is_found() {
    for (from, to, subjects) in [
        // The same person in two classes; both still have two persons each.
        ("7 2 d gout", "7 2 a gout", &[Subject::PersonClass][..]),
        // Rows of one person alone in a class.
        ("7 2 d gout", "7 2 C gout", &[Subject::ClassPersons, Subject::GroupPersons]),
        // A row that the key does not put where it is published.
        ("7 2 d gout", "7 - d gout", &[Subject::ClassPersons, Subject::GroupPersons, Subject::Linked]),
        ("4 - d flu", "4 2 d flu", &[Subject::Linked]),
        // Rows of the right number, but not these.
        ("7 2 d gout", "7 2 d flu", &[Subject::Linked]),
        // Classes that nobody published, lines that are no row.
        ("4 - d flu", "4 3 d flu", &[Subject::Linked]),
        ("4 - d flu", "9 - d flu", &[Subject::Linked]),
    ] {
        let found = judged(RELEASE, &SOURCE.replace(from, to), 2).unwrap();
        assert_eq!(failed(&found.verdict), subjects, "{from} -> {to}");
    }
    // A group of two classes has the persons of both.
    let alike = RELEASE.replace("[30-39] m", "[20-29] f");
    let found = judged(&alike, SOURCE, 2).unwrap();
    assert_eq!((failed(&found.verdict), found.verdict.risk.smallest_group), (vec![], 4));
}

#[test]
fn without_a_class_column_nobody_can_be_linked() {
    let persons = Persons { linking: b"row,class\n0,1\n", keys: &["a"], sensitive: &[] };
    let asked = Question { sensitive: None, ..question(Guarantee::KAnonymity { k: 2 }) };
    let found = judge_persons(b"age,sex\n1,f\n", &asked, &persons, None);
    assert_eq!(found, Err(Error::NoClassOfLinks));
    // A key that is no table is refused, whatever it holds.
    let persons = Persons { linking: b"row;class", ..persons };
    assert!(judge_persons(b"age,sex,class\n1,f,1\n", &asked, &persons, None).is_err());
}

proptest! {
    /// Persons of classes and groups, counted in pairs of rows.
    #[test]
    fn figures_are_those_of_counting(
        rows in prop::collection::vec((0..4_u8, 0..6_u8), 1..30),
        ages in prop::collection::vec(0..2_u8, 4),
        k in 2..4_usize,
    ) {
        let mut rows = rows;
        rows.sort_by_key(|&(class, _)| (ages[class as usize], class));
        let mut labels: Vec<u8> = rows.iter().map(|row| row.0).collect();
        labels.dedup();
        let label = |class: u8| labels.iter().position(|&other| other == class).unwrap() + 1;
        let (mut release, mut linking) = (String::from("age,class\n"), String::from("row,class\n"));
        for (at, (class, _)) in rows.iter().enumerate() {
            writeln!(release, "{},{}", ages[*class as usize], label(*class)).unwrap();
            writeln!(linking, "{at},{}", label(*class)).unwrap();
        }
        let names: Vec<String> = rows.iter().map(|(_, person)| format!("p{person}")).collect();
        let keys: Vec<&str> = names.iter().map(String::as_str).collect();
        let asked = Question { quasi: vec![String::from("age")], sensitive: None, ..question(Guarantee::KAnonymity { k }) };
        let persons = Persons { linking: linking.as_bytes(), keys: &keys, sensitive: &[] };
        let found = judge_persons(release.as_bytes(), &asked, &persons, None).unwrap();
        let count = |of: &dyn Fn(u8) -> bool| {
            (0..6).filter(|person| rows.iter().any(|&(class, own)| own == *person && of(class))).count()
        };
        let classes: Vec<usize> = labels.iter().map(|&class| count(&|other| other == class)).collect();
        let groups: Vec<usize> = (0..2)
            .map(|age| count(&|class| ages[class as usize] == age))
            .filter(|&persons| persons > 0)
            .collect();
        let split = (0..6).any(|person| {
            let mut own = rows.iter().filter(|row| row.1 == person).map(|row| row.0);
            let first = own.next();
            own.any(|class| Some(class) != first)
        });
        prop_assert_eq!(found.in_class, (*classes.iter().min().unwrap(), *classes.iter().max().unwrap()));
        prop_assert_eq!(found.verdict.risk.smallest_group, *groups.iter().min().unwrap());
        let holds = |name: &Subject| found.verdict.checks.iter().find(|check| check.name == *name).unwrap().passed;
        prop_assert_eq!(holds(&Subject::ClassPersons), classes.iter().all(|&persons| persons >= k));
        prop_assert_eq!(holds(&Subject::GroupPersons), groups.iter().all(|&persons| persons >= k));
        prop_assert_eq!(holds(&Subject::PersonClass), !split);
        prop_assert!(holds(&Subject::Linked));
        // How many rows a person has in a group is nobody else's number there.
        let alone = (0..2).map(|age| {
            let of = |person: u8| rows.iter().filter(|row| row.1 == person && ages[row.0 as usize] == age).count();
            let numbers: Vec<usize> = (0..6).map(of).filter(|&n| n > 0).collect();
            numbers.iter().filter(|n| numbers.iter().filter(|m| m == n).count() == 1).count()
        });
        prop_assert_eq!(found.told.alone, alone.sum::<usize>());
    }
}
