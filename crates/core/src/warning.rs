//! What the reader of a report should know of a release.

use lookalike_model::settings::Domain;
use lookalike_words::{Figure, Message as _, Name, Said, messages};

messages! {
    in "core";

    /// What the reader of a report should know of a release.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum ReleaseWarning {
        /// A column has another name than in the file.
        Renamed {
            /// Its name here.
            to: Name,
            /// Its name in the file, which an earlier column has, too.
            from: Name,
            /// Its place in the file, from 1.
            column: usize,
        },
        /// A quasi-identifier that is the same everywhere.
        Constant {
            /// The column.
            name: Name,
        },
        /// Numbers beyond a limit are published as the limit.
        Coded {
            /// The column.
            name: Name,
            /// Its limits.
            limits: Vec<CodedLimit>,
        },
        /// A column has a declared domain.
        Domain {
            /// The column.
            name: Name,
            /// The domain.
            domain: DeclaredDomain,
            /// Whether squared errors are minimised, which it does not count in.
            squares: bool,
        },
        /// Labels of a hierarchy are published.
        ByHierarchy {
            /// The column.
            name: Name,
        },
        /// Labels of a column of numbers cost the number of their values, since not all of them are intervals.
        LabelsCount {
            /// The column.
            name: Name,
        },
        /// The ranges of a column are published in columns of their own.
        InEnds {
            /// The column.
            name: Name,
            /// The least, the greatest, and the middle, if it is published.
            columns: Vec<Name>,
        },
        /// Means are published.
        Means {
            /// The columns.
            columns: Vec<Name>,
        },
        /// Groups in which all have one sensitive value.
        OneValue {
            /// How many groups.
            single: usize,
            /// Of how many.
            groups: usize,
            /// The sensitive column.
            sensitive: Name,
        },
        /// Groups in which all persons of whom a sensitive value is known hold one and the same.
        OneValueOfPersons {
            /// How many groups.
            single: usize,
            /// Of how many.
            groups: usize,
            /// The sensitive column.
            sensitive: Name,
        },
        /// Sensitive values that persons hold together count as one.
        LinkedValues {
            /// The sensitive column.
            sensitive: Name,
            /// Its values.
            values: usize,
            /// Groups of values that are linked.
            groups: usize,
            /// Most values of a group.
            largest: usize,
        },
        /// The bound of the search is not of this table.
        BoundOfAll,
        /// Figures of the loss are told in other units than the search has them, since records were suppressed in between.
        UnitsOfPublished,
        /// Rows are published that stand for themselves.
        Freeform {
            /// What is guaranteed.
            guarantee: FreeformGuarantee,
        },
        /// Published cells that a spreadsheet would run as formulas.
        Formulas {
            /// How many.
            cells: u64,
            /// The columns that have some.
            columns: Vec<Name>,
        },
        /// Rows that are not published, of a table larger than memory.
        DroppedRows {
            /// How many.
            rows: u64,
        },
    }

    /// The values that a column may have.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum DeclaredDomain {
        /// Between two values.
        Range {
            /// The least.
            from: String,
            /// The greatest.
            to: String,
        },
        /// Labels.
        Labels {
            /// How many.
            labels: usize,
        },
    }

    /// A limit of top and bottom coding.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum CodedLimit {
        /// The least that is told apart.
        Bottom {
            /// The limit.
            limit: Figure,
        },
        /// The most that is told apart.
        Top {
            /// The limit.
            limit: Figure,
        },
    }

    /// What holds where each record has a row of its own.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum FreeformGuarantee {
        /// Concealment, and anonymity of both tables.
        Concealment {
            /// Fewest rows that a record may be.
            k: usize,
        },
    }
}

impl ReleaseWarning {
    /// A column that is the same in all records.
    pub(crate) fn constant(name: &str) -> Said {
        Self::Constant { name: name.into() }.said()
    }

    /// What is said of a declared domain; `squares` is whether squared errors are minimised.
    pub(crate) fn domain(name: &str, domain: &Domain, squares: bool) -> Self {
        let domain = match domain {
            Domain::Range { from, to } => DeclaredDomain::Range { from: from.clone(), to: to.clone() },
            Domain::Labels(labels) => DeclaredDomain::Labels { labels: labels.len() },
        };
        Self::Domain { name: name.into(), domain, squares }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_and_columns_are_listed() {
        let limits = vec![
            CodedLimit::Bottom { limit: Figure::shortest(20.0) },
            CodedLimit::Top { limit: Figure::shortest(90.5) },
        ];
        assert_eq!(
            ReleaseWarning::Coded { name: "age".into(), limits }.to_string(),
            "\"age\" is coded: 20 and less is published as <=20 and 90.5 and more is published as >=90.5; coded values count as \
             their limit in the loss"
        );
        let columns = ["age", "pay", "day"].map(Name::from).to_vec();
        let means = ReleaseWarning::Means { columns }.to_string();
        assert!(means.starts_with("means of \"age\", \"pay\" and \"day\" are published: "), "{means}");
    }

    #[test]
    fn rows_are_counted() {
        let dropped = |rows| ReleaseWarning::DroppedRows { rows }.to_string();
        assert_eq!(
            [dropped(1), dropped(1200)],
            [
                "1 row was dropped for missing values; it is the one without a class in --classes",
                "1,200 rows were dropped for missing values; they are those without a class in --classes",
            ]
        );
        let one =
            |groups| ReleaseWarning::OneValue { single: 1, groups, sensitive: "illness".into() }.to_string();
        assert!(one(1).starts_with("in 1 of 1 group of equal quasi-identifiers every row"), "{}", one(1));
        assert!(one(2).starts_with("in 1 of 2 groups of equal quasi-identifiers every row"), "{}", one(2));
    }
}
