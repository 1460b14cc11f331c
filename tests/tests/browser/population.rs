//! Sampling weights and households: the page asks for them, and states the risks that the command line states.

use lookalike_tests::program::Folder;

use crate::{page::Page, text};

/// People of a survey: each stands for as many as its weight says, and two each are a household.
fn survey() -> String {
    (0..90).fold(String::from("age,region,answer,weight,home\n"), |csv, i| {
        let (age, region, answer) =
            (20 + i * 29 % 50, ["north", "south"][i % 2], ["yes", "no", "unsure"][i * 7 % 3]);
        csv + &format!("{age},{region},{answer},{}.5,h{}\n", 3 + i * 13 % 40, i / 2)
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn weights_and_households_give_the_risks_of_the_command_line() {
    let folder = Folder::new();
    folder.write("in.csv", survey());
    folder.succeed(
        "anonymize in.csv --quasi age,region --sensitive answer --unchanged weight --model k-anonymity --k 4 --seed 5 --effort 1 \
         --loss ncp --sampling-weight weight --household home -o out.csv --report report.json --save-config config.json"
            .split_whitespace()
            .collect::<Vec<_>>()
            .as_slice(),
    );
    let page = Page::open(&[]).await;
    page.upload(&folder.file("in.csv")).await;
    let roles = [
        ("age", "quasi"),
        ("region", "quasi"),
        ("answer", "sensitive"),
        ("weight", "quasi"),
        ("home", "drop"),
    ];
    for (column, role) in roles {
        page.role(column, role).await;
    }
    page.choose("#model", "k-anonymity").await;
    page.fill("#k", "4").await;
    page.fill("#seed", "5").await;
    page.fill("#effort", "1").await;
    page.click("#more-search > summary").await;
    page.choose("#loss", "ncp").await;
    page.click("#more-sample > summary").await;
    page.choose("#sampling-weight", "weight").await;
    page.choose("#household", "home").await;
    // A weight that is coarsened would be none.
    page.click("#anonymize").await;
    let why = page.text("#sampling-weight-wrong").await;
    assert!(why.contains("“weight” is the sampling weight") && why.contains("“As is”"), "{why}");
    page.role("weight", "unchanged").await;
    page.shot("population").await;
    page.anonymize().await;
    assert_eq!(text(&page.download("#download-table").await), folder.text("out.csv"));
    let config = page.saved("#download-config", "in-config.json").await;
    assert_eq!(text(&config), folder.text("config.json"));
    let sample = &folder.json("report.json")["sample"];
    for (figure, risk) in
        [("population-risk", &sample["highest"]), ("household-risk", &sample["households"]["highest"])]
    {
        let told: f64 = page.attribute(&format!("#{figure}"), "data-value").await.parse().unwrap();
        assert_eq!(Some(told), risk.as_f64(), "{figure}");
        assert!(told > 0.0 && told < 1.0);
    }
    let households = page.text("#household-risk + .meaning").await;
    assert!(households.contains("45 households, found by any member"), "{households}");
    page.close().await;
}
