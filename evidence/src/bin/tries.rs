//! Compares functions whose ratio is known, again and again, and prints what came of each
//! comparison as a line of values between tabs.
//!
//! ```text
//! tries CONDITION CHANGE REPEATS [WORKLOAD..]
//! tries burn
//! ```
//!
//! `CONDITION` is a word for the table; `CHANGE` is `none`, `1 %`, `2 %` or `tail`. `burn` keeps a
//! processor busy until it is ended. `scripts/tries.sh` uses both.

use std::io::{self, Write};
use std::process::ExitCode;

use evidence::tries::{Change, WORKLOADS};

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // Nothing is left to be done when even this cannot be written.
            let _ = writeln!(io::stderr(), "tries: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Vec<String>) -> Result<(), String> {
    if arguments == ["burn"] {
        let mut count = 0_u64;
        loop {
            count = tourbillon::hide(count.wrapping_add(1));
        }
    }
    let [condition, change, repeats, wanted @ ..] = arguments.as_slice() else {
        return Err("write CONDITION CHANGE REPEATS [WORKLOAD..]".to_owned());
    };
    let change = Change::named(change).ok_or_else(|| format!("there is no change {change:?}"))?;
    let repeats: u32 = repeats
        .parse()
        .map_err(|_| format!("{repeats:?} is no number of repeats"))?;
    for name in wanted {
        if !WORKLOADS.iter().any(|(known, _)| known == name) {
            return Err(format!("there is no workload {name:?}"));
        }
    }
    for _ in 0..repeats {
        for (name, workload) in WORKLOADS {
            if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
                let line = workload(change).line(condition);
                writeln!(io::stdout(), "{line}").map_err(|error| error.to_string())?;
            }
        }
    }
    Ok(())
}
