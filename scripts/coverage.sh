#!/usr/bin/env bash
# Repeats real runs at default settings for an hour, or as long as asked, and prints how often their
# intervals contain the median of all quiet launches of the log. Appends to the
# log: stopped and started again, on the same machine, it goes on.
#
#   scripts/coverage.sh [MINUTES] [LOG]
#
# The machine should have nothing else to do. Cases that wait for no memory: a chain of multiplications,
# sorting, a hash map, formatting.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

wanted='.*::((lat|add)\[k=100\]|std_unstable\[n=(100|3200)\]|format_number|remove_restored\[.*\])'
minutes=${1:-60}
log=${2:-target/coverage/log.tsv}
store=$(mktemp -d)
trap 'rm -rf "$store"' EXIT
mkdir -p "$(dirname "$log")"

# The executables, built before the first run: nothing is compiled beside a measurement.
built() {
    local kind=$1
    shift
    "$@" --message-format=json | grep "\"kind\":\[\"$kind\"\]" | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p'
}
benches=$(built bench cargo bench -q --no-run -p examples --bench landmarks --bench sort --bench strings_and_maps)
coverage=$(built bin cargo build -q --release -p sim --bin coverage)

end=$(($(date +%s) + minutes * 60))
while [ "$(date +%s)" -lt "$end" ]; do
    for bench in $benches; do
        # All ids that are wanted of one program, and no other.
        "$bench" --bench --list --format terse | sed -n 's/: benchmark$//p' | grep -Ex "$wanted" >"$store/ids"
        mapfile -t ids <"$store/ids"
        "$bench" --bench --quiet --exact --store "$store" "${ids[@]}" >/dev/null
    done
    find "$store" -name '*.jsonl' -print0 | xargs -0 "$coverage" "$log" >"$store/table"
    find "$store" -name '*.jsonl' -delete
done
"$coverage" "$log"
