//! `--winstl`: the sources that correspond to the classes of WinSTL.

use serde_json::{Map, Value, json};
use tourbillon_present::Document;
use tourbillon_report::Style;
use tourbillon_timers::winstl::{Class, System, classes};

use crate::screen::Page;

/// A paragraph for each class: what it counts, how, and its sources on each system.
pub(super) fn document(style: &Style) -> Document {
    let mut page = Page::new(style);
    for (number, class) in classes().iter().enumerate() {
        if number > 0 {
            page.line("");
        }
        page.line(class.name);
        page.say("  counts   ", class.counts);
        page.say("  with     ", class.with);
        for system in System::ALL {
            page.say(&format!("  {system:<8} "), &sources(class, system));
        }
    }
    page.document()
}

/// The sources of a class on a system; those that this machine lacks are marked on its own system.
fn sources(class: &Class, system: System) -> String {
    let names = class.sources(system);
    if System::here() != Some(system) {
        return names.join(", ");
    }
    let here = class.sources_here();
    let marked = here.iter().map(|listed| match listed.source {
        Ok(_) => listed.name.to_owned(),
        Err(_) => format!("{} (not here)", listed.name),
    });
    marked.collect::<Vec<_>>().join(", ")
}

/// One object for each class.
pub(super) fn encode() -> String {
    let classes = classes().iter().map(|class| {
        let systems: Map<String, Value> = System::ALL
            .iter()
            .map(|&system| (system.to_string(), json!(class.sources(system))))
            .collect();
        let here = class.sources_here();
        let available = here.iter().filter(|listed| listed.source.is_ok());
        json!({
            "class": class.name,
            "counts": class.counts,
            "with": class.with,
            "sources": systems,
            "available": available.map(|listed| listed.name).collect::<Vec<_>>(),
        })
    });
    let value = json!({ "classes": classes.collect::<Vec<_>>() });
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_has_the_sources_of_all_systems() {
        let text = document(&Style::default()).text(&Style::default());
        for expected in [
            "systemtime_counter\n  counts   the date, which may be stepped\n",
            "  Windows  system-time-precise, system-time\n",
        ] {
            assert!(text.contains(expected), "{text}");
        }
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
    }

    #[test]
    fn an_object_has_what_is_here() {
        let value: Value = serde_json::from_str(&encode()).unwrap();
        let thread = &value["classes"][5];
        assert_eq!(thread["class"], "threadtimes_counter");
        assert_eq!(thread["sources"]["Windows"][0], "thread-times-user");
        if cfg!(target_os = "linux") {
            assert_eq!(thread["available"], thread["sources"]["Linux"]);
        }
    }
}
