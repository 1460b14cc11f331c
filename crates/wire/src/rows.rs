//! Row groups: some rows of a large table, and the cuts that place them, as compact bytes. Of a value they tell between
//! which cuts of its attribute it lies, and no more; of a sensitive value a code.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | `LLRG` |
//! | 4 | version of this format, 1 |
//! | 8 | number of the group |
//! | 4 | number of attributes, d |
//! | 8, 4 a | number of nodes, and the attribute that each cuts; 4,294,967,295 at a leaf |
//! | 8, 4 a | number of nodes, and where each cuts; 0 at a leaf |
//! | 8, 4 n d | number of places, and the places, row by row |
//! | 8, 4 n | number of colours, and the colours |
//!
//! Everything is little-endian; nothing may follow.

use lookalike_model::block::{Node, Rows};

use crate::binary::{Rest, Wrong};

pub(crate) const MAGIC: &[u8; 4] = b"LLRG";
const VERSION: u32 = 1;

/// In place of an attribute.
const LEAF: u32 = u32::MAX;

/// A row group as bytes.
#[must_use]
pub(crate) fn encode(rows: &Rows) -> Vec<u8> {
    let room = 52 + 8 * rows.nodes.len() + 4 * (rows.places.len() + rows.colours.len());
    let mut bytes = Vec::with_capacity(room);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&rows.number.to_le_bytes());
    bytes.extend_from_slice(&(rows.dims as u32).to_le_bytes());
    let mut put = |numbers: &mut dyn ExactSizeIterator<Item = u32>| {
        bytes.extend_from_slice(&(numbers.len() as u64).to_le_bytes());
        bytes.extend(numbers.flat_map(u32::to_le_bytes));
    };
    let parts = |node: &Node| match *node {
        Node::Cut { attribute, at } => (attribute, at),
        Node::Leaf => (LEAF, 0),
    };
    put(&mut rows.nodes.iter().map(|node| parts(node).0));
    put(&mut rows.nodes.iter().map(|node| parts(node).1));
    put(&mut rows.places.iter().copied());
    put(&mut rows.colours.iter().copied());
    bytes
}

/// The row group that the bytes are. Its numbers are not judged here.
///
/// # Errors
/// If the bytes are not in this format to the last one.
pub(crate) fn decode(bytes: &[u8]) -> Result<Rows, Wrong> {
    let mut rest = Rest::new(bytes);
    if rest.take(4, "the first four bytes")? != MAGIC {
        return Err(Wrong::Malformed(String::from("it does not begin with LLRG")));
    }
    let version = rest.u32("the version")?;
    if version != VERSION {
        return Err(Wrong::Version(version));
    }
    let number = rest.u64("the number of the group")?;
    let dims = rest.u32("the number of attributes")? as usize;
    let attributes = rest.array("the attributes that are cut", u32::from_le_bytes)?;
    let cuts = rest.array("the cuts", u32::from_le_bytes)?;
    if attributes.len() != cuts.len() {
        return Err(Wrong::Malformed(format!(
            "{} nodes name an attribute and {} a cut: each has both",
            attributes.len(),
            cuts.len()
        )));
    }
    let node = |(attribute, at)| if attribute == LEAF { Node::Leaf } else { Node::Cut { attribute, at } };
    let nodes = attributes.into_iter().zip(cuts).map(node).collect();
    let places = rest.array("the places", u32::from_le_bytes)?;
    let colours = rest.array("the colours", u32::from_le_bytes)?;
    rest.end("the colours")?;
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
        let bytes = encode(&rows());
        for end in 0..bytes.len() {
            assert!(block::decode(&bytes[..end]).is_err(), "{end}");
        }
        assert!(matches!(decode(&[&bytes[..], &[0]].concat()), Err(Wrong::Malformed(_))));
        let mut newer = bytes.clone();
        newer[4] = 2;
        assert_eq!(decode(&newer), Err(Wrong::Version(2)));
        // More than there is: refused before there is memory for it.
        let mut long = bytes.clone();
        long[20..28].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(matches!(decode(&long), Err(Wrong::Malformed(_))));
        // A node without its cut.
        let mut short = rows();
        short.nodes.clear();
        let mut bytes = encode(&short);
        bytes.splice(28..36, [1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0]);
        let wrong = decode(&bytes);
        assert!(matches!(&wrong, Err(Wrong::Malformed(why)) if why.contains("each has both")), "{wrong:?}");
    }
}
