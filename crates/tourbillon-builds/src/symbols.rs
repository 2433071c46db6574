//! The symbol table of an executable.

/// Type of a section that is the table of symbols.
const SYMBOLS: u32 = 2;
/// Types of symbols that are data or code.
const OBJECT: u8 = 1;
const FUNCTION: u8 = 2;
/// Bytes of an entry of the table of sections, and of that of symbols.
const SECTION_BYTES: usize = 64;
const SYMBOL_BYTES: usize = 24;

/// A named function or datum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub name: String,
    pub bytes: u64,
}

/// The functions and data that an executable defines, in the order of its table: of a little-endian
/// 64-bit ELF file (System V ABI, chapter 4). Empty for other files and without a table.
pub fn symbols(file: &[u8]) -> Vec<Symbol> {
    read(file).unwrap_or_default()
}

fn read(file: &[u8]) -> Option<Vec<Symbol>> {
    if file.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let sections = number(file, 40, 8)?;
    let count = number(file, 60, 2)?;
    let section = |index: usize| {
        let at = index.checked_mul(SECTION_BYTES)?.checked_add(sections)?;
        file.get(at..at.checked_add(SECTION_BYTES)?)
    };
    let contents = |section: &[u8]| {
        let (at, length) = (number(section, 24, 8)?, number(section, 32, 8)?);
        file.get(at..at.checked_add(length)?)
    };
    let table = (0..count)
        .filter_map(section)
        .find(|section| number(section, 4, 4) == usize::try_from(SYMBOLS).ok())?;
    let names = contents(section(number(table, 40, 4)?)?)?;
    let mut found = Vec::new();
    for symbol in contents(table)?.chunks_exact(SYMBOL_BYTES) {
        let is_defined = number(symbol, 6, 2)? != 0;
        if !is_defined || ![OBJECT, FUNCTION].contains(&(symbol[4] & 0xF)) {
            continue;
        }
        let name = names.get(number(symbol, 0, 4)?..)?;
        let end = name.iter().position(|&byte| byte == 0)?;
        if let Ok(name) = std::str::from_utf8(&name[..end])
            && !name.is_empty()
        {
            found.push(Symbol {
                name: name.to_owned(),
                bytes: number(symbol, 16, 8)? as u64,
            });
        }
    }
    Some(found)
}

/// A number of so many bytes.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(length)?)?;
    let number = bytes
        .iter()
        .rev()
        .fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
    usize::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(all(
        target_os = "linux",
        target_pointer_width = "64",
        target_endian = "little"
    ))]
    #[test]
    fn this_executable_has_this_function() {
        let own = std::fs::read(std::env::current_exe().expect("a path")).expect("a file");
        let names = symbols(&own);
        let this = "this_executable_has_this_function";
        assert!(
            names
                .iter()
                .any(|symbol| symbol.name.contains(this) && symbol.bytes > 0),
            "{}",
            names.len()
        );
        assert!(names.iter().any(|symbol| symbol.name == "main"));
    }

    #[test]
    fn other_files_have_none() {
        assert!(symbols(b"").is_empty());
        assert!(symbols(b"MZ and more").is_empty());
        let mut cut = b"\x7fELF\x02\x01".to_vec();
        cut.resize(64, 0xFF);
        assert!(symbols(&cut).is_empty());
    }
}
