"""Makes the files of hostile inputs: records, bundles, settings, indexes, stores, what lies in the way."""

import base64
import functools
import gzip
import io
import itertools
import json
import os
import pathlib
import random
import socket
import sqlite3
import tarfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "crates/tourbillon-record/tests/golden"
YEAR_2026 = 1_780_000_000_000_000_000
YEAR_2031 = 1_940_000_000_000_000_000

# What a name may do to a terminal, a spreadsheet, a page, a shell, a path.
PAYLOADS = [
    "=cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd",
    "+1-2",
    "-2+3",
    "\t=1+1",
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>",
    "' onmouseover='alert(1)",
    "[x](javascript:alert(1))",
    "| a | b |\n|---|---|",
    "```\n# heading\n<b>",
    "\x1b]0;title\x07\x1b[31m",
    "\x9b31m\x90q\x9c",
    "\u202egpj.exe\u2066",
    "a\r\nb\x00c\x7f",
    "$(touch canary)`touch canary`;touch canary",
    "../../../../escape",
    "/absolute/name",
    "C:\\con\\nul",
    "%s%n%d {} {:?} ${x}",
    "é" * 300,
    "\u0301" * 200,
    "\U0001f469\u200d\U0001f4bb" * 50,
    "]]>&lt;&amp;&#x3c;",
    "set output 'canary'; system('touch canary')",
]


def line(kind, **members):
    return json.dumps({"type": kind, "schema": 2, **members}, ensure_ascii=False) + "\n"


def header(cases, started=YEAR_2026, facts=(), **members):
    lines = (GOLDEN / "schema-2-run.jsonl").read_text().splitlines()
    known = json.loads(lines[0])
    known.update(started_unix_ns=started, cases=cases, **members)
    known["facts"] += [dict(name=name, value=value) for name, value in facts]
    return json.dumps(known, ensure_ascii=False, separators=(",", ":")) + "\n"


def case(name, **members):
    known = dict(
        id=f"shop/checkout::{name}", group="", name=name, arguments=[], reference=False, tags=[], file="b.rs", line=1
    )
    return line("case", **(known | members))


def result(name, estimate=4.4, lower=4.3, upper=4.5, **members):
    known = dict(
        case=f"shop/checkout::{name}", metric="time", unit="ns", estimate=estimate, lower=lower, upper=upper,
        confidence=0.99, scope="processes", systematic=0.002, launches=20, samples=2000, ops=8192, iterations=8192,
        elapsed_ns=36126720.5, method="slope-medians-1", notes=[],
    )
    return line("result", **(known | members))


def compared(name, launches=1):
    """A launch of two builds of a case, and the verdict on so many."""
    id = f"shop/checkout::{name}"
    verdict = dict(
        case=id, reference=id, verdict="slower", ratio=1.1, lower=1.05, upper=1.15, confidence=0.999, margin=0.01,
        scope="processes", pairs=1, launches=launches, placements=1, discarded=0, seed=17, seconds=0.025, reference_ns=4.0,
        case_ns=4.4, method="paired-processes-signed-rank-1",
    )
    rounds = dict(
        cases=[id, id], launch=0, seed=17, pids=[4711, 4712], started_unix_ns=YEAR_2026, ops=[4096, 4096],
        first_call_ticks=[31200, 29900], fixed_ticks=[44, 44], round=[0, 0, 1, 1], arm=[0, 1, 1, 0],
        ticks=[26010, 26020, 26100, 26040], launch_ticks=26000000, lead_in=1,
    )
    return line("rounds", **rounds) + line("verdict", **verdict)


END = line("end", wall_ns=7400000000, launches_ns=1, batches_ns=1, launches=20, faults=0, interrupted=False, exit_code=0)


def compact(text):
    """As a writer writes it: `type` first, without blanks."""
    return "".join(json.dumps(json.loads(one), ensure_ascii=False, separators=(",", ":")) + "\n"
                   for one in text.splitlines())


def record(cases=1, name=None, payloads=False, facts=0, started=YEAR_2026, estimate=None, lower=4.3, upper=4.5,
           pad=0, builds=False, launches=1, stepped=None, axes=False, **members):
    """A record with results: of so many cases, of one with this name, or of one for each payload. With `builds` it is
    one of two builds, of a single shard unless another is given, with one launch of so many that it tells of. `stepped`
    has what was stepped or counted of the first case. With `axes` each case has an argument of an axis of its own."""
    names = [f"case_{number}" for number in range(cases)]
    if name is not None:
        names = [name]
    if payloads:
        names = [f"{payload} {number}" for number, payload in enumerate(PAYLOADS)]
    facts = [(f"fact_{number}", f"{members.get('machine', '')}{number}") for number in range(facts)]
    members.pop("machine", None)
    if builds:
        facts += [("reference", "main"), ("candidate", "head")]
        members.setdefault("shard", dict(method="hash", number=1, of=1, cases=len(names)))
    rest = dict(started=started, facts=facts, **members)
    lines = [header(len(names), **rest)]
    for number, one in enumerate(names):
        own = dict(group="g", arguments=[dict(axis=f"a{number}", value=str(number))]) if axes else {}
        lines.append(compact(case(one, **own)))
    for number, one in enumerate(names):
        own = estimate if estimate is not None else 4.4
        lines.append(compact(compared(one, launches) if builds else result(one, own, lower, upper)))
    launch = next(one for one in (GOLDEN / "schema-2-run.jsonl").read_text().splitlines() if '"type":"launch"' in one)
    launch = json.loads(launch)
    launch["case"] = f"shop/checkout::{names[0]}"
    if stepped is not None:
        # A case without samples is not explained.
        lines.append(compact(json.dumps(launch)))
        counted = dict(case=launch["case"], launch=0, ops_per_iteration=1, launch_ns=5)
        lines.append(compact(line("stepped", **(counted | stepped))))
    lines.append(compact(END))
    text = "".join(lines)
    # Samples are nearly all of a large record.
    batches = launch["batches"]
    while pad > 0 and len(text) < pad * 1024 * 1024:
        for column in batches:
            if len(batches[column]) < 100_000:
                batches[column] = batches[column] * 2
        launch["launch"] += 1
        text += json.dumps(launch, separators=(",", ":")) + "\n"
    return text.encode("utf-8", "surrogatepass")


def compilations(runs):
    """Runs of one case, each of which was compiled in a way of its own."""
    way = dict(name="opt_level", value="")
    known = json.loads(header(1))
    known["facts"].append(way)
    rest = compact(case("case_0") + result("case_0") + END)
    lines = []
    for number in range(runs):
        way["value"] = f"3-{number}"
        known["started_unix_ns"] = YEAR_2026 + number * 10**9
        lines.append(json.dumps(known, separators=(",", ":")) + "\n" + rest)
    return "".join(lines).encode()


@functools.cache
def one_run(golden):
    """The lines of a golden file as those of one run: it begins with a header and has each case once, and one end. A
    second result of a case is one of another case."""
    lines = (GOLDEN / golden).read_text().splitlines()
    if '"type":"header"' not in lines[0]:
        lines = (GOLDEN / "schema-2-run.jsonl").read_text().splitlines()[:2] + lines
    known, end, kept = set(), None, []
    for one in lines:
        about = json.loads(one)
        if about["type"] == "end":
            end = end or one
            continue
        key = {"header": "header", "case": about.get("id")}.get(about["type"])
        if about["type"] == "result":
            key = (about["case"], about["metric"], about.get("name"))
        if key is None or key not in known:
            kept.append(one)
        elif about["type"] == "result":
            first = json.loads(next(one for one in kept if '"type":"case"' in one))
            again = f"again_{len(kept)}"
            about["case"] = first["id"].replace("total", again)
            kept.append(json.dumps(first | {"id": about["case"], "name": again}, separators=(",", ":")))
            kept.append(json.dumps(about, separators=(",", ":")))
        known.add(key)
    return kept + ([end] if end else [])


def grown(golden, type, times, lists=()):
    """A golden record in which these lists of each line of a type, by their paths, are so long; without any, its first
    line of that type, of a launch, is there so often. Texts have numbers, so that each is another one."""
    def numbered(value, number):
        if isinstance(value, dict):
            return {name: numbered(one, number) for name, one in value.items()}
        return f"{value}{number}" if isinstance(value, str) else value

    lines = [json.loads(line) for line in one_run(golden)]
    if not lists:
        at = next(at for at, one in enumerate(lines) if one["type"] == type)
        lines[at : at + 1] = [lines[at] | {"launch": number} for number in range(times)]
    for path, one in itertools.product(lists, [one for one in lines if one["type"] == type]):
        *above, name = path.split(".")
        for key in above:
            one = one.get(key, {})
        if values := one.get(name):
            one[name] = [numbered(values[number % len(values)], number) for number in range(times)]
    return "".join(json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n" for one in lines).encode()


def alternating(cases, launches=20):
    """A comparison of two builds: every other case is slower by a tenth in each of its launches."""
    names = [f"case_{number}" for number in range(cases)]
    shard = dict(method="hash", number=1, of=1, cases=cases)
    lines = [header(cases, facts=[("reference", "main"), ("candidate", "head")], shard=shard)]
    lines += [compact(case(name)) for name in names]
    for number, name in enumerate(names):
        rounds, verdict = map(json.loads, compared(name, launches).splitlines())
        more = 2600 * (number % 2)
        for launch in range(launches):
            ticks = [26010, 26020 + more, 26100 + more + launch, 26040]
            lines.append(compact(json.dumps(rounds | dict(launch=launch, ticks=ticks))))
        lines.append(compact(json.dumps(verdict | dict(pairs=2 * launches))))
    return "".join([*lines, compact(END)]).encode()


def mutated(golden, payload):
    """A golden record in which every text that is no keyword is a payload."""
    fixed = {"type", "metric", "unit", "scope", "absent", "verdict", "why", "kind", "note", "method", "source", "terminal",
             "of", "name_of", "started"}
    found = PAYLOADS[payload]
    number = [0]

    def change(value, key):
        if isinstance(value, dict):
            return {name: change(one, name) for name, one in value.items()}
        if isinstance(value, list):
            return [change(one, key) for one in value]
        if isinstance(value, str) and key not in fixed:
            if key in ("id", "case", "reference", "cases"):
                return f"shop/checkout::{found}[{value}]"
            number[0] += 1
            return f"{found} {number[0]}" if key != "name" else f"{found}"
        return value

    text = [json.dumps(change(json.loads(one), ""), ensure_ascii=False, separators=(",", ":")) for one in one_run(golden)]
    return ("\n".join(text) + "\n").encode("utf-8", "surrogatepass")


@functools.cache
def bundle(damage=None, payload="main"):
    """A bundle whose manifest is right but for one thing."""
    # The hash of nothing: without damage it is a bundle.
    contents = b""
    digest = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"
    file = dict(path="0/speed", hash=digest, bytes=len(contents))
    build = dict(
        label=payload, commit=None, dirty=False, flags="", toolchain="", environment=[], outside=[], built_unix_ns=1,
        executables=[dict(package="p", target="speed", file="0/speed", fingerprint="", home=None, environment=[], engine="e", protocol=1)],
        files=[file],
    )
    manifest = dict(schema=1, tourbillon="0.1.0", architecture="x86_64", system="linux", builds=[build])
    names = [f"files/{digest}"]
    kind = tarfile.REGTYPE
    match damage:
        case "parent":
            file["path"] = "../speed"
        case "absolute":
            file["path"] = "/speed"
        case "target_parent":
            build["executables"][0]["file"] = "../../speed"
        case "twice":
            build["files"].append(dict(file))
        case "case_twice":
            build["files"].append(dict(file, path="0/SPEED"))
        case "huge":
            file["bytes"] = 1 << 62
        case "many_bytes":
            file["bytes"] = 9 << 30
        case "long_path":
            file["path"] = "0/" + "x" * 5000
        case "entry_parent":
            names = ["../../escape"]
        case "entry_absolute":
            names = ["/escape"]
        case "link":
            kind = tarfile.SYMTYPE
        case "hard_link":
            kind = tarfile.LNKTYPE
        case "device":
            kind = tarfile.CHRTYPE
        case "fifo":
            kind = tarfile.FIFOTYPE
        case "more":
            names = names * 3
        case "none":
            names = []
        case "schema":
            manifest["schema"] = 99
        case "deep":
            build["label"] = "x"
        case "control":
            build["label"] = "\x1b]0;x\x07"
        case "variable":
            build["environment"] = [["LD_PRELOAD=x", "y"]]
        case "no_builds":
            manifest["builds"] = []
        case "many_builds":
            manifest["builds"] = [build] * 65
        case "home":
            build["executables"][0]["home"] = "../../.."
        case "link_line":
            build["files"].append(dict(path="0/objects.d/link.json", hash="1" * 64, bytes=5 << 20))
        case "hash":
            file["hash"] = "../../../../escape"
        case "many_names":
            build["files"] += [dict(file, path=f"0/objects.d/{number}") for number in range(90_000)]
        case "many_contents":
            own = ({"path": f"0/objects.d/{number}", "hash": f"{number:064}"} for number in range(90_000))
            build["files"] += [file | one for one in own]
        case "many_executables":
            paths = [f"{number}/speed" for number in range(1, 20_000)]
            build["files"] += [dict(file, path=path) for path in paths]
            build["executables"] += [build["executables"][0] | {"file": path} for path in paths]
        case "strange_folder":
            build["files"].append(dict(file, path="1/x"))
    text = json.dumps(manifest).encode()
    if damage == "deep":
        text = b'{"schema":1,"x":' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}"
    if damage == "garbage":
        return random.Random(1).randbytes(100_000)
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        def add(name, data, kind=tarfile.REGTYPE):
            info = tarfile.TarInfo(name)
            info.type = kind
            info.linkname = "../../escape" if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE) else ""
            info.size = len(data) if kind == tarfile.REGTYPE else 0
            tar.addfile(info, io.BytesIO(data))

        add("manifest.json", text)
        for name in names:
            add(name, contents, kind)
    data = out.getvalue()
    if damage == "cut":
        data = data[:700]
    if damage == "bomb":
        # 256 MiB of zeros where the manifest should be.
        buffer = io.BytesIO()
        with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=1) as zipped:
            for _ in range(32):
                zipped.write(bytes(1 << 23))
        return buffer.getvalue()
    return gzip.compress(data, 1)


def toml(kind):
    match kind:
        case "deep_table":
            return "[" + ".".join(["a"] * 100_000) + "]\n"
        case "deep_list":
            return "x = " + "[" * 100_000 + "]" * 100_000 + "\n"
        case "deep_inline":
            return "x = " + "{ a = " * 50_000 + "1" + " }" * 50_000 + "\n"
        case "huge_integer":
            return "[bench]\nlaunches = " + "9" * 5000 + "\n"
        case "huge_float":
            return "[bench]\nlaunches = 1e99999\n"
        case "negative":
            return "[bench]\nlaunches = -9223372036854775809\n"
        case "long_key":
            return "[bench]\n" + "k" * 500_000 + " = 1\n"
        case "long_text":
            return '[bench]\nskip = "' + "x" * 900_000 + '"\n'
        case "many_keys":
            return "[bench.cases]\n" + "".join(f'"case{n}" = {{ launches = 5 }}\n' for n in range(20_000))
        case "too_long":
            return "# " + "x" * (2 << 20) + "\n"
        case "twice":
            return "[bench]\nlaunches = 1\n[bench]\nlaunches = 2\n"
        case "control":
            return '[bench]\n"\\u001b]0;title\\u0007" = 1\n'
        case "bidi":
            return '[bench]\n"\u202ex" = 1\n'
        case "nul":
            return "[bench]\nskip = \"a\x00b\"\n"
        case "not_utf8":
            return b"[bench]\nskip = \"\xff\xfe\"\n"
        case "date":
            return "[bench]\nlaunches = 2026-01-01T00:00:00Z\n"
        case "unknown":
            return "[benches]\nlaunches = 1\n"
        case "gate_text":
            return '[gate]\nrelative = "' + "9" * 400 + '%"\n'
        case "gate_deep":
            return "[gate.cases.a.cases.b]\nrelative = \"1%\"\n"
        case "gate_long":
            return '[gate.cases]\n"' + "x" * 30_000 + '" = { relative = "5%" }\n'
        case "flag_value":
            return '[show]\ncolumns = "--config=x"\n'
        case "unclosed":
            return "[bench\n"
        case "surrogate":
            return '[bench]\nskip = "\\ud800"\n'
        case "carriage":
            return "[bench]\rlaunches = 1\r"
        case "comment_control":
            return "# \x1b]0;title\x07\n[bench]\nlaunches = 5\n"
        case "store_up":
            return '[bench]\nstore = "../../../../../escape"\n[bench.cases]\nx = { store = "y" }\n'
        case "empty_keys":
            return '"" = 1\n'
        case "quotes":
            return "x = '" + "'" * 100_000 + "\n"
        case "lists":
            return "[bench]\nskip = [" + '"a",' * 100_000 + "]\n"
        case "array_tables":
            return "[[bench]]\nx = 1\n"
        case "dotted":
            return "bench.launches = 5\nbench.launches.x = 6\n"
        case "bom":
            return "\ufeff\ufeff[bench]\n"
    raise KeyError(kind)


def make(folder, made, port=0):
    """Makes a file, a folder or what else a table names."""
    path = folder / made["file"]
    path.parent.mkdir(parents=True, exist_ok=True)
    kind = made["kind"]
    options = {name: value for name, value in made.items() if name not in ("file", "kind")}
    match kind:
        case "text":
            text = options["text"].encode("utf-8", "surrogatepass")
            path.write_bytes(options.get("first", "").encode() + text * options.get("times", 1))
        case "bytes":
            path.write_bytes(base64.b64decode(options["base64"]))
        case "golden":
            path.write_text(("\n".join(one_run(options["golden"])) + "\n") * options.get("times", 1))
        case "record":
            times = options.pop("times", 1)
            path.write_bytes(record(**options) * times)
        case "blanks":
            # As another program writes JSON.
            text = record(**options).decode()
            path.write_text("".join(json.dumps(json.loads(line)) + "\n" for line in text.splitlines()))
        case "compilations":
            path.write_bytes(compilations(**options))
        case "grown":
            path.write_bytes(grown(**options))
        case "alternating":
            path.write_bytes(alternating(**options))
        case "mutated":
            path.write_bytes(mutated(**options))
        case "bundle":
            path.write_bytes(bundle(**options))
        case "toml":
            text = toml(options["toml"])
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        case "folder":
            path.mkdir()
        case "fifo":
            os.mkfifo(path)
        case "socket":
            with socket.socket(socket.AF_UNIX) as one:
                one.bind(str(path))
        case "link":
            path.symlink_to(options["to"])
        case "links":
            # At every name with a number that a process may have soon.
            own = os.getpid()
            for number in range(own, own + options["count"]):
                (path.parent / options["name"].format(number)).symlink_to(options["to"])
        case "random":
            path.write_bytes(random.Random(options.get("seed", 1)).randbytes(options["bytes"]))
        case "sparse":
            with open(path, "wb") as file:
                file.truncate(options["bytes"])
        case "store":
            # Runs of the bench program in a year to come, as it names them.
            target = path / "runs/tourbillon-fixtures/plain"
            target.mkdir(parents=True)
            for number in range(options["runs"]):
                text = record(started=YEAR_2031 + number * 10**9, package="tourbillon-fixtures", target="plain")
                (target / f"20310623T2120{number:02}.000000000Z-{number + 100}.jsonl").write_bytes(text)
        case "sqlite":
            with sqlite3.connect(path) as connection:
                connection.executescript(options["sql"])
            connection.close()
        case "read_only":
            path.chmod(0o500 if path.is_dir() else 0o400)
        case "executable":
            path.write_text(options["text"])
            path.chmod(0o755)
        case _:
            raise KeyError(kind)


class SilentServer:
    """Accepts connections on this machine and never answers."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.held = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        try:
            while True:
                self.held.append(self.socket.accept()[0])
        except OSError:
            pass

    def close(self):
        self.socket.close()
        for one in self.held:
            one.close()
