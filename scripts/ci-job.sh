#!/usr/bin/env bash
# Runs the jobs of pull requests on a repository with fifty cases as the GitHub action does, reads its steps from
# action.yml, and logs every verdict; stopped and started again, it goes on after the last complete job.
#
#   scripts/ci-job.sh cold [JOBS]         jobs without a cache, for their times
#   scripts/ci-job.sh same JOBS           pull requests that change the README only, until the log has so many
#   scripts/ci-job.sh slower JOBS         pull requests with 2 % more steps in every case
#   scripts/ci-job.sh heads               heads that attack their judge: an alias, settings, a build script, lost cases; against
#                                         the action and the two jobs of docs/how-to/ci-untrusted.md
#   scripts/ci-job.sh tables [--write]    what has come of all of them; --write puts it into docs/evidence/ci-jobs.md
#
#   --busy          keeps one processor busy meanwhile
#   --load TEXT     names what else runs on the machine, such as 'two compilers', in place of "busy" or "idle". JOBS are
#                   those with this name, and tables have a row for each
#   --others        measures base, then head, with criterion in the same job, too, and applies github-action-benchmark's
#                   rules to its medians: alerts above 200 % and 110 %. Jobs with and without are in one log: with it, JOBS
#                   counts those that criterion measured, too. Tables have the number of jobs of each tool
#   --criterion F   flags of criterion, such as '--warm-up-time 1 --measurement-time 1'; its defaults take 15 min a job.
#                   Tables name them
#   --flags F       more flags of `cargo tourbillon ci`, such as '--time 1s'. Tables name them
#   --log DIR       folder of the log, the repository and the caches (target/ci-job)
#
# Every job has placements of its own (--seed). Crates come from cargo's own cache: downloads are no part of the times.
# Needs Python 3 with PyYAML. The machine should have nothing else to do.
set -euo pipefail

export PYTHONDONTWRITEBYTECODE=1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
exec python3 "$here/ci-job.py" "$@"
