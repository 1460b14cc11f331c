//! A few letters beyond ASCII among Latin ones, which a detector takes for another script: "M\u{fc}ller" of a DOS program is two bytes of
//! Japanese in its middle.
//!
//! A script of its own has words of its own: its letters stand beside each other. A letter with an accent stands by itself
//! among those without.

use std::collections::BTreeSet;

use super::charset::Charset;

/// Words with bytes beyond ASCII that are looked at, and bytes of the longest.
const MOST: usize = 2000;
const LONGEST: usize = 60;

/// Bytes that Windows-1252 does not have.
const UNDEFINED: [u8; 5] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

/// The different words of a file that have bytes beyond ASCII, as they come. They end at bytes that are no part of a character in
/// any encoding.
#[derive(Default)]
pub(super) struct Words {
    word: Vec<u8>,
    found: BTreeSet<Vec<u8>>,
}

/// Another encoding than the detector's, with a word in both.
pub(super) struct Instead {
    pub(super) charset: Charset,
    pub(super) read: String,
    pub(super) otherwise: String,
}

impl Words {
    pub(super) fn push(&mut self, byte: u8) {
        if !matches!(byte, 0..b'0' | b':' | b';') {
            if self.word.len() <= LONGEST {
                self.word.push(byte);
            }
            return;
        }
        self.end();
    }

    pub(super) fn end(&mut self) {
        let is_one = self.word.len() <= LONGEST && !self.word.is_ascii() && self.found.len() < MOST;
        if is_one {
            self.found.insert(std::mem::take(&mut self.word));
        } else {
            self.word.clear();
        }
    }

    /// A Western European encoding in which these are words, if they are none in the one that was guessed.
    pub(super) fn instead(&self, guess: Charset) -> Option<Instead> {
        let doubtful = if guess == Charset::WINDOWS_1252 {
            self.found.iter().any(|word| is_odd(word))
        } else {
            self.mostly(|word| is_isolated(&guess.text(word)))
        };
        let apart = |word: &[u8]| word.windows(2).all(|two| two[0].is_ascii() || two[1].is_ascii());
        if !doubtful || !self.mostly(apart) {
            return None;
        }
        let western = [Charset::WINDOWS_1252, Charset::Cp850].into_iter();
        let mut fitting = western.filter(|of| *of != guess && self.mostly(|word| is_word(&of.text(word))));
        let charset = fitting.next()?;
        let word = self.found.iter().find(|word| is_word(&charset.text(word)))?;
        Some(Instead { charset, read: charset.text(word), otherwise: guess.text(word) })
    }

    /// Whether something is so of four words in five.
    fn mostly(&self, is: impl Fn(&[u8]) -> bool) -> bool {
        let so = self.found.iter().filter(|word| is(word)).count();
        so > 0 && so * 5 >= self.found.len() * 4
    }
}

/// Whether a word has a byte that Windows-1252 does not have, or a sign of it where none stands: a quotation mark within, an opening one
/// behind a letter.
fn is_odd(word: &[u8]) -> bool {
    let inner = |three: &[u8]| {
        let [before, byte, after] = *three else { return false };
        // Apostrophes and dashes stand between letters.
        let sign = matches!(byte, 0x80..=0x9f if !matches!(byte, 0x8a | 0x8c | 0x8e | 0x91 | 0x92 | 0x96 | 0x97 | 0x9a | 0x9c | 0x9e | 0x9f));
        sign && before.is_ascii_alphabetic() && after.is_ascii_alphabetic()
    };
    let opening = |two: &[u8]| two[0].is_ascii_alphabetic() && matches!(two[1], 0x82 | 0x84);
    word.iter().any(|byte| UNDEFINED.contains(byte))
        || word.windows(3).any(inner)
        || word.windows(2).any(opening)
}

/// Whether each character beyond ASCII stands by itself, beside a Latin letter.
fn is_isolated(text: &str) -> bool {
    let all: Vec<char> = text.chars().collect();
    let near = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| all.get(at));
        before.into_iter().chain(all.get(at + 1))
    };
    let alone = |at: usize| near(at).all(char::is_ascii) && near(at).any(char::is_ascii_alphabetic);
    (0..all.len()).filter(|&at| !all[at].is_ascii()).all(alone)
}

/// Whether a text is of Latin letters and digits, with a letter beyond ASCII beside another one.
fn is_word(text: &str) -> bool {
    // Ordinal indicators and a letter of Turkish alone are no evidence.
    let is_letter =
        |c: char| c.is_ascii_alphabetic() || matches!(c, '\u{c0}'..='\u{ff}' if c.is_alphabetic());
    let plain = |c: char| c.is_ascii() || is_letter(c);
    text.chars().all(plain) && text.chars().filter(|c| is_letter(*c)).count() > 1
}
