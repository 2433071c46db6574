use super::{Fields, start};
use crate::json::Writer;
use crate::{Counted, Memory, Resident};

#[inline(never)]
pub(super) fn write(writer: &mut Writer, memory: &Memory) {
    start(writer, "memory");
    writer.text("case", &memory.case);
    writer.whole("launch", memory.launch.into());
    writer.whole("seed", memory.seed);
    writer.whole("pid", memory.pid.into());
    writer.whole("started_unix_ns", memory.started_unix_ns);
    if let Some(arm) = memory.arm {
        writer.whole("arm", arm.into());
    }
    writer.text("terminal", &memory.terminal);
    writer.flag("drop_inside", memory.drop_inside);
    writer.whole("ops_per_iteration", memory.ops_per_iteration);
    writer.wholes("iterations", &memory.iterations);
    match &memory.counts {
        Ok(counts) => write_counts(writer, counts),
        Err(_) => writer.null("counts"),
    }
    let why = memory.counts.as_ref().err();
    writer.text_or_null("not_counted", why.map(String::as_str));
    match &memory.resident {
        Ok(resident) => write_resident(writer, resident),
        Err(_) => writer.null("resident"),
    }
    let why = memory.resident.as_ref().err();
    writer.text_or_null("not_resident", why.map(String::as_str));
    writer.whole("visit_ns", memory.visit_ns);
}

#[inline(never)]
pub(super) fn read(fields: &mut Fields<'_, '_>, memory: &mut Memory) {
    fields.text("case", &mut memory.case);
    memory.launch = fields.whole_as("launch");
    memory.seed = fields.whole("seed");
    memory.pid = fields.whole_as("pid");
    memory.started_unix_ns = fields.whole("started_unix_ns");
    memory.arm = fields.whole_or_none("arm");
    fields.text("terminal", &mut memory.terminal);
    memory.drop_inside = fields.flag("drop_inside");
    memory.ops_per_iteration = fields.whole("ops_per_iteration");
    fields.wholes("iterations", &mut memory.iterations);
    let rows = memory.iterations.len();
    if fields.enter_if_any("counts") {
        memory.counts = Ok(read_counts(fields, rows));
        fields.leave();
    }
    read_reason(fields, "not_counted", &mut memory.counts);
    if fields.enter_if_any("resident") {
        memory.resident = Ok(read_resident(fields));
        fields.leave();
    }
    read_reason(fields, "not_resident", &mut memory.resident);
    memory.visit_ns = fields.whole("visit_ns");
    fields.rest(&mut memory.unknown);
}

pub(super) const BLANK: Memory = Memory {
    case: String::new(),
    launch: 0,
    seed: 0,
    pid: 0,
    started_unix_ns: 0,
    arm: None,
    terminal: String::new(),
    drop_inside: false,
    ops_per_iteration: 0,
    iterations: Vec::new(),
    counts: Err(String::new()),
    resident: Err(String::new()),
    visit_ns: 0,
    unknown: String::new(),
};

/// Either what was read or the reason why there is nothing: one of them, not both.
fn read_reason<T>(fields: &mut Fields<'_, '_>, name: &str, read: &mut Result<T, String>) {
    match read {
        Ok(_) => fields.nothing(name, "null beside figures"),
        Err(why) => fields.text(name, why),
    }
}

fn write_counts(writer: &mut Writer, counts: &Counted) {
    writer.open("counts");
    writer.wholes("allocs", &counts.allocs);
    writer.wholes("frees", &counts.frees);
    writer.wholes("reallocs_in_place", &counts.reallocs_in_place);
    writer.wholes("reallocs_moved", &counts.reallocs_moved);
    writer.wholes("allocated_bytes", &counts.allocated_bytes);
    writer.wholes("freed_bytes", &counts.freed_bytes);
    writer.wholes("copied_bytes", &counts.copied_bytes);
    writer.wholes("peak_bytes", &counts.peak_bytes);
    writer.wholes("requests_elsewhere", &counts.requests_elsewhere);
    writer.close();
}

fn read_counts(fields: &mut Fields<'_, '_>, rows: usize) -> Counted {
    let mut counts = Counted::default();
    fields.wholes("allocs", &mut counts.allocs);
    fields.wholes("frees", &mut counts.frees);
    fields.wholes("reallocs_in_place", &mut counts.reallocs_in_place);
    fields.wholes("reallocs_moved", &mut counts.reallocs_moved);
    fields.wholes("allocated_bytes", &mut counts.allocated_bytes);
    fields.wholes("freed_bytes", &mut counts.freed_bytes);
    fields.wholes("copied_bytes", &mut counts.copied_bytes);
    fields.wholes("peak_bytes", &mut counts.peak_bytes);
    fields.wholes("requests_elsewhere", &mut counts.requests_elsewhere);
    let length = ("iterations", rows);
    fields.same_length(&[
        length,
        ("allocs", counts.allocs.len()),
        ("frees", counts.frees.len()),
        ("reallocs_in_place", counts.reallocs_in_place.len()),
        ("reallocs_moved", counts.reallocs_moved.len()),
        ("allocated_bytes", counts.allocated_bytes.len()),
        ("freed_bytes", counts.freed_bytes.len()),
        ("copied_bytes", counts.copied_bytes.len()),
        ("peak_bytes", counts.peak_bytes.len()),
    ]);
    // Empty where it could not be told.
    if !counts.requests_elsewhere.is_empty() {
        let elsewhere = ("requests_elsewhere", counts.requests_elsewhere.len());
        fields.same_length(&[length, elsewhere]);
    }
    counts
}

fn write_resident(writer: &mut Writer, resident: &Resident) {
    writer.open("resident");
    writer.whole("peak_bytes", resident.peak_bytes);
    writer.flag("since_first_call", resident.since_first_call);
    writer.wholes("faults_minor", &resident.faults_minor);
    writer.wholes("faults_major", &resident.faults_major);
    writer.close();
}

fn read_resident(fields: &mut Fields<'_, '_>) -> Resident {
    let mut resident = Resident {
        peak_bytes: fields.whole("peak_bytes"),
        since_first_call: fields.flag("since_first_call"),
        ..Resident::default()
    };
    fields.wholes("faults_minor", &mut resident.faults_minor);
    fields.wholes("faults_major", &mut resident.faults_major);
    fields.same_length(&[
        ("faults_minor", resident.faults_minor.len()),
        ("faults_major", resident.faults_major.len()),
    ]);
    resident
}
