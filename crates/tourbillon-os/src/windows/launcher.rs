//! Starts processes.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString, c_void};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::ffi::OsStrExt;
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::path::Path;
use std::ptr;

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, CREATE_SUSPENDED, CREATE_UNICODE_ENVIRONMENT, CreateProcessW,
    DeleteProcThreadAttributeList, EXTENDED_STARTUPINFO_PRESENT, InitializeProcThreadAttributeList,
    LPPROC_THREAD_ATTRIBUTE_LIST, PROC_THREAD_ATTRIBUTE_GROUP_AFFINITY,
    PROC_THREAD_ATTRIBUTE_HANDLE_LIST, PROC_THREAD_ATTRIBUTE_JOB_LIST, PROCESS_INFORMATION,
    ResumeThread, STARTF_USESTDHANDLES, STARTUPINFOEXW, UpdateProcThreadAttribute,
};

use super::affinity::{for_new_process, pass_on};
use super::call::{owned, succeeded, with_end};
use super::child::Child;
use super::job::Job;
use super::output::Output;
use super::pipe::{from_child, inheritable, inherited, to_child};
use crate::command_line::{command_line, environment_block};
use crate::stderr_file::StderrFile;
use crate::{ErrorOutput, Executable};

/// Starts an executable repeatedly, with the same arguments and variables.
#[derive(Debug)]
pub struct Launcher {
    executable: Executable,
    arguments: Vec<OsString>,
    variables: Vec<(OsString, OsString)>,
    folder: Option<OsString>,
    stderr: ErrorOutput,
}

impl Launcher {
    /// Starts `executable`; the stderr of each process goes to a file of its own.
    pub fn new(executable: &Executable) -> Launcher {
        Launcher {
            executable: executable.clone(),
            arguments: Vec::new(),
            variables: Vec::new(),
            folder: None,
            stderr: ErrorOutput::File,
        }
    }

    /// Adds an argument for all later starts.
    pub fn argument(&mut self, argument: impl AsRef<OsStr>) {
        self.arguments.push(argument.as_ref().to_owned());
    }

    /// Sets the destination of stderr for all later starts.
    pub fn stderr(&mut self, stderr: ErrorOutput) {
        self.stderr = stderr;
    }

    /// Adds a variable to the environment of all later starts.
    pub fn variable(&mut self, name: &OsStr, value: &OsStr) {
        self.variables.retain(|(other, _)| other != name);
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    /// Sets the folder of all later starts; the path of the executable must be absolute.
    pub fn folder(&mut self, folder: &Path) {
        self.folder = Some(folder.as_os_str().to_owned());
    }

    /// Starts a process, on the processors that the calling thread may run on.
    ///
    /// # Errors
    /// If the process or its temporary file cannot be created.
    pub fn start(&mut self) -> io::Result<Child> {
        let (stderr, shown) = match self.stderr {
            ErrorOutput::File => {
                let file = StderrFile::create()?;
                let shown = inheritable(file.for_child()?.as_raw_handle())?;
                (Some(file), shown)
            }
            ErrorOutput::Inherit => (None, own_stderr()?),
        };
        let (theirs, input) = to_child()?;
        let stdin = inheritable(theirs.as_raw_handle())?;
        let (ours, theirs) = from_child()?;
        let stdout = inheritable(theirs.as_raw_handle())?;
        let output = Output::new(ours)?;
        let job = Job::new()?;
        let process = self.create(&job, &[stdin, stdout, shown])?;
        Ok(Child::new(process, job, input, output, stderr))
    }

    /// Creates the process, and has it begin.
    fn create(&self, job: &Job, streams: &[OwnedHandle; 3]) -> io::Result<(u32, OwnedHandle)> {
        let environment = self.environment()?;
        let program = self.executable.path().as_os_str();
        let created = Created::new(
            program,
            self.command_line()?,
            &environment,
            self.folder.as_deref(),
            job,
            streams,
        )?;
        created.resume()?;
        Ok((created.id, created.process))
    }

    /// The command line with a 0 at its end.
    fn command_line(&self) -> io::Result<Vec<u16>> {
        let text = |text: &OsString| {
            let mut units = with_end(text)?;
            units.pop();
            Ok(units)
        };
        let program = text(self.executable.shown())?;
        let arguments: io::Result<Vec<_>> = self.arguments.iter().map(text).collect();
        let mut line = command_line(&program, &arguments?);
        line.push(0);
        Ok(line)
    }

    /// The environment of this process with the variables of this launcher.
    fn environment(&self) -> io::Result<Vec<u16>> {
        for (name, value) in &self.variables {
            with_end(name)?;
            with_end(value)?;
        }
        let all = std::env::vars_os().chain(self.variables.iter().cloned());
        let units = |text: OsString| text.encode_wide().collect();
        Ok(environment_block(
            all.map(|(name, value)| (units(name), units(value))),
        ))
    }
}

/// A process that has not begun.
pub(crate) struct Created {
    pub(crate) id: u32,
    pub(crate) process: OwnedHandle,
    thread: OwnedHandle,
}

impl Created {
    /// Creates a process with its stdin, stdout and stderr, and no other handles but inherited pipes. Line and environment
    /// end with a 0.
    pub(crate) fn new(
        program: &OsStr,
        mut line: Vec<u16>,
        environment: &[u16],
        folder: Option<&OsStr>,
        job: &Job,
        streams: &[OwnedHandle; 3],
    ) -> io::Result<Created> {
        let streams: Vec<HANDLE> = streams.iter().map(AsRawHandle::as_raw_handle).collect();
        let handles = [streams.clone(), inherited()].concat();
        let jobs = [job.handle()];
        let group = for_new_process()?;
        let group = group.as_slice();
        // The system refuses a handle that is in the list twice.
        debug_assert_eq!(handles.iter().collect::<BTreeSet<_>>().len(), handles.len());
        let mut attributes = Attributes::new(2 + group.len() as u32)?;
        attributes.set(PROC_THREAD_ATTRIBUTE_HANDLE_LIST, &handles)?;
        // From its first instruction on it is in the job.
        attributes.set(PROC_THREAD_ATTRIBUTE_JOB_LIST, &jobs)?;
        if !group.is_empty() {
            attributes.set(PROC_THREAD_ATTRIBUTE_GROUP_AFFINITY, group)?;
        }
        let mut startup = STARTUPINFOEXW {
            lpAttributeList: attributes.list(),
            ..STARTUPINFOEXW::default()
        };
        startup.StartupInfo.cb = size_of::<STARTUPINFOEXW>() as u32;
        startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
        startup.StartupInfo.hStdInput = streams[0];
        startup.StartupInfo.hStdOutput = streams[1];
        startup.StartupInfo.hStdError = streams[2];
        let program = with_end(program)?;
        let folder = folder.map(with_end).transpose()?;
        let folder = folder
            .as_ref()
            .map_or(ptr::null(), |folder| folder.as_ptr());
        // Interruptions of the console are for this process; it decides what becomes of its children.
        let flags = EXTENDED_STARTUPINFO_PRESENT
            | CREATE_UNICODE_ENVIRONMENT
            | CREATE_NEW_PROCESS_GROUP
            | CREATE_SUSPENDED;
        let mut created = PROCESS_INFORMATION::default();
        // SAFETY: the texts end with 0; everything that pointers lead to outlives the call; the line may
        // be written to.
        succeeded(unsafe {
            CreateProcessW(
                program.as_ptr(),
                line.as_mut_ptr(),
                ptr::null(),
                ptr::null(),
                1,
                flags,
                environment.as_ptr().cast(),
                folder,
                &raw const startup.StartupInfo,
                &raw mut created,
            )
        })?;
        // SAFETY: the call succeeded, and both handles are new.
        let (process, thread) = unsafe { (owned(created.hProcess)?, owned(created.hThread)?) };
        pass_on(process.as_raw_handle())?;
        Ok(Created {
            id: created.dwProcessId,
            process,
            thread,
        })
    }

    /// Has it begin.
    pub(crate) fn resume(&self) -> io::Result<()> {
        // SAFETY: a handle that is open.
        match unsafe { ResumeThread(self.thread.as_raw_handle()) } {
            u32::MAX => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }
}

/// The stderr of this process for a child; the null device where there is none, as in a program without
/// a console.
fn own_stderr() -> io::Result<OwnedHandle> {
    let own = io::stderr().as_raw_handle();
    match inheritable(own) {
        Ok(copy) if !own.is_null() => Ok(copy),
        _ => {
            let null: File = OpenOptions::new().write(true).open("NUL")?;
            inheritable(null.as_raw_handle())
        }
    }
}

/// What a process is created with. The list must not outlive what its entries point to.
struct Attributes<'v> {
    /// Aligned as the system wants it.
    list: Vec<usize>,
    /// Values of the entries.
    values: std::marker::PhantomData<&'v [()]>,
}

impl<'v> Attributes<'v> {
    fn new(count: u32) -> io::Result<Attributes<'v>> {
        let mut bytes = 0;
        // SAFETY: asks for the size. That this is an error of the call is documented.
        unsafe { InitializeProcThreadAttributeList(ptr::null_mut(), count, 0, &raw mut bytes) };
        let mut list = vec![0_usize; bytes.div_ceil(size_of::<usize>())];
        // SAFETY: the list has the size that the system asked for.
        succeeded(unsafe {
            InitializeProcThreadAttributeList(list.as_mut_ptr().cast(), count, 0, &raw mut bytes)
        })?;
        Ok(Attributes {
            list,
            values: std::marker::PhantomData,
        })
    }

    fn set<T>(&mut self, attribute: u32, values: &'v [T]) -> io::Result<()> {
        let value: *const c_void = values.as_ptr().cast();
        // SAFETY: the value and its size are those of a slice that outlives the list.
        succeeded(unsafe {
            UpdateProcThreadAttribute(
                self.list(),
                0,
                attribute as usize,
                value,
                size_of_val(values),
                ptr::null_mut(),
                ptr::null(),
            )
        })
    }

    fn list(&mut self) -> LPPROC_THREAD_ATTRIBUTE_LIST {
        self.list.as_mut_ptr().cast()
    }
}

impl Drop for Attributes<'_> {
    fn drop(&mut self) {
        // SAFETY: it was initialised.
        unsafe { DeleteProcThreadAttributeList(self.list()) };
    }
}
