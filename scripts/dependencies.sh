#!/usr/bin/env bash
# Finds the dependency that changes a case: four updates of real packages from one lock file to another. In three of them
# the source of one newer version is made slower; in the fourth, memchr 2.6 counts bytes faster by itself. `history bisect
# --deps` looks for each, and a row says what it found. Exit code 1 if that is another update. The packages are fetched at
# first, into a registry in a folder; the searches need no network. Needs git and python3; the machine should have nothing
# else to do.
#
#   scripts/dependencies.sh [UPDATE..]     text, json, deflate, count; all by default, a minute or two each
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

root=$PWD
target=${CARGO_TARGET_DIR:-$root/target}
work=$target/dependencies
tourbillon=${TOURBILLON:-$target/release/cargo-tourbillon}
updates=("$@")
[[ $# -gt 0 ]] || updates=(text json deflate count)
export TOURBILLON_CACHE=$work/cache
export TOURBILLON_HISTORY=$work/history

# The versions that the newer lock file has of all packages, and those that the older one of each update has.
new='regex 1.11.1 regex-automata 0.4.9 regex-syntax 0.8.5 aho-corasick 1.1.3 memchr 2.7.4 serde_json 1.0.140
    serde 1.0.219 serde_derive 1.0.219 itoa 1.0.15 ryu 1.0.20 flate2 1.1.0 miniz_oxide 0.8.5 adler2 2.0.0
    crc32fast 1.4.2'
declare -A old=(
    [text]='regex 1.10.2 regex-automata 0.4.3 regex-syntax 0.8.2 aho-corasick 1.1.2 memchr 2.6.4'
    [json]='serde_json 1.0.108 serde 1.0.193 serde_derive 1.0.193 itoa 1.0.9 ryu 1.0.15'
    [deflate]='flate2 1.0.28 miniz_oxide 0.7.1 crc32fast 1.3.2'
    [count]='regex 1.8.4 regex-syntax 0.7.2 aho-corasick 1.0.1 memchr 2.5.0'
)
declare -A expected=(
    [text]='regex-automata 0.4.3 -> 0.4.9'
    [json]='ryu 1.0.15 -> 1.0.20'
    [deflate]='crc32fast 1.3.2 -> 1.4.2'
    [count]='memchr 2.5.0 -> 2.7.4'
)

[[ -n ${TOURBILLON:-} ]] || cargo build --quiet --release -p cargo-tourbillon
rm -rf "$work/repository" "$TOURBILLON_HISTORY"
# What is fetched and unpacked is here.
export CARGO_HOME=$work/home
mkdir -p "$work/repository/src" "$work/repository/benches"

# FOLDER NAME VERSION..: a package that needs these versions, to fetch them.
pin() {
    mkdir -p "$1/src"
    : >"$1/src/lib.rs"
    printf '[package]\nname = "pins"\nversion = "0.0.0"\n[workspace]\n[dependencies]\n' >"$1/Cargo.toml"
    printf '%s = "=%s"\n' "${@:2}" >>"$1/Cargo.toml"
}

cd "$work/repository"
cat >Cargo.toml <<TOML
[package]
name = "shop"
version = "0.0.0"
edition = "2024"
[[bench]]
name = "shop"
harness = false
[dependencies]
flate2 = "1"
memchr = "2"
regex = "1"
serde_json = "1"
[dev-dependencies]
tourbillon = { path = "$root/crates/tourbillon" }
[workspace]
TOML
cat >src/lib.rs <<'RUST'
use std::io::Read;

/// Lines of words and numbers.
pub fn text() -> String {
    (0..200_u32).map(|n| format!("word{} line {n} of {}\n", n % 7, n * 7919)).collect()
}

pub fn compressed() -> Vec<u8> {
    let mut bytes = Vec::new();
    let level = flate2::Compression::default();
    flate2::read::GzEncoder::new(text().as_bytes(), level).read_to_end(&mut bytes).expect("memory");
    bytes
}

pub fn matching(regex: &regex::Regex, text: &str) -> usize {
    text.lines().filter(|line| regex.find(line).is_some()).count()
}

pub fn json(numbers: &[f64]) -> String {
    serde_json::to_string(numbers).expect("numbers")
}

pub fn inflated(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut out).expect("memory");
    out
}

pub fn lines(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}
RUST
cat >benches/shop.rs <<'RUST'
use tourbillon::{Bencher, bench, hide};

#[bench]
fn text(b: Bencher<'_>) {
    let (text, regex) = (shop::text(), regex::Regex::new("(word3|line 1+) .*9").expect("a regex"));
    b.iter(|| shop::matching(&regex, hide(&text)));
}

#[bench]
fn json(b: Bencher<'_>) {
    let numbers: Vec<f64> = (1..200).map(|n| f64::from(n) / 7.0).collect();
    b.iter(|| shop::json(hide(&numbers)));
}

#[bench]
fn deflate(b: Bencher<'_>) {
    let bytes = shop::compressed();
    b.iter(|| shop::inflated(hide(&bytes)));
}

#[bench]
fn count(b: Bencher<'_>) {
    let text = shop::text();
    b.iter(|| shop::lines(hide(&text)));
}

fn main() -> std::process::ExitCode {
    tourbillon::main()
}
RUST
printf 'target\n' >.gitignore

registry=$work/registry
if [[ ! $registry/whole -nt $root/scripts/local_registry.py ]]; then
    rm -rf "$registry"
    pin "$work/pins/new" $new
    printf 'tourbillon = { path = "%s" }\n' "$root/crates/tourbillon" >>"$work/pins/new/Cargo.toml"
    for update in "${!old[@]}"; do
        pin "$work/pins/$update" ${old[$update]}
    done
    for pins in "$work/pins"/*; do
        if ! cargo fetch --quiet --manifest-path "$pins/Cargo.toml"; then
            printf 'SKIPPED: the packages cannot be fetched\n'
            exit 0
        fi
    done
    PYTHONDONTWRITEBYTECODE=1 python3 "$root/scripts/local_registry.py" "$CARGO_HOME" "$registry" "$work/pins"/*/Cargo.lock
    # What was unpacked is as it was published.
    rm -rf "$CARGO_HOME/registry/src"
    touch "$registry/whole"
fi

mkdir -p .cargo
cat >.cargo/config.toml <<TOML
[source.crates-io]
replace-with = "folder"
[source.folder]
local-registry = "$registry"
TOML

# PACKAGE VERSION..: gives packages of the lock file these versions.
lock() {
    while [[ $# -gt 0 ]]; do
        cargo update --quiet --offline "$1" --precise "$2"
        shift 2
    done
}
cargo generate-lockfile --quiet --offline
git init --quiet -b main
git config user.name shop
git config user.email shop@example.invalid
git add --all
git commit --quiet -m shop

failed=0
printf '%-8s %9s %11s %8s %7s   %s\n' update packages comparisons ratio seconds found
for update in "${updates[@]}"; do
    cp Cargo.lock "$work/new.lock"
    lock ${old[$update]}
    mv Cargo.lock "$work/$update.lock"
    mv "$work/new.lock" Cargo.lock
    start=$SECONDS
    "$tourbillon" tourbillon history bisect "$update" --deps "$work/$update.lock" Cargo.lock --offline --format jsonl \
        >"$work/$update.jsonl" 2>"$work/$update.log" || { cat "$work/$update.log"; failed=1; continue; }
    seconds=$((SECONDS - start))
    part() { sed -n "s/.*$1.*/\\1/p" "$work/$update.$2"; }
    found=$(part '"updates":\[\([^]]*\)\]' jsonl)
    change=$(part '"bad":"[^"]*","ratio":\([^,]*\),' jsonl)
    steps=$({ grep -o '"change":' "$work/$update.jsonl" || true; } | wc -l)
    packages=$(part '\([0-9]*\) packages have another version' log)
    printf '%-8s %9s %11s %8.3f %7s   %s\n' "$update" "$packages" $((steps + 1)) "$change" "$seconds" "$found"
    [[ $found == *"${expected[$update]}"* ]] || failed=1
done
exit "$failed"
