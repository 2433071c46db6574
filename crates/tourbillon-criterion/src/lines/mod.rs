//! The lines of a benchmark on stdout, in the forms of criterion, which other programs read.

mod change;
mod paint;

use tourbillon_criterion_files::{Estimate, Estimates};
use tourbillon_record::{CaseResult, Scope};
use tourbillon_report::escape;

pub(crate) use self::paint::Paint;
use self::paint::{COLUMN, ends};
use crate::amount::Amount;
use crate::change::Change;
use crate::values::{decimal, is_time, rate, show, value, without_figure};

/// How lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lines {
    pub(crate) form: Form,
    pub(crate) paint: Paint,
    /// Without changes.
    pub(crate) quiet: bool,
    /// With the statistics.
    pub(crate) verbose: bool,
}

/// Forms of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `NAME   time:   [1.0 ns 1.1 ns 1.2 ns]`
    Criterion,
    /// `test NAME ... bench:          11.25 ns/iter (+/- 1.10)`
    Bencher,
}

/// What the lines of a benchmark are made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown<'s> {
    pub(crate) id: &'s str,
    pub(crate) result: &'s CaseResult,
    pub(crate) throughput: Option<Amount>,
    /// Since earlier results, or why there is none.
    pub(crate) change: Since<'s>,
}

/// A change since earlier results.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Since<'s> {
    /// There are no earlier results.
    Nothing,
    /// The change.
    Change(&'s Change),
    /// Why it is not known.
    NotCompared(&'s str),
}

impl Shown<'_> {
    /// A number of a result whose size is `typical`.
    fn value(&self, typical: f64, number: f64) -> String {
        let shown = show(&self.result.units, typical, number);
        shown.unwrap_or_else(|| value(self.result, number))
    }

    /// The rates of an interval, in each unit.
    fn rates(&self, of: &Estimate) -> Vec<[String; 3]> {
        // The faster, the higher the rate.
        let reversed = Estimate {
            lower: of.upper,
            upper: of.lower,
            ..*of
        };
        if is_time(self.result) {
            let amounts = self.throughput.map_or(Vec::new(), Amount::single);
            let each = amounts.into_iter();
            return each
                .map(|amount| ends(&reversed, |ns| rate(amount, ns)))
                .collect();
        }
        let (rates, typical) = (&self.result.rates, of.point);
        let falls = rates.unit(typical).is_some_and(|unit| unit.falls);
        let of = if falls { &reversed } else { of };
        let [lower, point, upper] =
            [of.lower, of.point, of.upper].map(|number| show(rates, typical, number));
        let shown = lower.zip(point).zip(upper);
        shown
            .map(|((lower, point), upper)| [lower, point, upper])
            .into_iter()
            .collect()
    }
}

impl Lines {
    /// The lines of a benchmark, each with its line feed.
    pub(crate) fn render(&self, shown: &Shown<'_>) -> String {
        match self.form {
            Form::Criterion => self.criterion(shown),
            Form::Bencher => bencher(shown),
        }
    }

    fn criterion(&self, shown: &Shown<'_>) -> String {
        let result = shown.result;
        let id = escape(shown.id, true);
        let name = self.paint.paint("32", &id);
        let mut text = if id.len() < COLUMN {
            format!("{name}{}", " ".repeat(COLUMN - id.len()))
        } else {
            format!("{name}\n{}", " ".repeat(COLUMN))
        };
        let Some(found) = Estimates::of(result) else {
            return text + &format!("time:   {}\n", without_figure(result));
        };
        let median = &found.median;
        let margin = " ".repeat(COLUMN);
        if median.confidence > 0.0 {
            let show = |time| shown.value(median.point, time);
            text += &self.paint.three("time:   ", ends(median, show));
        } else {
            text += &format!(
                "time:   {} (no interval)\n",
                shown.value(median.point, median.point)
            );
        }
        if median.confidence > 0.0 {
            for rates in shown.rates(median) {
                text += &margin;
                text += &self.paint.three("thrpt:  ", rates);
            }
        }
        if result.scope == Scope::Process {
            text += &margin;
            text += "The interval holds for the measured processes only.\n";
        }
        let has_rate = shown.throughput.is_some() && is_time(result);
        match shown.change {
            Since::Change(change) if !self.quiet => {
                text += &change::lines(change, has_rate, self.paint);
            }
            Since::NotCompared(why) if !self.quiet => {
                text += &format!("{margin}Not compared with the run before: {why}.\n");
            }
            _ => {}
        }
        if self.verbose {
            text += &statistics(result, &found);
        }
        text
    }
}

/// The line of a benchmark in the form of the crate `bencher`; none where there is no figure.
fn bencher(shown: &Shown<'_>) -> String {
    let Some(found) = Estimates::of(shown.result) else {
        return String::new();
    };
    let unit = shown.result.unit();
    format!(
        "test {} ... bench: {:>14} {unit}/iter (+/- {})\n",
        escape(shown.id, true),
        decimal(found.median.point),
        decimal(found.std_dev.point)
    )
}

/// The lines with the intervals of the statistics.
fn statistics(result: &CaseResult, found: &Estimates) -> String {
    let ends = |of: &Estimate| format!("[{} {}]", value(result, of.lower), value(result, of.upper));
    let line = |one: &str, first: &Estimate, other: &str, second: &Estimate| {
        format!("{one:<7}{} {other:<15}{}\n", ends(first), ends(second))
    };
    line("mean", &found.mean, "std. dev.", &found.std_dev)
        + &line(
            "median",
            &found.median,
            "med. abs. dev.",
            &found.median_abs_dev,
        )
}

#[cfg(test)]
mod tests {
    use regex_lite::Regex;
    use tourbillon_record::{Absence, Rough};

    use super::*;
    use crate::change::Verdict;

    const PLAIN: Lines = Lines {
        form: Form::Criterion,
        paint: Paint(false),
        quiet: false,
        verbose: false,
    };

    fn result() -> CaseResult {
        CaseResult {
            estimate: Ok(1_234.5),
            lower: Some(999.99),
            upper: Some(1_300.0),
            confidence: Some(0.99),
            stddev: Some(12.6),
            launches: 20,
            scope: Scope::Processes,
            ..CaseResult::default()
        }
    }

    fn shown<'s>(id: &'s str, result: &'s CaseResult) -> Shown<'s> {
        Shown {
            id,
            result,
            throughput: None,
            change: Since::Nothing,
        }
    }

    /// A time as bencher.dev's adapter reads it, in nanoseconds.
    fn nanoseconds(time: &str) -> f64 {
        let (number, unit) = time.split_once(' ').expect("a unit");
        let size = [
            ("ps", 1e-3),
            ("ns", 1.0),
            ("µs", 1e3),
            ("ms", 1e6),
            ("s", 1e9),
        ];
        let size = size
            .iter()
            .find(|(name, _)| *name == unit)
            .expect("a unit")
            .1;
        number.replace(',', "").parse::<f64>().expect("a number") * size
    }

    /// What bencher.dev's adapter finds: a name, which may be the line before, and the three times of a line that
    /// ends after them.
    fn found(text: &str) -> Vec<(String, [f64; 3])> {
        let time = r"([0-9,.]+ [^ ]+)";
        let line = format!(r"^(.*?)[ \t]+time:[ \t]+\[{time}[ \t]+{time}[ \t]+{time}\]$");
        let line = Regex::new(&line).expect("an expression");
        let mut before = "";
        let mut found = Vec::new();
        for text in text.lines() {
            if let Some(parts) = line.captures(text) {
                let name = if parts[1].is_empty() {
                    before
                } else {
                    &parts[1]
                };
                found.push((name.to_owned(), [2, 3, 4].map(|n| nanoseconds(&parts[n]))));
            }
            before = text;
        }
        found
    }

    #[test]
    fn times_have_the_form_of_criterion() {
        let result = result();
        let text = PLAIN.render(&shown("group/id", &result));
        assert_eq!(
            text,
            "group/id                time:   [999.99 ns 1.2345 µs 1.3000 µs]\n"
        );
        let of_one = CaseResult {
            scope: Scope::Process,
            ..result.clone()
        };
        let text_of_one = PLAIN.render(&shown("group/id", &of_one));
        let sentence =
            "                        The interval holds for the measured processes only.\n";
        assert_eq!(text_of_one, format!("{text}{sentence}"));
        assert_eq!(found(&text_of_one).len(), 1);
        let long = "a name of more than 23 bytes/µ";
        let text = PLAIN.render(&shown(long, &result)) + &text;
        let times = [999.99, 1_234.5, 1_300.0];
        assert_eq!(
            found(&text),
            [(long.to_owned(), times), ("group/id".to_owned(), times)]
        );
    }

    #[test]
    fn a_change_does_not_hide_the_time() {
        let result = result();
        let change = Change {
            lower: -0.051_234,
            estimate: -0.03,
            upper: -0.012,
            error: 0.015_6,
            verdict: Verdict::Improved,
            throughputs: None,
        };
        let mut with = shown("x", &result);
        with.change = Since::Change(&change);
        let text = PLAIN.render(&with);
        let expected = "                        change: [−5.1234% −3.0000% −1.2000%] (p < 0.02)\n                        Performance has improved.\n";
        assert!(text.ends_with(expected), "{text}");
        let none = Change {
            verdict: Verdict::NotDetected,
            ..change
        };
        with.change = Since::Change(&none);
        let text = PLAIN.render(&with);
        assert!(text.contains("(p > 0.015)"), "{text}");
        let close = Change {
            error: 0.008_6,
            ..none
        };
        with.change = Since::Change(&close);
        let text = PLAIN.render(&with);
        assert!(text.contains("(p > 0.008)"), "{text}");
        with.change = Since::Change(&change);
        with.throughput = Some(Amount::Elements(1_000));
        let text = PLAIN.render(&with);
        let expected =
            "                        thrpt:  [769.23 Melem/s 810.04 Melem/s 1.0000 Gelem/s]
                 change:
                        time:   [−5.1234% −3.0000% −1.2000%] (p < 0.02)
                        thrpt:  [+1.2146% +3.0928% +5.4001%]
                        Performance has improved.
";
        assert!(text.ends_with(expected), "{text}");
        assert_eq!(found(&text).len(), 1);
        let quiet = Lines {
            quiet: true,
            ..PLAIN
        };
        assert!(!quiet.render(&with).contains("change"));
        let mut without = with;
        without.change = Since::NotCompared("that has too few launches");
        let text = PLAIN.render(&without);
        let expected = "\n                        Not compared with the run before: that has too few launches.\n";
        assert!(text.ends_with(expected), "{text}");
        assert!(!quiet.render(&without).contains("change"));
        let verbose = Lines {
            verbose: true,
            ..PLAIN
        };
        assert!(
            verbose
                .render(&with)
                .contains("\nmedian [999.99 ns 1.3000 µs] med. abs. dev. [")
        );
    }

    #[test]
    fn what_has_no_interval_is_no_time_of_criterion() {
        let without = CaseResult {
            lower: None,
            ..result()
        };
        let below = CaseResult {
            estimate: Err(Absence::BelowResolution),
            upper: Some(0.5),
            ..result()
        };
        let failed = CaseResult {
            estimate: Err(Absence::Failed),
            ..result()
        };
        let scattered = CaseResult {
            estimate: Err(Absence::TooScattered),
            lower: Some(980.0),
            upper: Some(10_200.0),
            ..result()
        };
        let rough = |estimate, lower, upper| CaseResult {
            estimate: Err(estimate),
            rough: Some(Rough::between(lower, upper)),
            ..CaseResult::default()
        };
        for (result, expected) in [
            (
                without,
                "x                       time:   1.2345 µs (no interval)\n",
            ),
            (
                below,
                "x                       time:   < 500.00 ps (below the resolution)\n",
            ),
            (
                failed,
                "x                       time:   no figure: failed\n",
            ),
            (
                rough(Absence::MachineBusy, 39.0, 84.0),
                "x                       time:   ~ [39.000 ns 57.236 ns 84.000 ns] (rough: machine too busy)\n",
            ),
            (
                rough(Absence::TooScattered, 980.0, 10_200.0),
                "x                       time:   ~ [980.00 ns 10.200 µs] (wide: too scattered)\n",
            ),
            (
                scattered,
                "x                       time:   no figure: too scattered, 980.00 ns to 10.200 µs\n",
            ),
        ] {
            let text = PLAIN.render(&shown("x", &result));
            assert_eq!(text, expected);
            assert_eq!(found(&text), []);
        }
    }

    #[test]
    fn lines_of_bencher_are_what_github_action_benchmark_reads() {
        let read = r"^test (.+)\s+\.\.\. bench:\s+([0-9,.]+) (\w+\/\w+) \(\+\/- ([0-9,.]+)\)$";
        let read = Regex::new(read).expect("an expression");
        let result = CaseResult {
            estimate: Ok(1_234_567.8),
            ..result()
        };
        let lines = Lines {
            form: Form::Bencher,
            ..PLAIN
        };
        let text = lines.render(&shown("a b/c", &result));
        assert_eq!(
            text,
            "test a b/c ... bench:   1,234,567.80 ns/iter (+/- 12.60)\n"
        );
        let parts = read.captures(text.trim_end()).expect("a result");
        let parts = [1, 2, 3, 4].map(|n| parts[n].to_owned());
        assert_eq!(parts, ["a b/c", "1,234,567.80", "ns/iter", "12.60"]);
        let failed = CaseResult {
            estimate: Err(Absence::Failed),
            ..result
        };
        assert_eq!(lines.render(&shown("x", &failed)), "");
    }
}
