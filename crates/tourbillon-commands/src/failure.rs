//! What happened to a command that failed.

use tourbillon_record::{Fault, FaultKind};
use tourbillon_report::escape;

/// What happened to a command, with the end of its stderr, and what to do.
pub fn failure(fault: &Fault) -> String {
    // What is measured of a command is nothing without what `--prepare` and its like make for it.
    let advice = match fault.message.as_str() {
        flag if flag.starts_with("in --") => "correct it",
        _ => "correct it, or measure it nevertheless with --ignore-failure",
    };
    let (what, advice) = match fault.kind {
        FaultKind::Exit(code) => (format!("exited with code {code}"), advice),
        FaultKind::Signal(signal) => (format!("was ended by signal {signal}"), advice),
        FaultKind::Hang(ms) => (
            format!("ran for {ms} ms and was ended"),
            "raise --timeout, or measure less work",
        ),
        _ => (String::new(), ""),
    };
    let case = escape(&fault.case, true);
    let name = match fault.message.strip_prefix("in ") {
        Some(flag) if flag.starts_with("--") => format!("{} of {case}", escape(flag, true)),
        _ => case,
    };
    if what.is_empty() {
        return format!("{name}: {}", escape(&fault.message, true));
    }
    let lines: Vec<&str> = fault.stderr.lines().collect();
    let last = lines[lines.len().saturating_sub(5)..].join(" | ");
    let last = escape(&last.replace('\t', " "), true);
    let stderr = if last.is_empty() {
        "it wrote nothing to stderr".to_owned()
    } else {
        format!("its stderr ends with: {last}")
    };
    format!("{name} {what}; {stderr}; {advice}")
}
