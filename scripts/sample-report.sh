#!/usr/bin/env bash
# Makes the sample report of docs/evidence: functions that are compared, and sweeps, from two programs of examples.
#
#   scripts/sample-report.sh [FILE]     FILE: docs/evidence/sample-report.html
#
# The runs are stored in a folder that is removed. Fails if the page is larger than 300 kB.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

page=$(realpath -m "${1:-docs/evidence/sample-report.html}")
store=$(mktemp -d)
trap 'rm -rf "$store"' EXIT

TOURBILLON_STORE=$store cargo run -q -p cargo-tourbillon -- run -p examples --bench programs \
    --bench growth --quiet "--report=$page" std_matches memmem binary_search

bytes=$(stat -c %s "$page")
echo "$page: $bytes bytes"
if ((bytes > 300000)); then
    echo "error: the page has more than 300 kB" >&2
    exit 1
fi
