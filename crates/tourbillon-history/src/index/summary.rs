//! What the history keeps of a run.

use serde::{Deserialize, Serialize};
use serde_json::json;
use tourbillon_coordinator::platform::machine_name::MACHINE;
use tourbillon_record::{Compilation, Run};
use tourbillon_tool::machine_kind::Machine;

use crate::index::compilation_text;
use crate::index::json::{self, FORM};

/// A run without its samples.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunSummary {
    /// Version of the form.
    form: u32,
    /// SHA-256 of the record, in hexadecimal digits.
    pub record: String,
    /// The commit that was measured, in full; `None` where the record has none.
    pub commit: Option<String>,
    /// Start of the run in nanoseconds since the Unix epoch.
    pub started_unix_ns: u64,
    /// Package of the bench target.
    pub package: String,
    /// Bench target.
    pub target: String,
    /// Identity of the measuring engine.
    pub engine: String,
    /// The kind of machine.
    pub machine: Machine,
    /// Which of this kind it is: the name that its records have. Runs of before have none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub host: String,
    /// How the program was compiled, as far as it is known: facts as an object of JSON. Runs of before have none.
    #[serde(
        default,
        skip_serializing_if = "String::is_empty",
        with = "json::nested"
    )]
    pub compilation: String,
    /// The results of which a larger one is better: a list of JSON of their cases with their metrics. Empty for none.
    #[serde(
        default,
        skip_serializing_if = "String::is_empty",
        with = "json::nested"
    )]
    pub more_is_better: String,
    /// The results that have a figure.
    pub figures: Vec<RunFigure>,
}

/// The figure of a case for one metric.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "FigureRow", into = "FigureRow")]
pub struct RunFigure {
    /// Identity of the case.
    pub case: String,
    /// Name of the metric, such as `time` or `cycles`.
    pub metric: String,
    /// Unit, such as `ns`.
    pub unit: String,
    /// Name and version of the method of the estimate.
    pub method: String,
    /// The estimate, per op.
    pub value: f64,
    /// Lower end of its interval.
    pub lower: Option<f64>,
    /// Upper end of its interval.
    pub upper: Option<f64>,
}

/// A figure as a list: an archive has millions.
type FigureRow = (
    String,
    String,
    String,
    String,
    f64,
    Option<f64>,
    Option<f64>,
);

impl From<FigureRow> for RunFigure {
    fn from((case, metric, unit, method, value, lower, upper): FigureRow) -> RunFigure {
        RunFigure {
            case,
            metric,
            unit,
            method,
            value,
            lower,
            upper,
        }
    }
}

impl From<RunFigure> for FigureRow {
    fn from(figure: RunFigure) -> FigureRow {
        let RunFigure {
            case,
            metric,
            unit,
            method,
            value,
            lower,
            upper,
        } = figure;
        (case, metric, unit, method, value, lower, upper)
    }
}

impl RunSummary {
    /// The summary of a run whose record has this hash. `commit` takes the place of the record's.
    pub fn of(run: &Run, record: &str, commit: Option<&str>) -> RunSummary {
        let header = &run.header;
        let measured = header.fact_text("revision");
        let figures = run.results.iter().filter_map(|result| {
            Some(RunFigure {
                case: result.case.clone(),
                metric: result.metric_name().to_owned(),
                unit: result.unit().to_owned(),
                method: result.method.clone(),
                value: result.estimate.ok()?,
                lower: result.lower,
                upper: result.upper,
            })
        });
        let better = run.results.iter().filter(|result| result.more_is_better());
        let better: Vec<[&str; 2]> = better
            .map(|result| [&*result.case, result.metric_name()])
            .collect();
        RunSummary {
            form: FORM,
            record: record.to_owned(),
            commit: commit.or(measured).map(str::to_owned),
            started_unix_ns: header.started_unix_ns,
            package: header.package.clone(),
            target: header.target.clone(),
            engine: header.engine.clone(),
            machine: Machine::of(header),
            host: header.fact_text(MACHINE).unwrap_or_default().to_owned(),
            compilation: compilation_text::text(&Compilation::over_time(&header.facts)),
            more_is_better: if better.is_empty() {
                String::new()
            } else {
                json!(better).to_string()
            },
            figures: figures.collect(),
        }
    }

    /// Reads a summary.
    ///
    /// # Errors
    ///
    /// When it is damaged or of a newer form.
    pub(crate) fn parse(bytes: &[u8]) -> Result<RunSummary, String> {
        json::parse(bytes, "a summary", |summary: &RunSummary| summary.form)
    }

    /// The text of the summary: JSON on one line.
    pub(crate) fn text(&self) -> String {
        json::text(self)
    }
}
