#!/usr/bin/env bash
# Keeps the outputs in the README and in other pages up to date.
#
#   scripts/readme.sh [NAME..]          run the commands, put their output in the README
#   scripts/readme.sh --check [NAME..]  run the commands, check that their output still has the shape
#                                       of the README's; figures may differ
#   scripts/readme.sh --command NAME    print the command of that name
#
# README=FILE is another page: `grep -l '<!-- output: ' docs -r` lists those that have outputs.
#
# Without names it is every output of the page. A command is one block, its output another; a command
# that readers need not see is one line:
#
#   <!-- command: NAME -->         <!-- output: NAME -->         <!-- command: NAME: COMMAND -->
#   ```sh                          ```text
#   cargo bench -p examples        ...
#   ```                            ```
#   <!-- end -->                   <!-- end -->
#
# A command without an output is not run. Commands run in the root of the project with an empty
# store, so that earlier runs do not change their output.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readme=${README:-$root/README.md}

fail() { # MESSAGE
    echo "readme.sh: $1" >&2
    exit 1
}

# The lines of a block without its fences; fails when there is no such block.
block() { # KIND NAME
    awk -v marker="<!-- $1: $2 -->" '
        $0 == marker { inside = found = 1; next }
        inside && /^<!-- end -->$/ { ended = 1; exit }
        inside && !/^```/ { print }
        END { exit !(found && ended) }
    ' "$readme"
}

command_named() { # NAME
    local text
    text=$(sed -n "s/^<!-- command: $1: \(.*\) -->\$/\1/p" "$readme")
    [[ -n $text ]] || text=$(block command "$1") \
        || fail "$readme has neither a block \`<!-- command: $1 -->\` nor a line \`<!-- command: $1: .. -->\`"
    [[ -n $text ]] || fail "the block \`<!-- command: $1 -->\` in $readme is empty"
    printf '%s\n' "$text"
}

# The standard output of a command, without the last line of a run, which names a folder of this
# machine. Standard error is shown only if it fails.
output_of() { # NAME
    local command
    command=$(command_named "$1")
    echo "readme.sh: $command" >&2
    rm -rf "$work/store"
    if ! (cd "$root" && TOURBILLON_STORE=$work/store NO_COLOR=1 bash -c "$command") \
        >"$work/out" 2>"$work/err"; then
        cat "$work/err" >&2
        fail "the command \`$1\` failed: $command"
    fi
    awk '/^stored in / { inside = 1; next } inside && /^ / { next } { inside = 0; print }' "$work/out"
}

# The same, into the file `new`. The command is run again while the machine is too busy for any figure.
output_with_figures_of() { # NAME
    local run
    for ((run = 0; run < 100; run++)); do
        output_of "$1" >"$work/new"
        if grep -Eq '(time|per op) +±[0-9.]+ %' "$work/new" || ! grep -Eq 'machine too busy|too scattered' "$work/new"; then
            return
        fi
        sleep 2
    done
}

# The shape of an output: of a table of results its columns, cases and topics of the header; of a
# table in Markdown its first cells; of anything else the text without its numbers. Notes below a table
# vary from run to run and are no part of it.
shape() {
    awk '
        { all[NR] = $0 }
        # A busy machine may have too few launches for 99 %.
        /(time|per op) +±[0-9.]+ %/ { gsub(/±[0-9.]+ %/, "±# %"); gsub(/ +/, " "); kept[++n] = "columns: " $0; next }
        /^(├─|╰─|\|-|`-) / { kept[++n] = "case: " $2; next }
        /^\|/ { kept[++n] = "row of " NF " words: " $2; next }
        /^(tourbillon|clock|cpu|os|build) / { kept[++n] = "header: " $1; next }
        END {
            if (n == 0) {
                for (line = 1; line <= NR; line++) {
                    text = all[line] " "
                    gsub(/[0-9][0-9.,]*/, "#", text)
                    gsub(/# (ns|µs|ms|s) /, "# <unit> ", text)
                    gsub(/ +/, " ", text)
                    kept[++n] = text
                }
            }
            for (line = 1; line <= n; line++) print kept[line]
        }
    '
}

# Replaces the output between two markers by a file: unchanged if it is Markdown itself, otherwise
# between fences.
replace() { # NAME FILE
    local fence='```'
    if grep -q '^|---' "$2"; then
        fence=
    fi
    awk -v marker="<!-- output: $1 -->" -v file="$2" -v fence="$fence" '
        $0 == marker {
            inside = 1
            print
            if (fence) print fence "text"; else print ""
            while ((getline line < file) > 0) print line
            if (fence) print fence; else print ""
        }
        inside && /^<!-- end -->$/ { inside = 0 }
        !inside { print }
    ' "$readme" >"$work/readme"
    cat "$work/readme" >"$readme"
}

[[ -f $readme ]] || fail "there is no $readme"

check=
case "${1-}" in
--command)
    [[ $# -eq 2 ]] || fail '--command needs the name of one command'
    command_named "$2"
    exit
    ;;
--check)
    check=yes
    shift
    ;;
-*) fail "unknown argument \`$1\`; there are --check and --command NAME" ;;
esac

names=("$@")
if [[ ${#names[@]} -eq 0 ]]; then
    while read -r name; do
        names+=("$name")
    done < <(sed -n 's/^<!-- output: \([a-z0-9-]*\) -->$/\1/p' "$readme")
fi
[[ ${#names[@]} -gt 0 ]] || fail "$readme has no block \`<!-- output: NAME -->\`"
for name in "${names[@]}"; do
    block output "$name" >/dev/null \
        || fail "$readme has no block \`<!-- output: $name -->\` with an end"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

changed=()
for name in "${names[@]}"; do
    output_with_figures_of "$name"
    if [[ -z $check ]]; then
        replace "$name" "$work/new"
        continue
    fi
    block output "$name" | shape >"$work/shape.old"
    shape <"$work/new" >"$work/shape.new"
    if ! diff -u "$work/shape.old" "$work/shape.new" >&2; then
        changed+=("$name")
    fi
done

if [[ ${#changed[@]} -gt 0 ]]; then
    fail "the output of these commands has another shape now: ${changed[*]}; run scripts/readme.sh"
fi
