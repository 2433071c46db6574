//! The allocations of a case, from its memory launches.

use tourbillon_analysis::{counted, steady_rows};
use tourbillon_present::Table;
use tourbillon_record::{CaseResult, Counted, Memory, Metric, Resident, Run, total};
use tourbillon_report::{CaseResults, bytes};

use crate::screen::Page;

/// Adds the memory launches of a case; nothing without any.
pub(super) fn push(page: &mut Page<'_>, run: &Run, id: &str) {
    let launches: Vec<Memory> = run
        .memory
        .iter()
        .filter(|launch| launch.case == id)
        .cloned()
        .collect();
    let Some(first) = launches.first() else {
        return;
    };
    page.line("\nMemory");
    counts(page, id, &launches);
    if first.counts.is_ok() {
        page.say("", &agreement(run, id, &counted(id, &launches)));
    }
    residence(page, first);
}

/// The same for a comparison of two builds with these labels.
pub(super) fn push_both(page: &mut Page<'_>, run: &Run, id: &str, labels: [&str; 2]) {
    for (arm, label) in labels.into_iter().enumerate() {
        let of = |launch: &&Memory| launch.case == id && launch.arm.map(usize::from) == Some(arm);
        let launches: Vec<Memory> = run.memory.iter().filter(of).cloned().collect();
        if let Some(first) = launches.first() {
            page.line(&format!("\nMemory of {}", page.escaped(label)));
            counts(page, id, &launches);
            residence(page, first);
        }
    }
}

fn counts(page: &mut Page<'_>, id: &str, launches: &[Memory]) {
    let first = &launches[0];
    let counts = match &first.counts {
        Ok(counts) => counts,
        Err(why) => return page.say("alloc  ", &format!("not measured: {why}")),
    };
    page.table(rows(first, counts));
    let counted = counted(id, launches);
    page.say("", &CaseResults::of(&counted).allocations(id).join("  "));
    // Requests on threads that the body started.
    let rows = || steady_rows(first).into_iter();
    let elsewhere = rows().filter_map(|row| counts.requests_elsewhere.get(row));
    let requests = total(elsewhere.copied());
    if requests > 0 {
        let of_row = |row: usize| first.iterations[row].saturating_mul(first.ops_per_iteration);
        let ops = total(rows().map(of_row));
        let text = format!("{requests} of the requests of {ops} ops were made on other threads");
        page.say("", &text);
    }
}

fn residence(page: &mut Page<'_>, launch: &Memory) {
    match &launch.resident {
        Err(why) => page.say("resident  ", &format!("not measured: {why}")),
        Ok(resident) => page.say("resident  ", &in_memory(resident)),
    }
}

/// The rows of a launch as they were counted, without those in which nothing was requested or freed.
fn rows(launch: &Memory, counts: &Counted) -> Table {
    let titles = [
        "allocs", "frees", "in place", "moved", "bytes", "kept", "peak",
    ];
    let mut sheet = Table::new("iterations").right(titles);
    for (row, iterations) in launch.iterations.iter().enumerate() {
        if counts.requests(row) + counts.frees[row] == 0 {
            continue;
        }
        let lead = match row {
            0 => "first call".to_owned(),
            _ => iterations.to_string(),
        };
        sheet.push([
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

/// Whether the launches still give the stored figures.
fn agreement(run: &Run, id: &str, again: &[CaseResult]) -> String {
    let stored = run
        .results
        .iter()
        .filter(|result| result.case == id && result.metric.is_counted())
        .filter(|result| result.metric != Metric::Instructions);
    let figures =
        |result: &CaseResult| (result.metric, result.estimate, result.lower, result.upper);
    let same = stored.map(figures).eq(again.iter().map(figures));
    let count = again.first().map_or(0, |result| result.launches);
    let launches = tourbillon_report::counted(count, "memory launch");
    let verdict = if same { "are the same" } else { "differ" };
    format!("of {launches}; recomputed figures {verdict}")
}

/// `peak 2.2 MiB since the first call; page faults 3 in the first call, 0 in 7 more iterations`.
fn in_memory(resident: &Resident) -> String {
    let since = if resident.since_first_call {
        "since the first call"
    } else {
        "since the process began, because the system cannot reset it"
    };
    let mut text = format!("peak {} {since}", bytes(resident.peak_bytes as f64));
    let faults = |row: usize| total([resident.faults_minor[row], resident.faults_major[row]]);
    let rows = resident.faults_minor.len();
    if rows > 0 {
        text.push_str(&format!("; page faults {} in the first call", faults(0)));
    }
    if rows > 1 {
        let after = total((1..rows).map(faults));
        let others = rows - 1;
        text.push_str(&format!(", {after} in {others} more iterations"));
    }
    let major = total(resident.faults_major.iter().copied());
    if major > 0 {
        text.push_str(&format!("; {major} of them read a disk"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_zeros_are_left_out() {
        let launch = Memory {
            iterations: vec![1, 1, 16],
            ..Memory::default()
        };
        let of = |allocs: [u64; 3], frees: [u64; 3]| {
            let [allocs, frees] = [allocs, frees].map(|counts| counts.to_vec());
            let zeros = vec![0; 3];
            let counts = Counted {
                allocs,
                frees,
                reallocs_in_place: zeros.clone(),
                reallocs_moved: zeros.clone(),
                allocated_bytes: zeros.clone(),
                freed_bytes: zeros.clone(),
                copied_bytes: zeros.clone(),
                peak_bytes: zeros,
                ..Counted::default()
            };
            let sheet = rows(&launch, &counts);
            let texts = sheet.rows.iter().map(|row| row.text(0).to_owned());
            texts.collect::<Vec<_>>()
        };
        assert_eq!(of([1, 0, 0], [0, 0, 16]), ["first call", "16"]);
        assert!(of([0; 3], [0; 3]).is_empty());
    }
}
