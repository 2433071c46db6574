#!/usr/bin/env bash
# Runs the tests that build revisions of a repository side by side and compare them: they take minutes, and `cargo test`
# ignores them.
#
#   scripts/side-by-side.sh
#
# One after the other: what a busy machine refuses is measured again. With the features of the whole workspace, so that
# nothing is compiled again after `cargo test --workspace`; tests of the excluded package need a feature.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo test -q --workspace --exclude tourbillon-criterion --test it -- --ignored --exact --test-threads 1 \
    compare::builds_side_by_side compare::history_of_builds
