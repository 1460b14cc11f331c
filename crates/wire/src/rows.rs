//! Row groups: some rows of a large table, and the cuts that place them, as compact bytes. Of a value they tell between
//! which cuts of its attribute it lies, and no more; of a sensitive value a code.
//!
//! A container (`container.rs` has the layout) of the kind `LLRG`, version 2: number of the group and number of attributes d as
//! JSON, then four lists of whole numbers: the attribute that each node cuts ([`LEAF`] at a leaf), where each cuts (0 at a leaf),
//! the places row by row (d for each row), and the colours.

use lookalike_model::block::{Node, Rows};
use serde::{Deserialize, Serialize};

use crate::container::{Kind, List, Malformed, Piece, Wrong, read, write};

pub(crate) const KIND: Kind = Kind { magic: b"LLRG", version: 2 };

/// What is not in a list.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    number: u64,
    dims: usize,
}

/// In place of an attribute.
const LEAF: u32 = u32::MAX;

/// A row group as bytes.
///
/// # Errors
/// If the header cannot be written.
pub(crate) fn encode(rows: &Rows) -> Result<Vec<u8>, serde_json::Error> {
    let parts = |node: &Node| match *node {
        Node::Cut { attribute, at } => (attribute, at),
        Node::Leaf => (LEAF, 0),
    };
    let (attributes, cuts): (Vec<u32>, Vec<u32>) = rows.nodes.iter().map(parts).unzip();
    let lists = [attributes.as_slice(), &cuts, &rows.places, &rows.colours].map(List::Wholes);
    write(&KIND, &Header { number: rows.number, dims: rows.dims }, &lists)
}

/// The row group that the bytes are. Its numbers are not judged here.
///
/// # Errors
/// If the bytes are not in this format to the last one.
pub(crate) fn decode(bytes: &[u8]) -> Result<Rows, Wrong> {
    let (header, mut rest) = read(&KIND, bytes)?;
    let Header { number, dims } =
        serde_json::from_slice(header).map_err(|e| Malformed::Header { why: e.to_string() })?;
    let attributes = rest.array(Piece::Attributes, u32::from_le_bytes)?;
    let cuts = rest.array(Piece::Cuts, u32::from_le_bytes)?;
    if attributes.len() != cuts.len() {
        return Err(Malformed::Nodes { attributes: attributes.len(), cuts: cuts.len() }.into());
    }
    let node = |(attribute, at)| if attribute == LEAF { Node::Leaf } else { Node::Cut { attribute, at } };
    let nodes = attributes.into_iter().zip(cuts).map(node).collect();
    let places = rest.array(Piece::Places, u32::from_le_bytes)?;
    let colours = rest.array(Piece::Colours, u32::from_le_bytes)?;
    rest.end(Piece::Colours)?;
    Ok(Rows { number, dims, nodes, places, colours })
}

#[cfg(test)]
mod tests {
    use lookalike_model::block::Block;

    use super::*;
    use crate::block;

    fn rows() -> Rows {
        Rows {
            number: u64::MAX - 1,
            dims: 2,
            nodes: vec![Node::Leaf, Node::Leaf, Node::Cut { attribute: 1, at: 7 }],
            places: vec![0, 1, 2, u32::MAX, 4, 5],
            colours: vec![3, 0, 3],
        }
    }

    #[test]
    fn a_row_group_comes_back_as_it_was() {
        let bytes = block::encode(Block::Rows(rows())).unwrap();
        assert_eq!(block::decode(&bytes).unwrap(), Block::Rows(rows()));
    }

    #[test]
    fn broken_bytes_are_no_row_group() {
        let bytes = encode(&rows()).unwrap();
        for end in 0..bytes.len() {
            assert!(block::decode(&bytes[..end]).is_err(), "{end}");
        }
        assert!(matches!(decode(&[&bytes[..], &[0]].concat()), Err(Wrong::Malformed(_))));
        let mut newer = bytes.clone();
        newer[4] = 3;
        assert_eq!(decode(&newer), Err(Wrong::Version { version: 3 }));
        // More than there is: refused before there is memory for it.
        let lists = 12 + serde_json::to_vec(&Header { number: rows().number, dims: 2 }).unwrap().len();
        let mut long = bytes.clone();
        long[lists..lists + 8].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(matches!(decode(&long), Err(Wrong::Malformed(_))));
        // A node without its cut.
        let header = Header { number: 1, dims: 2 };
        let short = write(&KIND, &header, &[&[9][..], &[], &[], &[]].map(List::Wholes)).unwrap();
        let wrong = decode(&short);
        assert_eq!(wrong, Err(Malformed::Nodes { attributes: 1, cuts: 0 }.into()));
    }
}
