use super::{Fields, start};
use crate::OwnMetric;
use crate::json::{Writer, put};
use crate::{Absence, CaseResult, Metric, Note, Scope};

#[inline(never)]
pub(super) fn write(writer: &mut Writer, result: &CaseResult) {
    start(writer, "result");
    writer.text("case", &result.case);
    write_metric(writer, result.metric, result.own.as_deref());
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
pub(super) fn read(fields: &mut Fields<'_, '_>, result: &mut CaseResult) {
    fields.text("case", &mut result.case);
    result.metric = read_metric(fields);
    result.own = read_own(fields, result.metric).map(Box::new);
    result.estimate = read_estimate(fields);
    result.lower = fields.number_or_none("lower");
    result.upper = fields.number_or_none("upper");
    result.confidence = fields.number_or_none("confidence");
    result.scope = read_scope(fields);
    result.systematic = fields.number("systematic");
    result.launches = fields.whole_as("launches");
    result.samples = fields.whole("samples");
    result.mean = fields.number_or_none("mean");
    result.stddev = fields.number_or_none("stddev");
    result.mad = fields.number_or_none("mad");
    result.fixed_cost = fields.number_or_none("fixed_cost");
    result.first_call = fields.number_or_none("first_call");
    result.resolution = fields.number_or_none("resolution");
    result.ops = fields.whole("ops");
    result.iterations = fields.whole("iterations");
    result.elapsed_ns = fields.number("elapsed");
    fields.text("method", &mut result.method);
    for item in fields.list("notes") {
        fields.enter_item("notes", item);
        read_note(fields, &mut result.notes);
        fields.leave();
    }
    fields.rest(&mut result.unknown);
}

pub(super) const BLANK: CaseResult = CaseResult {
    case: String::new(),
    metric: Metric::Time,
    own: None,
    estimate: Err(Absence::NotReached),
    lower: None,
    upper: None,
    confidence: None,
    scope: Scope::Process,
    systematic: 0.0,
    launches: 0,
    samples: 0,
    mean: None,
    stddev: None,
    mad: None,
    fixed_cost: None,
    first_call: None,
    resolution: None,
    ops: 0,
    iterations: 0,
    elapsed_ns: 0.0,
    method: String::new(),
    notes: Vec::new(),
    unknown: String::new(),
};

/// Every metric; lines of others are passed over, as those of unknown types are.
const METRICS: &[Metric] = &[
    Metric::Time,
    Metric::CpuTime,
    Metric::UserTime,
    Metric::KernelTime,
    Metric::Own,
    Metric::Cycles,
    Metric::Allocs,
    Metric::Bytes,
    Metric::Peak,
    Metric::Kept,
    Metric::Moved,
];

/// What was measured, with its unit.
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
#[inline(never)]
pub(super) fn read_own(fields: &mut Fields<'_, '_>, metric: Metric) -> Option<OwnMetric> {
    if metric != Metric::Own {
        read_unit(fields, metric);
        return None;
    }
    let mut own = OwnMetric {
        name: String::new(),
        unit: String::new(),
    };
    fields.text("name", &mut own.name);
    fields.text("unit", &mut own.unit);
    Some(own)
}

fn read_unit(fields: &mut Fields<'_, '_>, metric: Metric) {
    if let Some(unit) = fields.word("unit")
        && !unit.is_text(metric.unit())
    {
        let mut wanted = String::new();
        put(
            &mut wanted,
            format_args!("`{}`, the unit of the metric,", metric.unit()),
        );
        fields.refuse("unit", &wanted);
    }
}

#[inline(never)]
pub(super) fn read_metric(fields: &mut Fields<'_, '_>) -> Metric {
    let Some(name) = fields.word("metric") else {
        return Metric::Time;
    };
    for &metric in METRICS {
        if name.is_text(metric.name()) {
            return metric;
        }
    }
    fields.unknown_type(name);
    Metric::Time
}

/// Either the number or the reason why there is none: one of them, not both.
fn read_estimate(fields: &mut Fields<'_, '_>) -> Result<f64, Absence> {
    if let Some(estimate) = fields.number_or_none("estimate") {
        fields.nothing("absent", "null beside an estimate");
        return Ok(estimate);
    }
    let words = [
        Absence::BelowResolution.name(),
        Absence::MachineBusy.name(),
        Absence::TooScattered.name(),
        Absence::Failed.name(),
        Absence::NotReached.name(),
        Absence::ClocksDisagree.name(),
    ];
    Err(
        match fields.one_of("absent", &words, "a reason for an absent estimate") {
            0 => Absence::BelowResolution,
            1 => Absence::MachineBusy,
            2 => Absence::TooScattered,
            3 => Absence::Failed,
            5 => Absence::ClocksDisagree,
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
        | Note::ProcessesLeft { launches }
        | Note::FewLaunches { launches } => writer.whole("launches", (*launches).into()),
        Note::PagesTouched { per_op } | Note::Writes { per_op } => {
            writer.number("per_op", *per_op);
        }
        Note::Crowded { launches, kept } => {
            writer.whole("launches", (*launches).into());
            writer.flag("kept", *kept);
        }
        Note::LaunchesAsked { launches, took_ns } => {
            writer.whole("launches", (*launches).into());
            writer.number("took_ns", *took_ns);
        }
        Note::Overlaps { alone } => writer.number("alone", *alone),
        Note::Shortened { asked } => writer.whole("asked", (*asked).into()),
        Note::Sampled { step_ns, ticks } => {
            writer.number("step_ns", *step_ns);
            writer.whole("ticks", *ticks);
        }
        Note::NotCounted { why } => writer.text("why", why),
        Note::WaitsForMemory { touched_bytes } => writer.whole("touched_bytes", *touched_bytes),
        Note::ClocksDisagree { ppm } => writer.number("ppm", *ppm),
        Note::CorrectionTooLarge | Note::Skewed | Note::Other(_) => {}
    }
    writer.close();
}

/// Every note, without what it comes with.
static NOTES: [Note; 23] = [
    Note::SlowLaunches {
        count: 0,
        excess: 0.0,
    },
    Note::FailedLaunches { count: 0 },
    Note::Curvature { fraction: 0.0 },
    Note::NotWarm { launches: 0 },
    Note::ThreadsLeft { launches: 0 },
    Note::ProcessesLeft { launches: 0 },
    Note::UnevenThreads { fraction: 0.0 },
    Note::ThreadsInTurns {
        threads: 0,
        processors: 0,
    },
    Note::PagesTouched { per_op: 0.0 },
    Note::Writes { per_op: 0.0 },
    Note::Crowded {
        launches: 0,
        kept: false,
    },
    Note::Waited { fraction: 0.0 },
    Note::CorrectionTooLarge,
    Note::FewLaunches { launches: 0 },
    Note::Shortened { asked: 0 },
    Note::LaunchesAsked {
        launches: 0,
        took_ns: 0.0,
    },
    Note::FixedItem { fraction: 0.0 },
    Note::Overlaps { alone: 0.0 },
    Note::Skewed,
    Note::Sampled {
        step_ns: 0.0,
        ticks: 0,
    },
    Note::NotCounted { why: String::new() },
    Note::WaitsForMemory { touched_bytes: 0 },
    Note::ClocksDisagree { ppm: 0.0 },
];

#[inline(never)]
fn read_note(fields: &mut Fields<'_, '_>, notes: &mut Vec<Note>) {
    let Some(name) = fields.word("note") else {
        return;
    };
    let mut at = 0;
    while at < NOTES.len() && !name.is_text(NOTES[at].name()) {
        at += 1;
    }
    notes.push(match NOTES.get(at) {
        Some(blank) => blank.clone(),
        None => Note::Other(String::new()),
    });
    match notes.last_mut() {
        Some(Note::SlowLaunches { count, excess }) => {
            *count = fields.whole_as("count");
            *excess = fields.number("excess");
        }
        Some(Note::FailedLaunches { count }) => *count = fields.whole_as("count"),
        Some(
            Note::Curvature { fraction }
            | Note::FixedItem { fraction }
            | Note::Waited { fraction }
            | Note::UnevenThreads { fraction },
        ) => *fraction = fields.number("fraction"),
        Some(Note::Overlaps { alone }) => *alone = fields.number("alone"),
        Some(Note::ThreadsInTurns {
            threads,
            processors,
        }) => {
            *threads = fields.whole_as("threads");
            *processors = fields.whole_as("processors");
        }
        Some(
            Note::NotWarm { launches }
            | Note::ThreadsLeft { launches }
            | Note::ProcessesLeft { launches }
            | Note::FewLaunches { launches },
        ) => *launches = fields.whole_as("launches"),
        Some(Note::PagesTouched { per_op } | Note::Writes { per_op }) => {
            *per_op = fields.number("per_op");
        }
        Some(Note::Crowded { launches, kept }) => {
            *launches = fields.whole_as("launches");
            *kept = fields.flag("kept");
        }
        Some(Note::LaunchesAsked { launches, took_ns }) => {
            *launches = fields.whole_as("launches");
            *took_ns = fields.number("took_ns");
        }
        Some(Note::Shortened { asked }) => *asked = fields.whole_as("asked"),
        Some(Note::Sampled { step_ns, ticks }) => {
            *step_ns = fields.number("step_ns");
            *ticks = fields.whole("ticks");
        }
        Some(Note::NotCounted { why }) => fields.text("why", why),
        Some(Note::WaitsForMemory { touched_bytes }) => {
            *touched_bytes = fields.whole("touched_bytes");
        }
        Some(Note::ClocksDisagree { ppm }) => *ppm = fields.number("ppm"),
        Some(Note::Other(other)) => fields.text("note", other),
        Some(Note::CorrectionTooLarge | Note::Skewed) | None => {}
    }
}
