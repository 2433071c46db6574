//! Stores executables in the cache, after a handshake with each.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tourbillon_clock::wall::unix_ns;
use tourbillon_os::{Ending, Launcher};
use tourbillon_record::{Frame, Hello, WORKER_ARGUMENT};
use tourbillon_values::regular_file;

use crate::cache::Cache;
use crate::cache::build::{Build, Executable, FILE, LIBRARIES, fingerprint};
use crate::cache::lock::Unfinished;
use crate::cache::programs::{self, DEPS, around, is_in_deps};
use crate::cache::room::remove_unusable;
use crate::compile::Compile;
use crate::compile::target_directory::set_stamp;
use crate::compile::targets::Target;
use crate::elsewhere::{Platform, platform_of};
use crate::equality::names_built;
use crate::error::{Error, Result, refused};
use crate::key::Digest;

/// Prefix of a worker's first line.
const HELLO: &str = r#"{"type":"hello","#;

/// Longest time without output: code before main may take time.
const PATIENCE: Duration = Duration::from_secs(30);

/// Most bytes that are read before the first line: code before main may print.
const NOISE: usize = 1 << 20;

/// How long a program that has closed its stdout may take to end.
const ENDS: Duration = Duration::from_secs(1);

/// Of its stderr the last line within so many bytes is shown.
const STDERR_BYTES: usize = 1 << 10;

/// Where executables are stored, and how.
#[derive(Clone, Debug)]
pub(crate) struct Keeper {
    pub(crate) cache: Cache,
    /// Whether what executables are linked from is kept, too.
    pub(crate) relink: bool,
}

impl Keeper {
    /// The build that is stored under a key, with the label, commit and flags of `about`.
    pub(crate) fn kept(&self, key: &str, about: &Build) -> Result<Option<Build>> {
        let (folder, build) = self.find(key)?;
        if let Some(path) = build.as_ref().and_then(Build::damaged) {
            let label = &about.label;
            (self.cache.log)(&format!(
                "{path:?} is damaged in the cache; {label} is built again\n"
            ));
            // Without this file the folder is not a build.
            let _ = fs::remove_file(folder.join(FILE));
            return Ok(None);
        }
        Ok(build.map(|build| Build {
            label: about.label.clone(),
            commit: about.commit.clone(),
            dirty: about.dirty,
            flags: about.flags.clone(),
            decisive: about.decisive.clone(),
            way: about.way.clone(),
            ..build
        }))
    }

    /// The build of [`Keeper::kept`], unless its programs name a target directory in which another build was made since:
    /// it is made again.
    pub(crate) fn kept_whole(&self, key: &str, about: &Build) -> Result<Option<Build>> {
        let Some(build) = self.kept(key, about)? else {
            return Ok(None);
        };
        if build.is_built_over() {
            let _ = fs::remove_file(build.folder.join(FILE));
            return Ok(None);
        }
        if build.stamp.is_some() {
            // It is used now: the next revision is built elsewhere.
            set_stamp(&build.target_folders, build.stamp.as_deref())?;
        }
        Ok(Some(build))
    }

    /// The folder of a key, and the build in it. Where what that read is another one now, its place is that of another
    /// key.
    fn find(&self, key: &str) -> Result<(PathBuf, Option<Build>)> {
        let mut key = key.to_owned();
        loop {
            let folder = self.cache.builds().join(&key);
            let build = Build::read(&folder, self.relink, self.cache.log)?;
            match build
                .as_ref()
                .and_then(|build| build.surroundings.changed())
            {
                None => return Ok((folder, build)),
                Some(values) => key = Digest::default().parts(&[key, values]).key(),
            }
        }
    }

    /// The build that is stored under a key and was made just now. The same executables may have been stored when the
    /// checkout had other files: those of now count.
    fn kept_now(&self, key: &str, about: &Build) -> Result<Option<Build>> {
        let build = self.kept(key, about)?;
        if let Some(build) = &build {
            set_stamp(&about.target_folders, build.stamp.as_deref())?;
        }
        Ok(build.map(|build| Build {
            data: about.data.clone(),
            target_folders: about.target_folders.clone(),
            ..build
        }))
    }

    /// Stores executables under a key, unless they are stored already.
    pub(crate) fn keep(
        &self,
        key: &str,
        about: Build,
        targets: &[Target],
        compile: Option<&Compile<'_>>,
    ) -> Result<Build> {
        let kept = self.keep_if(key, about, targets, compile, &|| true)?;
        kept.ok_or_else(|| removed(&self.cache.builds().join(key)))
    }

    /// The same; nothing is stored, and the answer is `None`, if what was compiled twice was not the same: as `is_current`
    /// says after what executables are linked from was compiled.
    pub(crate) fn keep_if(
        &self,
        key: &str,
        about: Build,
        targets: &[Target],
        compile: Option<&Compile<'_>>,
        is_current: &dyn Fn() -> bool,
    ) -> Result<Option<Build>> {
        if let Some(build) = self.kept_now(key, &about)? {
            return Ok(Some(build));
        }
        let unfinished = Unfinished::new(&self.cache.builds(), key)?;
        let mut build = about.clone();
        build.built_unix_ns = unix_ns();
        unfinished.path().clone_into(&mut build.folder);
        let mut kept = Vec::new();
        for (number, target) in targets.iter().enumerate() {
            let own = unfinished.path().join(number.to_string());
            let executable = copied(&own, &about, target)?;
            kept.push((target, executable.path.with_file_name("")));
            build.executables.push(executable);
        }
        if let Some(compile) = compile.filter(|_| self.relink) {
            let again = format!(
                "compiling {} once more: its other placements are linked from that\n",
                about.label
            );
            (self.cache.log)(&again);
            compile.objects(&kept, &about.target_folders)?;
        }
        for executable in &mut build.executables {
            let own = around(&executable.path);
            executable.fingerprint =
                fingerprint(own).map_err(|error| refused(own, "read", &error))?;
        }
        let folders = &about.target_folders;
        let mut executables = build.executables.iter();
        if executables.any(|executable| names_built(executable, folders)) {
            build.stamp = Some(format!("{key}-{}", build.built_unix_ns));
            set_stamp(&build.target_folders, build.stamp.as_deref())?;
        }
        build.write()?;
        if !is_current() {
            return Ok(None);
        }
        // Another program may have stored the same in the meantime.
        if let Some(build) = self.kept_now(key, &about)? {
            return Ok(Some(build));
        }
        let (folder, _) = self.find(key)?;
        remove_unusable(&folder)?;
        unfinished.finish(&folder)?;
        let build = self.kept_now(key, &about)?;
        build.map(Some).ok_or_else(|| removed(&folder))
    }
}

/// Copies an executable to a folder of its own, of which there is no fingerprint yet. As in cargo's, it is in `deps`, and
/// the programs of its package are above, where it has some or may look for them.
fn copied(own: &Path, about: &Build, target: &Target) -> Result<Executable> {
    let deps = own.join(DEPS);
    let is_shipped = target.package.is_empty();
    let is_above = is_shipped && is_in_deps(&target.executable) || !target.programs.is_empty();
    let folder = if is_above { deps.as_path() } else { own };
    fs::create_dir_all(folder).map_err(|error| refused(folder, "created", &error))?;
    let programs =
        programs::copy(&target.programs, own).map_err(|error| refused(own, "written", &error))?;
    let path = folder.join(&target.name);
    regular_file::copy(&target.executable, &path)
        .map_err(|error| refused(&path, "written", &error))?;
    for library in &target.libraries.needed {
        let libraries = folder.join(LIBRARIES);
        let copy = libraries.join(library.file_name().unwrap_or_default());
        fs::create_dir_all(&libraries)
            .and_then(|()| regular_file::copy(library, &copy))
            .map_err(|error| refused(&copy, "written", &error))?;
    }
    let mut executable = Executable {
        programs,
        ..Executable::new(target, path)
    };
    match handshake(&executable, about) {
        Ok(hello) => (executable.engine, executable.protocol) = (hello.engine, hello.protocol),
        // One for another machine is greeted there.
        Err(_) if platform_of(&executable.path) != Platform::OWN => {}
        Err(why) => return Err(no_worker(&target.name, &about.label, &why)),
    }
    Ok(executable)
}

impl Build {
    /// Greets executables that were built for this machine on another one, which could not start them.
    ///
    /// # Errors
    ///
    /// When one of them is no worker.
    pub fn greet(&mut self) -> Result<()> {
        for at in 0..self.executables.len() {
            let executable = &self.executables[at];
            if executable.engine.is_empty() {
                let hello = handshake(executable, self)
                    .map_err(|why| no_worker(&executable.target, &self.label, &why))?;
                let executable = &mut self.executables[at];
                (executable.engine, executable.protocol) = (hello.engine, hello.protocol);
            }
        }
        Ok(())
    }
}

fn no_worker(target: &str, label: &str, why: &str) -> Error {
    Error::Environment(format!("{target} of {label} {why}"))
}

fn removed(folder: &Path) -> Error {
    Error::Environment(format!("{folder:?} was removed meanwhile; try again"))
}

/// Starts an executable as a worker, reads its first message and ends it.
///
/// The executable must use tourbillon: any other program would simply run.
///
/// # Errors
///
/// What it does instead.
fn handshake(executable: &Executable, build: &Build) -> std::result::Result<Hello, String> {
    let program = tourbillon_os::Executable::at(&executable.path);
    let mut launcher = Launcher::new(&program);
    launcher.argument(WORKER_ARGUMENT);
    for (name, value) in executable.variables(build) {
        launcher.variable(&name, &value);
    }
    // Its main may read files before it greets.
    if let Some(folder) = executable.folder() {
        launcher.folder(folder);
    }
    let mut child = launcher
        .start()
        .map_err(|error| format!("cannot be started: {error}"))?;
    greeting(&mut child).ok_or_else(|| no_greeting(&mut child))
}

/// What a program does that does not greet.
fn no_greeting(child: &mut tourbillon_os::Child) -> String {
    let hint = "; its main must begin with tourbillon::main()";
    let (what, hint) = match child.wait(ENDS) {
        Ok(Some(Ending::Exited(0)) | None) | Err(_) => {
            return format!("does not start as a worker{hint}");
        }
        // A library is missing, as the loader says.
        Ok(Some(ending @ Ending::Exited(127))) => (ending, ""),
        Ok(Some(ending @ Ending::Exited(_))) => (ending, hint),
        Ok(Some(ending)) => (ending, ""),
    };
    let stderr = child.stderr_tail(STDERR_BYTES);
    let stderr = String::from_utf8_lossy(&stderr);
    // A panic's last line is how to get a backtrace.
    let says = |line: &&str| {
        !line.trim().is_empty() && !line.starts_with("note: run with `RUST_BACKTRACE")
    };
    let last = stderr.lines().rfind(says);
    let said = last.map_or_else(String::new, |line| {
        format!("; stderr ends with: {}", line.trim().escape_debug())
    });
    format!("{what} when it was started as a worker{said}{hint}")
}

/// The first message of a worker; `None` if there is none.
fn greeting(child: &mut tourbillon_os::Child) -> Option<Hello> {
    let mut output = Vec::new();
    let mut chunk = [0; 4096];
    while output.len() < NOISE {
        let ready = child.wait_ready(true, None, PATIENCE).ok()?;
        let count = if ready.output {
            child.read(&mut chunk).ok()?
        } else {
            0
        };
        if count == 0 {
            return None;
        }
        output.extend_from_slice(&chunk[..count]);
        if let Some(hello) = hello(&output) {
            return Some(hello);
        }
    }
    None
}

/// The first complete hello message.
fn hello(output: &[u8]) -> Option<Hello> {
    let text = String::from_utf8_lossy(output);
    let complete = text
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'));
    let mut messages = complete.filter_map(|line| Some(line[line.rfind(HELLO)?..].trim_end()));
    messages.find_map(|message| match Frame::decode(message) {
        Ok(Frame::Hello(hello)) => Some(hello),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::lock::{Lock, USED};
    use crate::compile::surroundings::Surroundings;

    #[test]
    fn a_hello_is_found_after_noise() {
        let expected = Hello {
            protocol: 7,
            engine: "e".to_owned(),
        };
        let line = Frame::Hello(expected.clone()).encode();
        let whole = format!("loading\nno line break{line}\n");
        assert_eq!(hello(whole.as_bytes()), Some(expected));
        assert_eq!(hello(line.as_bytes()), None, "incomplete");
        assert_eq!(hello(b"{\"type\":\"hello\",\n"), None);
    }

    #[test]
    fn a_build_that_read_other_values_is_not_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let keeper = Keeper {
            cache: Cache::at(folder.path()),
            relink: false,
        };
        let store = |folder: &Path, surroundings| {
            fs::create_dir_all(folder).expect("a folder");
            let build = Build {
                folder: folder.to_owned(),
                surroundings,
                ..Build::default()
            };
            build.write().expect("written");
        };
        let (first, none) = keeper.find("key").expect("no error");
        assert_eq!(
            (first.file_name(), none.is_some()),
            (Some("key".as_ref()), false)
        );
        store(&first, Surroundings::of_another_path());
        let (other, none) = keeper.find("key").expect("no error");
        assert!(other != first && none.is_none(), "{other:?}");
        store(&other, Surroundings::default());
        let (again, found) = keeper.find("key").expect("no error");
        assert!(again == other && found.is_some(), "{again:?}");
        let about = Build::default();
        assert!(keeper.kept("key", &about).expect("no error").is_some());
        assert!(first.is_dir(), "another program may use it");
    }

    #[test]
    fn what_another_program_uses_is_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let keeper = Keeper {
            cache: Cache::at(folder.path()),
            relink: false,
        };
        // Without a description, as of another version.
        let place = keeper.cache.builds().join("key");
        fs::create_dir_all(&place).expect("a folder");
        fs::write(place.join("speed"), "in use").expect("a file");
        let used = Lock::share(&place.join(USED)).expect("a lock");
        let keep = || keeper.keep("key", Build::default(), &[], None);
        let error = keep().expect_err("it is in use").to_string();
        assert!(error.contains("try again when that has ended"), "{error}");
        assert!(place.join("speed").is_file());
        drop(used);
        keep().expect("a build");
        assert!(!place.join("speed").exists() && place.join(FILE).is_file());
        // Nothing else is left there.
        let names = fs::read_dir(keeper.cache.builds()).expect("a folder");
        assert_eq!(names.count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn other_programs_send_no_hello() {
        let why = |path: &str| {
            let executable = Executable::new(&Target::default(), path.into());
            handshake(&executable, &Build::default()).expect_err("no worker")
        };
        assert!(why("/bin/false").contains("tourbillon::main()"));
        let missing = why("/no/such/file");
        assert!(missing.starts_with("cannot be started: "), "{missing}");
    }
}
