//! The parameters of all searches.

use crate::{exact, params::groups};

groups! {
    /// The parameters of all searches that have some. What a file does not name keeps its default.
    pub struct Params {
        /// Of column generation.
        exact: exact::Params;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{OutOfRange, Parameters as _};

    #[test]
    fn defaults_are_within_their_ranges_and_differ_from_nothing() {
        let params = Params::default();
        assert_eq!(params.check(), Ok(()));
        assert!(params.changes().is_empty());
        let mut count = 0;
        params.visit(&Params::default(), "", &mut |_| count += 1);
        assert!(count > 80, "{count}");
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
