//! Rayon where there are threads. In a wasm module without threads the same names work one after the other, with the same
//! results: there rayon would be 30 kB of code that the page loads for nothing.

/// What the loops of this crate need.
pub mod prelude {
    #[cfg(all(target_family = "wasm", not(target_feature = "atomics")))]
    pub use super::in_turn::{IntoParallelIterator, ParallelSliceMut};
    #[cfg(not(all(target_family = "wasm", not(target_feature = "atomics"))))]
    pub use rayon::prelude::{
        IndexedParallelIterator, IntoParallelIterator, ParallelIterator, ParallelSliceMut,
    };
}

#[cfg(all(target_family = "wasm", not(target_feature = "atomics")))]
mod in_turn {
    use std::{cmp::Ordering, slice::ChunksMut, vec::IntoIter};

    /// As rayon's.
    pub trait IntoParallelIterator {
        /// What is iterated.
        type Iter;

        /// As rayon's.
        fn into_par_iter(self) -> Self::Iter;
    }

    impl<T> IntoParallelIterator for Vec<T> {
        type Iter = IntoIter<T>;

        fn into_par_iter(self) -> IntoIter<T> {
            self.into_iter()
        }
    }

    /// As rayon's.
    pub trait ParallelSliceMut<T> {
        /// As rayon's.
        fn par_chunks_mut(&mut self, size: usize) -> ChunksMut<'_, T>;

        /// As rayon's.
        fn par_sort_unstable_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);
    }

    impl<T> ParallelSliceMut<T> for [T] {
        fn par_chunks_mut(&mut self, size: usize) -> ChunksMut<'_, T> {
            self.chunks_mut(size)
        }

        fn par_sort_unstable_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
            self.sort_unstable_by(compare);
        }
    }
}
