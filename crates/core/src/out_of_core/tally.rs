//! The cuts as bytes, and what the second look at parts of the table counts, which is put together in any order to the same bytes.

use std::collections::BTreeMap;

use super::{
    bytes::{In, Out, no_result},
    routing::Routing,
    survey::Survey,
    tree::{Node, Tree},
};
use crate::Error;

/// What the bytes of cuts and of counts begin with.
const CUTS: u32 = 2;
const COUNTS: u32 = 8;

impl Routing {
    /// The cuts.
    #[must_use]
    pub fn cuts(&self) -> Vec<u8> {
        let mut out = Out::new(CUTS);
        out.each(self.tree.nodes().iter(), |out, node| match *node {
            Node::Leaf(_) => out.number(0),
            Node::Cut { column, at, .. } => {
                out.size(column + 1);
                out.real(at);
            }
        });
        out.end()
    }

    /// What was seen in the first look, without the sample, which made the cuts.
    #[must_use]
    pub fn surveyed(&self) -> Vec<u8> {
        self.survey.sketch()
    }

    /// The same as [`Self::of`] with cuts that were made elsewhere: of the survey no sample is needed.
    ///
    /// # Errors
    /// As [`Self::of`]; [`Error::Large`] if these are no cuts.
    pub fn with_cuts(survey: Survey, cuts: &[u8]) -> Result<Self, Error> {
        let (survey, _) = survey.settled()?;
        let mut read = In::new(cuts, CUTS)?;
        let (mut nodes, mut tops, mut leaves) = (Vec::new(), Vec::new(), 0);
        for place in 0..read.size()? {
            let column = read.size()?;
            nodes.push(match column.checked_sub(1) {
                None => {
                    leaves += 1;
                    Node::Leaf(leaves - 1)
                }
                Some(column) if column >= survey.quasi.len() => return Err(no_result()),
                Some(column) => {
                    let at = read.real()?;
                    let (Some(high), Some(low)) = (tops.pop(), tops.pop()) else { return Err(no_result()) };
                    Node::Cut { column, at, low, high }
                }
            });
            tops.push(place);
        }
        read.end()?;
        if tops.len() != 1 {
            return Err(no_result());
        }
        Ok(Self::begin(survey, Tree::new(nodes, leaves)))
    }

    /// What was counted so far; counting begins anew.
    pub fn counts(&mut self) -> Vec<u8> {
        let mut out = Out::new(COUNTS);
        out.size(self.rows);
        out.each(self.squares.iter(), |out, sum| sum.write(out));
        let filled = self.leaves.iter().filter(|leaf| leaf.rows > 0).collect::<Vec<_>>();
        out.each(filled.into_iter(), |out, leaf| {
            out.number(leaf.leaves.first().copied().unwrap_or_default().into());
            out.each(leaf.colours.iter(), |out, (&colour, &rows)| {
                out.number(colour.into());
                out.number(rows);
            });
        });
        self.rows = 0;
        self.squares.iter_mut().for_each(|sum| *sum = super::sums::Sum::default());
        for leaf in &mut self.leaves {
            leaf.rows = 0;
            leaf.colours = BTreeMap::new();
        }
        out.end()
    }

    /// Takes in what was counted elsewhere.
    ///
    /// # Errors
    /// [`Error::Large`] if these are no counts under these cuts.
    pub fn absorb(&mut self, counts: &[u8]) -> Result<(), Error> {
        let mut read = In::new(counts, COUNTS)?;
        self.rows += read.size()?;
        if read.size()? != self.squares.len() {
            return Err(no_result());
        }
        for sum in &mut self.squares {
            sum.read(&mut read)?;
        }
        let leaves =
            read.each(|read| Ok((read.size()?, read.each(|read| Ok((read.number()?, read.number()?)))?)))?;
        for (leaf, colours) in leaves {
            let leaf = self.leaves.get_mut(leaf).ok_or_else(no_result)?;
            for (colour, rows) in colours {
                let colour = u32::try_from(colour).map_err(|_| no_result())?;
                leaf.rows += rows;
                *leaf.colours.entry(colour).or_insert(0) += rows;
            }
        }
        read.end()
    }
}
