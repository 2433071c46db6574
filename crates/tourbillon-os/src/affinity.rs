use std::io;

#[cfg(target_os = "linux")]
mod system {
    use std::io;

    use crate::sys;

    /// Room for 8192 processors, the most that the kernel can be built for on any architecture.
    const WORDS: usize = 128;

    pub(super) fn get() -> io::Result<Vec<u32>> {
        let mut words = [0_u64; WORDS];
        // SAFETY: the size is that of the array; the kernel writes a bit mask of at most that
        // size, for the calling thread.
        let result =
            unsafe { sys::sched_getaffinity(0, size_of_val(&words), words.as_mut_ptr().cast()) };
        if result != 0 {
            return Err(io::Error::last_os_error());
        }
        let mut cpus = Vec::new();
        for cpu in 0..64 * WORDS {
            if words[cpu / 64] >> (cpu % 64) & 1 == 1 {
                cpus.push(cpu as u32);
            }
        }
        Ok(cpus)
    }

    pub(super) fn set(cpus: &[u32]) -> io::Result<()> {
        let mut words = [0_u64; WORDS];
        for &cpu in cpus {
            let Some(word) = words.get_mut((cpu / 64) as usize) else {
                let text = format!("there is no processor {cpu}");
                return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
            };
            *word |= 1 << (cpu % 64);
        }
        // SAFETY: the size is that of the array, which is only read.
        let result =
            unsafe { sys::sched_setaffinity(0, size_of_val(&words), words.as_ptr().cast()) };
        match result {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::io;

    pub(super) fn get() -> io::Result<Vec<u32>> {
        Err(unsupported())
    }

    pub(super) fn set(_cpus: &[u32]) -> io::Result<()> {
        Err(unsupported())
    }

    fn unsupported() -> io::Error {
        let text = "pinning to processors is not available on this system";
        io::Error::new(io::ErrorKind::Unsupported, text)
    }
}

/// Processors that the calling thread may run on, ascending.
///
/// # Errors
/// Where the system does not say.
pub fn affinity() -> io::Result<Vec<u32>> {
    system::get()
}

/// Pins the calling thread, and every process that it starts from now on, to these processors.
///
/// # Errors
/// When none of them exists or is allowed, or where the system has no such thing.
pub fn set_affinity(cpus: &[u32]) -> io::Result<()> {
    system::set(cpus)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn pinning_holds_for_the_thread_that_asked() {
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
    fn what_is_not_there_is_an_error() {
        assert!(set_affinity(&[]).is_err());
        assert!(set_affinity(&[u32::MAX]).is_err());
        assert!(set_affinity(&[8191]).is_err());
    }
}
