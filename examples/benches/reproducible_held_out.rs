//! Other code of the same classes as `reproducible`, to see that nothing was tuned to that one: it is
//! not looked at while the estimator is worked on.

use std::process::ExitCode;

fn main() -> ExitCode {
    tourbillon::main()
}

mod branchy {
    use tourbillon::{bench, hide};

    #[bench]
    fn median_of_3() -> i32 {
        let (a, b, c) = (hide(5), hide(1), hide(3));
        if (a <= b) == (b <= c) {
            b
        } else if (b <= a) == (a <= c) {
            a
        } else {
            c
        }
    }

    #[bench]
    fn is_prime() -> bool {
        let number = hide(37_u32);
        let mut divisor = 2;
        while divisor * divisor <= number {
            if number.is_multiple_of(divisor) {
                return false;
            }
            divisor += 1;
        }
        true
    }

    #[bench]
    fn brackets() -> Option<u32> {
        let mut depth = 0_u32;
        for byte in hide("(()(()))").bytes() {
            match byte {
                b'(' => depth += 1,
                _ => depth = depth.checked_sub(1)?,
            }
        }
        Some(depth)
    }

    #[bench]
    fn bytes_of_letter() -> usize {
        match hide(0xe2_u8) {
            0..0x80 => 1,
            0x80..0xc0 => 0,
            0xc0..0xe0 => 2,
            0xe0..0xf0 => 3,
            _ => 4,
        }
    }

    #[bench(args = [3_u32, 6])]
    fn trailing_zeros(n: u32) -> u32 {
        let mut bits = 1_u32 << hide(n);
        let mut zeros = 0;
        while bits & 1 == 0 {
            bits >>= 1;
            zeros += 1;
        }
        zeros
    }

    #[bench(args = [2_u64, 5])]
    fn fold_product(n: u64) -> u64 {
        (1..=hide(n)).fold(1, |all, number| (all * 3) ^ number)
    }

    #[bench]
    fn longest_run() -> u32 {
        let mut bits = hide(0b0111_0110_u32);
        let mut length = 0;
        while bits != 0 {
            bits &= bits << 1;
            length += 1;
        }
        length
    }

    #[bench]
    fn states() -> u8 {
        hide([0_u8, 1, 1, 0, 2, 1])
            .iter()
            .fold(0, |state, symbol| match (state, symbol) {
                (0, 1) => 1,
                (1, 1) => 2,
                (2, _) => 3,
                (3, 2) => 0,
                (state, _) => state,
            })
    }

    #[bench]
    fn month_of_name() -> u32 {
        match hide("sep") {
            "jan" => 1,
            "feb" => 2,
            "mar" => 3,
            "apr" => 4,
            "may" => 5,
            "jun" => 6,
            "jul" => 7,
            "aug" => 8,
            "sep" => 9,
            "oct" => 10,
            "nov" => 11,
            _ => 12,
        }
    }
}

mod iterators {
    use tourbillon::{Bencher, bench, hide};

    /// Measures what `body` makes of 40 numbers.
    fn measure<R>(b: Bencher<'_>, body: impl Fn(&[i64]) -> R) {
        let numbers: [i64; 40] = std::array::from_fn(|at| (at as i64 * 37 + 11) % 101 - 50);
        b.iter(|| body(hide(&numbers[..])));
    }

    #[bench]
    fn partition(b: Bencher<'_>) {
        measure(b, |numbers| {
            let (below, above) =
                numbers
                    .iter()
                    .fold((0, 0), |(below, above), number| match number {
                        ..0 => (below + number, above),
                        _ => (below, above + number),
                    });
            above - below
        });
    }

    #[bench]
    fn nearest(b: Bencher<'_>) {
        measure(b, |numbers| {
            numbers
                .iter()
                .copied()
                .min_by_key(|number| (number - 17).abs())
        });
    }

    #[bench]
    fn scan(b: Bencher<'_>) {
        measure(b, |numbers| {
            let sums = numbers.iter().scan(0, |sum, number| {
                *sum += number;
                Some(*sum)
            });
            sums.max()
        });
    }

    #[bench]
    fn any(b: Bencher<'_>) {
        measure(b, |numbers| numbers.iter().any(|number| number % 41 == 40));
    }
}

mod strings {
    use tourbillon::{bench, hide};

    const LINES: &str = "first line\nsecond, longer line\n\nfourth line after an empty one\nlast";

    #[bench]
    fn rfind() -> Option<usize> {
        hide(LINES).rfind("line")
    }

    #[bench]
    fn lines() -> usize {
        hide(LINES).lines().map(str::len).sum()
    }

    #[bench]
    fn small_letters() -> String {
        hide("A Title With Several Words").to_ascii_lowercase()
    }

    #[bench]
    fn scheme() -> u8 {
        let address = hide("https://example.org/path");
        match address {
            _ if address.starts_with("ftp://") => 1,
            _ if address.starts_with("http://") => 2,
            _ if address.starts_with("https://") => 3,
            _ => 0,
        }
    }
}

mod hashing {
    use std::collections::BTreeMap;

    use tourbillon::{Bencher, bench, hide};

    #[bench]
    fn djb2() -> u32 {
        let bytes = hide("a key of two dozen bytes");
        let mix = |hash: u32, byte| (hash << 5).wrapping_add(hash) ^ u32::from(byte);
        bytes.bytes().fold(5_381, mix)
    }

    #[bench]
    fn tree_get(b: Bencher<'_>) {
        let map: BTreeMap<u32, u32> = (0..500).map(|key| (key * 3, key)).collect();
        b.iter(|| map.get(&hide(777)).copied());
    }
}

mod allocation {
    use std::collections::VecDeque;

    use tourbillon::{Bencher, bench, hide};

    #[bench]
    fn join() -> String {
        let mut text = String::new();
        for word in hide(["one", "two", "three", "four", "five", "six", "seven"]) {
            text.push_str(word);
            text.push(' ');
        }
        text
    }

    #[bench]
    fn boxed_slice() -> Box<[u16]> {
        vec![hide(3); 300].into_boxed_slice()
    }

    #[bench]
    fn queue(b: Bencher<'_>) {
        let mut queue: VecDeque<u32> = (0..50).collect();
        b.iter(move || {
            let first = queue.pop_front();
            queue.push_back(hide(7));
            first
        });
    }
}

mod formatting {
    use tourbillon::{bench, hide};

    #[bench]
    fn sentence() -> String {
        format!("{} of {}: {}", hide(-17), hide(40), hide("done"))
    }

    #[bench]
    fn exponent() -> String {
        format!("{:e}", hide(6.022_140_76e23))
    }
}

mod parsing {
    use tourbillon::{bench, hide};

    #[bench]
    fn hexadecimal() -> Option<u32> {
        u32::from_str_radix(hide("c0ffee"), 16).ok()
    }

    #[bench]
    fn settings() -> Option<(&'static str, u32)> {
        let (name, value) = hide("launches = 20").split_once('=')?;
        Some((name.trim(), value.trim().parse().ok()?))
    }
}

mod sorting {
    use std::collections::BinaryHeap;

    use tourbillon::{Bencher, bench, hide};

    #[bench]
    fn stable_64(b: Bencher<'_>) {
        let numbers: [u32; 64] = std::array::from_fn(|at| (at as u32).wrapping_mul(2_654_435_761));
        b.iter(|| {
            let mut copy = *hide(&numbers);
            copy.sort();
            copy
        });
    }

    #[bench]
    fn heap() -> Option<u32> {
        let mut heap = BinaryHeap::from(hide([5_u32, 3, 8, 1, 9, 2, 7]));
        heap.pop();
        heap.push(hide(4));
        heap.pop()
    }
}

mod numeric {
    use tourbillon::{bench, hide};

    #[bench]
    fn cross() -> [f64; 3] {
        let [a, b, c] = hide([1.0, 2.0, 3.0]);
        let [d, e, f] = hide([-2.0, 0.5, 4.0]);
        [b * f - c * e, c * d - a * f, a * e - b * d]
    }

    #[bench]
    fn logarithm() -> f64 {
        hide(7.5_f64).ln()
    }

    #[bench]
    fn mandelbrot() -> u32 {
        let (x, y) = (hide(-0.75_f64), hide(0.15_f64));
        let (mut re, mut im, mut turns) = (0.0, 0.0, 0);
        while turns < 50 && re * re + im * im < 4.0 {
            (re, im) = (re * re - im * im + x, 2.0 * re * im + y);
            turns += 1;
        }
        turns
    }

    #[bench]
    fn wide_remainder() -> u64 {
        let product =
            u128::from(hide(0x1234_5678_9abc_def1_u64)) * u128::from(hide(0xfeed_f00d_u64));
        (product % u128::from(hide(1_000_000_007_u64))) as u64
    }
}

mod memory {
    use examples::chase::{BYTES_PER_NODE, Ring};
    use tourbillon::{Bencher, bench, hide};

    const MIB: usize = 1 << 20;

    #[bench]
    fn chase(b: Bencher<'_>) {
        let ring = Ring::new(32 * MIB / BYTES_PER_NODE, 9);
        b.chain(0, |place| ring.next(place));
    }

    #[bench]
    fn every_line(b: Bencher<'_>) {
        let numbers = vec![1_u64; 8 * MIB / 8];
        b.iter(|| hide(&numbers[..]).iter().step_by(8).sum::<u64>());
    }
}
