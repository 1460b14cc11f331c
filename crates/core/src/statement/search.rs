//! What a statement says of the search: method, limits, seed, version; what it takes to repeat the run.

use lookalike_model::{
    document::{Part, Table},
    job::Status,
    report::{ColumnLevel, Private, Report},
    settings::{Budget, Loss},
};
use lookalike_words::{Arg, AsArg, Figure, Name, Said, messages};

use super::{Made, StatementColumn};

messages! {
    in "core";

    /// What was searched and by what.
    pub(super) enum StatementSearch {
        /// The programme.
        Software,
        /// Its version.
        Version {
            /// Of the programme.
            version: String,
            /// Of its algorithms.
            revision: u32,
        },
        /// The method.
        Method,
        /// The method's name, and what it did.
        MethodUsed {
            /// Its name.
            name: &'static str,
            /// What was done.
            explanation: Said,
        },
        /// The loss.
        Loss,
        /// Squared errors.
        Sse,
        /// Widths of ranges.
        Ncp,
        /// Widths of ranges, and whether labels differ.
        NcpBinary,
        /// The limit.
        Limit,
        /// An effort.
        Effort {
            /// How much.
            effort: Figure,
        },
        /// A time.
        Time {
            /// How many.
            seconds: Figure,
        },
        /// Why it ended.
        Ended,
        /// The seed.
        Seed,
        /// There is no seed.
        NoSeed,
        /// The solver.
        Solver,
        /// A solver without a name.
        SolverUnnamed,
        /// No solver.
        NoSolver,
        /// Whether it can be repeated.
        Repeatable,
        /// One level for each column.
        Levels,
        /// The level of a column.
        Level {
            /// The column.
            column: Name,
            /// Its level: 0 is the values themselves.
            level: usize,
            /// The coarsest level.
            highest: usize,
        },
        /// Groups of rows that are published alike.
        Groups,
        /// Classes.
        Classes,
        /// How many classes of which sizes, some of which are published alike.
        SizesAlike {
            /// How many.
            classes: usize,
            /// Records of the smallest.
            least: usize,
            /// Records of the largest.
            most: usize,
            /// Groups of records that are published alike.
            groups: usize,
        },
        /// How many classes of which sizes.
        Sizes {
            /// How many.
            classes: usize,
            /// Records of the smallest.
            least: usize,
            /// Records of the largest.
            most: usize,
        },
        /// The largest block out of core.
        Block,
        /// So many rows.
        Rows {
            /// How many.
            rows: usize,
        },
    }

    /// Why a search ended.
    enum StatementEnd {
        /// Nothing is better.
        Optimal,
        /// Nothing is better of choices of one level a column.
        OptimalOfLevels,
        /// Nothing is better of partitions by groups of linked sensitive values.
        OptimalOfLinked,
        /// It is near enough.
        GapReached,
        /// Nothing is better, by another machine's account.
        OptimalClaimed,
        /// It is near enough, by another machine's account.
        GapReachedClaimed,
        /// The effort was spent.
        EffortSpent {
            /// Whether another machine says so.
            claimed: bool,
        },
        /// The method came to its end.
        MethodEnded {
            /// Whether another machine says so.
            claimed: bool,
        },
        /// The time was up.
        TimeLimit {
            /// Whether another machine says so.
            claimed: bool,
        },
        /// It was stopped.
        Cancelled {
            /// Whether another machine says so.
            claimed: bool,
        },
        /// There is no answer.
        Infeasible(Said),
        /// It is not told.
        NotTold,
    }

    /// Whether a run can be repeated, and what it takes.
    enum StatementRepeat {
        /// If the worker searched as it was asked.
        IfAsAsked,
        /// With the ledger before.
        WithLedger,
        /// With what was said of a series.
        WithSeries,
        /// With the largest block.
        WithBlock,
        /// With input, settings and seed.
        Yes,
        /// The worker was stopped, by its account.
        StoppedByAccount,
        /// A part ran into a limit, by the worker's account.
        LimitByAccount,
        /// A person ended it.
        Person,
        /// The clock ended it.
        Clock,
        /// A part ran into a limit.
        Limit,
    }
}

/// The name of a loss.
pub(super) fn name(loss: Loss) -> StatementSearch {
    match loss {
        Loss::Sse => StatementSearch::Sse,
        Loss::Ncp => StatementSearch::Ncp,
        Loss::NcpBinary => StatementSearch::NcpBinary,
    }
}

/// How many classes of which sizes, and how many groups a reader sees where classes are published alike.
fn sizes(report: &Report) -> StatementSearch {
    let (classes, least, most) = (report.classes.count, report.classes.min_size, report.classes.max_size);
    // Of persons the mean is one over persons, and each record with a row of its own has no class.
    let counted = report.persons.is_none() && report.freeform.is_none();
    let records = report.input.rows.saturating_add(report.changes.counterfeits) as f64;
    let groups = (report.risk.mean_reidentification * records).round() as usize;
    if counted && (1..classes).contains(&groups) {
        StatementSearch::SizesAlike { classes, least, most, groups }
    } else {
        StatementSearch::Sizes { classes, least, most }
    }
}

/// Method, limits, seed, version: what it takes to repeat the run.
pub(super) fn search(report: &Report, private: &Private, made: &Made) -> Vec<Part> {
    let settings = &private.settings;
    let loss = name(report.loss);
    let limit = match settings.budget {
        Budget::Effort(effort) => StatementSearch::Effort { effort: Figure::shortest(effort) },
        Budget::Seconds(seconds) => StatementSearch::Time { seconds: Figure::shortest(seconds) },
    };
    let version = StatementSearch::Version { version: report.version.clone(), revision: report.revision };
    let method = StatementSearch::MethodUsed {
        name: report.method.name.name(),
        explanation: report.method.explanation.clone(),
    };
    let sizes = sizes(report);
    let seed =
        settings.seed.map_or_else(|| StatementSearch::NoSeed.as_arg(), |seed| seed.to_string().as_arg());
    let groups = if report.freeform.is_some() { StatementSearch::Groups } else { StatementSearch::Classes };
    let mut table = Table::of([StatementColumn::What, StatementColumn::Figure]);
    table.row(&StatementSearch::Software, &version);
    table.row(&StatementSearch::Method, &method);
    table.rows.extend(report.full_domain.as_ref().map(|found| {
        let level = |of: &ColumnLevel| StatementSearch::Level {
            column: of.column.as_str().into(),
            level: of.level,
            highest: of.highest,
        };
        let columns: Vec<StatementSearch> = found.columns.iter().map(level).collect();
        vec![StatementSearch::Levels.as_arg(), columns.as_arg()]
    }));
    table.row(&StatementSearch::Loss, &loss);
    table.row(&StatementSearch::Limit, &limit);
    table.row(&StatementSearch::Ended, &ended(report));
    table.rows.push(vec![StatementSearch::Seed.as_arg(), seed]);
    table.rows.push(vec![StatementSearch::Solver.as_arg(), solver(report)]);
    table.row(&StatementSearch::Repeatable, &repeat(report, private, made));
    table.row(&groups, &sizes);
    if let Some(rows) = made.block_rows {
        table.row(&StatementSearch::Block, &StatementSearch::Rows { rows });
    }
    vec![Part::Table(table)]
}

/// Only what this machine has searched itself does it know of.
fn ended(report: &Report) -> StatementEnd {
    let claimed = report.claimed.is_some();
    // However it ended: no table is better than one that loses nothing.
    let nothing_lost = report.bound.is_some() && report.objective.value <= 0.0;
    match &report.status {
        Some(Status::TimeLimit | Status::Cancelled) if nothing_lost => StatementEnd::Optimal,
        Some(Status::Optimal) if report.links_values() && !nothing_lost => StatementEnd::OptimalOfLinked,
        Some(Status::Optimal) if report.full_domain.is_some() => StatementEnd::OptimalOfLevels,
        Some(Status::Optimal) => StatementEnd::Optimal,
        Some(Status::GapReached) => StatementEnd::GapReached,
        Some(Status::OptimalClaimed) => StatementEnd::OptimalClaimed,
        Some(Status::GapReachedClaimed) => StatementEnd::GapReachedClaimed,
        Some(Status::EffortSpent) if report.method.name.is_search() => StatementEnd::EffortSpent { claimed },
        Some(Status::EffortSpent) => StatementEnd::MethodEnded { claimed },
        Some(Status::TimeLimit) => StatementEnd::TimeLimit { claimed },
        Some(Status::Cancelled) => StatementEnd::Cancelled { claimed },
        Some(Status::Infeasible { why }) => StatementEnd::Infeasible(why.clone()),
        None => StatementEnd::NotTold,
    }
}

fn solver(report: &Report) -> Arg {
    // A release of a series has its changes confirmed, too.
    let changed = report.changes.counterfeits + report.changes.deletions > 0;
    match &report.lp_backend {
        Some(name) => name.as_arg(),
        None if changed => StatementSearch::SolverUnnamed.as_arg(),
        None => StatementSearch::NoSolver.as_arg(),
    }
}

fn repeat(report: &Report, private: &Private, made: &Made) -> StatementRepeat {
    let claimed = report.claimed.is_some();
    let cancelled = report.status == Some(Status::Cancelled);
    if report.reproducible {
        return match report.series {
            _ if claimed => StatementRepeat::IfAsAsked,
            _ if private.ledger_before.is_some() => StatementRepeat::WithLedger,
            Some(_) => StatementRepeat::WithSeries,
            None if made.block_rows.is_some() => StatementRepeat::WithBlock,
            None => StatementRepeat::Yes,
        };
    }
    match private.settings.budget {
        Budget::Effort(_) if claimed && cancelled => StatementRepeat::StoppedByAccount,
        Budget::Effort(_) if claimed => StatementRepeat::LimitByAccount,
        _ if cancelled && !claimed => StatementRepeat::Person,
        Budget::Seconds(_) => StatementRepeat::Clock,
        Budget::Effort(_) => StatementRepeat::Limit,
    }
}
