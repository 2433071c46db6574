//! Troubles of machines and builds.

/// The system on which something was measured, which need not be the one that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// Linux, and what is like it.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

/// What makes figures of a machine or a build worse, the most serious first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// A build with debug assertions.
    DebugBuild,
    /// A build that is hardly optimised.
    HardlyOptimised,
    /// A debugger or a tracer.
    Debugger,
    /// All launches have the same addresses.
    FixedAddresses(System),
    /// Another processor's instructions.
    Emulator,
    /// Too little processor time is allowed.
    Quota,
    /// The frequency follows the load.
    Governor,
    /// A profile that saves power.
    PowerProfile,
    /// A plan that saves power.
    PowerPlan,
    /// The system's clock is not the processor's counter.
    ClockSource,
    /// Some cores are slower than others.
    CoreKinds(System),
    /// A mode that saves power.
    LowPowerMode,
    /// No mains.
    Battery,
    /// The host shares its processors.
    VirtualMachine,
    /// The processor slowed itself down.
    Heat,
    /// Memory was swapped out.
    Swap,
}

impl Trouble {
    /// What is wrong, with `{}` for a detail, and what to do.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Trouble::DebugBuild => (
                "debug build, not a measure of a release build",
                "run `cargo bench`, and leave debug-assertions off in [profile.bench]",
            ),
            Trouble::HardlyOptimised => (
                "optimisation level {}",
                "set opt-level = 3 in [profile.bench]",
            ),
            Trouble::Debugger => (
                "debugger attached{}",
                "detach it, because it slows down what it traces",
            ),
            Trouble::FixedAddresses(system) => (
                "addresses are not random: all launches share one memory layout, and the intervals are too narrow",
                match system {
                    System::Windows => "switch it on in Windows Security, Exploit protection",
                    System::Linux | System::MacOs => "start it without `setarch -R` or a debugger",
                },
            ),
            Trouble::Emulator => (
                "an emulator ({}) runs the program: what it translates has no figure of a processor",
                "start it without, on a processor of the kind for which it was built",
            ),
            Trouble::Quota => (
                "processor time limited to {}: the process is stopped for milliseconds whenever it has used that up",
                "give the container whole processors instead",
            ),
            Trouble::Governor => (
                "frequency governor {}",
                "compare cycles rather than times, or `cpupower frequency-set -g performance` as root, until the next start",
            ),
            Trouble::PowerProfile => (
                "power profile {}",
                "choose another one, with `powerprofilesctl set performance` or in the system's settings",
            ),
            Trouble::PowerPlan => (
                "power plan {}",
                "choose another one, with `powercfg /setactive SCHEME_MIN` or in the system's settings",
            ),
            Trouble::ClockSource => (
                "the system's clock is {}",
                "the kernel's log explains why it does not trust the processor's counter",
            ),
            Trouble::CoreKinds(system) => (
                "cores of two kinds, {} of them slower",
                match system {
                    System::MacOs => {
                        "workers ask for the fast ones; end other programs, which may take these"
                    }
                    System::Linux | System::Windows => "keep workers on one kind with --cpus",
                },
            ),
            Trouble::LowPowerMode => (
                "low-power mode: cores stay slow",
                "switch it off with `sudo pmset -a lowpowermode 0` or in the system's settings",
            ),
            Trouble::Battery => (
                "running on battery",
                "plug it in, because saving power changes the frequency",
            ),
            Trouble::VirtualMachine => (
                "virtual machine ({}): the host may take the core unseen at any time",
                "trust the intervals, compare builds in one run, and use a dedicated machine for absolute figures",
            ),
            Trouble::Heat => (
                "slowed down by heat",
                "let it cool, clean the fans, and switch turbo off",
            ),
            Trouble::Swap => (
                "{} came from the swap space",
                "end programs that hold memory, or use smaller inputs",
            ),
        }
    }

    /// What to do.
    pub const fn remedy(self) -> &'static str {
        self.words().1
    }

    /// What is wrong, with a detail of it, and what to do.
    pub fn text(self, detail: &str) -> String {
        let (what, remedy) = self.words();
        let joint = if what.contains(": ") { ';' } else { ':' };
        format!("{}{joint} {remedy}", what.replace("{}", detail))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remedy_follows_what_is_wrong() {
        let of = [
            Trouble::Quota.text("0.50 processors"),
            Trouble::Battery.text(""),
        ];
        assert_eq!(
            of,
            [
                "processor time limited to 0.50 processors: the process is stopped for milliseconds whenever it has \
                 used that up; give the container whole processors instead",
                "running on battery: plug it in, because saving power changes the frequency",
            ]
        );
    }
}
