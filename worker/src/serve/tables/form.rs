//! A table on its way in: the parts of a form (`multipart/form-data`), from a body that was read within its limits.

use std::{collections::BTreeSet, convert::Infallible};

use axum::http::{HeaderMap, header};
use lookalike_wire::http::Problem;
use lookalike_words::Said;
use multer::Multipart;
use serde::de::DeserializeOwned;

use super::super::problem::{self, Detail};
use crate::tables::{TableFault, asked::Asked};

/// A table and what is asked of it.
pub(crate) struct Form {
    pub(crate) asked: Asked,
    pub(crate) table: Vec<u8>,
}

/// The boundary of the parts that the headers name.
///
/// # Errors
/// A problem if the body is no form.
pub(crate) fn boundary(headers: &HeaderMap) -> Result<String, Problem> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    multer::parse_boundary(kind).map_err(|_| problem::MEDIA_TYPE.because(Detail::NoForm))
}

/// Parts of which there is one at most.
const ONCE: [&str; 5] = ["table", "configuration", "reading", "files", "seed"];

/// The parts of a form.
///
/// # Errors
/// A problem that names the part.
pub(crate) async fn parts(bytes: Vec<u8>, boundary: String) -> Result<Form, Problem> {
    let whole = bytes.len() as u64;
    let body = tokio_stream::once(Ok::<_, Infallible>(axum::body::Bytes::from(bytes)));
    let mut form = Multipart::new(body, boundary);
    let mut asked = Asked { bytes: whole, ..Asked::default() };
    let mut table = None;
    let mut once = BTreeSet::new();
    let broken = |why: multer::Error| invalid(TableFault::Malformed { name: "form", why: why.to_string() });
    while let Some(part) = form.next_field().await.map_err(broken)? {
        let name = part.name().unwrap_or_default().to_owned();
        let file = part.file_name().map(str::to_owned);
        let content = part.bytes().await.map_err(broken)?;
        if let Some(twice) = ONCE.into_iter().find(|part| *part == name)
            && !once.insert(twice)
        {
            return Err(invalid(TableFault::Twice { name: twice }));
        }
        match name.as_str() {
            "table" => {
                asked.name = file.unwrap_or_else(|| String::from("table.csv"));
                table = Some(content.to_vec());
            }
            "configuration" => asked.configuration = text("configuration", &content)?,
            "reading" => asked.reading = json("reading", &content)?,
            "files" => asked.files = json("files", &content)?,
            "seed" => asked.seed = Some(json("seed", &content)?),
            "hierarchy" => {
                let name = file.ok_or_else(|| invalid(TableFault::Missing { name: "filename" }))?;
                asked.hierarchies.insert(name, text("hierarchy", &content)?);
            }
            _ => return Err(invalid(TableFault::Part { name })),
        }
    }
    if !once.contains("configuration") {
        return Err(invalid(TableFault::Missing { name: "configuration" }));
    }
    let table = table.ok_or_else(|| invalid(TableFault::Missing { name: "table" }))?;
    // What a run would refuse is refused before it waits.
    asked.words().map_err(|why| problem::INVALID.because(why))?;
    asked.fit().map_err(|why| problem::INVALID.because(why))?;
    Ok(Form { asked, table })
}

fn invalid(why: TableFault) -> Problem {
    problem::INVALID.because(Said::from(why))
}

fn text(name: &'static str, bytes: &[u8]) -> Result<String, Problem> {
    let text = String::from_utf8(bytes.to_vec());
    text.map_err(|why| invalid(TableFault::Malformed { name, why: why.to_string() }))
}

fn json<T: DeserializeOwned>(name: &'static str, bytes: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(bytes).map_err(|why| invalid(TableFault::Malformed { name, why: why.to_string() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_part_that_is_there_twice_is_refused() {
        let part =
            |name: &str| format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{{}}\r\n");
        let of = |names: &[&str]| {
            let body: String = names.iter().map(|name| part(name)).collect();
            parts(format!("{body}--x--\r\n").into_bytes(), String::from("x"))
        };
        assert!(of(&["configuration", "reading", "table"]).await.is_ok());
        for twice in ONCE.into_iter().filter(|part| *part != "seed") {
            let problem = of(&["configuration", "table", "reading", "files", twice]).await.err().unwrap();
            let told = serde_json::to_string(&problem).unwrap();
            assert!(told.contains(&format!("`{twice}` is there twice")), "{told}");
        }
    }
}
