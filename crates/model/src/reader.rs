//! Who read what was audited.

use serde::{Deserialize, Serialize};

lookalike_words::messages! {
    in "model";

    /// Who made rows of the bytes that were audited. In words: "read by ...".
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Reader {
        /// The audit's own reader, which takes nothing but the form of our releases and shares no code with what wrote them.
        Strict,
        /// The reader that also reads the program's input.
        #[default]
        General,
    }
}
