//! Line plots as SVG, readable on light and on dark ground.

use std::fmt::Write as _;

/// A line with its name; points in ascending order of x.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// A plot.
pub(crate) struct Plot {
    pub(crate) title: String,
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) series: Vec<Series>,
    /// A dashed horizontal line with its name.
    pub(crate) line: Option<(f64, String)>,
    /// The largest y shown; `None`: all of them.
    pub(crate) top: Option<f64>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 165.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 48.0;

pub(crate) const STYLE: &str = "<style>\
    text{font:12px sans-serif;fill:#222}.t{font-size:14px}.a{stroke:#777}.g{stroke:#ddd}.h{stroke:#777;stroke-dasharray:6 4}\
    .s{fill:none;stroke-width:1.8}\
    .c0{stroke:#0b62a4;fill:#0b62a4}.c1{stroke:#b34700;fill:#b34700}.c2{stroke:#1b7f4b;fill:#1b7f4b}\
    .c3{stroke:#7a3ea1;fill:#7a3ea1}.c4{stroke:#8a6d00;fill:#8a6d00}.c5{stroke:#555;fill:#555}\
    @media(prefers-color-scheme:dark){text{fill:#ddd}.a{stroke:#999}.g{stroke:#444}.h{stroke:#aaa}\
    .c0{stroke:#6cb2eb;fill:#6cb2eb}.c1{stroke:#ff9a57;fill:#ff9a57}.c2{stroke:#62d39a;fill:#62d39a}\
    .c3{stroke:#c79bf2;fill:#c79bf2}.c4{stroke:#e3c94f;fill:#e3c94f}.c5{stroke:#bbb;fill:#bbb}}\
    path.s{fill:none}</style>";

impl Plot {
    /// The plot as an SVG file.
    pub(crate) fn svg(&self) -> String {
        let all = || self.series.iter().flat_map(|s| &s.points);
        let top = self.top.unwrap_or_else(|| {
            all().map(|p| p.1).chain(self.line.iter().map(|l| l.0)).fold(1e-9, f64::max) * 1.04
        });
        let (x_low, x_high) =
            all().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), p| (a.min(p.0), b.max(p.0)));
        let (x_low, x_high) = if x_low < x_high { (x_low, x_high) } else { (x_low - 1.0, x_low + 1.0) };
        let x_at = |x: f64| LEFT + (x - x_low) / (x_high - x_low) * (WIDTH - LEFT - RIGHT);
        let y_at = |y: f64| HEIGHT - BOTTOM - y / top * (HEIGHT - TOP - BOTTOM);
        // Writing to a String cannot fail.
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n\
             <title>{0}</title>{STYLE}\n<text class=\"t\" x=\"{LEFT}\" y=\"20\">{0}</text>\n",
            escape(&self.title)
        );
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for y in ticks(0.0, top) {
            let at = y_at(y);
            let _ = writeln!(svg, "<path class=\"g\" d=\"M{LEFT} {at:.1}H{right}\"/>");
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                at + 4.0,
                number(y)
            );
        }
        for x in ticks(x_low, x_high) {
            let at = x_at(x);
            let _ = writeln!(
                svg,
                "<path class=\"a\" d=\"M{at:.1} {bottom}v5\"/><text x=\"{at:.1}\" y=\"{:.1}\" \
                 text-anchor=\"middle\">{}</text>",
                bottom + 19.0,
                number(x)
            );
        }
        let _ = writeln!(svg, "<path class=\"a\" fill=\"none\" d=\"M{LEFT} {TOP}V{bottom}H{right}\"/>");
        let middle = f64::midpoint(LEFT, right);
        let _ = writeln!(
            svg,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            HEIGHT - 10.0,
            escape(&self.x)
        );
        let height = f64::midpoint(TOP, bottom);
        let _ = writeln!(
            svg,
            "<text transform=\"translate(15 {height}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            escape(&self.y)
        );
        if let Some((y, name)) = self.line.as_ref().filter(|(y, _)| *y <= top) {
            let at = y_at(*y);
            let _ = writeln!(
                svg,
                "<path class=\"h\" d=\"M{LEFT} {at:.1}H{right}\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                right + 6.0,
                at + 4.0,
                escape(name)
            );
        }
        let clip = format!(
            "<clipPath id=\"c\"><path d=\"M{} {TOP}H{}V{}H{0}z\"/></clipPath>",
            LEFT - 5.0,
            right + 5.0,
            bottom + 5.0
        );
        let _ = writeln!(svg, "{clip}");
        for (k, series) in self.series.iter().enumerate() {
            let class = k % 6;
            let mut path = String::new();
            let mut marks = String::new();
            for (i, &(x, y)) in series.points.iter().enumerate() {
                let (x, y) = (x_at(x), y_at(y));
                let _ = write!(path, "{}{x:.1} {y:.1}", if i == 0 { 'M' } else { 'L' });
                marks.push_str(&mark(k, x, y));
            }
            let _ = writeln!(
                svg,
                "<g clip-path=\"url(#c)\"><path class=\"s c{class}\" style=\"fill:none\" d=\"{path}\"/><path \
                 class=\"c{class}\" d=\"{marks}\"/></g>"
            );
            let at = TOP + 10.0 + 18.0 * k as f64;
            let _ = writeln!(
                svg,
                "<path class=\"c{class}\" d=\"{}\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                mark(k, right + 18.0, at),
                right + 28.0,
                at + 4.0,
                escape(&series.name)
            );
        }
        svg + "</svg>\n"
    }
}

/// A mark of the k-th shape: disc, square, diamond, triangle, cross.
pub(crate) fn mark(k: usize, x: f64, y: f64) -> String {
    match k % 5 {
        0 => format!("M{:.1} {y:.1}a3 3 0 1 0 6 0a3 3 0 1 0-6 0", x - 3.0),
        1 => format!("M{:.1} {:.1}h5v5h-5z", x - 2.5, y - 2.5),
        2 => format!("M{x:.1} {:.1}l3.5 3.5l-3.5 3.5l-3.5-3.5z", y - 3.5),
        3 => format!("M{x:.1} {:.1}l3.5 6h-7z", y - 3.5),
        _ => format!("M{:.1} {:.1}l6 6m0-6l-6 6", x - 3.0, y - 3.0),
    }
}

/// About five round numbers in a range.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 5.0;
    let unit = 10_f64.powf(rough.log10().floor());
    let step =
        [1.0, 2.0, 2.5, 5.0, 10.0].map(|k| k * unit).into_iter().find(|s| *s >= rough).unwrap_or(rough);
    let (first, last) = ((low / step).ceil() as i64, (high / step + 1e-9).floor() as i64);
    (first..=last).map(|k| k as f64 * step).collect()
}

fn number(x: f64) -> String {
    let text = format!("{x:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(0.0, 10.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks(2.0, 14.0), [2.5, 5.0, 7.5, 10.0, 12.5]);
        assert_eq!(number(2.50), "2.5");
    }

    #[test]
    fn every_point_is_drawn_once() {
        let plot = Plot {
            title: String::from("a < b"),
            x: String::from("m"),
            y: String::from("changes"),
            series: vec![Series { name: String::from("s"), points: vec![(0.0, 0.0), (1.0, 10.0)] }],
            line: Some((5.0, String::from("half"))),
            top: None,
        };
        let svg = plot.svg();
        // From the lower left corner of the frame, (70, 352), to the right, 10 / 10.4 of its height up.
        assert!(svg.contains("d=\"M70.0 352.0L475.0 46.2\""), "{svg}");
        assert!(svg.contains("a &lt; b") && svg.contains("prefers-color-scheme:dark"));
        assert_eq!(svg.matches("a3 3").count(), 6, "two marks and one in the legend, two arcs each");
    }
}
