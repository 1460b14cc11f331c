//! Surveys of parts of a table as bytes, which are put together in any order to the same bytes.

use super::{
    bytes::{In, Out, no_result},
    survey::{Seen, Survey},
};
use crate::Error;

/// What the bytes of a survey begin with.
const SURVEY: u32 = 1;

impl Survey {
    /// What was seen so far, without what it began with.
    #[must_use]
    pub fn sketch(&self) -> Vec<u8> {
        let mut out = Out::new(SURVEY);
        out.number(self.rows);
        out.number(self.kept);
        out.each(self.missing.iter(), |out, m| {
            out.size(m.cells);
            out.size(m.dropped);
        });
        let mut ranks = Vec::new();
        out.each(self.quasi.iter(), |out, seen| ranks.push(seen.write(out)));
        out.each(self.colours.iter(), |out, (text, rows)| {
            out.text(text);
            out.number(*rows);
        });
        out.number(self.colourless.0);
        out.each(self.colourless.1.iter(), |out, text| out.text(text));
        self.persons.write(&mut |x| out.number(x));
        self.sample.write(&mut out, &|at: usize, x: f64| rank(&ranks[at], x));
        out.end()
    }

    /// Takes in what another survey saw that began with the same.
    ///
    /// # Errors
    /// [`Error::Large`] if these are the bytes of something else.
    pub fn absorb(&mut self, sketch: &[u8]) -> Result<(), Error> {
        let mut read = In::new(sketch, SURVEY)?;
        self.rows += read.number()?;
        self.kept += read.number()?;
        let missing = read.each(|read| Ok((read.size()?, read.size()?)))?;
        if missing.len() != self.missing.len() || read.size()? != self.quasi.len() {
            return Err(no_result());
        }
        for (all, (cells, dropped)) in self.missing.iter_mut().zip(missing) {
            all.cells += cells;
            all.dropped += dropped;
        }
        let mut places = Vec::new();
        for seen in &mut self.quasi {
            places.push(seen.read(&mut read)?);
        }
        for (text, rows) in read.each(|read| Ok((read.text()?, read.number()?)))? {
            *self.colours.entry(text.to_owned()).or_insert(0) += rows;
        }
        self.colourless.0 += read.number()?;
        let other = read.each(In::text)?.into_iter().map(String::from);
        self.colourless.1 = self.colourless.1.take().into_iter().chain(other).min();
        self.persons.read(&mut || read.number())?;
        self.sample.read(&mut read, &|at: usize, x: f64| rank(&places[at], x))?;
        read.end()
    }
}

/// The number of a label under other numbers; numbers stay.
fn rank(ranks: &[f64], x: f64) -> f64 {
    if ranks.is_empty() { x } else { ranks.get(x as usize).copied().unwrap_or(x) }
}

impl Seen {
    /// For labels the rank of each place, by text.
    fn write(&self, out: &mut Out) -> Vec<f64> {
        out.size(self.whole.known);
        out.size(self.whole.absent);
        out.real(self.whole.low);
        out.real(self.whole.high);
        out.size(self.whole.decimals);
        self.sum.write(out);
        out.each(self.long.entries().into_iter(), |out, (bits, hash)| {
            out.number(bits);
            out.number(hash);
        });
        let mut ranks = vec![0.0; self.labels.len()];
        out.each(self.labels.iter().enumerate(), |out, (rank, (text, &place))| {
            ranks[place] = rank as f64;
            out.text(text);
            out.size(self.whole.counts[place]);
        });
        ranks
    }

    /// For labels the place of each rank of the other.
    fn read(&mut self, read: &mut In) -> Result<Vec<f64>, Error> {
        self.whole.known += read.size()?;
        self.whole.absent += read.size()?;
        self.whole.low = self.whole.low.min(read.real()?);
        self.whole.high = self.whole.high.max(read.real()?);
        self.whole.decimals = self.whole.decimals.max(read.size()?);
        self.sum.read(read)?;
        for (bits, hash) in read.each(|read| Ok((read.number()?, read.number()?)))? {
            // Of two numbers that are read as one the second look finds the other, with its cell.
            self.long.put(bits, hash);
        }
        let mut places = Vec::new();
        for (text, count) in read.each(|read| Ok((read.text()?, read.size()?)))? {
            let place = self.place(text);
            self.whole.counts[place] += count;
            places.push(place as f64);
        }
        Ok(places)
    }
}
