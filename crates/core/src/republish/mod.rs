//! Later releases of a series (Tobar 2023 and Tobar 2024): m-invariance and tau-safety.
//!
//! * [`classify`](mod@classify) — who is new, gone, back or changed, and what a mode refuses.
//! * `names` — which names of individuals are one, and which may be.
//! * [`pseudonyms`] — what stands for names in a ledger that has none.
//! * [`balance`] — old records stay in classes of their old signature; new ones and counterfeits fill the gaps.
//! * [`ways`] — how many counterfeits a release needs: ours (the fewest), Tobar 2024's, and the literature's before it.
//! * `apart` — old signatures apart from new records, so that a release is the same whichever of its values its people have.
//! * `part` — what a release under way must remember.
//! * [`together`] — all releases judged together before the newest one is written.
//! * [`counts`] — the numbers of counterfeits, for who publishes them.
//! * [`series`] — from a table, its settings and the ledger to the numeric job; [`crate::pipeline::Run`] makes the release and the next
//!   ledger, and finds out whether more counterfeits than need be pay.
//!
//! Which record is in which class is one optimisation over all classes of the release, those of old records and the
//! others. Guarantees, attackers, proofs: `docs/republish.md`.

mod apart;
pub mod balance;
pub mod classify;
pub mod counts;
mod message;
pub(crate) mod names;
pub(crate) mod part;
pub mod pseudonyms;
pub mod series;
// Releases are files, in any form that a file of a table may have.
#[cfg(feature = "encodings")]
pub mod together;
pub mod ways;

pub use message::{AlikeNames, LikeOld, NamedRows, SeriesFault, SeriesWarning};
