use super::start;
use crate::json::Writer;
use crate::{Undecided, Verdict};

#[inline(never)]
pub(super) fn write(writer: &mut Writer, verdict: &Verdict) {
    start(writer, "verdict");
    writer.text("case", &verdict.case);
    writer.text("reference", &verdict.reference);
    writer.text("verdict", verdict.finding.name());
    writer.text_or_null("why", verdict.why.map(Undecided::name));
    writer.number_or_null("ratio", verdict.ratio);
    writer.number_or_null("lower", verdict.lower);
    writer.number_or_null("upper", verdict.upper);
    writer.number("confidence", verdict.confidence);
    writer.number("margin", verdict.margin);
    writer.text("scope", verdict.scope.name());
    writer.whole("pairs", verdict.pairs);
    writer.whole("launches", verdict.launches.into());
    writer.whole("layouts", verdict.layouts.into());
    writer.whole("dropped", verdict.dropped);
    match &verdict.control {
        Some(control) => {
            writer.open("control");
            writer.number_or_null("ratio", control.ratio);
            writer.number_or_null("lower", control.lower);
            writer.number_or_null("upper", control.upper);
            writer.whole("pairs", control.pairs);
            writer.flag("fired", control.fired);
            writer.close();
        }
        None => writer.null("control"),
    }
    match &verdict.interference {
        Some(interference) => {
            writer.open("interference");
            writer.number_or_null("reference", interference.reference);
            writer.number_or_null("case", interference.case);
            writer.whole("pairs", interference.pairs);
            writer.whole("lead_in", interference.lead_in);
            writer.flag("matters", interference.matters);
            writer.close();
        }
        None => writer.null("interference"),
    }
    writer.whole("seed", verdict.seed);
    writer.number("seconds", verdict.seconds);
    writer.number_or_null("seconds_needed", verdict.seconds_needed);
    writer.number_or_null("reference_ns", verdict.reference_ns);
    writer.number_or_null("case_ns", verdict.case_ns);
    writer.text("method", &verdict.method);
}

pub(super) use reading::read;

/// The other direction, for whole runs.
mod reading {
    use crate::codec::Fields;
    use crate::{Control, Finding, Interference, Reach, Undecided, Verdict};

    #[inline(never)]
    pub(crate) fn read(fields: &mut Fields<'_, '_>) -> Verdict {
        let finding = {
            let words = Finding::ALL.map(Finding::name);
            Finding::ALL[fields.one_of("verdict", &words, "a verdict")]
        };
        let mut verdict = Verdict {
            case: String::new(),
            reference: String::new(),
            finding,
            why: read_why(fields, finding),
            ratio: fields.number_or_none("ratio"),
            lower: fields.number_or_none("lower"),
            upper: fields.number_or_none("upper"),
            confidence: fields.number("confidence"),
            margin: fields.number("margin"),
            scope: {
                let words = Reach::ALL.map(Reach::name);
                Reach::ALL[fields.one_of("scope", &words, "what the interval covers")]
            },
            pairs: fields.whole("pairs"),
            launches: fields.whole_as("launches"),
            layouts: fields.whole_as("layouts"),
            dropped: fields.whole("dropped"),
            control: None,
            interference: None,
            seed: fields.whole("seed"),
            seconds: fields.number("seconds"),
            seconds_needed: fields.number_or_none("seconds_needed"),
            reference_ns: fields.number_or_none("reference_ns"),
            case_ns: fields.number_or_none("case_ns"),
            method: String::new(),
            unknown: String::new(),
        };
        fields.text("case", &mut verdict.case);
        fields.text("reference", &mut verdict.reference);
        if fields.enter_if_any("control") {
            verdict.control = Some(read_control(fields));
            fields.leave();
        }
        if fields.enter_if_any("interference") {
            verdict.interference = Some(read_interference(fields));
            fields.leave();
        }
        fields.text("method", &mut verdict.method);
        fields.rest(&mut verdict.unknown);
        verdict
    }

    /// A reason where it is undecided, and only there.
    fn read_why(fields: &mut Fields<'_, '_>, finding: Finding) -> Option<Undecided> {
        if finding != Finding::Undecided {
            fields.nothing("why", "null beside a decision");
            return None;
        }
        let words = Undecided::ALL.map(Undecided::name);
        Some(Undecided::ALL[fields.one_of("why", &words, "a reason for no verdict")])
    }

    fn read_control(fields: &mut Fields<'_, '_>) -> Control {
        Control {
            ratio: fields.number_or_none("ratio"),
            lower: fields.number_or_none("lower"),
            upper: fields.number_or_none("upper"),
            pairs: fields.whole("pairs"),
            fired: fields.flag("fired"),
        }
    }

    fn read_interference(fields: &mut Fields<'_, '_>) -> Interference {
        Interference {
            reference: fields.number_or_none("reference"),
            case: fields.number_or_none("case"),
            pairs: fields.whole("pairs"),
            lead_in: fields.whole("lead_in"),
            matters: fields.flag("matters"),
        }
    }
}
