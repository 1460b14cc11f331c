//! What to check.

use lookalike_words::Figure;

use crate::{
    Arrangement, Attacker, Condition, Conditions, Error, Guarantee, Protecting, Question, Senseless,
};

/// A privacy model with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum Model {
    /// At least k rows share each combination of quasi-identifiers (Samarati 2001; Sweeney 2002).
    KAnonymity {
        /// At least 2.
        k: usize,
    },
    /// l well-represented sensitive values in each group (Machanavajjhala et al., ACM TKDD 2007).
    Diversity {
        /// At least 2.
        l: usize,
        /// What "well-represented" means.
        kind: Diversity,
    },
    /// The sensitive values of each group are distributed as in the whole table, up to t (Li, Li, Venkatasubramanian,
    /// ICDE 2007).
    TCloseness {
        /// 0 to 1.
        t: f64,
        /// Ground distance of the earth mover's distance.
        distance: Distance,
    },
    /// At least m rows in each class, all sensitive values different (Xiao, Tao, SIGMOD 2007).
    MUniqueness {
        /// At least 2.
        m: usize,
    },
    /// At least k rows share each combination of some of the quasi-identifiers, for whoever knows these alone.
    Set {
        /// The columns.
        columns: Vec<String>,
        /// At least 2.
        k: usize,
    },
    /// A condition on the sensitive values, as a release of ours is asked.
    Condition {
        /// The column, if it is another than the protected one of the inquiry.
        column: Option<String>,
        /// The condition.
        condition: Condition,
        /// How its values lie to each other, for a condition that goes by it.
        arranged: Arrangement,
    },
}

/// What "well-represented" means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Diversity {
    /// l different values.
    Distinct,
    /// The entropy of the values is at least log l.
    Entropy,
    /// (c, l): the most frequent value occurs less than c times as often as the l-th and all rarer ones together.
    Recursive {
        /// Above 0.
        c: f64,
    },
}

/// Ground distance between two sensitive values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Distance {
    /// 1 between any two.
    Equal,
    /// Difference of their ranks, over the largest one.
    Ordered {
        /// All values, in order; `None` if they are numbers.
        order: Option<Vec<String>>,
    },
}

impl Model {
    /// The column that it is about, if that is another than the protected one.
    #[must_use]
    pub fn column(&self) -> Option<&str> {
        match self {
            Self::Condition { column, .. } => column.as_deref(),
            _ => None,
        }
    }

    /// The least number of rows of a group: 1 where the model does not say.
    pub(crate) fn least_rows(&self) -> usize {
        match *self {
            Self::KAnonymity { k } | Self::Set { k, .. } => k,
            Self::MUniqueness { m } => m,
            Self::Diversity { .. } | Self::TCloseness { .. } | Self::Condition { .. } => 1,
        }
    }

    fn validate(&self) -> Result<(), Error> {
        let small = |parameter, value| {
            if value < 2 { Err(Error::TooSmall { parameter, value }) } else { Ok(()) }
        };
        match *self {
            Self::Condition { condition, .. } => condition.validate(),
            Self::KAnonymity { k } | Self::Set { k, .. } => small("k", k),
            Self::MUniqueness { m } => small("m", m),
            Self::Diversity { kind: Diversity::Recursive { c }, .. } if !c.is_finite() || c <= 0.0 => {
                Err(Error::Senseless(Senseless::C { value: Figure::shortest(c) }))
            }
            Self::Diversity { l, .. } => small("l", l),
            Self::TCloseness { t, .. } if !(0.0..=1.0).contains(&t) => {
                Err(Error::Senseless(Senseless::T { value: Figure::shortest(t) }))
            }
            Self::TCloseness { .. } => Ok(()),
        }
    }
}

/// What to check of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Inquiry {
    /// Columns that an attacker may know.
    pub quasi: Vec<String>,
    /// The protected column; needed by all models but k-anonymity.
    pub sensitive: Option<String>,
    /// Column with class labels; a table without it is judged by equal quasi-identifiers alone.
    pub class: Option<String>,
    /// The models; without any, only notes and risks are told.
    pub models: Vec<Model>,
    /// Cells that mean "suppressed", white space around them not counted. A row all of whose quasi-identifiers are
    /// suppressed is no class, unless it has a class label.
    pub suppressed: Vec<String>,
    /// Cells of the sensitive column that mean "not known", white space around them and case not counted.
    pub missing: Vec<String>,
    /// All missing markers of the sensitive column together count as one value.
    pub missing_is_value: bool,
    /// What the attacker knows of the population.
    pub attacker: Attacker,
}

impl Inquiry {
    pub(crate) fn validate(&self) -> Result<(), Error> {
        for model in &self.models {
            model.validate()?;
            let model = match model {
                Model::KAnonymity { .. } | Model::Set { .. } | Model::Condition { column: Some(_), .. } => {
                    continue;
                }
                Model::MUniqueness { .. } => Protecting::MUniqueness,
                Model::Diversity { .. } => Protecting::LDiversity,
                Model::TCloseness { .. } => Protecting::TCloseness,
                Model::Condition { column: None, .. } => Protecting::Conditions,
            };
            if self.sensitive.is_none() {
                return Err(Error::NoSensitiveFor { model });
            }
        }
        let mut orders = self.models.iter().filter_map(|model| match model {
            Model::TCloseness { distance: Distance::Ordered { order }, .. } => Some(order),
            _ => None,
        });
        if let Some(first) = orders.next()
            && orders.any(|other| other != first)
        {
            return Err(Error::TwoOrders);
        }
        self.attacker.validate()?;
        self.question().validate()
    }

    /// The same columns as a question, whose guarantee is not asked for.
    pub(crate) fn question(&self) -> Question {
        Question {
            quasi: self.quasi.clone(),
            sensitive: self.sensitive.clone(),
            conditions: Conditions::default(),
            guarantee: Guarantee::KAnonymity { k: 2 },
            class: self.class.clone(),
            markers: self.missing.clone(),
            dialect: crate::Dialect::PLAIN,
        }
    }
}
