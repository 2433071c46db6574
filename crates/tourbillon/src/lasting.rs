//! What lives as long as the process.
//!
//! A run needs what it has until its process ends. The code that frees it, part by part, and is called on
//! each way out of each function that holds it, would be compiled into every bench binary for nothing.

use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A value on its way to its owner: freed by that one, and by nobody should the way end before.
pub(crate) type Handed<T> = ManuallyDrop<T>;

/// A value that is never freed.
///
/// All of them can be reached from a static, so that whoever looks for leaks in a benchmark, as a leak
/// sanitizer does, finds none of ours.
#[derive(Debug)]
pub(crate) struct Lasting<T: 'static>(&'static mut T);

impl<T: Default> Default for Lasting<T> {
    fn default() -> Lasting<T> {
        Lasting::new(T::default())
    }
}

/// A value, and the one that was kept before it.
struct Kept<T> {
    _before: *mut (),
    value: T,
}

/// The one that was kept last.
static LAST: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

impl<T> Lasting<T> {
    pub(crate) fn new(value: T) -> Lasting<T> {
        let kept = Box::leak(Box::new(Kept {
            _before: ptr::null_mut(),
            value,
        }));
        kept._before = LAST.swap(ptr::from_mut(kept).cast(), Ordering::Relaxed);
        Lasting(&mut kept.value)
    }
}

impl<T> Deref for Lasting<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0
    }
}

impl<T> DerefMut for Lasting<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0
    }
}
