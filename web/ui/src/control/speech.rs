//! The language of the page: which one, and where its messages come from.

use wasm_bindgen_futures::spawn_local;

use super::Control;
use crate::{
    platform::{dom, http, storage},
    state::Action,
    texts::{self, Language, Speech, Words},
};

/// Makes the page speak as the browser does, or as somebody chose before. If that cannot be had, it speaks English.
pub async fn begin() {
    let remembered = storage::language().and_then(|code| Language::of(&code));
    let language = remembered.or_else(|| Language::of(&dom::language())).unwrap_or_default();
    // English is there. The page is not kept waiting to say that another language is not.
    let _ = change(language).await;
}

impl Control {
    /// Lets the page speak another language; the browser remembers it if it is to remember settings.
    pub fn speak(&self, language: Language) {
        let control = self.clone();
        spawn_local(async move {
            match change(language).await {
                Ok(()) => {
                    if control.0.remembers.get() {
                        storage::write_language(language.code());
                    }
                    control.dispatch(Action::Speaks(language));
                    control.restate();
                }
                Err(why) => {
                    let message = page!(FAILED_LANGUAGE, language = language.name(), why = why);
                    control.dispatch(Action::Speechless(message));
                }
            }
        });
    }
}

async fn change(language: Language) -> Result<(), Words> {
    let speech = if language == Language::English { Speech::ENGLISH } else { fetched(language).await? };
    texts::speak(speech);
    dom::set_language(language.code());
    Ok(())
}

async fn fetched(language: Language) -> Result<Speech, Words> {
    let answer = http::send("GET", &format!("./texts/{}.txt", language.code()), None, None).await?;
    if !answer.is_ok() {
        return Err(page!(FAILED_SERVER_ANSWERS_WITH_STATUS, status = answer.status));
    }
    let text = answer.bytes().await?.text();
    text.and_then(|text| Speech::read(language, text)).ok_or_else(|| page!(FAILED_NOT_THIS_PAGE))
}
