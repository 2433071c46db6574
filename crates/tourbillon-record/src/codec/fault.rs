use super::{Fields, start};
use crate::json::Writer;
use crate::{Fault, FaultKind, Place};

#[inline(never)]
pub(super) fn write(writer: &mut Writer, fault: &Fault) {
    start(writer, "fault");
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
    write_place(writer, fault.place.as_ref());
    writer.text("stderr", &fault.stderr);
}

#[inline(never)]
pub(super) fn read(fields: &mut Fields<'_, '_>) -> Fault {
    Fault {
        case: fields.text("case"),
        launch: fields.whole_as("launch"),
        kind: read_kind(fields),
        message: fields.text("message"),
        place: read_place(fields),
        stderr: fields.text("stderr"),
        unknown: fields.rest(),
    }
}

fn read_kind(fields: &mut Fields<'_, '_>) -> FaultKind {
    let kind = fields.text("kind");
    let code = fields.signed_or_none("code");
    let signal = fields.signed_or_none("signal");
    let silent_ms = fields.whole_or_none("silent_ms");
    match kind.as_str() {
        "panic" => FaultKind::Panic,
        "error" => FaultKind::Error,
        "exit" => FaultKind::Exit(fields.present("code", code)),
        "signal" => FaultKind::Signal(fields.present("signal", signal)),
        "hang" => FaultKind::Hang(fields.present("silent_ms", silent_ms)),
        "unknown_case" => FaultKind::UnknownCase,
        "no_terminal" => FaultKind::NoTerminal,
        "spawn" => FaultKind::Spawn,
        "protocol" => FaultKind::Protocol,
        _ => {
            fields.refuse("kind", "a kind of fault");
            FaultKind::Protocol
        }
    }
}

#[inline(never)]
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

pub(super) fn read_place(fields: &mut Fields<'_, '_>) -> Option<Place> {
    let mut place = fields.object_or_none("place")?;
    Some(Place {
        file: place.text("file"),
        line: place.whole_as("line"),
    })
}
