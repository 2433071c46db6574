//! The name of the machine, which tells runs of several machines of one kind apart.

use std::env;
use std::path::Path;

use super::fact::{Known, read};
use crate::values::fnv1a;

/// The fact that has it.
pub const MACHINE: &str = "machine";
/// The variable that names the machine.
pub const VARIABLE: &str = "TOURBILLON_MACHINE";
/// What a system draws once, when it is installed or first started.
const IDENTITY: &str = "/etc/machine-id";
/// A folder that is there where systemd started the system, rather than in a container.
const STARTED: &str = "/run/systemd/system";

/// The name that the user gives the machine.
pub fn named() -> Option<String> {
    let name = env::var_os(VARIABLE).map(|name| name.to_string_lossy().into_owned());
    name.filter(|name| !name.is_empty())
}

/// The name that records of runs have, or why there is none.
///
/// # Errors
///
/// Where neither the user nor the system names the machine.
pub fn machine_name() -> Result<String, String> {
    named().map_or_else(
        || {
            let is_job = env::var_os("CI").is_some_and(|value| !value.is_empty());
            let name = lasting(is_job, Path::new(STARTED).is_dir(), read(IDENTITY));
            name.map_err(|why| format!("{why}; {VARIABLE} names it"))
        },
        Ok,
    )
}

/// A name for the machine with this identity. That of an image is none: all machines with it would be one, and the next
/// image another. The name has 48 of 128 random bits: the others, and so the identity, do not follow from it.
fn lasting(is_job: bool, is_started: bool, identity: Known<String>) -> Known<String> {
    if is_job {
        return Err("the machine of a job of CI may be made anew".to_owned());
    }
    let identity = identity?;
    if !is_started {
        return Err(format!("{IDENTITY} may be that of an image"));
    }
    if identity.len() != 32 || !identity.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(format!("{IDENTITY} has no identity"));
    }
    let hash = fnv1a(&format!("tourbillon machine {identity}"));
    Ok(format!("{:012x}", hash >> 16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_keeps_its_name_and_shows_no_identity() {
        let of = |identity: &str| lasting(false, true, Ok(identity.to_owned()));
        let own = "0123456789abcdef0123456789abcdef";
        // Records have it.
        assert_eq!(of(own).as_deref(), Ok("8697d88f6ec3"));
        assert_ne!(of("0123456789abcdef0123456789abcdee"), of(own));
        for none in ["", "uninitialized"] {
            assert_eq!(of(none), Err("/etc/machine-id has no identity".to_owned()));
        }
        for (is_job, is_started) in [(true, true), (false, false)] {
            assert!(lasting(is_job, is_started, Ok(own.to_owned())).is_err());
        }
        assert_eq!(
            lasting(false, false, Err("gone".to_owned())),
            Err("gone".to_owned())
        );
    }
}
