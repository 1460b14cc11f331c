//! What keys do that mean something everywhere on the page.

use yew::UseReducerHandle;

use crate::{
    control::Control,
    platform::{dom, keys::Pressed},
    state::{Action, State, ViewAction},
};

/// The headings of the panes, in their order: those of the workbench, and those of a check.
const PANES: [&str; 3] = ["describe", "open", "protect"];
const PANES_OF_CHECK: [&str; 3] = ["check-columns", "check", "check-asked"];

/// Whether a key did something.
pub(crate) fn pressed(state: &UseReducerHandle<State>, control: &Control, key: Pressed) -> bool {
    if state.view.asks.is_some() {
        // A question waits: only its own keys do something.
        if key == Pressed::Escape {
            control.stay();
        }
        return true;
    }
    if state.check.shown {
        return checks(state, key);
    }
    let works = state.table.is_some();
    match key {
        Pressed::Escape if state.view.expert => state.dispatch(Action::View(ViewAction::Expert(false))),
        Pressed::Escape => match &state.detail {
            Some(detail) => state.dispatch(Action::Detail(detail.column)),
            None => return false,
        },
        Pressed::Go if works => dom::click("anonymize"),
        Pressed::Open => dom::click("file-input"),
        Pressed::Undo if works => dom::click("undo"),
        Pressed::Redo if works => dom::click("redo"),
        Pressed::Pane { back } if works => dom::focus(next_pane(&PANES, dom::focused_pane(), back)),
        _ => return false,
    }
    true
}

/// What keys do where a published table is checked.
fn checks(state: &State, key: Pressed) -> bool {
    let works = state.check.published.read().is_some();
    match key {
        Pressed::Open => dom::click("check-input"),
        Pressed::Go if works => dom::click("check-start"),
        Pressed::Undo if works => dom::click("undo"),
        Pressed::Redo if works => dom::click("redo"),
        Pressed::Pane { back } if works => dom::focus(next_pane(&PANES_OF_CHECK, dom::focused_pane(), back)),
        _ => return false,
    }
    true
}

/// The pane after the one whose heading this is, or before it.
fn next_pane(panes: &[&'static str; 3], heading: Option<String>, back: bool) -> &'static str {
    let at = heading.and_then(|heading| panes.iter().position(|pane| *pane == heading));
    let next = match (at, back) {
        (None, _) => 0,
        (Some(at), false) => (at + 1) % panes.len(),
        (Some(at), true) => (at + panes.len() - 1) % panes.len(),
    };
    panes[next]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_follow_each_other_in_a_ring() {
        let next = |heading: &str| next_pane(&PANES, Some(heading.to_owned()), false);
        assert_eq!(
            (next_pane(&PANES, None, false), next("describe"), next("open"), next("protect")),
            ("describe", "open", "protect", "describe")
        );
        assert_eq!(next_pane(&PANES, Some(String::from("describe")), true), "protect");
    }
}
