//! Later releases of a series (papers 1 and 2). So far the step that decides how many counterfeits a release needs:
//! balancing.

pub mod balance;
