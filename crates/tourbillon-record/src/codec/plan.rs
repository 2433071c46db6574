use super::result::read_metric;
use super::rounds::{read_against, read_turns, write_against, write_turns};
use super::{Fields, start};
use crate::json::{Kind, Writer};
use crate::{Length, Plan};

#[inline(never)]
pub(super) fn write(writer: &mut Writer, plan: &Plan) {
    start(writer, "plan");
    writer.text("case", &plan.case);
    writer.whole("launch", plan.launch.into());
    writer.whole("seed", plan.seed);
    writer.text("clock", &plan.clock);
    writer.whole("tick_hz", plan.tick_hz);
    writer.whole("budget_ns", plan.budget_ns);
    writer.whole("batch_ns", plan.batch_ns);
    writer.whole("min_iterations", plan.min_iterations);
    writer.whole("window_items", plan.window_items);
    writer.whole("window_bytes", plan.window_bytes);
    match &plan.length {
        Some(length) => write_length(writer, length),
        None => writer.null("length"),
    }
    write_against(writer, plan.against.as_ref());
    write_turns(writer, plan.turns.as_deref());
    // As it was before there were such visits, where it asks for none.
    if plan.memory {
        writer.flag("memory", true);
    }
    if let Some(metric) = plan.metric {
        writer.text("metric", metric.name());
    }
}

#[inline(never)]
pub(super) fn read(fields: &mut Fields<'_, '_>) -> Plan {
    Plan {
        case: fields.text("case"),
        launch: fields.whole_as("launch"),
        seed: fields.whole("seed"),
        clock: fields.text("clock"),
        tick_hz: fields.whole("tick_hz"),
        budget_ns: fields.whole("budget_ns"),
        batch_ns: fields.whole("batch_ns"),
        min_iterations: fields.whole("min_iterations"),
        window_items: fields.whole("window_items"),
        window_bytes: fields.whole("window_bytes"),
        length: fields.object_or_none("length").map(read_length),
        against: fields.object_or_none("against").map(read_against),
        turns: fields.object_or_none("turns").map(read_turns).map(Box::new),
        memory: fields.kind("memory") != Kind::Null && fields.flag("memory"),
        metric: match fields.kind("metric") {
            Kind::Null => None,
            _ => Some(read_metric(fields)),
        },
    }
}

pub(super) fn write_length(writer: &mut Writer, length: &Length) {
    writer.open("length");
    writer.whole("windows", length.windows);
    writer.whole("items", length.items);
    writer.whole("unroll", length.unroll.into());
    writer.flag("slope", length.slope);
    writer.close();
}

pub(super) fn read_length(mut fields: Fields<'_, '_>) -> Length {
    Length {
        windows: fields.whole("windows"),
        items: fields.whole("items"),
        unroll: fields.whole_as("unroll"),
        slope: fields.flag("slope"),
    }
}
