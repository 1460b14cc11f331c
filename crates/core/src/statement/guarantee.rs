//! The guarantee of a statement: its exact words, against whom it holds, and its limits.

use lookalike_model::{
    document::Part,
    finding::named,
    report::{FreeformReport, Report, SeriesPlace},
    rule::Asked,
    settings::Model,
};
use lookalike_words::{Figure, Name, Said, messages};

messages! {
    in "core";

    /// What a statement guarantees.
    enum StatementGuarantee {
        /// k-anonymity.
        KAnonymity {
            /// Fewest records that are published alike.
            k: usize,
            /// In which release.
            place: StatementPlace,
            /// How many others a record has beside it, at least.
            others: usize,
        },
        /// k-anonymity of persons who may have several rows.
        KAnonymityOfPersons {
            /// Fewest persons that are published alike.
            k: usize,
            /// In which release.
            place: StatementPlace,
        },
        /// A condition on sensitive values.
        Condition {
            /// The sensitive column, if it is not the first.
            column: Option<Name>,
            /// The condition.
            asked: Asked,
            /// What the worst group reaches, if a number says it.
            reached: Option<Figure>,
        },
        /// Quasi-identifiers that are known without the others.
        Set {
            /// The columns.
            columns: Said,
            /// Fewest records that are alike in them.
            k: usize,
            /// How many are.
            smallest: usize,
        },
        /// What sets of quasi-identifiers in classes do not hold against.
        SetsInClasses,
        /// The limit of conditions on sensitive values.
        ConditionsLimit,
        /// m-invariance.
        MInvariance {
            /// Fewest values of a class.
            m: usize,
            /// In which release.
            place: StatementPlace,
            /// Whether there are counterfeits.
            counterfeits: bool,
        },
        /// m-invariance of persons who may have several rows.
        MInvarianceOfPersons {
            /// Fewest persons of a class.
            m: usize,
            /// In which release.
            place: StatementPlace,
        },
        /// m-invariance of a table without its classes.
        MInvarianceOfGroups {
            /// Fewest rows that are published alike.
            m: usize,
            /// In which release.
            place: StatementPlace,
            /// Whether there are counterfeits.
            counterfeits: bool,
        },
        /// What a series keeps from release to release.
        Series {
            /// Its mode, as the settings call it.
            mode: &'static str,
        },
        /// k-concealment, where each record has a row of its own.
        Concealment {
            /// Fewest rows that a record may be.
            k: usize,
            /// How many others some rows are published alike with.
            others: usize,
            /// Fewest rows that a record of this table may be.
            least: usize,
        },
        /// The limit of k-anonymity.
        KAnonymityLimit,
        /// The limit where persons may have several rows.
        PersonsLimit,
        /// The limit of m-invariance.
        MInvarianceLimit,
        /// The limit of k-concealment.
        ConcealmentLimit,
    }

    /// In which release a guarantee holds.
    enum StatementPlace {
        /// There is one only.
        Alone,
        /// One of a series.
        Release {
            /// Its number.
            release: u32,
        },
    }
}

/// The guarantee's exact words and its limits as paragraphs; `classes` says whether these are published.
pub(super) fn guarantee(report: &Report, classes: bool) -> Vec<Part> {
    words(report, classes).into_iter().map(Part::Paragraph).collect()
}

/// The guarantee's exact words and its limits.
pub(super) fn words(report: &Report, classes: bool) -> Vec<Said> {
    let against = report.against.clone();
    let place = place(report.series);
    match (report.model, &report.freeform) {
        (Model::KAnonymity { k }, Some(freeform)) => {
            vec![concealment(freeform, k), against, StatementGuarantee::ConcealmentLimit.into()]
        }
        (Model::KAnonymity { k }, None) if report.persons.is_some() => {
            let promise = StatementGuarantee::KAnonymityOfPersons { k, place };
            let limits = [StatementGuarantee::KAnonymityLimit, StatementGuarantee::PersonsLimit];
            [promise.into(), against].into_iter().chain(limits.map(Into::into)).collect()
        }
        (Model::KAnonymity { k }, None) => {
            let promise = StatementGuarantee::KAnonymity { k, place, others: k.saturating_sub(1) };
            let limit = if report.has_conditions() {
                StatementGuarantee::ConditionsLimit
            } else {
                StatementGuarantee::KAnonymityLimit
            };
            let further =
                report.further.iter().flat_map(|of| of.conditions.iter().map(|c| (Some(&of.column), c)));
            let conditions =
                report.conditions.iter().map(|of| (None, of)).chain(further).map(|(column, of)| {
                    let column = column.map(|name| name.as_str().into());
                    let reached = of.reached.and_then(|reached| of.condition.told(reached));
                    StatementGuarantee::Condition { column, asked: of.condition.asked(), reached }.into()
                });
            let sets = report.sets.iter().map(|set| {
                let columns = named(set.columns.iter().map(String::as_str));
                StatementGuarantee::Set { columns, k: set.k, smallest: set.smallest }.into()
            });
            // One level a column is the same in all records.
            let in_classes = !report.sets.is_empty() && report.full_domain.is_none();
            std::iter::once(promise.into())
                .chain(sets)
                .chain(conditions)
                .chain([against])
                .chain(in_classes.then(|| StatementGuarantee::SetsInClasses.into()))
                .chain([limit.into()])
                .collect()
        }
        (Model::MInvariance { m }, _) if report.persons.is_some() => {
            let promise = StatementGuarantee::MInvarianceOfPersons { m, place };
            let limits = [StatementGuarantee::MInvarianceLimit, StatementGuarantee::PersonsLimit];
            [promise.into(), against].into_iter().chain(limits.map(Into::into)).collect()
        }
        (Model::MInvariance { m }, _) => {
            let counterfeits = report.changes.counterfeits > 0;
            // A reader of a table without classes cannot see that all values of a class differ, nor does the audit.
            let promise = if classes {
                StatementGuarantee::MInvariance { m, place, counterfeits }
            } else {
                StatementGuarantee::MInvarianceOfGroups { m, place, counterfeits }
            };
            let mut said = vec![promise.into()];
            said.extend(
                report.series.map(|series| StatementGuarantee::Series { mode: series.mode.name() }.into()),
            );
            said.extend([against, StatementGuarantee::MInvarianceLimit.into()]);
            said
        }
    }
}

fn place(series: Option<SeriesPlace>) -> StatementPlace {
    series.map_or(StatementPlace::Alone, |series| StatementPlace::Release { release: series.release })
}

/// The guarantee of rows of their own.
fn concealment(freeform: &FreeformReport, k: usize) -> Said {
    let others = freeform.smallest_group.saturating_sub(1);
    StatementGuarantee::Concealment { k, others, least: freeform.least_matches }.into()
}
