//! Marks by which a process that is followed instruction by instruction says what comes next: on Linux on x86-64 alone.

/// In the register of the return value where the instruction is a mark of [`mark`].
pub(crate) const MARK: u64 = 0x746F_7572_6D61_726B;

/// What a process that is followed comes to next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Code that is measured.
    Begin,
    /// The end of it.
    End,
    /// A batch of the empty body.
    Empty,
    /// A batch of ops.
    Ops,
    /// Ops in each of the iterations that follow.
    OpsPerIteration,
    /// Nothing more.
    Over,
}

/// Stops this process, which a tracer finds with these numbers. Without a tracer the process ends.
#[inline(never)]
pub fn mark(what: Mark, value: u64) {
    // SAFETY: the trap changes no register and no memory; the process goes on after it, or ends.
    unsafe {
        std::arch::asm!("int3", in("rax") MARK, in("rdi") what as u64, in("rsi") value, options(nostack));
    }
}
