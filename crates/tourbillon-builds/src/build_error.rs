//! Messages about code that cannot be compared.

use std::path::Path;

use super::path_deps;
use crate::targets::{Kind, Target, kind};
use crate::{Stop, say};

/// Prints which side failed to build, and where its code is if that is in a clone.
pub fn does_not_build(stop: Stop, label: &str, clone: Option<&Path>) -> Stop {
    if !matches!(stop, Stop::Code(_)) {
        return stop;
    }
    say(&format!(
        "error: {label} does not build; cargo's message is above\n"
    ));
    let Some(clone) = clone else { return stop };
    match path_deps::first(clone) {
        Some(outside) => say(&format!("       {outside}\n")),
        None => say(&format!(
            "       it is checked out in {clone:?}; compare with a revision that builds, or fix it on \
             a branch\n"
        )),
    }
    stop
}

/// The bench targets that use tourbillon, at least one, sorted by name.
pub fn ours(targets: Vec<Target>, label: &str) -> Result<Vec<Target>, Stop> {
    let mut found = Vec::new();
    let mut foreign = Vec::new();
    for target in targets {
        match kind(&target.executable) {
            Kind::Ours => found.push(target),
            Kind::Forgotten => {
                return Err(Stop::Usage(format!("{label}: {}", target.forgotten())));
            }
            Kind::Foreign => foreign.push(target.name),
        }
    }
    if found.is_empty() {
        foreign.sort();
        return Err(Stop::Usage(nothing_of_ours(label, &foreign)));
    }
    // Cargo's order depends on what was built already.
    found.sort_by(|one, other| (&one.package, &one.name).cmp(&(&other.package, &other.name)));
    Ok(found)
}

fn nothing_of_ours(label: &str, foreign: &[String]) -> String {
    let without = match foreign {
        [] => "has no bench target".to_owned(),
        [one] => format!("has a bench target {one}, which does not use tourbillon"),
        several => format!(
            "has bench targets {}, which do not use tourbillon",
            several.join(", ")
        ),
    };
    format!(
        "{label} {without}; compare with a revision that has benchmarks, or add them to it with \
         `git worktree add` and `git checkout REV -- FILES`"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_without_benchmarks_is_reported() {
        let text = nothing_of_ours("v1 (1a2b3c4)", &["old".to_owned()]);
        assert!(text.starts_with("v1 (1a2b3c4) has a bench target old, which does not use"));
        assert!(nothing_of_ours("v1", &[]).contains("has no bench target;"));
    }
}
