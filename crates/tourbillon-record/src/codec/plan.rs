use super::result::read_metric;
use super::rounds::{read_against, read_turns, write_against, write_turns};
use super::{Fields, start};
use crate::json::{Kind, Writer};
use crate::{BatchShape, Plan};

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
    if let Some(cycles) = plan.contended_from {
        writer.whole("contended_from", cycles);
    }
}

#[inline(never)]
pub(super) fn read(fields: &mut Fields<'_, '_>, plan: &mut Plan) {
    fields.text("case", &mut plan.case);
    plan.launch = fields.whole_as("launch");
    plan.seed = fields.whole("seed");
    fields.text("clock", &mut plan.clock);
    plan.tick_hz = fields.whole("tick_hz");
    plan.budget_ns = fields.whole("budget_ns");
    plan.batch_ns = fields.whole("batch_ns");
    plan.min_iterations = fields.whole("min_iterations");
    plan.window_items = fields.whole("window_items");
    plan.window_bytes = fields.whole("window_bytes");
    if fields.enter_if_any("length") {
        plan.length = Some(read_length(fields));
        fields.leave();
    }
    read_against(fields, &mut plan.against);
    read_turns(fields, &mut plan.turns);
    plan.memory = fields.kind("memory") != Kind::Null && fields.flag("memory");
    if fields.kind("metric") != Kind::Null {
        plan.metric = Some(read_metric(fields));
    }
    if fields.kind("contended_from") != Kind::Null {
        plan.contended_from = Some(fields.whole("contended_from"));
    }
}

pub(super) const BLANK: Plan = Plan {
    case: String::new(),
    launch: 0,
    seed: 0,
    clock: String::new(),
    tick_hz: 0,
    budget_ns: 0,
    batch_ns: 0,
    min_iterations: 0,
    window_items: 0,
    window_bytes: 0,
    length: None,
    against: None,
    turns: None,
    memory: false,
    metric: None,
    contended_from: None,
};

pub(super) fn write_length(writer: &mut Writer, length: &BatchShape) {
    writer.open("length");
    writer.whole("windows", length.windows);
    writer.whole("items", length.items);
    writer.whole("unroll", length.unroll.into());
    writer.flag("slope", length.slope);
    writer.close();
}

#[inline(never)]
pub(super) fn read_length(fields: &mut Fields<'_, '_>) -> BatchShape {
    BatchShape {
        windows: fields.whole("windows"),
        items: fields.whole("items"),
        unroll: fields.whole_as("unroll"),
        slope: fields.flag("slope"),
    }
}
