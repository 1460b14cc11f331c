//! Old signatures apart from new records: each value of each signature gets a code of its own, which no new record has.
//!
//! The codes of a signature are given in the order in which its values are first held, so that they tell who has the same value
//! as whom and nothing of which value it is: whoever exchanges the values of a signature among all of its people gets the same
//! numeric job, and with it the same release (docs/republish.md).

use super::ways::Needed;

/// The codes of a release whose old signatures are apart.
pub(super) struct Apart {
    /// The texts of the codes: those of before, then of each signature its values.
    pub(super) values: Vec<String>,
    /// The code of each record.
    pub(super) colours: Vec<u32>,
    /// The signatures in these codes, ascending.
    pub(super) signatures: Vec<Vec<u32>>,
    /// For each value of each signature of before its code.
    codes: Vec<Vec<u32>>,
}

impl Apart {
    /// New codes for signatures (ascending codes of values), the records bound to them (1 + the place of the signature, 0 for new
    /// ones) and the records' codes, in an order of the records that does not depend on their values.
    pub(super) fn of(signatures: &[Vec<u32>], bound: &[u32], colours: &[u32], values: &[String]) -> Self {
        let mut codes: Vec<Vec<Option<u32>>> = signatures.iter().map(|s| vec![None; s.len()]).collect();
        let mut starts = Vec::with_capacity(signatures.len());
        let mut end = values.len() as u32;
        for signature in signatures {
            starts.push(end);
            end += signature.len() as u32;
        }
        let mut next = starts.clone();
        let mut own = colours.to_vec();
        for (colour, &bound) in own.iter_mut().zip(bound) {
            let Some(place) = (bound as usize).checked_sub(1) else { continue };
            let Ok(key) = signatures[place].binary_search(colour) else { continue };
            *colour = *codes[place][key].get_or_insert_with(|| {
                next[place] += 1;
                next[place] - 1
            });
        }
        // Values that nobody holds any more: only counterfeits have them, equally many of each.
        let codes: Vec<Vec<u32>> = (codes.into_iter().zip(next))
            .map(|(codes, mut next)| {
                let mut free = || {
                    next += 1;
                    next - 1
                };
                codes.into_iter().map(|code| code.unwrap_or_else(&mut free)).collect()
            })
            .collect();
        let mut texts = values.to_vec();
        texts.resize(end as usize, String::new());
        for (signature, codes) in signatures.iter().zip(&codes) {
            for (&value, &code) in signature.iter().zip(codes) {
                texts[code as usize].clone_from(&values[value as usize]);
            }
        }
        let ranges =
            starts.iter().zip(signatures).map(|(&start, s)| (start..start + s.len() as u32).collect());
        Self { values: texts, colours: own, signatures: ranges.collect(), codes }
    }

    /// Codes of all counterfeits, ascending: those among new records, then those in old signatures.
    pub(super) fn fakes(&self, plan: &Needed) -> Vec<u32> {
        let among = plan.added.iter().zip(0_u32..).map(|(&count, code)| (code, count));
        let old = self.codes.iter().zip(&plan.balanced);
        let old =
            old.flat_map(|(codes, filled)| codes.iter().copied().zip(filled.counterfeits.iter().copied()));
        let mut all: Vec<(u32, u64)> = among.chain(old).collect();
        all.sort_unstable();
        all.into_iter().flat_map(|(code, count)| std::iter::repeat_n(code, count as usize)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_tell_who_has_the_same_value_and_not_which() {
        let values: Vec<String> = ["a", "b", "c", "d"].map(String::from).to_vec();
        let signatures = [vec![0, 2, 3], vec![1, 2]];
        let bound = [0, 1, 2, 1, 1, 0];
        let first = Apart::of(&signatures, &bound, &[2, 3, 2, 0, 3, 1], &values);
        assert_eq!(first.colours, [2, 4, 7, 5, 4, 1]);
        assert_eq!(first.values, ["a", "b", "c", "d", "d", "a", "c", "c", "b"]);
        assert_eq!(first.signatures, [vec![4, 5, 6], vec![7, 8]]);
        // The values of the first signature in another order, among all who have them.
        let second = Apart::of(&signatures, &bound, &[2, 0, 2, 2, 0, 1], &values);
        assert_eq!((second.colours, second.signatures), (first.colours, first.signatures));
    }
}
