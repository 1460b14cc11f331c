//! The page as one HTML file that works from a disk: scripts and style in it, wasm modules packed beside them, a policy that
//! names the scripts by their hashes and allows no connection at all.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use base64::{Engine, prelude::BASE64_STANDARD};

use crate::bindgen::{self, Target};
use crate::offline::integrity;
use crate::project::Project;
use crate::toolchain::Flavour;
use crate::{pack, web};

/// What the worker script loads a part by, and the part's module.
const PARTS: [(&str, &str); 3] = [
    ("./engine/engine.js", "engine"),
    ("./optimize/single/optimize.js", "optimize"),
    ("./import/import.js", "import"),
];

/// Samples that stand in the file.
const SAMPLES: [&str; 3] = ["hospital.csv", "release-1.csv", "release-2.csv"];

/// Builds the page, and from it the file.
pub(crate) fn build(project: &Project) -> Result<()> {
    web::build(project)?;
    let folder = project.target.join("web/single-file");
    let mut glue = Vec::new();
    let mut packed = Vec::new();
    // A page from a disk is never cross-origin isolated.
    for module in web::MODULES.iter().filter(|module| module.flavour == Flavour::Single) {
        let (name, out) = (module.name, folder.join(module.name));
        bindgen::generate(&module.file(project), &out, name, Target::Script)?;
        packed.push((name.to_owned(), read(&out.join(format!("{name}_bg.wasm")))?));
        glue.push((name, fs::read_to_string(out.join(format!("{name}.js")))?));
    }
    for sample in SAMPLES {
        packed.push((sample.to_owned(), read(&project.root.join("samples").join(sample))?));
    }
    for language in web::LANGUAGES {
        packed.push((format!("{language}.txt"), web::texts(project, language)?.into_bytes()));
    }
    let statics = project.root.join("web/static");
    let page = assemble(&statics, &glue, &packed)?;
    let out = file(project);
    fs::write(&out, &page).with_context(|| format!("cannot write {}", out.display()))?;
    println!("{}  {:.1} kB", out.display(), page.len() as f64 / 1000.0);
    Ok(())
}

/// Where the file is put.
pub(crate) fn file(project: &Project) -> PathBuf {
    project.target.join("web/lookalike.html")
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The document.
fn assemble(statics: &Path, glue: &[(&str, String)], packed: &[(String, Vec<u8>)]) -> Result<String> {
    let file = |name: &str| -> Result<String> {
        fs::read_to_string(statics.join(name)).with_context(|| format!("cannot read {name}"))
    };
    let of = |name: &str| {
        let found = glue.iter().find(|(module, _)| *module == name).map(|(_, script)| script.as_str());
        found.with_context(|| format!("the module {name} was not built"))
    };
    let style = file("style.css")?;
    let icon = BASE64_STANDARD.encode(file("favicon.svg")?);
    let script = format!(
        "'use strict';\n{}\nconst glue = wasm_bindgen;\n{}",
        of("ui")?,
        file("../single-file/start.js")?
    );
    let worker = worker(&file("worker.js")?, &of)?;
    for inside in [&script, &worker] {
        // It would end the element that it stands in.
        if inside.contains("</script") || inside.contains("<!--") {
            bail!("a script of the page holds the end of a script element");
        }
    }
    let mut parts = String::new();
    for (name, bytes) in packed {
        let text = BASE64_STANDARD.encode(pack::gzip(bytes)?);
        writeln!(parts, "<script type=\"text/plain\" id=\"part-{name}\">{text}</script>")?;
    }
    let policy = format!(
        "default-src 'none'; script-src '{}' 'wasm-unsafe-eval'; style-src '{}'; worker-src blob:; img-src data:; \
         connect-src 'none'; form-action 'none'; base-uri 'none'",
        integrity(script.as_bytes()),
        integrity(style.as_bytes())
    );
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>Lookalike</title>\n<link rel=\"icon\" href=\"data:image/svg+xml;base64,{icon}\">\n\
         <style>{style}</style>\n</head>\n<body>\n<div id=\"app\"><p class=\"boot\" id=\"boot\">Loading ...</p></div>\n\
         <noscript><p class=\"boot\">This page does its work in your browser, with JavaScript and WebAssembly. Please allow \
         them here.</p></noscript>\n{parts}<script type=\"text/plain\" id=\"engine-script\">{worker}</script>\n\
         <script>{script}</script>\n</body>\n</html>\n"
    ))
}

/// The engine's script with its parts' scripts in front: each in a function of its own, since all use the same names.
fn worker<'a>(script: &str, of: &impl Fn(&str) -> Result<&'a str>) -> Result<String> {
    let mut text = String::from(
        "'use strict';\nconst received = new Promise((resolve) => {\n  self.addEventListener('message', (event) => {\n    \
         event.stopImmediatePropagation();\n    resolve(event.data.parts);\n  }, { once: true });\n});\nconst glues = {\n",
    );
    for (at, (path, name)) in PARTS.iter().enumerate() {
        let glue = of(name)?;
        writeln!(text, "'{path}': [{at}, () => {{\n{glue}\nreturn wasm_bindgen;\n}}],")?;
    }
    text.push_str(
        "};\nself.lookalikePart = async (path) => {\n  const [at, make] = glues[path];\n  const glue = make();\n  const bytes = \
         (await received)[at];\n  glue.default = () => glue({ module_or_path: bytes });\n  return glue;\n};\n",
    );
    text.push_str(script);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statics() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/static")
    }

    fn glue() -> Vec<(&'static str, String)> {
        ["ui", "engine", "optimize", "import"]
            .map(|name| (name, format!("let wasm_bindgen = '{name}';")))
            .to_vec()
    }

    #[test]
    fn everything_is_inside_and_nothing_is_asked_for() {
        let page = assemble(&statics(), &glue(), &[(String::from("ui"), vec![1, 2, 3])]).unwrap();
        assert!(!page.contains("src=\"") && !page.contains("href=\"style"), "something is loaded");
        assert!(page.contains("id=\"part-ui\"") && page.contains("connect-src 'none'"));
        // The policy names the very script and style that stand there.
        for (element, end) in [("<script>", "</script>"), ("<style>", "</style>")] {
            let inside = page.split_once(element).unwrap().1.split_once(end).unwrap().0;
            assert!(page.contains(&integrity(inside.as_bytes())), "{element}");
        }
        for (path, _) in PARTS {
            assert!(page.contains(&format!("'{path}': [")), "{path}");
        }
    }

    #[test]
    fn a_script_cannot_end_its_element() {
        let mut glue = glue();
        glue[1].1 = String::from("const x = '</script>';");
        assert!(assemble(&statics(), &glue, &[]).is_err());
        glue.remove(1);
        assert!(assemble(&statics(), &glue, &[]).unwrap_err().to_string().contains("engine"));
    }
}
