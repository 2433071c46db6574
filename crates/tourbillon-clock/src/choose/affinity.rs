//! The processors that a thread may run on, and its way from one to the other.

use crate::sys;
use crate::system_error::SystemError;

/// Bits of a mask: more processors than any kernel is built for (8192 on x86-64).
const BITS: usize = 8192;
const WORD: usize = u64::BITS as usize;

/// A set of processors, as the kernel takes it.
#[derive(Clone, Copy)]
struct Mask([u64; BITS / WORD]);

/// The calling thread's affinity; put back as it was on drop.
pub struct Affinity {
    original: Mask,
}

impl Affinity {
    /// Reads the affinity of the calling thread.
    pub fn of_this_thread() -> Result<Affinity, SystemError> {
        let mut original = Mask([0; BITS / WORD]);
        // SAFETY: the kernel writes at most the stated number of bytes into the mask, which lives
        // for the call; glibc's type is the first part of such a mask.
        let answer =
            unsafe { sys::sched_getaffinity(0, size_of::<Mask>(), (&raw mut original).cast()) };
        if answer < 0 {
            return Err(SystemError::last());
        }
        Ok(Affinity { original })
    }

    /// The processors of the thread, in ascending order.
    pub fn processors(&self) -> Vec<usize> {
        let mut processors = Vec::new();
        for cpu in 0..BITS {
            if self.original.0[cpu / WORD] >> (cpu % WORD) & 1 == 1 {
                processors.push(cpu);
            }
        }
        processors
    }

    /// Moves the calling thread to one processor: it runs there when this returns.
    pub fn move_to(&self, cpu: usize) -> Result<(), SystemError> {
        pin(cpu)
    }
}

/// Moves the calling thread to one processor and leaves it there.
pub fn pin(cpu: usize) -> Result<(), SystemError> {
    let mut mask = Mask([0; BITS / WORD]);
    mask.0[cpu / WORD] = 1 << (cpu % WORD);
    set(&mask)
}

/// The processor that the calling thread is on, which may be another one any moment.
pub fn current() -> Option<usize> {
    // SAFETY: sched_getcpu has no preconditions.
    usize::try_from(unsafe { sys::sched_getcpu() }).ok()
}

impl Drop for Affinity {
    fn drop(&mut self) {
        // It was the thread's own set a moment ago: only a processor that vanished meanwhile could
        // make this fail, and then the kernel has chosen another set itself.
        let _ = set(&self.original);
    }
}

fn set(mask: &Mask) -> Result<(), SystemError> {
    // SAFETY: the kernel reads the stated number of bytes of the mask, which lives for the call.
    let answer = unsafe { sys::sched_setaffinity(0, size_of::<Mask>(), (&raw const *mask).cast()) };
    if answer == 0 {
        Ok(())
    } else {
        Err(SystemError::last())
    }
}
