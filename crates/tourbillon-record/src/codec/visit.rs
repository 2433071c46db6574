use super::plan::{read_length, write_length};
#[cfg(feature = "amounts")]
use super::result::{read_metric, read_own, write_metric};
use super::{Fields, start};
#[cfg(feature = "amounts")]
use crate::Measured;
use crate::json::Writer;
use crate::{
    Additions, Batches, Chain, Empty, FixedItem, Pauses, Pilot, SystemCounts, Team, Throughput,
    ThroughputUnit, Visit, Warmup,
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
pub(super) fn read(fields: &mut Fields<'_, '_>) -> Visit {
    let visit = Visit {
        case: fields.text("case"),
        launch: fields.whole_as("launch"),
        scout: fields.flag("scout"),
        seed: fields.whole("seed"),
        pid: fields.whole_as("pid"),
        started_unix_ns: fields.whole("started_unix_ns"),
        terminal: fields.text("terminal"),
        drop_inside: fields.flag("drop_inside"),
        ops_per_iteration: fields.whole("ops_per_iteration"),
        throughput: fields.object_or_none("throughput").map(read_throughput),
        setup_ticks: fields.whole("setup_ticks"),
        first_call_ticks: fields.whole("first_call_ticks"),
        pilot: read_pilot(fields.object("pilot")),
        warmup: read_warmup(fields.object("warmup")),
        length: read_length(fields.object("length")),
        batches: read_batches(fields.object("batches")),
        chain: fields.object_or_none("chain").map(read_chain),
        empty: read_empty(fields.object("empty")),
        pauses: fields.object_or_none("pauses").map(read_pauses),
        fixed_item: fields.object_or_none("fixed_item").map(read_fixed_item),
        #[cfg(feature = "amounts")]
        measured: fields.object_or_none("measured").map(read_measured),
        team: fields.object_or_none("team").map(read_team),
        visit_ticks: fields.whole("visit_ticks"),
        threads: fields.whole_or_none("threads"),
        counted: SystemCounts {
            page_faults: fields.whole_or_none("page_faults"),
            written_bytes: fields.whole_or_none("written_bytes"),
            waited_ns: fields.whole_or_none("waited_ns"),
        },
        unknown: fields.rest(),
    };
    #[cfg(feature = "amounts")]
    if let Some(measured) = &visit.measured {
        let batches = ("ticks", visit.batches.ticks.len());
        fields.same_length(&[batches, ("amounts", measured.amounts.len())]);
    }
    visit
}

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

fn read_throughput(mut fields: Fields<'_, '_>) -> Throughput {
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

fn read_pilot(mut fields: Fields<'_, '_>) -> Pilot {
    let pilot = Pilot {
        windows: fields.wholes("windows"),
        items: fields.wholes("items"),
        unroll: fields.wholes("unroll"),
        ticks: fields.wholes("ticks"),
    };
    fields.same_length(&[
        ("windows", pilot.windows.len()),
        ("items", pilot.items.len()),
        ("unroll", pilot.unroll.len()),
        ("ticks", pilot.ticks.len()),
    ]);
    pilot
}

fn write_warmup(writer: &mut Writer, warmup: Warmup) {
    writer.open("warmup");
    writer.whole("batches", warmup.batches);
    writer.whole("ticks", warmup.ticks);
    writer.flag("settled", warmup.settled);
    writer.close();
}

fn read_warmup(mut fields: Fields<'_, '_>) -> Warmup {
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

fn read_batches(mut fields: Fields<'_, '_>) -> Batches {
    let batches = Batches {
        kind: fields.wholes("kind"),
        ticks: fields.wholes("ticks"),
        pauses: fields.wholes("pauses"),
        labels: fields.wholes("labels"),
    };
    let length = ("kind", batches.kind.len());
    fields.same_length(&[length, ("ticks", batches.ticks.len())]);
    // Empty where there was nothing to count or to see.
    if !batches.pauses.is_empty() {
        fields.same_length(&[length, ("pauses", batches.pauses.len())]);
    }
    if !batches.labels.is_empty() {
        fields.same_length(&[length, ("labels", batches.labels.len())]);
    }
    batches
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

fn read_chain(mut fields: Fields<'_, '_>) -> Chain {
    let chain = Chain {
        of: fields.text("of"),
        short_cycles: fields.whole("short_cycles"),
        long_cycles: fields.whole("long_cycles"),
        at: fields.wholes("at"),
        short_ticks: fields.wholes("short_ticks"),
        long_ticks: fields.wholes("long_ticks"),
        additions: fields.object_or_none("additions").map(read_additions),
    };
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
    chain
}

fn read_additions(mut fields: Fields<'_, '_>) -> Box<Additions> {
    Box::new(Additions {
        short_ticks: fields.wholes("short_ticks"),
        long_ticks: fields.wholes("long_ticks"),
    })
}

fn write_empty(writer: &mut Writer, empty: &Empty) {
    writer.open("empty");
    writer.whole("ops", empty.ops);
    writer.wholes("short_ticks", &empty.short_ticks);
    writer.wholes("long_ticks", &empty.long_ticks);
    writer.close();
}

fn read_empty(mut fields: Fields<'_, '_>) -> Empty {
    Empty {
        ops: fields.whole("ops"),
        short_ticks: fields.wholes("short_ticks"),
        long_ticks: fields.wholes("long_ticks"),
    }
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

fn read_pauses(mut fields: Fields<'_, '_>) -> Pauses {
    Pauses {
        pairs: fields.whole("pairs"),
        residual_ticks: fields.wholes("residual_ticks"),
    }
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

fn read_fixed_item(mut fields: Fields<'_, '_>) -> FixedItem {
    FixedItem {
        short_ticks: fields.wholes("short_ticks"),
        long_ticks: fields.wholes("long_ticks"),
    }
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
fn read_measured(mut fields: Fields<'_, '_>) -> Box<Measured> {
    let metric = read_metric(&mut fields);
    Box::new(Measured {
        metric,
        own: read_own(&mut fields, metric),
        step_ns: fields.whole_or_none("step_ns"),
        first_call: fields.number("first_call"),
        amounts: fields.numbers("amounts"),
    })
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

fn read_team(mut fields: Fields<'_, '_>) -> Team {
    let team = Team {
        threads: fields.whole("threads"),
        processors: fields.whole_or_none("processors"),
        fastest_ticks: fields.wholes("fastest_ticks"),
        slowest_ticks: fields.wholes("slowest_ticks"),
        apart_ticks: fields.wholes("apart_ticks"),
    };
    fields.same_length(&[
        ("fastest_ticks", team.fastest_ticks.len()),
        ("slowest_ticks", team.slowest_ticks.len()),
        ("apart_ticks", team.apart_ticks.len()),
    ]);
    team
}
