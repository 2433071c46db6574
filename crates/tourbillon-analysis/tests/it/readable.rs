//! What noise makes of a figure is still a figure that a record may have.

use tourbillon_analysis::synthetic::Model;
use tourbillon_record::{Entry, LaunchSamples, Line};
use tourbillon_stats::Rng;

use crate::estimates::results;

/// Replaces some readings by any others, down to nothing.
fn disturb(launch: &mut LaunchSamples, rng: &mut Rng) {
    let chain = launch.chain.iter_mut();
    let of_chain = chain.flat_map(|chain| [&mut chain.short_ticks, &mut chain.long_ticks]);
    let of_loop = [&mut launch.empty.short_ticks, &mut launch.empty.long_ticks];
    for readings in of_loop.into_iter().chain(of_chain) {
        disturb_readings(readings, rng);
    }
    disturb_readings(&mut launch.batches.ticks, rng);
}

fn disturb_readings(readings: &mut [u64], rng: &mut Rng) {
    let often = 1 + rng.index(8);
    for ticks in readings {
        if rng.index(often) == 0 {
            *ticks = rng.next_u64() >> (40 + rng.index(24));
        }
    }
}

#[test]
fn results_of_any_readings_can_be_read_again() {
    let mut rng = Rng::new(5);
    for number in 0..400 {
        let model = Model {
            cycles_per_op: [0.2, 3.0, 1_000.0][number % 3],
            seed: number as u64,
            ..Model::default()
        };
        let mut launches = model.launches("x", 1 + (number % 12) as u32);
        for launch in &mut launches {
            disturb(launch, &mut rng);
        }
        for result in results(&launches) {
            let line = Entry::Result(&result).encode();
            if let Err(error) = Line::decode(&line) {
                panic!("{number}: {error}");
            }
        }
    }
}
