use serde_json::{Value, from_value, json, to_value};

use super::*;

fn read(value: &Value) -> Result<Method, String> {
    from_value(value.clone()).map_err(|e| e.to_string())
}

#[test]
fn a_method_without_options_is_its_name() {
    for name in MethodName::ALL {
        let method = Method::from(name);
        assert_eq!(method.name(), name);
        assert_eq!(to_value(method).unwrap(), name.name());
        assert_eq!(read(&json!(name.name())), Ok(method));
        assert_eq!(read(&json!({ "name": name.name() })), Ok(method));
        assert_eq!(Construction::named(name).is_some(), name.is_construction());
        assert_eq!(method.is_freeform(), name.is_freeform());
    }
    assert!(read(&json!("annealling")).unwrap_err().contains("unknown variant `annealling`"));
    assert!(read(&json!(3)).unwrap_err().contains("the name of a method, or an object"));
}

#[test]
fn options_stand_beside_the_name_and_come_back() {
    let carry = CarryOptions { sets: 5, ..CarryOptions::default() };
    let start = Some(Construction::SplitAndCarry(SortOrder::Snake, carry));
    let blocks = NonZeroUsize::new(3).unwrap();
    let carried = to_value(carry).unwrap();
    for (method, written) in [
        (
            DecomposeOptions { start: None, blocks: Some(blocks), swap_first: true }.into(),
            json!({ "name": "decompose", "blocks": 3, "swap_first": true }),
        ),
        (
            Method::Annealing { start },
            json!({ "name": "annealing", "start": { "name": "split-and-carry", "order": "snake", "carry": carried } }),
        ),
        (Method::TwoSwap { start: Some(Construction::Tau) }, json!({ "name": "two-swap", "start": "tau" })),
        (
            ColumnGenerationOptions {
                stop_gap_percent: Some(2.5),
                extent: Extent::Whole { duals: true },
                ..ColumnGenerationOptions::default()
            }
            .into(),
            json!({ "name": "column-generation", "stop_gap_percent": 2.5, "duals": true }),
        ),
        (
            ColumnGenerationOptions {
                extent: Extent::Blocks(blocks.into()),
                ..ColumnGenerationOptions::default()
            }
            .into(),
            json!({ "name": "column-generation", "blocks": 3 }),
        ),
        (
            ColumnGenerationOptions {
                extent: Extent::Blocks(InBlocks { count: blocks, swap_first: true, final_swap: false }),
                ..ColumnGenerationOptions::default()
            }
            .into(),
            json!({ "name": "column-generation", "blocks": 3, "swap_first": true, "no_final_swap": true }),
        ),
        (
            Construction::GreedySearch(SortOrder::Values).into(),
            json!({ "name": "greedy-search", "order": "values" }),
        ),
    ] {
        assert_eq!(to_value(method).unwrap(), written);
        assert_eq!(read(&written), Ok(method));
        assert_eq!(MethodAsked::from(method).method(), Ok(method));
    }
    // Beside a start that has its options to itself.
    let flat = json!({ "name": "annealing", "start": "split-and-carry", "order": "snake", "carry": carried });
    assert_eq!(read(&flat), Ok(Method::Annealing { start }));
}

/// Every option is refused by every method that does not take it.
#[test]
fn what_a_method_does_not_take_is_refused() {
    let options = [
        (MethodOption::Start, json!({ "start": "classic" })),
        (MethodOption::Blocks, json!({ "blocks": 2 })),
        (MethodOption::SwapFirst, json!({ "swap_first": true })),
        (MethodOption::NoFinalSwap, json!({ "no_final_swap": true })),
        (MethodOption::StopGap, json!({ "stop_gap_percent": 1.0 })),
        (MethodOption::Duals, json!({ "duals": true })),
        (MethodOption::Order, json!({ "order": "snake" })),
        (MethodOption::Carry, json!({ "carry": { "sets": 4 } })),
    ];
    for name in MethodName::ALL {
        for (option, said) in &options {
            let mut method = said.clone();
            method["name"] = json!(name.name());
            // What is swapped around blocks needs some.
            let swaps = matches!(option, MethodOption::SwapFirst | MethodOption::NoFinalSwap);
            if swaps && name.takes(MethodOption::Blocks) {
                method["blocks"] = json!(2);
            }
            let read = read(&method);
            if name.takes(*option) {
                assert_eq!(to_value(read.unwrap()).unwrap()["name"], name.name());
            } else {
                assert_eq!(read.unwrap_err(), Misplaced::of(*option, name).to_string());
            }
        }
    }
}

#[test]
fn values_out_of_range_are_refused() {
    let refused = |method: Value| read(&method).unwrap_err();
    assert!(refused(json!({ "name": "decompose", "blocks": 0 })).contains("at least one block"));
    assert!(refused(json!({ "name": "column-generation", "stop_gap_percent": 101.0 })).contains("0 to 100"));
    let whole = json!({ "name": "column-generation", "swap_first": true });
    assert!(refused(whole).contains("say how many"));
    let both = json!({ "name": "column-generation", "blocks": 2, "duals": true });
    assert!(refused(both).contains("prove nothing about the whole table"));
    let search = json!({ "name": "annealing", "start": "two-swap" });
    assert!(refused(search).contains("not a construction to start from"));
    assert!(refused(json!({ "name": "annealing", "bloks": 2 })).contains("unknown field `bloks`"));
}

#[test]
fn options_are_taken_over_for_a_method_of_the_same_name() {
    let file = MethodAsked { name: Some(MethodName::Decompose), blocks: Some(3), ..MethodAsked::default() };
    let swap = MethodAsked { swap_first: true, ..MethodAsked::default() };
    assert_eq!(swap.over(file), MethodAsked { swap_first: true, ..file });
    let named = MethodAsked { name: Some(MethodName::Decompose), ..swap };
    assert_eq!(named.over(file), MethodAsked { swap_first: true, ..file });
    let other = MethodAsked { name: Some(MethodName::Annealing), ..MethodAsked::default() };
    assert_eq!(other.over(file), other);
}
