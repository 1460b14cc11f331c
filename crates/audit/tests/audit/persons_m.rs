//! m-uniqueness of persons with several rows, judged by hand and by damage.

use lookalike_audit::{Guarantee, JudgedPersons, Persons, Subject, judge_persons};

use crate::common::{csv, failed, question, rows, words};

/// Two classes of two persons each: A has flu in two rows, and gout.
const RELEASE: &str = "age sex class disease
[20-29] f 1 cold
[20-29] f 1 flu
[20-29] f 1 flu
[20-29] f 1 gout
[30-39] m 2 flu
[30-39] m 2 gout
[30-39] m 2 gout";
/// Row, class, person, disease.
const SOURCE: &str = "0 1 A flu
1 2 c flu
2 1 a flu
3 1 A gout
4 - d flu
5 1 B cold
6 2 d gout
7 2 d gout";

fn judged(release: &str, source: &str, m: usize) -> JudgedPersons {
    let source: Vec<Vec<&str>> = source.lines().map(|line| line.split(' ').collect()).collect();
    let class = |row: &[&str]| if row[1] == "-" { String::new() } else { row[1].to_owned() };
    let lines: Vec<String> = source.iter().map(|row| format!("{},{}\n", row[0], class(row))).collect();
    let keys: Vec<&str> = source.iter().map(|row| row[2]).collect();
    let sensitive: Vec<&str> = source.iter().map(|row| row[3]).collect();
    let linking = format!("row,class\n{}", lines.concat());
    let persons = Persons { linking: linking.as_bytes(), keys: &keys, sensitive: &sensitive };
    judge_persons(&csv(&rows(release)), &question(Guarantee::MUnique { m }), &persons, None).unwrap()
}

fn finding(found: &JudgedPersons, name: &Subject) -> String {
    words(&[&found.verdict.checks.iter().find(|check| check.name == *name).unwrap().finding]).remove(0)
}

#[test]
fn a_value_in_several_rows_of_one_person_fails_nothing() {
    let found = judged(RELEASE, SOURCE, 2);
    assert_eq!(failed(&found.verdict), []);
    let named: Vec<&Subject> = found.verdict.checks.iter().map(|check| &check.name).collect();
    for of_rows in [
        Subject::ClassSize,
        Subject::ClassValues,
        Subject::GroupValues,
        Subject::KnownValues,
        Subject::RareValues,
    ] {
        assert!(!named.contains(&&of_rows), "{of_rows:?}");
    }
    assert_eq!(
        finding(&found, &Subject::ClassOwners),
        "each sensitive value of a class is held by one of its people only (2 classes)"
    );
    assert_eq!(
        finding(&found, &Subject::GroupOwners),
        "the most frequent value of a group is held by 1 of 2 people; at most 1/2 is allowed"
    );
    assert_eq!(
        finding(&found, &Subject::KnownPersons),
        "every class has at least 2 people, each with a known value"
    );
    assert!(finding(&found, &Subject::RareOwners).starts_with("1 of 3 values held by a single person"));
    assert_eq!(found.verdict.risk.highest_attribute_disclosure, Some(0.5));
    // Three rows are not three persons.
    let strict = judged(RELEASE, SOURCE, 3);
    assert_eq!(failed(&strict.verdict), [Subject::ClassPersons, Subject::GroupPersons, Subject::GroupOwners]);
}

#[test]
fn two_persons_with_one_value_are_found() {
    // In the source and what is published of it.
    let (release, source) = (RELEASE.replace("f 1 cold", "f 1 flu"), SOURCE.replace("B cold", "B flu"));
    let found = judged(&release, &source, 2);
    assert_eq!(failed(&found.verdict), [Subject::ClassOwners, Subject::GroupOwners]);
    let check = found.verdict.checks.iter().find(|check| check.name == Subject::ClassOwners).unwrap();
    assert_eq!(words(&check.witnesses), ["class '1': 'flu' is held by 2 of 2 people"]);
    assert!(
        finding(&found, &Subject::ClassOwners)
            .starts_with("1 of 2 classes with a value that several people hold")
    );
    // In one of the two alone: then these are not the rows of the source.
    for (release, source, expected) in [
        (release.as_str(), SOURCE, &[Subject::Linked][..]),
        (RELEASE, source.as_str(), &[Subject::Linked, Subject::ClassOwners, Subject::GroupOwners]),
        // Somebody else's row.
        (RELEASE, &SOURCE.replace("2 1 a flu", "2 1 B flu"), &[Subject::ClassOwners, Subject::GroupOwners]),
    ] {
        assert_eq!(failed(&judged(release, source, 2).verdict), expected, "{source}");
    }
}

#[test]
fn a_group_of_two_classes_may_hold_a_value_once_for_each() {
    let alike = RELEASE.replace("[30-39] m", "[20-29] f");
    let found = judged(&alike, SOURCE, 2);
    assert_eq!((failed(&found.verdict), found.verdict.risk.smallest_group), (vec![], 4));
    assert_eq!(
        finding(&found, &Subject::GroupOwners),
        "the most frequent value of a group is held by 2 of 4 people; at most 1/2 is allowed"
    );
}

#[test]
fn persons_without_a_known_value_are_counted() {
    let (release, source) = (RELEASE.replace("f 1 cold", "f 1 ?"), SOURCE.replace("B cold", "B ?"));
    let text = "age sex class disease\n".to_owned()
        + &{
            let mut lines: Vec<&str> = release.lines().skip(1).collect();
            lines[..4].sort_unstable();
            lines.join("\n")
        };
    let found = judged(&text, &source, 2);
    assert_eq!(failed(&found.verdict), []);
    assert_eq!(
        finding(&found, &Subject::KnownPersons),
        "every class has at least 2 people, at least 1 of them with a known value, not counting '?' (not known)"
    );
}
