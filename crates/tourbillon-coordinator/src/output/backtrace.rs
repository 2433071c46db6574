//! Backtraces, of whose more than fifty frames few are the benchmark's.

/// What stands before the frames that are left of a backtrace.
pub const BACKTRACE: &str = "stack backtrace (RUST_BACKTRACE=full shows all of it):\n";

/// The line before a backtrace of the standard library.
const FIRST: &str = "stack backtrace:";

/// A text with the benchmark's own frames in place of backtraces, such as that of an allocation that failed: the reason
/// stands before them, and the end of a text is what is kept of it.
pub(crate) fn without_backtraces(text: &str) -> String {
    let mut short = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line != FIRST {
            short += line;
            short.push('\n');
            continue;
        }
        let mut backtrace = String::new();
        while let Some(frame) = lines.next_if(|line| is_frame(line)) {
            backtrace += frame;
            backtrace.push('\n');
        }
        let frames = own_frames(&backtrace);
        if !frames.is_empty() {
            short += BACKTRACE;
            short += &frames;
        }
        lines.next_if(|line| line.starts_with("note: Some details are omitted"));
    }
    short
}

/// Whether a line is that of a frame, or of its place.
fn is_frame(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("at ") || numbered(line).is_some()
}

/// The symbol of a frame. With `RUST_BACKTRACE=full` an address stands before it.
fn numbered(line: &str) -> Option<&str> {
    let (number, symbol) = line.split_once(": ")?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let symbol = symbol.trim_start();
    let after_address = symbol
        .strip_prefix("0x")
        .and_then(|rest| rest.split_once(" - "));
    is_number.then_some(after_address.map_or(symbol, |(_, symbol)| symbol))
}

/// The innermost frames of a backtrace that are not of the standard library, up to the harness.
pub fn own_frames(backtrace: &str) -> String {
    const MOST: usize = 4;
    const STANDARD: [&str; 5] = [
        "std::",
        "core::",
        "alloc::",
        "__rustc::",
        "rust_begin_unwind",
    ];
    const HARNESS: [&str; 4] = [
        "tourbillon::",
        "tourbillon_engine::",
        "criterion::",
        "__rust_try",
    ];
    let is_of = |symbol: &str, crates: &[&str]| {
        let path = symbol.trim_start_matches(['<', '&']);
        crates.iter().any(|name| path.starts_with(name))
    };
    let mut frames: Vec<String> = Vec::new();
    let mut is_wanted = false;
    for line in backtrace.lines().map(str::trim_start) {
        match numbered(line) {
            Some(symbol) if is_of(symbol, &["tourbillon::panics::"]) => frames.clear(),
            Some(symbol)
                if is_of(symbol, &HARNESS) || symbol.contains("::__tourbillon_cases::") =>
            {
                break;
            }
            Some(symbol) => {
                is_wanted = !is_of(symbol, &STANDARD);
                if is_wanted {
                    frames.push(format!("  {symbol}\n"));
                }
            }
            None => {
                if let Some(frame) = frames.last_mut().filter(|_| is_wanted) {
                    *frame += &format!("      {line}\n");
                }
            }
        }
    }
    frames.truncate(MOST);
    frames.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backtrace_has_the_frames_of_the_benchmark() {
        let backtrace =
            "   0: std::backtrace::Backtrace::force_capture\n             at /rustc/x.rs:1:1
   1: tourbillon::panics::print_with_backtrace\n             at ./panics.rs:2:2
   2: <alloc::boxed::Box<F> as core::ops::Fn<A>>::call\n   3: __rustc::rust_begin_unwind
   4: core::panicking::panic_fmt\n   5: speed::parse::digit\n             at ./speed.rs:9:5
   6: core::iter::Map<I, F>::fold\n   7: speed::parse\n             at ./speed.rs:4:9
   8: tourbillon_engine::arms::iterate::Iterated<F>::first\n             at ./iterate.rs:1:1
   9: speed::main\n             at ./speed.rs:20:5\n";
        assert_eq!(
            own_frames(backtrace),
            "  speed::parse::digit\n      at ./speed.rs:9:5\n  speed::parse\n      at ./speed.rs:4:9\n"
        );
        assert_eq!(own_frames("disabled backtrace"), "");
    }

    #[test]
    fn what_stands_before_a_backtrace_is_left() {
        let printed = "one\nmemory allocation of 70368744177664 bytes failed\nstack backtrace:
   0: std::alloc::rust_oom\n             at /rustc/alloc.rs:424:5
   1: <alloc::raw_vec::RawVecInner<_>>::reserve::do_reserve_and_handle
   2: shop::fill\n             at ./benches/shop.rs:5:58
   3: shop::_::__tourbillon_cases::{{closure}}\n             at ./benches/shop.rs:4:1
note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.\nlast\n";
        let expected = "one\nmemory allocation of 70368744177664 bytes failed\n\
            stack backtrace (RUST_BACKTRACE=full shows all of it):\n  shop::fill\n      at ./benches/shop.rs:5:58\n\
            last\n";
        assert_eq!(without_backtraces(printed), expected);
        let full = printed
            .replace(": <", ":     0x5581c1 - <")
            .replace(": shop", ":   0x1 - shop");
        assert_eq!(without_backtraces(&full), expected);
        for text in ["", "one\n", "one\n\ntwo: 3\n", "stack backtrace:\n"] {
            let left = text.replace("stack backtrace:\n", "");
            assert_eq!(without_backtraces(text), left);
        }
    }
}
