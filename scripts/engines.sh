#!/usr/bin/env bash
# Runs the job files of docs/how-to/partition.md (GitHub) and partition-engines.md (Kubernetes) on a small repository as these
# would start them: by their
# variables, one shard after the other. Each engine must measure every case in one shard, fail the one whose case became
# slower, and fail after merging the records of all. About two minutes. scripts/slurm.sh has a real engine.
#
#   scripts/engines.sh [kubernetes] [github]      both of them without a name
#
# What is not there: a scheduler, containers, runners, downloads. /data is a folder, artifacts are copied, and the tool is
# built here. Needs Python 3 with PyYAML; prints SKIPPED without.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! python3 -c 'import yaml' 2>/dev/null; then
    echo 'SKIPPED: there is no Python 3 with PyYAML'
    exit 0
fi
cargo build -q -p cargo-tourbillon --bin cargo-tourbillon
export PYTHONDONTWRITEBYTECODE=1
exec python3 scripts/engines.py "${CARGO_TARGET_DIR:-target}/debug/cargo-tourbillon" "$@"
