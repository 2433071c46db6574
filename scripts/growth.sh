#!/usr/bin/env bash
# Is the textbook's answer among the models of growth, for the algorithms of examples/benches/growth.rs?
#
#   scripts/growth.sh [RUNS] [ARGUMENT..]
#
# Runs the benchmarks RUNS times (20), with ARGUMENTs such as a filter, and prints for each how often the answer was
# there, and what else was. Under load: start it next to a program that keeps a core busy. BENCH=EXECUTABLE runs
# one that was built already. Exit code 1 when an answer was missing in a run, or a benchmark failed its `at_most`;
# `chase` has no answer, because its growth is that of the caches.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

runs=20
if [[ ${1:-} =~ ^[0-9]+$ ]]; then
    runs=$1
    shift
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT

bench=(cargo bench -q -p examples --bench growth --)
if [[ -n ${BENCH:-} ]]; then
    bench=("$BENCH" --bench)
fi

status=0
for ((run = 1; run <= runs; run++)); do
    "${bench[@]}" --no-store --format gnuplot "$@" 2>/dev/null |
        grep '^# .* over .*: ' >>"$log" || status=1
done

# A line: `#   heap_sort over n: n log n · exponent 1.11 [..] ..`.
awk -v runs="$runs" '
    BEGIN {
        answer["selection_sort"] = "n^2"
        answer["quick_sort"] = answer["heap_sort"] = "n log n"
        answer["std_sort"] = answer["std_unstable_sort"] = "n log n"
        answer["binary_search"] = "log n"
        answer["linear_search"] = answer["scan"] = answer["hash_insert"] = "n"
        answer["matrix_product"] = "n^3"
    }
    {
        name = $2
        models = $0
        sub(/^[^:]*: /, "", models)
        sub(/ · .*/, "", models)
        gsub(/ \+ constant/, "", models)
        seen[name]++
        told[name, models]++
        count = split(models, all, " or ")
        for (at = 1; at <= count; at++) {
            if (all[at] == answer[name]) {
                right[name]++
            }
        }
    }
    END {
        print "| benchmark | answer | found | models |"
        print "|---|---|--:|---|"
        for (name in seen) {
            list = ""
            for (key in told) {
                split(key, part, SUBSEP)
                if (part[1] == name) {
                    list = list (list == "" ? "" : ", ") part[2] ": " told[key]
                }
            }
            print "| " name " | " answer[name] " | " right[name] + 0 " of " seen[name] " | " list " |"
            if (name in answer && (right[name] + 0 < seen[name] || seen[name] < runs)) {
                missing = 1
            }
        }
        exit missing
    }
' "$log" || status=1
exit "$status"
