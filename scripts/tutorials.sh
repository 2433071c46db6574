#!/usr/bin/env bash
# Pastes the tutorials one after the other into a new project, as a reader does, and stops at the first command that
# fails.
#
#   scripts/tutorials.sh            some minutes: optimised, with the subcommand installed
#   scripts/tutorials.sh --quick    a minute on two idle cores once its programs are built: not optimised, little time
#                                   for a case, and the subcommand of the workspace
#   scripts/tutorials.sh --print    prints the commands, and runs nothing
#
# The pages follow one rule. A block of code belongs to the paragraph before it:
#
#   sh                  commands. Shell and folder stay the same from block to block and from page to page.
#   toml, rust, yaml    a file, by the first name in backquotes of the paragraph: added at its end if the paragraph has
#                       the word "append", otherwise in its place.
#   any other           what is printed, and is ignored.
#
# `/path/to/tourbillon` is this clone.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
pages=(docs/tutorial/first-benchmark.md docs/tutorial/first-comparison.md docs/tutorial/first-ci-job.md)

# The blocks of the pages as commands of one shell, each after a line with its place.
commands() {
    (cd "$root" && awk -v root="$root" '
        FNR == 1 { paragraph = kind = "" }
        kind != "" && /^```$/ {
            if (file != "") print "END_OF_BLOCK"
            kind = file = ""
            next
        }
        kind != "" {
            gsub("/path/to/tourbillon", root)
            if (kind == "sh" || file != "") print
            next
        }
        /^```/ {
            kind = substr($0, 4)
            sub(/,.*/, "", kind)
            place = FILENAME ":" FNR
            if (kind == "sh") print ": " place
            if (kind !~ /^(toml|rust|yaml)$/) next
            if (!match(paragraph, /`[^` ]+`/)) {
                print "tutorials.sh: " place ": the paragraph before the block names no file" > "/dev/stderr"
                exit 1
            }
            file = substr(paragraph, RSTART + 1, RLENGTH - 2)
            append = tolower(paragraph) ~ /(^| )append /
            print ": " place " " file "\nmkdir -p \"$(dirname " file ")\""
            print "cat " (append ? ">>" : ">") file " <<\"END_OF_BLOCK\"" (append ? "\n" : "")
            next
        }
        /^$/ { next_paragraph = 1; next }
        { paragraph = (next_paragraph ? "" : paragraph) " " $0; next_paragraph = 0 }
    ' "${pages[@]}")
}

quick=
case "${1-}" in
--print) commands; exit ;;
--quick) quick=yes ;;
'') ;;
*)
    echo "tutorials.sh: unknown argument \`$1\`; there are --quick and --print" >&2
    exit 1
    ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
commands >"$work/commands.sh"
[[ ! $quick ]] || sed -i 's/^cargo install /: /' "$work/commands.sh"

# Nothing of the caller decides what is built, and where, or is changed.
target=${CARGO_TARGET_DIR:-$root/target}
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR CARGO_BUILD_BUILD_DIR RUSTFLAGS CARGO_ENCODED_RUSTFLAGS "${!GITHUB_@}"
export CARGO_INSTALL_ROOT=$work/tool TOURBILLON_CACHE=$work/cache PATH=$work/tool/bin:$PATH
export GIT_CONFIG_GLOBAL=$work/gitconfig GIT_CONFIG_NOSYSTEM=1
git config --global user.name Reader
git config --global user.email reader@example.com
if [[ $quick ]]; then
    (cd "$root" && CARGO_TARGET_DIR=$target cargo build -q -p cargo-tourbillon --bin cargo-tourbillon)
    export PATH=$target/debug:$PATH CARGO_TARGET_DIR=$target/tutorials CARGO_PROFILE_BENCH_OPT_LEVEL=0
    export TOURBILLON_CONFIG=$work/quick.toml TOURBILLON_STORE=$work/store
    printf '[bench]\nmax-time = "20ms"\n[compare]\ntime = "200ms"\n[ci]\ntime = "200ms"\n' >"$TOURBILLON_CONFIG"
fi
mkdir "$work/reader"
cd "$work/reader"
PS4='+ ' bash -euxo pipefail "$work/commands.sh"
echo "the ${#pages[@]} tutorials were pasted and run in $SECONDS s"
