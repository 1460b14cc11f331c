//! Whose turn it is: among those who have jobs waiting, one after another; of each, the oldest job first.

use std::collections::VecDeque;

/// Jobs that wait, by owner.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    /// Owners with waiting jobs; the first is next.
    turns: VecDeque<(String, VecDeque<String>)>,
}

impl Queue {
    /// Jobs that wait.
    pub(crate) fn len(&self) -> usize {
        self.turns.iter().map(|(_, jobs)| jobs.len()).sum()
    }

    /// Jobs of this owner that wait.
    pub(crate) fn len_of(&self, owner: &str) -> usize {
        self.turns.iter().find(|(name, _)| name == owner).map_or(0, |(_, jobs)| jobs.len())
    }

    /// A job goes to the end of its owner's line.
    pub(crate) fn push(&mut self, owner: &str, id: String) {
        match self.turns.iter_mut().find(|(name, _)| name == owner) {
            Some((_, jobs)) => jobs.push_back(id),
            None => self.turns.push_back((owner.to_owned(), VecDeque::from([id]))),
        }
    }

    /// The next job; its owner goes to the end.
    pub(crate) fn pop(&mut self) -> Option<String> {
        let (owner, mut jobs) = self.turns.pop_front()?;
        let id = jobs.pop_front();
        if !jobs.is_empty() {
            self.turns.push_back((owner, jobs));
        }
        id
    }

    /// Takes a job out of the line; whether it was there.
    pub(crate) fn remove(&mut self, id: &str) -> bool {
        let before = self.len();
        for (_, jobs) in &mut self.turns {
            jobs.retain(|waiting| waiting != id);
        }
        self.turns.retain(|(_, jobs)| !jobs.is_empty());
        self.len() < before
    }

    /// Nothing waits any more.
    pub(crate) fn clear(&mut self) {
        self.turns.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(queue: &mut Queue) -> String {
        std::iter::from_fn(|| queue.pop()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn many_jobs_of_one_owner_do_not_hold_up_another() {
        let mut queue = Queue::default();
        for id in ["a1", "a2", "a3", "b1", "b2", "c1"] {
            queue.push(&id[..1], id.to_owned());
        }
        assert_eq!(queue.len(), 6);
        assert_eq!(order(&mut queue), "a1 b1 c1 a2 b2 a3");
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn a_newcomer_waits_for_one_turn_of_each_other() {
        let mut queue = Queue::default();
        for id in ["a1", "a2", "a3"] {
            queue.push("a", id.to_owned());
        }
        assert_eq!(queue.pop().as_deref(), Some("a1"));
        queue.push("b", String::from("b1"));
        assert_eq!(order(&mut queue), "a2 b1 a3");
    }

    #[test]
    fn a_job_can_leave() {
        let mut queue = Queue::default();
        queue.push("a", String::from("a1"));
        queue.push("b", String::from("b1"));
        queue.push("b", String::from("b2"));
        assert!(queue.remove("a1"));
        assert!(queue.remove("b1"));
        assert!(!queue.remove("none"));
        assert_eq!(order(&mut queue), "b2");
    }
}
