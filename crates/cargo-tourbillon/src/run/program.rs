//! The bench programs that `run` starts.

use std::ffi::OsString;
use std::path::PathBuf;

use tourbillon_builds::{Build, Hold, Invocation, Target, library_path, variables_of_program};

/// A bench target that was built here, or one of a bundle.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) package: String,
    pub(super) name: String,
    pub(super) executable: PathBuf,
    /// The folder of its package; `None` if this machine does not have it.
    folder: Option<PathBuf>,
    /// The words of cargo's runner, such as an emulator; mostly none.
    runner: Vec<String>,
    /// Variables that it is started with.
    environment: Vec<(OsString, OsString)>,
    /// Keeps the build of a bundle in the cache.
    _hold: Option<Hold>,
}

impl From<Target> for Program {
    fn from(target: Target) -> Program {
        let folder = Some(target.folder.as_path());
        let mut environment = Vec::from_iter(variables_of_program(&target.environment, folder));
        environment.extend(library_path(&target.libraries.folders, &environment));
        Program {
            package: target.package,
            name: target.name,
            executable: target.executable,
            folder: Some(target.folder),
            runner: target.runner,
            environment,
            _hold: None,
        }
    }
}

impl Program {
    /// The programs of a build, which keep their records in `store`, if there is one.
    pub(super) fn of_build(build: &Build, store: Option<String>) -> Vec<Program> {
        let of_store = store.map(|store| ("TOURBILLON_STORE".into(), store.into()));
        let programs = build.executables.iter().map(|executable| {
            let mut environment = executable.variables(build);
            environment.extend(of_store.clone());
            Program {
                package: executable.package.clone(),
                name: executable.target.clone(),
                executable: executable.path.clone(),
                folder: executable.home.clone(),
                runner: Vec::new(),
                environment,
                _hold: build.hold.clone(),
            }
        });
        programs.collect()
    }

    /// The program as cargo would start it: in the folder of its package, with its variables.
    pub(super) fn invocation(&self) -> Invocation {
        let mut invocation = Invocation::through(&self.runner, &self.executable);
        let process = invocation.process();
        process.envs(self.environment.iter().cloned());
        tourbillon_stepper::offer(process);
        if let Some(folder) = &self.folder {
            process.current_dir(folder);
        }
        invocation
    }
}
