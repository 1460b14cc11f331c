//! Sheets of an ODS workbook (Open Document Format), cell for cell.
//!
//! Its content is one XML file, which is read as a stream: once for the names of the sheets, once for the cells of one. A cell or a
//! row may say that it is repeated, so that few bytes can mean many cells: what is repeated has an upper limit of bytes, too.

use std::{
    collections::HashSet,
    io::{BufRead, BufReader, Read, Seek},
};

use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};
use zip::ZipArchive;

use super::{
    Cells, ROWS, Sheet,
    cell::Shown,
    open_document_cell::{Content, Value},
};
use crate::{Container, Damage, Error};

/// Columns of the widest sheet there is.
const COLUMNS: u32 = 1 << 14;

/// The file that holds the sheets.
const CONTENT: &str = "content.xml";

/// What the XML reader, or the reader below it, says of the bytes.
fn damaged(why: &quick_xml::Error) -> Error {
    if let quick_xml::Error::Io(io) = why
        && let Some(ours) = io.get_ref().and_then(|inner| inner.downcast_ref::<Error>())
    {
        return ours.clone();
    }
    broken(&why.to_string())
}

fn broken(says: &str) -> Error {
    Error::Damaged { what: Container::Ods, why: Damage::Unpacker { says: says.to_owned() } }
}

/// The value of an attribute, without its entities; none if it is not there.
pub(super) fn attribute(element: &BytesStart<'_>, name: &str) -> Result<Option<String>, Error> {
    let found = element.try_get_attribute(name).map_err(|why| broken(&why.to_string()))?;
    let Some(found) = found else { return Ok(None) };
    let value = quick_xml::escape::unescape(&found.value).map_err(|why| broken(&why.to_string()))?;
    Ok(Some(value.into_owned()))
}

/// How often an element says that it is repeated.
fn repeated(element: &BytesStart<'_>, name: &str) -> Result<u32, Error> {
    let Some(count) = attribute(element, name)? else { return Ok(1) };
    count.parse().map_err(|_| broken("a cell or a row is repeated an unknown number of times"))
}

type Xml<'a> = Reader<Box<dyn BufRead + 'a>>;

fn xml<R: Read + Seek>(packed: &mut ZipArchive<R>) -> Result<Xml<'_>, Error> {
    let content = packed.by_name(CONTENT).map_err(|why| broken(&why.to_string()))?;
    let mut xml = Reader::from_reader(Box::new(BufReader::new(content)) as Box<dyn BufRead>);
    // Empty elements begin and end as others do.
    xml.config_mut().expand_empty_elements = true;
    Ok(xml)
}

/// Whether only a password opens it.
pub(super) fn is_locked<R: Read + Seek>(packed: &mut ZipArchive<R>) -> bool {
    const LONGEST: u64 = 1 << 20;
    let Ok(manifest) = packed.by_name("META-INF/manifest.xml") else { return false };
    let mut bytes = Vec::new();
    manifest.take(LONGEST).read_to_end(&mut bytes).is_ok()
        && String::from_utf8_lossy(&bytes).contains("encryption-data")
}

/// The sheets, in their order.
pub(super) fn sheets<R: Read + Seek>(packed: &mut ZipArchive<R>) -> Result<Vec<Sheet>, Error> {
    let mut xml = xml(packed)?;
    let mut buffer = Vec::new();
    let (mut sheets, mut hidden, mut style, mut depth) = (Vec::new(), HashSet::new(), None, 0);
    loop {
        buffer.clear();
        match xml.read_event_into(&mut buffer).map_err(|why| damaged(&why))? {
            Event::Start(element) => match element.name().as_ref() {
                "style:style" => style = attribute(&element, "style:name")?,
                "style:table-properties" => {
                    let is_hidden =
                        attribute(&element, "table:display")?.is_some_and(|shown| shown == "false");
                    hidden.extend(style.take().filter(|_| is_hidden));
                }
                "table:table" => {
                    depth += 1;
                    if depth == 1 {
                        let name = attribute(&element, "table:name")?.unwrap_or_default();
                        let style = attribute(&element, "table:style-name")?;
                        let is_shown = style.is_none_or(|style| !hidden.contains(&style));
                        sheets.push(Sheet { name, is_shown });
                    }
                }
                _ => {}
            },
            Event::End(element) if element.name().as_ref() == "table:table" => depth -= 1,
            Event::Eof => return Ok(sheets),
            _ => {}
        }
    }
}

/// The cells of a sheet, row for row.
pub(super) struct Table<'a> {
    xml: Xml<'a>,
    buffer: Vec<u8>,
    /// 0-based row of the cells below, and how often the row stands there in all.
    row: u32,
    times: u32,
    /// Its cells that are not empty, by their columns, and the one that is next.
    cells: Vec<(u32, String, Shown)>,
    next: usize,
    /// Bytes that repeated cells may still have.
    left: u64,
    limit: u64,
    ended: bool,
}

impl<'a> Table<'a> {
    /// The sheet at this place.
    pub(super) fn new<R: Read + Seek>(
        packed: &'a mut ZipArchive<R>,
        sheet: usize,
        limit: u64,
    ) -> Result<Self, Error> {
        let mut xml = xml(packed)?;
        let mut buffer = Vec::new();
        let (mut before, mut depth) = (sheet, 0);
        loop {
            buffer.clear();
            match xml.read_event_into(&mut buffer).map_err(|why| damaged(&why))? {
                Event::Start(element) if element.name().as_ref() == "table:table" => {
                    depth += 1;
                    if depth == 1 && before == 0 {
                        break;
                    }
                    before -= usize::from(depth == 1);
                }
                Event::End(element) if element.name().as_ref() == "table:table" => depth -= 1,
                Event::Eof => return Err(broken("a sheet is no longer there")),
                _ => {}
            }
        }
        let cells = Vec::new();
        Ok(Self { xml, buffer, row: 0, times: 0, cells, next: 0, left: limit, limit, ended: false })
    }

    /// Reads rows until one has cells.
    fn next_row(&mut self) -> Result<(), Error> {
        self.row = self.row.saturating_add(self.times);
        (self.next, self.times) = (0, 0);
        self.cells.clear();
        let mut depth = 0;
        loop {
            self.buffer.clear();
            match self.xml.read_event_into(&mut self.buffer).map_err(|why| damaged(&why))? {
                Event::Start(element) if element.name().as_ref() == "table:table-row" && depth == 0 => {
                    let times = repeated(&element, "table:number-rows-repeated")?;
                    self.read_cells()?;
                    if !self.cells.is_empty() {
                        self.times = times;
                        return self.spend(u64::from(times - times.min(1)));
                    }
                    self.row = self.row.saturating_add(times);
                }
                // A shape may hold a table of its own.
                Event::Start(element) if element.name().as_ref() == "table:table" => depth += 1,
                Event::End(element) if element.name().as_ref() == "table:table" => {
                    if depth == 0 {
                        self.ended = true;
                        return Ok(());
                    }
                    depth -= 1;
                }
                Event::Eof => return Err(broken("it ends within a sheet")),
                _ => {}
            }
        }
    }

    /// Counts the cells of this row so many times more.
    fn spend(&mut self, times: u64) -> Result<(), Error> {
        let bytes: u64 = self.cells.iter().map(|(_, text, _)| text.len() as u64 + 1).sum();
        self.left = bytes
            .checked_mul(times)
            .and_then(|bytes| self.left.checked_sub(bytes))
            .ok_or(Error::Unpacked { limit: self.limit })?;
        Ok(())
    }

    fn read_cells(&mut self) -> Result<(), Error> {
        let mut column: u32 = 0;
        loop {
            self.buffer.clear();
            let value = match self.xml.read_event_into(&mut self.buffer).map_err(|why| damaged(&why))? {
                Event::Start(element)
                    if matches!(element.name().as_ref(), "table:table-cell" | "table:covered-table-cell") =>
                {
                    let times = repeated(&element, "table:number-columns-repeated")?;
                    (Value::of(&element)?, times)
                }
                Event::End(element) if element.name().as_ref() == "table:table-row" => return Ok(()),
                Event::Eof => return Err(broken("it ends within a row")),
                _ => continue,
            };
            let (value, times) = value;
            let content = self.content()?;
            let (text, shown) = value.shown(&content);
            if !text.is_empty() {
                let bytes = (text.len() as u64 + 1) * u64::from(times.saturating_sub(1));
                self.left = self.left.checked_sub(bytes).ok_or(Error::Unpacked { limit: self.limit })?;
                for at in 0..times {
                    let at = column.saturating_add(at);
                    if self.row >= ROWS || at >= COLUMNS {
                        let (row, column) = (u64::from(self.row) + 1, u64::from(at) + 1);
                        return Err(Error::Damaged {
                            what: Container::Ods,
                            why: Damage::CellOutside { row, column },
                        });
                    }
                    self.cells.push((at, text.clone(), shown));
                }
            }
            column = column.saturating_add(times);
        }
    }

    /// The text in a cell, up to its end; not that of remarks and shapes.
    fn content(&mut self) -> Result<String, Error> {
        let mut content = Content::default();
        loop {
            self.buffer.clear();
            match self.xml.read_event_into(&mut self.buffer).map_err(|why| damaged(&why))? {
                Event::Start(element) => content.begin(element.name().as_ref(), &element)?,
                Event::End(element) if content.end(element.name().as_ref()) => return Ok(content.text()),
                Event::Text(text) => content.put(&text.xml10_content()),
                Event::CData(text) => content.put(&text.xml10_content()),
                Event::GeneralRef(reference) => {
                    let by_number = reference.resolve_char_ref().map_err(|why| damaged(&why))?;
                    if let Some(c) = by_number {
                        content.put(c.encode_utf8(&mut [0; 4]));
                    } else {
                        let name = reference.xml10_content();
                        let known = quick_xml::escape::resolve_xml_entity(&name);
                        content.put(known.ok_or_else(|| broken("an entity has no meaning"))?);
                    }
                }
                Event::Eof => return Err(broken("it ends within a cell")),
                _ => {}
            }
        }
    }
}

impl Cells for Table<'_> {
    const WHAT: Container = Container::Ods;

    fn next(&mut self) -> Result<Option<(u32, u32, String, Shown)>, Error> {
        loop {
            if let Some((column, text, shown)) = self.cells.get(self.next) {
                self.next += 1;
                return Ok(Some((self.row, *column, text.clone(), *shown)));
            }
            if self.ended {
                return Ok(None);
            }
            if self.times > 1 {
                (self.row, self.times, self.next) = (self.row + 1, self.times - 1, 0);
            } else {
                self.next_row()?;
            }
        }
    }
}
