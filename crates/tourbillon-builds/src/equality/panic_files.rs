//! The paths of sources in messages of panics, which no program opens.

use std::collections::BTreeSet;
use std::ops::Range;

/// Bytes of the longest path that is looked at.
const LONGEST_PATH: u64 = 1024;

/// Of a word in a file that the loader completes, the bits of the place that it leads to: Mach-O has others above.
const OF_PLACE: u64 = (1 << 36) - 1;

/// Where parts of a program are when it runs, and where its words lead.
#[derive(Debug, Default)]
pub(super) struct Addresses {
    /// Where the program begins, which words in its file may add.
    pub(super) base: u64,
    /// Addresses of parts, each with its place in the bytes of the image.
    pub(super) parts: Vec<(u64, Range<usize>)>,
    /// Addresses of words, each with that of what it leads to, where the words in the file do not have them.
    pub(super) pointers: Vec<(u64, u64)>,
}

impl Addresses {
    /// The places in the bytes of an image where a path begins that is the file of a `core::panic::Location`: a pointer,
    /// the length, a line and a column lead to it, and compilers end these paths, and no others, with a zero.
    pub(super) fn panic_files(&self, bytes: &[u8]) -> BTreeSet<usize> {
        let words = self.parts.iter().flat_map(|(start, part)| {
            let first = usize::try_from(start.wrapping_neg() % 8).unwrap_or(0);
            let places = (part.start + first..part.end).step_by(8);
            places.filter_map(|at| Some((at, u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))))
        });
        let in_file = words.map(|(at, word)| (at, word & OF_PLACE));
        let of_loader = self.pointers.iter();
        let of_loader = of_loader.filter_map(|(slot, target)| Some((self.place(*slot)?, *target)));
        let all = in_file.chain(of_loader);
        all.filter_map(|(at, target)| self.panic_file(bytes, at, target))
            .collect()
    }

    fn panic_file(&self, bytes: &[u8], at: usize, target: u64) -> Option<usize> {
        let rest: &[u8; 16] = bytes.get(at + 8..)?.first_chunk()?;
        let (length, line_and_column) = rest.split_at(8);
        let length = u64::from_le_bytes(*length.first_chunk()?);
        let [line, column] = [0, 4].map(|at| line_and_column[at..at + 4] != [0; 4]);
        if length > LONGEST_PATH || !line || !column {
            return None;
        }
        let starts = [Some(target), target.checked_sub(self.base)];
        let mut starts = starts
            .into_iter()
            .flatten()
            .filter_map(|one| self.place(one));
        starts.find(|start| {
            let end = start + length as usize;
            let text = bytes.get(*start..end);
            text.is_some_and(|text| text.ends_with(b".rs")) && bytes.get(end) == Some(&0)
        })
    }

    /// The place of an address in the bytes of the image.
    fn place(&self, address: u64) -> Option<usize> {
        self.parts.iter().find_map(|(start, part)| {
            let within = usize::try_from(address.checked_sub(*start)?).ok()?;
            (within < part.len()).then(|| part.start + within)
        })
    }
}
