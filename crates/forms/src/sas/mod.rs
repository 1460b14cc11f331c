//! Files of SAS: `.sas7bdat`, and `.xpt`, its form for transport (versions 5 and 8).
//!
//! A row of either is so many bytes in which each column has its place: a text padded with blanks, or a number. Dates, moments and
//! times are numbers with a format, from 1960 on. The special missing values (`.A` to `.Z`, `._`) are missing and are named.

mod header;
mod meta;
mod moments;
mod numbers;
mod page;
mod rows;
mod sas7bdat;
mod unpack;
mod variable;
mod xport;
mod xport_records;

pub(crate) use self::{sas7bdat::SasFile, xport::XportFile};
