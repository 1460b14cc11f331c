//! A file that is being read: its name, how far it is, and the way out.

use yew::{Callback, Html, MouseEvent, html};

use super::{PageProps, notice, taken::taken};
use crate::{format::bytes, state::Source};

/// The file that is being read.
pub(super) fn reading(props: &PageProps, source: &Source) -> Html {
    let state = &*props.state;
    let (read, all) = (state.reading.bytes.min(source.bytes), source.bytes);
    let how_far = if read < all || all <= 0.0 {
        t!(READING_OF, read = bytes(read), size = bytes(all))
    } else {
        t!(READING_COLUMNS).to_owned()
    };
    let control = props.control.clone();
    let onclick = Callback::from(move |_: MouseEvent| control.cancel_reading());
    let cancelling = state.reading.cancelling;
    html! {
        <div id="reading" class="reading" data-read={read.to_string()}>
            { notice::scarce(state) }
            <p role="status">{ t!(OPEN_READING, name = source.name, size = bytes(all)) }</p>
            <progress aria-label={t!(READING_BAR)} max={all.max(1.0).to_string()} value={read.to_string()} />
            <p class="hint">{ how_far }</p>
            // The open table that another engine reads again is not given up: there would be none.
            if !state.look.again {
                <p><button id="cancel-reading" type="button" disabled={cancelling} {onclick}>
                    { if cancelling { t!(SOLVE_CANCELLING) } else { t!(SOLVE_CANCEL) } }
                </button></p>
            }
            { taken(props) }
        </div>
    }
}
