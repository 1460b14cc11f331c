//! All blocks, a few at a time.

use std::path::PathBuf;

use lookalike_core::{
    Ctx,
    large::{Blocks, Solved, Totals},
    solve::solve,
};
use rayon::{ThreadPool, iter::IntoParallelRefIterator as _, iter::ParallelIterator as _};

use super::{runs, spill::Spill};
use crate::{exit::Failure, local::Surroundings, remote::Remote, signals};

/// Solves all blocks, as many at a time as there are threads; the classes of each are a run. What the leaves hold is
/// removed as they are done.
pub(super) fn all(
    blocks: &Blocks,
    spill: &Spill,
    (pool, remote, around): (&ThreadPool, Option<&Remote>, &Surroundings),
    totals: &mut Totals,
) -> Result<Vec<PathBuf>, Failure> {
    let mut runs = Vec::with_capacity(blocks.len());
    let numbers: Vec<usize> = (0..blocks.len()).collect();
    for some in numbers.chunks(pool.current_num_threads()) {
        around.show("solving blocks", Some(some[0] as f64 / blocks.len() as f64));
        let solved: Vec<Result<Solved, Failure>> = pool
            .install(|| some.par_iter().map(|&block| one(blocks, block, spill, (remote, around))).collect());
        for (&block, solved) in some.iter().zip(solved) {
            let solved = solved?;
            // Half a search is of no use while most blocks have had none.
            if let Some(signal) = signals::caught() {
                return Err(Failure::Interrupted { signal, kept: String::from("nothing was written") });
            }
            totals.add(&solved);
            runs.push(runs::write(spill, &solved.classes)?);
            spill.remove(blocks.leaves(block))?;
        }
    }
    Ok(runs)
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
        let ctx = &Ctx { progress: &|_| {}, ..*ctx };
        let prepared = blocks.prepare(block, &mut table, ctx)?;
        let answer = match remote {
            Some(remote) => remote.solve(prepared.job(), &around.view)?,
            None => solve(prepared.job(), ctx)?,
        };
        Ok(blocks.finish(&table, &prepared, answer, &rows)?)
    })
}
