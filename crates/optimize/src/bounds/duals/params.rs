//! The parameters of raising duals.

use crate::params::params;

params! {
    /// How duals are raised after a search, and what that may take. What is looked at is counted, so that a bound does not depend on
    /// a clock: one record beside a class in the making, or beside another record.
    pub struct Params {
        /// What a time limit leaves for it after the search, if it is to be quick.
        share: f64 = 0.1, "part of the time limit", 0.0..=0.9;
        /// The same if the bound is to be full.
        full_share: f64 = 0.5, "part of the time limit", 0.0..=0.9;
        /// What it may look at for one unit of effort, if the bound is to be quick.
        quick: f64 = 750.0, "looks a record", 0.0..=1e9;
        /// What it may look at however few the records, if the bound is to be quick.
        least: f64 = 6e7, "looks", 0.0..=1e12;
        /// The effort from which on it may look at that much; with less, at as much less.
        whole: f64 = 1.0, "units of effort", 1e-6..=1e6;
        /// The part of that which it may look at with no effort at all.
        floor: f64 = 0.05, "part", 0.0..=1.0;
        /// What a full bound may look at more than a quick one.
        full: f64 = 20.0, "times", 1.0..=1e6;
        /// What it may look at for one record in one round.
        each: u64 = 60_000_u64, "looks", 100.0..=1e9;
        /// The part of what is left that one round should not exceed, by the records that are tried.
        part: f64 = 0.2, "part", 0.01..=1.0;
        /// Partners of a record that it keeps to build classes of.
        partners: usize = 10_000_usize, "records", 10.0..=1e6;
        /// Classes that a record gives to the pool in one round.
        kept: usize = 3_usize, "classes", 1.0..=100.0;
        /// What a search around a record may look at before centres are searched instead, where they can be.
        lost: f64 = 3e4, "looks a record", 0.0..=1e12;
        /// What the least mean reduced costs may be too low by, where centres are searched, at the least.
        slack: f64 = 0.003, "mean duals", 1e-6..=1.0;
        /// The same as a part of the gap that is left: early rounds need not be exact.
        rough: f64 = 0.02, "mean duals", 0.0..=1.0;
        /// Classes that it gives to the pool in one round beside the best of each record, where centres are searched.
        met: usize = 4_usize, "classes a kind", 0.0..=100.0;
        /// Boxes of centres in the end, where values must differ and records are moved to boxes; none without two.
        boxes: usize = 4_000_usize, "boxes", 0.0..=1e6;
        /// The cheapest boxes of a record that are looked at, beside those that others of its value go to.
        cheapest: usize = 12_usize, "boxes", 1.0..=100.0;
        /// Which part of what the bound may look at is for moving records to boxes.
        moving: f64 = 0.5, "part", 0.0..=1.0;
        /// Steps of the primal-dual method between two rounds.
        steps: usize = 300_usize, "steps", 10.0..=1e5;
        /// How far a dual moves in a step.
        step: f64 = 2.0, "mean duals", 1e-3..=1e3;
        /// Where the first round prices, on the way from the best feasible duals to those of the pool.
        first: f64 = 0.1, "part of the way", 0.01..=1.0;
        /// How much farther the next round goes after one that has raised the bound.
        longer: f64 = 1.2, "times", 1.0..=10.0;
        /// How much less far after one that has not, at the most.
        shorter: f64 = 0.7, "times", 0.01..=0.99;
        /// The same at the least.
        nearest: f64 = 0.05, "times", 0.001..=0.99;
        /// It ends once the best duals are so near those that are best for the pool.
        near: f64 = 2e-4, "part of the bound", 0.0..=0.5;
        /// It ends after so many rounds that have not raised the bound.
        idle: usize = 6_usize, "rounds", 1.0..=100.0;
        /// Distances to nearest partners that it keeps at the most; where there are more, it does nothing.
        distances: f64 = 6e7, "distances", 0.0..=1e10;
    }
}
