//! What processes tell each other: workers their coordinator, suites of criterion their front, the launcher of
//! `commands` the one who started it.
#![no_main]

use cargo_tourbillon::hostile::message_again;
use criterion::__private::{line_read, role_read};
use libfuzzer_sys::fuzz_target;
use tourbillon_coordinator::runner::FrameReader;
use tourbillon_record::Frame;

fuzz_target!(|bytes: &[u8]| {
    frames(bytes);
    if let Ok(text) = str::from_utf8(bytes) {
        for line in text.lines() {
            if let Ok(frame) = Frame::decode(line) {
                assert_eq!(Frame::decode(&frame.encode()).as_ref(), Ok(&frame));
            }
            if let Some(again) = line_read(line) {
                let again = again.trim_end_matches('\n');
                assert_eq!(
                    line_read(again).as_deref().map(str::trim_end),
                    Some(again.trim_end())
                );
            }
        }
        let _ = role_read(text);
    }
    for again in message_again(bytes).into_iter().flatten() {
        assert!(
            message_again(&again)
                .into_iter()
                .flatten()
                .any(|third| third == again)
        );
    }
});

/// Frames come alike, however the bytes of a worker were cut.
fn frames(bytes: &[u8]) {
    let whole = read([bytes]);
    let at = bytes
        .first()
        .map_or(0, |first| usize::from(*first) % bytes.len());
    assert_eq!(read([&bytes[..at], &bytes[at..]]), whole);
    if bytes.len() < 1024 {
        assert_eq!(read(bytes.chunks(1)), whole);
    }
}

fn read<'b>(parts: impl IntoIterator<Item = &'b [u8]>) -> Vec<Result<Frame, String>> {
    let mut reader = FrameReader::default();
    let mut frames = Vec::new();
    for part in parts {
        reader.feed(part);
        while let Some(frame) = reader.next_frame() {
            frames.push(frame);
        }
    }
    frames
}
