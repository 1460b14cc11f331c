//! Conditions on the secret column, set in the page: the table is the command line's, and keeps them as counted here from its bytes.

use std::collections::BTreeMap;

use lookalike_tests::{program::Folder, tables::parse};
use serde_json::json;

use crate::{
    ROLES, hospital,
    page::{Page, becomes},
    text,
};

const RUN: &str = "anonymize in.csv --quasi age,sex,nights --sensitive diagnosis --model k-anonymity --k 4 --t-closeness 0.45 \
     --alpha 0.5 --entropy-l 2.5 --loss ncp --seed 5 --effort 1 -o out.csv --report report.json";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn conditions_hold_in_every_group_that_is_published() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    folder.succeed(&RUN.split_whitespace().collect::<Vec<_>>());
    let page = Page::open(&[]).await;
    page.upload(&folder.file("in.csv")).await;
    for (column, role) in ROLES {
        page.role(column, role).await;
    }
    page.choose("#model", "k-anonymity").await;
    page.fill("#k", "4").await;
    assert!(page.text("#guess").await.contains("Nothing is promised"));
    // A number that makes no sense is refused at its field.
    page.fill("#alpha", "1.5").await;
    page.click("#anonymize").await;
    page.find("#alpha[aria-invalid]").await;
    for (field, number) in
        [("#alpha", "0.5"), ("#t-equal", "0.45"), ("#entropy-l", "2.5"), ("#seed", "5"), ("#effort", "1")]
    {
        page.fill(field, number).await;
    }
    becomes(&page, "return document.querySelector('#expert-conditions').dataset.changed", json!("true"))
        .await;
    let asked = page.text("#guess").await;
    assert!(asked.contains("share above 0.5") && asked.contains("t = 0.45"), "{asked}");
    page.anonymize().await;
    let published = page.download("#download-table").await;
    assert_eq!(text(&published), folder.text("out.csv"), "not what the command line publishes");

    // Counted again from the published bytes.
    let (names, rows) = parse(&published);
    let place = |name: &str| names.iter().position(|known| known == name).unwrap();
    let (diagnosis, known) = (place("diagnosis"), [place("age"), place("sex"), place("nights")]);
    let mut table: BTreeMap<&str, f64> = BTreeMap::new();
    let mut groups: BTreeMap<Vec<&str>, BTreeMap<&str, f64>> = BTreeMap::new();
    for row in &rows {
        *table.entry(&row[diagnosis]).or_default() += 1.0 / rows.len() as f64;
        let group = known.iter().map(|&at| row[at].as_str()).collect();
        *groups.entry(group).or_default().entry(&row[diagnosis]).or_default() += 1.0;
    }
    let mut surest: f64 = 0.0;
    for (group, counts) in &groups {
        let size: f64 = counts.values().sum();
        let share = |value: &str| counts.get(value).copied().unwrap_or(0.0) / size;
        let distance = table.iter().map(|(value, all)| (share(value) - all).abs()).sum::<f64>() / 2.0;
        let entropy = counts.values().map(|count| -(count / size) * (count / size).ln()).sum::<f64>();
        let most = counts.keys().map(|value| share(value)).fold(0.0, f64::max);
        assert!(size >= 4.0 && distance <= 0.45 + 1e-9, "{group:?}: {size} {distance}");
        assert!(entropy >= 2.5_f64.ln() - 1e-9 && most <= 0.5, "{group:?}: {entropy} {most}");
        surest = surest.max(most);
    }
    // What the verdict says is what the surest guess is, and no promise is taken back.
    let verdict = page.text("#verdict").await;
    let odds = format!("1 in {}", (10.0 / surest + 1e-9).floor() / 10.0);
    assert!(verdict.contains(&odds) && !verdict.contains("Nothing is promised"), "{verdict}: {odds}");
    let report = page.report().await;
    assert_eq!(report["conditions"].as_array().map(Vec::len), Some(3), "{}", report["conditions"]);
    page.close().await;
}

const SEVERAL: &str = "anonymize in.csv --quasi age,sex --sensitive nights --model k-anonymity --k 4 --alpha 0.7 --alpha diagnosis=0.7 \
     --distinct-l nights=3 --loss ncp --seed 5 --effort 1 -o out.csv --report report.json";

/// Two columns are secret: what is filled in for all holds for both, what is filled in for one for that one, in the bytes of the command line.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_columns_are_secret_each_under_conditions() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    folder.succeed(&SEVERAL.split_whitespace().collect::<Vec<_>>());
    let page = Page::open(&[]).await;
    page.upload(&folder.file("in.csv")).await;
    for (column, role) in
        [("age", "quasi"), ("sex", "quasi"), ("nights", "sensitive"), ("diagnosis", "sensitive")]
    {
        page.role(column, role).await;
    }
    page.choose("#model", "k-anonymity").await;
    page.fill("#k", "4").await;
    // Without conditions nobody can say what "secret" would mean.
    page.click("#anonymize").await;
    let told = page.text("#roles-wrong").await;
    assert!(told.contains("nights") && told.contains("condition"), "{told}");
    for (field, number) in [("#alpha", "0.7"), ("#seed", "5"), ("#effort", "1")] {
        page.fill(field, number).await;
    }
    page.choose("#conditions-of", "nights").await;
    becomes(&page, "return document.querySelector('#alpha').value", json!("")).await;
    page.fill("#distinct-l", "3").await;
    let asked = page.text("#guess").await;
    assert!(asked.contains("Asked of nights") && asked.contains("Asked of diagnosis"), "{asked}");
    page.anonymize().await;
    let published = page.download("#download-table").await;
    assert_eq!(text(&published), folder.text("out.csv"), "not what the command line publishes");

    let (names, rows) = parse(&published);
    let place = |name: &str| names.iter().position(|known| known == name).unwrap();
    let mut surest = BTreeMap::new();
    for (name, least) in [("nights", 3), ("diagnosis", 1)] {
        let mut groups: BTreeMap<[&str; 2], Vec<&str>> = BTreeMap::new();
        for row in &rows {
            let group = ["age", "sex"].map(|name| row[place(name)].as_str());
            groups.entry(group).or_default().push(&row[place(name)]);
        }
        for values in groups.values() {
            let of = |value: &str| values.iter().filter(|other| **other == value).count();
            let most = values.iter().map(|value| of(value)).max().unwrap() as f64 / values.len() as f64;
            let different: std::collections::BTreeSet<_> = values.iter().collect();
            assert!(most <= 0.7 && different.len() >= least, "{name}: {values:?}");
            let worst: &mut f64 = surest.entry(name).or_default();
            *worst = worst.max(most);
        }
    }
    // The verdict says of both how surely they are guessed.
    let verdict = page.text("#verdict").await;
    for (name, most) in surest {
        let odds = format!("1 in {}", (10.0 / most + 1e-9).floor() / 10.0);
        assert!(verdict.contains(&odds) && verdict.contains(name), "{verdict}: {name} {odds}");
    }
    let strip = page.text("#strip-guarantee").await;
    assert!(strip.contains("nights and diagnosis under conditions"), "{strip}");
    let report = page.report().await;
    assert_eq!(report["further"][0]["column"], json!("diagnosis"), "{}", report["further"]);
    page.close().await;
}
