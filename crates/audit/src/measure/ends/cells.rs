//! What the cells of one row say that hold the ends of one range.

use lookalike_table::Reading as Compared;

use crate::{
    SUPPRESSED,
    measure::cell::{Form, members},
};

/// Room for rounding: the middle of two decimals and a decimal that says it differ by less than this part of the ends.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The same of times, in days.
const ROUNDING_OF_TIME: f64 = 1e-11;

/// One end of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum End {
    /// This value.
    At(f64),
    /// `<=20`: any up to this one.
    UpTo(f64),
    /// `>=90`: any from this one on.
    From(f64),
}

/// What the two cells of a row say together.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::measure) struct EndCells {
    /// Members that mean "not known", as they are spelled.
    missing: Vec<String>,
    /// Both ends, if a value is known, with their texts.
    ends: Option<[(End, String); 2]>,
}

/// A cell taken apart: members that mean "not known", and the known one.
struct Parts {
    missing: Vec<String>,
    known: Option<String>,
}

fn parts(text: &str, form: Form) -> Option<Parts> {
    // An ordered label may look like a set.
    if !form.is_missing(text) && form.compared.value(text).is_some() {
        return Some(Parts { missing: Vec::new(), known: Some(text.trim().to_owned()) });
    }
    let (missing, mut known): (Vec<String>, Vec<String>) =
        members(text)?.into_iter().partition(|member| form.is_missing(member));
    let one = known.pop().map(|member| member.trim().to_owned());
    known.is_empty().then_some(Parts { missing, known: one })
}

fn end(text: &str, compared: &Compared) -> Option<End> {
    // -0 is 0.
    let value = |text: &str| compared.value(text).map(|x| x + 0.0);
    let above = || text.strip_prefix(">=").and_then(value).map(End::From);
    let below = || text.strip_prefix("<=").and_then(value).map(End::UpTo);
    value(text).map(End::At).or_else(above).or_else(below)
}

impl EndCells {
    /// From both cells; `None` if they are not the ends of one range, in their order, beside the same members that mean
    /// "not known".
    pub(in crate::measure) fn of((min, max): (&str, &str), form: Form) -> Option<Self> {
        let (low, high) = (parts(min, form)?, parts(max, form)?);
        if low.missing != high.missing {
            return None;
        }
        let ends = match (low.known, high.known) {
            (None, None) => None,
            (Some(low), Some(high)) => {
                let of = |text: &str| end(text, form.compared);
                let (from, to) = (of(&low)?, of(&high)?);
                in_order(from, to).then_some(())?;
                Some([(from, low), (to, high)])
            }
            _ => return None,
        };
        Some(Self { missing: low.missing, ends })
    }

    /// Both ends, if a value is known.
    pub(super) fn ends(&self) -> Option<(End, End)> {
        self.ends.as_ref().map(|[low, high]| (low.0, high.0))
    }

    /// Whether ends that are open are open at the limits below and above, if there are some.
    pub(super) fn is_open_at(&self, (bottom, top): (Option<f64>, Option<f64>)) -> bool {
        let ends = self.ends().map(|(low, high)| [low, high]);
        ends.into_iter().flatten().all(|end| match end {
            End::At(_) => true,
            End::UpTo(x) => bottom == Some(x),
            End::From(x) => top == Some(x),
        })
    }

    /// Whether a record may be missing.
    pub(super) fn is_missing(&self) -> bool {
        !self.missing.is_empty()
    }

    /// The same as one cell, as [`crate::measure`] reads ranges.
    pub(in crate::measure) fn joined(&self, compared: &Compared) -> String {
        let Some([(from, low), (to, high)]) = &self.ends else { return set(&self.missing, None) };
        let range = match (from, to) {
            _ if low == high => low.clone(),
            (End::UpTo(_), End::From(_)) => SUPPRESSED.to_owned(),
            (End::UpTo(_), _) => format!("<={high}"),
            (_, End::From(_)) => format!(">={low}"),
            _ => compared.range(low, high),
        };
        set(&self.missing, Some(&range))
    }

    /// Whether a cell says the middle of the range: nothing where an end is open, and the value where there is one.
    pub(super) fn is_middle(&self, text: &str, form: Form) -> bool {
        let Some((from, to)) = self.ends() else {
            return parts(text, form)
                .is_some_and(|said| said.known.is_none() && said.missing == self.missing);
        };
        let (End::At(low), End::At(high)) = (from, to) else { return text.is_empty() };
        let Some(Parts { missing, known: Some(known) }) = parts(text, form) else { return false };
        let Some(End::At(middle)) = end(&known, form.compared) else { return false };
        missing == self.missing && is_middle(middle, (low, high), form.compared)
    }
}

/// Whether a number is the middle of two: dates are rounded half up to what the column tells apart.
fn is_middle(x: f64, (low, high): (f64, f64), compared: &Compared) -> bool {
    let off = x - f64::midpoint(low, high);
    match compared {
        Compared::Dates(format) => {
            let (half, slack) =
                (format.resolution() / 2.0, if format.is_whole() { 0.0 } else { ROUNDING_OF_TIME });
            off > -half - slack && off <= half + slack
        }
        _ => off.abs() <= ROUNDING * low.abs().max(high.abs()),
    }
}

/// Whether the first end lies before the second, or both are the same.
fn in_order(low: End, high: End) -> bool {
    match (low, high) {
        (End::At(a), End::At(b)) => a <= b,
        (End::At(a), End::From(b)) | (End::UpTo(a), End::At(b) | End::From(b)) => a < b,
        (End::UpTo(a), End::UpTo(b)) | (End::From(a), End::From(b)) => a == b,
        (End::At(_), End::UpTo(_)) | (End::From(_), End::At(_) | End::UpTo(_)) => false,
    }
}

/// A member that means "not known" alone, or all of them and a range as a set.
fn set(missing: &[String], range: Option<&str>) -> String {
    let all: Vec<&str> = missing.iter().map(String::as_str).chain(range).collect();
    if let [only] = all.as_slice() {
        return (*only).to_owned();
    }
    let escaped = |member: &&str| -> String {
        let special = |c: char| matches!(c, ',' | '{' | '}' | '\\').then_some('\\').into_iter().chain([c]);
        member.chars().flat_map(special).collect()
    };
    format!("{{{}}}", all.iter().map(escaped).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use lookalike_table::{DateFormat, NumberFormat};

    use super::*;

    const PLAIN: Compared = Compared::Numbers(NumberFormat::PLAIN);

    fn with<T>(compared: &Compared, of: impl FnOnce(Form) -> T) -> T {
        let missing = [String::new(), String::from("?")];
        of(Form { compared, sure: true, suppressed: &[], missing: &missing })
    }

    #[track_caller]
    fn joins(compared: &Compared, cells: (&str, &str), joined: &str) {
        let found = with(compared, |form| EndCells::of(cells, form).map(|pair| pair.joined(compared)));
        assert_eq!(found.as_deref(), Some(joined), "{cells:?}");
    }

    #[test]
    fn two_cells_are_one_range() {
        joins(&PLAIN, ("18", "20"), "[18-20]");
        joins(&PLAIN, ("-5", "-2"), "[-5--2]");
        joins(&PLAIN, ("18", "18"), "18");
        joins(&PLAIN, ("?", "?"), "?");
        joins(&PLAIN, ("{?, 18}", "{?, 20}"), "{?, [18-20]}");
        joins(&PLAIN, ("{, ?}", "{, ?}"), "{, ?}");
        joins(&PLAIN, ("85", ">=90"), ">=85");
        joins(&PLAIN, ("<=20", "25"), "<=25");
        joins(&PLAIN, ("<=20", ">=90"), "*");
        joins(&PLAIN, (">=90", ">=90"), ">=90");
        let comma = Compared::Numbers(NumberFormat::new(',', Some('.')));
        joins(&comma, (r"{?, 1\,25}", r"{?, 2.000\,5}"), r"{?, [1\,25-2.000\,5]}");
        let days = Compared::Dates(DateFormat::iso());
        joins(&days, ("2024-01-05", "2024-02-01"), "[2024-01-05 - 2024-02-01]");
        let ranks = Compared::Ranks(["{low}", "a - b", "high"].map(String::from).to_vec());
        joins(&ranks, ("{low}", "a - b"), r"[{low} - a \- b]");
    }

    #[test]
    fn what_is_no_range_is_none() {
        for cells in [
            ("20", "18"),
            ("18", "old"),
            ("", "18"),
            ("{?, 18}", "20"),
            ("{?, 18}", "{, 20}"),
            ("{18, 19}", "{18, 19}"),
            ("[18-20]", "[18-20]"),
            ("95", ">=90"),
            ("90", ">=90"),
            (">=90", "95"),
            ("20", "<=20"),
            ("<=20", "20"),
            ("<=20", "<=21"),
            (">=90", "<=20"),
            ("*", "*"),
        ] {
            assert_eq!(with(&PLAIN, |form| EndCells::of(cells, form)), None, "{cells:?}");
        }
    }

    #[test]
    fn middles() {
        let middle = |compared: &Compared, cells: (&str, &str), mid: &str| {
            with(compared, |form| EndCells::of(cells, form).unwrap().is_middle(mid, form))
        };
        for (cells, right, wrong) in [
            (("18", "20"), "19", "19.5"),
            (("18", "19"), "18.5", "18"),
            (("18", "18"), "18", "18.1"),
            (("0.1", "0.4"), "0.25", "0.26"),
            (("123456789.01", "123456789.03"), "123456789.02", "123456789.03"),
            (("{?, 18}", "{?, 20}"), "{?, 19}", "19"),
            (("?", "?"), "?", "19"),
            (("85", ">=90"), "", "87.5"),
            (("<=20", "<=20"), "", "20"),
        ] {
            assert!(middle(&PLAIN, cells, right), "{cells:?} {right}");
            assert!(!middle(&PLAIN, cells, wrong), "{cells:?} {wrong}");
        }
        let days = Compared::Dates(DateFormat::iso());
        let cells = ("2024-01-05", "2024-01-08");
        assert!(middle(&days, cells, "2024-01-07"), "half a day is rounded up");
        assert!(!middle(&days, cells, "2024-01-06") && !middle(&days, cells, "2024-01-08"));
    }
}
