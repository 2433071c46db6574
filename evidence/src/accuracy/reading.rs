use examples::landmarks::{Core, Truth, truth, truth_near};
use serde_json::Value;

use super::{Accuracy, Figure, Measured};

impl Accuracy {
    /// Reads what `cargo bench -p examples --bench landmarks -- --format jsonl` prints.
    ///
    /// # Errors
    ///
    /// Names the line that is not understood, or says what is missing: the header of a run, or any
    /// result of a reference kernel.
    pub fn read(lines: &str) -> Result<Self, String> {
        let mut accuracy = None;
        for (number, line) in (1..).zip(lines.lines()) {
            let at = |what: &str| format!("line {number}: {what}");
            let line: Value =
                serde_json::from_str(line).map_err(|error| at(&format!("not JSON: {error}")))?;
            match (line["type"].as_str(), &mut accuracy) {
                (None, _) => return Err(at("has no field `type`")),
                (Some("header"), None) => accuracy = Some(start(&line)),
                (Some("header"), Some(_)) => return Err(at("a second run begins; give one run")),
                (Some("result"), None) => return Err(at("a result before the header of its run")),
                (Some("result"), Some(accuracy)) => {
                    add(accuracy, &line).map_err(|error| at(&error))?;
                }
                (Some(_), _) => {}
            }
        }
        match accuracy {
            None => Err(
                "there is no run in the input; make one with `cargo bench -p examples \
                         --bench landmarks -- --format jsonl`"
                    .to_owned(),
            ),
            Some(accuracy) if accuracy.kernels.is_empty() => {
                Err("the run holds no result of a reference kernel".to_owned())
            }
            Some(accuracy) => Ok(accuracy),
        }
    }
}

/// An empty collection with what the header says.
fn start(header: &Value) -> Accuracy {
    let fact = |name: &str| {
        let mut facts = header["facts"].as_array().into_iter().flatten();
        let fact = facts.find(|fact| fact["name"] == name)?;
        fact["value"].as_str()
    };
    let mut about = Vec::new();
    let mut say = |before: &str, what: Option<&str>, after: &str| {
        about.extend(what.map(|what| format!("{before}{what}{after}")));
    };
    say("", fact("cpu_model"), "");
    say("family ", fact("cpu_family"), "");
    say("under ", fact("hypervisor"), "");
    say("clock ", header["clock"]["source"].as_str(), "");
    say(
        "cycles from the ",
        header["clock"]["cycles_from"].as_str(),
        "",
    );
    let launches = header["settings"]["launches"].as_u64();
    say(
        "",
        launches.map(|launches| launches.to_string()).as_deref(),
        " launches",
    );
    say("tourbillon ", header["tourbillon"].as_str(), "");
    say("", header["started"].as_str(), "");
    let vendor = fact("cpu_vendor").unwrap_or_default();
    let family = fact("cpu_family").unwrap_or_default();
    Accuracy {
        about,
        core: Core::of(vendor, family),
        kernels: Vec::new(),
        waited: Vec::new(),
        prepared: Vec::new(),
    }
}

/// Adds one result; those of other cases are left aside.
fn add(accuracy: &mut Accuracy, result: &Value) -> Result<(), String> {
    let case = result["case"].as_str().ok_or("the result names no case")?;
    let Some((kernel, copies)) = kernel_of(case) else {
        return Ok(());
    };
    if result["metric"] == "time" {
        let notes = result["notes"].as_array().into_iter().flatten();
        let waited = notes.filter(|note| note["note"] == "waited");
        let waited = waited.filter_map(|note| note["fraction"].as_f64());
        accuracy.waited.extend(waited);
    }
    let prepared = case.contains("::prepared::");
    let truth = match truth(kernel, copies, accuracy.core) {
        Some(truth) => truth,
        None if prepared => Truth::Open("held against the plain kernel"),
        None => return Ok(()),
    };
    let kernels = if prepared {
        &mut accuracy.prepared
    } else {
        &mut accuracy.kernels
    };
    let known = kernels
        .iter()
        .position(|known| known.kernel == kernel && known.copies == copies);
    let place = known.unwrap_or_else(|| {
        let kernel = kernel.to_owned();
        kernels.push(Measured {
            kernel,
            copies,
            truth,
            cycles: None,
            time: None,
        });
        kernels.len() - 1
    });
    let figure = figure(result)?;
    let measured = &mut kernels[place];
    match result["metric"].as_str() {
        Some("cycles") => {
            let seen = figure.estimate.as_ref().ok();
            let near = seen.and_then(|&seen| truth_near(kernel, copies, accuracy.core, seen));
            measured.truth = near.unwrap_or(measured.truth);
            measured.cycles = Some(figure);
        }
        Some("time") => measured.time = Some(figure),
        _ => {}
    }
    Ok(())
}

/// `thr` and 10 out of `examples/landmarks::thr[k=10]`.
fn kernel_of(case: &str) -> Option<(&str, u64)> {
    let name = case.strip_prefix("examples/landmarks::")?;
    let name = name.rsplit("::").next()?;
    match name.split_once("[k=") {
        Some((kernel, rest)) => Some((kernel, rest.strip_suffix(']')?.parse().ok()?)),
        None => Some((name, 1)),
    }
}

fn figure(result: &Value) -> Result<Figure, String> {
    let estimate = match (result["estimate"].as_f64(), result["absent"].as_str()) {
        (Some(estimate), _) => Ok(estimate),
        (None, Some(why)) => Err(why.replace('_', " ")),
        (None, None) => return Err("the result has neither an estimate nor a reason".to_owned()),
    };
    Ok(Figure {
        estimate,
        lower: result["lower"].as_f64(),
        upper: result["upper"].as_f64(),
    })
}
