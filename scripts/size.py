#!/usr/bin/env python3
"""How large the sources are, as a table with a column for each revision.

    scripts/size.py [REVISION..]     HEAD by default

`src` is below `crates/*/src`; code is without comments, blank lines and tests. "What was added" leaves out the modules
of the capabilities that came after the first of the revisions (a list below): suites of criterion, pictures and
reports, exports, commands, settings, sweeps, latencies and Windows.
"""
import io
import re
import statistics
import subprocess
import sys
import tarfile

ADDED = re.compile(
    r"crates/(tourbillon-criterion|tourbillon-pictures)/"
    r"|crates/cargo-tourbillon/src/(commands|report|export|config)"
    r"|crates/tourbillon-report/src/(criterion|sweeps|latencies|assertions)"
    r"|crates/tourbillon-analysis/src/(sweep|latenc)"
    r"|crates/[^/]+/src/.*(windows|latenc|config_file|machine_lock)"
)


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
    src = [(path, text) for path, text in files if "/src/" in path]
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

revisions = sys.argv[1:] or ["HEAD"]
columns = [column(revision) for revision in revisions]
print("| | " + " | ".join(revisions) + " |")
print("|---|" + "--:|" * len(revisions))
for name, *row in zip(NAMES, *columns):
    print(f"| {name} | " + " | ".join(f"{value:,g}".replace(",", " ") for value in row) + " |")
