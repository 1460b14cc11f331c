//! The answer: which record is in which class.

use crate::{
    Error,
    instance::Instance,
    loss::Loss,
    rule::{Rule, signature},
};

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
        let bad = |what: String| Err(Error::Answer(what));
        if self.labels.len() != instance.records() {
            return bad(format!("{} labels for {} records", self.labels.len(), instance.records()));
        }
        if let Some(l) = self.labels.iter().find(|&&l| l as usize >= self.classes) {
            return bad(format!("label {l}, but there are only {} classes", self.classes));
        }
        for (class, members) in self.members().iter().enumerate() {
            if members.len() < rule.min_size {
                return bad(format!("class {class} has {} records; {}", members.len(), rule.describe()));
            }
            if !members.iter().any(|&i| instance.is_real(i)) {
                return bad(format!("class {class} holds counterfeits only"));
            }
            if rule.distinct() {
                let mut colours: Vec<u32> = members.iter().map(|&i| instance.colours[i as usize]).collect();
                colours.sort_unstable();
                let twice = colours.windows(2).find_map(|w| (w[0] == w[1]).then_some(w[0]));
                if let Some(colour) = twice {
                    return bad(format!("class {class} holds colour {colour} twice"));
                }
            }
            if let Some(fault) = signature::fault(instance, members) {
                return bad(format!("class {class}: {fault}"));
            }
        }
        Ok(())
    }
}
