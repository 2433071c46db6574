//! Which atoms of two programs are the same: a pair at a time, from where both begin.
//!
//! Atoms are the same if their contents are, except for the fields of references, and if their references are, one after the
//! other: to atoms that are the same. No atom is the same as two others, because a static that is written twice is not
//! two statics.

use super::atom::{Atom, Target};
use super::panics::{LINE, file_of, is_own, leads_to_panic, sets_hook};
use super::place::Place;
use super::program::Program;
use super::unwinding::Frame;

/// No atom.
const NONE: u32 = u32::MAX;

/// The pairs that were found.
#[derive(Debug)]
pub(super) struct Matching<'p, 'f> {
    sides: [&'p Program<'f>; 2],
    /// For each atom of a side, that of the other.
    peers: [Vec<u32>; 2],
    /// The pairs in the order in which they were made.
    made: Vec<[u32; 2]>,
    lines: Lines,
}

/// What is known of places in the source that only a panic names.
#[derive(Clone, Copy, Debug, Default)]
struct Lines {
    /// Whether some have other lines.
    have_moved: bool,
    /// Whether something is called by panics that may read them.
    may_be_read: bool,
}

/// An atom of the newer program that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference<'f> {
    /// Its name, or that of what names it.
    pub(super) name: &'f str,
    /// What is not known of it, if that is the reason.
    pub(super) unknown: Option<&'static str>,
}

/// Two atoms, and the name of the one that has led to the newer of them.
#[derive(Clone, Copy)]
struct Pair<'f> {
    atoms: [u32; 2],
    from: &'f str,
}

/// Why two atoms differ: `None` if their contents do.
type Why = Option<&'static str>;

impl<'p, 'f> Matching<'p, 'f> {
    pub(super) fn new(sides: [&'p Program<'f>; 2]) -> Matching<'p, 'f> {
        Matching {
            sides,
            peers: sides.map(|side| vec![NONE; side.atoms().len()]),
            made: Vec::new(),
            lines: Lines::default(),
        }
    }

    /// Adds what places of both reach, one after the other.
    ///
    /// # Errors
    ///
    /// What differs.
    pub(super) fn add(&mut self, roots: &[[Place; 2]]) -> Result<(), Difference<'f>> {
        let mut open = Vec::new();
        for [old, new] in roots {
            if old.offset != new.offset {
                return Err(self.difference(new.atom, "", None));
            }
            open.push(Pair {
                atoms: [old.atom, new.atom],
                from: "",
            });
        }
        while let Some(pair) = open.pop() {
            let [old, new] = pair.atoms;
            match [self.peers[0][old as usize], self.peers[1][new as usize]] {
                [NONE, NONE] => {}
                [one, other] if one == new && other == old => continue,
                _ => return Err(self.difference(new, pair.from, None)),
            }
            self.peers[0][old as usize] = new;
            self.peers[1][new as usize] = old;
            self.made.push(pair.atoms);
            self.compare(pair, &mut open)
                .map_err(|why| self.difference(new, pair.from, why))?;
        }
        if self.lines.have_moved && self.lines.may_be_read {
            return Err(Difference {
                name: "",
                unknown: Some("a line that a panic hook may read"),
            });
        }
        Ok(())
    }

    /// The same, and forgets what was added.
    pub(super) fn probe(&mut self, roots: &[[Place; 2]]) -> Result<(), Difference<'f>> {
        let (before, lines) = (self.made.len(), self.lines);
        let found = self.add(roots);
        self.lines = lines;
        for [old, new] in self.made.split_off(before) {
            self.peers[0][old as usize] = NONE;
            self.peers[1][new as usize] = NONE;
        }
        found
    }

    fn difference(&self, new: u32, from: &'f str, unknown: Why) -> Difference<'f> {
        let own = self.sides[1].atom(new).name;
        let name = if own.is_empty() { from } else { own };
        Difference { name, unknown }
    }

    /// Compares two atoms, and adds what they name to what is open.
    fn compare(&mut self, pair: Pair<'f>, open: &mut Vec<Pair<'f>>) -> Result<(), Why> {
        let [old, new] = [0, 1].map(|side: usize| self.sides[side].atom(pair.atoms[side]));
        let shape = |atom: &Atom<'_>| {
            let references = atom.references.len();
            (
                atom.flags,
                atom.align,
                atom.size,
                references,
                atom.frames.len(),
            )
        };
        let from = if new.name.is_empty() {
            pair.from
        } else {
            new.name
        };
        same(shape(old) == shape(new) && are_same_but_fields(old, new))?;
        for (number, (one, other)) in old.references.iter().zip(&new.references).enumerate() {
            same((one.kind, one.start, one.width) == (other.kind, other.start, other.width))?;
            match (&one.target, &other.target) {
                (Target::Unknown(why), _) | (_, Target::Unknown(why)) => return Err(Some(why)),
                (Target::Place(one), Target::Place(other)) => {
                    let files = self.files_of_panics([*one, *other], [old, new], number);
                    self.lines.have_moved |= files.is_some();
                    let called = self.sides[1].atom(other.atom).name;
                    self.lines.may_be_read |= sets_hook(called) && !is_own(new.name);
                    open.push(to(files.unwrap_or([*one, *other]), from)?);
                }
                (Target::Group(name, ..), other) => {
                    same(one.target == *other)?;
                    self.add_group(name, from, open)?;
                }
                (one, other) => same(one == other)?,
            }
        }
        for (one, other) in old.frames.iter().zip(&new.frames) {
            let text = |frame: &Frame<'f>| {
                let pointers = [frame.personality, frame.table].map(|one| one.is_some());
                (frame.start, frame.length, frame.common, frame.own, pointers)
            };
            same(text(one) == text(other))?;
            for (one, other) in one.places.iter().zip(&other.places) {
                open.push(to([*one, *other], from)?);
            }
        }
        Ok(())
    }

    /// The names of files of two places in the source that differ in their lines alone, where only a panic reads them.
    fn files_of_panics(
        &self,
        places: [Place; 2],
        atoms: [&Atom<'f>; 2],
        number: usize,
    ) -> Option<[Place; 2]> {
        let of_side = |side: usize| {
            let program = self.sides[side];
            let atom = program.atom(places[side].atom);
            let file = file_of(program, places[side])?;
            Some((file, atom.bytes.split_at_checked(LINE)?))
        };
        let (one, (start, line)) = of_side(0)?;
        let (other, (other_start, other_line)) = of_side(1)?;
        // The length of the name; the pointer before it is a field.
        let is_moved = start[8..] == other_start[8..] && line != other_line;
        let lead = || {
            [0, 1]
                .iter()
                .all(|side| leads_to_panic(self.sides[*side], atoms[*side], number))
        };
        (is_moved && places[0].offset == places[1].offset && lead()).then_some([one, other])
    }

    /// Adds all sections of a name.
    fn add_group(&self, name: &str, from: &'f str, open: &mut Vec<Pair<'f>>) -> Result<(), Why> {
        let [olds, news] = self
            .sides
            .map(|side| side.groups.get(name).map_or(&[][..], Vec::as_slice));
        same(olds.len() == news.len())?;
        let pairs = olds.iter().zip(news);
        open.extend(pairs.map(|(old, new)| Pair {
            atoms: [*old, *new],
            from,
        }));
        Ok(())
    }
}

fn same(is_same: bool) -> Result<(), Why> {
    if is_same { Ok(()) } else { Err(None) }
}

/// The pair of the atoms of two places.
fn to<'f>([one, other]: [Place; 2], from: &'f str) -> Result<Pair<'f>, Why> {
    same(one.offset == other.offset)?;
    Ok(Pair {
        atoms: [one.atom, other.atom],
        from,
    })
}

/// Whether the bytes of two atoms are the same between the fields of references, which are at the same places.
fn are_same_but_fields(old: &Atom<'_>, new: &Atom<'_>) -> bool {
    let mut at = 0;
    for reference in &old.references {
        let Ok(start) = usize::try_from(reference.start) else {
            return false;
        };
        if at < start && old.bytes.get(at..start) != new.bytes.get(at..start) {
            return false;
        }
        at = at.max(start + reference.width as usize);
    }
    old.bytes.get(at..) == new.bytes.get(at..)
}
