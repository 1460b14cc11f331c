//! Parts of a long search that are finished, by name.

use lookalike_model::{
    checkpoint::{Checkpoint, Key},
    instance::Instance,
    job::Job,
    kept::{Annealed, Kept, Rounds},
    settings::Budget,
};

use crate::queue::others::Others;

/// The parts of one stage of a job's search.
#[derive(Clone, Copy)]
pub struct StageParts<'a> {
    /// Where they are kept.
    pub(crate) checkpoint: &'a dyn Checkpoint,
    /// The job's [`key`].
    pub(crate) job: &'a Key,
    /// Which stage of its search.
    pub(crate) stage: usize,
    /// Whether its parameters are the usual ones: others would solve its blocks with these.
    pub(crate) usual: bool,
}

impl<'a> StageParts<'a> {
    /// Whoever else solves blocks of this instance under this budget.
    pub(crate) fn others(&self, instance: &Instance, budget: Budget) -> Option<Others<'a>> {
        let queue = self.checkpoint.queue().filter(|_| self.usual)?;
        // With a time limit a block's share follows the clock, and what a series asks does not travel.
        (matches!(budget, Budget::Effort(_)) && instance.series.is_none()).then_some(Others(queue))
    }

    /// The annealed block with these records and this start.
    pub(crate) fn annealed(&self, records: &[u32], start: &[u32]) -> Option<Annealed> {
        match self.checkpoint.load(&self.block(records, start))? {
            Kept::Annealed(block) if fits(&block.labels, records.len()) => Some(block),
            _ => None,
        }
    }

    /// A block with these records and this start is annealed.
    pub(crate) fn keep_annealed(&self, records: &[u32], start: &[u32], block: Annealed) {
        self.checkpoint.save(&self.block(records, start), &Kept::Annealed(block));
    }

    /// The rounds that are done of a search over `records` records.
    pub(crate) fn rounds(&self, records: usize) -> Option<Rounds> {
        match self.checkpoint.load(&self.named("rounds").finish())? {
            Kept::Rounds(rounds) if all_fit(&rounds, records) => Some(rounds),
            _ => None,
        }
    }

    /// Some rounds are done.
    pub(crate) fn keep_rounds(&self, rounds: Rounds) {
        self.checkpoint.save(&self.named("rounds").finish(), &Kept::Rounds(rounds));
    }

    fn block(&self, records: &[u32], start: &[u32]) -> Key {
        let mut key = self.named("block");
        key.numbers(records);
        key.numbers(start);
        key.finish()
    }

    fn named(&self, kind: &str) -> Hasher {
        let mut hasher = Hasher::default();
        hasher.text(&format!("{kind} of stage {}", self.stage));
        hasher.0.update(self.job);
        hasher
    }
}

/// Whether these can be the classes of so many records.
fn fits(labels: &[u32], records: usize) -> bool {
    labels.len() == records && labels.iter().all(|&label| (label as usize) < records)
}

fn all_fit(rounds: &Rounds, records: usize) -> bool {
    fits(&rounds.labels, records) && rounds.best.as_ref().is_none_or(|best| fits(best, records))
}

/// The key of a job or of a part of one: all that its answer depends on. With a time limit a part's share depends on the
/// clock: the whole's limit stands for it.
/// `changes` are the parameters that are not the defaults.
pub(crate) fn key(part: &Job, whole: Budget, changes: &[(String, String)]) -> Key {
    let mut hasher = Hasher::default();
    let Job { dims, rule, loss, method, attributes, ranks, series, seed, .. } = part;
    let asked =
        (lookalike_model::REVISION, dims, rule, loss, method, whole, attributes, (ranks, series), seed);
    // It can only fail for a map whose keys are not text, and there is none.
    hasher.text(&serde_json::to_string(&asked).unwrap_or_default());
    hasher.0.update(&(part.points.len() as u64).to_le_bytes());
    for x in &part.points {
        hasher.0.update(&x.to_le_bytes());
    }
    hasher.numbers(&part.colours);
    for (name, value) in changes {
        hasher.text(name);
        hasher.text(value);
    }
    hasher.finish()
}

/// Lengths go before contents, so that nothing reads as something else.
#[derive(Default)]
struct Hasher(blake3::Hasher);

impl Hasher {
    fn text(&mut self, text: &str) {
        self.0.update(&(text.len() as u64).to_le_bytes());
        self.0.update(text.as_bytes());
    }

    fn numbers(&mut self, numbers: &[u32]) {
        self.0.update(&(numbers.len() as u64).to_le_bytes());
        for number in numbers {
            self.0.update(&number.to_le_bytes());
        }
    }

    fn finish(&self) -> Key {
        *self.0.finalize().as_bytes()
    }
}
