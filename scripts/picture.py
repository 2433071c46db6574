#!/usr/bin/env python3
"""The picture of the README: docs/picture.svg, a terminal in which its example ran, for light and dark pages.

    scripts/picture.py            runs the example some times, and draws what the calmest run printed
    scripts/picture.py --check    runs it once; exit code 1 if the picture has other columns or cases than it prints,
                                  SKIPPED if there is no picture yet
    scripts/picture.py --draw     draws standard input on standard output, with the colours of its ANSI sequences

The example is the command `first` of the README. Of at most twenty runs the calmest is drawn, the first without a note.
Where all have another note than that launches were discarded, or more than a quarter of them were, the picture stays
as it is and the exit code is 1.
"""

import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs/picture.svg"
MOST_RUNS = 20
MOST_DISCARDED = 0.25
# Pixels: a character of the font, a line, the edge of the terminal.
ADVANCE, LINE, EDGE = 8.4, 20, 16
FEWEST_COLUMNS = 60
# What a sequence of a terminal stands for, as tourbillon-report paints, and its colour on light and on dark ground.
INKS = {
    "1": ("heading", "#1f2328", "#f0f6fc"),
    "2": ("dim", "#59636e", "#9198a1"),
    "31": ("failure", "#b3202a", "#ff7b72"),
    "32": ("good", "#116329", "#3fb950"),
    "33": ("note", "#7d4e00", "#d29922"),
}
STYLE = """
  svg { font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1f2328 }
  .ground { fill: #f6f8fa; stroke: #d1d9e0 }
  .heading { font-weight: bold }
  LIGHT
  @media (prefers-color-scheme: dark) {
    svg { fill: #f0f6fc }
    .ground { fill: #0d1117; stroke: #3d444d }
    DARK
  }
"""


def spans(line):
    """The pieces of a line with their classes."""
    ink = ""
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        if piece.startswith("\x1b["):
            ink = INKS.get(piece[2:-1], ("",))[0]
        elif piece:
            yield ink, piece


def plain(line):
    return re.sub(r"\x1b\[[0-9;]*m", "", line)


def drawn(text):
    """A terminal with a text as SVG."""
    lines = text.rstrip("\n").split("\n")
    columns = max(FEWEST_COLUMNS, *(len(plain(line)) for line in lines))
    width, height = round(columns * ADVANCE + 2 * EDGE), len(lines) * LINE + 2 * EDGE
    rules = [" ".join(f".{ink} {{ fill: {colors[at]} }}" for ink, *colors in INKS.values()) for at in (0, 1)]
    style = STYLE.replace("LIGHT", rules[0]).replace("DARK", rules[1])
    svg = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f"<style>{style}</style>",
        f'<rect class="ground" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
    ]
    for row, line in enumerate(lines):
        if not plain(line).strip():
            continue
        pieces = "".join(
            f'<tspan class="{ink}">{escape(piece)}</tspan>' if ink else escape(piece) for ink, piece in spans(line)
        )
        # With its length, columns stand below each other in any font.
        length = round(len(plain(line)) * ADVANCE, 1)
        place = f'x="{EDGE}" y="{EDGE + row * LINE + 15}" textLength="{length}"'
        svg.append(f'<text {place} xml:space="preserve">{pieces}</text>')
    return "\n".join([*svg, "</svg>"]) + "\n"


def example():
    """What the example prints, below its command."""
    command = subprocess.check_output([ROOT / "scripts/readme.sh", "--command", "first"], text=True).strip()
    with tempfile.TemporaryDirectory() as store:
        env = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        env |= {"TOURBILLON_STORE": store, "CLICOLOR_FORCE": "1", "CI": "1"}
        printed = subprocess.check_output(["bash", "-c", command], cwd=ROOT, env=env, text=True)
    lines = printed.split("\n")
    # What a reader types: cargo's own flags only keep its lines, and other programs, out of the picture.
    typed = re.sub(r" -q\b| --bench \S+", "", command)
    return "\n".join([f"\x1b[2m$\x1b[0m {typed}", "", *lines])


def shape(lines):
    """The heading of the table, and the cases below it."""
    at = next((at for at, line in enumerate(lines) if "time" in line and "cycles" in line), None)
    if at is None:
        sys.exit("picture.py: no table with the columns time and cycles")
    # Below the cases stands what marks mean, which depends on the processor.
    rows = [row for row in lines[at + 1 : lines.index("", at)] if not re.match(r"(t|mem|v|~|<)  ", row)]
    return [" ".join(lines[at].split()), *(row.removeprefix("├─").removeprefix("╰─").split()[0] for row in rows)]


def check():
    """Whether the picture has the shape of what is printed now."""
    if not PICTURE.exists():
        print(f"SKIPPED: there is no {PICTURE.relative_to(ROOT)} yet; scripts/picture.py draws it on an idle machine")
        return
    texts = ElementTree.parse(PICTURE).iter("{http://www.w3.org/2000/svg}text")
    # Lines that are empty are not drawn: one is where a line is missing.
    rows = {(int(text.get("y")) - EDGE - 15) // LINE: "".join(text.itertext()) for text in texts}
    old = shape([rows.get(row, "") for row in range(max(rows) + 1)])
    new = shape([plain(line) for line in example().split("\n")])
    if old != new:
        sys.exit(f"picture.py: {PICTURE.relative_to(ROOT)} shows {old}, and printed is {new}; run scripts/picture.py")


def disturbed(text):
    """The share of the launches that the note says are discarded: none without a note, all for any other note."""
    notes = [plain(line) for line in text.split("\n") if plain(line).startswith("! ")]
    found = [re.match(r"! busy machine: (\d+) of (\d+) launches discarded in", note) for note in notes]
    if not all(found):
        return 1.0
    return max((int(note[1]) / int(note[2]) for note in found), default=0.0)


def calmest():
    """Of some runs the one with fewest launches discarded, and their share."""
    best = (2.0, "")
    for _ in range(MOST_RUNS):
        text = example()
        best = min(best, (disturbed(text), text), key=lambda one: one[0])
        if best[0] == 0:
            break
    return best


def main():
    match sys.argv[1:]:
        case ["--draw"]:
            sys.stdout.write(drawn(sys.stdin.read()))
        case ["--check"]:
            check()
        case []:
            share, text = calmest()
            if share > MOST_DISCARDED:
                sys.exit(f"picture.py: {share:.0%} of the launches were discarded in the calmest of {MOST_RUNS} runs")
            PICTURE.write_text(drawn(text), encoding="utf-8")
        case _:
            sys.exit("picture.py: unknown arguments; there are --check and --draw")


if __name__ == "__main__":
    main()
