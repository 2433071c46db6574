#!/usr/bin/env bash
# Kills a run with SIGKILL at random moments, a thousand times or as often as asked, and reads what it left in the store
# each time. Then kills `compare`, `history backfill`, `history bisect --deps` and `attempt` with SIGKILL, SIGTERM and
# SIGINT, each forty times or as often as asked, and runs each of them again: its answer has to be right, and no process,
# lock or temporary file may be left. The second part takes half an hour, and needs git.
#
#   scripts/kills.sh [KILLS] [OF EACH SUBCOMMAND] [SUBCOMMAND..]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export PYTHONDONTWRITEBYTECODE=1
kills=${1:-1000}
of_each=${2:-40}
if ((kills > 0)); then
    TOURBILLON_KILLS=$kills cargo test --release -p tourbillon-fixtures --test it -- \
        --exact --nocapture kills::a_killed_run_leaves_a_readable_store
fi
cargo build -q -p cargo-tourbillon --bin cargo-tourbillon
exec python3 scripts/kills.py "${CARGO_TARGET_DIR:-target}/debug/cargo-tourbillon" "$of_each" "${@:3}"
