#!/usr/bin/env bash
# How far off Tourbillon and other harnesses are about code whose cost is known, and how long they take.
#
#   scripts/peers.sh [ROUNDS] [quick]   build, measure what is not measured yet, print a short table
#   scripts/peers.sh --full [quick]     print all tables of what was measured
#   scripts/peers.sh --write            put the tables in docs/evidence/tables/peers.log, the short one in docs/evidence/peers.md
#                                       and, if it has a place for one, in README.md
#   scripts/peers.sh --fresh [quick]    forget what was measured
#   scripts/peers.sh --build            only build
#   scripts/peers.sh --next [ROUNDS] [quick]
#                                       only measure the next piece: one harness in one round
#                                       (criterion in three parts)
#
# In each of the ROUNDS (3) every harness measures every kernel once with its own defaults, the
# harnesses in random order. The length of the core's cycle is read just before and after each
# measurement. With `quick` the harnesses that have a quick mode use it, for trying. A round takes
# about five minutes, four of which are criterion's. What is measured is kept in a file in the target
# directory, so that a run that was interrupted goes on where it was.
#
# The tables go between the lines `<!-- peers -->` and `<!-- end -->` of the documents.
#
# benches/peers/README.md says how each harness is used. It downloads the other harnesses.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
workspace=$root/benches/peers
target=${CARGO_TARGET_DIR:-$root/target}/peers
unset CARGO_TARGET_DIR
executables=$target/executables

fail() { # MESSAGE
    echo "peers.sh: $1" >&2
    exit 1
}

# The executables that a build made, a line `NAME=EXECUTABLE` each.
built() { # ARGUMENT..
    cargo "$@" --manifest-path "$workspace/Cargo.toml" --target-dir "$target" \
        --message-format json-render-diagnostics \
        | sed -n 's/.*"name":"\([a-z]*\)".*"executable":"\([^"]*\)".*/\1=\2/p'
}

build() {
    mkdir -p "$target"
    {
        built bench --quiet --no-run -p peers --benches
        # The harness of the standard distribution is not stable; this variable permits it.
        RUSTC_BOOTSTRAP=1 built bench --quiet --no-run -p libtest-peer --benches \
            || echo 'peers.sh: libtest cannot be had with this compiler' >&2
    } >"$executables.new"
    mv "$executables.new" "$executables"
}

peers() { # ARGUMENT..
    [[ -f $executables ]] || fail 'nothing is built yet; run scripts/peers.sh --build'
    "$(sed -n 's/^peers=//p' "$executables")" "$@"
}

rounds=3
quick=
settings() { # [ROUNDS] [quick]
    if [[ $# -gt 0 && $1 =~ ^[1-9][0-9]*$ ]]; then
        rounds=$1
        shift
    fi
    if [[ $# -gt 0 && $1 == quick ]]; then
        quick=quick
        shift
    fi
    [[ $# -eq 0 ]] || fail "\`$1\` is neither a number of rounds nor \`quick\`"
    results=$target/results${quick:+-quick}.jsonl
}

measure() { # all|next
    local harnesses
    mapfile -t harnesses < <(grep -v '^peers=' "$executables")
    peers measure "$results" "$rounds" "$1" $quick "${harnesses[@]}"
}

# Puts what is read between the markers of a document.
replace() { # FILE
    local file=$1
    grep -q '^<!-- peers -->$' "$file" || fail "$file has no line \`<!-- peers -->\`"
    awk -v table="$(cat)" '
        $0 == "<!-- peers -->" { inside = 1; print; print ""; print table; print "" }
        inside && /^<!-- end -->$/ { inside = 0 }
        !inside { print }
    ' "$file" >"$target/document"
    cat "$target/document" >"$file"
}

case ${1-} in
--write)
    [[ $# -eq 1 ]] || fail '--write takes nothing else'
    settings
    peers table "$results" full | replace "$root/docs/evidence/tables/peers.log"
    peers table "$results" short | replace "$root/docs/evidence/peers.md"
    if grep -q '^<!-- peers -->$' "$root/README.md"; then
        peers table "$results" short | replace "$root/README.md"
    fi
    ;;
--build) build ;;
--next)
    settings "${@:2}"
    measure next
    ;;
--full)
    settings "${@:2}"
    peers table "$results" full
    ;;
--fresh)
    settings "${@:2}"
    rm -f "$results"
    ;;
*)
    settings "$@"
    build
    measure all
    peers table "$results" short
    ;;
esac
