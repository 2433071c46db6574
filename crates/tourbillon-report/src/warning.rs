use std::fmt;

use tourbillon_record::{FactValue, Header};

/// Something about the build or the machine that spoils figures; each says what to do about it.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// Debug assertions are on, or the profile is one for debugging.
    DebugBuild,
    /// The compiler was asked for this level of optimisation, 0 or 1.
    Unoptimised(String),
    /// A debugger or tracer is attached; its name where it is known.
    Debugger(Option<String>),
    /// More was ready to run than there are cores.
    Load {
        /// The system's load, a minute's mean.
        load: f64,
        /// Logical cores.
        cores: u64,
    },
    /// The cores' frequency is governed by this policy, which follows the load.
    Governor(String),
    /// The machine runs on its battery.
    Battery,
    /// The machine is a guest of this hypervisor.
    Guest(String),
}

/// Facts that are a warning when they are true, and nothing to mention when they are not.
pub(crate) fn is_alarm(fact: &str) -> bool {
    matches!(fact, "debug_assertions" | "debugger" | "battery")
}

impl Warning {
    /// What the facts of a header give reason to warn of, the gravest first.
    pub fn all(header: &Header) -> Vec<Warning> {
        let value = |name: &str| {
            header
                .facts
                .iter()
                .find(|fact| fact.name == name)
                .map(|fact| &fact.value)
        };
        let text = |name: &str| match value(name) {
            Some(FactValue::Text(text)) if !text.is_empty() => Some(text.as_str()),
            _ => None,
        };
        let is_on = |name: &str| matches!(value(name), Some(FactValue::Flag(true)));
        let mut found = Vec::new();
        let level = text("opt_level").filter(|level| matches!(*level, "0" | "1"));
        if is_on("debug_assertions") || matches!(text("profile"), Some("debug" | "dev")) {
            found.push(Warning::DebugBuild);
        } else if let Some(level) = level {
            found.push(Warning::Unoptimised(level.to_owned()));
        }
        let debugger = text("debugger");
        if is_on("debugger") || debugger.is_some() {
            found.push(Warning::Debugger(debugger.map(str::to_owned)));
        }
        let load = text("load").and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
        if let (Some(load), Some(&FactValue::Integer(cores))) = (load, value("cores_logical"))
            && load > cores as f64
        {
            found.push(Warning::Load { load, cores });
        }
        if let Some(governor) = text("governor").filter(|name| *name != "performance") {
            found.push(Warning::Governor(governor.to_owned()));
        }
        if is_on("battery") {
            found.push(Warning::Battery);
        }
        if let Some(name) = text("hypervisor") {
            found.push(Warning::Guest(name.to_owned()));
        }
        found
    }

    /// What to do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Warning::DebugBuild => {
                "run `cargo bench`, and leave debug-assertions off in [profile.bench]"
            }
            Warning::Unoptimised(_) => "set opt-level = 3 in [profile.bench]",
            Warning::Debugger(_) => "detach it, for what it stops or traces takes longer",
            Warning::Load { .. } => "close other programs, or wait until the build has settled",
            Warning::Governor(_) => {
                "compare cycles rather than times, or choose the governor `performance`"
            }
            Warning::Battery => "plug it in, for saving power changes the cores' frequency",
            Warning::Guest(_) => {
                "trust the intervals, for the host may take the core unseen at any time"
            }
        }
    }
}

impl fmt::Display for Warning {
    /// What was found and what to do, in a sentence; names as they came, not escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::DebugBuild => f.write_str("debug build, no measure of a release build"),
            Warning::Unoptimised(level) => write!(f, "optimisation level {level}"),
            Warning::Debugger(None) => f.write_str("debugger attached"),
            Warning::Debugger(Some(name)) => write!(f, "debugger attached ({name})"),
            Warning::Load { load, cores } => write!(f, "load {load:.1} on {cores} cores"),
            Warning::Governor(name) => write!(f, "frequency governor {name}"),
            Warning::Battery => f.write_str("running on battery"),
            Warning::Guest(name) => write!(f, "virtual machine ({name})"),
        }?;
        write!(f, ": {}", self.advice())
    }
}
