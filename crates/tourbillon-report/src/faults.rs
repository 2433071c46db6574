//! Launches that failed: which case, which launch, what happened, what to do.

use std::collections::HashMap;

use tourbillon_present::number::{counted, duration};
use tourbillon_present::{Ink, Style, TextLines, shell_operand};
use tourbillon_record::{Fault, FaultKind};

use crate::names::Names;

/// Lines of a message, and of the end of stderr, that are shown; the record has all of it.
const MESSAGE_LINES: usize = 12;
const STDERR_LINES: usize = 10;
/// Cases that are named when the same happened in many.
const CASES: usize = 4;

/// What happened in the launches that failed; empty when none did.
///
/// Faults of one kind, location and message are shown once, with the cases and launches listed. In several
/// cases they are the same only if the cases left the same on stderr; of a case, stderr is shown as its
/// first launch left it. Launches count from 0, as in the record, in the order in which they failed.
pub fn faults(faults: &[Fault], names: &Names, style: &Style) -> String {
    let mut page = TextLines::new(style);
    for alike in grouped(faults) {
        let first = alike[0];
        page.line(Ink::Failure, "failed: ", &what(first, style));
        add_cases(&mut page, &alike, names);
        add_message(&mut page, &first.message);
        let mut lead = "  stderr: ";
        for line in tail(first) {
            add_quoted(&mut page, lead, line);
            lead = "          ";
        }
        let (advice, command) = advice(first, names.name(&first.case), style);
        page.line(Ink::Note, "  ! ", &advice);
        if let Some(command) = command {
            page.line(Ink::Note, "    ", &command);
        }
    }
    page.text
}

/// What happened in one launch of a case with this name, in a few words with the message, and what to do: where
/// cases are reported one by one.
pub fn fault(fault: &Fault, name: &str, style: &Style) -> (String, String) {
    let mut text = what(fault, style);
    if !fault.message.is_empty() {
        text += match fault.kind {
            FaultKind::Exit(_) | FaultKind::Signal(_) | FaultKind::Hang(_) => " ",
            _ => ": ",
        };
        text += &style.safe(&fault.message);
    }
    let (mut advice, command) = advice(fault, name, style);
    if let Some(command) = command {
        advice += &format!(" {command}");
    }
    (text, advice)
}

fn what(fault: &Fault, style: &Style) -> String {
    let what = kind(fault);
    match &fault.location {
        Some(location) => format!("{what} at {}:{}", style.safe(&location.file), location.line),
        None => what,
    }
}

/// Whether the process ended because its stack overflowed: Rust programs print that and abort. On Windows
/// the exception ends them.
fn is_overflow(fault: &Fault) -> bool {
    let printed = || fault.stderr.contains("has overflowed its stack");
    match fault.kind {
        FaultKind::Signal(6) => printed(),
        FaultKind::Exit(code) => code == STACK_OVERFLOW,
        _ => false,
    }
}

/// The bytes that the process asked for and did not get: Rust programs print that and abort.
fn refused_bytes(fault: &Fault) -> Option<u64> {
    if !matches!(fault.kind, FaultKind::Signal(6) | FaultKind::Exit(ABORTED)) {
        return None;
    }
    fault.stderr.lines().find_map(refused)
}

/// The bytes in the line of an allocation that failed.
fn refused(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("memory allocation of ")?;
    rest.strip_suffix(" bytes failed")?.parse().ok()
}

/// Exceptions of Windows, with whose numbers a process ends that crashed (ntstatus.h).
const ACCESS_VIOLATION: i32 = 0xC000_0005_u32.cast_signed();
const ILLEGAL_INSTRUCTION: i32 = 0xC000_001D_u32.cast_signed();
const DIVISION_BY_ZERO: i32 = 0xC000_0094_u32.cast_signed();
const STACK_OVERFLOW: i32 = 0xC000_00FD_u32.cast_signed();
const CONTROL_C: i32 = 0xC000_013A_u32.cast_signed();
const HEAP_CORRUPTION: i32 = 0xC000_0374_u32.cast_signed();
const ABORTED: i32 = 0xC000_0409_u32.cast_signed();

fn exception_name(code: i32) -> &'static str {
    match code {
        ACCESS_VIOLATION => " (access violation)",
        ILLEGAL_INSTRUCTION => " (illegal instruction)",
        DIVISION_BY_ZERO => " (division by zero)",
        CONTROL_C => " (Ctrl-C)",
        HEAP_CORRUPTION => " (heap corruption)",
        ABORTED => " (aborted)",
        _ => "",
    }
}

/// What happened, in a few words.
pub(crate) fn kind(fault: &Fault) -> String {
    if let Some(refused) = refused_bytes(fault) {
        let size = match refused {
            ..1024 => String::new(),
            large => format!(" ({})", tourbillon_present::bytes(large as f64)),
        };
        return format!("could not allocate {}{size}", counted(refused, "byte"));
    }
    match &fault.kind {
        _ if is_overflow(fault) => "overflowed its stack".to_owned(),
        FaultKind::Panic => "panicked".to_owned(),
        FaultKind::Error => "returned an error".to_owned(),
        FaultKind::Exit(code @ ..0) => {
            format!("killed by exception {code:#010X}{}", exception_name(*code))
        }
        FaultKind::Exit(code) => format!("exited with code {code}"),
        FaultKind::Signal(number) => format!("killed by signal {number}{}", signal_name(*number)),
        FaultKind::Hang(ms) => {
            format!("no response for {}", duration(ms.saturating_mul(1_000_000)))
        }
        FaultKind::UnknownCase => "unknown to the worker".to_owned(),
        FaultKind::NoTerminal => "called no terminal of its Bencher".to_owned(),
        FaultKind::EmptyBody => "takes as long as an empty loop".to_owned(),
        FaultKind::Spawn => "the worker could not be started".to_owned(),
        FaultKind::Protocol => "the worker sent an invalid message".to_owned(),
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

const ABORT: &str =
    "the process aborted: a panic while panicking, or in code that must not unwind, does that";

/// What to do, and the command to type for it. `name` is what `--exact` takes for the case.
fn advice(fault: &Fault, name: &str, style: &Style) -> (String, Option<String>) {
    let exact = || format!("--test --exact {}", shell_operand(name, style.unicode));
    let advice = match &fault.kind {
        FaultKind::Panic | FaultKind::Error => {
            let command = format!("cargo bench -- {}", exact());
            return (
                "to run it once, without measuring:".to_owned(),
                Some(command),
            );
        }
        _ if is_overflow(fault) => "the recursion may not end; put large values on the heap",
        _ if refused_bytes(fault).is_some() => {
            "the system has no memory for that: use smaller inputs, or raise the limit of memory"
        }
        FaultKind::Exit(ABORTED) | FaultKind::Signal(6) => ABORT,
        FaultKind::Signal(9) => {
            "the system kills processes when memory runs out: check the benchmark's memory"
        }
        FaultKind::Exit(..0) | FaultKind::Signal(_) => {
            return (format!("run it under a debugger with {}", exact()), None);
        }
        FaultKind::Exit(_) => "a benchmark must return; return an error instead of exiting",
        FaultKind::Hang(_) => {
            "if one call takes that long, raise --timeout; otherwise the body loops forever or waits \
             for something that never comes"
        }
        FaultKind::UnknownCase => {
            "arguments are computed in every worker and must be the same there: they must not depend \
             on time, chance or what earlier launches left behind"
        }
        FaultKind::NoTerminal => "end the benchmark with a terminal of its Bencher, such as iter",
        FaultKind::EmptyBody => {
            "nothing is left of the body: return its result, and hide inputs that are constants"
        }
        FaultKind::Spawn => "check the limits on processes, memory and open files",
        FaultKind::Protocol => {
            "a benchmark must neither write to descriptors that it did not open nor close them"
        }
    };
    (advice.to_owned(), None)
}

/// Faults that are shown together.
fn grouped(faults: &[Fault]) -> Vec<Vec<&Fault>> {
    let mut groups: Vec<Vec<&Fault>> = Vec::new();
    // The group of each event by a case, and by what it wrote.
    let mut of_cases = HashMap::new();
    let mut of_stderr = HashMap::new();
    for fault in faults {
        let location = fault.location.as_ref();
        let event = (
            format!("{:?}", fault.kind),
            location.map(|location| (location.file.as_str(), location.line)),
            fault.message.as_str(),
        );
        let by_case = (event.clone(), fault.case.as_str());
        let by_stderr = (event, nameless(fault));
        let known = of_cases.get(&by_case).or_else(|| of_stderr.get(&by_stderr));
        let at = known.copied().unwrap_or(groups.len());
        if at == groups.len() {
            groups.push(Vec::new());
            of_stderr.entry(by_stderr).or_insert(at);
        }
        groups[at].push(fault);
        of_cases.entry(by_case).or_insert(at);
    }
    groups
}

/// The end of stderr without the numbers of threads, which differ from process to process.
fn nameless(fault: &Fault) -> Vec<&str> {
    let mut lines = tail(fault);
    for line in &mut lines {
        if names_thread(line) {
            *line = THREAD;
        }
    }
    lines
}

/// A line or more for each case with its launches: `  in sort/heap/1, launches 3, 5, 8`.
fn add_cases(page: &mut TextLines<'_>, faults: &[&Fault], names: &Names) {
    let mut cases: Vec<(&str, Vec<String>)> = Vec::new();
    let mut known = HashMap::new();
    for fault in faults {
        let at = *known.entry(fault.case.as_str()).or_insert(cases.len());
        if at == cases.len() {
            cases.push((&fault.case, Vec::new()));
        }
        cases[at].1.push(fault.launch.to_string());
    }
    for (case, launches) in cases.iter().take(CASES) {
        let noun = if launches.len() == 1 {
            "launch"
        } else {
            "launches"
        };
        let name = page.style.safe(names.name(case));
        let line = format!("{name}, {noun} {}", launches.join(", "));
        page.line(Ink::Plain, "  in ", &line);
    }
    if cases.len() > CASES {
        let more = counted(cases.len() - CASES, "other case");
        page.line(Ink::Plain, "  ", &format!("and in {more}"));
    }
}

/// Adds the first lines of a message, and how many more there are.
fn add_message(page: &mut TextLines<'_>, message: &str) {
    let lines: Vec<_> = message.trim_ascii_end().lines().collect();
    for line in lines.iter().take(MESSAGE_LINES) {
        add_quoted(page, "  ", line);
    }
    if lines.len() > MESSAGE_LINES {
        let more = counted(lines.len() - MESSAGE_LINES, "more line");
        page.line(Ink::Plain, "  ", &format!("({more})"));
    }
}

/// The last lines of stderr, without what the panic hook wrote there, which is shown already.
fn tail(fault: &Fault) -> Vec<&str> {
    let panicked = fault.kind == FaultKind::Panic && !fault.message.is_empty();
    let is_hook = |line: &str| {
        names_thread(line)
            || line.starts_with("note: run with `RUST_BACKTRACE")
            || fault.message.lines().any(|message| message == line)
    };
    if is_overflow(fault) {
        return Vec::new();
    }
    let lines = fault.stderr.trim_ascii_end().lines();
    let is_said = |line: &str| {
        panicked && is_hook(line) || refused_bytes(fault).is_some() && refused(line).is_some()
    };
    let own = lines.filter(|line| !(line.is_empty() || is_said(line)));
    let mut tail: Vec<_> = own.rev().take(STDERR_LINES).collect();
    tail.reverse();
    tail
}

const THREAD: &str = "thread '";

fn names_thread(line: &str) -> bool {
    line.starts_with(THREAD)
}

/// Adds a line from outside, at most as long as fills four lines of the terminal.
fn add_quoted(page: &mut TextLines<'_>, lead: &str, line: &str) {
    let quoted = line.trim_ascii_end();
    let room = 4 * page.style.columns();
    let short: String = quoted.chars().take(room).collect();
    let mut text = page.style.safe(&short.replace('\t', "    "));
    let more = quoted.chars().count() - short.chars().count();
    if more > 0 {
        let more = counted(more, "more character");
        text += &format!("{} ({more})", page.style.glyphs().ellipsis);
    }
    page.line(Ink::Plain, lead, &text);
}
