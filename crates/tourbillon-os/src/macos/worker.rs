//! What a worker asks of the scheduler.

use crate::sys;

/// Asks for the fast cores of a processor with cores of two kinds: the calling thread, and those that it
/// starts, are of the highest class of service. A worker in the background may otherwise get an efficiency
/// core for a part of its samples.
pub(crate) fn prefer_fast_cores() {
    // A system that refuses measures as before.
    // SAFETY: takes numbers.
    unsafe {
        sys::pthread_set_qos_class_self_np(sys::qos_class_t::QOS_CLASS_USER_INTERACTIVE, 0);
    }
}
