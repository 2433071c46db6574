//! The page of a case.

use tourbillon_analysis::Rules;
use tourbillon_record::{CaseResult, FactValue, Note, Run, Visit};
use tourbillon_report::{Figure, Style, escape, measured};

use super::{comparison, memory, steps};
use crate::screen::paragraph;
use crate::table::Sheet;

/// Everything in the record about a case.
pub(super) fn render(run: &Run, id: &str, style: &Style) -> String {
    let mut page = Page {
        run,
        id,
        style,
        text: String::new(),
    };
    page.heading();
    let visits = steps::visits(run, id);
    match steps::rules(&run.header) {
        Some(rules) if !visits.is_empty() => {
            page.pilot(&visits, &rules);
            page.launches(&visits, &rules);
            steps::push_chain(&mut page.text, &visits, style);
            steps::push_threads(&mut page.text, &visits, &rules, style);
            page.figures(&rules);
            memory::push(&mut page.text, run, id, style);
        }
        Some(_) => page.say("", "There are no samples in this record."),
        None => page.say(
            "",
            "The header names no clock, so the samples cannot be read.",
        ),
    }
    page.faults();
    if comparison::is_about(run, id) {
        comparison::push(&mut page.text, run, id, style);
    }
    page.text
}

/// A comparison of builds of a case.
pub(super) fn compared(run: &Run, id: &str, style: &Style) -> String {
    let mut page = Page {
        run,
        id,
        style,
        text: String::new(),
    };
    let fact = |name: &str| {
        let facts = run.header.facts.iter();
        facts
            .filter(|fact| fact.name == name)
            .find_map(|fact| match &fact.value {
                FactValue::Text(text) => Some(escape(text, style.unicode)),
                _ => None,
            })
            .unwrap_or_default()
    };
    let (old, new) = (fact("reference"), fact("candidate"));
    let heading = format!(
        "{}: {new} against {old}, {}, seed {:x}",
        escape(id, style.unicode),
        run.header.started,
        run.header.seed
    );
    page.say("", &heading);
    page.faults();
    comparison::push(&mut page.text, run, id, style);
    memory::push_both(&mut page.text, run, id, [&old, &new], style);
    page.text
}

struct Page<'p> {
    run: &'p Run,
    id: &'p str,
    style: &'p Style,
    text: String,
}

impl Page<'_> {
    fn say(&mut self, lead: &str, text: &str) {
        paragraph(&mut self.text, lead, text, self.style);
    }

    fn heading(&mut self) {
        let (header, id) = (&self.run.header, self.id);
        self.text.push_str(&escape(id, self.style.unicode));
        self.text.push('\n');
        if let Some(case) = self.run.cases.iter().find(|case| case.id == id) {
            let place = escape(&format!("{}:{}", case.file, case.line), self.style.unicode);
            let text = format!(
                "{place}, in the run of {}, seed {:x}",
                header.started, header.seed
            );
            self.say("  ", &text);
        }
        self.text.push('\n');
    }

    /// How the pilot launch found the batch length.
    fn pilot(&mut self, visits: &[Visit], rules: &Rules) {
        let Some(pilot) = visits.iter().find(|visit| visit.scout).or(visits.first()) else {
            return;
        };
        let steps = &pilot.pilot;
        self.text.push_str("Pilot\n");
        let titles = ["windows", "iterations", "copies", "took"];
        let mut sheet = Sheet::new("step").right(titles);
        for (at, ticks) in steps.ticks.iter().enumerate() {
            let of = |column: &[u64]| column.get(at).map_or_else(String::new, u64::to_string);
            let copies = steps
                .unroll
                .get(at)
                .map_or_else(String::new, u32::to_string);
            sheet.row([
                (at + 1).to_string(),
                of(&steps.windows),
                of(&steps.items),
                copies,
                self.time(rules.frequency.nanos(*ticks) as f64),
            ]);
        }
        self.text.push_str(&sheet.render(self.style));
        let length = pilot.length;
        let shape = if length.slope {
            "batches of this length and of twice the length, in random order"
        } else {
            "one length only: the body is as long as a batch, or its count is fixed"
        };
        let text = format!(
            "{} x {} iterations, {} in the inner loop; {shape}. The benchmark called {}.",
            length.windows, length.items, length.unroll, pilot.terminal
        );
        self.say("chosen: ", &text);
        if let Some(measured) = &pilot.measured {
            self.say("measured: ", &steps::measure(measured));
        }
        self.text.push('\n');
    }

    fn launches(&mut self, visits: &[Visit], rules: &Rules) {
        self.text.push_str("Launches\n");
        let started = self.run.header.started_unix_ns;
        let mut sheet = Sheet::new("launch").right([
            "after",
            "core",
            "first call",
            "warm",
            "batches",
            "waited",
            if visits.iter().all(|visit| visit.measured.is_none()) {
                "time/op"
            } else {
                "per op"
            },
            "cycles/op",
        ]);
        for visit in visits {
            let after = visit.started_unix_ns.saturating_sub(started) as f64 / 1e9;
            let hz = rules.frequency.hz() as f64;
            let core = visit
                .chain
                .as_ref()
                .and_then(|chain| steps::core_hz(chain, hz));
            let cycles = steps::cycles(visit, rules);
            sheet.row([
                format!(
                    "{}{}",
                    visit.launch,
                    if visit.scout { " pilot" } else { "" }
                ),
                format!("{after:.2} s"),
                core.map_or_else(String::new, |hz| format!("{:.3} GHz", hz / 1e9)),
                self.time(rules.frequency.nanos(visit.first_call_ticks) as f64),
                if visit.warmup.settled { "yes" } else { "no" }.to_owned(),
                visit.batches.ticks.len().to_string(),
                steps::waited(visit),
                steps::main(visit, rules).map_or_else(String::new, |(result, value)| {
                    measured(&result, Figure::exact(value), self.style)
                }),
                cycles.map_or_else(String::new, |cycles| Figure::exact(cycles).cycles()),
            ]);
        }
        self.text.push_str(&sheet.render(self.style));
        self.touched(visits, rules);
        self.text.push('\n');
    }

    /// What memory batches touched after the samples, if recorded.
    fn touched(&mut self, visits: &[Visit], rules: &Rules) {
        let Some(touched) = visits.iter().find_map(|visit| visit.touched_bytes) else {
            return;
        };
        let mebibytes = |bytes: u64| format!("{:.2} MiB", bytes as f64 / f64::from(1 << 20));
        let cache = match rules.core_cache_bytes {
            Some(cache) => format!("; the private cache of a core has {}", mebibytes(cache)),
            None => String::new(),
        };
        let text = format!(
            "{} by batches after the samples, in whole pages{cache}.",
            mebibytes(touched)
        );
        self.say("touched: ", &text);
    }

    /// The stored figures, and whether the samples still give them.
    fn figures(&mut self, rules: &Rules) {
        self.text.push_str("Figures\n");
        let (run, id) = (self.run, self.id);
        let again = steps::recomputed(run, id, rules);
        let stored = run.results.iter();
        let stored = stored.filter(|result| result.case == id && !result.metric.is_counted());
        for result in stored {
            let same = again.iter().find(|other| other.metric == result.metric);
            let verdict = match same {
                Some(other) if other.method != result.method => {
                    format!(
                        "computed by {}; this version has {}",
                        result.method, other.method
                    )
                }
                Some(other) if agree(other, result) => {
                    format!("{}; recomputed figures are the same", result.method)
                }
                Some(_) => format!("{}; recomputed figures differ", result.method),
                None => "recomputing gives no figure".to_owned(),
            };
            let waits = if result.waits_for_memory() {
                ", of code that waits for memory"
            } else {
                ""
            };
            let overlaps = self.overlap(result);
            let text = format!("{}{waits}{overlaps} ({verdict})", self.interval(result));
            let lead = format!("{}  ", escape(result.metric_name(), self.style.unicode));
            self.say(&lead, &text);
        }
    }

    /// The time of a call that does not overlap others.
    fn overlap(&self, result: &CaseResult) -> String {
        let alone = result.notes.iter().find_map(|note| match note {
            Note::Overlaps { alone } => Some(*alone),
            _ => None,
        });
        alone.map_or(String::new(), |alone| {
            let alone = measured(result, Figure::exact(alone), self.style);
            format!(", of overlapping calls; a call takes {alone} when the previous one has ended")
        })
    }

    fn interval(&self, result: &CaseResult) -> String {
        let shown = |value: f64| measured(result, Figure::exact(value), self.style);
        let mut text = match result.estimate {
            Ok(estimate) => shown(estimate),
            Err(absence) => absence.name().replace('_', " "),
        };
        match (result.lower, result.upper) {
            (Some(lower), Some(upper)) => {
                text.push_str(&format!(", between {} and {}", shown(lower), shown(upper)));
            }
            (_, Some(upper)) => text.push_str(&format!(", at most {}", shown(upper))),
            _ => {}
        }
        if let Some(confidence) = result.confidence {
            text.push_str(&format!(" at {:.2} %", confidence * 100.0));
        }
        text.push_str(&format!(
            ", of {} launches and {} batches, {} of it systematic",
            result.launches,
            result.samples,
            shown(result.systematic)
        ));
        text
    }

    fn faults(&mut self) {
        let (run, id) = (self.run, self.id);
        let mut faults = run
            .faults
            .iter()
            .filter(|fault| fault.case == id)
            .peekable();
        if faults.peek().is_some() {
            self.text.push('\n');
            let faults: Vec<_> = faults.cloned().collect();
            self.text
                .push_str(&tourbillon_report::faults(&faults, self.style));
        }
    }

    fn time(&self, ns: f64) -> String {
        Figure::exact(ns).time(self.style)
    }
}

/// Whether two results are the same to the last bit, and also in waiting for memory and overlap.
fn agree(one: &CaseResult, other: &CaseResult) -> bool {
    (one.estimate, one.lower, one.upper) == (other.estimate, other.lower, other.upper)
        && one.waits_for_memory() == other.waits_for_memory()
        && one.overlaps() == other.overlaps()
}
