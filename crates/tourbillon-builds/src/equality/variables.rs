//! Variables that differ between two programs of one code.

use std::path::{Path, PathBuf};

use super::image::Image;
use crate::cache::build::Executable;

/// Letters of a group of variables, such as `APP_`, from which on its name in a program means that it takes some of them.
const SHORTEST_GROUP: usize = 3;

/// A variable that cargo gives both programs with different values, and that may change what they do.
///
/// Cargo's own variables and those of build scripts, such as the hash of a commit, differ for no reason: they count where
/// a program has their name, or that of their group. What cargo's configuration sets is there because something reads it,
/// which may be a library of the system, or a program that is started.
pub(super) fn differing_variable<'e>(
    sides: [&'e Executable; 2],
    images: [&Image; 2],
) -> Option<&'e str> {
    let names = sides.iter().flat_map(|side| &side.environment);
    let mut names = names.map(|(name, _)| name.as_str());
    names.find(|name| {
        let values = sides.map(|side| value(side, name));
        values[0] != values[1] && may_matter(name, sides, images)
    })
}

/// What a variable says: a path, which may be in the checkout of its side, relative to the folder of its package.
fn value(side: &Executable, name: &str) -> Option<(usize, PathBuf)> {
    let (_, value) = side.environment.iter().find(|(own, _)| own == name)?;
    let path = Path::new(value);
    let Some(home) = side.home.as_deref().filter(|_| path.is_absolute()) else {
        return Some((0, path.to_owned()));
    };
    let common = |above: &&Path| path.starts_with(above);
    let above = home.ancestors().find(common).unwrap_or(home);
    let up = home
        .ancestors()
        .take_while(|folder| *folder != above)
        .count();
    let within = path.strip_prefix(above).unwrap_or(path);
    Some((up + 1, within.to_owned()))
}

fn may_matter(name: &str, sides: [&Executable; 2], images: [&Image; 2]) -> bool {
    let is_of_script = sides.iter().any(|side| side.scripted.contains(name));
    let is_of_cargo = name.starts_with("CARGO_") || name == "OUT_DIR";
    if !is_of_script && !is_of_cargo {
        return true;
    }
    let group = name.find('_').map(|end| &name[..=end]);
    let group = group.filter(|group| is_of_script && group.len() > SHORTEST_GROUP);
    images
        .iter()
        .any(|image| image.may_take(name) || group.is_some_and(|group| image.names(group)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::targets::Target;

    fn side(home: &str, variables: &[(&str, &str)], scripted: &[&str]) -> Executable {
        let variables = variables.iter();
        let target = Target {
            package: "shop".to_owned(),
            folder: home.into(),
            environment: variables
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            scripted: scripted.iter().map(|name| (*name).to_owned()).collect(),
            ..Target::default()
        };
        Executable::new(&target, PathBuf::new())
    }

    #[test]
    fn variables_of_the_configuration_count_and_others_where_they_are_named() {
        let differing = |name: &str, scripted: &[&str], text: &str| {
            let [one, other] = ["1", "2"].map(|value| side("/w/shop", &[(name, value)], scripted));
            let image = Image::from_text(text);
            differing_variable([&one, &other], [&image, &image]).map(str::to_owned)
        };
        let some = |name: &str| Some(name.to_owned());
        // Libraries of the system read it, and programs that list all variables.
        assert_eq!(differing("GLIBC_TUNABLES", &[], ""), some("GLIBC_TUNABLES"));
        assert_eq!(
            differing("APP_NUM", &["APP_NUM"], "\0APP_\0"),
            some("APP_NUM")
        );
        assert_eq!(
            differing("VERGEN_GIT_SHA", &["VERGEN_GIT_SHA"], "\0APP_\0"),
            None
        );
        assert_eq!(differing("CARGO_PKG_VERSION", &[], ""), None);
        let named = "CARGO_PKG_VERSION";
        assert_eq!(differing(named, &[], "\0CARGO_PKG_VERSION\0"), some(named));
    }

    #[test]
    fn one_place_in_two_checkouts_is_one_value() {
        let differing = |one: (&str, &str), other: (&str, &str)| {
            let [one, other] =
                [one, other].map(|(home, value)| side(home, &[("DATA", value)], &[]));
            let image = Image::from_text("");
            differing_variable([&one, &other], [&image, &image]).is_some()
        };
        assert!(!differing(
            ("/w/shop", "/w/data/a"),
            ("/clone/shop", "/clone/data/a")
        ));
        assert!(!differing(("/w/shop", "/opt/a"), ("/clone/shop", "/opt/a")));
        assert!(differing(
            ("/w/shop", "/w/data/a"),
            ("/clone/shop", "/clone/data/b")
        ));
        assert!(differing(
            ("/w/shop", "/w/a"),
            ("/clone/shop", "/clone/shop/a")
        ));
        let (one, other) = (side("/w", &[("A", "1")], &[]), side("/w", &[], &[]));
        let image = Image::from_text("");
        for sides in [[&one, &other], [&other, &one]] {
            assert_eq!(differing_variable(sides, [&image, &image]), Some("A"));
        }
    }
}
