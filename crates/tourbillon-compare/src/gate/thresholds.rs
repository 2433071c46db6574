//! The gate: how much slower a case may get, and how much more it may allocate.

use std::collections::BTreeMap;

use tourbillon_coordinator::values::{SettingScope, SettingsFile, TomlValue};
use tourbillon_record::{Case, Metric};
use tourbillon_report::{Selectable, did_you_mean};
use tourbillon_tool::exit::{Stop, say};
use tourbillon_values::nearest;

use crate::counts::CountKind;
use crate::gate::flag::GateFlag;
use crate::gate::limits::{AllocLimits, LIMITED, is_limited, share, time_ns};

/// Most names of `[gate.cases]` that a message is about.
const NAMED: usize = 3;
/// What a suite, or a case, may have in the file.
const KEYS: [&str; 11] = [
    "relative",
    "absolute",
    "p50",
    "p90",
    "p99",
    "p99.9",
    "allocs",
    "bytes",
    "peak",
    "kept",
    "instructions",
];

/// The threshold of a case.
///
/// With both, a case has to be slower by more than either: a relative threshold alone would judge differences
/// of a quarter of a nanosecond.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Threshold {
    /// As a share of the reference's time.
    pub(crate) relative: Option<f64>,
    /// In nanoseconds per op.
    pub(crate) absolute_ns: Option<f64>,
}

/// The thresholds of a suite, and in `cases` those of the cases that a filter selects.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gate {
    relative: Option<f64>,
    absolute_ns: Option<f64>,
    p50: Option<f64>,
    p90: Option<f64>,
    p99: Option<f64>,
    p999: Option<f64>,
    allocs: Option<AllocLimits>,
    bytes: Option<AllocLimits>,
    peak: Option<AllocLimits>,
    kept: Option<AllocLimits>,
    instructions: Option<AllocLimits>,
    events: Vec<(Metric, AllocLimits)>,
    cases: BTreeMap<String, Gate>,
}

impl Gate {
    /// The gate of the flag and the file; `None` if neither has one.
    ///
    /// The flags replace the file's thresholds for the suite; single cases keep their own.
    ///
    /// # Errors
    ///
    /// What is wrong with the file.
    pub fn read(flags: &[GateFlag], file: Option<&SettingsFile>) -> Result<Option<Gate>, Stop> {
        let mut gate = match file {
            Some(file) => Gate::from_file(file).map_err(Stop::Usage)?,
            None => None,
        };
        for flag in flags {
            let gate = gate.get_or_insert_default();
            let share = Some(flag.share);
            match flag.metric {
                Metric::P50 => gate.p50 = share,
                Metric::P90 => gate.p90 = share,
                Metric::P99 => gate.p99 = share,
                Metric::P999 => gate.p999 = share,
                Metric::Instructions => gate.instructions = Some(AllocLimits::Share(flag.share)),
                metric if metric.is_event() => {
                    gate.limit_event(metric, AllocLimits::Share(flag.share));
                }
                _ => (gate.relative, gate.absolute_ns) = (share, None),
            }
        }
        Ok(gate)
    }

    /// The percentiles that have a threshold, of the suite or of a case.
    pub(crate) fn percentiles(&self) -> Vec<Metric> {
        let gates = || std::iter::once(self).chain(self.cases.values());
        let has = |metric: &Metric| gates().any(|gate| gate.own_percentile(*metric).is_some());
        Metric::PERCENTILES.into_iter().filter(has).collect()
    }

    /// Most claims about one case: one about its time, and one about each percentile that has a threshold.
    pub(crate) fn claims(&self) -> usize {
        1 + self.percentiles().len()
    }

    /// Warns of thresholds of single cases, of which there are none among these.
    pub(crate) fn warn_of_unmatched<'c>(&self, cases: impl Iterator<Item = &'c Case> + Clone) {
        let unmatched = self.unmatched(cases.clone());
        for typed in unmatched.iter().take(NAMED) {
            let meant = did_you_mean(&[typed], cases.clone());
            say(&format!(
                "warning: {typed:?} in [gate.cases] selects no case, so that its thresholds hold for none{meant}\n"
            ));
        }
        let more = unmatched.len().saturating_sub(NAMED);
        if more > 0 {
            say(&format!(
                "warning: the same holds for {more} more of them\n"
            ));
        }
    }

    fn unmatched<'c>(&self, cases: impl Iterator<Item = &'c Case>) -> Vec<&str> {
        let selectable: Vec<Selectable> = cases.map(Selectable::of).collect();
        let selects = |typed: &&str| selectable.iter().any(|case| case.is_selected(typed));
        let typed = self.cases.keys().map(String::as_str);
        typed.filter(|typed| !selects(typed)).collect()
    }

    /// With this share as the threshold of the suite's times, unless it has one.
    pub(crate) fn or_relative(mut self, share: f64) -> Gate {
        if self.relative.is_none() && self.absolute_ns.is_none() {
            self.relative = Some(share);
        }
        self
    }

    /// The threshold of a case: that of the longest filter which selects it, else the suite's.
    pub(crate) fn of(&self, case: &Case) -> Threshold {
        let threshold = self.find(case, |gate| {
            (gate.relative.is_some() || gate.absolute_ns.is_some()).then_some(Threshold {
                relative: gate.relative,
                absolute_ns: gate.absolute_ns,
            })
        });
        threshold.unwrap_or_default()
    }

    /// The threshold of a percentile of a case, as a share: that of the longest filter that has one, else the
    /// suite's.
    pub(crate) fn percentile(&self, case: &Case, metric: Metric) -> Option<f64> {
        self.find(case, |gate| gate.own_percentile(metric))
    }

    fn own_percentile(&self, metric: Metric) -> Option<f64> {
        match metric {
            Metric::P50 => self.p50,
            Metric::P90 => self.p90,
            Metric::P99 => self.p99,
            Metric::P999 => self.p999,
            _ => None,
        }
    }

    /// The limit of a count of a case: that of the longest filter that has one, else the suite's.
    pub(crate) fn limit(&self, case: &Case, metric: Metric) -> AllocLimits {
        let limit = self.find(case, |gate| match metric {
            Metric::Allocs => gate.allocs,
            Metric::Bytes => gate.bytes,
            Metric::Peak => gate.peak,
            Metric::Kept => gate.kept,
            Metric::Instructions => gate.instructions,
            _ => gate.event(metric),
        });
        // Any other code has other instructions: without a limit there is none.
        let is_free = metric == Metric::Instructions || metric.is_event();
        limit.unwrap_or(if is_free {
            AllocLimits::Any
        } else {
            AllocLimits::default()
        })
    }

    /// Whether a count of a case has a limit.
    pub(crate) fn limits_counts(&self, case: &Case, kind: CountKind) -> bool {
        let mut metrics = LIMITED
            .into_iter()
            .chain(Metric::events())
            .filter(|metric| CountKind::of(*metric) == kind);
        metrics.any(|metric| self.limit(case, metric) != AllocLimits::Any)
    }

    /// The events that have a limit, of the suite or of a case.
    pub(crate) fn events(&self) -> Vec<Metric> {
        let gates = || std::iter::once(self).chain(self.cases.values());
        let is_limited = |metric: &Metric| {
            let mut limits = gates().filter_map(|gate| gate.event(*metric));
            limits.any(|limit| limit != AllocLimits::Any)
        };
        Metric::events().filter(is_limited).collect()
    }

    fn event(&self, metric: Metric) -> Option<AllocLimits> {
        let mut own = self.events.iter().filter(|(event, _)| *event == metric);
        own.next_back().map(|(_, limit)| *limit)
    }

    fn limit_event(&mut self, metric: Metric, limit: AllocLimits) {
        self.events.push((metric, limit));
    }

    /// Whether instructions have a limit, of the suite or of a case.
    pub(crate) fn limits_instructions(&self) -> bool {
        let mut gates = std::iter::once(self).chain(self.cases.values());
        gates.any(|gate| {
            gate.instructions
                .is_some_and(|limit| limit != AllocLimits::Any)
        })
    }

    /// A value of the longest filter that selects the case and has one, else the suite's.
    fn find<T>(&self, case: &Case, value: impl Fn(&Gate) -> Option<T>) -> Option<T> {
        let case = Selectable::of(case);
        let fitting = self
            .cases
            .iter()
            .filter(|(typed, _)| case.is_selected(typed));
        let own = fitting.filter_map(|(typed, gate)| Some((typed.len(), value(gate)?)));
        let longest = own.max_by_key(|(length, _)| *length);
        longest.map_or_else(|| value(self), |(_, found)| Some(found))
    }

    /// The gate of a file; `None` if it has none.
    fn from_file(file: &SettingsFile) -> Result<Option<Gate>, String> {
        let mut gate: Option<Gate> = None;
        for setting in &file.settings {
            if setting.scope == SettingScope::Command("gate".to_owned()) {
                let names: Vec<&str> = setting.path[1..].iter().map(String::as_str).collect();
                gate.get_or_insert_default()
                    .set(&names, &setting.value)
                    .map_err(|what| file.at(setting.line, &what))?;
            }
        }
        Ok(gate)
    }

    /// Sets what the names below `[gate]` are for.
    fn set(&mut self, names: &[&str], value: &TomlValue) -> Result<(), String> {
        match (names, value) {
            ([] | ["cases"], TomlValue::Table) => Ok(()),
            (["cases", filter, "cases", ..], _) => {
                Err(format!("{filter:?} is a case; it cannot have cases"))
            }
            (["cases", filter], TomlValue::Table) => {
                self.cases.entry((*filter).to_owned()).or_default();
                Ok(())
            }
            (["cases", filter, key], _) => {
                let case = self.cases.entry((*filter).to_owned()).or_default();
                case.set_threshold(key, value)
            }
            (["cases", ..], _) => {
                Err("write [gate.cases], and FILTER = { KEY = VALUE } in it".to_owned())
            }
            ([key], _) => self.set_threshold(key, value),
            _ => Err(format!("[gate] has no such table: {}", names.join("."))),
        }
    }

    fn set_threshold(&mut self, key: &str, value: &TomlValue) -> Result<(), String> {
        let event = Metric::of_name(key).filter(|metric| metric.is_event() && is_limited(*metric));
        if !KEYS.contains(&key) && event.is_none() {
            return Err(match nearest(key, KEYS) {
                Some(meant) => format!("unknown key {key}; did you mean {meant}?"),
                None => format!("unknown key {key}; known are {}", KEYS.join(", ")),
            });
        }
        let TomlValue::Text(text) = value else {
            return Err(format!("{key} needs a text in quotes"));
        };
        if let Some(metric) = event {
            self.limit_event(metric, AllocLimits::requests(text)?);
            return Ok(());
        }
        match key {
            "relative" => self.relative = Some(share(text)?),
            "absolute" => self.absolute_ns = Some(time_ns(text)?),
            "p50" => self.p50 = Some(share(text)?),
            "p90" => self.p90 = Some(share(text)?),
            "p99" => self.p99 = Some(share(text)?),
            "p99.9" => self.p999 = Some(share(text)?),
            "allocs" => self.allocs = Some(AllocLimits::requests(text)?),
            "bytes" => self.bytes = Some(AllocLimits::bytes(text)?),
            "peak" => self.peak = Some(AllocLimits::bytes(text)?),
            "instructions" => self.instructions = Some(AllocLimits::requests(text)?),
            _ => self.kept = Some(AllocLimits::bytes(text)?),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tourbillon_record::Argument;

    use super::*;

    const TEXT: &str = r#"
[gate]
relative = "2%"
absolute = "5ns"

[gate.cases]
"sort::" = { relative = "5%" }
"sort::heap" = { absolute = "1us" }
"#;

    /// The case of `shop/target::group::name[n=value]`, or of a part of that.
    fn case(id: &str) -> Case {
        let (path, value) = match id.split_once("[n=") {
            Some((path, value)) => (path, Some(value.trim_end_matches(']'))),
            None => (id, None),
        };
        let path = path.split_once('/').map_or(path, |(_, path)| path);
        let (group, name) = path.rsplit_once("::").unwrap_or(("", path));
        let argument = |value: &str| Argument {
            axis: "n".to_owned(),
            value: value.to_owned(),
        };
        Case {
            id: id.to_owned(),
            group: group.to_owned(),
            name: name.to_owned(),
            arguments: value.map(argument).into_iter().collect(),
            ..Case::default()
        }
    }

    fn file(text: &str) -> SettingsFile {
        SettingsFile::parse(Path::new("tourbillon.toml"), text).expect(text)
    }

    fn parsed(text: &str) -> Gate {
        Gate::from_file(&file(text)).expect(text).expect("a gate")
    }

    #[test]
    fn the_longest_filter_counts() {
        let gate = parsed(TEXT);
        let of = |id| (gate.of(&case(id)).relative, gate.of(&case(id)).absolute_ns);
        assert_eq!(of("shop/speed::map"), (Some(0.02), Some(5.0)));
        assert_eq!(of("shop/sort::quick[n=1]"), (Some(0.05), None));
        assert_eq!(of("shop/sort::heap"), (None, Some(1000.0)));
    }

    #[test]
    fn a_printed_name_is_a_filter() {
        let gate = parsed(
            "[gate.cases]\n\"sort/quick\" = { relative = \"5%\" }\n\
             \"sort/quick/100\" = { relative = \"9%\" }\n",
        );
        let of = |id| gate.of(&case(id)).relative;
        assert_eq!(of("shop/sort::quick[n=100]"), Some(0.09));
        assert_eq!(of("shop/sort::quick[n=1000]"), Some(0.05));
        assert_eq!(of("shop/sort::quicker[n=100]"), None);
    }

    #[test]
    fn values_that_a_filter_lacks_are_those_of_the_next_longest() {
        let gate = parsed(
            "[gate]\nrelative = \"2%\"\nallocs = \"1\"\n[gate.cases]\n\
             \"sort::\" = { bytes = \"5%\", allocs = \"any\" }\n\
             \"sort::heap\" = { relative = \"9%\", peak = \"1 KiB\" }\n",
        );
        let of = |id, metric| gate.limit(&case(id), metric);
        assert_eq!(gate.of(&case("sort::quick")).relative, Some(0.02));
        assert_eq!(gate.of(&case("sort::heap")).relative, Some(0.09));
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
        assert_eq!(Gate::read(&[], None).expect("none"), None);
        let relative = |gate: Gate| gate.or_relative(0.01).of(&case("x")).relative;
        assert_eq!(relative(Gate::default()), Some(0.01));
        let tenth = [GateFlag::parse("10%").expect("a share")];
        let flag = Gate::read(&tenth, None).expect("a flag").expect("a gate");
        assert_eq!(flag.of(&case("x")).relative, Some(0.1));
        assert_eq!(relative(flag.clone()), Some(0.1));
        let both = Gate::read(&tenth, Some(&file(TEXT)))
            .expect("a file")
            .expect("a gate");
        assert_eq!(both.of(&case("x")), flag.of(&case("x")));
        assert_eq!(both.of(&case("sort::quick")).relative, Some(0.05));
        let Err(Stop::Usage(text)) = Gate::read(&[], Some(&file("[gate]\nrelative = 1"))) else {
            panic!("it is no gate");
        };
        assert_eq!(text, "tourbillon.toml:2: relative needs a text in quotes");
    }

    #[test]
    fn events_have_a_limit_where_one_is_given() {
        let flag = GateFlag::parse("cpu_instructions=0.5%").expect("a flag");
        let text =
            "[gate]\nbranch_misses = \"2\"\n[gate.cases]\nsort = { cpu_instructions = \"any\" }\n";
        let gate = Gate::read(&[flag], Some(&file(text)));
        let gate = gate.expect("a file").expect("a gate");
        assert_eq!(
            gate.events(),
            [Metric::CpuInstructions, Metric::BranchMisses]
        );
        let limit = |name: &str, metric| gate.limit(&case(name), metric);
        let share = AllocLimits::Share(0.005);
        assert_eq!(limit("map", Metric::CpuInstructions), share);
        assert_eq!(
            limit("sort::heap", Metric::CpuInstructions),
            AllocLimits::Any
        );
        assert_eq!(
            limit("sort::heap", Metric::BranchMisses),
            AllocLimits::More(2.0)
        );
        assert_eq!(limit("sort::heap", Metric::CpuCycles), AllocLimits::Any);
        assert!(gate.limits_counts(&case("map"), CountKind::Events));
        for text in ["ipc=1%", "cycles=1%"] {
            assert!(
                GateFlag::parse(text).is_err(),
                "{text}: a quotient, and no event"
            );
        }
    }

    #[test]
    fn instructions_have_a_limit_where_one_is_given() {
        let flag = GateFlag::parse("instructions=0.5%").expect("a flag");
        let text = "[gate.cases]\nsort = { instructions = \"12\" }\n";
        let gate = Gate::read(&[flag], Some(&file(text)));
        let gate = gate.expect("a file").expect("a gate");
        let of = |id| gate.limit(&case(id), Metric::Instructions);
        assert_eq!(of("map"), AllocLimits::Share(0.005));
        assert_eq!(of("sort::heap"), AllocLimits::More(12.0));
        assert!(gate.limits_instructions());
        assert!(gate.limits_counts(&case("map"), CountKind::Instructions));
        let none = Gate::default();
        assert_eq!(
            none.limit(&case("map"), Metric::Instructions),
            AllocLimits::Any
        );
        assert!(!none.limits_instructions());
        assert!(!none.limits_counts(&case("map"), CountKind::Instructions));
    }

    #[test]
    fn percentiles_have_thresholds_of_their_own() {
        let flags = ["3%", "p99=5%", "p99.9=20%"].map(|text| GateFlag::parse(text).expect(text));
        let text = "[gate]\np50 = \"1%\"\np99 = \"9%\"\n[gate.cases]\nsort = { p99 = \"7%\" }\n";
        let gate = Gate::read(&flags, Some(&file(text)))
            .expect("a file")
            .expect("a gate");
        let of = |id, metric| gate.percentile(&case(id), metric);
        assert_eq!(gate.of(&case("map")).relative, Some(0.03));
        assert_eq!(of("map", Metric::P50), Some(0.01));
        assert_eq!(of("map", Metric::P90), None);
        assert_eq!(of("map", Metric::P99), Some(0.05));
        assert_eq!(of("sort::heap", Metric::P99), Some(0.07));
        assert_eq!(of("map", Metric::P999), Some(0.2));
        let error = GateFlag::parse("p95=5%").expect_err("p95");
        assert!(
            error.contains("write p50, p90, p99, p99.9, instructions or an event"),
            "{error}"
        );
        assert!(GateFlag::parse("p99=fast").is_err());
    }

    #[test]
    fn filters_that_select_nothing_are_found() {
        let cases = ["sort::quick", "sort::heap"].map(case);
        assert_eq!(parsed(TEXT).unmatched(cases.iter()), [] as [&str; 0]);
        assert_eq!(parsed(TEXT).unmatched(cases[..1].iter()), ["sort::heap"]);
    }

    #[test]
    fn mistakes_have_a_line_and_a_remedy() {
        for (text, line, expected) in [
            (
                "[gate]\nrelativ = \"2%\"",
                2,
                "unknown key relativ; did you mean relative?",
            ),
            (
                "[gate]\nx = \"2%\"",
                2,
                "unknown key x; known are relative,",
            ),
            ("[gate]\nrelative = 2", 2, "relative needs a text in quotes"),
            (
                "[gate]\nrelative = {}",
                2,
                "relative needs a text in quotes",
            ),
            (
                "[gate]\n\nabsolute = \"2%\"",
                3,
                "\"2%\" is not a time above 0; write",
            ),
            (
                "[gate.cases]\na = \"2%\"",
                2,
                "write [gate.cases], and FILTER =",
            ),
            (
                "[gate]\ncases = \"2%\"",
                2,
                "write [gate.cases], and FILTER =",
            ),
            (
                "[gate]\nallocs = \"1 B\"",
                2,
                "\"1 B\" is not a limit; write \"1\" for one more",
            ),
            (
                "[gate]\npeak = \"1\"",
                2,
                "\"1\" is not a limit; write \"64 B\"",
            ),
            ("[gate.cases]\na = { x = 1 }", 2, "unknown key x; known are"),
            (
                "[gate.p99]\n9 = \"2%\"",
                2,
                "[gate] has no such table: p99.9",
            ),
            (
                "[gate.cases.a.cases.b]\nrelative = \"2%\"",
                2,
                "\"a\" is a case; it cannot have cases",
            ),
        ] {
            let error = Gate::from_file(&file(text)).expect_err(text);
            let expected = format!("tourbillon.toml:{line}: {expected}");
            assert!(error.starts_with(&expected), "{text}: {error}");
        }
    }

    #[test]
    fn a_table_without_thresholds_is_a_gate() {
        for text in ["[gate]", "gate = {}", "[gate.cases]"] {
            assert_eq!(parsed(text), Gate::default(), "{text}");
        }
        let case = parsed("[gate.cases.a]\n[gate.cases.b]\n");
        assert_eq!(case.unmatched([].iter()), ["a", "b"]);
        assert_eq!(Gate::from_file(&file("")), Ok(None));
        assert_eq!(Gate::from_file(&file("[bench]\nquiet = true")), Ok(None));
    }
}
