//! No word of the page is cut off at 1280 pixels, in any language. Names of files and values of the table may be: they have their
//! whole text beside them.

use lookalike_tests::program::Folder;
use serde_json::{Value, json};

use crate::{languages::speak, page::Page};

/// What is cut: elements that hide or shorten what is too wide for them, unless it can be scrolled to, and menus with less room than
/// their chosen entry needs.
const CUT: &str = "const cut = []; \
    for (const e of document.body.querySelectorAll('*')) { \
      if (!e.checkVisibility({ visibilityProperty: true }) || e.closest('svg, .unseen, .rows, .file-name, .column-frame .named')) continue; \
      const style = getComputedStyle(e), width = e.getBoundingClientRect().width; \
      if (style.clipPath !== 'none') continue; \
      const where = `${e.localName}#${e.id}.${e.className}`; \
      if (e.localName === 'select') { \
        const alone = e.cloneNode(false), entry = document.createElement('option'); \
        entry.textContent = e.selectedOptions[0]?.textContent ?? ''; \
        alone.append(entry); \
        alone.removeAttribute('id'); \
        for (const [name, value] of [['position', 'absolute'], ['width', 'auto'], ['min-width', '0'], ['max-width', 'none']]) alone.style.setProperty(name, value); \
        e.after(alone); \
        const needed = alone.getBoundingClientRect().width; \
        alone.remove(); \
        if (needed > width + 0.5) cut.push(`${where}: ${entry.textContent}`); \
      } else if (style.overflowX !== 'visible' && !/auto|scroll/.test(style.overflowX)) { \
        const seen = e.getBoundingClientRect(), words = document.createTreeWalker(e, NodeFilter.SHOW_TEXT); \
        let beyond = false; \
        for (let text = words.nextNode(); text; text = words.nextNode()) { \
          if (text.parentElement.closest('.unseen, .rows')) continue; \
          let within = text.parentElement; \
          while (within !== e && !/auto|scroll/.test(getComputedStyle(within).overflowX)) within = within.parentElement; \
          if (within !== e) continue; \
          const range = document.createRange(); \
          range.selectNodeContents(text); \
          beyond ||= [...range.getClientRects()].some((r) => r.left < seen.left - 0.5 || r.right > seen.right + 0.5); \
        } \
        if (e.scrollWidth > e.clientWidth || beyond) cut.push(`${where}: ${e.textContent.trim().slice(0, 60)}`); \
      } \
    } \
    return cut";

async fn whole(page: &Page, state: &str) {
    let cut = page.client.execute(CUT, vec![]).await.unwrap();
    assert_eq!(cut, json!([]), "{state}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_word_is_cut_in_any_language() {
    let folder = Folder::new();
    folder.write("hospital.csv", include_str!("../../../samples/hospital.csv"));
    for language in ["en", "de", "es"] {
        let page = Page::open(&[]).await;
        speak(&page, language).await;
        whole(&page, &format!("{language}, first screen")).await;
        page.upload(&folder.file("hospital.csv")).await;
        page.find(".chip.suggested").await;
        whole(&page, &format!("{language}, suggestions")).await;
        page.click("#accept").await;
        page.find("[data-column='diagnosis'][data-role='sensitive']").await;
        page.click("#answer-missing-quasi-value").await;
        page.find("#questions[data-open='0']").await;
        whole(&page, &format!("{language}, roles accepted")).await;
        page.click("#expert-open").await;
        let unfold = "document.querySelectorAll('#expert details').forEach((fold) => { fold.open = true; })";
        page.client.execute(unfold, vec![]).await.unwrap();
        whole(&page, &format!("{language}, expert settings")).await;
        page.fill("#seed", "1").await;
        page.fill("#effort", "0").await;
        page.click("#expert-close").await;
        page.anonymize().await;
        page.find("#bound-bar").await;
        page.find("#spread tbody tr").await;
        whole(&page, &format!("{language}, result")).await;
        page.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn labels_of_the_bound_stay_within_a_narrow_picture() {
    let folder = Folder::new();
    folder.write("hospital.csv", include_str!("../../../samples/hospital.csv"));
    let page = Page::open_as(&[], 360, false).await;
    speak(&page, "de").await;
    page.upload(&folder.file("hospital.csv")).await;
    page.click("#accept").await;
    page.click("#answer-missing-quasi-value").await;
    page.fill("#seed", "1").await;
    page.fill("#effort", "1").await;
    page.anonymize().await;
    page.find("#bound-bar").await;
    // Wherever the bound is, close to the loss as well, its label is whole.
    let beyond = "const lead = document.querySelector('#bound-bar .at svg'), bars = document.querySelector('#bound-bar .bars'); \
        const label = lead.parentElement, text = label.querySelector('span'), out = []; \
        const right = bars.getBoundingClientRect().right, left = bars.getBoundingClientRect().left; \
        for (const place of [5, 30, 49, 50, 55, 70, 87]) { \
          const end = place >= 50; \
          label.classList.toggle('end', end); \
          label.append(...(end ? [text, lead] : [lead, text])); \
          lead.setAttribute('width', `${end ? 100 - place : place}%`); \
          const seen = text.getBoundingClientRect(); \
          if (seen.left < left - 0.5 || seen.right > right + 0.5) out.push(place); \
        } \
        return out";
    let beyond: Value = page.client.execute(beyond, vec![]).await.unwrap();
    assert_eq!(beyond, json!([]));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_narrow_page_frames_its_rows_and_its_strip_is_one_line_with_all_its_words() {
    let folder = Folder::new();
    folder.write("hospital.csv", include_str!("../../../samples/hospital.csv"));
    let page = Page::open_as(&[], 360, false).await;
    page.upload(&folder.file("hospital.csv")).await;
    page.find("#browse td").await;
    // A thousand rows scroll in their frame, not past the page.
    let framed = "return document.querySelector('#browse').offsetHeight < window.innerHeight";
    assert_eq!(page.client.execute(framed, vec![]).await.unwrap(), json!(true));
    for language in ["en", "de", "es"] {
        speak(&page, language).await;
        page.find("#strip-network[data-requests='0']").await;
        let strip = "const line = document.querySelector('#strip-network'); \
            return [line.checkVisibility() && line.scrollWidth <= line.clientWidth, \
              line.getClientRects().length, document.querySelector('.strip').offsetHeight <= 32]";
        let seen = page.client.execute(strip, vec![]).await.unwrap();
        assert_eq!(seen, json!([true, 1, true]), "{language}");
    }
    page.close().await;
}
