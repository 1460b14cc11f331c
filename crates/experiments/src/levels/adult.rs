//! The usual hierarchies of the Adult sample, written from its values: nine columns, 12,960 choices of levels.

use std::collections::BTreeMap;

/// The columns in the order of the file.
pub(super) const COLUMNS: [&str; 9] = [
    "age",
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
    "income",
];

/// The labels above each other of some values, from fine to coarse; the last level is one of all.
type Groups = &'static [(&'static [&'static str], &'static [&'static str])];

const WORK: Groups = &[
    (&["Private"], &["Private sector"]),
    (&["Self-emp-not-inc", "Self-emp-inc"], &["Self-employed"]),
    (&["Federal-gov", "Local-gov", "State-gov"], &["Government"]),
    (&["Without-pay", "Never-worked"], &["Unpaid"]),
];

const EDUCATION: Groups = &[
    (&["Preschool", "1st-4th", "5th-6th", "7th-8th"], &["Primary", "School"]),
    (&["9th", "10th", "11th", "12th", "HS-grad"], &["Secondary", "School"]),
    (&["Some-college", "Assoc-acdm", "Assoc-voc", "Bachelors"], &["Undergraduate", "Higher"]),
    (&["Masters", "Doctorate", "Prof-school"], &["Graduate", "Higher"]),
];

const MARITAL: Groups = &[
    (&["Married-civ-spouse", "Married-AF-spouse"], &["Spouse present"]),
    (
        &["Never-married", "Divorced", "Separated", "Widowed", "Married-spouse-absent"],
        &["Spouse not present"],
    ),
];

const OCCUPATION: Groups = &[
    (&["Craft-repair", "Machine-op-inspct", "Prof-specialty", "Tech-support"], &["Technical"]),
    (&["Adm-clerical", "Exec-managerial", "Sales", "Other-service", "Handlers-cleaners"], &["Nontechnical"]),
    (
        &["Armed-Forces", "Farming-fishing", "Priv-house-serv", "Protective-serv", "Transport-moving"],
        &["Other work"],
    ),
];

const COUNTRY: Groups = &[
    (&["United-States", "Canada", "Outlying-US(Guam-USVI-etc)", "Mexico"], &["North America"]),
    (
        &[
            "Cuba",
            "Jamaica",
            "Puerto-Rico",
            "Honduras",
            "Haiti",
            "Dominican-Republic",
            "El-Salvador",
            "Guatemala",
            "Nicaragua",
            "Trinadad&Tobago",
        ],
        &["Central America"],
    ),
    (&["Columbia", "Ecuador", "Peru"], &["South America"]),
    (
        &[
            "England",
            "Germany",
            "Italy",
            "Poland",
            "Portugal",
            "France",
            "Yugoslavia",
            "Scotland",
            "Greece",
            "Ireland",
            "Hungary",
            "Holand-Netherlands",
        ],
        &["Europe"],
    ),
    (
        &[
            "India",
            "Iran",
            "Philippines",
            "Cambodia",
            "Thailand",
            "Laos",
            "Taiwan",
            "China",
            "Japan",
            "Vietnam",
            "Hong",
            "South",
        ],
        &["Asia"],
    ),
];

const SEX: Groups = &[(&["Male", "Female"], &[])];
const RACE: Groups = &[(&["White", "Black", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other"], &[])];
const INCOME: Groups = &[(&["<=50K", ">50K"], &[])];

/// The hierarchies of the columns of labels, in the form of settings. That of age is generated: intervals of 5, 10 and 20 years.
pub(super) fn hierarchies() -> BTreeMap<String, Vec<Vec<String>>> {
    let all = [
        ("workclass", WORK),
        ("education", EDUCATION),
        ("marital-status", MARITAL),
        ("occupation", OCCUPATION),
        ("race", RACE),
        ("sex", SEX),
        ("native-country", COUNTRY),
        ("income", INCOME),
    ];
    let row = |value: &str, labels: &[&str]| {
        [value].iter().chain(labels).chain(&["*"]).map(|label| (*label).to_owned()).collect()
    };
    let rows = |groups: Groups| {
        groups.iter().flat_map(|(values, labels)| values.iter().map(|value| row(value, labels))).collect()
    };
    all.into_iter().map(|(column, groups)| (column.to_owned(), rows(groups))).collect()
}
