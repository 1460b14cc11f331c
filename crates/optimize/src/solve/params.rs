//! The parameters of all searches.

use crate::{
    bounds, construct, exact, local,
    params::{groups, params},
    programme,
};

groups! {
    /// The parameters of all searches that have some. What a file does not name keeps its default.
    pub struct Params {
        /// Of what is chosen where nothing is said.
        plan: Plan;
        /// Of constructions.
        construct: construct::Params;
        /// Of local search.
        local: local::Params;
        /// Of column generation.
        exact: exact::Params;
        /// Of the general programme.
        programme: programme::Params;
        /// Of the bound that is raised after a search.
        bound: bounds::Params;
    }
}

params! {
    /// What is chosen where nothing is said, by the number of records: `docs/search.md` has the measurements.
    pub struct Plan {
        /// Records from which one annealing of the whole gives way to spatial blocks: a chain's data no longer fit the caches.
        spatial_from: usize = 12_000_usize, "records", 0.0..=1e9;
        /// Records up to which the constructions of quadratic time are tried.
        quadratic_to: usize = 3000_usize, "records", 0.0..=1e9;
        /// Records up to which MDAV is tried in any number of attributes.
        scan_to: usize = 20_000_usize, "records", 0.0..=1e9;
        /// Records up to which the constructions that search a tree for each class are tried.
        tree_to: usize = 250_000_usize, "records", 0.0..=1e9;
        /// Attributes up to which a tree is worth its while.
        tree_dims: usize = 4_usize, "attributes", 0.0..=1e6;
        /// What large neighbourhoods get after annealing.
        polish: f64 = 0.1, "part of the budget", 0.0..=1.0;
        /// What the constructions get of a time limit if a search comes after them.
        start_share: f64 = 0.5, "part of the time limit", 0.01..=1.0;
        /// What the neighbour bound gets of a time limit; what it has not looked at then counts as nothing.
        bound_share: f64 = 0.1, "part of the time limit", 0.0..=1.0;
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::{
        Ctx,
        job::Job,
        rule::Rule,
        settings::{Budget, MethodName},
    };

    use super::*;
    use crate::{
        params::{OutOfRange, Parameters as _},
        solve::{solve, solve_with},
    };

    #[test]
    fn defaults_are_within_their_ranges_and_differ_from_nothing() {
        let params = Params::default();
        assert_eq!(params.check(), Ok(()));
        assert!(params.changes().is_empty());
        let mut count = 0;
        params.visit(&Params::default(), "", &mut |_| count += 1);
        assert!(count > 140, "{count}");
    }

    #[test]
    fn a_file_names_what_it_changes_and_nothing_else() {
        let text = r#"{"exact": {"master": {"box_width": 0.25}}}"#;
        let params: Params = serde_json::from_str(text).unwrap();
        assert_eq!(params.changes(), [(String::from("exact.master.box_width"), String::from("0.25"))]);
        assert_eq!(serde_json::from_str::<Params>(&serde_json::to_string(&params).unwrap()).unwrap(), params);
        let unknown = r#"{"exact": {"master": {"box_with": 0.25}}}"#;
        assert!(serde_json::from_str::<Params>(unknown).is_err());
    }

    /// Every search goes by its parameters, and its answer says by which.
    #[test]
    fn an_answer_names_the_parameters_that_differ() {
        let n = 900_u32;
        let points = (0..n).flat_map(|i| [f64::from(i * 7919 % 997), f64::from(i * 6007 % 83)]).collect();
        let job = Job { budget: Budget::Effort(0.3), ..Job::of(2, points, Rule::at_least(3)) };
        for (method, text) in [
            (MethodName::Annealing, r#"{"local": {"annealing": {"end": 2.0}}}"#),
            (MethodName::Annealing, r#"{"local": {"moves": {"resplits": 60}}}"#),
            (MethodName::Annealing, r#"{"local": {"work": {"moves_per_effort": 100.0}}}"#),
            (MethodName::Spatial, r#"{"local": {"spatial": {"block": 300}}}"#),
            (MethodName::Spatial, r#"{"local": {"spatial_moves": {"least_resplits": 16}}}"#),
            (MethodName::LargeNeighbourhood, r#"{"local": {"neighbourhoods": {"classes": 500}}}"#),
            (MethodName::TwoSwap, r#"{"local": {"two_swap": {"least_gain": 1000.0}}}"#),
            (MethodName::Decompose, r#"{"local": {"decompose": {"block": 100}}}"#),
            (MethodName::VMdav, r#"{"construct": {"v_mdav": {"gamma": 1.5}}}"#),
            (MethodName::Auto, r#"{"plan": {"spatial_from": 100}}"#),
        ] {
            let job = Job { method: method.into(), ..job.clone() };
            let params: Params = serde_json::from_str(text).unwrap();
            let other = solve_with(&job, &params, &Ctx::silent()).unwrap();
            assert_eq!(other.parameters, params.changes().into_iter().collect(), "{text}");
            assert_eq!(other.parameters.len(), 1);
            let usual = solve(&job, &Ctx::silent()).unwrap();
            assert!(usual.parameters.is_empty() && usual.labels != other.labels, "{text}");
            assert_eq!(solve_with(&job, &Params::default(), &Ctx::silent()).unwrap().labels, usual.labels);
        }
    }

    #[test]
    fn what_is_out_of_range_is_refused_by_name() {
        let mut params = Params::default();
        params.exact.master.box_width = -1.0;
        let OutOfRange::Parameter { name, value, .. } = params.check().unwrap_err();
        assert_eq!((name.as_str(), value.as_str()), ("exact.master.box_width", "-1"));
        params.exact.master.box_width = f64::NAN;
        assert!(params.check().is_err());
    }
}
