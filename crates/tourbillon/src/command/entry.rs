//! Where a bench binary begins.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use tourbillon_engine::Suite;
use tourbillon_runner::WorkerArgs;

use super::arguments::arguments;
use super::bench::{Functions, bench};
use super::console::{Console, to_stderr};
use super::ended::unfinished;
use super::exit::{FINE, Stop, USAGE};
use super::flags::{Environment, HighArgs, LowArgs, Mode, Usage, help};
use super::list::list;
use super::profile::profile;
use super::test_mode::test;
use super::worker::work;
use crate::lasting::Lasting;
use crate::registry::Registered;
use crate::text::{append, owned, said, text};

/// The whole of a bench binary: measures the functions marked with [`bench`](crate::bench), as its
/// command line asks.
///
/// Exit codes: 0 fine, and where nothing was selected, which is said; 1 usage, 3 a case failed, 5 store or
/// environment, 101 a panic outside of the cases, 130 interrupted.
///
/// # Examples
///
/// ```no_run
/// use tourbillon::{bench, hide};
///
/// #[bench]
/// fn concat() -> String {
///     hide("a").to_owned() + "b"
/// }
///
/// fn main() -> std::process::ExitCode {
///     tourbillon::main()
/// }
/// ```
pub fn main() -> ExitCode {
    // Workers come first and do nothing else: their start is paid for once per visit.
    let arguments = arguments();
    let behind_name = arguments.get(1..).unwrap_or_default();
    if let Some(worker_args) = WorkerArgs::read(behind_name) {
        let registered = Registered::new();
        return work(&registered, registered.versus(), worker_args);
    }
    let code = match unfinished(|| run(&arguments, behind_name)) {
        Ok(code) => code,
        Err(Stop::Because(code, text)) => {
            to_stderr(&text!("error: {text}\n"));
            code
        }
    };
    ExitCode::from(code)
}

#[inline(never)]
fn run(arguments: &[OsString], behind_name: &[OsString]) -> Result<u8, Stop> {
    let high = match asked(behind_name) {
        Ok(high) => Lasting::new(high),
        Err(error) => return Err(Stop::usage(said(&error))),
    };
    let mut console = Console::new(&high);
    match high.mode {
        Mode::Help => {
            console.stdout(&help(&program(arguments)))?;
            return Ok(FINE);
        }
        Mode::Version => {
            console.stdout(concat!("tourbillon ", env!("CARGO_PKG_VERSION"), "\n"))?;
            return Ok(FINE);
        }
        Mode::List { .. } | Mode::Test { .. } | Mode::Bench | Mode::Profile { .. } => {}
    }
    let registered = Registered::new();
    check(&registered)?;
    let suite: &dyn Suite = &registered;
    match high.mode {
        Mode::List { terse } => list(suite, &high.selection, terse, &mut console),
        Mode::Test { terse } => test(suite, &high, terse, &mut console),
        Mode::Profile { ns } => profile(suite, &high, ns, &mut console),
        _ => {
            let functions = Functions {
                suite,
                home: registered.home(&program(arguments)),
                versus: registered.versus(),
            };
            bench(&functions, &high, &mut console)
        }
    }
}

/// What the command line and the environment ask for.
#[inline(never)]
fn asked(arguments: &[OsString]) -> Result<HighArgs, Usage> {
    let low = LowArgs::parse(arguments)?;
    HighArgs::new(&low, &Environment::read())
}

/// Stops where the functions as a whole hold a mistake.
fn check(registered: &Registered) -> Result<(), Stop> {
    let mut text = String::new();
    for problem in &*Lasting::new(registered.problems()) {
        let between = if text.is_empty() { "" } else { "\nerror: " };
        append(&mut text, between);
        append(&mut text, &said(&problem));
    }
    if text.is_empty() {
        return Ok(());
    }
    Err(Stop::Because(USAGE, text))
}

/// File name of the executable, by which people and cargo call it.
fn program(arguments: &[OsString]) -> String {
    match arguments
        .first()
        .and_then(|path| Path::new(path).file_name())
    {
        Some(name) => owned(&name.to_string_lossy()),
        None => String::new(),
    }
}
