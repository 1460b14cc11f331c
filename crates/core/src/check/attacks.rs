//! Attacks on a published table whose original is at hand, and what is told of them.

use lookalike_audit::{
    Unmeasurable,
    attacks::{self, Attacked, Attacks, Interval, Outcome, Rate},
};
use lookalike_model::{
    lines::Line,
    statement::{Attempt, Attempts, Criterion, Residual, Success},
};
use lookalike_table::Table;
use lookalike_words::{Figure, Name};

use super::{Asked, ends, settled};
use crate::Error;

/// Tries singling out, linkability and inference on a table by the columns that `asked` says attackers may know. The secret is that of
/// `wanted`, or the sensitive column.
///
/// # Errors
/// If a column is not there, or a question has no answer.
pub fn attack(
    table: &Table,
    asked: &Asked,
    (original, control): (&Table, Option<&Table>),
    wanted: &Attacks,
) -> Result<Attacked, Error> {
    let names: Vec<String> = original.columns.iter().map(|column| column.name.clone()).collect();
    let reading = asked.reading.clone().with_original(original, &names);
    let (inquiry, measured) = ends::measured(table, &asked.inquiry, reading, Some(original))?;
    settled(table, &inquiry, asked.no_class)?;
    let ends::Measured { table, quasi, reading } = measured;
    let reading = asked.declared.published(table.as_ref(), &quasi, reading)?;
    let secret = wanted.secret.clone().or(inquiry.sensitive);
    let wanted = Attacks { columns: quasi, secret, ..wanted.clone() };
    Ok(attacks::attack(table.as_ref(), original, control, &wanted, &reading)?)
}

/// What came of the attacks, for people.
#[must_use]
pub fn tell_attacks(found: &Attacked) -> Vec<Line> {
    let name = |name: &String| Name::from(name.as_str());
    let names = |of: &[String]| of.iter().map(name).collect::<Vec<_>>();
    let known = found.columns.iter().filter(|name| Some(*name) != found.secret.as_ref()).cloned();
    let confidence = Figure::shortest((found.confidence * 1e5).round() / 1e3);
    let mut lines = vec![
        Line::blank(),
        Line::new(AttackLine::Tried {
            columns: names(&known.collect::<Vec<_>>()),
            secret: found.secret.as_ref().map(name),
            confidence,
        }),
        Line::new(match found.control {
            Some(rows) => AttackLine::Control { rows },
            None => AttackLine::NoControl,
        }),
    ];
    for (column, why) in &found.left_out {
        lines.push(Line::new(AttackLine::LeftOut { column: name(column), why: why.clone() }));
    }
    for (column, rows) in &found.foreign {
        lines.push(Line::new(AttackLine::Foreign { column: name(column), rows: *rows }));
    }
    lines.push(Line::new(result(AttackName::Univariate, &found.univariate)));
    if let Some((columns, outcome)) = &found.multivariate {
        lines.push(Line::new(result(AttackName::Multivariate { columns: *columns }, outcome)));
    }
    if let Some(linked) = &found.linkability {
        let of = AttackName::Linkability { first: names(&linked.first), second: names(&linked.second) };
        lines.push(Line::new(result(of, &linked.outcome)));
    }
    if let (Some(outcome), Some(secret)) = (&found.inference, &found.secret) {
        lines.push(Line::new(result(AttackName::Inference { secret: name(secret) }, outcome)));
    }
    lines.push(Line::new(AttackLine::NoProof));
    lines
}

/// What came of the attacks, for a statement.
#[must_use]
pub fn attempts(wanted: &Attacks, found: &Attacked) -> Attempts {
    let single = |columns, outcome| attempt(Criterion::SinglingOut, Some(columns), outcome);
    let several = found.multivariate.as_ref().map(|(columns, outcome)| single(*columns, outcome));
    let linked = found.linkability.as_ref().map(|of| attempt(Criterion::Linkability, None, &of.outcome));
    let inferred = found.inference.as_ref().map(|outcome| attempt(Criterion::Inference, None, outcome));
    Attempts {
        columns: found.columns.clone(),
        secret: found.secret.clone(),
        control_rows: found.control,
        confidence: found.confidence,
        seed: wanted.seed,
        results: [Some(single(1, &found.univariate)), several, linked, inferred]
            .into_iter()
            .flatten()
            .collect(),
        words: tell_attacks(found).into_iter().filter_map(|line| line.said).collect(),
    }
}

fn attempt(criterion: Criterion, columns: Option<usize>, of: &Outcome) -> Attempt {
    let success = |rate: &Rate| Success {
        attacks: rate.attacks,
        successes: rate.successes,
        rate: rate.share(),
        low: rate.wilson.low,
        high: rate.wilson.high,
    };
    Attempt {
        criterion,
        columns,
        asked: of.asked,
        main: success(&of.main),
        control: of.control.as_ref().map(success),
        naive: success(&of.naive),
        residual_risk: of.residual.map(|Interval { value, low, high }| Residual { value, low, high }),
    }
}

fn result(name: AttackName, outcome: &Outcome) -> AttackLine {
    if outcome.main.attacks == 0 {
        return AttackLine::Untried { name };
    }
    let fewer = (outcome.main.attacks < outcome.asked).then_some(outcome.asked);
    AttackLine::Result {
        name,
        main: told(&outcome.main),
        asked: fewer,
        control: outcome.control.as_ref().map(told),
        naive: told(&outcome.naive),
        residual: outcome.residual.map(|Interval { value, low, high }| {
            let [value, low, high] = [value, low, high].map(|x| Figure::fixed(x, 3));
            ResidualTold::Of { value, low, high }
        }),
    }
}

fn told(rate: &Rate) -> RateTold {
    let Some(share) = rate.share() else { return RateTold::None };
    let percent = |x: f64| Figure::fixed(100.0 * x, 1);
    RateTold::Of {
        percent: percent(share),
        low: percent(rate.wilson.low),
        high: percent(rate.wilson.high),
        attacks: rate.attacks,
    }
}

lookalike_words::messages! {
    in "core";

    /// What is told of attacks.
    #[derive(Clone, Debug, PartialEq)]
    pub enum AttackLine {
        /// What attackers know and want.
        Tried {
            /// Columns that they know.
            columns: Vec<Name>,
            /// The column that they want to know.
            secret: Option<Name>,
            /// Of the intervals, in percent.
            confidence: Figure,
        },
        /// There is a control.
        Control {
            /// Its rows.
            rows: usize,
        },
        /// There is none.
        NoControl,
        /// A column that cannot be compared.
        LeftOut {
            /// Its name.
            column: Name,
            /// Why.
            why: Unmeasurable,
        },
        /// A column with labels that no exact table has.
        Foreign {
            /// Its name.
            column: Name,
            /// Published rows with such a label.
            rows: usize,
        },
        /// What came of an attack.
        Result {
            /// Which.
            name: AttackName,
            /// On the original.
            main: RateTold,
            /// How often it was to be tried, if that is more.
            asked: Option<usize>,
            /// On the control.
            control: Option<RateTold>,
            /// By guessing.
            naive: RateTold,
            /// What is left over the control.
            residual: Option<ResidualTold>,
        },
        /// An attack that could not be tried once.
        Untried {
            /// Which.
            name: AttackName,
        },
        /// What rates are not.
        NoProof,
    }

    /// An attack.
    #[derive(Clone, Debug, PartialEq)]
    pub enum AttackName {
        /// By predicates on one column.
        Univariate,
        /// By predicates on several columns.
        Multivariate {
            /// How many.
            columns: usize,
        },
        /// By joining two parts of a person's columns.
        Linkability {
            /// The one part.
            first: Vec<Name>,
            /// The other.
            second: Vec<Name>,
        },
        /// By guessing from the nearest row.
        Inference {
            /// What is guessed.
            secret: Name,
        },
    }

    /// A rate of success.
    #[derive(Clone, Debug, PartialEq)]
    pub enum RateTold {
        /// With its interval.
        Of {
            /// In percent.
            percent: Figure,
            /// Lower end.
            low: Figure,
            /// Upper end.
            high: Figure,
            /// Attacks that were tried.
            attacks: usize,
        },
        /// Nothing could be tried.
        None,
    }

    /// A residual risk.
    #[derive(Clone, Debug, PartialEq)]
    pub enum ResidualTold {
        /// With its interval.
        Of {
            /// From 0 to 1.
            value: Figure,
            /// Lower end.
            low: Figure,
            /// Upper end.
            high: Figure,
        },
    }
}
