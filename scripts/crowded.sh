#!/usr/bin/env bash
# Measures the reference kernels on one processor that other programs use as well: none of them, one, as
# many as asked for, and one that comes and goes. Prints how far the estimates are from the truth, and
# what the report prints about the time that was lost.
#
#   scripts/crowded.sh [HOGS] [FOLDER]
#
# HOGS is 3 by default. What was measured, and the text of each report, stays in FOLDER,
# target/crowded by default. Needs `taskset`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

hogs=${1:-3}
if ! [[ $hogs =~ ^[1-9][0-9]*$ ]]; then
    echo "crowded.sh: HOGS is a whole number from 1, not \`$hogs\`" >&2
    exit 1
fi
target=${CARGO_TARGET_DIR:-target}
folder=${2:-$target/crowded}
mkdir -p "$folder"

# The executables, built before the first run: nothing is compiled beside a measurement.
bench=$(cargo bench -q --no-run -p examples --bench landmarks --message-format=json \
    | grep '"kind":\["bench"\]' | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p')
cargo build -q --profile bench -p evidence --bin accuracy --bin tries

# The last processor that may be used.
cpu=$(sed -n 's/^Cpus_allowed_list:.*[^0-9]\([0-9]*\)$/\1/p' /proc/self/status)

pids=()
stop() {
    if ((${#pids[@]})); then
        kill "${pids[@]}" 2>/dev/null || true
        wait "${pids[@]}" 2>/dev/null || true
        pids=()
    fi
}
trap stop EXIT
hog() { # COMMAND..
    taskset -c "$cpu" "$@" &
    pids+=($!)
}

measured() { # NAME WHAT
    local TIMEFORMAT='%1R'
    local seconds
    seconds=$({ time "$bench" --bench --cpus "$cpu" --store "$folder/store" --format jsonl \
        --skip prepared --skip placed >"$folder/$1.jsonl" 2>"$folder/$1.txt"; } 2>&1)
    stop
    echo "$2, $seconds s:"
    "$target/release/accuracy" "$folder/$1.jsonl" | grep -E '^[0-9]+ of|^Something'
    echo
}

measured alone 'Nothing else on the processor'
hog "$target/release/tries" burn
measured one 'One program that never rests'
for ((count = 0; count < hogs; count++)); do
    hog "$target/release/tries" burn
done
measured several "$hogs programs that never rest"
hog bash -c 'while :; do for ((i = 0; i < 3000; i++)); do :; done; sleep 0.002; done'
measured bursts 'One program that works and rests by turns'
