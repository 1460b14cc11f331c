//! What the browser fetched for the page: the entries "resource" of its performance timeline, the early ones included.
//!
//! The timeline has what the page itself fetched. Not on it are requests of its workers and of its service worker, connections by
//! WebRTC, and navigation.

use js_sys::{Array, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{PerformanceEntry, PerformanceObserver, PerformanceObserverEntryList, PerformanceObserverInit};

use crate::state::Fetched;

/// Files of the page, beside those in [`FOLDERS`].
const FILES: [&str; 11] = [
    "",
    "index.html",
    "boot.js",
    "worker.js",
    "pool.js",
    "vault.js",
    "sw.js",
    "style.css",
    "favicon.svg",
    "manifest.webmanifest",
    "config.json",
];

/// Folders of the page's files.
const FOLDERS: [&str; 6] = ["ui/", "engine/", "import/", "optimize/", "samples/", "texts/"];

/// What an address is to a page whose files lie at `base`; `None` for what is made in the page and goes nowhere.
fn classified(address: &str, base: &str) -> Option<Fetched> {
    if ["blob:", "data:", "about:"].iter().any(|scheme| address.starts_with(scheme)) {
        return None;
    }
    let end = address.find(['?', '#']).unwrap_or(address.len());
    let own = address[..end].strip_prefix(base).filter(|path| is_own(path));
    // What stands behind a question mark may be anything, also on a file of the page.
    let plain = end == address.len() || address[end..].starts_with('#');
    Some(match own {
        Some(path) if plain => Fetched::Own(path.to_owned()),
        _ => Fetched::Request(address.to_owned()),
    })
}

fn is_own(path: &str) -> bool {
    let inside = |folder: &&str| path.strip_prefix(*folder).is_some_and(|rest| !rest.is_empty());
    !path.contains("..") && (FILES.contains(&path) || FOLDERS.iter().any(inside))
}

/// The folder of an address: where the page's files lie.
fn folder(address: &str) -> &str {
    let end = address.find(['?', '#']).unwrap_or(address.len());
    let path = &address[..end];
    path.rfind('/').map_or(path, |slash| &path[..=slash])
}

/// Hears of everything that the page fetches, until it is dropped.
pub struct Watch {
    observer: PerformanceObserver,
    _callback: Closure<dyn FnMut(PerformanceObserverEntryList)>,
}

impl Watch {
    /// Tells what was fetched so far, perhaps nothing, and then what is. `None` where the browser does not say.
    #[must_use]
    pub fn begin(mut heard: impl FnMut(Vec<Fetched>) + 'static) -> Option<Self> {
        let location = web_sys::window()?.location().href().ok()?;
        let base = folder(&location).to_owned();
        if !is_supported() {
            return None;
        }
        heard(Vec::new());
        let callback = Closure::<dyn FnMut(PerformanceObserverEntryList)>::new(
            move |list: PerformanceObserverEntryList| {
                let names = list
                    .get_entries()
                    .into_iter()
                    .filter_map(|entry| entry.dyn_into::<PerformanceEntry>().ok());
                let fetched: Vec<_> = names.filter_map(|entry| classified(&entry.name(), &base)).collect();
                if !fetched.is_empty() {
                    heard(fetched);
                }
            },
        );
        let observer = PerformanceObserver::new(callback.as_ref().unchecked_ref()).ok()?;
        let options = Object::new();
        Reflect::set(&options, &"type".into(), &"resource".into()).ok()?;
        Reflect::set(&options, &"buffered".into(), &JsValue::TRUE).ok()?;
        observer.observe(&options.unchecked_into::<PerformanceObserverInit>());
        Some(Self { observer, _callback: callback })
    }
}

/// Whether the browser has entries of this kind; asked by name, since the constructor itself may be missing.
fn is_supported() -> bool {
    let kinds = Reflect::get(&js_sys::global(), &"PerformanceObserver".into())
        .and_then(|observer| Reflect::get(&observer, &"supportedEntryTypes".into()));
    kinds.is_ok_and(|kinds| {
        Array::is_array(&kinds) && Array::from(&kinds).iter().any(|kind| kind == "resource")
    })
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(path: &str) -> Fetched {
        Fetched::Own(path.to_owned())
    }

    #[test]
    fn files_of_the_page_are_its_own_wherever_it_lies() {
        for base in ["http://127.0.0.1:8080/", "https://host/tools/lookalike/", "file:///home/a/"] {
            for path in
                ["boot.js", "ui/ui_bg.wasm", "texts/de.txt", "samples/hospital.csv", "config.json", ""]
            {
                assert_eq!(classified(&format!("{base}{path}"), base), Some(own(path)), "{base}{path}");
            }
            assert_eq!(classified(&format!("{base}favicon.svg#dark"), base), Some(own("favicon.svg")));
        }
    }

    #[test]
    fn all_else_is_a_request() {
        let base = "http://host/app/";
        for address in [
            "http://host/app/v1/jobs",
            "http://host/app/ui/",
            "http://host/app/unknown.js",
            "http://host/app/boot.js?patient=7",
            "http://host/app/ui/../../v1/jobs",
            "http://host/boot.js",
            "https://host/app/boot.js",
            "http://host.example/app/boot.js",
            "http://elsewhere/texts/de.txt",
            "moz-extension://1/x.js",
        ] {
            let request = Some(Fetched::Request(address.to_owned()));
            assert_eq!(classified(address, base), request, "{address}");
        }
    }

    #[test]
    fn what_is_made_in_the_page_goes_nowhere() {
        for address in ["blob:http://host/1", "data:image/svg+xml,x", "about:blank"] {
            assert_eq!(classified(address, "http://host/"), None);
        }
    }

    #[test]
    fn the_folder_of_an_address() {
        let folders = [
            ("http://host/", "http://host/"),
            ("http://host/app/index.html#check", "http://host/app/"),
            ("http://host/app/?a=/b", "http://host/app/"),
            ("file:///home/a/lookalike.html", "file:///home/a/"),
        ];
        for (address, expected) in folders {
            assert_eq!(folder(address), expected);
        }
    }
}
