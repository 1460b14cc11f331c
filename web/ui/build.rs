//! Makes a constant of every key of `texts/en.txt`, and compiles the English messages in: a key that does not exist, or that
//! nobody uses, is told by the compiler.

use std::{env, fmt::Write as _, fs, io, path::Path};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=texts/en.txt");
    let (mut keys, mut messages) = (String::new(), String::new());
    let text = fs::read_to_string("texts/en.txt")?;
    let Some(settings) = text.find("\n[setting]\n") else {
        return Err(io::Error::other("texts/en.txt has no section [setting]"));
    };
    let (text, settings) = text.split_at(settings + 1);
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    for (at, line) in lines.enumerate() {
        let Some((key, message)) = line.split_once(" = ") else {
            return Err(io::Error::other(format!("texts/en.txt: \"{line}\" is not \"KEY = message\"")));
        };
        // Writing to a string cannot fail.
        let _ = writeln!(keys, "pub(crate) const {key}: super::Key = super::Key({at});");
        let _ = writeln!(messages, "{message:?},");
    }
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo names no OUT_DIR"))?;
    fs::write(Path::new(&out).join("keys.rs"), keys)?;
    fs::write(Path::new(&out).join("settings.txt"), settings)?;
    fs::write(Path::new(&out).join("english.rs"), format!("&[{messages}]"))
}
