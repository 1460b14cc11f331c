//! Somebody who has never seen the page, with a table as a hospital exports it: Western European, semicolons, decimal commas,
//! days first, gaps in several spellings, two columns of one name. Nothing is known but what the page says. By mouse, and by
//! keyboard alone.

use std::fmt::Write as _;

use lookalike_tests::program::Folder;
use serde_json::json;

use crate::{
    access::TOO_WIDE,
    keyboard::{DOWN, ENTER, press, row_of, tab_to},
    page::{Page, becomes, turns_to},
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
        // Roles go by names: the page says which columns have the same, and offers to number them.
        page.find("#file-input").await.send_keys(&folder.file("twice.csv")).await.unwrap();
        page.find("#failure").await;
        let why = page.text("#failure").await;
        assert!(why.contains("\"Datum\" in columns 6 and 7"), "{why}");
        page.shot(&name("0-twice")).await;
        page.choose("#open-names", "number").await;
        page.find("#opened[data-name='twice.csv'][data-columns='8']").await;
        page.find("[data-column='Datum_2']").await;
        let said = page.text("#input-warnings").await;
        assert!(said.contains("column 7 is called \"Datum_2\""), "{said}");
        // And back.
        page.choose("#open-names", "error").await;
        page.find("#failure").await;
        page.upload(&folder.file("export.csv")).await;
        page.find("#opened[data-name='export.csv']").await;
        // Umlauts are read, and the page says as what.
        page.click("#how-read > summary").await;
        let opened = "return document.querySelector(\"section[aria-labelledby='open']\").innerText";
        turns_to(&page, opened, "an encoding and its letters", |now| {
            now.as_str().is_some_and(|now| now.contains("1252") && now.contains("Gyn\u{e4}kologie"))
        })
        .await;
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
            statement.contains(" checks passed.")
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

/// Chooses the option of this label in a menu that has the focus: its letters are typed.
async fn pick(page: &Page, css: &str, label: &str, value: &str) {
    tab_to(page, css).await;
    press(page, label).await;
    becomes(page, &format!("return document.querySelector(\"{css}\")?.value ?? null"), json!(value)).await;
}

/// Presses the button or follows the link.
async fn enter(page: &Page, css: &str) {
    tab_to(page, css).await;
    press(page, ENTER).await;
}

/// Saves what a link gives, and reads it.
async fn saved(page: &Page, css: &str) -> String {
    let name = page.attribute(css, "download").await;
    enter(page, css).await;
    String::from_utf8(page.arrived(&name).await).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_by_keyboard_alone() {
    let folder = Folder::new();
    folder.write("twice.csv", export("Datum"));
    let page = Page::open(&[]).await;
    // The dialogue for files belongs to the browser: the field is reached by keyboard, the file put into it.
    tab_to(&page, "#file-input").await;
    page.find("#file-input").await.send_keys(&folder.file("twice.csv")).await.unwrap();
    page.find("#failure").await;
    pick(&page, "#open-names", "Num", "number").await;
    page.find("#opened[data-columns='8']").await;
    // A digit is the key of a role.
    for (column, key, role) in [
        ("Fall-Nr", "6", "identifier"),
        ("Name", "6", "identifier"),
        ("Geburtstag", "1", "quasi"),
        ("Gr\u{f6}\u{df}e", "1", "quasi"),
        ("Station", "1", "quasi"),
        ("Datum_2", "1", "quasi"),
        ("Diagnose", "2", "sensitive"),
    ] {
        row_of(&page, column).await;
        press(&page, key).await;
        page.find(&format!("[data-column='{column}'][data-role='{role}']")).await;
    }
    // What is left to settle is said, and found by keyboard.
    enter(&page, "#anonymize").await;
    becomes(&page, "return document.activeElement.id", json!("asks-missing-sensitive")).await;
    enter(&page, "#answer-missing-sensitive-drop").await;
    enter(&page, "#expert-open").await;
    enter(&page, "#expert-missing > summary").await;
    enter(&page, "#more-missing > summary").await;
    tab_to(&page, "#markers").await;
    // To the end of the last line, and one more.
    press(&page, &format!("{}{ENTER}k.A.", DOWN.repeat(20))).await;
    becomes(&page, "return document.getElementById('markers').value.endsWith('\\nk.A.')", json!(true)).await;
    enter(&page, "#expert-close").await;
    // Now cells are missing in what others may know, which is asked.
    enter(&page, "#answer-missing-quasi-value").await;
    becomes(&page, "return document.querySelectorAll('.wrong').length", json!(0)).await;
    enter(&page, "#anonymize").await;
    page.verdict().await;
    let table = saved(&page, "#download-table").await;
    assert!(table.lines().next().unwrap().contains("Datum_2;Diagnose"), "{table}");
    assert!(table.contains("Gyn\u{e4}kologie") && !table.contains("M\u{fc}ller"), "{table}");
    let statement = saved(&page, "#download-statement").await;
    let given = "&quot;Datum_2&quot; is called &quot;Datum&quot; in the file";
    assert!(statement.contains(" checks passed.") && statement.contains(given), "{statement}");
    enter(&page, "#more-files > summary").await;
    let report = saved(&page, "#download-report").await;
    assert!(report.contains(r#"\"Datum_2\" is called \"Datum\" in the file"#), "{report}");
    let classes = saved(&page, "#download-classes").await;
    assert_eq!(classes.lines().next(), Some("row,class"), "{classes}");
    assert_eq!(page.sink.requests(), Vec::<String>::new());
    page.close().await;
}
