use lookalike_table::{ReadOptions, infer, read};

use super::*;

fn of(name: &str, cells: &[&str]) -> Option<Suggestion> {
    let cells: Vec<String> = cells.iter().map(|cell| format!("\"{cell}\",\n")).collect();
    let text = format!("\"{name}\",y\n{}", cells.concat());
    let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let markers = [String::new(), String::from("?")];
    let column = &table.columns[0];
    suggest(column, &infer(column, &markers), &markers)
}

fn named(name: &str) -> Option<(Role, Confidence)> {
    of(name, &["a", "b", "a", "b"]).map(|s| (s.role, s.confidence))
}

#[test]
fn names_in_four_languages() {
    use Confidence::{High, Low, Medium};
    use Role::{Identifier, QuasiIdentifier, Sensitive};
    let cases = [
        ("Name", Identifier, High),
        ("first_name", Identifier, High),
        ("Nachname", Identifier, High),
        ("apellidos", Identifier, High),
        ("Prénom", Identifier, High),
        ("Straße", Identifier, High),
        ("e-mail", Identifier, High),
        ("patientId", Identifier, Medium),
        ("Fallnummer", Identifier, Medium),
        ("DNI", Identifier, High),
        ("age", QuasiIdentifier, High),
        ("Geburtsdatum", QuasiIdentifier, High),
        ("GeburtsDatum", QuasiIdentifier, High),
        ("fecha_de_nacimiento", QuasiIdentifier, High),
        ("date de naissance", QuasiIdentifier, High),
        ("ZIP", QuasiIdentifier, High),
        ("PLZ", QuasiIdentifier, High),
        ("código postal", QuasiIdentifier, High),
        ("code-postal", QuasiIdentifier, High),
        ("Geschlecht", QuasiIdentifier, High),
        ("Staatsangehörigkeit", QuasiIdentifier, High),
        ("marital-status", QuasiIdentifier, High),
        ("nationalité", QuasiIdentifier, High),
        ("Körpergröße", QuasiIdentifier, Low),
        ("diagnosis", Sensitive, High),
        ("Krankheit", Sensitive, High),
        ("religión", Sensitive, High),
        ("Konfession", Sensitive, High),
        ("salaire", Sensitive, Medium),
        ("main diagnosis", Sensitive, Medium),
    ];
    for (name, role, confidence) in cases {
        assert_eq!(named(name), Some((role, confidence)), "{name}");
    }
    for name in ["x", "average", "pages", "hostage", "column 1", "nomenclature", "unidad"] {
        assert_eq!(named(name), None, "{name}");
    }
}

/// Columns of the Census Bureau's public microdata, as folktables and others hand them on.
#[test]
fn abbreviations_of_the_american_community_survey() {
    use Confidence::{High, Medium};
    use Role::{Identifier, QuasiIdentifier, Sensitive};
    for (name, role, confidence) in [
        ("AGEP", QuasiIdentifier, High),
        ("RAC1P", QuasiIdentifier, High),
        ("MAR", QuasiIdentifier, High),
        ("CIT", QuasiIdentifier, High),
        ("PUMA", QuasiIdentifier, High),
        ("POBP", QuasiIdentifier, High),
        ("SCHL", QuasiIdentifier, Medium),
        ("COW", QuasiIdentifier, Medium),
        ("OCCP", QuasiIdentifier, Medium),
        ("WKHP", QuasiIdentifier, Medium),
        ("DIS", Sensitive, High),
        ("WAGP", Sensitive, Medium),
        ("PINCP", Sensitive, Medium),
        ("SERIALNO", Identifier, Medium),
    ] {
        assert_eq!(named(name), Some((role, confidence)), "{name}");
    }
    assert_eq!(
        of("agep", &["a", "b"]).unwrap().reason.to_string(),
        "the column's name, \"AGEP\", stands for \"age\" in the American Community Survey, which usually means a date of birth or an age"
    );
    for name in ["Mar", "cow", "st", "MAR 2024", "PWGTP"] {
        assert_eq!(named(name), None, "{name}");
    }
}

#[test]
fn the_longest_entry_wins_and_the_reason_says_it() {
    let found = of("place of birth", &["a", "b"]).unwrap();
    assert_eq!(
        found.reason.to_string(),
        "the column's name has \"place of birth\", which usually means a place where a person lives or comes from"
    );
}

#[test]
fn formats_speak_louder_than_names() {
    let mails: Vec<String> = (0..9).map(|i| format!("p{i}@example.org")).collect();
    let mut mails: Vec<&str> = mails.iter().map(String::as_str).collect();
    mails.extend(["?", "none"]);
    let found = of("age", &mails).unwrap();
    assert_eq!((found.role, found.confidence), (Role::Identifier, Confidence::High));
    assert_eq!(found.reason.to_string(), "9 of 10 different values look like e-mail addresses");
    assert_eq!(of("x", &mails[..4]), None, "four values prove nothing");
}

#[test]
fn unique_values_look_like_identifiers() {
    let labels: Vec<String> = (0..40).map(|i| format!("p{i}")).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    assert_eq!(of("x", &labels).unwrap().confidence, Confidence::Medium);
    assert_eq!(of("key", &labels).unwrap().confidence, Confidence::High);
    let numbers: Vec<String> = (0..40).map(|i| i.to_string()).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let found = of("x", &numbers).unwrap();
    assert_eq!((found.role, found.confidence), (Role::Identifier, Confidence::Low));
    assert!(found.reason.to_string().starts_with("40 different values in 40 rows"), "{}", found.reason);
    // All ages of a small town may differ; the name says more.
    assert_eq!(of("age", &numbers).unwrap().role, Role::QuasiIdentifier);
}

fn format(cell: &str) -> Option<FormatName> {
    formats::ALL.iter().find(|f| (f.fits)(cell)).map(|f| f.name)
}

/// Published specimen numbers, and the same with one digit changed.
#[test]
fn check_digits_are_checked() {
    let cases = [
        ("GB82 WEST 1234 5698 7654 32", FormatName::Iban),
        ("DE89370400440532013000", FormatName::Iban),
        ("12345678Z", FormatName::SpanishDni),
        ("X1234567L", FormatName::SpanishDni),
        ("12.345.678-z", FormatName::SpanishDni),
        // The specimens of the Federal Central Tax Office.
        ("86095742719", FormatName::GermanTaxId),
        ("65 929 970 489", FormatName::GermanTaxId),
        ("2 69 05 49 588 157 80", FormatName::FrenchNir),
        ("123-45-6789", FormatName::UsSsn),
        ("ann.o'neil+x@mail.example.org", FormatName::Email),
        ("192.168.0.1", FormatName::IpAddress),
        ("2001:db8::1", FormatName::IpAddress),
        ("123e4567-e89b-12d3-a456-426614174000", FormatName::Uuid),
        ("+49 30 901820", FormatName::Phone),
        ("030/901820", FormatName::Phone),
        ("(212) 555-0100", FormatName::Phone),
        ("01.23.45.67.89", FormatName::Phone),
    ];
    for (cell, name) in cases {
        assert_eq!(format(cell), Some(name), "{cell}");
    }
    assert!(["000-12-3456", "123-00-6789", "900-12-3456"].iter().all(|cell| !national::us_ssn(cell)));
    for cell in [
        "GB82 WEST 1234 5698 7654 33",
        "DE89370400440532013001",
        "12345678A",
        "86095742718",
        "11111111111",
        "2 69 05 49 588 157 81",
        "666-45-6789",
        "123456789",
        "a@b",
        "a b@c.org",
        "1.2.3.4.5",
        "256.1.1.1",
        "2024-01-05",
        "31.12.2024",
        "01/02/2024",
        "1234567",
        "-1234567.5",
        "",
        "é@",
        "1234567890123456",
    ] {
        assert_eq!(format(cell), None, "{cell}");
    }
}

/// Corsica: 2A counts as 19, 2B as 18.
#[test]
fn corsican_numbers_have_keys_too() {
    for (department, digits) in [("2A", "19"), ("2B", "18")] {
        let number: u64 = format!("18001{digits}123456").parse().unwrap();
        let key = 97 - number % 97;
        assert!(national::french_nir(&format!("18001{department}123456{key:02}")), "{department}");
        assert!(
            !national::french_nir(&format!("18001{department}123456{:02}", key % 97 + 1)),
            "{department}"
        );
    }
}
