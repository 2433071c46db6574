//! Registered functions, the list that constructors fill before `main`, and the cases of each function.

#[cfg(all(unix, not(miri)))]
use std::ffi::OsString;
use std::fmt;
use std::mem::take;
use std::ops::ControlFlow;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use tourbillon_coordinator::output::fail_without_main;
use tourbillon_engine::Visitor;
use tourbillon_record::{Argument, Case};

use super::settings::Settings;
use crate::bencher::Bencher;

/// A function with the attribute: what it is, and the code that visits its cases.
///
/// `cargo tourbillon compare` reads the beginning in executables, up to the column: `equality/reach/registrations.rs` of
/// `tourbillon-builds` has where each field is.
#[derive(Debug)]
#[repr(C)]
pub struct Entry {
    pub(super) origin: Origin,
    pub(super) settings: Settings,
    axes: &'static [&'static str],
    cases: fn(&mut Cases<'_>) -> Flow,
    /// The entry that was registered before this one.
    before: AtomicPtr<Entry>,
}

/// Where a function is in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Origin {
    /// Package; `None` where no package manager named it.
    pub package: Option<&'static str>,
    /// Module path; its first segment is the crate, which is the bench target.
    pub module: &'static str,
    /// Name of the function.
    pub function: &'static str,
    /// Source file.
    pub file: &'static str,
    /// Line of the function's name, from 1.
    pub line: u32,
    /// Column of the function's name, from 1.
    pub column: u32,
    /// The compiler's flags that decide about the code, separated by unit separators; empty where they were
    /// not seen.
    pub compiler: &'static str,
    /// Whether a bench or test target was compiled with the standard harness.
    pub has_standard_harness: bool,
}

/// Whether to go on with the next case.
pub type Flow = ControlFlow<()>;

/// The entry that was registered last.
static LAST: AtomicPtr<Entry> = AtomicPtr::new(ptr::null_mut());

impl Entry {
    /// An entry that is not registered yet.
    pub const fn new(
        origin: Origin,
        settings: Settings,
        axes: &'static [&'static str],
        cases: fn(&mut Cases<'_>) -> Flow,
    ) -> Self {
        Self {
            origin,
            settings,
            axes,
            cases,
            before: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// Adds the entry to the list; to be called once, by a constructor. Little may be relied on before `main`: it reads
    /// the command line, and has a list for programs wait for [`main`](crate::main).
    pub fn register(&'static self) {
        let new = ptr::from_ref(self).cast_mut();
        let mut last = LAST.load(Ordering::Relaxed);
        loop {
            self.before.store(last, Ordering::Relaxed);
            match LAST.compare_exchange_weak(last, new, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => break,
                Err(other) => last = other,
            }
        }
        if self.origin.has_standard_harness {
            fail_without_main();
        } else if last.is_null() {
            #[cfg(all(unix, not(miri)))]
            if is_list_for_programs(std::env::args_os()) {
                tourbillon_os::hold_stdout();
            }
        }
    }

    /// All entries, in the order that the linker gave the constructors.
    pub(super) fn all() -> Vec<&'static Entry> {
        let mut entries = Vec::new();
        let mut next = LAST.load(Ordering::Acquire);
        // SAFETY: the pointer is null or comes from `register`, which takes `&'static Entry` and releases
        // the entry's own link together with it; there is no `&mut Entry` anywhere.
        while let Some(entry) = unsafe { next.as_ref() } {
            entries.push(entry);
            next = entry.before.load(Ordering::Relaxed);
        }
        entries
    }

    /// The function's name, or the one that the attribute gives it.
    pub(super) fn name(&self) -> &'static str {
        self.settings.name.unwrap_or(self.origin.function)
    }

    /// `package/target::module::function`.
    pub(super) fn path(&self) -> String {
        let Origin { module, .. } = self.origin;
        format!("{}/{module}::{}", self.origin.package(), self.name())
    }

    /// Has `visitor` visit all cases; `Continue` holds the first axis without values, if there is one.
    pub(super) fn visit(
        &'static self,
        visitor: &mut dyn Visitor,
    ) -> ControlFlow<(), Option<&'static str>> {
        let path = self.path();
        if !visitor.wants_some(&path) {
            return ControlFlow::Continue(None);
        }
        let mut cases = Cases {
            entry: self,
            path,
            visitor,
            labels: Vec::new(),
            empty: None,
        };
        (self.cases)(&mut cases)?;
        ControlFlow::Continue(cases.empty)
    }
}

/// Whether a command line asks for a list that a program reads, such as a test runner.
#[cfg(all(unix, not(miri)))]
fn is_list_for_programs(arguments: impl Iterator<Item = OsString>) -> bool {
    let (mut lists, mut is_for_programs, mut is_format) = (false, false, false);
    for word in arguments.skip(1) {
        lists |= word == "--list";
        is_for_programs |= word == "--format=terse" || word == "--format=jsonl";
        is_for_programs |= is_format && (word == "terse" || word == "jsonl");
        is_format = word == "--format";
    }
    lists && is_for_programs
}

impl Origin {
    /// The package; the target where no package manager built it.
    pub(crate) fn package(&self) -> &'static str {
        self.package.unwrap_or(self.target())
    }

    /// The target: the crate's name, with `_` for `-`.
    pub(crate) fn target(&self) -> &'static str {
        self.split().0
    }

    /// The module path below the target; empty at its root.
    fn inner_module(&self) -> &'static str {
        self.split().1
    }

    fn split(&self) -> (&'static str, &'static str) {
        self.module.split_once("::").unwrap_or((self.module, ""))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Takes the values of a function's axes and visits its cases.
pub struct Cases<'a> {
    entry: &'static Entry,
    path: String,
    visitor: &'a mut dyn Visitor,
    labels: Vec<String>,
    empty: Option<&'static str>,
}

impl Cases<'_> {
    /// All values of the axis with this index.
    pub fn values<I: IntoIterator>(&mut self, axis: usize, items: I) -> Vec<I::Item> {
        let values = Vec::from_iter(items);
        if values.is_empty() && self.empty.is_none() {
            self.empty = self.entry.axes.get(axis).copied();
        }
        values
    }

    /// The label of the next case's value on the next axis.
    pub fn label(&mut self, value: String) {
        self.labels.push(value);
    }

    /// Visits one case, with the labels since the one before.
    pub fn visit(&mut self, run: &mut dyn FnMut(Bencher<'_>) -> Result<(), String>) -> Flow {
        let labels = take(&mut self.labels);
        let arguments = self.entry.axes.iter().zip(&labels);
        let mut id = self.path.clone();
        if !labels.is_empty() {
            let pairs: Vec<String> = arguments
                .clone()
                .map(|(axis, value)| format!("{axis}={value}"))
                .collect();
            id += &format!("[{}]", pairs.join(","));
        }
        if !self.visitor.wants(&id) {
            return Flow::Continue(());
        }
        let Entry {
            origin, settings, ..
        } = self.entry;
        let case = Case {
            id,
            group: settings.group.unwrap_or(origin.inner_module()).to_owned(),
            name: self.entry.name().to_owned(),
            arguments: arguments
                .map(|(axis, value)| Argument {
                    axis: (*axis).to_owned(),
                    value: value.clone(),
                })
                .collect(),
            tags: settings.tags.iter().map(|&tag| tag.to_owned()).collect(),
            reference: settings.reference,
            ignored: settings.ignored.map(str::to_owned),
            at_most: settings.at_most.map(str::to_owned),
            verify: (!settings.verify.is_empty()).then(|| {
                settings
                    .verify
                    .iter()
                    .map(|&text| text.to_owned())
                    .collect()
            }),
            file: origin.file.to_owned(),
            line: origin.line,
            ..Case::default()
        };
        let options = &settings.options;
        self.visitor.case(&case, options, &mut |driver| {
            run(Bencher::new(driver).measured_in(options.metric))
        })
    }
}

impl fmt::Debug for Cases<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cases")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

/// Has a static [`Entry`] registered when the program starts.
///
/// The pointer goes where the platform's start-up code looks for constructors. Each of these
/// sections is kept by the linker as a whole; `#[used]` keeps the static until then.
#[doc(hidden)]
#[macro_export]
macro_rules! __register {
    ($entry:ident) => {
        #[cfg(not(any(
            windows,
            target_vendor = "apple",
            target_family = "wasm",
            all(unix, not(target_os = "aix"))
        )))]
        ::core::compile_error!("tourbillon does not know how programs start on this target");

        #[used]
        #[cfg_attr(windows, unsafe(link_section = ".CRT$XCU"))]
        #[cfg_attr(
            target_vendor = "apple",
            unsafe(link_section = "__DATA,__mod_init_func,mod_init_funcs")
        )]
        #[cfg_attr(
            any(target_family = "wasm", all(unix, not(target_vendor = "apple"))),
            unsafe(link_section = ".init_array")
        )]
        static __TOURBILLON_CONSTRUCTOR: extern "C" fn() = {
            extern "C" fn register() {
                $entry.register();
            }
            register
        };
    };
}
