//! The parameters of our searches in all experiments of a run: the defaults, or those of a file.

use std::{path::Path, sync::OnceLock};

use anyhow::{Context, Result, ensure};
use lookalike_optimize::{params::Parameters as _, solve::Params};

static CHOSEN: OnceLock<Params> = OnceLock::new();

/// Those of this run.
pub(crate) fn chosen() -> &'static Params {
    CHOSEN.get_or_init(Params::default)
}

/// Takes the parameters that a JSON file names; the others keep their defaults. Before any search.
///
/// # Errors
/// If the file cannot be read, names a parameter that does not exist, or gives one a value out of its range.
pub fn read(path: &Path) -> Result<()> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let params = parse(&text).with_context(|| format!("{} has no parameters", path.display()))?;
    for (name, value) in params.changes() {
        eprintln!("experiments: {name} = {value}");
    }
    ensure!(CHOSEN.set(params).is_ok(), "the parameters are in use already");
    Ok(())
}

fn parse(text: &str) -> Result<Params> {
    let params: Params = serde_json::from_str(text)?;
    params.check()?;
    Ok(params)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_changes_what_it_names_and_nothing_out_of_range() {
        let params = parse(r#"{"exact": {"neighbourhoods": {"failures": 50}}}"#).unwrap();
        let changes = [(String::from("exact.neighbourhoods.failures"), String::from("50"))];
        assert_eq!(params.changes(), changes);
        assert!(parse(r#"{"exact": {"neighbourhoods": {"failures": 0}}}"#).is_err());
        assert!(parse(r#"{"exact": {"neighbourhood": {}}}"#).is_err());
    }
}
