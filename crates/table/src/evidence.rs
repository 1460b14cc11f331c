//! Why a column is of its kind.

use lookalike_words::{Cell, Figure, Name};

lookalike_words::messages! {
    in "table";

    /// Why a column is of its kind.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Evidence {
        /// There is no value to tell by.
        AllMissing,
        /// The values that are known tell.
        Known {
            /// What they tell.
            finding: Finding,
            /// Whether nearly all differ.
            differ: Option<Differ>,
            /// Missing cells.
            missing: usize,
        },
    }

    /// What the known values of a column tell. Values are spelled as in their cells.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Finding {
        /// Digits of one length, some with a leading zero: codes.
        Codes {
            /// Known values.
            values: usize,
            /// One with a leading zero.
            code: String,
        },
        /// Whole numbers.
        WholeNumbers {
            /// Known values.
            values: usize,
            /// How they are written; empty for plain digits.
            marks: Vec<NumberMark>,
            /// From where to where they go.
            span: Option<Span>,
        },
        /// Numbers.
        Numbers {
            /// Known values.
            values: usize,
            /// How they are written; empty for a decimal point alone.
            marks: Vec<NumberMark>,
            /// From where to where they go.
            span: Option<Span>,
        },
        /// Numbers with points that may also stand between thousands.
        DecimalPoints {
            /// Known values.
            values: usize,
            /// From where to where they go.
            span: Option<Span>,
        },
        /// Dates.
        Dates {
            /// Known values.
            values: usize,
            /// How they are written.
            pattern: DatePattern,
            /// Why day and month stand in this order, where that was to be found out.
            why: Option<DateEvidence>,
            /// From where to where they go.
            span: Option<Span>,
        },
        /// Numbers that can be read in two ways.
        EitherNumbers {
            /// Known values.
            values: usize,
            /// What is to be said.
            question: Question,
        },
        /// Dates that can be read in two ways.
        EitherDates {
            /// Known values.
            values: usize,
            /// What is to be said.
            question: Question,
        },
        /// Numbers, but for a few.
        NearlyNumbers {
            /// Values that are numbers.
            fitting: usize,
            /// Known values.
            values: usize,
            /// The first that are not.
            odd: Vec<Misfit>,
            /// Whether there are more.
            more: bool,
        },
        /// Dates, but for a few.
        NearlyDates {
            /// Values that are dates.
            fitting: usize,
            /// Known values.
            values: usize,
            /// The first that are not.
            odd: Vec<Misfit>,
            /// Whether there are more.
            more: bool,
        },
        /// Dates, each in one of several formats.
        SeveralDates {
            /// Values that are dates.
            fitting: usize,
            /// Known values.
            values: usize,
            /// One of each format, of the first ones.
            cells: Vec<Cell>,
        },
        /// More numbers than others.
        MostlyNumbers {
            /// Values that are numbers.
            fitting: usize,
            /// Known values.
            values: usize,
            /// The others.
            odd: Vec<Cell>,
        },
        /// Numbers, or nearly so, in several spellings.
        LikeNumbers {
            /// Values that are numbers or look so.
            fitting: usize,
            /// Known values.
            values: usize,
            /// The first that is spelled otherwise than a data file would.
            cell: Cell,
        },
        /// Numbers, some of them too long to be told apart as numbers.
        LongNumbers {
            /// Known values.
            values: usize,
            /// The first that is too long.
            cell: Cell,
        },
        /// Numbers, nearly all of them decimals or short, but for a few whole ones that are too long to be told apart as numbers.
        NumbersAndLong {
            /// Known values.
            values: usize,
            /// The first that are too long.
            odd: Vec<Misfit>,
            /// Whether there are more.
            more: bool,
        },
        /// Digits with a capital E among them, of one length: codes.
        PowersOfTen {
            /// Known values.
            values: usize,
            /// The first of them.
            code: String,
        },
        /// Numbers with a unit or an unusual minus.
        NumbersWithin {
            /// Values that are numbers or look so.
            fitting: usize,
            /// Known values.
            values: usize,
            /// The first that looks so.
            cell: Cell,
        },
        /// Labels, each of which occurs once.
        EachOnce {
            /// Different labels.
            values: usize,
        },
        /// Labels, of which one is the most frequent.
        MostOften {
            /// Different labels.
            values: usize,
            /// The most frequent one, perhaps shortened.
            label: String,
            /// Its cells.
            cells: usize,
            /// Known values.
            of: usize,
        },
    }

    /// How many labels differ.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Differ {
        /// All.
        All,
        /// Nearly all.
        NearlyAll,
    }

    /// What stands in the numbers of a column beside digits and a decimal point.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum NumberMark {
        /// A decimal comma.
        DecimalComma,
        /// Commas between thousands.
        Commas,
        /// Points between thousands.
        Points,
        /// Apostrophes between thousands.
        Apostrophes,
        /// Spaces between thousands.
        Spaces,
        /// A percent sign.
        Percent,
        /// The sign or code of a currency.
        Currency {
            /// It.
            sign: &'static str,
        },
        /// Parentheses around what is below 0.
        Parentheses,
    }

    /// Least and largest value.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Span {
        /// They are equal.
        All {
            /// The value.
            value: String,
        },
        /// They differ.
        Range {
            /// The least.
            least: String,
            /// The largest.
            most: String,
        },
    }

    /// In which order the parts of a date stand, and what separates them.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum DatePattern {
        /// 2024-12-31.
        Ymd {
            /// What stands between the parts.
            mark: Option<char>,
        },
        /// 31.12.2024.
        Dmy {
            /// What stands between the parts.
            mark: Option<char>,
        },
        /// 12/31/2024.
        Mdy {
            /// What stands between the parts.
            mark: Option<char>,
        },
        /// Days in another form.
        Days {
            /// In the letters of strftime.
            format: String,
        },
        /// Days with a time of day.
        Time {
            /// In the letters of strftime.
            format: String,
        },
        /// Months.
        Months {
            /// In the letters of strftime.
            format: String,
        },
        /// Quarters.
        Quarters {
            /// In the letters of strftime.
            format: String,
        },
    }

    /// Why day and month stand in their order.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum DateEvidence {
        /// A date has a day first that is no month.
        DayFirst {
            /// The date.
            date: String,
        },
        /// A date has a day second that is no month.
        MonthFirst {
            /// The date.
            date: String,
        },
        /// It does not matter: day and month are the same in all.
        Same,
        /// Dates with points have the day first.
        Points,
        /// Of months: none is beyond the fourth, so that they may be quarters.
        MaybeQuarters {
            /// The kind to declare then.
            kind: String,
        },
    }

    /// A value that is not like nearly all others.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Misfit {
        /// In this row.
        Cell {
            /// The value.
            cell: Cell,
            /// Its row, from 1.
            row: usize,
        },
    }

    /// How the cells of a column can be read in two ways, and what the user has to say.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Question {
        /// A comma may stand between thousands or before decimals.
        Number {
            /// A cell with a comma.
            cell: Cell,
            /// It as a whole number.
            whole: Figure,
            /// It as a number with decimals.
            real: Figure,
            /// The column.
            column: Name,
        },
        /// The day or the month may stand first.
        Date {
            /// A cell that is a date in both ways.
            cell: Cell,
            /// What stands between the parts.
            mark: Option<char>,
            /// The column.
            column: Name,
        },
        /// The year has two digits.
        Century {
            /// A cell.
            cell: Cell,
            /// The kind to declare, with a century that is to be checked.
            format: Name,
            /// The column.
            column: Name,
        },
    }

    /// What a cell would have to be.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Noun {
        /// A label.
        Label,
        /// A finite number.
        FiniteNumber,
        /// A whole number.
        WholeNumber,
        /// A number whose digits are few enough to tell it from all others.
        ExactNumber,
        /// A date.
        Date,
        /// A value of the order that the user gave.
        InOrder,
    }
}
