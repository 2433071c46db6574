#!/usr/bin/env bash
# Walks the newest commits of repositories with suites of criterion, compares each with its first parent by `cargo tourbillon
# compare`, and prints how much of what is called unchanged is confirmed by measuring, what it saves, and what a filter of
# paths would have measured. Exit code 1 if a case that is called unchanged was found to be faster or slower.
#
#   scripts/commits.sh --log DIR [--snapshots DIR] [--commits N] [--time T] [--subcommand FILE] [SUITE..]
#   scripts/commits.sh --log DIR --table [SUITE..]     the table of what is measured
#   scripts/commits.sh --log DIR --small               of a repository with four commits, which it makes
#
#   --commits N      commits of each repository (10); --skip N leaves out the newest (0)
#   --time T         for each case that is measured (1s)
#   --subcommand FILE  cargo-tourbillon, which is built without it
#
# Each commit is built with Tourbillon's package of criterion's API: one line of a manifest, in a commit of its own. Both are
# compared twice: as users do, and with --measure-unchanged. The list of suites is the user's, DIR/suites.tsv, as for
# scripts/criterion-suites.sh; arguments after `--` select cases. What is done is kept in DIR/SUITE/commits.jsonl, and a later
# call goes on there. A suite is a program: read it before you run it.
#
# Needs Python 3.11.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [[ ${1-} == --help || $# -eq 0 ]]; then
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
    exit 0
fi
export PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1
exec python3 "$here/commits.py" "$@"
