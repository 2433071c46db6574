use super::{Fields, Writer};
use crate::{ClockCheck, End, Error};

pub(super) fn write(end: &End) -> String {
    let mut writer = Writer::line("end");
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
    writer.whole("exit_code", end.exit_code.into());
    writer.finish(&end.unknown)
}

pub(super) fn read(mut fields: Fields<'_, '_>) -> Result<End, Error> {
    Ok(End {
        wall_ns: fields.whole("wall_ns")?,
        visits_ns: fields.whole("visits_ns")?,
        batches_ns: fields.whole("batches_ns")?,
        visits: fields.whole("visits")?,
        faults: fields.whole("faults")?,
        interrupted: fields.flag("interrupted")?,
        clock_check: match fields.object_or_none("clock_check")? {
            Some(mut check) => Some(ClockCheck {
                deviation_ppm: check.number("deviation_ppm")?,
                bound_ppm: check.number("bound_ppm")?,
                baseline_ns: check.whole("baseline_ns")?,
            }),
            None => None,
        },
        exit_code: fields.whole_as("exit_code")?,
        unknown: fields.rest()?,
    })
}
