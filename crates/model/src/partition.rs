//! The answer: which record is in which class.

use crate::{
    Error,
    instance::Instance,
    loss::Loss,
    received::AnswerFault,
    rule::{
        Asked, Condition, Least, Rule,
        signature::{self, SignatureFault},
    },
};

lookalike_words::messages! {
    in "model";

    /// Why a partition is not admissible. Records, classes and colours count from 0.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum PartitionFault {
        /// Not each record has a label.
        Labels {
            /// Labels.
            labels: usize,
            /// Records.
            records: usize,
        },
        /// A label names no class.
        Label {
            /// The label.
            label: u32,
            /// Number of classes.
            classes: usize,
        },
        /// A class has too few records.
        Small {
            /// The class.
            class: usize,
            /// Its records.
            records: usize,
            /// What the rule asks for.
            least: Least,
        },
        /// A class holds no real record.
        CounterfeitsOnly {
            /// The class.
            class: usize,
        },
        /// A class holds fewer real records than it must.
        FewReal {
            /// The class.
            class: usize,
            /// Its real records.
            real: usize,
            /// Fewest.
            least: usize,
        },
        /// A class holds a colour twice.
        ColourTwice {
            /// The class.
            class: usize,
            /// The colour.
            colour: u32,
        },
        /// A class does not keep a condition on how its values are distributed.
        Values {
            /// The class.
            class: usize,
            /// The condition.
            asked: Asked,
        },
        /// A class does not keep the signature of a record.
        Signature {
            /// The class.
            class: usize,
            /// Why.
            fault: SignatureFault,
        },
    }
}

/// A partition of the records into classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// Class of each record, `0..classes`, dense.
    pub labels: Vec<u32>,
    /// Number of classes.
    pub classes: usize,
}

impl Partition {
    /// Makes labels dense; classes are numbered by their first record.
    #[must_use]
    pub fn from_labels(labels: &[u32]) -> Self {
        let largest = labels.iter().copied().max().unwrap_or(0) as usize;
        let mut renamed = vec![u32::MAX; largest + 1];
        let mut classes = 0;
        let labels = labels
            .iter()
            .map(|&l| {
                let name = &mut renamed[l as usize];
                if *name == u32::MAX {
                    *name = classes;
                    classes += 1;
                }
                *name
            })
            .collect();
        Self { labels, classes: classes as usize }
    }

    /// The partition of `records` records into these classes.
    #[must_use]
    pub fn from_classes(records: usize, classes: &[Vec<u32>]) -> Self {
        let mut labels = vec![0; records];
        for (label, class) in classes.iter().enumerate() {
            for &i in class {
                labels[i as usize] = label as u32;
            }
        }
        Self::from_labels(&labels)
    }

    /// The members of each class, ascending.
    #[must_use]
    pub fn members(&self) -> Vec<Vec<u32>> {
        let mut members = vec![Vec::new(); self.classes];
        for (i, &l) in self.labels.iter().enumerate() {
            members[l as usize].push(i as u32);
        }
        members
    }

    /// Total loss, from scratch.
    pub fn loss(&self, instance: &Instance, loss: &impl Loss) -> f64 {
        self.members().iter().map(|c| loss.class(instance, c)).sum()
    }

    /// Checks every class against the rule, from scratch.
    ///
    /// # Errors
    /// [`Error::Answer`] with the first violation.
    pub fn check(&self, instance: &Instance, rule: &Rule) -> Result<(), Error> {
        let bad = |fault: PartitionFault| Err(Error::from(AnswerFault::Partition(fault)));
        if self.labels.len() != instance.records() {
            return bad(PartitionFault::Labels { labels: self.labels.len(), records: instance.records() });
        }
        if let Some(&label) = self.labels.iter().find(|&&l| l as usize >= self.classes) {
            return bad(PartitionFault::Label { label, classes: self.classes });
        }
        for (class, members) in self.members().iter().enumerate() {
            if members.len() < rule.min_size {
                return bad(PartitionFault::Small { class, records: members.len(), least: rule.least() });
            }
            let real = members.iter().filter(|&&i| instance.is_real(i)).count();
            if real == 0 {
                return bad(PartitionFault::CounterfeitsOnly { class });
            }
            // Without counterfeits what is asked of sizes is all.
            if real < rule.min_real && real < members.len() {
                return bad(PartitionFault::FewReal { class, real, least: rule.min_real });
            }
            for condition in &rule.conditions {
                match condition {
                    Condition::Different => {
                        let mut colours: Vec<u32> =
                            members.iter().map(|&i| instance.colours[i as usize]).collect();
                        colours.sort_unstable();
                        let twice = colours.windows(2).find_map(|w| (w[0] == w[1]).then_some(w[0]));
                        if let Some(colour) = twice {
                            return bad(PartitionFault::ColourTwice { class, colour });
                        }
                    }
                    Condition::Values { of, condition } => {
                        if !instance.keeps(members, (*of, condition)) {
                            return bad(PartitionFault::Values { class, asked: condition.asked() });
                        }
                    }
                }
            }
            if let Some(fault) = signature::fault(instance, members) {
                return bad(PartitionFault::Signature { class, fault });
            }
        }
        Ok(())
    }
}
