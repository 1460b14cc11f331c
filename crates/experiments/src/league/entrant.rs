//! Who takes part: a tool with a scheme.

use lookalike_model::REVISION;

use super::field::Condition;

/// The form in which records are published: only losses of one form are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Ranges, sets and labels of hierarchies.
    Recoded,
    /// The means of classes.
    Centroids,
}

/// How records are made alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    /// Each class by itself.
    Local,
    /// Each column at one level.
    Global,
}

impl Scheme {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Global => "global",
        }
    }
}

/// Our schemes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ours {
    /// Classes, published by the labels of the hierarchies.
    Labels,
    /// Classes, published by ranges and sets.
    Ranges,
    /// Classes, published by their means.
    Means,
    /// One level for a whole column.
    Levels,
}

/// The tools with a scheme each, as their scripts know them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    AnonypyMondrian,
    AnonypyxMondrian,
    AnonypyxMdav,
    Microagg1d,
    Anjana,
    ArxLocal,
    ArxGlobal,
    SdcMicroSuppression,
    SdcMicroMdav,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Maker {
    Ours(Ours),
    Tool(Tool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entrant {
    pub(super) maker: Maker,
    form: Form,
}

impl Entrant {
    /// Those of a form, ours first.
    pub(super) fn all(form: Form) -> Vec<Self> {
        use Tool::{
            Anjana, AnonypyMondrian, AnonypyxMdav, AnonypyxMondrian, ArxGlobal, ArxLocal, Microagg1d,
            SdcMicroMdav, SdcMicroSuppression,
        };
        let (ours, tools): (&[Ours], &[Tool]) = match form {
            Form::Recoded => (
                &[Ours::Labels, Ours::Ranges, Ours::Levels],
                &[
                    AnonypyMondrian,
                    AnonypyxMondrian,
                    AnonypyxMdav,
                    ArxLocal,
                    SdcMicroSuppression,
                    Anjana,
                    ArxGlobal,
                ],
            ),
            Form::Centroids => (&[Ours::Means], &[AnonypyxMdav, Microagg1d, SdcMicroMdav]),
        };
        let ours = ours.iter().map(|&scheme| Maker::Ours(scheme));
        let tools = tools.iter().map(|&tool| Maker::Tool(tool));
        ours.chain(tools).map(|maker| Self { maker, form }).collect()
    }

    pub(super) const fn form(self) -> Form {
        self.form
    }

    pub(super) fn name(self) -> &'static str {
        match self.maker {
            Maker::Ours(Ours::Labels) => "ours: classes, hierarchies",
            Maker::Ours(Ours::Ranges) => "ours: classes, ranges and sets",
            Maker::Ours(Ours::Means) => "ours: classes, means",
            Maker::Ours(Ours::Levels) => "ours: one level a column",
            Maker::Tool(tool) => tool.title(),
        }
    }

    pub(super) const fn scheme(self) -> Scheme {
        match self.maker {
            Maker::Ours(Ours::Levels) | Maker::Tool(Tool::Anjana | Tool::ArxGlobal) => Scheme::Global,
            _ => Scheme::Local,
        }
    }

    /// Whose loss the others' are divided by: ours of the same scheme, published by hierarchies where others may publish by them.
    pub(super) const fn measure(self) -> Ours {
        match (self.form, self.scheme(), self.maker) {
            (Form::Centroids, ..) => Ours::Means,
            (_, Scheme::Global, _) => Ours::Levels,
            (_, _, Maker::Ours(Ours::Ranges)) => Ours::Ranges,
            (_, _, Maker::Tool(tool)) if !tool.takes_hierarchies() => Ours::Ranges,
            _ => Ours::Labels,
        }
    }

    /// Whether the tool knows how to do what is asked, of one column or of several.
    pub(super) fn can(self, condition: Condition, one_column: bool) -> bool {
        match self.maker {
            // These know k alone.
            Maker::Tool(Tool::AnonypyxMdav | Tool::SdcMicroMdav | Tool::SdcMicroSuppression)
                if condition.l.is_some() =>
            {
                false
            }
            Maker::Tool(Tool::Microagg1d) => one_column,
            Maker::Ours(_) | Maker::Tool(_) => true,
        }
    }

    /// What made it: the program's version and revision of the algorithms, or the tool's.
    pub(super) fn version(self) -> String {
        match self.maker {
            Maker::Ours(_) => format!("{}, revision {REVISION}", env!("CARGO_PKG_VERSION")),
            Maker::Tool(tool) => tool.version(),
        }
    }
}

impl Tool {
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::AnonypyMondrian => "anonypy: Mondrian",
            Self::AnonypyxMondrian => "anonypyx: Mondrian",
            Self::AnonypyxMdav => "anonypyx: MDAV-generic",
            Self::Microagg1d => "microagg1d",
            Self::Anjana => "ANJANA",
            Self::ArxLocal => "ARX: local recoding",
            Self::ArxGlobal => "ARX: one level a column",
            Self::SdcMicroSuppression => "sdcMicro: localSuppression",
            Self::SdcMicroMdav => "sdcMicro: microaggregation, mdav",
        }
    }

    /// As its script knows it.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::AnonypyMondrian => "anonypy-mondrian",
            Self::AnonypyxMondrian => "anonypyx-mondrian",
            Self::AnonypyxMdav => "anonypyx-mdav",
            Self::Microagg1d => "microagg1d",
            Self::Anjana => "anjana",
            Self::ArxLocal => "local",
            Self::ArxGlobal => "global",
            Self::SdcMicroSuppression => "suppression",
            Self::SdcMicroMdav => "mdav",
        }
    }

    const fn takes_hierarchies(self) -> bool {
        matches!(self, Self::Anjana | Self::ArxLocal | Self::ArxGlobal | Self::SdcMicroSuppression)
    }
}
