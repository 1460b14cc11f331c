//! The browser's clock.

use js_sys::Date;

/// Date and time: UTC, to the second, as in `2026-05-01T14:03:22Z`.
#[must_use]
pub fn now() -> String {
    let now = String::from(Date::new_0().to_iso_string());
    // "2026-05-01T14:03:22.123Z".
    now.split_once('.').map_or(now.clone(), |(seconds, _)| format!("{seconds}Z"))
}
