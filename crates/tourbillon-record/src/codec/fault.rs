use super::{Fields, Writer};
use crate::{Error, Fault, FaultKind, Place};

pub(super) fn write(fault: &Fault) -> String {
    let mut writer = Writer::line("fault");
    writer.text("case", &fault.case);
    writer.whole("launch", fault.launch.into());
    writer.text("kind", fault.kind.name());
    let (code, signal, silent_ms) = match fault.kind {
        FaultKind::Exit(code) => (Some(code), None, None),
        FaultKind::Signal(signal) => (None, Some(signal), None),
        FaultKind::Hang(silent_ms) => (None, None, Some(silent_ms)),
        _ => (None, None, None),
    };
    writer.signed_or_null("code", code);
    writer.signed_or_null("signal", signal);
    writer.whole_or_null("silent_ms", silent_ms);
    writer.text("message", &fault.message);
    write_place(&mut writer, fault.place.as_ref());
    writer.text("stderr", &fault.stderr);
    writer.finish(&fault.unknown)
}

pub(super) fn read(mut fields: Fields<'_, '_>) -> Result<Fault, Error> {
    Ok(Fault {
        case: fields.text("case")?,
        launch: fields.whole_as("launch")?,
        kind: read_kind(&mut fields)?,
        message: fields.text("message")?,
        place: read_place(&mut fields)?,
        stderr: fields.text("stderr")?,
        unknown: fields.rest()?,
    })
}

fn read_kind(fields: &mut Fields<'_, '_>) -> Result<FaultKind, Error> {
    let kind = fields.required("kind")?;
    let code = fields.signed_or_none("code")?;
    let signal = fields.signed_or_none("signal")?;
    let silent_ms = fields.whole_or_none("silent_ms")?;
    Ok(match &*kind.text()? {
        "panic" => FaultKind::Panic,
        "error" => FaultKind::Error,
        "exit" => FaultKind::Exit(code.ok_or_else(|| fields.missing("code"))?),
        "signal" => FaultKind::Signal(signal.ok_or_else(|| fields.missing("signal"))?),
        "hang" => FaultKind::Hang(silent_ms.ok_or_else(|| fields.missing("silent_ms"))?),
        "unknown_case" => FaultKind::UnknownCase,
        "no_terminal" => FaultKind::NoTerminal,
        "spawn" => FaultKind::Spawn,
        "protocol" => FaultKind::Protocol,
        _ => return Err(kind.not("a kind of fault")),
    })
}

pub(super) fn write_place(writer: &mut Writer, place: Option<&Place>) {
    match place {
        Some(place) => {
            writer.open("place");
            writer.text("file", &place.file);
            writer.whole("line", place.line.into());
            writer.close();
        }
        None => writer.null("place"),
    }
}

pub(super) fn read_place(fields: &mut Fields<'_, '_>) -> Result<Option<Place>, Error> {
    match fields.object_or_none("place")? {
        Some(mut place) => Ok(Some(Place {
            file: place.text("file")?,
            line: place.whole_as("line")?,
        })),
        None => Ok(None),
    }
}
