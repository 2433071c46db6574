#!/usr/bin/env bash
# Compares equal code with itself, by `cargo tourbillon compare`, under arrangements of configuration, variables,
# toolchains, clones and worktrees, each in a repository of its own, and prints what was found. Exit code 1 if a finding
# is other than `same` or `undecided`, or if a real change under one of them is not found.
#
#   scripts/arrangements.sh [WORD..]   those with one of the words in their name; all without a word, half an hour
#   scripts/arrangements.sh --list     their names
#
# The code is slower where the compiler optimises less, where a variable is set, and where a dependency is replaced: an
# arrangement that reaches one of two builds only would be found. The column `ns` has the times of arithmetic, digits and
# sort.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export PYTHONDONTWRITEBYTECODE=1
cargo build -q -p cargo-tourbillon
exec python3 scripts/arrangements "${CARGO_TARGET_DIR:-target}/debug/cargo-tourbillon" "$@"
