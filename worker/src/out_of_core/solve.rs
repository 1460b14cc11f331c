//! All blocks, a few at a time.

use std::path::PathBuf;

use lookalike_core::{
    out_of_core::{BlockTotals, Blocks, Solved, Totals},
    pipeline::Prepared,
    table::Table,
};
use lookalike_model::{
    Ctx,
    block::Block,
    kept::Kept,
    received::{received, unchecked},
};
use lookalike_optimize::solve::solve;
use rayon::{ThreadPool, iter::IntoParallelRefIterator as _, iter::ParallelIterator as _};

use super::{
    phase::Phase,
    queue::{Executor, InOrder},
    runs,
    spill::Spill,
};
use crate::{
    exit::{AfterStop, Failure},
    local::Surroundings,
    remote::Remote,
    signals,
};

/// Solves all blocks, as many at a time as there are threads; the classes of each are a run. What the leaves hold is
/// removed as they are done.
pub(super) fn all(
    blocks: &Blocks,
    spill: &Spill,
    (pool, remote, around): (&ThreadPool, Option<&Remote>, &Surroundings),
    mut found: Vec<Option<BlockTotals>>,
    totals: &mut Totals,
) -> Result<Vec<PathBuf>, Failure> {
    found.resize_with(blocks.len(), || None);
    let open: Vec<usize> = (0..blocks.len()).filter(|&block| found[block].is_none()).collect();
    for some in open.chunks(pool.current_num_threads()) {
        around.show(Phase::SolvingBlocks, Some(some[0] as f64 / blocks.len() as f64));
        let solved: Vec<Result<Solved, Failure>> = pool
            .install(|| some.par_iter().map(|&block| one(blocks, block, spill, (remote, around))).collect());
        for (&block, solved) in some.iter().zip(solved) {
            let solved = solved?;
            // Half a search is of no use while most blocks have had none.
            if let Some(signal) = signals::caught() {
                return Err(Failure::interrupted(signal, AfterStop::Nothing));
            }
            found[block] = Some(keep(blocks, block, &solved, spill)?);
        }
    }
    // Sums are made in the order of the blocks, whoever finished them.
    found.iter().flatten().for_each(|solved| totals.add_block(solved));
    Ok((0..blocks.len()).map(|block| spill.block(block)).collect())
}

/// The same by others, who are given the blocks' jobs. Their rows stay here.
pub(super) fn by_others(
    blocks: &Blocks,
    spill: &Spill,
    (others, pool, around): (&dyn Executor, &ThreadPool, &Surroundings),
    totals: &mut Totals,
) -> Result<Vec<PathBuf>, Failure> {
    /// A block that others solve.
    struct Open {
        table: Table,
        rows: Vec<u64>,
        prepared: Prepared,
    }
    let (mut runs, mut next) = (Vec::with_capacity(blocks.len()), 0);
    let mut open = InOrder::new(others, blocks.len());
    while runs.len() < blocks.len() {
        if next < blocks.len() && !open.is_full() {
            let (mut table, rows) = spill.read(blocks.leaves(next))?;
            let prepared =
                pool.install(|| around.with(|ctx| blocks.prepare(next, &mut table, &silent(ctx))))?;
            let task = Block::Job(Box::new(prepared.job().clone()));
            open.put(Open { table, rows, prepared }, task);
            next += 1;
            continue;
        }
        let fraction = Some(runs.len() as f64 / blocks.len() as f64);
        let show = &mut |elsewhere| around.show_tasks(Phase::SolvingBlocks, fraction, Some(elsewhere));
        let Some((Open { table, rows, prepared }, kept)) = open.take(show)? else { continue };
        let solved = pool.install(|| {
            around.with(|ctx| {
                let answer = match kept {
                    Kept::Solved(answer) => received(prepared.job(), *answer, &unchecked).ok(),
                    _ => None,
                };
                let answer = match answer {
                    Some(answer) => answer,
                    // What is no answer is not taken.
                    None => solve(prepared.job(), &silent(ctx))?,
                };
                blocks.finish(runs.len(), &table, &prepared, answer, &rows)
            })
        })?;
        totals.add_block(&keep(blocks, runs.len(), &solved, spill)?);
        runs.push(spill.block(runs.len()));
    }
    Ok(runs)
}

/// A search of a block says nothing of its own: there are many.
fn silent<'a>(ctx: &Ctx<'a>) -> Ctx<'a> {
    Ctx { progress: &|_| {}, ..*ctx }
}

/// Puts the classes of a solved block in the place of its rows.
fn keep(blocks: &Blocks, block: usize, solved: &Solved, spill: &Spill) -> Result<BlockTotals, Failure> {
    let totals = solved.totals(usize::MAX);
    runs::write_to(spill.block(block), &solved.classes)?;
    spill.finished(block, &totals)?;
    spill.remove(blocks.leaves(block))?;
    Ok(totals)
}

/// Solves a block, here or with the worker's help.
fn one(
    blocks: &Blocks,
    block: usize,
    spill: &Spill,
    (remote, around): (Option<&Remote>, &Surroundings),
) -> Result<Solved, Failure> {
    let (mut table, rows) = spill.read(blocks.leaves(block))?;
    around.with(|ctx| {
        let ctx = &silent(ctx);
        let prepared = blocks.prepare(block, &mut table, ctx)?;
        let answer = match remote {
            Some(remote) => remote.solve(prepared.job(), &around.view)?,
            None => solve(prepared.job(), ctx).map_err(lookalike_core::Error::from)?,
        };
        Ok(blocks.finish(block, &table, &prepared, answer, &rows)?)
    })
}
