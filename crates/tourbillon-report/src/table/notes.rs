//! Findings about results, each told once for all the cases that it concerns.

use tourbillon_record::{Absence, CaseResult, Note};

use super::findings::Found;
use super::names::add_names;
use crate::style::Ink;
use crate::text::{Text, same};
use crate::wrap::Page;

/// One finding and the cases that it concerns.
pub(super) struct Told<'a> {
    pub(super) note: &'a Note,
    /// The worst of the cases' figures: largest counts, farthest distances.
    figures: Figures,
    pub(super) cases: Vec<&'a Found<'a>>,
}

/// What a note counts, and the fraction or the quantity per op that it names.
#[derive(Clone, Copy)]
struct Figures {
    count: u32,
    fraction: f64,
}

/// Adds a line or more for each kind of finding, the gravest first.
pub(crate) fn add_notes(page: &mut Page<'_>, found: &[Found<'_>], launches: u32) {
    let all = all_told(found);
    for rank in 0..MEANINGS.len() as u8 {
        for told in &all {
            if self::rank(told.note) == rank {
                add_names(page, &told.cases, matches!(told.note, Note::Skewed));
                page.line.say(": ");
                say_meaning(&mut page.line, told, launches);
                page.fill(Ink::Note, "! ");
            }
        }
    }
}

/// What concerns the time mostly concerns the cycles too and is told once.
pub(super) fn all_told<'a>(found: &'a [Found<'a>]) -> Vec<Told<'a>> {
    let mut all = Vec::new();
    for found in found {
        tell_all(&mut all, found.main, found);
        tell_all(&mut all, found.cycles, found);
    }
    all
}

#[inline(never)]
fn tell_all<'a>(all: &mut Vec<Told<'a>>, result: Option<&'a CaseResult>, found: &'a Found<'a>) {
    let Some(result) = result else { return };
    if !matches!(result.estimate, Err(Absence::Failed | Absence::NotReached)) {
        for note in &result.notes {
            tell(all, note, found);
        }
    }
}

#[inline(never)]
fn tell<'a>(all: &mut Vec<Told<'a>>, note: &'a Note, found: &'a Found<'a>) {
    let figures = figures(note);
    for told in &mut *all {
        if same_kind(told.note, note) {
            told.worsen(figures);
            let last = told.cases.last();
            if last.is_none_or(|last| !same(&last.case.id, &found.case.id)) {
                told.cases.push(found);
            }
            return;
        }
    }
    all.push(Told {
        note,
        figures,
        cases: vec![found],
    });
}

fn same_kind(a: &Note, b: &Note) -> bool {
    match (a, b) {
        (Note::Other(a), Note::Other(b))
        | (Note::NotCounted { why: a }, Note::NotCounted { why: b }) => a == b,
        _ => rank(a) == rank(b),
    }
}

fn figures(note: &Note) -> Figures {
    let (count, fraction) = match note {
        Note::SlowLaunches { count, excess } => (*count, *excess),
        Note::Curvature { fraction } => (0, fraction.abs()),
        Note::FixedItem { fraction }
        | Note::UnevenThreads { fraction }
        | Note::Waited { fraction } => (0, *fraction),
        Note::FailedLaunches { count }
        | Note::NotWarm { launches: count }
        | Note::ThreadsLeft { launches: count }
        | Note::ProcessesLeft { launches: count }
        | Note::Crowded {
            launches: count, ..
        }
        | Note::Shortened { asked: count }
        | Note::ThreadsInTurns { threads: count, .. }
        | Note::FewLaunches { launches: count } => (*count, 0.0),
        Note::PagesTouched { per_op } | Note::Writes { per_op } => (0, *per_op),
        Note::LaunchesAsked { launches, took_ns } => (*launches, *took_ns),
        Note::ClocksDisagree { ppm } => (0, *ppm),
        Note::Sampled { step_ns, ticks } => (u32::try_from(*ticks).unwrap_or(u32::MAX), *step_ns),
        Note::CorrectionTooLarge
        | Note::Skewed
        | Note::NotCounted { .. }
        | Note::WaitsForMemory { .. }
        | Note::Overlaps { .. }
        | Note::Other(_) => (0, 0.0),
    };
    Figures { count, fraction }
}

impl Told<'_> {
    /// Makes the figures as bad as others of their kind.
    fn worsen(&mut self, other: Figures) {
        let fewer_is_worse = matches!(self.note, Note::FewLaunches { .. } | Note::Sampled { .. });
        if (other.count < self.figures.count) == fewer_is_worse {
            self.figures.count = other.count;
        }
        if other.fraction.abs() > self.figures.fraction.abs() {
            self.figures.fraction = other.fraction;
        }
    }
}

/// Order of the notes: what makes a figure wrong before what makes it less certain.
#[inline(never)]
pub(super) fn rank(note: &Note) -> u8 {
    match note {
        Note::ClocksDisagree { .. } => 0,
        Note::CorrectionTooLarge => 1,
        Note::FailedLaunches { .. } => 2,
        Note::ThreadsLeft { .. } => 3,
        Note::ProcessesLeft { .. } => 4,
        Note::ThreadsInTurns { .. } => 5,
        Note::Crowded { kept: true, .. } => 6,
        Note::Writes { .. } => 7,
        Note::PagesTouched { .. } => 8,
        Note::NotWarm { .. } => 9,
        Note::Curvature { .. } => 10,
        Note::SlowLaunches { .. } => 11,
        Note::UnevenThreads { .. } => 12,
        Note::Skewed => 13,
        Note::FewLaunches { .. } => 14,
        Note::Shortened { .. } => 15,
        Note::LaunchesAsked { .. } => 16,
        Note::Crowded { kept: false, .. } => 17,
        Note::Waited { .. } => 18,
        Note::NotCounted { .. } => 19,
        Note::FixedItem { .. } => 20,
        Note::Sampled { .. } => 21,
        Note::Other(_) => 22,
        // Marks in the table, and no lines.
        Note::WaitsForMemory { .. } => 23,
        Note::Overlaps { .. } => 24,
    }
}

/// What a finding means, put together from the left to the right.
pub(super) struct Meaning {
    before: &'static str,
    figure: Quantity,
    /// Behind what only [`say_more`] knows.
    after: &'static str,
}

/// What stands in a meaning, behind `up to` where it is of several cases.
enum Quantity {
    /// Nothing.
    None,
    /// The count, with its noun.
    Count(&'static str),
    /// The same, without `up to`.
    Least(&'static str),
    /// The launches of those that were asked for.
    Launches,
    /// The fraction.
    Share,
    /// The fraction, whatever its sign.
    Distance,
    /// So many per op: verb and noun.
    PerOp(&'static str, &'static str),
}

/// The meanings in the order of [`rank`].
pub(super) const MEANINGS: [Meaning; 23] = [
    Meaning {
        before: "no time, for the clocks disagree: the one that measures ran ",
        figure: Quantity::None,
        after: " than the system's; measure again when the system's time is no longer being corrected \
                (`timedatectl`, `chronyc tracking`), and without programs that change it, such as \
                faketime; cycles do not depend on it",
    },
    Meaning {
        before: "the correction for pauses is larger than what was read, so the figure is not \
                 reliable; prepare inputs with `with_inputs` instead of pausing",
        figure: Quantity::None,
        after: "",
    },
    Meaning {
        before: "",
        figure: Quantity::Launches,
        after: " failed; the figure is of the others",
    },
    Meaning {
        before: "threads still ran at the end of ",
        figure: Quantity::Count("launch"),
        after: "; what they do disturbs the figure and is not in it, so join them in the body",
    },
    Meaning {
        before: "started processes that were still there at the end of ",
        figure: Quantity::Count("launch"),
        after: " and were ended; wait for their end in the body",
    },
    Meaning {
        before: "",
        figure: Quantity::Count("thread"),
        after: ", so the figure is that of waiting for a processor, too",
    },
    Meaning {
        before: "CPU contention (an SMT sibling or another VM) in ",
        figure: Quantity::Count("launch"),
        after: ", too many to discard; the figure may be up to twice too long",
    },
    Meaning {
        before: "",
        figure: Quantity::PerOp("writes", "byte"),
        after: "; if that is output, keep it out of the body, for its time is in the figure",
    },
    Meaning {
        before: "",
        figure: Quantity::PerOp("touches", "new page"),
        after: ", which the system makes while the clock runs; use memory again, or touch it \
                before, unless that is what is measured",
    },
    Meaning {
        before: "had not settled when the time for warming up was over, in ",
        figure: Quantity::Count("launch"),
        after: "; raise --max-time",
    },
    Meaning {
        before: "time does not grow in proportion to the iterations (short and long batches \
                 differ by ",
        figure: Quantity::Share,
        after: "), so what a call costs depends on the calls before it",
    },
    Meaning {
        before: "",
        figure: Quantity::Launches,
        after: " in the interval",
    },
    Meaning {
        before: "the slowest thread takes ",
        figure: Quantity::Share,
        after: " longer than the fastest; the figure is that of all, from the first start to the \
                last end",
    },
    Meaning {
        before: "mean and median differ by more than the interval; the figure is the median",
        figure: Quantity::None,
        after: "",
    },
    Meaning {
        before: "",
        figure: Quantity::Least("launch"),
        after: " only, too few for an interval across processes; raise --max-time",
    },
    Meaning {
        before: "fewer than ",
        figure: Quantity::Least("launch"),
        after: " fitted into the budget; raise --max-time",
    },
    Meaning {
        before: "",
        figure: Quantity::Least("launch"),
        after: ", as many as asked for",
    },
    Meaning {
        before: "",
        figure: Quantity::Count("launch"),
        after: " discarded: CPU contention (an SMT sibling or another VM)",
    },
    Meaning {
        before: "waited for ",
        figure: Quantity::Share,
        after: " of the time while something else had the processor; end that, or measure on \
                another one with --cpus",
    },
    Meaning {
        before: "alloc not measured: ",
        figure: Quantity::None,
        after: "",
    },
    Meaning {
        before: "on one item alone an op takes ",
        figure: Quantity::Distance,
        after: " time than on the stream of items, whose figure this is: what it costs depends on \
                the item",
    },
    Meaning {
        before: "the system looks only every ",
        figure: Quantity::None,
        after: "; a longer --max-time gives it more to see",
    },
    Meaning {
        before: "note `",
        figure: Quantity::None,
        after: "` of a newer version",
    },
];

/// Says what a finding means; `asked` is the number of launches that were asked for.
pub(super) fn say_meaning(text: &mut Text, told: &Told<'_>, asked: u32) {
    let meaning = &MEANINGS[usize::from(rank(told.note))];
    let up_to = if told.cases.len() > 1 { "up to " } else { "" };
    let Figures { count, fraction } = told.figures;
    let count = u64::from(count);
    text.say(meaning.before);
    let text = match meaning.figure {
        Quantity::None => text,
        Quantity::Count(noun) => text.say(up_to).counted(count, noun),
        Quantity::Least(noun) => text.counted(count, noun),
        Quantity::Launches => text
            .say(up_to)
            .counted(count, "launch")
            .say(" of ")
            .number(u64::from(asked)),
        Quantity::Share => text.say(up_to).percent(fraction),
        Quantity::Distance => text.say(up_to).percent(fraction.abs()),
        Quantity::PerOp(verb, noun) => say_per_op(text, verb, up_to, fraction, noun),
    };
    say_more(text, told);
    text.say(meaning.after);
}

/// Says what only some findings have to say.
#[inline(never)]
fn say_more(text: &mut Text, told: &Told<'_>) {
    let several = told.cases.len() > 1;
    let Figures { count, fraction } = told.figures;
    match told.note {
        Note::ThreadsInTurns { processors, .. } => text
            .say(" took turns on ")
            .counted(u64::from(*processors), "processor"),
        Note::SlowLaunches { .. } => {
            let one = !several && count == 1;
            text.say(if one { " ran " } else { " ran up to " })
                .percent(fraction.abs())
                .say(if fraction < 0.0 { " fast; " } else { " slow; " })
                .say(if one { "it is" } else { "they are" })
        }
        Note::LaunchesAsked { .. } => text
            .say(" took ")
            .say(if several { "up to " } else { "" })
            .decimal(fraction / 1e9, 1)
            .say(" s"),
        Note::ClocksDisagree { .. } => {
            text.count(fraction.abs().round() as u64)
                .say(if fraction < 0.0 {
                    " ppm slower"
                } else {
                    " ppm faster"
                })
        }
        Note::FixedItem { .. } => text.say(if fraction < 0.0 { " less" } else { " more" }),
        Note::Sampled { .. } => text
            .decimal(fraction / 1e6, 1)
            .say(" ms whose time it is, here ")
            .say(if several { "down to " } else { "" })
            .counted(u64::from(count), "time"),
        Note::NotCounted { why: words } | Note::Other(words) => text.safe(words),
        _ => text,
    };
}

/// `writes up to 12 bytes per op`, or `writes a byte in 512 ops` where there is less than one.
#[inline(never)]
fn say_per_op<'t>(
    text: &'t mut Text,
    verb: &str,
    up_to: &str,
    per_op: f64,
    noun: &str,
) -> &'t mut Text {
    text.say(verb).say(" ").say(up_to);
    if per_op < 0.75 {
        let ops = (1.0 / per_op).round().max(1.0) as u64;
        text.say("a ").say(noun).say(" in ").number(ops).say(" ops")
    } else {
        text.counted(per_op.round() as u64, noun).say(" per op")
    }
}
