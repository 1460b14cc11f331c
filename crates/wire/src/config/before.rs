//! Methods as they were written before they carried their options: a flat `method` beside an object `search`, in
//! configurations, ledgers and jobs.

use lookalike_model::settings::{Method, MethodAsked};
use serde_json::{Map, Value, json};

/// The name under which options stood.
pub(crate) const SEARCH: &str = "search";

/// Makes `method` and `search` one method. What has no `search` stays as it is.
///
/// # Errors
/// If the two do not go together, or are not what they should be.
pub(crate) fn join(settings: &mut Map<String, Value>) -> Result<(), String> {
    let Some(search) = settings.remove(SEARCH) else { return Ok(()) };
    let options: MethodAsked = serde_json::from_value(search).map_err(|e| e.to_string())?;
    let name = match settings.remove("method") {
        None => None,
        Some(name) => Some(serde_json::from_value(name).map_err(|e| e.to_string())?),
    };
    let method: Method = MethodAsked { name, ..options }.method().map_err(|e| e.to_string())?;
    settings.insert(String::from("method"), json!(method));
    Ok(())
}
