#!/usr/bin/env python3
"""How large the sources are, as a table with a column for each revision.

    scripts/size.py [--style] [REVISION..]     HEAD by default

`src` is below `crates/*/src`; code is without comments, blank lines and tests. "What was added" leaves out the modules
of the capabilities that came after the first of the revisions (a list below): suites of criterion, pictures and
reports, exports, commands, settings, sweeps, latencies and Windows.

With `--style`, a table of each crate, tests too: chains over shadowed names, arms of `match` on a bool, and files named
by a participle.
"""
import collections
import io
import re
import statistics
import subprocess
import sys
import tarfile

ADDED = re.compile(
    r"crates/(tourbillon-criterion|tourbillon-criterion-files|tourbillon-pictures)/"
    r"|crates/cargo-tourbillon/src/(commands|report|export|config)"
    r"|crates/tourbillon-report/src/(criterion|sweeps|latencies|assertions)"
    r"|crates/tourbillon-analysis/src/(sweep|latenc)"
    r"|crates/[^/]+/src/.*(windows|latenc|config_file|machine_lock)"
)

CHAIN = re.compile(r"\blet (?:mut )?(\w+)(?:: [^=;]+?)? =\s+\1\s*[.?]")
BOOL_ARM = re.compile(r"\b(?:true|false) =>")
PARTICIPLE = re.compile(r"(?:[a-z_]+ed|held|shown|found|told|meant|made|kept|drawn|taken|written)\.rs")


def sources(revision):
    archive = subprocess.run(
        ["git", "archive", revision, "crates"], check=True, stdout=subprocess.PIPE
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        for member in files:
            if member.name.endswith(".rs"):
                yield member.name, files.extractfile(member).read().decode()


def code_lines(text):
    """Lines outside of comments and of items for tests only."""
    count = depth = 0
    in_test = opened = False
    for line in text.splitlines():
        stripped = line.strip()
        if in_test:
            depth += line.count("{") - line.count("}")
            opened = opened or "{" in line
            in_test = depth > 0 if opened else not stripped.endswith(";")
        elif stripped.startswith(("#[cfg(test)]", "#[cfg(all(test")):
            in_test, opened, depth = True, False, 0
        elif stripped and not stripped.startswith("//"):
            count += 1
    return count


def column(revision):
    files = list(sources(revision))
    src = [(path, text) for path, text in files if "/src/" in path and not path.endswith("/tests.rs")]
    code = {path: code_lines(text) for path, text in src}
    all_text = "\n".join(text for _, text in files)
    return [
        len(files),
        sum(text.count("\n") for _, text in files),
        len(src),
        sum(code.values()),
        sum(lines for path, lines in code.items() if not ADDED.search(path)),
        sum(1 for path in code if not ADDED.search(path)),
        statistics.median(code.values()),
        sum(1 for lines in code.values() if lines < 50),
        sum(1 for _, text in src if text.count("\n") > 400),
        len(re.findall(r"^\s*#\[inline\(never\)\]", all_text, re.M)),
        len(re.findall(r"cfg\((?:all\(|any\(|not\()*feature", all_text)),
    ]


NAMES = [
    "files, tests too",
    "lines, tests and comments too",
    "files in `src`",
    "lines of code in `src`",
    "of these, without what was added",
    "files in `src`, without what was added",
    "lines of code in the median file",
    "files below 50 lines of code",
    "files above 400 lines",
    "`inline(never)`",
    "conditions on features",
]

STYLE = ["chains", "arms on a bool", "participles"]


def style(revision):
    """For each crate and all of them, how often it departs from the style."""
    counts = collections.defaultdict(lambda: [0] * len(STYLE))
    for path, text in sources(revision):
        departures = [
            len(CHAIN.findall(text)),
            len(BOOL_ARM.findall(text)),
            1 if PARTICIPLE.fullmatch(path.split("/")[-1]) else 0,
        ]
        for name in (path.split("/")[1], "all"):
            counts[name] = [sum(pair) for pair in zip(counts[name], departures)]
    return counts


def print_table(titles, rows):
    print("| | " + " | ".join(titles) + " |")
    print("|---|" + "--:|" * len(titles))
    for name, *row in rows:
        print(f"| {name} | " + " | ".join(f"{value:,g}".replace(",", " ") for value in row) + " |")


arguments = sys.argv[1:]
revisions = [argument for argument in arguments if argument != "--style"] or ["HEAD"]
if "--style" in arguments:
    columns = [style(revision) for revision in revisions]
    titles = [f"{revision}: {what}" for revision in revisions for what in STYLE]
    crates = sorted(set().union(*columns) - {"all"}) + ["all"]
    print_table(titles, [[crate, *(n for counts in columns for n in counts[crate])] for crate in crates])
else:
    print_table(revisions, zip(NAMES, *[column(revision) for revision in revisions]))
