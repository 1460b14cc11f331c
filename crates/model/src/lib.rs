//! The vocabulary: everything that the others speak of, and nothing that they do.
//!
//! Plain data with public fields, which serialises with serde, constructors and defaults. It knows nothing else of ours.
//!
//! * [`settings`] — what the user asks for; the command line and the page fill in the same struct.
//! * [`missing`] — which cells mean "not known".
//! * [`info`] — what a table looks like before anything is decided.
//! * [`survey`] — what every m would cost.
//! * [`job`] — the pseudonymised numeric problem and its answer; all that a worker ever sees.
//! * [`block`], [`kept`]: parts of a search that others solve, and what came of them.
//! * [`freeform`] — answers without classes.
//! * [`event`] — progress.
//! * [`proof`] — what stands behind a bound.
//! * [`report`] — the publishable `report.json` and the private record.
//! * [`assessment`] — what the report says about risk, disclosure and utility.
//! * [`look`] — a finished run beside its original.
//! * [`ledger`] — what is kept from release to release of a series.
//! * [`sent`] — where the classes were computed.
#![forbid(unsafe_code)]

pub mod assessment;
pub mod block;
mod carry;
pub mod event;
pub mod freeform;
pub mod info;
pub mod job;
pub mod kept;
pub mod ledger;
pub mod look;
mod method;
pub mod missing;
mod named;
pub mod proof;
pub mod report;
pub mod sent;
pub mod settings;
pub mod survey;
