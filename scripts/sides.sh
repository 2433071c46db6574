#!/usr/bin/env bash
# Compares the cases of the `sides` bench with themselves, for so many minutes, and prints how often they
# were called different; then redraws the orders and the names of the sides of what was recorded, many
# times, and prints how often the verdicts on that are wrong. Appends to the log: stopped and started
# again, on the same machine, it goes on. With 0 minutes, the log is read only.
#
#   scripts/sides.sh [MINUTES] [LOG]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

minutes=${1:-20}
log=${2:-target/sides/log.jsonl}
store=$(mktemp -d)
trap 'rm -rf "$store"' EXIT
mkdir -p "$(dirname "$log")"

# The executables, built before the first run: nothing is compiled beside a measurement.
built() {
    local kind=$1
    shift
    "$@" --message-format=json | grep "\"kind\":\[\"$kind\"\]" | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p'
}
bench=$(built bench cargo bench -q --no-run -p examples --bench sides)
sides=$(built bin cargo build -q --release -p sim --bin sides)

end=$(($(date +%s) + minutes * 60))
while [ "$(date +%s)" -lt "$end" ]; do
    for work in arithmetic sort hash_map format allocate memory; do
        # The table of each alone is not wanted: one launch.
        "$bench" --bench --quiet --store "$store" --launches 1 --max-time 10ms \
            --against "$work[side=a]" "::$work" >/dev/null
        # Samples first, then the verdict on them: whole comparisons, or nothing.
        find "$store" -name '*.jsonl' -exec grep -hE '"type":"(header|launch|verdict)"' {} + >>"$log"
        find "$store" -name '*.jsonl' -delete
        if [ "$(date +%s)" -ge "$end" ]; then break; fi
    done
done
"$sides" "$log"
