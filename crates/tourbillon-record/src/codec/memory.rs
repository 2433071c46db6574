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
pub(super) fn read(fields: &mut Fields<'_, '_>) -> Memory {
    let mut memory = Memory {
        case: fields.text("case"),
        launch: fields.whole_as("launch"),
        seed: fields.whole("seed"),
        pid: fields.whole_as("pid"),
        started_unix_ns: fields.whole("started_unix_ns"),
        arm: fields.whole_or_none("arm"),
        terminal: fields.text("terminal"),
        drop_inside: fields.flag("drop_inside"),
        ops_per_iteration: fields.whole("ops_per_iteration"),
        iterations: fields.wholes("iterations"),
        counts: Err(String::new()),
        resident: Err(String::new()),
        visit_ns: 0,
        unknown: Vec::new(),
    };
    let rows = memory.iterations.len();
    memory.counts = match fields.object_or_none("counts") {
        Some(counts) => Ok(read_counts(counts, rows)),
        None => Err(String::new()),
    };
    read_reason(fields, "not_counted", &mut memory.counts);
    memory.resident = match fields.object_or_none("resident") {
        Some(resident) => Ok(read_resident(resident)),
        None => Err(String::new()),
    };
    read_reason(fields, "not_resident", &mut memory.resident);
    memory.visit_ns = fields.whole("visit_ns");
    memory.unknown = fields.rest();
    memory
}

/// Either what was read or the reason why there is nothing: one of them, not both.
fn read_reason<T>(fields: &mut Fields<'_, '_>, name: &str, read: &mut Result<T, String>) {
    match read {
        Ok(_) => {
            if fields.text_or_none(name).is_some() {
                fields.refuse(name, "null beside figures");
            }
        }
        Err(why) => *why = fields.text(name),
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

fn read_counts(mut fields: Fields<'_, '_>, rows: usize) -> Counted {
    let counts = Counted {
        allocs: fields.wholes("allocs"),
        frees: fields.wholes("frees"),
        reallocs_in_place: fields.wholes("reallocs_in_place"),
        reallocs_moved: fields.wholes("reallocs_moved"),
        allocated_bytes: fields.wholes("allocated_bytes"),
        freed_bytes: fields.wholes("freed_bytes"),
        copied_bytes: fields.wholes("copied_bytes"),
        peak_bytes: fields.wholes("peak_bytes"),
        requests_elsewhere: fields.wholes("requests_elsewhere"),
    };
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

fn read_resident(mut fields: Fields<'_, '_>) -> Resident {
    let resident = Resident {
        peak_bytes: fields.whole("peak_bytes"),
        since_first_call: fields.flag("since_first_call"),
        faults_minor: fields.wholes("faults_minor"),
        faults_major: fields.wholes("faults_major"),
    };
    fields.same_length(&[
        ("faults_minor", resident.faults_minor.len()),
        ("faults_major", resident.faults_major.len()),
    ]);
    resident
}
