//! The least mean reduced costs of all kinds at once, by where the centre of a class can be.
//!
//! Under squared errors a class C loses the least sum of |x - c|^2 of its records over all centres c. So the least reduced cost of a class with
//! record i is the least over c of
//!
//! > |x_i - c|^2 - lambda_i + the q - 1 smallest |x_j - c|^2 - lambda_j, of different values.
//!
//! A search over centres does not care how far classes reach, and a record of every value is all that it has to choose, where a search
//! over records gets lost among few values. Less |c|^2 for each record, that is a minimum of linear functions of c and so concave: with
//! h the halves of the sides of a box of centres, it is nowhere lower in the box than at one of its corners, less |h|^2 for each record (theorem 5 of docs/bounds.md).
//! Boxes are halved until that does not matter, so it takes few dimensions.

mod corners;
mod flat;
mod sweep;

pub(super) use self::{
    flat::{AXES, Flat, Point},
    sweep::Sweep,
};

#[cfg(test)]
mod tests;
