//! Exact counts of an op by function, by line, and by instruction.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use tourbillon_stepper::Trace;

use crate::frame::{Frame, counted};
use crate::images::{Images, Place};

/// How often what was executed.
#[derive(Debug, Default)]
pub(crate) struct Profile {
    /// Instructions of all functions.
    pub(crate) total: u64,
    /// By the names that they have inlined and not.
    pub(crate) functions: BTreeMap<String, FunctionCount>,
    /// By file and line.
    pub(crate) lines: BTreeMap<(String, u32), LineCount>,
    /// By instruction.
    pub(crate) instructions: BTreeMap<Place, u64>,
    /// The functions that have the code, and how much was executed in each, with what is inlined.
    pub(crate) bodies: Vec<Body>,
    /// Whether the program itself has no lines, or no names.
    pub(crate) lacks_lines: bool,
    pub(crate) lacks_symbols: bool,
}

/// Instructions of a function, without those of functions that it calls and those that are inlined into it, except for
/// inlined functions of the standard library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FunctionCount {
    /// Its name for people.
    pub(crate) title: String,
    /// In the function's own code.
    pub(crate) own: u64,
    /// In the code of functions that it is inlined into.
    pub(crate) inlined: u64,
}

impl FunctionCount {
    pub(crate) fn all(&self) -> u64 {
        self.own.saturating_add(self.inlined)
    }
}

/// Instructions of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineCount {
    pub(crate) count: u64,
    /// The file as the compiler names it.
    pub(crate) path: PathBuf,
    /// The names of the functions that have instructions of it.
    pub(crate) functions: BTreeSet<String>,
}

/// A piece of code with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Body {
    pub(crate) name: String,
    pub(crate) start: Place,
    /// The address after its last instruction; where that is not known, after the last one that was executed.
    pub(crate) end: u64,
    pub(crate) count: u64,
}

impl Profile {
    /// Counts the steps of an op.
    pub(crate) fn new(steps: &Trace, images: &Images<'_>) -> Profile {
        let mut profile = Profile::default();
        // An instruction is in several stacks; its frames are the same in all of them, if it has a symbol.
        let mut known: HashMap<(Place, Option<Place>), Vec<Frame>> = HashMap::new();
        let mut bodies: BTreeMap<Place, Body> = BTreeMap::new();
        for step in &steps.steps {
            profile.total = profile.total.saturating_add(step.count);
            let of_stack = images.place(steps.stacks[step.stack].entry);
            let Some(place) = images.place(step.address) else {
                let title = unmapped(steps, step.address);
                let function = profile.functions.entry(title.clone()).or_default();
                function.own += step.count;
                function.title = title;
                continue;
            };
            *profile.instructions.entry(place).or_default() += step.count;
            let symbol = images.symbol(place);
            let entry = of_stack.filter(|entry| symbol.is_none() && entry.image == place.image);
            let frames = known
                .entry((place, entry))
                .or_insert_with(|| images.frames(place, entry));
            profile.count(frames, step.count);
            let (start, end) = match symbol {
                Some(symbol) => (symbol.start, symbol.end),
                None => (
                    entry.unwrap_or(place).address,
                    place.address.saturating_add(1),
                ),
            };
            let start = Place {
                address: start,
                ..place
            };
            let body = bodies.entry(start).or_insert_with(|| Body {
                name: frames.last().map_or_else(String::new, Frame::title),
                start,
                end,
                count: 0,
            });
            body.count += step.count;
            body.end = body.end.max(end);
        }
        profile.bodies = bodies.into_values().collect();
        profile.bodies.sort_by_key(|body| Reverse(body.count));
        profile.note_gaps(steps, images);
        profile
    }

    fn count(&mut self, frames: &[Frame], count: u64) {
        let Some(inner) = counted(frames) else {
            return;
        };
        let function = self.functions.entry(inner.key()).or_default();
        // The name of its own code has its modules.
        if function.own == 0 {
            function.title = inner.title();
        }
        if inner.is_inlined() {
            function.inlined += count;
        } else {
            function.own += count;
        }
        if let (Some(file), Some(line), Some(path)) = (&inner.file, inner.line, &inner.path)
            && line > 0
        {
            let line = self.lines.entry((file.clone(), line)).or_default();
            line.count += count;
            line.path.clone_from(path);
            line.functions.insert(inner.key());
        }
    }

    /// Whether the program was built without what names its functions and lines. Libraries often are.
    fn note_gaps(&mut self, steps: &Trace, images: &Images<'_>) {
        let own = steps
            .mappings
            .iter()
            .filter(|mapping| mapping.path == steps.executable);
        let own: Vec<(u64, u64)> = own.map(|mapping| (mapping.start, mapping.end)).collect();
        let is_own = |address: u64| {
            let mut ranges = own.iter();
            ranges.any(|(start, end)| (*start..*end).contains(&address))
        };
        let addresses = steps.steps.iter().map(|step| step.address);
        let places: Vec<Place> = addresses
            .filter(|address| is_own(*address))
            .filter_map(|address| images.place(address))
            .collect();
        let all_lack = |has: &dyn Fn(Place) -> bool| {
            !places.is_empty() && !places.iter().any(|place| has(*place))
        };
        self.lacks_symbols = all_lack(&|place| images.symbol(place).is_some());
        self.lacks_lines = all_lack(&|place| images.has_line(place));
    }

    /// Functions with their counts, those with the most instructions first.
    pub(crate) fn first_functions(&self) -> Vec<&FunctionCount> {
        let mut sorted: Vec<&FunctionCount> = self.functions.values().collect();
        sorted.sort_by_key(|function| Reverse(function.all()));
        sorted
    }

    /// Lines with their counts, those with the most instructions first.
    pub(crate) fn first_lines(&self) -> Vec<(&(String, u32), &LineCount)> {
        let mut sorted: Vec<_> = self.lines.iter().collect();
        sorted.sort_by_key(|(_, line)| Reverse(line.count));
        sorted
    }
}

/// What is in no file: code of the system, or that a program has made.
fn unmapped(steps: &Trace, address: u64) -> String {
    let mut mappings = steps.mappings.iter();
    let found = mappings.find(|mapping| (mapping.start..mapping.end).contains(&address));
    found.map_or_else(
        || "code without a file".to_owned(),
        |mapping| mapping.path.display().to_string(),
    )
}
