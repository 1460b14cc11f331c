//! The cells of a row as they are kept between runs.

use anyhow::{Context, Result};
use lookalike_model::REVISION;

use super::{
    entrant::Entrant,
    field::Condition,
    judge::Judged,
    scripts::{Bench, Published},
};

/// Of what the rows depend.
pub(super) fn version(bench: &Bench) -> String {
    let versions: Vec<String> =
        bench.run().into_iter().map(|(name, version)| format!("{name} {version}")).collect();
    format!("{}, revision {REVISION}; {}", env!("CARGO_PKG_VERSION"), versions.join(", "))
}

/// What was found of a published table, as it is kept.
pub(super) fn cells(judged: &Judged, published: &Published) -> Vec<String> {
    let or_none = |cell: Option<String>| cell.unwrap_or_else(|| String::from("-"));
    vec![
        String::from("ran"),
        judged.published.to_string(),
        judged.suppressed.to_string(),
        judged.k.to_string(),
        or_none(judged.l.map(|l| l.to_string())),
        if judged.kept { "kept" } else { "broken" }.to_owned(),
        format!("{:.7}", judged.loss),
        or_none(published.gap.map(|gap| format!("{gap:.1}"))),
        or_none(judged.queries.map(|error| format!("{error:.4}"))),
        or_none(judged.uncovered.map(|cells| cells.to_string())),
        format!("{:.2}", published.seconds),
    ]
}

/// Why there is nothing, as it is kept: in one line.
pub(super) fn failed(why: &str) -> Vec<String> {
    vec![String::from("failed"), why.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "/")]
}

/// A row of the league.
pub(super) struct Line {
    pub(super) field: &'static str,
    pub(super) condition: Condition,
    pub(super) entrant: Entrant,
    pub(super) found: Result<Found, String>,
}

/// What was found of a published table.
pub(super) struct Found {
    /// Rows published and suppressed, smallest group, fewest values, kept or broken, gap, queries, cells not covered, seconds: as they are shown.
    pub(super) published: String,
    pub(super) suppressed: String,
    pub(super) k: String,
    pub(super) l: String,
    pub(super) kept: bool,
    pub(super) loss: f64,
    pub(super) gap: String,
    pub(super) queries: String,
    pub(super) uncovered: String,
    pub(super) seconds: String,
}

impl Line {
    pub(super) fn new(
        field: &'static str,
        condition: Condition,
        entrant: Entrant,
        cells: Vec<String>,
    ) -> Result<Self> {
        let found = match <[String; 11]>::try_from(cells) {
            Ok(cells) => {
                let [_, published, suppressed, k, l, kept, loss, gap, queries, uncovered, seconds] = cells;
                let loss = loss.parse().with_context(|| format!("{loss:?} is no loss"))?;
                let kept = kept == "kept";
                Ok(Found { published, suppressed, k, l, kept, loss, gap, queries, uncovered, seconds })
            }
            Err(cells) => Err(cells.into_iter().nth(1).context("a row says nothing")?),
        };
        Ok(Self { field, condition, entrant, found })
    }

    /// The loss, where there is one that counts: of a table that keeps what was asked for.
    pub(super) fn counted(&self) -> Option<f64> {
        self.found.as_ref().ok().filter(|found| found.kept).map(|found| found.loss)
    }

    /// The loss over ours of the same scheme; `None` without both.
    pub(super) fn relative(&self, all: &[Self]) -> Option<f64> {
        use super::entrant::Maker;
        let measure = Maker::Ours(self.entrant.measure());
        let ours = all.iter().find(|line| {
            line.field == self.field && line.condition == self.condition && line.entrant.maker == measure
        });
        let ours = ours?.counted().filter(|loss| *loss > 0.0)?;
        Some(self.counted()? / ours)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::entrant::{Form, Maker, Ours, Tool},
        *,
    };

    const FIVE: Condition = Condition { k: 5, l: None };

    pub(in crate::league) fn line(maker: Maker, loss: f64, kept: bool) -> Line {
        let entrant = Entrant::all(Form::Recoded).into_iter().find(|entrant| entrant.maker == maker).unwrap();
        let judged = Judged {
            published: 95,
            suppressed: 5,
            k: 5,
            l: None,
            kept,
            loss,
            queries: Some(0.25),
            uncovered: None,
        };
        let published = Published {
            bytes: Vec::new(),
            order: super::super::scripts::Order::Lost,
            seconds: 1.5,
            gap: None,
        };
        Line::new("a table", FIVE, entrant, cells(&judged, &published)).unwrap()
    }

    #[test]
    fn rows_come_back_and_are_compared_with_ours_of_the_same_form() {
        let lines = [
            line(Maker::Ours(Ours::Labels), 0.1, true),
            line(Maker::Ours(Ours::Ranges), 0.2, true),
            line(Maker::Ours(Ours::Levels), 0.4, true),
            line(Maker::Tool(Tool::AnonypyMondrian), 0.3, true),
            line(Maker::Tool(Tool::Anjana), 0.6, true),
            line(Maker::Tool(Tool::ArxLocal), 0.15, true),
            line(Maker::Tool(Tool::SdcMicroSuppression), 0.01, false),
        ];
        let relative: Vec<Option<f64>> = lines.iter().map(|line| line.relative(&lines)).collect();
        let expected = [Some(1.0), Some(1.0), Some(1.0), Some(1.5), Some(1.5), Some(1.5), None];
        for (found, expected) in relative.iter().zip(expected) {
            assert_eq!(found.map(|x| (x * 1e6).round()), expected.map(|x| x * 1e6));
        }
        let found = lines[3].found.as_ref().unwrap();
        assert_eq!((found.suppressed.as_str(), found.l.as_str(), found.seconds.as_str()), ("5", "-", "1.50"));
    }

    #[test]
    fn a_failure_is_one_line() {
        let entrant = Entrant::all(Form::Recoded)[0];
        let line = Line::new("a table", FIVE, entrant, failed("over\n 60 s | all")).unwrap();
        assert_eq!(line.found.err().as_deref(), Some("over 60 s / all"));
        assert!(Line::new("a table", FIVE, entrant, vec![String::from("failed")]).is_err());
    }
}
