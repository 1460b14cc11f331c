//! What a statement says of the loss: how much was lost, how far it is from the least, and what the published table is good for.

use lookalike_model::{
    document::{Part, Table},
    job::BoundOf,
    report::Report,
    settings::Loss,
};
use lookalike_words::{AsArg, Figure, Round, Said, messages};

use super::{
    DIGITS, StatementColumn, StatementFigure, percent,
    search::{StatementSearch, name},
    short,
};

messages! {
    in "core";

    /// What was lost.
    enum StatementLoss {
        /// The loss of the release.
        Reached {
            /// Its name.
            loss: StatementSearch,
        },
        /// The loss of the release, over persons who may have several rows.
        ReachedOfPersons,
        /// The squared errors of their rows.
        SquaresOfRows,
        /// Squared errors of all.
        SquaresOf {
            /// Within classes.
            sse: Figure,
            /// Of the whole table.
            sst: Figure,
        },
        /// A loss that is of real records only.
        OfReal {
            /// Its value.
            value: Figure,
        },
        /// The information loss.
        Information,
        /// The loss of what is published, as the audit measures it.
        PublishedForm,
        /// The mean penalty of a cell.
        MeanOfCells {
            /// The mean, in percent.
            mean: Figure,
            /// Columns that are measured.
            measured: usize,
            /// All columns.
            columns: usize,
        },
        /// A figure that the published form has not.
        NotMeasurable,
        /// A figure that is not told.
        NotTold,
        /// The mean size of groups.
        GroupSize,
        /// Discernibility.
        Discernibility,
        /// The error of queries.
        Queries,
        /// Errors of queries.
        Errors {
            /// The mean.
            mean: Figure,
            /// The median.
            median: Figure,
        },
        /// The bound.
        Bound,
    }

    /// How far the loss is from the least.
    enum StatementBound {
        /// It is not known.
        None,
        /// Another machine claims a bound.
        Claimed {
            /// The bound.
            bound: Figure,
        },
        /// Another machine claims a bound that holds within blocks.
        ClaimedOfBlocks {
            /// The bound.
            bound: Figure,
        },
        /// A proven bound.
        Proven {
            /// The bound.
            bound: Figure,
            /// How much of the loss is above it, in percent.
            gap: Figure,
            /// The proof.
            proof: Said,
        },
        /// A proven bound on what a choice of one level a column costs.
        OfLevels {
            /// What the choice costs, the price of suppressed records included.
            cost: Figure,
            /// The bound.
            bound: Figure,
        },
        /// A proven bound that holds within blocks.
        OfBlocks {
            /// The bound.
            bound: Figure,
            /// The proof.
            proof: Said,
        },
    }
}

/// Loss with its bound, and utility.
pub(super) fn loss(report: &Report) -> Vec<Part> {
    let (objective, utility) = (&report.objective, &report.utility);
    let value = short(objective.value);
    let mut table = Table::of([StatementColumn::What, StatementColumn::Figure]);
    // What the published form loses comes first, in the unit in which the page says it.
    table.row(&StatementLoss::PublishedForm, &published_form(report));
    let reached = StatementLoss::Reached { loss: name(objective.loss) };
    // The ranges that are published are wider where counterfeits have points of their own.
    if objective.loss != Loss::Sse && objective.gcp_mean.is_none() {
        table.row(&reached, &StatementLoss::OfReal { value });
    } else if let Some(of) = &report.persons {
        table.row(&StatementLoss::ReachedOfPersons, &value);
        let (sse, sst) = (short(of.sse_of_rows), short(of.sst_of_rows));
        table.row(&StatementLoss::SquaresOfRows, &StatementLoss::SquaresOf { sse, sst });
    } else {
        table.row(&reached, &value);
    }
    let information = objective
        .information_loss_percent
        .map(|percent| StatementFigure::Percent { percent: short(percent) });
    let (asked, beside) = match objective.loss {
        Loss::Sse => (information, None),
        Loss::Ncp | Loss::NcpBinary => (None, information),
    };
    // The loss that was asked for, in its units, and its bound.
    if let Some(percent) = &asked {
        table.row(&StatementLoss::Information, percent);
    }
    table.row(&StatementLoss::Bound, &bound(report));
    if let Some(percent) = &beside {
        table.row(&StatementLoss::Information, percent);
    }
    table.row(&StatementLoss::GroupSize, &short(utility.average_class_size));
    table.row(&StatementLoss::Discernibility, &Figure::fixed(utility.discernibility, 0));
    if let Some(q) = &utility.queries {
        let (mean, median) = (short(q.mean_error), short(q.median_error));
        table.row(&StatementLoss::Queries, &StatementLoss::Errors { mean, median });
    }
    let mut columns =
        Table::of([StatementColumn::Column, StatementColumn::Penalty, StatementColumn::InformationLoss]);
    columns.rows.extend(utility.columns.iter().map(|column| {
        let ncp = column.ncp.map(percent);
        let lost = column.information_loss_percent;
        let lost = lost.map(|percent| StatementFigure::Percent { percent: short(percent) });
        vec![
            column.name.as_arg(),
            or_else(ncp, &StatementLoss::NotMeasurable),
            or_else(lost, &StatementLoss::NotTold),
        ]
    }));
    vec![Part::Table(table), Part::Table(columns)]
}

fn or_else(figure: Option<impl AsArg>, otherwise: &StatementLoss) -> lookalike_words::Arg {
    figure.map_or_else(|| otherwise.as_arg(), |figure| figure.as_arg())
}

/// The loss of the published form, as the audit measures it from the published bytes.
fn published_form(report: &Report) -> StatementLoss {
    let (measured, columns) = report.utility.measured();
    match report.utility.gcp_mean {
        Some(mean) => StatementLoss::MeanOfCells { mean: short(100.0 * mean), measured, columns },
        None => StatementLoss::NotMeasurable,
    }
}

/// The bound rounded down and the gap rounded up, so that both stay true.
fn bound(report: &Report) -> StatementBound {
    if let Some((found, bound)) = report.full_domain.as_ref().and_then(|found| Some((found, found.bound?))) {
        return StatementBound::OfLevels { cost: short(found.cost), bound: down(bound) };
    }
    let Some(bound) = &report.bound else {
        let claimed = report.claimed.as_ref();
        return match claimed.and_then(|claimed| Some((down(claimed.bound?), claimed.of))) {
            Some((bound, BoundOf::WholeProblem)) => StatementBound::Claimed { bound },
            Some((bound, BoundOf::DecomposedProblem)) => StatementBound::ClaimedOfBlocks { bound },
            None => StatementBound::None,
        };
    };
    let (value, proof) = (down(bound.value), bound.proven_by.clone());
    if bound.of != BoundOf::WholeProblem {
        return StatementBound::OfBlocks { bound: value, proof };
    }
    let gap = Figure::significant(bound.gap_percent, DIGITS, Round::Up);
    StatementBound::Proven { bound: value, gap, proof }
}

/// A bound, rounded down so that it stays one.
fn down(bound: f64) -> Figure {
    Figure::significant(bound, DIGITS, Round::Down)
}
