//! How much there is in debug information: what reads it takes stack for its levels, and memory for ranges and lines, which
//! entries and units can share by the thousand.

use addr2line::gimli::{DW_AT_ranges, Dwarf, EndianSlice, LittleEndian, Result, Section, Unit};

type Bytes<'d> = EndianSlice<'d, LittleEndian>;

/// Most levels of entries; those of compilers are some tens.
const DEEPEST: isize = 1_000;
/// Most ranges of addresses of all entries; a program of 100 MB has some hundred thousand.
const MOST_RANGES: usize = 4_000_000;

/// How many units have one list of lines, at most: a unit with code, and those with types of it.
const MOST_SHARING: usize = 4;

/// Whether there is more than in what any compiler writes.
pub(crate) fn is_too_much(dwarf: &Dwarf<Bytes<'_>>) -> bool {
    let mut ranges = 0;
    let mut bytes_of_lines = 0;
    let all_bytes_of_lines = dwarf.debug_line.reader().len();
    let mut headers = dwarf.units();
    while let Ok(Some(header)) = headers.next() {
        let Ok(unit) = dwarf.unit(header) else {
            continue;
        };
        let lines = unit.line_program.as_ref();
        bytes_of_lines += lines.map_or(0, |lines| lines.header().raw_program_buf().len());
        if bytes_of_lines / MOST_SHARING > all_bytes_of_lines {
            return true;
        }
        // What cannot be read is not looked at.
        if let Ok(true) = adds_too_much(dwarf, &unit, &mut ranges) {
            return true;
        }
    }
    false
}

/// Whether the entries of a unit are nested too deep, or have too many ranges after those before it.
fn adds_too_much(
    dwarf: &Dwarf<Bytes<'_>>,
    unit: &Unit<Bytes<'_>>,
    ranges: &mut usize,
) -> Result<bool> {
    let mut entries = unit.entries_raw(None)?;
    while !entries.is_empty() {
        if entries.next_depth() > DEEPEST {
            return Ok(true);
        }
        let Some(abbreviation) = entries.read_abbreviation()? else {
            continue;
        };
        for attribute in abbreviation.attributes() {
            if attribute.name() != DW_AT_ranges {
                entries.skip_attributes(&[*attribute])?;
                continue;
            }
            let value = entries.read_attribute(*attribute)?.value();
            let Ok(Some(mut list)) = dwarf.attr_ranges(unit, value) else {
                continue;
            };
            while let Ok(Some(_)) = list.next() {
                *ranges += 1;
                if *ranges > MOST_RANGES {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}
