//! The name of the machine, which tells runs of several machines of one kind apart.

use std::env;

use super::fact::{Known, read};
use crate::values::fnv1a;

/// The fact that has it.
pub const MACHINE: &str = "machine";
/// The variable that names the machine.
pub const VARIABLE: &str = "TOURBILLON_MACHINE";
/// What a system draws once, when it is installed or first started. Images of containers mostly have none.
const IDENTITY: &str = "/etc/machine-id";

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
    named().map_or_else(|| lasting(read(IDENTITY)), Ok)
}

/// A name for the machine with this identity. It has 48 of its 128 random bits: the others, and so the identity, which is
/// not to be shown, follow from nothing.
fn lasting(identity: Known<String>) -> Known<String> {
    let is_drawn = |text: &str| text.len() == 32 && text.bytes().all(|one| one.is_ascii_hexdigit());
    let why = match identity {
        Ok(identity) if is_drawn(&identity) => {
            let hash = fnv1a(&format!("tourbillon machine {identity}"));
            return Ok(format!("{:012x}", hash >> 16));
        }
        Ok(_) => format!("{IDENTITY} has no identity"),
        Err(why) => why,
    };
    Err(format!("{why}; {VARIABLE} names it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_keeps_its_name_and_shows_no_identity() {
        let of = |identity: &str| lasting(Ok(identity.to_owned()));
        let name = of("0123456789abcdef0123456789abcdef").expect("a name");
        assert_eq!(name.len(), 12);
        assert_eq!(of("0123456789abcdef0123456789abcdef"), Ok(name.clone()));
        assert_ne!(of("0123456789abcdef0123456789abcdee"), Ok(name.clone()));
        // A name is kept: records have it.
        assert_eq!(name, "8697d88f6ec3");
        for none in ["", "uninitialized"] {
            let why = of(none).expect_err(none);
            let expected = "/etc/machine-id has no identity; TOURBILLON_MACHINE names it";
            assert_eq!(why, expected);
        }
        assert!(lasting(Err("gone".to_owned())).is_err());
    }
}
