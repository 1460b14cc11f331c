//! Whatever the text: a dialect that the reader takes, and the same one if it is asked for.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_table::{Error, Quote, ReadOptions, dialect::detect, read};

fuzz_target!(|input: (bool, Option<u8>, Option<u8>, &[u8])| {
    let (whole, delimiter, mark, text) = input;
    let quote = mark.map(Quote::Mark);
    let found = detect(text, whole, delimiter, quote);
    assert!(!found.evidence.is_empty());
    assert!(delimiter.is_none_or(|given| given == found.delimiter));
    assert!(quote.is_none_or(|given| given == found.quote));
    assert_eq!(detect(text, whole, Some(found.delimiter), Some(found.quote)).delimiter, found.delimiter);
    let options =
        ReadOptions { delimiter: Some(found.delimiter), quote: Some(found.quote), ..ReadOptions::default() };
    let refused = matches!(read(text, &options), Err(Error::Delimiter(_) | Error::QuoteMark(_)));
    assert!(!refused || delimiter.is_some() || mark.is_some());
});
