//! A JSON value and its schema.

#![allow(clippy::unwrap_used, reason = "a helper of tests: a failure here is a failed test")]

use serde_json::Value;

/// Every field must be described, every required one present, every value of a permitted type, name or size.
#[track_caller]
pub(crate) fn check(value: &Value, schema: &Value, at: &str) {
    if let Some(allowed) = schema["enum"].as_array() {
        assert!(allowed.contains(value), "{at}: {value} is not among {allowed:?}");
        return;
    }
    if !schema["const"].is_null() {
        assert_eq!(value, &schema["const"], "{at}");
        return;
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is = |t: &Value| t == kind || (t == "number" && kind == "integer");
    let types = &schema["type"];
    assert!(
        is(types) || types.as_array().is_some_and(|all| all.iter().any(is)),
        "{at} is {kind}, not {types}"
    );
    if let Some(number) = value.as_f64() {
        assert!(
            schema["minimum"].as_f64().is_none_or(|least| number >= least),
            "{at}: {number} is too small"
        );
        assert!(schema["maximum"].as_f64().is_none_or(|most| number <= most), "{at}: {number} is too large");
    }
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let named = &schema["properties"][name];
                let described = if named.is_null() { &schema["additionalProperties"] } else { named };
                if described == &Value::Bool(true) {
                    continue;
                }
                assert!(described.is_object(), "{at}.{name} is not described");
                check(field, described, &format!("{at}.{name}"));
            }
            for name in schema["required"].as_array().into_iter().flatten() {
                assert!(fields.contains_key(name.as_str().unwrap()), "{at} lacks {name}");
            }
        }
        Value::Array(items) => items.iter().for_each(|item| check(item, &schema["items"], at)),
        _ => {}
    }
}
