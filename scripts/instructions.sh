#!/usr/bin/env bash
# Counts the instructions of bodies in two ways: stepped by Tourbillon, and by callgrind, which needs valgrind. Prints
# where both differ, what differs between runs, and whether k multiplications are k instructions. Exit code 1 if counts
# differ for another reason than those that scripts/instructions.py names, or between runs.
#
#   scripts/instructions.sh [RUNS] [BODY]   20 runs, and bodies with this part in their name; about 5 minutes
#
# The C library chooses code by the model of the processor, and valgrind's is another one: both sides get GLIBC_TUNABLES
# that switch the choices off.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command -v valgrind >/dev/null || {
    echo 'SKIPPED: there is no valgrind'
    exit 0
}
exec python3 scripts/instructions.py "$@"
