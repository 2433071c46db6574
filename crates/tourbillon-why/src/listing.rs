//! Code with the lines that it comes from, and how often each instruction was executed.

use crate::assembly::HotCode;
use crate::frame::counted;
use crate::images::Images;
use crate::sources::Sources;

/// Instructions that are listed.
const MOST: usize = 24;
/// Instructions before the first one of a line that is of interest.
const BEFORE: usize = 3;

/// A piece of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listing {
    /// The function that has the code.
    pub(crate) function: String,
    pub(crate) is_loop: bool,
    /// Whether it has a line of interest.
    pub(crate) is_of_interest: bool,
    pub(crate) rows: Vec<ListingRow>,
    /// Instructions that were executed and are not listed.
    pub(crate) more: usize,
}

/// A row of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ListingRow {
    /// A line of the sources, of the instructions below it.
    Source {
        /// `src/lib.rs:7`
        place: String,
        /// Empty where it cannot be read.
        text: String,
    },
    /// An instruction.
    Instruction {
        address: u64,
        text: String,
        count: u64,
    },
    /// Instructions that were not executed.
    Skipped(usize),
}

impl Listing {
    /// The whole piece, or a part that begins with the first line of interest, by file and number.
    pub(crate) fn new(
        code: &HotCode,
        images: &Images<'_>,
        sources: &Sources,
        is_of_interest: impl Fn(&str, u32) -> bool,
    ) -> Listing {
        let executed = code.lines.iter().filter(|line| line.count > 0).count();
        let first = code.lines.iter().position(|line| {
            let frames = images.frames(line.place, None);
            let place = counted(&frames).and_then(|frame| frame.file.as_deref().zip(frame.line));
            line.count > 0 && place.is_some_and(|(file, line)| is_of_interest(file, line))
        });
        let start = match first {
            Some(first) if executed > MOST => first.saturating_sub(BEFORE),
            _ => 0,
        };
        let mut rows: Vec<ListingRow> = Vec::new();
        let before = code.lines[..start].iter().filter(|line| line.count > 0);
        let (mut place, mut listed, mut more) = (None, 0, before.count());
        for line in &code.lines[start..] {
            if line.count == 0 {
                match rows.last_mut() {
                    Some(ListingRow::Skipped(count)) => *count += 1,
                    _ => rows.push(ListingRow::Skipped(1)),
                }
                continue;
            }
            if listed == MOST {
                more += 1;
                continue;
            }
            listed += 1;
            let frames = images.frames(line.place, None);
            let inner = counted(&frames);
            let now = inner.and_then(|frame| frame.place());
            if now != place
                && let Some((place, frame)) = now.clone().zip(inner)
            {
                let path = frame.path.as_deref();
                let text = path.and_then(|path| sources.line(path, frame.line?));
                rows.push(ListingRow::Source {
                    place,
                    text: text.unwrap_or_default(),
                });
            }
            place = now;
            rows.push(ListingRow::Instruction {
                address: line.place.address,
                text: line.text.clone(),
                count: line.count,
            });
        }
        Listing {
            function: code.function.clone(),
            is_loop: code.is_loop,
            is_of_interest: first.is_some(),
            rows,
            more,
        }
    }

    /// `the hottest loop, in shop::sum`
    pub(crate) fn heading(&self) -> String {
        let what = if self.is_loop {
            "the hottest loop"
        } else {
            "the hottest instructions"
        };
        format!("{what}, in {}", self.function)
    }
}
