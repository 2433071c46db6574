#!/usr/bin/env bash
# Runs the tests of the metering allocator under memory checkers, and where they are not usually run.
#
#   scripts/mem-sanitize.sh [valgrind] [address] [leak] [thread] [miri] [32-bit] [jemalloc]
#
# Without a word: valgrind, address, leak and thread. The sanitizers and Miri need a nightly compiler
# (Miri as its component, thread its source as well), valgrind its program, 32-bit a 32-bit C library and
# the standard library for i686-unknown-linux-gnu or its source; jemalloc takes two minutes to build.
# What is not installed is named and skipped; only what ran and failed fails. Tests that leak on purpose,
# and those that know glibc's or Linux's figures, are skipped if a checker changes what they test.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
target=${CARGO_TARGET_DIR:-$root/target}/mem-sanitize
host=$(rustc -vV | sed -n 's/^host: //p')
binaries=(--lib --test it --test script --test absent --test larger --test twice)
# Names of tests that leave blocks behind because that is what they are about.
leaking=(--skip left_behind --skip a_leak --skip a_cycle --skip cannot_be_relied_on)
skipped=0

skip() { # WHAT REASON
    echo "mem-sanitize.sh: $1 is skipped: $2" >&2
    skipped=$((skipped + 1))
}

# Executables of the tests, one a line.
executables() { # CARGO-ARGUMENT..
    cargo "$@" --quiet --no-run --message-format=json-render-diagnostics \
        | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p'
}

run_valgrind() {
    command -v valgrind >/dev/null || { skip valgrind 'there is no such program'; return; }
    local program list
    list=$(executables test -p tourbillon-mem "${binaries[@]}" --target-dir "$target/valgrind")
    for program in $list; do
        local options=("${leaking[@]}" --skip what_glibc_takes --skip zeroed_memory_stays_lazy)
        options+=(--skip operating_system --skip "what_cannot_be_served" --test-threads 1)
        # Without the harness it has no options.
        [[ $(basename "$program") == script-* ]] && options=()
        valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
            "$program" "${options[@]}"
    done
}

run_sanitizer() { # NAME [CARGO-ARGUMENT..]
    local name=$1
    shift
    rustc +nightly --version >/dev/null 2>&1 || { skip "$name" 'there is no nightly compiler'; return; }
    RUSTFLAGS="-Zsanitizer=$name" RUSTDOCFLAGS='' \
        ASAN_OPTIONS='allocator_may_return_null=1:detect_leaks=0' \
        cargo +nightly test -p tourbillon-mem "${binaries[@]}" --target "$host" \
        --target-dir "$target/$name" "$@" -- "${leaking[@]}" --skip what_glibc_takes \
        --skip zeroed_memory_stays_lazy --skip operating_system --skip what_cannot_be_served
}

run_thread() {
    local source
    source=$(rustc +nightly --print sysroot 2>/dev/null)/lib/rustlib/src/rust/library || true
    # Without a standard library that is built for it, its report is of the library, not of ours.
    [[ -d $source ]] || { skip thread "the nightly compiler's component rust-src is not there"; return; }
    run_sanitizer thread -Z build-std
}

run_miri() {
    cargo +nightly miri --version >/dev/null 2>&1 || { skip miri 'the component is not there'; return; }
    cargo +nightly miri test -p tourbillon-mem --lib --test script --target-dir "$target/miri"
}

run_32_bit() {
    local triple=i686-unknown-linux-gnu
    echo 'int main(void) { return 0; }' | cc -m32 -x c -o /dev/null - 2>/dev/null \
        || { skip 32-bit 'there is no 32-bit C library (gcc-multilib)'; return; }
    local arguments=(test -p tourbillon-mem "${binaries[@]}" --target "$triple")
    if [[ -d $(rustc --print target-libdir --target "$triple" 2>/dev/null) ]]; then
        cargo "${arguments[@]}" --target-dir "$target/32-bit"
    elif [[ -d $(/usr/bin/rustc --print sysroot 2>/dev/null)/lib/rustlib/src/rust/library ]]; then
        # Debian's compiler comes with the source of the standard library (rustc-web, rust-web-src),
        # which is built for the target.
        env -u RUSTUP_TOOLCHAIN -u CARGO -u RUSTC PATH="/usr/bin:$PATH" RUSTC_BOOTSTRAP=1 \
            cargo "${arguments[@]}" -Z build-std=std,panic_unwind,test --target-dir "$target/32-bit"
    else
        skip 32-bit "the standard library for $triple is not there"
    fi
}

run_jemalloc() {
    cargo test --quiet --manifest-path benches/mem-peers/Cargo.toml --features jemalloc \
        --test jemalloc --target-dir "$target/jemalloc"
}

[[ $# -gt 0 ]] || set -- valgrind address leak thread
for checker in "$@"; do
    echo "== $checker"
    case $checker in
    valgrind) run_valgrind ;;
    address | leak) run_sanitizer "$checker" ;;
    thread) run_thread ;;
    miri) run_miri ;;
    32-bit) run_32_bit ;;
    jemalloc) run_jemalloc ;;
    *)
        echo "mem-sanitize.sh: \`$checker\` is not one of valgrind, address, leak, thread, miri," \
            "32-bit, jemalloc" >&2
        exit 1
        ;;
    esac
done
echo "== nothing was found; $skipped skipped"
