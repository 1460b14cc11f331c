//! The strip at the bottom: one line of what is open, what is asked for, what came out and what was sent, and behind a word what is
//! counted.

use yew::{Html, html};

use crate::{
    format::{bytes, moment},
    lines::{self, Tone},
    state::State,
};

/// The strip at the bottom.
pub(crate) fn strip(state: &State) -> Html {
    let (verdict, tone) = lines::verdict(state);
    let class = match tone {
        Tone::Plain => None,
        Tone::Good => Some("good"),
        Tone::Amber => Some("amber"),
        Tone::Brick => Some("brick"),
    };
    let count = state.requests.as_ref().map(|requests| requests.count.to_string());
    html! {
        <footer class="strip" inert={state.view.asks.is_some()}>
            <div class="strip-line">
                <dl>
                    <div><dt class="unseen">{ t!(STRIP_LOADED) }</dt><dd id="strip-loaded">{ lines::loaded(state) }</dd></div>
                    <div class="wide"><dt class="unseen">{ t!(STRIP_GUARANTEE) }</dt><dd id="strip-guarantee">{ lines::guarantee(state) }</dd></div>
                    <div><dt class="unseen">{ t!(STRIP_VERDICT) }</dt><dd id="strip-verdict" {class}>{ verdict }</dd></div>
                    <div><dt class="unseen">{ t!(STRIP_NETWORK) }</dt><dd id="strip-network" data-requests={count} data-short={lines::sent_in_short(state)}><span>{ lines::requests(state) }</span></dd></div>
                </dl>
                <details id="strip-counted">
                    <summary><span class="about">{ t!(COUNTED_TITLE) }</span></summary>
                    { counted(state) }
                </details>
            </div>
        </footer>
    }
}

/// What is counted, what was fetched and sent, and what cannot be seen.
fn counted(state: &State) -> Html {
    let jobs = state
        .sent
        .iter()
        .map(|sent| t!(COUNTED_JOB, size = bytes(sent.bytes as f64), to = sent.to, at = moment(&sent.at)));
    let jobs: Vec<String> = jobs.collect();
    html! {
        <div class="counted" tabindex="0" role="region" aria-label={t!(COUNTED_TITLE)}>
            if state.requests.is_some() {
                <p>{ t!(COUNTED_ABOUT) }{ " " }{ t!(COUNTED_NOT_SEEN) }</p>
            } else {
                <p>{ t!(COUNTED_UNSUPPORTED) }</p>
            }
            if !jobs.is_empty() { <p>{ t!(COUNTED_JOBS) }</p>{ items(jobs) } }
            if let Some(requests) = &state.requests {
                <p>{ t!(COUNTED_REQUESTS) }</p>
                { items(requests_of(requests)) }
                <p>{ t!(COUNTED_OWN) }</p>
                { items(requests.own.clone()) }
            }
        </div>
    }
}

fn requests_of(requests: &crate::state::Requests) -> Vec<String> {
    let mut all: Vec<String> =
        requests.to.iter().map(|(address, times)| n!(COUNTED_TIMES, *times, address = address)).collect();
    match requests.others() {
        0 if all.is_empty() => all.push(String::from(t!(COUNTED_NONE))),
        0 => {}
        others => all.push(n!(COUNTED_MORE, others)),
    }
    all
}

fn items(all: Vec<String>) -> Html {
    html! { <ul>{ for all.into_iter().map(|one| html! { <li>{ one }</li> }) }</ul> }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Action, Fetched, reduce};

    #[test]
    fn requests_are_listed_with_their_numbers() {
        let to = |address: &str| Fetched::Request(address.to_owned());
        let listed = |fetched| {
            let state = reduce(State::default(), Action::Fetched(fetched));
            requests_of(state.requests.as_ref().unwrap())
        };
        assert_eq!(listed(Vec::new()), ["None"]);
        assert_eq!(
            listed(vec![to("http://w/a"), to("http://w/b"), to("http://w/a")]),
            ["http://w/a, 2 times", "http://w/b, 1 time"]
        );
        let many = listed((0..103).map(|n| to(&n.to_string())).collect());
        assert_eq!(many.last().unwrap(), "3 requests to other addresses");
    }
}
