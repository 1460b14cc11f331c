//! Why a job or columns of numbers make no instance.

use lookalike_words::Figure;

use crate::rule::signature::SeriesFault;

lookalike_words::messages! {
    in "model";

    /// Why a job makes no instance. Records, attributes and colours count from 0.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum JobFault {
        /// It is of another version.
        Version {
            /// Its version.
            given: u32,
            /// The version of this program.
            spoken: u32,
        },
        /// It has no attribute or no real record.
        Empty,
        /// The coordinates are not as many as records and attributes make.
        Coordinates {
            /// How many there are.
            coordinates: usize,
            /// Records.
            records: usize,
            /// Attributes.
            attributes: usize,
        },
        /// There are more records than indices.
        TooManyRecords {
            /// How many there are.
            records: usize,
        },
        /// A coordinate is not a moderate finite number.
        Coordinate {
            /// Its record.
            record: usize,
            /// Its attribute.
            attribute: usize,
            /// The coordinate.
            value: Figure,
        },
        /// A colour's code is larger than the number of records.
        ColourTooLarge {
            /// The code.
            colour: u32,
        },
        /// A colour below the largest occurs nowhere.
        ColourGap {
            /// Its code.
            colour: usize,
        },
        /// NCP needs a description of each attribute.
        NoAttributes,
        /// Other attributes are described than points have.
        Attributes {
            /// How many are described.
            described: usize,
            /// How many a point has.
            attributes: usize,
        },
        /// A weight is negative or not finite.
        Weight {
            /// Its attribute.
            attribute: usize,
            /// The weight.
            weight: Figure,
        },
        /// A coordinate is not a code of its category.
        Code {
            /// Its record.
            record: usize,
            /// Its attribute.
            attribute: usize,
            /// The coordinate.
            code: Figure,
            /// Number of codes.
            levels: u32,
        },
        /// The penalties of a generalisation hierarchy are not moderate numbers of at least 0, or it is a category as well.
        Joins {
            /// Its attribute.
            attribute: usize,
        },
        /// The ranks of the colours are not what the rule needs.
        Ranks(RanksFault),
        /// The values of a further sensitive column are not one code a record without gaps, or there is no such column.
        Further {
            /// Its number, from 1.
            column: usize,
        },
        /// Conditions on how colours are distributed are for real records.
        CounterfeitsAmongValues,
        /// What earlier releases ask contradicts itself.
        Series(SeriesFault),
    }

    /// What is wrong with the ranks of the colours.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum RanksFault {
        /// There are none.
        Missing,
        /// There is not one a colour, one is not below their number, there are far too many, or the hierarchy is none.
        Misfit,
        /// There is no hierarchy.
        NoBranches,
    }

    /// Why columns of numbers make no instance. Records and attributes count from 0.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum ColumnsFault {
        /// There is no column, no record, or a column of another length.
        Lengths {
            /// Columns.
            attributes: usize,
            /// Records.
            records: usize,
        },
        /// A coordinate is not a moderate finite number.
        Coordinate {
            /// Its record.
            record: usize,
            /// Its attribute.
            attribute: usize,
            /// The coordinate.
            value: Figure,
        },
    }
}
