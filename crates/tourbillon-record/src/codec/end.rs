use super::start;
use crate::End;
use crate::json::Writer;

#[inline(never)]
pub(super) fn write(writer: &mut Writer, end: &End) {
    start(writer, "end");
    writer.whole("wall_ns", end.wall_ns);
    writer.whole("visits_ns", end.visits_ns);
    writer.whole("batches_ns", end.batches_ns);
    writer.whole("visits", end.visits);
    writer.whole("faults", end.faults);
    writer.flag("interrupted", end.interrupted);
    match end.clock_check {
        Some(check) => {
            writer.open("clock_check");
            writer.number("deviation_ppm", check.deviation_ppm);
            writer.number("bound_ppm", check.bound_ppm);
            writer.whole("baseline_ns", check.baseline_ns);
            writer.close();
        }
        None => writer.null("clock_check"),
    }
    match end.meanwhile {
        Some(meanwhile) => {
            writer.open("meanwhile");
            writer.whole("wanted_ticks", meanwhile.wanted_ticks);
            writer.whole("stolen_ticks", meanwhile.stolen_ticks);
            writer.whole("own_ticks", meanwhile.own_ticks);
            writer.whole("swapped_pages", meanwhile.swapped_pages);
            writer.whole("throttled", meanwhile.throttled);
            writer.close();
        }
        None => writer.null("meanwhile"),
    }
    writer.whole("exit_code", end.exit_code.into());
}

pub(super) use reading::read;

/// The other direction, for whole runs.
mod reading {
    use crate::codec::Fields;
    use crate::{ClockCheck, End, Meanwhile};

    #[inline(never)]
    pub(crate) fn read(fields: &mut Fields<'_, '_>) -> End {
        let mut end = End {
            wall_ns: fields.whole("wall_ns"),
            visits_ns: fields.whole("visits_ns"),
            batches_ns: fields.whole("batches_ns"),
            visits: fields.whole("visits"),
            faults: fields.whole("faults"),
            interrupted: fields.flag("interrupted"),
            clock_check: None,
            meanwhile: None,
            exit_code: 0,
            unknown: String::new(),
        };
        if fields.enter_if_any("clock_check") {
            end.clock_check = Some(read_clock_check(fields));
            fields.leave();
        }
        if fields.enter_if_any("meanwhile") {
            end.meanwhile = Some(read_meanwhile(fields));
            fields.leave();
        }
        end.exit_code = fields.whole_as("exit_code");
        fields.rest(&mut end.unknown);
        end
    }

    fn read_meanwhile(fields: &mut Fields<'_, '_>) -> Meanwhile {
        Meanwhile {
            wanted_ticks: fields.whole("wanted_ticks"),
            stolen_ticks: fields.whole("stolen_ticks"),
            own_ticks: fields.whole("own_ticks"),
            swapped_pages: fields.whole("swapped_pages"),
            throttled: fields.whole("throttled"),
        }
    }

    fn read_clock_check(fields: &mut Fields<'_, '_>) -> ClockCheck {
        ClockCheck {
            deviation_ppm: fields.number("deviation_ppm"),
            bound_ppm: fields.number("bound_ppm"),
            baseline_ns: fields.whole("baseline_ns"),
        }
    }
}
