//! What the page fetched since it was opened.

/// Different addresses that are kept; requests to others are only counted.
const KEPT: usize = 100;

/// Something that the page fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fetched {
    /// A file of the page itself, by its path.
    Own(String),
    /// Anything else, by its address.
    Request(String),
}

/// What the page fetched since it was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    /// Requests, the files of the page itself not among them.
    pub count: usize,
    /// Where they went, and how often; the earliest first.
    pub to: Vec<(String, usize)>,
    /// Files of the page itself, each once; the earliest first.
    pub own: Vec<String>,
}

impl Requests {
    /// Notes what was fetched.
    pub(super) fn note(&mut self, fetched: Vec<Fetched>) {
        for one in fetched {
            match one {
                Fetched::Own(path) if !self.own.contains(&path) => self.own.push(path),
                Fetched::Own(_) => {}
                Fetched::Request(address) => {
                    self.count += 1;
                    if let Some((_, times)) = self.to.iter_mut().find(|(known, _)| *known == address) {
                        *times += 1;
                    } else if self.to.len() < KEPT {
                        self.to.push((address, 1));
                    }
                }
            }
        }
    }

    /// Requests to addresses that were not kept.
    #[must_use]
    pub fn others(&self) -> usize {
        self.count - self.to.iter().map(|(_, times)| times).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_files_are_listed_and_requests_are_counted() {
        let mut requests = Requests::default();
        let own = || Fetched::Own(String::from("texts/de.txt"));
        let to = |n: usize| Fetched::Request(format!("http://w/{n}"));
        requests.note(vec![own(), to(1), own(), to(2)]);
        requests.note(vec![to(1)]);
        assert_eq!((requests.count, requests.own.len(), requests.others()), (3, 1, 0));
        assert_eq!(requests.to, [(String::from("http://w/1"), 2), (String::from("http://w/2"), 1)]);
        requests.note((0..200).map(to).collect());
        assert_eq!((requests.count, requests.to.len(), requests.others()), (203, KEPT, 100));
    }
}
