//! The lines above a table: machine, clock, build, warnings.

use tourbillon_present::number::{counted, percent, ppm};
use tourbillon_present::{Figure, Ink, Page, Style, beginning, display_width, shortened};
use tourbillon_record::Header;

use crate::facts::{self, TOPICS, text, warnings};

const TOURBILLON: &str = "tourbillon ";

/// What is shown before the first measurement: the run, the machine, and a line for each warning that
/// matters.
///
/// ```text
/// tourbillon examples/sort · 38 benchmarks × 20 launches · seed 9f3c21
/// AMD EPYC 9V74 · tsc 2.600 GHz · rustc 1.95.0 release · revision 1f0a9c2
/// ```
pub fn header(header: &Header, style: &Style) -> String {
    let mut page = Page::new(style);
    let mut run = run(header, style);
    // A long name is cut, so that the line is one of 80 columns.
    let room = room(&run, style).saturating_sub(TOURBILLON.len()).max(16);
    let program = shortened(&program(header, style), room, style.glyphs().ellipsis);
    run.insert(0, program);
    page.items(Ink::Plain, TOURBILLON, run);
    let machine = machine(header, style);
    if !machine.is_empty() {
        page.items(Ink::Plain, "", machine);
    }
    for warning in warnings(header, style, false) {
        page.line(Ink::Note, "! ", &warning);
    }
    page.text
}

/// As [`header`], with everything that is known of the run and the machine, what is not known, and all
/// warnings.
pub fn full_header(header: &Header, style: &Style) -> String {
    let mut page = Page::new(style);
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
    let mut page = Page::new(style);
    page.line(Ink::Note, "! ", &style.safe(text));
    page.text
}

/// The run without the name of its program.
fn run(header: &Header, style: &Style) -> Vec<String> {
    let mut launches = counted(header.settings.launches, "launch");
    if let Some(fewest) = header.settings.fewest_launches {
        launches = format!("{fewest} to {launches}");
    }
    let benchmarks = counted(header.cases, "benchmark");
    let mut items = vec![format!("{benchmarks} {} {launches}", style.glyphs().times)];
    let settings = &header.settings;
    if let Some(precision) = settings.precision {
        let plus_minus = style.glyphs().plus_minus;
        items.push(format!("until {plus_minus}{}", percent(precision)));
    }
    if !settings.cpus.is_empty() {
        let cpus: Vec<_> = settings.cpus.iter().map(u32::to_string).collect();
        items.push(format!("pinned to cpu {}", cpus.join(", ")));
    }
    items.push(format!("seed {:x}", header.seed));
    items
}

fn program(header: &Header, style: &Style) -> String {
    style.safe(&format!("{}/{}", header.package, header.target))
}

/// What is left of a line after these items.
fn room(items: &[String], style: &Style) -> usize {
    let separator = display_width(style.glyphs().separator);
    let used = items.iter().map(|item| display_width(item) + separator);
    style.columns().saturating_sub(used.sum())
}

/// Machine, clock, build and revision, in one line of 80 columns: a processor's long name is cut.
fn machine(header: &Header, style: &Style) -> Vec<String> {
    let mut items = Vec::new();
    if let Some(frequency) = frequency(header) {
        items.push(format!("{} {frequency}", style.safe(&header.clock.source)));
    }
    let rustc: Vec<_> = text(header, "rustc").split(' ').take(2).collect();
    let build = format!("{} {}", rustc.join(" "), text(header, "profile"));
    if build != " " {
        items.push(style.safe(build.trim()));
    }
    if let Some(revision) = text(header, "revision").get(..7) {
        items.push(style.safe(&format!("revision {revision}")));
    }
    let room = room(&items, style).max(16);
    let model = text(header, "cpu_model");
    let model = ["(R)", "(TM)", "(tm)", " CPU", " Processor"]
        .iter()
        .fold(model.to_owned(), |model, noise| model.replace(noise, ""));
    if let Some(name) = model.split(" @ ").next().filter(|name| !name.is_empty()) {
        let cut = beginning(&style.safe(name), room, style.glyphs().ellipsis);
        items.insert(0, cut);
    }
    items
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
