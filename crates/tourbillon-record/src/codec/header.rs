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
pub(super) fn read(fields: &mut Fields<'_, '_>, header: &mut Header) {
    fields.text("tourbillon", &mut header.tourbillon);
    fields.text("engine", &mut header.engine);
    header.started_unix_ns = fields.whole("started_unix_ns");
    fields.text("started", &mut header.started);
    fields.text("package", &mut header.package);
    fields.text("target", &mut header.target);
    fields.texts("command", &mut header.command);
    header.seed = fields.whole("seed");
    header.cases = fields.whole("cases");
    if fields.enter("settings") {
        read_settings(fields, &mut header.settings);
        fields.leave();
    }
    if fields.enter("clock") {
        read_clock(fields, &mut header.clock);
        fields.leave();
    }
    for item in fields.list("facts") {
        fields.enter_item("facts", item);
        read_fact(fields, &mut header.facts);
        fields.leave();
    }
    fields.rest(&mut header.unknown);
}

pub(super) const BLANK: Header = Header {
    tourbillon: String::new(),
    engine: String::new(),
    started_unix_ns: 0,
    started: String::new(),
    package: String::new(),
    target: String::new(),
    command: Vec::new(),
    seed: 0,
    cases: 0,
    settings: RunSettings {
        launches: 0,
        budget_ns: 0,
        batch_ns: 0,
        confidence: 0.0,
        precision: None,
        cpus: Vec::new(),
    },
    clock: ClockFacts {
        source: String::new(),
        why: String::new(),
        hz_numerator: 0,
        hz_denominator: 0,
        frequency_from: String::new(),
        frequency_error_ppm: None,
        cycles_from: None,
    },
    facts: Vec::new(),
    unknown: String::new(),
};

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

fn read_settings(fields: &mut Fields<'_, '_>, settings: &mut RunSettings) {
    settings.launches = fields.whole_as("launches");
    settings.budget_ns = fields.whole("budget_ns");
    settings.batch_ns = fields.whole("batch_ns");
    settings.confidence = fields.number("confidence");
    settings.precision = fields.number_or_none("precision");
    fields.wholes("cpus", &mut settings.cpus);
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

fn read_clock(fields: &mut Fields<'_, '_>, clock: &mut ClockFacts) {
    fields.text("source", &mut clock.source);
    fields.text("why", &mut clock.why);
    clock.hz_numerator = fields.whole("hz_numerator");
    clock.hz_denominator = fields.whole("hz_denominator");
    fields.text("frequency_from", &mut clock.frequency_from);
    clock.frequency_error_ppm = fields.number_or_none("frequency_error_ppm");
    fields.text_or_none("cycles_from", &mut clock.cycles_from);
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

fn read_fact(fields: &mut Fields<'_, '_>, facts: &mut Vec<Fact>) {
    let mut fact = Fact {
        name: String::new(),
        value: match fields.kind("value") {
            Kind::Text => FactValue::Text(String::new()),
            Kind::Flag => FactValue::Flag(false),
            Kind::List => FactValue::List(Vec::new()),
            Kind::Null => FactValue::Absent(String::new()),
            Kind::Number | Kind::Object => FactValue::Integer(0),
        },
    };
    fields.text("name", &mut fact.name);
    match &mut fact.value {
        FactValue::Text(text) => fields.text("value", text),
        FactValue::Integer(whole) => *whole = fields.whole("value"),
        FactValue::Flag(flag) => *flag = fields.flag("value"),
        FactValue::List(texts) => fields.texts("value", texts),
        FactValue::Absent(why) => fields.text("absent", why),
    }
    facts.push(fact);
}
