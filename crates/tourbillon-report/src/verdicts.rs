//! What comparisons came to, a line each.
//!
//! `#[inline]`: compiled into the programs that compare, not into every bench binary.

use tourbillon_record::{Finding, Interference, Reach, Undecided, Verdict};

use crate::Style;
use crate::style::Ink;
use crate::text::Text;
use crate::wrap::Page;

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
#[inline]
pub fn verdict(verdict: &Verdict, style: &Style) -> String {
    let mut text = Text::new(style);
    text.safe(short(&verdict.case)).say(" ");
    if verdict.ratio.is_some() {
        text.say("takes ");
        say_ratio(&mut text, verdict);
        text.say(" of the time of ")
            .safe(short(&verdict.reference))
            .say(": ");
    } else {
        text.say("against ")
            .safe(short(&verdict.reference))
            .say(": ");
    }
    say_finding(&mut text, verdict);
    text.say(" (");
    say_basis(&mut text, verdict);
    text.say(match verdict.scope {
        Reach::Process => ", this process)",
        Reach::Processes if is_side_by_side(verdict) => ", both in each)",
        Reach::Processes => ", one placement of the code)",
        Reach::Layouts => ", each in another placement of the code)",
    });
    if let Some(interference) = told(verdict) {
        text.say("; ");
        say_interference(&mut text, verdict, interference);
    }
    text.string
}

/// The ratio of a verdict with its interval, and what was found: `0.213 [0.212, 0.214] faster`, as in the line
/// of the verdict.
#[inline]
pub fn ratio_and_finding(verdict: &Verdict, style: &Style) -> String {
    let mut text = Text::new(style);
    say_ratio(&mut text, verdict);
    text.say(" ");
    say_finding(&mut text, verdict);
    text.string
}

/// The verdicts of a run below a heading; empty when there are none.
#[inline]
pub fn verdicts(verdicts: &[Verdict], style: &Style) -> String {
    let mut page = Page::new(style);
    let Some(first) = verdicts.first() else {
        return page.text;
    };
    page.line.say(match first.scope {
        Reach::Process => "compared in one process, batch by batch",
        Reach::Processes if is_side_by_side(first) => {
            "compared batch by batch, all in one process, in one process after the other"
        }
        Reach::Processes => "compared in pairs of processes, one placement of the code",
        Reach::Layouts => "compared in pairs of processes, each with another placement of the code",
    });
    page.line.item().confidence(first.confidence).say(" sure");
    page.line
        .item()
        .say("same within ")
        .percent_at_most(first.margin);
    page.fill(Ink::Plain, "");
    for verdict in verdicts {
        page.line.safe(short(&verdict.case)).say(" : ");
        page.line.safe(short(&verdict.reference)).item();
        say_ratio(&mut page.line, verdict);
        page.line.say(" ");
        say_finding(&mut page.line, verdict);
        page.line.item();
        say_basis(&mut page.line, verdict);
        let ink = match verdict.finding {
            Finding::Slower => Ink::Failure,
            Finding::Undecided => Ink::Note,
            Finding::Faster | Finding::Same => Ink::Plain,
        };
        page.fill(ink, "  ");
        if let Some(why) = differs_from_times(verdict) {
            page.line.say("! ").say(&why);
            page.fill(Ink::Note, "  ");
        }
        if let Some(interference) = told(verdict) {
            page.line.say("! ");
            say_interference(&mut page.line, verdict, interference);
            page.fill(Ink::Note, "  ");
        }
    }
    page.text
}

/// Why the ratio is not that of the two times beside it; `None` where it is, as far as its interval and the
/// margin go.
///
/// The times are medians of all batches, the ratio is the centre of pairs. Where the processes of one side are
/// of several kinds, the two differ.
#[inline]
pub fn differs_from_times(verdict: &Verdict) -> Option<String> {
    let times = verdict.case_ns? / verdict.reference_ns?;
    let (ratio, lower, upper) = (verdict.ratio?, verdict.lower?, verdict.upper?);
    let apart = (times / ratio).ln().abs();
    let is_apart = apart > verdict.margin.ln_1p() && apart > (upper / lower).ln() / 4.0;
    is_apart.then(|| {
        format!(
            "the two times are {times:.2} apart, the pairs {ratio:.2}: the processes of one side are of \
             several kinds, of which a pair has two at random; more time narrows the interval"
        )
    })
}

/// Whether the two were alive in the same processes: only then can they disturb each other.
#[inline]
fn is_side_by_side(verdict: &Verdict) -> bool {
    verdict.interference.is_some()
}

/// What is to be told of how the two disturb each other: nothing where the verdict would be the same
/// without it.
#[inline]
fn told(verdict: &Verdict) -> Option<&Interference> {
    let interference = verdict.interference.as_ref()?;
    let is_there = interference.matters || interference.lead_in >= EIGHTHS;
    (is_there && !stands_without(verdict, interference)).then_some(interference)
}

/// Whether the interval would still be on one side of 1 if twice as much as they disturb each other
/// were taken off.
#[inline]
fn stands_without(verdict: &Verdict, interference: &Interference) -> bool {
    let effect = |ratio: Option<f64>| ratio.map_or(0.0, |ratio| ratio.ln().abs());
    let most = 2.0 * effect(interference.reference).max(effect(interference.case));
    match (verdict.finding, verdict.lower, verdict.upper) {
        (Finding::Faster, _, Some(upper)) => upper.ln() + most < 0.0,
        (Finding::Slower, Some(lower), _) => lower.ln() - most > 0.0,
        _ => false,
    }
}

/// What was done about it, and what is left of it.
#[inline]
fn say_interference(text: &mut Text, verdict: &Verdict, interference: &Interference) {
    let batches = interference.lead_in / EIGHTHS;
    if !interference.matters {
        text.say("they disturb each other: each ran ")
            .counted(batches, "batch")
            .say(" before every one that counts");
        return;
    }
    say_disturbed(text, &verdict.case, interference.case);
    text.say(", ");
    say_disturbed(text, &verdict.reference, interference.reference);
    text.say(": the ratio is that of the two in turns");
    if batches > 0 {
        text.say(", though each ran ")
            .counted(batches, "batch")
            .say(" before every one that counts");
    } else {
        text.say("; there was no time for longer turns");
    }
}

/// `quick takes 2.1 % longer after another than after itself`.
#[inline]
fn say_disturbed(text: &mut Text, case: &str, ratio: Option<f64>) {
    let ratio = ratio.unwrap_or(1.0);
    text.safe(short(case)).say(" takes ");
    text.decimal(100.0 * (ratio - 1.0).abs(), 1).say(" % ");
    text.say(if ratio < 1.0 { "less" } else { "longer" });
    text.say(" after another than after itself");
}

/// What is different in identities that are shown together: the name and its arguments.
#[inline]
fn short(id: &str) -> &str {
    // A bracket may hold `::` of its own.
    let end = id.find('[').unwrap_or(id.len());
    match id[..end].rfind("::") {
        Some(at) => &id[at + 2..],
        None => id,
    }
}

/// `0.213 [0.212, 0.214]`, with as many decimals as the interval supports.
#[inline]
fn say_ratio(text: &mut Text, verdict: &Verdict) {
    let Some(ratio) = verdict.ratio else {
        text.say("no ratio");
        return;
    };
    let (Some(lower), Some(upper)) = (verdict.lower, verdict.upper) else {
        text.decimal(ratio, 2);
        return;
    };
    let wanted = (1.0 - ((upper - lower) / 2.0).log10()).ceil();
    let decimals = wanted.clamp(DECIMALS.0, DECIMALS.1) as usize;
    text.decimal(ratio, decimals).say(" [");
    text.decimal(lower, decimals).say(", ");
    text.decimal(upper, decimals).say("]");
}

#[inline]
fn say_finding(text: &mut Text, verdict: &Verdict) {
    text.say(verdict.finding.name());
    match verdict.why {
        None => {}
        Some(Undecided::Time) => match verdict.seconds_needed {
            Some(seconds) => {
                text.say(", about ").duration((seconds * 1e9) as u64);
                text.say(" would decide");
            }
            None => {
                text.say(", it is at the edge of what counts as the same");
            }
        },
        Some(Undecided::TooFew) => {
            text.say(", too few pairs");
        }
        Some(Undecided::Control) => {
            text.say(", the same code twice came out different");
        }
        Some(Undecided::Drift) => {
            text.say(", what was measured changed meanwhile");
        }
        Some(Undecided::Noise) => {
            text.say(", too many pairs were interrupted");
        }
    }
}

#[inline]
fn say_basis(text: &mut Text, verdict: &Verdict) {
    match verdict.scope {
        Reach::Process => text.counted(verdict.pairs, "pair"),
        Reach::Processes if is_side_by_side(verdict) => {
            text.counted(verdict.launches.into(), "process")
        }
        Reach::Processes | Reach::Layouts => text.counted(verdict.launches.into(), "process pair"),
    };
    text.say(", ").duration((verdict.seconds * 1e9) as u64);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Verdict {
        Verdict {
            case: "shop/checkout::basket::quick[n=10,t=a::b]".into(),
            reference: "shop/checkout::basket::heap[n=10,t=a::b]".into(),
            finding: Finding::Faster,
            why: None,
            ratio: Some(0.213_4),
            lower: Some(0.211_9),
            upper: Some(0.214_2),
            confidence: 0.999,
            margin: 0.005,
            scope: Reach::Process,
            pairs: 64,
            launches: 1,
            layouts: 1,
            dropped: 0,
            control: None,
            interference: None,
            seed: 1,
            seconds: 0.015,
            seconds_needed: None,
            reference_ns: None,
            case_ns: None,
            method: String::new(),
            unknown: String::new(),
        }
    }

    const PLAIN: Style = Style {
        width: 80,
        unicode: true,
        color: false,
    };

    #[test]
    fn a_verdict_is_a_sentence() {
        assert_eq!(
            verdict(&sample(), &PLAIN),
            "quick[n=10,t=a::b] takes 0.2134 [0.2119, 0.2142] of the time of heap[n=10,t=a::b]: \
             faster (64 pairs, 15 ms, this process)"
        );
        let undecided = Verdict {
            case: "b".into(),
            reference: "a".into(),
            finding: Finding::Undecided,
            why: Some(Undecided::Time),
            ratio: Some(1.01),
            lower: Some(0.99),
            upper: Some(1.03),
            seconds_needed: Some(7.0),
            ..sample()
        };
        assert_eq!(
            verdict(&undecided, &PLAIN),
            "b takes 1.010 [0.990, 1.030] of the time of a: undecided, about 7.0 s would decide \
             (64 pairs, 15 ms, this process)"
        );
        let few = Verdict {
            why: Some(Undecided::TooFew),
            ratio: None,
            lower: None,
            upper: None,
            pairs: 1,
            ..undecided
        };
        assert_eq!(
            verdict(&few, &PLAIN),
            "b against a: undecided, too few pairs (1 pair, 15 ms, this process)"
        );
    }

    #[test]
    fn a_ratio_that_is_not_that_of_the_times_says_why() {
        let with = |reference_ns, case_ns| {
            differs_from_times(&Verdict {
                ratio: Some(2.02),
                lower: Some(1.40),
                upper: Some(2.49),
                reference_ns,
                case_ns,
                ..sample()
            })
        };
        assert_eq!(with(Some(10.0), Some(21.0)), None);
        assert_eq!(with(None, Some(21.0)), None);
        let why = with(Some(10.0), Some(24.4)).unwrap();
        assert!(
            why.starts_with("the two times are 2.44 apart, the pairs 2.02:"),
            "{why}"
        );
        // Within the margin nothing is said of the narrowest interval.
        let narrow = Verdict {
            ratio: Some(1.0),
            lower: Some(0.9999),
            upper: Some(1.0001),
            reference_ns: Some(10.0),
            case_ns: Some(10.04),
            ..sample()
        };
        assert_eq!(differs_from_times(&narrow), None);
    }

    #[test]
    fn arms_that_disturb_each_other_are_told() {
        let line = |reference, lead_in, matters| {
            let interference = Some(Interference {
                reference: Some(reference),
                case: Some(1.021),
                pairs: 20,
                lead_in,
                matters,
            });
            let clear = Verdict {
                interference,
                ..sample()
            };
            assert!(
                verdict(&clear, &PLAIN).ends_with("this process)"),
                "what would be faster all the same"
            );
            let near = Verdict {
                interference,
                upper: Some(0.98),
                ..sample()
            };
            let text = verdict(&near, &PLAIN);
            text.split_once(", this process)").unwrap().1.to_owned()
        };
        assert_eq!(line(0.999, 1, false), "");
        assert_eq!(
            line(0.999, 1, true),
            "; quick[n=10,t=a::b] takes 2.1 % longer after another than after itself, \
             heap[n=10,t=a::b] takes 0.1 % less after another than after itself: the ratio is \
             that of the two in turns; there was no time for longer turns"
        );
        assert!(
            line(1.0, 64, true)
                .ends_with("in turns, though each ran 8 batches before every one that counts")
        );
        assert_eq!(
            line(1.0, 8, false),
            "; they disturb each other: each ran 1 batch before every one that counts"
        );
    }

    #[test]
    fn verdicts_of_a_run_stand_below_a_heading() {
        let builds = Verdict {
            reference: "main".into(),
            scope: Reach::Layouts,
            launches: 16,
            layouts: 16,
            seconds: 2.4,
            ..sample()
        };
        assert_eq!(
            verdicts(&[sample(), builds], &PLAIN),
            "compared in one process, batch by batch · 99.9 % sure · same within 0.5 %\n\
             \x20 quick[n=10,t=a::b] : heap[n=10,t=a::b] · 0.2134 [0.2119, 0.2142] faster\n\
             \x20 64 pairs, 15 ms\n\
             \x20 quick[n=10,t=a::b] : main · 0.2134 [0.2119, 0.2142] faster\n\
             \x20 16 process pairs, 2.4 s\n"
        );
        assert_eq!(verdicts(&[], &PLAIN), "");
    }
}
