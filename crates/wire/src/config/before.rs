//! Methods as they were written before they carried their options: a flat `method` beside an object `search`, in
//! configurations, ledgers and jobs.

use lookalike_model::settings::{Method, MethodAsked};
use serde_json::{Map, Value, json};

use super::{error::Fault, fit::fitted};

/// The name under which options stood.
pub(crate) const SEARCH: &str = "search";

/// Makes `method` and `search` one method. What has no `search` stays as it is.
///
/// # Errors
/// If the two do not go together, or are not what they should be.
pub(crate) fn join(settings: &mut Map<String, Value>) -> Result<(), Fault> {
    let Some(search) = settings.remove(SEARCH) else { return Ok(()) };
    let options: MethodAsked = fitted(&search)?;
    let name = match settings.remove("method") {
        None => None,
        Some(name) => Some(fitted(&name)?),
    };
    let method: Method =
        MethodAsked { name, ..options }.method().map_err(|fault| Fault::Misplaced { fault })?;
    settings.insert(String::from("method"), json!(method));
    Ok(())
}
