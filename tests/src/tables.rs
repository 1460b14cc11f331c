//! Inputs, and an independent reader of outputs.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

/// Seven diagnoses; none of them is rare in [`patients`].
pub const DIAGNOSES: [&str; 7] = ["asthma", "flu", "fracture", "HIV", "migraine", "ulcer", "zoster"];

/// A table `id,age,sex,zip,disease` with this many rows, without oddities: all diagnoses equally frequent.
pub fn patients(rows: usize) -> String {
    let mut text = String::from("id,age,sex,zip,disease\n");
    // A linear congruential generator: the values only have to be spread.
    let mut state: u64 = 12345;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for row in 0..rows {
        let (age, sex, zip) = (18 + draw(70), ["F", "M"][draw(2) as usize], 1000 + 10 * draw(40));
        let _ = writeln!(text, "P{row},{age},{sex},{zip},{}", DIAGNOSES[row % DIAGNOSES.len()]);
    }
    text
}

/// A table of so many rows: age, weight with decimals and gaps, sex, city, and a sensitive value.
pub fn people(rows: u64) -> String {
    let mut text = String::from("id,age,weight,sex,city,disease\n");
    let mut state = 88_172_645_463_325_252_u64;
    let mut draw = |below: u64| {
        // Xorshift (Marsaglia, 2003).
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) % below
    };
    for id in 0..rows {
        let (age, weight) = (draw(80) + 10, draw(900) + 300);
        let weight =
            if draw(20) == 0 { String::from("?") } else { format!("{}.{}", weight / 10, weight % 10) };
        let (sex, city) = (["F", "M"][draw(2) as usize], ["Bath", "Hull", "Kent", "Rye"][draw(4) as usize]);
        let disease = ["acne", "cold", "flu", "gout", "lupus", "mumps", "rash"]
            [(draw(7) * draw(2) + draw(7)) as usize % 7];
        let _ = writeln!(text, "{id},{age},{weight},{sex},{city},{disease}");
    }
    text
}

/// Days that can be read in two ways, labels with an order, ages, postcodes with gaps.
pub fn visits(rows: usize) -> String {
    let (levels, values) = (["low", "middle", "high"], ["flu", "HIV", "gout", "angina", "eczema"]);
    (0..rows).fold(String::from("day,pain,age,zip,ward,illness\n"), |csv, i| {
        let (day, month) = (1 + i * 5 % 12, 1 + i * 7 % 12);
        let zip = if i % 17 == 3 { String::from("?") } else { format!("{:05}", 1000 + i * 37 % 90) };
        let (pain, age, ward) = (levels[i * 11 % 3], 18 + i * 29 % 70, i % 4);
        // Flu is too frequent for m = 3.
        let illness = values[if i % 3 == 0 { 0 } else { i % 5 }];
        csv + &format!("{day:02}/{month:02}/2020,{pain},{age},{zip},W{ward},{illness}\n")
    })
}

/// The same table with its data rows in another order.
pub fn shuffled(table: &str) -> String {
    let mut lines: Vec<&str> = table.lines().collect();
    let rows = lines.len() - 1;
    // A full cycle: the stride shares no factor with the number of rows.
    let stride = (rows / 3..rows).find(|s| gcd(*s, rows) == 1).unwrap_or(1);
    let data: Vec<&str> = (0..rows).map(|i| lines[1 + (i * stride + 1) % rows]).collect();
    lines.splice(1.., data);
    lines.join("\n") + "\n"
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Header and rows.
pub fn parse(bytes: &[u8]) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader = csv::Reader::from_reader(bytes);
    let header = reader.headers().unwrap().iter().map(String::from).collect();
    let rows = reader.records().map(|r| r.unwrap().iter().map(String::from).collect()).collect();
    (header, rows)
}

/// Checks a published table by itself: by class at least `least` rows, with different values of `sensitive` if it is
/// named, and equal other cells; returns the number of rows.
pub fn assert_release(bytes: &[u8], sensitive: Option<&str>, least: usize) -> usize {
    let (header, rows) = parse(bytes);
    let at = |name: &str| header.iter().position(|h| h == name).unwrap_or_else(|| panic!("no column {name}"));
    let (class, secret) = (at("class"), sensitive.map(at));
    let mut classes: BTreeMap<&str, Vec<&Vec<String>>> = BTreeMap::new();
    for row in &rows {
        classes.entry(&row[class]).or_default().push(row);
    }
    for (label, members) in &classes {
        assert!(members.len() >= least, "class {label} has {} rows", members.len());
        for column in (0..header.len()).filter(|c| Some(*c) != secret) {
            let different: BTreeSet<_> = members.iter().map(|r| &r[column]).collect();
            assert_eq!(different.len(), 1, "class {label} differs in {}", header[column]);
        }
        if let Some(secret) = secret {
            let different: BTreeSet<_> = members.iter().map(|r| &r[secret]).collect();
            assert_eq!(different.len(), members.len(), "class {label} repeats a value");
        }
    }
    rows.len()
}

/// A hospital's discharges: stays, of fewer patients, each with a code of ICD-10, a postcode, a year of birth, an admission to the
/// minute, what came of it, and what the table is for. Beside it a hierarchy of the codes: category, block, chapter.
#[must_use]
pub fn discharges(stays: u64, patients: u64) -> (String, String) {
    let mut state = 2_862_933_555_777_941_757_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let blocks = [("E", 10, 14), ("I", 20, 25), ("I", 30, 52), ("J", 9, 18), ("J", 40, 47), ("S", 70, 79)];
    let mut codes = Vec::new();
    let mut hierarchy = String::new();
    for (chapter, first, last) in blocks {
        for category in first..=last {
            for place in [0, 1, 8, 9] {
                let code = format!("{chapter}{category:02}.{place}");
                let block = format!("{chapter}{first:02}-{chapter}{last:02}");
                let _ =
                    writeln!(hierarchy, "{code};{chapter}{category:02};{block};{chapter}00-{chapter}99;*");
                codes.push(code);
            }
        }
    }
    let postcodes =
        ["10115", "10117", "20095", "20097", "20144", "22041", "22043", "22299", "80331", "80333"];
    let people: Vec<(&str, u64)> =
        (0..patients).map(|_| (postcodes[draw(10) as usize], 1930 + draw(76))).collect();
    let mut text = String::from("patient,icd,postcode,born,admitted,outcome,stay,cost\n");
    for row in 0..stays {
        // Everybody has one stay; some of the others are of a few who have many.
        let patient = match row {
            _ if row < patients => row,
            _ if draw(3) == 0 => draw(patients / 20),
            _ => draw(patients),
        };
        let (postcode, born) = people[patient as usize];
        let code = &codes[draw(codes.len() as u64) as usize];
        let (day, month, hour, minute) = (1 + draw(28), 1 + draw(12), draw(24), draw(60));
        let outcome = ["home", "home", "home", "transfer", "died"][draw(5) as usize];
        let stay = 1 + draw(6) * draw(4);
        let cost = stay * [310, 480, 520][draw(3) as usize] + 250 * draw(8);
        let _ = writeln!(
            text,
            "P{patient:05},{code},{postcode},{born},{day:02}.{month:02}.2023 {hour:02}:{minute:02},{outcome},{stay},{cost}"
        );
    }
    (text, hierarchy)
}

/// What [`coded_patients`] have.
pub const ILLS: [&str; 5] = ["flu", "cold", "cough", "asthma", "gout"];

/// Patients of Saxony (01067 to 01099, without their zero) and of Berlin (10115 to 10179).
#[must_use]
pub fn coded_patients(rows: usize) -> String {
    (0..rows).fold(String::from("zip,sex,age,disease\n"), |mut text, i| {
        let zip = if i % 2 == 0 { 1067 + i * 7 % 33 } else { 10115 + i * 11 % 65 };
        let _ = writeln!(text, "{zip},{},{},{}", [1, 2, 9][i * 5 % 3], 18 + i * 13 % 70, ILLS[i % 5]);
        text
    })
}
