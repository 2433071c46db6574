#!/usr/bin/env bash
# Measures the reference kernels again and again, at default settings, and counts kernel by kernel how often
# the interval contains what the kernel costs and how far off the estimates are. Exit code 1 when fewer than
# 99 of 100 intervals do, when an estimate is farther off than 0.1 % and 0.02 cycles, when something
# was called nothing or nothing something.
#
#   scripts/landmarks.sh [RUNS] [FOLDER]
#
# RUNS is 20 by default, of some seven seconds each. What was measured stays in FOLDER,
# target/landmarks by default.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

runs=${1:-20}
if ! [[ $runs =~ ^([2-9]|[1-9][0-9]+)$ ]]; then
    echo "landmarks.sh: RUNS is a whole number from 2, not \`$runs\`" >&2
    exit 1
fi
target=${CARGO_TARGET_DIR:-target}
folder=${2:-$target/landmarks}
mkdir -p "$folder"

# The executables, built before the first run: nothing is compiled beside a measurement.
bench=$(cargo bench -q --no-run -p examples --bench landmarks --message-format=json \
    | grep '"kind":\["bench"\]' | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p')
cargo build -q --profile bench -p evidence --bin accuracy

files=()
for ((run = 1; run <= runs; run++)); do
    file=$folder/$run.jsonl
    "$bench" --bench --store "$folder/store" --format jsonl --skip prepared --skip placed --skip encoded \
        >"$file" 2>"$folder/$run.txt"
    files+=("$file")
done
"$target/release/accuracy" "${files[@]}"
