#!/usr/bin/env bash
# Kills a run with SIGKILL at random moments, a thousand times or as often as asked, and reads what it
# left in the store each time.
#
#   scripts/kills.sh [KILLS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

TOURBILLON_KILLS=${1:-1000} cargo test --release -p tourbillon-fixtures --test it -- \
    --exact --nocapture kills::a_killed_run_leaves_a_readable_store
