#!/usr/bin/env bash
# Installs critcmp in a temporary folder, unless it is on the path, and has it read exported files.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v critcmp >/dev/null; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    CARGO_TARGET_DIR=$folder/target cargo install critcmp --version 0.1.8 --debug --root "$folder"
    PATH=$folder/bin:$PATH
fi
cargo test -p cargo-tourbillon --test it -- --ignored --exact \
    export::critcmp::critcmp_prints_the_figures_of_both_baselines
