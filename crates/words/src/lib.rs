//! Messages as data, and their words in English, German and Spanish.
//!
//! A crate declares what it can say with [`messages!`]: enums whose variants have named arguments. A variant can be
//! matched; [`Message::said`] makes a [`Said`] of it, its identity with arguments, which travels as JSON; and a
//! [`Speaker`] puts that into the words of a language. `Display` of a message is English.
//!
//! The words stand in `texts/`, a file a language; those of the command line and the worker alone in `texts/terminal/` (feature
//! `terminal`). A section names an enum, a line a variant:
//!
//! ```text
//! [table.Error]
//! NoColumn = there is no column {name}; the columns are {columns}
//! ```
//!
//! * `{rows}` is an argument: a number is written as the language does, a [`Name`] and a [`Cell`] in quotation marks, a list
//!   with commas, another message in its words. `{rows&}` is a list with "and" before its last item, `{rows;}` one with
//!   semicolons.
//! * `{rows|one row|{rows} rows}` is the first form for 1 and the second for other numbers;
//!   `{rows|no row|one row|{rows} rows}` has a form for 0, too. For a truth value 1 is true; the number of a
//!   list is that of its items.
//! * `{more?, and {more}|}` is the first form if the argument is there and not empty, else the second.
//! * `{@rows-are people}` is a setting, or one of its values, as the reader's interface names it. Arguments within it,
//!   as in `{@kind {column}=date}`, stand as one gives them to the interface: on the command line in the quotation marks of
//!   a shell, where it needs them (`--kind "date of birth=date"`).
//! * `{<}` and `{>}` are braces.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod arg;
mod catalogue;
mod flags;
mod language;
mod messages;
mod said;
mod speaker;
mod template;

pub use arg::{Arg, AsArg, Cell, Figure, Name, Round, shown};
#[cfg(feature = "terminal")]
pub use catalogue::TERMINAL;
pub use catalogue::{Catalogue, TEXTS, shortcomings};
pub use flags::Flags;
pub use language::Language;
pub use messages::{Message, Variant};
pub use said::Said;
pub use speaker::{Settings, Speaker};
