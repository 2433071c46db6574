//! The page: what stands where.

use std::collections::HashMap;

use maud::{Markup, html};
use tourbillon_analysis::sweep::{Cache, caches};
use tourbillon_compare::recorded;
use tourbillon_pictures::{document, prose, results, shorten};
use tourbillon_present::Document;
use tourbillon_record::{CaseResult, Finding, Metric, Verdict};
use tourbillon_report::{
    Figure, Names, Outcome, Sweeps, answer, comparisons, counted, differs_from_times, escape,
    full_header, header, measured, printed_name, sides, verdict,
};

use super::calls::percentiles;
use super::case::{frequencies, frequency, launches, lengths, over_time, quantiles, summary};
use super::comparison::{Samples, name};
use super::gallery::Gallery;
use super::json;
use super::sweep::{Axes, sweeps};
use super::tables::{first_calls, side_by_side, table};
use super::view::{CaseView, NAME, RunView, STYLE};
use crate::rounds_by_case::RoundsByCase;

/// Cases from which on pictures hold less detail: a page of a thousand cases has to open at once.
const MANY: usize = 200;

/// Rows that need no filter.
const FEW: usize = 10;

/// The whole page.
pub(super) fn render(runs: &[RunView<'_>], gallery: &mut Gallery) -> String {
    let title = match runs {
        [only] => only.title(),
        [first, ..] if first.is_comparison() => first.title(),
        several => format!("{} runs", several.len()),
    };
    let are_beside = runs.iter().filter(|run| run.measures()).count() > 1;
    let is_long = runs.iter().map(|run| run.cases.len()).sum::<usize>() > MANY;
    let body = html! {
        header {
            h1 { (title) }
            @if let [only] = runs {
                p.quiet { (context(only)) }
                @if only.measures() { (chips(only)) }
            }
            @if runs.len() > 1 {
                nav aria-label="Contents" {
                    @for run in runs { a href={ "#" (run.anchor) } { (run.title()) } }
                    @if are_beside { a href="#side-by-side" { "Side by side" } }
                    a href="#cases" { "Cases" }
                }
            }
        }
        main {
            @if runs.iter().map(RunView::rows).sum::<usize>() > FEW {
              div.filters { label {
                    "Filter cases "
                    input.filter type="search" autocomplete="off";
                    " " span #shown role="status" {}
                } }
            }
            @for run in runs { (section(run, is_long, runs.len() > 1, gallery)) }
            @if are_beside { (side_by_side(runs)) }
            @if runs.iter().any(RunView::measures) {
                section {
                    h2 id="cases" { "Cases" }
                    @for run in runs.iter().filter(|run| run.measures()) {
                        @if runs.len() > 1 { h3 { (run.title()) } }
                        @for case in &run.cases { (details(case, is_long, gallery)) }
                    }
                }
            }
            @for run in runs {
                details.facts {
                    summary { "Machine, build and record" @if runs.len() > 1 { " of " (run.title()) } }
                    (facts(run))
                }
            }
        }
        footer {
            p.quiet { "tourbillon " (env!("CARGO_PKG_VERSION")) }
            p { button.csv type="button" hidden { "Save the figures as CSV" } }
        }
    };
    document(&title, &body, &json::json(runs))
}

/// Cases that a finding names before the others are folded.
const NAMED: usize = 6;

/// Findings, the most severe first, linked to their cases.
fn findings(run: &RunView<'_>) -> Markup {
    let cases = run.cases.iter().rev();
    let of_names: HashMap<String, &CaseView<'_>> =
        cases.map(|case| (printed_name(case.case), case)).collect();
    html! {
        @if !run.notes.is_empty() { h3 { "Findings" } }
        ul {
            @for note in &run.notes {
                @let cases: Vec<_> = note.names.iter().filter_map(|name| of_names.get(name)).copied().collect();
                @let (named, others) = cases.split_at(cases.len().min(NAMED));
                li {
                    (prose(&note.text.replace('\n', " ")))
                    @if !named.is_empty() { ": " }
                    (links(named))
                    @if !others.is_empty() {
                        details { summary { "and " (others.len()) " more" } (links(others)) }
                    }
                }
            }
        }
    }
}

fn links(cases: &[&CaseView<'_>]) -> Markup {
    html! {
        @for (at, case) in cases.iter().enumerate() {
            @if at > 0 { ", " }
            a href={ "#" (case.anchor) } { (shorten(&case.label, NAME)) }
        }
    }
}

/// What a reader asks first: how many cases there are, what became of them, and whether the figures are to be trusted.
fn chips(run: &RunView<'_>) -> Markup {
    let count =
        |is: &dyn Fn(&CaseView<'_>) -> bool| run.cases.iter().filter(|case| is(case)).count();
    let rough = count(&|case| case.main.is_some_and(|main| main.rough.is_some()));
    let failed = count(&|case| !case.faults.is_empty() && case.interval().is_none());
    let names = Names::of(&run.run.cases);
    let is_busy = run
        .notes
        .iter()
        .any(|note| note.text.starts_with("busy machine"));
    html! {
        p.chips {
            span.chip { (counted(run.cases.len(), run.noun())) }
            @if failed > 0 { span.chip.bad { (failed) " failed" } }
            @if rough > 0 { span.chip.open { (rough) " rough" } }
            @if let Some(answer) = answer("comparison", &run.run.verdicts, &names, &STYLE) {
                span.chip { (answer) }
            }
            @if is_busy { span.chip.open { "busy machine" } }
        }
    }
}

/// What was measured, and where, in one line.
fn context(run: &RunView<'_>) -> String {
    let text = header(&run.run.header, &STYLE);
    let line = text.lines().next().unwrap_or_default();
    // The title of the page is the program, and the chips count its cases.
    let items = line.split(" · ").skip(2);
    let day = run.run.header.started.split('T').next();
    items.chain(day).collect::<Vec<_>>().join(" · ")
}

/// What there is of one run.
fn section(
    run: &RunView<'_>,
    is_long: bool,
    is_one_of_several: bool,
    gallery: &mut Gallery,
) -> Markup {
    let sweeps = sweeps(&run.cases);
    let caches = caches(&run.run.header);
    let (threads, sizes): (Vec<_>, Vec<_>) = sweeps.iter().partition(|sweep| sweep.is_of_threads);
    html! {
        section aria-label=(run.title()) {
            @if is_one_of_several { h2 id=(run.anchor) { (run.title()) } }
            @if run.measures() { (table(run)) }
            @if let Some(commands) = &run.of_commands { (results(commands)) }
            @if run.measures() { (findings(run)) }
            @if run.compares() { (comparison(run, gallery)) }
            (alarms(run))
            @if !sizes.is_empty() {
                h3 { "Sweeps" }
                @let both = [("grid log", Axes::Log), ("grid linear", Axes::Linear)];
                @let shown = if is_long { &both[..1] } else { &both };
                @if shown.len() > 1 {
                    button.axes type="button" aria-pressed="false" hidden { "Linear axes" }
                }
                @for &(class, axes) in shown {
                    div class=(class) {
                        @for sweep in &sizes {
                            (gallery.show(axes.kinds()[0], sweep.picture(axes, &caches)))
                            (gallery.show(axes.kinds()[1], sweep.per_size(axes)))
                        }
                    }
                }
                (growth(run, &caches))
            }
            @if !threads.is_empty() {
                h3 { "Threads" }
                div.grid {
                    @for sweep in threads {
                        (gallery.show("threads", sweep.picture(Axes::Log, &[])))
                        (gallery.show("rate", sweep.speed_up()))
                    }
                }
            }
            (first_calls(run, is_long))
        }
    }
}

/// What the cases grow like: the lines below the table of `show`.
fn growth(run: &RunView<'_>, caches: &[Cache]) -> Markup {
    let sweeps = Sweeps::of(&run.run.cases, &run.run.results, caches);
    let text = sweeps.render(&STYLE);
    html! { ul { @for line in text.lines().skip(1) { li { (prose(line.trim_start())) } } } }
}

/// The header of the run, as it was printed above its table.
fn facts(run: &RunView<'_>) -> Markup {
    let text = full_header(&run.run.header, &STYLE);
    let (warnings, facts): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with("! "));
    html! {
        @for warning in warnings { p { (prose(warning.trim_start_matches("! "))) } }
        dl.facts {
            @for fact in facts {
                @let (topic, value) = fact
                    .strip_prefix("not known: ")
                    .map_or_else(|| fact.split_once(' ').unwrap_or((fact, "")), |rest| ("not known", rest));
                dt { (topic) } dd { (prose(value)) }
            }
            @if !run.sha256.is_empty() { dt { "sha256" } dd { (run.sha256) } }
        }
    }
}

/// What is wrong with the machine, the build or the record.
fn alarms(run: &RunView<'_>) -> Markup {
    let text = header(&run.run.header, &STYLE);
    let alarms = text.lines().filter(|line| line.starts_with("! "));
    html! {
        @for alarm in alarms { p.alarm { (prose(alarm.trim_start_matches("! "))) } }
        @if run.run.torn { p.alarm { "The last line of the record was cut off." } }
        @if !run.run.damaged.is_empty() {
            p.alarm { "Lines of the record that could not be read: " (run.run.damaged.len()) }
        }
        @match &run.run.end {
            None => p.alarm { "The run was killed, or had not ended when its record was copied." },
            Some(end) if end.interrupted && !run.is_comparison() => p.alarm { "The run was interrupted." },
            Some(_) => {}
        }
    }
}

/// The verdicts of a run with their pictures.
fn comparison(run: &RunView<'_>, gallery: &mut Gallery) -> Markup {
    let verdicts = run.run.verdicts.iter();
    let measured: Vec<&Verdict> = verdicts
        .filter(|one| one.finding != Finding::Unchanged)
        .collect();
    let names = &Names::of(&run.run.cases);
    let rounds = &RoundsByCase::of(run.run);
    html! {
        @if run.of_commands.is_none() { (results(&judged(run, names))) }
        @if !measured.is_empty() {
            details {
                summary { "Methods, pairs and deciles of " (counted(measured.len(), "verdict")) }
                @for verdict in measured {
                    details.case data-n=(shorten(&name(verdict, names), NAME)) {
                        summary { bdi { (shorten(&name(verdict, names), NAME)) } " " span.quiet { (Outcome::of(verdict).word()) } }
                        (sentence(verdict, names))
                        // Batches say nothing about percentiles.
                        @if verdict.metric.is_none() && let Some(samples) = Samples::of(rounds, names, verdict) {
                            div.grid {
                                (gallery.show("pairs", samples.pairs(verdict)))
                                (gallery.show("shift", samples.shift(verdict)))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The verdicts as a document, below the title of the page.
fn judged(run: &RunView<'_>, names: &Names) -> Document {
    if run.is_comparison() {
        return recorded(run.run, &STYLE, false);
    }
    let labels = sides(&run.run.header);
    comparisons(&run.run.verdicts, names, &labels, &STYLE)
}

/// A verdict as it was printed, and why its ratio is not that of the times.
fn sentence(judged: &Verdict, names: &Names) -> Markup {
    html! {
        p {
            span aria-hidden="true" { (Outcome::of(judged).symbol()) " " }
            (prose(&verdict(judged, names, &STYLE)))
            @if let Some(why) = differs_from_times(judged) { "; " (prose(&why)) }
        }
    }
}

/// What is known of one case, folded.
fn details(case: &CaseView<'_>, is_long: bool, gallery: &mut Gallery) -> Markup {
    let of_main = |text: fn(&CaseResult) -> String| case.main.map_or_else(String::new, text);
    let id = escape(&case.case.id, true);
    let source = format!("{}:{}", case.case.file, case.case.line);
    let cycles = case.result(Metric::Cycles).and_then(cycles);
    let frequency = is_long.then(|| frequency(case)).flatten();
    let mut facts = vec![
        ("id", shorten(&id, 4 * NAME).into_owned()),
        ("source", escape(&source, true)),
        ("figure", summary(case)),
        ("cycles", cycles.unwrap_or_default()),
        ("launches", of_main(|main| main.launches.to_string())),
        ("batches", of_main(|main| main.samples.to_string())),
        ("method", of_main(|main| escape(&main.method, true))),
        ("single calls", case.latencies()),
        ("memory", case.allocations()),
        ("frequency", frequency.unwrap_or_default()),
    ];
    facts.retain(|(_, value)| !value.is_empty() && value != ":0");
    html! {
        details.case id=(case.anchor) data-n=(shorten(&case.label, NAME)) {
            summary {
                bdi { (shorten(&case.label, NAME)) }
                @if let Some(estimate) = case.estimate() { " " span.quiet { (estimate) } }
            }
            dl.facts {
                @for (name, value) in facts { dt { (name) } dd { (value) } }
            }
            @for fault in &case.faults {
                p.alarm { "launch " (fault.launch) ": " (prose(&shorten(&escape(&fault.message, true), 4 * NAME))) }
            }
            @if !case.launches.is_empty() {
                div.grid {
                    (gallery.show("launches", launches(case)))
                    @if let Some(picture) = percentiles(case) { (gallery.show("calls", Some(picture))) }
                    (gallery.show("quantiles", quantiles(case)))
                    @if !is_long { (gallery.show("lengths", lengths(case))) }
                    (gallery.show("batches", over_time(case, is_long)))
                    @if !is_long { (gallery.show("batches", frequencies(case))) }
                }
            }
        }
    }
}

fn cycles(result: &CaseResult) -> Option<String> {
    let figure = Figure::new(result.estimate.ok()?, result.lower, result.upper);
    Some(measured(result, figure, &STYLE))
}
