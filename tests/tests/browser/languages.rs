//! The page in Spanish and German: chosen, taken from the browser, remembered by consent only, and as usable as in English.

use std::time::{Duration, Instant};

use lookalike_testkit::three;
use lookalike_tests::program::{Folder, PATIENCE};
use serde_json::{Value, json};

use crate::{
    access::{TOO_WIDE, look},
    hospital,
    page::Page,
    set_up, text,
};

/// English words that stand in many sentences of the page, and in none of another language, a table or a term.
const ENGLISH: &str = "const seen = []; \
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); \
    while (walk.nextNode()) { \
      const text = walk.currentNode.textContent; \
      if (walk.currentNode.parentElement.closest('[lang=en], script, noscript, option, table.dense')) continue; \
      if (/\\b(the|with|which|and|are|this|of|its|before|after|rows|records)\\b/.test(text)) seen.push(text.trim()); \
    } \
    return seen";

pub(crate) async fn speak(page: &Page, language: &str) {
    page.choose("#language", language).await;
    page.find(&format!("html[lang='{language}']")).await;
    // What is seen follows a moment later.
    let word = match language {
        "de" => "Sprache",
        "es" => "Idioma",
        _ => "Language",
    };
    let end = Instant::now() + PATIENCE;
    while page.text("label[for='language']").await != word {
        assert!(Instant::now() < end, "the page does not speak {language}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The statement is in this language, all of it, and has the figures of the report.
async fn filed(page: &Page, language: &str, title: &str) {
    let statement = page.download("#download-statement").await;
    let statement = text(&statement);
    assert!(
        statement.contains(&format!("<html lang=\"{language}\">")) && statement.contains(title),
        "{statement}"
    );
    let english: Vec<&str> = statement.split("<span lang=\"en\">").skip(1).collect();
    assert!(english.is_empty(), "{language}: {english:?}");
    // With counterfeits the report that may be published has the loss to two digits.
    let private: Value = serde_json::from_slice(&page.download("#download-private").await).unwrap();
    let report = if private["exact"].is_null() { page.report().await } else { private["exact"].clone() };
    let loss = report["objective"]["value"].as_f64().unwrap();
    let loss = format!("<td>{}</td>", three(loss));
    let loss = if language == "en" { loss } else { loss.replace('.', ",") };
    assert!(statement.contains(&loss), "{loss}: {statement}");
}

/// A table is checked, and every line of what is found is in the language of the page.
async fn checked(page: &Page, folder: &Folder, table: &[u8]) {
    folder.write("published.csv", table);
    page.find("#check-input").await.send_keys(&folder.file("published.csv")).await.unwrap();
    page.find("#check-opened").await;
    for (column, role) in
        [("age", "quasi"), ("sex", "quasi"), ("nights", "quasi"), ("diagnosis", "sensitive")]
    {
        page.choose(&format!("[data-check-column='{column}'] select"), role).await;
    }
    // Some hold, some do not.
    for (id, x) in [("k", "3"), ("m", "300"), ("l", "2"), ("t", "0,01")] {
        page.fill(&format!("#check-{id}"), x).await;
    }
    page.click("#more-check > summary").await;
    page.find("#check-original").await.send_keys(&folder.file("in.csv")).await.unwrap();
    page.find("#original-opened").await;
    page.click("#check-start").await;
    page.find("#check-text").await;
    let english = "return [...document.querySelectorAll('#checked [lang=en]')].map((e) => e.textContent)";
    assert_eq!(page.client.execute(english, vec![]).await.unwrap(), json!([]));
    let text = page.text("#check-text").await;
    assert!(text.lines().count() > 15 && !text.contains("FAILS"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_whole_way_is_there_in_every_language() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    for (language, width, dark) in [("de", 1280, false), ("es", 360, true)] {
        let state = |name: &str| format!("{language} {name}, {width}, dark {dark}");
        let page = Page::open_as(&[], width, dark).await;
        speak(&page, language).await;
        let none = page.client.execute(ENGLISH, vec![]).await.unwrap();
        assert_eq!(none, json!([]), "{}", state("empty"));
        look(&page, &state("empty")).await;
        set_up(&page, &folder, "6", "1", "1").await;
        page.click("[data-column='age'] .name").await;
        page.find("#survey-table").await;
        page.find("#raw-risk[data-uniques]:not([data-uniques=''])").await;
        look(&page, &state("form")).await;
        let none = page.client.execute(ENGLISH, vec![]).await.unwrap();
        assert_eq!(none, json!([]), "{}", state("form"));
        // A decimal comma is understood.
        page.fill("#effort", "1,5").await;
        page.anonymize().await;
        page.find("#spread tbody tr").await;
        look(&page, &state("result")).await;
        let none = page.client.execute(ENGLISH, vec![]).await.unwrap();
        assert_eq!(none, json!([]), "{}", state("result"));
        let loss = page.text("#certainty-penalty").await;
        assert!(loss.contains(',') && !loss.contains('.'), "{loss}");
        page.shot(&format!("language-{language}-{width}")).await;
        let title = if language == "de" {
            "Erklärung über eine anonymisierte"
        } else {
            "Declaración de una publicación"
        };
        filed(&page, language, title).await;
        let table = page.download("#download-table").await;
        // The other guarantee, with other words.
        page.choose("#model", "k-anonymity").await;
        page.anonymize().await;
        filed(&page, language, title).await;
        // Back to English in place: nothing is lost.
        speak(&page, "en").await;
        assert!(page.text("#certainty-penalty").await.contains('.'));
        page.verdict().await;
        filed(&page, "en", "Statement of an anonymized release").await;
        page.click("#to-check").await;
        speak(&page, language).await;
        look(&page, &state("check")).await;
        checked(&page, &folder, &table).await;
        look(&page, &state("checked")).await;
        assert_eq!(page.client.execute(TOO_WIDE, vec![]).await.unwrap(), json!([]));
        assert_eq!(page.sink.requests(), Vec::<String>::new());
        page.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_browser_s_language_is_taken_and_another_is_remembered_by_consent_only() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    let page = Page::open_in(&[], "de-AT").await;
    page.find("html[lang='de']").await;
    assert!(page.text("h1").await.contains("Tabelle"), "{}", page.text("h1").await);
    speak(&page, "es").await;
    page.client.refresh().await.unwrap();
    page.find("html[lang='de']").await;
    page.attribute_not("#threads", "data-threads", "0").await;
    page.upload(&folder.file("in.csv")).await;
    page.click("#more-configuration > summary").await;
    page.click("#remember").await;
    speak(&page, "es").await;
    page.client.refresh().await.unwrap();
    page.find("html[lang='es']").await;
    page.close().await;
}
