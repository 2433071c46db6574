use super::{Fields, start};
#[cfg(feature = "amounts")]
use crate::OwnMetric;
use crate::json::Writer;
use crate::{Absence, CaseResult, Metric, Note, Scope};

#[inline(never)]
pub(super) fn write(writer: &mut Writer, result: &CaseResult) {
    start(writer, "result");
    writer.text("case", &result.case);
    #[cfg(feature = "amounts")]
    write_metric(writer, result.metric, result.own.as_deref());
    #[cfg(not(feature = "amounts"))]
    {
        writer.text("metric", result.metric.name());
        writer.text("unit", result.metric.unit());
    }
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
        write_note(writer, note);
    }
    writer.close_list();
}

#[inline(never)]
pub(super) fn read(fields: &mut Fields<'_, '_>) -> CaseResult {
    let case = fields.text("case");
    let metric = read_metric(fields);
    #[cfg(feature = "amounts")]
    let own = read_own(fields, metric).map(Box::new);
    #[cfg(not(feature = "amounts"))]
    read_unit(fields, metric);
    CaseResult {
        case,
        metric,
        #[cfg(feature = "amounts")]
        own,
        estimate: read_estimate(fields),
        lower: fields.number_or_none("lower"),
        upper: fields.number_or_none("upper"),
        confidence: fields.number_or_none("confidence"),
        scope: read_scope(fields),
        systematic: fields.number("systematic"),
        launches: fields.whole_as("launches"),
        samples: fields.whole("samples"),
        mean: fields.number_or_none("mean"),
        stddev: fields.number_or_none("stddev"),
        mad: fields.number_or_none("mad"),
        fixed_cost: fields.number_or_none("fixed_cost"),
        first_call: fields.number_or_none("first_call"),
        resolution: fields.number_or_none("resolution"),
        ops: fields.whole("ops"),
        iterations: fields.whole("iterations"),
        elapsed_ns: fields.number("elapsed"),
        method: fields.text("method"),
        notes: read_notes(fields),
        unknown: fields.rest(),
    }
}

/// Every metric; lines of others are passed over, as those of unknown types are.
const METRICS: &[Metric] = &[
    Metric::Time,
    Metric::CpuTime,
    Metric::UserTime,
    Metric::KernelTime,
    #[cfg(feature = "amounts")]
    Metric::Own,
    Metric::Cycles,
    Metric::Allocs,
    Metric::Bytes,
    Metric::Peak,
    Metric::Kept,
    Metric::Moved,
];

/// What was measured, with its unit.
#[cfg(feature = "amounts")]
#[inline(never)]
pub(super) fn write_metric(writer: &mut Writer, metric: Metric, own: Option<&OwnMetric>) {
    writer.text("metric", metric.name());
    if let Some(own) = own {
        writer.text("name", &own.name);
    }
    let unit = own.map_or(metric.unit(), |own| &own.unit);
    writer.text("unit", unit);
}

/// The name and the unit of an own metric.
#[cfg(feature = "amounts")]
#[inline(never)]
pub(super) fn read_own(fields: &mut Fields<'_, '_>, metric: Metric) -> Option<OwnMetric> {
    if metric == Metric::Own {
        let name = fields.text("name");
        let unit = fields.text("unit");
        return Some(OwnMetric { name, unit });
    }
    read_unit(fields, metric);
    None
}

fn read_unit(fields: &mut Fields<'_, '_>, metric: Metric) {
    if fields.text("unit") != metric.unit() {
        let wanted = format!("`{}`, the unit of the metric,", metric.unit());
        fields.refuse("unit", &wanted);
    }
}

#[inline(never)]
pub(super) fn read_metric(fields: &mut Fields<'_, '_>) -> Metric {
    let name = fields.text("metric");
    let mut metric = Metric::Time;
    let mut known = false;
    for &one in METRICS {
        if one.name() == name {
            metric = one;
            known = true;
        }
    }
    if !known {
        fields.unknown_type(&name);
    }
    metric
}

/// Either the number or the reason why there is none: one of them, not both.
fn read_estimate(fields: &mut Fields<'_, '_>) -> Result<f64, Absence> {
    if let Some(estimate) = fields.number_or_none("estimate") {
        if fields.text_or_none("absent").is_some() {
            fields.refuse("absent", "null beside an estimate");
        }
        return Ok(estimate);
    }
    let words = [
        Absence::BelowResolution.name(),
        Absence::Failed.name(),
        Absence::NotReached.name(),
    ];
    Err(
        match fields.one_of("absent", &words, "a reason for an absent estimate") {
            0 => Absence::BelowResolution,
            1 => Absence::Failed,
            _ => Absence::NotReached,
        },
    )
}

fn read_scope(fields: &mut Fields<'_, '_>) -> Scope {
    let words = [Scope::Process.name(), Scope::Processes.name()];
    match fields.one_of("scope", &words, "`process` or `processes`") {
        0 => Scope::Process,
        _ => Scope::Processes,
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
        Note::Curvature { fraction }
        | Note::FixedItem { fraction }
        | Note::Waited { fraction }
        | Note::UnevenThreads { fraction } => writer.number("fraction", *fraction),
        Note::ThreadsInTurns {
            threads,
            processors,
        } => {
            writer.whole("threads", (*threads).into());
            writer.whole("processors", (*processors).into());
        }
        Note::NotWarm { launches }
        | Note::ThreadsLeft { launches }
        | Note::FewLaunches { launches } => writer.whole("launches", (*launches).into()),
        Note::PagesTouched { per_op } | Note::Writes { per_op } => {
            writer.number("per_op", *per_op);
        }
        Note::Crowded { launches, kept } => {
            writer.whole("launches", (*launches).into());
            writer.flag("kept", *kept);
        }
        Note::Shortened { asked } => writer.whole("asked", (*asked).into()),
        Note::Sampled { step_ns, ticks } => {
            writer.number("step_ns", *step_ns);
            writer.whole("ticks", *ticks);
        }
        Note::NotCounted { why } => writer.text("why", why),
        Note::CorrectionTooLarge | Note::Skewed | Note::Other(_) => {}
    }
    writer.close();
}

fn read_notes(fields: &mut Fields<'_, '_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for item in fields.list("notes") {
        let mut note = fields.inside("notes", item);
        let name = note.text("note");
        notes.push(match name.as_str() {
            "slow_launches" => Note::SlowLaunches {
                count: note.whole_as("count"),
                excess: note.number("excess"),
            },
            "failed_launches" => Note::FailedLaunches {
                count: note.whole_as("count"),
            },
            "curvature" => Note::Curvature {
                fraction: note.number("fraction"),
            },
            "not_warm" => Note::NotWarm {
                launches: note.whole_as("launches"),
            },
            "threads_left" => Note::ThreadsLeft {
                launches: note.whole_as("launches"),
            },
            "uneven_threads" => Note::UnevenThreads {
                fraction: note.number("fraction"),
            },
            "threads_in_turns" => Note::ThreadsInTurns {
                threads: note.whole_as("threads"),
                processors: note.whole_as("processors"),
            },
            "pages_touched" => Note::PagesTouched {
                per_op: note.number("per_op"),
            },
            "writes" => Note::Writes {
                per_op: note.number("per_op"),
            },
            "crowded" => Note::Crowded {
                launches: note.whole_as("launches"),
                kept: note.flag("kept"),
            },
            "waited" => Note::Waited {
                fraction: note.number("fraction"),
            },
            "correction_too_large" => Note::CorrectionTooLarge,
            "few_launches" => Note::FewLaunches {
                launches: note.whole_as("launches"),
            },
            "shortened" => Note::Shortened {
                asked: note.whole_as("asked"),
            },
            "fixed_item" => Note::FixedItem {
                fraction: note.number("fraction"),
            },
            "skewed" => Note::Skewed,
            "sampled" => Note::Sampled {
                step_ns: note.number("step_ns"),
                ticks: note.whole("ticks"),
            },
            "not_counted" => Note::NotCounted {
                why: note.text("why"),
            },
            _ => Note::Other(name),
        });
    }
    notes
}
