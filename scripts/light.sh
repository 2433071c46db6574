#!/usr/bin/env bash
# How long a hello-world benchmark takes to build and to run with tourbillon, divan and criterion, and with criterion's
# API of tourbillon-criterion, side by side.
#
#   scripts/light.sh [ROUNDS] [HARNESS..]     all of them without a name; divan is always one, for the ratios
#
# Each round builds each of them from nothing (`cargo bench --no-run` in an empty target
# directory) and again after its bench file was touched, and runs it; the order changes from round to
# round, so that a machine that slows down does not favour one of them. Prints the medians as a Markdown table.
# What has to be downloaded is downloaded before anything is timed. Dependencies are built as from a
# registry: without lints.
set -euo pipefail

rounds=${1:-3}
if ! [[ $rounds =~ ^[1-9][0-9]*$ ]]; then
    echo "light.sh: ROUNDS is a whole number from 1, not \`$rounds\`" >&2
    exit 1
fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Settings of the caller that would change what is built, or where.
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR CARGO_BUILD_BUILD_DIR RUSTFLAGS CARGO_ENCODED_RUSTFLAGS

# Cargo builds what comes from a registry without lints. Tourbillon comes by path here, and would be
# linted in every build as no user of a published crate does it; so lints are off for all.
export RUSTFLAGS='--cap-lints allow'

# A package that has nothing but one benchmark, whose source is standard input.
package() { # NAME DEPENDENCY
    mkdir -p "$work/$1/benches" "$work/$1/src"
    cat >"$work/$1/Cargo.toml" <<MANIFEST
[package]
name = "hello-$1"
version = "0.0.0"
edition = "2024"
publish = false

[workspace]

[lib]
bench = false

[[bench]]
name = "hello"
harness = false

[dev-dependencies]
$2
MANIFEST
    : >"$work/$1/src/lib.rs"
    cat >"$work/$1/benches/hello.rs"
}

ours='
use std::process::ExitCode;

use tourbillon::{bench, hide};

#[bench]
fn concat() -> String {
    hide("a").to_owned() + "b"
}

fn main() -> ExitCode {
    tourbillon::main()
}
'
package tourbillon "tourbillon = { path = \"$root/crates/tourbillon\" }" <<<"$ours"

package divan 'divan = "=0.1.21"' <<'RUST'
use divan::black_box;

#[divan::bench]
fn concat() -> String {
    black_box("a").to_owned() + "b"
}

fn main() {
    divan::main();
}
RUST

suite='
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};

fn concat(c: &mut Criterion) {
    c.bench_function("concat", |b| b.iter(|| black_box("a").to_owned() + "b"));
}

criterion_group!(benches, concat);
criterion_main!(benches);
'
package criterion 'criterion = "0.8"' <<<"$suite"
facade="criterion = { package = \"tourbillon-criterion\", path = \"$root/crates/tourbillon-criterion\" }"
package tourbillon-criterion "$facade" <<<"$suite"

# Runs cargo in a package; shows its output only if it failed.
quietly() { # PACKAGE ARGUMENT..
    local package=$1
    shift
    if ! (cd "$work/$package" && cargo "$@") >"$work/log" 2>&1; then
        echo "light.sh: \`cargo $*\` failed for $package:" >&2
        cat "$work/log" >&2
        exit 1
    fi
}

# Appends the seconds that `cargo bench` takes to the file of a package and a kind of build.
timed() { # PACKAGE KIND FLAG..
    local TIMEFORMAT=%R
    { time quietly "$1" bench --offline "${@:3}" 2>&3; } 3>&2 2>>"$work/$2.$1"
}

# The middle of a file of numbers, or the mean of the two in the middle.
median() { # FILE
    sort -g "$1" | awk '{ x[NR] = $1 } END { printf "%.3f", (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2 }'
}

harnesses=(tourbillon divan tourbillon-criterion criterion)
[[ $# -lt 2 ]] || harnesses=(divan "${@:2}")
for harness in "${harnesses[@]}"; do
    quietly "$harness" fetch
done

for ((round = 0; round < rounds; round++)); do
    for ((turn = 0; turn < ${#harnesses[@]}; turn++)); do
        harness=${harnesses[(round + turn) % ${#harnesses[@]}]}
        rm -rf "${work:?}/$harness/target"
        timed "$harness" clean --no-run
        touch "$work/$harness/benches/hello.rs"
        timed "$harness" rebuild --no-run
        timed "$harness" run
    done
    echo "light.sh: round $((round + 1)) of $rounds done" >&2
done

row() { # HARNESS
    local clean rebuild
    clean=$(median "$work/clean.$1")
    rebuild=$(median "$work/rebuild.$1")
    awk -v name="$1" -v clean="$clean" -v rebuild="$rebuild" \
        -v run="$(median "$work/run.$1")" \
        -v divan_clean="$(median "$work/clean.divan")" \
        -v divan_rebuild="$(median "$work/rebuild.divan")" \
        'BEGIN { printf "| %s | %.2f s | %.2f | %.2f s | %.2f | %.2f s |\n", name, clean, clean / divan_clean, rebuild, rebuild / divan_rebuild, run }'
}

cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo '?')
echo "Medians of $rounds, $cores cores, $(rustc --version | cut -d ' ' -f 1,2)."
echo
echo '| harness | clean build | to divan | rebuild | to divan | run |'
echo '|---|--:|--:|--:|--:|--:|'
for harness in "${harnesses[@]}"; do
    row "$harness"
done
