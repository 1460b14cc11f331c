//! JSON lines: one object a line, whose keys are the columns and whose values are the cells.
//!
//! A text is read twice: for the keys, which any line may add to, and for what is wrong with it; then as the text of a CSV. A
//! text stands as it is, a number in its own spelling, `true` and `false` as these words; null, and a key that is not there,
//! is an empty cell.

use std::{
    fmt,
    io::{self, BufRead, BufReader, Read},
};

use lookalike_words::{Cell, Name};
use rustc_hash::FxHashMap;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::{
    Error, JsonFault, Note, Oddity, Place, Warning,
    skip::{Cut, Skip},
    source_form::{Consume, Form, MARK, Rewind},
    write::write_row,
};

/// Bytes of the longest line.
const LONGEST: usize = 16 << 20;

/// Keys of all lines together.
const KEYS: usize = 1 << 14;

/// Reads the keys, and lets the rows be consumed.
pub(crate) fn read<T>(
    source: &mut dyn Rewind,
    skip: Skip,
    form: &mut Form,
    consume: &mut Consume<'_, T>,
) -> Result<(T, Vec<Warning>), Error> {
    let keys = Keys::of(Cut::new(source.rewind()?, skip), skip).map_err(|error| skip.nothing_left(error))?;
    form.notes.push(Note::JsonLines { objects: keys.objects, keys: keys.names.len() });
    form.texts = keys.texts();
    let mut cut = Cut::new(source.rewind()?, skip);
    let done = consume(form, &mut Rows::new(&mut cut, skip, &keys))?;
    let mut warnings = cut.skipped().into_warnings();
    warnings.extend(keys.into_warnings());
    Ok((done, warnings))
}

/// The keys of all lines, in the order of their first occurrence.
#[derive(Default)]
struct Keys {
    names: Vec<String>,
    places: FxHashMap<String, usize>,
    /// For each, whether a value is a text, and whether one is something else.
    kinds: Vec<(bool, bool)>,
    objects: usize,
    /// Lines without anything in them, and the first of them.
    blank: usize,
    first_blank: usize,
    /// Keys with white space around them.
    trimmed: Vec<String>,
}

impl Keys {
    fn of<R: Read>(source: R, skip: Skip) -> Result<Self, Error> {
        let mut lines = Lines::new(source, skip.first);
        let mut keys = Self::default();
        // For each key the last object that has it.
        let mut seen: Vec<usize> = Vec::new();
        while lines.next()? {
            let Some(text) = lines.text(keys.objects + 1)? else {
                keys.blank += 1;
                if keys.blank == 1 {
                    keys.first_blank = lines.number;
                }
                continue;
            };
            keys.objects += 1;
            let fault = |why| lines.fault(why);
            for (key, value) in members(text).map_err(fault)? {
                let name = key.trim();
                if name.is_empty() {
                    return Err(fault(JsonFault::BlankKey));
                }
                let named = || Name::from(name);
                let place = match keys.places.get(name) {
                    Some(&place) => place,
                    None => keys.add(name).map_err(fault)?,
                };
                seen.resize(keys.names.len(), 0);
                if std::mem::replace(&mut seen[place], keys.objects) == keys.objects {
                    return Err(fault(JsonFault::KeyTwice { key: named() }));
                }
                if name.len() < key.len() && !keys.trimmed.iter().any(|known| known == name) {
                    keys.trimmed.push(name.to_owned());
                }
                let of_text = value.get().starts_with('"');
                let cell = cell(value, named).map_err(fault)?;
                if name.contains('\0') || cell.contains('\0') {
                    return Err(fault(JsonFault::Nul { key: named() }));
                }
                if of_text || !cell.is_empty() {
                    keys.kinds[place].0 |= of_text;
                    keys.kinds[place].1 |= !of_text;
                }
            }
        }
        match (keys.objects, keys.names.len()) {
            (0, _) => Err(Error::Empty),
            (_, 0) => Err(Error::JsonLine { line: skip.first + 1, why: JsonFault::NoKey }),
            _ => Ok(keys),
        }
    }

    fn add(&mut self, name: &str) -> Result<usize, JsonFault> {
        let place = self.names.len();
        if place >= KEYS {
            return Err(JsonFault::ManyKeys { limit: KEYS });
        }
        self.names.push(name.to_owned());
        self.places.insert(name.to_owned(), place);
        self.kinds.push((false, false));
        Ok(place)
    }

    /// The keys whose known values are all texts.
    fn texts(&self) -> Vec<String> {
        let texts = self.names.iter().zip(&self.kinds).filter(|(_, kinds)| **kinds == (true, false));
        texts.map(|(name, _)| name.clone()).collect()
    }

    fn into_warnings(self) -> Vec<Warning> {
        let names: Vec<Cell> = self.trimmed.iter().map(|name| Cell::from(name.as_str())).collect();
        let trimmed = (!names.is_empty()).then_some(Oddity::WhiteSpace { names });
        let (lines, first) = (self.blank, self.first_blank);
        let blank = (lines > 0).then_some(Oddity::BlankLines { lines, first, one_column: false });
        trimmed.into_iter().chain(blank).map(Warning::of).collect()
    }
}

/// A value as a cell.
fn cell(value: &RawValue, key: impl Fn() -> Name) -> Result<String, JsonFault> {
    let text = value.get();
    match text.as_bytes().first() {
        Some(b'"') => serde_json::from_str(text).map_err(|_| JsonFault::BrokenText { key: key() }),
        Some(b'{' | b'[') => Err(JsonFault::Nested { key: key() }),
        Some(b'n') => Ok(String::new()),
        _ => Ok(text.to_owned()),
    }
}

/// The members of an object in their order, two of one key included.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfObject;

        impl<'de> Visitor<'de> for OfObject {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(members)
            }
        }

        deserializer.deserialize_map(OfObject).map(Members)
    }
}

fn members(text: &str) -> Result<Vec<(String, &RawValue)>, JsonFault> {
    if !text.starts_with('{') {
        return Err(JsonFault::NotObject);
    }
    let members: Result<Members, _> = serde_json::from_str(text);
    members.map(|members| members.0).map_err(|error| JsonFault::Broken { column: error.column() })
}

/// The lines of a text.
struct Lines<R> {
    source: BufReader<R>,
    bytes: Vec<u8>,
    /// 1-based, in the file.
    number: usize,
}

impl<R: Read> Lines<R> {
    fn new(source: R, before: usize) -> Self {
        Self { source: BufReader::with_capacity(1 << 16, source), bytes: Vec::new(), number: before }
    }

    /// Reads the next line; false at the end.
    fn next(&mut self) -> Result<bool, Error> {
        self.bytes.clear();
        let mut source = (&mut self.source).take(LONGEST as u64 + 1);
        let read = source.read_until(b'\n', &mut self.bytes).map_err(|error| Error::from_io(&error))?;
        if read > LONGEST {
            return Err(Error::LongLine { limit: LONGEST });
        }
        self.number += 1;
        Ok(read > 0)
    }

    /// What stands in it, as the object of this number; `None` if nothing does.
    fn text(&self, row: usize) -> Result<Option<&str>, Error> {
        let bytes = self.bytes.strip_prefix(MARK).unwrap_or(&self.bytes).trim_ascii();
        let place = Place::Row { row, line: self.number };
        let text = std::str::from_utf8(bytes).map_err(|_| Error::NotUtf8 { place, column: 1 })?;
        Ok(Some(text).filter(|text| !text.is_empty()))
    }

    fn fault(&self, why: JsonFault) -> Error {
        Error::JsonLine { line: self.number, why }
    }
}

/// The objects as the rows of a CSV, below their keys.
struct Rows<'a, R> {
    lines: Lines<R>,
    keys: &'a Keys,
    objects: usize,
    begun: bool,
    text: Vec<u8>,
    at: usize,
}

impl<'a, R: Read> Rows<'a, R> {
    fn new(source: R, skip: Skip, keys: &'a Keys) -> Self {
        Self {
            lines: Lines::new(source, skip.first),
            keys,
            objects: 0,
            begun: false,
            text: Vec::new(),
            at: 0,
        }
    }

    /// Writes the next row; none at the end.
    fn advance(&mut self) -> Result<(), Error> {
        self.text.clear();
        self.at = 0;
        if !std::mem::replace(&mut self.begun, true) {
            write_row(&mut self.text, self.keys.names.iter().map(String::as_str));
            return Ok(());
        }
        while self.lines.next()? {
            let Some(text) = self.lines.text(self.objects + 1)? else { continue };
            self.objects += 1;
            let fault = |why| self.lines.fault(why);
            let mut cells = vec![String::new(); self.keys.names.len()];
            for (key, value) in members(text).map_err(fault)? {
                let name = key.trim();
                let place = self.keys.places.get(name).ok_or_else(|| fault(JsonFault::Changed))?;
                cells[*place] = cell(value, || Name::from(name)).map_err(fault)?;
            }
            write_row(&mut self.text, cells.iter().map(String::as_str));
            break;
        }
        Ok(())
    }
}

impl<R: Read> Read for Rows<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.at == self.text.len() {
            self.advance().map_err(io::Error::other)?;
        }
        let size = out.len().min(self.text.len() - self.at);
        out[..size].copy_from_slice(&self.text[self.at..self.at + size]);
        self.at += size;
        Ok(size)
    }
}
