//! Where a bench binary begins.

use std::path::PathBuf;
use std::process::ExitCode;

use tourbillon_coordinate::Summons;
use tourbillon_engine::Suite;

use super::bench::bench;
use super::console::{Console, to_stderr};
use super::exit::{FINE, Stop, USAGE};
use super::flags::{Environment, High, Low, Mode, help};
use super::list::list;
use super::listed::listed;
use super::trial::test;
use super::worker::work;
use crate::registry::Registered;

/// The whole of a bench binary: measures the functions marked with [`bench`](crate::bench), as its
/// command line asks.
///
/// Exit codes: 0 fine, 1 usage, 3 a case failed, 5 store or environment, 130 interrupted.
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
    if let Some(summons) = Summons::read(std::env::args_os().skip(1)) {
        return work(&Registered::new(), summons);
    }
    let code = match run() {
        Ok(code) => code,
        Err(Stop::NobodyReads) => FINE,
        Err(Stop::Because(code, text)) => {
            to_stderr(&format!("error: {text}\n"));
            code
        }
    };
    ExitCode::from(code)
}

fn run() -> Result<u8, Stop> {
    let usage = |text: String| Stop::Because(USAGE, text);
    let low = Low::parse(std::env::args_os().skip(1)).map_err(|e| usage(e.to_string()))?;
    let high = High::new(low, &Environment::read()).map_err(|e| usage(e.to_string()))?;
    let mut console = Console::new(&high);
    match high.mode {
        Mode::Help => {
            console.stdout(&help(&program()))?;
            return Ok(FINE);
        }
        Mode::Version => {
            console.stdout(&format!("tourbillon {}\n", env!("CARGO_PKG_VERSION")))?;
            return Ok(FINE);
        }
        Mode::List { .. } | Mode::Test { .. } | Mode::Bench => {}
    }
    let registered = Registered::new();
    let problems = registered.problems();
    if !problems.is_empty() {
        let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
        return Err(usage(listed(&texts, "\nerror: ")));
    }
    let suite: &dyn Suite = &registered;
    match high.mode {
        Mode::List { terse } => list(suite, &high.selection, terse, &mut console),
        Mode::Test { terse } => test(suite, &high, terse, &mut console),
        _ => bench(suite, registered.home(&program()), &high, &mut console),
    }
}

/// File name of the executable, by which people and cargo call it.
fn program() -> String {
    let path = std::env::args_os()
        .next()
        .map(PathBuf::from)
        .unwrap_or_default();
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
