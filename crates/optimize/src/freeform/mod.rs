//! Freeform generalisation: each record is published as a generalised row of its own, which k records may be.
//!
//! Doka, Xue, Tsoumakos, Karras, "k-Anonymization by Freeform Generalization", ASIACCS 2015. Records and rows are matched
//! k times, no pair twice: first each record with its own row, then round after round so that rows grow little. A row
//! covers the records that it was matched with. In the graph of these pairs every node has k edges, so each pair is part
//! of a perfect matching: every record has at least k matches (k-concealment), and the table is (k,k)-anonymous. It is
//! not k-anonymous: rows that no other equals are usual.
//!
//! The three algorithms differ in how a round is matched. All look at the increase of a row's loss by one more record,
//! with losses as of the round's begin. O(k n^2 d) for the greedy ones, O(k n^3) at worst for the assignment.

mod assignment;
mod greedy;
mod hungarian;
mod partial;
mod round;
mod rounds;
mod rows;
mod sort_greedy;

pub(crate) use rounds::Rounds;

#[cfg(test)]
mod tests;
