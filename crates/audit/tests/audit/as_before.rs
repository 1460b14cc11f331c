//! The judge beside the two that it replaces.

use lookalike_audit::{Guarantee, Judged, Question, judge, judge_stream, old, old_stream};
use proptest::prelude::*;

use crate::{
    common::{csv, question},
    properties::table,
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// The same as of the table in memory, in any order; and as of the stream, where that looked at whole groups.
    #[test]
    fn judged_as_before(table in table(), least in 2..4_usize, unique in any::<bool>(), class in any::<bool>(), asked in any::<bool>(), pieces in 1..9_usize) {
        let guarantee = if unique { Guarantee::MUnique { m: least } } else { Guarantee::KAnonymity { k: least } };
        let mut question = Question { class: class.then(|| String::from("class")), ..question(guarantee) };
        if !asked && !unique {
            question.sensitive = None;
        }
        let bytes = csv(&table);
        let before = old::judge(&bytes, &question).unwrap();
        let found = judge_stream(bytes.as_slice(), &question).unwrap();
        prop_assert_eq!(&found.verdict, &before);
        prop_assert_eq!(judge(&bytes, &question).unwrap(), before);
        prop_assert_eq!(&judge_stream(Pieces(&bytes, pieces), &question).unwrap(), &found);
        let streamed = old_stream::judge_stream(bytes.as_slice(), &question).unwrap();
        prop_assert_eq!(streamed.verdict.passed, found.verdict.passed);
        let holds = |judged: &Judged, name: &str| judged.verdict.checks.iter().all(|c| c.name != name || c.passed);
        if holds(&streamed, lookalike_audit::name::SORTED) && holds(&streamed, lookalike_audit::name::LABELS) {
            let mut streamed = streamed;
            // It did not count the values of columns that nobody asked about.
            for (check, other) in streamed.verdict.checks.iter_mut().zip(&found.verdict.checks) {
                if check.name == lookalike_audit::name::UNJUDGED {
                    check.finding.clone_from(&other.finding);
                }
            }
            prop_assert_eq!(streamed, found);
        }
    }
}

struct Pieces<'a>(&'a [u8], usize);

impl std::io::Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let n = self.1.min(into.len()).min(self.0.len());
        into[..n].copy_from_slice(&self.0[..n]);
        self.0 = &self.0[n..];
        Ok(n)
    }
}
