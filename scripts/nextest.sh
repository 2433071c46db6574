#!/usr/bin/env bash
# Has cargo-nextest, which must be installed, test and measure the benchmarks of a package.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
cargo nextest --version
cargo test -p tourbillon-fixtures --test it -- --ignored --exact nextest::nextest_tests_and_measures_each_case
