//! hyperfine's JSON and CSV, which other programs read. Times in seconds.

use std::fmt::Write;

use tourbillon_record::{Metric, Run};

/// An entry of `results`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HyperfineResult {
    /// The command line, or the name of a benchmark.
    pub command: String,
    /// Mean of the times, in seconds.
    pub mean: f64,
    /// Their standard deviation, in seconds; `None` for a single one.
    pub stddev: Option<f64>,
    /// Their median, in seconds.
    pub median: f64,
    /// Mean of the processor times in the program's own code, in seconds.
    pub user: f64,
    /// Mean of the processor times in the kernel, in seconds.
    pub system: f64,
    /// The shortest time, in seconds.
    pub min: f64,
    /// The longest time, in seconds.
    pub max: f64,
    /// All times, in seconds, in their order.
    pub times: Vec<f64>,
    /// Peak memory of each run in bytes; empty where it is not known.
    pub memory_usage_byte: Vec<u64>,
    /// Exit code of each run; `None` for one that a signal ended.
    pub exit_codes: Vec<Option<i32>>,
    /// Names and values of parameters.
    pub parameters: Vec<(String, String)>,
}

impl HyperfineResult {
    /// The results of a record of commands, those without a run excepted.
    pub fn of_commands(run: &Run) -> Vec<HyperfineResult> {
        let ns_per_tick = match run.header.clock.hz_numerator {
            0 => return Vec::new(),
            hz => 1e9 * run.header.clock.hz_denominator as f64 / hz as f64,
        };
        let mut found = Vec::new();
        for rounds in &run.rounds {
            let Some(processes) = rounds.processes.as_deref() else {
                continue;
            };
            for (arm, id) in rounds.cases.iter().enumerate() {
                let own = rounds.arm.iter().enumerate();
                let own = own.filter(|(_, other)| usize::from(**other) == arm);
                let own: Vec<usize> = own.map(|(at, _)| at).collect();
                let times = own.iter().filter_map(|at| rounds.ticks.get(*at));
                let times: Vec<f64> = times
                    .map(|ticks| *ticks as f64 * ns_per_tick * 1e-9)
                    .collect();
                let result = |metric| {
                    let mut results = run.results.iter();
                    results.find(|result| result.case == *id && result.metric == metric)
                };
                let Some((time, median)) =
                    result(Metric::Time).and_then(|time| Some((time, time.estimate.ok()?)))
                else {
                    continue;
                };
                let average = |metric| {
                    let mean = result(metric).and_then(|result| result.mean);
                    mean.unwrap_or(0.0) * 1e-9
                };
                let case = run.cases.iter().find(|case| case.id == *id);
                let arguments = case.map_or(&[][..], |case| &case.arguments);
                let code = |at: &usize| {
                    let code = processes.exit_codes.get(*at).copied();
                    code.filter(|code| *code <= 128)
                };
                found.push(HyperfineResult {
                    command: id.clone(),
                    mean: time.mean.unwrap_or(median) * 1e-9,
                    stddev: time.stddev.map(|stddev| stddev * 1e-9),
                    median: median * 1e-9,
                    user: average(Metric::UserTime),
                    system: average(Metric::KernelTime),
                    min: times.iter().copied().fold(f64::INFINITY, f64::min),
                    max: times.iter().copied().fold(0.0, f64::max),
                    times,
                    memory_usage_byte: own
                        .iter()
                        .filter_map(|at| processes.peak_bytes.get(*at).copied())
                        .collect(),
                    exit_codes: own.iter().map(code).collect(),
                    parameters: arguments
                        .iter()
                        .map(|one| (one.axis.clone(), one.value.clone()))
                        .collect(),
                });
            }
        }
        found
    }
}

/// hyperfine's JSON: `{"results":[..]}`, with a line feed at its end.
pub fn hyperfine_json(results: &[HyperfineResult]) -> String {
    let mut json = "{\n  \"results\": [".to_owned();
    for (at, result) in results.iter().enumerate() {
        let comma = if at > 0 { "," } else { "" };
        let HyperfineResult {
            mean,
            median,
            user,
            system,
            min,
            max,
            ..
        } = result;
        let command = text(&result.command);
        let stddev = result.stddev.map_or_else(|| "null".to_owned(), number);
        let _ = write!(json, "{comma}\n    {{\n      \"command\": {command}");
        for (name, value) in [
            ("mean", number(*mean)),
            ("stddev", stddev),
            ("median", number(*median)),
            ("user", number(*user)),
            ("system", number(*system)),
            ("min", number(*min)),
            ("max", number(*max)),
            ("times", list(&result.times, |time| number(*time))),
            (
                "memory_usage_byte",
                list(&result.memory_usage_byte, u64::to_string),
            ),
            (
                "exit_codes",
                list(&result.exit_codes, |code| {
                    code.map_or_else(|| "null".to_owned(), |code| code.to_string())
                }),
            ),
        ] {
            let _ = write!(json, ",\n      \"{name}\": {value}");
        }
        if !result.parameters.is_empty() {
            let parameters = result.parameters.iter();
            let parameters =
                parameters.map(|(name, value)| format!("{}: {}", text(name), text(value)));
            let parameters = parameters.collect::<Vec<_>>().join(", ");
            let _ = write!(json, ",\n      \"parameters\": {{{parameters}}}");
        }
        json += "\n    }";
    }
    json + "\n  ]\n}\n"
}

/// hyperfine's CSV: a line for each result, with a column for each parameter.
pub fn hyperfine_csv(results: &[HyperfineResult]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in results.iter().flat_map(|result| &result.parameters) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let mut csv = "command,mean,stddev,median,user,system,min,max".to_owned();
    for name in &names {
        csv += &format!(",{}", field(&format!("parameter_{name}")));
    }
    csv.push('\n');
    for result in results {
        let HyperfineResult {
            mean,
            median,
            user,
            system,
            min,
            max,
            ..
        } = result;
        csv += &field(&result.command);
        csv += &format!(",{}", number(*mean));
        csv += &format!(",{}", result.stddev.map_or_else(String::new, number));
        for value in [median, user, system, min, max] {
            csv += &format!(",{}", number(*value));
        }
        for name in &names {
            let mut own = result.parameters.iter();
            let value = own
                .find(|(other, _)| other == name)
                .map(|(_, value)| value.as_str());
            csv += &format!(",{}", field(value.unwrap_or_default()));
        }
        csv.push('\n');
    }
    csv
}

/// A number with the fewest digits that read back as the same; zero for what has no form in JSON.
fn number(value: f64) -> String {
    match value.is_finite() {
        true => format!("{value:?}"),
        false => "0.0".to_owned(),
    }
}

fn list<T>(items: &[T], shown: impl Fn(&T) -> String) -> String {
    let items: Vec<String> = items.iter().map(shown).collect();
    format!("[{}]", items.join(", "))
}

/// A text in JSON.
fn text(text: &str) -> String {
    let mut json = "\"".to_owned();
    for letter in text.chars() {
        match letter {
            '"' => json += "\\\"",
            '\\' => json += "\\\\",
            letter if (letter as u32) < 0x20 || letter == '\u{7f}' => {
                let _ = write!(json, "\\u{:04x}", letter as u32);
            }
            letter => json.push(letter),
        }
    }
    json + "\""
}

/// A field of CSV.
fn field(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
