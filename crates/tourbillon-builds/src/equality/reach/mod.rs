//! Which cases of two programs that differ reach the same code and data.
//!
//! Both programs are linked again with each section of their objects apart. Then all that a case reaches is known: from
//! what the system starts, and from the function that registers the case, every reference of every atom, whether it is a
//! call, an address that is taken, or a pointer in a table. A process runs one case; the bodies of others are in it and
//! are not called. A suite of criterion registers its cases when it runs: `main` reaches all of them, and so does each.

mod atom;
mod loading;
mod matching;
mod names;
mod panics;
mod place;
mod program;
mod registrations;
mod relocation;
mod sections;
mod unwinding;

use std::collections::BTreeMap;

use self::matching::{Difference, Matching};
use self::names::readable;
use self::place::Place;
use self::program::Program;
use self::registrations::{Registration, take_registrations};

/// The beginnings of the names of sections that the system runs, or runs what they list, before and after `main`.
const AROUND_MAIN: [&str; 7] = [
    ".preinit_array",
    ".init",
    ".init_array",
    ".ctors",
    ".dtors",
    ".fini_array",
    ".fini",
];

/// Why a case is measured; `None` for one that reaches the same code and data in both programs.
pub(super) type Reason = Option<String>;

/// Compares what cases reach in two executables that were linked apart.
///
/// # Errors
///
/// Why nothing is known of any case.
pub(super) fn reached(files: [&[u8]; 2], ids: &[&str]) -> Result<BTreeMap<String, Reason>, String> {
    let [old, new] = files.map(Program::read);
    let (mut old, mut new) = (old?, new?);
    let registrations = [take_registrations(&mut old), take_registrations(&mut new)];
    if old.loading != new.loading {
        return Err("libraries, threads or the stack are set up otherwise".to_owned());
    }
    let is_other = |(name, versions)| new.imports.get(name).is_some_and(|new| new != versions);
    if old.imports.iter().any(is_other) {
        return Err("it asks libraries for other versions of functions".to_owned());
    }
    let mut matching = Matching::new([&old, &new]);
    let roots = roots_of_all(&old, &new).ok_or("what runs before main differs")?;
    matching
        .add(&roots)
        .map_err(|difference| format!("each of them reaches {}", described(&difference)))?;
    let registers_later = registrations.iter().all(Vec::is_empty);
    let reason = |id: &&str| {
        let reason = match roots_of_case(&registrations, id) {
            Some(roots) => {
                let found = matching.probe(&roots).err();
                found.map(|difference| format!("it reaches {}", described(&difference)))
            }
            None if registers_later => None,
            None => Some("it is not known what registers it".to_owned()),
        };
        ((*id).to_owned(), reason)
    };
    Ok(ids.iter().map(reason).collect())
}

fn described(difference: &Difference<'_>) -> String {
    let name = match difference.name {
        "" => "data".to_owned(),
        name => readable(name),
    };
    match difference.unknown {
        None => format!("{name}, which differs"),
        Some(what) => format!("{name}, which names {what}"),
    }
}

/// What every process of either program reaches; `None` where they have other lists of it.
fn roots_of_all(old: &Program<'_>, new: &Program<'_>) -> Option<Vec<[Place; 2]>> {
    let mut roots = vec![[old.entry, new.entry]];
    let place = |atom: &u32| Place {
        atom: *atom,
        offset: 0,
    };
    let around_main = [old, new].map(|side| {
        let is_around = |name: &str| AROUND_MAIN.iter().any(|start| name.starts_with(start));
        let groups = side.groups.iter().filter(|(name, _)| is_around(name));
        groups
            .map(|(name, atoms)| (*name, atoms))
            .collect::<BTreeMap<&str, &Vec<u32>>>()
    });
    let [olds, news] = &around_main;
    if !olds.keys().eq(news.keys()) {
        return None;
    }
    for (olds, news) in olds.values().zip(news.values()) {
        if olds.len() != news.len() {
            return None;
        }
        let pairs = olds.iter().zip(news.iter());
        roots.extend(pairs.map(|(old, new)| [place(old), place(new)]));
    }
    if !old.exports.keys().eq(new.exports.keys()) {
        return None;
    }
    let exports = old.exports.values().zip(new.exports.values());
    for (olds, news) in exports.chain([(&old.called, &new.called)]) {
        if olds.len() != news.len() {
            return None;
        }
        roots.extend(olds.iter().zip(news).map(|(old, new)| [*old, *new]));
    }
    Some(roots)
}

/// What registers a case in either program; `None` where that is not known.
fn roots_of_case(registrations: &[Vec<Registration>; 2], id: &str) -> Option<Vec<[Place; 2]>> {
    let [olds, news] = registrations.each_ref().map(|all| {
        let own = all.iter().filter(|one| one.has(id));
        own.map(|one| one.root).collect::<Vec<Place>>()
    });
    let is_known = !olds.is_empty() && olds.len() == news.len();
    let pairs = olds.into_iter().zip(news).map(|(old, new)| [old, new]);
    is_known.then(|| pairs.collect())
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests;
