#!/usr/bin/env bash
# Makes pairs of builds whose second one is slower for a known reason, compares them by `cargo tourbillon compare`, and
# asks `cargo tourbillon why`. Prints the expected class and the one that it prints, the first function of the table
# and the seconds of `why`. Exit code 1 if the class is right in fewer than 21 of 24, the changed function first in fewer
# than 18, or a class printed that is wrong.
#
#   scripts/why.sh [--sentences] [NAME..]   those pairs; all without a name, a quarter of an hour
#   scripts/why.sh --estimates [NAME..]     for a busy machine: what is undecided is explained by its estimate
#   scripts/why.sh --small                  two of them, so, in about a minute
#   scripts/why.sh --list                   their names
#
# scripts/why/mill is the package, with code of crates from the registry; scripts/why/pairs.py has what the builds change.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export PYTHONDONTWRITEBYTECODE=1
cargo build -q -p cargo-tourbillon
exec python3 scripts/why "${CARGO_TARGET_DIR:-target}/debug/cargo-tourbillon" "$@"
