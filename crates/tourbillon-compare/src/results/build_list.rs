//! `compare --build-only`.

use serde_json::{Value, json};
use tourbillon_builds::{Build, Executable, NotRelinkable};
use tourbillon_present::Format;
use tourbillon_report::{Style, counted};
use tourbillon_tool::screen::Page;

use crate::measurement::Links;
use crate::options::Options;
use crate::pairing::Comparison;
use crate::pairing::listing::ids;

/// Makes the placements of every executable, and reports what can be compared.
pub(crate) fn text(
    builds: &[Build],
    comparisons: &[Comparison],
    options: &Options,
    format: Format,
) -> String {
    let placed: Vec<Vec<Placed>> = builds
        .iter()
        .enumerate()
        .map(|(number, build)| {
            build
                .executables
                .iter()
                .enumerate()
                .map(|(at, executable)| {
                    let other = peer(comparisons, number, at).unwrap_or(executable);
                    link(executable, other, options)
                })
                .collect()
        })
        .collect();
    match format {
        Format::Jsonl => jsonl(builds, &placed, comparisons, options),
        _ => plain(builds, &placed, comparisons, &options.style()),
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
    let (own, other) = if build == 0 { (0, 1) } else { (1, 0) };
    let pair = comparison.pairs.iter().position(|pair| pair[own] == at)?;
    Some(comparison.executables(pair)[other])
}

fn link(executable: &Executable, other: &Executable, options: &Options) -> Placed {
    let mut placed = Placed::default();
    let placements = match &executable.placements {
        Ok(placements) => placements,
        Err(reason) => {
            let (count, fixed, links) = (1, Some(reason.clone()), placed.links);
            return Placed {
                count,
                fixed,
                links,
            };
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
    let mut page = Page::new(style);
    for (build, placed) in builds.iter().zip(placed) {
        page.say("", &heading(build));
        for (executable, placed) in build.executables.iter().zip(placed) {
            let path = executable.path.display();
            let mut line = format!("{path}, {}", counted(placed.count, "placement"));
            if let Some(text) = placed.links.text() {
                line += &format!(" ({text})");
            }
            if let Some(fixed) = &placed.fixed {
                line += &format!(": {fixed}");
            }
            let lead = format!("  {}  ", page.escaped(&executable.name()));
            page.say(&lead, &line);
        }
    }
    for comparison in comparisons {
        let (old, new) = (&comparison.old.label, &comparison.new.label);
        let cases = counted(comparison.cases.len(), "case");
        page.say("", &format!("{old} and {new} have {cases} in common"));
        let conditions = &comparison.conditions;
        let lines = [
            conditions.changed(),
            conditions.note(),
            conditions.unknown(),
        ];
        for line in lines.into_iter().flatten() {
            page.say("  ", &line);
        }
    }
    page.document().text(style)
}

fn heading(build: &Build) -> String {
    let mut heading = build.label.clone();
    if let Some(commit) = build
        .short_commit()
        .filter(|commit| !heading.contains(commit))
    {
        heading += &format!(" on {commit}");
    }
    if build.dirty {
        heading += ", changed";
    }
    if !build.toolchain.is_empty() {
        heading += &format!(", {}", build.toolchain);
    }
    heading
}

/// A line for each build, then one for each comparison. docs/reference/record-format.md has all members.
fn jsonl(
    builds: &[Build],
    placed: &[Vec<Placed>],
    comparisons: &[Comparison],
    options: &Options,
) -> String {
    let mut text = String::new();
    let mut line = |value: Value| text.push_str(&format!("{value}\n"));
    for (build, placed) in builds.iter().zip(placed) {
        let executables = build
            .executables
            .iter()
            .zip(placed)
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
            });
        line(json!({
            "type": "build",
            "label": build.label,
            "commit": build.commit,
            "dirty": build.dirty,
            "flags": build.flags,
            "toolchain": build.toolchain,
            "executables": executables.collect::<Vec<Value>>(),
        }));
    }
    for comparison in comparisons {
        // The threshold of a case, and the indices of its executables.
        let cases = comparison.cases.iter().map(|case| {
            let threshold = options
                .gate
                .as_ref()
                .map(|gate| gate.of(&case.case))
                .unwrap_or_default();
            let [old, new] = comparison.pairs[case.pair];
            json!({
                "case": case.case.id,
                "reference": old,
                "candidate": new,
                "gate": threshold.relative,
                "gate_ns": threshold.absolute_ns,
            })
        });
        line(json!({
            "type": "comparison",
            "reference": comparison.old.label,
            "candidate": comparison.new.label,
            "cases": cases.collect::<Vec<Value>>(),
            "only_reference": ids(&comparison.only_old),
            "only_candidate": ids(&comparison.only_new),
            "ignored": comparison.ignored_ids(),
            "changed_files": comparison.conditions.files,
            "built_otherwise": comparison.conditions.note(),
            "time_ns": options.time_ns,
            "margin": options.margin,
            "confidence": options.confidence,
            "layouts": options.layouts(),
            "seed": options.seed.map(|seed| format!("{seed:x}")),
            "store": options.store.folder(),
            "undecided": if options.undecided_fails { "fail" } else { "pass" },
        }));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::results::json_lines::tests::{documented, members, nested};
    use crate::results::rows::tests::comparison;

    fn executable() -> Executable {
        Executable {
            package: "shop".to_owned(),
            target: "sort".to_owned(),
            path: PathBuf::from("/c/sort"),
            engine: "e".to_owned(),
            protocol: 1,
            ..Executable::default()
        }
    }

    #[test]
    fn the_page_of_formats_has_every_member() {
        let build = Build {
            executables: vec![executable()],
            ..Build::default()
        };
        let placed = vec![vec![Placed::default()]];
        let comparisons = [Comparison {
            pairs: vec![[0, 0]],
            ..comparison()
        }];
        let options = Options::default();
        let text = jsonl(&[build], &placed, &comparisons, &options);
        let lines: Vec<&str> = text.lines().collect();
        for (line, name, list) in [
            (lines[0], "build", "executables"),
            (lines[1], "comparison", "cases"),
        ] {
            let heading = format!("### Members of a {name} that is not measured");
            assert_eq!(members(line), documented(&heading));
            let value: Value = serde_json::from_str(line).expect(line);
            let item = value[list][0].to_string();
            assert_eq!(members(&item), nested(&heading, list));
        }
    }

    #[test]
    fn a_page_names_builds_executables_and_reasons() {
        let build = Build {
            label: "working tree".to_owned(),
            commit: Some("1a2b3c4d5e6f".to_owned()),
            dirty: true,
            toolchain: "rustc 1.95.0".to_owned(),
            executables: vec![executable()],
            ..Build::default()
        };
        let style = Style::of_width(80);
        let one = Placed {
            count: 1,
            fixed: Some(NotRelinkable::NotRequested),
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
