"""The history of a year of nightly runs, for `scripts/history.sh --year`.

    python3 scripts/year.py RECORD CASES FOLDER

Makes FOLDER a repository of 365 commits, and writes the record of a run of each of them: the lines of RECORD, which was
measured, without its samples, as often as it takes for so many cases. Values are drawn: a level for each case, three
machines of one kind whose levels differ by 1 %, a scatter of 0.5 %, and in one case of ten a step of 5 % at some commit.
"""

import json
import random
import subprocess
import sys
from pathlib import Path

NIGHTS, DAY_NS, SEED = 365, 86_400 * 10**9, 50


def commits(folder):
    """Makes the commits, and gives their names, the oldest first."""
    subprocess.run(["git", "init", "--quiet", "-b", "main", folder], check=True)
    stream = ""
    for night in range(NIGHTS):
        stream += f"commit refs/heads/main\ncommitter a <a@example.invalid> {1_750_000_000 + night} +0000\ndata 0\n\n"
    git = ["git", "-C", folder]
    subprocess.run([*git, "fast-import", "--quiet"], input=stream, text=True, check=True)
    listed = subprocess.run([*git, "rev-list", "--reverse", "main"], capture_output=True, text=True, check=True)
    return listed.stdout.split()


def main():
    record, count, folder = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    header, end = lines[0], lines[-1]
    results = {}
    for line in lines:
        if line["type"] == "result" and line.get("estimate"):
            results.setdefault(line["case"], []).append(line)
    measured = [line for line in lines if line["type"] == "case" and line["id"] in results]
    rng = random.Random(SEED)
    cases = []
    for number in range(count):
        case = dict(measured[number % len(measured)])
        own = results[case["id"]]
        case["id"] += f"_{number}"
        case["name"] += f"_{number}"
        step = rng.randrange(30, NIGHTS - 30) if number % 10 == 0 else NIGHTS
        cases.append((case, own, step))
    header["cases"] = count
    end.pop("lines", None)
    kept = [fact for fact in header["facts"] if fact["name"] not in ("machine", "revision", "dirty")]
    hosts = {f"night{host}": rng.gauss(1, 0.01) for host in range(3)}
    for night, commit in enumerate(commits(folder)):
        host = rng.choice(list(hosts))
        header["started_unix_ns"] = 1_750_000_000 * 10**9 + night * DAY_NS
        header["facts"] = [*kept, {"name": "machine", "value": host}, {"name": "revision", "value": commit}]
        run = [header]
        for case, own, step in cases:
            run.append(case)
            factor = hosts[host] * rng.gauss(1, 0.005) * (1.05 if night >= step else 1)
            for result in own:
                drawn = dict(result, case=case["id"])
                for name in ("estimate", "lower", "upper"):
                    if name in drawn:
                        drawn[name] = result[name] * factor
                run.append(drawn)
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in [*run, end])
        Path(folder, f"{night:03}.jsonl").write_text(text)


main()
