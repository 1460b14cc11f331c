//! Bytes that are read slice by slice, from any place: long slices where reading goes on, no more than what is asked for elsewhere.

use std::io::{self, Read, Seek, SeekFrom};

/// Bytes that are read at a time at most: each time costs a round trip to the browser's process of files.
const MOST: u64 = 1 << 20;

/// Bytes that are read at a place that has nothing to do with the one before.
const LEAST: u64 = 4 << 10;

/// Who asks for so many bytes knows what there is to read: no more are read.
const LARGE: u64 = 128 << 10;

/// Where slices come from.
pub trait Slices {
    /// The bytes from one place up to another.
    ///
    /// # Errors
    /// If they cannot be read.
    fn slice(&mut self, from: u64, to: u64) -> io::Result<Vec<u8>>;

    /// Whether reading is to go on, which is at this place.
    fn goes_on(&mut self, at: u64) -> bool {
        let _ = at;
        true
    }
}

/// A file that is read slice by slice.
#[derive(Debug)]
pub struct Sliced<S> {
    from: S,
    size: u64,
    at: u64,
    /// The slice that was read last, and where it begins.
    slice: Vec<u8>,
    begin: u64,
}

impl<S: Slices> Sliced<S> {
    /// A file of so many bytes, at its beginning.
    pub fn new(from: S, size: u64) -> Self {
        Self { from, size, at: 0, slice: Vec::new(), begin: 0 }
    }

    /// How many bytes are read next, where so many are asked for.
    fn next(&self, asked: u64) -> u64 {
        let last = self.slice.len() as u64;
        let goes_on = last > 0 && self.at == self.begin + last;
        let size = if goes_on && asked < LARGE { (2 * last).max(asked) } else { asked };
        size.clamp(LEAST, MOST)
    }

    /// Place in the slice, if that is where the next bytes are.
    fn inside(&self) -> Option<usize> {
        let inside = usize::try_from(self.at.checked_sub(self.begin)?).ok()?;
        (inside < self.slice.len()).then_some(inside)
    }
}

impl<S: Slices> Read for Sliced<S> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // Nobody waits for a table whose reading was given up: what becomes of it is not heard.
        if self.inside().is_none() && !self.from.goes_on(self.at.min(self.size)) {
            return Err(io::Error::other(lookalike_table::Error::Vanished));
        }
        if self.at >= self.size || out.is_empty() {
            return Ok(0);
        }
        if self.inside().is_none() {
            let end = (self.at + self.next(out.len() as u64)).min(self.size);
            self.slice = self.from.slice(self.at, end)?;
            self.begin = self.at;
        }
        let Some(inside) = self.inside() else { return Ok(0) };
        let size = out.len().min(self.slice.len() - inside);
        out[..size].copy_from_slice(&self.slice[inside..inside + size]);
        self.at += size as u64;
        Ok(size)
    }
}

impl<S> Seek for Sliced<S> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::End(offset) => self.size.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.at.checked_add_signed(offset),
        };
        self.at = place.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that are their places, and the slices that were read.
    struct Places(Vec<(u64, u64)>);

    impl Slices for Places {
        fn slice(&mut self, from: u64, to: u64) -> io::Result<Vec<u8>> {
            self.0.push((from, to));
            Ok((from..to).map(|at| at as u8).collect())
        }
    }

    const SIZE: u64 = 5 << 20;

    fn read(file: &mut Sliced<Places>, at: u64, length: usize) {
        file.seek(SeekFrom::Start(at)).unwrap();
        let mut bytes = vec![0; length];
        file.read_exact(&mut bytes).unwrap();
        assert!(bytes.iter().zip(at..).all(|(byte, at)| *byte == at as u8));
    }

    #[test]
    fn where_reading_goes_on_slices_grow() {
        let mut file = Sliced::new(Places(Vec::new()), SIZE);
        let mut all = Vec::new();
        let mut piece = vec![0; 8_192];
        while let read @ 1.. = file.read(&mut piece).unwrap() {
            all.extend_from_slice(&piece[..read]);
        }
        assert!(all.len() as u64 == SIZE && all.iter().zip(0_u64..).all(|(byte, at)| *byte == at as u8));
        let sizes: Vec<u64> = file.from.0.iter().map(|(from, to)| to - from).collect();
        assert_eq!((sizes[0], sizes[1], sizes[7]), (8_192, 16_384, MOST));
        assert_eq!(sizes.iter().sum::<u64>(), SIZE, "each byte once");
    }

    #[test]
    fn elsewhere_no_more_is_read_than_what_is_asked_for() {
        let mut file = Sliced::new(Places(Vec::new()), SIZE);
        read(&mut file, 3 << 20, 300_000);
        read(&mut file, 1 << 20, 200_000);
        read(&mut file, (1 << 20) + 200_000, 150_000);
        read(&mut file, SIZE - 8, 8);
        read(&mut file, 100, 1);
        let sizes: Vec<u64> = file.from.0.iter().map(|(from, to)| to - from).collect();
        assert_eq!(sizes, [300_000, 200_000, 150_000, 8, LEAST]);
    }

    #[test]
    fn what_was_given_up_is_not_read() {
        struct Never;
        impl Slices for Never {
            fn slice(&mut self, _: u64, _: u64) -> io::Result<Vec<u8>> {
                Ok(vec![1])
            }
            fn goes_on(&mut self, _: u64) -> bool {
                false
            }
        }
        assert!(Sliced::new(Never, 1).read(&mut [0]).is_err());
    }
}
