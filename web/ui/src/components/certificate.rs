//! Certificates of bounds: that of a result is saved, one of the open table is checked.

use lookalike_wire::page::names;
use yew::{Callback, Event, Html, MouseEvent, html};

use super::{PageProps, fields::more, save::link};
use crate::{
    platform::files::FileHandle,
    state::{Certificate, Results},
    texts::told,
};

/// The certificate of a result, if there can be one.
pub(super) fn offer(results: &Results, opened: &str) -> Html {
    let Some(url) = &results.downloads.certificate else { return html! {} };
    html! {
        <>
            <p class="buttons">
                { link("download-certificate", t!(SAVE_DOWNLOAD_CERTIFICATE), url, names::certificate(opened)) }
            </p>
            <p class="hint">{ t!(SAVE_CERTIFICATE_HINT) }</p>
        </>
    }
}

/// Checks a certificate for the open table.
pub(super) fn check(props: &PageProps) -> Html {
    let state = &*props.state;
    let control = props.control.clone();
    let settings = state.settings().and_then(Result::ok);
    let checking = matches!(state.certificate, Some(Certificate::Checking));
    let disabled = settings.is_none() || state.is_busy() || checking;
    let onchange = Callback::from(move |event: Event| {
        if let (Some(file), Some(settings)) = (FileHandle::picked(&event), &settings) {
            control.check_certificate(settings.clone(), &file);
        }
    });
    // While it works, the engine hears nothing: another takes its place, and reads the table again.
    let stop = {
        let control = props.control.clone();
        Callback::from(move |_: MouseEvent| control.restart())
    };
    html! {
        <>
            { more("more-certificate", t!(CERTIFICATE_CHECK), html! {
                <>
                    <p>
                        <span class="file">
                            <input id="certificate-input" type="file" accept=".json,application/json" {disabled} {onchange} />
                            <label for="certificate-input" class="button quiet-button">{ t!(CERTIFICATE_FILE) }</label>
                        </span>
                    </p>
                    <p class="hint">{ t!(CERTIFICATE_HINT) }</p>
                </>
            }) }
            <div>{ found(state.certificate.as_ref(), stop) }</div>
        </>
    }
}

/// What was found about it.
fn found(certificate: Option<&Certificate>, stop: Callback<MouseEvent>) -> Html {
    match certificate {
        None => html! {},
        Some(Certificate::Checking) => {
            html! {
                <>
                    <p id="certificate-checking" role="status">{ t!(CERTIFICATE_CHECKING) }</p>
                    <button id="certificate-stop" type="button" onclick={stop}>{ t!(CHECK_STOP) }</button>
                </>
            }
        }
        Some(Certificate::Found(Ok(found))) => {
            let class = yew::classes!("notice", (!found.holds).then_some("brick"));
            html! {
                <div id="certificate-found" {class} role="status" tabindex="-1" data-holds={found.holds.to_string()}>
                    <p class="notice-title">
                        { if found.holds { t!(CERTIFICATE_HOLDS) } else { t!(CERTIFICATE_FAILS) } }
                    </p>
                    { for found.lines.iter().map(|line| html! { <p>{ told(line) }</p> }) }
                </div>
            }
        }
        Some(Certificate::Found(Err(why))) => html! {
            <div id="certificate-found" class="notice brick" role="alert" tabindex="-1">
                <p class="notice-title">{ t!(CERTIFICATE_NOT_CHECKED) }</p>
                <p>{ why.html() }</p>
            </div>
        },
    }
}
