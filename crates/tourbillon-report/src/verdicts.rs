//! Results of comparisons, a line each.

use tourbillon_analysis::{BLOCKS, Design, differs, is_size_open};
use tourbillon_record::{Finding, Interference, Metric, Reach, Undecided, Verdict};

use crate::Change;
use crate::Style;
use crate::names::Names;
use crate::number::{confidence, counted, duration, percent_at_most};
use crate::outcome::{Outcome, SAME_CODE};
use crate::page::Page;
use crate::reason::Reason;
use crate::style::Ink;

/// Fewest and most decimals of a ratio.
const DECIMALS: (f64, f64) = (2.0, 5.0);

/// What ran before a batch is counted in such parts of it.
const EIGHTHS: u64 = 8;

/// One line for a verdict, without colour or line feed: `quick takes 0.213 [0.212, 0.214] of the time
/// of heap: faster (64 pairs, 15 ms, this process)`.
///
/// # Examples
///
/// See `compare` of the facade.
pub fn verdict(verdict: &Verdict, names: &Names, style: &Style) -> String {
    let names = names.pair(&verdict.case, &verdict.reference);
    let [case, reference] = names.map(|name| style.safe(name));
    if verdict.finding == Finding::Unchanged {
        return format!(
            "{case} against {reference}: {}, {SAME_CODE}",
            finding(verdict)
        );
    }
    let ratio = match verdict.ratio {
        Some(_) => format!("takes {} of the {} of", ratio(verdict), what(verdict)),
        None => "against".to_owned(),
    };
    let scope = match verdict.scope {
        Reach::Process => "this process",
        Reach::Processes if is_of_blocks(verdict) || is_of_commands(verdict) => "in random order",
        Reach::Processes => "one placement of the code",
        Reach::Placements => "each in another placement of the code",
    };
    let mut text = format!(
        "{case} {ratio} {reference}: {} ({}, {scope})",
        finding(verdict),
        basis(verdict)
    );
    if let Some(interference) = reported(verdict) {
        text += &format!("; {}", disturbance(interference, names, style));
    }
    text
}

/// What was compared: `time`, or a percentile.
fn what(verdict: &Verdict) -> &'static str {
    verdict.metric.map_or("time", Metric::name)
}

/// The ratio of a verdict with its interval, and what was found: `0.213 [0.212, 0.214] faster`, as in the line
/// of the verdict.
pub fn ratio_and_finding(verdict: &Verdict) -> String {
    format!("{} {}", ratio(verdict), finding(verdict))
}

/// The verdicts of a run below a heading, each marked by its shape and colour; empty when there are
/// none.
pub fn verdicts(verdicts: &[Verdict], names: &Names, style: &Style) -> String {
    let mut page = Page::new(style);
    let is_measured = |one: &&Verdict| one.finding != Finding::Unchanged;
    let Some(first) = verdicts.iter().find(is_measured).or(verdicts.first()) else {
        return page.text;
    };
    let way = match first.scope {
        _ if !is_measured(&first) => "nothing is measured that has the same code",
        Reach::Process => "compared in one process, batch by batch",
        Reach::Processes if is_of_blocks(first) => {
            "compared by their launches, in blocks of one each in random order"
        }
        Reach::Processes if is_of_commands(first) => {
            "compared in rounds of one process each, in random order"
        }
        Reach::Processes => "compared in pairs of processes, one placement of the code",
        Reach::Placements => {
            "compared in pairs of processes, each with another placement of the code"
        }
    };
    let mut items = vec![
        way.to_owned(),
        format!("{} confidence", confidence(first.confidence)),
        format!("same within {}", percent_at_most(first.margin)),
    ];
    if !is_measured(&first) {
        items.truncate(1);
    }
    page.items(Ink::Plain, "", items);
    for verdict in verdicts {
        let names = names.pair(&verdict.case, &verdict.reference);
        let [case, reference] = names.map(|name| style.safe(name));
        let items = [
            match verdict.metric {
                Some(metric) => format!("{case} {} : {reference}", metric.name()),
                None => format!("{case} : {reference}"),
            },
            if is_measured(&verdict) {
                ratio_and_finding(verdict)
            } else {
                finding(verdict)
            },
            if is_measured(&verdict) {
                basis(verdict)
            } else {
                SAME_CODE.to_owned()
            },
        ];
        let (mark, ink) = Outcome::of(verdict).mark(style);
        page.items(ink, &format!("  {mark} "), items);
        if let Some(why) = differs_from_times(verdict) {
            page.line(Ink::Note, "    ! ", &why);
        }
        if let Some(interference) = reported(verdict) {
            let text = disturbance(interference, names, style);
            page.line(Ink::Note, "    ! ", &text);
        }
    }
    page.text
}

/// Why the ratio is not that of the two times that are shown with it; `None` where it is, within its
/// interval and the margin.
///
/// The times are medians of all batches, the ratio is the centre of pairs. They differ where the
/// processes of one side fall into several groups.
pub fn differs_from_times(verdict: &Verdict) -> Option<String> {
    let of_times = || Some(verdict.case_ns? / verdict.reference_ns?);
    let times = verdict.ratio_of_medians.or_else(of_times)?;
    let (ratio, lower, upper) = (verdict.ratio?, verdict.lower?, verdict.upper?);
    let apart = (times / ratio).ln().abs();
    let is_apart = apart > verdict.margin.ln_1p() && apart > (upper / lower).ln() / 4.0;
    let [times, ratio] = [times, ratio].map(|ratio| Change::of_ratio(ratio, &Style::default()));
    is_apart.then_some(format!(
        "the processes of one side fall into several groups: {} by the pairs, {} by the two times; more time narrows \
         the interval",
        ratio?.text, times?.text
    ))
}

/// Whether the two are cases of a run.
fn is_of_blocks(verdict: &Verdict) -> bool {
    verdict.method == BLOCKS
}

/// The disturbance to be reported: none where the verdict would be the same without it.
fn reported(verdict: &Verdict) -> Option<&Interference> {
    let interference = verdict.interference.as_ref()?;
    let is_there = interference.matters || interference.lead_in >= EIGHTHS;
    (is_there && !stands_without(verdict, interference)).then_some(interference)
}

/// Whether the interval would still be on one side of 1 if twice the disturbance were subtracted.
fn stands_without(verdict: &Verdict, interference: &Interference) -> bool {
    let effect = |ratio: Option<f64>| ratio.map_or(0.0, |ratio| ratio.ln().abs());
    let most = 2.0 * effect(interference.reference).max(effect(interference.case));
    match (verdict.finding, verdict.lower, verdict.upper) {
        (Finding::Faster, _, Some(upper)) => upper.ln() + most < 0.0,
        (Finding::Slower, Some(lower), _) => lower.ln() - most > 0.0,
        _ => false,
    }
}

/// How the two disturb each other, and what was done about it.
fn disturbance(interference: &Interference, names: [&str; 2], style: &Style) -> String {
    let batches = counted(interference.lead_in / EIGHTHS, "batch");
    if !interference.matters {
        return format!("they disturb each other: each ran {batches} before every one that counts");
    }
    let disturbed = |name: &str, ratio: Option<f64>| {
        let ratio = ratio.unwrap_or(1.0);
        let percent = 100.0 * (ratio - 1.0).abs();
        let longer = if ratio < 1.0 { "less" } else { "longer" };
        let case = style.safe(name);
        format!("{case} takes {percent:.1} % {longer} after another than after itself")
    };
    let case = disturbed(names[0], interference.case);
    let reference = disturbed(names[1], interference.reference);
    let done = if interference.lead_in >= EIGHTHS {
        format!(", though each ran {batches} before every one that counts")
    } else {
        "; there was no time for longer turns".to_owned()
    };
    format!("{case}, {reference}: the ratio is that of the two in turns{done}")
}

fn is_of_commands(verdict: &Verdict) -> bool {
    Design::of_verdict(verdict) == Design::Commands
}

/// `0.213 [0.212, 0.214]`, with as many decimals as the interval supports.
pub(crate) fn ratio(verdict: &Verdict) -> String {
    let Some(ratio) = verdict.ratio else {
        return "no ratio".to_owned();
    };
    let (Some(lower), Some(upper)) = (verdict.lower, verdict.upper) else {
        return format!("{ratio:.2}");
    };
    let wanted = (1.0 - ((upper - lower) / 2.0).log10()).ceil();
    let decimals = wanted.clamp(DECIMALS.0, DECIMALS.1) as usize;
    format!("{ratio:.decimals$} [{lower:.decimals$}, {upper:.decimals$}]")
}

/// The finding, of an assertion whether it holds; and what is missing where it is undecided.
pub(crate) fn finding(verdict: &Verdict) -> String {
    let outcome = Outcome::of(verdict);
    let mut text = outcome.word().to_owned();
    match Reason::of(verdict) {
        // Its word says it.
        Some(_) if outcome == Outcome::NotComparable => {}
        Some(reason) => text += &format!(", {}", reason.what),
        None if is_size_open(verdict) => text += ", size open",
        None => {}
    }
    let needs_time = verdict.why == Some(Undecided::Time) && verdict.seconds_needed.is_some();
    if needs_time && !differs(verdict) {
        let shown = percent_at_most(found_by(verdict));
        text += &format!("; differences from {shown} on would show");
    }
    text
}

/// The smallest difference that an interval of this width would have shown, as a fraction.
fn found_by(verdict: &Verdict) -> f64 {
    let interval = verdict.lower.zip(verdict.upper);
    let half_width = interval.map_or(0.0, |(lower, upper)| (upper / lower).sqrt() - 1.0);
    verdict.margin + half_width
}

pub(crate) fn basis(verdict: &Verdict) -> String {
    let time = duration((verdict.seconds * 1e9) as u64);
    match verdict.scope {
        Reach::Process => format!("{}, {time}", counted(verdict.pairs, "pair")),
        Reach::Processes if is_of_blocks(verdict) => {
            format!("{}, {time}", counted(verdict.launches, "block"))
        }
        // Most of the time of a comparison of builds is not measuring.
        Reach::Processes | Reach::Placements => {
            let pairs = counted(verdict.launches, "process pair");
            format!("{pairs}, {time} of measuring")
        }
    }
}
