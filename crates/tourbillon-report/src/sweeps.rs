//! How the cases of a benchmark with a numeric axis grow.

use std::collections::HashMap;

use tourbillon_analysis::sweep::{
    Cache, Exponent, Kink, Model, Refused, Series, bytes_per_size, series, size_of,
};
use tourbillon_present::number::{
    count, counted, fixed, kibibytes, percent_at_most, with_interval,
};
use tourbillon_present::{Ink, Outcome, Style, TextLines};
use tourbillon_record::{Case, CaseResult};

use crate::tree::sweep_name;

/// Growth over a decade up to which a time is called constant.
const LITTLE: f64 = 0.1;
/// Fewest kinks that are summed up.
const KINKS: usize = 4;

/// The growth of every benchmark with a numeric axis: one series for each combination of its other arguments.
#[derive(Clone, Debug)]
pub struct Sweeps<'a> {
    all: Vec<Shown<'a>>,
    caches: &'a [Cache],
}

/// A series, and the bytes that one unit of its axis stands for, where that is known.
#[derive(Clone, Debug)]
struct Shown<'a> {
    series: Series<'a>,
    bytes: Option<f64>,
}

impl<'a> Sweeps<'a> {
    /// Examines the results. Throughputs in bytes and axes that are called `bytes` relate kinks to `caches`.
    pub fn of(cases: &'a [Case], results: &[CaseResult], caches: &'a [Cache]) -> Sweeps<'a> {
        let mut mains: HashMap<&str, &CaseResult> = HashMap::new();
        for result in results.iter().filter(|result| result.metric.is_main()) {
            mains.entry(&result.case).or_insert(result);
        }
        let mut all = Vec::new();
        for series in series(cases, results) {
            if series.is_sweep() || series.case.at_most.is_some() {
                let bytes = bytes_of_series(&series, &mains);
                all.push(Shown { series, bytes });
            }
        }
        Sweeps { all, caches }
    }

    /// The lines, each ended: what each benchmark grows like, then its kinks. None without a numeric axis that was
    /// examined, or was to be.
    pub fn render(&self, style: &Style) -> String {
        let is_shown = |shown: &&Shown<'_>| {
            let series = &shown.series;
            series.outcome.is_ok() || series.case.at_most.is_some()
        };
        let mut page = TextLines::new(style);
        for (at, shown) in self.all.iter().filter(is_shown).enumerate() {
            if at == 0 {
                page.line(Ink::Heading, "", "growth");
            }
            self.add(&mut page, shown);
        }
        page.text
    }

    /// The lines of those that lack something to be examined.
    pub fn refusals(&self, style: &Style) -> String {
        let mut page = TextLines::new(style);
        let refused = self
            .all
            .iter()
            .filter(|shown| shown.series.outcome.is_err());
        refused.for_each(|shown| self.add(&mut page, shown));
        page.text
    }

    /// The same as comments of a script, each line after `#`, with the local exponents.
    pub(crate) fn comments(&self, style: &Style) -> String {
        let mut page = TextLines::new(style);
        for shown in &self.all {
            self.add(&mut page, shown);
            if let Ok(sweep) = &shown.series.outcome {
                for local in &sweep.local {
                    let line = format!("local exponent {}", exponent(local, 3));
                    page.line(Ink::Plain, "  ", &line);
                }
            }
        }
        let lines = page.text.lines();
        lines.map(|line| format!("# {line}\n")).collect()
    }

    fn add(&self, page: &mut TextLines<'_>, shown: &Shown<'_>) {
        let style = page.style;
        let series = &shown.series;
        let (label, axis) = (
            style.safe(&sweep_name(series.case, series.axis)),
            style.safe(series.axis),
        );
        let lead = format!("  {label} over {axis}: ");
        let limit = series
            .case
            .at_most
            .as_deref()
            .map(|limit| style.safe(limit));
        let sweep = match &series.outcome {
            Ok(sweep) => sweep,
            Err(why) => {
                let what = match limit {
                    Some(limit) => {
                        format!("not examined, nor compared with at_most = \"{limit}\"")
                    }
                    None => "not examined".to_owned(),
                };
                page.items(Ink::Plain, &lead, [what, refusal(why)]);
                return;
            }
        };
        let Exponent {
            from, to, upper, ..
        } = sweep.exponent;
        let growth = ((upper * (to / from).ln()).exp() - 1.0).max(0.0);
        let items = if sweep.allows(Model::Constant) && growth <= LITTLE {
            let growth = percent_at_most(growth);
            let growth = format!("grows by at most {growth}{}", range(from, to));
            ["constant".to_owned(), growth]
        } else {
            let models = sweep.models.iter().map(|compatible| {
                let constant = compatible.constant.map_or("", |_| " + constant");
                format!("{}{constant}", compatible.model.name())
            });
            let models = match models.collect::<Vec<_>>().join(" or ") {
                none if none.is_empty() => "none of 1, log n, n, n log n, n^2, n^3".to_owned(),
                models => models,
            };
            [models, format!("exponent {}", exponent(&sweep.exponent, 2))]
        };
        page.items(Ink::Plain, &lead, items);
        for kink in sweep.kinks.iter().take(KINKS) {
            let items = self.kink(shown, kink, style);
            page.items(Ink::Note, "  ! ", items);
        }
        if sweep.kinks.len() > KINKS {
            let more = counted(sweep.kinks.len() - KINKS, "more kink");
            page.line(Ink::Note, "  ! ", &more);
        }
        if let Some(limit) = limit
            && series.exceeds()
        {
            let grows = Outcome::GrowsFaster.word();
            let line = format!("{grows} than at_most = \"{limit}\": case failed");
            page.line(Ink::Failure, "  ! ", &line);
        }
    }

    fn kink(&self, shown: &Shown<'_>, kink: &Kink, style: &Style) -> Vec<String> {
        let (from, to) = (size(kink.from), size(kink.to));
        let slower = kink.factor >= 1.0;
        let (factor, way) = if slower {
            (kink.factor, "slower")
        } else {
            (1.0 / kink.factor, "faster")
        };
        let mut items = vec![format!(
            "kink between {from} and {to}: {} times {way} than the sizes around predict",
            fixed(factor, 1)
        )];
        let is_next_to = |cache: &&Cache| {
            let bytes = shown.bytes;
            bytes.is_some_and(|bytes| cache.is_next_to(kink, bytes))
        };
        items.extend(self.caches.iter().filter(is_next_to).map(|cache| {
            let level = style.safe(&cache.level);
            format!("{level} holds {}", kibibytes(cache.bytes >> 10))
        }));
        items
    }
}

fn bytes_of_series(series: &Series<'_>, mains: &HashMap<&str, &CaseResult>) -> Option<f64> {
    let (axis, size) = size_of(series.case)?;
    let result = mains.get(series.case.id.as_str());
    bytes_per_size(axis, size, result.and_then(|result| result.throughput))
}

/// Why a growth was not examined.
pub fn refusal(why: &Refused) -> String {
    match *why {
        Refused::Sizes { got, needed } => {
            let sizes = counted(got, "size");
            format!("{sizes} with an interval, {} more needed", needed - got)
        }
        Refused::Span { got, needed } => {
            let [got, needed] = [fixed(got, 1), fixed(needed, 0)];
            format!("the largest size is {got} times the smallest, {needed} times needed")
        }
    }
}

fn exponent(exponent: &Exponent, decimals: usize) -> String {
    let ends = (exponent.lower, exponent.upper);
    with_interval(exponent.value, ends, decimals) + &range(exponent.from, exponent.to)
}

fn range(from: f64, to: f64) -> String {
    format!(" from {} to {}", size(from), size(to))
}

fn size(size: f64) -> String {
    let whole = size as u64;
    if whole as f64 >= size && size < 1e15 {
        count(whole)
    } else {
        size.to_string()
    }
}
