//! The page's files, read from a folder. The build has put a packed file beside each that gets smaller by it; who takes
//! gzip gets that one as it is.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
    sync::Arc,
    time::UNIX_EPOCH,
};

use axum::{
    body::Body,
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use tokio::task::spawn_blocking;

use super::problem::{self, Detail, Refusal};

/// Answers a request for a file of the page.
pub(crate) async fn serve(folder: Option<Arc<Path>>, request: Request) -> Response {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        let refusal =
            problem::METHOD.because(Detail::NoMethodOfPage { method: request.method().to_string() });
        let mut response = Refusal(refusal).into_response();
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    let Some(folder) = folder else {
        return Refusal(problem::NOT_FOUND.because(Detail::NoPage)).into_response();
    };
    let Some(path) = locate(&folder, request.uri().path()) else { return missing() };
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    let gzip = takes_gzip(request.headers());
    match spawn_blocking(move || read(&path, gzip)).await {
        Ok(Ok(file)) => {
            let mut headers = HeaderMap::new();
            // Asked again each time: a new build shows at once, an old one costs a line.
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.media_type));
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
            if let Ok(tag) = file.tag.parse() {
                headers.insert(header::ETAG, tag);
            }
            if known.is_some_and(|k| k.as_bytes() == file.tag.as_bytes()) {
                return (StatusCode::NOT_MODIFIED, headers).into_response();
            }
            if file.packed {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            }
            (headers, Body::from(file.bytes)).into_response()
        }
        _ => missing(),
    }
}

fn missing() -> Response {
    Refusal(problem::NOT_FOUND.because(Detail::NoFile)).into_response()
}

struct File {
    bytes: Vec<u8>,
    tag: String,
    media_type: &'static str,
    /// By gzip.
    packed: bool,
}

fn read(path: &Path, gzip: bool) -> io::Result<File> {
    let about = fs::metadata(path)?;
    if !about.is_file() {
        return Err(io::ErrorKind::NotFound.into());
    }
    let changed = about.modified()?;
    let mut beside = path.as_os_str().to_owned();
    beside.push(".gz");
    // A packed file that is older than the file itself is of another one.
    let of_it = |packed: &fs::Metadata| packed.modified().is_ok_and(|time| time >= changed);
    let packed = gzip && fs::metadata(&beside).is_ok_and(|packed| packed.is_file() && of_it(&packed));
    let stamp = changed.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let form = if packed { "-gzip" } else { "" };
    Ok(File {
        bytes: if packed { fs::read(&beside)? } else { fs::read(path)? },
        tag: format!("W/\"{stamp:x}-{:x}{form}\"", about.len()),
        media_type: media_type(path),
        packed,
    })
}

/// Whether an answer may be packed by gzip.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let quality = |wanted: &str| {
        let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(',')).find_map(|part| {
            let (coding, rest) = part.split_once(';').unwrap_or((part, ""));
            let named = coding.trim().eq_ignore_ascii_case(wanted);
            // Without a quality, or with one that is not a number, it is taken.
            named.then(|| {
                rest.trim().strip_prefix("q=").and_then(|q| q.trim().parse().ok()).unwrap_or(1.0_f32)
            })
        })
    };
    quality("gzip").or_else(|| quality("*")).is_some_and(|quality| quality > 0.0)
}

/// The file that a URL's path names. The page's names are plain, so nothing is decoded, and no path leads out of the
/// folder or to a hidden file.
fn locate(folder: &Path, path: &str) -> Option<PathBuf> {
    let inside = path.strip_prefix('/')?;
    let inside = if inside.is_empty() { "index.html" } else { inside };
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._/".contains(&b);
    if !inside.bytes().all(plain) || inside.split('/').any(|part| part.is_empty() || part.starts_with('.')) {
        return None;
    }
    let inside = Path::new(inside);
    inside.components().all(|c| matches!(c, Component::Normal(_))).then(|| folder.join(inside))
}

fn media_type(path: &Path) -> &'static str {
    match path.extension().and_then(|e| e.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("csv") => "text/csv; charset=utf-8",
        Some("txt" | "md") => "text/plain; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}

/// The folder with the page: the one that was named, else one beside the program, else the build's.
pub(crate) fn find(named: Option<&Path>) -> Option<PathBuf> {
    let whole = |folder: PathBuf| folder.join("index.html").is_file().then_some(folder);
    if let Some(folder) = named {
        return whole(folder.to_owned());
    }
    let program = std::env::current_exe().ok().and_then(|p| fs::canonicalize(p).ok())?;
    let beside = program.parent()?;
    // target/release/lookalike belongs to target/web/dist.
    let build = beside.parent().map(|target| target.join("web").join("dist"));
    [Some(beside.join("web")), Some(beside.join("dist")), build].into_iter().flatten().find_map(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_in_the_folder() {
        let locate = |path: &str| locate(Path::new("/p"), path);
        assert_eq!(locate("/"), Some(PathBuf::from("/p/index.html")));
        assert_eq!(
            locate("/engine/threads/engine_bg.wasm"),
            Some(PathBuf::from("/p/engine/threads/engine_bg.wasm"))
        );
        for wrong in [
            "",
            "//",
            "/..",
            "/../x",
            "/a/../../x",
            "/a//b",
            "/.git",
            "/a/.hidden",
            "/%2e%2e/x",
            "/a\\..\\x",
            "/c:/x",
            "/a/",
        ] {
            assert_eq!(locate(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn gzip_is_taken_by_name_or_by_star_unless_its_quality_is_none() {
        let takes = |values: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
            }
            takes_gzip(&headers)
        };
        for yes in [&["gzip"][..], &["br, GZip;q=0.5"], &["*"], &["br", "deflate, gzip"], &["gzip, *;q=0"]] {
            assert!(takes(yes), "{yes:?}");
        }
        for no in [&[][..], &["br"], &["gzip;q=0"], &["gzip; q=0.0, *"], &["identity, *;q=0"], &["x-gzippy"]]
        {
            assert!(!takes(no), "{no:?}");
        }
    }

    #[test]
    fn what_browsers_insist_on() {
        assert_eq!(media_type(Path::new("a.wasm")), "application/wasm");
        assert!(media_type(Path::new("a.js")).starts_with("text/javascript"));
    }
}
