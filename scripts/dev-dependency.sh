#!/bin/sh
# Checks a package whose tests and benches use Tourbillon where nothing can be measured: it compiles, bodies run once,
# and a bench program says that it measures elsewhere.
#
# usage: scripts/dev-dependency.sh wasm | wasi | no-std | miri
#
#   wasm     types for wasm32-unknown-unknown and wasm32-wasip1
#   wasi     test mode for wasm32-wasip1, run by node, and what `main` says with --bench
#   no-std   types of the library for thumbv7m-none-eabi
#   miri     test mode under Miri; types with `--cfg miri` where the nightly compiler has none
#
# A warning in one of Tourbillon's crates is an error.
set -eu
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
root=$PWD
CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}/dev-dependency"
export CARGO_TARGET_DIR

mkdir -p "$work/src" "$work/benches" "$work/tests"
cp Cargo.lock "$work/"
cat >"$work/Cargo.toml" <<TOML
[package]
name = "shop"
version = "0.1.0"
edition = "2024"

[dev-dependencies]
tourbillon = { path = "$root/crates/tourbillon", features = ["mem"] }
criterion = { path = "$root/crates/tourbillon-criterion", package = "tourbillon-criterion" }

[[bench]]
name = "speed"
harness = false

[[bench]]
name = "suite"
harness = false

[workspace]
TOML
cat >"$work/src/lib.rs" <<'RUST'
#![no_std]

pub fn triple(x: u64) -> u64 {
    x.wrapping_mul(3)
}
RUST
cat >"$work/benches/speed.rs" <<'RUST'
use tourbillon::{BlockOn, Bencher, bench, hide};

#[bench]
fn plain() -> u64 {
    shop::triple(hide(1))
}

#[bench(args = [1, 10])]
fn inputs(b: Bencher<'_>, n: usize) {
    b.with_inputs(|| vec![1_u64; n]).iter_mut(|numbers| numbers.sort_unstable());
}

#[bench]
fn waits(b: Bencher<'_>) {
    b.iter_async(BlockOn, async || shop::triple(hide(2)));
}

#[cfg(not(target_family = "wasm"))]
#[bench(threads = [2])]
fn threads(b: Bencher<'_>) {
    b.iter_threads(|_thread| || shop::triple(hide(3)));
}

fn main() -> std::process::ExitCode {
    tourbillon::main()
}
RUST
cat >"$work/benches/suite.rs" <<'RUST'
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

fn triples(c: &mut Criterion) {
    c.bench_function("plain", |b| b.iter(|| shop::triple(std::hint::black_box(1))));
    let mut group = c.benchmark_group("group");
    group.throughput(Throughput::Elements(3));
    group.bench_function("batched", |b| {
        b.iter_batched(|| vec![3_u64, 2, 1], |mut numbers| numbers.sort_unstable(), BatchSize::SmallInput);
    });
    group.finish();
}

criterion_group!(benches, triples);
criterion_main!(benches);
RUST
cat >"$work/tests/one_line.rs" <<'RUST'
#[test]
fn one_line() {
    let mut calls = 0;
    tourbillon::time("triple", || calls += shop::triple(1));
    assert!(calls >= 3);
    tourbillon::compare(("one", || shop::triple(1)), ("other", || shop::triple(2)));
}
RUST
# What the `wasi` step runs programs with.
cat >"$work/wasi.mjs" <<'JS'
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';
const [, , program, ...words] = process.argv;
const wasi = new WASI({ version: 'preview1', args: [program, ...words], env: process.env, returnOnExit: true });
const compiled = await WebAssembly.compile(await readFile(program));
process.exitCode = wasi.start(await WebAssembly.instantiate(compiled, wasi.getImportObject()));
JS

fail() { # MESSAGE
    echo "dev-dependency: $1" >&2
    exit 1
}

# Runs cargo in the package; fails where it does, or warns.
run() { # CARGO_ARGUMENT..
    (cd "$work" && cargo "$@") >"$work/output" 2>&1 || {
        cat "$work/output"
        fail "cargo $*"
    }
    cat "$work/output"
    ! grep -q '^warning' "$work/output" || fail "warnings of cargo $*"
}

library() { # TARGET
    rustup target list --installed | grep -qx "$1" || rustup target add "$1"
}

# Checks that the last output has each text.
has() { # TEXT..
    for text in "$@"; do
        grep -qF "$text" "$work/output" || fail "no $text in the output"
    done
}

case ${1-} in
    wasm)
        for target in wasm32-unknown-unknown wasm32-wasip1; do
            library "$target"
            run check --tests --benches --target "$target"
        done
        ;;
    wasi)
        library wasm32-wasip1
        export CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings $work/wasi.mjs"
        run test --benches --tests --target wasm32-wasip1
        has 'test shop/speed::inputs[n=10] ... ok' 'Testing group/batched' 'test one_line ... triple: ran once'
        for bench in speed suite; do
            code=0
            (cd "$work" && cargo bench --profile dev --target wasm32-wasip1 --bench "$bench") >"$work/output" 2>&1 ||
                code=$?
            tail -n 3 "$work/output"
            [ "$code" -ne 0 ] || fail "$bench did not fail with --bench"
            has 'this system starts no processes'
        done
        ;;
    no-std)
        library thumbv7m-none-eabi
        run check --lib --target thumbv7m-none-eabi
        ;;
    miri)
        if cargo +nightly miri --version >/dev/null 2>&1; then
            run +nightly miri test --benches --tests
            has 'test shop/speed::threads[threads=2] ... ok' 'Testing group/batched' 'test one_line ... triple: ran once'
        else
            echo 'there is no Miri: types only'
            RUSTFLAGS='--cfg miri' run check --tests --benches
        fi
        ;;
    *) fail 'one of wasm, wasi, no-std and miri' ;;
esac
