//! What can be combined: the one table of settings that exclude each other, for each of the forms in which a release is made.
//!
//! The settings alone decide most of it ([`fit`]); some depends on how many counterfeits are needed
//! ([`with_counterfeits`]) and how many records there are ([`with_records`]).

use lookalike_model::{
    freeform::MOST,
    settings::{
        BoundWork, Budget, ChangeOptions, CounterfeitPoints, Extent, Formulas, Loss, Method, MissingPolicy,
        Model, Publish, Repair, RowsAre, Sample, Scheme, Settings,
    },
};
use lookalike_words::{Figure, Name};

use super::levels;

/// How a release is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Made {
    /// For itself, its table in memory.
    Once,
    /// As the next one of a series.
    Series,
    /// For itself, its table in a store.
    OutOfCore,
}

lookalike_words::messages! {
    in "core";

    /// Settings that exclude each other.
    #[derive(Clone, Debug, PartialEq)]
    pub enum Conflict {
        /// A certificate of rows of their own, which have no bound.
        CertificateNeedsBound {
            /// The method.
            method: &'static str,
        },
        /// Sampling weights or households where persons have several rows, in a series, out of core, or with rows of their own.
        SampleOfOther,
        /// A household's key that is published as another column than an unchanged one.
        HouseholdPublished {
            /// The column.
            name: Name,
        },
        /// A household's key that is published, where its members may be published differently.
        HouseholdInClasses {
            /// The column.
            name: Name,
        },
        /// A sampling weight with another role.
        WeightOfOther {
            /// The column.
            name: Name,
        },
        /// What does not go with sets of quasi-identifiers in classes.
        SetsOfClasses {
            /// What was asked for.
            asked: Vec<BySets>,
        },
        /// Sets with a common column in classes.
        SetsShare {
            /// The column.
            name: Name,
        },
        /// A set with a column that is no quasi-identifier.
        SetOfOther {
            /// The column.
            name: Name,
        },
        /// A set without columns, with one twice, or a set that stands twice.
        SetTwice {
            /// Its columns.
            columns: Vec<Name>,
        },
        /// A set that asks for no more than the guarantee.
        SetForNothing {
            /// Its columns.
            columns: Vec<Name>,
            /// Its k.
            k: usize,
            /// The guarantee's.
            least: usize,
        },
        /// A certificate where no bound is asked for.
        CertificateWithoutBound,
        /// A certificate of a decomposed problem.
        CertificateOfBlocks,
        /// A certificate where counterfeits are needed.
        CertificateWithCounterfeits,
        /// A certificate of a release of a series.
        CertificateInSeries,
        /// A price of a suppressed record that is no number above 0.
        PriceOfRecord {
            /// The price.
            price: Figure,
        },
        /// A threshold of risk that is no probability.
        RiskThreshold {
            /// The threshold.
            value: Figure,
        },
        /// Suppressed records where counterfeits are needed.
        SuppressWithCounterfeits,
        /// Suppressed records, and a certificate of all of them.
        SuppressWithCertificate,
        /// Suppressed records in a series.
        SuppressInSeries,
        /// Rows of their own under m-invariance.
        OwnRowsUnderMInvariance {
            /// The method.
            method: &'static str,
        },
        /// Rows of their own, and suppressed records.
        OwnRowsWithSuppress {
            /// The method.
            method: &'static str,
        },
        /// Rows of their own, published as means.
        OwnRowsAsMeans {
            /// The method.
            method: &'static str,
        },
        /// Rows of their own, with ranges in two columns.
        OwnRowsInEnds {
            /// The method.
            method: &'static str,
        },
        /// Rows of their own for more records than can be compared with each other.
        OwnRowsOfTooMany {
            /// The method.
            method: &'static str,
            /// How many records there are.
            records: usize,
            /// How many there may be.
            most: usize,
        },
        /// Columns that are published unchanged, in a series.
        UnchangedInSeries {
            /// The columns.
            columns: Vec<Name>,
        },
        /// Columns that are published unchanged, where counterfeits are needed.
        UnchangedWithCounterfeits {
            /// The columns.
            columns: Vec<Name>,
        },
        /// Columns that are published unchanged, and rows of their own.
        UnchangedOwnRows {
            /// The method.
            method: &'static str,
            /// The columns.
            columns: Vec<Name>,
        },
        /// Columns that are published unchanged, without the column of classes.
        UnchangedWithoutClasses {
            /// The columns.
            columns: Vec<Name>,
        },
        /// Persons with several rows, without the column of classes.
        PersonsWithoutClasses {
            /// The column with their keys.
            column: Name,
        },
        /// Conditions on sensitive values, and no sensitive column.
        ConditionsWithoutSensitive,
        /// Conditions on sensitive values under m-invariance.
        ConditionsUnderMInvariance,
        /// Conditions on sensitive values, and a method that cannot keep them.
        ConditionsWithMethod {
            /// The method.
            method: &'static str,
        },
        /// Conditions that compare with the published table, and suppressed records.
        ConditionsWithSuppress,
        /// Conditions on sensitive values, and a certificate.
        ConditionsWithCertificate,
        /// Conditions on sensitive values, and persons with several rows.
        ConditionsOfPersons {
            /// The column with the key.
            column: Name,
        },
        /// Conditions on sensitive values, some of which are not known and are published as such.
        ConditionsWithMissing {
            /// The sensitive column.
            column: Name,
        },
        /// A number of suppressed records and a share of them, in the page, which has one field for both.
        SuppressTwice,
        /// Suppressed records without a price, and no word on how many.
        SuppressWithoutEnd,
        /// A share of the records that is none.
        Share {
            /// The share.
            share: Figure,
        },
        /// What does not go with one level for a whole column.
        Levels {
            /// What was asked for.
            asked: Vec<ByClasses>,
        },
        /// A series that is not m-invariant.
        SeriesNeedsMInvariance,
        /// A series that publishes means.
        SeriesOfMeans,
        /// A series that publishes ranges in two columns.
        SeriesOfEnds,
        /// A series whose releases have no column of classes.
        SeriesWithoutClasses,
        /// A series with apostrophes before formulas.
        SeriesWithoutFormulas,
        /// Counterfeits with quasi-identifiers in a series.
        SeriesWithDrawnCounterfeits,
        /// A number of real records of each class in a series.
        SeriesWithRealRecords,
        /// The same where nothing is added or deleted.
        RealRecordsWithoutChanges,
        /// More real records than records of a class.
        RealRecordsAboveM {
            /// Real records that each class is to have.
            real: usize,
            /// m.
            m: usize,
        },
        /// What cannot be done without the whole table in memory.
        OutOfCore {
            /// What was asked for.
            asked: Vec<InMemory>,
        },
        /// Persons with several rows, and another loss than squared errors.
        PersonsWithPenalty {
            /// The column with the key.
            column: Name,
        },
        /// Persons with several rows, and rows of their own.
        PersonsWithOwnRows {
            /// The column with the key.
            column: Name,
            /// The method.
            method: &'static str,
        },
        /// Persons with several rows, and a certificate.
        PersonsWithCertificate {
            /// The column with the key.
            column: Name,
        },
        /// Persons with several rows in a series.
        PersonsInSeries {
            /// The column with the key.
            column: Name,
        },
        /// Persons with several rows under m-invariance, and counterfeits or deletions.
        PersonsWithChanges {
            /// The column with the key.
            column: Name,
        },
    }

    /// What does not go with one level for a whole column.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ByClasses {
        /// Classes of different values.
        MInvariance,
        /// Another loss than the penalty of labels.
        Loss,
        /// A search for classes.
        Method,
        /// A series of releases.
        Series,
        /// A table larger than memory.
        OutOfCore,
        /// A certificate.
        Certificate,
        /// Work for a bound beside a search.
        Bound,
        /// Persons with several rows.
        Persons,
        /// Columns without a role.
        Keep,
        /// Another form than that of the hierarchy.
        Form,
        /// A price below what a record can lose.
        Price,
        /// Conditions that compare with the whole table, where records are left out.
        WholeTable,
    }

    /// What does not go with sets of quasi-identifiers in classes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BySets {
        /// Classes of different values.
        MInvariance,
        /// A table larger than memory.
        OutOfCore,
        /// A certificate.
        Certificate,
        /// Persons with several rows.
        Persons,
        /// Columns without a role.
        Keep,
        /// Suppressed records.
        Suppress,
        /// Rows of their own.
        OwnRows,
        /// Ranges in two columns.
        Ends,
    }

    /// What needs the whole table in memory.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum InMemory {
        /// Suppressed records.
        Suppress,
        /// A certificate.
        Certificate,
        /// Rows of their own.
        OwnRows,
        /// A limit of time.
        TimeLimit,
        /// Counterfeits or deletions.
        Changes,
        /// Columns that are published unchanged.
        Unchanged,
        /// Ranges in two columns.
        Ends,
        /// Persons with several rows.
        Persons,
        /// Conditions on sensitive values.
        Conditions,
    }
}

impl std::error::Error for Conflict {}

/// Whether the settings go together, as far as they alone decide it.
pub(crate) fn fit(settings: &Settings, made: Made) -> Result<(), Conflict> {
    sample(settings, made)?;
    let threshold = settings.threshold();
    if !(0.0..=1.0).contains(&threshold) {
        return Err(Conflict::RiskThreshold { value: Figure::shortest(threshold) });
    }
    match made {
        Made::Once => {}
        Made::Series => series(settings)?,
        Made::OutOfCore => out_of_core(settings)?,
    }
    // Their cells are compared with the source class by class.
    if settings.class_column.name().is_none() && !settings.unchanged.is_empty() {
        return Err(Conflict::UnchangedWithoutClasses { columns: unchanged(settings) });
    }
    levels::fit(settings, made)?;
    real_records(settings)?;
    conditions(settings)?;
    suppressed(settings)?;
    own_rows(settings)?;
    persons(settings)?;
    certificate(settings)
}

/// What a number of real records of each class excludes.
fn real_records(settings: &Settings) -> Result<(), Conflict> {
    let (changes, real) = (&settings.changes, settings.changes.real_asked());
    if changes.min_real.is_none() && changes.max_belief.is_none() {
        return Ok(());
    }
    match settings.model {
        Model::MInvariance { m } if real > m => Err(Conflict::RealRecordsAboveM { real, m }),
        Model::MInvariance { .. } if settings.eligibility == Repair::Error => {
            Err(Conflict::RealRecordsWithoutChanges)
        }
        Model::KAnonymity { .. } => Err(Conflict::RealRecordsWithoutChanges),
        Model::MInvariance { .. } => Ok(()),
    }
}

/// What sampling weights and households exclude.
fn sample(settings: &Settings, made: Made) -> Result<(), Conflict> {
    let Sample { weight, household } = &settings.sample;
    if settings.sample.is_none() {
        return Ok(());
    }
    let persons = matches!(settings.rows_are, Some(RowsAre::EventsOf(_)));
    if made != Made::Once || persons || settings.method.is_freeform() {
        return Err(Conflict::SampleOfOther);
    }
    let named = |name: &String| {
        settings.quasi.contains(name)
            || settings.keep.contains(name)
            || settings.sensitive.as_ref() == Some(name)
    };
    if let Some(name) = weight.as_ref().filter(|name| named(name) || !settings.unchanged.contains(name)) {
        return Err(Conflict::WeightOfOther { name: name.as_str().into() });
    }
    if let Some(name) = household.as_ref().filter(|name| named(name)) {
        return Err(Conflict::HouseholdPublished { name: name.as_str().into() });
    }
    match household.as_ref().filter(|name| settings.unchanged.contains(name)) {
        // Members in different classes are published with different neighbours, and what they have in common is in both.
        Some(name) if settings.scheme == Scheme::Classes => {
            Err(Conflict::HouseholdInClasses { name: name.as_str().into() })
        }
        _ => Ok(()),
    }
}

/// What persons with several rows exclude, as far as the settings alone decide it.
fn persons(settings: &Settings) -> Result<(), Conflict> {
    let Some(RowsAre::EventsOf(key)) = &settings.rows_are else { return Ok(()) };
    let column: Name = key.as_str().into();
    if settings.method.is_freeform() {
        Err(Conflict::PersonsWithOwnRows { column, method: settings.method.name().name() })
    } else if settings.loss != Loss::Sse {
        Err(Conflict::PersonsWithPenalty { column })
    } else if settings.wants_duals() {
        Err(Conflict::PersonsWithCertificate { column })
    } else if settings.class_column.name().is_none() {
        Err(Conflict::PersonsWithoutClasses { column })
    } else if matches!(settings.model, Model::MInvariance { .. }) && settings.eligibility != Repair::Error {
        Err(Conflict::PersonsWithChanges { column })
    } else {
        Ok(())
    }
}

/// What conditions on sensitive values exclude. Their distribution in the whole table must be that of the published one, and classes
/// must be found by a search that keeps them.
fn conditions(settings: &Settings) -> Result<(), Conflict> {
    if !settings.has_conditions() {
        return Ok(());
    }
    let sensitive = settings.sensitive.as_ref().filter(|_| !settings.conditions.is_empty());
    if sensitive.is_none() && !settings.conditions.is_empty() {
        return Err(Conflict::ConditionsWithoutSensitive);
    }
    let policy =
        |name: &String| settings.missing.columns.get(name).copied().unwrap_or(settings.missing.sensitive);
    let mut named = sensitive.into_iter().chain(settings.conditions_of.keys());
    let unknown = named.find(|name| policy(name) == MissingPolicy::Value);
    let knows = !matches!(
        settings.method,
        Method::Programme | Method::Freeform(_) | Method::LargeNeighbourhood { .. }
    );
    if matches!(settings.model, Model::MInvariance { .. }) {
        Err(Conflict::ConditionsUnderMInvariance)
    } else if !knows {
        Err(Conflict::ConditionsWithMethod { method: settings.method.name().name() })
    } else if settings.suppress.is_some() && settings.scheme == Scheme::Classes && levels::compares(settings)
    {
        Err(Conflict::ConditionsWithSuppress)
    } else if settings.wants_duals() {
        Err(Conflict::ConditionsWithCertificate)
    } else if let Some(RowsAre::EventsOf(key)) = &settings.rows_are {
        Err(Conflict::ConditionsOfPersons { column: key.as_str().into() })
    } else if let Some(column) = unknown {
        Err(Conflict::ConditionsWithMissing { column: column.as_str().into() })
    } else {
        Ok(())
    }
}

fn series(settings: &Settings) -> Result<(), Conflict> {
    let wrong = if let Some(RowsAre::EventsOf(key)) = &settings.rows_are {
        Conflict::PersonsInSeries { column: key.as_str().into() }
    } else if !matches!(settings.model, Model::MInvariance { .. }) {
        Conflict::SeriesNeedsMInvariance
    } else if means(settings) {
        Conflict::SeriesOfMeans
    } else if in_ends(settings) {
        Conflict::SeriesOfEnds
    } else if settings.changes.counterfeit_points == CounterfeitPoints::Drawn {
        Conflict::SeriesWithDrawnCounterfeits
    } else if settings.changes.min_real.is_some() || settings.changes.max_belief.is_some() {
        Conflict::SeriesWithRealRecords
    } else if settings.class_column.name().is_none() {
        Conflict::SeriesWithoutClasses
    } else if settings.output.formulas == Some(Formulas::Defuse) {
        Conflict::SeriesWithoutFormulas
    } else if settings.suppress.is_some() {
        Conflict::SuppressInSeries
    } else if !settings.unchanged.is_empty() {
        Conflict::UnchangedInSeries { columns: unchanged(settings) }
    } else if settings.wants_duals() {
        Conflict::CertificateInSeries
    } else {
        return Ok(());
    };
    Err(wrong)
}

fn out_of_core(settings: &Settings) -> Result<(), Conflict> {
    let changes = settings.changes != ChangeOptions::default() || settings.eligibility != Repair::Error;
    let table = [
        (settings.suppress.is_some(), InMemory::Suppress),
        (settings.wants_duals(), InMemory::Certificate),
        (settings.method.is_freeform(), InMemory::OwnRows),
        (matches!(settings.budget, Budget::Seconds(_)), InMemory::TimeLimit),
        (changes, InMemory::Changes),
        (!settings.unchanged.is_empty(), InMemory::Unchanged),
        (in_ends(settings), InMemory::Ends),
        (matches!(settings.rows_are, Some(RowsAre::EventsOf(_))), InMemory::Persons),
        (settings.has_conditions(), InMemory::Conditions),
    ];
    let asked: Vec<InMemory> = table.into_iter().filter_map(|(asked, what)| asked.then_some(what)).collect();
    if asked.is_empty() { Ok(()) } else { Err(Conflict::OutOfCore { asked }) }
}

fn suppressed(settings: &Settings) -> Result<(), Conflict> {
    let Some(suppress) = settings.suppress else { return Ok(()) };
    if let Some(price) = suppress.price.filter(|price| !(price.is_finite() && *price > 0.0)) {
        return Err(Conflict::PriceOfRecord { price: Figure::shortest(price) });
    }
    if let Some(share) = suppress.share.filter(|share| !(0.0..=1.0).contains(share)) {
        return Err(Conflict::Share { share: Figure::shortest(share) });
    }
    if suppress.price.is_none() && suppress.limit.is_none() && suppress.share.is_none() {
        return Err(Conflict::SuppressWithoutEnd);
    }
    if settings.wants_duals() { Err(Conflict::SuppressWithCertificate) } else { Ok(()) }
}

fn own_rows(settings: &Settings) -> Result<(), Conflict> {
    if !settings.method.is_freeform() {
        return Ok(());
    }
    let method = settings.method.name().name();
    if matches!(settings.model, Model::MInvariance { .. }) {
        Err(Conflict::OwnRowsUnderMInvariance { method })
    } else if settings.suppress.is_some() {
        Err(Conflict::OwnRowsWithSuppress { method })
    } else if means(settings) {
        Err(Conflict::OwnRowsAsMeans { method })
    } else if in_ends(settings) {
        Err(Conflict::OwnRowsInEnds { method })
    } else if !settings.unchanged.is_empty() {
        Err(Conflict::UnchangedOwnRows { method, columns: unchanged(settings) })
    } else {
        Ok(())
    }
}

fn certificate(settings: &Settings) -> Result<(), Conflict> {
    if settings.wants_duals() { certifiable(settings, 0) } else { Ok(()) }
}

/// Whether a run with these settings and so many counterfeits can have a certificate.
pub(crate) fn certifiable(settings: &Settings, counterfeits: usize) -> Result<(), Conflict> {
    let columns = settings.method.column_generation();
    let keeps_blocks = |extent: Extent| matches!(extent, Extent::Blocks(blocks) if !blocks.final_swap);
    if settings.method.is_freeform() {
        Err(Conflict::CertificateNeedsBound { method: settings.method.name().name() })
    } else if columns.is_some_and(|options| keeps_blocks(options.extent)) {
        Err(Conflict::CertificateOfBlocks)
    } else if settings.bound == BoundWork::Off && columns.is_none() {
        Err(Conflict::CertificateWithoutBound)
    } else if counterfeits > 0 {
        Err(Conflict::CertificateWithCounterfeits)
    } else {
        Ok(())
    }
}

/// The columns that are published unchanged.
fn unchanged(settings: &Settings) -> Vec<Name> {
    settings.unchanged.iter().map(|name| name.as_str().into()).collect()
}

/// Whether means of a column are published.
fn means(settings: &Settings) -> bool {
    let mean = |form: &Publish| *form == Publish::Centroid;
    mean(&settings.publish) || settings.publish_columns.values().any(mean)
}

/// Whether ranges are published in two columns.
pub(super) fn in_ends(settings: &Settings) -> bool {
    settings.publish.is_in_two() || settings.publish_columns.values().any(|form| form.is_in_two())
}

/// Whether so many counterfeits go together with what is asked for.
pub(crate) fn with_counterfeits(settings: &Settings, counterfeits: usize) -> Result<(), Conflict> {
    if counterfeits == 0 {
        Ok(())
    } else if settings.suppress.is_some() {
        Err(Conflict::SuppressWithCounterfeits)
    } else if !settings.unchanged.is_empty() {
        Err(Conflict::UnchangedWithCounterfeits { columns: unchanged(settings) })
    } else if settings.wants_duals() {
        Err(Conflict::CertificateWithCounterfeits)
    } else {
        Ok(())
    }
}

/// Whether the method is for so many records.
pub(crate) fn with_records(settings: &Settings, records: usize) -> Result<(), Conflict> {
    if settings.method.is_freeform() && records > MOST {
        return Err(Conflict::OwnRowsOfTooMany {
            method: settings.method.name().name(),
            records,
            most: MOST,
        });
    }
    Ok(())
}
