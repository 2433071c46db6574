//! How deep functions are inlined into each other, as debug information says.

use addr2line::gimli::{Dwarf, EndianSlice, LittleEndian};

/// Most levels of entries, those of compilers are some tens: what looks for inlined functions recurses, and would take more
/// stack than there is.
const DEEPEST: isize = 1_000;

/// Whether entries are nested deeper than those of any compiler.
pub(crate) fn is_too_deep(dwarf: &Dwarf<EndianSlice<'_, LittleEndian>>) -> bool {
    let mut units = dwarf.units();
    while let Ok(Some(unit)) = units.next() {
        let Ok(abbreviations) = dwarf.abbreviations(&unit) else {
            continue;
        };
        let Ok(mut entries) = unit.entries_raw(&abbreviations, None) else {
            continue;
        };
        while !entries.is_empty() {
            if entries.next_depth() > DEEPEST {
                return true;
            }
            let skipped = entries.read_abbreviation().and_then(|abbreviation| {
                abbreviation.map_or(Ok(()), |one| entries.skip_attributes(one.attributes()))
            });
            if skipped.is_err() {
                break;
            }
        }
    }
    false
}
