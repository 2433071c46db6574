//! The list of entries, filled by constructors that run before `main`.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::Entry;

/// The entry that was registered last; each points to the one before it.
static HEAD: AtomicPtr<Entry> = AtomicPtr::new(ptr::null_mut());

/// An entry's place in the list.
#[derive(Debug)]
pub(super) struct Link {
    before: AtomicPtr<Entry>,
}

impl Link {
    pub(super) const fn new() -> Self {
        Self {
            before: AtomicPtr::new(ptr::null_mut()),
        }
    }
}

/// Puts an entry at the head of the list. Locks nothing and allocates nothing: little may be relied
/// on before `main`.
#[inline(never)]
pub(super) fn push(entry: &'static Entry) {
    let new = ptr::from_ref(entry).cast_mut();
    let mut head = HEAD.load(Ordering::Relaxed);
    loop {
        entry.link.before.store(head, Ordering::Relaxed);
        match HEAD.compare_exchange_weak(head, new, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => return,
            Err(other) => head = other,
        }
    }
}

/// All entries, in no order that means anything: that of the constructors is the linker's.
#[inline(never)]
pub(super) fn entries() -> Vec<&'static Entry> {
    let mut entries = Vec::new();
    let mut next = HEAD.load(Ordering::Acquire);
    // SAFETY: the pointer is null or came out of `push`, which takes `&'static Entry` and releases
    // the entry's own link together with it; nobody ever makes a `&mut Entry`.
    while let Some(entry) = unsafe { next.as_ref() } {
        entries.push(entry);
        next = entry.link.before.load(Ordering::Relaxed);
    }
    entries
}

/// Has a static [`Entry`] registered when the program starts.
///
/// The pointer goes where the platform's start-up code looks for constructors. Each of these
/// sections is kept by the linker as a whole; `#[used]` keeps the static until then.
#[doc(hidden)]
#[macro_export]
macro_rules! __register {
    ($entry:ident) => {
        #[cfg(not(any(
            windows,
            target_vendor = "apple",
            all(unix, not(any(target_os = "aix", target_os = "emscripten")))
        )))]
        ::core::compile_error!("tourbillon does not know how programs start on this target");

        #[used]
        #[cfg_attr(windows, unsafe(link_section = ".CRT$XCU"))]
        #[cfg_attr(
            target_vendor = "apple",
            unsafe(link_section = "__DATA,__mod_init_func,mod_init_funcs")
        )]
        #[cfg_attr(
            all(unix, not(target_vendor = "apple")),
            unsafe(link_section = ".init_array")
        )]
        static __TOURBILLON_CONSTRUCTOR: extern "C" fn() = {
            extern "C" fn register() {
                $entry.register();
            }
            register
        };
    };
}
