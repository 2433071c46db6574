//! Lines with what the system counted during the samples, and the findings that come of it.

use tourbillon_record::{CaseResult, Line, Note, SystemCounts, Visit};

use crate::samples;

pub(crate) fn lines() -> Vec<Line> {
    let visit = Visit {
        counted: SystemCounts {
            page_faults: Some(2_097_152),
            written_bytes: Some(0),
        },
        ..samples::visit()
    };
    let result = CaseResult {
        notes: vec![
            Note::PagesTouched { per_op: 256.0 },
            Note::Writes { per_op: 0.5 },
        ],
        ..samples::result()
    };
    vec![Line::Visit(Box::new(visit)), Line::Result(result)]
}
