//! Whatever the text: a configuration or an error; and what is saved of it says the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_wire::config::{read, write};

fuzz_target!(|text: &str| {
    let Ok(loaded) = read(text) else { return };
    let again = read(&write(&loaded.draft)).expect("what was written can be read");
    assert_eq!(again.draft.complete(None).ok(), loaded.draft.complete(None).ok());
});
