//! What is known of all groups, or of all classes, that are complete.

use std::collections::BTreeMap;

use lookalike_words::Cell;

use super::{
    conditions::Kept,
    question::Guarantee,
    values::Values,
    verdict::{Check, Grouping, Observation, Shared, Subject, WITNESSES, Witness},
    words,
};

/// What is wrong, how often, and where first.
#[derive(Default)]
pub(super) struct Broken {
    pub(super) count: usize,
    pub(super) witnesses: Vec<Witness>,
}

impl Broken {
    /// One more that is wrong, with its witnesses, which are made as long as a check takes any.
    fn more(&mut self, witnesses: impl IntoIterator<Item = Witness>) {
        self.count += 1;
        let room = WITNESSES.saturating_sub(self.witnesses.len());
        // Nothing is asked of the iterator when there is no room: `take(0)` does not.
        self.witnesses.extend(witnesses.into_iter().take(room));
    }

    /// The same with one witness.
    pub(super) fn note(&mut self, witness: impl FnOnce() -> Witness) {
        self.more(std::iter::once_with(witness));
    }

    /// As a check, with its finding.
    pub(super) fn check(self, name: Subject, finding: Observation) -> Check {
        Check::new(name, finding, self.witnesses)
    }
}

/// A group or class that is complete.
pub(super) struct Complete<'a> {
    /// Rows; at least 1.
    pub(super) size: usize,
    /// Its first row, from 0.
    pub(super) first: usize,
    /// The first row, from 0, that is published otherwise than that.
    pub(super) odd: Option<usize>,
    /// Codes of the sensitive values, ascending, and how often each occurs; empty if they were not counted.
    pub(super) tally: &'a [(u32, usize)],
}

/// All that are complete, of one kind: groups or classes.
#[derive(Default)]
pub(super) struct Seen {
    /// Sizes, and how many have each.
    pub(super) sizes: BTreeMap<usize, usize>,
    small: Broken,
    unlike: Broken,
    /// Those that hold a value more than once, and how often the worst of them holds one.
    repeated: Broken,
    most: usize,
    frequent: Broken,
    /// The largest share of a value: its rows and all.
    pub(super) worst: Option<(usize, usize)>,
    /// The same among the rows whose value is known; 0 without such.
    pub(super) worst_known: f64,
    /// Rows that hold the most frequent value of their group.
    pub(super) usual: usize,
    /// How many have known values that are one and the same.
    pub(super) single: usize,
    /// Fewest different values, all and known.
    pub(super) different: Option<(usize, usize)>,
    /// What all share and hold, if conditions are asked about at the end.
    pub(super) kept: Option<Vec<Kept>>,
}

impl Seen {
    pub(super) fn count(&self) -> usize {
        self.sizes.values().sum()
    }

    pub(super) fn smallest(&self) -> usize {
        self.sizes.keys().next().copied().unwrap_or(0)
    }

    /// Takes in one more; `describe` says which it is.
    pub(super) fn add(
        &mut self,
        of: &Complete,
        (guarantee, values): (Guarantee, &Values),
        describe: &dyn Fn() -> Vec<Shared>,
    ) {
        *self.sizes.entry(of.size).or_insert(0) += 1;
        if of.size < guarantee.least() {
            self.small.note(|| words::small(describe(), of.size, of.first));
        }
        if let Some(odd) = of.odd {
            self.unlike.note(|| words::unlike(describe(), of.first, odd));
        }
        if let Some(kept) = &mut self.kept {
            kept.push(Kept { of: describe(), tally: of.tally.to_vec() });
        }
        let Some(most) = of.tally.iter().map(|(_, count)| *count).max() else { return };
        self.usual += most;
        // a/b > c/d as integers: shares are compared exactly.
        let larger = |(c, d): (usize, usize)| most as u128 * d as u128 > c as u128 * of.size as u128;
        if self.worst.is_none_or(larger) {
            self.worst = Some((most, of.size));
        }
        let known = of.tally.iter().filter(|(code, _)| !values.is_missing(*code)).map(|(_, count)| *count);
        let (number, rows) = known.clone().fold((0_usize, 0_usize), |(n, sum), count| (n + 1, sum + count));
        self.single += usize::from(number == 1);
        if let Some(most) = known.max() {
            self.worst_known = self.worst_known.max(most as f64 / rows as f64);
        }
        let (all, least_known) = self.different.unwrap_or((usize::MAX, usize::MAX));
        self.different = Some((all.min(of.tally.len()), least_known.min(number)));
        if most > 1 {
            self.most = self.most.max(most);
            let witness = |&(code, times): &(u32, usize)| Witness::Repeated {
                of: describe(),
                value: Cell::from(values.text(code)),
                times,
            };
            self.repeated.more(of.tally.iter().filter(|(_, count)| *count > 1).map(witness));
        }
        let Guarantee::MUnique { m } = guarantee else { return };
        let frequent = |count: usize| count as u128 * m as u128 > of.size as u128;
        if frequent(most) {
            let witness = |&(code, count): &(u32, usize)| Witness::Frequent {
                of: describe(),
                value: Cell::from(values.text(code)),
                count,
                rows: of.size,
            };
            self.frequent.more(of.tally.iter().filter(|(_, count)| frequent(*count)).map(witness));
        }
    }

    /// Whether each has enough rows.
    pub(super) fn sizes_check(&mut self, grouping: Grouping, least: usize) -> Check {
        let small = std::mem::take(&mut self.small);
        let finding = words::sizes(grouping, (self.count(), self.smallest()), (least, small.count));
        small.check(Subject::of_sizes(grouping), Observation::Sizes(finding))
    }

    /// Whether the rows of each class are published alike.
    pub(super) fn alike_check(&mut self) -> Check {
        let unlike = std::mem::take(&mut self.unlike);
        let finding = words::alike(unlike.count, self.count());
        unlike.check(Subject::ClassAlike, finding)
    }

    /// Whether no class holds a value twice.
    pub(super) fn differ_check(&mut self) -> Check {
        let repeated = std::mem::take(&mut self.repeated);
        let worst = (repeated.count > 0).then_some(self.most);
        let finding = words::differ(repeated.count, self.count(), worst);
        repeated.check(Subject::ClassValues, Observation::Values(finding))
    }

    /// Whether no value makes up more than 1/m of a group.
    pub(super) fn frequent_check(&mut self, m: usize) -> Check {
        let frequent = std::mem::take(&mut self.frequent);
        let finding = words::frequent(self.worst.unwrap_or_default(), m, frequent.count, self.count());
        frequent.check(Subject::GroupValues, Observation::Values(finding))
    }

    /// Says how many different values each has.
    pub(super) fn known_note(&self, values: &Values, grouping: Grouping) -> Check {
        words::known(&values.missing(), self.different.unwrap_or_default(), grouping)
    }
}
