#!/usr/bin/env bash
# Holds the percentiles of a mixture of calls against the times of its parts: 95 % short calls, 5 % long ones.
#
#   scripts/latencies.sh [RUNS]     runs of `examples/benches/latencies.rs`, 3 by default; about 5 s each
#
# p50 and p90 have to be the time of a short call, p99 that of a long one, each with up to two readings of the clock and
# within 1 %. Calls at a rate have to show a stall in p99, and calls one after the other must not. On a busy machine p99
# may miss that: what fails is repeated on a quiet one before it is believed.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
runs=${1:-3}
command -v python3 > /dev/null || { echo "SKIPPED: python3 is not here, which reads the results"; exit 0; }

for run in $(seq "$runs"); do
    cargo bench -q -p examples --bench latencies -- --format jsonl --no-store \
        mixture stall 2> /dev/null | python3 scripts/latencies.py "$run"
done
