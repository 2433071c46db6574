//! The file of a record, and everything that is made of it in memory.
#![no_main]

use cargo_tourbillon::hostile::texts_of_record;
use libfuzzer_sys::fuzz_target;
use tourbillon_criterion_files::{BenchmarkName, Directories};
use tourbillon_record::{Line, Results, Run};
use tourbillon_report::Style;

fuzz_target!(|bytes: &[u8]| {
    let Ok(run) = Run::parse_bytes(bytes) else {
        // Several runs in a file are parted before they are read.
        let _ = texts_of_record(bytes, &Style::default());
        return;
    };
    lines_are_kept(bytes);
    let results = Results::parse(bytes).expect("a run has a header");
    assert_eq!(
        results.header, run.header,
        "both readers read one header alike"
    );
    // The faster reader takes lines as writers begin them.
    assert!(results.results.len() <= run.results.len());
    assert!(results.verdicts.len() <= run.verdicts.len());
    directories_stay_inside(&run);
    let styles = [(80, true), (24, false), (1000, true)];
    let (width, unicode) = styles[bytes.len() % styles.len()];
    let style = Style {
        width,
        unicode,
        color: false,
        wide_tables: false,
    };
    if let Ok(texts) = texts_of_record(bytes, &style) {
        for text in &texts.shown {
            assert!(!text.contains(controls), "a terminal gets {text:?}");
            assert!(unicode || text.is_ascii(), "not ASCII: {text:?}");
        }
        for text in &texts.exports {
            let is_break = |c: char| matches!(c, '\r' | '\t');
            assert!(
                !text.contains(|c| controls(c) && !is_break(c)),
                "an export has {text:?}"
            );
            assert!(
                !text.starts_with(['{', '['])
                    || serde_json::from_str::<serde_json::Value>(text).is_ok(),
                "no JSON: {text}"
            );
        }
        assert!(
            !texts.page.contains(controls),
            "the page has a control character"
        );
    }
});

/// Whether a character moves the cursor, or changes the direction of what follows.
fn controls(c: char) -> bool {
    c != '\n' && c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What was read is written, and read again as it was.
fn lines_are_kept(bytes: &[u8]) {
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let Ok(line) = str::from_utf8(line) else {
            continue;
        };
        if let Ok(line) = Line::decode(line) {
            let text = line.encode();
            assert_eq!(Line::decode(&text).as_ref(), Ok(&line), "{text}");
        }
    }
}

/// No id makes a folder outside of criterion's.
fn directories_stay_inside(run: &Run) {
    let mut directories = Directories::default();
    for case in &run.cases {
        let directory = directories.next(&BenchmarkName::of(case));
        for part in directory.components() {
            assert!(
                matches!(part, std::path::Component::Normal(_)),
                "{directory:?} leads out"
            );
        }
    }
}
