#!/usr/bin/env bash
# Runs suites of criterion as they are, with criterion and with Tourbillon's package of its API, and puts what both do side by
# side: names, files, failures, seconds, intervals.
#
#   scripts/criterion-suites.sh WORD --log DIR [--snapshots DIR] [SUITE..]
#
#   prepare    checks out each suite, builds it with criterion, replaces the lines of its manifests that name criterion,
#              builds it again, and compares what both list
#   run        measures whole suites with Tourbillon, and benchmarks drawn from each of them with both
#   aa         compares two builds of one commit; --prepare builds them and measures nothing
#   bodies     measures the bodies of benches/criterion-bodies with both in turns; --prepare builds them only
#   corpus     type-checks the bench files of all repositories in the folder of snapshots, where the names are those of
#              repositories
#   places     runs prepared suites by cargo bench, cargo nextest, Valgrind and, within `scripts/remote.sh around`, on another
#              machine, where these are installed, and counts the benchmarks that are right
#   paths      resolves every path of criterion that their files import
#   plan       prints about how long measuring takes
#   table      writes run.tsv, a line for each suite, and prints the tables; --write puts them in the document. Of suites that
#              were run in places, that table alone
#
#   --tool criterion builds with criterion only, for a later `prepare`, which always builds what is not from this revision
#   --tool tourbillon
#                    builds with Tourbillon only, which is enough for `places`: names are not compared
#   --trial          limits of some milliseconds: shows that all works, in files of its own
#   --again          does again what is done
#   --sample N       benchmarks drawn from each suite for criterion, which takes some 10 s for each, and for Valgrind (10)
#   --seed N         of the draw (1)
#   --rounds N       of `aa` and `bodies` (2)
#   --time T         what `aa` may spend on a case
#   --critcmp FILE, --subcommand FILE
#                    critcmp and cargo-tourbillon, unless they are on the PATH
#
# What is done is kept in the log folder; a call that was interrupted goes on there. `prepare`, `aa --prepare`, `bodies
# --prepare` and `corpus` build; the others only measure and want a quiet machine.
#
# The list of suites is the user's: DIR/suites.tsv of the log folder, with a line of six fields between tabs for each suite:
# its name, the git directory or checkout below the folder of snapshots, the folder in it in which cargo is started, the
# arguments of `cargo bench`, features of Tourbillon's package that it needs, and dependencies that a snapshot without a lock
# file needs in an older version, as NAME@VERSION. The last three may be empty. Only Cargo.toml files are changed, in a copy.
# A suite is a program: read it before you run it.
#
# Needs Python 3.11; without rustup the installed compiler is used.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [[ ${1-} == --help || $# -eq 0 ]]; then
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
    exit 0
fi
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
    || { echo 'criterion-suites.sh: Python 3.11 is not here, which reads manifests' >&2; exit 1; }
export PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1
exec python3 -m criterion_suites "$@"
