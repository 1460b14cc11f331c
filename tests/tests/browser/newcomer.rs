//! Somebody who has never seen the page, with a table as a hospital exports it: Western European, semicolons, decimal commas,
//! days first, gaps in several spellings, two columns of one name. Nothing is known but what the page says.

use std::fmt::Write as _;

use lookalike_tests::program::Folder;
use serde_json::json;

use crate::{
    access::TOO_WIDE,
    page::{Page, becomes},
    text,
};

/// 400 stays, in Windows-1252.
fn export(second: &str) -> Vec<u8> {
    let wards = ["Chirurgie", "Innere", "Gyn\u{e4}kologie", "Kinder; Station 2"];
    let diagnoses = ["Grippe", "Angina", "Gicht", "Asthma", "Neurodermitis", "Migr\u{e4}ne", "Bluthochdruck"];
    let mut text = format!("Fall-Nr;Name;Geburtstag;Gr\u{f6}\u{df}e;Station;Datum;{second};Diagnose\r\n");
    for i in 0..400_usize {
        let name =
            ["M\u{fc}ller, Anna", "\"Gro\u{df}, J\u{f6}rg \"\"Joe\"\"\"", "D'Angelo, Zo\u{eb}"][i * 7 % 3];
        let (day, month, year) = (1 + i * 5 % 28, 1 + i * 7 % 12, 1930 + i * 13 % 90);
        let height = if i % 41 == 7 { String::from("k.A.") } else { format!("1,{:02}", 50 + i * 17 % 50) };
        let ward = if i % 4 == 3 { format!("\"{}\"", wards[3]) } else { wards[i % 4].to_owned() };
        let diagnosis = if i % 67 == 5 { "" } else { diagnoses[i * 11 % 7] };
        let (came, left) = (1 + i % 20, 3 + i % 25);
        write!(
            text,
            "{:06};{name};{day:02}.{month:02}.{year};{height};{ward};{came:02}.03.2024;{left:02}.03.2024;{diagnosis}\r\n",
            12000 + i * 37
        )
        .unwrap();
    }
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_becomes_a_filed_statement() {
    let folder = Folder::new();
    folder.write("twice.csv", export("Datum"));
    folder.write("export.csv", export("Entlassung"));
    for (width, dark) in [(1280, false), (360, true)] {
        let name = |step: &str| format!("newcomer-{width}-{step}");
        let page = Page::open_as(&[], width, dark).await;
        // Roles go by names: the page says which columns have the same.
        page.find("#file-input").await.send_keys(&folder.file("twice.csv")).await.unwrap();
        page.find("#failure").await;
        let why = page.text("#failure").await;
        assert!(why.contains("\"Datum\" in columns 6 and 7"), "{why}");
        page.upload(&folder.file("export.csv")).await;
        // Umlauts are read, and the page says as what.
        let opened = page.text("section[aria-labelledby='open']").await;
        assert!(opened.contains("1252") && opened.contains("Gyn\u{e4}kologie"), "{opened}");
        page.shot(&name("1-open")).await;
        let names =
            "return [...document.querySelectorAll('.columns tr[data-column]')].map((r) => r.dataset.column)";
        let names = page.client.execute(names, vec![]).await.unwrap();
        let names: Vec<&str> = names.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        assert_eq!(names.len(), 8, "{names:?}");
        page.role("Fall-Nr", "identifier").await;
        page.role("Name", "identifier").await;
        for column in ["Geburtstag", "Gr\u{f6}\u{df}e", "Station", "Entlassung"] {
            page.role(column, "quasi").await;
        }
        page.role("Diagnose", "sensitive").await;
        page.shot(&name("2-describe")).await;
        // The page says what is left to settle, one thing after the other.
        page.click("#anonymize").await;
        becomes(&page, "return document.querySelectorAll('[aria-invalid=true]').length > 0", json!(true))
            .await;
        page.shot(&name("3-unsettled")).await;
        page.click("#more-missing > summary").await;
        page.fill("#markers", "\nk.A.").await;
        page.choose("#missing-sensitive", "drop").await;
        page.choose("#missing-quasi", "value").await;
        becomes(&page, "return document.querySelectorAll('.wrong').length", json!(0)).await;
        page.find("#survey-table tr[data-m='3']").await;
        page.shot(&name("4-settled")).await;
        page.anonymize().await;
        page.find("#spread tbody tr").await;
        page.find("#beside tbody tr").await;
        let wide = page.client.execute(TOO_WIDE, vec![]).await.unwrap();
        assert_eq!(wide, json!([]));
        page.shot(&name("5-result")).await;
        let table = page.download("#download-table").await;
        let table = text(&table);
        assert!(
            table.contains("Gyn\u{e4}kologie") && !table.contains("M\u{fc}ller") && !table.contains("012000"),
            "{table}"
        );
        let statement = page.download("#download-statement").await;
        let statement = text(&statement);
        assert!(
            statement.contains("The audit passed")
                && statement.contains("Gr\u{f6}\u{df}e")
                && !statement.contains("Migr")
        );
        folder.write("statement.html", statement);
        page.client.goto(&format!("file://{}", folder.file("statement.html"))).await.unwrap();
        page.find("h1").await;
        page.shot(&name("6-statement")).await;
        page.close().await;
    }
}
