//! Pairs of functions, and what each costs next to the other: does the verdict agree with the table, and one run with
//! another? `scripts/agree.sh` runs it again and again.
//!
//! The bodies allocate, grow, hash, branch, wait for memory, share a number between threads, or take a cycle; some pairs
//! are the same code.

use std::collections::{BTreeMap, HashMap, LinkedList, VecDeque};
use std::fmt::Write;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use examples::chase::{BYTES_PER_NODE, Ring};
use tourbillon::{Bencher, bench, hide};

fn main() -> ExitCode {
    tourbillon::main()
}

/// Numbers that look random, always the same.
fn numbers(count: usize) -> Vec<u32> {
    let mut state = 0x9E37_79B9_u32;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    (0..count).map(next).collect()
}

fn words(count: usize) -> Vec<&'static str> {
    let all = "the quick brown fox jumps over the lazy dog".split(' ');
    all.cycle().take(count).collect()
}

#[bench(args(n = [9, 90, 900]), group = "join", reference)]
fn concat(b: Bencher<'_>, n: usize) {
    let words = words(n);
    b.iter(|| words.concat());
}

#[bench(args(n = [9, 90, 900]), group = "join")]
fn push_str(b: Bencher<'_>, n: usize) {
    let words = words(n);
    b.iter(|| {
        let mut all = String::new();
        for word in &words {
            all.push_str(word);
        }
        all
    });
}

#[bench(args(n = [16, 256, 4096]), group = "grow", reference)]
fn with_capacity(b: Bencher<'_>, n: u64) {
    b.iter(|| {
        let mut all = Vec::with_capacity(n as usize);
        for number in 0..hide(n) {
            all.push(number);
        }
        all
    });
}

#[bench(args(n = [16, 256, 4096]), group = "grow")]
fn doubling(b: Bencher<'_>, n: u64) {
    b.iter(|| {
        let mut all = Vec::new();
        for number in 0..hide(n) {
            all.push(number);
        }
        all
    });
}

#[bench(args(n = [16, 256, 4096]), group = "look up", reference)]
fn hash_map(b: Bencher<'_>, n: usize) {
    let keys = numbers(n);
    let map: HashMap<u32, usize> = keys.iter().copied().zip(0..).collect();
    b.iter(|| keys.iter().filter_map(|key| map.get(key)).sum::<usize>());
}

#[bench(args(n = [16, 256, 4096]), group = "look up")]
fn tree_map(b: Bencher<'_>, n: usize) {
    let keys = numbers(n);
    let map: BTreeMap<u32, usize> = keys.iter().copied().zip(0..).collect();
    b.iter(|| keys.iter().filter_map(|key| map.get(key)).sum::<usize>());
}

#[bench(args(n = [16, 256, 4096]), group = "look up")]
fn sorted_slice(b: Bencher<'_>, n: usize) {
    let keys = numbers(n);
    let mut sorted = keys.clone();
    sorted.sort_unstable();
    b.iter(|| {
        let found = keys.iter().filter_map(|key| sorted.binary_search(key).ok());
        found.sum::<usize>()
    });
}

#[bench(args(n = [64, 1024, 16384]), group = "count", reference)]
fn branch(b: Bencher<'_>, n: usize) {
    let numbers = numbers(n);
    b.iter(|| {
        let mut large = 0_u64;
        for number in &numbers {
            if hide(*number) > u32::MAX / 2 {
                large = hide(large + 1);
            }
        }
        large
    });
}

#[bench(args(n = [64, 1024, 16384]), group = "count")]
fn no_branch(b: Bencher<'_>, n: usize) {
    let numbers = numbers(n);
    b.iter(|| {
        let mut large = 0_u64;
        for number in &numbers {
            large += u64::from(hide(*number) > u32::MAX / 2);
        }
        large
    });
}

#[bench(group = "chase", reference)]
fn within_16_kib(b: Bencher<'_>) {
    chase(b, 16 << 10);
}

#[bench(group = "chase")]
fn within_256_kib(b: Bencher<'_>) {
    chase(b, 256 << 10);
}

#[bench(group = "chase")]
fn within_4_mib(b: Bencher<'_>) {
    chase(b, 4 << 20);
}

fn chase(b: Bencher<'_>, bytes: usize) {
    let ring = Ring::new(bytes / BYTES_PER_NODE, 1);
    let mut at = 0;
    b.iter(|| {
        for _ in 0..64 {
            at = ring.next(at);
        }
        at
    });
}

#[bench(args(value = [7, 123_456_789]), group = "format", reference)]
fn write_number(b: Bencher<'_>, value: u32) {
    let mut text = String::with_capacity(64);
    b.iter(|| {
        text.clear();
        _ = write!(text, "{}", hide(value));
        text.len()
    });
}

#[bench(args(value = [7, 123_456_789]), group = "format")]
fn to_string(b: Bencher<'_>, value: u32) {
    b.iter(|| hide(value).to_string());
}

#[bench(args(value = [7, 123_456_789]), group = "format")]
fn digit_by_digit(b: Bencher<'_>, value: u32) {
    b.iter(|| {
        let mut digits = [0_u8; 10];
        let mut rest = hide(value);
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        digits
    });
}

#[bench(args(n = [16, 256, 4096]), group = "sort", reference)]
fn stable(b: Bencher<'_>, n: usize) {
    let numbers = numbers(n);
    b.with_inputs(|| numbers.clone())
        .iter_mut(|numbers| numbers.sort());
}

#[bench(args(n = [16, 256, 4096]), group = "sort")]
fn unstable(b: Bencher<'_>, n: usize) {
    let numbers = numbers(n);
    b.with_inputs(|| numbers.clone())
        .iter_mut(|numbers| numbers.sort_unstable());
}

#[bench(group = "tiny", reference)]
fn add(b: Bencher<'_>) {
    b.iter(|| hide(3_u64) + 5);
}

#[bench(group = "tiny")]
fn multiply(b: Bencher<'_>) {
    b.iter(|| hide(3_u64).wrapping_mul(hide(5)));
}

#[bench(group = "tiny")]
fn divide(b: Bencher<'_>) {
    b.iter(|| hide(3_000_000_000_000_u64) / hide(7));
}

#[bench(group = "tiny")]
fn square_root(b: Bencher<'_>) {
    b.iter(|| hide(3.0_f64).sqrt());
}

#[bench(group = "tiny")]
fn sine(b: Bencher<'_>) {
    b.iter(|| hide(3.0_f64).sin());
}

#[bench(group = "allocate", reference)]
fn boxed(b: Bencher<'_>) {
    b.iter(|| Box::new(hide(1_u64)));
}

#[bench(group = "allocate")]
fn counted(b: Bencher<'_>) {
    b.iter(|| Rc::new(hide(1_u64)));
}

#[bench(group = "allocate")]
fn shared(b: Bencher<'_>) {
    b.iter(|| Arc::new(hide(1_u64)));
}

#[bench(group = "allocate")]
fn page(b: Bencher<'_>) {
    b.iter(|| vec![hide(1_u8); 4_096]);
}

#[bench(args(text = ["7", "123456"]), group = "parse", reference)]
fn from_str(b: Bencher<'_>, text: &str) {
    b.iter(|| hide(text).parse::<u32>().unwrap_or(0));
}

#[bench(args(text = ["7", "123456"]), group = "parse")]
fn by_hand(b: Bencher<'_>, text: &str) {
    b.iter(|| {
        let digits = hide(text).bytes();
        digits.fold(0_u32, |sum, digit| 10 * sum + u32::from(digit - b'0'))
    });
}

#[bench(args(n = [64, 4096]), group = "find", reference)]
fn position(b: Bencher<'_>, n: usize) {
    let mut bytes = vec![b'a'; n];
    bytes[n - 1] = b'z';
    b.iter(|| hide(&bytes).iter().position(|byte| *byte == b'z'));
}

#[bench(args(n = [64, 4096]), group = "find")]
fn in_text(b: Bencher<'_>, n: usize) {
    let text = "a".repeat(n - 1) + "z";
    b.iter(|| hide(&text).find('z'));
}

#[bench(args(n = [4, 64]), group = "clone", reference)]
fn strings(b: Bencher<'_>, n: usize) {
    let texts: Vec<String> = words(n).into_iter().map(str::to_owned).collect();
    b.iter(|| texts.clone());
}

#[bench(args(n = [4, 64]), group = "clone")]
fn shared_strings(b: Bencher<'_>, n: usize) {
    let texts: Vec<Arc<str>> = words(n).into_iter().map(Arc::from).collect();
    b.iter(|| texts.clone());
}

#[bench(args(n = [16, 256]), group = "queue", reference)]
fn ring(b: Bencher<'_>, n: u64) {
    let mut queue: VecDeque<u64> = (0..n).collect();
    b.iter(|| {
        let first = queue.pop_front();
        queue.extend(first);
    });
}

#[bench(args(n = [16, 256]), group = "queue")]
fn linked(b: Bencher<'_>, n: u64) {
    let mut queue: LinkedList<u64> = (0..n).collect();
    b.iter(|| {
        let first = queue.pop_front();
        queue.extend(first);
    });
}

#[bench(args(n = [32, 256]), group = "matrix", reference)]
fn by_rows(b: Bencher<'_>, n: usize) {
    let cells = numbers(n * n);
    b.iter(|| {
        let mut sum = 0_u32;
        for row in 0..n {
            for column in 0..n {
                sum = hide(sum.wrapping_add(cells[row * n + column]));
            }
        }
        sum
    });
}

#[bench(args(n = [32, 256]), group = "matrix")]
fn by_columns(b: Bencher<'_>, n: usize) {
    let cells = numbers(n * n);
    b.iter(|| {
        let mut sum = 0_u32;
        for column in 0..n {
            for row in 0..n {
                sum = hide(sum.wrapping_add(cells[row * n + column]));
            }
        }
        sum
    });
}

#[bench(threads = [1, 2], group = "threads", reference)]
fn atomic(b: Bencher<'_>) {
    let counter = AtomicU64::new(0);
    b.iter_threads(|_| || counter.fetch_add(1, Relaxed));
}

#[bench(threads = [1, 2], group = "threads")]
fn mutex(b: Bencher<'_>) {
    let counter = Mutex::new(0_u64);
    let locked = || counter.lock().unwrap_or_else(PoisonError::into_inner);
    b.iter_threads(|_| || *locked() += 1);
}

/// The same code twice, on data of its own.
#[bench(args(work = ["arithmetic", "sort", "hash", "allocate", "format"]), group = "same", reference)]
fn one(b: Bencher<'_>, work: &str) {
    same(b, work);
}

#[bench(args(work = ["arithmetic", "sort", "hash", "allocate", "format"]), group = "same")]
fn other(b: Bencher<'_>, work: &str) {
    same(b, work);
}

#[inline(never)]
fn same(b: Bencher<'_>, work: &str) {
    let numbers = numbers(256);
    let map: HashMap<u32, usize> = numbers.iter().copied().zip(0..).collect();
    match work {
        "arithmetic" => b.iter(|| {
            (0..200).fold(hide(3_u64), |product, _| {
                hide(product.wrapping_mul(0x5851_F42D))
            })
        }),
        "sort" => b.iter(|| {
            let mut block = [0; 16];
            block.copy_from_slice(&hide(&numbers)[..16]);
            block.sort_unstable();
            block[0]
        }),
        "hash" => b.iter(|| numbers.iter().filter_map(|key| map.get(key)).sum::<usize>()),
        "allocate" => b.iter(|| hide(&numbers).clone()),
        _ => b.iter(|| {
            numbers[..8]
                .iter()
                .map(|number| number.to_string().len())
                .sum::<usize>()
        }),
    }
}
