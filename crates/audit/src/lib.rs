//! Judges published tables from the bytes about to be published.
//!
//! [`judge`] reads the bytes with a separate, strict reader and answers with a [`Verdict`]: checks that hold or do not, each
//! with a finding that may be published and witnesses that may not, and the risk figures of an attacker who knows the
//! published quasi-identifiers of a person. It shares no code with what wrote the bytes: nothing of `lookalike-table`,
//! which all else here may use. [`Judge`] takes rows that another reader made.
//!
//! ```
//! use lookalike_audit::{Conditions, Dialect, Guarantee, Question, judge};
//!
//! let question = Question {
//!     quasi: vec!["age".into()],
//!     sensitive: None,
//!     conditions: Conditions::default(),
//!     guarantee: Guarantee::KAnonymity { k: 2 },
//!     class: None,
//!     markers: Vec::new(),
//!     dialect: Dialect::PLAIN,
//! };
//! let verdict = judge(b"age\n[34-36]\n[34-36]\n[58-61]\n", &question)?;
//! assert!(!verdict.passed, "nobody else is published as [58-61]");
//! # Ok::<(), lookalike_audit::Error>(())
//! ```
//!
//! Two groupings are judged, since two classes may be published alike: the rows of one **class**, by the label in
//! the class column; and the **group** of all rows with equal published quasi-identifiers, which is what an attacker
//! sees (the equivalence class of the literature). Cells are equal when their bytes are: an attacker who also merges
//! "1" and "1.0" sees larger groups, never smaller ones, and a share of at most 1/m survives merging.
//!
//! [`assess`] checks any table against the models of the literature (`docs/checks.md`); [`risks`] are the
//! figures of re-identification; [`series`] judges several releases together; [`attacks`] tries singling out, linkability and
//! inference on a table whose original is available.
//!
//! [`judge`] does not know the input, so it cannot tell whether a published range covers the true value, nor whether a
//! row is a counterfeit. Columns that are published unchanged are compared with their source by [`judge_with_source`];
//! [`unchanged`] says what an attacker gains who knows them.
//!
//! Cost: linear in the cells, apart from sorting each column's different cells; memory linear in the rows, but for the
//! judge's, which is that of the different sensitive values and some megabytes ([`judge_stream`]).

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]
#![forbid(unsafe_code)]

pub mod attacks;
pub mod certificate;
mod classes;
mod columns;
pub mod consistency;
mod dialect;
pub mod disclosure;
mod freeform;
mod groups;
mod judge;
pub mod measure;
mod order;
pub mod privacy_models;
mod published;
mod risk;
mod sampled;
pub mod series;
mod sizes;
mod suppressed;
pub mod unchanged;
mod values;

pub use freeform::{Concealed, judge_freeform};
pub use judge::{
    Arrangement, Attacker, Before, Breach, CellKind, Check, ClassName, Condition, Conditions, Consistent,
    Dialect, Diverse, Error, Exposure, Fault, FurtherJudged, Ground, Grouping, Guarantee, Judge, Judged,
    JudgedPart, JudgedPersons, LedgerFault, Left, Lifespans, LossNotRecomputed, NearGroup, NearValue, Needed,
    Observation, Pair, PartOf, Parts, Persons, PersonsObservation, Population, Promise, Protecting, Question,
    Reader, Risk, Risks, Seen, SeenSet, Senseless, SeriesObservation, SeriesWitness, SetJudged, Shared,
    Sizes, Source, SourceFault, Subject, TableName, Together, ToldByRows, Unasked, Unlinked, Unmeasurable,
    ValueSet, Values, Verdict, WITNESSES, Wanted, Witness, cells, judge, judge_further, judge_part,
    judge_parts, judge_persons, judge_set, judge_stream, judge_with_source, rows,
};
pub use privacy_models::{Assessment, Distance, Diversity, Finding, Inquiry, Model, ModelName, assess};
pub use risk::{Alike, alike, risks, risks_of_people, risks_of_sizes};
pub use sampled::{
    HouseholdRisk, SampleRisk, Sampled, households, individual_risk, sample_risk, sampled, weights,
};
pub use suppressed::SUPPRESSED;
pub use values::{alike_share, known_share};
