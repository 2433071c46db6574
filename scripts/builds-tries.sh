#!/usr/bin/env bash
# Compares builds whose ratio is known by `cargo tourbillon compare`, for so many seconds, and appends a
# line for each verdict to a log; stopped and started again, it goes on. The builds are made by the first
# call, from the crate in scripts/shop, and kept in FOLDER, target/builds-tries by default.
#
#   scripts/builds-tries.sh prepare            the builds, nothing else
#   scripts/builds-tries.sh SECONDS [WORD]     comparisons in random order; WORD (idle) names the condition
#   scripts/builds-tries.sh suite [WORD]       fifty cases of two builds, once
#   scripts/builds-tries.sh busy SECONDS       the same as SECONDS busy, the other processor kept busy
#   scripts/builds-tries.sh relinks            how long it takes to put both builds into fifty other placements
#   scripts/builds-tries.sh tables             what has come of all of them
#
# WHAT=same,rebuilt compares nothing but these; VARIANTS=1 builds one of the 20 in which functions were added or removed.
#
# What is compared with the reference:
#   same          itself, every pair in another placement
#   same file     itself, as a file, which has one placement
#   rebuilt       the same source, built in another folder into another target directory
#   placement     20 builds in which uncalled functions were added, removed, or put in another order
#   one placement the same with --layouts 1: what others do
#   changed       2 % and 5 % more steps; a fifth more in one call of twenty
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

root=$PWD
target=${CARGO_TARGET_DIR:-$root/target}
work=${FOLDER:-$target/builds-tries}
log=${LOG:-$work/log.tsv}
traces=$work/traces
variants=${VARIANTS:-20}
tourbillon=$target/release/cargo-tourbillon
export XDG_CACHE_HOME=$work/cache

# A function that is never called.
unrelated() {
    local number=$1
    printf 'fn unrelated_%s(mut x: u64, text: &str) -> u64 {\n' "$number"
    case $((number % 5)) in
        0) for turn in $(seq 1 $((number % 7 + 2))); do
            printf '    x = x.rotate_left(%s).wrapping_mul(%s) ^ text.len() as u64;\n' "$turn" "$((number * 977 + turn))"
        done ;;
        1) printf '    x += format!("{x} {text} %s").len() as u64;\n' "$number" ;;
        2) printf '    x = (0..x %% 64).map(|at| at.wrapping_mul(%s)).filter(|at| at %% 3 == 1).sum();\n' "$number" ;;
        3) printf '    let map: std::collections::BTreeMap<u64, u64> = (0..x %% 32).map(|at| (at * %s, at)).collect();\n' "$number"
            printf '    x = map.range(..%s).count() as u64;\n' "$number" ;;
        4) printf '    let mut all: Vec<u64> = text.bytes().map(|byte| u64::from(byte) * %s).collect();\n' "$number"
            printf '    all.sort_unstable();\n    x += all.first().copied().unwrap_or(x);\n' ;;
    esac
    printf '    x\n}\n\n'
}

# The module of those with these numbers, in this order.
module() {
    printf '//! Functions that are never called.\n\n#![expect(unused, reason = "some take no notice of the text")]\n\n'
    local number
    for number in "$@"; do unrelated "$number"; done
    printf '/// All of them, so that the linker keeps them.\npub static TABLE: [fn(u64, &str) -> u64; %s] = [' $#
    printf 'unrelated_%s, ' "$@"
    printf '];\n'
}

# So many of the words, in an order that a seed decides.
drawn() {
    local seed=$1 count=$2
    shift 2
    shuf --random-source=<(yes "$seed") -n "$count" -e "$@"
}

# The numbers of a variant: more functions, fewer, or all of them in another order.
variant() {
    local number=$1
    local some=(1 2 3 5 8 13 21)
    local own
    mapfile -t own < <(seq 1 30)
    case $((number % 3)) in
        0) drawn "$number" $((30 + some[number / 3])) "${own[@]}" $(seq 101 $((100 + some[number / 3]))) ;;
        1) drawn "$number" $((30 - some[number / 3])) "${own[@]}" | sort -n ;;
        2) drawn "$number" 30 "${own[@]}" ;;
    esac
}

# Copies the crate into a folder of its own.
crate() {
    mkdir -p "$work/$1"
    cp scripts/shop/*.rs "$work/$1/"
    sed "s|@crates@|$root/crates|" scripts/shop/Cargo.toml >"$work/$1/Cargo.toml"
    cp Cargo.lock "$work/$1/"
    change "$1" 0 0
    module $(seq 1 30) >"$work/$1/unrelated.rs"
}

# Writes what is changed, in thousandths of all calls and of rare ones.
change() {
    printf '//! The change.\n\npub(crate) const PER_MILLE: u64 = %s;\npub(crate) const RARELY_PER_MILLE: u64 = %s;\n' "$2" "$3" >"$work/$1/change.rs"
}

# Builds the crate in a folder and keeps what comes of it under a name.
keep() {
    if [ -d "$XDG_CACHE_HOME/tourbillon/saved/$2" ]; then return; fi
    (cd "$work/$1" && "$tourbillon" tourbillon save "$2" --offline)
}

prepare() {
    cargo build -q --release -p cargo-tourbillon
    cargo build -q --release -p sim --bin tally-builds
    if [ -e "$work/ready" ]; then return; fi
    mkdir -p "$work" "$traces"
    crate shop
    crate again
    keep shop reference
    keep again rebuilt
    change shop 20 0
    keep shop "2-percent"
    change shop 50 0
    keep shop "5-percent"
    change shop 0 200
    keep shop "tail"
    change shop 0 0
    for number in $(seq 1 $variants); do
        module $(variant "$number") >"$work/shop/unrelated.rs"
        keep shop "variant-$number"
    done
    module $(seq 1 30) >"$work/shop/unrelated.rs"
    cp "$(find "$XDG_CACHE_HOME" -path '*/saved/reference/*' -name cases -type f -not -path '*/placed.d/*' | head -1)" "$work/reference-file"
    touch "$work/ready"
}

# The number of that name in the last line of a file; nothing where there is none.
number() {
    tail -1 "$2" | sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p"
}

# How long linking takes, one after the other, in new placements.
relinks() {
    (cd "$work/shop" && "$tourbillon" tourbillon compare reference 2-percent --build-only --layouts 50 \
        --seed "$(od -An -N4 -tx4 /dev/urandom | tr -d ' ')")
}

# One comparison: CONDITION WHAT CHANGE ARGUMENTS..
compared() {
    local condition=$1 what=$2 change=$3
    shift 3
    if [[ ,${WHAT:-$what}, != *,$what,* ]]; then return; fi
    local out=$work/out.$$ stored
    # A seed of its own, or every try would draw the placements of the one before.
    (cd "$work/shop" && "$tourbillon" tourbillon compare --measure-unchanged --format jsonl --store "$work/store" --seed "$RANDOM$RANDOM" "$@") \
        >"$out" 2>"$out.said" || {
        cat "$out.said" >&2
        return 1
    }
    stored=$(sed -n 's/^stored in //p' "$out.said")
    # Whole lines only: another one may be writing too.
    grep '"type":"verdict"' "$out" | sed "s|^|$condition\t$what\t$change\t|" >>"$log"
    local cases name line
    cases=$(grep -c '"type":"verdict"' "$out")
    line="$condition\t$what\t$change\twhole\t$cases"
    for name in wall_ns launches_ns; do line+="\t$(number $name "$out")"; done
    line+="\t$(number batches_ns "$stored")"
    for name in linking_ns links link_ns link_most_ns; do line+="\t$(number $name "$out")"; done
    printf '%b\n' "$line" >>"$log"
    # What was measured of the same code can be shuffled and judged again.
    case $what in
        same | rebuilt) grep '"type":"rounds"' "$stored" >"$traces/$condition-$(date +%s%N).jsonl" ;;
    esac
    rm -f "$stored" "$out" "$out.said"
    find "$XDG_CACHE_HOME" -type d -name placed -prune -exec rm -rf {} +
}

# One comparison of those that are tried, drawn.
one() {
    local condition=$1 number
    case $((RANDOM % 16)) in
        0 | 1 | 2) compared "$condition" same none reference reference -- cases:: ;;
        3) compared "$condition" "same file" none --bin "$work/reference-file" "$work/reference-file" -- cases:: ;;
        4 | 5 | 6) compared "$condition" rebuilt none reference rebuilt -- cases:: ;;
        7 | 8 | 9 | 10)
            number=$((RANDOM % variants + 1))
            compared "$condition" placement none reference "variant-$number" -- cases::
            ;;
        11)
            number=$((RANDOM % variants + 1))
            compared "$condition" "one placement" none reference "variant-$number" --layouts 1 -- cases::
            ;;
        12 | 13) compared "$condition" changed "2 %" reference 2-percent -- cases:: ;;
        14) compared "$condition" changed "5 %" reference 5-percent -- cases:: ;;
        15) compared "$condition" changed tail reference tail -- cases:: ;;
    esac
}

tries() {
    local end=$(($(date +%s) + $1))
    while [ "$(date +%s)" -lt "$end" ]; do one "$2"; done
}

if [ "${1:-}" != tables ]; then prepare; fi
case ${1:-} in
    prepare) ;;
    suite) compared "${2:-idle}" suite "2 %" reference 2-percent -- suite:: ;;
    relinks) relinks ;;
    busy)
        cargo build -q --profile bench -p evidence --bin tries
        "$target/release/tries" burn &
        burner=$!
        trap 'kill "$burner"' EXIT
        tries "${2:-120}" busy
        ;;
    tables) find "$traces" -name '*.jsonl' -print0 | xargs -0 "$target/release/tally-builds" "$log" ;;
    *) tries "${1:-120}" "${2:-idle}" ;;
esac
