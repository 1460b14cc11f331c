//! What the page shows before a table is open: eight people of the sample `hospital.csv`, before and after they were anonymized
//! (m-invariance, m = 4, least certainty penalty, seed 1, effort 5): two whole groups of that run.

/// A person of the sample, and what is published for the group.
pub struct Example {
    /// Name, age, postcode, diagnosis.
    pub before: [&'static str; 4],
    /// Age of the group.
    pub age: &'static str,
}

const fn person(
    name: &'static str,
    age: &'static str,
    diagnosis: &'static str,
    group: &'static str,
) -> Example {
    Example { before: [name, age, "01010", diagnosis], age: group }
}

/// The first four are a group, and so are the others.
pub const EXAMPLE: [Example; 8] = [
    person("Sofia Kowalski", "64", "type 2 diabetes", "64-72"),
    person("Rosa Vogel", "68", "heart failure", "64-72"),
    person("Maria Sato", "72", "hypertension", "64-72"),
    person("Priya Horvat", "64", "pneumonia", "64-72"),
    person("Jakob Kaya", "50", "gallstones", "50-61"),
    person("Thomas Nagy", "51", "depression", "50-61"),
    person("Felix Rossi", "51", "pneumonia", "50-61"),
    person("Jakob Kim", "61", "hypertension", "50-61"),
];
