//! The command `profile`: the instructions of a case by function, line and stack.

use std::path::PathBuf;
use std::slice;

use tourbillon_builds::{Build, Cache, Executable, Maker, Selection, Subject};
use tourbillon_compare::{Options, all_listed, subject};
use tourbillon_pictures::FlameGraph;
use tourbillon_present::kind::PROFILE;
use tourbillon_present::number::{count, percent};
use tourbillon_present::{
    Block, Cell, Column, Document, Format, Note, Phrase, Style, Table, counted, escape,
};
use tourbillon_record::Case;
use tourbillon_report::{Names, did_you_mean};
use tourbillon_stepper::Limits;
use tourbillon_tool::exit::{Stop, print_document, say};
use tourbillon_tool::machine_lock::machine_lock;
use tourbillon_tool::output;
use tourbillon_tool::records::StorePath;

use crate::explanation_blocks::code_table;
use crate::folded_stacks;
use crate::side::Side;

/// Functions and lines that are listed.
const MOST: usize = 10;

/// What is profiled.
#[derive(Clone, Debug)]
pub struct ProfileRequest {
    /// The case: its identity, its printed name, or a part that no other has.
    pub case: String,
    /// A revision or a saved build; the working tree without one.
    pub revision: Option<String>,
    /// What is built, and how.
    pub selection: Selection,
    /// The file of defaults.
    pub store: StorePath,
    /// The file for stacks on one line each.
    pub folded: Option<PathBuf>,
    /// The file for a picture of the stacks.
    pub flame_graph: Option<PathBuf>,
    /// Whether it fails while another program measures.
    pub no_wait: bool,
    /// How it is printed.
    pub format: Format,
    /// What the terminal can show.
    pub style: Style,
}

/// Builds the program of a case, steps it, and prints its counts.
///
/// # Errors
///
/// When it cannot be built, has no such case, or cannot be stepped.
pub fn profile(request: &ProfileRequest) -> Result<(), Stop> {
    if let (Some(one), Some(other)) = (&request.folded, &request.flame_graph) {
        output::refuse_same(one, [other.as_path()].iter())?;
    }
    for file in request.folded.iter().chain(&request.flame_graph) {
        output::refuse_unwritable(file)?;
    }
    let cache = Cache::locate(say)?;
    let maker = Maker::new(cache.clone(), request.selection.clone(), false)?;
    let built = match &request.revision {
        Some(name) => subject(name, &maker, &cache)?,
        None => Subject::WorkingTree,
    };
    maker.check(&built)?;
    let build = maker.make(&built)?;
    let (executable, case, name) = chosen(&build, request)?;
    let lock = machine_lock("cargo tourbillon profile", request.no_wait)?;
    let side = Side::new(&build, &executable, &case.id, Limits::of_one_case());
    drop(lock);
    cache.prune();
    let side = side.map_err(|why| Stop::Environment(format!("{}: {why}", escape(&name, true))))?;
    write_stacks(request, &side, &name)?;
    let document = document(&side, &name, &build.label);
    print_document(
        &document,
        request.format,
        &PROFILE,
        &request.style,
        String::new,
    )
}

/// The one case with the name that was typed, its program and its printed name.
fn chosen(build: &Build, request: &ProfileRequest) -> Result<(Executable, Case, String), Stop> {
    let listed = |flags: &[&str]| {
        let flags = flags.iter().map(|flag| (*flag).to_owned());
        let options = Options {
            bench_flags: flags.collect(),
            store: request.store.clone(),
            ..Options::default()
        };
        all_listed(slice::from_ref(build), &options)
    };
    let typed = request.case.as_str();
    let mut found = Vec::new();
    for flags in [&["--exact", "--", typed][..], &["--", typed]] {
        for list in listed(flags)? {
            found = list.numbered(build);
        }
        if !found.is_empty() {
            break;
        }
    }
    let names = Names::of(found.iter().map(|(_, case)| case));
    let typed = escape(typed, true);
    match found.as_slice() {
        [(executable, case)] => {
            let name = names.name(&case.id).to_owned();
            Ok(((*executable).clone(), case.clone(), name))
        }
        [] => {
            let all = listed(&[])?.into_iter();
            let all = all.flat_map(|list| list.numbered(build));
            let all: Vec<Case> = all.map(|(_, case)| case).collect();
            let meant = did_you_mean(&[&request.case], &all);
            Err(Stop::Usage(format!(
                "no case matches {typed}; `cargo tourbillon run -- --list` lists the cases{meant}"
            )))
        }
        several => {
            let names = several
                .iter()
                .map(|(_, case)| format!("\n  {}", escape(names.name(&case.id), true)));
            let (number, names) = (several.len(), names.collect::<String>());
            Err(Stop::Usage(format!(
                "{typed} matches {number} cases; name one:{names}"
            )))
        }
    }
}

fn write_stacks(request: &ProfileRequest, side: &Side, name: &str) -> Result<(), Stop> {
    if request.folded.is_none() && request.flame_graph.is_none() {
        return Ok(());
    }
    let stacks = side.stacks();
    if let Some(path) = &request.folded {
        output::write(path, folded_stacks::text(&stacks))?;
    }
    if let Some(path) = &request.flame_graph {
        let all = counted(side.steps.total(), "instruction");
        let graph = FlameGraph {
            title: format!("{name}: {all}"),
            unit: "instructions",
            stacks: &stacks,
        };
        output::write(path, graph.picture().file())?;
    }
    Ok(())
}

/// Functions and lines by their counts, and the hottest loop.
pub(crate) fn document(side: &Side, name: &str, label: &str) -> Document {
    let profile = &side.profile;
    let total = profile.total.max(1);
    let share = |count: u64| count as f64 / total as f64;
    let shown_share = |part: u64| Cell::number(percent(share(part)), Some(share(part)));
    let mut functions = Table::of([
        Column::left("function", "function"),
        Column::right("instructions", "instructions"),
        Column::right("share", "share"),
        Column::right("inlined", "inlined").giving_way(1),
    ])
    .named("functions");
    let all = profile.first_functions();
    for function in all.iter().take(MOST) {
        let inlined = if function.inlined == 0 {
            String::new()
        } else {
            count(function.inlined)
        };
        functions.push([
            Cell::text(&function.title),
            Cell::number(count(function.all()), Some(function.all() as f64)),
            shown_share(function.all()),
            Cell::number(inlined, Some(function.inlined as f64)),
        ]);
    }
    if all.len() > MOST {
        functions.folded = Some(counted(all.len() - MOST, "more function"));
    }
    let mut lines = Table::of([
        Column::left("line", "line"),
        Column::right("instructions", "instructions"),
        Column::right("share", "share"),
        Column::left("text", ""),
    ])
    .named("lines");
    for ((file, line), counted) in profile.first_lines().into_iter().take(MOST) {
        lines.push([
            Cell::text(format!("{file}:{line}")),
            Cell::number(count(counted.count), Some(counted.count as f64)),
            shown_share(counted.count),
            Cell::text(side.sources.line(&counted.path, *line).unwrap_or_default()).spanning(),
        ]);
    }
    let mut blocks = vec![Block::Table(functions), Block::Table(lines)];
    let first_line = profile
        .first_lines()
        .first()
        .map(|((file, line), _)| (file.as_str(), *line));
    if let Some(listing) = side.hot_code(None, |file, line| first_line == Some((file, line))) {
        let heading = Block::text(listing.heading());
        let table = Block::Table(code_table(&listing, label, name));
        blocks.push(Block::Group(vec![heading, table]));
    }
    if let Some(gap) = side.gap() {
        blocks.push(Block::Notes(vec![Note::new(
            "! ",
            format!(
                "the executable has {}; it needs {}",
                gap.effect(),
                gap.remedy()
            ),
        )]));
    }
    let first = all.first().map(|first| {
        let part = percent(share(first.all()));
        Phrase::from(format!("{part} of all instructions are in {}", first.title))
    });
    Document {
        title: format!(
            "{name} · {label} · {} per op",
            counted(side.steps.op, "instruction")
        ),
        blocks,
        answer: first.into_iter().collect(),
        ..Document::default()
    }
}
