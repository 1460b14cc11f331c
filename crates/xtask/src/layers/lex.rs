//! Rust source as tokens: enough to know which names a file uses. Comments and literals vanish.

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    /// An identifier or keyword; `r#` is dropped.
    Word(String),
    /// `::`.
    PathSep,
    /// Any other single character of punctuation.
    Mark(char),
}

/// A token and the line it stands on, from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Spanned {
    pub(crate) token: Token,
    pub(crate) line: usize,
}

impl Spanned {
    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(&self.token, Token::Word(w) if w == word)
    }

    pub(crate) fn is_mark(&self, mark: char) -> bool {
        self.token == Token::Mark(mark)
    }
}

/// Splits a source file. Unfinished literals and comments end with the file.
pub(crate) fn tokens(source: &str) -> Vec<Spanned> {
    let mut reader = Reader { chars: source.chars().collect(), at: 0, line: 1 };
    let mut tokens = Vec::new();
    while let Some(c) = reader.peek(0) {
        let line = reader.line;
        let mut push = |token| tokens.push(Spanned { token, line });
        match c {
            '/' if reader.peek(1) == Some('/') => reader.skip_while(|c| c != '\n'),
            '/' if reader.peek(1) == Some('*') => reader.skip_block_comment(),
            '"' => reader.skip_string(),
            '\'' => reader.skip_char_or_lifetime(),
            ':' if reader.peek(1) == Some(':') => {
                reader.skip(2);
                push(Token::PathSep);
            }
            _ if starts_word(c) => {
                let word = reader.word();
                // `r"..."`, `br#"..."#`, `b'x'`, `c"..."` and raw identifiers start like words.
                match (word.as_str(), reader.peek(0)) {
                    ("r" | "br" | "cr", Some('"' | '#')) => {
                        if !reader.skip_raw_string() {
                            reader.skip(1);
                            push(Token::Word(reader.word()));
                        }
                    }
                    ("b" | "c", Some('"')) => reader.skip_string(),
                    ("b", Some('\'')) => reader.skip_char_or_lifetime(),
                    _ => push(Token::Word(word)),
                }
            }
            // A number, with its suffix, so that `1e5` or `0xFile` gives no word.
            _ if c.is_ascii_digit() => reader.skip_while(|c| c.is_ascii_alphanumeric() || c == '_'),
            _ => {
                reader.skip(1);
                if !c.is_whitespace() {
                    push(Token::Mark(c));
                }
            }
        }
    }
    tokens
}

fn starts_word(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    line: usize,
}

impl Reader {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn skip(&mut self, count: usize) {
        for _ in 0..count {
            if self.peek(0) == Some('\n') {
                self.line += 1;
            }
            self.at += 1;
        }
    }

    fn skip_while(&mut self, test: impl Fn(char) -> bool) {
        while self.peek(0).is_some_and(&test) {
            self.skip(1);
        }
    }

    fn word(&mut self) -> String {
        let start = self.at;
        self.skip_while(|c| c.is_alphanumeric() || c == '_');
        self.chars[start..self.at].iter().collect()
    }

    fn skip_block_comment(&mut self) {
        let mut depth = 0_usize;
        while let Some(c) = self.peek(0) {
            match (c, self.peek(1)) {
                ('/', Some('*')) => {
                    depth += 1;
                    self.skip(2);
                }
                ('*', Some('/')) => {
                    depth -= 1;
                    self.skip(2);
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.skip(1),
            }
        }
    }

    /// From the opening quote to behind the closing one.
    fn skip_string(&mut self) {
        self.skip(1);
        while let Some(c) = self.peek(0) {
            self.skip(if c == '\\' { 2 } else { 1 });
            if c == '"' {
                return;
            }
        }
    }

    /// From behind `r`; false, with nothing skipped, if this is a raw identifier.
    fn skip_raw_string(&mut self) -> bool {
        let hashes = self.chars[self.at..].iter().take_while(|&&c| c == '#').count();
        if self.peek(hashes) != Some('"') {
            return false;
        }
        self.skip(hashes + 1);
        while let Some(c) = self.peek(0) {
            self.skip(1);
            if c == '"' && (0..hashes).all(|i| self.peek(i) == Some('#')) {
                self.skip(hashes);
                break;
            }
        }
        true
    }

    /// `'a'`, `'\n'`, `'\u{1f}'` or the lifetime `'a`.
    fn skip_char_or_lifetime(&mut self) {
        if self.peek(1) == Some('\\') {
            self.skip(3);
            self.skip_while(|c| c != '\'' && c != '\n');
            self.skip(1);
        } else if self.peek(2) == Some('\'') {
            self.skip(3);
        } else {
            self.skip(1);
            self.word();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str) -> Vec<String> {
        let word = |spanned: Spanned| match spanned.token {
            Token::Word(word) => Some(word),
            _ => None,
        };
        tokens(source).into_iter().filter_map(word).collect()
    }

    #[test]
    fn comments_and_literals_vanish() {
        let source = r##"
            // line File
            /* block /* nested File */ File */
            let a = "File \" File"; let b = r#"File " File"#; let c = b"File"; let d = br"File\"; let e = 'F';
            let f = '\''; let g = '"'; let h = b'"'; let i = c"File"; let j = '\u{46}';
            end
        "##;
        let kept = words(source);
        assert!(!kept.contains(&"File".to_owned()), "{kept:?}");
        assert_eq!(kept.last().unwrap(), "end");
        assert_eq!(kept.iter().filter(|word| *word == "let").count(), 10);
    }

    #[test]
    fn lifetimes_raw_identifiers_and_numbers() {
        assert_eq!(
            words("fn f<'File>(x: &'File r#type) -> u8 { 0xF1_u8 + 1e5 }"),
            ["fn", "f", "x", "type", "u8"]
        );
    }

    #[test]
    fn lines_are_counted_through_literals() {
        let source = "a\n\"x\ny\"\n/* \n */ b";
        let lines: Vec<usize> = tokens(source).iter().map(|spanned| spanned.line).collect();
        assert_eq!(lines, [1, 5]);
    }

    #[test]
    fn unfinished_input_ends() {
        for source in ["\"abc", "/* abc", "r#\"abc", "'", "'\\", "b'"] {
            assert!(words(source).is_empty(), "{source}");
        }
    }
}
