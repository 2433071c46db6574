//! The parts of a visit that hold its readings in columns.

use super::Fields;
use super::result::{read_metric, read_own, write_metric};
use crate::json::Writer;
use crate::{Additions, Apart, Batches, Chain, Empty, FixedItem, Pauses, Pilot, Team, Warmup};
use crate::{Measured, Metric};

pub(super) fn write_pilot(writer: &mut Writer, pilot: &Pilot) {
    writer.open("pilot");
    writer.wholes("windows", &pilot.windows);
    writer.wholes("items", &pilot.items);
    writer.wholes("unroll", &pilot.unroll);
    writer.wholes("ticks", &pilot.ticks);
    writer.close();
}

pub(super) fn read_pilot(fields: &mut Fields<'_, '_>, pilot: &mut Pilot) {
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

pub(super) fn write_warmup(writer: &mut Writer, warmup: Warmup) {
    writer.open("warmup");
    writer.whole("batches", warmup.batches);
    writer.whole("ticks", warmup.ticks);
    writer.flag("settled", warmup.settled);
    writer.close();
}

pub(super) fn read_warmup(fields: &mut Fields<'_, '_>) -> Warmup {
    Warmup {
        batches: fields.whole("batches"),
        ticks: fields.whole("ticks"),
        settled: fields.flag("settled"),
    }
}

pub(super) fn write_batches(writer: &mut Writer, batches: &Batches) {
    writer.open("batches");
    writer.wholes("kind", &batches.kind);
    writer.wholes("ticks", &batches.ticks);
    writer.wholes("pauses", &batches.pauses);
    // As it was before cycles were counted, where they are not.
    if !batches.cycles.is_empty() {
        writer.wholes("cycles", &batches.cycles);
    }
    writer.close();
}

pub(super) fn read_batches(fields: &mut Fields<'_, '_>, batches: &mut Batches) {
    fields.wholes("kind", &mut batches.kind);
    fields.wholes("ticks", &mut batches.ticks);
    fields.wholes("pauses", &mut batches.pauses);
    fields.wholes_if_any("cycles", &mut batches.cycles);
    let length = ("kind", batches.kind.len());
    fields.same_length(&[length, ("ticks", batches.ticks.len())]);
    // Empty where there was nothing to count.
    if !batches.pauses.is_empty() {
        fields.same_length(&[length, ("pauses", batches.pauses.len())]);
    }
    if !batches.cycles.is_empty() {
        fields.same_length(&[length, ("cycles", batches.cycles.len())]);
    }
}

pub(super) fn write_chain(writer: &mut Writer, chain: Option<&Chain>) {
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

pub(super) fn read_chain(fields: &mut Fields<'_, '_>, chain: &mut Chain) {
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

pub(super) fn write_empty(writer: &mut Writer, empty: &Empty) {
    writer.open("empty");
    writer.whole("ops", empty.ops);
    writer.wholes("short_ticks", &empty.short_ticks);
    writer.wholes("long_ticks", &empty.long_ticks);
    writer.close();
}

pub(super) fn read_empty(fields: &mut Fields<'_, '_>, empty: &mut Empty) {
    empty.ops = fields.whole("ops");
    fields.wholes("short_ticks", &mut empty.short_ticks);
    fields.wholes("long_ticks", &mut empty.long_ticks);
}

pub(super) fn write_pauses(writer: &mut Writer, pauses: Option<&Pauses>) {
    let Some(pauses) = pauses else {
        return writer.null("pauses");
    };
    writer.open("pauses");
    writer.whole("pairs", pauses.pairs);
    writer.wholes("residual_ticks", &pauses.residual_ticks);
    writer.close();
}

pub(super) fn read_pauses(fields: &mut Fields<'_, '_>, pauses: &mut Pauses) {
    pauses.pairs = fields.whole("pairs");
    fields.wholes("residual_ticks", &mut pauses.residual_ticks);
}

pub(super) fn write_fixed_item(writer: &mut Writer, fixed_item: Option<&FixedItem>) {
    let Some(fixed_item) = fixed_item else {
        return writer.null("fixed_item");
    };
    writer.open("fixed_item");
    writer.wholes("short_ticks", &fixed_item.short_ticks);
    writer.wholes("long_ticks", &fixed_item.long_ticks);
    writer.close();
}

pub(super) fn read_fixed_item(fields: &mut Fields<'_, '_>, fixed_item: &mut FixedItem) {
    fields.wholes("short_ticks", &mut fixed_item.short_ticks);
    fields.wholes("long_ticks", &mut fixed_item.long_ticks);
}

pub(super) fn write_apart(writer: &mut Writer, apart: &Apart) {
    writer.open("apart");
    writer.whole("ops", apart.ops);
    writer.wholes("short_ticks", &apart.short_ticks);
    writer.wholes("long_ticks", &apart.long_ticks);
    writer.wholes("free_short_ticks", &apart.free_short_ticks);
    writer.wholes("free_long_ticks", &apart.free_long_ticks);
    writer.wholes("empty_short_ticks", &apart.empty_short_ticks);
    writer.wholes("empty_long_ticks", &apart.empty_long_ticks);
    writer.close();
}

pub(super) fn read_apart(fields: &mut Fields<'_, '_>, apart: &mut Apart) {
    apart.ops = fields.whole("ops");
    fields.wholes("short_ticks", &mut apart.short_ticks);
    fields.wholes("long_ticks", &mut apart.long_ticks);
    fields.wholes("free_short_ticks", &mut apart.free_short_ticks);
    fields.wholes("free_long_ticks", &mut apart.free_long_ticks);
    fields.wholes("empty_short_ticks", &mut apart.empty_short_ticks);
    fields.wholes("empty_long_ticks", &mut apart.empty_long_ticks);
}

pub(super) fn write_measured(writer: &mut Writer, measured: &Measured) {
    writer.open("measured");
    write_metric(writer, measured.metric, measured.own.as_ref());
    writer.whole_or_null("step_ns", measured.step_ns);
    writer.number("first_call", measured.first_call);
    writer.numbers("amounts", &measured.amounts);
    writer.close();
}

pub(super) fn read_measured(fields: &mut Fields<'_, '_>, measured: &mut Measured) {
    measured.metric = read_metric(fields);
    measured.own = read_own(fields, measured.metric);
    measured.step_ns = fields.whole_or_none("step_ns");
    measured.first_call = fields.number("first_call");
    fields.numbers("amounts", &mut measured.amounts);
}

pub(super) fn write_team(writer: &mut Writer, team: &Team) {
    writer.open("team");
    writer.whole("threads", team.threads);
    writer.whole_or_null("processors", team.processors);
    writer.wholes("fastest_ticks", &team.fastest_ticks);
    writer.wholes("slowest_ticks", &team.slowest_ticks);
    writer.wholes("apart_ticks", &team.apart_ticks);
    writer.close();
}

pub(super) fn read_team(fields: &mut Fields<'_, '_>, team: &mut Team) {
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

pub(super) const NO_CHAIN: Chain = Chain {
    of: String::new(),
    short_cycles: 0,
    long_cycles: 0,
    at: Vec::new(),
    short_ticks: Vec::new(),
    long_ticks: Vec::new(),
    additions: None,
};

pub(super) const NO_PAUSES: Pauses = Pauses {
    pairs: 0,
    residual_ticks: Vec::new(),
};

pub(super) const NO_FIXED_ITEM: FixedItem = FixedItem {
    short_ticks: Vec::new(),
    long_ticks: Vec::new(),
};

pub(super) const NO_APART: Apart = Apart {
    ops: 0,
    short_ticks: Vec::new(),
    long_ticks: Vec::new(),
    free_short_ticks: Vec::new(),
    free_long_ticks: Vec::new(),
    empty_short_ticks: Vec::new(),
    empty_long_ticks: Vec::new(),
};

pub(super) const NO_MEASURED: Measured = Measured {
    metric: Metric::Time,
    own: None,
    step_ns: None,
    first_call: 0.0,
    amounts: Vec::new(),
};

pub(super) const NO_TEAM: Team = Team {
    threads: 0,
    processors: None,
    fastest_ticks: Vec::new(),
    slowest_ticks: Vec::new(),
    apart_ticks: Vec::new(),
};
