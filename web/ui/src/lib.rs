//! The page.
pub mod form;
pub mod format;
pub mod settings;
pub mod state;
pub mod steps;
