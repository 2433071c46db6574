//! The functions that a bench program registers, each with what it reaches.

use object::elf::R_X86_64_64;

use super::atom::Target;
use super::place::Place;
use super::program::Program;

/// Parts of the names that the `bench` attribute gives: of the function that registers, and of what it registers.
const CONSTRUCTOR: &str = "__TOURBILLON_CONSTRUCTOR";
const ENTRY: &str = "__TOURBILLON_ENTRY";

/// The section that lists what runs before `main`.
const CONSTRUCTORS: &str = ".init_array";

/// Where an entry has its texts, each an address and a length, and its line and column: the beginning of
/// `tourbillon::private::Entry`.
const PACKAGE: u64 = 0;
const MODULE: u64 = 16;
const FILE: u64 = 48;
const LINE: u64 = 64;
const LINE_AND_COLUMN: u64 = 8;

/// A function with the attribute.
#[derive(Debug)]
pub(super) struct Registration {
    /// The function that registers it before `main`.
    pub(super) root: Place,
    /// `package/target::module::`.
    path: String,
    /// Its name, among other texts.
    texts: Vec<String>,
}

impl Registration {
    /// Whether a case is one of its cases.
    pub(super) fn has(&self, id: &str) -> bool {
        let Some(name) = id.strip_prefix(&self.path) else {
            return false;
        };
        let is_name = |text: &String| {
            let rest = name.strip_prefix(text.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
        };
        self.texts.iter().any(is_name)
    }
}

/// Takes the constructors of benchmarks out of the lists of what runs before `main`: they put an entry into a list, whose
/// cases run only in processes of their own. The lines of the entries do not count.
pub(super) fn take_registrations(program: &mut Program<'_>) -> Vec<Registration> {
    let mut registrations = Vec::new();
    let constructors = program
        .groups
        .get(CONSTRUCTORS)
        .cloned()
        .unwrap_or_default();
    let mut taken = Vec::new();
    for word in constructors {
        let [reference] = program.atom(word).references.as_slice() else {
            continue;
        };
        let Target::Place(root) = reference.target else {
            continue;
        };
        let function = program.atom(root.atom);
        let entries: Vec<u32> = function
            .references
            .iter()
            .filter_map(|reference| match reference.target {
                Target::Place(place) if program.atom(place.atom).name.contains(ENTRY) => {
                    Some(place.atom)
                }
                _ => None,
            })
            .collect();
        let is_own = function.name.contains(CONSTRUCTOR) && root.offset == 0;
        let (Some(entry), true) = (entries.first().copied(), is_own) else {
            continue;
        };
        if entries.iter().all(|one| *one == entry)
            && let Some(registration) = registration(program, root, entry)
        {
            program.ignore(entry, LINE, LINE_AND_COLUMN);
            registrations.push(registration);
            taken.push(word);
        }
    }
    if let Some(group) = program.groups.get_mut(CONSTRUCTORS) {
        group.retain(|atom| !taken.contains(atom));
    }
    registrations
}

/// `None` for an entry of another form.
fn registration(program: &Program<'_>, root: Place, entry: u32) -> Option<Registration> {
    let atom = program.atom(entry);
    let text = |start: u64| {
        let reference = &atom.references[atom.reference_at(start)?];
        let Target::Place(place) = reference.target else {
            return None;
        };
        let length = usize::try_from(atom.number(start + 8)?).ok()?;
        let bytes = program.atom(place.atom).from(place.offset).get(..length)?;
        let is_address = reference.kind == R_X86_64_64;
        std::str::from_utf8(bytes).ok().filter(|_| is_address)
    };
    let module = text(MODULE)?;
    let (target, _) = module.split_once("::").unwrap_or((module, ""));
    // Without a package manager there is none.
    let package = match atom.number(PACKAGE + 8) {
        Some(_) if atom.reference_at(PACKAGE).is_some() => text(PACKAGE)?,
        _ => target,
    };
    let is_word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    let is_known = text(FILE)?.ends_with(".rs") && is_word(module) && is_word(package);
    let starts = atom.references.iter().map(|one| one.start);
    let texts = starts.filter_map(text).map(str::to_owned);
    is_known.then(|| Registration {
        root,
        path: format!("{package}/{module}::"),
        texts: texts.collect(),
    })
}
