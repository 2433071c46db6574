use tourbillon_record::{ClockFacts, Header};

use crate::facts::{TOPICS, add_absent, add_topic};
use crate::style::Ink;
use crate::text::Text;
use crate::wrap::Page;
use crate::{Figure, Style, Warning};

/// What a person reads before the first measurement: the run, its date and command, the clock and why it was chosen, the
/// platform, what could not be had, and a line for each [`Warning`].
pub fn header(header: &Header, style: &Style) -> String {
    let mut page = Page::new(style);
    add(&mut page, header, style);
    page.text
}

#[inline(never)]
fn add(page: &mut Page<'_>, header: &Header, style: &Style) {
    say_run(&mut page.line, header, style);
    page.fill(Ink::Plain, "tourbillon ");
    say_start(&mut page.line, header);
    page.fill(Ink::Plain, "began ");
    say_clock(&mut page.line, &header.clock, style);
    page.fill(Ink::Plain, "clock ");
    for (topic, lead) in TOPICS.iter().enumerate() {
        add_topic(&mut page.line, &header.facts, topic);
        if !page.line.string.is_empty() {
            page.fill(Ink::Plain, lead);
        }
    }
    add_absent(&mut page.line, &header.facts);
    if !page.line.string.is_empty() {
        page.fill(Ink::Plain, "not known: ");
    }
    for warning in &Warning::all(header) {
        warning.say(&mut page.line);
        page.fill(Ink::Note, "! ");
    }
}

fn say_run(text: &mut Text, header: &Header, style: &Style) {
    let settings = &header.settings;
    text.safe(&header.tourbillon);
    text.item().safe(&header.package).say("/");
    text.safe(&header.target);
    text.item().counted(header.cases, "case");
    text.item().counted(u64::from(settings.launches), "launch");
    if let Some(precision) = settings.precision {
        text.item().say("until ").say(style.glyphs().plus_minus);
        text.percent(precision);
    }
    if !settings.cpus.is_empty() {
        text.item().say("pinned to cpu ");
    }
    let mut comma = "";
    for cpu in &settings.cpus {
        text.say(comma).number(u64::from(*cpu));
        comma = ", ";
    }
    text.item().say("seed ").hexadecimal(header.seed);
}

/// When it began, and with which arguments: the program is named already, its path is in the record.
fn say_start(text: &mut Text, header: &Header) {
    text.safe(&header.started);
    let mut between = "\nwith ";
    let mut first = true;
    for argument in &header.command {
        if !first {
            text.say(between).safe(argument);
            between = " ";
        }
        first = false;
    }
}

fn say_clock(text: &mut Text, clock: &ClockFacts, style: &Style) {
    text.safe(&clock.source);
    if clock.hz_numerator > 0 && clock.hz_denominator > 0 {
        let hertz = Figure::exact(clock.hz_numerator as f64 / clock.hz_denominator as f64);
        hertz.push_frequency(&mut text.say(" ").string);
    }
    if let Some(ppm) = clock.frequency_error_ppm {
        text.say(" ").say(style.glyphs().plus_minus).ppm(ppm);
    }
    if !clock.why.is_empty() {
        text.say(" (").safe(&clock.why).say(")");
    }
    if !clock.frequency_from.is_empty() {
        text.item()
            .say("frequency from ")
            .safe(&clock.frequency_from);
    }
    if clock.frequency_error_ppm.is_none() {
        text.item().say("its error not known");
    }
    match &clock.cycles_from {
        Some(from) => text.item().say("cycles from ").safe(from),
        None => text.item().say("no cycles"),
    };
}
