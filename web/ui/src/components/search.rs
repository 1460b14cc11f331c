//! How classes are sought: method, loss and limit.

use lookalike_model::settings::{BoundWork, Loss, MethodName, MethodOption};
use yew::{Html, html};

use super::{
    fields::{Entries, Fields, more},
    weights::weights,
};
use crate::{
    form::{BudgetChoice, LossChoice},
    settings::{Unpriced, unpriced},
    texts::k,
};

const BUDGETS: Entries<BudgetChoice> = &[
    ("effort", k::SEARCH_EFFORT_REPRODUCIBLE, BudgetChoice::Effort),
    ("seconds", k::SEARCH_SECONDS_NOT_REPRODUCIBLE, BudgetChoice::Seconds),
];
const BOUNDS: Entries<BoundWork> = &[
    ("quick", k::SEARCH_BOUND_QUICK, BoundWork::Quick),
    ("full", k::SEARCH_BOUND_FULL, BoundWork::Full),
    ("off", k::SEARCH_BOUND_OFF, BoundWork::Off),
];
const LOSSES: Entries<LossChoice> = &[
    ("", k::SEARCH_LOSS_PUBLISHED, LossChoice::Published),
    ("sse", k::SEARCH_SQUARED_ERRORS_SSE, LossChoice::Of(Loss::Sse)),
    ("ncp", k::SEARCH_WIDTHS_RANGES_NCP, LossChoice::Of(Loss::Ncp)),
    ("ncp-binary", k::SEARCH_WIDTHS_BINARY_CATEGORIES, LossChoice::Of(Loss::NcpBinary)),
];
const METHODS: Entries<MethodName> = &[
    ("auto", k::SEARCH_AUTOMATIC, MethodName::Auto),
    ("annealing", k::SEARCH_ANNEALING, MethodName::Annealing),
    ("spatial", k::SEARCH_ANNEALING_SPATIAL_BLOCKS, MethodName::Spatial),
    ("large-neighbourhood", k::SEARCH_LARGE_NEIGHBOURHOODS, MethodName::LargeNeighbourhood),
    ("two-swap", k::SEARCH_TWO_SWAPPING, MethodName::TwoSwap),
    ("decompose", k::SEARCH_DECOMPOSITION, MethodName::Decompose),
    ("column-generation", k::SEARCH_COLUMN_GENERATION_CAN_PROVE, MethodName::ColumnGeneration),
    ("programme", k::SEARCH_GENERAL_PROGRAMME_CAN_PROVE, MethodName::Programme),
    ("md", k::SEARCH_MD, MethodName::Md),
    ("mdav", k::SEARCH_MDAV, MethodName::Mdav),
    ("v-mdav", k::SEARCH_V_MDAV, MethodName::VMdav),
    ("hansen-mukherjee", k::SEARCH_HANSEN_MUKHERJEE, MethodName::HansenMukherjee),
    ("classic", k::SEARCH_BUCKETIZATION_CLASSIC, MethodName::Classic),
    ("tau", k::SEARCH_TAU, MethodName::Tau),
    ("variance-sort", k::SEARCH_VARIANCE_SORT, MethodName::VarianceSort),
    ("greedy-search", k::SEARCH_GREEDY_SEARCH, MethodName::GreedySearch),
    ("split-and-carry", k::SEARCH_SPLIT_CARRY, MethodName::SplitAndCarry),
    ("k-member", k::SEARCH_K_MEMBER, MethodName::KMember),
    ("mondrian", k::SEARCH_MONDRIAN_STRICT, MethodName::Mondrian),
    ("mondrian-relaxed", k::SEARCH_MONDRIAN_RELAXED, MethodName::MondrianRelaxed),
    ("random", k::SEARCH_RANDOM, MethodName::Random),
];
const STARTS: Entries<Option<MethodName>> = &[
    ("", k::SEARCH_METHODS_OWN_CHOICE, None),
    ("md", k::SEARCH_MD, Some(MethodName::Md)),
    ("mdav", k::SEARCH_MDAV, Some(MethodName::Mdav)),
    ("v-mdav", k::SEARCH_V_MDAV, Some(MethodName::VMdav)),
    ("hansen-mukherjee", k::SEARCH_HANSEN_MUKHERJEE, Some(MethodName::HansenMukherjee)),
    ("classic", k::SEARCH_BUCKETIZATION_CLASSIC, Some(MethodName::Classic)),
    ("tau", k::SEARCH_TAU, Some(MethodName::Tau)),
    ("variance-sort", k::SEARCH_VARIANCE_SORT, Some(MethodName::VarianceSort)),
    ("greedy-search", k::SEARCH_GREEDY_SEARCH, Some(MethodName::GreedySearch)),
    ("split-and-carry", k::SEARCH_SPLIT_CARRY, Some(MethodName::SplitAndCarry)),
    ("k-member", k::SEARCH_K_MEMBER, Some(MethodName::KMember)),
    ("mondrian", k::SEARCH_MONDRIAN_STRICT, Some(MethodName::Mondrian)),
    ("mondrian-relaxed", k::SEARCH_MONDRIAN_RELAXED, Some(MethodName::MondrianRelaxed)),
    ("random", k::SEARCH_RANDOM, Some(MethodName::Random)),
];
const SWAPS: Entries<bool> =
    &[("after", k::SEARCH_AFTER_BLOCKS, false), ("both", k::SEARCH_BEFORE_AFTER_BLOCKS, true)];

/// What a method does, in a sentence.
fn sentence(method: MethodName) -> &'static str {
    match method {
        MethodName::Auto => {
            t!(SEARCH_CHOSEN_BY_TABLES_SIZE)
        }
        MethodName::Annealing => t!(SEARCH_MOVES_RECORDS_BETWEEN_CLASSES),
        MethodName::Spatial => {
            t!(SEARCH_ANNEALING_BLOCKS_NEIGHBOURING_RECORDS)
        }
        MethodName::LargeNeighbourhood => t!(SEARCH_SOLVES_FEW_NEIGHBOURING_CLASSES),
        MethodName::TwoSwap => t!(SEARCH_MAKES_BEST_EXCHANGE_TWO),
        MethodName::Decompose => t!(SEARCH_SOLVES_BLOCKS_CLASSES_ONE),
        MethodName::ColumnGeneration => {
            t!(SEARCH_SEEKS_BEST_WITH_PROOF)
        }
        MethodName::Programme => t!(SEARCH_SOLVES_ONE_PROGRAMME),
        MethodName::Md => t!(SEARCH_AT_ONE_GO_TWO),
        MethodName::Mdav => {
            t!(SEARCH_AT_ONE_GO_RECORDS)
        }
        MethodName::VMdav => t!(SEARCH_AT_ONE_GO_AS),
        MethodName::HansenMukherjee => t!(SEARCH_EXACT_FOR_ONE_QUASI),
        MethodName::Classic => {
            t!(SEARCH_AT_ONE_GO_BUCKETS)
        }
        MethodName::Tau => t!(SEARCH_AT_ONE_GO_BUCKETS_2),
        MethodName::VarianceSort => t!(SEARCH_AT_ONE_GO_SORTED),
        MethodName::GreedySearch => t!(SEARCH_AT_ONE_GO_EACH),
        MethodName::SplitAndCarry => {
            t!(SEARCH_AT_ONE_GO_RUNS)
        }
        MethodName::KMember => t!(SEARCH_AT_ONE_GO_DISTANT),
        MethodName::Mondrian => {
            t!(SEARCH_AT_ONE_GO_CUTS)
        }
        MethodName::MondrianRelaxed => t!(SEARCH_AT_ONE_GO_AS_2),
        MethodName::Random => t!(SEARCH_AT_ONE_GO_AT),
        MethodName::DokaGreedy | MethodName::DokaSortGreedy | MethodName::DokaHungarian => {
            t!(SEARCH_FREEFORM)
        }
    }
}

fn meaning(loss: LossChoice) -> &'static str {
    match loss {
        LossChoice::Published => t!(SEARCH_LOSS_PUBLISHED_IS),
        LossChoice::Of(Loss::Sse) => t!(SEARCH_DISTANCES_RECORDS_MEAN_THEIR),
        LossChoice::Of(Loss::Ncp) => t!(SEARCH_HOW_WIDE_PUBLISHED_RANGES),
        LossChoice::Of(Loss::NcpBinary) => t!(SEARCH_AS_NCP_SET_C),
    }
}

/// Why squared errors are minimised although nobody chose them.
fn instead(fields: &Fields) -> Option<String> {
    if fields.form.search.loss != LossChoice::Published {
        return None;
    }
    let state = &fields.props.state;
    Some(match unpriced(state.table.as_ref()?, &state.choices, fields.form)? {
        Unpriced::Persons => String::from(t!(SEARCH_LOSS_OF_PERSONS)),
        Unpriced::Means(name) => t!(SEARCH_LOSS_OF_MEANS, name = name),
        Unpriced::Unknown(name) => t!(SEARCH_LOSS_OF_UNKNOWN, name = name),
        Unpriced::Label(name) => t!(SEARCH_LOSS_OF_LABEL, name = name),
    })
}

/// Limit, seed, and behind "More" method and loss.
pub(super) fn search(fields: &Fields) -> Html {
    let form = &fields.form.search;
    let limit = match form.budget {
        BudgetChoice::Effort => {
            let hint = t!(SEARCH_5_USUAL_0_TAKES);
            let around = fields.around("effort", t!(SEARCH_EFFORT), hint);
            fields.text(&around, "decimal", &form.effort, |form, effort| form.search.effort = effort)
        }
        BudgetChoice::Seconds => {
            let around = fields.around("seconds", t!(SEARCH_SECONDS), t!(SEARCH_SEARCH_ENDS_AFTER_TIME));
            fields.text(&around, "decimal", &form.seconds, |form, seconds| form.search.seconds = seconds)
        }
    };
    let hint = t!(SEARCH_SAME_EFFORT_SEED_GIVE);
    let seed = t!(SEARCH_EMPTY_RANDOM_SEED_MAKES);
    html! {
        <>
            <div class="fields">
                { fields.menu(&fields.around("budget", t!(SEARCH_LIMIT_SEARCH_BY), hint), BUDGETS, form.budget,
                    |form, budget| form.search.budget = budget) }
                { limit }
                { fields.text(&fields.around("seed", t!(SEARCH_SEED_OPTIONAL), seed), "numeric", &fields.form.seed,
                    |form, seed| form.seed = seed) }
            </div>
            { more("more-search", t!(SEARCH_MORE_METHOD_LOSS), method(fields)) }
            { weights(fields) }
            { more("more-suppress", t!(SUPPRESS_MORE), suppression(fields)) }
        </>
    }
}

/// Records that may be left out instead of widening their classes.
fn suppression(fields: &Fields) -> Html {
    let form = &fields.form.search;
    let squares = form.loss == LossChoice::Of(Loss::Sse) || instead(fields).is_some();
    let price = if squares { t!(SUPPRESS_PRICE_SSE) } else { t!(SUPPRESS_PRICE_NCP) };
    html! {
        <>
            <p class="hint">{ t!(SUPPRESS_WHAT) }</p>
            <div class="fields">
                { fields.text(&fields.around("price", t!(SUPPRESS_PRICE), price), "decimal", &form.price,
                    |form, price| form.search.price = price) }
                { fields.text(&fields.around("limit", t!(SUPPRESS_LIMIT), t!(SUPPRESS_LIMIT_HINT)), "numeric", &form.limit,
                    |form, limit| form.search.limit = limit) }
            </div>
        </>
    }
}

fn method(fields: &Fields) -> Html {
    let form = &fields.form.search;
    let start = t!(SEARCH_FIRST_PARTITION_WHICH_METHOD);
    let gap = t!(SEARCH_ENDS_ONCE_LOSS_PROVEN);
    let blocks = t!(SEARCH_PARTS_SOLVED_BY_THEMSELVES);
    html! {
        <>
        if let Some(why) = instead(fields) { <p id="loss-instead" class="hint">{ why }</p> }
        <div class="fields">
            { fields.menu(&fields.around("loss", t!(SEARCH_WHAT_COUNTS_AS_LOSS), meaning(form.loss)), LOSSES, form.loss,
                |form, loss| form.search.loss = loss) }
            { fields.menu(&fields.around("method", t!(SEARCH_METHOD), sentence(form.method)), METHODS, form.method,
                |form, method| form.search.method = method) }
            { fields.menu(&fields.around("bound-work", t!(SEARCH_BOUND), t!(SEARCH_BOUND_WHAT)), BOUNDS, form.bound,
                |form, bound| form.search.bound = bound) }
            if form.method.takes(MethodOption::Start) {
                { fields.menu(&fields.around("start", t!(SEARCH_START_FROM), start), STARTS, form.start,
                    |form, start| form.search.start = start) }
            }
            if form.method.takes(MethodOption::StopGap) {
                { fields.text(&fields.around("stop-gap", t!(SEARCH_STOP_WITHIN_PER_CENT), gap), "decimal", &form.stop_gap,
                    |form, gap| form.search.stop_gap = gap) }
            }
            if form.method.takes(MethodOption::Blocks) {
                { fields.text(&fields.around("blocks", t!(SEARCH_BLOCKS), blocks), "numeric", &form.blocks,
                    |form, blocks| form.search.blocks = blocks) }
            }
            if form.method.takes(MethodOption::SwapFirst) {
                { fields.menu(&fields.around("swap-first", t!(SEARCH_EXCHANGE_RECORDS), t!(SEARCH_BEFORE_COSTS_TIME_MAKES)),
                    SWAPS, form.swap_first, |form, first| form.search.swap_first = first) }
            }
        </div>
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_there_under_its_name() {
        let names: Vec<(&str, MethodName)> =
            METHODS.iter().map(|(name, _, method)| (*name, *method)).collect();
        let offered = MethodName::ALL.into_iter().filter(|method| !method.is_freeform());
        assert_eq!(names, offered.map(|method| (method.name(), method)).collect::<Vec<_>>());
        let starts: Vec<MethodName> = STARTS.iter().filter_map(|(_, _, start)| *start).collect();
        let constructions: Vec<MethodName> =
            MethodName::ALL.into_iter().filter(|m| m.is_construction()).collect();
        assert_eq!(starts, constructions);
        assert!(STARTS.iter().all(|(name, _, start)| start.map_or("", MethodName::name) == *name));
    }
}
