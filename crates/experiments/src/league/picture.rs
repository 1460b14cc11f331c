//! The picture of the league: a line a data set and question, a mark an entrant, at its loss over ours.

use std::fmt::Write as _;

use super::{cells::Line, entrant::Maker};
use crate::plot::{STYLE, escape, mark};

const WIDTH: f64 = 860.0;
const LEFT: f64 = 300.0;
const RIGHT: f64 = 200.0;
const TOP: f64 = 60.0;
/// Height of a line.
const LINE: f64 = 20.0;

/// Ratios beyond are drawn at the edge, with an arrow in the legend's text.
const MOST: f64 = 16.0;

/// The SVG of all lines whose entrants are not ours.
pub(super) fn svg(lines: &[Line]) -> String {
    let mut rows: Vec<(String, Vec<(&'static str, f64)>)> = Vec::new();
    let mut names: Vec<&'static str> = Vec::new();
    for line in lines.iter().filter(|line| matches!(line.entrant.maker, Maker::Tool(_))) {
        let Some(ratio) = line.relative(lines) else { continue };
        let label = format!("{}, {}", line.field, line.condition.name());
        let point = (line.entrant.name(), ratio);
        match rows.last_mut().filter(|row| row.0 == label) {
            Some(row) => row.1.push(point),
            None => rows.push((label, vec![point])),
        }
        if !names.contains(&point.0) {
            names.push(point.0);
        }
    }
    let height = TOP + LINE * rows.len().max(names.len()) as f64 + 50.0;
    let bottom = TOP + LINE * rows.len() as f64;
    let x_at = |ratio: f64| {
        let part = (ratio.clamp(0.5, MOST) / 0.5).log2() / (MOST / 0.5).log2();
        LEFT + part * (WIDTH - LEFT - RIGHT)
    };
    // Writing to a String cannot fail.
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">\n\
         <title>Loss over ours</title>{STYLE}\n<text class=\"t\" x=\"10\" y=\"20\">Loss of each tool over ours of the same scheme and form: a mark \
         right of 1 lost more than ours</text>\n"
    );
    for ratio in [0.5, 1.0, 2.0, 4.0, 8.0, MOST] {
        let x = x_at(ratio);
        let class = if ratio == 1.0 { "h" } else { "g" };
        let more = if ratio == MOST { " or more" } else { "" };
        let _ = writeln!(
            svg,
            "<path class=\"{class}\" d=\"M{x:.1} {}V{bottom}\"/><text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{ratio}{more}</text>",
            TOP - 10.0,
            TOP - 16.0
        );
    }
    for (at, (label, points)) in rows.iter().enumerate() {
        let y = TOP + LINE * (at as f64 + 0.5);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 12.0,
            y + 4.0,
            escape(label)
        );
        for (name, ratio) in points {
            let k = names.iter().position(|known| known == name).unwrap_or_default();
            let _ = writeln!(
                svg,
                "<path class=\"c{}\" d=\"{}\"><title>{}: {ratio:.2}</title></path>",
                k % 6,
                mark(k, x_at(*ratio), y),
                escape(name)
            );
        }
    }
    for (k, name) in names.iter().enumerate() {
        let (x, y) = (WIDTH - RIGHT + 30.0, TOP + LINE * (k as f64 + 0.5));
        let _ = writeln!(
            svg,
            "<path class=\"c{}\" d=\"{}\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            k % 6,
            mark(k, x, y),
            x + 10.0,
            y + 4.0,
            escape(name)
        );
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::{
        super::entrant::{Entrant, Form, Ours, Tool},
        super::field::Condition,
        *,
    };

    #[test]
    fn a_mark_stands_at_the_ratio() {
        let condition = Condition { k: 5, l: None };
        let line = |maker, loss: &str| {
            let entrant =
                Entrant::all(Form::Recoded).into_iter().find(|entrant| entrant.maker == maker).unwrap();
            let cells = ["ran", "10", "0", "5", "-", "kept", loss, "-", "0.1", "0", "1.00"];
            Line::new("census", condition, entrant, cells.map(String::from).to_vec()).unwrap()
        };
        let svg = svg(&[
            line(Maker::Ours(Ours::Ranges), "0.1"),
            line(Maker::Tool(Tool::AnonypyMondrian), "0.2"),
            line(Maker::Tool(Tool::AnonypyxMdav), "9"),
        ]);
        // 2 is two of five doublings from 0.5 to 16, of 360 units from 300: a disc begins 3 to the left.
        assert!(svg.contains("M441.0 70.0a3 3"), "{svg}");
        assert!(svg.contains("anonypyx: MDAV-generic: 90.00") && !svg.contains("ours:"));
    }
}
