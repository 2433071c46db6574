#!/usr/bin/env bash
# How long the index of a history takes, in a file and on a server: 500 cases, 10 000 runs, two metrics each. Needs some
# gigabytes in the folder of temporary files. With --year how large the page of a year is, and how long it takes: 365
# nightly runs, made of a run that is measured. Exit code 1 if that is more than 8 MB or 2 s.
#
#   scripts/history.sh [RUNS]             10 000 by default
#   scripts/history.sh --year [CASES]     500 by default; needs git and python3
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ ${1:-} == --year ]]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    trap 'exit 130' INT TERM
    cargo build -q --release -p cargo-tourbillon --bin cargo-tourbillon
    tourbillon=$(realpath "${CARGO_TARGET_DIR:-target}/release/cargo-tourbillon")
    cargo bench -q -p examples --bench first -- --format jsonl --no-store --max-time 100ms >"$folder/measured.jsonl"
    python3 scripts/year.py "$folder/measured.jsonl" "${2:-500}" "$folder/year"
    cd "$folder/year"
    timed() { # WHAT COMMAND..
        local start=$EPOCHREALTIME
        "${@:2}"
        seconds=$(awk -v start="$start" -v end="$EPOCHREALTIME" 'BEGIN { printf "%.2f", end - start }')
        printf '%s: %s s\n' "$1" "$seconds"
    }
    history() { "$tourbillon" tourbillon history "$@" --history "$folder/history"; }
    timed 'records added' history add ./*.jsonl
    timed 'page of a year' history report --last 365 -o "$folder/history.html"
    bytes=$(stat -c %s "$folder/history.html")
    awk -v bytes="$bytes" -v seconds="$seconds" 'BEGIN {
        printf "size of the page: %.2f MB\n", bytes / 1e6; exit bytes > 8e6 || seconds > 2 }'
    exit
fi
export HISTORY_RUNS=${1:-10000}
name=large::five_hundred_cases_and_ten_thousand_runs
large=(cargo test -q --release -p tourbillon-history --features postgres --test it -- --ignored --nocapture --exact)
"${large[@]}" "$name"
scripts/postgres.sh "${large[@]}" "${name}_on_a_server"
