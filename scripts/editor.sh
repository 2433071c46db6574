#!/usr/bin/env bash
# Asks rust-analyzer what it offers for the benchmarks of the examples. Installs it as a component of rustup where it
# is missing.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! rust-analyzer --version >/dev/null 2>&1; then
    rustup component add rust-analyzer
fi
cargo test -p tourbillon --test it -- --ignored --exact \
    editor::every_benchmark_of_the_examples_has_one_run_bench_lens
