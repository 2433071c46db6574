//! Visits that failed: which case, which launch, what happened, what to do.

use std::fmt;

use tourbillon_record::{Fault, FaultKind};

use crate::Style;
use crate::escape::Safe;
use crate::fill::{Items, Page};
use crate::number::{Counted, Duration, append};
use crate::style::Ink;

/// Lines of a message, and of the tail of stderr, that are shown; the record has all of it.
const MESSAGE_LINES: usize = 12;
const STDERR_LINES: usize = 10;
/// Cases that are named when the same happened in many.
const CASES: usize = 4;

/// What happened in the visits that failed; empty when none did.
///
/// What is the same in many launches or cases is told once, with the launches and cases listed;
/// stderr is shown as the first of them left it. Launches count from 0, as in the record, and stand
/// in the order in which they failed.
pub fn faults(faults: &[Fault], style: &Style) -> String {
    let mut page = Page::new(style);
    for (i, fault) in faults.iter().enumerate() {
        if faults[..i].iter().any(|earlier| same_story(earlier, fault)) {
            continue;
        }
        let mut title = Items::default();
        title.add(format_args!("failed: {}", What(&fault.kind)));
        if let Some(place) = &fault.place {
            title.append(format_args!(
                " at {}:{}",
                Safe(&place.file, style.unicode),
                place.line
            ));
        }
        page.fill(Ink::Failure, "", &title);
        add_cases(&mut page, &faults[i..]);
        add_quoted(&mut page, "  ", &first_lines(&fault.message, style));
        add_quoted(&mut page, "  stderr: ", &last_lines(fault, style));
        page.sentence(Ink::Note, "  ! ", format_args!("{}", advice(&fault.kind)));
    }
    page.text
}

/// What happened, in a few words.
pub(crate) struct What<'a>(pub(crate) &'a FaultKind);

impl fmt::Display for What<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            FaultKind::Panic => "panicked",
            FaultKind::Error => "returned an error",
            FaultKind::Exit(code) => {
                return write!(f, "ended the process with exit code {code}");
            }
            FaultKind::Signal(number) => {
                return write!(f, "ended by signal {number}{}", signal_name(*number));
            }
            FaultKind::Hang(ms) => {
                return write!(
                    f,
                    "no sign of life for {}",
                    Duration(ms.saturating_mul(1_000_000))
                );
            }
            FaultKind::UnknownCase => "not known to the worker",
            FaultKind::NoTerminal => "called nothing on its Bencher",
            FaultKind::Spawn => "worker could not be started",
            FaultKind::Protocol => "worker was not understood",
        })
    }
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

/// Whether what is told of the one is true of the other, but for case and launch.
fn same_story(a: &Fault, b: &Fault) -> bool {
    a.kind == b.kind && a.place == b.place && a.message == b.message
}

/// A line or more for each case with its launches, `  in sort::heap[n=1], launches 3, 5, 8`, of the
/// faults that tell the story of the first.
fn add_cases(page: &mut Page<'_>, faults: &[Fault]) {
    let first = &faults[0];
    let mut cases = 0;
    for (i, fault) in faults.iter().enumerate() {
        let same = |other: &Fault| other.case == fault.case && same_story(first, other);
        if !same_story(first, fault) || faults[..i].iter().any(same) {
            continue;
        }
        cases += 1;
        if cases > CASES {
            continue;
        }
        let mut line = Items::default();
        line.add(format_args!("{}, ", Safe(&fault.case, page.style.unicode)));
        let several = faults[i + 1..].iter().any(same);
        line.append(format_args!(
            "{}",
            if several { "launches" } else { "launch" }
        ));
        for (k, other) in faults[i..].iter().filter(|other| same(other)).enumerate() {
            line.append(format_args!(
                "{} {}",
                if k == 0 { "" } else { "," },
                other.launch
            ));
        }
        page.fill(Ink::Plain, "  in ", &line);
    }
    if cases > CASES {
        let more = Counted((cases - CASES) as u64, "other case");
        page.sentence(Ink::Plain, "  ", format_args!("and in {more}"));
    }
}

/// Lines of someone else behind a lead.
fn add_quoted(page: &mut Page<'_>, lead: &str, lines: &[String]) {
    for (i, line) in lines.iter().enumerate() {
        let lead = if i == 0 {
            lead
        } else {
            &"          "[..lead.len()]
        };
        page.sentence(Ink::Plain, lead, format_args!("{line}"));
    }
}

/// The first lines of a message, and how many there are more.
fn first_lines(message: &str, style: &Style) -> Vec<String> {
    let mut lines = Vec::new();
    let mut more = 0;
    for line in message.trim_end().split('\n') {
        if lines.len() < MESSAGE_LINES {
            lines.push(bounded(line, style));
        } else {
            more += 1;
        }
    }
    if more > 0 {
        lines.push(String::new());
        append(
            &mut lines[MESSAGE_LINES],
            format_args!("({} more)", Counted(more, "line")),
        );
    }
    if message.trim_end().is_empty() {
        lines.clear();
    }
    lines
}

/// The last lines of stderr, without what the panic hook wrote there, which is told already.
fn last_lines(fault: &Fault, style: &Style) -> Vec<String> {
    let panicked = fault.kind == FaultKind::Panic && !fault.message.is_empty();
    let mut lines = Vec::new();
    for line in fault.stderr.trim_end().split('\n').rev() {
        let told = line.starts_with("thread '")
            || line.starts_with("note: run with `RUST_BACKTRACE")
            || fault
                .message
                .split('\n')
                .any(|of_message| of_message == line);
        if lines.len() < STDERR_LINES && !(panicked && told) && !line.is_empty() {
            lines.insert(0, bounded(line, style));
        }
    }
    lines
}

/// A line escaped, at most as long as fills four lines of the terminal.
fn bounded(line: &str, style: &Style) -> String {
    let most = 4 * style.columns();
    let mut short = String::new();
    let mut more = 0;
    for (i, c) in line.trim_end().chars().enumerate() {
        match c {
            _ if i >= most => more += 1,
            '\t' => short.push_str("    "),
            _ => short.push(c),
        }
    }
    let mut escaped = crate::escape(&short, style.unicode);
    if more > 0 {
        let ellipsis = style.glyphs().ellipsis;
        append(
            &mut escaped,
            format_args!("{ellipsis} ({} more)", Counted(more, "character")),
        );
    }
    escaped
}
