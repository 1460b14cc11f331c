//! The audit, tested from outside: by hand, by damage, and against counting pairs of rows.
#![cfg(test)]

mod attacks;
mod boundary;
mod checks;
mod common;
mod condition_definitions;
mod conditions;
mod consistency;
mod disclosures;
mod examples;
mod form;
mod forms;
mod linked_values;
mod measures;
mod mutations;
mod one_judge;
mod parts;
mod persons;
mod persons_m;
mod persons_unchanged;
mod properties;
mod stated;
mod unchanged;
