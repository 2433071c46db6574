"""The Markdown tables of what the log folder holds, and its lines as TSV."""

import json
from collections import Counter
from pathlib import Path

from blocks import put

from . import bodies
from .prepare import TOOLS
from .suites import ROOT, Failure

COLUMNS = (
    "suite commit version lines benchmarks missing added failed no_figure below_resolution notes with_files by_critcmp with_interval seconds half "
    "drawn criterion_seconds tourbillon_seconds criterion_half tourbillon_half ratio"
).split()

# The places of suites, with their titles.
PLACES = {"cargo_bench": "`cargo bench`", "nextest": "`cargo nextest`", "valgrind": "Valgrind", "runner": "`--runner`"}


def row(suite, kind):
    """The members of a suite's line; those that are not measured are empty."""
    prepared, result = suite.record("prepare"), suite.record(kind)
    if not prepared or "tourbillon" not in prepared:
        return None
    found = {
        "suite": suite.name,
        "commit": prepared["commit"][:7],
        "version": prepared["version"],
        "lines": prepared["lines"],
        "benchmarks": sum(len(program["names"]) for program in prepared["tourbillon"]["programs"]),
        "missing": len(prepared.get("missing", [])),
        "added": len(prepared.get("added", [])),
    }
    if result:
        whole = result["whole"]
        without = whole["without"]
        found |= {
            "failed": sum("no figure: failed" in line for line in without),
            "below_resolution": sum("below the resolution" in line for line in without),
            # A run of before they were counted has none.
            "notes": len(whole["notes"]) if "notes" in whole else "–",
            "no_figure": sum("no figure" in line and "no figure: failed" not in line for line in without),
            **{name: whole[name] for name in ("with_files", "by_critcmp", "with_interval", "seconds", "half")},
            "drawn": result["drawn"],
            "ratio": result["ratio"],
        }
        for tool in TOOLS:
            found |= {f"{tool}_{name}": result[tool][name] for name in ("seconds", "half")}
    return found


def tsv(suites, kind):
    """One line for each suite."""
    lines = ["\t".join(COLUMNS)]
    for found in filter(None, (row(suite, kind) for suite in suites)):
        lines.append("\t".join(str(found.get(name, "")) for name in COLUMNS))
    return "\n".join(lines) + "\n"


def percent(share):
    if share is None:
        return "–"
    return f"{100 * share:.0f} %" if share >= 1 else f"{100 * share:.2g} %"


def seconds(value):
    return "–" if value is None else f"{value:.0f} s" if value >= 10 else f"{value:.1f} s"


def names_table(suites, kind):
    """Names, files and failures of whole suites."""
    out = [
        "| suite | commit | criterion | lines changed | benchmarks | names missing, added | failed | no figure | below resolution "
        "| notes | with files | read by critcmp |",
        "|---|---|---|" + "--:|" * 9,
    ]
    for found in filter(None, (row(suite, kind) for suite in suites)):
        cells = [found.get(name, "–") for name in ("failed", "no_figure", "below_resolution", "notes", "with_files", "by_critcmp")]
        out.append(
            f"| {found['suite']} | {found['commit']} | {found['version']} | {found['lines']} | {found['benchmarks']} "
            f"| {found['missing']}, {found['added']} | {' | '.join(map(str, cells))} |"
        )
    return "\n".join(out)


def times_table(suites, kind):
    """Times and half-widths: whole suites here, and the same drawn benchmarks by both."""
    out = [
        "| suite | whole suite here | with an interval | half-width | drawn | criterion | here | share | half-width, criterion (95 %) "
        "| half-width, here (99 %) | here / criterion |",
        "|---|" + "--:|" * 10,
    ]
    for found in filter(None, (row(suite, kind) for suite in suites)):
        if "drawn" not in found:
            continue
        theirs, ours = (found[f"{tool}_seconds"] for tool in TOOLS)
        out.append(
            f"| {found['suite']} | {seconds(found['seconds'])} | {found['with_interval']} of {found['benchmarks']} | {percent(found['half'])} "
            f"| {found['drawn']} | {seconds(theirs)} | {seconds(ours)} | {percent(ours / theirs if theirs else None)} "
            f"| {percent(found['criterion_half'])} | {percent(found['tourbillon_half'])} "
            f"| {'–' if found['ratio'] is None else format(found['ratio'], '.3f')} |"
        )
    return "\n".join(out)


def aa_table(suites, kind):
    """Verdicts of all rounds."""
    out = ["| suite | rounds | verdicts here | neither same nor undecided | seconds | criterion | improved or regressed | seconds |"]
    out.append("|---|--:|---|--:|--:|---|--:|--:|")
    totals = {tool: Counter() for tool in TOOLS}
    for suite in suites:
        paths = sorted(suite.log.glob(f"{kind}-[0-9]*.json"))
        if not paths:
            continue
        rounds = [json.loads(path.read_text()) for path in paths]
        counts = {tool: sum((Counter(one[tool]["counts"]) for one in rounds), Counter()) for tool in TOOLS}
        spent = {tool: sum(one[tool]["seconds"] for one in rounds) for tool in TOOLS}
        for tool in TOOLS:
            totals[tool] += counts[tool]
        out.append(aa_line(suite.name, str(len(paths)), counts, spent))
    if len(out) > 3:
        out.append(aa_line("all", "", totals, None))
    return "\n".join(out)


def aa_line(name, rounds, counts, spent):
    cells = []
    for tool, fine in (("tourbillon", ("same", "undecided")), ("criterion", ("none", "within noise"))):
        own = counts[tool]
        shown = ", ".join(f"{count} {verdict}" for verdict, count in sorted(own.items()))
        wrong = sum(count for verdict, count in own.items() if verdict not in fine)
        cells += [shown, str(wrong), seconds(spent[tool]) if spent else ""]
    return f"| {name} | {rounds} | {' | '.join(cells)} |"


def corpus_table(log):
    """What compiles of each repository, and the sum."""
    out = ["| repository | commit | files that use criterion | compile here | targets that compile with criterion only | targets with neither |"]
    out.append("|---|---|--:|--:|--:|--:|")
    sums, repositories = Counter(), 0
    for path in sorted((Path(log) / "corpus").glob("*.json"), key=lambda path: path.name.lower()):
        found = json.loads(path.read_text())
        if "failure" in found or not found["files"]:
            continue
        counts = {name: len(found[name]) for name in ("files", "ours", "ours_only_fails", "both_fail")}
        sums.update(counts)
        repositories += 1
        out.append(f"| {path.stem.replace('+', '/')} | {found['commit'][:7]} | {' | '.join(str(count) for count in counts.values())} |")
    if repositories:
        out.append(f"| {repositories} repositories | | {' | '.join(str(sums[name]) for name in ('files', 'ours', 'ours_only_fails', 'both_fail'))} |")
    return "\n".join(out)


def places_table(suites):
    """Where the benchmarks of suites were right, of how many."""
    out = ["| suite | commit | crate | lines changed | benchmarks | " + " | ".join(PLACES.values()) + " |"]
    out.append("|---|---|---|" + "--:|" * (2 + len(PLACES)))
    sums, benchmarks = Counter(), 0
    for suite in suites:
        found = suite.record("places")
        if not found:
            continue
        names = row(suite, "run")
        benchmarks += names["benchmarks"]
        cells = []
        for place in PLACES:
            of = found.get(place)
            cells.append(f"{of['right']} of {of['names']}{'' if of['all_right'] else ' !'}" if of else "–")
            sums.update({place: of["right"], f"{place} of": of["names"]} if of else {})
        first = (suite.name, names["commit"], names["version"], names["lines"], names["benchmarks"])
        out.append(f"| {' | '.join(map(str, first))} | {' | '.join(cells)} |")
    totals = [f"{sums[place]} of {sums[f'{place} of']}" for place in PLACES]
    out.append(f"| {len(out) - 2} suites | | | | {benchmarks} | {' | '.join(totals)} |")
    return "\n".join(out)


def tables(log, suites, options):
    """All tables by the name of their place in the document."""
    if any(suite.record("places") for suite in suites):
        return {"places": places_table(suites)}
    kind = "trial" if options.trial else "run"
    found = {
        "names": names_table(suites, kind),
        "times": times_table(suites, kind),
        "aa": aa_table(suites, "aa-trial" if options.trial else "aa"),
        "bodies": bodies.table(log, options.trial),
        "corpus": corpus_table(log),
    }
    # Two lines are a heading.
    return {name: table for name, table in found.items() if len(table.splitlines()) > 2}


def write(found):
    """Puts the tables between the lines `<!-- NAME -->` and `<!-- end -->` of the document."""
    try:
        put(ROOT / "docs/evidence/tables/criterion-suites.log", found)
    except ValueError as error:
        raise Failure(str(error)) from error
