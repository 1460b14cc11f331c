//! Every language says everything, and nothing is said outside of the files of texts.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use super::*;

const FILES: [(&str, &str); 3] = [
    ("en", include_str!("../../texts/en.txt")),
    ("es", include_str!("../../texts/es.txt")),
    ("de", include_str!("../../texts/de.txt")),
];

/// Key and message of each line.
fn messages(file: &'static str) -> Vec<(&'static str, &'static str)> {
    let page = file.split("\n[setting]\n").next().unwrap();
    let lines = page.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_once(" = ").unwrap_or_else(|| panic!("{line}"))).collect()
}

fn placeholders(message: &str) -> BTreeSet<&str> {
    let names = message.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0));
    names
        .filter(|name| !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'))
        .collect()
}

#[test]
fn every_language_has_every_message_with_the_same_placeholders() {
    let english = messages(FILES[0].1);
    assert_eq!(english.iter().map(|(_, text)| *text).collect::<Vec<_>>(), ENGLISH);
    let keys: BTreeSet<_> = english.iter().map(|(key, _)| key).collect();
    assert_eq!(keys.len(), english.len(), "a key stands there twice");
    for (code, file) in FILES {
        let others = messages(file);
        let names = |all: &[(&'static str, _)]| all.iter().map(|(key, _)| *key).collect::<Vec<_>>();
        assert_eq!(names(&english), names(&others), "{code}");
        for ((key, one), (_, other)) in english.iter().zip(others) {
            assert!(!other.trim().is_empty() && other.trim() == other, "{code} {key}");
            assert_eq!(placeholders(one), placeholders(other), "{code} {key}");
            assert_eq!(one.contains(" || "), other.contains(" || "), "{code} {key}");
            // Each form has all placeholders but the number itself.
            for form in other.split(" || ") {
                let mut found = placeholders(form);
                let mut all = placeholders(one);
                found.remove("n");
                all.remove("n");
                assert_eq!(found, all, "{code} {key}");
            }
        }
    }
}

#[test]
fn english_is_said_in_short_words() {
    let texts = [include_str!("../../texts/en.txt"), include_str!("../../../../crates/words/texts/en.txt")];
    for line in texts.into_iter().flat_map(str::lines) {
        let told = line.to_lowercase();
        for heavy in ["whoever", "of its own", "tick away"] {
            assert!(!told.contains(heavy), "{line}");
        }
    }
}

#[test]
fn numbers_are_written_as_the_language_does() {
    use crate::format::{bytes, count, number, odds, percent, seconds};
    let written = |language: usize| {
        let (code, file) = FILES[language];
        speak(Speech::read(Language::of(code).unwrap(), file.to_owned()).unwrap());
        let numbers = [count(1234), count(1_234_567), number(12.345_6), number(-1500.2)];
        let others = [percent(12.5), seconds(0.42), bytes(2.5e6), odds(0.4)];
        speak(Speech::ENGLISH);
        (numbers, others)
    };
    let (numbers, others) = written(2);
    assert_eq!(numbers, ["1.234", "1.234.567", "12,3", "-1.500"]);
    assert_eq!(others, ["12,5 %", "0,4 s", "2,5 MB", "1 von 2,5"]);
    let (numbers, _) = written(1);
    assert_eq!(numbers, ["1234", "1.234.567", "12,3", "-1500"]);
}

#[test]
fn a_file_of_another_version_is_not_spoken() {
    assert!(Speech::read(Language::German, String::from("APP_LANGUAGE = Sprache\n")).is_none());
}

/// The names of settings in a file of the page.
fn settings(file: &str) -> Catalogue {
    let from = file.find("\n[setting]\n").unwrap();
    Catalogue::read(&file[from + 1..]).unwrap()
}

#[test]
fn every_setting_that_a_message_names_has_a_name_in_the_page() {
    let named: BTreeSet<String> = lookalike_words::TEXTS[0]
        .1
        .split("{@")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once('}')?.0.to_owned()))
        .collect();
    for (code, file) in FILES {
        let settings = settings(file);
        for setting in &named {
            // An argument within a value ends what is found here early: the setting alone is enough.
            let (name, _) = setting.split_once(' ').unwrap_or((setting, ""));
            let there = [setting.as_str(), name].map(|name| settings.template(&format!("setting.{name}")));
            assert!(
                there.iter().any(Option::is_some),
                "{code}: the page has no words for the setting {setting}"
            );
        }
    }
}

lookalike_words::messages! {
    in "words";

    /// What a wheel may lack.
    enum Wheel {
        /// Spokes.
        Spokes { missing: usize },
    }
}

#[test]
fn what_stands_in_quotation_marks_in_the_name_of_a_setting_stands_on_the_page() {
    for (code, file) in FILES {
        let said: BTreeSet<&str> = messages(file).into_iter().map(|(_, message)| message).collect();
        let (open, close) = match code {
            "es" => ('«', '»'),
            "de" => ('„', '“'),
            _ => ('“', '”'),
        };
        let names = file.split("\n[setting]\n").nth(1).unwrap();
        let label = |rest: &str| rest.split_once(close).unwrap().0.replace("{<}", "{").replace("{>}", "}");
        let quoted = names.split(open).skip(1).map(label);
        let unknown: Vec<String> = quoted.filter(|label| !said.contains(label.as_str())).collect();
        assert_eq!(unknown, [""; 0], "{code}");
    }
}

#[test]
fn messages_of_the_crates_are_said_in_the_language_of_the_page() {
    let said = Said::from(Wheel::Spokes { missing: 1200 });
    let all = FILES.map(|(code, file)| {
        let crates = lookalike_words::TEXTS.iter().find(|(of, _)| *of == code).unwrap().1;
        let language = Language::of(code).unwrap();
        speak(Speech::read(language, format!("{file}{crates}")).unwrap());
        let words = words(&said);
        speak(Speech::ENGLISH);
        words
    });
    assert_eq!(all, ["1,200 spokes are missing", "faltan 1200 radios", "1.200 Speichen fehlen"]);
    assert_eq!(words(&said), all[0]);
}

/// Advice that names a flag on the command line names a field here.
#[test]
fn settings_are_the_page_s_fields() {
    use lookalike_words::{AsArg, Cell, Figure, Name};
    let args = [
        ("cell", Cell::from("1,234").as_arg()),
        ("whole", Figure::fixed(1234.0, 0).as_arg()),
        ("real", Figure::fixed(1.234, 3).as_arg()),
        ("column", Name::from("age").as_arg()),
    ];
    let said = Said::new("table.Question.Number", args);
    assert!(said.to_string().ends_with("(--kind age=integer or age=real)"), "{said}");
    assert!(words(&said).ends_with("(the field “Kind”)"), "{}", words(&said));
    let (code, file) = FILES[2];
    let crates = lookalike_words::TEXTS.iter().find(|(of, _)| *of == code).unwrap().1;
    speak(Speech::read(Language::German, format!("{file}{crates}")).unwrap());
    let german = words(&said);
    speak(Speech::ENGLISH);
    assert!(
        german.starts_with("'1,234' kann 1234 sein (ein Komma zwischen Tausendern) oder 1,234 "),
        "{german}"
    );
    assert!(
        german.ends_with(
            "„age“ im ersten Fall die Art „ganze Zahl“, im zweiten „Dezimalzahl“ (das Feld „Art“)"
        ),
        "{german}"
    );
}

#[test]
fn forms_for_one_and_for_several() {
    assert_eq!(
        [0, 1, 2000].map(|n| counted("{n} row of {all} || {n} rows of {all}", n, &[("all", "9")])),
        ["0 rows of 9", "1 row of 9", "2,000 rows of 9"]
    );
    assert_eq!(fill("{18, 20} {x} {y}", &[("x", "1")]), "{18, 20} 1 {y}");
}

/// The sources without their tests.
fn sources() -> Vec<(PathBuf, String)> {
    fn collect(folder: &Path, all: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, all);
            } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
                let text = fs::read_to_string(&path).unwrap();
                let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
                all.push((path, text[..end].to_owned()));
            }
        }
    }
    let mut all = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    all
}

/// The literals of a source, each with what stands before it; comments left out.
fn literals(source: &str) -> Vec<(String, String)> {
    let code: String =
        source.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let (mut found, mut rest, mut before) = (Vec::new(), code.as_str(), String::new());
    while let Some(at) = rest.find('"') {
        before.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        // A quote as a character is no text.
        if before.ends_with('\'') || before.ends_with("'\\") {
            continue;
        }
        let mut end = 0;
        while !rest[end..].starts_with('"') {
            end += if rest[end..].starts_with('\\') {
                2
            } else {
                rest[end..].chars().next().map_or(1, char::len_utf8)
            };
        }
        found.push((before.clone(), rest[..end].to_owned()));
        before.push_str(&rest[..end]);
        rest = &rest[end + 1..];
    }
    found
}

#[test]
fn nothing_is_said_outside_of_the_files_of_texts() {
    // Names of the browser's things, of files and of generators; what no attribute shows.
    const ALLOWED: &[&str] = &[
        "drop over",
        "Files",
        "Escape",
        "Enter",
        "ArrowDown",
        "ArrowUp",
        "Home",
        "End",
        "dense wide",
        "column-frame many",
        "serde hands over the field as it is",
        "textarea, input:not([type=checkbox]):not([type=file]):not([type=range])",
        "button quiet-button",
        "button primary",
        "chip quasi decided",
        "chip sensitive decided",
        "chip drop open",
        "result stale",
        "scroll work",
        "scroll work done",
        "wrong brick",
        "wrong amber",
        "verdict good",
        "verdict amber",
        "verdict brick",
        "Retry-After",
        "PerformanceObserver",
        "Lookalike",
        "pasted table",
        "remembered settings",
        "no window",
        "unknown error",
        "its script did not load",
        "Authorization",
        "Content-Type",
        "Bearer {token}",
    ];
    let mut said = Vec::new();
    for (path, source) in sources() {
        let of_texts = path.components().any(|part| part.as_os_str() == "texts");
        for (before, literal) in literals(&source) {
            let attribute = before.ends_with('=')
                && !["label", "title", "placeholder", "alt"]
                    .iter()
                    .any(|name| before.ends_with(&format!("{name}=")));
            let shown: String = literal
                .split('{')
                .map(|part| part.split_once('}').map_or(part, |(_, after)| after))
                .collect();
            let words = shown.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 1).count();
            let capital = shown.starts_with(|c: char| c.is_ascii_uppercase())
                && shown.contains(|c: char| c.is_ascii_lowercase());
            let sentence = words > 1 && literal.contains(' ') || capital;
            if sentence && !attribute && !of_texts && !ALLOWED.contains(&literal.as_str()) {
                said.push(format!("{}: {literal}", path.display()));
            }
        }
    }
    assert!(said.is_empty(), "put into texts/: {said:#?}");
}

#[test]
fn placeholders_are_filled_by_their_names() {
    let english = messages(FILES[0].1);
    let mut used = 0;
    for (path, source) in sources() {
        for (at, macro_name) in source
            .match_indices("t!(")
            .chain(source.match_indices("n!("))
            .chain(source.match_indices("page!("))
        {
            if source[..at].ends_with(|c: char| c.is_alphanumeric()) {
                continue;
            }
            let call = arguments(&source[at + macro_name.len()..]);
            let Some((_, message)) = english.iter().find(|(key, _)| *key == call[0]) else { continue };
            let plural = macro_name == "n!(";
            let skip = if plural { 2 } else { 1 };
            let mut given: BTreeSet<_> = call[skip..]
                .iter()
                .filter(|a| !a.is_empty())
                .map(|a| a.split_once('=').map_or(*a, |(name, _)| name.trim()))
                .collect();
            if plural {
                given.insert("n");
            }
            let asked = placeholders(message);
            let fits = if plural {
                asked.is_subset(&given) && asked.contains("n")
            } else {
                given == asked || given.is_empty() && !message.contains(" || ") && asked.is_empty()
            };
            assert!(fits, "{}: {}: {given:?}, not {asked:?}", path.display(), call[0]);
            assert_eq!(plural, message.contains(" || "), "{}", call[0]);
            used += 1;
        }
    }
    assert!(used > 300, "{used}");
}

/// The arguments of a call, by the commas at its own level.
fn arguments(call: &str) -> Vec<&str> {
    let (mut depth, mut start, mut all, mut quoted) = (0, 0, Vec::new(), false);
    for (at, c) in call.char_indices() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth > 0 => depth -= 1,
            ',' if depth == 0 => {
                all.push(call[start..at].trim());
                start = at + 1;
            }
            ')' => {
                all.push(call[start..at].trim());
                break;
            }
            _ => {}
        }
    }
    all
}
