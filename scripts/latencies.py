"""Reads the results of the benchmark `latencies` and exits with 1 where a percentile is not that of its part."""

import json
import sys

# Share by which a percentile may differ from the time of its part, apart from readings of the clock.
ALLOWED = 0.01
# Readings of the clock in a duration: one, and what its fences add.
READINGS = 2

results = {}
for line in sys.stdin:
    line = json.loads(line)
    if line.get("type") == "result":
        results[line["case"].rsplit("::", 1)[1], line["metric"]] = line

run, failed = sys.argv[1], 0


def check(what, holds):
    global failed
    failed += not holds
    print(f"run {run}: {'ok' if holds else 'FAILED'}: {what}")


for metric, part in [("p50", "short"), ("p90", "short"), ("p99", "long")]:
    found, own = results["mixed", metric], results[part, "time"]
    if "estimate" not in found or "estimate" not in own:
        check(f"{metric} of the mixture: {found.get('absent')}", False)
        continue
    truth, reading = own["estimate"], found["fixed_cost"]
    highest = truth + READINGS * reading
    holds = truth * (1 - ALLOWED) <= found["estimate"] <= highest * (1 + ALLOWED)
    check(f"{metric} {found['estimate']:.0f} ns, {part} {truth:.0f} ns, reading {reading:.0f} ns", holds)

closed, open_loop = results["closed", "p99"], results["open", "p99"]
short = results["short", "time"]["estimate"]
check(f"closed p99 {closed.get('estimate')}", closed.get("estimate", 0) < 2 * short)
check(f"open p99 {open_loop.get('estimate')}", open_loop.get("estimate", 0) > 10 * short)
sys.exit(failed > 0)
