use tourbillon_record::{ClockFacts, Header};

use crate::escape::Safe;
use crate::facts::{TOPICS, add_absent, add_topic};
use crate::fill::{Items, Page};
use crate::number::{Counted, Percent, Ppm};
use crate::style::Ink;
use crate::{Figure, Style, Warning};

/// What a person reads before the first measurement: the run, the clock and why it was chosen, the
/// platform, what could not be had, and a line for each [`Warning`].
pub fn header(header: &Header, style: &Style) -> String {
    let mut page = Page::new(style);
    page.fill(Ink::Plain, "tourbillon ", &run(header, style));
    page.fill(Ink::Plain, "clock ", &clock(&header.clock, style));
    for (topic, lead) in TOPICS.iter().enumerate() {
        let mut items = Items::default();
        add_topic(&mut items, &header.facts, topic, style);
        if !items.is_empty() {
            page.fill(Ink::Plain, lead, &items);
        }
    }
    let mut absent = Items::default();
    add_absent(&mut absent, &header.facts, style);
    if !absent.is_empty() {
        page.fill(Ink::Plain, "not known: ", &absent);
    }
    for warning in Warning::all(header) {
        // Its texts are as they came, and its own words are ASCII.
        let warning = warning.to_string();
        page.sentence(
            Ink::Note,
            "! ",
            format_args!("{}", Safe(&warning, style.unicode)),
        );
    }
    page.text
}

fn run(header: &Header, style: &Style) -> Items {
    let settings = &header.settings;
    let safe = |text| Safe(text, style.unicode);
    let mut items = Items::default();
    items.add(format_args!("{}", safe(&header.tourbillon)));
    items.add(format_args!(
        "{}/{}",
        safe(&header.package),
        safe(&header.target)
    ));
    items.add(format_args!("{}", Counted(header.cases, "case")));
    items.add(format_args!(
        "{}",
        Counted(u64::from(settings.launches), "launch")
    ));
    if let Some(precision) = settings.precision {
        items.add(format_args!(
            "until {}{}",
            style.glyphs().plus_minus,
            Percent(precision)
        ));
    }
    for (i, cpu) in settings.cpus.iter().enumerate() {
        match i {
            0 => items.add(format_args!("pinned to cpu {cpu}")),
            _ => items.append(format_args!(", {cpu}")),
        }
    }
    items.add(format_args!("seed {:x}", header.seed));
    items
}

fn clock(clock: &ClockFacts, style: &Style) -> Items {
    let safe = |text| Safe(text, style.unicode);
    let mut items = Items::default();
    items.add(format_args!("{}", safe(&clock.source)));
    if clock.hz_numerator > 0 && clock.hz_denominator > 0 {
        let hertz = Figure::exact(clock.hz_numerator as f64 / clock.hz_denominator as f64);
        items.append(format_args!(" {}", hertz.frequency()));
    }
    if let Some(ppm) = clock.frequency_error_ppm {
        items.append(format_args!(" {}{}", style.glyphs().plus_minus, Ppm(ppm)));
    }
    if !clock.why.is_empty() {
        items.append(format_args!(" ({})", safe(&clock.why)));
    }
    if !clock.frequency_from.is_empty() {
        items.add(format_args!(
            "frequency from {}",
            safe(&clock.frequency_from)
        ));
    }
    if clock.frequency_error_ppm.is_none() {
        items.add(format_args!("its error not known"));
    }
    match &clock.cycles_from {
        Some(from) => items.add(format_args!("cycles from {}", safe(from))),
        None => items.add(format_args!("no cycles")),
    }
    items
}
