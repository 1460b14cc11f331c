//! Every state of the page can be used by everybody, in both themes, wide and narrow, in every language.

use lookalike_tests::program::Folder;

use crate::{ROLES, hospital, languages::speak, page::Page};

/// Width, whether dark, and language: a language that makes longer words in each width and theme.
const LOOKS: [(u32, bool, &str); 4] =
    [(1280, false, "en"), (360, true, "en"), (1280, true, "de"), (360, false, "es")];

/// Opens everything that can be opened.
const OPEN_ALL: &str = "document.querySelectorAll('details').forEach((d) => { d.open = true; })";

/// Nothing is wider than the window, but for frames that scroll by themselves.
pub(crate) const TOO_WIDE: &str = "const width = document.documentElement.clientWidth; \
    return [...document.querySelectorAll('main *, .strip *, .bar *')] \
    .filter((e) => !e.closest('.frame') && !e.closest('.unseen') && e.getBoundingClientRect().right > width + 1) \
    .map((e) => e.outerHTML.slice(0, 120)).slice(0, 5)";

/// Where the first stop of the keyboard leads, and whether that is there.
const SKIPS: &str = "const all = document.querySelectorAll('a[href], button, input, select, textarea, [tabindex=\"0\"]'); \
    const first = [...all].find((e) => !e.disabled && !e.closest('[inert]')); \
    return [first.className, document.querySelector(first.hash) !== null]";

pub(crate) async fn look(page: &Page, state: &str) {
    page.client.execute(OPEN_ALL, vec![]).await.unwrap();
    page.accessible(state).await;
    let wide = page.client.execute(TOO_WIDE, vec![]).await.unwrap();
    assert_eq!(wide, serde_json::json!([]), "{state}");
    let skips = page.client.execute(SKIPS, vec![]).await.unwrap();
    assert_eq!(skips, serde_json::json!(["skip", true]), "{state}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_state_can_be_used_by_everybody() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    folder.write("short.csv", "age,sex,diagnosis\n31,F,flu\n45\n52,M,angina\n");
    for (width, dark, language) in LOOKS {
        let state = |name: &str| format!("{name}, {language}, {width}, dark {dark}");
        let page = Page::open_as(&[], width, dark).await;
        speak(&page, language).await;
        look(&page, &state("empty")).await;
        page.find("#file-input").await.send_keys(&folder.file("short.csv")).await.unwrap();
        page.find("#failure").await;
        look(&page, &state("not opened")).await;
        page.upload(&folder.file("in.csv")).await;
        page.find(".chip.suggested").await;
        look(&page, &state("suggested")).await;
        for (column, role) in ROLES {
            page.role(column, role).await;
        }
        page.click("[data-column='age'] .name").await;
        page.click("#hierarchy-make").await;
        page.find("#hierarchy-made").await;
        page.find("#survey-table").await;
        page.choose("#eligibility", "hybrid").await;
        page.fill("#m", "1").await;
        page.click("#anonymize").await;
        page.find("#m[aria-invalid]").await;
        look(&page, &state("form")).await;
        page.fill("#m", "4").await;
        page.fill("#effort", "100000").await;
        page.click("#anonymize").await;
        page.find("#incumbent").await;
        look(&page, &state("running")).await;
        page.click("#stop").await;
        page.verdict().await;
        look(&page, &state("result")).await;
        page.click("#expert-open").await;
        page.find("#expert:not([hidden])").await;
        look(&page, &state("expert settings")).await;
        page.fill("#effort", "7").await;
        page.click("#expert-open").await;
        page.find(".result.stale").await;
        look(&page, &state("a result of earlier settings")).await;
        page.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_can_be_used_by_everybody() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    for (width, dark, language) in LOOKS {
        let state = |name: &str| format!("{name}, {language}, {width}, dark {dark}");
        let page = Page::open_as(&[], width, dark).await;
        speak(&page, language).await;
        page.click("#to-check").await;
        look(&page, &state("nothing to check")).await;
        page.find("#check-input").await.send_keys(&folder.file("in.csv")).await.unwrap();
        page.find("#check-opened").await;
        page.choose("[data-check-column='age'] select", "quasi").await;
        page.choose("[data-check-column='diagnosis'] select", "sensitive").await;
        page.fill("#check-l", "2").await;
        page.fill("#check-t", "0.5").await;
        page.click("#more-check > summary").await;
        page.choose("#check-repair", "hybrid").await;
        page.fill("#check-m", "2").await;
        page.find("#check-original").await.send_keys(&folder.file("in.csv")).await.unwrap();
        page.find("#original-opened").await;
        page.click("#check-start").await;
        page.find("#check-text").await;
        look(&page, &state("checked")).await;
        page.close().await;
    }
}
