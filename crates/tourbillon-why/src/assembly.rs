//! Instructions as text, and the loops that they make.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use iced_x86::{Decoder, DecoderOptions, FlowControl, Formatter, Instruction, IntelFormatter};

use crate::images::{Images, Place};
use crate::profile::{Body, Profile};

/// Most bytes of a function that are read: the largest ones are generated.
const LONGEST: usize = 1 << 20;
/// Most bytes of an instruction.
const LONGEST_INSTRUCTION: usize = 15;
/// Instructions before and after the one that is executed most, in code without a loop.
const AROUND: usize = 8;

/// An instruction of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) place: Place,
    pub(crate) text: String,
    /// How often it was executed.
    pub(crate) count: u64,
    /// Where it may go on within the function.
    target: Option<u64>,
}

/// The piece of a function in which most instructions were executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HotCode {
    /// The function that has the code.
    pub(crate) function: String,
    pub(crate) is_loop: bool,
    pub(crate) lines: Vec<Line>,
}

/// The loop of a function that has the most of its instructions, the innermost one that has half as many as those around
/// it; a piece of code around the instruction that was executed most where there is none.
pub(crate) fn hot_code(body: &Body, profile: &Profile, images: &Images<'_>) -> Option<HotCode> {
    let lines = disassembled(body, &profile.instructions, images);
    let hottest = (0..lines.len()).max_by_key(|at| (lines[*at].count, Reverse(*at)))?;
    if lines[hottest].count == 0 {
        return None;
    }
    let found = hottest_loop(&lines);
    let (from, to) = found.unwrap_or_else(|| {
        let to = (hottest + AROUND + 1).min(lines.len());
        (hottest.saturating_sub(AROUND), to)
    });
    Some(HotCode {
        function: body.name.clone(),
        is_loop: found.is_some(),
        lines: lines[from..to].to_vec(),
    })
}

/// The instructions of a function, with how often each was executed.
fn disassembled(body: &Body, counts: &BTreeMap<Place, u64>, images: &Images<'_>) -> Vec<Line> {
    let bytes = body.end.saturating_sub(body.start.address);
    let known = bytes.min(LONGEST as u64) as usize;
    // Without a symbol, the function ends with the first byte of the last instruction that was executed.
    let rest = if images.symbol(body.start).is_some() {
        0
    } else {
        LONGEST_INSTRUCTION
    };
    let segment = images.code(body.start);
    let code = &segment[..(known + rest).min(segment.len())];
    let mut decoder = Decoder::with_ip(64, code, body.start.address, DecoderOptions::NONE);
    let mut formatter = formatter();
    let mut lines = Vec::new();
    while decoder.can_decode() && decoder.ip() < body.end {
        let instruction = decoder.decode();
        let place = Place {
            address: instruction.ip(),
            ..body.start
        };
        lines.push(Line {
            place,
            text: text(&instruction, place, images, &mut formatter),
            count: counts.get(&place).copied().unwrap_or(0),
            target: target(&instruction),
        });
    }
    lines
}

fn formatter() -> IntelFormatter {
    let mut formatter = IntelFormatter::new();
    let options = formatter.options_mut();
    options.set_hex_prefix("0x");
    options.set_hex_suffix("");
    options.set_uppercase_hex(false);
    options.set_space_after_operand_separator(true);
    options.set_branch_leading_zeros(false);
    options.set_rip_relative_addresses(true);
    options.set_show_branch_size(false);
    formatter
}

/// The address that a jump leads to.
fn target(instruction: &Instruction) -> Option<u64> {
    let is_jump = matches!(
        instruction.flow_control(),
        FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch
    );
    Some(instruction.near_branch_target()).filter(|target| is_jump && *target > 0)
}

/// An instruction as text, with the name of a function that it calls.
fn text(
    instruction: &Instruction,
    place: Place,
    images: &Images<'_>,
    formatter: &mut IntelFormatter,
) -> String {
    let mut text = String::new();
    formatter.format(instruction, &mut text);
    let to = Place {
        address: instruction.near_branch_target(),
        ..place
    };
    let called = images.symbol(to).filter(|symbol| {
        let is_start = symbol.start == to.address;
        to.address > 0 && is_start && symbol.start != place.address
    });
    match (called, text.split_once(' ')) {
        (Some(symbol), Some((word, _))) => format!("{word} {}", symbol.name()),
        _ => text,
    }
}

/// Where the loop begins, and the place after its last instruction; of code that an op executes once, none.
fn hottest_loop(lines: &[Line]) -> Option<(usize, usize)> {
    let at = |address: u64| {
        let found = lines.binary_search_by_key(&address, |line| line.place.address);
        found.ok()
    };
    let mut loops: Vec<(usize, usize, u64)> = Vec::new();
    for (end, line) in lines.iter().enumerate().filter(|(_, line)| line.count > 1) {
        let Some(start) = line.target.and_then(at).filter(|start| *start <= end) else {
            continue;
        };
        let weight = lines[start..=end].iter().map(|line| line.count).sum();
        loops.push((start, end + 1, weight));
    }
    let by_weight = |one: &&(usize, usize, u64)| (one.2, Reverse(one.1 - one.0));
    let mut best = *loops.iter().max_by_key(by_weight)?;
    loop {
        let (start, end, weight) = best;
        let within = loops.iter().filter(|(from, to, part)| {
            let is_within = *from >= start && *to <= end && (*from, *to) != (start, end);
            is_within && *part * 2 >= weight
        });
        match within.max_by_key(|(.., part)| *part) {
            Some(inner) => best = *inner,
            None => return Some((start, end)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of one byte each; a line that jumps has a target.
    fn lines(counts: &[(u64, Option<u64>)]) -> Vec<Line> {
        let line = |(at, (count, target)): (usize, &(u64, Option<u64>))| Line {
            place: Place {
                image: 0,
                address: 0x100 + at as u64,
            },
            text: String::new(),
            count: *count,
            target: target.map(|target| 0x100 + target),
        };
        counts.iter().enumerate().map(line).collect()
    }

    #[test]
    fn the_innermost_loop_with_most_instructions_is_found() {
        let outer = Some(0);
        let nested = [
            (1, None),
            (100, None),
            (100, Some(1)),
            (10, None),
            (10, outer),
        ];
        assert_eq!(hottest_loop(&lines(&nested)), Some((1, 3)));
        let even = [
            (50, None),
            (51, None),
            (51, Some(1)),
            (50, None),
            (50, outer),
        ];
        assert_eq!(hottest_loop(&lines(&even)), Some((0, 5)));
        // One that was not executed, and one that leads forward.
        let none = [(1, None), (0, Some(0)), (1, Some(4)), (1, None), (1, None)];
        assert_eq!(hottest_loop(&lines(&none)), None);
        let once = [(1, None), (1, Some(0))];
        assert_eq!(hottest_loop(&lines(&once)), None);
        assert_eq!(hottest_loop(&lines(&[(5, Some(0))])), Some((0, 1)));
    }
}
