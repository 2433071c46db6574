//! The processor's own counter: one file per architecture, all of one shape.
//!
//! Invariant: the instructions that read a counter stand here and nowhere else.

#[cfg(target_arch = "x86_64")]
#[path = "x86_64.rs"]
mod processor;

#[cfg(target_arch = "aarch64")]
#[path = "aarch64.rs"]
mod processor;

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[path = "absent.rs"]
mod processor;

#[cfg(all(feature = "parts", target_arch = "x86_64"))]
pub mod forms;

pub use processor::Counter;

#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_reading_moves_forwards() {
        let counter = Counter::of_this_processor().unwrap();
        for read in [Counter::start, Counter::stop, Counter::now] {
            let first = read(&counter);
            // A counter may tick more slowly than it is read; it must tick at some time.
            while read(&counter) == first {}
            assert!(read(&counter) > first);
        }
    }
}
