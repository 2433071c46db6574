//! The lines above a table: machine, clock, build, warnings.

use tourbillon_present::number::{counted, percent, ppm};
use tourbillon_present::{Figure, Ink, Style, TextLines, beginning, display_width, shortened};
use tourbillon_record::{FactValue, Header};

use crate::facts::{self, TOPICS, text, warnings};

const TOURBILLON: &str = "tourbillon ";

/// What is shown before the first measurement: what is measured and where, in one line of 80 columns, and a line for
/// each warning that matters.
///
/// ```text
/// examples/sort · 38 cases · AMD EPYC 9V74, 2 cores, KVM · HEAD 1f0a9c2
/// ```
pub fn header(header: &Header, style: &Style) -> String {
    let mut page = TextLines::new(style);
    let mut items = vec![counted(header.cases, "case")];
    items.extend(requests(header, style));
    if let Some(revision) = text(header, "revision").get(..7) {
        // The work tree may have changes: it is not compared.
        items.push(format!("HEAD {}", style.safe(revision)));
    }
    // A processor's long name is cut, and so is that of a program.
    let ellipsis = style.glyphs().ellipsis;
    let program = program(header, style);
    let left = room(&items, style).saturating_sub(display_width(&program));
    if let Some(machine) = machine(header, left.max(16), style) {
        items.insert(1, machine);
    }
    let room = room(&items, style).max(16);
    items.insert(0, shortened(&program, room, ellipsis));
    page.items(Ink::Plain, "", items);
    for warning in warnings(header, style, false) {
        page.line(Ink::Note, "! ", &warning);
    }
    page.text
}

/// As [`header`], with everything that is known of the run and the machine, what is not known, and all
/// warnings.
pub fn full_header(header: &Header, style: &Style) -> String {
    let mut page = TextLines::new(style);
    let program = [program(header, style)].into_iter();
    page.items(Ink::Plain, TOURBILLON, program.chain(run(header, style)));
    page.items(Ink::Plain, "began ", start(header, style));
    page.items(Ink::Plain, "clock ", clock(header, style));
    for (topic, lead) in TOPICS.iter().enumerate() {
        let phrases = facts::of_topic(&header.facts, topic, style);
        if !phrases.is_empty() {
            page.items(Ink::Plain, lead, phrases);
        }
    }
    let absent = facts::absent(&header.facts, style);
    if !absent.is_empty() {
        page.items(Ink::Plain, "not known: ", absent);
    }
    for warning in warnings(header, style, true) {
        page.line(Ink::Note, "! ", &warning);
    }
    page.text
}

/// A line below a header for what a user should know before the results.
pub fn warning(text: &str, style: &Style) -> String {
    let mut page = TextLines::new(style);
    page.line(Ink::Note, "! ", &style.safe(text));
    page.text
}

/// The run without the name of its program.
fn run(header: &Header, style: &Style) -> Vec<String> {
    let mut items = vec![counted(header.cases, "benchmark")];
    // Commands have none.
    if header.settings.launches > 0 {
        let launches = counted(header.settings.launches, "launch");
        let fewest = header.settings.fewest_launches;
        let fewest = fewest.map_or_else(String::new, |fewest| format!("{fewest} to "));
        items[0] += &format!(" {} {fewest}{launches}", style.glyphs().times);
    }
    items.extend(requests(header, style));
    items.push(format!("seed {:x}", header.seed));
    items
}

/// What was asked for beyond the usual.
fn requests(header: &Header, style: &Style) -> Vec<String> {
    let mut items = Vec::new();
    let settings = &header.settings;
    if let Some(precision) = settings.precision {
        let plus_minus = style.glyphs().plus_minus;
        items.push(format!("until {plus_minus}{}", percent(precision)));
    }
    let kinds = settings.core_kinds.as_deref().unwrap_or_default();
    match kinds {
        // All of a kind, unless the list is short.
        [kind] if settings.cpus.len() > 2 => items.push(format!("on {} cores", style.safe(kind))),
        _ if !settings.cpus.is_empty() => {
            let cpus: Vec<_> = settings.cpus.iter().map(u32::to_string).collect();
            let mut item = format!("pinned to cpu {}", cpus.join(", "));
            if !kinds.is_empty() {
                item += &format!(" ({} cores)", style.safe(&kinds.join(" and ")));
            }
            items.push(item);
        }
        _ => {}
    }
    items
}

fn program(header: &Header, style: &Style) -> String {
    style.safe(&program_name(header))
}

/// The target of a comparison of several: none can have this name.
pub const SEVERAL_TARGETS: &str = "several targets";

/// What was measured, for people: `shop/speed`.
pub fn program_name(header: &Header) -> String {
    let (package, target) = (&header.package, &header.target);
    let gap = if target == SEVERAL_TARGETS { ", " } else { "/" };
    format!("{package}{gap}{target}")
}

/// What is left of a line after these items.
fn room(items: &[String], style: &Style) -> usize {
    let separator = display_width(style.glyphs().separator);
    let used = items.iter().map(|item| display_width(item) + separator);
    style.columns().saturating_sub(used.sum())
}

/// `AMD EPYC 9V74, 2 cores, KVM`: the processor's name takes what the others leave of so many columns.
fn machine(header: &Header, room: usize, style: &Style) -> Option<String> {
    let model = ["(R)", "(TM)", "(tm)", " CPU", " Processor"]
        .iter()
        .fold(text(header, "cpu_model").to_owned(), |model, noise| {
            model.replace(noise, "")
        });
    let model = style.safe(model.split(" @ ").next().unwrap_or_default());
    let mut others = Vec::new();
    if let Some(&FactValue::Integer(cores)) = header.fact("cores_logical") {
        others.push(counted(cores, "core"));
    }
    let hypervisor = text(header, "hypervisor");
    if !hypervisor.is_empty() {
        others.push(style.safe(hypervisor));
    }
    if !model.is_empty() {
        let used = others.iter().map(|one| display_width(one) + 2).sum();
        let left = room.saturating_sub(used).max(16);
        others.insert(0, beginning(&model, left, style.glyphs().ellipsis));
    }
    (!others.is_empty()).then(|| others.join(", "))
}

/// When it began, and with which arguments: the program is named already, its path is in the record.
fn start(header: &Header, style: &Style) -> Vec<String> {
    let version = format!("tourbillon {}", style.safe(&header.tourbillon));
    let mut items = vec![style.safe(&header.started), version];
    if let Some((_, arguments)) = header.command.split_first()
        && !arguments.is_empty()
    {
        items.push(format!("with {}", style.safe(&arguments.join(" "))));
    }
    items
}

fn clock(header: &Header, style: &Style) -> Vec<String> {
    let clock = &header.clock;
    let mut source = style.safe(&clock.source);
    if let Some(frequency) = frequency(header) {
        source = format!("{source} {frequency}");
    }
    if let Some(error) = clock.frequency_error_ppm {
        source = format!("{source} {}{}", style.glyphs().plus_minus, ppm(error));
    }
    if !clock.why.is_empty() {
        source = format!("{source} ({})", style.safe(&clock.why));
    }
    let mut items = vec![source];
    if !clock.frequency_from.is_empty() {
        items.push(format!(
            "frequency from {}",
            style.safe(&clock.frequency_from)
        ));
    }
    if clock.frequency_error_ppm.is_none() {
        items.push("its error not known".to_owned());
    }
    items.push(match (&clock.cycles_from, &clock.no_cycles) {
        (Some(from), _) => format!("cycles from {}", style.safe(from)),
        (None, Some(why)) => format!("no cycles: {}", style.safe(why)),
        (None, None) => "no cycles".to_owned(),
    });
    items
}

/// The frequency of the clock; `None` where it is not known.
fn frequency(header: &Header) -> Option<String> {
    let (numerator, denominator) = (header.clock.hz_numerator, header.clock.hz_denominator);
    (numerator > 0 && denominator > 0)
        .then(|| Figure::exact(numerator as f64 / denominator as f64).frequency())
}
