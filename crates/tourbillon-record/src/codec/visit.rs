use super::columns::{
    NO_APART, NO_CHAIN, NO_FIXED_ITEM, NO_PAUSES, NO_TEAM, read_apart, read_batches, read_chain,
    read_empty, read_fixed_item, read_pauses, read_pilot, read_team, read_warmup, write_apart,
    write_batches, write_chain, write_empty, write_fixed_item, write_pauses, write_pilot,
    write_team, write_warmup,
};
use super::columns::{NO_MEASURED, read_measured, write_measured};
use super::plan::{read_length, write_length};
use super::{Fields, start};
use crate::json::Writer;
use crate::{
    BatchShape, Batches, Empty, Pilot, SystemCounts, Throughput, ThroughputUnit, Visit, Warmup,
};

#[inline(never)]
pub(super) fn write(writer: &mut Writer, visit: &Visit) {
    start(writer, "visit");
    writer.text("case", &visit.case);
    writer.whole("launch", visit.launch.into());
    writer.flag("scout", visit.scout);
    writer.whole("seed", visit.seed);
    writer.whole("pid", visit.pid.into());
    writer.whole("started_unix_ns", visit.started_unix_ns);
    writer.text("terminal", &visit.terminal);
    writer.flag("drop_inside", visit.drop_inside);
    writer.whole("ops_per_iteration", visit.ops_per_iteration);
    write_throughput(writer, visit.throughput);
    writer.whole("setup_ticks", visit.setup_ticks);
    writer.whole("first_call_ticks", visit.first_call_ticks);
    write_pilot(writer, &visit.pilot);
    write_warmup(writer, visit.warmup);
    write_length(writer, &visit.length);
    write_batches(writer, &visit.batches);
    write_chain(writer, visit.chain.as_ref());
    write_empty(writer, &visit.empty);
    write_pauses(writer, visit.pauses.as_ref());
    write_fixed_item(writer, visit.fixed_item.as_ref());
    // As it was before these were read, where they are not.
    if let Some(apart) = &visit.apart {
        write_apart(writer, apart);
    }
    // As it was before anything else was measured, where nothing is.
    if let Some(measured) = &visit.measured {
        write_measured(writer, measured);
    }
    if let Some(team) = &visit.team {
        write_team(writer, team);
    }
    writer.whole("visit_ticks", visit.visit_ticks);
    writer.whole_or_null("threads", visit.threads.map(u64::from));
    writer.whole_or_null("page_faults", visit.counted.page_faults);
    writer.whole_or_null("written_bytes", visit.counted.written_bytes);
    writer.whole_or_null("waited_ns", visit.counted.waited_ns);
    if let Some(touched_bytes) = visit.touched_bytes {
        writer.whole("touched_bytes", touched_bytes);
    }
}

#[inline(never)]
pub(super) fn read(fields: &mut Fields<'_, '_>, visit: &mut Visit) {
    fields.text("case", &mut visit.case);
    visit.launch = fields.whole_as("launch");
    visit.scout = fields.flag("scout");
    visit.seed = fields.whole("seed");
    visit.pid = fields.whole_as("pid");
    visit.started_unix_ns = fields.whole("started_unix_ns");
    fields.text("terminal", &mut visit.terminal);
    visit.drop_inside = fields.flag("drop_inside");
    visit.ops_per_iteration = fields.whole("ops_per_iteration");
    if fields.enter_if_any("throughput") {
        visit.throughput = Some(read_throughput(fields));
        fields.leave();
    }
    visit.setup_ticks = fields.whole("setup_ticks");
    visit.first_call_ticks = fields.whole("first_call_ticks");
    if fields.enter("pilot") {
        read_pilot(fields, &mut visit.pilot);
        fields.leave();
    }
    if fields.enter("warmup") {
        visit.warmup = read_warmup(fields);
        fields.leave();
    }
    if fields.enter("length") {
        visit.length = read_length(fields);
        fields.leave();
    }
    if fields.enter("batches") {
        read_batches(fields, &mut visit.batches);
        fields.leave();
    }
    if fields.enter_if_any("chain") {
        visit.chain = Some(NO_CHAIN);
    }
    if let Some(chain) = &mut visit.chain {
        read_chain(fields, chain);
        fields.leave();
    }
    if fields.enter("empty") {
        read_empty(fields, &mut visit.empty);
        fields.leave();
    }
    if fields.enter_if_any("pauses") {
        visit.pauses = Some(NO_PAUSES);
    }
    if let Some(pauses) = &mut visit.pauses {
        read_pauses(fields, pauses);
        fields.leave();
    }
    if fields.enter_if_any("fixed_item") {
        visit.fixed_item = Some(NO_FIXED_ITEM);
    }
    if let Some(fixed_item) = &mut visit.fixed_item {
        read_fixed_item(fields, fixed_item);
        fields.leave();
    }
    if fields.enter_if_any("apart") {
        visit.apart = Some(NO_APART);
    }
    if let Some(apart) = &mut visit.apart {
        read_apart(fields, apart);
        fields.leave();
    }
    if fields.enter_if_any("measured") {
        let mut measured = NO_MEASURED;
        read_measured(fields, &mut measured);
        visit.measured = Some(Box::new(measured));
        fields.leave();
    }
    if fields.enter_if_any("team") {
        visit.team = Some(NO_TEAM);
    }
    if let Some(team) = &mut visit.team {
        read_team(fields, team);
        fields.leave();
    }
    visit.visit_ticks = fields.whole("visit_ticks");
    visit.threads = fields.whole_or_none("threads");
    visit.counted = SystemCounts {
        page_faults: fields.whole_or_none("page_faults"),
        written_bytes: fields.whole_or_none("written_bytes"),
        waited_ns: fields.whole_or_none("waited_ns"),
    };
    visit.touched_bytes = fields.whole_or_none("touched_bytes");
    fields.rest(&mut visit.unknown);
    if let Some(measured) = &visit.measured {
        let batches = ("ticks", visit.batches.ticks.len());
        fields.same_length(&[batches, ("amounts", measured.amounts.len())]);
    }
}

pub(super) const BLANK: Visit = Visit {
    case: String::new(),
    launch: 0,
    scout: false,
    seed: 0,
    pid: 0,
    started_unix_ns: 0,
    terminal: String::new(),
    drop_inside: false,
    ops_per_iteration: 0,
    throughput: None,
    setup_ticks: 0,
    first_call_ticks: 0,
    pilot: Pilot {
        windows: Vec::new(),
        items: Vec::new(),
        unroll: Vec::new(),
        ticks: Vec::new(),
    },
    warmup: Warmup {
        batches: 0,
        ticks: 0,
        settled: false,
    },
    length: BatchShape {
        windows: 0,
        items: 0,
        unroll: 0,
        slope: false,
    },
    batches: Batches {
        kind: Vec::new(),
        ticks: Vec::new(),
        pauses: Vec::new(),
        cycles: Vec::new(),
    },
    chain: None,
    empty: Empty {
        ops: 0,
        short_ticks: Vec::new(),
        long_ticks: Vec::new(),
    },
    pauses: None,
    fixed_item: None,
    apart: None,
    measured: None,
    team: None,
    visit_ticks: 0,
    threads: None,
    counted: SystemCounts {
        page_faults: None,
        written_bytes: None,
        waited_ns: None,
    },
    touched_bytes: None,
    unknown: String::new(),
};

fn write_throughput(writer: &mut Writer, throughput: Option<Throughput>) {
    match throughput {
        Some(throughput) => {
            writer.open("throughput");
            writer.text("unit", throughput.unit.name());
            writer.whole("per_op", throughput.per_op);
            writer.close();
        }
        None => writer.null("throughput"),
    }
}

fn read_throughput(fields: &mut Fields<'_, '_>) -> Throughput {
    let words = [ThroughputUnit::Bytes.name(), ThroughputUnit::Items.name()];
    Throughput {
        unit: match fields.one_of("unit", &words, "`bytes` or `items`") {
            0 => ThroughputUnit::Bytes,
            _ => ThroughputUnit::Items,
        },
        per_op: fields.whole("per_op"),
    }
}
