#!/usr/bin/env bash
# Runs the job files for Slurm of docs/how-to/partition-engines.md by a controller and a node of its own, on this machine: an array
# of four shards, of which one is killed twice and put back, once while it measures and once while it writes its record.
# The merge of all must have the cases, verdicts and errors of one process that measured everything. About two minutes.
#
#   scripts/slurm.sh
#
# The daemons listen on 127.0.0.1 only, with a key, a configuration and folders of their own, and end with this script
# however it ends. Installs Debian's Slurm and munge where it can, and prints SKIPPED with the reason where it cannot.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

skip() {
    echo "SKIPPED: $1"
    exit 0
}

are_here() { # PROGRAM..
    local program
    for program; do
        command -v "$program" > /dev/null || return 1
    done
}

PATH=$PATH:/usr/sbin:/sbin
programs=(slurmctld slurmd sbatch scontrol scancel munged munge)
[ "$(uname -s)" = Linux ] || skip "Slurm needs Linux"
are_here setpriv || skip "setpriv is not here (util-linux)"
are_here python3 || skip "python3 is not here"
[ "$(id -u)" = 0 ] || skip "only root may run a node of Slurm for others"
if ! are_here "${programs[@]}"; then
    are_here apt-get || skip "no Slurm, and no apt-get to install it"
    apt-get update -qq > /dev/null 2>&1 || skip "no Slurm, and the package lists cannot be had"
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends slurm-wlm munge \
        > /dev/null 2>&1 || skip "the packages slurm-wlm and munge cannot be installed"
    are_here "${programs[@]}" || skip "Slurm was installed, and is not found"
fi
cargo build -q -p cargo-tourbillon --bin cargo-tourbillon

folder=$(mktemp -d)
nodes=() # the controller and the node
munged=
user=
started_here() { # [VARIABLE]      processes whose environment has our configuration, and a variable with this name
    local process variables
    for process in /proc/[0-9]*; do
        variables=$(tr '\0' '\n' 2> /dev/null < "$process/environ") || continue
        [[ $'\n'$variables$'\n' = *$'\n'"SLURM_CONF=$folder/slurm.conf"$'\n'* ]] || continue
        [[ $'\n'$variables = *$'\n'"${1:-}="* ]] || [ $# = 0 ] || continue
        echo "${process#/proc/}"
    done
}
end() { # SIGNAL PROCESS..
    kill "-$1" "${@:2}" 2> /dev/null || true
}
end_daemons() { # PROCESS..      each has ten seconds
    local process
    for process; do
        end TERM "$process"
        for _ in $(seq 100); do
            kill -0 "$process" 2> /dev/null || break
            sleep 0.1
        done
        end KILL "$process"
        wait "$process" 2> /dev/null || true
    done
}
stop() {
    trap '' HUP INT TERM
    [ -z "$user" ] || end TERM "$user"
    # Jobs first: what starts their processes ends with them.
    for process in $(started_here SLURM_JOB_ID); do
        end KILL "$process"
    done
    end_daemons "${nodes[@]}" ${munged:+"$munged"}
    for process in $(started_here); do
        end KILL "$process"
    done
    rm -rf "$folder"
}
trap stop EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# A path to the socket for every user, as munged demands.
chmod 711 "$folder"
mkdir "$folder/state" "$folder/spool"
(umask 077 && head -c 1024 /dev/urandom > "$folder/munge.key")

start() { # NAME COMMAND..      its number is then in $!
    # The signal ends the daemon if this script is killed.
    setpriv --pdeathsig TERM "${@:2}" > "$folder/$1.log" 2>&1 &
}
show_logs() {
    tail -n 20 "$folder"/*.log >&2
}

start munged munged --foreground --force --socket="$folder/munge.socket" --key-file="$folder/munge.key" \
    --log-file="$folder/munged.log" --pid-file="$folder/munged.pid" --seed-file="$folder/munged.seed"
munged=$!
feature=$(sed -n 's/^#SBATCH --constraint=//p' docs/how-to/partition-engines.md)
name=$(hostname -s)
started=
for _ in 1 2 3 4 5; do
    port=$((20000 + RANDOM % 12000))
    cat > "$folder/slurm.conf" << EOF
ClusterName=bench
SlurmctldHost=$name(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
# A task that is put back starts after so many seconds: the fewest that Slurm takes.
AuthInfo=socket=$folder/munge.socket,cred_expire=5
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
KillWait=5
ReturnToService=2
NodeName=$name NodeAddr=127.0.0.1 CPUs=4 Feature=$feature State=UNKNOWN
PartitionName=bench Nodes=$name Default=YES MaxTime=INFINITE State=UP
EOF
    export SLURM_CONF=$folder/slurm.conf
    start slurmctld slurmctld -D -f "$SLURM_CONF"
    nodes=($!)
    start slurmd slurmd -D -f "$SLURM_CONF"
    nodes+=($!)
    for _ in $(seq 300); do
        if scontrol show node -o 2> /dev/null | grep -q 'State=IDLE'; then
            started=yes
            break 2
        fi
        kill -0 "${nodes[0]}" 2> /dev/null && kill -0 "${nodes[1]}" 2> /dev/null || break
        sleep 0.1
    done
    end_daemons "${nodes[@]}"
    nodes=()
    grep -qi 'address already in use' "$folder"/slurm*.log || break
done
[ -n "$started" ] || {
    show_logs
    exit 1
}
PYTHONDONTWRITEBYTECODE=1 python3 scripts/slurm.py "${CARGO_TARGET_DIR:-target}/debug/cargo-tourbillon" "$folder" &
user=$!
wait "$user" || {
    code=$?
    show_logs
    exit "$code"
}
