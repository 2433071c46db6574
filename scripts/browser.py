"""What a report is in a browser: see browser.sh. Speaks the DevTools protocol over a pipe; needs no package."""

import base64
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

# Text of 4.5:1 and marks of 3:1: Web Content Accessibility Guidelines 2.2, criteria 1.4.3 and 1.4.11.
TEXT, MARKS = 4.5, 3.0
WIDTHS = (360, 400, 800, 1280, 1920)
PAINT_MS = 2000
# A case, and a page of a thousand.
CASE_BYTES, PAGE_BYTES = 12_000, 8_000_000

CHECKS = r"""
((TEXT, MARKS) => {
  const problems = [];
  const seen = (box) => box.width > 0 && box.height > 0;
  // A colour as the browser paints it: system colours and names too.
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const brush = canvas.getContext('2d', { willReadFrequently: true });
  const cache = new Map();
  const rgb = (color) => {
    if (!cache.has(color)) {
      brush.clearRect(0, 0, 1, 1);
      brush.fillStyle = color;
      brush.fillRect(0, 0, 1, 1);
      cache.set(color, [...brush.getImageData(0, 0, 1, 1).data]);
    }
    return cache.get(color);
  };
  const light = ([r, g, b]) => {
    const part = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const contrast = (one, other) => {
    const [a, b] = [light(rgb(one)), light(rgb(other))].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  const paper = getComputedStyle(document.body).backgroundColor;
  const lowest = { text: 99, mark: 99 };
  const look = (kind, least, color, what) => {
    const ratio = contrast(color, paper);
    lowest[kind] = Math.min(lowest[kind], ratio);
    if (ratio < least) problems.push(`${kind} of ${ratio.toFixed(2)}:1, ${color} on ${paper}: ${what}`);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || !parent.checkVisibility() || /SCRIPT|TITLE|DESC/i.test(parent.tagName)) continue;
    const style = getComputedStyle(parent);
    look('text', TEXT, parent instanceof SVGElement ? style.fill : style.color, node.data.slice(0, 40));
  }
  let pictures = 0;
  for (const svg of document.querySelectorAll('svg')) {
    const frame = svg.getBoundingClientRect();
    if (!svg.checkVisibility() || !seen(frame)) continue;
    pictures += 1;
    const title = svg.querySelector('title')?.textContent ?? '';
    for (const path of svg.querySelectorAll('path')) {
      // The grid and the areas of bands are no marks: their edges are.
      if (path.matches('.g, .w')) continue;
      look('mark', MARKS, getComputedStyle(path).stroke, `${path.getAttribute('class')} in ${title}`);
    }
    const boxes = [...svg.querySelectorAll('text')].map((text) => [text.getBoundingClientRect(), text]);
    for (const [box, text] of boxes) {
      const size = parseFloat(getComputedStyle(text).fontSize) * frame.width / svg.viewBox.baseVal.width;
      if (size < 10.99) problems.push(`text of ${size.toFixed(1)} px in ${title}`);
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1) {
        problems.push(`text leaves its picture: ${text.textContent} in ${title}`);
      }
      for (const [other, named] of boxes) {
        if (other === box) break;
        const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
        const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
        // Boxes hold the room above and below letters.
        if (across > 1 && down > 4) {
          problems.push(`overlap: "${text.textContent}" and "${named.textContent}" in ${title}`);
        }
      }
    }
  }
  // Rows of verdicts: in columns, or in lines where the page is narrow.
  for (const table of document.querySelectorAll('table.changes')) {
    if (table.parentElement.scrollWidth > table.parentElement.clientWidth + 1) problems.push('verdicts are cut off');
    const edges = {};
    for (const row of table.tBodies[0].rows) {
      const cells = [...row.cells].map((cell) => {
        const inside = document.createRange();
        inside.selectNodeContents(cell);
        return [inside.getBoundingClientRect(), cell];
      }).filter(([box]) => seen(box));
      const beside = cells.map(([, cell]) => cell).filter((cell) => !cell.matches('.name, .change, .plot'));
      const sizes = new Set(beside.map((cell) => getComputedStyle(cell).fontSize));
      if (sizes.size > 1) problems.push(`letters of ${[...sizes]} in ${row.dataset.n}`);
      for (const [box, cell] of cells) {
        const what = `${cell.className} of ${row.dataset.n}`;
        const kind = cell.className.split(' ')[0];
        if (kind !== 'candidate') (edges[kind] ??= []).push([box.left, box.right]);
        for (const [other, named] of cells) {
          if (other === box) break;
          const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
          const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
          if (across > 1 && down > 1) problems.push(`${what} lies on ${named.className}`);
        }
      }
    }
    for (const [kind, all] of Object.entries(edges)) {
      const spread = [0, 1].map((side) => Math.max(...all.map((box) => box[side])) - Math.min(...all.map((box) => box[side])));
      if (Math.min(...spread) > 1) problems.push(`${kind} of rows at ${all.map((box) => box[0].toFixed(0))}`);
    }
  }
  for (const code of document.querySelectorAll('code')) {
    if (code.checkVisibility() && !code.textContent.includes(' ') && code.getClientRects().length > 1) {
      problems.push(`broken: ${code.textContent}`);
    }
  }
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth + 1) {
    problems.push(`the page is ${page.scrollWidth} wide on ${page.clientWidth}`);
  }
  return { problems: [...new Set(problems)].slice(0, 30), pictures, lowest };
})
"""


# Colours of text and marks that are no grey.
COLOURED = r"""
[...document.querySelectorAll('body *')].filter((element) => element.checkVisibility()).flatMap((element) => {
  const style = getComputedStyle(element);
  const colors = element instanceof SVGElement ? [style.fill, style.stroke] : [style.color];
  return colors.filter((color) => new Set((color.match(/^rgba?\((\d+), (\d+), (\d+)/) ?? []).slice(1)).size > 1);
})
"""


class Browser:
    """A Chromium with one page, spoken to over file descriptors 3 and 4."""

    def __init__(self, program, profile):
        to_browser, self.out = os.pipe()
        self.incoming, from_browser = os.pipe()

        def place():
            # First to numbers that neither end has.
            one, other = os.dup(to_browser), os.dup(from_browser)
            one, other = os.dup2(one, 30), os.dup2(other, 31)
            os.dup2(30, 3, inheritable=True)
            os.dup2(31, 4, inheritable=True)

        flags = [
            "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
            "--disable-dev-shm-usage", "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND",
            f"--user-data-dir={profile}",
        ]
        self.process = subprocess.Popen(
            [program, *flags, "about:blank"],
            preexec_fn=place, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.rest = b""
        self.number = 0
        self.events = []
        self.session = None
        target = self.call("Target.getTargets")["targetInfos"]
        page = next(info for info in target if info["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self.session = attached["sessionId"]

    def read(self):
        while b"\0" not in self.rest:
            piece = os.read(self.incoming, 1 << 20)
            if not piece:
                raise SystemExit("error: the browser has died")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"error: {method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.read())

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"error: {result['exceptionDetails']}")
        return result["result"].get("value")

    def key(self, key, code):
        text = "\r" if key == "Enter" else ""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, text=text)

    def media(self, scheme="light", forced="none", medium="screen"):
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "forced-colors", "value": forced},
        ]
        self.call("Emulation.setEmulatedMedia", media=medium, features=features)

    def width(self, width):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)

    def shot(self, path, whole):
        height = self.evaluate("document.documentElement.scrollHeight")
        width = self.evaluate("innerWidth")
        clip = {"x": 0, "y": 0, "width": width, "height": min(height, 6000 if whole else 900), "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(data))


def keyboard(browser):
    """Sorts, filters and opens with keys alone; what does not work."""
    problems = []
    if browser.evaluate("document.querySelector('table.sortable button') === null"):
        return problems
    focused = "document.activeElement.closest('th, summary, input, a, .wide') ? document.activeElement.tagName : ''"
    met = set()
    browser.evaluate("document.body.focus(); scrollTo(0, 0)")
    for _ in range(300):
        browser.key("Tab", 9)
        met.add(browser.evaluate(focused))
        if {"A", "INPUT", "BUTTON"} <= met:
            break
    has_filter = browser.evaluate("document.querySelector('input.filter') !== null")
    for wanted in ("A", "INPUT", "BUTTON") if has_filter else ("A", "BUTTON"):
        if wanted not in met:
            problems.append(f"no {wanted} gets the focus of the Tab key")
    if browser.evaluate("document.querySelectorAll('table.sortable')[0].querySelectorAll('th button').length < 2"):
        return problems
    browser.evaluate("document.querySelectorAll('table.sortable')[0].querySelectorAll('th button')[1].focus()")
    browser.key("Enter", 13)
    order = """(() => {
      const table = document.querySelector('table.sortable');
      const head = table.querySelectorAll('th button')[1].parentElement;
      const values = [...table.tBodies].map((body) => [...body.rows].filter((row) => row.dataset.n !== undefined)
        .map((row) => row.cells[head.cellIndex]?.dataset.v).filter((v) => v !== undefined).map(Number));
      return [head.getAttribute('aria-sort'), values];
    })()"""
    head, values = browser.evaluate(order)
    if head != "ascending" or any(column != sorted(column) for column in values):
        problems.append(f"Enter on a heading does not sort: {head}")
    browser.key("Enter", 13)
    head, values = browser.evaluate(order)
    if head != "descending" or any(column != sorted(column, reverse=True) for column in values):
        problems.append(f"Enter on a sorted heading does not turn it round: {head}")
    if has_filter:
        browser.evaluate("document.querySelector('input.filter').focus()")
        browser.call("Input.insertText", text="no such case")
        hidden = "[...document.querySelectorAll('[data-n]')].filter((row) => row.checkVisibility()).length"
        if browser.evaluate(hidden) != 0:
            problems.append("the filter leaves cases that do not match")
        told = browser.evaluate("document.getElementById('shown').textContent")
        if told != "0 shown":
            problems.append(f"the filter says {told!r}")
        browser.evaluate("const box = document.querySelector('input.filter'); box.value = ''; box.dispatchEvent(new Event('input'))")
    case = "[...document.querySelectorAll('details.case')].find((details) => details.checkVisibility())"
    if browser.evaluate(f"{case} !== undefined"):
        browser.evaluate(f"{case}.querySelector('summary').focus()")
        browser.key("Enter", 13)
        if not browser.evaluate(f"{case}.open"):
            problems.append("Enter does not open a case")
    if browser.evaluate("document.querySelector('button.axes') !== null"):
        grids = "[...document.querySelectorAll('.grid.log, .grid.linear')].map((grid) => [grid.classList.contains('linear'), grid.checkVisibility()])"
        for linear in (True, False):
            browser.evaluate("document.querySelector('button.axes').focus()")
            browser.key("Enter", 13)
            if any(visible != (is_linear == linear) for is_linear, visible in browser.evaluate(grids)):
                problems.append(f"Enter on the button for axes does not show {'linear' if linear else 'log'} ones")
    if browser.evaluate("document.querySelector('button.csv') !== null"):
        problems += saved(browser)
    link = "document.querySelector('td.name a')"
    if browser.evaluate(f"{link} !== null"):
        browser.evaluate(f"{link}.focus()")
        browser.key("Enter", 13)
        time.sleep(0.2)
        if not browser.evaluate(f"document.getElementById({link}.hash.slice(1)).open"):
            problems.append("a link of the table does not open its case")
    return problems


def saved(browser):
    """Saves the figures as CSV with the keyboard and compares them with the block of figures; what is wrong."""
    browser.evaluate("""(() => {
      window.saved = [];
      URL.createObjectURL = (blob) => { window.saved.push(blob); return '#saved'; };
      HTMLAnchorElement.prototype.click = function () { window.saved.push(this.download); };
      document.querySelector('button.csv').focus();
    })()""")
    browser.key("Enter", 13)
    found = browser.evaluate("(async () => window.saved.length === 2 ? [await window.saved[0].text(), window.saved[1]] : [])()")
    if not found:
        return ["Enter on the button for CSV saves nothing"]
    text, name = found
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    runs = browser.evaluate("JSON.parse(document.getElementById('figures').textContent).runs")
    expected = sum(len(case["results"]) for run in runs for case in run["cases"])
    expected += sum(len(run["verdicts"]) for run in runs)
    problems = []
    if name != "figures.csv" or len(rows) != expected:
        problems.append(f"{name} has {len(rows)} rows, not {expected}")
    given = [case["results"][0].get("estimate") for run in runs for case in run["cases"] if case["results"]]
    firsts = [row for row in rows if row["metric"] not in ("cycles", "ratio")]
    if firsts and given and given[0] is not None and float(firsts[0]["estimate"]) != given[0]:
        problems.append(f"{name} begins with {firsts[0]}, not {given[0]}")
    return problems


def check(browser, page, shots):
    """The problems of a page."""
    if not page.is_file():
        return [f"{page} is no file"]
    browser.events.clear()
    browser.width(1600)
    browser.media()
    browser.call("Page.navigate", url=page.resolve().as_uri())
    browser.wait("Page.loadEventFired")
    painted = browser.evaluate(
        "new Promise((done) => new PerformanceObserver((list) => done(list.getEntries()[0].startTime))"
        ".observe({ type: 'paint', buffered: true }))"
    )
    problems = []
    if painted > PAINT_MS:
        problems.append(f"painted after {painted:.0f} ms")
    problems += keyboard(browser)
    opened = "[...document.querySelectorAll('details')].slice(0, 12).forEach((details) => { details.open = true; })"
    browser.evaluate(opened)
    pictures = 0
    lowest = {}
    for mode, scheme, forced in (("light", "light", "none"), ("dark", "dark", "none"), ("forced", "light", "active")):
        browser.media(scheme, forced)
        for width in WIDTHS:
            browser.width(width)
            found = browser.evaluate(f"{CHECKS}({TEXT}, {MARKS})")
            problems += [f"{mode} {width}: {problem}" for problem in found["problems"]]
            pictures = max(pictures, found["pictures"])
            for kind, ratio in found["lowest"].items():
                lowest[f"{mode} {kind}"] = round(min(ratio, lowest.get(f"{mode} {kind}", 99)), 2)
            if shots:
                browser.shot(shots / f"{page.stem}-{mode}-{width}.png", mode == "light")
    if browser.evaluate("document.querySelector('button.axes') !== null"):
        browser.evaluate("document.querySelector('button.axes').click()")
        browser.media()
        browser.width(WIDTHS[0])
        found = browser.evaluate(f"{CHECKS}({TEXT}, {MARKS})")
        problems += [f"linear axes {WIDTHS[0]}: {problem}" for problem in found["problems"]]
        browser.evaluate("document.querySelector('button.axes').click()")
    browser.media(medium="print")
    browser.width(800)
    found = browser.evaluate(f"{CHECKS}({TEXT}, {MARKS})")
    problems += [f"print: {problem}" for problem in found["problems"]]
    problems += [f"print in colour: {color}" for color in sorted(set(browser.evaluate(COLOURED)))]
    if shots:
        browser.shot(shots / f"{page.stem}-print.png", False)
    requests = []
    for event in browser.events:
        method, params = event.get("method", ""), event.get("params", {})
        if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            problems.append(f"console: {json.dumps(params)[:300]}")
        if method == "Network.requestWillBeSent":
            requests.append(params["request"]["url"])
    if requests != [page.resolve().as_uri()]:
        problems.append(f"requests: {requests}")
    size = page.stat().st_size
    cases = browser.evaluate("document.querySelectorAll('details.case').length")
    if cases >= 64 and size > min(CASE_BYTES * cases, PAGE_BYTES * max(cases / 1000, 1)):
        problems.append(f"{size} bytes for {cases} cases")
    print(f"{page.name}: {size} bytes, {pictures} pictures, painted after {painted:.0f} ms, lowest contrasts {lowest}")
    return problems


def main():
    program, *arguments = sys.argv[1:]
    shots = None
    if "--shots" in arguments:
        at = arguments.index("--shots")
        shots = pathlib.Path(arguments[at + 1])
        shots.mkdir(parents=True, exist_ok=True)
        del arguments[at:at + 2]
    if not arguments:
        raise SystemExit("usage: scripts/browser.sh PAGE.html.. [--shots FOLDER]")
    failed = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        try:
            for domain in ("Page", "Runtime", "Log", "Network"):
                browser.call(f"{domain}.enable")
            for argument in arguments:
                for problem in check(browser, pathlib.Path(argument), shots):
                    print(f"  {problem}")
                    failed += 1
        finally:
            browser.process.terminate()
            browser.process.wait()
    if failed:
        raise SystemExit(f"error: {failed} problems")
    print("fine")


if __name__ == "__main__":
    main()
