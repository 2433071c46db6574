use super::plan::{read_length, write_length};
#[cfg(feature = "amounts")]
use super::result::{read_metric, read_own, write_metric};
use super::{Fields, start};
use crate::json::Writer;
use crate::{
    Additions, Batches, Chain, Empty, FixedItem, Length, Pauses, Pilot, SystemCounts, Team,
    Throughput, ThroughputUnit, Visit, Warmup,
};
#[cfg(feature = "amounts")]
use crate::{Measured, Metric};

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
    // As it was before anything else was measured, where nothing is.
    #[cfg(feature = "amounts")]
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
    #[cfg(feature = "amounts")]
    if fields.enter_if_any("measured") {
        visit.measured = Some(Box::new(NO_MEASURED));
    }
    #[cfg(feature = "amounts")]
    if let Some(measured) = &mut visit.measured {
        read_measured(fields, measured);
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
    fields.rest(&mut visit.unknown);
    #[cfg(feature = "amounts")]
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
    length: Length {
        windows: 0,
        items: 0,
        unroll: 0,
        slope: false,
    },
    batches: Batches {
        kind: Vec::new(),
        ticks: Vec::new(),
        pauses: Vec::new(),
        labels: Vec::new(),
    },
    chain: None,
    empty: Empty {
        ops: 0,
        short_ticks: Vec::new(),
        long_ticks: Vec::new(),
    },
    pauses: None,
    fixed_item: None,
    #[cfg(feature = "amounts")]
    measured: None,
    team: None,
    visit_ticks: 0,
    threads: None,
    counted: SystemCounts {
        page_faults: None,
        written_bytes: None,
        waited_ns: None,
    },
    unknown: String::new(),
};

const NO_CHAIN: Chain = Chain {
    of: String::new(),
    short_cycles: 0,
    long_cycles: 0,
    at: Vec::new(),
    short_ticks: Vec::new(),
    long_ticks: Vec::new(),
    additions: None,
};

const NO_PAUSES: Pauses = Pauses {
    pairs: 0,
    residual_ticks: Vec::new(),
};

const NO_FIXED_ITEM: FixedItem = FixedItem {
    short_ticks: Vec::new(),
    long_ticks: Vec::new(),
};

#[cfg(feature = "amounts")]
const NO_MEASURED: Measured = Measured {
    metric: Metric::Time,
    own: None,
    step_ns: None,
    first_call: 0.0,
    amounts: Vec::new(),
};

const NO_TEAM: Team = Team {
    threads: 0,
    processors: None,
    fastest_ticks: Vec::new(),
    slowest_ticks: Vec::new(),
    apart_ticks: Vec::new(),
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

fn write_pilot(writer: &mut Writer, pilot: &Pilot) {
    writer.open("pilot");
    writer.wholes("windows", &pilot.windows);
    writer.wholes("items", &pilot.items);
    writer.wholes("unroll", &pilot.unroll);
    writer.wholes("ticks", &pilot.ticks);
    writer.close();
}

fn read_pilot(fields: &mut Fields<'_, '_>, pilot: &mut Pilot) {
    fields.wholes("windows", &mut pilot.windows);
    fields.wholes("items", &mut pilot.items);
    fields.wholes("unroll", &mut pilot.unroll);
    fields.wholes("ticks", &mut pilot.ticks);
    fields.same_length(&[
        ("windows", pilot.windows.len()),
        ("items", pilot.items.len()),
        ("unroll", pilot.unroll.len()),
        ("ticks", pilot.ticks.len()),
    ]);
}

fn write_warmup(writer: &mut Writer, warmup: Warmup) {
    writer.open("warmup");
    writer.whole("batches", warmup.batches);
    writer.whole("ticks", warmup.ticks);
    writer.flag("settled", warmup.settled);
    writer.close();
}

fn read_warmup(fields: &mut Fields<'_, '_>) -> Warmup {
    Warmup {
        batches: fields.whole("batches"),
        ticks: fields.whole("ticks"),
        settled: fields.flag("settled"),
    }
}

fn write_batches(writer: &mut Writer, batches: &Batches) {
    writer.open("batches");
    writer.wholes("kind", &batches.kind);
    writer.wholes("ticks", &batches.ticks);
    writer.wholes("pauses", &batches.pauses);
    writer.wholes("labels", &batches.labels);
    writer.close();
}

fn read_batches(fields: &mut Fields<'_, '_>, batches: &mut Batches) {
    fields.wholes("kind", &mut batches.kind);
    fields.wholes("ticks", &mut batches.ticks);
    fields.wholes("pauses", &mut batches.pauses);
    fields.wholes("labels", &mut batches.labels);
    let length = ("kind", batches.kind.len());
    fields.same_length(&[length, ("ticks", batches.ticks.len())]);
    // Empty where there was nothing to count or to see.
    if !batches.pauses.is_empty() {
        fields.same_length(&[length, ("pauses", batches.pauses.len())]);
    }
    if !batches.labels.is_empty() {
        fields.same_length(&[length, ("labels", batches.labels.len())]);
    }
}

fn write_chain(writer: &mut Writer, chain: Option<&Chain>) {
    let Some(chain) = chain else {
        return writer.null("chain");
    };
    writer.open("chain");
    writer.text("of", &chain.of);
    writer.whole("short_cycles", chain.short_cycles);
    writer.whole("long_cycles", chain.long_cycles);
    writer.wholes("at", &chain.at);
    writer.wholes("short_ticks", &chain.short_ticks);
    writer.wholes("long_ticks", &chain.long_ticks);
    match &chain.additions {
        Some(additions) => {
            writer.open("additions");
            writer.wholes("short_ticks", &additions.short_ticks);
            writer.wholes("long_ticks", &additions.long_ticks);
            writer.close();
        }
        None => writer.null("additions"),
    }
    writer.close();
}

fn read_chain(fields: &mut Fields<'_, '_>, chain: &mut Chain) {
    fields.text("of", &mut chain.of);
    chain.short_cycles = fields.whole("short_cycles");
    chain.long_cycles = fields.whole("long_cycles");
    fields.wholes("at", &mut chain.at);
    fields.wholes("short_ticks", &mut chain.short_ticks);
    fields.wholes("long_ticks", &mut chain.long_ticks);
    if fields.enter_if_any("additions") {
        chain.additions = Some(Box::default());
    }
    if let Some(additions) = &mut chain.additions {
        read_additions(fields, additions);
        fields.leave();
    }
    let length = ("at", chain.at.len());
    fields.same_length(&[
        length,
        ("short_ticks", chain.short_ticks.len()),
        ("long_ticks", chain.long_ticks.len()),
    ]);
    if let Some(additions) = &chain.additions {
        fields.same_length(&[
            length,
            ("additions.short_ticks", additions.short_ticks.len()),
            ("additions.long_ticks", additions.long_ticks.len()),
        ]);
    }
}

fn read_additions(fields: &mut Fields<'_, '_>, additions: &mut Additions) {
    fields.wholes("short_ticks", &mut additions.short_ticks);
    fields.wholes("long_ticks", &mut additions.long_ticks);
}

fn write_empty(writer: &mut Writer, empty: &Empty) {
    writer.open("empty");
    writer.whole("ops", empty.ops);
    writer.wholes("short_ticks", &empty.short_ticks);
    writer.wholes("long_ticks", &empty.long_ticks);
    writer.close();
}

fn read_empty(fields: &mut Fields<'_, '_>, empty: &mut Empty) {
    empty.ops = fields.whole("ops");
    fields.wholes("short_ticks", &mut empty.short_ticks);
    fields.wholes("long_ticks", &mut empty.long_ticks);
}

fn write_pauses(writer: &mut Writer, pauses: Option<&Pauses>) {
    let Some(pauses) = pauses else {
        return writer.null("pauses");
    };
    writer.open("pauses");
    writer.whole("pairs", pauses.pairs);
    writer.wholes("residual_ticks", &pauses.residual_ticks);
    writer.close();
}

fn read_pauses(fields: &mut Fields<'_, '_>, pauses: &mut Pauses) {
    pauses.pairs = fields.whole("pairs");
    fields.wholes("residual_ticks", &mut pauses.residual_ticks);
}

fn write_fixed_item(writer: &mut Writer, fixed_item: Option<&FixedItem>) {
    let Some(fixed_item) = fixed_item else {
        return writer.null("fixed_item");
    };
    writer.open("fixed_item");
    writer.wholes("short_ticks", &fixed_item.short_ticks);
    writer.wholes("long_ticks", &fixed_item.long_ticks);
    writer.close();
}

fn read_fixed_item(fields: &mut Fields<'_, '_>, fixed_item: &mut FixedItem) {
    fields.wholes("short_ticks", &mut fixed_item.short_ticks);
    fields.wholes("long_ticks", &mut fixed_item.long_ticks);
}

#[cfg(feature = "amounts")]
fn write_measured(writer: &mut Writer, measured: &Measured) {
    writer.open("measured");
    write_metric(writer, measured.metric, measured.own.as_ref());
    writer.whole_or_null("step_ns", measured.step_ns);
    writer.number("first_call", measured.first_call);
    writer.numbers("amounts", &measured.amounts);
    writer.close();
}

#[cfg(feature = "amounts")]
fn read_measured(fields: &mut Fields<'_, '_>, measured: &mut Measured) {
    measured.metric = read_metric(fields);
    measured.own = read_own(fields, measured.metric);
    measured.step_ns = fields.whole_or_none("step_ns");
    measured.first_call = fields.number("first_call");
    fields.numbers("amounts", &mut measured.amounts);
}

fn write_team(writer: &mut Writer, team: &Team) {
    writer.open("team");
    writer.whole("threads", team.threads);
    writer.whole_or_null("processors", team.processors);
    writer.wholes("fastest_ticks", &team.fastest_ticks);
    writer.wholes("slowest_ticks", &team.slowest_ticks);
    writer.wholes("apart_ticks", &team.apart_ticks);
    writer.close();
}

fn read_team(fields: &mut Fields<'_, '_>, team: &mut Team) {
    team.threads = fields.whole("threads");
    team.processors = fields.whole_or_none("processors");
    fields.wholes("fastest_ticks", &mut team.fastest_ticks);
    fields.wholes("slowest_ticks", &mut team.slowest_ticks);
    fields.wholes("apart_ticks", &mut team.apart_ticks);
    fields.same_length(&[
        ("fastest_ticks", team.fastest_ticks.len()),
        ("slowest_ticks", team.slowest_ticks.len()),
        ("apart_ticks", team.apart_ticks.len()),
    ]);
}
