//! Hierarchies, dates, orders and forms of publication: what they say does not depend on how the table is read.

use std::fmt::Write as _;

use lookalike_tests::tables::assert_release;

use super::folder;

/// Groups of three people who are like each other in everything and unlike all others: the classes, however they are sought.
const GROUPS: u32 = 16;

/// The table, the hierarchy of its column `zip`, and the order of its column `stage`.
fn table() -> [String; 3] {
    let mut text = String::from("visit,stage,zip,weight,disease\n");
    let mut order = Vec::new();
    let mut tree = String::new();
    for group in 0..GROUPS {
        for one in 0..3 {
            let day = group * 20 + one * 2;
            let visit = format!("{:02}.{:02}.2021", 1 + day % 28, 1 + day / 28);
            // Two levels a group.
            let stage = format!("s{}", 2 * group + one / 2);
            let zip = 10_000 + 100 * group + 7 * one;
            // Of some groups nobody says.
            let weight =
                if group % 4 == 1 { String::from("?") } else { format!("{}.{one}", 40 + 10 * group) };
            writeln!(text, "{visit},{stage},{zip},{weight},{}", ["flu", "gout", "acne"][one as usize])
                .unwrap();
            writeln!(tree, "{zip};{}*;{}**;*****", zip / 10, zip / 100).unwrap();
        }
        order.extend([format!("s{}", 2 * group), format!("s{}", 2 * group + 1)]);
    }
    [text, tree, format!("stage={}", order.join("<"))]
}

/// Times of day by the names of months, and quarters: the format that the first rows show is that of all.
#[test]
fn times_and_quarters_give_the_same_bytes_as_in_memory() {
    let mut text = String::from("seen,quarter,disease\n");
    for group in 0..GROUPS {
        for one in 0..3 {
            let month = ["April", "Juni", "Mai", "Oktober"][group as usize / 4];
            let (day, hour) = (1 + 7 * (group % 4), 8 + one);
            let disease = ["flu", "gout", "acne"][one as usize];
            writeln!(
                text,
                "{day}. {month} 2024 {hour:02}:30,20{:02}Q{},{disease}",
                10 + group / 4,
                1 + group % 4
            )
            .unwrap();
        }
    }
    for more in
        [&[][..], &["--loss", "ncp"], &["--publish", "set"], &["--kind", "seen=date:%-d. %B %Y %H:%M"]]
    {
        let folder = folder(&text);
        let quasi = ["anonymize", "in.csv", "--quasi", "seen,quarter", "--model", "k-anonymity", "--k", "3"];
        let args = [&quasi[..], &["--seed", "3", "--effort", "5"], more].concat();
        folder.succeed(&[&args[..], &["-o", "memory.csv"]].concat());
        folder.succeed(
            &[&args[..], &["--out-of-core", "spill", "--block-rows", "12", "-o", "out.csv"]].concat(),
        );
        assert_eq!(folder.text("out.csv"), folder.text("memory.csv"), "{more:?}");
        assert_eq!(assert_release(&folder.read("out.csv"), None, 3), 48);
        let first = "1. April 2024 08:30";
        assert!(folder.text("out.csv").contains(first), "{}", folder.text("out.csv"));
    }
}

#[test]
fn the_same_bytes_as_in_memory() {
    let [text, tree, order] = table();
    let kinds = [
        "--kind",
        "visit=date-dmy,zip=category",
        "--order",
        &order,
        "--hierarchy",
        "zip=zip.csv",
        "--missing-quasi",
        "value",
        "--missing",
        "?",
    ];
    for (model, sensitive) in [(&["m-invariance", "--m"], Some("disease")), (&["k-anonymity", "--k"], None)] {
        for form in [
            &[][..],
            &["--publish-column", "zip=hierarchy,visit=set"],
            &["--publish", "set"],
            &["--publish", "centroid"],
            &["--loss", "ncp", "--publish-column", "zip=set", "--missing-column", "weight=drop"],
            &["--top", "weight=150", "--bottom", "weight=60"],
        ] {
            let folder = folder(&text);
            folder.write("zip.csv", &tree);
            let quasi =
                ["anonymize", "in.csv", "--quasi", "visit,stage,zip,weight", "--seed", "3", "--effort", "5"];
            let model = [&["--model"], &model[..], &["3"]].concat();
            let sensitive = sensitive.map_or(vec![], |name| vec!["--sensitive", name]);
            let args = [&quasi[..], &model, &sensitive, &kinds, form].concat();
            folder.succeed(&[&args[..], &["-o", "memory.csv"]].concat());
            let large =
                ["--out-of-core", "spill", "--block-rows", "12", "-o", "out.csv", "--report", "report.json"];
            folder.succeed(&[&args[..], &large].concat());
            let explained =
                folder.json("report.json")["method"]["explanation"]["text"].as_str().unwrap().to_owned();
            assert!(explained.starts_with("4 blocks"), "{explained}");
            assert_eq!(folder.text("out.csv"), folder.text("memory.csv"), "{model:?} {form:?}");
            let name = sensitive.get(1).copied();
            let rows = if form.contains(&"weight=drop") { 36 } else { 48 };
            assert_eq!(assert_release(&folder.read("out.csv"), name, 3), rows);
        }
    }
}
