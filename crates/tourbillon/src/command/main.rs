//! Where a bench binary begins.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::{self, ExitCode};

use tourbillon_coordinator::runner::{Processes, WorkerArgs};
use tourbillon_engine::each;
use tourbillon_report::asserted_pairs;

use tourbillon_coordinator::args::{Chosen, Data, Environment, HighArgs, Mode, help};
use tourbillon_coordinator::output::{Console, FINE, Stop, measuring_hint, say_error, unfinished};
use tourbillon_coordinator::run::{Home, Selected, bench};
use tourbillon_coordinator::settings_text;
use tourbillon_os::end_data;

use super::test_mode::{list, profile, test};
use super::worker::{COUNTS, work};
use crate::registry::{Origin, Registered};

/// The whole of a bench binary: measures the functions marked with [`bench`](crate::bench), as its
/// command line asks.
///
/// Exit codes: 0 success, also where nothing was selected; 1 usage, 3 a case failed, 5 store or
/// environment, 101 a panic outside of the cases, 130 interrupted. After a failure this function does not
/// return but ends the process with its code, so that a `main` that drops the result fails too.
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
#[must_use = "return it from `main`: fn main() -> std::process::ExitCode { tourbillon::main() }"]
pub fn main() -> ExitCode {
    // Workers come first and do nothing else: their start is paid for once a launch.
    let arguments: Vec<OsString> = env::args_os().collect();
    if let Some(worker_args) = WorkerArgs::read(arguments.get(1..).unwrap_or_default()) {
        work(&Registered::new(), worker_args);
    }
    let code = unfinished(|| run(&arguments)).unwrap_or_else(|stop| {
        say_error(&stop.message);
        stop.code
    });
    if code != FINE {
        process::exit(i32::from(code));
    }
    ExitCode::SUCCESS
}

fn run(arguments: &[OsString]) -> Result<u8, Stop> {
    let program = arguments.first().map(Path::new).and_then(Path::file_name);
    let program = program.unwrap_or_default().to_string_lossy();
    let registered = Registered::new();
    let home = registered.home(&program).map(home_of).unwrap_or_default();
    let typed = arguments.get(1..).unwrap_or_default();
    let high = HighArgs::read(typed, &Environment::read(), &home.package, &home.target);
    let high = high.map_err(Stop::usage)?;
    let mut console = Console::new(&high);
    let text = match high.mode {
        Mode::Help | Mode::Version => text(high.mode, &program),
        _ => {
            let problems = registered.problems();
            if !problems.is_empty() {
                return Err(Stop::usage(problems.join("\nerror: ")));
            }
            return match high.mode {
                Mode::ShowConfig => {
                    let chosen = Chosen::of(&registered, &high.selection);
                    console.stdout(&settings_text(&high, &home, &chosen))?;
                    Ok(FINE)
                }
                Mode::List(format) => {
                    #[cfg(unix)]
                    tourbillon_os::release_stdout();
                    let code = list(&registered, &high.selection, format, &mut console);
                    end_data();
                    code
                }
                Mode::Test { terse } => {
                    let mut all = Vec::new();
                    each(&registered, &mut |case, _| all.push(case.clone()));
                    asserted_pairs(&all).map_err(Stop::usage)?;
                    let code = test(&registered, &high, terse, &mut console);
                    if let Some(hint) = measuring_hint(arguments, |name| env::var_os(name)) {
                        console.note(&hint);
                    }
                    code
                }
                Mode::Profile { ns } => profile(&registered, &high, ns, &mut console),
                _ => {
                    let mut all = Vec::new();
                    each(&registered, &mut |case, _| all.push(case.clone()));
                    let selected = Selected {
                        home,
                        chosen: Chosen::of(&registered, &high.selection),
                        all,
                        workers: Processes::own().map_err(Stop::environment)?,
                        counts: COUNTS,
                        last: None,
                        beginning: None,
                    };
                    let code = bench(selected, &high, &mut console, &mut |_| ());
                    if high.data != Data::None {
                        end_data();
                    }
                    code
                }
            };
        }
    };
    console.stdout(&text)?;
    Ok(FINE)
}

fn home_of(origin: &Origin) -> Home {
    Home {
        package: origin.package().to_owned(),
        target: origin.target().to_owned(),
        compiler: origin.compiler.to_owned(),
    }
}

/// The text of the help or of the version.
pub fn text(mode: Mode, program: &str) -> String {
    match mode {
        Mode::Version => concat!("tourbillon ", env!("CARGO_PKG_VERSION"), "\n").to_owned(),
        _ => help(program),
    }
}
