//! Text that is no table: pages of the web and XML, which some systems save under a spreadsheet's name.

use crate::{Error, Foreign};

/// How they begin, in either case, after white space.
const BEGINNINGS: [(&[u8], Foreign); 7] = [
    (b"<!doctype html", Foreign::Html),
    (b"<html", Foreign::Html),
    (b"<head", Foreign::Html),
    (b"<body", Foreign::Html),
    (b"<table", Foreign::Html),
    (b"<meta", Foreign::Html),
    (b"<?xml", Foreign::Xml),
];

/// Refuses markup, by the beginning of a text.
pub(crate) fn refuse(text: &[u8]) -> Result<(), Error> {
    let text = text.trim_ascii_start();
    let begins = |key: &[u8]| {
        text.split_at_checked(key.len()).is_some_and(|(start, _)| start.eq_ignore_ascii_case(key))
    };
    let found = BEGINNINGS.into_iter().find(|(key, _)| begins(key));
    found.map_or(Ok(()), |(_, what)| Err(Error::Foreign { what }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_told_from_tables() {
        for (text, what) in [
            ("<html><table></table></html>", Foreign::Html),
            ("\r\n <!DOCTYPE HTML>", Foreign::Html),
            ("<Table border=1>", Foreign::Html),
            ("<?xml version=\"1.0\"?>", Foreign::Xml),
        ] {
            assert_eq!(refuse(text.as_bytes()), Err(Error::Foreign { what }), "{text}");
        }
        for text in ["", "<", "<5,a\n", "<htm", "age,sex\n<html>,f\n", "x<?xml"] {
            assert_eq!(refuse(text.as_bytes()), Ok(()), "{text}");
        }
    }
}
