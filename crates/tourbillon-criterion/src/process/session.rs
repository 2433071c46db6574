//! What this process does with the benchmarks that its suite comes to.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::process;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tourbillon::program::{Panicked, listen};
use tourbillon_coordinator::args::{Chosen, Mode};
use tourbillon_coordinator::output::{FAILED, FINE, Stop, say_error, to_stderr};
use tourbillon_coordinator::run::Home;
use tourbillon_coordinator::settings_text;
use tourbillon_coordinator::values::ShardFilter;
use tourbillon_criterion_files::UniqueNames;

use super::coordinator;
use super::discoverer::Discoverer;
use super::discovery::Discovered;
use super::in_process::Measuring;
use super::modes::Unmeasured;
use super::registration::{Body, Registration};
use super::role::Role;
use super::worker::{Left, Worker};
use crate::flags::Flags;
use crate::stdout::print;

/// What the process does, on the thread that has begun it.
enum Session {
    Discoverer(Discoverer),
    Worker(Box<Worker>),
    Unmeasured(Unmeasured),
    InProcess(Measuring),
}

thread_local! {
    static FLAGS: RefCell<Option<Rc<Flags>>> = const { RefCell::new(None) };
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
    /// The target that runs.
    static TARGET: RefCell<String> = const { RefCell::new(String::new()) };
    static REGISTERED: RefCell<Registered> = RefCell::default();
    /// Which of the benchmarks that the filters select belong to the shard of the command line.
    static SHARD: RefCell<ShardFilter> = const { RefCell::new(ShardFilter::new(None)) };
    /// Whether the `main` of [`criterion_main!`](crate::criterion_main) runs.
    static HAS_MAIN: Cell<bool> = const { Cell::new(false) };
}

/// The benchmarks that were registered since the targets began to run.
struct Registered {
    ids: UniqueNames,
    /// How often each name was registered in each target.
    occurrences: HashMap<(String, String), u32>,
}

impl Default for Registered {
    fn default() -> Registered {
        Registered {
            ids: UniqueNames::ids(),
            occurrences: HashMap::new(),
        }
    }
}

/// Whether a thread of this process has begun a session: benchmarks of other threads are not measured then.
static BEGUN: AtomicBool = AtomicBool::new(false);
/// Whether the program has printed how to measure.
static HINTED: AtomicBool = AtomicBool::new(false);
/// Whether a benchmark failed in a mode that returns to the suite.
static HAS_FAILED: AtomicBool = AtomicBool::new(false);

/// The whole of a bench program: runs `groups`, in as many processes as that takes. `compiler` are the flags of its
/// compilation.
pub fn main(package: Option<&str>, module: &str, compiler: &str, groups: &mut dyn FnMut()) {
    HAS_MAIN.set(true);
    let target = module.split("::").next().unwrap_or(module);
    begin(Some(Home {
        package: package.unwrap_or(target).to_owned(),
        target: target.to_owned(),
        compiler: compiler.to_owned(),
    }));
    groups();
    // A benchmark may stand before the one that was measured last, or need what another target does.
    while SESSION.with_borrow_mut(|session| match session {
        Some(Session::Worker(worker)) => worker.runs_again(),
        _ => false,
    }) {
        REGISTERED.take();
        groups();
    }
    finish();
}

/// Finds out what this process does, once, and returns its command line. In a process that is to measure and
/// has no coordinator, this one does it, and ends the process. `None` on threads other than the main one, whose
/// benchmarks are measured at once.
pub(crate) fn begin(home: Option<Home>) -> Option<Rc<Flags>> {
    if let Some(flags) = FLAGS.with_borrow(Clone::clone) {
        return Some(flags);
    }
    if thread::current().name() != Some("main") {
        return None;
    }
    let role = Role::of_process();
    let home = home.unwrap_or_else(coordinator::home_of_process);
    let is_worker = matches!(role, Role::Worker { .. });
    let flags = match Flags::of_process(is_worker, &home) {
        Ok(flags) => Rc::new(flags),
        Err(what) => stop(&Stop::usage(what)),
    };
    FLAGS.set(Some(Rc::clone(&flags)));
    SHARD.set(ShardFilter::new(flags.high.selection.partition()));
    BEGUN.store(true, Ordering::Relaxed);
    let session = match role {
        Role::Worker { args, wanted } => match Worker::begin(args, wanted) {
            Ok(worker) => Session::Worker(Box::new(worker)),
            Err(why) => stop(&Stop::environment(why)),
        },
        Role::Discoverer(discovery) => match Discoverer::begin(discovery) {
            Ok(discoverer) => Session::Discoverer(discoverer),
            Err(why) => stop(&Stop::environment(why)),
        },
        Role::InProcess | Role::Front => match flags.high.mode {
            Mode::Help | Mode::Version => {
                print(&flags.text());
                process::exit(i32::from(FINE))
            }
            Mode::ShowConfig => {
                print(&settings_text(&flags.high, &home, &Chosen::default()));
                process::exit(i32::from(FINE))
            }
            Mode::List { .. } | Mode::Test { .. } | Mode::Profile { .. } => {
                fail_at_exit();
                Session::Unmeasured(Unmeasured::new(&flags).unwrap_or_else(|why| stop(&why)))
            }
            Mode::Bench if role == Role::InProcess => {
                listen();
                fail_at_exit();
                Session::InProcess(Measuring::new(home, flags.lines, flags.has_index))
            }
            Mode::Bench => {
                let code = coordinator::run(&flags, home).unwrap_or_else(|why| stop(&why));
                process::exit(i32::from(code))
            }
        },
    };
    SESSION.set(Some(session));
    Some(flags)
}

/// Ends a suite, and the process if a benchmark failed.
pub(crate) fn finish() {
    let Some(session) = SESSION.take() else {
        return;
    };
    match session {
        Session::Worker(worker) => worker.give_up(),
        // Suites with a `main` of their own may go on.
        other => {
            if let Session::Unmeasured(unmeasured) = &other
                && !HINTED.swap(true, Ordering::Relaxed)
                && let Some(hint) = unmeasured.hint()
            {
                to_stderr(&hint);
            }
            SESSION.set(Some(other));
        }
    }
    if HAS_MAIN.get() && HAS_FAILED.load(Ordering::Relaxed) {
        process::exit(i32::from(FAILED));
    }
}

/// Runs a target of a group, unless this process needs another one.
pub(crate) fn target(name: &str, run: &mut dyn FnMut()) {
    let name: String = name.split_whitespace().collect();
    let runs = SESSION.with_borrow_mut(|session| match session {
        Some(Session::Worker(worker)) => worker.enters(&name),
        Some(Session::Discoverer(discoverer)) => {
            discoverer.enters();
            true
        }
        _ => true,
    });
    if !runs {
        return;
    }
    TARGET.set(name.clone());
    let is_caught = SESSION.with_borrow(Option::is_some);
    if is_caught {
        if let Err(why) = Left::caught(run) {
            target_failed(&name, &why);
        }
    } else {
        run();
    }
    TARGET.take();
}

/// A target panicked outside of its benchmarks.
fn target_failed(name: &str, why: &Panicked) {
    SESSION.with_borrow_mut(|session| match session {
        Some(Session::Worker(worker)) => worker.fail(why.clone()),
        Some(Session::Discoverer(discoverer)) => discoverer.failed(name, &why.to_string()),
        _ => {
            HAS_FAILED.store(true, Ordering::Relaxed);
            to_stderr(&format!(
                "error: {name} failed outside of its benchmarks: {why}\n"
            ));
        }
    });
}

/// Takes a benchmark.
#[track_caller]
pub(crate) fn register(registration: &Registration<'_>, body: Body<'_>) {
    let Some(mut session) = SESSION.take() else {
        if !BEGUN.load(Ordering::Relaxed) {
            let home = coordinator::home_of_process();
            Measuring::new(home, None, false).take_or_panic(registration, body);
        }
        return;
    };
    let target = TARGET.with_borrow(String::clone);
    let base = registration.named.id();
    let (id, occurrence) = REGISTERED.with_borrow_mut(|registered| {
        let of_target = (base.clone(), target.clone());
        let occurrence = registered.occurrences.entry(of_target).or_insert(0);
        *occurrence += 1;
        (registered.ids.next(&base), *occurrence)
    });
    let flags = FLAGS.with_borrow(Clone::clone);
    let by_flags = flags.as_ref().is_none_or(|flags| flags.accepts(&id, &base));
    let selected = by_flags && registration.filter.accepts(&id, &base);
    let mut fine = true;
    match &mut session {
        Session::Discoverer(discoverer) => {
            let found = Discovered {
                id,
                target,
                occurrence,
                selected,
                ..Discovered::of(registration)
            };
            discoverer.take(found, registration, body);
        }
        Session::Worker(worker) => worker.take(registration, &id, occurrence, body),
        Session::Unmeasured(unmeasured) if selected && is_in_shard(&id) => {
            fine = unmeasured.take(registration, &id, body)
        }
        Session::InProcess(measuring) if selected && is_in_shard(&id) => {
            fine = measuring.take(registration, &id, body);
        }
        Session::Unmeasured(_) | Session::InProcess(_) => {}
    }
    if !fine {
        HAS_FAILED.store(true, Ordering::Relaxed);
    }
    let is_over = matches!(&session, Session::Worker(worker) if worker.is_over());
    SESSION.set(Some(session));
    if is_over {
        Left::leave();
    }
}

/// Whether the next benchmark that the filters select belongs to the shard of the command line.
fn is_in_shard(id: &str) -> bool {
    SHARD.with_borrow_mut(|shard| shard.takes_next(id))
}

/// Has a process fail at its end if a benchmark failed in it.
fn fail_at_exit() {
    tourbillon_os::at_exit(|| HAS_FAILED.load(Ordering::Relaxed).then_some(FAILED));
}

fn stop(why: &Stop) -> ! {
    say_error(&why.message);
    process::exit(i32::from(why.code))
}
