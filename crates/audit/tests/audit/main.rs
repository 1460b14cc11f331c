//! The audit, tested from outside: by hand, by damage, and against counting pairs of rows.
#![cfg(test)]

mod as_before;
mod checks;
mod common;
mod consistency;
mod disclosures;
mod examples;
mod forms;
mod measures;
mod mutations;
mod properties;
mod stream;
