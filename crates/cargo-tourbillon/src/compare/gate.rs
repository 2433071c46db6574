//! The gate: how much slower a case may get, and how much more memory it may ask for.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use tourbillon_record::Metric;

use super::alloc_limits::{AllocLimits, LIMITED};
use super::value::{share, time_ns};
use crate::exit::Stop;
use crate::records::file;

/// The file's name, beside the manifest of the workspace.
const FILE: &str = "tourbillon.toml";

/// From when on a case is too slow.
///
/// With both, a case has to be slower by more than either: a relative threshold alone would judge
/// differences of a quarter of a nanosecond.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Threshold {
    /// As a share of the reference's time.
    pub(crate) relative: Option<f64>,
    /// In nanoseconds per op.
    pub(crate) absolute_ns: Option<f64>,
}

/// The thresholds of a suite.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Gate {
    suite: Thresholds,
    /// Parts of identities, and what holds for the cases that have them.
    cases: Vec<(String, Thresholds)>,
}

/// What one table says.
#[derive(Clone, Debug, Default, PartialEq)]
struct Thresholds {
    /// Of the time; `None` where it says nothing of it.
    time: Option<Threshold>,
    /// Of the counts that it names.
    counts: Vec<(Metric, AllocLimits)>,
}

impl Gate {
    /// What the flag and the file in a folder say. No gate where neither says anything.
    ///
    /// The flag takes the place of the file's threshold for the suite; single cases keep their own.
    pub(crate) fn read(flag: Option<f64>, folder: &Path) -> Result<Option<Gate>, Stop> {
        let path = folder.join(FILE);
        let mut gate = match file::text(&path) {
            Ok(text) => Gate::parse(&text)
                .map_err(|what| Stop::Usage(format!("{}: {what}", path.display())))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => {
                return Err(Stop::Environment(format!(
                    "{path:?} cannot be read: {error}"
                )));
            }
        };
        if let Some(share) = flag {
            gate.get_or_insert_default().suite.time = Some(Threshold {
                relative: Some(share),
                absolute_ns: None,
            });
        }
        Ok(gate)
    }

    /// The threshold of a case: that of the longest part which its identity has, else the suite's.
    /// One that is absolute alone is meant so.
    pub(crate) fn of(&self, case: &str) -> Threshold {
        self.said(case, |table| table.time).unwrap_or_default()
    }

    /// How much more of a count a case may have: what the longest part says that names the count,
    /// else the suite.
    pub(crate) fn allowed(&self, case: &str, metric: Metric) -> AllocLimits {
        let of = |table: &Thresholds| {
            let mut counts = table.counts.iter();
            let found = counts.find(|(named, _)| *named == metric);
            found.map(|(_, allowed)| *allowed)
        };
        self.said(case, of).unwrap_or_default()
    }

    /// What the table of the longest part that fits and says anything says.
    fn said<T>(&self, case: &str, of: impl Fn(&Thresholds) -> Option<T>) -> Option<T> {
        let fitting = self.cases.iter().filter(|(part, _)| case.contains(part));
        let own = fitting.filter_map(|(part, table)| Some((part.len(), of(table)?)));
        let longest = own.max_by_key(|(length, _)| *length);
        longest.map_or_else(|| of(&self.suite), |(_, said)| Some(said))
    }

    fn parse(text: &str) -> Result<Option<Gate>, String> {
        let table = DeTable::parse(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line(text, span.start));
            format!("line {line}: {}", error.message())
        })?;
        let mut gate = None;
        for (key, value) in table.get_ref() {
            match key.get_ref().as_ref() {
                "gate" => gate = Some(Gate::of_table(text, value)?),
                other => return Err(unknown(text, key.span().start, other, &["gate"])),
            }
        }
        Ok(gate)
    }

    fn of_table(text: &str, value: &Spanned<DeValue<'_>>) -> Result<Gate, String> {
        let mut gate = Gate::default();
        for (key, value) in entries(text, value, "gate")? {
            match key.get_ref().as_ref() {
                "cases" => {
                    for (part, value) in entries(text, value, "gate.cases")? {
                        let mut own = Thresholds::default();
                        for (key, value) in entries(text, value, part.get_ref())? {
                            if !own.set(text, key.get_ref(), value)? {
                                let at = key.span().start;
                                return Err(unknown(text, at, key.get_ref(), &KEYS[..6]));
                            }
                        }
                        gate.cases.push((part.get_ref().to_string(), own));
                    }
                }
                name => {
                    if !gate.suite.set(text, name, value)? {
                        return Err(unknown(text, key.span().start, name, &KEYS));
                    }
                }
            }
        }
        Ok(gate)
    }
}

/// What a table may hold; the last one only that of the suite.
const KEYS: [&str; 7] = [
    "relative", "absolute", "allocs", "bytes", "peak", "kept", "cases",
];

impl Thresholds {
    /// Sets what a key says; `false` when it is none of ours.
    fn set(&mut self, text: &str, key: &str, value: &Spanned<DeValue<'_>>) -> Result<bool, String> {
        let at = value.span().start;
        let placed = |what: String| format!("line {}: {key}: {what}", line(text, at));
        let word = value.get_ref().as_str();
        let word = |example: &str| {
            word.ok_or_else(|| placed(format!("write it in quotation marks, as {example}")))
        };
        match key {
            "relative" => {
                let share = share(word("\"2%\"")?).map_err(placed)?;
                self.time.get_or_insert_default().relative = Some(share);
            }
            "absolute" => {
                let ns = time_ns(word("\"5ns\"")?).map_err(placed)?;
                self.time.get_or_insert_default().absolute_ns = Some(ns);
            }
            _ => {
                let Some(metric) = LIMITED.into_iter().find(|metric| metric.name() == key) else {
                    return Ok(false);
                };
                let word = word(AllocLimits::example(metric))?;
                let allowed = AllocLimits::parse(metric, word).map_err(placed)?;
                self.counts.push((metric, allowed));
            }
        }
        Ok(true)
    }
}

/// What is in a table.
fn entries<'a, 'i>(
    text: &str,
    value: &'a Spanned<DeValue<'i>>,
    name: &str,
) -> Result<&'a DeTable<'i>, String> {
    let at = line(text, value.span().start);
    let table = value.get_ref().as_table();
    table.ok_or_else(|| format!("line {at}: {name} is no table; write {{ relative = \"2%\" }}"))
}

fn unknown(text: &str, at: usize, key: &str, known: &[&str]) -> String {
    let at = line(text, at);
    let near = known.iter().find(|known| strsim::jaro(known, key) > 0.8);
    match near {
        Some(near) => format!("line {at}: unknown key {key:?}; did you mean {near}?"),
        None => format!(
            "line {at}: unknown key {key:?}; there are {}",
            known.join(", ")
        ),
    }
}

/// The line in which a byte of a text is, from 1.
fn line(text: &str, at: usize) -> usize {
    let before = text.as_bytes().iter().take(at);
    before.filter(|byte| **byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const TEXT: &str = r#"
[gate]
relative = "2%"
absolute = "5ns"

[gate.cases]
"sort::" = { relative = "5%" }
"sort::heap" = { absolute = "1us" }
"#;

    fn parsed(text: &str) -> Gate {
        Gate::parse(text).expect(text).expect("a gate")
    }

    #[test]
    fn the_longest_part_of_an_identity_counts() {
        let gate = parsed(TEXT);
        let of = |case| (gate.of(case).relative, gate.of(case).absolute_ns);
        assert_eq!(of("shop/speed::map"), (Some(0.02), Some(5.0)));
        assert_eq!(of("shop/sort::quick[n=1]"), (Some(0.05), None));
        assert_eq!(of("shop/sort::heap"), (None, Some(1000.0)));
    }

    #[test]
    fn what_a_part_does_not_name_is_said_by_the_next_longest() {
        let gate = parsed(
            "[gate]\nrelative = \"2%\"\nallocs = \"1\"\n[gate.cases]\n\
             \"sort::\" = { bytes = \"5%\", allocs = \"any\" }\n\
             \"sort::heap\" = { relative = \"9%\", peak = \"1 KiB\" }\n",
        );
        let of = |case, metric| gate.allowed(case, metric);
        assert_eq!(gate.of("sort::quick").relative, Some(0.02));
        assert_eq!(gate.of("sort::heap").relative, Some(0.09));
        assert_eq!(of("map", Metric::Allocs), AllocLimits::More(1.0));
        assert_eq!(of("map", Metric::Bytes), AllocLimits::More(0.0));
        assert_eq!(of("sort::quick", Metric::Allocs), AllocLimits::Any);
        assert_eq!(of("sort::heap", Metric::Allocs), AllocLimits::Any);
        assert_eq!(of("sort::heap", Metric::Bytes), AllocLimits::Share(0.05));
        assert_eq!(of("sort::heap", Metric::Peak), AllocLimits::More(1024.0));
        assert_eq!(of("sort::heap", Metric::Kept), AllocLimits::More(0.0));
    }

    #[test]
    fn the_flag_is_for_the_suite() {
        let folder = std::env::temp_dir().join(format!("tourbillon-gate-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        assert_eq!(Gate::read(None, &folder).expect("none"), None);
        let flag = Gate::read(Some(0.1), &folder)
            .expect("a flag")
            .expect("a gate");
        assert_eq!(flag.of("x").relative, Some(0.1));
        fs::write(folder.join(FILE), TEXT).expect("a file");
        let both = Gate::read(Some(0.1), &folder)
            .expect("a file")
            .expect("a gate");
        assert_eq!(both.of("x"), flag.of("x"));
        assert_eq!(both.of("sort::quick").relative, Some(0.05));
        fs::write(folder.join(FILE), "gate = 1").expect("a file");
        let Err(Stop::Usage(text)) = Gate::read(None, &folder) else {
            panic!("it is no gate");
        };
        assert!(
            text.contains("tourbillon.toml: line 1: gate is no table"),
            "{text}"
        );
        let _ = fs::remove_dir_all(&folder);
    }

    #[test]
    fn mistakes_have_a_line_and_an_advice() {
        for (text, expected) in [
            (
                "[gate]\nrelativ = \"2%\"",
                "line 2: unknown key \"relativ\"; did you mean relative?",
            ),
            ("x = 1", "line 1: unknown key \"x\"; there are gate"),
            (
                "[gate]\nrelative = 2",
                "line 2: relative: write it in quotation marks, as \"2%\"",
            ),
            (
                "[gate]\n\nabsolute = \"2%\"",
                "line 3: absolute: \"2%\" is no time",
            ),
            ("[gate.cases]\na = \"2%\"", "line 2: a is no table"),
            (
                "[gate]\nallocs = 1",
                "line 2: allocs: write it in quotation marks, as \"1\"",
            ),
            (
                "[gate]\nalocs = \"1\"",
                "line 2: unknown key \"alocs\"; did you mean allocs?",
            ),
            (
                "[gate]\npeak = \"1\"",
                "line 2: peak: \"1\" allows nothing; write \"64 B\"",
            ),
            (
                "[gate.cases]\na = { x = 1 }",
                "line 2: unknown key \"x\"; there are relative",
            ),
            ("[gate", "line 1: "),
        ] {
            let error = Gate::parse(text).expect_err(text);
            assert!(error.starts_with(expected), "{error}");
        }
        assert_eq!(Gate::parse(""), Ok(None));
    }
}
