//! Visits that failed: which case, which launch, what happened, what to do.

use tourbillon_record::{Fault, FaultKind};

use crate::Style;
use crate::pieces::Pieces;
use crate::style::Ink;
use crate::text::{Text, push, same, trimmed};
use crate::wrap::Page;

/// Lines of a message, and of the tail of stderr, that are shown; the record has all of it.
const MESSAGE_LINES: usize = 12;
const STDERR_LINES: usize = 10;
/// Cases that are named when the same happened in many.
const CASES: usize = 4;

/// What happened in the visits that failed; empty when none did.
///
/// What is the same in many launches or cases is told once, with the launches and cases listed. In
/// several cases it is the same only if they left the same on stderr; of a case, stderr is shown as
/// its first launch left it. Launches count from 0, as in the record, and stand in the order in
/// which they failed.
pub fn faults(faults: &[Fault], style: &Style) -> String {
    let mut page = Page::new(style);
    add_all(&mut page, faults, &stories(faults));
    page.text
}

#[inline(never)]
fn add_all(page: &mut Page<'_>, faults: &[Fault], stories: &[usize]) {
    for i in 0..faults.len() {
        if stories[i] != i {
            continue;
        }
        let fault = &faults[i];
        page.line.say("failed: ");
        say_kind(&mut page.line, &fault.kind);
        if let Some(place) = &fault.place {
            page.line.say(" at ").safe(&place.file).say(":");
            page.line.number(u64::from(place.line));
        }
        page.fill(Ink::Failure, "");
        add_cases(page, faults, stories, i);
        add_message(page, &fault.message);
        add_stderr(page, fault);
        page.sentence(Ink::Note, "  ! ", advice(&fault.kind));
    }
}

/// What happened in one visit, in a few words with its message behind them, and what to do: where
/// cases are told one by one.
#[inline]
pub fn fault(fault: &Fault, style: &Style) -> (String, &'static str) {
    let mut text = Text::new(style);
    say_kind(&mut text, &fault.kind);
    if let Some(place) = &fault.place {
        text.say(" at ").safe(&place.file).say(":");
        text.number(u64::from(place.line));
    }
    if !fault.message.is_empty() {
        let colon = !matches!(
            fault.kind,
            FaultKind::Exit(_) | FaultKind::Signal(_) | FaultKind::Hang(_)
        );
        text.say(if colon { ": " } else { " " })
            .safe(&fault.message);
    }
    (text.string, advice(&fault.kind))
}

/// Says what happened, in a few words.
#[inline(never)]
pub(crate) fn say_kind(text: &mut Text, kind: &FaultKind) {
    match kind {
        FaultKind::Panic => text.say("panicked"),
        FaultKind::Error => text.say("returned an error"),
        FaultKind::Exit(code) => text
            .say("ended the process with exit code ")
            .signed(i64::from(*code)),
        FaultKind::Signal(number) => text
            .say("ended by signal ")
            .signed(i64::from(*number))
            .say(signal_name(*number)),
        FaultKind::Hang(ms) => text
            .say("no sign of life for ")
            .duration(ms.saturating_mul(1_000_000)),
        FaultKind::UnknownCase => text.say("not known to the worker"),
        FaultKind::NoTerminal => text.say("called nothing on its Bencher"),
        FaultKind::Spawn => text.say("worker could not be started"),
        FaultKind::Protocol => text.say("worker was not understood"),
    };
}

/// The signals whose numbers are the same on every Unix: a record may come from another system.
fn signal_name(number: i32) -> &'static str {
    match number {
        1 => " (SIGHUP)",
        2 => " (SIGINT)",
        3 => " (SIGQUIT)",
        4 => " (SIGILL)",
        5 => " (SIGTRAP)",
        6 => " (SIGABRT)",
        8 => " (SIGFPE)",
        9 => " (SIGKILL)",
        11 => " (SIGSEGV)",
        13 => " (SIGPIPE)",
        14 => " (SIGALRM)",
        15 => " (SIGTERM)",
        _ => "",
    }
}

#[inline(never)]
fn advice(kind: &FaultKind) -> &'static str {
    match kind {
        FaultKind::Panic | FaultKind::Error => {
            "to see it alone, run the body once with --test --exact and the case"
        }
        FaultKind::Exit(_) => "a benchmark must return; let it return an error instead of exiting",
        FaultKind::Signal(9) => {
            "something killed the process: the system does when memory runs out, so look at the \
             benchmark's memory"
        }
        FaultKind::Signal(6) => {
            "the process aborted: a panic while panicking, or one that must not unwind, does that"
        }
        FaultKind::Signal(_) => "run it under a debugger with --test --exact and the case",
        FaultKind::Hang(_) => {
            "if one call takes as long as that, raise --timeout; else it loops for ever or waits \
             for something that never comes"
        }
        FaultKind::UnknownCase => {
            "arguments are evaluated in every worker and must be the same there: not from the \
             time, chance, or what earlier visits left behind"
        }
        FaultKind::NoTerminal => "end the benchmark with one of Bencher's terminals, such as iter",
        FaultKind::Spawn => "look at the limits on processes, memory and open files",
        FaultKind::Protocol => {
            "a benchmark must not write to descriptors that it did not open, nor close them"
        }
    }
}

/// For each fault the index of the first one that tells the same story.
fn stories(faults: &[Fault]) -> Vec<usize> {
    let mut stories = Vec::new();
    for i in 0..faults.len() {
        stories.push(story(faults, &stories, i));
    }
    stories
}

#[inline(never)]
fn story(faults: &[Fault], stories: &[usize], i: usize) -> usize {
    let fault = &faults[i];
    let mut story = i;
    for (k, known) in stories.iter().enumerate() {
        let earlier = &faults[k];
        if !same_event(earlier, fault) {
            continue;
        }
        if same(&earlier.case, &fault.case) {
            return *known;
        }
        if story == i && *known == k && same_stderr(earlier, fault) {
            story = k;
        }
    }
    story
}

#[inline(never)]
fn same_event(a: &Fault, b: &Fault) -> bool {
    a.kind == b.kind && a.place == b.place && same(&a.message, &b.message)
}

/// Whether the same would be shown of both.
fn same_stderr(a: &Fault, b: &Fault) -> bool {
    let (a, b) = (tail(a), tail(b));
    let mut others = Pieces::of(&b);
    for line in Pieces::of(&a) {
        match others.next() {
            Some(other) if same(line, other) => {}
            // The line that names a thread has its number, which differs from process to process.
            Some(other) if names_thread(line) && names_thread(other) => {}
            _ => return false,
        }
    }
    others.next().is_none()
}

/// A line or more for each case with its launches, `  in sort::heap[n=1], launches 3, 5, 8`, of the
/// faults that tell one story.
#[inline(never)]
fn add_cases(page: &mut Page<'_>, faults: &[Fault], stories: &[usize], story: usize) {
    let mut cases = 0;
    for i in 0..faults.len() {
        // The first of its case.
        if stories[i] == story && next_of(faults, stories, i, 0) == i {
            cases += 1;
            if cases <= CASES {
                page.line.safe(&faults[i].case);
                say_launches(&mut page.line, faults, stories, i);
                page.fill(Ink::Plain, "  in ");
            }
        }
    }
    if cases > CASES {
        let more = (cases - CASES) as u64;
        page.line.say("and in ").counted(more, "other case");
        page.fill(Ink::Plain, "  ");
    }
}

/// Says the launches in which a case failed in the same way, the place of whose first fault is given.
fn say_launches(text: &mut Text, faults: &[Fault], stories: &[usize], first: usize) {
    let mut at = next_of(faults, stories, first, first + 1);
    text.say(if at < faults.len() {
        ", launches "
    } else {
        ", launch "
    });
    text.number(u64::from(faults[first].launch));
    while at < faults.len() {
        text.say(", ").number(u64::from(faults[at].launch));
        at = next_of(faults, stories, first, at + 1);
    }
}

/// The place, from another one on, of a fault of the same case that tells the same story; behind the
/// last where there is none.
#[inline(never)]
fn next_of(faults: &[Fault], stories: &[usize], first: usize, mut at: usize) -> usize {
    while at < faults.len()
        && (stories[at] != stories[first] || faults[at].case != faults[first].case)
    {
        at += 1;
    }
    at
}

/// Adds the first lines of a message, and how many there are more.
fn add_message(page: &mut Page<'_>, message: &str) {
    let message = trimmed(message);
    if message.is_empty() {
        return;
    }
    let mut more = 0;
    let mut room = MESSAGE_LINES;
    for line in Pieces::of(message) {
        if room > 0 {
            room -= 1;
            add_quoted(page, "  ", line);
        } else {
            more += 1;
        }
    }
    if more > 0 {
        page.line.say("(").counted(more, "line").say(" more)");
        page.fill(Ink::Plain, "  ");
    }
}

/// Adds the last lines of stderr.
fn add_stderr(page: &mut Page<'_>, fault: &Fault) {
    let mut lead = "  stderr: ";
    for line in Pieces::of(&tail(fault)) {
        if !line.is_empty() {
            add_quoted(page, lead, line);
            lead = "          ";
        }
    }
}

/// The last lines of stderr, each with a line feed behind it, without what the panic hook wrote there,
/// which is told already.
#[inline(never)]
fn tail(fault: &Fault) -> String {
    let mut tail = String::new();
    let mut skipped = count(fault).saturating_sub(STDERR_LINES);
    for line in Pieces::of(trimmed(&fault.stderr)) {
        if is_own(fault, line) {
            if skipped == 0 {
                push(&mut tail, line);
                push(&mut tail, "\n");
            } else {
                skipped -= 1;
            }
        }
    }
    tail
}

fn count(fault: &Fault) -> usize {
    let mut count = 0;
    for line in Pieces::of(trimmed(&fault.stderr)) {
        count += usize::from(is_own(fault, line));
    }
    count
}

/// Whether a line of stderr says something that is not told already.
#[inline(never)]
fn is_own(fault: &Fault, line: &str) -> bool {
    let panicked = fault.kind == FaultKind::Panic && !fault.message.is_empty();
    let told = panicked && (is_hook(line) || has_line(&fault.message, line));
    !told && !line.is_empty()
}

fn has_line(text: &str, wanted: &str) -> bool {
    for line in Pieces::of(text) {
        if same(line, wanted) {
            return true;
        }
    }
    false
}

/// Whether a line of stderr is the panic hook's, its message aside.
fn is_hook(line: &str) -> bool {
    names_thread(line)
        || line
            .as_bytes()
            .starts_with(b"note: run with `RUST_BACKTRACE")
}

#[inline(never)]
fn names_thread(line: &str) -> bool {
    line.as_bytes().starts_with(b"thread '")
}

/// Adds a line of someone else behind a lead, at most as long as fills four lines of the terminal.
#[inline(never)]
fn add_quoted(page: &mut Page<'_>, lead: &str, line: &str) {
    let mut room = 4 * page.style.columns();
    let text = &mut page.line;
    let mut more = 0;
    for c in trimmed(line).chars() {
        if room == 0 {
            more += 1;
            continue;
        }
        room -= 1;
        if c == '\t' {
            text.say("    ");
        } else {
            text.safe(c.encode_utf8(&mut [0; 4]));
        }
    }
    if more > 0 {
        text.say(page.style.glyphs().ellipsis).say(" (");
        text.counted(more, "character").say(" more)");
    }
    page.fill(Ink::Plain, lead);
}
