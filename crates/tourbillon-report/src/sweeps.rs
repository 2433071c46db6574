//! How the cases of a benchmark with a numeric axis grow.

use tourbillon_analysis::sweep::{Cache, Exponent, Kink, Model, Refused, Series, series, size_of};
use tourbillon_record::{Case, CaseResult, Throughput, ThroughputUnit};

use crate::Style;
use crate::style::Ink;
use crate::text::Text;
use crate::tree::say_sweep_label;
use crate::wrap::Page;

/// Sizes from which a refusal is worth a line: with fewer no growth was to be seen.
const MANY: usize = 3;
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
    /// Examines the results. `throughput` and axes that are called `bytes` tell what kinks have to do with `caches`.
    pub fn of(
        cases: &'a [Case],
        results: &[CaseResult],
        throughput: &dyn Fn(&str) -> Option<Throughput>,
        caches: &'a [Cache],
    ) -> Sweeps<'a> {
        let all = series(cases, results)
            .into_iter()
            .filter(|series| series.cases >= MANY || series.case.at_most.is_some());
        let all = all.map(|series| Shown {
            bytes: bytes_per_size(&series, throughput),
            series,
        });
        Sweeps {
            all: all.collect(),
            caches,
        }
    }

    /// The lines, each ended: what each benchmark grows like, then its kinks. None without a numeric axis.
    pub fn render(&self, style: &Style) -> String {
        let mut page = Page::new(style);
        if !self.all.is_empty() {
            page.sentence(Ink::Heading, "", "growth");
        }
        for shown in &self.all {
            self.add(&mut page, shown);
        }
        page.text
    }

    /// The same as comments of a script, each line behind `#`, with the local exponents.
    pub(crate) fn comments(&self, style: &Style) -> String {
        let mut page = Page::new(style);
        for shown in &self.all {
            self.add(&mut page, shown);
            if let Ok(sweep) = &shown.series.outcome {
                for local in &sweep.local {
                    page.line.say("local exponent ");
                    say_exponent(&mut page.line, local, 3);
                    page.fill(Ink::Plain, "  ");
                }
            }
        }
        page.text
            .lines()
            .map(|line| format!("# {line}\n"))
            .collect()
    }

    fn add(&self, page: &mut Page<'_>, shown: &Shown<'_>) {
        let series = &shown.series;
        let mut lead = Text::new(page.style);
        lead.say("  ");
        say_sweep_label(&mut lead, series.case, series.axis);
        lead.say(" over ").safe(series.axis).say(": ");
        let line = &mut page.line;
        let sweep = match &series.outcome {
            Ok(sweep) => sweep,
            Err(why) => {
                line.say("not examined");
                if let Some(limit) = &series.case.at_most {
                    line.say(", nor held against at_most = \"")
                        .safe(limit)
                        .say("\"");
                }
                say_refusal(line.item(), why);
                page.fill(Ink::Plain, &lead.string);
                return;
            }
        };
        let Exponent {
            from, to, upper, ..
        } = sweep.exponent;
        let growth = ((upper * (to / from).ln()).exp() - 1.0).max(0.0);
        if sweep.allows(Model::Constant) && growth <= LITTLE {
            line.say("constant").item();
            line.say("grows by at most ").percent_at_most(growth);
            say_range(line, from, to);
        } else {
            for (at, compatible) in sweep.models.iter().enumerate() {
                line.say(if at == 0 { "" } else { " or " })
                    .say(compatible.model.name());
                if compatible.constant.is_some() {
                    line.say(" + constant");
                }
            }
            if sweep.models.is_empty() {
                line.say("none of 1, log n, n, n log n, n^2, n^3");
            }
            line.item().say("exponent ");
            say_exponent(line, &sweep.exponent, 2);
        }
        page.fill(Ink::Plain, &lead.string);
        for kink in sweep.kinks.iter().take(KINKS) {
            self.say_kink(&mut page.line, shown, kink);
            page.fill(Ink::Note, "  ! ");
        }
        if sweep.kinks.len() > KINKS {
            let more = (sweep.kinks.len() - KINKS) as u64;
            page.line.counted(more, "more kink");
            page.fill(Ink::Note, "  ! ");
        }
        if let Some(limit) = &series.case.at_most
            && series.exceeds()
        {
            page.line
                .say("grows faster than at_most = \"")
                .safe(limit)
                .say("\": case failed");
            page.fill(Ink::Failure, "  ! ");
        }
    }

    fn say_kink(&self, line: &mut Text, shown: &Shown<'_>, kink: &Kink) {
        let slower = kink.factor >= 1.0;
        let factor = if slower {
            kink.factor
        } else {
            1.0 / kink.factor
        };
        line.say("kink between ");
        say_size(line, kink.from);
        say_size(line.say(" and "), kink.to);
        line.say(": ").decimal(factor, 1).say(if slower {
            " times slower than the sizes around predict"
        } else {
            " times faster than the sizes around predict"
        });
        let Some(bytes) = shown.bytes else {
            return;
        };
        for cache in self.caches {
            if cache.is_next_to(kink, bytes) {
                let kibibytes = cache.bytes >> 10;
                line.item().safe(&cache.level).say(" holds ");
                if kibibytes.is_multiple_of(1024) {
                    line.number(kibibytes >> 10).say(" MiB");
                } else {
                    line.number(kibibytes).say(" KiB");
                }
            }
        }
    }
}

fn bytes_per_size(
    series: &Series<'_>,
    throughput: &dyn Fn(&str) -> Option<Throughput>,
) -> Option<f64> {
    if series.axis == "bytes" {
        return Some(1.0);
    }
    let (_, size) = size_of(series.case)?;
    let throughput = throughput(&series.case.id)?;
    (throughput.unit == ThroughputUnit::Bytes).then_some(throughput.per_op as f64 / size)
}

fn say_refusal(line: &mut Text, why: &Refused) {
    match *why {
        Refused::Sizes { got, needed } => {
            line.counted(got as u64, "size").say(" with an interval, ");
            line.number((needed - got) as u64).say(" more needed");
        }
        Refused::Span { got, needed } => {
            line.say("the largest size is ")
                .decimal(got, 1)
                .say(" times the smallest, ");
            line.decimal(needed, 0).say(" times needed");
        }
    }
}

fn say_exponent(line: &mut Text, exponent: &Exponent, decimals: usize) {
    line.decimal(exponent.value, decimals)
        .say(" [")
        .decimal(exponent.lower, decimals);
    line.say(", ").decimal(exponent.upper, decimals).say("]");
    say_range(line, exponent.from, exponent.to);
}

fn say_range(line: &mut Text, from: f64, to: f64) {
    say_size(line.say(" from "), from);
    say_size(line.say(" to "), to);
}

fn say_size(line: &mut Text, size: f64) {
    let whole = size as u64;
    if whole as f64 >= size && size < 1e15 {
        line.count(whole);
    } else {
        line.safe(&size.to_string());
    }
}
