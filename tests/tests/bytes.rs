//! A short run of what the fuzz targets run for long: seeds, cut and changed at random.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here is a failed test")]

use std::{fs, path::Path};

use lookalike_tests::bytes::TARGETS;

/// Changed copies of each seed.
const COPIES: usize = 300;

/// A linear congruential generator: the places only have to be spread.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit.max(1)
    }
}

/// The seed with one to four changes: a byte replaced, bytes doubled, removed or swapped for those of a number or mark.
fn changed(seed: &[u8], draw: &mut Draw) -> Vec<u8> {
    let marks: [&[u8]; 8] = [b"\"", b",", b"\n", b"\r", b";", b"\0", b"\xff", b"-1e999"];
    let mut bytes = seed.to_vec();
    for _ in 0..=draw.below(4) {
        let at = draw.below(bytes.len());
        let end = (at + draw.below(9)).min(bytes.len());
        match draw.below(4) {
            0 if at < bytes.len() => bytes[at] = draw.below(256) as u8,
            1 => drop(bytes.drain(at..end)),
            2 => {
                let again = bytes[at..end].to_vec();
                drop(bytes.splice(at..at, again));
            }
            _ => drop(bytes.splice(at..at, marks[draw.below(marks.len())].iter().copied())),
        }
    }
    bytes
}

#[test]
fn no_reader_breaks_its_word() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds");
    for (name, target) in TARGETS {
        let mut draw = Draw(1);
        let (mut taken, mut refused, mut count) = (0, 0, 0);
        let mut files: Vec<_> = fs::read_dir(seeds.join(name)).unwrap().map(|f| f.unwrap().path()).collect();
        files.sort();
        for file in files {
            let seed = fs::read(&file).unwrap();
            assert!(target(&seed), "{} is not taken", file.display());
            count += 1;
            for _ in 0..COPIES {
                let bytes = changed(&seed, &mut draw);
                if target(&bytes) { taken += 1 } else { refused += 1 }
            }
            // Every beginning of a short seed, as a broken connection leaves it.
            (0..seed.len().min(400)).for_each(|length| _ = target(&seed[..length]));
        }
        assert!(
            count > 0 && taken > 0 && refused > 0,
            "{name}: {count} seeds, {taken} taken, {refused} refused"
        );
    }
}
