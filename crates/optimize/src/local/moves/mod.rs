//! The larger moves of annealing. One file a kind of move; each adds methods to [`super::anneal::Chain`].

mod halve;
mod regroup;
mod resplit;
mod restructure;
