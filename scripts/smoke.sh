#!/usr/bin/env bash
# Runs every script that a page names in its smallest form, one after the other, and prints what became of each: that
# it works, not that its figures are good. Most take some seconds, none more than a minute or so once its programs
# are built. Exit code 1 if one failed.
#
#   scripts/smoke.sh [NAME..]      all of them without a name, such as landmarks.sh
#
# A form is SKIPPED where a program that it needs is missing, or where the script prints so itself. A script that judges
# figures may exit with 1 on a busy machine: it has worked if the text of its last table or line is printed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# PROGRAM that it needs, or - | TEXT that it prints before it judges, or - | COMMAND
forms() {
    cat <<'FORMS'
-                    | -                           | scripts/address.sh --check
-                    | exclude each other          | CONDITIONS=quiet scripts/agree.sh 1 $work/agree -- --max-time 50ms concat
-                    | same code                 | CONDITIONS=quiet HARNESSES=divan scripts/agree.sh --peers 1 $work/agree-peers
python3              | 2 % faster                  | scripts/attempts.sh 2 2
-                    | -                           | scripts/arrangements.sh 'untracked [env]'
-                    | changes nominated           | scripts/bisect.sh 8
-                    | -                           | scripts/browser.sh --sample
-                    | -                           | FOLDER=$work/builds-tries VARIANTS=1 WHAT=same scripts/builds-tries.sh 1
-                    | s watched; the stated rate  | scripts/calibration.sh 1 $work/calibration.csv
-                    | -                           | scripts/ci-job.sh cold 1 --log $work/ci-job --flags '--time 100ms'
-                    | -                           | scripts/clock-cost.sh 20
-                    | -                           | scripts/commands.sh overhead 200
-                    | -                           | scripts/commits.sh --small --log $work/commits
python3              | kernels of multiplications  | scripts/counters.sh
-                    | -                           | scripts/coverage.sh 1 $work/coverage.tsv
-                    | -                           | scripts/critcmp.sh
-                    | -                           | for flag in --prepare --trial; do scripts/criterion-suites.sh bodies --rounds 1 $flag --log $work/suites; done
/usr/lib/wine/wine64 | -                           | scripts/cross-check.sh --only types windows
-                    | -                           | scripts/crowded.sh 1 $work/crowded
-                    | -                           | scripts/editor.sh
-                    | -                           | scripts/edits.sh 'a static' 'a comment in the middle'
-                    | -                           | scripts/dev-dependency.sh no-std
python3              | comparisons                 | scripts/dependencies.sh json
valgrind             | -                           | scripts/emulators.sh
-                    | -                           | scripts/engines.sh kubernetes
-                    | -                           | scripts/fuzz.sh protocol --seconds 5
-                    | benchmark . answer          | scripts/growth.sh 1 binary_search
python3              | -                           | scripts/history.sh --year 20 && scripts/history.sh 300
-                    | -                           | scripts/hostile.sh settings
python3              | -                           | scripts/hyperfine-scripts.sh 10
valgrind             | -                           | scripts/instructions.sh 1 multiplications
-                    | -                           | scripts/kills.sh 5 1 compare
-                    | intervals contain the truth | scripts/landmarks.sh 2 $work/landmarks
python3              | open p99                    | scripts/latencies.sh 1
cargo-nextest        | -                           | scripts/nextest.sh
-                    | spoke of innocent bodies    | scripts/notes.sh 2
-                    | -                           | scripts/leaks.sh
-                    | -                           | scripts/light.sh 1 divan
-                    | -                           | scripts/many.sh list
-                    | -                           | scripts/mem-cost.sh 8
-                    | -                           | scripts/members.sh 1
-                    | use more rounds             | scripts/mem-off.sh $work/mem-off 1 20 math
valgrind             | -                           | scripts/mem-sanitize.sh valgrind
-                    | -                           | scripts/peers.sh --build && scripts/peers.sh --next 1 quick
python3              | -                           | scripts/picture.py --check
-                    | -                           | scripts/postgres.sh true
-                    | -                           | scripts/readme.sh --check casual
-                    | -                           | scripts/remote.sh
-                    | exclude each other          | CONDITIONS=quiet scripts/reproducible.sh 2 $work/reproducible -- --max-time 20ms
-                    | -                           | scripts/sample-report.sh $work/sample.html
-                    | -                           | scripts/shards.sh 2
-                    | -                           | scripts/sides.sh 1 $work/sides.jsonl
-                    | not as it shall be          | scripts/sim.sh --repeats 20
-                    | -                           | scripts/size.py HEAD
-                    | -                           | scripts/slurm.sh
-                    | -                           | scripts/steadier.sh 1 $work/steadier/log.tsv
-                    | -                           | scripts/subcommand-build.sh 1 none
-                    | -                           | CONDITIONS=idle scripts/tries.sh 1 $work/tries.tsv none
-                    | -                           | scripts/tutorials.sh --quick
python3              | wrong with confidence       | scripts/why.sh --small
python3              | s after the build           | scripts/watch.sh 5
FORMS
}

# Seconds after which a form is ended, its first build included.
limit=1200

trimmed() { # TEXT
    sed 's/^ *//; s/ *$//' <<<"$1"
}

work=${CARGO_TARGET_DIR:-$PWD/target}/smoke
rm -rf "$work"
mkdir -p "$work"
export work
printf '%-8s %8s   %s\n' result seconds command
failed=0
while IFS='|' read -r needed text command; do
    needed=$(trimmed "$needed") text=$(trimmed "$text") command=$(trimmed "$command")
    script=$(sed 's/.*\(scripts\/[a-z.-]*\).*/\1/' <<<"$command")
    name=${script#scripts/}
    [[ $# -eq 0 || " $* " == *" $name "* ]] || continue
    log=$work/${name%.*}.log
    if [[ $needed != - ]] && ! command -v "$needed" >/dev/null; then
        printf '%-8s %8s   %s: there is no %s\n' SKIPPED - "$name" "$needed"
        continue
    fi
    begin=$SECONDS code=0
    timeout "$limit" bash -c "$command" >"$log" 2>&1 </dev/null || code=$?
    result=ok reason=
    if grep -q '^SKIPPED: ' "$log"; then
        result=SKIPPED reason=": $(sed -n 's/^SKIPPED: //p' "$log" | head -n 1)"
    elif [[ $code != 0 ]] && ! { [[ $code == 1 && $text != - ]] && grep -q "$text" "$log"; }; then
        result=failed reason=" exited with $code; the end of $log:"
        failed=1
    fi
    printf '%-8s %8s   %s%s\n' "$result" $((SECONDS - begin)) "$command" "$reason"
    [[ $result != failed ]] || tail -n 20 "$log"
done < <(forms)
exit "$failed"
