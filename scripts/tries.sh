#!/usr/bin/env bash
# Compares functions whose ratio is known, for so many minutes, with the rest of the machine idle and
# with another processor busy, and prints how often the verdict was right. Appends to the log: stopped
# and started again, it goes on.
#
#   scripts/tries.sh [MINUTES] [LOG] [CHANGE..]
#
# Changes are none, '1 %', '2 %' and tail; without any, all of them are tried, none three times as often.
# CONDITIONS=idle or CONDITIONS=busy is one of the two alone.
#
# The machine should have nothing else to do. Twenty comparisons of each workload to a process.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

minutes=${1:-20}
log=${2:-target/tries/log.tsv}
# Without a change most, for it is the rarest mistake that is looked for.
changes=(none none none '1 %' '2 %' tail)
if [ $# -gt 2 ]; then changes=("${@:3}"); fi
mkdir -p "$(dirname "$log")"
cargo build -q --profile bench -p evidence --bin tries
cargo build -q --release -p sim --bin tally
target=${CARGO_TARGET_DIR:-target}
tries=$target/release/tries

burner=
stop() { if [ -n "$burner" ]; then kill "$burner" 2>/dev/null || true; wait "$burner" 2>/dev/null || true; burner=; fi; }
trap stop EXIT

end=$(($(date +%s) + minutes * 60))
while [ "$(date +%s)" -lt "$end" ]; do
    for change in "${changes[@]}"; do
        for condition in ${CONDITIONS:-idle busy}; do
            if [ $condition = busy ]; then "$tries" burn & burner=$!; fi
            "$tries" "$condition" "$change" 20 >>"$log"
            stop
            if [ "$(date +%s)" -ge "$end" ]; then break 2; fi
        done
    done
done
"$target/release/tally" "$log"
