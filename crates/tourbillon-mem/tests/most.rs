//! As many counts of the whole process at once as there may be: alone in a process, for others would
//! find none left.

use tourbillon_mem::{Meter, tally_process};

#[global_allocator]
static ALLOC: Meter = Meter::system();

#[test]
fn regions_of_the_process_may_overlap_and_are_limited() {
    fn nest(depth: u32) -> u32 {
        match tally_process(|| nest(depth + 1)) {
            Ok((deepest, used)) => {
                assert!(used.process.allocs >= used.thread.allocs);
                deepest
            }
            Err(error) => {
                assert!(!error.is_absent());
                assert!(error.to_string().contains("16 calls"), "{error}");
                depth
            }
        }
    }
    assert_eq!(nest(0), 16);
    assert!(tally_process(|| ()).is_ok());
}
