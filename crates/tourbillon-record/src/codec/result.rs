use super::{Fields, Writer};
use crate::{Absence, CaseResult, Error, Metric, Note, Scope};

pub(super) fn write(result: &CaseResult) -> String {
    let mut writer = Writer::line("result");
    writer.text("case", &result.case);
    writer.text("metric", result.metric.name());
    writer.text("unit", result.metric.unit());
    writer.number_or_null("estimate", result.estimate.ok());
    writer.text_or_null("absent", result.estimate.err().map(Absence::name));
    writer.number_or_null("lower", result.lower);
    writer.number_or_null("upper", result.upper);
    writer.number_or_null("confidence", result.confidence);
    writer.text("scope", result.scope.name());
    writer.number("systematic", result.systematic);
    writer.whole("launches", result.launches.into());
    writer.whole("samples", result.samples);
    writer.number_or_null("mean", result.mean);
    writer.number_or_null("stddev", result.stddev);
    writer.number_or_null("mad", result.mad);
    writer.number_or_null("fixed_cost", result.fixed_cost);
    writer.number_or_null("first_call", result.first_call);
    writer.number_or_null("resolution", result.resolution);
    writer.whole("ops", result.ops);
    writer.whole("iterations", result.iterations);
    writer.number("elapsed", result.elapsed_ns);
    writer.text("method", &result.method);
    writer.open_list("notes");
    for note in &result.notes {
        write_note(&mut writer, note);
    }
    writer.close_list();
    writer.finish(&result.unknown)
}

pub(super) fn read(mut fields: Fields<'_, '_>) -> Result<CaseResult, Error> {
    Ok(CaseResult {
        case: fields.text("case")?,
        metric: read_metric(&mut fields)?,
        estimate: read_estimate(&mut fields)?,
        lower: fields.number_or_none("lower")?,
        upper: fields.number_or_none("upper")?,
        confidence: fields.number_or_none("confidence")?,
        scope: read_scope(&mut fields)?,
        systematic: fields.number("systematic")?,
        launches: fields.whole_as("launches")?,
        samples: fields.whole("samples")?,
        mean: fields.number_or_none("mean")?,
        stddev: fields.number_or_none("stddev")?,
        mad: fields.number_or_none("mad")?,
        fixed_cost: fields.number_or_none("fixed_cost")?,
        first_call: fields.number_or_none("first_call")?,
        resolution: fields.number_or_none("resolution")?,
        ops: fields.whole("ops")?,
        iterations: fields.whole("iterations")?,
        elapsed_ns: fields.number("elapsed")?,
        method: fields.text("method")?,
        notes: read_notes(&mut fields)?,
        unknown: fields.rest()?,
    })
}

fn read_metric(fields: &mut Fields<'_, '_>) -> Result<Metric, Error> {
    let name = fields.required("metric")?;
    let metric = match &*name.text()? {
        "time" => Metric::Time,
        "cycles" => Metric::Cycles,
        _ => return Err(name.not("`time` or `cycles`")),
    };
    let unit = fields.required("unit")?;
    if unit.text()? != metric.unit() {
        return Err(unit.not(&format!("`{}`, the unit of the metric,", metric.unit())));
    }
    Ok(metric)
}

/// Either the number or the reason why there is none: one of them, not both.
fn read_estimate(fields: &mut Fields<'_, '_>) -> Result<Result<f64, Absence>, Error> {
    let estimate = fields.number_or_none("estimate")?;
    match (estimate, fields.optional("absent")) {
        (Some(estimate), None) => Ok(Ok(estimate)),
        (Some(_), Some(absent)) => Err(absent.not("null beside an estimate")),
        (None, None) => Err(fields.missing("absent")),
        (None, Some(absent)) => match &*absent.text()? {
            "below_resolution" => Ok(Err(Absence::BelowResolution)),
            "failed" => Ok(Err(Absence::Failed)),
            "not_reached" => Ok(Err(Absence::NotReached)),
            _ => Err(absent.not("a reason for an absent estimate")),
        },
    }
}

fn read_scope(fields: &mut Fields<'_, '_>) -> Result<Scope, Error> {
    let scope = fields.required("scope")?;
    match &*scope.text()? {
        "process" => Ok(Scope::Process),
        "processes" => Ok(Scope::Processes),
        _ => Err(scope.not("`process` or `processes`")),
    }
}

fn write_note(writer: &mut Writer, note: &Note) {
    writer.open_item();
    writer.text("note", note.name());
    match note {
        Note::SlowLaunches { count, excess } => {
            writer.whole("count", (*count).into());
            writer.number("excess", *excess);
        }
        Note::FailedLaunches { count } => writer.whole("count", (*count).into()),
        Note::Curvature { fraction } => writer.number("fraction", *fraction),
        Note::NotWarm { launches }
        | Note::ThreadsLeft { launches }
        | Note::FewLaunches { launches } => writer.whole("launches", (*launches).into()),
        Note::Shortened { asked } => writer.whole("asked", (*asked).into()),
        Note::CorrectionTooLarge | Note::Skewed | Note::Other(_) => {}
    }
    writer.close();
}

fn read_notes(fields: &mut Fields<'_, '_>) -> Result<Vec<Note>, Error> {
    let mut notes = Vec::new();
    for item in fields.required("notes")?.list()? {
        let mut note = Fields::of(item)?;
        let name = note.text("note")?;
        notes.push(match name.as_str() {
            "slow_launches" => Note::SlowLaunches {
                count: note.whole_as("count")?,
                excess: note.number("excess")?,
            },
            "failed_launches" => Note::FailedLaunches {
                count: note.whole_as("count")?,
            },
            "curvature" => Note::Curvature {
                fraction: note.number("fraction")?,
            },
            "not_warm" => Note::NotWarm {
                launches: note.whole_as("launches")?,
            },
            "threads_left" => Note::ThreadsLeft {
                launches: note.whole_as("launches")?,
            },
            "correction_too_large" => Note::CorrectionTooLarge,
            "few_launches" => Note::FewLaunches {
                launches: note.whole_as("launches")?,
            },
            "shortened" => Note::Shortened {
                asked: note.whole_as("asked")?,
            },
            "skewed" => Note::Skewed,
            _ => Note::Other(name),
        });
    }
    Ok(notes)
}
