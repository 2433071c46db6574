//! Several arms alive at once, driven batch by batch from the innermost call.

use std::cell::RefCell;

use tourbillon_clock::Clock;
use tourbillon_engine::{About, Arm, Drive, Iterated, Stretch};

use crate::stage::{about, script};

/// A benchmark as a function of the driver.
type Benchmark<'b> = &'b dyn Fn(&mut dyn Drive);

/// Parks each arm in the frame of its terminal and calls the next benchmark; the last one drives
/// them all in turns.
struct Together<'t> {
    parked: Vec<&'t mut dyn Arm>,
    rest: &'t [Benchmark<'t>],
    clock: &'t Clock,
    read: &'t RefCell<Vec<u64>>,
}

impl Drive for Together<'_> {
    fn drive(&mut self, arm: &mut dyn Arm, _about: About) {
        let mut parked: Vec<&mut dyn Arm> = Vec::new();
        for earlier in &mut self.parked {
            parked.push(&mut **earlier);
        }
        parked.push(arm);
        if let Some((next, rest)) = self.rest.split_first() {
            next(&mut Together {
                parked,
                rest,
                clock: self.clock,
                read: self.read,
            });
            return;
        }
        for turn in 0..4 {
            let index = turn % parked.len();
            let stretch = Stretch {
                windows: 1,
                items: 10,
                unroll: 1,
            };
            let reading = parked[index].batch(self.clock, stretch);
            self.read.borrow_mut().push(reading.ticks.0);
        }
    }
}

#[test]
fn two_benchmarks_take_turns_in_one_process() {
    let script = script();
    let clock = Clock::scripted(&script);
    let read = RefCell::new(Vec::new());
    let slow = |driver: &mut dyn Drive| {
        let local = 70;
        driver.drive(
            &mut Iterated::new(|| script.advance(local), |()| Ok(())),
            about(),
        );
    };
    let fast = |driver: &mut dyn Drive| {
        let local = 30;
        driver.drive(
            &mut Iterated::new(|| script.advance(local), |()| Ok(())),
            about(),
        );
    };
    let benchmarks: [Benchmark<'_>; 2] = [&slow, &fast];
    let (first, rest) = benchmarks.split_first().expect("two");
    first(&mut Together {
        parked: Vec::new(),
        rest,
        clock: &clock,
        read: &read,
    });
    assert_eq!(read.into_inner(), [720, 320, 720, 320]);
}
