#!/usr/bin/env bash
# Is the answer of one executable the same in every run? Runs a bench executable again and again at default
# settings, on a quiet machine and next to a process that keeps a core busy, in random order, and prints how
# often the intervals of two runs exclude each other, how wide the intervals are, and which cases differ most.
#
#   scripts/reproducible.sh [OPTION..] [RUNS] [FOLDER] [-- ARGUMENT..]
#   scripts/reproducible.sh --peers [OPTION..] [RUNS] [FOLDER]
#                                 the same question to other harnesses, next to this one
#   scripts/reproducible.sh --table FOLDER..
#                                 print what is in folders, side by side; measure nothing
#
#   --bench [NAME=]EXECUTABLE     run this executable; given several times, each with a NAME, the executables
#                                 take turns (BENCH=EXECUTABLE does the same as one)
#   --held-out                    run the bodies that were kept for checking
#   --seed NUMBER                 draw another order of the runs (1)
#
# RUNS (6) of each condition, of some 20 seconds each. What was measured is in FOLDER, a new one in
# target/reproducible by default: NAME/quiet/NUMBER.jsonl, NAME/busy/NUMBER.jsonl and, with all samples,
# NAME/store. Runs are added to those that FOLDER has. ARGUMENTs go to the executable. CONDITIONS=quiet or
# CONDITIONS=busy is one of the two alone.
#
# Exit code 1 when more than 1 % of the pairs of runs exclude each other, of cases that do not wait for
# memory, or more than 2 % of the rows have no interval across processes; where there are several
# executables, the tables alone are printed.
#
# With --peers, a run of all harnesses takes three to six minutes, nearly all of which are criterion's: six runs of
# both conditions take about an hour. It downloads the other harnesses.
#
# Nothing else should run on the machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() { # MESSAGE
    echo "reproducible.sh: $1" >&2
    exit 2
}

names=()
executables=()
bench() { # [NAME=]EXECUTABLE
    local name= executable=$1
    if [[ $1 == *=* ]]; then
        name=${1%%=*}
        executable=${1#*=}
    fi
    [[ -x $executable ]] || fail "there is no executable $executable; build it with cargo bench --no-run"
    names+=("$name")
    executables+=("$(realpath "$executable")")
}

target=reproducible
seed=1
peers=
table=
runs=6
folder=target/reproducible/$(date +%Y-%m-%d-%H%M%S)
words=()
arguments=()
while (($#)); do
    case $1 in
    --bench)
        [[ $# -gt 1 ]] || fail '--bench takes an executable'
        bench "$2"
        shift
        ;;
    --seed)
        [[ ${2-} =~ ^[0-9]+$ ]] || fail '--seed takes a whole number'
        seed=$2
        shift
        ;;
    --held-out) target=reproducible_held_out ;;
    --peers) peers=yes ;;
    --table) table=yes ;;
    --)
        arguments=("${@:2}")
        break
        ;;
    -*) fail "there is no option $1; the first lines of the script name them" ;;
    *) words+=("$1") ;;
    esac
    shift
done

# The executables that cargo makes, a line `NAME=EXECUTABLE` each.
built() { # KIND ARGUMENT..
    local kind=$1
    shift
    cargo "$@" -q --message-format=json \
        | sed -n 's/.*"kind":\["'"$kind"'"\].*"name":"\([a-z_]*\)".*"executable":"\([^"]*\)".*/\1=\2/p'
}
one() { # NAME KIND ARGUMENT..
    built "${@:2}" | sed -n "s/^$1=//p"
}

agreement=$(one agreement bin build --profile bench -p evidence --bin agreement)
if [[ $table ]]; then
    [[ ${#words[@]} -gt 0 ]] || fail '--table takes folders'
    "$agreement" "${words[@]}"
    exit
fi

[[ ${#words[@]} -le 2 ]] || fail "\`${words[2]}\` is one argument too many; RUNS and FOLDER are all"
runs=${words[0]:-$runs}
[[ $runs =~ ^[1-9][0-9]*$ ]] || fail "RUNS is a whole number from 1, not \`$runs\`"
folder=${words[1]:-$folder}
read -ra conditions <<<"${CONDITIONS:-quiet busy}"
for condition in "${conditions[@]}"; do
    [[ $condition =~ ^(quiet|busy)$ ]] || fail "CONDITIONS are quiet and busy, not \`$condition\`"
done

# The executables, built before the first run: nothing is compiled beside a measurement.
tries=$(one tries bin build --profile bench -p evidence --bin tries)
if [[ $peers ]]; then
    [[ ${#names[@]} -eq 0 ]] || fail '--peers and --bench exclude each other'
    workspace=(--manifest-path benches/peers/Cargo.toml --target-dir "${CARGO_TARGET_DIR:-target}/peers")
    repeat=$(one peers bin build --release "${workspace[@]}" --bin peers)
    for name in tourbillon criterion divan zenbench; do
        bench "$name=$(one "bodies_$name" bench bench --no-run "${workspace[@]}" --bench "bodies_$name")"
    done
elif [[ ${#names[@]} -eq 0 ]]; then
    bench "${BENCH:-$(one "$target" bench bench --no-run -p examples --bench "$target")}"
elif [[ ${#names[@]} -gt 1 ]]; then
    for name in "${names[@]}"; do
        [[ $name ]] || fail 'several executables need names; write --bench NAME=EXECUTABLE'
    done
fi

burner=
stop() {
    if [[ $burner ]]; then
        kill "$burner" 2>/dev/null || true
        wait "$burner" 2>/dev/null || true
        burner=
    fi
}
trap stop EXIT

measure() { # NUMBER CONDITION
    local own=$folder/${names[$1]} name=${names[$1]:-$target} executable=${executables[$1]}
    mkdir -p "$own/$2"
    local number
    number=$(printf '%03d' $(($(find "$own/$2" -name '*.jsonl' | wc -l) + 1)))
    local file=$own/$2/$number
    local begin=$SECONDS
    if [[ $2 == busy ]]; then
        "$tries" burn &
        burner=$!
    fi
    local command=("$executable" --bench --store "$own/store" --format jsonl "${arguments[@]}")
    if [[ $peers && $name != tourbillon ]]; then
        command=("$repeat" repeat bodies "$name" "$executable" "$own/running")
    fi
    "${command[@]}" >"$file.part" 2>"$file.txt" \
        || fail "$executable ended with $?; $file.txt holds what it printed"
    stop
    mv "$file.part" "$file.jsonl"
    echo "$name, $2, run $number: $((SECONDS - begin)) s" >&2
}

mkdir -p "$folder"
folder=$(realpath "$folder")
RANDOM=$seed
for ((run = 0; run < runs; run++)); do
    turns=()
    for number in "${!names[@]}"; do
        for condition in "${conditions[@]}"; do
            turns+=("$number $condition")
        done
    done
    # Fisher and Yates.
    for ((last = ${#turns[@]} - 1; last > 0; last--)); do
        other=$((RANDOM % (last + 1)))
        turn=${turns[last]}
        turns[last]=${turns[other]}
        turns[other]=$turn
    done
    for turn in "${turns[@]}"; do
        # shellcheck disable=SC2086 # two words
        measure $turn
    done
done
echo "The runs are in $folder." >&2
"$agreement" "$folder"
