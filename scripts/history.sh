#!/usr/bin/env bash
# How long the index of a history takes, in a file and on a server: 500 cases, 10 000 runs, two metrics each. Needs some
# gigabytes in the folder of temporary files.
#
#   scripts/history.sh [RUNS]     10 000 by default
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export HISTORY_RUNS=${1:-10000}
name=large::five_hundred_cases_and_ten_thousand_runs
large=(cargo test -q --release -p tourbillon-history --features postgres --test it -- --ignored --nocapture --exact)
"${large[@]}" "$name"
scripts/postgres.sh "${large[@]}" "${name}_on_a_server"
