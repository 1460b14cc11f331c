//! Why a bound is not verified.

use std::fmt;

use lookalike_words::{Cell, Figure, Message, Name, Said, Variant};

use super::{Loss, Rule};
use crate::CellKind;

/// Why a bound is not verified.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// The file is no certificate.
    Unreadable(Misread),
    /// The certificate is about other records or another rule, or its numbers are no numbers.
    Mismatch(Misfit),
    /// A class was found that is, or after rounding may be, too cheap.
    Negative {
        /// The class, 0-based records.
        class: Vec<u32>,
        /// At most its reduced cost.
        reduced_cost: f64,
        /// What the certificate allows.
        tolerance: f64,
    },
    /// The search was not complete.
    Budget(u64),
    /// It was stopped.
    Stopped,
    /// The duals are feasible, but prove less.
    Claim {
        /// What they prove.
        proven: f64,
        /// What was claimed.
        claimed: f64,
    },
    /// A partition was found that loses less than the optimum that is claimed, or may after rounding.
    Better {
        /// At most its loss.
        loss: f64,
        /// What was claimed.
        claimed: f64,
    },
}

impl std::error::Error for Refusal {}

impl Message for Refusal {
    const VARIANTS: &'static [Variant] = Refused::VARIANTS;

    fn said(&self) -> Said {
        let refused = match self.clone() {
            Self::Unreadable(why) => Refused::Unreadable { why },
            Self::Mismatch(why) => Refused::Mismatch { why },
            Self::Negative { class, reduced_cost, tolerance } => Refused::Negative {
                class,
                reduced_cost: Figure::shortest(reduced_cost),
                tolerance: Figure::shortest(tolerance),
            },
            Self::Budget(nodes) => Refused::Budget { nodes },
            Self::Stopped => Refused::Stopped,
            Self::Claim { proven, claimed } => {
                Refused::Claim { proven: Figure::shortest(proven), claimed: Figure::shortest(claimed) }
            }
            Self::Better { loss, claimed } => {
                Refused::Better { loss: Figure::shortest(loss), claimed: Figure::shortest(claimed) }
            }
        };
        refused.said()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.said(), f)
    }
}

lookalike_words::messages! {
    in "audit";

    /// A refusal with its numbers as they are written.
    #[derive(Clone, Debug, PartialEq)]
    enum Refused {
        /// The file is no certificate.
        Unreadable {
            /// Why.
            why: Misread,
        },
        /// The certificate does not fit.
        Mismatch {
            /// Why.
            why: Misfit,
        },
        /// A class may be too cheap.
        Negative {
            /// Its records.
            class: Vec<u32>,
            /// At most its reduced cost.
            reduced_cost: Figure,
            /// What the certificate allows.
            tolerance: Figure,
        },
        /// The search was not complete.
        Budget {
            /// What it was given.
            nodes: u64,
        },
        /// It was stopped.
        Stopped,
        /// The duals prove less.
        Claim {
            /// What they prove.
            proven: Figure,
            /// What was claimed.
            claimed: Figure,
        },
        /// A partition loses less than what is claimed to be the optimum.
        Better {
            /// At most its loss.
            loss: Figure,
            /// What was claimed.
            claimed: Figure,
        },
    }

    /// Why a file is no certificate.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Misread {
        /// It is not JSON of the form of a certificate.
        Json {
            /// What the parser says.
            why: String,
        },
        /// It is of another format.
        Format {
            /// Its format.
            format: Name,
            /// That of a certificate.
            known: Name,
        },
        /// It is of another version.
        Version {
            /// Its version.
            version: u32,
            /// The version that is known.
            known: u32,
        },
        /// JSON cannot say a number.
        NotFinite,
    }

    /// Why a certificate does not fit. Records, rows and cuts count from 0.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Misfit {
        /// Its rows are not rows of the table, ascending.
        Rows {
            /// Rows of the table.
            rows: usize,
        },
        /// It is about another number of records.
        Records {
            /// Its duals.
            duals: usize,
            /// Records.
            records: usize,
        },
        /// It is about a row that the table does not have.
        Row {
            /// The row.
            row: u32,
            /// Rows of the table.
            rows: usize,
        },
        /// A column is not in the table.
        Column,
        /// A cell is missing, or not in the hierarchy by which its column is published.
        NoLeaf {
            /// The column.
            name: Name,
            /// The cell.
            cell: Cell,
        },
        /// A cell is not of the kind of its column.
        Cell {
            /// The column.
            column: Name,
            /// The cell.
            cell: Cell,
            /// The kind.
            kind: CellKind,
        },
        /// It is about another loss.
        Loss {
            /// Its loss.
            loss: Loss,
            /// The loss that is asked for.
            asked: Loss,
        },
        /// It is about another rule.
        Rule {
            /// Its rule.
            rule: Rule,
            /// The rule that is asked for.
            asked: Rule,
        },
        /// There are not as many coordinates as records.
        Coordinates {
            /// Its duals.
            duals: usize,
            /// Coordinates, all records together.
            coordinates: usize,
            /// Coordinates of a record.
            dimensions: usize,
        },
        /// There are not as many values as records.
        Values {
            /// Its duals.
            duals: usize,
            /// Values.
            values: usize,
        },
        /// There are not as many colours as records.
        Colours {
            /// Its duals.
            duals: usize,
            /// Colours.
            colours: usize,
        },
        /// No colours are given.
        NoColours,
        /// A weight is negative, or no number.
        Weight,
        /// A number is infinite, or none.
        NotFinite,
        /// A value is infinite, or so large that it loses digits.
        Value,
        /// A colour is too frequent for any partition.
        TooFrequent {
            /// At most one record of so many may have it.
            least: usize,
        },
        /// Classes of one record cost nothing.
        TooSmall {
            /// Records of a class.
            least: usize,
        },
        /// There are too few records for a class.
        TooFew {
            /// Records.
            records: usize,
        },
        /// A check would keep too many distances.
        TooMany {
            /// Records.
            records: usize,
            /// Distances of each that it would keep.
            partners: usize,
            /// The most distances of all.
            most: usize,
        },
        /// A category has more labels than a check holds coordinates of, one a label and record.
        TooManyLabels {
            /// Its labels.
            labels: usize,
            /// Records.
            records: usize,
            /// The most labels with so many records.
            most: usize,
        },
        /// Its tolerance is negative.
        Tolerance {
            /// Its tolerance.
            tolerance: Figure,
        },
        /// A cut does not name records, each once.
        CutRecords {
            /// Which.
            cut: usize,
        },
        /// A cut divides by less than 2.
        CutDivisor {
            /// Which.
            cut: usize,
            /// Its divisor.
            divisor: u32,
        },
        /// The dual of a cut is negative, or no number.
        CutSigma {
            /// Which.
            cut: usize,
            /// Its dual.
            sigma: Figure,
        },
        /// The points have no coordinates.
        NoDimension,
        /// Two records are too far apart for numbers.
        TooFar {
            /// One record.
            one: usize,
            /// The other.
            other: usize,
        },
    }
}
