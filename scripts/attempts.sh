#!/usr/bin/env bash
# Campaigns of `cargo tourbillon attempt` whose truth is known: attempts that change the machine code and not the time, of
# which none may be kept, and attempts that are each 2 % quicker, of which 38 of 40 have to be kept. Prints a row for
# each kind. Exit code 1 if one is kept that is not faster, or too few are that are.
#
#   scripts/attempts.sh [NULL] [FASTER]     200 and 40 attempts; half an hour, on a busy machine too
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export PYTHONDONTWRITEBYTECODE=1
cargo build -q --release -p cargo-tourbillon --bin cargo-tourbillon
exec python3 scripts/attempts "${CARGO_TARGET_DIR:-target}/release/cargo-tourbillon" "$@"
