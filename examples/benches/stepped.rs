//! Bodies whose instructions callgrind counts, too, for `scripts/instructions.sh`.
//!
//! With the variable `STEPPED_ONCE` a body is called twenty times, the last time by `measured`.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ffi::CStr;
use std::fmt::Write as _;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::LazyLock;

use tourbillon::{bench, hide, keep};

/// What bodies read, the same in every process.
struct Inputs {
    numbers: Vec<u32>,
    floats: Vec<f64>,
    bytes: Vec<u8>,
    text: String,
    json: String,
    tree: BTreeMap<u32, u32>,
    map: HashMap<u32, u32, BuildHasherDefault<DefaultHasher>>,
    shapes: Vec<Box<dyn Fn(u32) -> u32 + Send + Sync>>,
    word: regex::Regex,
}

static INPUTS: LazyLock<Inputs> = LazyLock::new(|| {
    let numbers: Vec<u32> = (1..=200_u32)
        .map(|n| n.wrapping_mul(2_654_435_761) >> 8)
        .collect();
    let text = "the quick brown fox jumps over the lazy dog; naïve café, 42 times. ".repeat(4);
    Inputs {
        floats: numbers.iter().map(|n| f64::from(*n) / 1e5).collect(),
        bytes: text.bytes().cycle().take(1000).collect(),
        json: r#"{"name":"clock","price":19.5,"tags":["gold","old"],"sold":[1,2,3,4,5,6]}"#
            .to_owned(),
        tree: numbers.iter().map(|n| (*n, n / 2)).collect(),
        map: numbers.iter().map(|n| (*n, n / 2)).collect(),
        shapes: (0..20_u32)
            .map(|n| match n % 3 {
                0 => Box::new(move |x: u32| x.rotate_left(n))
                    as Box<dyn Fn(u32) -> u32 + Send + Sync>,
                1 => Box::new(move |x: u32| x ^ n),
                _ => Box::new(move |x: u32| x.wrapping_mul(n)),
            })
            .collect(),
        word: regex::Regex::new(r"(?-u:\b)(fox|dog|cat)(?-u:\b)").expect("an expression"),
        numbers,
        text,
    }
});

/// Functions that are not inlined, their benchmarks, and a table of both.
macro_rules! bodies {
    ($($(#[$about:meta])* $name:ident $body:block)*) => {
        $(
            $(#[$about])*
            #[bench]
            #[inline(never)]
            fn $name() $body
        )*

        const BODIES: &[(&str, fn())] = &[$((stringify!($name), $name)),*];
    };
}

/// Multiplications, each of which needs the one before.
macro_rules! multiplications {
    ($count:literal) => {{
        #[cfg(target_arch = "x86_64")]
        // SAFETY: arithmetic in one register.
        unsafe {
            std::arch::asm!(
                concat!(".rept ", $count),
                "imul {n}, {n}",
                ".endr",
                // Of whatever is there: nothing else is executed.
                n = out(reg) _,
                options(nomem, nostack)
            );
        }
    }};
}

bodies! {
    /// The call of a body, which all have.
    empty {}
    multiplications_1 { multiplications!("1") }
    multiplications_10 { multiplications!("10") }
    multiplications_100 { multiplications!("100") }
    multiplications_1000 { multiplications!("1000") }
    multiplications_5000 { multiplications!("5000") }
    sum { keep(INPUTS.numbers.iter().sum::<u32>()); }
    product_of_floats { keep(INPUTS.floats.iter().product::<f64>()); }
    roots { keep(INPUTS.floats.iter().map(|x| x.sqrt()).sum::<f64>()); }
    sines { keep(INPUTS.floats.iter().take(20).map(|x| x.sin()).sum::<f64>()); }
    powers { keep(INPUTS.floats.iter().take(20).map(|x| x.powf(1.3)).sum::<f64>()); }
    divisions { keep(INPUTS.numbers.iter().fold(u64::MAX, |n, by| n / 3 + u64::from(*by) / 7)); }
    divisions_of_128_bits { keep(hide(u128::MAX) / hide(12_345_678_901_234_567_890_123)); }
    divisor {
        let (mut a, mut b) = (hide(1_134_903_170_u64), hide(701_408_733));
        while b > 0 {
            (a, b) = (b, a % b);
        }
        keep(a);
    }
    collatz {
        let (mut n, mut steps) = (hide(27_u64), 0);
        while n > 1 {
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            steps += 1;
        }
        keep(steps);
    }
    fibonacci { keep(recursive(hide(14))); }
    sieve {
        let mut composite = [false; 500];
        for n in 2..23 {
            for multiple in (2 * n..500).step_by(n) {
                composite[multiple] = true;
            }
        }
        keep(&composite);
    }
    sort {
        let mut numbers = [0; 200];
        numbers.copy_from_slice(&INPUTS.numbers);
        numbers.sort_unstable();
        keep(&numbers);
    }
    stable_sort {
        let mut numbers = INPUTS.numbers.clone();
        numbers.sort_by_key(|n| n % 1000);
        keep(&numbers);
    }
    search_in_order { keep(INPUTS.numbers.iter().position(|n| *n == hide(1))); }
    binary_search { keep(INPUTS.numbers.binary_search(&hide(5_000_000))); }
    look_up_in_tree { keep(INPUTS.tree.get(&hide(5_000_000))); }
    build_tree { keep(INPUTS.numbers.iter().take(60).map(|n| (*n, ())).collect::<BTreeMap<_, _>>()); }
    look_up_in_map { keep(INPUTS.numbers.iter().take(20).filter_map(|n| INPUTS.map.get(n)).sum::<u32>()); }
    build_map { keep(INPUTS.map.clone()); }
    queue {
        let mut queue = VecDeque::new();
        for n in &INPUTS.numbers {
            queue.push_back(*n);
            if n % 3 == 0 {
                keep(queue.pop_front());
            }
        }
    }
    boxes { keep((0..50).map(Box::new).collect::<Vec<Box<u32>>>()); }
    counted_references {
        let shared = Rc::new(7);
        keep(std::iter::repeat_n(shared, 30).collect::<Vec<_>>());
    }
    concatenation {
        let mut text = String::new();
        for word in INPUTS.text.split(' ') {
            text.push_str(word);
        }
        keep(&text);
    }
    formatting {
        let mut text = String::new();
        for n in &INPUTS.numbers[..10] {
            let _ = write!(text, "{n:>8} {:.3}", f64::from(*n) / 7.0);
        }
        keep(&text);
    }
    parsing { keep("123456789".parse::<u64>().is_ok() && hide("-12.5e3").parse::<f64>().is_ok()); }
    characters { keep(INPUTS.text.chars().filter(|c| c.is_alphabetic()).count()); }
    upper_case { keep(INPUTS.text.to_uppercase()); }
    words { keep(INPUTS.text.split_whitespace().map(str::len).max()); }
    utf8 { keep(std::str::from_utf8(&INPUTS.bytes[..900]).is_ok()); }
    reversal {
        let mut bytes = [0; 1000];
        bytes.copy_from_slice(&INPUTS.bytes);
        bytes.reverse();
        keep(&bytes);
    }
    /// By the C library, which has code for each model of processor.
    copy {
        let mut bytes = [0; 700];
        bytes.copy_from_slice(hide(&INPUTS.bytes[..700]));
        keep(&bytes);
    }
    comparison { keep(INPUTS.bytes[..400] == hide(&INPUTS.bytes)[1..401]); }
    fill {
        let mut bytes = [0_u8; 1000];
        hide(&mut bytes).fill(hide(3));
        keep(&bytes);
    }
    length_in_c {
        let text = c"the length of a text in C, with a zero at its end";
        // SAFETY: it is the pointer of that text.
        keep(unsafe { CStr::from_ptr(hide(text.as_ptr())) }.count_bytes());
    }
    virtual_calls { keep(INPUTS.shapes.iter().fold(1, |n, shape| shape(n))); }
    matrices {
        let (a, mut product) = (&INPUTS.floats, [0.0; 64]);
        for (at, sum) in product.iter_mut().enumerate() {
            *sum = (0..8).map(|k| a[at / 8 * 8 + k] * a[k * 8 + at % 8]).sum();
        }
        keep(&product);
    }
    distance_of_words { keep(levenshtein(&hide(*b"hairspring"), &hide(*b"mainspring"))); }
    checksum {
        let mut sum = !0_u32;
        for byte in &INPUTS.bytes[..200] {
            sum ^= u32::from(*byte);
            for _ in 0..8 {
                sum = (sum >> 1) ^ (0xEDB8_8320 & (sum & 1).wrapping_neg());
            }
        }
        keep(sum);
    }
    memchr_crate { keep(memchr::memchr_iter(b'o', &INPUTS.bytes).count()); }
    memmem_crate { keep(memchr::memmem::find(&INPUTS.bytes, b"lazy cat")); }
    regex_crate { keep(INPUTS.word.find_iter(&INPUTS.text).count()); }
    xxhash_crate { keep(xxhash_rust::xxh3::xxh3_64(&INPUTS.bytes)); }
    json_crate { keep(serde_json::from_str::<serde_json::Value>(&INPUTS.json).is_ok()); }
    /// A system call, and the instruction after it.
    process_id { keep(std::process::id()); }
}

fn recursive(n: u32) -> u32 {
    if n < 2 {
        n
    } else {
        recursive(n - 1) + recursive(n - 2)
    }
}

fn levenshtein(one: &[u8], other: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, a) in one.iter().enumerate() {
        let mut corner = at;
        row[0] = at + 1;
        for (place, b) in other.iter().enumerate() {
            let cost = corner + usize::from(a != b);
            corner = row[place + 1];
            row[place + 1] = cost.min(corner + 1).min(row[place] + 1);
        }
    }
    row[other.len()]
}

/// The call that callgrind counts.
#[inline(never)]
#[unsafe(no_mangle)]
fn measured(body: fn()) {
    body();
    // The last instruction is not a jump to the body.
    keep(());
}

fn main() -> ExitCode {
    let Ok(name) = std::env::var("STEPPED_ONCE") else {
        return tourbillon::main();
    };
    let Some((_, body)) = BODIES.iter().find(|(body, _)| *body == name) else {
        return ExitCode::FAILURE;
    };
    for _ in 0..19 {
        hide(body)();
    }
    measured(*hide(body));
    ExitCode::SUCCESS
}
