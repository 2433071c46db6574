//! Results of comparisons: as documents, and as a sentence each.

use std::collections::HashSet;

use tourbillon_analysis::{BLOCKS, Design, differs, is_size_open};
use tourbillon_present::number::{
    confidence, counted, duration, fixed, percent, percent_at_most, with_interval,
};
use tourbillon_present::{
    Block, Change, Document, Explanation, Judged, Note, Outcome, Reason, Remedy, SAME_CODE, Style,
    ratio_apart, tally, verdict_table,
};
use tourbillon_record::{Finding, Header, Interference, Metric, Reach, Verdict};

use crate::names::Names;

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
    let [case, reference] = safe_pair(verdict, names, style);
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
        let pair = names.pair(&verdict.case, &verdict.reference);
        text += &format!("; {}", disturbance(interference, pair, style));
    }
    text
}

/// What was compared: `time`, or a percentile.
fn what(verdict: &Verdict) -> &'static str {
    verdict.metric.map_or("time", Metric::name)
}

/// The verdicts of a run, and what there is to know about them; no block where there are none. `labels` are of the
/// reference and of what is compared with it.
pub fn comparisons(
    verdicts: &[Verdict],
    names: &Names,
    labels: &[String; 2],
    style: &Style,
) -> Document {
    document(verdicts, names, labels, style, |verdict| {
        compared(verdict, names)
    })
}

/// Verdicts with their names, those that a reader must act on first.
fn in_order(verdicts: &[Verdict], name: impl Fn(&Verdict) -> String) -> Vec<(String, &Verdict)> {
    let named = verdicts.iter().map(|verdict| (name(verdict), verdict));
    let mut named = Vec::from_iter(named);
    named.sort_by_key(|(name, verdict)| Judged::new(name, verdict).order());
    named
}

/// What the two sides of a run's verdicts are called: its builds, or a case and its reference.
pub fn sides(header: &Header) -> [String; 2] {
    let label = |name, otherwise: &str| header.fact_text(name).unwrap_or(otherwise).to_owned();
    [label("reference", "reference"), label("candidate", "case")]
}

/// What a verdict is about, not escaped: the case alone where two builds were compared, and `quick : heap` otherwise.
pub fn compared(verdict: &Verdict, names: &Names) -> String {
    let [case, reference] = names.pair(&verdict.case, &verdict.reference);
    let name = match verdict.metric {
        Some(metric) => format!("{case} {}", metric.name()),
        None => case.to_owned(),
    };
    if Design::of_verdict(verdict).is_of_builds() {
        name
    } else {
        format!("{name} : {reference}")
    }
}

/// The verdicts on assertions, likewise.
pub fn assertions(verdicts: &[Verdict], names: &Names, style: &Style) -> Document {
    let labels = ["reference", "case"].map(str::to_owned);
    let of_assertions = document(verdicts, names, &labels, style, |verdict| {
        asserted(verdict, names, style)
    });
    if verdicts.is_empty() {
        return of_assertions;
    }
    Document {
        title: format!("assertions, {}", of_assertions.title),
        ..of_assertions
    }
}

fn document(
    verdicts: &[Verdict],
    names: &Names,
    labels: &[String; 2],
    style: &Style,
    name: impl Fn(&Verdict) -> String,
) -> Document {
    if verdicts.is_empty() {
        return Document::default();
    }
    let named: Vec<String> = verdicts.iter().map(&name).collect();
    let mut judged: Vec<Judged<'_>> = Vec::new();
    for (name, verdict) in named.iter().zip(verdicts) {
        judged.push(Judged::new(name, verdict));
    }
    let table = verdict_table(labels, &judged, style, true);
    let notes = verdict_notes(in_order(verdicts, name), names, style);
    Document {
        title: comparison_basis(verdicts),
        answer: tally(judged.iter().copied()),
        blocks: vec![Block::Table(table), Block::Notes(notes)],
        ..Document::default()
    }
}

/// How verdicts came about; empty where there are none.
pub fn comparison_basis(verdicts: &[Verdict]) -> String {
    let mut measured = verdicts
        .iter()
        .filter(|one| one.finding != Finding::Unchanged);
    match (measured.next(), verdicts) {
        (Some(first), _) => format!(
            "{}, {} confidence",
            way(first),
            confidence(first.confidence)
        ),
        (None, []) => String::new(),
        (None, _) => "nothing is measured that has the same code".to_owned(),
    }
}

/// What there is to know about verdicts, each under a name.
pub(crate) fn verdict_notes<'v>(
    named: impl IntoIterator<Item = (String, &'v Verdict)>,
    names: &Names,
    style: &Style,
) -> Vec<Note> {
    let explained = named.into_iter().flat_map(|(name, verdict)| {
        let disturbed = reported(verdict).map(|interference| {
            let pair = names.pair(&verdict.case, &verdict.reference);
            Explanation::Own(disturbance(interference, pair, style))
        });
        let all = Explanation::of(verdict).into_iter().chain(disturbed);
        all.map(move |explanation| (name.clone(), explanation))
            .collect::<Vec<_>>()
    });
    Note::joined(explained)
}

/// The verdicts that stand in no row of the table of a run: those on percentiles, and those of a case that has another
/// one already.
pub fn outside_of_rows(verdicts: &[Verdict]) -> Vec<Verdict> {
    let mut in_rows = HashSet::new();
    let outside = verdicts
        .iter()
        .filter(|one| one.metric.is_some() || !in_rows.insert(one.case.as_str()));
    outside.cloned().collect()
}

/// What the verdicts come to, in words; `None` where there are none: `1 comparison: upper is 3.5x slower than lower
/// (3.51 .. 3.58)`, `12 comparisons: 3 slower, 9 the same`.
pub fn answer(what: &str, verdicts: &[Verdict], names: &Names, style: &Style) -> Option<String> {
    let count = counted(verdicts.len(), what);
    if let [only] = verdicts
        && only.limit.is_none()
    {
        let [case, reference] = safe_pair(only, names, style);
        let outcome = Outcome::of(only);
        let change = Change::of(only, style);
        let change = change.filter(|_| matches!(outcome, Outcome::Faster | Outcome::Slower));
        let found = match change {
            Some(Change { text, interval }) if text.ends_with('%') => {
                format!("{case} {text} against {reference} ({interval})")
            }
            Some(Change { text, interval }) => {
                format!("{case} is {text} than {reference} ({interval})")
            }
            None => {
                let between = Change::between(only, style);
                let between = between.filter(|_| only.finding == Finding::Undecided);
                let between = between.map_or_else(String::new, |between| format!(", {between}"));
                format!("{case} against {reference}: {}{between}", outcome.word())
            }
        };
        return Some(format!("{count}: {found}"));
    }
    let judged = verdicts.iter().map(|verdict| Judged::new("", verdict));
    let found: Vec<String> = tally(judged)
        .into_iter()
        .map(|phrase| phrase.text)
        .collect();
    (!found.is_empty()).then(|| format!("{count}: {}", found.join(", ")))
}

/// How the two sides of a verdict were measured.
fn way(verdict: &Verdict) -> &'static str {
    match verdict.scope {
        Reach::Process => "compared in one process, batch by batch",
        Reach::Processes if is_of_blocks(verdict) => {
            "compared by their launches, in blocks of one each in random order"
        }
        Reach::Processes if is_of_commands(verdict) => {
            "compared in rounds of one process each, in random order"
        }
        Reach::Processes => "compared in pairs of processes, one placement of the code",
        Reach::Placements => {
            "compared in pairs of processes, each with another placement of the code"
        }
    }
}

/// The names of both sides as below the heading of a group.
fn safe_pair(verdict: &Verdict, names: &Names, style: &Style) -> [String; 2] {
    let pair = names.pair(&verdict.case, &verdict.reference);
    pair.map(|name| style.safe(name))
}

/// `sort_unstable <= 1.05 * sort`.
pub fn asserted(verdict: &Verdict, names: &Names, style: &Style) -> String {
    let [case, reference] = safe_pair(verdict, names, style);
    match verdict.limit {
        Some(1.0) | None => format!("{case} <= {reference}"),
        Some(limit) => format!("{case} <= {limit} * {reference}"),
    }
}

/// Why the ratio is not that of the two times that are shown with it; `None` where it is.
pub fn differs_from_times(verdict: &Verdict) -> Option<String> {
    let ratios = [verdict.ratio?, ratio_apart(verdict)?];
    let [ratio, times] = ratios.map(|ratio| Change::of_ratio(ratio, &Style::default()));
    Some(format!(
        "the times of one side vary from process to process: {} within pairs, {} between the two times",
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
    let disturbed = |name: &str, measured: Option<f64>| {
        let ratio = measured.unwrap_or(1.0);
        let share = percent((ratio - 1.0).abs());
        let longer = if ratio < 1.0 { "less" } else { "longer" };
        let case = style.safe(name);
        format!("{case} takes {share} {longer} after another than after itself")
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
fn ratio(verdict: &Verdict) -> String {
    let Some(ratio) = verdict.ratio else {
        return "no ratio".to_owned();
    };
    let (Some(lower), Some(upper)) = (verdict.lower, verdict.upper) else {
        return fixed(ratio, 2);
    };
    let wanted = (1.0 - ((upper - lower) / 2.0).log10()).ceil();
    let decimals = wanted.clamp(DECIMALS.0, DECIMALS.1) as usize;
    with_interval(ratio, (lower, upper), decimals)
}

/// The finding, of an assertion whether it holds; and what is missing where it is undecided.
fn finding(verdict: &Verdict) -> String {
    let outcome = Outcome::of(verdict);
    let mut text = outcome.word().to_owned();
    match Reason::of(verdict) {
        // Its word says it.
        Some(_) if outcome == Outcome::NotComparable => {}
        Some(reason) => text += &format!(", {}", reason.what),
        None if is_size_open(verdict) => text += ", size not yet precise",
        None => {}
    }
    let needs_time = matches!(Remedy::of(verdict), Some(Remedy::Time(_)));
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

fn basis(verdict: &Verdict) -> String {
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
