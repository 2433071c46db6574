//! Programs that an emulator of a processor runs, such as QEMU's user mode.
//!
//! * The kernel cannot execute such a program unless it knows the emulator (`binfmt_misc`), so workers start as
//!   cargo starts programs: through the runner of the target.
//! * The emulator has threads of its own, which the kernel lists with those of the program.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::OnceLock;

/// Threads of the emulator: their names in `/proc/self/task`.
static THREADS: OnceLock<Vec<OsString>> = OnceLock::new();

/// The name of the emulator of a processor that runs this process, such as `qemu-aarch64`; `None` on the processor
/// itself.
#[must_use]
pub fn emulator() -> Option<String> {
    // Emulators answer the first name with the program, the kernel the second one with what it executes.
    let program = Path::new("/proc/self/exe").read_link().ok()?;
    let executed = Path::new("/proc/thread-self/exe").read_link().ok()?;
    let name = executed.file_name()?.to_string_lossy().into_owned();
    (program != executed).then_some(name)
}

/// Whether an emulator runs this process.
fn is_emulated() -> bool {
    emulator().is_some()
}

/// Remembers the emulator's threads: all others than the main one, as long as the program has started none.
pub(crate) fn remember_threads() {
    if !is_emulated() {
        return;
    }
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else {
        return;
    };
    let main = OsString::from(std::process::id().to_string());
    let names = threads.flatten().map(|thread| thread.file_name());
    let _ = THREADS.set(names.filter(|name| *name != main).collect());
}

/// The threads of [`remember_threads`].
pub(crate) fn threads() -> &'static [OsString] {
    THREADS.get().map_or(&[], Vec::as_slice)
}

/// The words of cargo's runner (`CARGO_TARGET_<triple>_RUNNER`), if an emulator runs this process.
///
/// Without an emulator a runner is not needed, and may be a profiler, which follows child processes by itself.
pub(crate) fn runner() -> Option<Vec<OsString>> {
    if !is_emulated() {
        return None;
    }
    runner_among(std::env::vars_os(), std::env::consts::ARCH)
}

/// The runner of programs for an architecture. Cargo splits the variable at spaces.
fn runner_among(
    variables: impl Iterator<Item = (OsString, OsString)>,
    architecture: &str,
) -> Option<Vec<OsString>> {
    let prefix = format!("CARGO_TARGET_{}", architecture.to_uppercase());
    let is_runner = |name: &OsStr| {
        name.to_str()
            .is_some_and(|name| name.starts_with(&prefix) && name.ends_with("_RUNNER"))
    };
    let (_, runner) = variables.into_iter().find(|(name, _)| is_runner(name))?;
    let words: Vec<OsString> = runner
        .to_str()?
        .split_whitespace()
        .map(OsString::from)
        .collect();
    (!words.is_empty()).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn among(variables: &[(&str, &str)]) -> Option<Vec<OsString>> {
        let variables = variables
            .iter()
            .map(|(name, value)| (OsString::from(name), OsString::from(value)));
        runner_among(variables, "aarch64")
    }

    #[test]
    fn the_variable_of_the_architecture_is_split_at_spaces() {
        let set = among(&[
            ("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "ld"),
            ("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", "perf stat"),
            (
                "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER",
                "qemu-aarch64  -L /usr/arm",
            ),
        ]);
        let words = ["qemu-aarch64", "-L", "/usr/arm"].map(OsString::from);
        assert_eq!(set, Some(words.to_vec()));
    }

    #[test]
    fn an_empty_variable_is_no_runner() {
        assert_eq!(
            among(&[("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUNNER", " ")]),
            None
        );
        assert_eq!(among(&[("CARGO_TARGET_DIR", "target")]), None);
    }
}
