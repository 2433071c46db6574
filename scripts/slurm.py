"""The jobs of scripts/slurm.sh: slurm.py TOOL FOLDER, with SLURM_CONF of a cluster that has one node."""

import ctypes
import os
import re
import select
import signal
import sys
import time
from pathlib import Path

from job_files import CASES, GATE_FAILS, Place, check, complete, fail, job, run

SHARDS = 4
# The shard that is killed.
VICTIM = 2
# Seconds until a state that has to come counts as lost.
PATIENCE = 240
# With this gate in place of the page's, equal code is the same on a busy machine, too, and twice the steps are slower.
GATE = "25%"
DEFAULTS = """[compare]
time = "4s"
layouts = 8
"""
# The allowed error of all verdicts together.
ERROR = 0.001


def wait_for(what, found):
    """The first answer of a function that is not empty."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if answer := found():
            return answer
        time.sleep(0.02)
    return fail(f"{what}: nothing of it in {PATIENCE} s\n{run(['scontrol', 'show', 'job'], '/').stdout}")


def shown(one):
    """What Slurm knows about a task or a job."""
    text = run(["scontrol", "show", "job", "-o", one], "/", codes=(0, 1)).stdout
    return dict(re.findall(r"(\w+)=(\S*)", text))


def has_ended(one):
    """How a task ended, once it did."""
    about = shown(one)
    return about if about.get("JobState") in ("COMPLETED", "FAILED", "CANCELLED", "NODE_FAIL", "TIMEOUT") else None


def code(about):
    """Exit code of a job."""
    return int(about["ExitCode"].split(":")[0])


def processes(task):
    """Processes of a task of the array: the path of its program by the number of the process."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            variables = (entry / "environ").read_bytes().split(b"\0")
            if b"SLURM_ARRAY_TASK_ID=%d" % task in variables:
                found[int(entry.name)] = os.readlink(entry / "exe")
        except OSError:
            # It has ended.
            pass
    return found


def records(store):
    """The files of a store, and what each is: complete, interrupted, or torn."""
    found = {}
    for file in store.rglob("*.jsonl"):
        lines = file.read_text(errors="replace").splitlines(keepends=True)
        has_end = bool(lines) and lines[-1].startswith('{"type":"end",') and lines[-1].endswith("\n")
        found[file] = "torn" if not has_end else "complete" if complete(file) else "interrupted"
    return found


def requeue(task):
    """Puts a task back into the line, once Slurm has noticed that it ended."""
    wait_for(f"the end of {task}", lambda: has_ended(task))
    wait_for(f"scontrol requeue {task}", lambda: run(["scontrol", "requeue", task], "/", codes=(0, 1)).returncode == 0)


def agree(shards, one):
    """Whether both have the same cases, with the same margins, and no verdict contradicts the other one."""

    def agrees(case):
        (verdict, margin, _), (other, same_margin, _) = shards[case], one[case]
        # On a busy machine it is a matter of chance what remains undecided.
        return margin == same_margin and (verdict == other or "undecided" in (verdict, other))

    return shards.keys() == one.keys() and all(map(agrees, one))


def kill_while_it_measures(place, task):
    """By Slurm, after some launches."""
    seen = set()

    def measures():
        seen.update(pid for pid, program in processes(VICTIM).items() if program.startswith(str(place.folder / "cache")))
        return len(seen) > 10

    wait_for(f"launches of {task}", measures)
    run(["scancel", "--signal=KILL", task], "/")
    wait_for(f"the end of the processes of {task}", lambda: not processes(VICTIM))


def kill_while_it_writes(folder, task):
    """As soon as the file of the record is there."""
    libc = ctypes.CDLL(None, use_errno=True)
    watch = libc.inotify_init1(os.O_CLOEXEC)
    in_create = 0x100
    if watch < 0 or libc.inotify_add_watch(watch, bytes(folder), in_create) < 0:
        fail(f"{folder} cannot be watched: {os.strerror(ctypes.get_errno())}")
    ours = wait_for(f"a process of {task}", lambda: [
        pid for pid, program in processes(VICTIM).items() if program.endswith("/cargo-tourbillon")
    ])
    if not select.select([watch], [], [], PATIENCE)[0]:
        fail(f"{task} writes no record")
    os.kill(ours[0], signal.SIGKILL)
    os.close(watch)


def judged(file):
    """What a record says about each case: the verdict, the margin, and among how many cases the error was divided."""
    verdicts = [line for lines in complete(file) for line in lines if line["type"] == "verdict"]
    return {line["case"]: (line["verdict"], line["margin"], round(ERROR / (1 - line["confidence"]))) for line in verdicts}


def main():
    tool, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    place = Place(folder, tool)
    checkout = place.checkout
    (checkout / "tourbillon.toml").write_text(DEFAULTS)
    for name in ["bench.sbatch", "merge.sbatch"]:
        (checkout / name).write_text(job(name).replace("--gate 2%", f"--gate {GATE}"))
    submitted = run(["bash", "-euo", "pipefail", "-c", job("submit") + 'echo "array $array"\n'], checkout, place.env)
    array = re.search(r"^array (\d+)$", submitted.stdout, re.M)[1]
    merge = re.search(r"^Submitted batch job (\d+)$", submitted.stdout, re.M)[1]
    tasks = [f"{array}_{task}" for task in range(1, SHARDS + 1)]
    victim = tasks[VICTIM - 1]
    store = checkout / f"results/{VICTIM}"
    # The merge begins when the last task ends: none may be the last before the victim is in the line again.
    run(["scontrol", "hold", tasks[-1]], "/")

    kill_while_it_measures(place, victim)
    left = records(store)
    print(f"killed: shard {VICTIM} while it measured; its folder has {list(left.values())}", flush=True)
    requeue(victim)
    # Where its record will be, as that of the first shard.
    [first] = records(checkout / "results/1")
    leaf = store / first.parent.relative_to(checkout / "results/1")
    leaf.mkdir(parents=True, exist_ok=True)
    kill_while_it_writes(leaf, victim)
    left = records(store)
    requeue(victim)
    run(["scontrol", "release", tasks[-1]], "/")
    if "torn" not in left.values():
        fail(f"{victim} was killed too late: {left}")
    print(f"killed: shard {VICTIM} while it wrote its record; its folder has {list(left.values())}", flush=True)

    merged = wait_for("the end of the merge", lambda: has_ended(merge))
    output = (checkout / f"slurm-{merge}.out").read_text()
    print(f"merged: exit code {code(merged)}\n{output}", end="", flush=True)
    if code(merged) != GATE_FAILS:
        fail(f"the merge exited with {merged['ExitCode']}")
    if (restarts := shown(victim)["Restarts"]) != "2":
        fail(f"{victim} was started again {restarts} times")
    if records(store).items() - left.items() != {(file, "complete") for file in records(store).keys() - left.keys()}:
        fail(f"the folder of shard {VICTIM} has {records(store)}")
    check("slurm", [code(shown(task)) for task in tasks], SHARDS, checkout / "all.jsonl")

    words = [place.tool, "compare", "--bundle", "both.tar.gz", "--gate", GATE, "--store", "one"]
    alone = run(words, checkout, place.env, codes=[GATE_FAILS]).stdout
    [one] = records(checkout / "one")
    found = [judged(checkout / "all.jsonl"), judged(one)]
    if len(found[1]) != CASES or not agree(*found):
        fail(f"the shards found {found[0]}\none process found {found[1]}")
    decided = [verdict for verdict, *_ in found[1].values() if verdict != "undecided"]
    if decided.count("slower") != 1 or set(decided) > {"slower", "same"}:
        fail(f"one case has twice the steps, the others are equal: {found[1]}")
    # The case that is found first has its share of the error among all; it leaves that to the others, as far as they are
    # in the same process.
    for verdict, _, among in [about for of in found for about in of.values()]:
        if among not in ([CASES] if verdict == "slower" else [CASES, CASES - 1]):
            fail(f"the error of {ERROR} was not divided among {CASES} cases: {found}")
    gates = [re.findall(r"^ *gate: (?!undecided)(.*)$", text, re.M) for text in (output, alone)]
    if not gates[0] or gates[0] != gates[1]:
        fail(f"the gates found {gates}")
    print(f"holds: cases and verdicts are those of one process, each with the error {ERROR} / {CASES}; gate: {gates[0]}")


main()
