//! The allocations of a case, from its memory visits.

use tourbillon_analysis::{counted, steady_rows};
use tourbillon_record::{CaseResult, Counted, Memory, Resident, Run};
use tourbillon_report::{Allocations, Style, bytes, escape};

use crate::screen::paragraph;
use crate::table::Sheet;

/// Adds the memory visits of a case; nothing without any.
pub(super) fn push(page: &mut String, run: &Run, id: &str, style: &Style) {
    let visits = run.memory.iter().filter(|visit| visit.case == id);
    let visits: Vec<Memory> = visits.cloned().collect();
    if visits.is_empty() {
        return;
    }
    page.push_str("\nMemory\n");
    counts(page, id, &visits, style);
    if visits[0].counts.is_ok() {
        let text = agreement(run, id, &counted(id, &visits));
        paragraph(page, "", &text, style);
    }
    residence(page, &visits[0], style);
}

/// The same for a comparison of two builds with these labels.
pub(super) fn push_both(page: &mut String, run: &Run, id: &str, labels: [&str; 2], style: &Style) {
    for (arm, label) in labels.into_iter().enumerate() {
        let of = |visit: &&Memory| visit.case == id && visit.arm.map(usize::from) == Some(arm);
        let visits: Vec<Memory> = run.memory.iter().filter(of).cloned().collect();
        if let Some(first) = visits.first() {
            page.push_str(&format!("\nMemory of {label}\n"));
            counts(page, id, &visits, style);
            residence(page, first, style);
        }
    }
}

fn counts(page: &mut String, id: &str, visits: &[Memory], style: &Style) {
    let first = &visits[0];
    match &first.counts {
        Err(why) => {
            let text = format!("not measured: {}", escape(why, style.unicode));
            paragraph(page, "alloc  ", &text, style);
        }
        Ok(counts) => {
            page.push_str(&rows(first, counts).render(style));
            let results = counted(id, visits);
            let line = Allocations {
                cases: &[],
                results: &results,
                before: &|_, _| None,
                baseline: None,
            };
            page.push_str(line.below(id, style).trim_start());
            elsewhere(page, first, counts, style);
        }
    }
}

fn residence(page: &mut String, visit: &Memory, style: &Style) {
    match &visit.resident {
        Err(why) => {
            let text = format!("not measured: {}", escape(why, style.unicode));
            paragraph(page, "resident  ", &text, style);
        }
        Ok(resident) => paragraph(page, "resident  ", &in_memory(resident), style),
    }
}

/// Adds the number of requests on threads that the body started.
fn elsewhere(page: &mut String, visit: &Memory, counts: &Counted, style: &Style) {
    let (mut requests, mut ops) = (0, 0);
    for row in steady_rows(visit) {
        requests += counts.requests_elsewhere.get(row).copied().unwrap_or(0);
        ops += visit.iterations[row] * visit.ops_per_iteration;
    }
    if requests > 0 {
        let text = format!("{requests} of the requests of {ops} ops were made on other threads");
        paragraph(page, "", &text, style);
    }
}

/// The rows of a visit as they were counted.
fn rows(visit: &Memory, counts: &Counted) -> Sheet {
    let titles = [
        "allocs", "frees", "in place", "moved", "bytes", "kept", "peak",
    ];
    let mut sheet = Sheet::new("iterations").right(titles);
    for (row, iterations) in visit.iterations.iter().enumerate() {
        let lead = match row {
            0 => "first call".to_owned(),
            _ => iterations.to_string(),
        };
        sheet.row([
            lead,
            counts.allocs[row].to_string(),
            counts.frees[row].to_string(),
            counts.reallocs_in_place[row].to_string(),
            counts.reallocs_moved[row].to_string(),
            bytes(counts.allocated_bytes[row] as f64),
            bytes(counts.kept_bytes(row) as f64),
            bytes(counts.peak_bytes[row] as f64),
        ]);
    }
    sheet
}

/// Whether the visits still give the stored figures.
fn agreement(run: &Run, id: &str, again: &[CaseResult]) -> String {
    let stored = run.results.iter();
    let stored = stored.filter(|result| result.case == id && result.metric.is_counted());
    let figures =
        |result: &CaseResult| (result.metric, result.estimate, result.lower, result.upper);
    let same = stored.map(figures).eq(again.iter().map(figures));
    let (count, noun) = match again.first() {
        Some(result) if result.launches == 1 => (1, "memory visit"),
        Some(result) => (result.launches, "memory visits"),
        None => (0, "memory visits"),
    };
    let verdict = if same {
        "recomputed figures are the same"
    } else {
        "recomputed figures differ"
    };
    format!("of {count} {noun}; {verdict}")
}

/// `peak 2.2 MiB since the first call; page faults 3 in the first call, 0 in 7 more iterations`.
fn in_memory(resident: &Resident) -> String {
    let since = if resident.since_first_call {
        "since the first call"
    } else {
        "since the process began, because the kernel cannot reset it"
    };
    let mut text = format!("peak {} {since}", bytes(resident.peak_bytes as f64));
    let faults = |row: usize| resident.faults_minor[row] + resident.faults_major[row];
    let rows = resident.faults_minor.len();
    if rows > 0 {
        text.push_str(&format!("; page faults {} in the first call", faults(0)));
    }
    if rows > 1 {
        let after: u64 = (1..rows).map(faults).sum();
        let others = rows - 1;
        text.push_str(&format!(", {after} in {others} more iterations"));
    }
    let major: u64 = resident.faults_major.iter().sum();
    if major > 0 {
        text.push_str(&format!("; {major} of them read a disk"));
    }
    text
}
