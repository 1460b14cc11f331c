//! Blocks of a search that are solved elsewhere, as compact bytes. Like a job, a block is numbers without names.
//!
//! A container (`container.rs` has the layout) of the kind `LLBK`, version 1: the [`AnnealBlock`] as JSON with its `points`, `colours`,
//! `codes` and `start` empty, then these four: the coordinates as doubles, the others as whole numbers. A block that is a job of
//! its own has a job's bytes ([`binary`](crate::binary)).

use lookalike_model::block::{AnnealBlock, Block};

use crate::{
    binary,
    container::{Kind, List, Malformed, Piece, Wrong, read, write},
};

const KIND: Kind = Kind { magic: b"LLBK", version: 1 };

/// A block as bytes.
///
/// # Errors
/// If the header cannot be written.
pub fn encode(block: Block) -> Result<Vec<u8>, serde_json::Error> {
    let mut part = match block {
        Block::Job(job) => return binary::encode(*job),
        Block::Anneal(part) => part,
    };
    let points = std::mem::take(&mut part.points);
    let [colours, codes, start] = [&mut part.colours, &mut part.codes, &mut part.start].map(std::mem::take);
    let lists = [List::Doubles(&points), List::Wholes(&colours), List::Wholes(&codes), List::Wholes(&start)];
    write(&KIND, &part, &lists)
}

/// The block that the bytes are. Its numbers are not judged here.
///
/// # Errors
/// If the bytes are not in this format to the last one.
pub fn decode(bytes: &[u8]) -> Result<Block, Wrong> {
    if !bytes.starts_with(KIND.magic) {
        return binary::decode(bytes).map(|job| Block::Job(Box::new(job)));
    }
    let (header, mut rest) = read(&KIND, bytes)?;
    let mut part: AnnealBlock =
        serde_json::from_slice(header).map_err(|e| Malformed::Header { why: e.to_string() })?;
    if ![part.colours.len(), part.codes.len(), part.start.len(), part.points.len()].iter().all(|&n| n == 0) {
        return Err(Malformed::HeaderHoldsNumbers.into());
    }
    part.points = rest.array(Piece::Coordinates, f64::from_le_bytes)?;
    part.colours = rest.array(Piece::Colours, u32::from_le_bytes)?;
    part.codes = rest.array(Piece::Codes, u32::from_le_bytes)?;
    part.start = rest.array(Piece::Start, u32::from_le_bytes)?;
    rest.end(Piece::Start)?;
    Ok(Block::Anneal(part))
}

#[cfg(test)]
mod tests {
    use lookalike_model::{block::Work, rule::Rule, settings::Loss};

    use super::*;

    fn part() -> AnnealBlock {
        AnnealBlock {
            dims: 2,
            points: vec![0.1, -0.0, 1e-300, 7.0],
            colours: vec![0, 1, 0],
            categories: vec![(1, 0.1 + 0.2)],
            codes: vec![3, 0, 0],
            hierarchies: vec![(0, 0.5, vec![0.25, 1.0])],
            steps: vec![0.1 + 0.7],
            ranks: vec![1, 0],
            values: Vec::new(),
            rule: Rule::all_different(2),
            loss: Loss::Ncp,
            start: vec![0, 0, 1],
            work: Work::Cool { temperatures: vec![0.1 / 3.0, 0.0], moves: u64::MAX, stream: 1 << 40 },
            seed: u64::MAX,
        }
    }

    #[test]
    fn a_block_comes_back_bit_for_bit() {
        for work in [part().work, Work::Anneal { effort: 0.3 }] {
            let block = Block::Anneal(AnnealBlock { work, ..part() });
            let bytes = encode(block.clone()).unwrap();
            assert_eq!(decode(&bytes).unwrap(), block);
            assert_eq!(encode(decode(&bytes).unwrap()).unwrap(), bytes);
        }
    }

    #[test]
    fn broken_bytes_are_no_block() {
        let bytes = encode(Block::Anneal(part())).unwrap();
        for end in 0..bytes.len() {
            assert!(decode(&bytes[..end]).is_err(), "{end}");
        }
        assert!(matches!(decode(&[&bytes[..], &[0]].concat()), Err(Wrong::Malformed(_))));
        let mut newer = bytes;
        newer[4] = 2;
        assert_eq!(decode(&newer), Err(Wrong::Version { version: 2 }));
    }
}
