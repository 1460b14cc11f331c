//! Settings as one object, by the names that they have in [`Told`]: what a program says that has no file.

use serde_json::{Map, Value};

use super::{Error, Fault, Told, fit};

/// Settings that a program hands over, such as `{"quasi": ["age"], "kinds": {"zip": "category"}}`.
///
/// # Errors
/// What is not known or does not fit; the path is the setting's name.
pub fn told(object: &Map<String, Value>) -> Result<Told, Error> {
    for (name, value) in object {
        // One by one, so that the error can name the setting.
        let alone = Value::Object(Map::from_iter([(name.clone(), value.clone())]));
        fit::fitted::<Told>(&alone).map_err(|fault| match fault {
            Fault::UnknownPart { part, known } if part.0 == *name => {
                Error::at(name.clone(), Fault::Unknown { known })
            }
            fault => Error::at(name.clone(), fault),
        })?;
    }
    fit::fitted(&Value::Object(object.clone())).map_err(|fault| Error::at("", fault))
}

/// The names of all settings.
#[must_use]
pub fn setting_names() -> Vec<&'static str> {
    // Whoever reads them names them all where one is not known.
    match fit::fitted::<Told>(&serde_json::json!({ "": null })) {
        Err(Fault::UnknownPart { known, .. }) => known,
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::settings::{Kind, Model};
    use serde_json::json;

    use super::*;

    fn of(value: &Value) -> Result<Told, Error> {
        told(value.as_object().unwrap())
    }

    #[test]
    fn settings_are_read_by_their_names_and_faults_name_the_setting() {
        let said = json!({ "quasi": ["zip"], "kinds": { "zip": "category" }, "model": { "name": "k-anonymity", "k": 3 } });
        let said = of(&said).unwrap();
        assert_eq!(
            (said.kinds["zip"].clone(), said.model),
            (Kind::Category, Some(Model::KAnonymity { k: 3 }))
        );
        assert!(setting_names().contains(&"risk_threshold"));
        let unknown = of(&json!({ "wieghts": {} })).unwrap_err();
        assert_eq!(unknown.path, "wieghts");
        assert!(matches!(unknown.fault, Fault::Unknown { known } if known.contains(&"weights")));
        let inner = of(&json!({ "changes": { "fake": "often" } })).unwrap_err();
        assert_eq!(inner.path, "changes");
        assert!(matches!(inner.fault, Fault::NoChoice { .. }));
    }
}
