#!/usr/bin/env bash
# Replays hostile inputs against cargo-tourbillon, tourbillon and a bench program, each in a folder of its own with
# limits of time, memory and disk, and checks exit code, output and files.
#
#   scripts/hostile.sh [FAMILY..]      those families; all without a name
#   scripts/hostile.sh --list          the families, and what each promises
#   scripts/hostile.sh --keep [..]     keeps the folders of inputs that failed, and prints their paths
#   scripts/hostile.sh --measure       what large records cost, by an optimized program; ten minutes
#
# The inputs are tables in fixtures/hostile; large files are made by scripts/hostile/generate.py. Needs Python 3.11.
# Inputs that need another user, a compiler or git are skipped, with the reason, where that is not there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! python3 -c 'import tomllib' 2> /dev/null; then
    echo 'SKIPPED: there is no Python 3.11'
    exit 0
fi
export PYTHONDONTWRITEBYTECODE=1
if [[ ${1:-} == --measure ]]; then
    cargo build -q --release -p cargo-tourbillon
    exec python3 scripts/hostile/measure.py "${CARGO_TARGET_DIR:-target}/release/cargo-tourbillon"
fi
cargo build -q -p cargo-tourbillon --bins --features postgres
cargo build -q -p tourbillon-fixtures --bin plain
exec python3 scripts/hostile "${CARGO_TARGET_DIR:-target}/debug" "$@"
