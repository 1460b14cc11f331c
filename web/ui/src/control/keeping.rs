//! Work that outlives a reload of the tab, by consent.

use wasm_bindgen_futures::spawn_local;

use super::Control;
use crate::{
    platform::vault::{self, Recalled},
    state::{Action, KeepAction, Kept},
    texts::Words,
};

impl Control {
    /// Brings back what this tab kept before it was reloaded.
    pub(super) fn come_back(&self) {
        let control = self.clone();
        spawn_local(async move {
            match vault::recall(|kept: &Kept| kept.name.clone()).await {
                Ok(Recalled::Nothing) => {}
                Ok(Recalled::Consent) => control.kept(KeepAction::On(true)),
                Ok(Recalled::Work(file, kept)) => {
                    let how = kept.how.clone();
                    control.kept(KeepAction::Back(kept));
                    control.open_as(file, how);
                }
                Err(why) => control.keeps_no_more(page!(KEEP_NOT_BACK, why = why)).await,
            }
        });
    }

    /// Keeps the work over a reload from now on, or deletes it.
    pub fn keep_work(&self, on: bool) {
        let control = self.clone();
        spawn_local(async move {
            let done = if on { vault::begin().await } else { vault::forget().await };
            match done {
                Ok(()) => control.kept(KeepAction::On(on)),
                Err(why) if why.is_empty() => control.kept(KeepAction::Refused(page!(KEEP_NOWHERE))),
                Err(why) => control.keeps_no_more(page!(KEEP_REFUSED, why = why)).await,
            }
        });
    }

    /// Keeps the open table, and this that is said of it.
    pub fn keep_this(&self, kept: Kept) {
        let Some((file, _)) = self.0.open.borrow().clone() else { return };
        let control = self.clone();
        spawn_local(async move {
            if let Err(why) = vault::keep(&file, &kept).await {
                control.keeps_no_more(page!(KEEP_REFUSED, why = why)).await;
            }
        });
    }

    /// Half of the work is none: what there is of it is deleted.
    async fn keeps_no_more(&self, why: Words) {
        // What cannot be deleted now is deleted by the next page that starts.
        let _ = vault::forget().await;
        self.kept(KeepAction::Refused(why));
    }

    fn kept(&self, action: KeepAction) {
        self.dispatch(Action::Keep(action));
    }
}
