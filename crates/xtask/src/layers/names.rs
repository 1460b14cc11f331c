//! The names that a source file uses, with `use` trees spelled out, each marked as test code or not.

use super::lex::{Spanned, Token, tokens};

/// A path such as `std::fs::read` as written, with `use` groups expanded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    pub(crate) segments: Vec<String>,
    pub(crate) line: usize,
    /// It stands in an item under `#[cfg(test)]`.
    pub(crate) in_test: bool,
}

/// What a source file says.
#[derive(Default, Debug)]
pub(crate) struct Names {
    pub(crate) names: Vec<Name>,
    /// Modules declared under `#[cfg(test)]` whose text is in a file of its own.
    pub(crate) test_modules: Vec<String>,
}

/// Reads a file's text.
pub(crate) fn names(source: &str) -> Names {
    let tokens = tokens(source);
    let mut result = Names::default();
    let is_test = mark_tests(&tokens, &mut result.test_modules);
    let mut at = 0;
    while at < tokens.len() {
        let in_test = is_test[at];
        if tokens[at].is_word("use") {
            at = use_tree(&tokens, at + 1, &mut Vec::new(), in_test, &mut result.names);
        } else if let Token::Word(_) = tokens[at].token {
            let mut segments = Vec::new();
            let line = tokens[at].line;
            at = path(&tokens, at, &mut segments);
            result.names.push(Name { segments, line, in_test });
        } else {
            at += 1;
        }
    }
    result
}

/// Reads `a::b::c`; stops behind it.
fn path(tokens: &[Spanned], mut at: usize, segments: &mut Vec<String>) -> usize {
    while let Some(Spanned { token: Token::Word(word), .. }) = tokens.get(at) {
        segments.push(word.clone());
        at += 1;
        let continues = tokens.get(at).is_some_and(|t| t.token == Token::PathSep)
            && matches!(tokens.get(at + 1), Some(Spanned { token: Token::Word(_), .. }));
        if !continues {
            break;
        }
        at += 1;
    }
    at
}

/// Reads one tree behind `use` (or inside its braces); stops behind it.
fn use_tree(
    tokens: &[Spanned],
    mut at: usize,
    prefix: &mut Vec<String>,
    in_test: bool,
    out: &mut Vec<Name>,
) -> usize {
    let depth = prefix.len();
    let line = tokens.get(at).map_or(0, |t| t.line);
    if tokens.get(at).is_some_and(|t| t.token == Token::PathSep) {
        at += 1;
    }
    at = path(tokens, at, prefix);
    if tokens.get(at).is_some_and(|t| t.token == Token::PathSep) {
        at += 1;
    }
    if tokens.get(at).is_some_and(|t| t.is_mark('{')) {
        at += 1;
        while at < tokens.len() && !tokens[at].is_mark('}') {
            let before = at;
            at = use_tree(tokens, at, prefix, in_test, out);
            // Commas, and anything that is not Rust.
            if at == before || tokens.get(at).is_some_and(|t| t.is_mark(',')) {
                at += 1;
            }
        }
        at += 1;
    } else if prefix.len() > depth || tokens.get(at).is_some_and(|t| t.is_mark('*')) {
        out.push(Name { segments: prefix.clone(), line, in_test });
        while at < tokens.len() && ![',', '}', ';'].iter().any(|&mark| tokens[at].is_mark(mark)) {
            at += 1;
        }
    }
    prefix.truncate(depth);
    at
}

/// For each token whether it belongs to an item under `#[cfg(test)]`.
fn mark_tests(tokens: &[Spanned], modules: &mut Vec<String>) -> Vec<bool> {
    let mut marks = vec![false; tokens.len()];
    // `#![cfg(test)]` at the top covers the file.
    let mut at = 0;
    while at < tokens.len() {
        let Some((inner, is_test, behind)) = attribute(tokens, at) else {
            at += 1;
            continue;
        };
        if inner && is_test {
            marks.fill(true);
            return marks;
        }
        if !is_test {
            at = behind;
            continue;
        }
        let mut item = behind;
        while let Some((_, _, next)) = attribute(tokens, item) {
            item = next;
        }
        let end = item_end(tokens, item);
        marks[at..end].fill(true);
        if tokens[item..end].last().is_some_and(|t| t.is_mark(';'))
            && let Some(name) = module_name(&tokens[item..end])
        {
            modules.push(name);
        }
        at = end;
    }
    marks
}

/// If an attribute starts here: whether it is an inner one, whether it confines to tests, and the place behind it.
fn attribute(tokens: &[Spanned], at: usize) -> Option<(bool, bool, usize)> {
    if !tokens.get(at)?.is_mark('#') {
        return None;
    }
    let inner = tokens.get(at + 1)?.is_mark('!');
    let open = at + 1 + usize::from(inner);
    if !tokens.get(open)?.is_mark('[') {
        return None;
    }
    let close = closing(tokens, open, '[', ']');
    let body = &tokens[open + 1..close.min(tokens.len())];
    let cfg = body.first().is_some_and(|t| t.is_word("cfg"));
    // `cfg(not(test))` and `cfg(any(test, ...))` are also in the shipped code.
    let loose = body.iter().any(|t| t.is_word("not") || t.is_word("any"));
    let is_test = cfg && !loose && body.iter().any(|t| t.is_word("test"));
    Some((inner, is_test, (close + 1).min(tokens.len())))
}

/// The place behind the item that starts here: behind its `;` or its closing brace.
fn item_end(tokens: &[Spanned], mut at: usize) -> usize {
    while at < tokens.len() {
        let token = &tokens[at];
        if token.is_mark(';') {
            return at + 1;
        }
        if token.is_mark('{') {
            // `use a::{b};` goes on behind its brace.
            let close = closing(tokens, at, '{', '}');
            let goes_on = tokens.get(close + 1).is_some_and(|t| t.is_mark(';'));
            return (close + 1 + usize::from(goes_on)).min(tokens.len());
        }
        at = match &token.token {
            Token::Mark('(') => closing(tokens, at, '(', ')') + 1,
            Token::Mark('[') => closing(tokens, at, '[', ']') + 1,
            _ => at + 1,
        };
    }
    tokens.len()
}

/// The place of the bracket that closes the one at `open`, or the end.
fn closing(tokens: &[Spanned], open: usize, left: char, right: char) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.is_mark(left) {
            depth += 1;
        } else if token.is_mark(right) {
            depth -= 1;
            if depth == 0 {
                return at;
            }
        }
    }
    tokens.len()
}

/// `x` of `mod x;`, with any visibility.
fn module_name(item: &[Spanned]) -> Option<String> {
    let at = item.iter().position(|t| t.is_word("mod"))?;
    match &item.get(at + 1)?.token {
        Token::Word(name) => Some(name.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(source: &str) -> Vec<(String, bool)> {
        names(source).names.into_iter().map(|name| (name.segments.join("::"), name.in_test)).collect()
    }

    fn has(source: &str, path: &str) -> bool {
        paths(source).iter().any(|(found, _)| found == path)
    }

    #[test]
    fn use_trees_are_spelled_out() {
        let source =
            "use std::{fs, io::{self, Read as _, Write}, env as e}; pub use ::a::b; use c::*; fn f() {}";
        for path in
            ["std::fs", "std::io::self", "std::io::Read", "std::io::Write", "std::env", "a::b", "c", "f"]
        {
            assert!(has(source, path), "{path} in {:?}", paths(source));
        }
    }

    #[test]
    fn paths_in_expressions_are_whole() {
        assert!(has("fn f() { let x = std::fs::read(\"a\"); }", "std::fs::read"));
        assert!(has("fn f() { Vec::<std::time::Instant>::new() }", "std::time::Instant"));
    }

    #[test]
    fn test_items_are_marked() {
        let source = "fn a() {} #[cfg(test)] #[allow(x)] mod tests { use std::fs; fn b() {} } fn c() {}";
        let found = paths(source);
        assert!(found.contains(&("a".into(), false)) && found.contains(&("c".into(), false)));
        assert!(found.contains(&("std::fs".into(), true)) && found.contains(&("b".into(), true)));
        let found =
            paths("#[cfg(test)] use std::{fs}; use std::env; #[cfg(all(test, unix))] fn b(x: [u8; 2]) { t }");
        assert!(found.contains(&("std::fs".into(), true)) && found.contains(&("std::env".into(), false)));
        assert!(found.contains(&("t".into(), true)));
    }

    #[test]
    fn code_that_is_also_shipped_is_not_marked() {
        for condition in ["not(test)", "any(test, unix)", "feature = \"test\""] {
            let source = format!("#[cfg({condition})] mod x {{ fn b() {{}} }}");
            assert!(paths(&source).contains(&("b".into(), false)), "{condition}");
        }
        assert!(paths("#![cfg(test)] fn b() {}").contains(&("b".into(), true)));
    }

    #[test]
    fn test_modules_in_files_are_listed() {
        let found = names(
            "#[cfg(test)] mod tests; #[cfg(test)] pub(crate) mod oracle; mod other; #[cfg(test)] mod x {}",
        );
        assert_eq!(found.test_modules, ["tests", "oracle"]);
    }

    #[test]
    fn broken_source_ends() {
        for source in
            ["use", "use a::{", "use {,;", "#[cfg(test)]", "#[cfg(test", "mod {", "use ]", "use a::{]}"]
        {
            names(source);
        }
    }
}
