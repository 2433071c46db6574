use super::{Fields, start};
use crate::json::Writer;
use crate::{Against, Rounds, Turns};

#[inline(never)]
pub(super) fn write(writer: &mut Writer, rounds: &Rounds) {
    start(writer, "rounds");
    writer.texts("cases", &rounds.cases);
    writer.whole("launch", rounds.launch.into());
    writer.whole_or_null("layout", rounds.layout);
    writer.whole("seed", rounds.seed);
    writer.wholes("pids", &rounds.pids);
    writer.whole("started_unix_ns", rounds.started_unix_ns);
    writer.wholes("ops", &rounds.ops);
    writer.wholes("first_call_ticks", &rounds.first_call_ticks);
    writer.wholes("fixed_ticks", &rounds.fixed_ticks);
    writer.whole("lead_in", rounds.lead_in);
    writer.wholes("round", &rounds.round);
    writer.wholes("arm", &rounds.arm);
    writer.wholes("ticks", &rounds.ticks);
    writer.whole("visit_ticks", rounds.visit_ticks);
}

pub(super) const BLANK: Rounds = Rounds {
    cases: Vec::new(),
    launch: 0,
    layout: None,
    seed: 0,
    pids: Vec::new(),
    started_unix_ns: 0,
    ops: Vec::new(),
    first_call_ticks: Vec::new(),
    fixed_ticks: Vec::new(),
    lead_in: Rounds::LEAST_LEAD_IN,
    round: Vec::new(),
    arm: Vec::new(),
    ticks: Vec::new(),
    visit_ticks: 0,
    unknown: String::new(),
};

#[inline(never)]
pub(super) fn read(fields: &mut Fields<'_, '_>, rounds: &mut Rounds) {
    fields.texts("cases", &mut rounds.cases);
    rounds.launch = fields.whole_as("launch");
    rounds.layout = fields.whole_or_none("layout");
    rounds.seed = fields.whole("seed");
    fields.wholes("pids", &mut rounds.pids);
    rounds.started_unix_ns = fields.whole("started_unix_ns");
    fields.wholes("ops", &mut rounds.ops);
    fields.wholes("first_call_ticks", &mut rounds.first_call_ticks);
    fields.wholes("fixed_ticks", &mut rounds.fixed_ticks);
    rounds.lead_in = read_lead_in(fields);
    fields.wholes("round", &mut rounds.round);
    fields.wholes("arm", &mut rounds.arm);
    fields.wholes("ticks", &mut rounds.ticks);
    rounds.visit_ticks = fields.whole("visit_ticks");
    fields.rest(&mut rounds.unknown);
    fields.same_length(&[
        ("cases", rounds.cases.len()),
        ("pids", rounds.pids.len()),
        ("ops", rounds.ops.len()),
        ("first_call_ticks", rounds.first_call_ticks.len()),
        ("fixed_ticks", rounds.fixed_ticks.len()),
    ]);
    fields.same_length(&[
        ("round", rounds.round.len()),
        ("arm", rounds.arm.len()),
        ("ticks", rounds.ticks.len()),
    ]);
}

fn read_lead_in(fields: &mut Fields<'_, '_>) -> u64 {
    let lead_in = fields.whole_or_none("lead_in");
    lead_in.unwrap_or(Rounds::LEAST_LEAD_IN)
}

pub(super) fn write_against(writer: &mut Writer, against: Option<&Against>) {
    let Some(against) = against else {
        return writer.null("against");
    };
    writer.open("against");
    writer.texts("cases", &against.cases);
    writer.number("margin", against.margin);
    writer.number("error", against.error);
    writer.whole("lead_in", against.lead_in);
    writer.close();
}

pub(super) fn read_against(fields: &mut Fields<'_, '_>, place: &mut Option<Against>) {
    if fields.enter_if_any("against") {
        *place = Some(Against {
            cases: Vec::new(),
            margin: 0.0,
            error: 0.0,
            lead_in: Rounds::LEAST_LEAD_IN,
        });
    }
    if let Some(against) = place {
        fields.texts("cases", &mut against.cases);
        against.margin = fields.number("margin");
        against.error = fields.number("error");
        against.lead_in = read_lead_in(fields);
        fields.leave();
    }
}

pub(super) fn write_turns(writer: &mut Writer, turns: Option<&Turns>) {
    let Some(turns) = turns else {
        return writer.null("turns");
    };
    writer.open("turns");
    writer.whole("side", turns.side.into());
    writer.text("input", &turns.input);
    writer.text("output", &turns.output);
    writer.close();
}

pub(super) fn read_turns(fields: &mut Fields<'_, '_>, place: &mut Option<Box<Turns>>) {
    if fields.enter_if_any("turns") {
        *place = Some(Box::new(Turns {
            side: 0,
            input: String::new(),
            output: String::new(),
        }));
    }
    if let Some(turns) = place {
        turns.side = fields.whole_as("side");
        fields.text("input", &mut turns.input);
        fields.text("output", &mut turns.output);
        fields.leave();
    }
}
