use super::*;

fn rows(text: &str) -> Vec<Vec<String>> {
    text.split(' ').map(|row| row.split(';').map(String::from).collect()).collect()
}

fn column(cells: &[&str]) -> Column {
    Column {
        name: String::from("zip"),
        texts: false,
        cells: (0..cells.len() as u32).collect(),
        values: cells.iter().collect(),
    }
}

#[test]
fn the_lowest_common_level_is_that_of_the_tree() {
    // a and b meet at 1, c joins at 2, d has another root.
    let hierarchy = Hierarchy::new(&rows("a;ab;abc b;ab;abc c;c;abc d;d;d")).unwrap();
    assert_eq!((hierarchy.len(), hierarchy.height()), (4, 2));
    let places =
        |text: &str| -> Vec<usize> { text.split(' ').map(|value| hierarchy.find(value).unwrap()).collect() };
    for (values, level) in
        [("a", Some(0)), ("a a", Some(0)), ("b a", Some(1)), ("a c b", Some(2)), ("a d", None)]
    {
        assert_eq!(hierarchy.lowest_common(&places(values)), level, "{values}");
    }
    assert_eq!(hierarchy.node(0, 1), hierarchy.node(1, 1));
    assert_ne!(hierarchy.node(0, 1), hierarchy.node(2, 1));
}

#[test]
fn cells_are_found_whatever_white_space_is_around_them() {
    let hierarchy = Hierarchy::new(&rows("a;*")).unwrap();
    assert_eq!(hierarchy.find(" a "), Some(0));
    assert_eq!(hierarchy.find("A"), None);
}

#[test]
fn no_label_is_a_missing_value() {
    let hierarchy = Hierarchy::new(&rows("US;na;* DE;Europe;* ?;?;*")).unwrap();
    let markers = [String::from("?")];
    // What no row holds is never published, nor is what stands over a gap.
    assert_eq!(hierarchy.check_labels(&column(&["DE", "?"]), &markers), Ok(()));
    assert_eq!(
        hierarchy.check_labels(&column(&["DE", "?", "US"]), &markers).unwrap_err().to_string(),
        "the hierarchy generalises 'US' to 'na', which readers of the published table take for a missing value: give this label \
         another name"
    );
    let known = Hierarchy::new(&rows("US;America;unknown DE;Europe;unknown")).unwrap();
    assert!(known.check_labels(&column(&["DE"]), &markers).is_ok());
    assert!(known.check_labels(&column(&["DE"]), &[String::from("Unknown")]).is_err());
    // A value that is called so is itself.
    let own = Hierarchy::new(&rows("NA;NA;* DE;Europe;*")).unwrap();
    assert_eq!(own.check_labels(&column(&["DE", "NA"]), &markers), Ok(()));
    // Of a published table its cells are asked.
    assert_eq!(hierarchy.check_published(&column(&["Europe", "?"]), &markers), Ok(()));
    assert!(hierarchy.check_published(&column(&["Europe", "na"]), &markers).is_err());
}

#[test]
fn a_lacking_value_is_named_with_its_rows() {
    let hierarchy = Hierarchy::new(&rows("22071;* 22079;*")).unwrap();
    let markers = [String::from("?")];
    assert_eq!(hierarchy.check(&column(&["22071", "?", " 22079"]), &markers), Ok(()));
    let mut lacking = column(&["22071", "?", "22080", "10115"]);
    assert_eq!(
        hierarchy.check(&lacking, &markers).unwrap_err().to_string(),
        "the hierarchy lacks the value '22080' (row 3), and 1 other value of the column: add a line for each"
    );
    lacking.cells = vec![0, 2, 2, 2, 2, 0, 2];
    let message = hierarchy.check(&lacking, &markers).unwrap_err().to_string();
    assert!(message.contains("'22080' (rows 2, 3, 4 and 2 more): "), "{message}");
    // A value of the dictionary that no row holds does not count.
    lacking.cells = vec![0, 1];
    assert_eq!(hierarchy.check(&lacking, &markers), Ok(()));
}
