//! The files of the runs on the open table. Those of the last runs stay, so that one can go back to them.

use lookalike_model::document::Document;

use crate::{
    platform::{downloads, files::FileHandle},
    state::{Downloads, KEPT, too_many},
};

/// The files of the runs on the open table.
#[derive(Default)]
pub(super) struct Made {
    /// The last one at the end.
    runs: Vec<Run>,
    /// The place of the run that is shown.
    shown: usize,
    /// URLs of the ledger of the last release and of the numbers of its counterfeits.
    release: [String; 2],
    /// Those of a run that has not ended yet.
    next: [String; 2],
}

/// The files of a run.
pub(super) struct Run {
    pub(super) links: Downloads,
    /// The statement, for the day when the page speaks another language.
    pub(super) statement: Document,
    /// The published table, for a workbook.
    pub(super) table: Option<FileHandle>,
}

impl Made {
    /// A run begins.
    pub(super) fn begin(&mut self) {
        free(std::mem::take(&mut self.next));
    }

    /// The run that is under way makes a release.
    pub(super) fn release(&mut self, links: [String; 2]) {
        free(std::mem::replace(&mut self.next, links));
    }

    /// A run has ended. The oldest goes.
    pub(super) fn add(&mut self, run: Run) {
        let next = std::mem::take(&mut self.next);
        free(std::mem::replace(&mut self.release, next));
        self.runs.push(run);
        if self.runs.len() > KEPT {
            forget(&self.runs.remove(0));
        }
        let gone = too_many(self.runs.iter().map(|run| run.links.bytes));
        self.runs.drain(..gone).for_each(|run| forget(&run));
        self.shown = self.runs.len() - 1;
    }

    /// The run that is shown.
    pub(super) fn shown(&mut self) -> Option<&mut Run> {
        self.runs.get_mut(self.shown)
    }

    /// Shows another run, by the URL of its table; whether it is there.
    pub(super) fn show(&mut self, table: &str) -> bool {
        let place = self.runs.iter().position(|run| run.links.table == table);
        self.shown = place.unwrap_or(self.shown);
        place.is_some()
    }

    /// Another table is open.
    pub(super) fn clear(&mut self) {
        let all = std::mem::take(self);
        all.runs.iter().for_each(forget);
        free(all.release);
        free(all.next);
    }
}

fn forget(Run { links, .. }: &Run) {
    let Downloads {
        table,
        classes,
        report,
        private,
        manifest,
        statement,
        statement_json,
        certificate,
        bytes: _,
    } = links;
    let all = [table, classes, report, private, manifest, statement, statement_json];
    for url in all.into_iter().chain(certificate) {
        downloads::revoke(url);
    }
}

fn free(links: [String; 2]) {
    for url in links {
        downloads::revoke(&url);
    }
}

#[cfg(test)]
mod tests {
    use lookalike_words::Said;

    use super::*;

    fn run(table: &str) -> Run {
        let links = Downloads { table: table.to_owned(), ..Downloads::default() };
        Run { links, statement: Document { title: Said::default(), parts: Vec::new() }, table: None }
    }

    fn shown(made: &mut Made) -> String {
        made.shown().map(|run| run.links.table.clone()).unwrap_or_default()
    }

    #[test]
    fn the_last_run_is_shown_until_one_goes_back() {
        let mut made = Made::default();
        assert_eq!(shown(&mut made), "");
        // Without a URL there is nothing to be freed.
        made.runs = vec![run("a"), run("b")];
        made.add(run("c"));
        assert_eq!(shown(&mut made), "c");
        assert!(made.show("a") && !made.show("x"));
        assert_eq!(shown(&mut made), "a");
        made.add(run("d"));
        assert_eq!(shown(&mut made), "d");
    }
}
