//! Whether a run may publish a row of its own for each record.

use lookalike_model::{
    freeform::MOST,
    settings::{Model, Publish, Settings},
};

use crate::Error;

/// Checks that a run with these settings may publish rows of their own.
///
/// # Errors
/// [`Error::Input`], with the reason.
pub(crate) fn possible(settings: &Settings, records: usize) -> Result<(), Error> {
    let name = settings.method.name();
    let refuse = |why: String| Err(Error::Input(format!("{name} {why}")));
    if matches!(settings.model, Model::MInvariance { .. }) {
        return refuse(String::from("knows no sensitive values; for m-invariance take auto, classic or tau"));
    }
    if settings.suppress.is_some() {
        return refuse(String::from(
            "makes no classes, so no record can be suppressed instead of a wide one",
        ));
    }
    let centroid = |form: &Publish| *form == Publish::Centroid;
    if centroid(&settings.publish) || settings.publish_columns.values().any(centroid) {
        return refuse(String::from(
            "promises that a row may be any of k records, which a mean is not: publish ranges, sets or hierarchies",
        ));
    }
    if records > MOST {
        return refuse(format!(
            "compares every record with every row: {records} are too many, {MOST} the most"
        ));
    }
    Ok(())
}
