#!/usr/bin/env bash
# What a reading of the clock costs next to other clocks, what a window with a canary costs, and what
# the first reading costs.
#
#   scripts/clock-cost.sh [ROUNDS] [readings|windows|first]
#
# Prints three Markdown tables, or the one that is named. Readings and windows: in a new random order in each round,
# medians of the ratios to the bare instruction, or of the differences to the bare pair, of the same round. First
# reading: medians over 21 processes of each clock. The other clocks are downloaded and built in a workspace of their
# own.
set -euo pipefail

rounds=${1:-2000}
if ! [[ $rounds =~ ^[1-9][0-9]*$ ]]; then
    echo "clock-cost.sh: ROUNDS is a whole number from 1, not \`$rounds\`" >&2
    exit 1
fi

table=${2:-all}
case $table in
all | readings | windows | first) ;;
*)
    echo "clock-cost.sh: there are the tables readings, windows and first, not \`$table\`" >&2
    exit 1
    ;;
esac

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}/clock-peers
cargo build --quiet --release --manifest-path "$root/benches/clock-peers/Cargo.toml" \
    --target-dir "$target"
program=$target/release/clock-peers

first() {
    echo '| clock | first reading, µs |'
    echo '|---|---:|'
    for name in tourbillon tourbillon-choose quanta minstant fastant; do
        for _ in $(seq 21); do "$program" --first "$name"; done \
            | sort -g | awk -v name="$name" 'NR == 11 { printf "| %s | %.1f |\n", name, $1 }'
    done
}

case $table in
readings) "$program" "$rounds" ;;
windows) "$program" --windows "$rounds" ;;
first) first ;;
all)
    "$program" "$rounds"
    echo
    "$program" --windows "$rounds"
    echo
    first
    ;;
esac
