//! A plot between two axes.

use maud::{Markup, PreEscaped, html};

use crate::labels::{GAP, TEXT, placed};
use crate::mark::{Ink, Shape};
use crate::path::{Path, at};
use crate::picture::Picture;
use crate::scale::{Scale, Tick};
use crate::text::{fit, width};

/// Width of every picture, in units of which a page makes at least one pixel each: text then has 11 pixels or
/// more on a screen of 360.
const WIDTH: f64 = 340.0;

/// An axis: a scale, what it is of, and the labels of its ticks.
#[derive(Clone, Debug)]
pub struct Axis {
    scale: Scale,
    name: String,
    ticks: Vec<(f64, String)>,
}

impl Axis {
    /// An axis with at most `most` ticks, whose labels the caller makes.
    pub fn new(scale: Scale, name: &str, most: usize, label: impl Fn(Tick) -> String) -> Axis {
        let ticks = scale.ticks(most).into_iter();
        let ticks = ticks.map(|tick| (tick.value, label(tick))).collect();
        Axis::with_ticks(scale, name, ticks)
    }

    /// An axis with ticks at these values; those that have no room go without a label.
    pub fn with_ticks(scale: Scale, name: &str, ticks: Vec<(f64, String)>) -> Axis {
        let name = name.to_owned();
        Axis { scale, name, ticks }
    }
}

/// A plot. Marks take coordinates on its axes; what is added later lies above.
#[derive(Debug)]
pub struct Chart {
    x: Axis,
    y: Axis,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    height: f64,
    body: String,
    /// Where the names of marks end, line by line.
    named: Vec<f64>,
}

impl Chart {
    /// An empty plot of this many units in height, of which 340 are its width. Series that are named stand in a
    /// legend above it, each with its shape; the picture grows by it.
    pub fn new(x: Axis, y: Axis, height: f64, series: &[(&str, Shape, Ink)]) -> Chart {
        let widest = y.ticks.iter().map(|(_, label)| width(label, TEXT));
        let mut chart = Chart {
            left: (widest.fold(12.0, f64::max) + 7.0).ceil(),
            right: WIDTH - 8.0,
            top: 18.0,
            bottom: 0.0,
            height,
            body: String::new(),
            named: Vec::new(),
            x,
            y,
        };
        chart.legend(series);
        let below = if chart.x.name.is_empty() { 18.0 } else { 31.0 };
        chart.bottom = chart.height - below;
        chart.frame();
        chart
    }

    /// Names the series in lines below the name of the upright axis.
    fn legend(&mut self, series: &[(&str, Shape, Ink)]) {
        let mut left = 0.0;
        let mut baseline = 24.0;
        for (name, shape, ink) in series {
            let name = fit(name, TEXT, WIDTH - 20.0).into_owned();
            let room = 12.0 + width(&name, TEXT);
            if left > 0.0 && left + room > WIDTH {
                (left, baseline) = (0.0, baseline + 14.0);
            }
            let mut path = Path::default();
            shape.add(&mut path, left + 5.0, baseline - 4.0);
            self.path(&format!("{} {}", shape.class(), ink.class()), &path);
            self.text(left + 12.0, baseline, "", &name);
            left += room + 10.0;
        }
        if !series.is_empty() {
            self.top = baseline + 8.0;
            self.height += self.top - 18.0;
        }
    }

    fn frame(&mut self) {
        let (mut grid, mut edge) = (Path::default(), Path::default());
        let (mut beside, mut below) = (String::new(), String::new());
        let mut taken = f64::INFINITY;
        for (value, label) in &self.y.ticks {
            // Whole units: sharp, and short.
            let y = self.y_of(*value).round();
            grid.go(self.left.round(), y).across(self.right);
            if taken - y >= TEXT + 2.0 {
                beside += &label_at(self.left - 5.0, y + 4.0, label).0;
                taken = y;
            }
        }
        let ticks = self.x.ticks.iter();
        let ticks = ticks.map(|(value, label)| (self.x_of(*value).round(), label.as_str()));
        for (x, _) in ticks.clone() {
            edge.go(x, self.bottom).up_to(self.bottom + 3.0);
        }
        for (x, label) in placed(ticks, WIDTH) {
            below += &label_at(x, self.bottom + 14.0, &label).0;
        }
        edge.go(self.left, self.bottom).across(self.right);
        let labels = html! {
            g class="e" { (PreEscaped(beside)) }
            g class="t" { (PreEscaped(below)) }
        };
        self.body += &labels.0;
        self.path("g", &grid);
        self.path("x", &edge);
        let name = fit(&self.y.name, TEXT, WIDTH).into_owned();
        self.text(0.0, 10.0, "m", &name);
        let name = fit(&self.x.name, TEXT, WIDTH).into_owned();
        self.text(self.right, self.height - 3.0, "m e", &name);
    }

    fn x_of(&self, value: f64) -> f64 {
        self.left + (self.right - self.left) * self.x.scale.position(value)
    }

    fn y_of(&self, value: f64) -> f64 {
        self.bottom + (self.top - self.bottom) * self.y.scale.position(value)
    }

    fn path(&mut self, class: &str, path: &Path) {
        self.body += &path.element(class).0;
    }

    fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        if !text.is_empty() {
            let class = (!class.is_empty()).then_some(class);
            self.body += &html! { text class=[class] x=(at(x)) y=(at(y)) { (text) } }.0;
        }
    }

    /// Columns that a dense series may have: one mark each.
    pub fn columns(&self) -> usize {
        ((self.right - self.left) / 3.0) as usize
    }

    /// A dot for each point.
    pub fn dots(&mut self, points: &[(f64, f64)], shape: Shape, ink: Ink) {
        let mut path = Path::default();
        for (x, y) in points {
            shape.add(&mut path, self.x_of(*x), self.y_of(*y));
        }
        self.path(&format!("{} {}", shape.class(), ink.class()), &path);
    }

    /// An upright interval for each `(x, lower, upper)`, with caps.
    pub fn intervals(&mut self, intervals: &[(f64, f64, f64)], ink: Ink) {
        let mut path = Path::default();
        for (x, lower, upper) in intervals {
            let (x, lower, upper) = (self.x_of(*x), self.y_of(*lower), self.y_of(*upper));
            path.go(x, lower).up_to(upper);
            path.go(x - 3.0, lower).across(x + 3.0);
            path.go(x - 3.0, upper).across(x + 3.0);
        }
        self.path(&format!("i {}", ink.class()), &path);
    }

    /// A bare upright line from the lowest to the highest value of each column of a dense series.
    pub fn ranges(&mut self, ranges: &[(f64, f64, f64)], ink: Ink) {
        let mut path = Path::default();
        for (x, lower, upper) in ranges {
            // Whole units: there may be a hundred of them in a picture.
            let (lower, upper) = (self.y_of(*lower).round(), self.y_of(*upper).round());
            // One value is seen, too.
            let lower = lower.max(upper + 1.0);
            path.go(self.x_of(*x).round(), lower).up_to(upper);
        }
        self.path(ink.class(), &path);
    }

    /// An area across the plot between two values of the y axis, with its edges.
    pub fn band(&mut self, lower: f64, upper: f64, ink: Ink) {
        let (low, high) = (self.y_of(lower), self.y_of(upper));
        let mut area = Path::default();
        area.go(self.left, low)
            .across(self.right)
            .up_to(high)
            .across(self.left)
            .close();
        self.path(&format!("w {}", ink.class()), &area);
        let mut edges = Path::default();
        edges
            .go(self.left, low)
            .across(self.right)
            .go(self.left, high)
            .across(self.right);
        self.path(&format!("s {}", ink.class()), &edges);
    }

    /// An area over the height of the plot between two values of the x axis, with its edges.
    pub fn span(&mut self, from: f64, to: f64, ink: Ink) {
        let (left, right) = (self.x_of(from), self.x_of(to));
        let mut area = Path::default();
        area.go(left, self.bottom)
            .up_to(self.top)
            .across(right)
            .up_to(self.bottom)
            .close();
        self.path(&format!("w {}", ink.class()), &area);
        let mut edges = Path::default();
        edges
            .go(left, self.bottom)
            .up_to(self.top)
            .go(right, self.bottom)
            .up_to(self.top);
        self.path(&format!("s {}", ink.class()), &edges);
    }

    /// A step line: each value holds until the next point.
    pub fn steps(&mut self, points: &[(f64, f64)], ink: Ink) {
        let mut path = Path::default();
        let mut before = f64::NAN;
        for (x, y) in points {
            let (x, y) = (self.x_of(*x), (2.0 * self.y_of(*y)).round() / 2.0);
            if path.is_empty() {
                path.go(x, y);
            } else if y != before {
                path.across(x).up_to(y);
            }
            before = y;
        }
        if let Some((x, _)) = points.last() {
            path.across(self.x_of(*x));
        }
        self.path(&format!("l {}", ink.class()), &path);
    }

    /// A rule through points: what is expected, and no measurement.
    pub fn rule(&mut self, points: &[(f64, f64)]) {
        self.joined("r", points);
    }

    /// A line that joins the points of a series.
    pub fn line(&mut self, points: &[(f64, f64)], ink: Ink) {
        self.joined(&format!("l {}", ink.class()), points);
    }

    fn joined(&mut self, class: &str, points: &[(f64, f64)]) {
        let mut path = Path::default();
        for (number, (x, y)) in points.iter().enumerate() {
            let (x, y) = (self.x_of(*x), self.y_of(*y));
            match number {
                0 => path.go(x, y),
                _ => path.line(x, y),
            };
        }
        self.path(class, &path);
    }

    /// A rule across the plot at a value of the y axis.
    pub fn level(&mut self, y: f64) {
        let mut path = Path::default();
        path.go(self.left, self.y_of(y)).across(self.right);
        self.path("r", &path);
    }

    /// An upright rule at a value of the x axis, with a name at its top: in the first line that has room for it. Marks come
    /// from left to right.
    pub fn mark(&mut self, x: f64, name: &str) {
        let mut path = Path::default();
        let at = self.x_of(x);
        path.go(at, self.bottom).up_to(self.top);
        self.path("r", &path);
        let name = fit(name, TEXT, self.right - self.left);
        let width = width(&name, TEXT);
        let end = (at - 3.0).max(self.left + width);
        let line = self
            .named
            .iter()
            .position(|taken| taken + GAP <= end - width);
        let line = line.unwrap_or(self.named.len());
        let baseline = self.top + 9.0 + (TEXT + 1.0) * line as f64;
        if baseline > self.bottom {
            return;
        }
        self.named.resize(self.named.len().max(line + 1), end);
        self.named[line] = end;
        self.text(end, baseline, "e", &name);
    }

    /// Thin rules between the parts of a series, upright at values of the x axis.
    pub fn borders(&mut self, xs: &[f64]) {
        let mut path = Path::default();
        for x in xs {
            path.go(self.x_of(*x).round(), self.bottom).up_to(self.top);
        }
        self.path("g", &path);
    }

    /// A rug: short strokes along the right edge, at values of the y axis.
    pub fn rug(&mut self, ys: &[f64], ink: Ink) {
        let mut path = Path::default();
        // Whole units, each once.
        let mut ys: Vec<f64> = ys.iter().map(|y| self.y_of(*y).round()).collect();
        ys.sort_by(f64::total_cmp);
        ys.dedup_by(|a, b| a <= b);
        for y in ys {
            path.go(self.right, y).across(self.right + 8.0);
        }
        self.path(&format!("s {}", ink.class()), &path);
    }

    /// The picture, with its title and its figures in words.
    pub fn picture(self, title: String, figures: String) -> Picture {
        Picture {
            title,
            figures,
            width: WIDTH,
            height: self.height,
            body: self.body,
        }
    }
}

/// A label in a group that anchors it.
fn label_at(x: f64, y: f64, label: &str) -> Markup {
    html! { text x=(at(x.round())) y=(at(y.round())) { (label) } }
}
