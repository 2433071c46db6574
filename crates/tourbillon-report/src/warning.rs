use tourbillon_record::{FactValue, Header};

use crate::text::{Text, same};
use crate::wrap::split_word;

/// Something about the build or the machine that spoils figures; each says what to do about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Warning<'a> {
    /// Debug assertions are on, or the profile is one for debugging.
    DebugBuild,
    /// The compiler was asked for this level of optimisation, 0 or 1.
    Unoptimised(&'a str),
    /// A debugger or tracer is attached; its name where it is known.
    Debugger(Option<&'a str>),
    /// More was ready to run than there are cores.
    Load {
        /// The system's load, a minute's mean.
        load: f64,
        /// Logical cores.
        cores: u64,
    },
    /// The cores' frequency is governed by this policy, which follows the load.
    Governor(&'a str),
    /// Every launch lies at the same addresses.
    FixedAddresses,
    /// Processor time is limited to so many processors' worth.
    Quota(&'a str),
    /// The machine runs on its battery.
    Battery,
    /// The machine was told to save power, in this word.
    PowerProfile(&'a str),
    /// The system takes its time from this device, far from the processor.
    ClockSource(&'a str),
    /// The machine is a guest of this hypervisor.
    Guest(&'a str),
}

/// Facts that are a warning when they are true, and nothing to mention when they are not.
pub(crate) fn is_alarm(fact: &str) -> bool {
    matches!(fact, "debug_assertions" | "debugger" | "battery")
}

impl<'a> Warning<'a> {
    /// What the facts of a header give reason to warn of, the gravest first.
    pub fn all(header: &'a Header) -> Vec<Warning<'a>> {
        let mut found = Vec::new();
        Warning::add_all(&mut found, header);
        found
    }

    #[inline(never)]
    fn add_all(found: &mut Vec<Warning<'a>>, header: &'a Header) {
        let level = text(header, "opt_level");
        let profile = text(header, "profile");
        if is_on(header, "debug_assertions") || same(profile, "debug") || same(profile, "dev") {
            found.push(Warning::DebugBuild);
        } else if same(level, "0") || same(level, "1") {
            found.push(Warning::Unoptimised(level));
        }
        let debugger = text(header, "debugger");
        if !debugger.is_empty() {
            found.push(Warning::Debugger(Some(debugger)));
        } else if is_on(header, "debugger") {
            found.push(Warning::Debugger(None));
        }
        let (load, _) = split_word(text(header, "load"));
        if let Ok(load) = load.parse::<f64>()
            && let Some(&FactValue::Integer(cores)) = value(header, "cores_logical")
            && load > cores as f64
        {
            found.push(Warning::Load { load, cores });
        }
        if matches!(value(header, "aslr"), Some(FactValue::Flag(false))) {
            found.push(Warning::FixedAddresses);
        }
        let quota = text(header, "cpu_quota");
        if !quota.is_empty() {
            found.push(Warning::Quota(quota));
        }
        let governor = text(header, "governor");
        if !governor.is_empty() && !same(governor, "performance") {
            found.push(Warning::Governor(governor));
        }
        if is_on(header, "battery") {
            found.push(Warning::Battery);
        }
        let profile = text(header, "power_profile");
        if !profile.is_empty() {
            found.push(Warning::PowerProfile(profile));
        }
        let source = text(header, "clock_source");
        if !source.is_empty() {
            found.push(Warning::ClockSource(source));
        }
        let hypervisor = text(header, "hypervisor");
        if !hypervisor.is_empty() {
            found.push(Warning::Guest(hypervisor));
        }
    }

    /// What to do about it.
    #[inline(never)]
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
            Warning::FixedAddresses => {
                "all launches have the same luck and the intervals are too narrow; start it without \
                 `setarch -R` or a debugger"
            }
            Warning::Quota(_) => {
                "whoever has used it up is stopped for some milliseconds; give the container whole \
                 processors instead"
            }
            Warning::Battery => "plug it in, for saving power changes the cores' frequency",
            Warning::PowerProfile(_) => {
                "choose another one, `powerprofilesctl set performance` or the system's settings"
            }
            Warning::ClockSource(_) => {
                "the kernel's log says why it does not trust the processor's counter"
            }
            Warning::Guest(_) => {
                "trust the intervals, for the host may take the core unseen at any time"
            }
        }
    }

    /// What was found and what to do, in a sentence.
    #[inline(never)]
    pub(crate) fn say(&self, text: &mut Text) {
        match *self {
            Warning::DebugBuild => text.say("debug build, no measure of a release build"),
            Warning::Unoptimised(level) => text.say("optimisation level ").safe(level),
            Warning::Debugger(None) => text.say("debugger attached"),
            Warning::Debugger(Some(name)) => text.say("debugger attached (").safe(name).say(")"),
            Warning::Load { load, cores } => text
                .say("load ")
                .decimal(load, 1)
                .say(" on ")
                .number(cores)
                .say(" cores"),
            Warning::Governor(name) => text.say("frequency governor ").safe(name),
            Warning::FixedAddresses => text.say("addresses are not random"),
            Warning::Quota(quota) => text.say("processor time limited to ").safe(quota),
            Warning::Battery => text.say("running on battery"),
            Warning::PowerProfile(name) => text.say("power profile ").safe(name),
            Warning::ClockSource(name) => text.say("the system's clock is ").safe(name),
            Warning::Guest(name) => text.say("virtual machine (").safe(name).say(")"),
        };
        text.say(": ").say(self.advice());
    }
}

#[inline(never)]
fn value<'a>(header: &'a Header, name: &str) -> Option<&'a FactValue> {
    for fact in &header.facts {
        if same(&fact.name, name) {
            return Some(&fact.value);
        }
    }
    None
}

/// The text of a fact; empty where there is none.
#[inline(never)]
fn text<'a>(header: &'a Header, name: &str) -> &'a str {
    match value(header, name) {
        Some(FactValue::Text(text)) => text,
        _ => "",
    }
}

#[inline(never)]
fn is_on(header: &Header, name: &str) -> bool {
    matches!(value(header, name), Some(FactValue::Flag(true)))
}
