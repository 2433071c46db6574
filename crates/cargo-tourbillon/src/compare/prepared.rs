//! `compare --build-only`.

use serde_json::{Value, json};
use tourbillon_builds::{Build, Executable, NotRelinkable};
use tourbillon_report::{Style, escape};

use super::measured::Links;
use super::options::{Format, Options};
use super::pairing::{Comparison, PairedCase};
use crate::screen::paragraph;

/// Makes the placements of every executable, and reports what can be compared.
pub(super) fn text(builds: &[Build], comparisons: &[Comparison], options: &Options) -> String {
    let placed: Vec<Vec<Placed>> = builds
        .iter()
        .enumerate()
        .map(|(number, build)| {
            let each = build.executables.iter().enumerate();
            each.map(|(at, executable)| {
                let other = peer(comparisons, number, at).unwrap_or(executable);
                place(executable, other, options)
            })
            .collect()
        })
        .collect();
    match options.format {
        Format::Jsonl => jsonl(builds, &placed, comparisons, options),
        Format::Text | Format::Md => plain(builds, &placed, comparisons, &options.color.style()),
    }
}

/// The placements of an executable.
#[derive(Clone, Debug, Default, PartialEq)]
struct Placed {
    count: u32,
    /// Why there are no more.
    fixed: Option<NotRelinkable>,
    /// Those that were linked just now.
    links: Links,
}

/// The executable that one is compared with; for the reference, in the first comparison.
fn peer(comparisons: &[Comparison], build: usize, at: usize) -> Option<&Executable> {
    let comparison = comparisons.get(build.saturating_sub(1))?;
    let mut cases = comparison.cases.iter();
    match build {
        0 => {
            let case = cases.find(|case| case.old == at)?;
            comparison.new.executables.get(case.new)
        }
        _ => {
            let case = cases.find(|case| case.new == at)?;
            comparison.old.executables.get(case.old)
        }
    }
}

fn place(executable: &Executable, other: &Executable, options: &Options) -> Placed {
    let mut placed = Placed::default();
    let placements = match &executable.placements {
        Ok(placements) => placements,
        Err(reason) => {
            placed.count = 1;
            placed.fixed = Some(reason.clone());
            return placed;
        }
    };
    let shared = placements.shared(other.placements.as_ref().unwrap_or(placements));
    for number in 0..options.layouts() {
        match placements.get(options.placement(number), &shared) {
            Ok(one) => placed.links.note(one.link_ns),
            Err(reason) => {
                placed.fixed = Some(reason);
                break;
            }
        }
        placed.count += 1;
    }
    placed
}

fn plain(
    builds: &[Build],
    placed: &[Vec<Placed>],
    comparisons: &[Comparison],
    style: &Style,
) -> String {
    let mut page = String::new();
    for (build, placed) in builds.iter().zip(placed) {
        paragraph(&mut page, "", &escape(&heading(build), true), style);
        for (executable, placed) in build.executables.iter().zip(placed) {
            let path = executable.path.display();
            let mut line = format!("{path}, {}", counted(placed.count, "placement"));
            if let Some(text) = placed.links.text() {
                line.push_str(&format!(" ({text})"));
            }
            if let Some(fixed) = &placed.fixed {
                line.push_str(&format!(": {fixed}"));
            }
            let lead = format!("  {}  ", escape(&executable.name(), true));
            paragraph(&mut page, &lead, &escape(&line, true), style);
        }
    }
    for comparison in comparisons {
        let (old, new) = (&comparison.old.label, &comparison.new.label);
        let cases = counted(comparison.cases.len() as u32, "case");
        let line = format!("{old} and {new} have {cases} in common");
        paragraph(&mut page, "", &escape(&line, true), style);
    }
    page
}

fn heading(build: &Build) -> String {
    let changed = if build.dirty { ", changed" } else { "" };
    let commit = build
        .short_commit()
        .filter(|commit| !build.label.contains(commit));
    let on = commit
        .map(|commit| format!(" on {commit}"))
        .unwrap_or_default();
    let toolchain = match build.toolchain.as_str() {
        "" => String::new(),
        toolchain => format!(", {toolchain}"),
    };
    format!("{}{on}{changed}{toolchain}", build.label)
}

fn counted(count: u32, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

fn jsonl(
    builds: &[Build],
    placed: &[Vec<Placed>],
    comparisons: &[Comparison],
    options: &Options,
) -> String {
    let mut text = String::new();
    let mut line = |value: Value| text.push_str(&format!("{value}\n"));
    for (build, placed) in builds.iter().zip(placed) {
        let executables = build.executables.iter().zip(placed);
        let executables: Vec<Value> = executables
            .map(|(executable, placed)| {
                json!({
                    "package": executable.package,
                    "target": executable.target,
                    "path": executable.path,
                    "engine": executable.engine,
                    "layouts": placed.count,
                    "link_ns": placed.links.median_ns(),
                    "link_most_ns": placed.links.most_ns(),
                    "fixed": placed.fixed.as_ref().map(NotRelinkable::to_string),
                })
            })
            .collect();
        line(json!({
            "type": "build",
            "label": build.label,
            "commit": build.commit,
            "dirty": build.dirty,
            "flags": build.flags,
            "toolchain": build.toolchain,
            "executables": executables,
        }));
    }
    for comparison in comparisons {
        let cases = comparison.cases.iter();
        line(json!({
            "type": "comparison",
            "old": comparison.old.label,
            "new": comparison.new.label,
            "cases": cases.map(|case| of_case(case, options)).collect::<Vec<Value>>(),
            "only_old": comparison.only_old,
            "only_new": comparison.only_new,
            "time_ns": options.time,
            "margin": options.margin,
            "confidence": options.confidence,
            "layouts": options.layouts(),
            "seed": options.seed.map(|seed| format!("{seed:x}")),
            "store": options.store.folder(),
            "undecided": if options.undecided_fails() { "fail" } else { "pass" },
        }));
    }
    text
}

/// A case, its executables on both sides, and its threshold.
fn of_case(case: &PairedCase, options: &Options) -> Value {
    let threshold = options.gate.as_ref().map(|gate| gate.of(&case.id));
    let threshold = threshold.unwrap_or_default();
    json!({
        "case": case.id,
        "old": case.old,
        "new": case.new,
        "gate": threshold.relative,
        "gate_ns": threshold.absolute_ns,
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn a_page_names_builds_executables_and_reasons() {
        let build = Build {
            label: "working tree".to_owned(),
            commit: Some("1a2b3c4d5e6f".to_owned()),
            dirty: true,
            toolchain: "rustc 1.95.0".to_owned(),
            executables: vec![Executable {
                fingerprint: String::new(),
                package: "shop".to_owned(),
                target: "sort".to_owned(),
                path: PathBuf::from("/c/sort"),
                home: None,
                engine: "e".to_owned(),
                protocol: 1,
                placements: Err(NotRelinkable::NotAsked),
            }],
            ..Build::default()
        };
        let style = Style {
            width: 80,
            ..Style::default()
        };
        let one = Placed {
            count: 1,
            fixed: Some(NotRelinkable::NotAsked),
            ..Placed::default()
        };
        let placed = vec![vec![one]];
        let page = plain(std::slice::from_ref(&build), &placed, &[], &style);
        assert_eq!(
            page,
            "working tree on 1a2b3c4, changed, rustc 1.95.0\n  \
             shop/sort  /c/sort, 1 placement: only one placement was requested\n"
        );
        let revision = Build {
            label: "main (1a2b3c4)".to_owned(),
            dirty: false,
            ..build
        };
        assert_eq!(heading(&revision), "main (1a2b3c4), rustc 1.95.0");
    }
}
