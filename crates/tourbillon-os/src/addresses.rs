use std::io;

#[cfg(target_os = "linux")]
mod system {
    use std::ffi::c_ulong;
    use std::io;

    use crate::sys;

    /// Asks what is set, and sets nothing.
    const ASK: c_ulong = 0xFFFF_FFFF;

    #[inline]
    pub(super) fn set(random: bool) -> io::Result<bool> {
        // SAFETY: takes and gives numbers only.
        let before = unsafe { sys::personality(ASK) };
        if before == -1 {
            return Err(io::Error::last_os_error());
        }
        let fixed = sys::ADDR_NO_RANDOMIZE;
        let wanted = match random {
            true => before & !fixed,
            false => before | fixed,
        };
        let was_random = before & fixed == 0;
        if wanted == before {
            return Ok(was_random);
        }
        // SAFETY: as above; what changes is where processes that are started later lie.
        match unsafe { sys::personality(c_ulong::from(wanted.cast_unsigned())) } {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(was_random),
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::io;

    #[inline]
    pub(super) fn set(_random: bool) -> io::Result<bool> {
        let text = "where a process lies cannot be fixed on this system";
        Err(io::Error::new(io::ErrorKind::Unsupported, text))
    }
}

/// Whether every process that the calling thread starts from now on has its code, stack, heap and
/// libraries at addresses drawn by the system, as is usual, or always at the same; how it was before.
///
/// # Errors
/// Where the system has no such thing, or does not allow it: some containers do not.
///
/// `#[inline]`: compiled into the program that compares builds, not into every bench binary.
#[inline]
pub fn set_random_addresses(random: bool) -> io::Result<bool> {
    system::set(random)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn processes_lie_where_they_are_told_to() {
        // In a thread of its own: what is set belongs to threads.
        std::thread::spawn(|| {
            let stack = || {
                let maps = Command::new("cat").arg("/proc/self/maps").output();
                let maps = String::from_utf8(maps.unwrap().stdout).unwrap();
                maps.lines()
                    .find(|line| line.ends_with("[stack]"))
                    .unwrap()
                    .to_owned()
            };
            if set_random_addresses(false).is_err() {
                // Not allowed here: nothing can be seen.
                return;
            }
            assert_eq!(stack(), stack());
            assert!(!set_random_addresses(true).unwrap());
            // Were they drawn alike, which happens once in millions of times.
            assert_ne!(stack(), stack());
        })
        .join()
        .unwrap();
    }
}
