"""agree.py FOLDER: what scripts/agree.sh prints of the runs in a folder. Exit code 1 beyond the limits."""

import glob
import itertools
import json
import math
import os
import statistics
import sys

# Largest shares: of tables that exclude a verdict, of pairs of verdicts that exclude each other.
TABLE, VERDICTS = 0.01, 0.01
# Notes that say in the table that a figure may be wrong.
MARKS = {"constant_time", "few_launches"}


def upper_bound(count, of):
    """Upper end of the one-sided 95 % interval of a share (Clopper and Pearson), by bisection."""
    if of == 0:
        return 1.0

    def at_most(share):
        terms = (
            math.lgamma(of + 1) - math.lgamma(k + 1) - math.lgamma(of - k + 1)
            + k * math.log(share) + (of - k) * math.log1p(-share)
            for k in range(count + 1)
        )
        return sum(math.exp(term) for term in terms)

    low, high = count / of, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if 0 < middle < 1 and at_most(middle) > 0.05:
            low = middle
        else:
            high = middle
    return high


def share(count, of):
    if of == 0:
        return "none"
    return f"{count} of {of} (at most {100 * upper_bound(count, of):.2f} %)"


def condition(path):
    return os.path.basename(path).rsplit("-", 1)[0]


def conditions(folder):
    """Those that runs of this harness were made under, the quiet one first."""
    found = {condition(path) for path in glob.glob(os.path.join(folder, "*.jsonl"))}
    return sorted((name for name in found if "-" not in name), key=lambda name: (name != "quiet", len(name), name))


class Run:
    """The results and the verdicts of a run."""

    def __init__(self, path):
        self.condition = condition(path)
        self.results, self.verdicts, self.rows = {}, {}, []
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                line = json.loads(line)
                if line["type"] == "result" and line["metric"] == "time":
                    self.rows.append(line)
                if line["type"] == "result" and line.get("estimate") is not None:
                    self.results[line["case"], line["metric"]] = line
                elif line["type"] == "verdict":
                    self.verdicts[line["case"], line["reference"]] = line

    def table(self, case, reference):
        """The ratio of two rows, and the least and the largest that their intervals allow."""
        for metric in ("cycles", "time"):
            one = self.results.get((case, metric))
            other = self.results.get((reference, metric))
            if one and other:
                ends = [side.get(end) for side in (one, other) for end in ("lower", "upper")]
                if None in ends:
                    return None
                return one["estimate"] / other["estimate"], ends[0] / ends[3], ends[1] / ends[2]
        return None


def short(name):
    return name.split("::")[-1]


def rows(runs):
    """Rows with a figure, with a rough range, with neither; and how many ranges contain the median of the figures."""
    quiet, busy, rough, empty = {}, {}, [], 0
    for name, row in ((run.condition, row) for run in runs for row in run.rows):
        if row.get("estimate") is not None:
            figures = quiet if name == "quiet" else busy
            figures.setdefault(row["case"], []).append(row["estimate"])
        elif "rough" in row:
            rough.append((row["case"], row["rough"]))
        else:
            empty += 1
    figures = busy | quiet
    known = [(statistics.median(figures[case]), ends) for case, ends in rough if case in figures]
    missed = sum(not ends["lower"] <= median <= ends["upper"] for median, ends in known)
    figures_of = [*quiet.values(), *busy.values()]
    print("**all runs**\n")
    print(f"* rows with a figure: {sum(map(len, figures_of))}, with a rough range: {len(rough)}, with neither: {empty}")
    print(f"* the median of the case's figures, of quiet runs where it has some, is not in its rough range: {share(missed, len(known))}")


def is_same_code(case, reference):
    """Whether two cases do the same work: their ratio is 1."""
    return "::self_timed::" in case or (short(case).startswith("other") and short(reference).startswith("one"))


def self_timed(runs):
    """Bodies that time themselves, next to the same work timed by the harness: their ratio is 1."""
    compared, lacking, off = 0, [], []
    for number, run in enumerate(runs):
        rows = {row["case"].replace("::own[", "::iter["): row for row in run.rows if "::self_timed::own[" in row["case"]}
        for row, reference in ((rows[row["case"]], row) for row in run.rows if row["case"] in rows):
            ends = [side.get("rough", side).get(end) or 0.0 for side in (row, reference) for end in ("lower", "upper")]
            if not ends[1] or not ends[3]:
                continue
            compared += 1
            if ends[1] < ends[2] or ends[0] > ends[3]:
                lacking.append("  run {}: {} [{:.1f}, {:.1f}] ns, not [{:.1f}, {:.1f}]".format(number, short(row["case"]), *ends))
            notes = {note["note"] for note in row["notes"]}
            if row.get("estimate") and reference.get("estimate") and not notes & MARKS:
                ratio = row["estimate"] / reference["estimate"]
                if abs(math.log(ratio)) > math.log(1.05):
                    off.append(f"  run {number}: {short(row['case'])} ratio {ratio:.3f}, notes: {sorted(notes)}")
    if compared:
        print(f"* bodies that time themselves whose interval or range lacks the ratio 1: {share(len(lacking), compared)}")
        print(f"* off by more than 5 % without a mark: {share(len(off), compared)}\n")
        print(*lacking, *off, sep="\n")


def peer_run(path):
    """The ratio of each pair in a run of another harness."""
    with open(path, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    times = {row["case"]: row["estimate"] for row in rows}
    pairs = [(row["case"], row["reference"]) for row in rows if row["reference"]]
    return {pair: times[pair[0]] / times[pair[1]] for pair in pairs if times[pair[0]] and times[pair[1]]}


def own_run(path, pairs):
    """The ratios of the same pairs in a run of this harness: of the rows of the table, and of the verdicts."""
    run, rows, verdicts = Run(path), {}, {}
    for (case, reference), verdict in run.verdicts.items():
        pair, table = (short(case), short(reference)), run.table(case, reference)
        if pair in pairs and table:
            rows[pair] = table[0]
        if pair in pairs and verdict.get("ratio"):
            verdicts[pair] = verdict["ratio"]
    return rows, verdicts


def spread(runs):
    """What the table has of the runs of a harness: by what factor the ratio of a pair differs between two of them."""
    factors = sorted(
        math.exp(abs(math.log(one[pair] / other[pair])))
        for one, other in itertools.combinations(runs, 2)
        for pair in one.keys() & other.keys()
    )
    quantiles = [f"{factors[int(at * (len(factors) - 1))]:.3f}" if factors else "" for at in (0.5, 0.9, 1)]
    same = [ratio for run in runs for pair, ratio in run.items() if is_same_code(*pair)]
    off = sum(abs(math.log(ratio)) > math.log(1.02) for ratio in same)
    return len(runs), sum(map(len, runs)), len(factors), *quantiles, f"{off} of {len(same)}"


def peers(folder):
    """The table of all harnesses, if others than this one were run."""
    lines = []
    for name in conditions(folder):
        paths = {
            harness: sorted(glob.glob(os.path.join(folder, f"{harness}{name}-*.jsonl")))
            for harness in ("criterion-", "divan-", "zenbench-", "")
        }
        own, measured = paths.pop(""), {}
        for others in filter(None, paths.values()):
            with open(others[0] + ".txt", encoding="utf-8") as settings:
                measured[settings.readline().strip()] = [peer_run(path) for path in others]
        pairs = {pair for runs in measured.values() for run in runs for pair in run}
        if pairs and own:
            rows, verdicts = zip(*(own_run(path, pairs) for path in own))
            measured |= {"tourbillon, its table": rows, "tourbillon, its verdicts": verdicts}
        lines += [(harness, name, *spread(runs)) for harness, runs in measured.items()]
    if lines:
        print("\n**the ratio of a pair in two runs**\n")
        print("| harness | condition | runs | ratios | pairs of them | median factor between two | 90 % within | largest "
              "| same code off by more than 2 % |\n|---|---|--:|--:|--:|--:|--:|--:|--:|")
        for cells in lines:
            print("|", " | ".join(map(str, cells)), "|")


def main(folder):
    wrong, all_runs = False, []
    for name in conditions(folder):
        paths = sorted(glob.glob(os.path.join(folder, f"{name}-*.jsonl")))
        runs = [Run(path) for path in paths]
        if not runs:
            continue
        all_runs += runs
        compared, apart, same, different, widths, undecided, no_table = 0, [], 0, [], [], 0, 0
        by_pair = {}
        for number, run in enumerate(runs):
            for (case, reference), verdict in run.verdicts.items():
                lower, upper = verdict.get("lower"), verdict.get("upper")
                undecided += verdict["verdict"] == "undecided"
                if is_same_code(case, reference):
                    same += 1
                    if verdict["verdict"] in ("faster", "slower"):
                        different.append((case, verdict))
                if lower is None:
                    continue
                widths.append(math.sqrt(upper / lower) - 1)
                by_pair.setdefault((case, reference), []).append((lower, upper))
                table = run.table(case, reference)
                if table is None:
                    no_table += 1
                    continue
                compared += 1
                if table[2] < lower or table[1] > upper:
                    apart.append((number, case, reference, table, verdict))
        pairs, excluding = 0, []
        for names, intervals in by_pair.items():
            for at, one in enumerate(intervals):
                for other in intervals[:at]:
                    pairs += 1
                    if one[1] < other[0] or other[1] < one[0]:
                        excluding.append((names, one, other))
        widths.sort()
        verdicts = sum(len(run.verdicts) for run in runs)
        if not widths:
            continue
        print(f"**{name}, {len(runs)} runs, {verdicts} verdicts**\n")
        print(f"* table and verdict exclude each other: {share(len(apart), compared)}")
        print(f"* verdicts of two runs exclude each other: {share(len(excluding), pairs)}")
        print(f"* the same code called different: {share(len(different), same)}")
        print(f"* half-width of an interval: median {100 * widths[len(widths) // 2]:.2f} %, "
              f"nine of ten within {100 * widths[len(widths) * 9 // 10]:.1f} %; undecided: {undecided}; "
              f"without an interval: {verdicts - len(widths)}; of a row without a figure: {no_table}\n")
        for number, case, reference, table, verdict in apart:
            print(f"  run {number}: {short(case)} : {short(reference)} table {table[0]:.4f} "
                  f"[{table[1]:.4f}, {table[2]:.4f}], verdict {verdict['ratio']:.4f} "
                  f"[{verdict['lower']:.4f}, {verdict['upper']:.4f}]")
        for (case, reference), one, other in excluding:
            print(f"  {short(case)} : {short(reference)} [{one[0]:.4f}, {one[1]:.4f}] and [{other[0]:.4f}, {other[1]:.4f}]")
        for case, verdict in different:
            print(f"  {short(case)} is the same code: {verdict['verdict']} "
                  f"{verdict['ratio']:.4f} [{verdict['lower']:.4f}, {verdict['upper']:.4f}]")
        wrong |= len(apart) > TABLE * compared or len(excluding) > VERDICTS * pairs
        self_timed(runs)
    if all_runs:
        rows(all_runs)
    peers(folder)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
