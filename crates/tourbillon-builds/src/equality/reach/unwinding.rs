//! How a program unwinds its stack: `.eh_frame`, whose parts belong to functions.

use super::place::Place;

/// A function with what the unwinder reads of it.
#[derive(Debug)]
pub(super) struct Frame<'f> {
    /// Where its function begins: in a program by address, in an atom by the distance from its beginning.
    pub(super) start: u64,
    pub(super) length: u64,
    /// The letters, factors and rules of all functions of a kind, and the rules of this one.
    pub(super) common: [&'f [u8]; 3],
    pub(super) own: &'f [u8],
    /// The address of a pointer to the function that decides, and of the table that it reads.
    pub(super) personality: Option<u64>,
    pub(super) table: Option<u64>,
    /// The places of these two.
    pub(super) places: Vec<Place>,
}

/// Encodings of pointers: absent, signed 32 bits from the field, and the same to a pointer.
const OMITTED: u8 = 0xFF;
const RELATIVE: u8 = 0x1B;
const INDIRECT: u8 = 0x9B;

/// A kind of functions.
#[derive(Clone, Copy)]
struct Common<'f> {
    rules: [&'f [u8]; 3],
    personality: Option<u64>,
    has_size: bool,
    has_table: bool,
}

/// A part of the section.
struct Reader<'f> {
    section: &'f [u8],
    at: usize,
    address: u64,
}

impl<'f> Reader<'f> {
    fn take(&mut self, length: usize) -> Option<&'f [u8]> {
        let taken = self.section.get(self.at..)?.get(..length)?;
        self.at += length;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(*self.take(4)?.first_chunk()?))
    }

    /// A number of seven bits a byte.
    fn leb(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// The address that a field leads to; `None` inside for a field of zero.
    fn pointer(&mut self) -> Option<Option<u64>> {
        let field = self.address + self.at as u64;
        let distance = self.number()?.cast_signed();
        let address = field.wrapping_add_signed(distance.into());
        Some((distance != 0).then_some(address))
    }
}

/// All frames of a section that begins at an address; `None` where one is not understood.
pub(super) fn frames(section: &[u8], address: u64) -> Option<Vec<Frame<'_>>> {
    let mut frames = Vec::new();
    let mut start = 0;
    while start < section.len() {
        let mut reader = Reader {
            section,
            at: start,
            address,
        };
        let length = reader.number()? as usize;
        if length == 0 {
            break;
        }
        let end = reader.at.checked_add(length)?;
        reader.section = section.get(..end)?;
        let here = reader.at;
        let back = reader.number()? as usize;
        if back != 0 {
            let common = common(section, address, here.checked_sub(back)?)?;
            frames.push(frame(&mut reader, common)?);
        }
        start = end;
    }
    Some(frames)
}

fn frame<'f>(reader: &mut Reader<'f>, common: Common<'f>) -> Option<Frame<'f>> {
    let start = reader.pointer()??;
    let length = reader.number()?.into();
    let mut table = None;
    if common.has_size {
        let size = usize::try_from(reader.leb()?).ok()?;
        let rules = reader.at.checked_add(size)?;
        if common.has_table {
            table = reader.pointer()?;
        }
        if reader.at != rules {
            return None;
        }
    }
    Some(Frame {
        start,
        length,
        common: common.rules,
        own: without_padding(reader.section.get(reader.at..)?),
        personality: common.personality,
        table,
        places: Vec::new(),
    })
}

/// What functions of a kind have in common.
fn common(section: &[u8], address: u64, start: usize) -> Option<Common<'_>> {
    let mut reader = Reader {
        section,
        at: start,
        address,
    };
    let length = reader.number()? as usize;
    let end = reader.at.checked_add(length)?;
    reader.section = section.get(..end)?;
    let is_known = reader.number()? == 0 && reader.byte()? == 1;
    let rest = reader.section.get(reader.at..)?;
    let letters = rest.split(|byte| *byte == 0).next()?;
    reader.take(letters.len() + 1)?;
    let factors = reader.at;
    for _ in 0..3 {
        reader.leb()?;
    }
    let factors = reader.section.get(factors..reader.at)?;
    let mut common = Common {
        rules: [letters, factors, &[]],
        personality: None,
        has_size: letters.starts_with(b"z"),
        has_table: false,
    };
    if common.has_size {
        reader.leb()?;
    }
    for letter in letters.iter().skip(usize::from(common.has_size)) {
        match letter {
            b'R' if reader.byte()? == RELATIVE => {}
            b'S' => {}
            b'L' => {
                common.has_table = match reader.byte()? {
                    RELATIVE => true,
                    OMITTED => false,
                    _ => return None,
                }
            }
            b'P' if reader.byte()? == INDIRECT => common.personality = reader.pointer()?,
            _ => return None,
        }
    }
    common.rules[2] = without_padding(reader.section.get(reader.at..)?);
    is_known.then_some(common)
}

/// Rules without the zeros at their end, which do nothing: how many there are depends on what an object has after them.
/// One that is the end of a rule is missing in no other rules: what is before it is the same, and asks for it.
fn without_padding(rules: &[u8]) -> &[u8] {
    let zeros = rules.iter().rev().take_while(|byte| **byte == 0).count();
    &rules[..rules.len() - zeros]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_is_no_rule() {
        assert_eq!(
            without_padding(&[0x41, 0, 0x0E, 8, 0, 0]),
            [0x41, 0, 0x0E, 8]
        );
        assert_eq!(without_padding(&[0, 0]), [0; 0]);
        assert_eq!(without_padding(&[]), [0; 0]);
    }
}
