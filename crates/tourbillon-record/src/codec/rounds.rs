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
    writer.wholes("labels", &rounds.labels);
    writer.whole("visit_ticks", rounds.visit_ticks);
}

#[inline(never)]
pub(super) fn read(fields: &mut Fields<'_, '_>) -> Rounds {
    let rounds = Rounds {
        cases: fields.texts("cases"),
        launch: fields.whole_as("launch"),
        layout: fields.whole_or_none("layout"),
        seed: fields.whole("seed"),
        pids: fields.wholes("pids"),
        started_unix_ns: fields.whole("started_unix_ns"),
        ops: fields.wholes("ops"),
        first_call_ticks: fields.wholes("first_call_ticks"),
        fixed_ticks: fields.wholes("fixed_ticks"),
        lead_in: fields
            .whole_or_none("lead_in")
            .unwrap_or(Rounds::LEAST_LEAD_IN),
        round: fields.wholes("round"),
        arm: fields.wholes("arm"),
        ticks: fields.wholes("ticks"),
        labels: fields.wholes("labels"),
        visit_ticks: fields.whole("visit_ticks"),
        unknown: fields.rest(),
    };
    fields.same_length(&[
        ("cases", rounds.cases.len()),
        ("pids", rounds.pids.len()),
        ("ops", rounds.ops.len()),
        ("first_call_ticks", rounds.first_call_ticks.len()),
        ("fixed_ticks", rounds.fixed_ticks.len()),
    ]);
    let length = ("round", rounds.round.len());
    fields.same_length(&[
        length,
        ("arm", rounds.arm.len()),
        ("ticks", rounds.ticks.len()),
    ]);
    if !rounds.labels.is_empty() {
        fields.same_length(&[length, ("labels", rounds.labels.len())]);
    }
    rounds
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

pub(super) fn read_against(mut fields: Fields<'_, '_>) -> Against {
    Against {
        cases: fields.texts("cases"),
        margin: fields.number("margin"),
        error: fields.number("error"),
        lead_in: fields
            .whole_or_none("lead_in")
            .unwrap_or(Rounds::LEAST_LEAD_IN),
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

pub(super) fn read_turns(mut fields: Fields<'_, '_>) -> Turns {
    Turns {
        side: fields.whole_as("side"),
        input: fields.text("input"),
        output: fields.text("output"),
    }
}
