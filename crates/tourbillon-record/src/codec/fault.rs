use std::borrow::Cow;

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
    write_message(writer, &fault.message);
    write_place(writer, fault.place.as_ref());
    writer.text("stderr", &fault.stderr);
}

#[inline(never)]
pub(super) fn read(fields: &mut Fields<'_, '_>, fault: &mut Fault) {
    fields.text("case", &mut fault.case);
    fault.launch = fields.whole_as("launch");
    fault.kind = read_kind(fields);
    read_message(fields, &mut fault.message);
    read_place(fields, &mut fault.place);
    fields.text("stderr", &mut fault.stderr);
    fields.rest(&mut fault.unknown);
}

pub(super) const BLANK: Fault = Fault {
    case: String::new(),
    launch: 0,
    kind: FaultKind::Protocol,
    message: String::new(),
    place: None,
    stderr: String::new(),
    unknown: String::new(),
};

/// Every kind, without what it comes with.
static KINDS: [FaultKind; 9] = [
    FaultKind::Panic,
    FaultKind::Error,
    FaultKind::Exit(0),
    FaultKind::Signal(0),
    FaultKind::Hang(0),
    FaultKind::UnknownCase,
    FaultKind::NoTerminal,
    FaultKind::Spawn,
    FaultKind::Protocol,
];

#[inline(never)]
fn read_kind(fields: &mut Fields<'_, '_>) -> FaultKind {
    let name = fields.word("kind");
    let code = fields.signed_or_none("code");
    let signal = fields.signed_or_none("signal");
    let silent_ms = fields.whole_or_none("silent_ms");
    let Some(name) = name else {
        return FaultKind::Protocol;
    };
    let mut at = 0;
    while at < KINDS.len() && !name.is_text(KINDS[at].name()) {
        at += 1;
    }
    match KINDS.get(at) {
        Some(FaultKind::Exit(_)) => FaultKind::Exit(fields.present("code", code)),
        Some(FaultKind::Signal(_)) => FaultKind::Signal(fields.present("signal", signal)),
        Some(FaultKind::Hang(_)) => FaultKind::Hang(fields.present("silent_ms", silent_ms)),
        Some(other) => other.clone(),
        None => {
            fields.refuse("kind", "a kind of fault");
            FaultKind::Protocol
        }
    }
}

/// Characters of a message that are kept, with what says how many there were more.
const LONGEST_MESSAGE: usize = 2_000;
/// Of these, for `… (18446744073709551615 more characters)`.
const LONGEST_NOTE: usize = 45;

#[inline(never)]
pub(super) fn write_message(writer: &mut Writer, message: &str) {
    writer.text("message", &shortened(message));
}

#[inline(never)]
pub(super) fn read_message(fields: &mut Fields<'_, '_>, message: &mut String) {
    fields.text("message", message);
    // From a worker or a record of another version, which may not have shortened it.
    if let Cow::Owned(short) = shortened(message) {
        *message = short;
    }
}

/// A message at a length that people read. An `assert_eq!` of two long vectors has a million
/// characters, and each launch that fails would store and send them.
fn shortened(message: &str) -> Cow<'_, str> {
    let characters = message.chars().count();
    if characters <= LONGEST_MESSAGE {
        return Cow::Borrowed(message);
    }
    let kept = LONGEST_MESSAGE - LONGEST_NOTE;
    let mut short: String = message.chars().take(kept).collect();
    short.push_str(&format!("\u{2026} ({} more characters)", characters - kept));
    Cow::Owned(short)
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

#[inline(never)]
pub(super) fn read_place(fields: &mut Fields<'_, '_>, place: &mut Option<Place>) {
    if fields.enter_if_any("place") {
        *place = Some(Place {
            file: String::new(),
            line: 0,
        });
    }
    if let Some(place) = place {
        fields.text("file", &mut place.file);
        place.line = fields.whole_as("line");
        fields.leave();
    }
}
