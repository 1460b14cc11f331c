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
    let lines = page.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '>']));
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
fn phrases_of_the_engine_keep_their_placeholders() {
    for (code, file) in FILES {
        let phrases = file.lines().filter(|line| line.starts_with('>'));
        for line in phrases {
            let (english, other) = line.strip_prefix("> ").unwrap().split_once(" => ").expect(line);
            assert!(placeholders(english).is_superset(&placeholders(other)), "{code}: {line}");
        }
    }
}

/// Lines as the command line prints them of a check and of files, and as a run with column generation explains itself.
const LINES: [&str; 46] = [
    "84 records in 28 groups of equal quasi-identifiers; judged by the column \"class\" too",
    "the rows were read by the general reader of tables",
    "FAILS  9-anonymity, by class: 28 classes, the smallest with 3 rows; at least 9 needed; 28 classes are too small",
    "class '1': 3 rows, the first is published row 1",
    "age '18', zip '01000': 1 row, the first is published row 1",
    "holds  entropy 2-diversity, by equal quasi-identifiers: 28 groups, the worst with an entropy of log 3.0000; at least log 2 needed",
    "FAILS  recursive (2, 3)-diversity, by equal quasi-identifiers: 60 groups, the worst with fewer than 3 known values; less \
     than 2 needed; 60 groups are not diverse enough",
    "holds  0.6-closeness, equal distance, by class: 28 classes, the most distant one at 0.3333 from the whole table (5 values); at \
     most 0.6 allowed",
    "holds  3-uniqueness, by class: 28 classes, the smallest with 3 rows; at least 3 needed; no value occurs twice in a class (28 \
     classes)",
    "note   sensitive values that occur once: each of 5 values occurs more than once in the table",
    "note   columns that were not judged: taken as unknown to an attacker: 'day' and 'pain'",
    "prosecutor risk: highest 0.3333, mean 0.3333, 84 records above the threshold (100.00 %); threshold 0.2",
    "average group size 3.0000; discernibility 252; C_AVG 1.0000; classification metric 0.6667",
    "age: information loss 5.8556 %, NCP 0.1210, mean moved by -0.0003 standard deviations, variance times 0.9506",
    "2 releases, judged for m-invariance with m = 3",
    "holds  release 1, 3-uniqueness, by class: 13 classes, the smallest with 3 rows; at least 3 needed; no value occurs twice in a \
     class (13 classes)",
    "holds  intersection attack: 50 tuples, the most exposed one is left with 3 values; at least 3 needed",
    "values left, by tuples: 3 values for 40, 4 values for 5, 5 values for 5",
    "release 2: has 'HIV'; 4 classes match, with {'HIV', 'angina'}",
    "the header has the same name more than once (\"Datum\" in columns 6 and 7): give every column a name of its own, let the \
     later ones get a number, or say that the file has no header row (the field \"First row\")",
    "the first row may be the names of the columns or the first record: 'm' in column 2 is also a value there (row 3); '17' in \
     column 3 stands above numbers; and 2 more columns. As a header: the columns are named 'a', 'm', '17'. As data: the first \
     record is 'a', 'm', '17'. Say which it is (the field \"First row\")",
    "the file is JSON (one object a line, or one object), which this version does not read: save the table as CSV or XLSX; a later \
     version reads JSON",
    "\"patient\" looks like the key of a person and has 40 different values in 200 rows: a person seems to have several rows, but \
     classes count rows, and several rows of one person hide nobody. Say that each row is a person (--rows-are people), or which \
     column is the key of a person (--person \"patient\")",
    "the key of a person, \"patient\" (--person), has 40 different values in 200 rows: classes count rows, not persons, in this \
     version. Keep one row a person, or say that each row is a person (--rows-are people)",
    "in 139 of 331 groups of equal quasi-identifiers every row whose value of \"income\" is known has the same one: an attacker who finds the group of a \
     person knows this value, whatever k is; protect the column by m-invariance, or leave it out",
    "column 7 is called \"Datum_2\" here: an earlier column has its name, \"Datum\"",
    "the header has 3 columns, but row 2 (line 3 of the file) has 1 field: every row needs as many fields as the header; quote a \
     cell that contains the delimiter",
    "row 2: line 3 of the file has 1 field instead of 3: the cells that are not there were taken as empty",
    "gallstones is held by 20 of 30 records; m = 3 allows at most 10; no m of 2 or more is possible without changes; m = 3 would \
     take 30 counterfeits, or 15 deletions",
    "one person has several rows, by name and rows: \"P1\" (2, 91). In a release each person has one row, and white space around a \
     name is not part of it: leave rows out, or give different people different names",
    "names in the table may mean the same person, by name and rows: \"P3\" (4), \"p3\" (8). They differ in case, white space or \
     leading zeros only: write a person's name in one way and leave one row of each person; if they are different people, say so \
     on the command line (--exact-names)",
    "new names may mean people of the ledger, by name, rows and name in the ledger: \"p3\" (4) = \"P3\". They differ in case, white \
     space or leading zeros only, and a person who is taken for a new one gets a second signature, so that both releases together \
     may reveal the value: write the names as in the ledger; if they are different people, say so on the command line (--exact-names)",
    "column generation: 12 rounds, 1234 columns, 3 exact pricings with 99 nodes or boxes, 4 neighbourhoods, master solved by microlp",
    "\"zip\" is published by its hierarchy, but the certainty penalty (--loss ncp) counts ranges and sets: it would be the loss \
     of another table than the published one. Publish \"zip\" as ranges or sets (--publish-column zip=range), or take the loss \
     sse (--loss sse)",
    "of \"age\" means are published, but the certainty penalty (--loss ncp) counts ranges and sets: it would be the loss of another \
     table than the published one. Publish \"age\" as ranges or sets (--publish-column age=range), or take the loss sse (--loss sse)",
    "\"age\" is missing in some rows, but the certainty penalty (--loss ncp-binary) of numbers, dates and ordered labels is that of \
     their range, and not defined for a range beside \"missing\". Drop these rows (--missing-quasi drop), make \"age\" a category (--kind age=category), or take the loss sse \
     (--loss sse)",
    "the first row may be the names of the columns or the first record: row 31 repeats it in all cells, as where two files were put \
     together. As a header: the columns are named 'age', 'sex'. As data: the first record is 'age', 'sex'. Say which it is",
    "The guarantee holds against an attacker who knows everybody's quasi-identifiers, who is in the table, and what is published. It \
     does not hold against one who also reasons from how the classes were chosen, with least loss: values can then be excluded, in the \
     worst case all but one. It is for the people who are published: somebody who is known to be in the source and is missing from the \
     table, since records were deleted, is not protected.",
    "39 real records, 6 counterfeits and 3 columns are published, and the class of each record.",
    "a person, by the key \"patient\" (--person), which no two rows share",
    "3.780300, of the real records",
    "the method ended; a better table may exist",
    "the certainty penalty is that of the real records: the quasi-identifiers of counterfeits widen the published ranges beyond it",
    "split-and-carry (3 sub-problems ended by the time limit)",
    "the run cannot be repeated exactly: a part of the search ran into a time limit of its own",
    "12.345678; at most 1.2500 % of the loss could be avoided; no loss is below 0",
];

#[test]
fn lines_of_checks_and_files_are_known_in_every_language() {
    for (code, file) in &FILES[1..] {
        speak(Speech::read(Language::of(code).unwrap(), (*file).to_owned()).unwrap());
        let told: Vec<Option<String>> = LINES.iter().map(|line| super::engine::translated(line)).collect();
        let half = super::engine::translated("class '1': something that nobody has translated");
        speak(Speech::ENGLISH);
        for (line, told) in LINES.iter().zip(told) {
            let told = told.unwrap_or_else(|| panic!("{code}: {line}"));
            let english = ["class ", "the ", "rows", "with", "needed", "release", " of "];
            assert!(!english.iter().any(|word| told.contains(word)), "{code}: {told}");
        }
        assert_eq!(half, None, "{code}");
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
    assert_eq!(numbers, ["1.234", "1.234.567", "12,35", "-1.500"]);
    assert_eq!(others, ["12,5 %", "0,4 s", "2,5 MB", "1 von 2,5"]);
    let (numbers, _) = written(1);
    assert_eq!(numbers, ["1234", "1.234.567", "12,35", "-1500"]);
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
        let quoted = names.split(open).skip(1).map(|rest| rest.split_once(close).unwrap().0);
        let unknown: Vec<&str> = quoted.filter(|label| !said.contains(label)).collect();
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
        "wrong brick",
        "wrong amber",
        "verdict good",
        "verdict brick",
        "Retry-After",
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
        for (at, macro_name) in source.match_indices("t!(").chain(source.match_indices("n!(")) {
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
