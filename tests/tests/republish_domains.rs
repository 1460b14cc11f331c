//! Declared domains in a series of releases: what the losses are divided by, and values that a later table holds outside of them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here is a failed test")]

use lookalike_tests::{
    program::Folder,
    series::{FIRST, refused, republish, succeed},
    tables::{assert_release, parse, patients},
};
use serde_json::Value;

const FLAGS: &str = "--loss ncp --domain age=0..120 --domain sex=F|M|X|U";

/// The penalty of the published rows: ages by the years of the domain, sexes by their number, each with half the weight.
/// Only of releases without counterfeits, which the loss does not count.
fn by_hand(published: &[u8], years: f64, sexes: f64) -> (f64, usize) {
    let (header, rows) = parse(published);
    let at = |name: &str| header.iter().position(|h| h == name).unwrap();
    let (age, sex) = (at("age"), at("sex"));
    let of = |row: &Vec<String>| {
        let ends: Vec<f64> =
            row[age].trim_matches(['[', ']']).split('-').map(|x| x.parse().unwrap()).collect();
        let width = (ends[ends.len() - 1] - ends[0]) / years;
        let further = row[sex].split(", ").count() as f64 - 1.0;
        0.5 * width + 0.5 * further / sexes
    };
    (rows.iter().map(of).sum(), rows.len())
}

#[track_caller]
fn assert_figures(folder: &Folder, release: usize, years: f64, sexes: f64) {
    let report = folder.json(&format!("report{release}.json"));
    let (penalty, rows) = by_hand(&folder.read(&format!("r{release}.csv")), years, sexes);
    let close = |told: &Value, found: f64| {
        let told = told.as_f64().unwrap();
        assert!((told - found).abs() <= 1e-9 * found.max(1.0), "release {release}: {told}, not {found}");
    };
    assert_eq!(report["changes"]["counterfeits"], 0, "the loss is that of all published rows");
    close(&report["objective"]["value"], penalty);
    close(&report["utility"]["ncp_total"], penalty);
    close(&report["utility"]["gcp_mean"], penalty / rows as f64);
    let checks = report["audit"]["checks"].as_array().unwrap();
    let finding = |subject: &str| {
        let check = checks.iter().find(|check| check["name"]["id"] == subject).unwrap();
        assert_eq!(check["passed"], true, "{check}");
        check["finding"]["text"].as_str().unwrap().to_owned()
    };
    let domains = finding("audit.Subject.Domains");
    assert!(domains.contains("\"age\" and \"sex\""), "{domains}");
    let loss = finding("audit.Subject.StatedLoss");
    // Three digits are told; which way a half goes depends on the order of a sum.
    let (_, told) = loss.split_once(" is ").unwrap();
    let told: f64 = told.split_once(", as stated").unwrap().0.parse().unwrap();
    assert!((told - penalty).abs() <= 5.001e-3 * penalty, "{loss}, not {penalty}");
}

#[test]
fn the_losses_of_all_releases_are_divided_by_the_domain() {
    let folder = Folder::new();
    let first = patients(90);
    folder.write("1.csv", &first);
    // People come and nobody leaves, so that there are no counterfeits.
    let came = |i: usize| format!("N{i},{},F,1000,{}\n", 20 + 3 * i, ["flu", "HIV", "ulcer"][i % 3]);
    folder.write("2.csv", first.clone() + &(0..21).map(came).collect::<String>());
    succeed(&folder, "1.csv", "r1.csv", &format!("{FIRST} {FLAGS} --report report1.json"));
    assert_figures(&folder, 1, 120.0, 4.0);
    // The ledger knows the domains.
    succeed(&folder, "2.csv", "r2.csv", "--seed 2 --effort 0.2 --report report2.json --previous r1.csv");
    assert_figures(&folder, 2, 120.0, 4.0);
    for release in ["r1.csv", "r2.csv"] {
        assert_release(&folder.read(release), Some("disease"), 3);
    }
}

/// A value outside loses nothing but the run: the ledger, the mark of what it made, and the folder are as before; a wider domain makes
/// the release, and stands from then on.
#[test]
fn a_table_outside_of_the_domain_leaves_the_ledger_as_it_was() {
    let folder = Folder::new();
    let first = patients(90);
    folder.write("1.csv", &first);
    let came = "N1,131,F,1000,flu\nN2,132,M,1000,ulcer\nN3,133,F,1000,HIV\n";
    folder.write("2.csv", format!("{first}{came}"));
    succeed(&folder, "1.csv", "r1.csv", &format!("{FIRST} {FLAGS}"));
    let before: Vec<Vec<u8>> =
        ["ledger.json", "ledger.json.used", "r1.csv"].map(|name| folder.read(name)).into();
    let names = folder.names();
    let unchanged = || {
        let after: Vec<Vec<u8>> =
            ["ledger.json", "ledger.json.used", "r1.csv"].map(|name| folder.read(name)).into();
        assert!(before == after, "a refused run has changed a file");
    };
    let later = "--seed 2 --effort 0.2 --report report2.json";
    let run = republish(&folder, "2.csv", "r2.csv", later);
    refused(
        &folder,
        &run,
        &names,
        2,
        &["row 91: '131' is outside the declared domain of \"age\"", "--domain"],
    );
    unchanged();
    // Narrower than what is there already.
    let run = republish(&folder, "1.csv", "r2.csv", &format!("{later} --domain age=0..20"));
    refused(&folder, &run, &names, 2, &["is outside the declared domain of \"age\""]);
    unchanged();
    let run = republish(&folder, "2.csv", "r2.csv", &format!("{later} --domain sex=F|X --domain age=0..140"));
    refused(&folder, &run, &names, 2, &["'M' is outside the declared domain of \"sex\""]);
    unchanged();
    succeed(&folder, "2.csv", "r2.csv", &format!("{later} --domain age=0..140"));
    assert_figures(&folder, 2, 140.0, 4.0);
    let settings = &folder.json("ledger.json")["ledger"]["settings"];
    assert_eq!(settings["domains"]["age"], serde_json::json!({ "from": "0", "to": "140" }));
    assert_eq!(settings["domains"]["sex"].as_array().unwrap().len(), 4);
    // The next release takes it over.
    folder.write("3.csv", folder.text("2.csv"));
    succeed(&folder, "3.csv", "r3.csv", "--seed 3 --effort 0.2 --report report3.json");
    assert_figures(&folder, 3, 140.0, 4.0);
    let releases = "check r1.csv r2.csv r3.csv --model tau-safety --m 3 --ledger ledger.json";
    folder.succeed(&releases.split_whitespace().collect::<Vec<_>>());
}
