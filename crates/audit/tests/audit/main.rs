//! The audit, tested from outside: by hand, by damage, and against counting pairs of rows.
#![cfg(test)]

mod common;
mod examples;
mod mutations;
mod properties;
