use super::{Fields, start};
use crate::json::{Kind, Writer};
use crate::{ClockFacts, Fact, FactValue, Header, RunSettings};

#[inline(never)]
pub(super) fn write(writer: &mut Writer, header: &Header) {
    start(writer, "header");
    writer.text("tourbillon", &header.tourbillon);
    writer.text("engine", &header.engine);
    writer.whole("started_unix_ns", header.started_unix_ns);
    writer.text("started", &header.started);
    writer.text("package", &header.package);
    writer.text("target", &header.target);
    writer.texts("command", &header.command);
    writer.whole("seed", header.seed);
    writer.whole("cases", header.cases);
    write_settings(writer, &header.settings);
    write_clock(writer, &header.clock);
    writer.open_list("facts");
    for fact in &header.facts {
        write_fact(writer, fact);
    }
    writer.close_list();
}

#[inline(never)]
pub(super) fn read(fields: &mut Fields<'_, '_>) -> Header {
    Header {
        tourbillon: fields.text("tourbillon"),
        engine: fields.text("engine"),
        started_unix_ns: fields.whole("started_unix_ns"),
        started: fields.text("started"),
        package: fields.text("package"),
        target: fields.text("target"),
        command: fields.texts("command"),
        seed: fields.whole("seed"),
        cases: fields.whole("cases"),
        settings: read_settings(fields.object("settings")),
        clock: read_clock(fields.object("clock")),
        facts: read_facts(fields),
        unknown: fields.rest(),
    }
}

fn write_settings(writer: &mut Writer, settings: &RunSettings) {
    writer.open("settings");
    writer.whole("launches", settings.launches.into());
    writer.whole("budget_ns", settings.budget_ns);
    writer.whole("batch_ns", settings.batch_ns);
    writer.number("confidence", settings.confidence);
    writer.number_or_null("precision", settings.precision);
    writer.wholes("cpus", &settings.cpus);
    writer.close();
}

fn read_settings(mut fields: Fields<'_, '_>) -> RunSettings {
    RunSettings {
        launches: fields.whole_as("launches"),
        budget_ns: fields.whole("budget_ns"),
        batch_ns: fields.whole("batch_ns"),
        confidence: fields.number("confidence"),
        precision: fields.number_or_none("precision"),
        cpus: fields.wholes("cpus"),
    }
}

fn write_clock(writer: &mut Writer, clock: &ClockFacts) {
    writer.open("clock");
    writer.text("source", &clock.source);
    writer.text("why", &clock.why);
    writer.whole("hz_numerator", clock.hz_numerator);
    writer.whole("hz_denominator", clock.hz_denominator);
    writer.text("frequency_from", &clock.frequency_from);
    writer.number_or_null("frequency_error_ppm", clock.frequency_error_ppm);
    writer.text_or_null("cycles_from", clock.cycles_from.as_deref());
    writer.close();
}

fn read_clock(mut fields: Fields<'_, '_>) -> ClockFacts {
    ClockFacts {
        source: fields.text("source"),
        why: fields.text("why"),
        hz_numerator: fields.whole("hz_numerator"),
        hz_denominator: fields.whole("hz_denominator"),
        frequency_from: fields.text("frequency_from"),
        frequency_error_ppm: fields.number_or_none("frequency_error_ppm"),
        cycles_from: fields.text_or_none("cycles_from"),
    }
}

/// The kind of a fact's value is the kind of the JSON value; `null` stands with the reason.
fn write_fact(writer: &mut Writer, fact: &Fact) {
    writer.open_item();
    writer.text("name", &fact.name);
    let mut absent = None;
    match &fact.value {
        FactValue::Text(text) => writer.text("value", text),
        FactValue::Integer(whole) => writer.whole("value", *whole),
        FactValue::Flag(flag) => writer.flag("value", *flag),
        FactValue::List(texts) => writer.texts("value", texts),
        FactValue::Absent(why) => {
            writer.null("value");
            absent = Some(why.as_str());
        }
    }
    writer.text_or_null("absent", absent);
    writer.close();
}

fn read_facts(fields: &mut Fields<'_, '_>) -> Vec<Fact> {
    let mut facts = Vec::new();
    for item in fields.list("facts") {
        let mut fact = fields.inside("facts", item);
        let name = fact.text("name");
        let value = match fact.kind("value") {
            Kind::Text => FactValue::Text(fact.text("value")),
            Kind::Flag => FactValue::Flag(fact.flag("value")),
            Kind::List => FactValue::List(fact.texts("value")),
            Kind::Null => FactValue::Absent(fact.text("absent")),
            Kind::Number | Kind::Object => FactValue::Integer(fact.whole("value")),
        };
        facts.push(Fact { name, value });
    }
    facts
}
