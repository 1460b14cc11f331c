//! The page as a user has it: open, describe, protect, anonymize, look, save.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use fantoccini::{
    Client, Locator,
    elements::Element,
    error::{CmdError, ErrorStatus},
};
use lookalike_tests::{program::PATIENCE, server::Server};
use serde_json::Value;

use crate::{driver::Driver, sink::Sink};

/// A page in a browser of its own, with the server it came from and the proxy that catches what leaves it.
pub(crate) struct Page {
    pub(crate) client: Client,
    pub(crate) sink: Sink,
    driver: Driver,
    server: Option<Server>,
}

impl Page {
    /// Serves the page with these flags and opens it.
    pub(crate) async fn open(serve: &[&str]) -> Self {
        Self::open_as(serve, 1280, false).await
    }

    /// The same in a window of this width, light or dark.
    pub(crate) async fn open_as(serve: &[&str], width: u32, dark: bool) -> Self {
        Self::open_with(serve, width, dark, "en-US").await
    }

    /// The same in a browser that prefers a language.
    pub(crate) async fn open_in(serve: &[&str], language: &str) -> Self {
        Self::open_with(serve, 1280, false, language).await
    }

    /// The same for a user who stays when the browser asks whether to leave.
    pub(crate) async fn open_to_stay() -> Self {
        Self::open_by(Driver::start().staying(), &[], 1280, false, "en-US").await
    }

    async fn open_with(serve: &[&str], width: u32, dark: bool, language: &str) -> Self {
        Self::open_by(Driver::start(), serve, width, dark, language).await
    }

    async fn open_by(driver: Driver, serve: &[&str], width: u32, dark: bool, language: &str) -> Self {
        let server = Server::start(serve);
        let sink = Sink::start();
        let client = driver.open(&server.address, sink.address(), width, dark, language).await;
        client.goto(&format!("{}/", server.url())).await.unwrap();
        let page = Self { client, sink, driver, server: Some(server) };
        page.attribute_not("#threads", "data-threads", "0").await;
        page
    }

    /// Opens the page as one file.
    pub(crate) async fn from_disk(file: &str) -> Self {
        let (sink, driver) = (Sink::start(), Driver::start());
        let client = driver.open("127.0.0.1:1", sink.address(), 1280, false, "en-US").await;
        client.goto(&format!("file://{file}")).await.unwrap();
        let page = Self { client, sink, driver, server: None };
        page.attribute_not("#threads", "data-threads", "0").await;
        page
    }

    /// Runs a script before all others whenever a page is loaded.
    pub(crate) async fn before_all(&self, script: &str) {
        let session = self.client.session_id().await.unwrap().unwrap();
        self.driver.before_all(&session, script);
    }

    /// Ends the server that the page came from.
    pub(crate) fn stop_server(&mut self) {
        self.server = None;
    }

    /// Ends the browser in good order.
    pub(crate) async fn close(self) {
        self.client.close().await.unwrap();
    }

    /// An element that is there or will be.
    pub(crate) async fn find(&self, css: &str) -> Element {
        let wait = self.client.wait().at_most(PATIENCE).every(Duration::from_millis(50));
        match wait.for_element(Locator::Css(css)).await {
            Ok(element) => element,
            Err(why) => panic!("no {css}: {why}; the page says: {}", self.seen("main").await),
        }
    }

    /// Opens what an element is folded away in, as a user would: the expert settings, or a fold that is not a part of the test.
    pub(crate) async fn reveal(&self, css: &str) {
        let script = "const element = document.querySelector(arguments[0]); if (!element) return null; \
            const sheet = document.querySelector('.sheet:not([hidden])'), narrow = innerWidth <= 1100; \
            if (sheet && !sheet.contains(element) && (narrow || element.closest('.middle-pane'))) return `#${sheet.id.replace('-sheet', '')}-close`; \
            if (element.closest('#expert[hidden]')) return '#expert-open'; \
            let fold = null; /* the outermost one */ \
            for (let at = element; at; at = at.parentElement) if (at.matches('#more-files:not([open]), #how-read:not([open]), #more-raw-risk:not([open]), #more-checks:not([open]), #more-metrics:not([open]), #more-search-done:not([open]), .section:not([open]), #more-check:not([open]), #more-attacks:not([open]), #series-together:not([open]), #series-more:not([open]), #other-forms:not([open]), #checked-checks:not([open]), #checked-figures:not([open]), #more-certificate:not([open])')) fold = at; \
            return fold && element !== fold.firstElementChild ? `#${fold.id} > summary` : null";
        for _ in 0..4 {
            let way = self.client.execute(script, vec![css.into()]).await.unwrap();
            let Some(way) = way.as_str() else { return };
            self.press(way).await;
        }
    }

    /// Text of an element, as it is seen.
    pub(crate) async fn text(&self, css: &str) -> String {
        self.reveal(css).await;
        self.seen(css).await
    }

    /// Text of an element, as far as it is seen now.
    async fn seen(&self, css: &str) -> String {
        match self.client.find(Locator::Css(css)).await {
            Ok(element) => element.text().await.unwrap_or_default(),
            Err(_) => String::new(),
        }
    }

    /// An attribute of an element.
    pub(crate) async fn attribute(&self, css: &str, name: &str) -> String {
        self.find(css).await.attr(name).await.unwrap().unwrap_or_default()
    }

    /// Waits until an attribute has another value than this.
    pub(crate) async fn attribute_not(&self, css: &str, name: &str, value: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            let now = self.attribute(css, name).await;
            if now != value {
                return now;
            }
            assert!(Instant::now() < end, "{css} keeps {name} = {value}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Clicks, wherever it is folded away.
    pub(crate) async fn click(&self, css: &str) {
        self.find(css).await;
        self.reveal(css).await;
        self.press(css).await;
    }

    /// Clicks on what is there to be seen. Where an answer of the page moves it away from under the mouse, it is clicked on again.
    pub(crate) async fn press(&self, css: &str) {
        let end = Instant::now() + PATIENCE;
        loop {
            let element = self.find(css).await;
            self.client
                .execute("arguments[0].scrollIntoView({ block: 'center' })", vec![value(&element)])
                .await
                .unwrap();
            match element.click().await {
                Err(CmdError::Standard(error))
                    if error.error == ErrorStatus::ElementClickIntercepted && Instant::now() < end => {}
                clicked => return clicked.unwrap(),
            }
        }
    }

    /// Chooses an option of a select. The page may put another one in its place in between, which is then to be found anew.
    pub(crate) async fn choose(&self, css: &str, option: &str) {
        self.find(css).await;
        self.reveal(css).await;
        for _ in 0..100 {
            match self.find(css).await.select_by_value(option).await {
                Err(error) if error.is_stale_element_reference() => {}
                chosen => return chosen.unwrap(),
            }
        }
        panic!("{css} is another element whenever it was found");
    }

    /// Replaces the text of a field.
    pub(crate) async fn fill(&self, css: &str, text: &str) {
        self.find(css).await;
        self.reveal(css).await;
        let field = self.find(css).await;
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    /// Types in place of what a field holds, and the Enter key: for fields that act on each change, as which emptying them counts.
    pub(crate) async fn enter(&self, css: &str, text: &str) {
        let (all, enter) = ("\u{e009}a\u{e000}", "\u{e007}");
        self.find(css).await;
        self.reveal(css).await;
        self.find(css).await.send_keys(&format!("{all}{text}{enter}")).await.unwrap();
    }

    /// Picks a file as the file dialogue does.
    pub(crate) async fn upload(&self, file: &str) {
        let file = std::fs::canonicalize(file).unwrap();
        // The field of the first screen is another one than that of the workbench, which may come in between.
        for _ in 0..100 {
            match self.find("#file-input").await.send_keys(&file.display().to_string()).await {
                Err(error) if error.is_stale_element_reference() => {}
                picked => {
                    picked.unwrap();
                    break;
                }
            }
        }
        self.discard().await;
        self.find("#opened").await;
    }

    /// Goes on where the page asks before it loses something: what a test needs of a result it has.
    pub(crate) async fn discard(&self) {
        if let Ok(button) = self.client.find(Locator::Css("#asks-discard")).await {
            button.click().await.unwrap();
        }
        // A ledger needs a second yes.
        if let Ok(button) = self.client.find(Locator::Css("#asks-discard-ledger")).await {
            button.click().await.unwrap();
        }
    }

    /// Saves the ledger of a release and confirms that it is stored: before, nothing else can be saved.
    pub(crate) async fn store_ledger(&self) -> Vec<u8> {
        let ledger = self.download("#download-ledger").await;
        self.click("#ledger-stored:enabled").await;
        self.find("#ledger-stored:checked").await;
        ledger
    }

    /// Gives a column its role.
    pub(crate) async fn role(&self, column: &str, role: &str) {
        self.choose(&format!("[data-column=\"{column}\"] select"), role).await;
    }

    /// Starts the run and waits for its verdict.
    pub(crate) async fn anonymize(&self) {
        self.click("#anonymize").await;
        self.verdict().await;
    }

    /// Waits for the verdict, which must be good. That of the run before stays until there is another.
    pub(crate) async fn verdict(&self) {
        let end = Instant::now() + PATIENCE;
        while self.client.find(Locator::Css("#running")).await.is_ok() {
            assert!(Instant::now() < end, "the run goes on: {}", self.text("#running").await);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(self.attribute("#verdict", "data-passed").await, "true");
    }

    /// Saves what a link gives and reads it from the browser's folder.
    pub(crate) async fn download(&self, css: &str) -> Vec<u8> {
        let name = self.attribute(css, "download").await;
        self.saved(css, &name).await
    }

    /// Reads the file of this name that a click saves.
    pub(crate) async fn saved(&self, css: &str, name: &str) -> Vec<u8> {
        let _ = std::fs::remove_file(self.driver.downloads().join(name));
        self.click(css).await;
        self.arrived(name).await
    }

    /// Waits for a file of this name and reads it.
    pub(crate) async fn arrived(&self, name: &str) -> Vec<u8> {
        let path = self.driver.downloads().join(name);
        let end = Instant::now() + PATIENCE;
        while !settled(&path) {
            assert!(Instant::now() < end, "{name} was never saved");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        std::fs::read(path).unwrap()
    }

    /// The report.
    pub(crate) async fn report(&self) -> Value {
        serde_json::from_slice(&self.download("#download-report").await).unwrap()
    }

    /// Gives the browser a command of its developer tools.
    pub(crate) async fn devtools(&self, command: &str, params: Value) -> Value {
        let session = self.client.session_id().await.unwrap().unwrap();
        self.driver.devtools(&session, command, &params)
    }

    /// Writes a picture of the whole page to the folder that `LOOKALIKE_SHOTS` names, if it does.
    pub(crate) async fn shot(&self, name: &str) {
        let Ok(folder) = std::env::var("LOOKALIKE_SHOTS") else { return };
        let height = self.client.execute(HEIGHT, vec![]).await.unwrap();
        let (width, _) = self.client.get_window_size().await.map(|(w, h)| (w as u32, h)).unwrap();
        let height = height.as_u64().unwrap_or(1200).clamp(700, 6000) as u32 + 150;
        self.client.set_window_size(width, height).await.unwrap();
        let picture = self.client.screenshot().await.unwrap();
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(Path::new(&folder).join(format!("{name}.png")), picture).unwrap();
        self.client.set_window_size(width, 1200).await.unwrap();
    }
}

/// Height of all that the page has to show, scrolled parts included.
const HEIGHT: &str =
    "return 90 + Math.max(...[...document.querySelectorAll('html, .scroll')].map(e => e.scrollHeight))";

/// Whether a file is there and no longer grows.
fn settled(path: &Path) -> bool {
    let partial = path.with_extension(format!(
        "{}.crdownload",
        path.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default()
    ));
    path.exists() && !partial.exists() && std::fs::metadata(path).is_ok_and(|m| m.len() > 0)
}

fn value(element: &Element) -> Value {
    serde_json::to_value(element.clone()).unwrap()
}

/// Waits until a script returns this.
pub(crate) async fn becomes(page: &Page, script: &str, wanted: Value) {
    turns_to(page, script, &wanted.to_string(), |now| *now == wanted).await;
}

/// What a script gives, once it is what is wanted.
pub(crate) async fn turns_to(
    page: &Page,
    script: &str,
    wanted: &str,
    is_wanted: impl Fn(&Value) -> bool,
) -> Value {
    let end = Instant::now() + PATIENCE;
    loop {
        let now = page.client.execute(script, vec![]).await.unwrap();
        if is_wanted(&now) {
            return now;
        }
        assert!(Instant::now() < end, "{script}: {now}, not {wanted}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
