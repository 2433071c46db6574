#!/usr/bin/env bash
# Edits a package, compares the working tree with its commit by `cargo tourbillon compare`, and prints which cases are called
# unchanged. Hostile edits change what cases do: none of these may be unchanged. Harmless ones change nothing. Exit code 1
# if a hostile edit was missed.
#
#   scripts/edits.sh [WORD..]   those with one of the words in their name; all without a word, a quarter of an hour
#   scripts/edits.sh --list     their names
#   scripts/edits.sh --large    how long the analysis of an executable of some 30 MB takes
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export PYTHONDONTWRITEBYTECODE=1
cargo build -q -p cargo-tourbillon
exec python3 scripts/edits "${CARGO_TARGET_DIR:-target}/debug/cargo-tourbillon" "$@"
