//! Pricing: which classes would improve the master?
//!
//! Given a dual value for each type (lambda) and for each cut (sigma, with divisor p), the reduced cost of a class C is
//!
//! > rc(C) = w(C) - sum over C of lambda + sum over cuts S of sigma(S) floor(|C n S| / p).
//!
//! A pricing is split into parts that do not depend on one another, so that they run in parallel and a host can stop
//! between them. An exact one looks at every class in some part; where it meets a class of negative reduced cost it
//! reports it *and* lowers lambda until the class is no longer violated (dual repair). Lowering lambda only raises
//! reduced costs, so after all parts the repaired lambda is dual feasible: a proof, whatever lambda was. Without colours C may
//! hold several records of a type; its lambda counts once for each of them, and is lowered once.

pub mod alternate;
pub mod box_tree;
pub mod boxes;
pub mod by_family;
mod cell;
pub mod enumerate;
pub mod growth;
pub mod listed;
mod name;
mod pending;
mod pricer;
pub mod programme;
pub mod range_tree;
mod seeds;
mod smallest;
mod sums;
pub mod sweep;
pub mod tree;

/// The different types of a class; equal ones stand side by side.
fn different(class: &[u32]) -> impl Iterator<Item = u32> {
    class.chunk_by(|a, b| a == b).map(|same| same[0])
}

pub use self::name::PricerName;
pub(crate) use self::pricer::Best;
pub use self::pricer::{PartResult, PreparedPricer, Priced, Pricer, Request};
pub use self::{
    alternate::Alternate, box_tree::BoxTree, boxes::Boxes, enumerate::Enumerate, listed::Listed,
    programme::Programme, sweep::Sweep, tree::Tree,
};
