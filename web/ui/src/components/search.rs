//! How classes are sought: method, loss and limit.

use lookalike_wire::settings::{Loss, Method};
use yew::{Html, html};

use super::fields::{Entries, Fields, more};
use crate::form::BudgetChoice;

const BUDGETS: Entries<BudgetChoice> = &[
    ("effort", "Effort (reproducible)", BudgetChoice::Effort),
    ("seconds", "Seconds (not reproducible)", BudgetChoice::Seconds),
];
const LOSSES: Entries<Loss> = &[
    ("sse", "Squared errors (SSE)", Loss::Sse),
    ("ncp", "Widths of ranges (NCP)", Loss::Ncp),
    ("ncp-binary", "Widths, binary categories", Loss::NcpBinary),
];
const METHODS: Entries<Method> = &[
    ("auto", "Automatic", Method::Auto),
    ("annealing", "Annealing", Method::Annealing),
    ("spatial", "Annealing in spatial blocks", Method::Spatial),
    ("large-neighbourhood", "Large neighbourhoods", Method::LargeNeighbourhood),
    ("two-swap", "Two-swapping", Method::TwoSwap),
    ("decompose", "Decomposition", Method::Decompose),
    ("column-generation", "Column generation, with a bound", Method::ColumnGeneration),
    ("md", "MD", Method::Md),
    ("mdav", "MDAV", Method::Mdav),
    ("v-mdav", "V-MDAV", Method::VMdav),
    ("hansen-mukherjee", "Hansen-Mukherjee", Method::HansenMukherjee),
    ("classic", "Bucketization (classic)", Method::Classic),
    ("tau", "Tau", Method::Tau),
    ("variance-sort", "Variance sort", Method::VarianceSort),
    ("greedy-search", "Greedy Search", Method::GreedySearch),
    ("split-and-carry", "Split & Carry", Method::SplitAndCarry),
    ("k-member", "K-Member", Method::KMember),
    ("mondrian", "Mondrian, strict", Method::Mondrian),
    ("mondrian-relaxed", "Mondrian, relaxed", Method::MondrianRelaxed),
    ("random", "Random", Method::Random),
];
const STARTS: Entries<Option<Method>> = &[
    ("", "The method's own choice", None),
    ("md", "MD", Some(Method::Md)),
    ("mdav", "MDAV", Some(Method::Mdav)),
    ("v-mdav", "V-MDAV", Some(Method::VMdav)),
    ("hansen-mukherjee", "Hansen-Mukherjee", Some(Method::HansenMukherjee)),
    ("classic", "Bucketization (classic)", Some(Method::Classic)),
    ("tau", "Tau", Some(Method::Tau)),
    ("variance-sort", "Variance sort", Some(Method::VarianceSort)),
    ("greedy-search", "Greedy Search", Some(Method::GreedySearch)),
    ("split-and-carry", "Split & Carry", Some(Method::SplitAndCarry)),
    ("k-member", "K-Member", Some(Method::KMember)),
    ("mondrian", "Mondrian, strict", Some(Method::Mondrian)),
    ("mondrian-relaxed", "Mondrian, relaxed", Some(Method::MondrianRelaxed)),
    ("random", "Random", Some(Method::Random)),
];
const SWAPS: Entries<bool> =
    &[("after", "After the blocks", false), ("both", "Before and after the blocks", true)];

/// What a method does, in a sentence.
fn sentence(method: Method) -> &'static str {
    match method {
        Method::Auto => {
            "Chosen by the table's size and the guarantee; the report says what was chosen and why."
        }
        Method::Annealing => "Moves records between classes, at first also for the worse. Usually the best.",
        Method::Spatial => {
            "Annealing in blocks of neighbouring records, cut anew again and again: for many records."
        }
        Method::LargeNeighbourhood => "Solves a few neighbouring classes exactly, again and again.",
        Method::TwoSwap => "Makes the best exchange of two records until none helps.",
        Method::Decompose => "Solves blocks of classes one by one, then exchanges records between them.",
        Method::ColumnGeneration => {
            "Seeks the best with a proof of how far it can be from the best possible."
        }
        Method::Md => "At one go: the two most distant records, each with its nearest. For k-anonymity.",
        Method::Mdav => {
            "At one go: the records farthest from the mean, each with its nearest. For k-anonymity."
        }
        Method::VMdav => "At one go: as MDAV, with classes of different sizes. For k-anonymity.",
        Method::HansenMukherjee => "Exact for one quasi-identifier that holds numbers. For k-anonymity.",
        Method::Classic => {
            "At one go: buckets of different sensitive values, halved along the widest column."
        }
        Method::Tau => "At one go: buckets of different values, cut by nearest neighbours. For m-invariance.",
        Method::VarianceSort => "At one go: sorted records, cut into runs. For k-anonymity.",
        Method::GreedySearch => "At one go: each record with those that cost least. For k-anonymity.",
        Method::SplitAndCarry => {
            "At one go: runs of sorted records, solved exactly one after another. For k-anonymity."
        }
        Method::KMember => "At one go: distant records, each with those that cost least. For k-anonymity.",
        Method::Mondrian => {
            "At one go: cuts at the median of the widest column, between values. For k-anonymity."
        }
        Method::MondrianRelaxed => "At one go: as Mondrian, equal values may come apart. For k-anonymity.",
        Method::Random => "At one go, at random: to compare with.",
        Method::DokaGreedy | Method::DokaSortGreedy | Method::DokaHungarian => {
            "Each record gets a row of its own; not k-anonymity. On the command line only."
        }
    }
}

fn meaning(loss: Loss) -> &'static str {
    match loss {
        Loss::Sse => {
            "Distances of the records to the mean of their class, squared: keeps means and variances."
        }
        Loss::Ncp => "How wide the published ranges are, as parts of the whole: keeps ranges narrow.",
        Loss::NcpBinary => "As NCP; a set of c labels out of d costs c/d instead of (c - 1)/d.",
    }
}

/// Limit, seed, and behind "More" method and loss.
pub(super) fn search(fields: &Fields) -> Html {
    let form = &fields.form.search;
    let limit = match form.budget {
        BudgetChoice::Effort => {
            let hint =
                "5 is usual; 0 takes the first partition as it is; twice the effort takes twice as long.";
            let around = fields.around("effort", "Effort", hint);
            fields.text(&around, "decimal", &form.effort, |form, effort| form.search.effort = effort)
        }
        BudgetChoice::Seconds => {
            let around = fields.around("seconds", "Seconds", "The search ends after this time.");
            fields.text(&around, "decimal", &form.seconds, |form, seconds| form.search.seconds = seconds)
        }
    };
    let hint = "The same effort and seed give the same table anywhere.";
    let seed = "Empty: random. A seed makes the run repeatable; keep it private.";
    html! {
        <>
            <div class="fields">
                { fields.menu(&fields.around("budget", "Limit the search by", hint), BUDGETS, form.budget,
                    |form, budget| form.search.budget = budget) }
                { limit }
                { fields.text(&fields.around("seed", "Seed (optional)", seed), "numeric", &fields.form.seed,
                    |form, seed| form.seed = seed) }
            </div>
            { more("more-search", "More: method and loss", method(fields)) }
        </>
    }
}

fn method(fields: &Fields) -> Html {
    let form = &fields.form.search;
    let start = "The first partition, which the method improves.";
    let gap = "Ends once the loss is proven to be within this of the best possible. Empty: at the best, or at the limit.";
    let blocks = "Parts that are solved by themselves. Empty: the method's own choice.";
    html! {
        <div class="fields">
            { fields.menu(&fields.around("loss", "What counts as loss", meaning(form.loss)), LOSSES, form.loss,
                |form, loss| form.search.loss = loss) }
            { fields.menu(&fields.around("method", "Method", sentence(form.method)), METHODS, form.method,
                |form, method| form.search.method = method) }
            if !form.method.is_construction() {
                { fields.menu(&fields.around("start", "Start from", start), STARTS, form.start,
                    |form, start| form.search.start = start) }
            }
            if form.method == Method::ColumnGeneration {
                { fields.text(&fields.around("stop-gap", "Stop within (per cent)", gap), "decimal", &form.stop_gap,
                    |form, gap| form.search.stop_gap = gap) }
            }
            if matches!(form.method, Method::Decompose | Method::ColumnGeneration) {
                { fields.text(&fields.around("blocks", "Blocks", blocks), "numeric", &form.blocks,
                    |form, blocks| form.search.blocks = blocks) }
            }
            if form.method == Method::Decompose {
                { fields.menu(&fields.around("swap-first", "Exchange records", "Before costs time and makes better blocks."),
                    SWAPS, form.swap_first, |form, first| form.search.swap_first = first) }
            }
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_there_under_its_name() {
        let names: Vec<(&str, Method)> = METHODS.iter().map(|(name, _, method)| (*name, *method)).collect();
        let offered = Method::ALL.into_iter().filter(|method| !method.is_freeform());
        assert_eq!(names, offered.map(|method| (method.name(), method)).collect::<Vec<_>>());
        let starts: Vec<Method> = STARTS.iter().filter_map(|(_, _, start)| *start).collect();
        let constructions: Vec<Method> = Method::ALL.into_iter().filter(|m| m.is_construction()).collect();
        assert_eq!(starts, constructions);
        assert!(STARTS.iter().all(|(name, _, start)| start.map_or("", Method::name) == *name));
    }
}
