//! Made-up tables to try the program with: a hospital's admissions. No person, place or figure is real.
//!
//! The tables are skewed like real ones: few common diagnoses and many rare ones, each with its own ages and lengths of
//! stay, and more patients from the towns nearby. Only integer draws from `ChaCha8` are used, so the same rows and
//! seed give the same bytes everywhere.
//!
//! Columns: `patient` (identifier), `name` (identifier), `sex`, `age` (years), `postcode` (five digits; a label, since
//! it may start with 0), `nights` (length of stay), `diagnosis` (sensitive; 13 values, the most frequent one held by
//! about 1 in 6).

use rand::{Rng, RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

const HEADER: &str = "patient,name,sex,age,postcode,nights,diagnosis\n";

const FEMALE_NAMES: [&str; 24] = [
    "Ada", "Amina", "Anna", "Beatriz", "Clara", "Daria", "Edith", "Elena", "Fatima", "Greta", "Hanna",
    "Ines", "Irma", "Julia", "Karin", "Laura", "Maria", "Nadia", "Olga", "Priya", "Rosa", "Sofia", "Tessa",
    "Yuki",
];
const MALE_NAMES: [&str; 24] = [
    "Adam", "Ahmed", "Anton", "Bruno", "Carlos", "David", "Emil", "Felix", "Georg", "Hugo", "Ivan", "Jakob",
    "Karl", "Leon", "Marco", "Nils", "Omar", "Paul", "Rafael", "Samir", "Thomas", "Viktor", "Walter",
    "Yusuf",
];
const SURNAMES: [&str; 40] = [
    "Adler", "Bauer", "Becker", "Berg", "Costa", "Dahl", "Demir", "Diaz", "Egger", "Ferrari", "Fischer",
    "Garcia", "Graf", "Haas", "Hansen", "Horvat", "Ivanov", "Jansen", "Kaya", "Keller", "Kim", "Kowalski",
    "Lang", "Lopez", "Maier", "Moreau", "Nagy", "Novak", "Olsen", "Pereira", "Petrov", "Rossi", "Sato",
    "Schmid", "Silva", "Singh", "Sommer", "Vogel", "Weber", "Yilmaz",
];

/// Postcodes with their weights: a made-up region, the hospital in 01010.
const POSTCODES: [(&str, u32); 12] = [
    ("01010", 220),
    ("01020", 170),
    ("01030", 130),
    ("01040", 110),
    ("02010", 80),
    ("02020", 70),
    ("02030", 60),
    ("03010", 50),
    ("03020", 40),
    ("04010", 30),
    ("05010", 25),
    ("06010", 15),
];

/// What is known of a diagnosis: its weight, the range of ages, the range of nights, and women in 1,000 patients.
struct Diagnosis {
    name: &'static str,
    weight: u32,
    ages: (u32, u32),
    nights: (u32, u32),
    women: u32,
}

const fn diagnosis(
    name: &'static str,
    weight: u32,
    ages: (u32, u32),
    nights: (u32, u32),
    women: u32,
) -> Diagnosis {
    Diagnosis { name, weight, ages, nights, women }
}

const DIAGNOSES: [Diagnosis; 13] = [
    diagnosis("hypertension", 165, (38, 92), (1, 9), 510),
    diagnosis("type 2 diabetes", 125, (35, 88), (2, 12), 460),
    diagnosis("fracture", 115, (6, 95), (1, 16), 520),
    diagnosis("asthma", 95, (4, 70), (1, 8), 540),
    diagnosis("pneumonia", 90, (2, 96), (3, 18), 480),
    diagnosis("heart failure", 85, (52, 96), (4, 21), 470),
    diagnosis("migraine", 70, (14, 62), (1, 5), 730),
    diagnosis("depression", 70, (16, 75), (7, 42), 630),
    diagnosis("appendicitis", 60, (5, 48), (2, 8), 440),
    diagnosis("gallstones", 55, (28, 80), (2, 9), 690),
    diagnosis("breast cancer", 35, (36, 84), (2, 14), 990),
    diagnosis("hepatitis C", 20, (24, 68), (2, 11), 380),
    diagnosis("HIV", 15, (19, 62), (2, 15), 270),
];

/// Names, each with the sex, that a careless parser or encoding breaks: commas, letters beyond ASCII, outer spaces.
const AWKWARD_NAMES: [(&str, &str); 6] = [
    ("\"Keller, Anna\"", "F"),
    ("Zoë Åkesson", "F"),
    ("\"Lang, Emil, jun.\"", "M"),
    ("José Núñez", "M"),
    (" Ivan Petrov ", "M"),
    ("Łucja Żak", "F"),
];

#[derive(Clone)]
struct Patient {
    id: usize,
    name: String,
    sex: &'static str,
    age: u32,
    postcode: String,
    nights: String,
    diagnosis: &'static str,
}

impl Patient {
    fn draw(id: usize, rng: &mut ChaCha8Rng) -> Self {
        let d = weighted(rng, &DIAGNOSES, |d| d.weight);
        let female = rng.random_range(0..1_000) < d.women;
        let first = if female { pick(rng, &FEMALE_NAMES) } else { pick(rng, &MALE_NAMES) };
        Self {
            id,
            name: format!("{first} {}", pick(rng, &SURNAMES)),
            sex: if female { "F" } else { "M" },
            age: centred(rng, d.ages),
            postcode: String::from(weighted(rng, &POSTCODES, |p| p.1).0),
            nights: short(rng, d.nights).to_string(),
            diagnosis: d.name,
        }
    }

    fn line(&self) -> String {
        let Self { id, name, sex, age, postcode, nights, diagnosis } = self;
        format!("P{id:05},{name},{sex},{age},{postcode},{nights},{diagnosis}\n")
    }
}

/// A hospital table as CSV: a header line and `rows` patients, without oddities. The same `rows` and `seed` give the
/// same bytes.
#[must_use]
pub fn hospital(rows: usize, seed: u64) -> String {
    csv(&patients(rows, &mut ChaCha8Rng::seed_from_u64(seed)))
}

/// As [`hospital`], with one row in eighty made awkward: names with quoted commas, letters beyond ASCII or outer spaces,
/// a `?` for the nights, an empty postcode.
#[must_use]
pub fn hospital_with_awkward_cells(rows: usize, seed: u64) -> String {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut table = patients(rows, &mut rng);
    let mut names = AWKWARD_NAMES.iter().cycle();
    let start = rng.random_range(0..80);
    for (turn, patient) in table.iter_mut().skip(start).step_by(80).enumerate() {
        match turn % 5 {
            1 => patient.nights = String::from("?"),
            3 => patient.postcode.clear(),
            _ => {
                if let Some(&(name, sex)) = names.next() {
                    patient.name = String::from(name);
                    patient.sex = sex;
                }
            }
        }
    }
    csv(&table)
}

/// Two releases of one hospital table, a quarter later: 400 patients; then 60 of them are gone, 100 are new, 10 have
/// moved (another postcode) and 5 have another diagnosis. A patient keeps the identifier, so that one who is gone can
/// come back in a later release. Rows are in random order.
#[must_use]
pub fn two_releases(seed: u64) -> (String, String) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut table = patients(400, &mut rng);
    table.shuffle(&mut rng);
    let first = csv(&table);

    table.drain(..60);
    for patient in &mut table[..10] {
        let old = patient.postcode.clone();
        while patient.postcode == old {
            patient.postcode = String::from(weighted(&mut rng, &POSTCODES, |p| p.1).0);
        }
    }
    for patient in &mut table[10..15] {
        let old = patient.diagnosis;
        while patient.diagnosis == old {
            patient.diagnosis = weighted(&mut rng, &DIAGNOSES, |d| d.weight).name;
        }
    }
    table.extend((401..=500).map(|id| Patient::draw(id, &mut rng)));
    table.shuffle(&mut rng);
    (first, csv(&table))
}

/// The files of the folder `samples`: name and content.
#[must_use]
pub fn samples() -> [(&'static str, String); 3] {
    let (first, second) = two_releases(SAMPLE_SEED);
    [
        ("hospital.csv", hospital_with_awkward_cells(1_000, SAMPLE_SEED)),
        ("release-1.csv", first),
        ("release-2.csv", second),
    ]
}

/// Seed of the committed samples.
const SAMPLE_SEED: u64 = 1;

fn patients(rows: usize, rng: &mut ChaCha8Rng) -> Vec<Patient> {
    (1..=rows).map(|id| Patient::draw(id, rng)).collect()
}

fn csv(patients: &[Patient]) -> String {
    std::iter::once(String::from(HEADER)).chain(patients.iter().map(Patient::line)).collect()
}

fn pick<T: Copy>(rng: &mut impl Rng, from: &[T]) -> T {
    from[rng.random_range(0..from.len() as u32) as usize]
}

fn weighted<'a, T>(rng: &mut impl Rng, from: &'a [T], weight: impl Fn(&T) -> u32) -> &'a T {
    let mut left = rng.random_range(0..from.iter().map(&weight).sum());
    for item in from {
        match left.checked_sub(weight(item)) {
            Some(rest) => left = rest,
            None => return item,
        }
    }
    &from[from.len() - 1]
}

/// Between the bounds, most often near their middle.
fn centred(rng: &mut impl Rng, (low, high): (u32, u32)) -> u32 {
    u32::midpoint(rng.random_range(low..=high), rng.random_range(low..=high))
}

/// Between the bounds, most often near the lower one.
fn short(rng: &mut impl Rng, (low, high): (u32, u32)) -> u32 {
    let mut draw = || rng.random_range(low..=high);
    draw().min(draw()).min(draw())
}
