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
    before: *mut (),
    /// Said to be never freed: else the code for that would be compiled, for the case that there is no
    /// memory for this.
    value: ManuallyDrop<T>,
}

/// The one that was kept last.
static LAST: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

impl<T> Lasting<T> {
    pub(crate) fn new(value: T) -> Lasting<T> {
        Lasting(&mut kept(value, &LAST).value)
    }
}

/// Keeps a value: `last` leads to it, and it to the one before.
fn kept<T>(value: T, last: &AtomicPtr<()>) -> &'static mut Kept<T> {
    let kept = Box::leak(Box::new(Kept {
        before: ptr::null_mut(),
        value: ManuallyDrop::new(value),
    }));
    kept.before = last.swap(ptr::from_mut(kept).cast(), Ordering::Relaxed);
    kept
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

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    #[test]
    fn what_is_kept_can_be_read_and_changed() {
        let mut words = Lasting::new(vec!["one"]);
        words.push("two");
        assert_eq!(*words, ["one", "two"]);
        assert_eq!(*Lasting::<Vec<u8>>::default(), []);
    }

    #[test]
    fn it_is_never_freed() {
        let value = Rc::new(());
        {
            let _gone = Lasting::new(Rc::clone(&value));
        }
        assert_eq!(Rc::strong_count(&value), 2);
    }

    /// `scripts/leaks.sh` holds whole bench programs against a leak sanitizer.
    #[test]
    fn each_leads_to_the_one_before_it_whatever_it_is() {
        let last = AtomicPtr::new(ptr::null_mut());
        let number = kept(1_u8, &last);
        let text = kept("two".to_owned(), &last);
        let nothing = kept((), &last);
        assert_eq!(last.into_inner(), ptr::from_mut(nothing).cast());
        assert_eq!(nothing.before, ptr::from_mut(text).cast());
        assert_eq!(text.before, ptr::from_mut(number).cast());
        assert!(number.before.is_null());
        assert_eq!((*number.value, text.value.as_str()), (1, "two"));
    }

    #[test]
    fn a_static_leads_to_all_of_them() {
        let _ours = Lasting::new(3);
        // Other tests keep something meanwhile; nobody takes anything off.
        assert!(!LAST.load(Ordering::Relaxed).is_null());
    }
}
