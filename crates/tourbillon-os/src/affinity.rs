//! Where the calling thread runs, and where the processes lie that it starts.

use std::io;

#[cfg(target_os = "linux")]
use crate::sys;

/// Words of a processor mask: 8192 processors, the most that Linux supports on any architecture.
#[cfg(target_os = "linux")]
const WORDS: usize = 128;

/// Processors that the calling thread may run on, ascending.
///
/// # Errors
/// If the system call fails, and on systems other than Linux and Windows.
pub fn affinity() -> io::Result<Vec<u32>> {
    #[cfg(target_os = "linux")]
    {
        let mut words = [0_u64; WORDS];
        // SAFETY: the size is that of the array; the kernel writes a bit mask of at most that size.
        let result =
            unsafe { sys::sched_getaffinity(0, size_of_val(&words), words.as_mut_ptr().cast()) };
        if result != 0 {
            return Err(io::Error::last_os_error());
        }
        let is_set = |cpu: &u32| words[(cpu / 64) as usize] >> (cpu % 64) & 1 == 1;
        Ok((0..64 * WORDS as u32).filter(is_set).collect())
    }
    #[cfg(windows)]
    return crate::windows::affinity::affinity();
    #[cfg(not(any(target_os = "linux", windows)))]
    Err(unsupported("pinning to processors"))
}

/// Pins the calling thread, and every process that it starts from now on, to these processors.
///
/// # Errors
/// If none of them exists or is allowed, and on systems other than Linux and Windows.
pub fn set_affinity(cpus: &[u32]) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        let mut words = [0_u64; WORDS];
        for &cpu in cpus {
            let Some(word) = words.get_mut((cpu / 64) as usize) else {
                let text = format!("there is no processor {cpu}");
                return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
            };
            *word |= 1 << (cpu % 64);
        }
        // SAFETY: the size is that of the array, which is only read.
        match unsafe { sys::sched_setaffinity(0, size_of_val(&words), words.as_ptr().cast()) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
    #[cfg(windows)]
    return crate::windows::affinity::set_affinity(cpus);
    #[cfg(not(any(target_os = "linux", windows)))]
    {
        let _ = cpus;
        Err(unsupported("pinning to processors"))
    }
}

/// Sets whether processes started by the calling thread have their code, stack, heap and libraries at
/// random addresses (the default) or always at the same addresses; returns the previous setting.
///
/// # Errors
/// If the system forbids it, as some containers do, and on systems other than Linux.
pub fn set_random_addresses(random: bool) -> io::Result<bool> {
    #[cfg(target_os = "linux")]
    {
        /// Queries the setting and changes nothing.
        const QUERY: std::ffi::c_ulong = 0xFFFF_FFFF;
        // SAFETY: takes and returns integers.
        let before = unsafe { sys::personality(QUERY) };
        if before == -1 {
            return Err(io::Error::last_os_error());
        }
        let fixed = sys::ADDR_NO_RANDOMIZE;
        let was_random = before & fixed == 0;
        if was_random == random {
            return Ok(was_random);
        }
        // SAFETY: as above; only processes started later are affected.
        match unsafe { sys::personality((before ^ fixed).cast_unsigned().into()) } {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(was_random),
        }
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = random;
        Err(unsupported("fixing the addresses of a process"))
    }
}

/// What this system lacks.
#[cfg(not(target_os = "linux"))]
pub(crate) fn unsupported(what: &str) -> io::Error {
    let text = format!("{what} is not available on this system");
    io::Error::new(io::ErrorKind::Unsupported, text)
}

#[cfg(all(test, any(target_os = "linux", windows)))]
mod tests {
    use super::*;

    #[test]
    fn pinning_applies_to_the_calling_thread() {
        // In a thread of its own: affinity belongs to threads, and the other tests keep theirs.
        std::thread::spawn(|| {
            let allowed = affinity().unwrap();
            let last = *allowed.last().unwrap();
            set_affinity(&[last]).unwrap();
            assert_eq!(affinity().unwrap(), [last]);
            set_affinity(&allowed).unwrap();
            assert_eq!(affinity().unwrap(), allowed);
        })
        .join()
        .unwrap();
    }

    #[test]
    fn a_missing_processor_is_an_error() {
        assert!(set_affinity(&[]).is_err());
        assert!(set_affinity(&[u32::MAX]).is_err());
        assert!(set_affinity(&[8191]).is_err());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn addresses_of_processes_are_fixed_and_random() {
        // In a thread of its own: the setting belongs to threads.
        std::thread::spawn(|| {
            let stack = || {
                let maps = std::process::Command::new("cat")
                    .arg("/proc/self/maps")
                    .output();
                let maps = String::from_utf8(maps.unwrap().stdout).unwrap();
                maps.lines()
                    .find(|line| line.ends_with("[stack]"))
                    .unwrap()
                    .to_owned()
            };
            if set_random_addresses(false).is_err() {
                // Not allowed here.
                return;
            }
            assert_eq!(stack(), stack());
            assert!(!set_random_addresses(true).unwrap());
            // Two random addresses are equal once in millions of times.
            assert_ne!(stack(), stack());
        })
        .join()
        .unwrap();
    }
}
