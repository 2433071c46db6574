//! Programs that an emulator of a processor runs, such as QEMU's user mode and valgrind.
//!
//! * The kernel cannot execute the program of another processor unless it knows the emulator (`binfmt_misc`), so workers
//!   start as cargo starts programs: through the runner of the target; without one, as this program was started.
//! * The emulator has threads of its own, which the kernel lists with those of the program.

#[cfg(unix)]
use std::ffi::OsStr;
use std::ffi::OsString;
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
#[cfg(unix)]
fn is_emulated() -> bool {
    emulator().is_some()
}

/// Remembers the emulator's threads: all others than the main one, as long as the program has started none.
#[cfg(unix)]
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

/// The words of cargo's runner (`CARGO_TARGET_<triple>_RUNNER`), if an emulator runs this process; where there is none,
/// the words by which an emulator of another processor was started.
///
/// Without an emulator a runner is not needed, and may be a profiler, which follows child processes by itself; so does an
/// emulator of this processor, such as valgrind, if it is to.
#[cfg(unix)]
pub(crate) fn runner() -> Option<Vec<OsString>> {
    if !is_emulated() {
        return None;
    }
    runner_among(std::env::vars_os(), std::env::consts::ARCH).or_else(emulators_words)
}

/// The words of an emulator of another processor before the program in the command line that the kernel knows.
#[cfg(unix)]
fn emulators_words() -> Option<Vec<OsString>> {
    let executed = Path::new("/proc/thread-self/exe").read_link().ok()?;
    let program = std::env::current_exe().ok()?;
    if processor_of(&executed)? == processor_of(&program)? {
        return None;
    }
    // Emulators answer `/proc/self` for the program, and not this name.
    let known = std::fs::read("/proc/thread-self/cmdline").ok()?;
    let words = words_before(&known, std::env::args_os().count())?;
    // A kernel that knows the emulator starts workers, too; it may pass the program twice.
    let last = std::fs::canonicalize(words.last()?);
    let is_twice =
        last.is_ok_and(|last| std::fs::canonicalize(program).is_ok_and(|own| own == last));
    (!is_twice).then_some(words)
}

/// The processor of an executable, by the number in its header (elf(5)).
#[cfg(unix)]
fn processor_of(executable: &Path) -> Option<[u8; 2]> {
    use std::io::Read;
    let mut header = [0; 20];
    let mut file = std::fs::File::open(executable).ok()?;
    file.read_exact(&mut header).ok()?;
    header
        .starts_with(b"\x7fELF")
        .then_some([header[18], header[19]])
}

/// The words of a command line before the last `own`, if there are any.
#[cfg(unix)]
fn words_before(line: &[u8], own: usize) -> Option<Vec<OsString>> {
    use std::os::unix::ffi::OsStrExt;
    let words: Vec<&[u8]> = line.strip_suffix(b"\0")?.split(|byte| *byte == 0).collect();
    let count = words.len().checked_sub(own).filter(|count| *count > 0)?;
    let words = words[..count].iter();
    Some(
        words
            .map(|word| OsStr::from_bytes(word).to_owned())
            .collect(),
    )
}

/// The runner of programs for an architecture. Cargo splits the variable at spaces.
#[cfg(unix)]
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn an_emulator_stands_before_the_program() {
        let line = b"qemu-arm\0-L\0/usr/arm\0./speed\0--bench\0";
        let words = ["qemu-arm", "-L", "/usr/arm"].map(OsString::from);
        assert_eq!(words_before(line, 2).as_deref(), Some(&words[..]));
        assert_eq!(words_before(line, 5), None);
        assert_eq!(words_before(line, 6), None);
        assert_eq!(words_before(b"", 0), None);
        // With an argument that is empty.
        assert_eq!(
            words_before(b"qemu\0./speed\0\0", 2).map(|words| words.len()),
            Some(1)
        );
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn an_executable_has_a_processor() {
        let own = std::env::current_exe().unwrap();
        assert!(processor_of(&own).is_some());
        assert_eq!(
            processor_of(&own),
            processor_of(Path::new("/proc/self/exe"))
        );
        assert_eq!(processor_of(Path::new("/etc/hostname")), None);
    }

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
