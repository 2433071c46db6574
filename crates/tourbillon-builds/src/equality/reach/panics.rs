//! Places in the source that only a panic names. A comment moves the lines of every check below it, and takes no time.

use object::elf::{
    R_X86_64_64, R_X86_64_GOTPCREL, R_X86_64_GOTPCRELX, R_X86_64_PC32, R_X86_64_PLT32,
};

use super::atom::{Atom, Target};
use super::names::path;
use super::place::Place;
use super::program::Program;

/// Of a `core::panic::Location`: its size, its length of the file's name, and its line and column.
const SIZE: u64 = 24;
const LENGTH: u64 = 8;
pub(super) const LINE: usize = 16;

/// Functions of the standard library that take a place and panic.
const OF_PANICS: [&str; 7] = [
    "4core9panicking",
    "4core6option13unwrap_failed",
    "4core6option13expect_failed",
    "4core6result13unwrap_failed",
    "4core3str16slice_error_fail",
    "4core4cell22panic_already_borrowed",
    "4core4cell30panic_already_mutably_borrowed",
];
const OF_SLICES: [&str; 3] = ["4core5slice5index", "slice_", "_fail"];

/// Instructions between a place and the call, at most.
const MOST: usize = 64;

/// The name of the file of a place in the source, if a place is that.
pub(super) fn file_of(program: &Program<'_>, place: Place) -> Option<Place> {
    let atom = program.atom(place.atom);
    let [reference] = atom.references.as_slice() else {
        return None;
    };
    let Target::Place(file) = reference.target else {
        return None;
    };
    let is_first = reference.start == 0 && reference.kind == R_X86_64_64;
    let length = usize::try_from(atom.number(LENGTH)?).ok()?;
    let name = program.atom(file.atom).from(file.offset).get(..length)?;
    let is_place = atom.size == SIZE && is_first && name.ends_with(b".rs");
    is_place.then_some(file)
}

/// Whether a reference loads an address for a function that panics, which is the next one that is called.
pub(super) fn leads_to_panic(program: &Program<'_>, atom: &Atom<'_>, number: usize) -> bool {
    let reference = &atom.references[number];
    let Ok(field) = usize::try_from(reference.start) else {
        return false;
    };
    // `lea` into a register of 64 bits, relative to the instruction.
    let is_load = reference.kind == R_X86_64_PC32
        && field >= 3
        && matches!(
            atom.bytes.get(field - 3..field),
            Some([0x48 | 0x4C, 0x8D, register]) if register & 0xC7 == 0x05
        );
    if !is_load {
        return false;
    }
    let is_high = atom.bytes[field - 3] == 0x4C;
    // The registers that have the address.
    let mut holders = vec![atom.bytes[field - 1] >> 3 & 7 | if is_high { 8 } else { 0 }];
    let mut at = field + 4;
    for _ in 0..MOST {
        let next = match step(atom, at) {
            Some(Step::To(next)) => next,
            Some(Step::Call(field)) => return calls_panic(program, atom, field),
            None => return false,
        };
        match moved(atom, at) {
            Some((from, to)) if holders.contains(&from) => holders.push(to),
            Some((_, to)) => holders.retain(|holder| *holder != to),
            // What is kept in memory may be read after the panic.
            None if holders.iter().any(|holder| may_use(atom, at, *holder)) => return false,
            None => {}
        }
        at = next;
    }
    false
}

/// The registers that an instruction moves from and to, if it moves 64 bits between two.
fn moved(atom: &Atom<'_>, at: usize) -> Option<(u8, u8)> {
    let [
        rex @ 0x48..=0x4F,
        operation @ (0x89 | 0x8B),
        mode @ 0xC0..=0xFF,
        ..,
    ] = *atom.bytes.get(at..)?
    else {
        return None;
    };
    let first = mode >> 3 & 7 | (rex & 4) << 1;
    let second = mode & 7 | (rex & 1) << 3;
    Some(if operation == 0x89 {
        (first, second)
    } else {
        (second, first)
    })
}

fn calls_panic(program: &Program<'_>, atom: &Atom<'_>, field: usize) -> bool {
    let Some(number) = atom.reference_at(field as u64) else {
        return false;
    };
    let reference = &atom.references[number];
    let is_call = matches!(
        reference.kind,
        R_X86_64_PC32 | R_X86_64_PLT32 | R_X86_64_GOTPCREL | R_X86_64_GOTPCRELX
    );
    match reference.target {
        // Counted from the end of the field.
        Target::Place(Place { atom, offset: -4 }) if is_call => panics(program.atom(atom).name),
        _ => false,
    }
}

fn panics(name: &str) -> bool {
    let [folder, function, end] = OF_SLICES;
    path(name).is_some_and(|path| {
        let of_slice = path.strip_prefix(folder);
        let of_index = |rest: &str| rest.contains(function) && rest.contains(end);
        OF_PANICS.iter().any(|start| path.starts_with(start)) || of_slice.is_some_and(of_index)
    })
}

/// Whether an instruction that [`step`] reads names a register.
fn may_use(atom: &Atom<'_>, start: usize, register: u8) -> bool {
    let code = |at: usize| atom.bytes.get(at).copied().unwrap_or(0);
    let mut at = start;
    while matches!(code(at), 0x66 | 0xF2 | 0xF3) {
        at += 1;
    }
    let rex = if code(at) & 0xF0 == 0x40 { code(at) } else { 0 };
    at += usize::from(rex != 0);
    let (high, high_index, high_base) = ((rex & 4) << 1, (rex & 2) << 2, (rex & 1) << 3);
    let operation = code(at);
    at += 1;
    match operation {
        0x50..=0x5F | 0xB8..=0xBF => return operation & 7 | high_base == register,
        0x68 | 0x6A | 0x90 | 0xE9 | 0xEB => return false,
        0x0F => at += 1,
        _ => {}
    }
    let mode = code(at);
    let is_part_of_operation = matches!(operation, 0x81 | 0x83 | 0xC6 | 0xC7);
    let is_first = !is_part_of_operation && mode >> 3 & 7 | high == register;
    let has_index = mode >> 6 != 3 && mode & 7 == 4;
    let index = code(at + 1);
    let is_in_operand = if has_index {
        [index >> 3 & 7 | high_index, index & 7 | high_base].contains(&register)
    } else {
        mode & 7 | high_base == register
    };
    is_first || is_in_operand
}

/// Whether a function sets what is called when another one panics, which may read its line.
pub(super) fn sets_hook(name: &str) -> bool {
    path(name).is_some_and(|path| {
        let setters = ["3std9panicking8set_hook", "3std9panicking11update_hook"];
        setters.iter().any(|setter| path.starts_with(setter))
    })
}

/// Whether a function is the one of this library that sets a hook, which prints a line and does not go by it.
pub(super) fn is_own(name: &str) -> bool {
    path(name).is_some_and(|path| path.starts_with("10tourbillon6panics"))
}

/// What an instruction leads to.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    To(usize),
    /// The field of a call.
    Call(usize),
}

/// Reads one of the instructions that prepare a call; `None` for any other.
fn step(atom: &Atom<'_>, start: usize) -> Option<Step> {
    let code = |at: usize| atom.bytes.get(at).copied();
    let mut at = start;
    let mut is_half = false;
    while let Some(prefix @ (0x66 | 0xF2 | 0xF3)) = code(at) {
        is_half |= prefix == 0x66;
        at += 1;
    }
    let rex = code(at).filter(|byte| byte & 0xF0 == 0x40);
    at += usize::from(rex.is_some());
    let is_wide = rex.is_some_and(|rex| rex & 8 != 0);
    let immediate = if is_half { 2 } else { 4 };
    let operation = code(at)?;
    at += 1;
    let with_operand = |length: usize| Some(Step::To(at + operand(atom, at)? + length));
    match operation {
        0xE8 => Some(Step::Call(at)),
        0x67 if code(at)? == 0xE8 => Some(Step::Call(at + 1)),
        0xFF if code(at)? == 0x15 => Some(Step::Call(at + 1)),
        0xEB => jump(at + 1, code(at)?.cast_signed().into()),
        0xE9 if atom.reference_at(at as u64).is_none() => {
            let distance = *atom.bytes.get(at..)?.first_chunk::<4>()?;
            jump(at + 4, i32::from_le_bytes(distance))
        }
        0x0F => {
            let second = code(at)?;
            at += 1;
            let is_move = matches!(
                second,
                0x10 | 0x11
                    | 0x1F
                    | 0x28
                    | 0x29
                    | 0x57
                    | 0x6E
                    | 0x6F
                    | 0x7E
                    | 0x7F
                    | 0xB6
                    | 0xB7
                    | 0xBE
                    | 0xBF
                    | 0xD6
                    | 0xEF
            );
            is_move.then_some(())?;
            Some(Step::To(at + operand(atom, at)?))
        }
        0x01 | 0x03 | 0x29 | 0x2B | 0x31 | 0x33 | 0x63 | 0x88..=0x8B | 0x8D => with_operand(0),
        0xC6 | 0x83 => with_operand(1),
        0xC7 | 0x81 => with_operand(immediate),
        0xB8..=0xBF if is_wide => Some(Step::To(at + 8)),
        0xB8..=0xBF => Some(Step::To(at + immediate)),
        0x50..=0x5F | 0x90 => Some(Step::To(at)),
        0x6A => Some(Step::To(at + 1)),
        0x68 => Some(Step::To(at + 4)),
        _ => None,
    }
}

fn jump(from: usize, distance: i32) -> Option<Step> {
    let distance = isize::try_from(distance).ok()?;
    from.checked_add_signed(distance).map(Step::To)
}

/// The bytes of an operand: the mode, and what that asks for.
fn operand(atom: &Atom<'_>, at: usize) -> Option<usize> {
    let mode = *atom.bytes.get(at)?;
    let (form, base) = (mode >> 6, mode & 7);
    let has_index = form != 3 && base == 4;
    let index_base = atom.bytes.get(at + 1).filter(|_| has_index);
    let distance = match form {
        0 if base == 5 || index_base.is_some_and(|index| index & 7 == 5) => 4,
        1 => 1,
        2 => 4,
        _ => 0,
    };
    Some(1 + usize::from(has_index) + distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_followed_to_a_call() {
        let atom = |bytes: &'static [u8]| Atom {
            bytes,
            ..Atom::default()
        };
        for (bytes, expected) in [
            // mov rdi, r14; mov esi, 7; mov rax, [rsp + 8]; mov qword [rax + 300], 1
            (&[0x4C, 0x89, 0xF7][..], Some(Step::To(3))),
            (&[0xBE, 7, 0, 0, 0], Some(Step::To(5))),
            (&[0x48, 0x8B, 0x44, 0x24, 8], Some(Step::To(5))),
            (
                &[0x48, 0xC7, 0x80, 44, 1, 0, 0, 1, 0, 0, 0],
                Some(Step::To(11)),
            ),
            // lea rdi, [rip + 0]; movaps [rsp], xmm0; movabs rax, 0
            (&[0x48, 0x8D, 0x3D, 0, 0, 0, 0], Some(Step::To(7))),
            (&[0x0F, 0x29, 0x04, 0x24], Some(Step::To(4))),
            (&[0x48, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0], Some(Step::To(10))),
            // Calls of a name and through the table; jumps back and forth.
            (&[0xE8, 0, 0, 0, 0], Some(Step::Call(1))),
            (&[0xFF, 0x15, 0, 0, 0, 0], Some(Step::Call(2))),
            (&[0xEB, 0x10], Some(Step::To(18))),
            (&[0xE9, 0x10, 0, 0, 0], Some(Step::To(21))),
            // A call of what a register has, a branch, a return.
            (&[0xFF, 0xD0], None),
            (&[0x74, 0x10], None),
            (&[0xC3], None),
        ] {
            assert_eq!(step(&atom(bytes), 0), expected, "{bytes:x?}");
        }
    }

    #[test]
    fn a_place_that_is_kept_elsewhere_is_used() {
        let uses = |bytes: &'static [u8], register| {
            let atom = Atom {
                bytes,
                ..Atom::default()
            };
            assert!(step(&atom, 0).is_some(), "{bytes:x?}");
            may_use(&atom, 0, register)
        };
        let (rax, rdx, rsi, rdi, r8) = (0, 2, 6, 7, 8);
        let of_move = |bytes: &'static [u8]| {
            let atom = Atom {
                bytes,
                ..Atom::default()
            };
            moved(&atom, 0)
        };
        // mov rdi, rdx in both forms; mov r8, rax; mov [rdi], rdx
        assert_eq!(of_move(&[0x48, 0x89, 0xD7]), Some((rdx, rdi)));
        assert_eq!(of_move(&[0x48, 0x8B, 0xFA]), Some((rdx, rdi)));
        assert_eq!(of_move(&[0x49, 0x89, 0xC0]), Some((rax, r8)));
        assert_eq!(of_move(&[0x48, 0x89, 0x17]), None);
        // mov [rbx], rax; mov [rbx], r8; mov rdi, rdx; lea rsi, [rsp + rdx]; push rdx; mov esi, 7; mov dword [rax], 1
        assert!(uses(&[0x48, 0x89, 0x03], rax) && !uses(&[0x48, 0x89, 0x03], rdx));
        assert!(uses(&[0x4C, 0x89, 0x03], r8) && !uses(&[0x4C, 0x89, 0x03], rax));
        assert!(uses(&[0x48, 0x89, 0xD7], rdx) && uses(&[0x48, 0x89, 0xD7], rdi));
        assert!(uses(&[0x48, 0x8D, 0x34, 0x14], rdx) && !uses(&[0x48, 0x8D, 0x34, 0x14], rdi));
        assert!(uses(&[0x52], rdx) && !uses(&[0x52], rsi));
        assert!(uses(&[0xBE, 7, 0, 0, 0], rsi) && !uses(&[0xBE, 7, 0, 0, 0], rdx));
        assert!(uses(&[0xC7, 0, 1, 0, 0, 0], rax) && !uses(&[0xC7, 0, 1, 0, 0, 0], rdx));
    }

    #[test]
    fn hooks_of_others_are_found() {
        let setter = "_ZN3std9panicking8set_hook17h0123456789abcdefE";
        assert!(sets_hook(setter) && sets_hook("_RNvNtCsgEmfK2I1SDS_3std9panicking8set_hook"));
        assert!(!sets_hook(
            "_ZN4shop9panicking8set_hook17h0123456789abcdefE"
        ));
        assert!(is_own("_ZN10tourbillon6panics5catch17h0123456789abcdefE"));
        for other in [
            "_ZN4shop4main17h0123456789abcdefE",
            "_ZN16tourbillon_suite6panics4hook17h0123456789abcdefE",
            "_ZN10tourbillon7install17h0123456789abcdefE",
            setter,
        ] {
            assert!(!is_own(other), "{other}");
        }
    }

    #[test]
    fn only_functions_that_panic_do() {
        for (name, expected) in [
            (
                "_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check",
                true,
            ),
            ("_ZN4core9panicking5panic17h0123456789abcdefE", true),
            (
                "_ZN4core5slice5index24slice_end_index_len_fail17h0123456789abcdefE",
                true,
            ),
            ("_ZN4core5slice5index3get17h0123456789abcdefE", false),
            ("_ZN4shop4core9panicking5panic17h0123456789abcdefE", false),
            (
                "_ZN5alloc3fmt6format12format_inner17h0123456789abcdefE",
                false,
            ),
        ] {
            assert_eq!(panics(name), expected, "{name}");
        }
    }
}
