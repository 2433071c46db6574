#!/usr/bin/env bash
# How long many cases take, how much memory they take meanwhile, and what becomes of long ones: builds a
# package with benchmarks of one thousand cases, of ten thousand and of some that are very long, runs
# them at default settings, and prints what they took. About five minutes.
#
#   scripts/many.sh [PART..]
#
# Parts are thousand, list and long; without any, all of them. What was measured stays in target/many.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
folder=$target/many
parts=("$@")
[[ $# -gt 0 ]] || parts=(thousand list long)
for part in "${parts[@]}"; do
    case $part in
    thousand | list | long) ;;
    *)
        echo "many.sh: there is no part \`$part\`; parts are thousand, list and long" >&2
        exit 1
        ;;
    esac
done

mkdir -p "$folder/package/src" "$folder/package/benches"
: >"$folder/package/src/lib.rs"
cat >"$folder/package/Cargo.toml" <<MANIFEST
[package]
name = "many"
version = "0.0.0"
edition = "2024"
publish = false

[workspace]

[lib]
bench = false

[[bench]]
name = "thousand"
harness = false

[[bench]]
name = "list"
harness = false

[[bench]]
name = "long"
harness = false

[dev-dependencies]
tourbillon = { path = "$root/crates/tourbillon" }
MANIFEST

# Ten rows of a hundred lengths each, from a nanosecond to a millisecond.
cat >"$folder/package/benches/thousand.rs" <<'RUST'
use std::process::ExitCode;

use tourbillon::{Bencher, bench, hide};

fn main() -> ExitCode {
    tourbillon::main()
}

#[bench(args(row = 0..10, step = 0..100))]
fn work(b: Bencher<'_>, row: u64, step: i32) {
    // Multiplications that wait for each other, about a nanosecond each: each step has the same ratio to
    // the one before, and the last has a million.
    let turns = 1_000_000_f64.powf(f64::from(step) / 99.0) as u64;
    b.iter(|| (0..turns).fold(row, |value, _| hide(value).wrapping_mul(5)));
}
RUST

cat >"$folder/package/benches/list.rs" <<'RUST'
use std::process::ExitCode;

use tourbillon::bench;

fn main() -> ExitCode {
    tourbillon::main()
}

#[bench(args(rows = 0..100_u64, columns = 0..100_u64))]
fn area(rows: u64, columns: u64) -> u64 {
    rows * columns
}
RUST

cat >"$folder/package/benches/long.rs" <<'RUST'
use std::process::ExitCode;
use std::time::{Duration, Instant};

use tourbillon::{Bencher, bench, hide};

fn main() -> ExitCode {
    tourbillon::main()
}

/// Works for that long.
fn spin(time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        std::hint::spin_loop();
    }
}

#[bench]
fn tenth_of_a_second() {
    spin(hide(Duration::from_millis(100)));
}

#[bench]
fn three_seconds() {
    spin(hide(Duration::from_secs(3)));
}

#[bench]
fn set_up_of_two_seconds(b: Bencher<'_>) {
    spin(Duration::from_secs(2));
    let value = hide(3_u64);
    b.iter(|| (0..100).fold(value, |sum, _| hide(sum).wrapping_mul(5)));
}
RUST

cargo bench -q --no-run --manifest-path "$folder/package/Cargo.toml" --target-dir "$folder/target"
executable() { # NAME
    find "$folder/target/release/deps" -name "$1-*" -type f -executable -printf '%T@ %p\n' \
        | sort -g | tail -n 1 | cut -d ' ' -f 2
}

# Kilobytes of memory that a process has, each quarter of a second, until it is over.
watch() { # FILE OF THE PROCESS ID, FILE TO WRITE
    until [[ -s $1 ]]; do sleep 0.05; done
    local process
    process=$(<"$1")
    while awk '/^VmRSS:/ { print $2; found = 1 } END { exit !found }' "/proc/$process/status"; do
        sleep 0.25
    done >"$2" 2>/dev/null || true
}

thousand() {
    rm -f "$folder/process"
    watch "$folder/process" "$folder/memory" &
    local watcher=$! start end cases
    start=$(date +%s%N)
    # shellcheck disable=SC2016
    bash -c 'echo $$ >"$1"; shift; exec "$@"' -- "$folder/process" \
        "$(executable thousand)" --bench --store "$folder/store" --format jsonl \
        >"$folder/thousand.jsonl" 2>"$folder/thousand.txt"
    end=$(date +%s%N)
    wait "$watcher"
    cases=$(grep '"type":"result"' "$folder/thousand.jsonl" | grep -c '"metric":"time"')
    awk -v ns=$((end - start)) -v cases="$cases" 'BEGIN {
        printf "%d cases: %.1f s, %.4f s a case.\n", cases, ns / 1e9, ns / 1e9 / cases
    }'
    awk '
        { all[NR] = $1; if ($1 > most) most = $1 }
        END {
            printf "Memory of the coordinator, MiB: "
            for (part = 1; part <= 10; part++) printf "%.1f ", all[int((NR * part + 9) / 10)] / 1024
            printf "after each tenth of the time; %.1f at most.\n", most / 1024
        }
    ' "$folder/memory"
}

list() {
    local executable cases start end
    executable=$(executable list)
    cases=$("$executable" --bench --list --format terse | grep -c ': benchmark$')
    for _ in {1..21}; do
        start=$(date +%s%N)
        "$executable" --bench --list --format terse >/dev/null
        end=$(date +%s%N)
        echo $((end - start))
    done | sort -g | awk -v cases="$cases" '
        { all[NR] = $1 }
        END {
            printf "A list of %d cases: %.1f ms, the middle one of %d; %.1f ms at most.\n",
                cases, all[(NR + 1) / 2] / 1e6, NR, all[NR] / 1e6
        }
    '
}

long() {
    local name start end
    for name in tenth_of_a_second three_seconds set_up_of_two_seconds; do
        start=$(date +%s%N)
        NO_COLOR=1 "$(executable long)" --bench --quiet --store "$folder/store" "$name" \
            >"$folder/$name.txt"
        end=$(date +%s%N)
        awk -v ns=$((end - start)) -v name="$name" 'BEGIN { printf "%s, %.1f s:\n", name, ns / 1e9 }'
        cat "$folder/$name.txt"
    done
}

for part in "${parts[@]}"; do
    "$part"
done
